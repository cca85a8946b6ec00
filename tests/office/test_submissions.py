"""What is promised to whoever sends something in, sentence by sentence."""

import contextlib
import hashlib
import io
import struct
import zlib
from collections.abc import Callable
from datetime import timedelta

import pillow_heif
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from legation.game.sheets import carried, interpret_sheet
from legation.judge import resolve
from legation.notation import write
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import mailings, mailroom
from legation.office.errors import ConflictError, InvalidInputError, LimitExceededError, NotFoundError, TooLateError
from legation.office.game import journal
from legation.office.hosting import proofs
from legation.office.office import Office
from legation.office.operation import work
from legation.office.operation.work import ANSWERS_KEPT, start_sweeping
from legation.office.orders import submissions
from legation.office.orders.pictures import PictureError, sniff, take_pictures
from legation.office.store.rows import AnswerRow, ArrivalRow
from legation.orders import Sheet
from legation.position import Position, Turn, Unit
from legation.proofs.signing import public_key, sign
from legation.variants import load
from tests.office.playing import VISITOR, begin, counted, deadline_of, passes, picture, refuses, the
from tests.office.test_orders_ahead import report

JPEG = b"\xff\xd8 a photograph"
KEY = "ab" * 32


def standings(office: Office, actor: Actor, game: str, turn: str = "now") -> list[str]:
    return [version.standing for version in submissions.mine(office, actor, game, "France", turn)]


def test_a_receipt_says_how_it_was_understood(office: Office) -> None:
    record, players, _ = begin(office, coordinated=True)
    france = players["France"]

    def notes(text: str) -> tuple[bool, tuple[str, ...]]:
        receipt = submissions.submit(office, france, record.key, "France", text)
        return receipt.counts, receipt.notes

    assert notes("hello") == (False, ("Nothing of this was understood.",))
    assert notes("A par H") == (True, ())
    assert notes("hello") == (False, ("Nothing of this was understood, so your earlier version still counts.",))
    asks = "Your version instructions go to the coordinator after the deadline."
    assert notes("A par - orl\nv1 replaces v2 only if the post is late")[1][:1] == (asks,)
    own, others, _ = begin(office, name="Auray", folk="Other")
    said = submissions.submit(
        office, others["France"], own.key, "France", "A par - orl\nv1 replaces v2 only if the post is late"
    )
    assert said.notes == ("This game runs itself: nobody reads version instructions, and your last version counts.",)
    assert own.turn is not None
    assert (said.version, said.channel, said.entered_by, said.deadline) == (1, "web", "holder", own.turn.deadline)


@pytest.mark.clause("W-20b")
@pytest.mark.parametrize(
    ("channels", "ways"),
    [
        (["web", "mail"], "Write them down and mail a photograph of the sheet."),
        (["mail", "post"], "Write them down and mail a photograph of the sheet, or post them."),
    ],
)
def test_a_game_of_photographs_says_how_orders_are_sent(office: Office, channels: list[str], ways: str) -> None:
    channels = sorted({"web", *channels})
    record, players, _ = begin(office, coordinated=True, photographs_only=True, channels={"Movement": channels})
    refused = refuses(InvalidInputError, submissions.submit, office, players["France"], record.key, "France", "A par H")
    assert refused.value.message == f"{record.name} takes orders on paper only. {ways}"
    assert list(refused.value.faults) == ["text: this game takes photographs only"]
    assert submissions.mine(office, players["France"], record.key, "France") == []


