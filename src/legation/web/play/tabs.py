"""What the tabs of a game's page show: results, powers, analysis, letters, roster, the table of one who orders for all,
proofs. The own sheet is in :mod:`legation.web.play.sheet_page`."""

from collections.abc import Callable
from datetime import date
from typing import Any

import msgspec

from legation.judge import resolve
from legation.office.desk import letters
from legation.office.desk.proposed_orders import in_words
from legation.office.errors import ConflictError, NotAllowedError
from legation.office.game import journal, seats
from legation.office.hosting import deadlines, exports, games, proofs, retrospects, roster, scores
from legation.office.orders import submissions
from legation.office.records import LetterRecord, Retrospect
from legation.orders import Order, Sheet
from legation.proofs.canonical import encode
from legation.web.play.shown_game import GamePage
from legation.web.public.verdict_rows import told_apart
from legation.web.serving.bounds import count_journal
from legation.web.serving.forms import read_shown

POINTS, SHEETS = 8, 40
"""So many turning points and mistakes are shown, the greatest."""
DATES = 9  # turns for which dates to post by are told
NAMES_APART = 28  # in the units of the chart's field
LONGEST_NAME = 12  # letters


def _results(shown: GamePage) -> dict[str, Any]:
    result, published = shown.result(shown.asked or "last"), shown.published
    if result is None:
        if shown.asked:
            games.result(*shown.of, shown.asked)  # says that there is none, or none yet
        return {"result": None}
    outcome = shown.outcome(result)
    place = [t.key for t in published].index(result.key)
    contested, folded = told_apart(outcome.rows, shown.live.atlas.board)
    kinds = ("corrected", "draft taken back", "chosen", "alarm")
    told = journal.entries(*shown.of, kinds=kinds) if result.state == "draft" or published[place].published else []
    return {
        "result": result,
        "published": published,
        "contested": contested,
        "folded": sorted(folded, key=lambda fold: (fold[0] not in shown.record.powers, fold[0])),
        "sheets": {sheet.power: sheet for sheet in result.sheets},  # in the fog, an order may be seen without its sheet
        "place": place,
        "before": published[place - 1] if place else None,
        "next": published[place + 1] if place + 1 < len(published) else None,
        "turn": published[place],
        "svg": outcome.svg,
        "head": encode(result.head).decode() if result.head is not None else "",
        "data": {"steps": outcome.steps, "turns": [[t.key, t.name] for t in published], "at": result.key},
        "versions": submissions.mine(*shown.of, shown.power, result.key) if shown.power else [],
        "notes": [line for line in told if line.turn == result.name],
    }


def _powers(shown: GamePage) -> dict[str, Any]:
    standing = centers_over_time(shown)
    position = shown.position(shown.record.position)
    fog = shown.rules.steps["visible_provinces"]  # of others one may not see all
    told = shown.record.powers if fog else shown.rules.powers
    return {
        "status_notes": {power: shown.rules.status_notes(position, power) for power in told},
        "holders": seats.holders(*shown.of),
        "standing": standing,
        "lines": chart_lines(standing, list(shown.rules.powers)),
        "most": _most(standing),
        "points": scores.points(*shown.of) if shown.may("scores.points") else None,
        "vacant": [s for s in shown.record.seats if s.vacant],
    }


def _analysis(shown: GamePage) -> dict[str, Any]:
    """Return what the tab shows; on the map the better orders of a mistake, where one is asked for."""
    found = retrospects.retrospect(*shown.of)
    if found.state != "made":
        return {"found": found}
    keys = {turn.name: turn.key for turn in shown.published}
    standing = [(turn["turn"], turn["outlooks"]) for turn in found.turns]
    order = {turn["turn"]: n for n, turn in enumerate(found.turns)}
    points = sorted(found.points, key=lambda point: -abs(point["after"] - point["before"]))[:POINTS]
    mistakes = [(turn, sheet) for turn in found.turns for sheet in turn["sheets"]]
    worst = sorted(mistakes, key=lambda pair: -pair[1]["loss"])[:SHEETS]
    return {
        "found": found,
        "keys": keys,
        "standing": standing,
        "first": _year(standing[0][0]),
        "lines": chart_lines(standing, list(shown.rules.powers)),
        "most": _most(standing),
        "openings": found.turns[0].get("openings", {}),
        "decisive": [(turn["turn"], turn["decisive"]) for turn in found.turns if turn.get("decisive")],
        "points": sorted(points, key=lambda point: order.get(point["turn"], 0)),
        "mistakes": [pair for pair in mistakes if pair in worst],
        "left_out": len(mistakes) - len(worst),
        **_chosen(shown, found, keys),
    }


def _chosen(shown: GamePage, found: Retrospect, keys: dict[str, str]) -> dict[str, Any]:
    """Return the mistake that the address asks for, with the turn as it would have gone with the better orders."""
    at, power = shown.request.query_params.get("turn", ""), shown.request.query_params.get("power", "")
    listed = ((turn, sheet) for turn in found.turns for sheet in turn["sheets"] if keys.get(turn["turn"]) == at)
    chosen = next((pair for pair in listed if pair[1]["power"] == power), None)
    result = shown.result(at) if chosen else None
    if chosen is None or result is None:
        return {"chosen": None}
    position = shown.position(result.position)
    orders: dict[str, list[Order]] = {}
    for verdict in shown.drawn(result):
        orders.setdefault(verdict.power, []).append(verdict.order)
    read, phase = shown.rules.reader.order, position.turn.phase
    orders[power] = [read(text, phase, power) for text in chosen[1]["best"]]
    sheets = [Sheet(name, tuple(given)) for name, given in orders.items()]
    svg = shown.live.atlas.state_layer(position, tuple(resolve(shown.rules, position, sheets).verdicts))
    return {"chosen": chosen, "svg": svg, "turn": next(t for t in shown.turns if t.key == at)}


