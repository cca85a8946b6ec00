"""The page of a game: the map, and beside it the results, the powers, letters and proofs.

The own sheet is in :mod:`legation.web.sheet_page`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Form, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from legation.atlas.cartography import ThemeName
from legation.atlas.painting import PAINTER
from legation.board import province_of
from legation.game import position_document, read_verdicts
from legation.judge import Outcome, Ruleset, Verdict
from legation.office import Actor, Office, deadlines, exports, games, journal, letters, proofs, seats, submissions
from legation.office.errors import Conflict
from legation.office.records import Document, Entry, GameRecord, LetterRecord, SeatRecord, TurnRecord, TurnResult
from legation.office.turns import position_from
from legation.orders import Move
from legation.position import Phase, Position
from legation.web.headers import PICTURE_POLICY
from legation.web.lobby import gathering, owed_in
from legation.web.maps import LiveMap
from legation.web.pages import embed, page, templates
from legation.web.prose import outcome_in_words
from legation.web.rulebooks import rule_of
from legation.web.sandbox import Node, keep
from legation.web.sessions import actor_of, office_of, person_of
from legation.web.times import Times

router = APIRouter()
PUBLISHED = ("draft", "final")
TABS = {"sheet": "Sheet", "results": "Results", "powers": "Powers", "letters": "Letters", "proofs": "Proofs"}


class Shown:
    """A game with all that its page asks for, for one reader. ``turn`` is the one that is looked at."""

    def __init__(self, request: Request, game: str, turn: str = "") -> None:
        self.request = request
        self.office: Office = office_of(request)
        self.actor: Actor = actor_of(request)
        self.record: GameRecord = games.game(self.office, self.actor, game)
        self.begun = self.record.turn is not None
        self.times = Times(request)
        workshop = request.app.state.workshop
        self.rules: Ruleset = workshop.rules(self.record.variant, self.record.options)
        self.live: LiveMap = workshop.map_of(self.record.variant)
        self.turns: list[TurnRecord] = games.turns(self.office, self.actor, game) if self.begun else []
        self.power = self.record.powers[0] if self.record.powers else ""
        self.asked = turn

    @property
    def key(self) -> str:
        """The game's name in addresses."""
        return self.record.key

    @property
    def present(self) -> TurnRecord:
        """The present turn."""
        assert self.record.turn is not None
        return self.record.turn

    def result(self, turn: str | int = "last") -> TurnResult | None:
        """The published results of a turn; None while there are none."""
        if not any(t.state in PUBLISHED for t in self.turns):
            return None
        try:
            return games.result(self.office, self.actor, self.key, turn)
        except Conflict:
            return None

    def position(self, document: Document | None) -> Position:
        """A position, typed."""
        return _position(self.rules, msgspec.json.encode(document))

    def may(self, command: str) -> bool:
        """Whether the reader may give a command now."""
        return command in self.record.may

    def seat(self) -> SeatRecord | None:
        """The reader's own seat."""
        return next((seat for seat in self.record.seats if seat.power == self.power), None)

    def numbers(self) -> dict[str, int]:
        """The powers' numbers on the map."""
        return {power: self.live.number(power) for power in self.rules.powers}

    @property
    def has_sheet(self) -> bool:
        """Whether the reader has a sheet to look at: a seat, and a turn whose results are not out."""
        going_on = self.record.state in ("running", "paused") and self.present.state not in PUBLISHED
        return bool(self.power) and going_on

    def late_until(self) -> datetime | None:
        """Until when late orders still count, where the deadline has passed and the game grants some minutes."""
        deadline, grace = self.present.deadline, self.record.settings["grace"]
        late = deadline is not None and self.present.state == "open" and deadline < self.times.now
        return deadline + timedelta(minutes=grace) if deadline is not None and late and grace else None

    def address(self, *parts: str) -> str:
        """An address below the game's."""
        return "/".join(["/games", self.key, *parts])


@lru_cache(maxsize=256)
def _position(rules: Ruleset, document: bytes) -> Position:
    return position_from(rules, msgspec.json.decode(document))


class Judged(msgspec.Struct, frozen=True):
    """The parts of a result of which the page's rows and arrows are made; equal ones make equal pages."""

    name: str
    position: Document
    verdicts: tuple[Document, ...]


class TurnShown(msgspec.Struct, frozen=True):
    """What came of a turn, as the page shows it: its state for the map, its rows, and where units went."""

    svg: str
    rows: list[dict[str, Any]]
    steps: list[tuple[str, str]]


