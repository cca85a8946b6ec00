"""A year of a game told in plain text, from its turns: what was fought for, what changed hands, who is near to winning.

Paragraphs are apart by an empty line; a line that begins with ``#`` is a heading."""

from collections.abc import Iterator, Mapping, Sequence

from legation.board import province_of
from legation.game.report import count, ended
from legation.judge import Outcome, Resolution, Ruleset
from legation.notation import agrees, capital, kind_of, listed
from legation.orders import Move, Retreat
from legation.position import Phase, Position

LEADERS = 3  # powers of whom it is told how near they are to winning
CONTESTED = 3  # places of which it is told how often they were fought for


def chronicle(rules: Ruleset, turns: Sequence[Resolution], owners_before: Mapping[str, str]) -> str:
    """Tell a year. ``turns`` are its turns in order; ``owners_before`` are the centers before it."""
    last = turns[-1]
    parts = [
        _lead(rules, last, owners_before),
        *_section("Battles", [*(_battles(rules, turn, turns) for turn in turns), _contested(rules, turns)]),
        *_section("Centers", [" ".join(_centers(rules, last.after, owners_before))]),
        *_section("Capitals", [_capitals(rules, last.after, owners_before)]),
        *_section("Supply", [" ".join(_supply(rules, turns))]),
    ]
    if last.ending is None:
        parts += _section("Who is near to winning", [_nearest(rules, last.after)])
    return "\n\n".join(parts)


def _section(heading: str, sentences: Sequence[str]) -> list[str]:
    told = [sentence for sentence in sentences if sentence]
    return [f"# {heading}", *told] if told else []


def _called(rules: Ruleset, power: str) -> str:
    return rules.named(power).called


def _owned(owners: Mapping[str, str], power: str) -> set[str]:
    return {center for center, owner in owners.items() if owner == power}


def _lead(rules: Ruleset, last: Resolution, before: Mapping[str, str]) -> str:
    """The year in a few sentences: how much changed hands, who gained and lost most, who leads."""
    after = last.after
    if last.ending is not None:
        return ended(rules, last.ending)
    moved = [center for center, owner in after.owners.items() if before.get(center) != owner]
    gains = {p: len(after.centers_of(p)) - len(_owned(before, p)) for p in rules.powers}
    sentences = [
        f"{capital(count(len(moved), 'center'))} changed hands in the year that ends with {last.before.turn.name}."
        if moved
        else f"No center changed hands in the year that ends with {last.before.turn.name}."
    ]
    gained, lost = max(gains.values()), min(gains.values())
    if gained > 0:
        who = capital(listed([_called(rules, power) for power, gain in gains.items() if gain == gained]))
        sentences.append(f"{who} gained most, {gained}.")
    if lost < 0:
        who = capital(listed([_called(rules, power) for power, gain in gains.items() if gain == lost]))
        sentences.append(f"{who} lost most, {-lost}.")
    return " ".join([*sentences, _leaders(rules, after)])


def _leaders(rules: Ruleset, after: Position) -> str:
    most = max((len(after.centers_of(power)) for power in rules.powers), default=0)
    leaders = [power for power in rules.powers if len(after.centers_of(power)) == most]
    centers = count(most, "center")
    if len(leaders) == len(rules.powers):
        return f"Every power has {centers}."
    who = capital(listed([_called(rules, power) for power in leaders]))
    if len(leaders) > 1:
        return f"{who} lead with {centers}."
    return f"{who} {agrees(leaders[0], 'leads', 'lead')} with {centers}."


# Battles


def _battles(rules: Ruleset, turn: Resolution, turns: Sequence[Resolution]) -> str:
    if turn.before.turn.phase is not Phase.MOVEMENT:
        return ""
    sentences = [*_driven_out(rules, turn, turns), *_held(rules, turn)]
    return " ".join([f"{turn.before.turn.name}:", *sentences]) if sentences else ""


def _driven_out(rules: Ruleset, turn: Resolution, turns: Sequence[Resolution]) -> Iterator[str]:
    winners = {
        province_of(v.order.to): v.power
        for v in turn.verdicts
        if isinstance(v.order, Move) and v.outcome is Outcome.SUCCEEDS
    }
    fled = {
        (str(later.before.turn.name), v.power, province_of(v.order.at)): v.order.to
        for later in turns
        for v in later.verdicts
        if isinstance(v.order, Retreat) and v.outcome is Outcome.SUCCEEDS
    }
    for entry in turn.dislodged:
        unit = entry.unit
        place = rules.board.name_of(unit.province)
        kind = rules.kinds[unit.kind].name
        winner = winners.get(unit.province)
        to = fled.get((turn.before.turn.name, unit.power, unit.province))
        whose = rules.named(unit.power).whose
        fate = f"which retreated to {rules.board.name_of(to)}" if to else "which was disbanded"
        if winner:
            yield f"{capital(_called(rules, winner))} drove {whose} {kind} out of {place}, {fate}."
        else:
            yield f"{capital(whose)} {kind} was driven out of {place}, {fate}."


def _repelled(turn: Resolution) -> dict[str, list[str]]:
    """By province, the powers of the moves into it that bounced."""
    tried: dict[str, list[str]] = {}
    for verdict in turn.verdicts:
        if isinstance(verdict.order, Move) and verdict.outcome is Outcome.BOUNCED:
            tried.setdefault(province_of(verdict.order.to), []).append(verdict.power)
    return tried


