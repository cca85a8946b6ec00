"""A rehearsal: the year of a game, played by bots in a copy with a simulated clock, as a folder to leaf through.

:func:`rehearse` plays it, :func:`write_folder` writes what came of it."""

from legation.rehearsal.pages import write_folder
from legation.rehearsal.playing import rehearse
from legation.rehearsal.records import Happening, Paper, Rehearsed

__all__ = ["Happening", "Paper", "Rehearsed", "rehearse", "write_folder"]
