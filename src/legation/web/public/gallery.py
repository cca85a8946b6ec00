"""The variants: the catalog, one page each, where units may go, things to print."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from fastapi import Depends, Query, Request, Response

from legation.atlas import moves_page
from legation.atlas.pictures import PAPERS, Paper
from legation.board import ARMY, FLEET, province_of
from legation.bots.balance import stored
from legation.judge import Ruleset
from legation.notation import OrderTextError
from legation.office.context import Actor
from legation.office.errors import UnavailableError
from legation.office.hosting import catalog, ratings
from legation.office.office import Office
from legation.office.records import CatalogEntry
from legation.position import Phase
from legation.variants import STANDARD, USUAL, Registry, module_rules, plain_name
from legation.variants.packages import About, about_of
from legation.web.public.maps import LiveMap, known_to, map_of, rules_of
from legation.web.serving.answers import disposition, file_answer, picture_answer
from legation.web.serving.forms import SentForm, add_forms, number, of
from legation.web.serving.pages import PageError, PageRouter, from_markdown, page
from legation.web.serving.sessions import actor_of, chosen_language, may, office_of

router = PageRouter()


class Card(msgspec.Struct, frozen=True):
    """A variant in a few facts."""

    name: str
    title: str
    summary: str
    powers: int
    centers: int
    provinces: int
    opens: str
    movements: int
    """Turns of movement in a round of the calendar, from one adjustment to the next."""
    kinds: tuple[str, ...]
    reconstructed: bool
    rules: frozenset[str]
    """The keys of its rules."""
    origin: str
    """``shipped``: comes with Legation; ``office``: of this office's own folder, or of an installed package;
    ``catalog``: of this office's catalog."""
    credits: str
    version: str = ""
    license: str = ""
    authors: str = ""
    source: str = ""
    notes: str = ""
    to_gain: int = 0
    """Centers that the winner gains at least; 0 where no number of centers wins."""


def card(name: str, variants: Registry = USUAL) -> Card:
    """The facts of one of the variants."""
    rules_of(name, variants)  # or there is no such variant
    made = _card(variants.name(name), variants.shared)
    return made if made.name == name else msgspec.structs.replace(made, name=name)


@lru_cache(maxsize=256)
def _card(name: str, variants: Registry) -> Card:
    rules, source, about = rules_of(name, variants), variants.find_source(name), about_of(variants, name)
    opening = rules.opening()
    left = [mark - len(opening.centers_of(power)) for power, mark in rules.dense_form.marks.items()]
    return Card(
        name=name,
        title=rules.title,
        summary=variants.facts(name).get("summary", ""),
        powers=len(rules.powers),
        centers=len(rules.board.centers),
        provinces=len(rules.board.provinces),
        opens=str(rules.first_turn()),
        movements=_movements(rules),
        kinds=tuple(kind.name for kind in rules.kinds.values()),
        reconstructed=bool(rules.board.reconstructed),
        rules=frozenset(module.key for module in rules.modules),
        origin="shipped" if source.shipped else "office",
        credits=variants.facts(name).get("credits", ""),
        to_gain=max(0, min(left, default=0)),
        **(_said(about) if about else {}),
    )


def _said(of: About | CatalogEntry) -> dict[str, str]:
    return {"version": of.version, "license": of.license, "authors": of.authors, "source": of.source, "notes": of.notes}


def _movements(rules: Ruleset) -> int:
    turn = rules.first_turn()
    while turn.phase is not Phase.ADJUSTMENTS:
        turn = rules.next_turn(turn)
    count, turn = 0, rules.next_turn(turn)
    while turn.phase is not Phase.ADJUSTMENTS:
        count += turn.phase is Phase.MOVEMENT
        turn = rules.next_turn(turn)
    return count


def cards(variants: Registry = USUAL) -> list[Card]:
    """All variants: the standard game, then those by the number of their powers."""
    listed = [card(name, variants) for name in variants.names()]
    return sorted(listed, key=lambda c: (c.name != STANDARD, c.powers, c.name))


Few = Annotated[str, Query(max_length=60)]
POWERS = {"2-4": (2, 4), "5-7": (5, 7), "8-10": (8, 10), "11-": (11, 1000)}
SIZES = {"small": (0, 50), "medium": (51, 100), "large": (101, 10_000)}  # provinces
LENGTHS = {"short": (1, 8), "medium": (9, 20), "long": (21, 10_000)}  # centers to gain
SORTS = {"players": "players", "title": "title", "rating": "rating", "new": "newest"}


def _within(number: int, bounds: dict[str, tuple[int, int]], chosen: str) -> bool:
    least, most = bounds.get(chosen, (0, 10_000))
    return least <= number <= most


