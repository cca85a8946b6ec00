"""The drawing table's pages, the same for everybody since the board is in the reader's browser, and what a board can be
started from: part of the world, template, variant, plane, SVG."""

from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any

import msgspec
from fastapi import Request
from starlette.responses import Response

from legation.atlas import for_variant
from legation.atlas.grow import CREDIT
from legation.atlas.table.document import TableDocumentError
from legation.atlas.table.starting import (
    PlaneStart,
    Region,
    described_templates,
    from_plane,
    from_region,
    from_template,
    from_variant,
    template_registry,
    templates,
    world_map,
)
from legation.languages import ENGLISH, catalog
from legation.variants import VariantError
from legation.web.designer.table import OTHERS_A_MINUTE, WHOLE, Body, call_child, json_answer, need_libraries, read_json
from legation.web.public.gallery import cards
from legation.web.public.maps import LiveMap, known_to, map_of
from legation.web.serving.answers import FOREVER
from legation.web.serving.bounds import bound
from legation.web.serving.pages import PageError, PageRouter, page, sentence
from legation.web.serving.sessions import chosen_language

router = PageRouter(prefix="/table")
TRACER = "legation.interop.tracing"
COASTLINES = [
    {"name": "world-10m", "title": "The world, fine (1:10m)", "finest_km": 0.3, "credit": CREDIT},
    {"name": "world-50m", "title": "The world (1:50m)", "finest_km": 1.1, "credit": CREDIT},
    {"name": "europe", "title": "Europe and its seas (1:10m)", "finest_km": 0.2, "credit": CREDIT},
    {"name": "none", "title": "No coast: all water", "finest_km": 0, "credit": ""},
]


class BoardStart(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Start of a board: one of these."""

    region: Region | None = None
    variant: str | None = None
    template: str | None = None
    plane: PlaneStart | None = None
    svg: Annotated[str, msgspec.Meta(min_length=1)] | None = None
    seas: list[str] | None = None
    """With ``svg``: the keys of the shapes that are water."""


def _pictures(address: Callable[[str], str]) -> dict[str, str]:
    return {"thumb": address("thumb-light.webp"), "thumb_dark": address("thumb-dark.webp")}


def template_pictures(name: str) -> dict[str, str]:
    """The addresses of a template's small pictures; they change with the picture, so browsers keep them."""
    digest = _template_map(name).atlas.board_layer().digest
    return _pictures(lambda file: f"/table/templates/{name}/{digest}/{file}")


@lru_cache(maxsize=16)
def _template_map(name: str) -> LiveMap:
    known = template_registry()
    return LiveMap(known.load(name), for_variant(name, known))


@router.get("/templates/{name}/{digest}/{file}")
def template_picture(request: Request, name: str, digest: str, file: str) -> Response:
    """A template as a small picture: ``thumb-light.webp``, ``thumb-dark.webp``."""
    packed = _template_map(name).opening(file) if name in templates() and file.startswith("thumb-") else None
    if packed is None:
        raise PageError(404, "There is no such picture.", ways=[("Draw a board", "/table")])
    present = _template_map(name).atlas.board_layer().digest
    return packed.answer(request, FOREVER if digest == present else "no-cache")


@router.get("/starts")
def starts(request: Request) -> Response:
    """Show what a board can be started from."""
    variants, language = known_to(request), chosen_language(request)
    say = str if language == ENGLISH else catalog(language).whole
    return json_answer(
        {
            "variants": [
                {
                    "name": card.name,
                    "title": card.title,
                    "summary": say(card.summary),
                    "provinces": card.provinces,
                    **_pictures(map_of(card.name, variants).address),
                }
                for card in cards(variants)
            ],
            "templates": [
                {**facts, "title": say(facts["title"]), "summary": say(facts["summary"])}
                | template_pictures(facts["name"])
                for facts in described_templates()
            ],
            "coastlines": COASTLINES,
        }
    )


@router.post("/start")
def start(request: Request, body: Body) -> Response:
    """A document to start from."""
    bound(request, "table", OTHERS_A_MINUTE)
    wanted = read_json(body, BoardStart)
    ways = (wanted.region, wanted.variant, wanted.template, wanted.plane, wanted.svg)
    if sum(way is not None for way in ways) != 1:
        raise PageError(422, "Choose what to start from: a region, a variant, a template, a plane or an SVG.")
    need_libraries()
    if wanted.svg is not None:
        return json_answer(call_child(WHOLE, dict[str, Any], f"{TRACER}:trace_svg", wanted.svg, wanted.seas))
    try:
        if wanted.region is not None:
            document = from_region(wanted.region)
        elif wanted.plane is not None:
            document = from_plane(wanted.plane)
        elif wanted.template is not None:
            document = from_template(wanted.template)
        else:
            document = from_variant(wanted.variant or "", known_to(request))
    except (TableDocumentError, VariantError) as error:
        raise PageError(422, sentence(str(error)[:400])) from None
    return json_answer({"document": document})


@router.get("/coast")
def coast(request: Request) -> Response:
    """The land of the world, to choose a part of it."""
    need_libraries()
    return json_answer(world_map(), caching="public, max-age=86400")


@router.get("")
def begin(request: Request) -> Response:
    """Show the ways to begin a board, and those that this browser keeps."""
    need_libraries()
    return page(request, "table/start.html")


@router.get("/board")
def board(request: Request) -> Response:
    """Show the table; which board lies on it is told by the part of the address that browsers keep for themselves."""
    need_libraries()
    return page(request, "table/board.html")
