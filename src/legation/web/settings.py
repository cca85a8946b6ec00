"""Settings of the pages."""

from __future__ import annotations

from typing import Annotated

import msgspec

from legation.office import settings as office_settings
from legation.office.errors import InvalidInputError


class WebTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The table ``web`` of the office's settings: ``shelf_room`` (of the sandbox) and ``largest_body`` (of one request,
    with room for a few photographs) in bytes; ``bounded``: one address may do what costs much only so often; ``warm``:
    maps are drawn when the server starts, not when the first visitor asks for them."""

    shelf_room: Annotated[int, msgspec.Meta(ge=1_000_000)] = 64 * 1024 * 1024
    largest_body: Annotated[int, msgspec.Meta(ge=100_000)] = 32 * 1024 * 1024
    bounded: bool = True
    warm: bool = True


def web_settings(settings: office_settings.Settings) -> WebSettings:
    """Return the pages' settings, from the office's (InvalidInputError: what is wrong in the table ``web``)."""
    try:
        table = msgspec.convert(settings.web, WebTable)
    except msgspec.ValidationError as error:
        raise InvalidInputError(
            f"The settings of the pages cannot be used: {error}", faults=[f"web: {error}"]
        ) from None
    return WebSettings(origin=settings.address.rstrip("/"), **msgspec.structs.asdict(table))


class WebSettings(WebTable, frozen=True, kw_only=True):
    """Settings of the pages. ``origin`` is the public address (``https://games.example.org``), needed where a proxy
    changes the host; an https origin makes cookies secure and tells browsers to stay with https."""

    origin: str = ""
    warm: bool = False

    @property
    def secure(self) -> bool:
        """Return whether the pages are reached by https."""
        return self.origin.startswith("https://")
