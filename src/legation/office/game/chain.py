"""The journal of a game as a chain that others can check: every line holds the hash of the line before it, and the
office signs the head where a turn opens, is closed and is published.

What not all may read stands as salted hashes in private lines; :mod:`legation.proofs.kinds` tells what each kind means.
The copy of a game from another office has a chain of its own."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from legation.formats import decode_json
from legation.office.context import GameContext
from legation.office.errors import ConflictError, DamagedError, UnavailableError
from legation.office.keys import seals
from legation.office.keys.keeper import replace_private, write_private
from legation.office.monitoring.logs import told_of
from legation.office.office import Office
from legation.office.store.packing import unpack
from legation.office.store.rows import (
    GameRow,
    HoldingRow,
    JournalRow,
    LineRow,
    PrivateRow,
    SeatRow,
    SubmissionRow,
    TurnRow,
)
from legation.proofs import kinds
from legation.proofs.canonical import CanonicalError, decode, digest, encode
from legation.proofs.chain import Head, JournalLine, head_statement, next_line, private_hash, succession_statement
from legation.proofs.kinds import SIGNED, LineData
from legation.proofs.lots import DEAL, secret_commitment, turn_commitment, turn_secret
from legation.proofs.signing import public_key, sign

HEADS = "heads"  # the folder, among the keys, of the last heads that were signed
MOVED = "moved"  # and that of the games that went on in other offices
WITNESSED = ("turn opened", "deadline", "countersigned")  # lines with a signature of the keeper
ELSEWHERE = "another office"  # what stands for the key of a turn that was played there, by another chain

Private = tuple[str, LineData, SeatRow | None]
"""What stands in a private line: its kind, its data, and the seat that may read it (None: all, in time)."""


def hides(scene: GameContext) -> bool:
    """Return whether rules hide positions from some."""
    return bool(scene.rules.steps["visible_provinces"])


def shows_senders(scene: GameContext) -> bool:
    """Return whether all see at once who has sent."""
    return scene.settings.shows_senders == "all" and not hides(scene)


def secret_of(scene: GameContext) -> str:
    """The game's secret of the lots, in hexadecimal."""
    return seals.unlock(scene.office.master_key, scene.row.secret).decode()


# Writing


def is_in(scene: GameContext, turn: TurnRow | None) -> bool:
    """Return whether the chain tells of a turn (of the game, for None)."""
    return scene.row.state != "moved" and (turn is None or turn.sealed_by != ELSEWHERE)


def write(scene: GameContext, kind: str, data: LineData, turn: TurnRow | None = None) -> LineRow | None:
    """Write a line that all may read; None where the chain does not tell of the turn."""
    return _append(scene, kind, data.document()) if is_in(scene, turn) else None


def write_private_line(
    scene: GameContext, entries: Sequence[Private], turn: TurnRow | None = None, *, in_order: bool = False
) -> None:
    """Write a line with the hashes of what not all may read; sorted by hash unless they are ``in_order``."""
    if not is_in(scene, turn) or not entries:
        return
    random_source = scene.office.random_source
    salted = [(kind, data.document(), seat, random_source.bytes(32).hex()) for kind, data, seat in entries]
    hashed = [(private_hash(kind, data, salt), kind, data, seat, salt) for kind, data, seat, salt in salted]
    if not in_order:
        hashed.sort(key=lambda entry: entry[0])
    line = _append(scene, "private", kinds.PrivateLine(hashes=[entry[0] for entry in hashed]).document())
    for place, (_, kind, data, seat, salt) in enumerate(hashed):
        game, own, content = scene.row.id, seat.id if seat else None, encode(data)
        row = PrivateRow(game=game, n=line.n, place=place, kind=kind, content=content, salt=salt, seat=own)
        scene.tx.enter(row)


def write_of_seats(scene: GameContext, turn: TurnRow, told: Sequence[Private]) -> None:
    """Write what came of each seat in a turn where rules hide positions: one hash for each, whatever it is of."""
    said: dict[str, list[kinds.Said]] = {power: [] for power in scene.rules.powers}
    for kind, data, seat in told:
        assert seat is not None
        said[seat.power].append(kinds.Said(kind=kind, data=data.document()))
    lines = {power: kinds.SeatTurnLine(turn=turn.name, seat=power, said=listed) for power, listed in said.items()}
    entries: list[Private] = [("seat turn", line, scene.seats[power]) for power, line in lines.items()]
    write_private_line(scene, entries, turn, in_order=True)


