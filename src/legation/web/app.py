"""The web application: its routers, middleware and state."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

import structlog
from brotli_asgi import BrotliMiddleware
from fastapi import APIRouter, Depends, FastAPI

from legation.office.monitoring.logs import told_of
from legation.office.monitoring.processes import Metrics
from legation.office.office import Office
from legation.variants import STANDARD, USUAL, Registry
from legation.web import advice, sandbox
from legation.web.account import moderation_pages, passkeys, signing_in
from legation.web.account import settings_page as account
from legation.web.api import add_api
from legation.web.coordinator import (
    bridge_pages,
    desk,
    desk_items,
    desk_players,
    desk_postbag,
    desk_record,
    desk_rehearsal,
    desk_results,
    tournament_desk,
)
from legation.web.coordinator.desk_results import Mails
from legation.web.designer import checking, proposing, starts, table, trials
from legation.web.designer.trials import Trials
from legation.web.designer.uploads import VariantUploads
from legation.web.play import (
    analysis_page,
    game_files,
    game_page,
    live,
    moving_in,
    new_game,
    proposal_pages,
    roster_page,
    shared_drafts,
    sheet_page,
    table_page,
)
from legation.web.public import (
    archive,
    gallery,
    house_pages,
    lessons,
    lobby,
    mail_links,
    maps,
    players,
    rulebooks,
    tournaments,
    welcome,
)
from legation.web.serving import installing, theme
from legation.web.serving.bounds import Bounds, count_page
from legation.web.serving.documents import DocumentCache, SharedDocuments
from legation.web.serving.errors import add_errors
from legation.web.serving.forms import keepable
from legation.web.serving.guard import Guard, HeadRequests
from legation.web.serving.measuring import Measured
from legation.web.settings import WebSettings, web_settings

log = structlog.get_logger("legation.web")

SUBJECTS = (maps, theme, welcome, gallery, rulebooks, lessons, sandbox, advice, checking, table, starts, trials)
"""Modules of pages that need no office."""
OWN = (mail_links, proposing, signing_in, passkeys, new_game, moving_in)
DESKS = (desk, desk_items, desk_results, desk_players, desk_postbag, desk_record, desk_rehearsal, bridge_pages)
EVENTS = (lobby, archive, players, tournament_desk, tournaments, moderation_pages, house_pages, account)
GAMES = (live, sheet_page, shared_drafts, analysis_page, game_files, proposal_pages, table_page, roster_page, game_page)
"""Those that need one; addresses with names in them come last."""


def page_routers(office: Office | None) -> list[APIRouter]:
    """Return the routers of all pages that a site has."""
    alone: list[APIRouter] = [subject.router for subject in SUBJECTS]
    if office is None:
        return alone
    return [*alone, gallery.office_router, *(subject.router for subject in (*OWN, *DESKS, *EVENTS, *GAMES))]


def settings_of(office: Office | None) -> WebSettings:
    """The settings that follow from an office's own, and its table ``web``.

    :raises InvalidInputError: with what is wrong in that table.
    """
    return WebSettings() if office is None else web_settings(office.settings)


def warm(variants: Registry) -> None:
    """Draw what the first visitors will ask for, so that they need not wait: first what is on the first page. What
    cannot be drawn stops nothing else."""

    def try_to(draw: Callable[[], object]) -> None:
        try:
            draw()
        except Exception as error:
            log.info("not drawn", **told_of(error))

    def draw(variant: str) -> None:
        rulebooks.examples_of(variant)
        live = maps.map_of(variant, variants)
        for name in ("board.svg", "map.css", "places.json"):
            live.files[name].pack()
        for name in ("thumb-light.webp", "thumb-dark.webp"):
            live.opening(name)

    for variant in variants.names():
        try_to(partial(gallery.card, variant, variants))
        try_to(partial(maps.map_of, variant, variants))
    for variant in variants.names():
        try_to(partial(draw, variant))
    for name in ("turn-light.webp", "turn-dark.webp"):
        try_to(partial(lambda name: maps.map_of(STANDARD, variants).opening(name), name))


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Run the site's background work while it is served."""
    if app.state.settings.warm:
        threading.Thread(target=warm, args=(app.state.variant_uploads.variants,), daemon=True, name="warm").start()
    yield


def _documents(office: Office | None, settings: WebSettings) -> DocumentCache:
    """Where the sandbox keeps what people try out: in the database where other processes may serve the next page."""
    if office is None or office.store.sqlite:
        return DocumentCache(settings.shelf_room)
    return SharedDocuments(office.shared, settings.shelf_room)


def create_app(
    office: Office | None = None,
    settings: WebSettings | None = None,
    mails: Mails | None = None,
    rehearsals: desk_rehearsal.Rehearsals | None = None,
) -> FastAPI:
    """The site. Without an ``office`` there are the pages that need none: variants, rules, moves, sandbox, designer.

    ``mails`` tells what publishing a turn would send, if there is a mail service; ``rehearsals`` plays games' years
    before they come. What a page needs is on
    ``request.app.state``: ``office``, ``settings``, ``documents`` (what the sandbox keeps), ``variant_uploads`` (finds
    variants), ``trials`` (games that bots play on boards of designers).
    """
    app = FastAPI(
        title="Legation",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=lifespan,
        dependencies=[Depends(keepable)],
    )
    app.state.office = office
    app.state.mails = mails
    app.state.rehearsals = rehearsals
    app.state.settings = settings or settings_of(office)
    app.state.bounds = Bounds(None if office is None else office.allowance)
    app.state.documents = _documents(office, app.state.settings)
    app.state.trials = Trials(None if office is None else office.shared)
    app.state.variant_uploads = VariantUploads(app.state.documents, USUAL if office is None else office.variants)
    if office is not None:
        add_api(app, office)  # first, for it is found by how its addresses begin
    app.include_router(installing.router)  # files that are the same for everybody, many of them with each page
    for router in page_routers(office):
        app.include_router(router, dependencies=[Depends(count_page)])
    if office is not None:
        signing_in.add_refusals(app)
    add_errors(app)
    app.add_middleware(BrotliMiddleware, quality=5, minimum_size=400)
    app.add_middleware(HeadRequests)
    app.add_middleware(Guard, settings=app.state.settings)  # so that it sees every answer
    app.add_middleware(Measured, figures=office.figures if office is not None else Metrics())
    return app
