"""Reports for people: what a turn led to, in plain text."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias

import msgspec

from legation.board import province_of
from legation.game.reading_sheets import Unread
from legation.judge import Ending, Outcome, Resolution, Ruleset, explain_cause
from legation.notation import agrees, capital, listed, possessive, write
from legation.orders import Order, Retreat, Waive, province_at
from legation.position import Phase, Position

Names: TypeAlias = Literal["full", "short"]

MARKS = {
    Outcome.SUCCEEDS: "",
    Outcome.BOUNCED: "bounced",
    Outcome.CUT: "cut",
    Outcome.DISRUPTED: "disrupted",
    Outcome.NO_CONVOY: "stays",
    Outcome.VOID: "void",
    Outcome.ILLEGAL: "illegal",
    Outcome.DISBANDED: "disbanded",
    Outcome.IGNORED: "ignored",
}


CAN_RETREAT = " and can retreat to "
"""What a report says of a dislodged unit until its retreat is over."""

RANKING = "Ranking"
AGREED = "the players agreed"
"""The reason for a draw in a record of another system, which tells none."""
_WORDS = re.compile(r"[\w/]+|[^\w/]+")
_TO_PLACES = frozenset(["reach", "in", "to", "from"])
PLAIN = frozenset(["unopposed", "stronger", "vacated", "circle"])
"""Why a move succeeds that nobody asks about; every other reason is told."""


def turn_report(
    rules: Ruleset, resolution: Resolution, unread: Iterable[Unread] = (), power: str = "", names: Names = "full"
) -> str:
    """The report of one turn: orders by power with what became of them, dislodged units, centers that changed hands,
    what the rules have to tell, how all stand, what comes next.

    Where it is for one ``power``, who sees only a part, what others have to adjust is left out, and so are the centers
    and powers of which that power cannot know. ``names``: provinces by their names, in sentences, or (``"short"``) by
    their abbreviations."""
    reader = power
    say: Callable[[Order], str] = rules.writer.sentence if names == "full" else write
    lines = [f"{rules.title}: {resolution.before.turn}", ""]
    missed = list(unread)
    for power in rules.powers:
        lost = [u for u in missed if u.power == power]
        own = _orders(rules, resolution, power, say, names, unclear=bool(lost))
        if own or lost:
            lines += [power, *own, *(f"  {u.text[:100]}  not understood ({u.reason})" for u in lost), ""]
    told = _retreated(rules, resolution, names)  # among the orders
    if news := [line for line in happened(rules, resolution, reader, names) if line not in told]:
        lines += [*news, ""]
    lines.append(standing(rules, resolution.after, reader, names, ended=resolution.ending is not None))
    if resolution.ending is not None:
        lines += ["", ended(rules, resolution.ending)]
    else:
        lines += ["", f"Next: {resolution.after.turn}."]
    return "\n".join(lines)


def ended(rules: Ruleset, ending: Ending) -> str:
    """Return how and why a game ended, in a sentence or two."""
    how, why = how_it_ended(rules, ending.kind, ending.powers, ending.tied), ending.reason
    return f"The game has ended. {how}: {why}."


def how_it_ended(rules: Ruleset, kind: str, powers: Sequence[str], tied: Sequence[Sequence[str]] = ()) -> str:
    """Return how a game ended, for people: ``A draw between England and France``."""
    called = [rules.named(power).called for power in powers]
    if kind == "ranking":
        return f"{RANKING}: {_ranking(powers, tied)}"
    if kind == "solo":
        return capital(f"{called[0]} {agrees(powers[0], 'has', 'have')} won")
    if len(powers) < 2:
        return f"A draw for {''.join(called)}"
    return f"A draw between {listed(called)}"


def _ranking(powers: Sequence[str], tied: Sequence[Sequence[str]]) -> str:
    """The places, which are told alike in all languages: ``Franks and Vikings (1), Moors (3)``."""
    together = {power: shared for shared in tied for power in shared}
    told = []
    for place, power in enumerate(powers, 1):
        shared = together.get(power, (power,))
        if power == shared[0]:
            told.append(f"{listed(shared)} ({place})")
    return ", ".join(told)


def place_in_words(power: str, powers: Sequence[str], tied: Sequence[Sequence[str]]) -> str:
    """Return a power's place in a ranking: ``place 2 of 7``, ``shared place 2 of 7``."""
    shared = next((group for group in tied if power in group), [power])
    place = powers.index(shared[0]) + 1
    return f"{'shared place' if len(shared) > 1 else 'place'} {place} of {len(powers)}"


