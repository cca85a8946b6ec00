"""The same short game in every format, written for these tests: two turns of 1901."""

import json

from legation.board import read_board
from legation.variants import find_boards

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
ORDERS = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"], "GERMANY": ["A MUN - BUR", "F KIE - DEN"]}
AFTER = {**START, "FRANCE": ["F MAO", "A MAR", "A BUR"], "GERMANY": ["F DEN", "A BER", "A MUN"]}


def _mila() -> str:
    def phase(name: str, units: dict[str, list[str]], **more: object) -> dict[str, object]:
        state = {"name": name, "units": units, "retreats": {}, "centers": CENTERS, "homes": CENTERS}
        return {"name": name, "state": state, "orders": {}, "results": {}, "messages": [], **more}

    results: dict[str, list[str]] = {"A MUN": ["bounce"], "A PAR": [], "A MAR": [], "F BRE": [], "F KIE": []}
    message = {"sender": "FRANCE", "recipient": "GERMANY", "time_sent": 1, "phase": "S1901M", "message": "SECRETWORD"}
    first = phase("S1901M", START, orders=ORDERS, results=results, messages=[message])
    phases = [first, phase("F1901M", AFTER)]
    return json.dumps({"id": "short", "map": "standard", "rules": [], "phases": phases})


TEXT = """[Variant "standard"]
[Name "short"]

Spring 1901 Movement
France: A par - bur; A mar S A par - bur; F bre - mao
Germany: A mun - bur {bounced}; F kie - den
"""
MAIL = """:: Judge: XXXX  Game: short  Variant: Standard

Starting position for Spring of 1901.

{start}

Movement results for Spring of 1901.  (short.001)

France:  Army Paris -> Burgundy.
France:  Army Marseilles SUPPORT Army Paris -> Burgundy.
France:  Fleet Brest -> Mid-Atlantic Ocean.
Germany: Army Munich -> Burgundy.  (*bounce*)
Germany: Fleet Kiel -> Denmark.

Ownership of supply centers:

France:    Brest, Marseilles, Paris.
"""


def _starting() -> str:
    """The starting position as a Judge lists it."""
    names = {p.id: p.name for p in read_board(find_boards()["standard"]).provinces.values()}
    kinds, lines = {"A": "Army ", "F": "Fleet"}, []
    for power, units in START.items():
        for unit in units:
            at, _, coast = unit[2:].lower().partition("/")
            lines.append(f"{power.title()}: {kinds[unit[0]]} {names[at]}{' (south coast)' if coast else ''}.")
    return "\n".join(lines)


PASTE = """Spring 1901

France
A Par - Bur
A Mar S A Par - Bur
F Bre - MAO
Germany
A Mun - Bur (bounced)
Kie - Den
something that isn't an order at all
"""
PAGE = """Order history

    Spring, 1901
        France
        Germany

Spring, 1901 Large map:

France:

    Diplomacy
        The fleet at Brest move to Mid-Atlantic Ocean.
        The army at Paris move to Burgundy.
        The army at Marseilles support move to Burgundy from Paris.
Germany:

    Diplomacy
        The army at Munich move to Burgundy. (fail)
        The fleet at Kiel move to Denmark.
"""
GODIP = """PHASE 1901 Spring Movement
POSITIONS
{positions}
ORDERS
France: army par move bur
France: army mar support par move bur
France: fleet bre move mao
Germany: army mun move bur
Germany: fleet kie move den
PHASE 1901 Fall Movement
POSITIONS
{after}
ORDERS
"""


def _godip(units: dict[str, list[str]]) -> str:
    words = {"A": "army", "F": "fleet"}
    lines = []
    for power, listed in units.items():
        lines += [f"{power.title()}: {words[unit[0]]} {unit[2:].lower()}" for unit in listed]
    for power, centers in CENTERS.items():
        lines += [f"{power.title()}: supply {center.lower()}" for center in centers]
    return "\n".join(lines)


def _diplicity() -> str:
    def state(units: dict[str, list[str]]) -> dict[str, object]:
        words = {"A": "Army", "F": "Fleet"}
        listed = [
            {"nation": power.title(), "type": words[unit[0]], "province": unit[2:].lower(), "dislodged": False}
            for power, own in units.items()
            for unit in own
        ]
        centers = {center.lower(): power.title() for power, own in CENTERS.items() for center in own}
        return {"units": listed, "supply_centers": centers}

    def order(nation: str, *selected: str, result: str = "OK") -> dict[str, object]:
        return {"nation": nation, "selected": list(selected), "expected_resolution": result}

    orders = [
        order("France", "par", "Move", "bur"),
        order("France", "mar", "Support", "par", "bur"),
        order("France", "bre", "Move", "mao"),
        order("Germany", "mun", "Move", "bur", result="ErrBounce"),
        order("Germany", "kie", "Move", "den"),
    ]
    phases = [
        {"ordinal": 1, "season": "Spring", "year": 1901, "type": "Movement", "orders": orders,
         "expected_state_after": state(AFTER)},
        {"ordinal": 2, "season": "Fall", "year": 1901, "type": "Movement",
         "orders": [order("France", "mao", "Hold")], "expected_state_after": state(AFTER)},
    ]  # fmt: skip
    return json.dumps({"schema_version": 1, "variant": "classical", "phases": phases})


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


