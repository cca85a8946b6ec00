"""The web application: its routers, middleware and state."""

import os
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from importlib import import_module

import structlog
from brotli_asgi import BrotliMiddleware
from fastapi import APIRouter, Depends, FastAPI
from starlette.routing import BaseRoute

from legation.languages import ENGLISH, languages
from legation.office.monitoring.logs import told_of
from legation.office.monitoring.processes import Metrics
from legation.office.office import Office
from legation.variants import STANDARD, USUAL, Registry
from legation.web.account import signing_in
from legation.web.api import add_api
from legation.web.coordinator.desk_results import Mails
from legation.web.designer.uploads import VariantUploads
from legation.web.public import gallery, maps, rulebooks, welcome
from legation.web.serving import installing
from legation.web.serving.bounds import Bounds, count_page
from legation.web.serving.documents import DocumentCache, SharedDocuments
from legation.web.serving.errors import add_errors
from legation.web.serving.forms import keepable
from legation.web.serving.middleware import Guard, HeadRequests, Measured
from legation.web.serving.pages import THEMES, templates
from legation.web.settings import WebSettings, web_settings

log = structlog.get_logger("legation.web")

ALONE = (
    "public.maps serving.theme public.welcome public.gallery public.rulebooks public.lessons sandbox "
    "designer.checking designer.table designer.starts"
).split()
"""Modules of pages that need no office."""
OF_OFFICE = (
    "public.mail_links designer.proposing account.signing_in play.new_game play.import_pages "
    "coordinator.desk coordinator.desk_items coordinator.desk_results coordinator.desk_pages "
    "coordinator.desk_postbag coordinator.bridge_pages "
    "public.lobby public.archive public.players coordinator.tournament_desk public.tournaments "
    "account.moderation_pages account.settings_page "
    "play.live play.sheet_page play.shared_drafts play.game_files play.game_page"
).split()
"""Those that need one; addresses with names in them come last."""


@cache
def _page_routes(*, with_office: bool) -> list[BaseRoute]:
    """Return the routes of all pages, the same for each site of a process: FastAPI keeps what it found of them."""
    pages = APIRouter(dependencies=[Depends(keepable)])
    pages.include_router(installing.router)  # files that are the same for everybody, many of them with each page
    routers: list[APIRouter] = [import_module(f"legation.web.{name}").router for name in ALONE]
    if with_office:
        routers += [gallery.office_router, welcome.office_router]
        routers += (import_module(f"legation.web.{name}").router for name in OF_OFFICE)
    for router in routers:
        pages.include_router(router, dependencies=[Depends(count_page)])
    return pages.routes


def warm(variants: Registry) -> None:
    """Draw what the first visitors will ask for, so that they need not wait: first what is on the first page; last,
    while nothing else is to be done, that page in other languages. What cannot be drawn stops nothing else."""

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

    def draw_first_page(language: str) -> None:
        templates(language).get_template("welcome.html")
        live = maps.map_of(STANDARD, variants).in_language(language)
        live.address("")
        for theme in THEMES:
            live.opening(f"turn-{theme}.webp")

    for variant in variants.names():
        try_to(partial(gallery.card, variant, variants))
        try_to(partial(maps.map_of, variant, variants))
    for variant in variants.names():
        try_to(partial(draw, variant))
    try_to(partial(draw_first_page, ENGLISH))
    with suppress(OSError, AttributeError):  # on Linux, of this thread alone
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
    for language in languages():
        try_to(partial(draw_first_page, language))


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Run the site's background work while it is served."""
    if app.state.settings.warm:
        threading.Thread(target=warm, args=(app.state.variant_uploads.variants,), daemon=True, name="warm").start()
    yield


def create_app(
    office: Office | None = None, settings: WebSettings | None = None, mails: Mails | None = None
) -> FastAPI:
    """The site. Without an ``office`` there are the pages that need none: variants, rules, moves, sandbox, designer.

    ``mails`` tells what publishing a turn would send, if there is a mail service. What a page needs is on
    ``request.app.state``: ``office``, ``settings``, ``documents`` (what the sandbox keeps), ``variant_uploads`` (finds
    variants), ``rehearsals`` (plays games' years before they come, if that room is there)."""
    app = FastAPI(title="Legation", docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.state.office = office
    app.state.mails = mails
    app.state.rehearsals = None
    app.state.settings = settings or (WebSettings() if office is None else web_settings(office.settings))
    app.state.bounds = Bounds(None if office is None else office.allowance)
    room = app.state.settings.shelf_room
    app.state.documents = DocumentCache(room)
    if office is not None and not office.store.sqlite:  # other processes may serve the next page
        app.state.documents = SharedDocuments(office.shared, room)
    app.state.variant_uploads = VariantUploads(app.state.documents, USUAL if office is None else office.variants)
    if office is not None:
        add_api(app, office)  # first, for it is found by how its addresses begin
    app.router.routes += _page_routes(with_office=office is not None)
    if office is not None:
        signing_in.add_refusals(app)
    add_errors(app)
    app.add_middleware(BrotliMiddleware, quality=5, minimum_size=400)
    app.add_middleware(HeadRequests)
    app.add_middleware(Guard, settings=app.state.settings)  # so that it sees every answer
    app.add_middleware(Measured, figures=office.figures if office is not None else Metrics())
    return app