def test_pictures_are_taken_within_bounds_and_where_somebody_reads_them(make_office: Callable[..., Office]) -> None:
    office = make_office(most_files=2, largest_file=1000, largest_sheet=1000)
    record, players, _ = begin(office, coordinated=True)
    picture = ("a.jpg", JPEG.ljust(1000), "image/jpeg")

    def send(
        *pictures: tuple[str, bytes, str], note: str = "", game: str = record.key, actor: Actor = players["France"]
    ) -> int:
        return submissions.submit_pictures(office, actor, game, "France", list(pictures), note).version

    for pictures, told in (
        ((), "Send from 1 to 2 pictures."),
        ((picture,) * 3, "Send from 1 to 2 pictures."),
        ((picture, ("b.jpg", b"", "image/jpeg")), "'b.jpg' can't be accepted."),
        ((("c.jpg", JPEG.ljust(1001), "image/jpeg"),), "'c.jpg' can't be accepted."),
        ((("d.svg", JPEG, "image/svg+xml"),), "'d.svg' can't be accepted."),
    ):
        caught = refuses(InvalidInputError, send, *pictures)
        assert caught.value.message == told
    assert refuses(InvalidInputError, send, picture, note="A" * 1001).value.faults == ("text: too long",)
    assert send(picture, ("b.png", b"x", "image/png"), note="A" * 1000) == 1
    own, others, _ = begin(office, name="Auray", folk="Other")
    with pytest.raises(InvalidInputError, match="Auray runs itself, so nobody reads pictures"):
        send(picture, game=own.key, actor=others["France"])


def test_bounds_of_what_is_sent(make_office: Callable[..., Office], clock: SimulatedClock) -> None:
    office = make_office(largest_sheet=1000, most_versions=2)
    record, players, _ = begin(office)
    france = players["France"]
    for ask in (submissions.check, submissions.submit):
        caught = refuses(InvalidInputError, ask, office, france, record.key, "France", "A par H".ljust(1001))
        assert caught.value.faults == ("text: too long",)
    assert submissions.check(office, france, record.key, "France", "A par H".ljust(1000)).orders == ("A par H",)
    assert standings(office, france, record.key) == []  # a check is not kept
    submissions.submit(office, france, record.key, "France", "A par H", nonce="ab" * 16)
    with pytest.raises(ConflictError, match="needs a new nonce"):
        submissions.submit(office, france, record.key, "France", "A par H", nonce="ab" * 16)
    clock.set(deadline_of(record))  # what comes on the very microsecond counts
    submissions.submit(office, france, record.key, "France", "A par - orl", nonce="cd" * 16)
    with pytest.raises(LimitExceededError, match="France has sent 2 versions this turn, the most allowed"):
        submissions.submit(office, france, record.key, "France", "A par H")
    clock.advance(timedelta(microseconds=1))
    with pytest.raises(TooLateError, match="was due Tue 3 Mar 2026, 12:00 UTC"):
        submissions.submit(office, france, record.key, "France", "A par H")


def test_the_holders_words_about_versions(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, coordinated=True)
    france = players["France"]
    first = submissions.submit(office, france, record.key, "France", "A par H").submission
    second = submissions.submit(office, france, record.key, "France", "A par - orl").submission
    submissions.submit(office, france, record.key, "France", "nothing of this")
    assert standings(office, france, record.key) == ["replaced", "replaced", "counts"]  # nothing is told before
    refuses(ConflictError, submissions.confirm, office, france, second).match("nothing to confirm")
    refuses(ConflictError, submissions.refuse, office, france, second).match("withdraw it")
    for _ in range(2):
        assert submissions.withdraw(office, france, second).standing == "withdrawn"
    photograph = [("e", JPEG, "image/jpeg")]
    entered = submissions.register_posted(office, boss, record.key, "France", "", photograph, "sheet")
    for _ in range(2):
        submissions.confirm(office, france, entered.id)
        submissions.refuse(office, france, entered.id)
    lines = [entry.kind for entry in journal.entries(office, france, record.key, limit=1000)]
    assert [lines.count(kind) for kind in ("withdrawn", "entered is confirmed", "entered is refused")] == [1, 1, 1]
    clock.advance(timedelta(days=1, microseconds=1))
    for say in (submissions.withdraw, submissions.confirm, submissions.refuse):
        refuses(TooLateError, say, office, france, entered.id)
    work.run_due(office)
    told = ["counts", "withdrawn", "nothing understood", "withdrawn"]
    assert standings(office, france, record.key, "last") == told
    assert submissions.read_own(office, france, first).text == "A par H"


