"""Games as their readers may see them: in a line each, and whole."""

import contextlib
from collections import Counter
from collections.abc import Sequence

import msgspec

from legation.office import permissions
from legation.office.clock import moment
from legation.office.context import CommandContext, GameContext
from legation.office.errors import DamagedError
from legation.office.game import views
from legation.office.game.seat_holders import is_vacant, lacking, lost_seats, waiting_for_seats
from legation.office.game.seats import own_wishes
from legation.office.game.turns import is_awaited, position_from, turn_record
from legation.office.identity.people import profile_of
from legation.office.orders.bot_orders import who_stands_in, why_late
from legation.office.orders.contents import may_know_senders
from legation.office.records import Document, GameRecord, GameSummary, OwnSeat, SeatRecord, record_of
from legation.office.store import queries
from legation.office.store.packing import unpack, unpack_facts
from legation.office.store.rows import (
    BoardRow,
    GameRow,
    LetterCopyRow,
    PersonRow,
    ReadinessRow,
    RecordPlayerRow,
    SeatRow,
    SignUpRow,
    SubmissionRow,
    TournamentRow,
    TurnRow,
)


def game_lines(act: CommandContext, rows: Sequence[GameRow]) -> list[GameSummary]:
    """These games in a line each."""
    ids = [row.id for row in rows]
    turns = queries.present_turns(act.tx, ids) if ids else {}
    seats: dict[int, list[SeatRow]] = {number: [] for number in ids}
    for seat in act.tx.all(SeatRow, game=ids):
        seats[seat.game].append(seat)
    waiting = [row.id for row in rows if row.state == "gathering"]
    signed = Counter(sign.game for sign in act.tx.all(SignUpRow, game=waiting, withdrawn=None))
    own = _own_seats(act, [row for row in rows if row.state in permissions.ALIVE], turns, seats)
    of_boards = {board.game for board in act.tx.all(BoardRow, game=ids)}
    lines = []
    for row in rows:
        turn, powers = turns.get(row.id), tuple(seat.power for seat in seats[row.id] if seat.person == act.person)
        roles = ["player"] if powers else []
        if row.coordinator == act.person:
            roles.append("coordinator" if unpack_facts(row.settings).get("coordinated") else "host")
        if row.deputy == act.person:
            roles.append("deputy")
        variant, title, hidden = row.variant, row.variant, False
        with contextlib.suppress(DamagedError):  # it is listed all the same
            rules = act.office.rules(row)
            variant, title = rules.name, rules.title
            hidden = bool(rules.steps["visible_provinces"]) and row.state not in views.OVER
        left = [seat for seat in seats[row.id] if seat.survives or hidden]
        line = record_of(
            GameSummary,
            row,
            variant=variant,
            title=title,
            seats=len(seats[row.id]),
            open_seats=0 if row.id in of_boards else max(0, sum(map(is_vacant, left)) - signed[row.id]),
            turn=turn.name if turn else "",
            deadline=moment(turn.deadline) if turn and _is_due(row, turn) else None,
            roles=tuple(roles),
            powers=powers,
            alive=tuple(unpack_facts(row.ending).get("powers", ()) if row.how else (seat.power for seat in left)),
            own=own.get(row.id, ()),
            paused=row.pause_reason if row.state == "paused" else "",
        )
        lines.append(line)
    return lines


def _is_due(game: GameRow, turn: TurnRow) -> bool:
    """Return whether orders for a turn still come in: before its deadline, or while the game waits for them."""
    return game.state == "running" and turn.state in ("open", "waiting")


def _own_seats(
    act: CommandContext, rows: Sequence[GameRow], turns: dict[int, TurnRow], seats: dict[int, list[SeatRow]]
) -> dict[int, tuple[OwnSeat, ...]]:
    own = [s for row in rows for s in seats[row.id] if s.person == act.person]
    present, numbers = [turns[s.game].id for s in own], [s.id for s in own]
    sent = queries.have_sent(act.tx, present, numbers) if own else set()
    ready = {(r.turn, r.seat) for r in act.tx.all(ReadinessRow, turn=present, seat=numbers)}
    told: dict[int, tuple[OwnSeat, ...]] = {}
    for seat, turn in zip(own, present, strict=True):
        awaited = is_awaited(turns[seat.game], seat)
        sent_now, ready_now = ((turn, seat.id) in known if awaited else None for known in (sent, ready))
        line = record_of(OwnSeat, seat, sent=sent_now, ready=ready_now)
        told[seat.game] = (*told.get(seat.game, ()), line)
    return told


