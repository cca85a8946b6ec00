"""A small client of an office's API.

``Client("https://games.example.org", token).submit("powick-bridge", "Crown", "A ox - lon")``.
"""

from legation.client.client import Client, Refused

__all__ = ["Client", "Refused"]
