"""Turns: how one opens, who has to send orders in it, and its documents."""

from collections.abc import Collection, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any

from legation.game import position_document, read_position
from legation.game.playing import awaited_powers
from legation.judge import Ruleset
from legation.office.clock import micros, moment
from legation.office.context import CommandContext, GameContext
from legation.office.errors import NotFoundError, UnavailableError
from legation.office.game import chain
from legation.office.game.orders_ahead import (
    LaterKey,
    later_keys,
    make_later_keys,
    new_name,
    schedule_skipped,
    turn_key,
)
from legation.office.game.postal_addresses import days_to_coordinator
from legation.office.keys.notices import KeyRequest, Opened
from legation.office.office import Office
from legation.office.pinned_rules import keep_rules
from legation.office.preferences import read_preferences
from legation.office.records import Document, TurnRecord, record_of
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import AbsenceRow, GameRow, HoldingRow, JournalRow, SeatRow, TurnRow
from legation.office.store.transaction import Transaction
from legation.office.terms import schedules
from legation.position import Phase, Position
from legation.proofs import kinds
from legation.proofs.lots import turn_commitment, turn_secret
from legation.proofs.results import position_text


def phase_of(turn: TurnRow) -> str:
    """``Movement``, ``Retreats``, ``Adjustments``, ``Placement``."""
    return turn.name.rpartition(" ")[2]


@lru_cache(maxsize=512)
def position_of(rules: Ruleset, packed: bytes) -> Position:
    """A stored position, as the judge needs it."""
    return position_from(rules, unpack(packed))


def position_from(rules: Ruleset, document: Document) -> Position:
    """A position from its document."""
    faults: list[str] = []
    position = read_position(rules, document, faults)
    if faults:
        raise ValueError(f"a stored position cannot be read: {faults}")
    return position


def opening_of(scene: GameContext) -> Position:
    """The position that the game's first turn opens in: where it was taken over, for one that was begun elsewhere."""
    row = scene.tx.find(JournalRow, game=scene.row.id, kind="imported")
    return scene.rules.opening() if row is None else position_from(scene.rules, unpack(row.facts)["position"])


def effective_close(scene: GameContext, deadline: int) -> int:
    """Return the close of a turn with this deadline, grace included, in microseconds."""
    return deadline + scene.settings.grace * 60_000_000


def open_turn(
    scene: GameContext,
    position: Position,
    number: int,
    season_opened: int,
    instead_of: TurnRow | None = None,
    lost: Collection[str] = (),
) -> TurnRow:
    """Open a turn: its key made, its deadline set, its lots committed to, the closing due. A turn that was put aside
    before opens anew with the position it has now; where another turn follows now, it stays aside with all that was
    sent for it. ``instead_of``: the row of the same turn whose key is lost, and ``lost`` the turns whose keys are."""
    rules, game, name = scene.rules, scene.row, str(position.turn)
    awaited = awaited_powers(rules, position)
    known, sealed_by, ahead = _place_of(scene, number, name)
    if instead_of is not None:
        sealed_by, ahead = new_name(scene, name), later_keys(instead_of)
    plan, phase = scene.settings.plan(), position.turn.phase.value
    due = schedules.deadline(plan, phase, scene.now, moment(season_opened), first=number == 1)
    deadline = micros(out_of_absences(scene, due, awaited))
    closes = effective_close(scene, deadline)
    if (earlier := known or instead_of) is not None:
        deadline = max(deadline, earlier.deadline)
        closes = max(effective_close(scene, deadline), earlier.closes)
    secret = turn_commitment(turn_secret(chain.secret_of(scene), name))
    ready = scene.settings.ready_ends
    signing = [scene.seats[power] for power in awaited] if ready and not chain.hides(scene) else []
    keys = {seat.power: seat.key for seat in signing if seat.person is not None}
    request = KeyRequest(closes, ready, scene.office.public_key, game.ref, name, secret, seats=keys)
    opened = scene.office.keeper.make(sealed_by, request)
    if instead_of is None and name in ahead and ahead[name].public != opened.public:
        raise UnavailableError(f"The key for {name}, which sealed orders in advance, is lost.")
    values: dict[str, Any] = {
        "name": name,
        "key": turn_key(name),
        "state": "open",
        "opened": scene.at,
        "season_opened": season_opened,
        "deadline": deadline,
        "closes": closes,
        "position": pack(position_document(rules, position)),
        "awaited": "\n".join(awaited),
        "early": expected(scene, awaited, earlier),
        "ahead": make_later_keys(scene, position.turn, sealed_by, ahead, lost),
    }
    if known is None:
        values |= {"first_deadline": deadline, "public_key": bytes.fromhex(opened.public), "sealed_by": sealed_by}
        turn = scene.tx.add(TurnRow(game=game.id, number=number, seed_commitment=secret, **values))
    else:
        turn = scene.tx.change(known, number=number, closed=None, result=b"", sheets=b"", **values)
        scene.office.keeper.move(sealed_by, moment(closes))
        opened = scene.office.keeper.make(sealed_by, KeyRequest())
    scene.row = scene.tx.change(game, turn=number, kept=keep_rules(scene.tx, scene.office.variants, game))
    count_seats(scene, position)
    _tell_opened(scene, turn, awaited)
    _write_opening(scene, turn, position, opened)
    schedule_turn(scene, turn)
    return turn


