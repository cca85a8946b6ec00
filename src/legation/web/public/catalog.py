"""Catalog entries and ratings of variants, for pages; nothing where there is no office, or
while its records cannot be reached."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from fastapi import Request

from legation.bots.balance import Balance
from legation.office.context import Actor, ask_first
from legation.office.errors import OfficeError, UnavailableError
from legation.office.hosting import catalog, played, ratings
from legation.office.office import Office
from legation.office.records import CatalogEntry, Rating
from legation.web.serving.sessions import actor_of

T = TypeVar("T")


def _asked(request: Request, ask: Callable[[Office, Actor], T], otherwise: T) -> T:
    if request.app.state.office is None:
        return otherwise
    try:
        return ask(request.app.state.office, actor_of(request))
    except UnavailableError:
        return otherwise


def entries_of(request: Request) -> dict[str, CatalogEntry]:
    """Return what the catalog lists, by name."""
    nothing: list[CatalogEntry] = []
    return {entry.name: entry for entry in _asked(request, catalog.entries, nothing)}


def versions_of(request: Request, name: str) -> list[CatalogEntry]:
    """The versions of a variant that the catalog lists, the latest first."""
    return _asked(request, lambda office, actor: catalog.versions(office, actor, name), [])


def ratings_of(request: Request) -> dict[str, Rating]:
    """Return how variants are rated, by name."""
    nothing: list[Rating] = []
    return {one.variant: one for one in _asked(request, ratings.ratings, nothing)}


def rating_of(request: Request, variant: str) -> Rating | None:
    """Return how a variant is rated, and what the reader gave it; None where nobody can."""
    return _asked(request, lambda office, actor: ratings.rating(office, actor, variant), None)


def played_by_people(request: Request, variant: str) -> Balance | None:
    """Return how the powers fared in this office's games that are over; None where there are too few."""
    return _asked(request, lambda office, actor: played.balance(office, actor, variant), None)


def may_remove(request: Request) -> bool:
    """Return whether the reader may take variants off the catalog."""

    def ask(office: Office, actor: Actor) -> bool:
        try:
            ask_first(office, actor, "catalog.remove")
        except UnavailableError:
            raise
        except OfficeError:
            return False
        return True

    return _asked(request, ask, False)