def game_record(scene: GameContext) -> GameRecord:
    """A game as a record, for the reader of the scene."""
    row, act = scene.row, scene.act
    turn = scene.turn() if row.turn is not None else None
    position = views.seen_position(scene, turn) if turn else None
    coordinator = act.tx.find(PersonRow, id=row.coordinator)
    board = act.tx.find(BoardRow, game=row.id)
    held = [scene.seats[power].id for power in scene.own]
    deputy = act.tx.find(PersonRow, id=row.deputy)
    looks = row.state in permissions.ALIVE and not scene.own
    waiting = {sign.person for sign in waiting_for_seats(scene)} if looks else set()
    return record_of(
        GameRecord,
        row,
        variant=scene.rules.name,
        title=scene.rules.title,
        options=unpack(row.options),
        settings=msgspec.to_builtins(scene.settings),
        coordinator=coordinator.name if coordinator else None,
        roles=tuple(r for r in permissions.ROLES if r in scene.roles),
        powers=scene.own,
        seats=tuple(_seats(scene, turn, position, of_board=board is not None)),
        turn=turn_record(turn, _note(scene, turn)) if turn else None,
        position=position,
        ending=unpack(row.ending) or None,
        paused=row.pause_reason,
        may=permissions.commands_for(scene.roles | {"holder"} if scene.own else scene.roles, row.state),
        deputy=deputy.name if deputy else None,
        wishes=own_wishes(scene),
        signed_up=act.tx.count(SignUpRow, game=row.id, withdrawn=None) if row.state == "gathering" else 0,
        lacking=lacking(scene) if row.state == "gathering" else 0,
        lost=tuple(lost_seats(scene)),
        unread=act.tx.count(LetterCopyRow, seat=held, read=None) if held and scene.settings.press else 0,
        tournament=act.tx.get(TournamentRow, board.tournament).key if board else "",
        waiting=len(waiting),
        waits=act.person in waiting,
        plays_others=bool(act.person) and queries.plays_others(act.tx, act.person, row.id),
    )


def _note(scene: GameContext, turn: TurnRow) -> str:
    if turn.state == "waiting":
        return why_late(scene.tx, turn) or who_stands_in(scene, turn) or "The game waits for orders."
    if turn.state == "opened":
        return "Orders are being transcribed."
    if turn.state == "judged":
        return "The results are about to be published."
    if turn.state == "open":
        return why_late(scene.tx, turn) or who_stands_in(scene, turn)
    return ""


def _seats(scene: GameContext, turn: TurnRow | None, position: Document | None, *, of_board: bool) -> list[SeatRecord]:
    """The seats, with the units and centers that the reader sees; ``of_board``: an organizer says who plays on."""
    act, names = scene.act, {seat.power: person for seat, person in scene.people()}
    sent: set[int] = set()
    ready: set[int] = set()
    if turn is not None:
        sent = {s.seat for s in scene.tx.all(SubmissionRow, turn=turn.id) if s.counts and s.withdrawn is None}
        ready = {r.seat for r in scene.tx.all(ReadinessRow, turn=turn.id)}
    named = not scene.settings.anonymous or scene.runs_it or scene.row.state == "ended"
    hidden = position is not None and views.viewpoint(scene) is not None
    seen = position_from(scene.rules, position) if hidden and position is not None else None
    players = scene.tx.all(RecordPlayerRow, game=scene.row.id) if scene.row.source else []
    recorded = {row.seat: row.name for row in players}  # as it says: so nobody learns what account here is theirs
    records = []
    for power, seat in scene.seats.items():
        knows = turn is not None and may_know_senders(scene, turn, seat)
        person = names.get(power) if named or power in scene.own else None
        awaited = turn is not None and is_awaited(turn, seat)
        records.append(
            record_of(
                SeatRecord,
                seat,
                holder=recorded.get(seat.id) or (person.name if person else None),
                person=act.shown_person(person.id) if person and not scene.row.source else None,
                units=len(seen.units_of(power)) if seen else seat.units,
                centers=len(seen.centers_of(power)) if seen else seat.centers,
                survives=seat.survives or (hidden and power not in scene.own),
                sent=(seat.id in sent) if knows and awaited else None,
                ready=(seat.id in ready) if knows and awaited else None,
                missed=seat.missed if scene.runs_it or power in scene.own else 0,
                vacant=not of_board and is_vacant(seat) and (seat.survives or (hidden and power not in scene.own)),
                profile=profile_of(act, person),
            )
        )
    return records
