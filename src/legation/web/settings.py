"""What can be set about the pages."""

from __future__ import annotations

from pathlib import Path

import msgspec


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """``origin`` is the public address (``https://games.example.org``), needed where a proxy changes the host; an https
    origin makes cookies secure and tells browsers to stay with https. ``shelf`` is the folder of the sandbox (in memory
    only if None), ``shelf_room`` the bytes it may take.
    """

    origin: str = ""
    shelf: Path | None = None
    shelf_room: int = 64 * 1024 * 1024
    largest_body: int = 32 * 1024 * 1024
    """Bytes of one request; room for a few photographs."""

    bounded: bool = True
    """One address may do what costs much only so often."""

    warm: bool = False
    """Draw the maps when the server starts, not when the first visitor asks for them."""

    @property
    def secure(self) -> bool:
        """Whether the pages are reached by https."""
        return self.origin.startswith("https://")
