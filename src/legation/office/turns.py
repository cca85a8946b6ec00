"""Turns: how one opens, who has to send orders in it, and its documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from legation.game import position_document, read_position
from legation.judge import Ruleset, commitment, has_business
from legation.office import schedules, seals
from legation.office.act import Act, Scene
from legation.office.clock import micros, moment, moment_or_none
from legation.office.records import Document, TurnRecord
from legation.office.store import Transaction, pack, unpack
from legation.office.store.rows import AbsenceRow, GameRow, SeatRow, TurnRow
from legation.position import Phase, Position


def turn_key(name: str) -> str:
    """``Summer 1643 Movement`` is ``1643-summer-movement`` in addresses; ``1425 Movement`` is ``1425-movement``."""
    words = name.lower().split()
    return re.sub(r"[^a-z0-9]+", "-", " ".join([words[-2], *words[:-2], words[-1]]))


def key_name(game_key: str, number: int) -> str:
    """The name of a turn's key at the keeper."""
    return f"{game_key}.{number}"


def phase_of(turn: TurnRow) -> str:
    """``Movement``, ``Retreats``, ``Adjustments``, ``Placement``."""
    return turn.name.rpartition(" ")[2]


def position_of(rules: Ruleset, packed: bytes) -> Position:
    """A stored position, as the judge needs it."""
    return _position(rules, packed)


@lru_cache(maxsize=512)
def _position(rules: Ruleset, packed: bytes) -> Position:
    return position_from(rules, unpack(packed))


def position_from(rules: Ruleset, document: Document) -> Position:
    """A position from its document."""
    faults: list[str] = []
    position = read_position(rules, document, faults)
    if faults:
        raise ValueError(f"a stored position cannot be read: {faults}")
    return position


def awaited_powers(rules: Ruleset, position: Position) -> tuple[str, ...]:
    """The powers that have something to order in a position."""
    phase = position.turn.phase
    if phase is Phase.MOVEMENT:
        awaited = {u.power for u in position.units}
    elif phase is Phase.RETREATS:
        awaited = {d.unit.power for d in position.dislodged}
    else:
        awaited = {power for power in rules.powers if has_business(rules, position, power)}
    return tuple(p for p in rules.powers if p in awaited and not rules.refuses_orders(position, p))


def prepare_key(act: Act, scene: Scene, number: int, due: datetime | None) -> bytes:
    """The public key of a turn from the keeper; asked again, the same one."""
    return act.office.keeper.make(key_name(scene.row.key, number), due, scene.settings.ready_ends)


def open_turn(act: Act, scene: Scene, position: Position, number: int, season_opened: int) -> TurnRow:
    """Open a turn: its key made, its deadline set, its lots committed to, the closing due.

    A turn that was put aside before opens anew with the position it has now.
    """
    rules, game = scene.rules, scene.row
    name = str(position.turn)
    due = first_deadline(scene, position, season_opened, first=number == 1, absent=True)
    awaited = awaited_powers(rules, position)
    public = prepare_key(act, scene, number, due)
    document = pack(position_document(rules, position))
    known = act.tx.find(TurnRow, game=game.id, number=number, lock=True)
    if known is None:
        seed = act.office.chance.bytes(32).hex()
        turn = act.tx.add(
            TurnRow(
                game=game.id,
                number=number,
                name=name,
                key=turn_key(name),
                state="open",
                opened=act.at,
                season_opened=season_opened,
                deadline=micros(due),
                first_deadline=micros(due),
                public_key=public,
                seed=seals.seal(public, seed.encode()),
                seed_commitment=commitment(seed),
                position=document,
                awaited="\n".join(awaited),
            )
        )
    else:
        later = max(micros(due), known.deadline)
        turn = act.tx.change(
            known, name=name, key=turn_key(name), state="open", opened=act.at, season_opened=season_opened,
            deadline=later, position=document, awaited="\n".join(awaited), closed=None, result=b"", sheets=b"",
        )  # fmt: skip
        act.office.keeper.move(key_name(game.key, number), moment(later))
    scene.row = act.tx.change(game, turn=number)
    _count(act, scene, position)
    scene.note(
        "turn opened", role="clock", turn=turn, name=name, number=number,
        deadline=moment(turn.deadline).isoformat(), seed_commitment=turn.seed_commitment, awaited=list(awaited),
    )  # fmt: skip
    schedule_turn(act, scene, turn)
    return turn


