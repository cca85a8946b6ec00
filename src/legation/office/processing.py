"""Processing a turn: deadline, seals, choice of versions, transcription, lots, judging, draft and final results, the
next turn.

Each arrow is a piece of due work of its own, done in one transaction with the change of the turn's state and its line
in the journal; a crash between any two goes on from there. The states:

``open`` (or ``waiting``, past the deadline for orders that are awaited) -> ``closed`` -> ``opened`` (seals open;
pictures are transcribed and versions chosen at the desk) -> ``judged`` -> ``draft`` -> ``final``. ``aside`` is a turn
that was opened after draft results that were taken back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from legation.game.log import PlayedTurn
from legation.game.reading_sheets import Unread
from legation.game.report import count
from legation.judge import resolve
from legation.notation import write
from legation.office import schedules, seals
from legation.office.act import Act, Scene, command, query
from legation.office.clock import micros, moment
from legation.office.errors import Conflict, NotFound, Sealed
from legation.office.office import Office
from legation.office.records import Document, Executed, TurnRecord, TurnResult
from legation.office.seals import Content
from legation.office.seats import lose
from legation.office.sheets import carried, interpret_sheet, take_apart, unread
from legation.office.store import pack, queries, unpack
from legation.office.store.rows import (
    DeskRow,
    FileRow,
    GameRow,
    JournalRow,
    SeatRow,
    SubmissionRow,
    TurnRow,
)
from legation.office.turns import (
    awaited_seats,
    key_name,
    open_turn,
    phase_of,
    position_of,
    turn_record,
)
from legation.office.views import eyes, result_document, seen_position, seen_result
from legation.orders import Sheet
from legation.position import Phase, Position, Turn


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """What of a power counts in a turn, once the seals are open.

    ``candidates`` are all its versions where the coordinator has to choose.
    """

    submission: int = 0
    text: str = ""
    salt: str = ""
    commitment: str = ""
    version: int = 0
    channel: str = ""
    received: int = 0
    files: tuple[str, ...] = ()
    transcribed: bool = False
    corrected: bool = False
    missing: bool = True
    carried: tuple[str, ...] = ()  # orders given ahead that came to count


READINGS = ("transcribe", "confirm", "decide")
"""Things on the desk by which the text of a sheet is settled, once it is known which version counts."""


def chosen_sheets(turn: TurnRow) -> dict[str, Chosen]:
    """The chosen sheets of a turn by power."""
    return msgspec.convert(unpack(turn.sheets), dict[str, Chosen])


def scene_of(act: Act, turn_id: int) -> tuple[Scene, TurnRow]:
    """A turn with its game, for the clock."""
    turn = act.tx.get(TurnRow, turn_id, lock=True)
    return Scene(act, act.tx.get(GameRow, turn.game, lock=True)), turn


# The deadline


def close_turn(act: Act, facts: dict[str, Any], _: object) -> None:
    """The deadline has passed: nothing more is taken, or the game waits for what is missing."""
    scene, turn = scene_of(act, facts["turn"])
    due = (turn.deadline or 0) + scene.settings.grace * 60_000_000
    if turn.state not in ("open", "waiting") or scene.row.state != "running":
        return
    if act.at < due:
        act.due("close turn", f"turn {turn.id} close", due, scene.row, turn=turn.id)
        return
    _close(act, scene, turn)


def release_key(office: Office, facts: dict[str, Any]) -> bool:
    """Tell the keeper that every seat is ready; False from one that takes nobody's word for it."""
    with office.store.transaction(write=False) as tx:
        turn = tx.get(TurnRow, facts["turn"])
        game = tx.get(GameRow, turn.game)
    if turn.state == "open":
        try:
            office.keeper.release(key_name(game.key, turn.number), "every seat is ready")
        except Sealed:
            return False
    return True


def end_early(act: Act, facts: dict[str, Any], released: bool) -> None:
    """All are ready: the turn ends now, if the keeper gives its key."""
    scene, turn = scene_of(act, facts["turn"])
    if turn.state != "open" or scene.row.state != "running":
        return
    if not released:
        if not act.tx.count(JournalRow, turn=turn.id, kind="keeper waits"):
            scene.note("keeper waits", turn=turn, role="clock")
    else:
        _close(act, scene, turn, early=True)


def still_missing(scene: Scene, turn: TurnRow) -> list[SeatRow]:
    """The seats whose orders are awaited and have sent nothing that can count."""
    sent = {s.seat for s in scene.tx.all(SubmissionRow, turn=turn.id, counts=True, withdrawn=None)}
    missing = [s for s in awaited_seats(scene, turn) if s.id not in sent]
    return [s for s in missing if not (scene.settings.missing != "wait" and _given_ahead(scene, turn, s))]