def _webdip() -> str:
    def order(country: int, at: str, verb: str, to: str, start: str = "", success: str = "Yes") -> dict[str, object]:
        places = {"terrID": number(at), "toTerrID": number(to), "fromTerrID": number(start)}
        said = {"countryID": country, "type": verb, "viaConvoy": "No", "success": success}
        return {"turn": 0, "phase": "Diplomacy", **places, **said}

    orders = [
        order(2, "par", "Move", "bur"),
        order(2, "mar", "Support move", "bur", "par"),
        order(2, "bre", "Move", "mao"),
        order(4, "mun", "Move", "bur", success="No"),
        order(4, "kie", "Move", "den"),
    ]

    def units(listed: dict[str, list[str]]) -> list[dict[str, object]]:
        return [webdip_unit(power, unit[0], unit[2:].lower()) for power, own in listed.items() for unit in own]

    phases = [
        {"turn": 0, "phase": "Diplomacy", "units": units(START), "orders": orders, "messages": [], "centers": []},
        {"turn": 1, "phase": "Diplomacy", "units": units(AFTER), "orders": [], "messages": [], "centers": []},
    ]
    return json.dumps({"gameID": 7, "variantID": 1, "phases": phases})


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


FIRST_ORDERS: Orders = {
    "France": {
        "Par": {"type": "MOVE", "to": "Bur", "result": "SUCCEEDS"},
        "Mar": {"type": "SUPPORT", "from": "Par", "to": "Bur", "result": "SUCCEEDS"},
        "Bre": {"type": "MOVE", "to": "MAO", "result": "SUCCEEDS"},
    },
    "Germany": {
        "Mun": {"type": "MOVE", "to": "Bur", "result": "FAILS", "result_reason": "Bounced"},
        "Kie": {"type": "MOVE", "to": "Den", "result": "SUCCEEDS"},
    },
}


def _daide() -> str:
    kinds = {"A": "AMY", "F": "FLT"}

    def now(turn: str, units: dict[str, list[str]]) -> str:
        told = [
            f"( {power[:3]} {kinds[unit[0]]} {unit[2:].replace('STP/SC', '( STP SCS )')} )"
            for power, own in units.items()
            for unit in own
        ]
        return f"<- NOW ( {turn} ) {' '.join(told)}"

    centers = " ".join(f"( {power[:3]} {' '.join(own)} )" for power, own in CENTERS.items())
    orders = [
        "( FRA AMY PAR ) MTO BUR ) ( SUC )",
        "( FRA AMY MAR ) SUP ( FRA AMY PAR ) MTO BUR ) ( SUC )",
        "( FRA FLT BRE ) MTO MAO ) ( SUC )",
        "( GER AMY MUN ) MTO BUR ) ( BNC )",
        "( GER FLT KIE ) MTO DEN ) ( SUC )",
    ]
    lines = ["<- MAP ( 'STANDARD' )", f"<- SCO {centers} ( UNO SPA POR )", now("SPR 1901", START)]
    lines += [f"12:00:01 ORD ( SPR 1901 ) ( {order}" for order in orders for _ in range(2)]
    return "\n".join([*lines, now("FAL 1901", AFTER), now("FAL 1901", AFTER)]) + "\n"


CASES = """<h4><a name="6.A.1">6.A.1. TEST CASE, TOO FAR</a></h4>
<p>Check whether a move fails.</p>
<pre>England:
F North Sea - Picardy
</pre>
<p>Order should fail.</p>
<h4>6.H.7. TEST CASE, TWO RETREATS</h4>
<pre>Austria:
A Budapest S A Trieste - Vienna
A Trieste - Vienna

Italy:
A Vienna Hold
</pre>
<p>If Italy orders the following for retreat:</p>
<pre>Italy:
A Vienna - Tyrolia
</pre>
<p>It goes there.</p>
<h4>6.I.1. TEST CASE, BUILDS</h4>
<pre>Germany:
Build A Kiel
</pre>
"""
JDIP_CASES = """VARIANT_ALL Standard
CASE 1 (retreats)
PRESTATE_SETPHASE Spring 1901, Retreat
PRESTATE
	Austria: A vie
	Austria: A bud
	Germany: A mun # stays
PRESTATE_DISLODGED
	Italy: A vie
PRESTATE_RESULTS
	SUCCESS: Austria: A tri - vie
	SUCCESS: Austria: A bud S A tri - vie
	FAILURE: Germany: A mun - boh
	FAILURE: Germany: A sil - boh
	FAILURE: Italy: A vie H
ORDERS
	Italy: A vie - boh
POSTSTATE
	Austria: A vie
	Austria: A bud
	Germany: A mun
END
CASE 2
PRESTATE_SETPHASE Fall 1901, Movement
PRESTATE
	Austria: A tri
	Austria: A tyr
	Italy: A ven
ORDERS
	Austria: A tri - ven
	Austria: A tyr S A tri - ven
POSTSTATE
	Austria: A ven
	Austria: A tyr
POSTSTATE_DISLODGED
	Italy: A ven
END
CASE 3 (wrong)
PRESTATE_SETPHASE Fall 1901, Movement
PRESTATE
	Austria: A tri
	Austria: A ser
	Italy: A ven
ORDERS
	Austria: A tri - ven
POSTSTATE_SAME
POSTSTATE_DISLODGED
	Italy: A ven
END
"""

FILES = {
    "server.log": _daide(),
    "mila.json": _mila(),
    "short.txt": TEXT,
    "mail.txt": MAIL.replace("{start}", _starting()),
    "paste.txt": PASTE,
    "page.txt": PAGE,
    "game_1.txt": GODIP.format(positions=_godip(START), after=_godip(AFTER)),
    "diplicity.json": _diplicity(),
    "webdip.json": _webdip(),
    "spring.html": backstabbr("Spring", 1901, "SATISFIED", START, FIRST_ORDERS),
}
