"""What one office tells another of itself, so that a game can go on there: its key, its keeper's, its address."""

from typing import Any, Literal

import msgspec

from legation.proofs.canonical import CanonicalError, decode, encode
from legation.proofs.kinds import KeeperKey
from legation.proofs.records import Key, Signature
from legation.proofs.signing import public_key, sign, signed

LARGEST = 4096  # bytes


class CardError(ValueError):
    """What is not the card of an office."""


class OfficeCard(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The card of an office, signed by itself (``card``), so that a slip of copying is noticed."""

    format: Literal["legation office 1"] = "legation office 1"
    office: Key
    keeper: KeeperKey
    address: str
    signature: Signature = ""

    def statement(self) -> dict[str, Any]:
        """What is signed."""
        return {"office": self.office, "keeper": self.keeper.document(), "address": self.address}


def make_card(private: bytes, keeper: KeeperKey, address: str) -> OfficeCard:
    """The card of the office with this signing key."""
    card = OfficeCard(office=public_key(private), keeper=keeper, address=address)
    return msgspec.structs.replace(card, signature=sign(private, "card", card.statement()))


def card_json(card: OfficeCard) -> str:
    """A card as canonical JSON."""
    return encode(msgspec.to_builtins(card)).decode()


def read_card(text: str) -> OfficeCard:
    """A card from what somebody pastes. Raises CardError, telling what is wrong."""
    data = text.strip().encode("utf-8", "replace")
    try:
        if len(data) > LARGEST:
            raise CardError("This is too long to be an office's card.")
        card = msgspec.convert(decode(data), OfficeCard)
    except (CanonicalError, msgspec.ValidationError) as error:
        message = f"This is not the card of an office: paste all that 'legation office card' printed there. ({error})"
        raise CardError(message) from None
    if not signed(card.office, card.signature, "card", card.statement()):
        raise CardError("This card was changed, or not copied whole: its signature does not match.")
    return card