def _given_ahead(scene: Scene, turn: TurnRow, seat: SeatRow) -> bool:
    """Whether orders for this turn were given ahead, in an earlier turn of the season."""
    return bool(_orders_ahead(scene, turn, seat.power))


def _close(act: Act, scene: Scene, turn: TurnRow, *, early: bool = False) -> None:
    missing = still_missing(scene, turn)
    if missing and scene.settings.missing == "wait":
        if turn.state != "waiting":
            turn = act.tx.change(turn, state="waiting")
            scene.note("waiting", turn=turn, role="clock", seats=len(missing))
            act.desk("wait", scene.row, turn=turn, powers=[s.power for s in missing])
            for seat, person in scene.people():
                if seat in missing:
                    act.mail("orders missing", person, game=scene.row, turn=turn, power=seat.power)
        return
    turn = act.tx.change(turn, state="closed", closed=act.at)
    act.tx.change_where(DeskRow, {"done": act.at}, turn=turn.id, kind="wait", done=None)
    scene.note("turn closed", turn=turn, role="clock", name=turn.name, early=early)
    for seat in missing:
        _missed(act, scene, turn, seat)
    settle = 0 if early else act.office.settings.settling * 1_000_000
    act.due("open seals", f"turn {turn.id} seals", act.at + settle, scene.row, turn=turn.id)


def _missed(act: Act, scene: Scene, turn: TurnRow, seat: SeatRow) -> None:
    """A power sent nothing: what the game's settings say happens."""
    missed = seat.missed + 1
    seat = scene.seats[seat.power] = act.tx.change(seat, missed=missed)
    scene.note("missed", turn=turn, seat=seat, role="clock", seen_by="coordinator", power=seat.power, missed=missed)
    if missed < scene.settings.missing_after or seat.bot:
        return
    if scene.settings.missing == "disorder":
        why = f"nothing came for {count(missed, 'turn')}"
        lose(act, scene, seat, "civil disorder", why, "disorder")
        scene.note("civil disorder", turn=turn, seat=scene.seats[seat.power], role="clock", power=seat.power)
    elif scene.settings.missing == "replace" and missed == scene.settings.missing_after:
        act.desk("replace", scene.row, turn=turn, seat=seat, missed=missed)
        scene.note("replacement wanted", turn=turn, seat=seat, role="clock", power=seat.power)


# The seals


def fetch_key(office: Office, facts: dict[str, Any]) -> bytes:
    """The turn's private key from the keeper."""
    with office.store.transaction(write=False) as tx:
        turn = tx.get(TurnRow, facts["turn"])
        game = tx.get(GameRow, turn.game)
    return office.keeper.key(key_name(game.key, turn.number))


def open_seals(act: Act, facts: dict[str, Any], key: bytes) -> None:
    """Open what was sent, and choose of each power the version that counts."""
    scene, turn = scene_of(act, facts["turn"])
    if turn.state != "closed":
        return
    by_seat: dict[int, list[SubmissionRow]] = {}
    for row in act.tx.all(SubmissionRow, order="version", turn=turn.id):
        readable = (
            row.kind == "text" or scene.settings.coordinated
        )  # a game that runs itself has nobody to read pictures
        if row.withdrawn is None and row.counts and readable:
            by_seat.setdefault(row.seat, []).append(row)
    chosen: dict[str, Chosen] = {}
    for power, seat in scene.seats.items():
        rows = by_seat.get(seat.id, [])
        chosen[power] = _choose(act, scene, turn, seat, rows, key) if rows else Chosen()
    turn = act.tx.change(
        turn, state="opened", sheets=pack(msgspec.to_builtins(chosen)), drawn=seals.unseal(key, turn.seed).decode()
    )
    scene.note("seals opened", turn=turn, role="clock", name=turn.name, why="the deadline has passed")
    go_on_if_clear(act, scene, turn)