def test_a_turn_is_found_by_number_key_and_name(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office)
    france = players["France"]
    refuses(NotFoundError, standings, office, france, record.key, "last").match("has no results yet")
    submissions.submit(office, france, record.key, "France", "A par H")
    passes(office, clock, timedelta(days=1))
    for name in ("1", "last", "1425-movement", "1425-MOVEMENT", "1425 Movement", " 1 "):
        assert standings(office, france, record.key, name) == ["counts"], name
    for name in ("now", "", "2"):
        assert standings(office, france, record.key, name) == [], name
    for name in ("3", "1001", "1425"):
        refuses(NotFoundError, standings, office, france, record.key, name).match(f"Powick Bridge has no turn '{name}'")


def test_a_seats_key_is_64_digits_and_what_it_did_not_sign_is_told_at_once(office: Office) -> None:
    record, players, _ = begin(office)
    france = players["France"]
    for wrong in (KEY[1:], KEY + "a", KEY.upper(), "g" + KEY[1:]):
        with pytest.raises(InvalidInputError, match="isn't a public key"):
            submissions.set_key(office, france, record.key, "France", wrong)
    for key in (KEY, KEY, "", ""):  # what it is already is no news
        submissions.set_key(office, france, record.key, "France", key)
    told = [mail.facts["key"] for mail in mailings.claim(office, limit=100) if mail.kind == "seat key"]
    assert told == [KEY, ""]
    lines = [e for e in journal.entries(office, france, record.key, limit=1000) if e.kind == "seat key"]
    assert [(line.power, line.facts["key"]) for line in lines] == [("France", KEY), ("France", "")]
    seen = journal.entries(office, VISITOR, record.key, limit=1000)
    assert [e for e in seen if e.kind == "seat key"] == lines, "where all may know who sends, all may know their keys"
    # what it did not sign: by mail, on the receipt, and on the page, with what to do; by mail only on its receipt
    france, private = players["France"], b"\x06" * 32
    submissions.submit(office, france, record.key, "France", "A par H")
    assert not [mail for mail in mailings.claim(office, limit=100) if mail.kind == "unsigned"], "it has no key"
    submissions.set_key(office, france, record.key, "France", public_key(private))
    receipt = submissions.submit(office, france, record.key, "France", "A par - bur")
    assert any("Your key in this game didn't sign this" in note for note in receipt.notes)
    by_mail = submissions.submit(office, france.by("mail"), record.key, "France", "A par - pic")
    assert any("Your key in this game didn't sign this" in note for note in by_mail.notes)
    assert [v.unsigned for v in submissions.mine(office, france, record.key, "France")] == [False, True, True]
    submissions.ready(office, france, record.key, "France")
    submissions.withdraw(office, france, receipt.submission)
    told = [mail.facts["what"] for mail in mailings.claim(office, limit=100) if mail.kind == "unsigned"]
    assert sorted(told) == ["the word that you are ready came in", "version 2 came by web", "version 2 was withdrawn"]


def test_a_new_key_of_a_seat_is_signed_by_the_one_before_where_its_holder_has_it(office: Office) -> None:
    record, players, _ = begin(office)
    france, private = players["France"], b"\x06" * 32
    before, key = public_key(private), public_key(b"\x07" * 32)
    submissions.set_key(office, france, record.key, "France", before)
    ref = proofs.to_sign(office, france, record.key, "France", "").game
    statement = {"game": ref, "seat": "France", "key": key, "before": before}
    with pytest.raises(InvalidInputError, match="signature doesn't match"):
        submissions.set_key(office, france, record.key, "France", key, sign(b"\x07" * 32, "seat key", statement))
    submissions.set_key(office, france, record.key, "France", key, sign(private, "seat key", statement))

    assert report(office, record).words == []
    submissions.set_key(office, france, record.key, "France", before)
    assert ["another key signs for France" in word for word in report(office, record).words] == [True]