def hold_back(scene: GameContext, turn: TurnRow, kind: str, data: LineData, seat: SeatRow) -> None:
    """Keep what is read or chosen of a sheet for the line of what counted: one at once would tell of it."""
    if is_in(scene, turn):
        game, n, content = scene.row.id, -turn.id, encode(data.document())
        held = scene.tx.count(PrivateRow, game=game, n=n)
        scene.tx.add(PrivateRow(game=game, n=n, place=held, kind=kind, content=content, salt="", seat=seat.id))


def held_back(scene: GameContext, turn: TurnRow, **only: str) -> list[Private]:
    """Return and release what was held back of a turn: all, or ``only`` the lines with these values."""
    seats = {seat.id: seat for seat in scene.seats.values()}
    held: dict[str, Any] = {"game": scene.row.id, "n": -turn.id, **only}
    rows = scene.tx.all(PrivateRow, order="place", **held)
    scene.tx.remove(PrivateRow, **held)
    return [(row.kind, kinds.read_data(row.kind, read_content(row.content)), seats[row.seat or 0]) for row in rows]


def tell_key(scene: GameContext, seat: SeatRow, signature: str = "") -> None:
    """Write with which key a seat's page signs from now on, signed by the key before, if there was one. A page makes
    its key when it sends first: so where senders are hidden the line waits for the closing (:func:`write_keys`)."""
    line = kinds.SeatKeyLine(seat=seat.power, key=seat.key, signature=signature or msgspec.UNSET)
    turn = scene.turn() if scene.row.turn is not None else None
    if shows_senders(scene) or turn is None or turn.state not in ("open", "waiting") or not is_in(scene, turn):
        write(scene, "seat key", line)
    else:
        hold_back(scene, turn, "seat key", line, seat)


def write_keys(scene: GameContext, turn: TurnRow) -> None:
    """Write, before a turn is closed where senders are hidden, which keys the seats had in it."""
    keys = held_back(scene, turn, kind="seat key")
    held = {power: [line for _, line, of in keys if of == seat] for power, seat in scene.seats.items()}
    if not hides(scene):
        for line in itertools.chain.from_iterable(held.values()):
            write(scene, "seat key", line, turn)
        return
    for place in range(max(1, *map(len, held.values()))):
        lines = {
            power: listed[place] if place < len(listed) else kinds.SeatKeyLine(seat=power, key=scene.seats[power].key)
            for power, listed in held.items()
        }
        entries: list[Private] = [("seat key", line, scene.seats[power]) for power, line in lines.items()]
        write_private_line(scene, entries, turn, in_order=True)


def told_results(scene: GameContext, turn: TurnRow) -> dict[str, Any] | None:
    """Return what the chain told last of the results of a turn since it opened; None for nothing."""
    for row in scene.tx.all(LineRow, game=scene.row.id, kind=["results", "turn opened"], order="-n"):
        line = read_line(row)
        if line.data["turn"] == turn.name:
            return line.data if row.kind == "results" else None
    return None


def tell(scene: GameContext, text: str) -> None:
    """Write in words what decides nothing."""
    write(scene, "told", kinds.ToldLine(text=text[:500]))


def tell_new_keys(scene: GameContext) -> None:
    """Write that the office signs with another key, or is witnessed by another keeper, if it is so."""
    tell_new_office_key(scene)
    tell_new_keeper(scene)


def tell_new_office_key(scene: GameContext) -> None:
    """Write that the office signs with another key than before, if it does."""
    office = scene.office
    if "office key" in scene.looked_at or office.public_key == (before := office_key(scene)):
        scene.looked_at.add("office key")
        return
    n = scene.row.lines + 1
    old = next((key for key in office.signing_keys() if public_key(key) == before), b"")
    signature = sign(old, "key", succession_statement(scene.row.ref, n, office.public_key)) if old else ""
    _append(scene, "office key", kinds.OfficeKeyLine(key=office.public_key, signature=signature).document())


def tell_new_keeper(scene: GameContext) -> None:
    """Write that another keeper witnesses the game than before, if it is so."""
    keeper = scene.office.keeper
    if "keeper" in scene.looked_at:
        return
    scene.looked_at.add("keeper")
    last = next(row for row in _key_lines(scene) if row.kind in ("game", "keeper", "transferred"))
    key, before = keeper.identity(), read_line(last).data["keeper"]["key"]
    if key == before:
        return
    signature = keeper.succeeds(scene.row.ref, scene.row.lines + 1, before)
    now = kinds.KeeperKey(key=key, elsewhere=keeper.remote)
    _append(scene, "keeper", kinds.KeeperLine(keeper=now, signature=signature).document())


