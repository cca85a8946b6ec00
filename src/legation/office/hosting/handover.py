"""Parts of a game that goes on in another office by the same journal: the chain with all that is
behind it (the game's secret of the lots, what opens private lines and records), sealed to the next office's key.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any

import msgspec
from nacl.exceptions import CryptoError
from nacl.public import SealedBox
from nacl.signing import SigningKey, VerifyKey

from legation.formats import decode_json
from legation.office.context import CommandContext, GameContext
from legation.office.errors import ConflictError, InvalidInputError, KeyNotReleasedError, UnavailableError
from legation.office.game import chain
from legation.office.keys import seals
from legation.office.office import Office
from legation.office.records import record_of, row_of
from legation.office.store import queries
from legation.office.store.rows import GameRow, LineRow, PrivateRow, RecordRow, SeatRow, SubmissionRow, TurnRow
from legation.proofs import kinds
from legation.proofs.canonical import CanonicalError, decode, encode
from legation.proofs.chain import Head, JournalLine, PrivateOpening
from legation.proofs.kinds import GameLine, TransferredLine, read_data
from legation.proofs.lots import secret_commitment
from legation.proofs.records import Digest, Opening
from legation.proofs.transcript import Header, Transcript, write_transcript
from legation.proofs.verifying import verify

REF = re.compile(r"[0-9a-f]{32}")
"""What a game's random name is: the other office drew it, and among the keys files are called by it."""


class HandedRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Opening of a record; ``submission`` is its number in the document, ``opening`` as in a transcript."""

    submission: int
    turn: str
    opening: dict[str, Any]


class Handed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that is behind a chain. ``readers``: the power that may read each private opening before the end, or none.
    ``persons``: by what the chain names who held each power last."""

    secret: Digest
    lines: tuple[JournalLine, ...]
    heads: tuple[Head, ...]
    private: tuple[PrivateOpening, ...]
    readers: tuple[str, ...]
    records: tuple[HandedRecord, ...]
    persons: dict[str, str]
    keys: dict[str, Digest]


# Out


def hand(scene: GameContext) -> str:
    """Return what the next office gets, sealed to its key, in base64. Raises UnavailableError while what was ordered
    for turns that never came is still to be opened."""
    tx, game, office = scene.tx, scene.row, scene.act.office
    if any(not row.opening for row in queries.records_ahead(tx, game.id)):
        raise UnavailableError("Orders for turns that never came are being opened. Try again in a minute.")
    rows = tx.all(LineRow, game=game.id, order="n")
    lines = tuple(msgspec.convert(decode(row.content), JournalLine) for row in rows)
    private = [row for row in tx.all(PrivateRow, game=game.id, order="id") if row.n > 0]
    powers = {seat.id: power for power, seat in scene.seats.items()}
    turns = [turn.id for turn in tx.all(TurnRow, game=game.id)]
    submissions = [row.id for row in tx.all(SubmissionRow, turn=turns)] if turns else []
    handed = Handed(
        secret=chain.secret_of(scene),
        lines=lines,
        heads=tuple(record_of(Head, row) for row in rows if row.signature),
        private=tuple(record_of(PrivateOpening, row, index=row.place, data=decode(row.content)) for row in private),
        readers=tuple(powers.get(row.seat or 0, "") for row in private),
        records=tuple(
            HandedRecord(
                office.numbers.shown("submission", row.submission),
                row.turn_name,
                decode(seals.unlock_padded(office.master_key, row.opening)),
            )
            for row in (tx.all(RecordRow, submission=submissions) if submissions else ())
            if row.opening
        ),
        persons={line.data["seat"]: line.data["person"] for line in lines if line.kind == "held"},
        keys={power: seat.key for power, seat in scene.seats.items() if seat.key},
    )
    key = VerifyKey(bytes.fromhex(lines[-1].data["key"])).to_curve25519_public_key()
    return base64.b64encode(SealedBox(key).encrypt(seals.pad(msgspec.json.encode(handed)))).decode()


# In