def schedule_turn(act: Act, scene: Scene, turn: TurnRow) -> None:
    """Have a turn closed at its deadline, its players reminded before, and its bots asked now."""
    grace = scene.settings.grace * 60_000_000
    act.due("close turn", f"turn {turn.id} close", turn.deadline + grace, scene.row, turn=turn.id)
    for hours, seats in _reminders(scene).items():
        remind = turn.deadline - hours * 3_600_000_000
        if hours and remind > act.at:
            act.due("remind", f"turn {turn.id} remind {hours}", remind, scene.row, turn=turn.id, seats=seats)
    awaited = turn.awaited.split("\n")
    if any(seat.bot and seat.power in awaited for seat in scene.seats.values()):
        act.due("bot orders", f"turn {turn.id} bots", act.at, scene.row, turn=turn.id)


def _reminders(scene: Scene) -> dict[int, list[int]]:
    """How many hours before a deadline whose seats are reminded: as each person prefers, else as the game is set; 0 is
    never."""
    seats: dict[int, list[int]] = {}
    for seat, person in scene.people():
        hours = unpack(person.preferences).get("reminder_hours")
        seats.setdefault(scene.settings.reminder_hours if hours is None else hours, []).append(seat.id)
    return seats


def first_deadline(scene: Scene, position: Position, season_opened: int, *, first: bool, absent: bool) -> datetime:
    """When a turn that opens now is due: by the schedule, and after the absences that count."""
    plan = scene.settings.plan()
    due = schedules.deadline(plan, position.turn.phase.value, scene.act.now, moment(season_opened), first=first)
    return out_of_absences(scene, due) if absent else due


def out_of_absences(scene: Scene, due: datetime) -> datetime:
    """A deadline, moved out of the days on which who holds a seat is away, as far as the game allows."""
    most = scene.settings.absence_days
    if not most:
        return due
    away = absences_of(scene.act.tx, [s.person for s in scene.seats.values() if s.person is not None])
    return schedules.after_absences(scene.settings.plan(), due, away, most)


def absences_of(tx: Transaction, people: Sequence[int]) -> list[tuple[date, date]]:
    """The absences of these people."""
    rows = tx.all(AbsenceRow, person=list(people)) if people else []
    return [(date.fromisoformat(row.first), date.fromisoformat(row.last)) for row in rows]


def _count(act: Act, scene: Scene, position: Position) -> None:
    """Keep each seat's units and centers, for lists."""
    surviving = set(position.survivors()) if position.turn.phase is not Phase.PLACEMENT else set(scene.seats)
    for power, seat in scene.seats.items():
        units, centers = len(position.units_of(power)), len(position.centers_of(power))
        survives = power in surviving
        if (seat.units, seat.centers, seat.survives) != (units, centers, survives):
            scene.seats[power] = act.tx.change(seat, units=units, centers=centers, survives=survives)


def awaited_seats(scene: Scene, turn: TurnRow) -> list[SeatRow]:
    """The seats from which orders are awaited: those with something to order whose holder is there."""
    awaited = turn.awaited.split("\n")
    return [s for s in scene.seats.values() if s.power in awaited and s.state in ("held", "bot")]


def turn_record(turn: TurnRow, note: str = "") -> TurnRecord:
    """A turn in a line."""
    return TurnRecord(
        number=turn.number, name=turn.name, key=turn.key, state=turn.state, opened=moment(turn.opened),
        deadline=moment(turn.deadline), first_deadline=moment(turn.first_deadline),
        published=moment_or_none(turn.published), seed_commitment=turn.seed_commitment, note=note,
    )  # fmt: skip


def document_of(turn: TurnRow) -> Document:
    """The position of a turn as a document."""
    document: dict[str, Any] = unpack(turn.position)
    return document


def scene_of(act: Act, turn_id: int) -> tuple[Scene, TurnRow]:
    """A turn with its game, for the clock."""
    turn = act.tx.get(TurnRow, turn_id, lock=True)
    return Scene(act, act.tx.get(GameRow, turn.game, lock=True)), turn


def results_due(scene: Scene, turn: TurnRow) -> int | None:
    """By when a turn's results are wanted: when the season's retreats are due, or the season ends.

    None where the schedule knows no calendar of seasons.
    """
    plan, retreats = scene.settings.plan(), Phase.RETREATS.value
    if phase_of(turn) == Phase.MOVEMENT.value and plan.step(retreats).season:
        return micros(schedules.deadline(plan, retreats, moment(turn.opened), moment(turn.season_opened)))
    return season_ends(scene, turn)


def season_ends(scene: Scene, turn: TurnRow) -> int | None:
    """When the next season opens at the earliest."""
    ends = schedules.season_end(scene.settings.plan(), turn.name.rpartition(" ")[2], moment(turn.season_opened))
    return micros(ends) if ends is not None else None
