"""Canonical bytes, records and receipts: what each refuses, and that a field opens or goes alone."""

import hashlib
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from legation.proofs.canonical import CanonicalError, decode, digest, encode
from legation.proofs.chain import next_line
from legation.proofs.kinds import SentRecord
from legation.proofs.receipts import (
    ReceiptError,
    SignedReceipt,
    SignedRefusal,
    read_receipt,
    receipt_json,
    receipt_text,
    signed_by,
)
from legation.proofs.records import (
    FIELDS,
    OpenField,
    Record,
    RecordError,
    SentFile,
    Submission,
    make_record,
    read_record,
)
from legation.proofs.signing import public_key, sign, signed
from tests.proofs.tampering import second

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('abé"\\\n'[:2] + "xyz", max_size=3), inner),
    max_leaves=12,
)
OFFICE = b"\x01" * 32


def chance() -> Callable[[int], bytes]:
    count = 0

    def random(n: int) -> bytes:
        nonlocal count
        count += 1
        return hashlib.shake_128(str(count).encode()).digest(n)

    return random


def submission(**changes: object) -> Submission:
    values = {
        "game": "ab" * 16,
        "turn": "Spring 1901 Movement",
        "given_in": "Spring 1901 Movement",
        "seat": "France",
        "version": 1,
        "channel": "web",
        "received": 1_700_000_000_000_000,
        "entered_by": "holder",
        "text": "A par - bur",
        **changes,
    }
    return msgspec.convert(values, Submission)


def record(**changes: object) -> Record:
    return make_record(submission(**changes), chance())


@given(VALUES)
def test_canonical_bytes_are_read_as_what_they_were(value: Any) -> None:
    assert decode(encode(value)) == value
    assert encode(value) == rfc8785.dumps(value)


@pytest.mark.parametrize(
    "data",
    [
        b'{"a":1,"a":1}',
        b'{"b":1,"a":1}',
        b'{"a": 1}',
        b"1.5",
        b"1.0",
        b"1e3",
        b"NaN",
        b'{"a":Infinity}',
        b"[-Infinity]",
        b"9007199254740992",
        b"-0",
        b'{"\xc3\xa9":1}',
        b'"\\u0041"',
        b'"\\ud800"',
        b"\xff",
        b'"\\/"',
        b"",
        b"[1,]",
        b"1 ",
        b"[" * 100_000,
        b"[" * 30 + b"]" * 30,
        b"9" * 5000,
    ],
)
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(CanonicalError):
        decode(data)
    if data[:30] != b"[" * 30 or len(data) > 100:  # levels are counted by the first verifier alone
        with pytest.raises((ValueError, RecursionError)):
            second.parse(data)


@pytest.mark.parametrize("value", [1.5, 2**53, {"é": 1}, {1: 2}, "\ud800", b"x", {"a": {1}}])
def test_what_has_no_canonical_form(value: object) -> None:
    with pytest.raises(CanonicalError):
        encode(value)


def test_digests_lines_and_signatures_say_what_they_are_of() -> None:
    assert digest("line", [1]) == hashlib.sha256(b"legation/line/2\n[1]").hexdigest()
    first = next_line(None, 5, "told", {"text": "a"})
    second = next_line((1, 5, first.hash), 3, "told", {"text": "b"})
    assert (first.n, first.prev, second.n, second.prev, second.at) == (1, "", 2, first.hash, 5)
    signature = sign(OFFICE, "head", {"n": 1})
    assert signed(public_key(OFFICE), signature, "head", {"n": 1})
    assert not signed(public_key(OFFICE), signature, "receipt", {"n": 1})
    assert not signed(public_key(OFFICE), signature, "head", {"n": 2})
    assert not signed(public_key(b"\x02" * 32), signature, "head", {"n": 1})
    assert not signed("", signature, "head", {"n": 1})
    assert not signed(public_key(OFFICE), "zz", "head", {"n": 1})


def test_no_record_is_made_of_a_text_that_was_not_cleaned() -> None:
    with pytest.raises(CanonicalError):
        record(text="a\r\nb")


