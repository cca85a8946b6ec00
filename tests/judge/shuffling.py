"""The order in which units, powers and sheets are listed decides nothing.

:func:`judge_shuffled` stands before the judge wherever a test judges a turn: it judges the same turn again, listed
otherwise, and compares all that came of it."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any

import msgspec
import pytest

from legation.judge import Resolution, Ruleset, resolving
from legation.notation import write
from legation.orders import Sheet
from legation.position import Position

Judge = Callable[..., Resolution]


def shuffled_position(position: Position, random: Random) -> Position:
    """The same position, listed otherwise."""
    return msgspec.structs.replace(
        position,
        units=tuple(random.sample(position.units, len(position.units))),
        dislodged=tuple(random.sample(position.dislodged, len(position.dislodged))),
        owners=dict(random.sample(list(position.owners.items()), len(position.owners))),
        slices=_shuffled(position.slices, random),
    )


def _shuffled(kept: Any, random: Random) -> Any:
    """What rules keep, with the keys of its tables in another order."""
    if not isinstance(kept, Mapping):
        return kept
    return {key: _shuffled(kept[key], random) for key in random.sample(list(kept), len(kept))}


def shuffled_sheets(sheets: Iterable[Sheet], random: Random) -> list[Sheet]:
    """The same sheets in another order; those of one power stay in theirs, as the last may count."""
    given = list(sheets)
    powers = [sheet.power for sheet in given]
    random.shuffle(powers)
    by_power = {power: iter([sheet for sheet in given if sheet.power == power]) for power in powers}
    return [next(by_power[power]) for power in powers]


def told(resolution: Resolution) -> dict[str, Any]:
    """All that came of a turn, whatever order it is listed in."""
    after = resolution.after
    return {
        "verdicts": sorted(
            f"{v.power}: {write(v.order)} {v.outcome.value} {v.dislodged_from}: {v.explanation}"
            for v in resolution.verdicts
        ),
        "turn": str(after.turn),
        "units": sorted(f"{u.power}: {u}" for u in after.units),
        "dislodged": sorted(f"{d.unit.power}: {d}" for d in (*after.dislodged, *resolution.dislodged)),
        "contested": sorted(after.contested),
        "owners": dict(sorted(after.owners.items())),
        "state": _sorted(msgspec.to_builtins(after.slices)),
        "retreats": {place: sorted(open_to) for place, open_to in sorted(resolution.retreats.items())},
        "ending": str(resolution.ending),
        "lots": sorted(map(str, resolution.lots)),
        "limits": sorted(resolution.limits),
    }


def _sorted(kept: Any) -> Any:
    """What rules keep, with its tables in one order; lists are as they stand, for games are compared by them."""
    if isinstance(kept, Mapping):
        return {key: _sorted(kept[key]) for key in sorted(kept)}
    if isinstance(kept, list | tuple):
        return [*map(_sorted, kept)]
    return kept


def judge_shuffled(judge: Judge) -> Judge:
    """A judge that judges every turn twice, the second time listed otherwise, and fails where anything differs."""

    def resolve(rules: Ruleset, position: Position, sheets: Iterable[Sheet] = (), seed: str = "") -> Resolution:
        given = list(sheets)
        found = judge(rules, position, given, seed)
        random = Random(f"{position.turn} {len(position.units)} {len(given)}")
        other = judge(rules, shuffled_position(position, random), shuffled_sheets(given, random), seed)
        assert told(other) == told(found), "the order in which units, powers and sheets are listed changes a turn"
        rules_tell = [sorted(s for m in rules.modules for s in m.news(rules, r)) for r in (found, other)]
        assert rules_tell[0] == rules_tell[1], "the order of a listing changes the news"
        return found

    return resolve


@contextmanager
def listing_shuffled() -> Iterator[None]:
    """Every judge in every module judges each turn twice (:func:`judge_shuffled`)."""
    plain = resolving.resolve
    with pytest.MonkeyPatch.context() as patch:
        for module in list(sys.modules.values()):
            if vars(module).get("resolve") is plain and module is not resolving:
                patch.setattr(module, "resolve", judge_shuffled(plain))
        yield


@pytest.fixture(autouse=True, scope="module")
def shuffled_listings() -> Iterator[None]:
    """Every turn that is judged in a room's tests is judged again, listed otherwise; its ``conftest.py`` names this."""
    with listing_shuffled():
        yield
