"""Positions: the turn, the units, the owners of centers, and the slices that rules keep.

A position is a value. Nothing changes it; the judge makes the next one."""

from legation.position.model import Dislodged, Phase, Position, PositionError, Turn, TurnTextError, Unit

__all__ = ["Dislodged", "Phase", "Position", "PositionError", "Turn", "TurnTextError", "Unit"]
