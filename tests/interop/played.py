"""The same short game in every format, made for these tests (``short_game``): two turns of 1901."""

import json
from pathlib import Path

from legation.board import province_of
from legation.game import Game, PlayedTurn
from legation.interop.games.missing import orders_of, parts_of
from legation.interop.games.record import FAILED
from legation.judge import Outcome, Verdict
from legation.orders import Build, UnitOrder
from legation.position import Phase, Unit

FILES = {file.name: file.read_text() for file in sorted(Path(__file__).with_name("short_game").iterdir())}
CASES = FILES.pop("cases.html")
JDIP_CASES = FILES.pop("cases.txt")
"""Lists of cases, and no game of two turns."""
START = {
    "AUSTRIA": ["A BUD", "A VIE", "F TRI"],
    "ENGLAND": ["F EDI", "F LON", "A LVP"],
    "FRANCE": ["F BRE", "A MAR", "A PAR"],
    "GERMANY": ["F KIE", "A BER", "A MUN"],
    "ITALY": ["F NAP", "A ROM", "A VEN"],
    "RUSSIA": ["A WAR", "A MOS", "F SEV", "F STP/SC"],
    "TURKEY": ["F ANK", "A CON", "A SMY"],
}
CENTERS = {power: [unit.split()[1].partition("/")[0] for unit in units] for power, units in START.items()}
AFTER = {**START, "FRANCE": ["F MAO", "A MAR", "A BUR"], "GERMANY": ["F DEN", "A BER", "A MUN"]}


COUNTRIES = ("ENGLAND", "FRANCE", "ITALY", "GERMANY", "AUSTRIA", "TURKEY", "RUSSIA")
PLACES = (
    "cly edi lvp yor wal lon por spa naf tun nap rom tus pie ven apu gre alb ser bul rum con smy ank arm "
    "syr sev ukr war lvn mos stp fin swe nwy den kie ber pru sil mun ruh hol bel pic bre par bur mar gas "
    "bar nwg nth ska hel bal bot nao iri eng mao wes lyo tys ion adr aeg eas bla tyr boh vie tri bud gal "
    "spa/nc spa/sc stp/nc stp/sc bul/ec bul/sc"
).split()
"""What webDiplomacy counts from 1 on."""


def number(place: str) -> int:
    return PLACES.index(place) + 1 if place else 0


def country(power: str) -> int:
    return COUNTRIES.index(power.upper()) + 1


def webdip_unit(power: str, kind: str, at: str, out: str = "No") -> dict[str, object]:
    """A unit as webDiplomacy lists it, and whether it has to retreat."""
    kind = {"A": "Army", "F": "Fleet"}[kind]
    return {"unitType": kind, "terrID": number(at), "countryID": country(power), "retreating": out}


BACKSTABBR_PAGE = """<html><head><meta property="og:title" content="Short &amp; sharp (Fall 1901)"></head><body>
<a href="/game/short/7/{year}/{season}" id="history_current_season"><i class="fas"></i> {season} {year} </a>
<div class="press">SECRETWORD</div>
<script>
// NEW JAVSCRIPT!
var stage = {stage};
var orders = {orders};
var unitsByPlayer = {units};
var territories = {owners};
var activePlayer = null; var base_url = 'x';
var base_url = '/game/short/7';
var session_id = 'SECRETWORD';
</script></body></html>
"""
Orders = dict[str, dict[str, dict[str, object]]]


def code(at: str) -> str:
    """A province as Backstabbr writes it."""
    return at if at in ("MAO", "BOT") else at.title()


def backstabbr(season: str, year: int, stage: str, units: dict[str, list[str]], orders: Orders) -> str:
    """A page of Backstabbr as it is saved."""

    def unit(text: str) -> object:
        coast = text[2:].partition("/")[2]
        return {"type": text[0], "coast": coast.lower()} if coast else text[0]

    placed = {p.title(): {code(u[2:].partition("/")[0]): unit(u) for u in own} for p, own in units.items()}
    owners = {code(center): power.title() for power, own in CENTERS.items() for center in own}
    values = {"stage": stage, "orders": orders, "units": placed, "owners": owners}
    written = {name: json.dumps(value) for name, value in values.items()}
    return BACKSTABBR_PAGE.format(season=season.lower(), year=year, **written)


def ordered(turn: PlayedTurn) -> list[tuple[str, UnitOrder, Verdict]]:
    """The orders of units in a turn, with what came of them; builds that came to nothing and waivers go without
    saying."""
    given = orders_of(turn, waived=False)
    found = [(power, order, verdict) for power, order, verdict in given if isinstance(order, UnitOrder) and verdict]
    return [one for one in found if not isinstance(one[1], Build) or one[2].outcome is Outcome.SUCCEEDS]


def by_power(units: list[Unit]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for unit in units:
        found.setdefault(unit.power.upper(), []).append(f"{unit.kind} {unit.at.upper()}")
    return found


def pages(game: Game, folder: Path) -> None:
    """A page of every season; retreats stand with the orders of the season before them."""
    for number, turn in enumerate(game.turns):
        before = turn.resolution.before
        if before.turn.phase is Phase.RETREATS:
            continue
        later = game.turns[number + 1] if number + 1 < len(game.turns) else None
        retreats = later if later is not None and later.resolution.before.turn.phase is Phase.RETREATS else None
        orders: Orders = {}
        for power, order, verdict in ordered(turn):
            told = _page_order(order)
            told["result"] = "FAILS" if verdict.outcome in FAILED else "SUCCEEDS"
            orders.setdefault(power, {})[code(province_of(order.at).upper())] = told
        for gone in (before.turn.phase is Phase.MOVEMENT and retreats and retreats.resolution.verdicts) or ():
            assert isinstance(gone.order, UnitOrder)
            at = code(province_of(gone.order.at).upper())
            away = {key: place for key, place in _page_order(gone.order).items() if key.startswith("to")}
            orders.setdefault(gone.power, {}).setdefault(at, {"type": "HOLD", "result": "SUCCEEDS"})["retreat"] = away
        now = before.turn
        page = backstabbr(now.season, now.year, "COMPLETE", by_power([*before.units]), orders)
        (folder / f"{now.year}-{now.season}.html").write_text(page)


def _page_order(order: UnitOrder) -> dict[str, object]:
    verb, target, to = parts_of(order)
    told: dict[str, object] = {"type": "MOVE" if verb == "MoveViaConvoy" else verb.upper()}
    for key, place in (("from", target), ("to", to)):
        told |= {key: code(province_of(place).upper())} if place else {}
    if "/" in to:
        told["to_coast"] = to.partition("/")[2]
    if isinstance(order, Build):
        coast = order.at.partition("/")[2]
        told |= {"unit_type": order.kind, **({"coast": coast} if coast else {})}
    return told
