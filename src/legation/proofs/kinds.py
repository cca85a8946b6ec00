"""The kinds of lines of a journal, each with the form of its data.

A line of any kind may stand as ``private`` where not all may read it: then its kind and data are what the hash is over.
Positions and results are texts with JSON in them, since the names of powers, which are keys there, may be in any
script."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from legation.proofs.canonical import LARGEST
from legation.proofs.records import Digest, Key, Moment, Nonce, Signature

FORMAT = "legation journal 2"
MaybeDigest = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?\\Z")]
MaybeKey = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?\\Z")]
MaybeSignature = Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{128})?\\Z")]
Count = Annotated[int, msgspec.Meta(ge=0, le=LARGEST)]
Secret = Digest  # 32 bytes in hexadecimal, too


class LineData(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The form of all data of lines: every key is there, and no other."""

    def document(self) -> dict[str, Any]:
        """The data as they stand in the line."""
        document: dict[str, Any] = msgspec.to_builtins(self)
        return document


class PlainTurnLine(LineData, frozen=True, kw_only=True):
    """``aside``, ``taken back``, ``final``: what happens to a turn as a whole; all others of a turn have more."""

    turn: str


class SeatLine(PlainTurnLine, frozen=True, kw_only=True):
    """``not ready``: something about a seat in a turn."""

    seat: str


class VersionLine(SeatLine, frozen=True, kw_only=True):
    """``objected``: the holder objects to a version as it was entered."""

    version: Count


class KeeperKey(LineData, frozen=True, kw_only=True):
    """Who countersigns closings. ``elsewhere``: on a machine of its own."""

    key: Key
    elsewhere: bool


class OldJournal(LineData, frozen=True, kw_only=True):
    """What there was before the journal became a chain: a digest of it, and its commitments."""

    journal: Digest
    commitments: list[Digest]


class SettingsLine(LineData, frozen=True, kw_only=True):
    """``settings``: what of line 1 may change while the game runs, as it is from now on."""

    senders: Literal["shown", "hidden"]  # whether all see at once who has sent
    anonymous: bool
    waits: bool  # for missing orders, past the deadline

    @property
    def in_words(self) -> str:
        """The settings in words."""
        names, waits = "anonymous" if self.anonymous else "named", "waits" if self.waits else "doesn't wait"
        return f"players are {names}, senders {self.senders}, and the game {waits} for orders"


class GameLine(SettingsLine, frozen=True, kw_only=True):
    """Line 1, ``game``. ``rules`` is the digest (``rules``) of the rules' text, ``lots`` the commitment to the game's
    secret, ``deal`` that to the secret of the deal, ``part`` the keeper's for the deal."""

    format: Literal["legation journal 2"]
    game: str
    office: Key
    keeper: KeeperKey
    variant: str
    options: dict[str, str | bool | int]
    rules: Digest
    seats: list[str]
    lots: Digest
    deal: Digest
    part: MaybeDigest
    hides: bool  # rules hide positions from some (fog)
    old: OldJournal | None


class ImportedLine(LineData, frozen=True, kw_only=True):
    """``imported``, only as line 2: the game was begun elsewhere. ``source`` says where, ``file`` is the digest
    (SHA-256) of what its coordinator brought, ``turns`` how many turns it told of; it goes on from ``position``
    (JSON in a text)."""

    source: str
    file: Digest
    turns: int
    position: str


class HeldLine(LineData, frozen=True, kw_only=True):
    """``held``: who holds a seat from now on: a random reference that is only of this game, ``bot``, or empty."""

    seat: str
    person: str


class SeatKeyLine(LineData, frozen=True, kw_only=True):
    """``seat key``: the public key that the seat's page signs with from now on; empty: none any more. With
    ``signature`` only where the key before signed it (as that kind)."""

    seat: str
    key: MaybeKey
    signature: Signature | UnsetType = UNSET


class SignUp(LineData, frozen=True, kw_only=True):
    """A sign-up: its number, and the seats in order of preference."""

    number: str
    wishes: list[str]
    nonce: Nonce


class DealtSeat(LineData, frozen=True, kw_only=True):
    """A seat that was dealt."""

    number: str
    seat: str


class DealtLine(LineData, frozen=True, kw_only=True):
    """``dealt``: the deal of the seats, with what it can be repeated from."""

    name: str
    sign_ups: list[SignUp]
    free: list[str]
    dealt: list[DealtSeat]
    secret: Secret
    part: MaybeDigest


