"""Orders ahead: what a sheet says for a later turn of its season is sealed to that turn's own key, which is made with
the season; the keeper gives it when the turn is closed, or, signed off as skipped, once the next season has begun."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from legation.game.sheets import join_parts, later_turns
from legation.office.context import CommandContext, GameContext
from legation.office.errors import KeyNotReleasedError, UnavailableError
from legation.office.game import chain
from legation.office.keys import seals
from legation.office.keys.keeper import tell_keeper
from legation.office.keys.notices import KeyRequest, Notice
from legation.office.keys.seals import SealContent
from legation.office.office import Office
from legation.office.store import queries
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import LineRow, RecordRow, SubmissionRow, TurnRow
from legation.office.store.transaction import Transaction
from legation.position import Turn
from legation.proofs.canonical import decode, encode
from legation.proofs.lots import turn_commitment, turn_secret
from legation.proofs.records import Record, read_record


class LaterKey(msgspec.Struct, frozen=True):
    """The key of a later turn of the season: its name at the keeper, and its public half in hexadecimal."""

    name: str
    public: str


def make_later_keys(
    scene: GameContext, turn: Turn, sealed_by: str, known: Mapping[str, LaterKey], lost: Collection[str]
) -> bytes:
    """Have the keeper make a key for each later turn of the season. ``sealed_by``: the key of the turn that opens;
    ``known``: the keys that were made in the season before, of which those of ``lost`` turns are made anew."""
    office, game = scene.office, scene.row
    keys = {}
    for later in map(str, later_turns(scene.rules, turn)):
        name = known[later].name if later in known else f"{game.key}.{turn_key(later)}"
        name = new_name(scene, later) if later in lost else name
        secret = turn_commitment(turn_secret(chain.secret_of(scene), later))
        ready = scene.settings.ready_ends
        request = KeyRequest(None, ready, office.public_key, game.ref, later, secret, after=sealed_by)
        made = office.keeper.make(name, request)
        keys[later] = {"name": name, "public": made.public}
    return pack(keys)


def later_keys(turn: TurnRow) -> dict[str, LaterKey]:
    """The keys of the later turns of the season, by the turn's name."""
    return msgspec.convert(unpack(turn.ahead), dict[str, LaterKey])


def new_name(scene: GameContext, turn: str) -> str:
    """The name of a new key of a turn whose key is lost."""
    times = scene.tx.count(LineRow, game=scene.row.id, kind="reopened")
    return f"{scene.row.key}.{turn_key(turn)}.{times}"


def renew_later_keys(scene: GameContext, turn: TurnRow, lost: Collection[str]) -> TurnRow:
    """Have keys made anew of the later turns of a turn's season whose keys are lost."""
    known = later_keys(turn)
    if not known.keys() & set(lost):
        return turn
    ahead = make_later_keys(scene, Turn.parse(turn.name), turn.sealed_by, known, lost)
    return scene.tx.change(turn, ahead=ahead)


def seal_apart(
    turn: TurnRow, content: SealContent, records: Sequence[Record]
) -> tuple[SealContent, list[LaterKey | None]]:
    """Return what of a sheet is sealed to the turn's own key, and for each record the key of its own, if it has one."""
    keys = later_keys(turn)
    found = [keys.get(record.submission.turn) for record in records]
    here = [record for record, key in zip(records, found, strict=True) if key is None]
    if len(here) == len(records):
        return content, found
    own = here[0].submission.text
    return msgspec.structs.replace(content, text=own, records=tuple(record.to_bytes() for record in here)), found


def seal_record(office: Office, key: LaterKey, record: Record) -> bytes:
    """Seal a record to the key of its turn, then to the office's."""
    sealed = seals.seal(bytes.fromhex(key.public), seals.pad(record.to_bytes()))
    return seals.lock(office.master_key, sealed)


def open_records(tx: Transaction, office: Office, game: int, turn: str, private: bytes) -> list[RecordRow]:
    """Open what was ordered ahead for a turn, with the turn's private key; the records, the first sent first."""
    opened = []
    for row in queries.records_ahead(tx, game):
        if row.turn_name == turn and not row.opening and row.lost is None:
            plain = seals.unpad(seals.unseal(private, seals.unlock(office.master_key, row.sealed)))
            opened.append(keep_opening(tx, office, row, read_record(plain)))
    return opened