@dataclass
class Wanted:
    """What is looked for in the catalog, and how it is sorted."""

    search: Few = ""
    powers: Few = ""
    size: Few = ""
    length: Few = ""
    rule: Few = ""
    origin: Few = ""
    sort: Few = ""

    def fits(self, one: Card) -> bool:
        """Return whether a variant is looked for."""
        said = f"{one.name} {one.title} {one.summary} {one.credits} {one.authors}".casefold()
        return (
            _within(one.powers, POWERS, self.powers)
            and _within(one.provinces, SIZES, self.size)
            and _within(one.to_gain, LENGTHS, self.length)
            and self.search.strip().casefold() in said
            and self.rule in ("", *one.rules)
            and self.origin in ("", one.origin)
        )


T = TypeVar("T")


def _asked(request: Request, ask: Callable[[Office, Actor], T]) -> T | None:
    """What the catalog and ratings say; None where there is no office, or its records cannot be reached."""
    if request.app.state.office is None:
        return None
    try:
        return ask(request.app.state.office, actor_of(request))
    except UnavailableError:
        return None


@router.get("/variants")
def gallery(request: Request, wanted: Annotated[Wanted, Depends()]) -> Response:
    """The catalog: the variants that can be played here, all of them or those that are looked for."""
    variants = known_to(request)
    listed = {entry.name: entry for entry in _asked(request, catalog.entries) or ()}
    rated = {one.variant: one for one in _asked(request, ratings.ratings) or ()}
    known = [in_catalog(one, listed.get(one.name)) for one in cards(variants)]
    found = [one for one in known if wanted.fits(one)]
    if wanted.sort == "title":
        found.sort(key=lambda one: one.title.casefold())
    elif wanted.sort == "rating":
        found.sort(key=lambda one: -rated[one.name].mean if one.name in rated else 0.0)
    elif wanted.sort == "new":
        found.sort(key=lambda one: -listed[one.name].number if one.name in listed else 0)
    return page(
        request,
        "variants/gallery.html",
        cards=found,
        known=len(known),
        ratings=rated,
        chosen=vars(wanted),
        bounds={"powers": POWERS, "size": SIZES, "length": LENGTHS},
        sorts=SORTS,
        rules=sorted(frozenset().union(*(one.rules for one in known))),
        origins=[one for one in ("shipped", "office", "catalog") if any(card.origin == one for card in known)],
        map_of=lambda variant: map_of(variant, variants),
    )


def in_catalog(shown: Card, entry: CatalogEntry | None) -> Card:
    """A card with what the catalog says of its variant, where it lists it."""
    if entry is None:
        return shown
    return msgspec.structs.replace(shown, origin="catalog", credits=shown.credits or entry.credits, **_said(entry))


@router.get("/variants/{variant}")
def variant_page(request: Request, variant: str) -> Response:
    """Show a variant: its map, its powers, how it differs, where the board comes from."""
    variants = known_to(request)
    rules, live = rules_of(variant, variants), map_of(variant, variants).for_reader(request)
    powers = []
    for power in rules.powers.values():
        start = [rules.writer.unit(u.kind, u.at) for u in rules.start if u.power == power.name]
        homes = [rules.board.name_of(home) for home in power.homes]
        powers.append({"name": power.name, "number": live.number(power.name), "start": start, "homes": homes})
    versions = _asked(request, partial(catalog.versions, name=plain_name(variant))) or []
    entry = next((one for one in versions if variant in (one.name, one.address)), None)
    return page(
        request,
        "variants/variant.html",
        card=in_catalog(card(variant, variants), entry),
        entry=entry,
        versions=versions,
        rating=_asked(request, partial(ratings.rating, variant=variant)),
        removes=may(request, "catalog.remove"),
        measured=bool(stored(variant)),
        live=live,
        rules=rules,
        powers=powers,
        differs=differences(variant, variants),
        credits=variants.facts(variant).get("credits", ""),
        notes=from_markdown(rules.board.notes_in(chosen_language(request))),
        siblings=[
            c
            for c in cards(variants)
            if c.name != variant and rules_of(c.name, variants).board.title == rules.board.title
        ],
    )


def differences(variant: str, variants: Registry = USUAL) -> list[str]:
    """Return what a variant's rule modules say that the standard ones don't; decisions on details aside."""
    modules = module_rules(rules_of(variant, variants), rules_of(STANDARD))
    differing = [text for m in modules for text, differs in zip(m["text"], m["differs"], strict=True) if differs]
    return [text for text in differing if not text.startswith("Decided:")]


# Where units may go (W-24)


def moves_from(rules: Ruleset, place: str) -> dict[str, Any]:
    """Return where an army or fleet in a place, on each coast or at sea, may go (OrderTextError: no such place)."""
    board = rules.board
    location = rules.reader.location(place)
    province = board.provinces[province_of(location)]
    ways: list[dict[str, Any]] = []

    def way(title: str, kind: str, goals: frozenset[str]) -> None:
        listed = sorted(goals, key=board.name_of)
        to = [{"at": goal, "province": province_of(goal), "name": board.name_of(goal)} for goal in listed]
        ways.append({"title": title, "kind": kind, "to": to})

    if not province.sea:
        way("An army here", "A", board.reach(ARMY, province.id))
    for at in province.locations:
        if board.stands(FLEET, at):
            coast = board.name_of(at).partition("(")[2].rstrip(")")
            way(f"A fleet on the {coast}" if coast else "A fleet here", "F", board.reach(FLEET, at))
    return {"id": province.id, "name": province.name, "facts": province.facts, "note": province.remark, "ways": ways}


