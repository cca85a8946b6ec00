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


HONEST = {
    "OpenDKIM": f"{HOST};\n\tdkim=pass (2048-bit key; unprotected) header.d={VICTIM} header.i=@{VICTIM} "
    'header.a=rsa-sha256 header.s=mail header.b="kNh1/q2x"',
    "OpenDKIM, a weak key": f"{HOST}; dkim=pass (1024-bit key) header.d={VICTIM} header.i=@{VICTIM}",
    "OpenDMARC behind Postfix": f"{HOST}; dmarc=pass (p=reject dis=none) header.from={VICTIM}",
    "Postfix with policyd-spf": f"{HOST}; spf=pass (sender SPF authorized) smtp.mailfrom={VICTIM} "
    f"(client-ip=192.0.2.1; helo=mail.{VICTIM}; envelope-from=ann@{VICTIM}; receiver=orders@office.example)",
    "Rspamd": f'{HOST};\n\tdkim=pass header.d={VICTIM} header.s=default header.b="aB/3=";\n'
    f"\tdmarc=pass (policy=quarantine) header.from={VICTIM};\n"
    f"\tspf=pass (mx: domain of ann@{VICTIM} designates 192.0.2.1 as permitted sender) smtp.mailfrom=ann@{VICTIM}",
    "Exim": f"{HOST};\n\tiprev=pass (mail.{VICTIM}) smtp.remote-ip=192.0.2.1;\n\tspf=pass smtp.mailfrom={VICTIM};\n"
    f"\tdkim=pass header.d={VICTIM} header.s=k1 header.a=rsa-sha256;\n\tdmarc=pass header.from={VICTIM};\n"
    "\tarc=none header.s=arc",
    "Exchange": f"{HOST};\n spf=pass (sender IP is 192.0.2.1) smtp.mailfrom={VICTIM}; dkim=pass (signature was\n"
    f" verified) header.d={VICTIM};dmarc=pass action=none header.from={VICTIM};compauth=pass reason=100",
    "Gmail": f"{HOST};\n       dkim=pass header.i=@{VICTIM} header.s=20230601 header.b=QkV7x+a9;\n"
    f"       spf=pass (google.com: domain of ann@{VICTIM} designates 2001:db8::1 as permitted sender) "
    f"smtp.mailfrom=ann@{VICTIM};\n       dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from={VICTIM};\n"
    f"       dara=pass header.i=@{VICTIM}",
    "Fastmail": f"{HOST};\n    dkim=pass (2048-bit rsa key sha256) header.d={VICTIM} header.i=@{VICTIM}\n"
    "    header.b=mUWkhR9Q header.a=rsa-sha256 header.s=fm3 x-bits=2048;\n"
    f"    dmarc=pass policy.published-domain-policy=none\n    policy.applied-disposition=none header.from={VICTIM};\n"
    f"    x-tls=pass smtp.version=TLSv1.3 smtp.cipher=TLS_AES_256_GCM_SHA384 smtp.bits=256/256",
    "two signatures, of which one is the sender's": f"{HOST}; dkim=pass header.d=list.example; "
    f"dkim=pass header.d={VICTIM}",
    "upper case": f"{HOST.upper()}; DKIM=PASS header.d={VICTIM.upper()}",
    "a version": f"{HOST} 1; dkim/1=pass header.d={VICTIM}",
    "a broken second signature": f"{HOST}; dkim=pass header.d={VICTIM}; "
    'dkim=fail reason="bad; dkim=pass" header.d=x.org',
    "no policy of DMARC": f"{HOST}; dmarc=none header.from={VICTIM}; dkim=pass header.d={VICTIM}",
}


@pytest.mark.parametrize("server", HONEST)
def test_honest_fields_are_believed(server: str) -> None:
    assert is_vouched(mail(HONEST[server]), HOST)


@pytest.mark.parametrize("server", HONEST)
def test_honest_fields_vouch_for_nobody_else(server: str) -> None:
    for other in (f"ann@{EVIL}", f"ann@mail.{VICTIM}", "ann@org", f"ann@x{VICTIM}", f"ann@{VICTIM}.{EVIL}"):
        assert not is_vouched(mail(HONEST[server], other), HOST)
    assert not is_vouched(mail(HONEST[server]), "mx.other.example")
    assert not is_vouched(mail(HONEST[server]), "")
    assert not is_vouched(mail(HONEST[server]), UNNAMED)