def _choose(act: Act, scene: Scene, turn: TurnRow, seat: SeatRow, rows: list[SubmissionRow], key: bytes) -> Chosen:
    """The last version, unless instructions about versions, pictures or an envelope need the desk."""
    asks = [row for row in rows if row.asks]
    late_envelope = rows[-1].kind == "posted"  # it may have been written before what came by other ways
    if (asks or late_envelope) and len(rows) > 1 and scene.settings.coordinated:
        opened = {str(row.version): _open(act, scene, turn, seat, row, key) for row in rows}
        texts = {version: "\n\n".join(filter(None, (c.text, c.note))) for version, c in opened.items()}
        files = {str(row.version): _digests(act, row) for row in rows}
        act.desk(
            "choose",
            scene.row,
            turn=turn,
            seat=seat,
            due=results_due(scene, turn),
            submissions=[r.id for r in rows],
            texts=texts,
            pictures=files,
        )
    if (
        scene.settings.opening_by_post
        and phase_of(turn) == Phase.MOVEMENT.value
        and not any(r.kind == "posted" for r in rows)
    ):
        due = results_due(scene, turn)
        act.desk("unposted", scene.row, turn=turn, seat=seat, due=due, submissions=[r.id for r in rows])
    last = rows[-1]
    content = _open(act, scene, turn, seat, last, key)
    return take(act, scene, turn, seat, last, content)


def take(act: Act, scene: Scene, turn: TurnRow, seat: SeatRow, row: SubmissionRow, content: Content) -> Chosen:
    """Have a version count; pictures and envelopes wait at the desk for their text."""
    act.tx.change_where(SubmissionRow, {"chosen": False}, turn=turn.id, seat=seat.id)
    act.tx.change(row, chosen=True)
    seat = scene.seats[seat.power] = act.tx.change(seat, missed=0)
    other = {"done": act.at, "note": "another version"}
    act.tx.change_where(DeskRow, other, turn=turn.id, seat=seat.id, kind=list(READINGS), done=None)
    if row.kind != "text":
        act.desk(
            "transcribe",
            scene.row,
            turn=turn,
            seat=seat,
            due=results_due(scene, turn),
            submissions=[row.id],
            files=_digests(act, row),
            posted=row.kind == "posted",
        )
    return Chosen(
        submission=row.id, text=content.text, salt=content.salt, commitment=row.commitment, version=row.version,
        channel=row.channel, received=row.received, files=content.files, missing=False,
    )  # fmt: skip


def _digests(act: Act, row: SubmissionRow) -> list[str]:
    return [file.digest for file in act.tx.all(FileRow, submission=row.id)]


def results_due(scene: Scene, turn: TurnRow) -> int | None:
    """By when a turn's results are wanted: when the season's retreats are due, or the season ends.

    None where the schedule knows no calendar of seasons.
    """
    plan, retreats = scene.settings.plan(), Phase.RETREATS.value
    if phase_of(turn) == Phase.MOVEMENT.value and plan.step(retreats).season:
        return micros(schedules.deadline(plan, retreats, moment(turn.opened), moment(turn.season_opened)))
    return season_ends(scene, turn)


def _open(act: Act, scene: Scene, turn: TurnRow, seat: SeatRow, row: SubmissionRow, key: bytes) -> Content:
    content = msgspec.json.decode(seals.unseal(key, row.sealed), type=Content)
    scene.note(
        "opened", turn=turn, seat=seat, seen_by="seat", role="clock", power=seat.power, version=row.version,
        why="the deadline has passed",
    )  # fmt: skip
    return content


def go_on_if_clear(act: Act, scene: Scene, turn: TurnRow) -> None:
    """Have the turn judged once nothing of it waits at the desk."""
    if not act.tx.count(DeskRow, turn=turn.id, kind=["choose", "unposted", *READINGS], done=None):
        act.due("judge", f"turn {turn.id} judge", act.at, scene.row, turn=turn.id)


# Judging


def judge(act: Act, facts: dict[str, Any], _: object) -> None:
    """Judge the chosen sheets; the results wait for their publication."""
    scene, turn = scene_of(act, facts["turn"])
    if turn.state != "opened":
        return
    if scene.rules.digest != scene.row.rules_digest:
        reason = f"the rules of {scene.row.variant} were changed since the game began"
        scene.row = act.tx.change(scene.row, state="paused", paused=act.at, pause_reason=reason)
        scene.note("game paused", turn=turn, role="clock", reason=reason)
        act.desk("rules changed", scene.row, turn=turn)
        return
    turn = judge_turn(act, scene, turn)
    scene.note("judged", turn=turn, seen_by="coordinator", role="clock", name=turn.name)
    if scene.settings.approve:
        act.desk("publish", scene.row, turn=turn, due=results_due(scene, turn))
    else:
        act.due("publish", f"turn {turn.id} publish", act.at, scene.row, turn=turn.id)