def _tell_opened(scene: GameContext, turn: TurnRow, awaited: Sequence[str]) -> None:
    scene.append_journal(
        "turn opened",
        role="clock",
        turn=turn,
        name=turn.name,
        number=turn.number,
        deadline=moment(turn.deadline).isoformat(),
        seed_commitment=turn.seed_commitment,
        awaited=list(awaited),
    )
    for seat, person in scene.people():
        if seat.power in awaited:
            scene.act.push("turn", person, scene.row, turn, seat.power)


def _place_of(scene: GameContext, number: int, name: str) -> tuple[TurnRow | None, str, dict[str, LaterKey]]:
    """The turn of this name if it was put aside before, its key's name, and the keys of its season that are known."""
    tx, game = scene.tx, scene.row
    present = {turn.number: turn for turn in tx.all(TurnRow, game=game.id, number=[number - 1, number], lock=True)}
    other, before = present.get(number), present.get(number - 1)
    if other is not None and other.name != name:
        tx.change(other, number=-other.id)
    known = next(iter(tx.all(TurnRow, game=game.id, name=name, state="aside", order="-id", limit=1)), None)
    ahead = later_keys(before) if before is not None else {}
    if known is not None:
        return known, known.sealed_by, {}
    if name in ahead:
        return None, ahead[name].name, ahead
    return None, f"{game.key}.{number}" if other is None else f"{game.key}.{turn_key(name)}", ahead


def _write_opening(scene: GameContext, turn: TurnRow, position: Position, opened: Opened) -> None:
    rules, name, awaited = scene.rules, turn.name, [power for power in turn.awaited.split("\n") if power]
    made = kinds.TurnLine(
        turn=name,
        number=turn.number,
        due=opened.due,
        key=opened.public,
        office_key="",
        secret=turn.seed_commitment,
        part=opened.part,
        keeper=opened.signature,
    )
    line = chain.write(scene, "turn opened", made)
    if position.turn.phase in (Phase.MOVEMENT, Phase.PLACEMENT):
        schedule_skipped(scene, line, turn)

    def standing(seat: str, shown: Position) -> kinds.StandingLine:
        told = [power for power in awaited if seat in ("", power)]
        return kinds.StandingLine(turn=name, seat=seat, awaited=told, position=position_text(rules, shown))

    if not chain.hides(scene):
        chain.write(scene, "standing", standing("", position))
        return
    views = [("standing", standing(power, rules.seen(position, power)), scene.seats[power]) for power in rules.powers]
    chain.write_private_line(scene, [("standing", standing("", position), None), *views], in_order=True)


def schedule_turn(scene: GameContext, turn: TurnRow) -> None:
    """Have a turn closed at its deadline, its players reminded before, and its bots asked now."""
    schedule_closing(scene, turn)
    for hours, seats in _reminders(scene).items():
        remind = turn.deadline - hours * 3_600_000_000
        if hours and remind > scene.at:
            facts = {"turn": turn.id, "seats": seats, "to_all": hours == scene.settings.reminder_hours}
            scene.act.schedule_job("remind", f"turn {turn.id} remind {hours}", remind, scene.row, **facts)
    _remind_to_post(scene, turn)
    awaited = turn.awaited.split("\n")
    if any(seat.bot and seat.power in awaited for seat in scene.seats.values()):
        ask_bots_now(scene, turn)


