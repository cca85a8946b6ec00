"""Who vouches for a mail: forged fields by the hundred, and honest ones of the servers that people use."""

import email
import email.policy
import itertools
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legation.mail.reading import read_mail
from legation.mail.vouching import LONGEST, UNNAMED, author, is_vouched, vouches

HOST = "mx.office.example"
VICTIM = "victim.org"
EVIL = "evil.com"


def message(*fields: tuple[str, str]) -> EmailMessage:
    head = "".join(f"{name}: {value}\n" for name, value in fields).encode("utf-8", "surrogateescape")
    made = email.message_from_bytes(head + b"\nA lon H\n", policy=email.policy.default)
    assert isinstance(made, EmailMessage)
    return made


def mail(results: str, sender: str = f"Ann <ann@{VICTIM}>") -> EmailMessage:
    return message(("Authentication-Results", results), ("From", sender), ("Subject", "Orders"))


def fields(kind: str) -> list[str]:
    """The fields of a kind in ``results.tsv``: ``honest`` ones of the servers that people use, those of the RFC for a
    mail from ``example.net`` whose sender ``passes`` or ``fails``, and forged ones."""
    named = {"d": VICTIM, "e": EVIL, "h": HOST, "D": VICTIM.upper(), "H": HOST.upper()}
    rows = Path(__file__).with_name("results.tsv").read_text(encoding="utf-8").splitlines()[1:]
    listed = [row.partition("\t")[2] for row in rows if row.startswith(kind)]
    return [field.replace("\\n", "\n").replace("\\t", "\t").format_map(named) for field in listed]


HONEST = fields("honest")


@pytest.mark.parametrize("field", HONEST)
def test_honest_fields_are_believed_and_vouch_for_nobody_else(field: str) -> None:
    assert is_vouched(mail(field), HOST)
    for other in (f"ann@{EVIL}", f"ann@mail.{VICTIM}", "ann@org", f"ann@x{VICTIM}", f"ann@{VICTIM}.{EVIL}"):
        assert not is_vouched(mail(field, other), HOST)
    assert not is_vouched(mail(field), "mx.other.example")
    assert not is_vouched(mail(field), "")
    assert not is_vouched(mail(field), UNNAMED)


def test_a_server_without_a_name_is_believed_where_it_is_named_so() -> None:
    """Exchange Online writes no name of its own; its field is the topmost."""
    field = (
        f"spf=pass (sender IP is 192.0.2.1)\n smtp.mailfrom={VICTIM}; dkim=pass (signature was verified)\n "
        f"header.d={VICTIM};dmarc=pass action=none\n header.from={VICTIM};compauth=pass reason=100"
    )
    assert is_vouched(mail(field), UNNAMED)
    assert not is_vouched(mail(field), HOST)
    assert not is_vouched(mail(f"{EVIL}; dkim=pass header.d={VICTIM}"), UNNAMED)


def test_the_examples_of_the_rfc_are_read() -> None:
    """For mail from ``example.net``; the comments, folds and versions that the RFC shows are no obstacle."""
    assert not is_vouched(message(("From", "a@example.net")), "example.com"), "B.1, no field"
    for good in (True, False):
        for field in fields("passes" if good else "fails"):
            assert is_vouched(mail(field, "a@example.net"), field.split(";")[0].split()[0]) is good, field
    # B.7's signature failed: with another result the same field is good, so it was parsed
    (failed,) = (field for field in fields("fails") if field.startswith("foo.example.net"))
    good_field = failed.replace(") fail", ") pass").replace("policy (A", "header.d=example.net policy (A")
    assert is_vouched(mail(good_field, "a@example.net"), "foo.example.net")


def forged() -> Iterator[str]:
    """Fields for a mail from the victim that say nothing good of the victim, however they look.

    ``results.tsv`` has the lies that a sender can have a server write (domains of their own, quoted parts, comments,
    reasons), and good results in a field that is none (broken)."""
    d, e, h, lies = VICTIM, EVIL, HOST, fields("lie")
    yield from fields("broken")
    yield from (
        f"{h}; dkim=pass header.d={d} \x00",
        f"{h}; dkim=pass header.d={d} \x7f",
        f"{h}; dkim=pass header.d={d} é",
        f"{h}; dkim=pass header.d={d} {'x' * LONGEST}",
        f"{h}; dkim=pass {'(' * 3000}{')' * 3000} header.d={d} (" + "x" * 100,
        f"{h}; dkim=pass header.d={d} " + "(" * 4000,
    )
    tails = ("", f"; spf=fail smtp.mailfrom={d}", f"; dkim=pass header.d={e}", " (good signature)", "\n\t")
    for lie, tail in itertools.product(lies, tails):
        yield f"{h}; {lie}{tail}"
    for lie in lies:
        yield f"{h};\n\tdkim=pass header.d={e};\n\t{lie}"


FORGED = tuple(dict.fromkeys(forged()))


def test_no_forged_field_is_believed() -> None:
    assert len(FORGED) > 500
    believed = [field for field in FORGED if is_vouched(mail(field), HOST)]
    assert believed == []
    assert [field for field in FORGED if vouches(field, HOST, VICTIM)] == []
    assert [field for field in FORGED if is_vouched(mail(field), UNNAMED)] == []