def test_a_record_is_read_from_what_was_sealed() -> None:
    whole = record(files=[{"sent": "a" * 64, "kept": "b" * 64, "type": "image/png"}], note="see the back")
    assert read_record(whole.to_bytes()) == whole
    assert whole.open().fields() == {name: getattr(whole.submission, name) for name in FIELDS}
    assert isinstance(whole.submission.files[0], SentFile)


@pytest.mark.parametrize("name", FIELDS)
def test_each_field_opens_or_goes_alone(name: str) -> None:
    whole = record()
    alone = whole.open([name])
    assert list(alone.fields()) == [name]
    assert alone.commitment == whole.commitment
    assert whole.open().without([n for n in FIELDS if n != name]) == alone
    assert name not in whole.open().without([name]).fields()


@pytest.mark.parametrize("name", FIELDS)
def test_no_field_and_no_salt_can_be_changed(name: str) -> None:
    opening = record().open()
    entry = opening.opened[name]
    for other in (OpenField("0" * 64, entry.value), OpenField(entry.salt, [entry.value])):
        with pytest.raises(RecordError):
            msgspec.structs.replace(opening, opened={**opening.opened, name: other}).fields()
    with pytest.raises(RecordError):
        msgspec.structs.replace(opening, opened={k: v for k, v in opening.opened.items() if k != name}).fields()


def receipt() -> SignedReceipt:
    whole = record()
    records = [SentRecord(turn="Spring 1901 Movement", commitment=whole.commitment)]
    return signed_by(
        OFFICE,
        SignedReceipt(
            game=whole.submission.game,
            seat="France",
            turn="Spring 1901 Movement",
            version=1,
            received=whole.submission.received,
            records=records,
            line=7,
            head="c" * 64,
            hidden=False,
            openings=[whole.open()],
        ),
    )


def test_a_receipt_is_read_from_a_mail() -> None:
    given_out = receipt()
    assert read_receipt(receipt_json(given_out)) == given_out
    mailed = "Hello,\n\n" + receipt_text(given_out) + "\nBye"
    assert read_receipt(mailed) == given_out
    quoted = "\r\n".join(f"> {line}" for line in mailed.splitlines())
    assert read_receipt(quoted) == given_out


@pytest.mark.parametrize("field", ["game", "seat", "turn", "version", "received", "line", "head", "hidden", "records"])
def test_a_changed_receipt_is_refused(field: str) -> None:
    given_out = msgspec.to_builtins(receipt())
    other = {"version": 2, "received": 1, "line": 8, "head": "d" * 64, "hidden": True, "records": []}.get(field, "x")
    with pytest.raises(ReceiptError, match="changed"):
        read_receipt(encode({**given_out, field: other}).decode())


def test_what_is_no_receipt_or_shows_something_else_is_refused() -> None:
    given_out = msgspec.to_builtins(receipt())
    given_out["openings"][0]["opened"]["text"]["value"] = "A par - pic"
    with pytest.raises(ReceiptError, match="does not fit its commitment"):
        read_receipt(encode(given_out).decode())
    given_out["openings"] = msgspec.to_builtins([record(text="A par - pic").open()])
    with pytest.raises(ReceiptError, match="does not commit to"):
        read_receipt(encode(given_out).decode())
    for text in ("", "hello", "{}", "[]", "x" * (5 << 20), receipt_text(receipt())[:200]):
        with pytest.raises(ReceiptError):
            read_receipt(text)
    # a refusal is signed
    refusal = signed_by(OFFICE, SignedRefusal(game="g", seat="France", turn="", at=1, reason="The turn is closed."))
    assert read_receipt(receipt_text(refusal)) == refusal
    with pytest.raises(ReceiptError, match="changed"):
        read_receipt(receipt_json(msgspec.structs.replace(refusal, reason="x")))


@pytest.mark.parametrize("stray", ["*", "é", "="])
def test_a_receipt_with_a_sign_too_many_is_not_read(stray: str) -> None:
    """Something came into it on its way; what, nobody knows."""
    first, *rest = receipt_text(receipt()).splitlines()
    rest[0] = rest[0][:10] + stray + rest[0][10:]
    with pytest.raises(ReceiptError, match="missing or was changed"):
        read_receipt("\n".join([first, *rest]))