class TurnLine(PlainTurnLine, frozen=True, kw_only=True):
    """``turn opened``. ``due`` is the deadline (0: none until it is told); ``key`` seals at the keeper, ``office_key``
    at the office; ``secret`` and ``part`` are commitments for the lots; ``keeper`` is the keeper's signature
    (``turn``)."""

    number: Count
    due: Moment
    key: Key
    office_key: MaybeKey
    secret: Digest
    part: MaybeDigest
    keeper: Signature


class StandingLine(SeatLine, frozen=True, kw_only=True):
    """``standing``: the position in which a turn opened, and the seats from which orders are awaited. Where rules hide
    positions it is private, once whole (``seat`` is empty) and once as each seat sees it."""

    awaited: list[str]
    position: str


class DeadlineLine(PlainTurnLine, frozen=True, kw_only=True):
    """``deadline``: a later one, with the keeper's acknowledgment (``deadline``); 0: none until it is told (paused)."""

    due: Moment
    why: str
    keeper: Signature


class SentRecord(PlainTurnLine, frozen=True, kw_only=True):
    """The commitment of a record, and the turn that it is for."""

    commitment: Digest


class SentLine(VersionLine, frozen=True, kw_only=True):
    """``sent``: somebody sent something: a record for its turn and one for each later turn of the season."""

    records: list[SentRecord]


class CommitmentsLine(PlainTurnLine, frozen=True, kw_only=True):
    """``commitments``: where senders are hidden, all that were taken in a turn, sorted, before it is closed."""

    records: list[SentRecord]


class WordLine(VersionLine, frozen=True, kw_only=True):
    """``withdrawn``, ``confirmed``, ``refused``: the holder's word on a version; with ``signature`` only where the
    seat's key signed it (as that kind)."""

    signature: Signature | UnsetType = UNSET


class ReadyLine(VersionLine, frozen=True, kw_only=True):
    """``ready``: signed by the seat's key (``ready``) where it has one. ``version`` is the last that was sent;
    ``again`` counts how often the seat was ready before in this turn, and is left out the first time."""

    signature: MaybeSignature
    again: Annotated[int, msgspec.Meta(ge=1, le=LARGEST)] | UnsetType = UNSET


class ClosedLine(PlainTurnLine, frozen=True, kw_only=True):
    """``closed``: the turn takes nothing more. ``due`` is the effective deadline."""

    why: Literal["deadline", "all ready", "waited"]
    due: Moment


class CountersignedLine(PlainTurnLine, frozen=True, kw_only=True):
    """``countersigned``: the keeper's signature (``closing``) of the line that closed the turn."""

    line: Count
    head: Digest
    at: Moment
    signature: Signature


class OpenedLine(PlainTurnLine, frozen=True, kw_only=True):
    """``opened``: the keeper gave the turn's key, and its part of the lots."""

    part: MaybeDigest


class TranscribedLine(VersionLine, frozen=True, kw_only=True):
    """``transcribed``: what stands on a picture that was sealed in time, as it was read after the opening.
    ``opened_after``: the sheet lay in an envelope whose photograph was sealed, so nothing binds what is read to what
    was in it: entered by the coordinator after the opening. The last such line of a record counts."""

    commitment: Digest
    text: str
    opened_after: bool
    reason: str


class ChosenLine(VersionLine, frozen=True, kw_only=True):
    """``chosen``: the coordinator says which version counts, by what the holder wrote about versions; 0: none, as
    where the sheet of a posted revision never came."""

    reason: str


class CountedSheet(LineData, frozen=True, kw_only=True):
    """The version that counts of a seat; 0 and an empty commitment where there is none."""

    seat: str
    version: Count
    commitment: MaybeDigest


class CountedLine(PlainTurnLine, frozen=True, kw_only=True):
    """``counted``: which version counts of each seat, in the order of the seats in line 1."""

    sheets: list[CountedSheet]


class ResultLine(SeatLine, frozen=True, kw_only=True):
    """``result``: what came of a turn, where rules hide positions: always private, before the ``results`` line, once
    whole (``seat`` is empty) and once as each seat sees it."""

    result: str


class ResultsLine(PlainTurnLine, frozen=True, kw_only=True):
    """``results``: what came of a turn (:mod:`legation.proofs.results`), with the turn's secret of the lots. Both are
    empty where rules hide positions."""

    draft: bool
    secret: MaybeDigest
    result: str


class EndedLine(LineData, frozen=True, kw_only=True):
    """``ended``: how; ``secret`` is the game's secret of the lots."""

    how: str
    seats: list[str]
    secret: Secret