def judge_turn(act: Act, scene: Scene, turn: TurnRow) -> TurnRow:
    """Work out a turn from its chosen sheets: pure, so that it can be done again at any time."""
    position = position_of(scene.rules, turn.position)
    chosen = chosen_sheets(turn)
    sheets: list[Sheet] = []
    lost: list[Unread] = []
    for power, choice in chosen.items():
        given = interpret_sheet(scene.rules, scene.rules.seen(position, power), power, choice.text)
        orders = list(given.check.sheet.orders)
        lost += [Unread(power, text, why) for text, why in unread(given.check)]
        if not orders:
            ahead = _orders_ahead(scene, turn, power) if not choice.text.strip() else []
            orders += [scene.rules.reader.order(text, position.turn.phase, power) for text in ahead]
            if ahead:
                chosen[power] = msgspec.structs.replace(choice, carried=tuple(ahead), missing=False)
        if orders:
            sheets.append(Sheet(power, tuple(orders)))
    resolution = resolve(scene.rules, position, sheets, turn.drawn)
    result = result_document(scene.rules, PlayedTurn(tuple(sheets), resolution, tuple(lost)))
    return act.tx.change(turn, state="judged", result=pack(result), sheets=pack(msgspec.to_builtins(chosen)))


def _orders_ahead(scene: Scene, turn: TurnRow, power: str) -> list[str]:
    """The orders that a power gave ahead for this turn, in the last turn of which its sheet counted."""
    rules = scene.rules
    position = position_of(rules, turn.position)
    if position.turn.phase in (Phase.MOVEMENT, Phase.PLACEMENT):
        return []
    for number in range(turn.number - 1, 0, -1):
        earlier = scene.tx.find(TurnRow, game=scene.row.id, number=number)
        if earlier is None or not earlier.sheets:
            break
        choice = chosen_sheets(earlier).get(power)
        if choice is not None and choice.text:
            sent = rules.seen(position_of(rules, earlier.position), power)
            orders = carried(rules, rules.seen(position, power), power, choice.text, Turn.parse(earlier.name), sent)
            if orders:
                return [write(order) for order in orders]
        if phase_of(earlier) == Phase.MOVEMENT.value:
            break
    return []


# Results


def publish(act: Act, facts: dict[str, Any], _: object) -> None:
    """Publish what was judged: as a draft where the game has drafts and retreats or a season's end are to come, else as
    final."""
    scene, turn = scene_of(act, facts["turn"])
    if turn.state == "judged":
        publish_turn(act, scene, turn)


def publish_turn(act: Act, scene: Scene, turn: TurnRow) -> None:
    """Show the results of a turn to all, send them, and go on."""
    result = unpack(turn.result)
    after = position_of(scene.rules, pack(result["after"]))
    ends = season_ends(scene, turn)
    is_draft = comes_as_draft(scene, turn, result)
    turn = act.tx.change(
        turn, state="draft" if is_draft else "final", published=act.at, final=None if is_draft else act.at
    )
    act.tx.change_where(DeskRow, {"done": act.at}, turn=turn.id, kind="publish", done=None)
    scene.note(
        "draft results" if is_draft else "final results", turn=turn, role="clock", name=turn.name,
        orders=result["orders"], seed=turn.drawn, corrected=[p for p, c in chosen_sheets(turn).items() if c.corrected],
    )  # fmt: skip
    _send_results(act, scene, turn, is_draft=is_draft)
    if result["ending"]:
        _finish(act, scene, turn, result["ending"])
        return
    if after.turn.phase is Phase.RETREATS:
        open_turn(act, scene, after, turn.number + 1, turn.season_opened)
        return
    if ends is not None and ends > act.at:
        act.tx.change(turn, final_due=ends)
        act.due("next turn", f"turn {turn.id} next", ends, scene.row, turn=turn.id)
    else:
        _go_on(act, scene, turn, after)


def comes_as_draft(scene: Scene, turn: TurnRow, result: Document) -> bool:
    """Whether the results of a turn that are published now are a draft first: those of movement and retreats, where the
    game has drafts and retreats or the season's end are to come."""
    if (
        not scene.settings.drafts
        or result["ending"]
        or phase_of(turn) in (Phase.ADJUSTMENTS.value, Phase.PLACEMENT.value)
    ):
        return False
    ends = season_ends(scene, turn)
    retreats = Turn.parse(result["after"]["turn"]).phase is Phase.RETREATS
    return retreats or (ends is not None and ends > scene.act.at)