def happened(rules: Ruleset, resolution: Resolution, reader: str = "", names: Names = "full") -> list[str]:
    """What a turn led to besides the outcome of each order, a sentence each: dislodged units, centers that changed
    hands (not told where it is for one ``reader`` who sees only a part), and what the rules have to tell."""
    news = [*_dislodged(rules, resolution, names), *_retreated(rules, resolution, names)]
    news += [] if reader else changes(rules, resolution, names)
    for module in rules.modules:
        news += module.news(rules, resolution)
    return news


def _orders(
    rules: Ruleset, resolution: Resolution, power: str, say: Callable[[Order], str], names: Names, *, unclear: bool
) -> list[str]:
    """A power's orders with what became of them, a line each. ``unclear``: it sent something that was not understood,
    and may have ordered any unit that has no order."""
    none = "no order understood" if unclear else "no order"
    verdicts = [v for v in resolution.verdicts if v.power == power]
    width = max((len(say(v.order)) for v in verdicts), default=0)
    lines = []
    for verdict in verdicts:
        mark = MARKS[verdict.outcome]
        if verdict.dislodged_from:
            mark = f"{mark}, dislodged by an attack from {place(rules, verdict.dislodged_from, names)}".lstrip(", ")
        elif verdict.cause is not None and verdict.cause.kind == "no order":
            mark = none
        line = f"  {say(verdict.order):<{width}}  {mark}".rstrip()
        cause = verdict.cause
        if cause is not None and names == "full":
            cause = msgspec.structs.replace(cause, reason=in_full(rules, cause.reason))
        because = explain_cause(cause, say, rules.writer.unit if names == "full" else None)
        unusual = verdict.outcome is not Outcome.SUCCEEDS or (verdict.cause and verdict.cause.kind not in PLAIN)
        told = verdict.dislodged_from and cause is not None and cause.kind == "dislodged"
        if because and unusual and mark != none and not told:
            line += f"  ({because})" if not mark else f" ({because})"
        lines.append(line)
    return lines


def in_full(rules: Ruleset, reason: str) -> str:
    """A reason with the units and places that it names written out: ``A lon cannot reach tri`` becomes ``Army London
    cannot reach Trieste``.

    An abbreviation that is a word too (``and``) is one of a place only after a unit's letter, a word that leads to a
    place, or another place."""
    parts = _WORDS.findall(reason)
    written: list[str] = []
    named = -9  # where the last place stood
    for i, part in enumerate(parts):
        unit = i > 1 and parts[i - 2] in rules.kinds
        leads = i < 2 or parts[i - 2] in _TO_PLACES or "/" in part
        goes_on = (named == i - 2 and parts[i - 1] == ", ") or (named == i - 4 and parts[i - 2] == "or")
        if part not in rules.board.locations or not (unit or leads or goes_on):
            written.append(part)
            continue
        if unit:
            written[-2:] = [rules.writer.unit(parts[i - 2], part)]
        else:
            written.append(rules.board.name_of(part))
        named = i
    return "".join(written)


def place(rules: Ruleset, location: str, names: Names = "full") -> str:
    """A location by its name, or as its abbreviation."""
    return rules.board.name_of(location) if names == "full" else location


def _dislodged(rules: Ruleset, resolution: Resolution, names: Names) -> list[str]:
    lines = []
    for entry in resolution.dislodged:
        unit = entry.unit
        known = resolution.retreats.get(province_of(unit.at))
        open_to = [place(rules, to, names) for to in known or ()]
        shown = rules.writer.unit(unit.kind, unit.at) if names == "full" else str(unit)
        whose = capital(possessive(rules.powers[unit.power].called))
        if known is None:
            lines.append(f"{whose} {shown} was dislodged.")
        elif open_to:
            lines.append(f"{whose} {shown} was dislodged and can retreat to {listed(open_to, 'or')}.")
        else:
            lines.append(f"{whose} {shown} was dislodged, had no retreat and was disbanded.")
    return lines