def test_old_answers_go_and_nothing_is_carried_out_again(office: Office, clock: SimulatedClock) -> None:
    """An answer that was kept for a key is given again for thirty days and then gone; what asked for it is refused by
    its nonce. A mail is known by its Message-ID for good, by a digest that nobody without the office's key can make."""
    record, players, _ = begin(office, schedule="90 days")
    france, data = players["France"].once("a key of this call"), b"Message-ID: <one@example.org>\n\nA par H"

    def send() -> int:
        return submissions.submit(office, france, record.key, "France", "A par H", nonce="ef" * 16).version

    def answers() -> int:
        return counted(office, AnswerRow)

    start_sweeping(office)
    assert mailroom.record(office, [b"<one@example.org>"], "taken").new
    assert send() == 1 == answers()
    passes(office, clock, ANSWERS_KEPT)
    assert answers() == 1 and send() == 1
    passes(office, clock, timedelta(days=1))
    assert answers() == 0
    refuses(ConflictError, send).match("already sent")
    assert len(submissions.mine(office, players["France"], record.key, "France")) == 1
    assert not mailroom.record(office, [b"<one@example.org>"], "taken").new
    mail = the(office, ArrivalRow)
    guesses = (data, b"<one@example.org>", b"one@example.org")
    assert mail.digest not in {hashlib.sha256(guess).hexdigest() for guess in guesses}


RULES = load("standard")
OPENING = RULES.opening()


@pytest.mark.parametrize(
    ("text", "then", "message"),
    [
        ("Retreats:\nA par - bur", "In Retreats, if it is then possible: A par R bur.", ""),
        ("Spring 1901 Retreats:\nA par - gas", "In Spring 1901 Retreats, if it is then possible: A par R gas.", ""),
        ("Builds:\nbuild A par", "In Adjustments, if it is then possible: build A par.", ""),
        ("Retreats:\nA par - nowhere", None, "nowhere"),
        ("Retreats:\nA par S A bur", None, "no such order is given in Retreats"),
        (
            "if dislodged A par: bur, , gas",
            "If A par is dislodged and nothing else is sent: A par R bur, else A par R gas, else it is disbanded.",
            "",
        ),
        (
            "if A par is dislodged then it retreats to bur or it disbands",
            "If A par is dislodged and nothing else is sent: A par R bur, else A par disband.",
            "",
        ),
        ("if dislodged A par: to", None, "name at least one place to retreat to"),
        ("if dislodged A par: lon", None, "they do not border"),
        ("if dislodged A mos: ukr", None, "France has no such unit"),
    ],
)
def test_a_line_ahead_is_told_as_it_is_understood_or_why_not(text: str, then: str | None, message: str) -> None:
    (ahead,) = interpret_sheet(RULES, OPENING, "France", text).ahead
    told = None if ahead.then is None else ahead.then.replace(" D.", " disband.")
    assert told == then and message in ahead.message, ahead


def dislodged() -> tuple[Position, Position]:
    """A movement in which France loses Paris and Burgundy, and the retreats that follow."""
    units = [("A", "par", "France"), ("A", "bur", "France"), ("A", "pic", "England"), ("A", "bre", "England")]
    units += [("A", "mun", "Germany"), ("A", "ruh", "Germany")]
    before = Position(Turn.parse("Spring 1901 Movement"), tuple(Unit(*unit) for unit in units))
    orders = {"England": ["A pic - par", "A bre S A pic - par"], "Germany": ["A mun - bur", "A ruh S A mun - bur"]}
    sheets = [
        Sheet(power, tuple(RULES.reader.order(text, before.turn.phase, power) for text in texts))
        for power, texts in orders.items()
    ]
    after = resolve(RULES, before, sheets, "x").after
    assert str(after.turn) == "Spring 1901 Retreats" and len(after.dislodged) == 2
    return before, after


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Retreats:\nA par - gas\nA bur - nowhere", ["A par R gas"]),
        ("Spring 1901 Retreats:\nA bur - bel", ["A bur R bel"]),
        ("Fall 1901 Retreats:\nA bur - bel", []),
        ("if dislodged A par: gas\nif dislodged A bur: lon", ["A par R gas"]),
        ("if dislodged A par: pic, gas", ["A par R gas"]),
        ("Retreats:\nA par - gas\nif dislodged A par: disband", ["A par R gas"]),
        ("A par H", []),
    ],
)
def test_what_was_said_ahead_comes_to_count_in_its_turn(text: str, orders: list[str]) -> None:
    before, after = dislodged()
    found = carried(RULES, after, "France", text, before.turn, before)
    assert [write(order) for order in found] == orders