def office_key(scene: GameContext) -> str:
    """The key with which the chain is signed after its last line."""
    last = next(row for row in _key_lines(scene) if row.kind in ("game", "office key", "taken over"))
    if last.kind == "taken over":
        last = scene.tx.all(LineRow, game=scene.row.id, n=last.n - 1)[0]
    data = read_line(last).data
    return str(data.get("key") or data["office"])


def _key_lines(scene: GameContext) -> list[LineRow]:
    kinds = ["game", "office key", "keeper", "taken over", "transferred"]
    return scene.tx.all(LineRow, game=scene.row.id, kind=kinds, order="-n")


def _append(scene: GameContext, kind: str, data: dict[str, Any]) -> LineRow:
    if kind in SIGNED - {"office key", "taken over"} and scene.row.lines:
        tell_new_office_key(scene)
    if kind in WITNESSED:
        tell_new_keeper(scene)
    game = scene.tx.get(GameRow, scene.row.id, lock=True)
    if "kept head" not in scene.looked_at:  # nobody else signs while this transaction holds the game
        game = _tell_restored(scene, game)
        scene.looked_at.add("kept head")
    return _add(scene, game, kind, data)


def _tell_restored(scene: GameContext, game: GameRow) -> GameRow:
    """Write that the database is older than the last signed head, if so; ConflictError for a game that had left."""
    office = scene.office
    if address := left_for(office, game.ref):
        raise ConflictError(
            f"{game.name} continued at {address} after this database was backed up; nothing more is written here."
        )
    kept = _kept_head(office, game.ref)
    if kept is not None and (kept.n > game.lines or (kept.n == game.lines and kept.hash != game.head)):
        lost = kinds.RestoredLine(lost_to=max(kept.n, game.lines + 1), head=kept.hash)
        _add(scene, game, "restored", lost.document())
        return scene.tx.get(GameRow, game.id)
    return game


def _add(scene: GameContext, game: GameRow, kind: str, data: dict[str, Any]) -> LineRow:
    act, last = scene.act, scene.last_line
    if last is None or (last.n, last.hash) != (game.lines, game.head):
        last = act.tx.find(LineRow, game=game.id, n=game.lines) if game.lines else None
    line = next_line((last.n, last.at, last.hash) if last is not None else None, act.at, kind, data)
    content, hash = encode(msgspec.to_builtins(line)), line.hash
    signature = ""
    if kind in SIGNED:
        head = head_statement(game.ref, line.n, hash, line.at)
        signature = sign(act.office.signing, "head", head)
        kept = Head(n=line.n, hash=hash, at=line.at, signature=signature)
        act.tx.afterwards(f"head {game.ref}", lambda: _keep_head(act.office, game.ref, kept))
    row = LineRow(game=game.id, n=line.n, at=line.at, kind=kind, content=content, hash=hash, signature=signature)
    act.tx.enter(row)
    scene.last_line = row
    act.tx.change(game, lines=line.n, head=hash)
    scene.row = msgspec.structs.replace(scene.row, lines=line.n, head=hash)
    return scene.last_line


def read_content(content: bytes) -> Any:
    """What a line of a chain, or a private one, says; DamagedError when it cannot be read any more."""
    try:
        return decode(content)
    except CanonicalError:
        why = "A line of this game's record is damaged and can't be read. Tell whoever runs the office."
        raise DamagedError(why) from None


def read_line(row: LineRow) -> JournalLine:
    """A line of a chain. Raises DamagedError when it cannot be read any more."""
    try:
        return msgspec.convert(read_content(row.content), JournalLine)
    except msgspec.ValidationError:
        raise DamagedError("A line of this game's record is damaged. Tell whoever runs the office.") from None


def _head_path(office: Office, ref: str) -> Path:
    return office.keys / HEADS / f"{ref}.json"


def _kept_head(office: Office, ref: str) -> Head | None:
    """The last signed head of a game, kept apart from the database; UnavailableError if unreadable."""
    try:
        return decode_json(_head_path(office, ref).read_bytes(), type=Head)
    except (FileNotFoundError, msgspec.DecodeError):
        return None
    except OSError as error:
        raise UnavailableError(f"The folder of keys cannot be read ({error.strerror}).") from error