def _packed(result: TurnResult) -> bytes:
    """The position and verdicts of a turn, by which what is made of them is kept."""
    return msgspec.json.encode(Judged(result.name, result.position, result.verdicts))


@lru_cache(maxsize=256)
def _outcome(rules: Ruleset, live: LiveMap, packed: bytes) -> TurnShown:
    judged = msgspec.json.decode(packed, type=Judged)
    verdicts, numbers = drawn(rules, judged)
    svg = live.atlas.state_layer(_position(rules, msgspec.json.encode(judged.position)), verdicts)
    return TurnShown(svg, rows_of(judged, numbers, rules.name), steps_of(verdicts))


def drawn(rules: Ruleset, result: TurnResult | Judged) -> tuple[list[Verdict], dict[int, int]]:
    """The verdicts as the map draws them, and by the number of each verdict its number there; what could not be read is
    on no map."""
    phase = Phase(result.name.rpartition(" ")[2])
    verdicts: list[Verdict] = []
    numbers: dict[int, int] = {}
    for number, document in enumerate(result.verdicts):
        for verdict in read_verdicts(rules, phase, [document], []):
            numbers[number] = len(verdicts)
            verdicts.append(verdict)
    return verdicts, numbers


def rows_of(result: TurnResult | Judged, numbers: Mapping[int, int], variant: str) -> list[dict[str, Any]]:
    """Every order with what came of it and why.

    ``decided`` are the orders that its cause names, by their numbers on the map; ``rule`` is where the rule stands.
    """
    by_text: dict[str, int] = {}
    for number, verdict in enumerate(result.verdicts):
        by_text.setdefault(verdict["order"], number)
    rows = []
    for number, verdict in enumerate(result.verdicts):
        named = [by_text[text] for text in _texts(verdict["cause"]) if text in by_text]
        rows.append(
            {
                "number": numbers.get(number, ""),
                "power": verdict["power"],
                "order": verdict["order"],
                "outcome": outcome_in_words(verdict["order"], verdict["outcome"]),
                "good": verdict["outcome"] == "succeeds",
                "why": _why(verdict),
                "dislodged": verdict["dislodged_from"],
                "rule": rule_of((verdict["cause"] or {}).get("kind", ""), variant),
                "decided": " ".join(str(numbers[n]) for n in named if n in numbers),
            }
        )
    return rows


def _why(verdict: Document) -> str:
    """What decided: the explanation without the order, what became of it, and the attack that dislodged the unit, which
    stand beside it."""
    words: str = verdict["explanation"]
    if words.startswith(f"{verdict['order']} "):
        words = words.removesuffix(f"; dislodged by an attack from {verdict['dislodged_from']}").partition(": ")[2]
    return words


def _texts(cause: object) -> list[str]:
    """All texts in the cause of a verdict."""
    if isinstance(cause, str):
        return [cause]
    parts = cause.values() if isinstance(cause, dict) else cause if isinstance(cause, list | tuple) else ()
    return [text for part in parts for text in _texts(part)]


def steps_of(verdicts: list[Verdict]) -> list[tuple[str, str]]:
    """Where units went, for the map to move them."""
    return [
        (v.order.at, province_of(v.order.to))
        for v in verdicts
        if isinstance(v.order, Move) and v.outcome is Outcome.SUCCEEDS
    ]


# The page


@router.get("/games/{game}")
def now(request: Request, game: str) -> Response:
    """A game as it stands now: the own sheet for players who have one, else the last results or the powers."""
    shown = Shown(request, game)
    if not shown.begun:
        return gathering(request, shown.record)
    if shown.has_sheet:
        from legation.web.sheet_page import show_sheet

        return show_sheet(shown)
    return show(shown, "results" if any(t.state in PUBLISHED for t in shown.turns) else "powers")


def show(shown: Shown, tab: str, status: int = 200, **more: Any) -> Response:
    """The page with one of its tabs open."""
    values = {"results": _results, "powers": _powers, "letters": _letters, "proofs": _proofs}[tab](shown)
    values.setdefault("svg", shown.live.atlas.state_layer(shown.position(shown.record.position)))
    values.setdefault("turn", shown.present)
    return render(shown, tab, status, **values, **more)


