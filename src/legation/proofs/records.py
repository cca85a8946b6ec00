"""The record of what was sent: every field is hashed with a salt of its own, and the commitment is the hash of these.

So each field can be opened, or go, alone. A sheet makes one record for its own turn and one, empty or not, for each
later turn of the season."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec

from legation.proofs.canonical import LARGEST, CanonicalError, clean_text, decode, digest, encode

Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}\\Z")]
Nonce = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{32}|[0-9a-f]{64})?\\Z")]
Key = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}\\Z")]
Signature = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{128}\\Z")]
Moment = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]  # microseconds since 1970, UTC
EnteredBy = Literal["holder", "bot", "assigned", "coordinator"]

SALT_BYTES = 32


class RecordError(ValueError):
    """A record or an opening that is not what it says."""


class SentFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture: its SHA-256 as it came and as it is kept, and its media type."""

    sent: Digest
    kept: Digest
    type: str


class SeatSignature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A signature by the key that a page made for the seat."""

    key: Key
    signature: Signature


class Submission(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was sent for a turn. ``turn`` is the turn that it is for, ``given_in`` the one in which it was sent: an
    earlier one where it was ordered ahead. ``received`` is in microseconds. ``nonce`` is of the sender's making, and
    counts once."""

    game: str
    turn: str
    given_in: str
    seat: str
    version: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    channel: str
    received: Moment
    entered_by: EnteredBy
    text: str = ""
    files: tuple[SentFile, ...] = ()
    note: str = ""
    nonce: Nonce = ""
    signature: SeatSignature | None = None

    def value(self, name: str) -> Any:
        """A field as it is hashed."""
        value = msgspec.to_builtins(getattr(self, name))
        return list(value) if isinstance(value, tuple) else value

    def statement(self) -> dict[str, Any]:
        """What a seat's key signs (``sheet``)."""
        return sheet_statement(
            self.game, self.turn, self.given_in, self.seat, self.text, [f.sent for f in self.files], self.nonce
        )


FIELDS = tuple(sorted(Submission.__struct_fields__))
TYPES = {field.name: field.type for field in msgspec.structs.fields(Submission)}


def sheet_statement(
    game: str, turn: str, given_in: str, seat: str, text: str, files: list[str], nonce: str
) -> dict[str, Any]:
    """What a seat's key signs of a record (``sheet``); ``files`` are the digests of the pictures as they are sent."""
    return {
        "game": game,
        "turn": turn,
        "given_in": given_in,
        "seat": seat,
        "text": text,
        "files": files,
        "nonce": nonce,
    }


def word_statement(game: str, turn: str, seat: str, version: int) -> dict[str, Any]:
    """What a seat's key signs about one of its versions (``withdrawn``, ``confirmed``, ``refused``)."""
    return {"game": game, "turn": turn, "seat": seat, "version": version}


def key_statement(game: str, seat: str, key: str, before: str) -> dict[str, Any]:
    """What a seat's key (``before``) signs when another, or none, takes its place (``seat key``)."""
    return {"game": game, "seat": seat, "key": key, "before": before}


def ready_statement(game: str, turn: str, seat: str, version: int, again: int = 0) -> dict[str, Any]:
    """What a seat's key signs to say that it is ready (``ready``); ``version`` is its last one, 0 for none. ``again``:
    how often it was ready before in this turn, so that what was taken back is not said once more by others."""
    return word_statement(game, turn, seat, version) | ({"again": again} if again else {})


def field_hash(name: str, salt: str, value: Any) -> str:
    """The hash of one field."""
    return digest("field", {"name": name, "salt": salt, "value": value})