class OfficeKeyLine(LineData, frozen=True, kw_only=True):
    """``office key``: the office signs with another key from now on; signed (``key``) by the one before."""

    key: Key
    signature: MaybeSignature


class KeeperLine(LineData, frozen=True, kw_only=True):
    """``keeper``: another keeper from the next turn on; signed (``key``) by the one before."""

    keeper: KeeperKey
    signature: MaybeSignature


class TransferredLine(KeeperLine, frozen=True, kw_only=True):
    """``transferred``: the last line of this office; the game goes on in the one with this key, witnessed by its
    keeper. ``signature``: that of the keeper before (``key``), empty where the keeper stays or says nothing."""

    key: Key


class TakenLine(LineData, frozen=True, kw_only=True):
    """``taken over``: the first line of the office that the line above names, which signs from here on."""


class RestoredLine(LineData, frozen=True, kw_only=True):
    """``restored``: the office came back from a backup; what it had signed up to ``lost_to`` (hash ``head``) after the
    line before this one is lost."""

    lost_to: Count
    head: Digest


class ReopenedLine(PlainTurnLine, frozen=True, kw_only=True):
    """``reopened``: keys are lost. What was sealed by this line for the turns in ``lost`` is opened by nobody, and
    never counts. ``turn`` is the one among them that had opened: it opens anew with another key, in the same position
    (empty: none had). ``lots``: the commitment to a new secret of the game, where the old one is lost too, else
    empty."""

    lost: list[str]
    lots: MaybeDigest


class ErasedRecord(LineData, frozen=True, kw_only=True):
    """Fields of a record whose salts are gone: never its text."""

    commitment: Digest
    fields: list[Literal["files", "note"]]


class ErasedLine(LineData, frozen=True, kw_only=True):
    """``erased``: a person's names and notes are gone."""

    persons: list[str]
    records: list[ErasedRecord]


class ToldLine(LineData, frozen=True, kw_only=True):
    """``told``: something else that happened, in words; it decides nothing."""

    text: str


class Said(LineData, frozen=True, kw_only=True):
    """A kind and its data, among others of a ``seat turn``."""

    kind: str
    data: dict[str, Any]


class SeatTurnLine(SeatLine, frozen=True, kw_only=True):
    """``seat turn``: where rules hide positions, all that came from a seat before its turn was closed, or was read and
    counted of it after that. It is always private, one for each seat, so that nobody can count what is in it."""

    said: list[Said]


class PrivateLine(LineData, frozen=True, kw_only=True):
    """``private``: the hashes of what not all may read."""

    hashes: list[Digest]


KINDS: dict[str, type[LineData]] = {
    "game": GameLine,
    "imported": ImportedLine,
    "settings": SettingsLine,
    "held": HeldLine,
    "seat key": SeatKeyLine,
    "dealt": DealtLine,
    "turn opened": TurnLine,
    "standing": StandingLine,
    "deadline": DeadlineLine,
    "sent": SentLine,
    "commitments": CommitmentsLine,
    "withdrawn": WordLine,
    "confirmed": WordLine,
    "refused": WordLine,
    "objected": VersionLine,
    "ready": ReadyLine,
    "not ready": SeatLine,
    "closed": ClosedLine,
    "countersigned": CountersignedLine,
    "opened": OpenedLine,
    "transcribed": TranscribedLine,
    "chosen": ChosenLine,
    "counted": CountedLine,
    "result": ResultLine,
    "results": ResultsLine,
    "aside": PlainTurnLine,
    "taken back": PlainTurnLine,
    "final": PlainTurnLine,
    "ended": EndedLine,
    "office key": OfficeKeyLine,
    "keeper": KeeperLine,
    "transferred": TransferredLine,
    "taken over": TakenLine,
    "restored": RestoredLine,
    "reopened": ReopenedLine,
    "erased": ErasedLine,
    "told": ToldLine,
    "seat turn": SeatTurnLine,
    "private": PrivateLine,
}
PRIVATE = frozenset(
    "standing sent withdrawn confirmed refused objected ready transcribed chosen counted result told".split()
) | {"not ready", "erased", "seat turn", "seat key"}
"""The kinds that may stand as ``private``."""


SIGNED = frozenset("turn opened,countersigned,results,restored,reopened,office key,transferred,taken over".split(","))
"""The kinds after which the office signs the head."""


def read_data(kind: str, data: Any) -> LineData:
    """Return a line's data (msgspec.ValidationError: not of its kind's form; KeyError: no kind)."""
    return msgspec.convert(data, KINDS[kind])
