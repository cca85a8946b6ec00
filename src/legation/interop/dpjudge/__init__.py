"""Maps of the DPjudge and of MILA: their lines, boards, powers, calendars and starting positions."""

from legation.interop.dpjudge.maps import NAME, TITLE, read, recognize

__all__ = ["NAME", "TITLE", "read", "recognize"]
