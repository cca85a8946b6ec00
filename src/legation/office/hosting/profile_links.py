"""Who shows a profile: the number by which a name leads there."""

from __future__ import annotations

from collections.abc import Iterable

from legation.office.context import CommandContext
from legation.office.preferences import read_preferences
from legation.office.store.rows import PersonRow


def profile_of(act: CommandContext, person: PersonRow | None) -> int | None:
    """Return the number by which a person's profile is found; None for who shows none."""
    if person is None or not person.confirmed or not read_preferences(person.preferences).profile:
        return None
    return act.office.numbers.shown("person", person.id)


def profiles_of(act: CommandContext, people: Iterable[int | None]) -> dict[int, int]:
    """Return the numbers of those of these people who show a profile, by the people's rows."""
    wanted = sorted({person for person in people if person is not None})
    rows = act.tx.all(PersonRow, id=wanted)
    return {row.id: number for row in rows if (number := profile_of(act, row)) is not None}