def _held(rules: Ruleset, turn: Resolution) -> Iterator[str]:
    """Centers whose units beat others off, by who held them."""
    there = {unit.province: unit for unit in turn.before.units}
    held: dict[str, list[str]] = {}
    for place, powers in _repelled(turn).items():
        unit = there.get(place)
        if unit in turn.after.units and unit is not None and place in rules.board.centers and unit.power not in powers:
            attackers = listed(list(dict.fromkeys(_called(rules, power) for power in powers)))
            held.setdefault(unit.power, []).append(f"{rules.board.name_of(place)} (against {attackers})")
    for power, places in held.items():
        yield f"{capital(_called(rules, power))} held {listed(places)}."


def _contested(rules: Ruleset, turns: Sequence[Resolution]) -> str:
    """The places that most attacks failed to get into, over the year."""
    tried: dict[str, list[str]] = {}
    for turn in turns:
        for place, powers in _repelled(turn).items():
            tried.setdefault(place, []).extend(powers)
    among = {place: powers for place, powers in tried.items() if len(set(powers)) > 1}
    most = sorted(among, key=lambda place: -len(among[place]))[:CONTESTED]
    told = [
        f"{rules.board.name_of(place)} ({listed([*dict.fromkeys(among[place])])}, {count(len(among[place]), 'move')})"
        for place in most
    ]
    return f"Most moves failed at {'; '.join(told)}." if told else ""


# What was won


def _centers(rules: Ruleset, after: Position, before: Mapping[str, str]) -> Iterator[str]:
    """What each power took, with from whom; then who is eliminated."""
    for power in rules.powers:
        by_source: dict[str, list[str]] = {}
        for center in rules.board.centers:
            if after.owners.get(center) == power != before.get(center):
                by_source.setdefault(before.get(center, ""), []).append(rules.board.name_of(center))
        if by_source:
            free = sorted(by_source.pop("", []))
            taken = [f"{listed(sorted(places))} (from {_called(rules, whose)})" for whose, places in by_source.items()]
            took = listed([*taken, *free])
            yield f"{capital(_called(rules, power))} took {took}."
    left = after.survivors()
    for power in rules.powers:
        if power not in left and _owned(before, power):
            yield f"{capital(_called(rules, power))} {agrees(power, 'is', 'are')} eliminated."


def _capitals(rules: Ruleset, after: Position, before: Mapping[str, str]) -> str:
    """Who owns which capital, with those that changed hands this year told as such."""
    owned: dict[str, list[str]] = {}
    for place in (place for group in rules.dense_form.capitals for place in group):
        owner, earlier = after.owners.get(place), before.get(place)
        new = " (taken this year)" if owner and owner != earlier else ""
        owned.setdefault(owner or "", []).append(f"{rules.board.name_of(place)}{new}")
    free = owned.pop("", [])
    sentences = [
        f"{capital(_called(rules, power))} {agrees(power, 'holds', 'hold')} {listed(places)}."
        for power, places in owned.items()
    ]
    if free:
        sentences.append(f"Nobody holds {listed(free, 'or')}.")
    return " ".join(sentences)


def _supply(rules: Ruleset, turns: Sequence[Resolution]) -> Iterator[str]:
    """What powers did for others by orders of the rules, such as supply that was sent."""
    for turn in turns:
        for verdict in turn.verdicts:
            paper = kind_of(verdict.order).paper
            if verdict.outcome is Outcome.SUCCEEDS and paper is not None and paper.told is not None and paper.receives:
                verb, words = paper.told
                yield f"{capital(_called(rules, verdict.power))} {verb} {words(verdict.order)}."


# Who is near to winning


def _nearest(rules: Ruleset, after: Position) -> str:
    """How many centers those who lead have, and what they lack to win."""
    marks = rules.dense_form.marks
    lacks = {p: marks[p] - len(after.centers_of(p)) for p in rules.powers if p in marks and after.centers_of(p)}
    near = sorted(lacks, key=lambda power: lacks[power])
    if not near:
        return ""
    groups = rules.dense_form.capitals
    worst = lacks[near[min(LEADERS, len(near)) - 1]]
    alike: dict[tuple[int, int, int], list[str]] = {}
    for power in [power for power in near if lacks[power] <= worst]:
        owned = after.centers_of(power)
        with_capital = sum(any(place in owned for place in group) for group in groups)
        alike.setdefault((len(owned), marks[power], with_capital), []).append(power)
    same = len(set(marks.values())) == 1
    needed = f" and a capital in each of {len(groups)} kingdoms" if groups else ""
    sentences = [f"To win takes {count(marks[near[0]], 'center')}{needed}."] if same else []
    for (owned_by, mark, with_capital), powers in alike.items():
        owned_of = str(owned_by) if same else f"{owned_by}/{mark}"
        told = f", with a capital in {with_capital}" if with_capital else ", without a capital"
        sentences.append(_near(rules, powers, owned_of, told if groups else ""))
    return " ".join(sentences)


def _near(rules: Ruleset, powers: Sequence[str], owned: str, told: str) -> str:
    """Return what powers that are alike have: ``France and Germany have 12 each so far.``"""
    who = capital(listed([_called(rules, power) for power in powers]))
    if len(powers) > 1:
        return f"{who} have {owned} each so far{told}." if told else f"{who} have {owned} each so far."
    one = powers[0]
    if told:
        return f"{who} {agrees(one, 'has', 'have')} {owned} so far{told}."
    return f"{who} {agrees(one, 'has', 'have')} {owned} so far."
