"""Keys that are lost: what was sealed with them is read by nobody any more, and the games that wait for it go on.

The turn that is open, or closed and not published, opens anew in the same position; what was sent for it never counts.
Results that are out stay. What was ordered ahead for turns whose keys are lost is given up. A signed line of the chain
says so."""

import msgspec

from legation.office.context import Actor, GameContext, command, given_reason, query
from legation.office.errors import ConflictError
from legation.office.game import chain
from legation.office.game.orders_ahead import later_keys, renew_later_keys
from legation.office.game.submission_records import hold_up, write_hidden
from legation.office.game.turns import open_turn, position_of, turn_record
from legation.office.keys import seals
from legation.office.office import Office
from legation.office.records import TurnRecord
from legation.office.store import queries
from legation.office.store.rows import GameRow, PersonRow, RecordRow, TurnRow, WorkRow
from legation.proofs import kinds
from legation.proofs.lots import secret_commitment

SEALED = ("open", "waiting", "closed", "aside")  # states of a turn whose key is still needed
UNTOLD = ("opened", "judged")  # states of a turn that is open, and whose results are still to come
STEPS = ("close", "bots", "early", "notice", "seals", "judge", "publish", "post")  # work of a turn


class LostKeys(msgspec.Struct, frozen=True):
    """Losses of a game: turns (by name) whose seals nobody opens, and whether the office's own key is another."""

    turns: tuple[str, ...]
    office: bool


def _records(scene: GameContext) -> list[RecordRow]:
    return [record for _, record in queries.records_of(scene.tx, scene.row.id) if record.lost is None]


# No route: for the console.
@query("coordinate", console="alive", administrator="alive")
def find(scene: GameContext) -> LostKeys:
    """The keys that a game has lost.

    :raises UnavailableError: when the keeper cannot be asked."""
    tx, present = scene.tx, scene.turn()
    office = not seals.opens(scene.office.master_key, scene.row.secret)
    turns = {turn.id: turn for turn in tx.all(TurnRow, game=scene.row.id)}
    public = scene.office.keeper.public
    sealed = [turn for turn in turns.values() if turn.state in SEALED]
    names = [turn.name for turn in sealed if office or public(turn.sealed_by) != turn.public_key.hex()]
    if office and present.state in UNTOLD:  # its lots cannot be shown any more
        names.append(present.name)
    wanted = [(present, name) for name in later_keys(present)]
    wanted += [(turns[sent], name) for sent, name in queries.sealed_ahead(tx, scene.row.id)]
    came = {turn.name for turn in turns.values() if turn.state != "lost"}
    for turn, name in wanted:
        key = later_keys(turn).get(name)
        kept = key is not None and public(key.name) == key.public
        if name not in came and (office or not kept):
            names.append(name)
    if office:
        names += [record.turn_name for record in _records(scene) if record.opening]
    return LostKeys(tuple(dict.fromkeys(names)), office)


# No route: for the console.
@command("coordinate", console="alive", administrator="alive", lock=True)
def reopen(scene: GameContext, turn: str, reason: str) -> TurnRecord:
    """Give up what nobody can open any more of a game whose keys are lost, and open its present turn anew if that needs
    it. ``turn`` is one of those whose key is lost.

    :raises ConflictError: where its key is not lost.
    :raises UnavailableError: when the keeper cannot be asked."""
    reason = given_reason(reason)
    present, lost = scene.turn(lock=True), find.within(scene)
    named = {"now": present.name, str(present.number): present.name}.get(turn.strip(), turn.strip())
    known = {name.casefold() for name in lost.turns} | ({present.name.casefold()} if lost.office else set())
    if named.casefold() not in known:
        missing = f"those of {', '.join(lost.turns)} are lost" if lost.turns else "none of the game is lost"
        raise ConflictError(f"The key of {named[:60]} is not lost; {missing}.", suggestions=lost.turns)
    return _give_up(scene, present, lost, reason)


def _give_up(scene: GameContext, present: TurnRow, lost: LostKeys, reason: str) -> TurnRecord:
    again = present.name in lost.turns and present.state in (*SEALED, *UNTOLD)
    if again and present.state in ("open", "waiting"):
        write_hidden(scene, present)
    for record in _records(scene):
        if record.turn_name in lost.turns:
            scene.tx.change(record, lost=scene.at)
    for row in scene.tx.all(TurnRow, game=scene.row.id, name=list(lost.turns)):
        if (again and row.id == present.id) or row.state == "aside":
            scene.tx.remove(WorkRow, name=[f"turn {row.id} {step}" for step in STEPS], state="waiting")
            scene.act.close_tasks("the key is lost", turn=row.id)
            scene.tx.change(row, number=-row.id, state="lost")
    lots = ""
    if lost.office:
        secret = scene.office.random_source.bytes(32).hex()
        scene.row = scene.tx.change(scene.row, secret=seals.lock(scene.office.master_key, secret.encode()))
        lots = secret_commitment(secret)
    line = kinds.ReopenedLine(turn=present.name if again else "", lost=list(lost.turns), lots=lots)
    chain.write(scene, "reopened", line)
    names = ", ".join(lost.turns) or present.name
    scene.append_journal("keys lost", names=names, reason=reason)
    scene.mail("keys lost", names=names, reason=reason, again=again)
    if scene.row.coordinator is not None:
        coordinator = scene.tx.get(PersonRow, scene.row.coordinator)
        scene.act.mail("keys lost", coordinator, game=scene.row, names=names, reason=reason, again=again)
    if not again:
        return turn_record(renew_later_keys(scene, present, lost.turns))
    position, began = position_of(scene.rules, present.position), present.season_opened + scene.at - present.opened
    paused = scene.row.state == "paused"
    turn = open_turn(scene, position, present.number, began, instead_of=present, lost=lost.turns)
    if paused:
        hold_up(scene, turn, "the game is paused")
    return turn_record(turn)


def reopen_all(office: Office, actor: Actor, reason: str) -> list[str]:
    """Do that in every game that has lost keys; the answer is what was given up, a line a game."""
    with office.store.transaction(write=False) as tx:
        games = [game.key for game in tx.all(GameRow, state=["running", "paused"], order="key")]
    done = []
    for key in games:
        lost = find(office, actor, key)
        if lost.turns or lost.office:
            turn = reopen(office, actor, key, lost.turns[0] if lost.turns else "now", reason)
            done.append(f"{key}: {', '.join(lost.turns) or turn.name}")
    return done