def _remind_to_post(scene: GameContext, turn: TurnRow) -> None:
    if not scene.settings.wants_envelope(phase_of(turn)):
        return
    reminded = {seat for hours, ids in _reminders(scene).items() if hours for seat in ids}
    by_days: dict[int, list[int]] = {}
    for seat in scene.seats.values():
        if seat.id in reminded:
            by_days.setdefault(days_to_coordinator(scene, seat), []).append(seat.id)
    for days, seats in by_days.items():
        last = scene.settings.posted_for(moment(turn.deadline), days)
        at = micros(schedules.day_start(scene.settings.plan(), last - timedelta(days=1)))
        if at > scene.at:
            scene.act.schedule_job("remind", f"turn {turn.id} post {days}", at, scene.row, turn=turn.id, seats=seats)


POLL = 30.0  # seconds between two looks into a mailbox, if the settings do not say


def settled(office: Office, turn: TurnRow) -> int:
    """Return when a turn can be closed: when all is filed that came by its deadline, also to a mailbox looked into."""
    mail = office.settings.mail
    poll = float(mail.get("poll", POLL)) if mail.get("imap") else 0.0
    return turn.closes + int((office.settings.settling + poll) * 1_000_000)


def schedule_closing(scene: GameContext, turn: TurnRow, at: int | None = None, **facts: bool) -> None:
    """Have a turn closed at a time, else once what came in time is filed."""
    at = settled(scene.office, turn) if at is None else at
    scene.act.schedule_job("close turn", f"turn {turn.id} close", at, scene.row, turn=turn.id, **facts)


def _reminders(scene: GameContext) -> dict[int, list[int]]:
    """How many hours before a deadline seats are reminded, as people prefer or the game is set (0: never)."""
    seats: dict[int, list[int]] = {}
    for seat, person in scene.people():
        hours = read_preferences(person.preferences).reminder_hours
        seats.setdefault(scene.settings.reminder_hours if hours is None else hours, []).append(seat.id)
    return seats


def out_of_absences(scene: GameContext, due: datetime, awaited: Collection[str]) -> datetime:
    """A deadline, moved out of the days on which somebody is away who has to order, as far as the game allows."""
    most = scene.settings.absence_days
    if not most:
        return due
    seats = [seat for seat in scene.seats.values() if is_waited_for(scene, seat, awaited)]
    away = absences_of(scene.act.tx, [seat.person for seat in seats if seat.person is not None])
    return schedules.after_absences(scene.settings.plan(), due, away, most)


def is_waited_for(scene: GameContext, seat: SeatRow, awaited: Collection[str]) -> bool:
    """Return whether a turn in which these powers have to order waits for a seat's holder who is away; any holder,
    where a deadline that moved or did not would tell who has anything to order."""
    return seat.power in awaited or chain.hides(scene)


def absences_of(tx: Transaction, people: Sequence[int]) -> list[tuple[date, date]]:
    """The absences of these people."""
    rows = tx.all(AbsenceRow, person=list(people))
    return [(date.fromisoformat(row.first), date.fromisoformat(row.last)) for row in rows]


def count_seats(scene: GameContext, position: Position) -> None:
    """Note what each power has in a position."""
    surviving = set(position.survivors()) if position.turn.phase is not Phase.PLACEMENT else set(scene.seats)
    for power, seat in scene.seats.items():
        units, centers = len(position.units_of(power)), len(position.centers_of(power))
        survives = power in surviving
        if (seat.units, seat.centers, seat.survives) != (units, centers, survives):
            scene.seats[power] = scene.tx.change(seat, units=units, centers=centers, survives=survives)


def awaited_seats(scene: GameContext, turn: TurnRow) -> list[SeatRow]:
    """The seats from which orders are awaited: those with something to order whose holder is there."""
    return [seat for seat in scene.seats.values() if is_awaited(turn, seat)]


