"""The deadline: a turn is closed for good by one line of the journal, or waits for what is missing. Then the keeper is
given signed notice; its countersignature stands in the journal before its key is asked for."""

from typing import Any, Literal

import msgspec

from legation.office.clock import moment
from legation.office.context import CommandContext, GameContext
from legation.office.errors import KeyNotReleasedError, UnavailableError
from legation.office.game import chain
from legation.office.game.readiness import all_ready, said_ready, still_missing
from legation.office.game.submission_records import hold_up, write_deadline, write_hidden
from legation.office.game.turns import scene_of, schedule_closing, settled, turn_of
from legation.office.keys.keeper import tell_keeper
from legation.office.keys.notices import Notice, Witness
from legation.office.office import Office
from legation.office.store.rows import JournalRow, TurnRow
from legation.proofs import kinds

ASK_AGAIN = 10  # seconds
AWAY = 60  # seconds for which a turn is closed late where something ran


def ask_time(office: Office, facts: dict[str, Any]) -> bool:
    """Ask whether a turn's deadline has passed by the keeper's clock, too; one that is away is not waited for."""
    try:
        return office.keeper.passed(turn_of(office, facts).sealed_by)
    except UnavailableError:
        return True


def close_turn(act: CommandContext, facts: dict[str, Any], passed: bool) -> None:
    """The deadline has passed: nothing more is taken, or the game waits for what is missing."""
    scene, turn = scene_of(act, facts["turn"])
    if turn.state not in ("open", "waiting") or scene.row.state != "running":
        return
    if not passed:  # the office's clock is ahead of the keeper's
        schedule_closing(scene, turn, act.later(seconds=ASK_AGAIN), waited=True)
        return
    if act.at < settled(act.office, turn):
        schedule_closing(scene, turn)
        return
    if turn.state == "open" and not facts.get("waited") and _was_away(act, turn):
        until = act.later(seconds=act.office.settings.after_outage)
        schedule_closing(scene, turn, until, waited=True)
        scene.append_journal("outage", turn=turn, role="clock", until=moment(until).isoformat())
        return
    _close_or_wait(scene, turn)


def _was_away(act: CommandContext, turn: TurnRow) -> bool:
    """Whether nothing ran when a turn was to be closed, and mail of that time may be on its way."""
    mail = act.office.settings.mail
    kept = mail.get("imap") or (mail.get("trusted") and (mail.get("lmtp") or mail.get("listen")))
    return bool(kept and act.office.settings.after_outage) and act.at > settled(act.office, turn) + AWAY * 1_000_000


def ask_keeper(office: Office, facts: dict[str, Any]) -> bool:
    """Ask whether the keeper would close a turn early; one elsewhere wants each seat's own signature."""
    with office.store.transaction(write=False) as tx:
        turn = tx.get(TurnRow, facts["turn"])
        ready = said_ready(tx, turn)
    return turn.state == "open" and office.keeper.takes_early(turn.sealed_by, ready)


def end_early(act: CommandContext, facts: dict[str, Any], taken: bool) -> None:
    """All are ready: the turn ends now, if they still are and the keeper takes their word."""
    scene, turn = scene_of(act, facts["turn"])
    if not all_ready(scene, turn):
        return
    if not taken:
        if not act.tx.count(JournalRow, game=turn.game, kind="keeper waits", turn=turn.id):
            scene.append_journal("keeper waits", turn=turn, role="clock")
    else:
        _close_or_wait(scene, turn, early=True)


def give_notice(office: Office, facts: dict[str, Any]) -> Witness | None:
    """Give the keeper notice that a turn is closed; return its countersignature (UnavailableError: try again)."""
    with office.store.transaction(write=False) as tx:
        turn = tx.get(TurnRow, facts["turn"])
        ready = said_ready(tx, turn) if facts["why"] == "all ready" else ()
    if turn.state != "closed" or turn.closed is None:
        return None
    notice = Notice(turn.sealed_by, int(facts["line"]), str(facts["head"]), turn.closed, str(facts["why"]))
    try:
        return tell_keeper(office.keeper, office.signing_keys(), notice, ready)
    except KeyNotReleasedError as error:
        raise UnavailableError(error.message) from error


def witness(act: CommandContext, facts: dict[str, Any], given: Witness | None) -> None:
    """Publish the keeper's countersignature; then the seals are due to be opened."""
    scene, turn = scene_of(act, facts["turn"])
    if turn.state != "closed" or given is None:
        return
    if not turn.witness:
        turn = act.tx.change(turn, witness=msgspec.json.encode(given))
        line = kinds.CountersignedLine(
            turn=turn.name, line=given.line, head=given.head, at=given.seen, signature=given.signature
        )
        chain.write(scene, "countersigned", line)
        seen = moment(given.seen).isoformat()
        told = {"name": turn.name, "seen": seen, "keeper": given.keeper, "signature": given.signature}
        scene.append_journal("countersigned", turn=turn, role="clock", **told)
    act.schedule_job("open seals", f"turn {turn.id} seals", act.at, scene.row, turn=turn.id)


def _close_or_wait(scene: GameContext, turn: TurnRow, *, early: bool = False) -> None:
    missing = still_missing(scene, turn)
    if missing and scene.settings.missing == "wait":
        if turn.state != "waiting":
            hold_up(scene, turn, "it waits for orders")
            turn = scene.tx.change(turn, state="waiting")
            scene.append_journal("waiting", turn=turn, role="clock", seats=len(missing))
            if scene.settings.coordinated:
                told = [s.power for s in missing] if scene.settings.shows_senders != "nobody" else []
                scene.act.add_task("wait", scene.row, turn=turn, powers=told)
            scene.mail("orders missing", turn, [seat.power for seat in missing])
        return
    close(scene, turn, role="clock", early=early)


def close(scene: GameContext, turn: TurnRow, **noted: Any) -> TurnRow:
    """Close a turn for good, and have the keeper told; ``noted`` is for the journal."""
    waited = turn.state == "waiting"
    why: Literal["deadline", "all ready", "waited"] = "all ready" if noted.get("early") else "deadline"
    if waited:
        why = "waited" if scene.settings.missing == "wait" else why
        signature = scene.office.keeper.move(turn.sealed_by, scene.now)
        turn = scene.tx.change(turn, closes=max(turn.closes, scene.at))
        write_deadline(scene, turn, signature, turn.closes, "it waits no longer")
    write_hidden(scene, turn)
    said = kinds.ClosedLine(turn=turn.name, why=why, due=turn.closes)
    line = chain.write(scene, "closed", said, turn)
    assert line is not None
    turn = scene.tx.change(turn, state="closed", closed=scene.at)
    scene.act.close_tasks(turn=turn.id, kind="wait")
    scene.append_journal("turn closed", turn=turn, name=turn.name, **noted)
    facts = {"turn": turn.id, "why": why, "line": line.n, "head": line.hash}
    scene.act.schedule_job("notice", f"turn {turn.id} notice", scene.at, scene.row, **facts)
    return turn
