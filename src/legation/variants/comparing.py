"""Two variants held against each other: what differs, in words and by province."""

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from legation.board import Board, Province, province_of
from legation.judge import Ruleset


class VariantDifference(msgspec.Struct, frozen=True):
    """One thing that differs: what it is about (``board``, ``powers``, ``rules``, ``options``), in words, and the
    provinces that it touches."""

    about: str
    text: str
    provinces: tuple[str, ...] = ()


def compare_variants(before: Ruleset, after: Ruleset) -> list[VariantDifference]:
    """Return what differs between two variants, the board first; nothing if games on both go alike.

    Provinces are told by their ids, powers by their names: one that was renamed is one that went and one that came."""
    return [
        *_boards(before.board, after.board),
        *_borders(before.board, after.board),
        *_powers(before, after),
        *_rules(before, after),
    ]


def _boards(before: Board, after: Board) -> Iterator[VariantDifference]:
    old, new = before.provinces, after.provinces
    for gone in (p for p in old.values() if p.id not in new):
        yield VariantDifference("board", f"{gone.name} ({gone.id}) is gone", (gone.id,))
    for come in (p for p in new.values() if p.id not in old):
        yield VariantDifference("board", f"{come.name} ({come.id}) is new: {_kind(come)}", (come.id,))
    for was, now in ((old[key], new[key]) for key in old if key in new):
        if was.name != now.name:
            yield VariantDifference("board", f"{was.name} is called {now.name}", (now.id,))
        if _kind(was) != _kind(now):
            yield VariantDifference("board", f"{now.name} was {_kind(was)} and is {_kind(now)}", (now.id,))
        if was.coasts != now.coasts:
            yield VariantDifference(
                "board", f"{now.name}: coasts {_listed(was.coasts)} before, now {_listed(now.coasts)}", (now.id,)
            )


def _kind(province: Province) -> str:
    place = "sea" if province.sea else "coast" if province.shore else "inland"
    return f"{place} with a supply center" if province.center else place


def _borders(before: Board, after: Board) -> Iterator[VariantDifference]:
    both = before.provinces.keys() & after.provinces.keys()
    old, new = (_passages(board, both) for board in (before, after))
    for a, b in sorted(old.keys() | new.keys()):
        was, now = old.get((a, b), "closed"), new.get((a, b), "closed")
        if was != now:
            text = f"the border of {a} and {b} was {was} and is {now}"
            yield VariantDifference("board", text, (province_of(a), province_of(b)))


def _passages(board: Board, provinces: Iterable[str]) -> dict[tuple[str, str], str]:
    found = {}
    for border in board.borders:
        if province_of(border.a) in provinces and province_of(border.b) in provinces:
            open_to = [word for word, may in (("armies", border.army), ("fleets", border.fleet)) if may]
            way = f", from {border.a} alone" if border.one_way else ""
            found[border.a, border.b] = f"open to {' and '.join(open_to)}{way}" if open_to else "closed"
    return found


def _powers(before: Ruleset, after: Ruleset) -> Iterator[VariantDifference]:
    for name in (n for n in before.powers if n not in after.powers):
        yield VariantDifference("powers", f"{name} is gone")
    for name in (n for n in after.powers if n not in before.powers):
        yield VariantDifference("powers", f"{name} is new", tuple(after.powers[name].homes))
    parts: tuple[tuple[str, Callable[[Ruleset, str], Iterable[str]]], ...] = (
        ("home centers", lambda rules, name: rules.powers[name].homes),
        ("centers at the start", lambda rules, name: (c for c, owner in rules.start_owners.items() if owner == name)),
        ("units at the start", lambda rules, name: (str(u) for u in rules.start if u.power == name)),
    )
    for name in (n for n in before.powers if n in after.powers):
        for what, of in parts:
            was, now = set(of(before, name)), set(of(after, name))
            if was != now:
                touched = tuple(sorted(province_of(place.split(" ")[-1]) for place in was ^ now))
                yield VariantDifference("powers", f"{name}: {what} {_change(was, now)}", touched)


def _rules(before: Ruleset, after: Ruleset) -> Iterator[VariantDifference]:
    old, new = ({module.key: module for module in rules.modules} for rules in (before, after))
    for key in sorted(old.keys() - new.keys()):
        yield VariantDifference("rules", f"{key} is no longer a rule")
    for key in sorted(new.keys() - old.keys()):
        yield VariantDifference(
            "rules", f"{key} is a new rule: {' '.join(new[key].describe(after)) or 'it says nothing of itself'}"
        )
    for key in sorted(old.keys() & new.keys()):
        for name, was, now in _changed(old[key].settings, new[key].settings):
            yield VariantDifference("rules", f"{key}: {name} was {was} and is {now}")
    for name, was, now in _changed(before.options, after.options):
        yield VariantDifference("options", f"{name} was {was} and is {now}")


def _changed(before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[tuple[str, str, str]]:
    for name in sorted({*before, *after}):
        was, now = (msgspec.json.encode(part.get(name)).decode() for part in (before, after))
        if was != now:
            yield name, was, now


def _change(was: set[str], now: set[str]) -> str:
    parts = [f"without {_listed(sorted(was - now))}"] if was - now else []
    return " and ".join(parts + ([f"with {_listed(sorted(now - was))}"] if now - was else []))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"
