"""A small client of an office's API.

``Client("https://games.example.org", token).submit("powick-bridge", "Crown", "A ox - lon")``;
``play_as("dumbbot", "https://games.example.org/games/powick-bridge", token=token)`` has a bot play a seat."""

from legation.client.client import Client, Refused
from legation.client.playing import SeatError, SeatPlayed, play_as

__all__ = ["Client", "Refused", "SeatError", "SeatPlayed", "play_as"]