def season_ends(scene: Scene, turn: TurnRow) -> int | None:
    """When the next season opens at the earliest."""
    ends = schedules.season_end(scene.settings.plan(), turn.name.rpartition(" ")[2], moment(turn.season_opened))
    return micros(ends) if ends is not None else None


def _send_results(act: Act, scene: Scene, turn: TurnRow, *, is_draft: bool) -> None:
    for seat, person in scene.people():
        act.mail("draft results" if is_draft else "results", person, game=scene.row, turn=turn, power=seat.power)


def next_turn(act: Act, facts: dict[str, Any], _: object) -> None:
    """The season is over: its drafts are final, and the next turn opens."""
    scene, turn = scene_of(act, facts["turn"])
    if turn.state not in ("draft", "final") or scene.row.turn != turn.number or scene.row.state != "running":
        return
    if turn.state == "draft" and scene.settings.approve and not facts.get("approved"):
        if not act.tx.count(DeskRow, turn=turn.id, kind="final", done=None):
            act.desk("final", scene.row, turn=turn)
        return
    _go_on(act, scene, turn, position_of(scene.rules, pack(unpack(turn.result)["after"])))


def _go_on(act: Act, scene: Scene, turn: TurnRow, after: Position) -> None:
    make_final(act, scene)
    ends = season_ends(scene, turn)
    open_turn(act, scene, after, turn.number + 1, ends if ends is not None else act.at)


def make_final(act: Act, scene: Scene) -> None:
    """What was a draft is final."""
    for draft in act.tx.all(TurnRow, game=scene.row.id, state="draft", order="number"):
        final = act.tx.change(draft, state="final", final=act.at)
        scene.note(
            "final results",
            turn=final,
            role="clock",
            name=final.name,
            orders=unpack(final.result)["orders"],
            seed=final.drawn,
        )
        act.tx.change_where(DeskRow, {"done": act.at}, turn=final.id, kind="final", done=None)
        _send_results(act, scene, final, is_draft=False)


def _finish(act: Act, scene: Scene, turn: TurnRow, ending: dict[str, Any]) -> None:
    make_final(act, scene)
    scene.row = act.tx.change(scene.row, state="ended", ended=act.at, ending=pack(ending))
    scene.note(
        "game ended", turn=turn, role="clock", how=ending["kind"], powers=ending["powers"], reason=ending["reason"]
    )
    for seat, person in scene.people():
        act.mail("game ended", person, game=scene.row, turn=turn, power=seat.power)


# What people do


@command
def process_now(act: Act, game: str) -> TurnRecord:
    """Go on with a turn whose deadline has passed (in a game that waits for orders: without them), or of which all are
    ready.

    :raises Conflict: while it has to wait.
    """
    scene = act.game(game)
    turn = scene.turn(lock=True)
    if turn.state == "waiting" and act.at >= (turn.deadline or 0):
        missing = still_missing(scene, turn)
        turn = act.tx.change(turn, state="closed", closed=act.at)
        act.tx.change_where(DeskRow, {"done": act.at}, turn=turn.id, kind="wait", done=None)
        scene.note("turn closed", turn=turn, name=turn.name, early=False)
        for seat in missing:
            _missed(act, scene, turn, seat)
        act.due("open seals", f"turn {turn.id} seals", act.at, scene.row, turn=turn.id)
        return turn_record(turn)
    if turn.state == "open" and not awaited_seats(scene, turn):
        act.due("end early", f"turn {turn.id} early", act.at, scene.row, turn=turn.id)
        return turn_record(turn)
    if turn.state == "open":
        raise Conflict("Orders are sealed until the deadline, or until every power is ready.")
    raise Conflict(f"{turn.name} is {turn.state} already.")


@command
def publish_draft(act: Act, game: str) -> TurnRecord:
    """Publish what was judged (the draft results, where the game has drafts)."""
    scene = act.game(game)
    turn = scene.turn(lock=True)
    if turn.state != "judged":
        raise Conflict(f"{turn.name} is {turn.state}; there is nothing to publish.")
    publish_turn(act, scene, turn)
    return turn_record(act.tx.get(TurnRow, turn.id))