def test_a_server_without_a_name_is_believed_where_it_is_named_so() -> None:
    """Exchange Online writes no name of its own; its field is the topmost."""
    field = (
        f"spf=pass (sender IP is 192.0.2.1)\n smtp.mailfrom={VICTIM}; dkim=pass (signature was verified)\n "
        f"header.d={VICTIM};dmarc=pass action=none\n header.from={VICTIM};compauth=pass reason=100"
    )
    assert is_vouched(mail(field), UNNAMED)
    assert not is_vouched(mail(field), HOST)
    assert not is_vouched(mail(f"{EVIL}; dkim=pass header.d={VICTIM}"), UNNAMED)


RFC_8601: dict[str, tuple[str, bool]] = {
    "B.2": ("example.org 1; none", False),
    "B.3": ("example.com;\n          spf=pass smtp.mailfrom=example.net", True),
    "B.4, sender authenticated": (
        "example.com;\n          auth=pass (cram-md5) smtp.auth=sender@example.net;\n"
        "          spf=pass smtp.mailfrom=example.net",
        True,
    ),
    "B.4, address of the connection": ("example.com; iprev=pass\n          policy.iprev=192.0.2.200", False),
    "B.5": ("example.com;\n      dkim=pass (good signature) header.d=example.net", True),
    "B.5, SPF": (
        "example.com;\n          auth=pass (cram-md5) smtp.auth=sender@example.com;\n"
        "          spf=fail smtp.mailfrom=example.net",
        False,
    ),
    "B.6": (
        'example.com;\n      dkim=pass reason="good signature"\n        header.i=@mail-router.example.net;\n'
        '      dkim=fail reason="bad signature"\n        header.i=@newyork.example.net',
        False,
    ),
    "B.6, at the router": ("example.net;\n      dkim=pass (good signature) header.i=@newyork.example.com", False),
    "B.7": (
        "foo.example.net (foobar) 1 (baz);\n    dkim (Because I like it) / 1 (One yay) = (wait for it) fail\n"
        "      policy (A dot can go here) . (like that) expired\n"
        "      (this surprised me) = (as I wasn't expecting it) 1362471462",
        False,
    ),
    "4, a local policy": ("example.com; dkim=policy policy.dkim-rules=unsigned-subject", False),
}


def test_the_examples_of_the_rfc_are_read() -> None:
    """For mail from ``example.net``; the comments, folds and versions that the RFC shows are no obstacle."""
    assert not is_vouched(message(("From", "a@example.net")), "example.com"), "B.1, no field"
    for name, (field, good) in RFC_8601.items():
        assert is_vouched(mail(field, "a@example.net"), field.split(";")[0].split()[0]) is good, name
    # the last example's signature failed: with another result the same field is good, so it was parsed
    field = RFC_8601["B.7"][0].replace(") fail", ") pass").replace("policy (A", "header.d=example.net policy (A")
    assert is_vouched(mail(field, "a@example.net"), "foo.example.net")


def forged() -> Iterator[str]:
    """Fields for a mail from the victim that say nothing good of the victim, however they look.

    ``forged_results.tsv`` has the lies that a sender can have a server write (domains of their own, quoted parts,
    comments, reasons), and good results in a field that is none (broken)."""
    d, e, h = VICTIM, EVIL, HOST
    rows = Path(__file__).with_name("forged_results.tsv").read_text(encoding="utf-8").splitlines()[1:]
    told = [(kind, field.format(d=d, e=e, h=h)) for kind, field in (row.split("\t") for row in rows)]
    lies = [field for kind, field in told if kind == "lie"]
    yield from (field for kind, field in told if kind == "broken")
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
    good, bad = HONEST["OpenDKIM"], f"{HOST}; dkim=fail header.d={VICTIM}"
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
    good = ("Authentication-Results", HONEST["OpenDKIM"])
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
