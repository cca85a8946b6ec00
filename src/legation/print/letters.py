"""The year-end letter: results, tables and the map, as the rulebook has them posted to every player (W-21a, W-28)."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

import msgspec

from legation.atlas import Atlas
from legation.atlas.pictures import ratio_of, white
from legation.game.chronicle import chronicle
from legation.game.report import business, ended, on_one_line, turn_report
from legation.judge import Outcome, Resolution, Ruleset
from legation.languages import ENGLISH, said_in
from legation.notation import kind_of
from legation.office.orders.order_codes import qr_code
from legation.orders import Build, Remove
from legation.position import Phase, Position
from legation.print.post import lines_of
from legation.print.records import GameName, Party, long_day
from legation.print.typesetting import one_line, typeset

WIDTH = 170  # of the text on the page, in millimeters
SMALL = 82.5  # of one of two maps side by side


class YearEnd(msgspec.Struct, frozen=True):
    """The outcome of a year. ``turns`` are its turns in order, the adjustments last, each with the orders that are
    printed.

    ``note`` is what the coordinator has to say, paragraphs apart by an empty line; ``deadlines`` are those that come
    next. ``head`` is the journal's signed head with the last turn's results, as canonical JSON, printed as a code.
    ``hidden`` are the provinces at its end that the reader cannot see, ``hidden_before`` those at its beginning.
    ``text`` is the gazette as the coordinator edited it; if left out, the year is told from its turns."""

    turns: tuple[Resolution, ...]
    deadlines: tuple[Mapping[str, str], ...] = ()
    note: str = ""
    head: str = ""
    hidden: tuple[str, ...] = ()
    hidden_before: tuple[str, ...] = ()
    text: str = ""
    language: str = ENGLISH


def year_end_letter(
    game: GameName, rules: Ruleset, atlas: Atlas, year: YearEnd, sender: Party, to: Party, day: date
) -> bytes:
    """The letter to one player, dated ``day``; its address stands where a window envelope shows it.

    :raises ValueError: without a turn to report.
    :raises UnprintableError: for text that cannot be printed."""
    if not year.turns:
        raise ValueError("a year-end letter reports at least one turn")
    last = year.turns[-1]
    after = last.after
    season = last.before.turn.name
    first = year.turns[0].before
    said, atlas = said_in(year.language, rules.board), atlas.for_reader(year.language)
    svg = atlas.svg(after, title=game.name, interactive=False, hidden=year.hidden, said=said)
    won = [center for center, owner in after.owners.items() if first.owners.get(center) != owner]
    ending = ended(rules, last.ending) if last.ending else ""
    text = year.text or chronicle(rules, year.turns, first.owners)
    maps = {
        "map.svg": white(svg),
        "before.svg": control(atlas, first, year.hidden_before),
        "after.svg": control(atlas, after, year.hidden, won),
    }
    data: dict[str, Any] = {
        "title": f"{one_line(game.name, 'the game')}: {season}",
        "game": one_line(game.name, "the game"),
        "season": season,
        "written": long_day(day),
        "to": {"position": said(one_line(to.position, "a position")), "block": lines_of(to.address, to.position)},
        "sender": {
            "position": said(one_line(sender.position, "a position")),
            "name": one_line(sender.person, "a name"),
            "block": lines_of(sender.address, sender.position) if sender.address else [sender.person],
        },
        "salutation": f"To {one_line(to.position, 'a position')},",
        "paragraphs": _paragraphs(year.note),
        "gazette": blocks(text),
        "begins": first.turn.name,
        "valediction": "Yours faithfully,",
        "ending": "" if ending in text else ending,
        "deadlines": year.deadlines,
        "map_height": map_height(svg),
        "small_height": map_height(maps["after.svg"], SMALL, 108),
        "powers": _powers(rules, last, first.owners, atlas.colors, said),
        "changes": _changes(rules, first.owners, after.owners, said),
        "turns": [{"name": str(r.before.turn), "sections": sections(rules, r)} for r in year.turns],
        "head": year.head,
    }
    code = {"head.svg": qr_code(year.head, "l")} if year.head else {}
    return typeset("letter.typ", data, day, {**maps, **code}, year.language, rules.board)


def blocks(text: str) -> list[dict[str, Any]]:
    """A gazette's text as headings, which are lines that begin with ``#``, and paragraphs."""
    apart = re.sub(r"(?m)^[ \t]*#.*$", r"\n\n\g<0>\n\n", text)
    return [
        {"heading": words.startswith("#"), "text": words.lstrip("# ")}
        for words in _paragraphs(apart)
        if words.lstrip("# ")
    ]