class OpenField(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A field that is shown."""

    salt: Digest
    value: Any


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record as far as it is shown: fields with their salts, and the hashes of the others."""

    commitment: Digest
    opened: dict[str, OpenField]
    closed: dict[str, Digest]

    def fields(self) -> dict[str, Any]:
        """Return the fields that are shown, each of its type; RecordError where they do not fit the commitment."""
        if sorted([*self.opened, *self.closed]) != list(FIELDS):
            raise RecordError("its fields are not those of a record")
        shown = {name: field_hash(name, entry.salt, entry.value) for name, entry in self.opened.items()}
        if digest("submission", {**shown, **self.closed}) != self.commitment:
            raise RecordError("its fields do not fit its commitment")
        try:
            fields = {name: msgspec.convert(entry.value, TYPES[name]) for name, entry in self.opened.items()}
            for name in ("text", "note"):
                if name in fields and clean_text(fields[name]) != fields[name]:
                    raise RecordError(f"{name}: is not in the form in which the office keeps texts (NFC, line feeds)")
        except (msgspec.ValidationError, CanonicalError) as error:
            raise RecordError(str(error)) from None
        return fields

    def document(self) -> dict[str, Any]:
        """The opening as plain data."""
        document: dict[str, Any] = msgspec.to_builtins(self)
        return document

    def without(self, names: Collection[str]) -> Opening:
        """The same with fewer fields shown."""
        hashes = {n: field_hash(n, e.salt, e.value) for n, e in self.opened.items() if n in names}
        return Opening(
            self.commitment, {n: e for n, e in self.opened.items() if n not in names}, {**self.closed, **hashes}
        )


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A submission with the salts of its fields: what goes inside the seal."""

    submission: Submission
    salts: dict[str, Digest]

    @cached_property
    def commitment(self) -> str:
        """The hash of the object of the fields' hashes."""
        return digest("submission", {n: self._hash(n) for n in FIELDS})

    def open(self, names: Collection[str] = FIELDS) -> Opening:
        """Show the fields that are named; of the others their hashes."""
        return Opening(
            self.commitment,
            {n: OpenField(self.salts[n], self.submission.value(n)) for n in FIELDS if n in names},
            {n: self._hash(n) for n in FIELDS if n not in names},
        )

    def to_bytes(self) -> bytes:
        """The record as canonical bytes, to be padded and sealed."""
        return encode(msgspec.to_builtins(self))

    def _hash(self, name: str) -> str:
        return field_hash(name, self.salts[name], self.submission.value(name))


def make_record(submission: Submission, random: Callable[[int], bytes]) -> Record:
    """Return a record with fresh salts, of ``random`` bytes; CanonicalError for a text that is not cleaned."""
    for name in ("text", "note"):
        if clean_text(getattr(submission, name)) != getattr(submission, name):
            raise CanonicalError(f"{name}: clean it at the door")
    return Record(submission, {name: random(SALT_BYTES).hex() for name in FIELDS})


def read_record(data: bytes) -> Record:
    """A record from its canonical bytes. Raises RecordError for any others."""
    try:
        record = msgspec.convert(decode(data), Record)
    except (msgspec.ValidationError, CanonicalError) as error:
        raise RecordError(f"not a record: {error}") from None
    if sorted(record.salts) != list(FIELDS):
        raise RecordError("not a record: it does not have the salt of every field")
    return record


class Version(msgspec.Struct, frozen=True, kw_only=True):
    """A version that a seat has in a turn. ``says_anything``: something of it was understood, or it is a picture, or it
    is left blank on purpose."""

    number: int
    entered_by: str
    says_anything: bool
    withdrawn: bool = False
    refused: bool = False
    confirmed: bool = False


def choose_version(versions: Sequence[Version]) -> int:
    """The number of the version that counts; 0 for none. It is the last that says anything and was not withdrawn. What
    was assigned from a mail of an unknown sender counts once the holder confirms it; what the coordinator entered
    counts unless the holder refuses it, and never in place of what the holder sent, but where the holder confirms
    it."""
    standing = [v for v in versions if v.says_anything and not v.withdrawn and not v.refused]
    own = [v for v in standing if v.entered_by in ("holder", "bot") or v.confirmed]
    entered = [v for v in standing if v.entered_by == "coordinator"]
    return max((v.number for v in own or entered), default=0)