def _retreated(rules: Ruleset, resolution: Resolution, names: Names) -> list[str]:
    lines = []
    for entry in resolution.before.dislodged:
        unit = entry.unit
        own = [v for v in resolution.verdicts if v.power == unit.power and province_at(v.order) == unit.province]
        gone_to = [v.order.to for v in own if isinstance(v.order, Retreat) and v.outcome is Outcome.SUCCEEDS]
        if own:
            shown = rules.writer.unit(unit.kind, unit.at) if names == "full" else str(unit)
            whose = capital(rules.named(unit.power).whose)
            if gone_to:
                lines.append(f"{whose} dislodged {shown} retreated to {place(rules, gone_to[0], names)}.")
            else:
                lines.append(f"{whose} dislodged {shown} was disbanded.")
    return lines


def changes(rules: Ruleset, resolution: Resolution, names: Names = "full") -> list[str]:
    """The centers that changed hands, a line for each power that took any, and the powers that were eliminated."""
    before, after = resolution.before, resolution.after
    taken: dict[str, list[str]] = {}
    for center, owner in after.owners.items():
        earlier = before.owners.get(center)
        if earlier != owner:
            name = place(rules, center, names)
            taken.setdefault(owner, []).append(f"{name} (from {rules.powers[earlier].called})" if earlier else name)
    called = {power.name: power.called for power in rules.powers.values()}
    lines = [f"{called[power]} {agrees(power, 'takes', 'take')} {listed(places)}." for power, places in taken.items()]
    left = after.survivors()
    lines += [
        f"{called[power]} {agrees(power, 'is', 'are')} eliminated."
        for power in rules.powers
        if power in before.survivors() and power not in left
    ]
    return [capital(line) for line in lines]


def on_one_line(line: str) -> str:
    """Return a line of a report without its columns: ``Army Paris holds: no order``."""
    columns = re.fullmatch(r"(.*\S) {2,}(\S.*)", line.strip())
    parts = columns.groups() if columns else (line,)
    return (" " if parts[-1].startswith("(") else ": ").join(" ".join(part.split()) for part in parts)


def count(number: int, thing: str) -> str:
    """``1 center``, ``2,000 centers``."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def standing(
    rules: Ruleset, position: Position, reader: str = "", names: Names = "full", *, ended: bool = False
) -> str:
    """Units and centers of each power, a line each; in adjustments what each, or only the reader, may build or must
    remove, unless the game has ended."""
    rows = []
    for power in rules.powers:
        units = position.units_of(power)
        centers = position.centers_of(power)
        if not units and not centers:
            continue
        size = rules.size(position, power)
        own = count(len(units), "unit")
        if size != len(units):
            own = f"{own} that counts as {size}" if len(units) == 1 else f"{own} that count as {size}"
        row = f"{power}: {count(len(centers), 'center')}, {own}"
        limit = rules.limit(position, power)
        if limit != len(centers) and reader in ("", power):
            row += f", limit {limit}"
        if position.turn.phase is Phase.ADJUSTMENTS and not ended and reader in ("", power):
            row += f" ({business(rules, position, power, names)})"
        rows.append(row)
    return "\n".join(rows)


def business(rules: Ruleset, position: Position, power: str, names: Names = "full") -> str:
    """What a power has to do in adjustments or placement: ``may build 2``, ``must remove 1``, ``nothing``."""
    room = rules.limit(position, power) - rules.size(position, power)
    if room < 0:
        return f"must remove {-room}"
    sites = [place(rules, site, names) for site in rules.build_sites(position, power)]
    if not room or not sites:
        return "nowhere to build" if room else "nothing to adjust"
    many, where = min(room, len(sites)), listed(sites, "or")
    if position.turn.phase is not Phase.PLACEMENT:
        return f"may build {many} in {where}"
    may = Waive in rules.order_kinds[Phase.PLACEMENT]
    return f"may place {many} in {where}" if may else f"places {many} in {where}"
