"""Pages of Backstabbr as browsers save them, one for each season: the values of the script that draws the board.

Past seasons are read whole: units before the orders, orders with their results and retreats. Of a turn that is not over
only the position is taken. No script is run."""

import html
import re
from typing import Any

import msgspec

from legation.formats import decode_json
from legation.interop.games.record import (
    ADJUSTMENTS,
    MOVEMENT,
    RETREATS,
    RecordedGame,
    RecordedPhase,
    RecordedUnit,
    order_text,
)
from legation.interop.json_variants import table
from legation.interop.record import clean
from legation.interop.sources import ForeignFileError, Source, by_marks
from legation.variants import STANDARD

NAME = "backstabbr"
TITLE = "Backstabbr's pages, as saved"
SEASONS = ("Spring", "Fall", "Winter")
VALUE = re.compile(
    r"^[ \t]*var (stage|orders|unitsByPlayer|territories|base_url)[ \t]*=[ \t]*([^\n]+?);[ \t]*(?://[^\n]*)?$",
    re.MULTILINE,
)
WHEN = re.compile(r"\b(Spring|Fall|Winter)[ _-]+(\d{3,5})\b|\b(\d{3,5})[ _/-]+(Spring|Fall|Winter)\b", re.IGNORECASE)
SHOWN = re.compile(
    r"""id=["']?history_current_season\b[^<>]{0,400}>((?:[^<>]|<[^<>]{0,200}>){0,300}?)</a""", re.IGNORECASE
)
"""Which season a page shows; its title may name the one that is being played."""
HEADS = re.compile(r"""<meta\b[^<>]{0,200}\bog:title\b[^<>]{0,400}>|<title>[^<>]{0,300}</title>""", re.IGNORECASE)
HEAD = re.compile(r"""content=["']([^"'<>]{1,200})["']|<title>([^<>]{1,200})""", re.IGNORECASE)
OPEN = frozenset(["NEEDS_ORDERS", "NEEDS_BUILDS"])
"""Stages of a turn whose orders are their players' own."""


class _Page(msgspec.Struct):
    """What a page says: units and orders by power and place, as the script has them."""

    name: str
    title: str
    season: str
    year: int
    stage: str
    units: dict[str, dict[str, Any]]
    orders: dict[str, dict[str, Any]]
    owners: dict[str, str]

    @property
    def key(self) -> tuple[int, int]:
        return self.year, SEASONS.index(self.season)


def recognize(source: Source) -> list[str]:
    """One page of each game."""
    first: dict[str, str] = {}
    for name in _pages(source):
        first.setdefault(_game(source.text(name)), name)
    return list(first.values())


_pages = by_marks((".html", ".htm", ".txt"), b"var unitsByPlayer")


def _game(text: str) -> str:
    """The address of a page's game, as far as the script has it."""
    found = dict(VALUE.findall(text))
    return clean(str(found.get("base_url", "")).strip("'\""), 120)


def read(source: Source, entry: str) -> list[RecordedGame]:
    """The game of a page, with all its pages that are at hand.

    :raises ForeignFileError: if a page's values aren't data, or it does not say which season it shows."""
    game = _game(source.text(entry))
    names = [name for name in _pages(source) if _game(source.text(name)) == game]
    pages = sorted((_page(source.text(name), name) for name in names or [entry]), key=lambda page: page.key)
    record = RecordedGame(title=pages[0].title or entry, format=TITLE, board=STANDARD)
    for page, after in zip(pages, [*pages[1:], None], strict=True):
        if after is not None and after.key == page.key:
            record.left(page.name, f"shows {page.season} {page.year}, as {after.name} does, which is read")
            continue
        _take(record, page)
    if not record.phases:
        raise ForeignFileError(
            f"{entry}: holds no orders and no turn that begins; save the pages of the seasons before"
        )
    return [record]