def _keep_head(office: Office, ref: str, head: Head) -> None:
    """Keep a head, without waiting for the disk: after a power cut the head before it guards against an old database as
    well. Where it cannot be kept the log says so, what was done stands, and the next head is kept instead."""
    path = _head_path(office, ref)
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_private(path, msgspec.json.encode(head), lasting=False)
    except OSError as error:
        office.log.error("a head was not kept", line=head.n, **told_of(error))


def keep_left(scene: GameContext, address: str) -> None:
    """Keep among the keys that a game left, once committed: a restored database would else go on with it."""
    keys, ref = scene.office.keys, scene.row.ref
    (keys / MOVED).mkdir(parents=True, exist_ok=True, mode=0o700)
    scene.tx.afterwards(f"left {ref}", lambda: write_private(keys / MOVED / ref, address.encode()))


def left_for(office: Office, ref: str) -> str:
    """Return where a game went on that left this office (its address or key); empty for one that did not."""
    try:
        return (office.keys / MOVED / ref).read_text(encoding="utf-8") if ref else ""
    except FileNotFoundError:
        return ""


# How it begins


def begin_copy(scene: GameContext) -> None:
    """Begin the chain of a game that another office played: the digest of its journal, its commitments, its holders."""
    tx, game = scene.tx, scene.row
    before = [
        {"at": row.at, "kind": row.kind, "facts": digest("old line", row.facts.hex())}
        for row in tx.all(JournalRow, game=game.id)
    ]
    turns = [turn.id for turn in tx.all(TurnRow, game=game.id)]
    listed = sorted({row.commitment for row in tx.all(SubmissionRow, turn=turns)})
    ref, secret = (scene.office.random_source.bytes(count).hex() for count in (16, 32))
    scene.row = tx.change(game, ref=ref, secret=seals.lock(scene.office.master_key, secret.encode()))
    begin(scene, "", kinds.OldJournal(journal=digest("old journal", before), commitments=listed))
    for seat in scene.seats.values():
        holds(scene, seat)


def begin(scene: GameContext, deal_part: str, old: kinds.OldJournal | None = None) -> None:
    """Write line 1 of a game's chain. ``deal_part`` is the keeper's commitment to its part of the deal."""
    office, rules, secret = scene.office, scene.rules, secret_of(scene)
    line = kinds.GameLine(
        format="legation journal 2",
        game=scene.row.ref,
        office=office.public_key,
        keeper=kinds.KeeperKey(key=office.keeper.identity(), elsewhere=office.keeper.remote),
        variant=scene.row.variant,
        options=unpack(scene.row.options),
        rules=digest("rules", rules.text),
        seats=list(rules.powers),
        lots=secret_commitment(secret),
        deal=turn_commitment(turn_secret(secret, DEAL)),
        part=deal_part,
        hides=hides(scene),
        **_settings(scene),
        old=old,
    )
    _append(scene, "game", line.document())


def _settings(scene: GameContext) -> dict[str, Any]:
    settings = scene.settings
    shown = "shown" if settings.shows_senders == "all" else "hidden"
    return {"senders": shown, "anonymous": settings.anonymous, "waits": settings.missing == "wait"}


def settings_changed(before: GameContext, after: GameContext) -> None:
    """Write what of line 1 has changed with a game's settings."""
    if _settings(before) != _settings(after):
        write(after, "settings", kinds.SettingsLine(**_settings(after)))


def holds(scene: GameContext, seat: SeatRow) -> None:
    """Write who holds a seat from now on: by a random reference, which is of this game alone."""
    tx = scene.tx
    person = "bot" if seat.bot else ""
    present = tx.find(HoldingRow, seat=seat.id, until=None)
    if seat.person is not None and present is not None:
        own = tx.all(HoldingRow, seat=[s.id for s in scene.seats.values()], person=seat.person)
        person = next((row.ref for row in own if row.ref), "") or scene.office.random_source.bytes(16).hex()
        tx.change(present, ref=person)
    write(scene, "held", kinds.HeldLine(seat=seat.power, person=person))
    if seat.key:
        write(scene, "seat key", kinds.SeatKeyLine(seat=seat.power, key=seat.key))


def last_signed(scene: GameContext) -> LineRow:
    """The last line whose head the office signed."""
    signed = scene.tx.all(LineRow, game=scene.row.id, kind=sorted(SIGNED), order="-n", limit=1)
    return signed[0] if signed else scene.tx.all(LineRow, game=scene.row.id, order="-n", limit=1)[0]