def _letters(shown: GamePage) -> dict[str, Any]:
    """Return the letters as conversations, by who takes part in them: the last ones, or those before a number."""
    number = read_shown(shown.request.query_params.get("before", ""))
    correspondence = letters.letters(*shown.of, after=number, limit=letters.MOST_AT_ONCE, newest=True)
    threads: dict[tuple[str, ...], list[LetterRecord]] = {}
    for letter in correspondence:
        who = _thread(letter, shown.power)
        threads[who] = [*threads.pop(who, ()), letter]
    asked = tuple(sorted(set(shown.request.query_params.getlist("with"))))
    known = asked in (("all",), ("somebody",)) or (asked and set(asked) <= {*shown.rules.powers} - {shown.power})
    conversation = threads.get(asked, []) if known else None
    unread = [letter.id for letter in conversation or () if not letter.read]
    if unread and shown.power and shown.may("letters.mark_read"):
        letters.mark_read(*shown.of, shown.power, unread)
        left = max(0, shown.record.unread - len(unread))
        shown.record = msgspec.structs.replace(shown.record, unread=left)
    answer = shown.request.query_params.get("answer", "")  # the letter whose proposal is to be changed
    answered = next((letter for letter in correspondence if str(letter.id) == answer and letter.proposal), None)
    return {
        "threads": list(reversed(threads.items())),
        "open_with": asked,
        "conversation": conversation,
        "earlier": correspondence[0].id if len(correspondence) == letters.MOST_AT_ONCE else 0,
        "muted": letters.muted(*shown.of, shown.power) if shown.power and shown.may("letters.muted") else [],
        "answered": answered,
        "orders_so_far": in_words(answered.proposal) if answered and answered.proposal else "",
    }


def _thread(letter: LetterRecord, own: str) -> tuple[str, ...]:
    if letter.recipients == letters.ALL:
        return ("all",)
    there = {*letter.recipients, letter.sender or "somebody"} - {own}
    return tuple(sorted(there))


def _proofs(shown: GamePage) -> dict[str, Any]:
    count_journal(shown.request)
    return {
        "checks": proofs.verify(*shown.of),
        "commitments": submissions.commitments(*shown.of),
        "moves": deadlines.history(*shown.of),
        "record": journal.entries(*shown.of, limit=40, newest=True),
        "office_key": shown.office.public_key,
        "standing": None,
        "fault": "",
        "pasted": "",
    }


def _roster(shown: GamePage) -> dict[str, Any]:
    """Return what the page shows: addresses today and for a letter posted today; where to post orders, by when."""
    if not shown.has_tab("roster"):
        raise NotAllowedError("Only players in a postal game can see the roster.")
    own, *others = roster.rosters(*shown.of)
    dates = deadlines.coming(*shown.of, DATES)
    return {
        "lines": own.lines,
        "others": others,
        "routes": own.routes,
        "days": deadlines.days_in_post(*shown.of),
        "to": own.orders_to,
        "dates": [(ahead, date.fromisoformat(ahead.post_by)) for ahead in dates if ahead.post_by],
        "shares": any(line.shared for line in own.lines if line.power == shown.power),
        "own": roster.addresses(shown.office, shown.actor) if shown.power else [],
        "posts": shown.settings.opening_by_post,
    }


def _table(shown: GamePage) -> dict[str, Any]:
    due = [seat for seat in shown.record.seats if seat.sent is not None and not seat.bot]
    return {
        "accepts": shown.accepts and not (shown.settings.ready_ends and all(seat.ready for seat in due)),
        "due": due,
        "headings": "\n\n".join(f"{seat.power}:" for seat in due),
        "happened": shown.result(shown.published[-1].key) if shown.published else None,
        "text": "",
        "fault": "",
    }


# Charts


def centers_over_time(shown: GamePage) -> list[tuple[str, dict[str, int]]]:
    """Return each power's centers at the beginning of each year and now; nothing where rules hide them."""
    if not shown.published:
        return []
    try:
        saved = exports.saved_game(*shown.of)
    except ConflictError:  # not everybody sees everything in this game
        return []
    years: dict[str, dict[str, int]] = {}
    for document in [turn["position"] for turn in saved["turns"]] + [saved["after"]]:
        now = {p: len(document["centers"].get(p, ())) for p in shown.rules.powers}
        years.setdefault(_year(document["turn"]), now)
    return [*years.items(), ("now", now)]


def _year(turn: str) -> str:
    return next((word for word in turn.split() if word.isdecimal()), turn)


def _most(standing: list[tuple[str, dict[str, Any]]]) -> float:
    return max((n for _, counts in standing for n in counts.values()), default=1)


class ChartLine(msgspec.Struct, frozen=True):
    """A power's line in the chart: an SVG path in a field of 600 by 240, its name, where that stands, and a path that
    leads to it from the line's end."""

    power: str
    path: str
    lead: str
    name: str
    name_at: float


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


VALUES: dict[str, Callable[[GamePage], dict[str, Any]]] = {
    "results": _results,
    "powers": _powers,
    "analysis": _analysis,
    "letters": _letters,
    "roster": _roster,
    "table": _table,
    "proofs": _proofs,
}
"""By tab, the function that returns what its template shows."""