def test_only_the_topmost_field_counts() -> None:
    good, bad = HONEST[0], f"{HOST}; dkim=fail header.d={VICTIM}"
    for first, second, sure in ((good, bad, True), (bad, good, False), (f"{EVIL}; none", good, False)):
        sent = message(("Authentication-Results", first), ("Authentication-Results", second), ("From", f"a@{VICTIM}"))
        assert is_vouched(sent, HOST) is sure
    for name in ("ARC-Authentication-Results", "Authentication-Results-Original", "X-Authentication-Results"):
        assert not is_vouched(message((name, good), ("From", f"a@{VICTIM}")), HOST)


AMBIGUOUS = (
    f"ann@{VICTIM}, eve@{EVIL}",
    f"eve@{EVIL}, ann@{VICTIM}",
    f"ann@{VICTIM} <eve@{EVIL}>",
    f"<eve@{EVIL}> ann@{VICTIM}",
    f"ann@{VICTIM}@{EVIL}",
    f"=?utf-8?q?ann=40{VICTIM}?=",
    f'"ann@{VICTIM}" <eve@{EVIL}>',
    f"=?utf-8?q?ann=40{VICTIM}=3E=2C?= <eve@{EVIL}>",
    f"=?utf-8?q?ann=40{VICTIM}?= <eve@{EVIL}>",
    f"(ann@{VICTIM}) eve@{EVIL}",
    f'"ann@{VICTIM}" @{EVIL}',
    f"Ann: eve@{EVIL};",
    f"=?utf-8?q?ann?=@{VICTIM}, bob@{EVIL}",
    "undisclosed:;",
    "",
)


@pytest.mark.parametrize("sender", AMBIGUOUS)
def test_nobody_poses_as_another_by_how_the_sender_is_written(sender: str) -> None:
    """Neither with the word of the victim's domain nor with that of the own one is such a mail from the victim."""
    for domain in (VICTIM, EVIL):
        sent = mail(f"{HOST}; dkim=pass header.d={domain}", sender)
        assert author(sent) != f"ann@{VICTIM}"
        assert not is_vouched(sent, HOST) or author(sent).endswith(f"@{EVIL}")


def test_two_senders_are_none_and_letters_that_look_alike_are_others() -> None:
    good = ("Authentication-Results", HONEST[0])
    assert author(message(good, ("From", f"ann@{VICTIM}"), ("From", f"eve@{EVIL}"))) == ""
    assert not is_vouched(message(good, ("From", f"ann@{VICTIM}"), ("from", f"ann@{VICTIM}")), HOST)
    assert not is_vouched(message(good), HOST)
    # only ASCII is folded: ``ß`` is not ``ss``, the sign of Kelvin is no ``k``
    assert author(mail("", f"STRAßE@{VICTIM}")) == f"straße@{VICTIM}"
    assert author(mail("", f"\u212aate@{VICTIM}")) != f"kate@{VICTIM}"
    assert author(mail("", f"Ann <ANN@{VICTIM.upper()}>")) == f"ann@{VICTIM}"


@given(st.text(max_size=300), st.sampled_from([HOST, f"{HOST};", f"{HOST}; dkim=", f"{HOST}; dkim=fail "]))
def test_any_field_is_read_without_a_fault(text: str, start: str) -> None:
    assert not vouches(start + text, HOST, VICTIM)


def test_a_head_whose_lines_end_in_several_ways_vouches_for_nothing() -> None:
    """A server sees one field where the parser sees two: what hides in the first was not removed."""
    field = f"Authentication-Results: {HOST}; dkim=pass header.d={VICTIM}"
    rest = f"From: ann@{VICTIM}\nSubject: Orders\n\nA lon H\r\nbare: \r and \n\n"
    for plain in (
        f"{field}\n{rest}",
        f"{field}\r\nFrom: ann@{VICTIM}\r\n\r\nA lon H\n",
        f"{field};\n spf=none\n{rest}",
    ):
        assert read_mail(plain.encode(), trusted=HOST).vouched
    for hidden in (
        f"X-A: x\r{field}\r\nFrom: ann@{VICTIM}\r\n\r\nA lon H\r\n",
        f"X-A: x\n{field}\r\nFrom: ann@{VICTIM}\r\n\r\nA lon H\r\n",
        f"X-A: x\r{field}\n{rest}",
        f"X-A: x\r\r\n{field}\r\nFrom: ann@{VICTIM}\r\n\r\nA lon H\r\n",
        f"{field}\r\nX-A: x\r From: bob@{EVIL}\r\nFrom: ann@{VICTIM}\r\n\r\nA lon H\r\n",
    ):
        assert not read_mail(hidden.encode(), trusted=HOST).vouched


def test_fields_whose_names_or_results_are_encoded_vouch_for_nothing() -> None:
    field = f"{HOST}; dkim=pass header.d={VICTIM}"
    for name, value in (
        ("=?utf-8?q?Authentication-Results?=", field),
        ("Authentication-Results", f"{HOST}; dkim=pass header.d==?utf-8?q?{VICTIM}?="),
        ("Authentication-Results ", field),
    ):
        assert not is_vouched(message((name, value), ("From", f"ann@{VICTIM}")), HOST)