def test_a_condition_belongs_to_a_movement() -> None:
    _, after = dislodged()
    (ahead,) = interpret_sheet(RULES, after, "France", "if dislodged A par: gas").ahead
    assert ahead.then is None and ahead.message == "a condition about dislodgement belongs to a movement turn"


GPS = 0x8825


def photograph(kind: str = "JPEG", orientation: int = 1) -> bytes:
    """A picture, twice as wide as high, that says where it was taken."""
    image = Image.new("RGB", (400, 200), "white")
    exif = Image.Exif()
    exif[0x0112] = orientation
    exif[0x010E] = "taken at home"
    exif.get_ifd(GPS)[2] = (52.0, 12.0, 30.0)
    out = io.BytesIO()
    if kind == "HEIC":
        pillow_heif.from_pillow(image).save(out, exif=exif.tobytes())
    else:
        image.save(out, kind, exif=exif)
    return out.getvalue()


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "HEIC"])
def test_a_picture_keeps_its_pixels_and_nothing_else(kind: str) -> None:
    data = photograph(kind)
    assert b"taken at home" in data
    (picture,) = take_pictures("sheet", data)
    assert (picture.width, picture.height) == (400, 200)
    assert b"taken at home" not in picture.data
    with Image.open(io.BytesIO(picture.data)) as kept:
        assert not kept.getexif()
        assert "exif" not in kept.info


def test_a_picture_taken_sideways_is_put_upright_and_a_large_one_is_made_smaller() -> None:
    for data, size in ((photograph(orientation=6), (200, 400)), (picture(6000, 3000, "JPEG", "L"), (4000, 2000))):
        (taken,) = take_pictures("sheet.jpg", data)
        assert (taken.width, taken.height) == size


def pdf(pages: int) -> bytes:
    sheets = [Image.new("RGB", (200, 300), "white") for _ in range(pages)]
    out = io.BytesIO()
    sheets[0].save(out, "PDF", save_all=True, append_images=sheets[1:])
    return out.getvalue()


def bomb() -> bytes:
    """A picture of a million million pixels, in a few bytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", 1_000_000, 1_000_000, 8, 2, 0, 0, 0)
    parts = (b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * 10_000)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


REFUSED: list[tuple[Callable[[], bytes], str]] = [
    *((lambda data=data: data, "sheet") for data in (b"GIF89a", b"<svg/>", b"MZ", b"PK\x03\x04", b"hello")),
    (lambda: b"", "sheet is empty; send it again"),
    (lambda: b"\xff\xd8\xff" + bytes(60_000_000), "MB; at most"),
    (lambda: picture(12_000, 12_000, "PNG", "1"), "has 12000 x 12000 pixels, which is too many; send it smaller"),
    (bomb, "sheet"),
    (lambda: picture(20, 20, "PNG", "1")[:45], "cannot be read as a picture; send it again"),
    (lambda: photograph()[:300], "again"),
    (lambda: b"\x89PNG\r\n\x1a\n" + b"x" * 200, "again"),
    (lambda: b"%PDF-1.7\n" + b"x" * 100, "again"),
    (lambda: pdf(13), "13 pages"),
]


@pytest.mark.parametrize(("data", "told"), REFUSED)
def test_files_that_are_no_pictures_are_refused_with_the_mend(data: Callable[[], bytes], told: str) -> None:
    """A bomb is refused before it is unpacked."""
    refuses(PictureError, take_pictures, "sheet", data()).match(told)


def test_each_page_of_a_pdf_is_a_picture() -> None:
    found = take_pictures("sheet.pdf", pdf(2))
    assert [p.name for p in found] == ["sheet.pdf page 1", "sheet.pdf page 2"]
    assert all(sniff(p.data) == "png" for p in found)


@pytest.mark.long
@given(st.sampled_from(["JPEG", "PNG", "HEIC"]), st.data())
def test_no_damage_does_worse_than_a_refusal(kind: str, data: st.DataObject) -> None:
    good = bytearray(photograph(kind))
    for _ in range(data.draw(st.integers(1, 8))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    with contextlib.suppress(PictureError):
        take_pictures("x", bytes(good))
