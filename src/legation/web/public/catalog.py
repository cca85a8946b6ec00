"""What an office's catalog and the people who played say of variants, for pages; nothing where there is no office."""

from __future__ import annotations

from fastapi import Request

from legation.office import OfficeError, catalog, ratings
from legation.office.act import ask_first
from legation.office.records import CatalogEntry, Rating
from legation.web.serving.sessions import actor_of


def entries_of(request: Request) -> dict[str, CatalogEntry]:
    """What the catalog lists, by name."""
    office = request.app.state.office
    return {} if office is None else {entry.name: entry for entry in catalog.entries(office, actor_of(request))}


def versions_of(request: Request, name: str) -> list[CatalogEntry]:
    """The versions of a variant that the catalog lists, the latest first."""
    office = request.app.state.office
    return [] if office is None else catalog.versions(office, actor_of(request), name)


def ratings_of(request: Request) -> dict[str, Rating]:
    """How variants are rated, by name."""
    office = request.app.state.office
    return {} if office is None else {one.variant: one for one in ratings.ratings(office, actor_of(request))}


def rating_of(request: Request, variant: str) -> Rating | None:
    """How a variant is rated, and what the reader gave it; None where there is no office."""
    office = request.app.state.office
    return None if office is None else ratings.rating(office, actor_of(request), variant)


def may_remove(request: Request) -> bool:
    """Whether the reader may take variants off the catalog."""
    office = request.app.state.office
    if office is None:
        return False
    try:
        ask_first(office, actor_of(request), "catalog.remove")
    except OfficeError:
        return False
    return True