@router.get("/variants/{variant}/moves")
def moves(
    request: Request, variant: str, place: Annotated[str, Query(max_length=200)] = "", part: bool = False
) -> Response:
    """The browser of moves; with ``part`` the answer alone."""
    variants = known_to(request)
    rules = rules_of(variant, variants)
    answer: dict[str, Any] | None = None
    problem = ""
    suggestions: tuple[str, ...] = ()
    if place.strip():
        try:
            answer = moves_from(rules, place)
        except OrderTextError as error:
            problem, suggestions = error.message, error.suggestions
    values: dict[str, Any] = {"answer": answer, "problem": problem, "suggestions": suggestions, "variant": variant}
    if part:
        return page(request, "variants/moves_answer.html", **values)
    return page(
        request,
        "variants/moves.html",
        **values,
        place=place,
        live=map_of(variant, variants).for_reader(request),
        card=card(variant, variants),
        rules=rules,
    )


@router.get("/variants/{variant}/balance")
def balance(request: Request, variant: str) -> Response:
    """Show how even a variant is among bots, as it was measured, and in this office's games that are over."""
    variants = known_to(request)
    shown, live = card(variant, variants), map_of(variant, variants)
    people = _asked(request, partial(ratings.balance, variant=variant))
    return page(request, "variants/balance.html", card=shown, live=live, reports=stored(variant), people=people)


# To print

PRINTS = {
    "board": ("Blank map", "To draw on"),
    "control": ("Starting ownership", "For the wall"),
    "opening": ("Starting position", "To play from"),
}


@router.get("/variants/{variant}/print")
def printables(request: Request, variant: str) -> Response:
    """Show what can be printed of a variant."""
    variants = known_to(request)
    shown, live = card(variant, variants), map_of(variant, variants)
    return page(request, "variants/print.html", card=shown, live=live, prints=PRINTS, papers=PAPERS)


@router.get("/variants/{variant}/print/{kind}-{paper}.pdf")
def print_map(request: Request, variant: str, kind: str, paper: Paper, patterns: bool = False) -> Response:
    """A map on a page (W-25); ``patterns`` hatches the powers' land, for printers without color."""
    if kind not in PRINTS:
        raise PageError(404, "There is no such map.", ways=[("What can be printed", f"/variants/{variant}/print")])
    content = _print(map_of(variant, known_to(request)), kind, paper, patterns)
    return file_answer(
        content, "application/pdf", f"{variant}-{kind}-{paper}.pdf", "public, max-age=3600", how="inline"
    )


@lru_cache(maxsize=24)
def _print(live: LiveMap, kind: str, paper: Paper, patterns: bool) -> bytes:
    return live.atlas.pdf(
        live.rules.opening(), paper=paper, control=kind != "board", units=kind == "opening", patterns=patterns
    )


@router.get("/variants/{variant}/map.svg")
def download_map(request: Request, variant: str, theme: Literal["light", "dark"] = "light") -> Response:
    """The opening as an SVG that stands alone, to keep."""
    live = map_of(variant, known_to(request))
    answer = picture_answer(live.picture(live.rules.opening(), theme=theme))
    answer.headers["content-disposition"] = disposition(f"{variant}.svg")
    return answer


@router.get("/variants/{variant}/moves.html")
def download_moves(request: Request, variant: str) -> Response:
    """The browser of moves as one file that works without this site."""
    return file_answer(moves_page(map_of(variant, known_to(request)).atlas), "text/html", f"{variant}-moves.html")


# What needs an office: rate a variant, take its package along, take it off the catalog

office_router = PageRouter()


def _rate(sent: SentForm) -> object:
    if sent.text("do") == "take back":
        return of(ratings.take_back, place="variant")(sent)
    return of(ratings.rate, number("stars"), place="variant")(sent)


REMOVE = {"remove": ("remove", of(catalog.remove, "reason", place="variant"))}
add_forms(
    office_router, "/variants/{variant}", {"rating": ("rating", _rate)}, variant_page, "/variants/{variant}#rating"
)
add_forms(office_router, "/variants/{variant}", REMOVE, variant_page, "/variants")


@office_router.get("/variants/{name}/package/{version}")
def package(request: Request, name: str, version: str) -> Response:
    """Return the package of a version, for another office or for the drawing table."""
    file, kind, content = catalog.package(office_of(request), actor_of(request), name, version)
    return file_answer(content, kind, file, "private, no-store")