def render(
    shown: Shown, tab: str, status: int = 200, *, svg: str, turn: TurnRecord, data: Any = None, **values: Any
) -> Response:
    """The page around what a tab shows: strip, map, tabs."""
    owed, owes = owed_in(shown.record) if shown.power else ("", False)
    unread = 0
    if shown.power and shown.record.settings["press"]:
        unread = sum(not letter.read for letter in letters.letters(shown.office, shown.actor, shown.key, shown.power))
    return page(
        shown.request,
        f"games/{tab}.html",
        status,
        shown=shown,
        game=shown.record,
        live=shown.live,
        times=shown.times,
        tab=tab,
        tabs=[t for t in TABS if t == tab or _is_there(shown, t)],
        names=TABS,
        turn=turn,
        state=embed({"svg": svg}),
        facts=embed(
            {
                "game": shown.key,
                "power": shown.power,
                "seen": last_entry(shown),
                "live_updates": shown.record.state in ("running", "paused"),
                **(data or {}),
            }
        ),
        owed=owed,
        owes=owes,
        ended=ending_in_words(shown.record.ending),
        unread=unread,
        **values,
    )


def _is_there(shown: Shown, tab: str) -> bool:
    return {"sheet": shown.has_sheet, "letters": bool(shown.record.settings["press"])}.get(tab, True)


def ending_in_words(ending: Document | None) -> str:
    """How a game ended, for people: ``A draw of England and France``."""
    if not ending:
        return ""
    powers: list[str] = ending["powers"]
    if ending["kind"] == "ranking":
        return "Ranked: " + ", ".join(f"{place}. {power}" for place, power in enumerate(powers, 1))
    if ending["kind"] == "solo":
        return f"{powers[0]} has won"
    names = " and ".join([", ".join(powers[:-1]), powers[-1]] if len(powers) > 1 else powers)
    return f"A draw of {names}"


def last_entry(shown: Shown) -> int:
    """The number of the journal's last line, so that only what comes after it is news."""
    return journal.follow(shown.office, 2**62)[0]


def _results(shown: Shown) -> dict[str, Any]:
    """What came of a turn."""
    result = shown.result(shown.asked or "last")
    published = [t for t in shown.turns if t.state in PUBLISHED]
    values: dict[str, Any] = {"result": result, "published": published, "rows": [], "before": None, "next": None}
    values |= {"notes": [], "place": 0, "sheets": {}, "versions": []}
    if result is None:
        if shown.asked:
            games.result(shown.office, shown.actor, shown.key, shown.asked)  # says that there is none, or none yet
        return values
    outcome = _outcome(shown.rules, shown.live, _packed(result))
    keys = [t.key for t in published]
    place = keys.index(result.key)
    powers = sorted({row["power"] for row in outcome.rows}, key=lambda power: (power not in shown.record.powers, power))
    values["rows"] = [(power, [row for row in outcome.rows if row["power"] == power]) for power in powers]
    values["sheets"] = {sheet.power: sheet for sheet in result.sheets}
    values["place"] = place
    values["before"] = published[place - 1] if place else None
    values["next"] = published[place + 1] if place + 1 < len(published) else None
    values["turn"] = published[place]
    values["svg"] = outcome.svg
    values["data"] = {"steps": outcome.steps, "turns": [[t.key, t.name] for t in published], "at": result.key}
    if shown.power:
        values["versions"] = submissions.mine(shown.office, shown.actor, shown.key, shown.power, result.key)
    if result.state == "draft" or published[place].published:
        kinds = ("corrected", "draft taken back", "chosen", "alarm")
        lines = journal.entries(shown.office, shown.actor, shown.key, kinds=kinds)
        values["notes"] = [line for line in lines if line.turn == result.name]
    return values


def _powers(shown: Shown) -> dict[str, Any]:
    """Who plays what, and how all stand."""
    standing = centers_over_time(shown)
    position = shown.position(shown.record.position)
    told = shown.record.powers if shown.rules.steps["visible"] else shown.rules.powers  # of others one may not see all
    return {
        "plights": {power: shown.rules.plight(position, power) for power in told},
        "holders": seats.holders(shown.office, shown.actor, shown.key),
        "standing": standing,
        "lines": chart_lines(standing, list(shown.rules.powers)),
        "most": max((n for _, counts in standing for n in counts.values()), default=1),
        "vacant": [s for s in shown.record.seats if s.state in ("open", "civil disorder", "left") and s.survives],
    }


def centers_over_time(shown: Shown) -> list[tuple[str, dict[str, int]]]:
    """How many centers each power had at the beginning of each year, and has now; nothing where the rules hide it."""
    count = sum(t.state in PUBLISHED for t in shown.turns)
    if not count:
        return []
    try:
        saved = exports.saved_game(shown.office, shown.actor, shown.key)
    except Conflict:  # not everybody sees everything in this game
        return []
    years: dict[str, dict[str, int]] = {}
    for document in [turn["position"] for turn in saved["turns"]] + [saved["after"]]:
        year = next((word for word in document["turn"].split() if word.isdigit()), document["turn"])
        years.setdefault(year, {p: len(document["centers"].get(p, ())) for p in shown.rules.powers})
    last = saved["after"]
    years["now"] = {p: len(last["centers"].get(p, ())) for p in shown.rules.powers}
    return list(years.items())


