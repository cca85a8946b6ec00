"""What an office signs apart from its journal: receipts, refusals and heads, which a player keeps of what they sent and
pastes to see whether it counted; and its card, by which a game can go on there."""

import base64
import binascii
import textwrap
from typing import Any, Literal, TypeVar

import msgspec

from legation.formats import decode_json
from legation.proofs.canonical import CanonicalError, decode, encode
from legation.proofs.chain import head_statement
from legation.proofs.kinds import KeeperKey, SentRecord
from legation.proofs.records import Digest, Key, Moment, Opening, Signature
from legation.proofs.signing import public_key, sign, signed

RECEIPT = "legation receipt 2"
REFUSAL = "legation refusal 2"
HEAD = "legation head 2"
BEGIN, END = "-----BEGIN LEGATION RECEIPT-----", "-----END LEGATION RECEIPT-----"
LARGEST = 4 << 20
LARGEST_CARD = 4096  # bytes


class ReceiptError(ValueError):
    """A text that isn't a receipt, or one that its own signature or opening does not fit."""


class CardError(ValueError):
    """What is not the card of an office."""


class Signed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the office signs for a player, or of itself (:class:`OfficeCard`)."""

    format: str
    office: Key = ""
    signature: Signature = ""

    @property
    def what(self) -> str:
        """What is signed, as its format names it: ``receipt``, ``refusal``, ``head``."""
        return self.format.split()[1]

    def is_signed(self) -> bool:
        """Return whether the office that it names signed it."""
        return signed(self.office, self.signature, self.what, self.statement())

    def statement(self) -> dict[str, Any]:
        """What the office signs, by the name in its format (``receipt``, ``refusal``, ``head``)."""
        document: dict[str, Any] = msgspec.to_builtins(self)
        return {key: value for key, value in document.items() if key not in ("signature", "openings")}


class SignedReceipt(Signed, frozen=True, kw_only=True):
    """What the office signs when it has taken something. ``line`` and ``head``: the journal's line that tells of it,
    and its hash; where senders are hidden (``hidden``) the last line that the office had signed, since the commitment
    enters at the closing. ``openings`` are not signed, for they are bound by the commitments: one for each record, or
    none where the receipt is sent again."""

    format: Literal["legation receipt 2"] = "legation receipt 2"
    game: str
    seat: str
    turn: str
    version: int
    received: Moment
    records: list[SentRecord]
    line: int
    head: Digest
    hidden: bool
    openings: list[Opening]


class SignedRefusal(Signed, frozen=True, kw_only=True):
    """What the office signs when it has not taken something. ``nonce`` is the sender's, where there was one."""

    format: Literal["legation refusal 2"] = "legation refusal 2"
    game: str
    seat: str
    turn: str
    at: Moment
    reason: str
    nonce: str = ""


class SignedHead(Signed, frozen=True, kw_only=True):
    """A signed head to keep: it stands under results."""

    format: Literal["legation head 2"] = "legation head 2"
    game: str
    n: int
    hash: Digest
    at: Moment

    def statement(self) -> dict[str, Any]:
        """What the office signs (``head``)."""
        return head_statement(self.game, self.n, self.hash, self.at)


class OfficeCard(Signed, frozen=True, kw_only=True):
    """The card of an office, signed by itself (``card``), so that a slip of copying is noticed."""

    format: Literal["legation office 1"] = "legation office 1"
    keeper: KeeperKey
    address: str

    @property
    def what(self) -> str:
        """What is signed: a ``card``, whatever its format is called."""
        return "card"

    def statement(self) -> dict[str, Any]:
        """What is signed (``card``)."""
        return {"office": self.office, "keeper": self.keeper.document(), "address": self.address}


KeptSignature = SignedReceipt | SignedRefusal | SignedHead
KINDS: dict[str, type[KeptSignature]] = {RECEIPT: SignedReceipt, REFUSAL: SignedRefusal, HEAD: SignedHead}
T = TypeVar("T", SignedReceipt, SignedRefusal, SignedHead, OfficeCard)