@command
def take_back_draft(act: Act, game: str, reason: str) -> TurnRecord:
    """Take the last draft results back, before the seals of the turn after them are open.

    They are published anew with :func:`publish_draft`.
    """
    scene = act.game(game)
    drafts = act.tx.all(TurnRow, game=scene.row.id, state="draft", order="-number", limit=1)
    if not drafts:
        raise Conflict("There are no draft results to take back.")
    turn = drafts[0]
    present = scene.turn(lock=True)
    if present.number > turn.number:
        put_aside(act, scene, present)
    turn = act.tx.change(turn, state="judged", published=None)
    scene.row = act.tx.change(scene.row, turn=turn.number)
    queries.drop_work(act.tx, [f"turn {turn.id} next"])
    scene.note("draft taken back", turn=turn, name=turn.name, reason=reason[:500])
    act.desk("publish", scene.row, turn=turn, due=results_due(scene, turn))
    return turn_record(turn)


def put_aside(act: Act, scene: Scene, turn: TurnRow) -> None:
    """Put the open turn aside; what was sent for it stays and counts when it opens again."""
    if turn.state not in ("open", "waiting"):
        raise Conflict(f"The seals of {turn.name} are open already; the results before it stand.")
    queries.drop_work(act.tx, [f"turn {turn.id} {what}" for what in ("close", "bots", "early")])
    act.tx.change(turn, state="aside")


@command
def publish_final(act: Act, game: str) -> TurnRecord:
    """Make the draft results of the season final; the next season opens when its time has come.

    :raises Conflict: when a turn of the season is still open.
    """
    scene = act.game(game)
    turn = scene.turn(lock=True)
    if turn.state != "draft":
        raise Conflict("There are no draft results of a season that is over.")
    if turn.final_due is not None and act.at < turn.final_due:
        raise Conflict(
            f"The season's results are final from {moment(turn.final_due):%d %b %Y, %H:%M} UTC; until then a "
            "transcription can be corrected."
        )
    _go_on(act, scene, turn, position_of(scene.rules, pack(unpack(turn.result)["after"])))
    return turn_record(scene.turn())


@query
def preview(act: Act, game: str) -> TurnResult:
    """What will be published: for the coordinator, once the turn is judged."""
    scene = act.game(game)
    turn = scene.turn()
    if turn.state != "judged":
        raise Conflict(f"{turn.name} is {turn.state}; there is nothing to look at yet.")
    return result_record(scene, turn)


def result_record(scene: Scene, turn: TurnRow) -> TurnResult:
    """The results of a judged turn as a record, as far as the reader sees them."""
    if not turn.result:
        raise NotFound(f"{turn.name} has no results yet.")
    result = seen_result(scene, turn)
    judged = "draft" if comes_as_draft(scene, turn, result) else "final"
    return TurnResult(
        comes_as=judged if turn.state == "judged" else turn.state,
        game=scene.row.key, number=turn.number, name=turn.name, key=turn.key, state=turn.state,
        published=moment(turn.published or turn.closed or turn.opened), position=seen_position(scene, turn),
        verdicts=tuple(result["verdicts"]), dislodged=result["dislodged"], after=result["after"],
        ending=result["ending"], sheets=tuple(_executed(scene, turn, result["orders"])), seed=turn.drawn,
        seed_commitment=turn.seed_commitment, lots=tuple(result["lots"]), report=result["report"],
        news=tuple(result.get("news", ())),
    )  # fmt: skip


def _executed(scene: Scene, turn: TurnRow, orders: dict[str, list[str]]) -> Iterable[Executed]:
    awaited = turn.awaited.split("\n")
    power_of_reader = eyes(scene)
    for power, choice in chosen_sheets(turn).items():
        if power_of_reader not in (None, power):
            continue
        if choice.submission or orders.get(power) or power in awaited:
            open_to_reader = not untold(scene, turn, choice.text)
            yield Executed(
                power=power, text=choice.text if open_to_reader else "", orders=tuple(orders.get(power, ())),
                version=choice.version, channel=choice.channel,
                received=moment(choice.received) if choice.received else None, commitment=choice.commitment,
                salt=choice.salt if open_to_reader else "", transcribed=choice.transcribed, corrected=choice.corrected,
                missing=choice.missing, files=choice.files,
            )  # fmt: skip


def untold(scene: Scene, turn: TurnRow, text: str) -> bool:
    """Whether a sheet is kept from all but its power, because it tells what that means to do later in the season."""
    parts = take_apart(text, Turn.parse(turn.name))
    return bool(parts.ahead or parts.conditions) and not _is_over(scene, turn)


def _is_over(scene: Scene, turn: TurnRow) -> bool:
    """Whether nothing that was ordered ahead in a turn can come any more: the next movement is open, or the game has
    ended."""
    if scene.row.state in ("ended", "cancelled"):
        return True
    return (scene.row.turn or 0) > turn.number and phase_of(scene.turn()) == Phase.MOVEMENT.value