def is_awaited(turn: TurnRow, seat: SeatRow) -> bool:
    """Return whether orders are awaited from a seat of the turn's game."""
    return seat.power in turn.awaited.split("\n") and seat.state in ("held", "bot")


def expected(scene: GameContext, awaited: Sequence[str], earlier: TurnRow | None) -> str:
    """Return who has to be ready for an early end of a turn that opens now: the holdings of the awaited seats, a line
    each (none where no turn ends early), with those of when it opened ``earlier``, which seats given away don't end."""
    if not scene.settings.ready_ends:
        return ""
    seats = [scene.seats[power] for power in awaited if scene.seats[power].state in ("held", "bot")]
    rows = scene.tx.all(HoldingRow, seat=[seat.id for seat in seats], until=None)
    before = earlier.early.split("\n") if earlier is not None and earlier.early else []
    now = [f"{row.id} {next(s.power for s in seats if s.id == row.seat)}" for row in rows]
    return "\n".join(dict.fromkeys([*before, *now]))


def early_seats(scene: GameContext, turn: TurnRow) -> dict[int, SeatRow]:
    """The seats that have to be ready for an early end, by the holding that each had when the turn opened."""
    lines = [line.split(" ", 1) for line in turn.early.split("\n") if line]
    return {int(holding): scene.seats[power] for holding, power in lines}


def turn_record(turn: TurnRow, note: str = "") -> TurnRecord:
    """A turn in a line."""
    return record_of(TurnRecord, turn, note=note)


def scene_of(act: CommandContext, turn_id: int, *, lock: bool = True) -> tuple[GameContext, TurnRow]:
    """A turn with its game, for the clock."""
    turn = act.tx.get(TurnRow, turn_id, lock=lock)
    return GameContext(act, act.tx.get(GameRow, turn.game, lock=lock)), turn


def turn_of(office: Office, facts: dict[str, Any]) -> TurnRow:
    """The turn that work is about, before the transaction that does it."""
    with office.store.transaction(write=False) as tx:
        return tx.get(TurnRow, facts["turn"])


def bots_work(turn: TurnRow) -> str:
    """The name of the work by which the bots of a turn are asked for their orders."""
    return f"turn {turn.id} bots"


def ask_bots_now(scene: GameContext, turn: TurnRow) -> None:
    """Have the bots of a turn asked for their orders."""
    scene.act.schedule_job("bot orders", bots_work(turn), scene.at, scene.row, turn=turn.id)


def results_due(scene: GameContext, turn: TurnRow) -> int | None:
    """Return when a turn's results are due, by the season's calendar; None where the schedule knows none."""
    plan, retreats = scene.settings.plan(), Phase.RETREATS.value
    if phase_of(turn) == Phase.MOVEMENT.value and plan.step(retreats).season:
        return micros(schedules.deadline(plan, retreats, moment(turn.opened), moment(turn.season_opened)))
    return season_ends(scene, turn)


def season_ends(scene: GameContext, turn: TurnRow) -> int | None:
    """Return the earliest opening of the next season."""
    ends = schedules.season_end(scene.settings.plan(), turn.name.rpartition(" ")[2], moment(turn.season_opened))
    return micros(ends) if ends is not None else None


def find_turn(scene: GameContext, turn: str | int) -> TurnRow:
    """A turn by number, key or name, ``now`` or ``last`` (the last with results); NotFoundError if there is none."""
    text = str(turn).strip()
    if text in ("now", ""):
        return scene.turn()
    row: TurnRow | None
    if text == "last":
        done = scene.tx.all(TurnRow, game=scene.row.id, state=["draft", "final"], order="-number", limit=1)
        row = done[0] if done else None
    elif text.isdecimal() and len(text) < 4:
        row = scene.tx.find(TurnRow, game=scene.row.id, number=int(text))
    else:
        turns = scene.tx.all(TurnRow, game=scene.row.id, key=text.casefold())
        turns += scene.tx.all(TurnRow, game=scene.row.id, name=text)
        row = next((turn for turn in turns if turn.state != "lost"), None)
    if row is None or row.state == "aside":
        name = scene.row.name
        raise NotFoundError(f"{name} has no results yet." if text == "last" else f"{name} has no turn {text[:60]!r}.")
    return row