def signed_by(private: bytes, unsigned: T) -> T:
    """The same, with the public half of the office's private key and its signature."""
    kept = msgspec.structs.replace(unsigned, office=public_key(private))
    return msgspec.structs.replace(kept, signature=sign(private, kept.what, kept.statement()))


def receipt_json(receipt: Signed) -> str:
    """A receipt, or a card, as canonical JSON."""
    return encode(msgspec.to_builtins(receipt)).decode()


def receipt_text(receipt: KeptSignature) -> str:
    """A receipt as lines that mail programs leave alone: base64 between two marks."""
    lines = textwrap.wrap(base64.b64encode(receipt_json(receipt).encode()).decode(), 64)
    return "\n".join([BEGIN, *lines, END, ""])


def read_receipt(text: str) -> KeptSignature:
    """A receipt from what somebody pastes: JSON, or a text with the marked lines anywhere in it, quoted (``>``) or not.
    Its signature and its openings are checked. Raises ReceiptError, telling what is wrong."""
    if len(text) > LARGEST:
        raise ReceiptError("This is too long to be a receipt.")
    data = _marked(text) if BEGIN in text else text.strip().encode("utf-8", "replace")
    try:
        document = decode(data)
        if not isinstance(document, dict):
            raise ReceiptError("This is not a receipt: paste all of it, from its first mark to its last.")
        receipt = msgspec.convert(document, KINDS.get(str(document.get("format")), SignedReceipt))
    except (CanonicalError, msgspec.ValidationError) as error:
        raise ReceiptError(
            f"This is not a receipt, or not all of it: paste it from its first mark to its last. ({error})"
        ) from None
    if not receipt.is_signed():
        raise ReceiptError(f"This {receipt.what} was changed: its signature does not match what it says.")
    if isinstance(receipt, SignedReceipt):
        _check_openings(receipt)
    return receipt


def read_heads(data: bytes) -> list[SignedHead]:
    """Return the signed heads of a file that an office publishes (``/api/v1/heads``); ReceiptError for a wrong one."""
    try:
        heads = decode_json(data, type=list[SignedHead])
    except msgspec.DecodeError as error:
        raise ReceiptError(f"This is not a file of signed heads. ({error})") from None
    for head in heads:
        if not head.is_signed():
            raise ReceiptError(f"The head of line {head.n} of {head.game} was changed: its signature does not match.")
    return heads


def read_card(text: str) -> OfficeCard:
    """A card from what somebody pastes. Raises CardError, telling what is wrong."""
    data = text.strip().encode("utf-8", "replace")
    try:
        if len(data) > LARGEST_CARD:
            raise CardError("This is too long to be an office's card.")
        card = msgspec.convert(decode(data), OfficeCard)
    except (CanonicalError, msgspec.ValidationError) as error:
        message = f"This is not the card of an office: paste all that 'legation office card' printed there. ({error})"
        raise CardError(message) from None
    if not card.is_signed():
        raise CardError("This card was changed, or not copied whole: its signature does not match.")
    return card


def _check_openings(receipt: SignedReceipt) -> None:
    """Openings say what the receipt says, and fit its commitments. Raises ReceiptError otherwise."""
    expected = {"game": receipt.game, "seat": receipt.seat, "version": receipt.version, "given_in": receipt.turn}
    turns = {record.commitment: record.turn for record in receipt.records}
    for opening in receipt.openings:
        try:
            fields = opening.fields()
        except ValueError as error:
            raise ReceiptError(f"What this receipt says was sent does not fit its commitment: {error}.") from None
        if opening.commitment not in turns:
            raise ReceiptError("This receipt shows something that it does not commit to.")
        for name, value in {**expected, "turn": turns[opening.commitment], "received": receipt.received}.items():
            if fields.get(name, value) != value:
                raise ReceiptError(f"This receipt says {value!r}, and what it shows says {fields[name]!r} ({name}).")


def _marked(text: str) -> bytes:
    body = text.partition(BEGIN)[2].partition(END)[0]
    packed = "".join(line.strip().lstrip("> ").rstrip() for line in body.splitlines())
    try:
        return base64.b64decode("".join(packed.split()), validate=True)
    except (binascii.Error, ValueError):
        raise ReceiptError("Some of this receipt is missing or was changed on its way; copy it again.") from None