def keep_opening(tx: Transaction, office: Office, row: RecordRow, record: Record) -> RecordRow:
    """Keep what opens a commitment, locked with the office's own key until it may be shown."""
    return tx.change(row, opening=seals.lock_padded(office.master_key, encode(record.open().document())))


def keep_reading(tx: Transaction, office: Office, submission: int, parts: dict[str, str]) -> None:
    """Keep what was read in a picture for the later turns of its season; what is not read again stays."""
    for row in tx.all(RecordRow, submission=submission):
        if text := parts.get(row.turn_name, ""):
            tx.change(row, reading=seals.lock_padded(office.master_key, text.encode()))


def reading_of(office: Office, row: RecordRow) -> str:
    """Return what was read in a picture for a later turn."""
    known = row.reading and row.lost is None
    return seals.unlock_padded(office.master_key, row.reading).decode() if known else ""


def text_of(office: Office, row: RecordRow) -> str:
    """Return the text of an opened record for its turn; empty if it isn't open."""
    if not row.opening or row.lost is not None:
        return ""
    return str(decode(seals.unlock_padded(office.master_key, row.opening))["opened"]["text"]["value"])


def whole_text(tx: Transaction, office: Office, submission: int, own: str) -> str:
    """A sheet with all that is open of what it says for later turns."""
    return join_parts([own, *(text_of(office, row) for row in tx.all(RecordRow, submission=submission) if row.sealed)])


def schedule_skipped(scene: GameContext, line: LineRow | None, begun: TurnRow | None = None) -> None:
    """Have what was ordered ahead for turns that never came opened: the game has ended, or a season has ``begun``."""
    act, game = scene.act, scene.row
    if line is not None and any(not row.opening and row.lost is None for row in queries.records_ahead(act.tx, game.id)):
        name = f"game {game.id} skipped {line.n}"
        facts = {"game": game.id, "begun": begun.id if begun else 0, "at": line.at, "line": line.n, "head": line.hash}
        act.schedule_job("open skipped", name, act.at, game, **facts)


def turn_key(name: str) -> str:
    """``Summer 1643 Movement`` is ``1643-summer-movement`` in addresses; ``1425 Movement`` is ``1425-movement``."""
    words = name.lower().split()
    return re.sub(r"[^a-z0-9]+", "-", " ".join([words[-2], *words[:-2], words[-1]]))


def give_keys(office: Office, facts: dict[str, Any]) -> dict[str, bytes]:
    """Tell the keeper of skipped turns; return their private keys (UnavailableError: try again)."""
    with office.store.transaction(write=False) as tx:
        names = _skipped(tx, facts)
    given = {}
    for turn, name in names.items():
        notice = Notice(name, int(facts["line"]), str(facts["head"]), int(facts["at"]), "skipped")
        try:
            tell_keeper(office.keeper, office.signing_keys(), notice)
            given[turn] = office.keeper.key(name).private
        except KeyNotReleasedError as error:
            raise UnavailableError(error.message) from error
    return given


def open_skipped(act: CommandContext, facts: dict[str, Any], given: dict[str, bytes]) -> None:
    """Open what was ordered ahead for turns that never came; their keys are used no more."""
    game = facts["game"]
    for turn in _skipped(act.tx, facts):
        if turn in given:
            open_records(act.tx, act.office, game, turn, given[turn])
    for row in act.tx.all(TurnRow, game=game):
        if used := later_keys(row).keys() & given.keys():
            act.tx.change(row, ahead=pack({name: key for name, key in later_keys(row).items() if name not in used}))


def _skipped(tx: Transaction, facts: dict[str, Any]) -> dict[str, str]:
    """The names at the keeper of the keys of turns that never came, by the turn's name."""
    found: dict[str, str] = {}
    for row in queries.records_ahead(tx, facts["game"]):
        if row.opening or row.lost is not None or tx.count(TurnRow, game=facts["game"], name=row.turn_name):
            continue
        sent = tx.get(TurnRow, tx.get(SubmissionRow, row.submission).turn)
        over = not facts["begun"] or sent.id < facts["begun"]
        if over and (key := later_keys(sent).get(row.turn_name)) is not None:
            found[row.turn_name] = key.name
    return found