def opened(act: CommandContext, sealed: str, rules: str) -> Handed:
    """Return what another office handed over, checked as everybody checks a transcript. Raises InvalidInputError for
    what is sealed to another office, or does not hold. Raises ConflictError when the game is here, or was."""
    office = act.office
    handed = _unsealed(office, sealed)
    last = handed.lines[-1] if handed.lines else None
    given = _data(last) if last is not None else None
    if not isinstance(given, TransferredLine):
        raise _invalid("its journal does not end with its being handed over")
    if given.key != office.public_key:
        raise _invalid(f"it was handed to the office with the key {given.key}, and this one's is {office.public_key}")
    own = office.keeper.identity()
    if given.keeper.key != own:
        raise _invalid(f"it was handed to the keeper with the key {given.keeper.key}, and this office's has {own}")
    game = _data(handed.lines[0])
    if not isinstance(game, GameLine) or secret_commitment(handed.secret) != game.lots:
        raise _invalid("the secret of its lots is not the one that its journal commits to")
    if not REF.fullmatch(game.game):
        raise _invalid(f"its journal calls the game {game.game[:60]!r}, which isn't a random name")
    if act.tx.count(GameRow, ref=game.game):
        raise ConflictError("This game was already taken over by this office.")
    if len(handed.private) != len(handed.readers):
        raise _invalid(f"it has {len(handed.private)} private openings and readers of {len(handed.readers)}")
    report = verify(_transcript(handed, game.game, rules), variants=office.variants, judges=False)
    if report.failures:
        raise _invalid(*(f"{failure.place}: {failure.what}" for failure in report.failures[:20]))
    return handed


def _transcript(handed: Handed, game: str, rules: str) -> bytes:
    try:
        openings = tuple(msgspec.convert(record.opening, Opening) for record in handed.records)
        for record, opening in zip(handed.records, openings, strict=True):
            if "turn" in opening.opened and opening.opened["turn"].value != record.turn:
                raise _invalid(f"the record {opening.commitment} is not of {record.turn[:60]!r}")
        transcript = Transcript(
            header=Header(game=game, rules=rules),
            lines=handed.lines,
            private=handed.private,
            openings=openings,
            heads=handed.heads,
        )
        return b"".join(write_transcript(transcript))
    except (CanonicalError, msgspec.ValidationError) as error:
        raise _invalid(str(error)) from None


def _unsealed(office: Office, sealed: str) -> Handed:
    private = SigningKey(office.signing).to_curve25519_private_key()
    try:
        plain = seals.unpad(SealedBox(private).decrypt(base64.b64decode(sealed, validate=True)))
        return decode_json(plain, type=Handed)
    except msgspec.MsgspecError as error:
        raise _invalid(str(error)) from None
    except RecursionError:
        raise _invalid("it is nested too deeply") from None
    except (CryptoError, ValueError, TypeError, KeyNotReleasedError):
        raise _invalid("it is sealed to another office than this, or was changed on its way") from None


def _data(line: JournalLine) -> kinds.LineData | None:
    try:
        return read_data(line.kind, line.data)
    except (KeyError, msgspec.ValidationError):
        return None


def _invalid(*faults: str) -> InvalidInputError:
    return InvalidInputError("This game can't be taken over.", faults=[f"handed: {fault}" for fault in faults])


def keep(scene: GameContext, handed: Handed, seats: Mapping[str, SeatRow], numbers: Mapping[int, int]) -> GameContext:
    """Keep a chain with all that is behind it; ``numbers``: the submissions' by those of the document."""
    act, office = scene.act, scene.act.office
    tx, game, heads = act.tx, scene.row, {head.n: head.signature for head in handed.heads}
    for line in handed.lines:
        tx.add(
            row_of(
                LineRow,
                line,
                game=game.id,
                content=encode(msgspec.to_builtins(line)),
                hash=line.hash,
                signature=heads.get(line.n, ""),
            )
        )
    for opening, reader in zip(handed.private, handed.readers, strict=True):
        tx.add(
            row_of(
                PrivateRow,
                opening,
                game=game.id,
                place=opening.index,
                content=encode(opening.data),
                seat=seats[reader].id if reader in seats else None,
            )
        )
    for record in handed.records:
        if record.submission not in numbers:
            raise _invalid(f"it has a record of the submission {record.submission}, which is not in the game")
        tx.add(
            RecordRow(
                submission=numbers[record.submission],
                turn_name=record.turn,
                commitment=str(record.opening["commitment"]),
                opening=seals.lock_padded(office.master_key, encode(record.opening)),
            )
        )
    last = handed.lines[-1]
    scene.row = tx.change(
        game,
        ref=str(handed.lines[0].data["game"]),
        secret=seals.lock(office.master_key, handed.secret.encode()),
        lines=last.n,
        head=last.hash,
    )
    chain.take_over(scene)
    for power, seat in seats.items():
        if seat.person is not None and power in handed.keys:
            scene.seats[power] = tx.change(seat, key=handed.keys[power])
        if handed.persons.get(power, "") and seat.person is None and not seat.bot:
            chain.holds(scene, seat)  # who held it is not known in this office
    return scene