def control(atlas: Atlas, position: Position, hidden: Iterable[str], marked: Iterable[str] = ()) -> str:
    """A small map of who owns what, without names and units; ``marked`` centers have a line around them."""
    svg = atlas.svg(position, units=False, legend=False, interactive=False, hidden=hidden, marked=marked)
    return white(svg).replace("</style>", ".lg .names,.lg .co,.lead{display:none}</style>", 1)


def map_height(svg: str, width: float = WIDTH, most: int = 212) -> int:
    """Return the height of a map on an upright page of A4, in millimeters: as wide as the text, or as high as
    leaves room for a heading."""
    return min(most, round(width / ratio_of(svg)))


def sections(rules: Ruleset, resolution: Resolution) -> list[dict[str, Any]]:
    """The orders of a turn with what became of them, by power, as the report has them."""
    by_power = []
    for paragraph in turn_report(rules, resolution).split("\n\n")[1:]:
        first, *rest = paragraph.splitlines()
        if first in rules.powers and rest:
            by_power.append({"name": first, "lines": [on_one_line(line) for line in rest]})
    return by_power


def _paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip()]


def _powers(
    rules: Ruleset,
    last: Resolution,
    owners_before: Mapping[str, str],
    colors: Mapping[str, str],
    said: Callable[[str], str],
) -> list[dict[str, str]]:
    after = last.after
    rows = []
    for power in rules.powers:
        centers, units = len(after.centers_of(power)), len(after.units_of(power))
        before = sum(owner == power for owner in owners_before.values())
        if not centers and not units and not before:
            continue
        change = centers - before
        rows.append(
            {
                "power": said(power),
                "color": colors.get(power, ""),
                "centers": str(centers),
                "change": f"+{change}" if change > 0 else f"\u2013{-change}" if change else "0",
                "units": str(units),
                "adjustments": _adjusted(rules, last, power, said),
            }
        )
    return rows


def _adjusted(rules: Ruleset, last: Resolution, power: str, said: Callable[[str], str]) -> str:
    """What a power built and removed, and what it and others did by orders of the rules, such as supply that was sent
    and received, in full names; or what it is to do, where the letter reports another phase."""
    if last.before.turn.phase is not Phase.ADJUSTMENTS:
        return said(business(rules, last.after, power)) if last.after.turn.phase is Phase.ADJUSTMENTS else ""
    ordered = [(v.power, v.order) for v in last.verdicts if v.outcome is Outcome.SUCCEEDS]
    done = [order for whose, order in ordered if whose == power]
    parts = {
        "built": [said(rules.writer.unit(o.kind, o.at)) for o in done if isinstance(o, Build)],
        "removed": [said(rules.writer.unit(o.kind, o.at)) for o in done if isinstance(o, Remove)],
    }
    others: list[str] = []
    for order in done:
        paper = kind_of(order).paper
        if paper is not None and paper.told is not None:
            others.append(said(f"{paper.told[0]} {paper.told[1](order)}"))
    for whose, order in ordered:
        paper = kind_of(order).paper
        if paper is not None and paper.receives is not None and paper.receives(order) == power and paper.received:
            others.append(said(f"{paper.received[0]} {paper.received[1](whose, order)}"))
    return "; ".join([*(f"{said(verb)}: {', '.join(units)}" for verb, units in parts.items() if units), *others])


def _changes(
    rules: Ruleset, before: Mapping[str, str], after: Mapping[str, str], said: Callable[[str], str]
) -> list[dict[str, str]]:
    return [
        {
            "center": rules.board.name_of(center),
            "from": said(before.get(center, "neutral")),
            "to": said(after.get(center, "neutral")),
        }
        for center in rules.board.centers
        if before.get(center) != after.get(center)
    ]