class ChartLine(msgspec.Struct, frozen=True):
    """A power's line in the chart: an SVG path in a field of 600 by 240, its name, where that stands, and a path that
    leads to it from the line's end."""

    power: str
    path: str
    lead: str
    name: str
    name_at: float


NAMES_APART = 28
LONGEST_NAME = 12


def chart_lines(standing: list[tuple[str, dict[str, int]]], powers: list[str]) -> list[ChartLine]:
    """The line of each power in the chart; a long name is told by its first word."""
    if len(standing) < 2:
        return []
    most = max(max(counts.values()) for _, counts in standing) or 1
    across = 600 / (len(standing) - 1)
    paths, ends = {}, {}
    for n, power in enumerate(powers):
        apart = 3 * (n - len(powers) / 2)  # so that equal powers do not hide each other
        heights = [240 - counts[power] * 240 / most + apart for _, counts in standing]
        paths[power] = "M" + "L".join(f"{i * across:.1f} {y:.1f}" for i, y in enumerate(heights))
        ends[power] = heights[-1]
    names = _names_apart(ends)
    short = {power: power if len(power) <= LONGEST_NAME else power.split()[0] for power in powers}
    leads = {power: f"M600 {ends[power]:.1f}L622 {names[power]:.1f}" for power in powers}
    return [ChartLine(power, paths[power], leads[power], short[power], names[power]) for power in powers]


def _names_apart(ends: dict[str, float]) -> dict[str, float]:
    """Where names stand beside the ends of their lines so that none covers another, and none falls below the chart."""
    placed: dict[str, float] = {}
    below = -float("inf")
    for power, y in sorted(ends.items(), key=lambda item: item[1]):
        placed[power] = below = max(y, below + NAMES_APART)
    low = 240.0
    for power in reversed(placed):
        placed[power] = low = min(placed[power], low)
        low -= NAMES_APART
    return placed


def _letters(shown: Shown) -> dict[str, Any]:
    """Letters, by who takes part in them."""
    correspondence = letters.letters(shown.office, shown.actor, shown.key, limit=500)
    threads: dict[tuple[str, ...], list[LetterRecord]] = {}
    for letter in correspondence:
        threads.setdefault(_thread(letter, shown.power), []).append(letter)
    ordered = sorted(threads.items(), key=lambda item: -item[1][-1].id)
    unread = [letter.id for letter in correspondence if not letter.read]
    if unread and shown.power and shown.may("letters.mark_read"):
        letters.mark_read(shown.office, shown.actor, shown.key, shown.power, max(unread))
    return {"threads": ordered, "draft": "", "fault": "", "chosen": shown.request.query_params.getlist("to")}


def _thread(letter: LetterRecord, own: str) -> tuple[str, ...]:
    """Who takes part in a letter besides the reader."""
    if letter.recipients == letters.ALL:
        return ("all",)
    there = {*letter.recipients, letter.sender or "somebody"} - {own}
    return tuple(sorted(there))


@router.post("/games/{game}/letters")
def write_letter(
    request: Request,
    game: str,
    text: Annotated[str, Form()] = "",
    to: Annotated[list[str] | None, Form()] = None,
    anonymous: Annotated[bool, Form()] = False,
) -> Response:
    """Send a letter."""
    person_of(request)
    shown = Shown(request, game)
    letters.write(shown.office, shown.actor, game, shown.power, to or [], text.replace("\r\n", "\n"), anonymous)
    return RedirectResponse(shown.address("letters"), 303)


def _proofs(shown: Shown) -> dict[str, Any]:
    """What was committed to, and whether it holds."""
    return {
        "checks": proofs.verify(shown.office, shown.actor, shown.key),
        "commitments": submissions.commitments(shown.office, shown.actor, shown.key),
        "moves": deadlines.history(shown.office, shown.actor, shown.key),
        "record": _last_lines(shown),
        "published": [t for t in shown.turns if t.state in PUBLISHED],
    }


LOOKED_BACK = 400  # lines of the office's journal


def _last_lines(shown: Shown) -> list[Entry]:
    """What happened last in the game, the last first."""
    after = max(0, last_entry(shown) - LOOKED_BACK)
    return journal.entries(shown.office, shown.actor, shown.key, after=after, limit=1000)[-40:][::-1]