def _page(text: str, name: str) -> _Page:
    values = {key: _value(raw, f"{name}: {key}") for key, raw in VALUE.findall(text)}
    if not values.get("unitsByPlayer"):
        raise ForeignFileError(f"{name}: its units are in no form that can be read; save the page as the site sends it")
    head = next((m[1] or m[2] for tag in HEADS.findall(text) if (m := HEAD.search(tag))), "")
    shown = SHOWN.search(text)
    places = (shown[1] if shown else "", head, name)
    when = next((found for place in places if (found := WHEN.search(" ".join(place.split())))), None)
    if when is None:
        raise ForeignFileError(f"{name}: does not say which season it shows")
    return _Page(
        name=name,
        title=clean(html.unescape(WHEN.sub("", head)).replace("()", ""), 60),
        season=(when[1] or when[4]).title(),
        year=int(when[2] or when[3]),
        stage=str(values.get("stage", "")).upper(),
        units=_by_power(table(values, "unitsByPlayer")),
        orders=_by_power(table(values, "orders")),
        owners={at: power for at, power in table(values, "territories").items() if isinstance(power, str)},
    )


def _value(raw: str, where: str) -> Any:
    """A value of the script, which must be data.

    :raises ForeignFileError: if it is none."""
    if re.fullmatch(r"'[^'\\]{0,400}'", raw):
        return raw[1:-1]
    try:
        return decode_json(raw)
    except msgspec.DecodeError:
        raise ForeignFileError(
            f"{where} isn't data that can be read; save the page itself, as the site sends it"
        ) from None


def _by_power(tables: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {clean(power, 40): table(tables, power) for power in tables}


def _take(record: RecordedGame, page: _Page) -> None:
    standing = {at: _unit(at, unit) for listed in page.units.values() for at, unit in listed.items()}
    units = [RecordedUnit(power, *standing[at].split(" ", 1)) for power, listed in page.units.items() for at in listed]
    winter, over = page.season == "Winter", page.stage not in OPEN
    if not over and any(page.orders.values()):
        record.left(f"orders of {page.season} {page.year}", "of a turn that is not over; they are their players' own")
    orders = page.orders if over else {}
    if winter and over and not any(orders.values()):
        return  # nobody had anything to build or to remove
    phase = RecordedPhase(
        season=page.season,
        year=page.year,
        phase=ADJUSTMENTS if winter else MOVEMENT,
        units=units,
        owners=page.owners or None if not record.phases else None,  # how the game stands where the record begins
        failed=set() if orders and not winter else None,
    )
    retreats = RecordedPhase(season=page.season, year=page.year, phase=RETREATS)
    for power, listed in orders.items():
        for at, order in listed.items():
            text = _text(at, table(listed, at), standing)
            if not text:
                record.misread(phase.name, f"{power}: {clean(at, 20)}: {order}")
                continue
            phase.give(power, text)
            if phase.failed is not None and order.get("result") == "FAILS":
                phase.failed.add(at)
            gone = order.get("retreat")
            if isinstance(gone, dict) and not winter and page.stage != "NEEDS_RETREATS":
                word = "retreat" if gone.get("to") else "disband"
                retreats.give(power, order_text(word, standing.get(at, at), _place(gone)))
    record.phases += [phase, *([retreats] if retreats.orders else [])]


def _unit(at: str, unit: Any) -> str:
    """A unit in our words: ``F Stp/sc``."""
    kind, coast = (unit.get("type"), unit.get("coast")) if isinstance(unit, dict) else (unit, "")
    return clean(f"{kind or '?'} {at}{f'/{coast}' if coast else ''}", 60)


def _place(order: dict[str, Any]) -> str:
    coast = order.get("to_coast")
    return f"{order.get('to', '')}{f'/{coast}' if coast else ''}"


def _text(at: str, order: dict[str, Any], standing: dict[str, str]) -> str:
    verb, start = str(order.get("type", "")).upper(), str(order.get("from", ""))
    if verb == "BUILD":
        coast = f"/{order['coast']}" if order.get("coast") else ""
        return order_text(verb, f"{order.get('unit_type', '')} {at}{coast}")
    to = _place(order) if order.get("to") else ""
    return order_text(verb, standing.get(at, at), to, standing.get(start, start))