# What the map and others fetch


@router.get("/games/{game}/{turn}/shown.json")
def shown_turn(request: Request, game: str, turn: str) -> Response:
    """A turn for the time machine: its state for the map, and its results as a part of the page."""
    shown = Shown(request, game, turn)
    values = _results(shown)
    part = templates().get_template("games/results_part.html")
    html = part.render(
        request=request, shown=shown, game=shown.record, live=shown.live, times=shown.times, tab="results", **values
    )
    answer = {"svg": values["svg"], "html": html, "name": values["turn"].name, **values["data"]}
    return JSONResponse(answer)


@router.get("/games/{game}/{turn}/proof.json")
def proof(request: Request, game: str, turn: str) -> Response:
    """What proves a turn, to be checked elsewhere."""
    document = proofs.published(office_of(request), actor_of(request), game, turn)
    headers = {"content-disposition": f'attachment; filename="{turn}-proof.json"'}
    return Response(msgspec.json.encode(document), media_type="application/json", headers=headers)


@router.get("/games/{game}/saved.json")
def saved(request: Request, game: str) -> Response:
    """The game as a saved game that replays anywhere."""
    document = exports.saved_game(office_of(request), actor_of(request), game)
    headers = {"content-disposition": f'attachment; filename="{document["name"]}.json"'}
    return Response(msgspec.json.encode(document), media_type="application/json", headers=headers)


@router.get("/games/{game}/{turn}/map-{theme}.svg")
def picture(request: Request, game: str, turn: str, theme: Literal["light", "dark"]) -> Response:
    """A turn as a picture, with its orders once they are published."""
    shown = Shown(request, game, turn)
    position, verdicts, title = _pictured(shown, turn)
    svg = shown.live.picture(position, verdicts, theme, title)
    headers = {"content-security-policy": PICTURE_POLICY}
    return Response(svg, media_type="image/svg+xml", headers=headers)


@router.get("/games/{game}/{turn}/map.png")
def picture_to_share(request: Request, game: str, turn: str, theme: Literal["light", "dark"] = "light") -> Response:
    """The same as PNG, to be shown to friends."""
    shown = Shown(request, game, turn)
    position, verdicts, title = _pictured(shown, turn)
    png = _png(shown.live, position, tuple(verdicts), title, theme)
    return Response(png, media_type="image/png")


@lru_cache(maxsize=16)
def _png(live: LiveMap, position: Position, verdicts: tuple[Verdict, ...], title: str, theme: ThemeName) -> bytes:
    return PAINTER.png(live.atlas.svg(position, verdicts, interactive=False, title=title, theme=theme), 1600)


def _pictured(shown: Shown, turn: str) -> tuple[Position, list[Verdict], str]:
    result = shown.result(turn) if turn not in ("now", shown.present.key) or shown.present.state in PUBLISHED else None
    if result is not None:
        verdicts, _ = drawn(shown.rules, result)
        return shown.position(result.position), verdicts, f"{shown.record.name}, {result.name}"
    document = games.position(shown.office, shown.actor, shown.key, turn)
    return shown.position(document), [], f"{shown.record.name}, {document['turn']}"


@router.post("/games/{game}/{turn}/what-if")
def what_if(request: Request, game: str, turn: str) -> Response:
    """Open a turn in the sandbox."""
    shown = Shown(request, game, turn)
    position = shown.position(games.position(shown.office, shown.actor, game, turn))
    return keep(
        request, Node(shown.record.variant, position_document(shown.rules, position), dict(shown.record.options))
    )


@router.post("/games/{game}/resign")
def resign(request: Request, game: str, reason: Annotated[str, Form(max_length=300)] = "") -> Response:
    """Give the own seat up."""
    person_of(request)
    shown = Shown(request, game)
    seats.resign(shown.office, shown.actor, game, shown.power, reason)
    return RedirectResponse(shown.address("powers"), 303)


@router.get("/games/{game}/{tab}")
def at(request: Request, game: str, tab: str) -> Response:
    """A part of the page, or a turn by its key."""
    shown = Shown(request, game, "" if tab in TABS else tab)
    if not shown.begun:
        return RedirectResponse(shown.address(), 303)
    if tab in TABS and tab != "sheet":
        return show(shown, tab)
    if tab == "sheet":
        return RedirectResponse(shown.address(), 303)
    if shown.asked == shown.present.key and shown.present.state not in PUBLISHED:
        return show(shown, "powers")
    return show(shown, "results")
