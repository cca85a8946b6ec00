"""Every mail that the office sends, answered as people answer it: what comes out is exactly the new orders, or
nothing."""

import ast
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import msgspec
import pytest

import legation.office
from legation.mail.answering import subject_of
from legation.mail.commands import Request
from legation.mail.composing import compose
from legation.mail.content import Content, as_text
from legation.mail.handling import IncomingMail
from legation.mail.html_text import html_as_text
from legation.mail.messages import kinds
from legation.mail.quoting import REPLY_LINE
from legation.mail.reading import read_mail
from legation.mail.requests import read_request
from legation.mail.results import whats_due
from legation.mail.subjects import MailSubject
from legation.notation import OrderTextError, write
from legation.office.desk import desk, letters, readings
from legation.office.desk.mailroom import MailSender
from legation.office.hosting import games
from legation.office.orders import submissions
from legation.office.records import Mailing
from legation.position import Phase
from tests.mail.conftest import World, body, office_by_mail
from tests.mail.programs import HABITS, MORE, PROGRAMS, TELLING, TODAYS, answer, html_of, marked, plain_of
from tests.office.playing import begin, passes, person, unmatched_mail
from tests.sampling import some

NEW = "A Paris - Orleanais\nA Dauphine - Provence"
ORDERS = ["A par - orl", "A dau - pro"]
THANKS = "Thanks, got it."
TODAY = date(2026, 3, 4)
LATER = "2026-03-09T12:00:00+00:00"
WHY = "A holiday: nobody moves to Paris."
ENTERED = {"version": 2, "channel_of": "phone", "entered_by": "call", "commitment": "ab12" * 16}
VOTE = {"what": "replace", "whom": "England", "hours": 0, "words": "to replace England's player", "reason": WHY}
FACTS: dict[str, dict[str, Any]] = {
    "deadline moved": {"deadline": LATER, "reason": "The post is late."},
    "reminder": {},
    "turn opened": {},
    "orders missing": {},
    "seated": {},
    "game paused": {"reason": WHY},
    "game resumed": {"reason": WHY},
    "game cancelled": {"reason": WHY},
    "game ended": {},
    "game leaves": {"address_of": "https://other.example"},
    "game stays": {},
    "game left": {"address_of": "https://other.example"},
    "seat lost": {"how": "vacated", "why": "nothing came"},
    "seat vacant": {"whom": "England", "reason": WHY},
    "seat key": {"key": "0f" * 32},
    "unsigned": {"what": "version 2 came by web"},
    "vote": VOTE,
    "deputy": {},
    "entered for you": ENTERED,
    "envelope came": ENTERED,
    "orders address": {},
    "keys lost": {"names": "1425 Movement", "reason": WHY, "again": True},
    "sign in": {"secret": "s3cret", "next": "/games", "minutes": 15},
    "invitation": {"secret": "s3cret", "name": "Powick", "variant": "Hundred", "host": "Host", "days": 14},
    "release": {"secret": "s3cret", "sender": "eve@example.org", "subject": "Paris moves to Dijon", "at": LATER},
    "approve address": {"secret": "s3cret", "email": "new@example.org", "days": 3},
    "confirm address": {"secret": "s3cret", "name": "Eve", "days": 3},
    "confirm resignation": {"secret": "s3cret"},
    "address changed": {"email": "new@example.org"},
    "mail passed on": {"at": LATER},
    "proposal answered": {"title": "Hundred", "version": "2", "taken": False, "reason": WHY, "name": "hundred"},
    "bridge ended": {"service": "discord", "host": "discord.com", "why": "its address is gone"},
    "round begun": {
        "event": "Club",
        "round": 1,
        "board": 2,
        "plays": "France",
        "others": "Ann (England)",
        "page": "/x",
    },
    "standings": {"event": "Club", "round": 1, "places": "1. Ann: 3009\n2. Bob: 1003", "page": "/tournaments/club"},
    "seat free": {"seats": "France"},
    "waiting list": {},
    "warning": {"reason_given": WHY, "until": ""},
    "suspension": {"reason_given": WHY, "until": LATER},
    "report decided": {"at": LATER},
    "record name confirmed": {"record_name": "Anna of Old"},
    "record name refused": {"record_name": "Anna of Old"},
}
"""What mails tell that take long to come to, by kind."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with office_by_mail(tmp_path_factory.mktemp("round"), seed="round") as made:
        made.begin()
        made.settle()
        yield made


def composed(world: World, kind: str, turn: str = "", **facts: object) -> EmailMessage:
    """A mailing of a kind that takes long to come to."""
    now = games.game(world.office, world.players["France"], world.game.key)
    assert now.turn is not None
    mailing = Mailing(
        id=99, kind=kind, channel="mail", person=world.players["France"].person, name="Eve", address="eve@example.org",
        game=world.game.key, turn=turn or now.turn.name, power="France", message_id=f"<{kind.replace(' ', '.')}@x>",
        thread="powick", facts=dict(facts), made=world.clock.now(), attempts=0, lease="",
    )  # fmt: skip
    return compose(world.office, mailing)


def on_desks(world: World) -> dict[str, EmailMessage]:
    """What a coordinator and a deputy are told of their desks: sheets that came as photographs, without an envelope, of
    which two were written down; and a mail of nobody's."""
    office, key = world.office, "edgehill"
    _, players, host = begin(office, name=key, coordinated=True, opening_by_post=True)
    person(office, "Deputy")
    games.name_deputy(office, host, key, "deputy@example.org")
    for power, player in players.items():
        submissions.submit_pictures(office, player, key, power, [("sheet.jpg", b"\xff\xd8 a sheet", "image/jpeg")])
    passes(office, world.clock, timedelta(days=1))
    for sheet in [item for item in desk.items(office, host) if item.kind == "transcribe"][:2]:
        readings.transcribe(office, host, sheet.id, "A Paris - Dijon")
    unmatched_mail(office, game=key, power="France")
    world.passes(days=1)
    told = {"desk": world.outbox.to(f"{host.name.lower()}@example.org", "desk")[-1]}
    return told | {"second reading": world.outbox.to("deputy@example.org", "second reading")[-1]}


@pytest.fixture(scope="module")
def mails(world: World, tmp_path_factory: pytest.TempPathFactory) -> dict[str, EmailMessage]:
    """A mail of every kind that a player may answer, as it was sent."""
    office, game = world.office, world.game.key
    eve = world.address_of("France")
    found: dict[str, EmailMessage] = {}

    def take(name: str, text: str = "") -> None:
        if text:
            world.write("France", text)
        world.settle()
        found[name] = world.outbox.to(eve)[-1]

    found["game started"] = world.outbox.to(eve, "game started")[-1]
    take("receipt", "A Paris - Orleanais\nA Dauphine - Provence\nA Toulouse H")
    take("receipt with faults", "A mra s par\nA Paris - Nowhere\nA Dauphine - Provence\nA Paris H\n\nBest, Eric")
    take("taken back", "CLEAR")
    take("help", "HELP")
    take("status", "STATUS")
    take("history", "HISTORY")
    take("players", "WHOGAME")
    take("refused", "PHASE 1999 Movement\nA Paris H")
    letters.write(office, world.players["England"], game, "England", ["France"], "Shall we?\nA Paris - Calais then.")
    take("letter")
    for kind, facts in FACTS.items():
        found[kind] = composed(world, kind, **facts)
    world.write("France", "A Paris - Orleanais\nA Dauphine - Provence")
    world.passes(days=3)
    found["results"] = world.outbox.to(eve, "results")[-1]
    found["draft results"] = composed(world, "draft results", turn="1425 Movement")
    with office_by_mail(tmp_path_factory.mktemp("desks"), seed="round") as other:
        return found | on_desks(other)


ANSWERS = ("receipt", "receipt with faults", "taken back", "help", "status", "history", "players", "refused")
"""What the office says to a mail: of the kind ``answer``."""
KINDS = (*ANSWERS, *FACTS, "game started", "letter", "results", "draft results", "desk", "second reading")


def test_the_matrix_has_every_kind_that_the_office_sends() -> None:
    sent = set(kinds())
    texts = [file.read_text(encoding="utf-8") for file in Path(legation.office.__file__).parent.rglob("*.py")]
    for text in texts:
        for call in ast.walk(ast.parse(text)) if ".mail(" in text else ():
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "mail":
                kind = call.args[0]
                for said in [kind.body, kind.orelse] if isinstance(kind, ast.IfExp) else [kind]:
                    sent |= {said.value} if isinstance(said, ast.Constant) and isinstance(said.value, str) else set()
    assert sent <= kinds(), "a kind has no words of its own"
    assert sent == {*KINDS, "answer"} - set(ANSWERS)
    assert len(KINDS) * len(PROGRAMS) >= 900


def orders_in(world: World, request: Request) -> tuple[list[str], list[OrderTextError]]:
    """The orders of France that a mail asks for, and the faults of what is not read."""
    reader = world.office.variants.load("hundred").reader
    orders, faults = reader.orders(request.orders, Phase.MOVEMENT, "France")
    return [write(order) for order in orders], faults


def misunderstood(world: World, data: bytes, new: str, wanted: list[str], at_most: int = 0) -> tuple[object, ...]:
    """What is misread in an answer; empty if exactly its new text is read. ``at_most`` so many lines may be told as not
    understood."""
    mail = read_mail(data)
    request = read_request(mail.text, TODAY)
    found, errors = orders_in(world, request)
    left = [line.strip() for line in request.orders.split("\n") if line.strip()]
    told = [e.text for e in errors if e.text.strip() not in new]
    if found != wanted or request.commands or mail.attachments or len(told) > at_most:
        return found, request.commands, left[:12], told
    return ()


BELOW_UNMARKED = ("below_unmarked", "between_unmarked_lines", "below_without_any_mark", "colored")
"""Programs that quote without marks, below whose quotation somebody writes: nothing there is read, and it is told."""


@pytest.mark.parametrize("program", BELOW_UNMARKED[:3])
@pytest.mark.parametrize("kind", some(KINDS, 3))
def test_what_stands_below_an_unmarked_quotation_is_told_and_not_read(
    mails: dict[str, EmailMessage], program: str, kind: str
) -> None:
    request = read_request(read_mail(PROGRAMS[program](mails[kind], NEW)).text, TODAY)
    assert (request.orders, request.notes) == ("", ("the quoted mail was not read",))


@pytest.mark.parametrize("program", some(PROGRAMS, 14))
def test_an_answer_says_only_what_is_new(world: World, mails: dict[str, EmailMessage], program: str) -> None:
    wrong = []
    every = list(PROGRAMS).index(program)
    for number, kind in enumerate(KINDS):
        for new, wanted in ((NEW, ORDERS), (THANKS, []))[: 1 + (number + every) % 2]:  # thanks to every second mail
            wanted = [] if program in BELOW_UNMARKED else wanted
            if why := misunderstood(world, PROGRAMS[program](mails[kind], new), new, wanted):
                wrong.append((kind, why))
    assert wrong == []


@pytest.mark.parametrize(("kind", "told"), [("receipt", True), ("results", True), ("game started", False)])
def test_an_order_among_quoted_lines_is_told_and_does_not_count(
    mails: dict[str, EmailMessage], kind: str, told: bool
) -> None:
    """Receipts and results have orders of their own, so it is told of each answer that quotes one."""
    mail = read_mail(PROGRAMS["gmail"](mails[kind], NEW))
    request = read_request(mail.text, TODAY)
    assert request.orders.split("\n")[:2] == NEW.split("\n") and bool(request.notes) is told
    changed = read_request(mail.text.replace("\n> ", "\n> A Toulouse - Guyenne\n> ", 1), TODAY)
    assert changed.orders.rstrip() == request.orders.rstrip()
    assert changed.notes[0].endswith(" quoted lines were not read; to use orders in them, remove the '>'")


CASES: tuple[tuple[str, str, list[str]], ...] = (
    ("receipt", NEW, ORDERS),
    ("results", THANKS, []),
    ("letter", NEW, ORDERS),
    ("status", NEW, ORDERS),
)
"""Which mails are answered with what, and the orders in it."""


EVERY = (
    ("further", MORE, 4, 1, CASES),
    ("of today", TODAYS, 5, 0, (*CASES, ("seat lost", NEW, ORDERS))),
    ("habits", HABITS, 19, 3, CASES),
)
"""Answers of further programs, of programs of today, and with what programs and people add: how many of them are quick
to try, how many of their lines may be told as not understood, and the mails that they answer."""


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.long)], ids=["some", "all"])
@pytest.mark.parametrize(("answers", "nth", "told", "cases"), [row[1:] for row in EVERY], ids=[row[0] for row in EVERY])
def test_further_programs_and_habits_say_only_what_is_new(
    world: World,
    mails: dict[str, EmailMessage],
    answers: Mapping[str, Callable[[EmailMessage, str], bytes]],
    nth: int,
    told: int,
    cases: Sequence[tuple[str, str, list[str]]],
    every: bool,
) -> None:
    """Of those in ``TELLING`` some lines may be told as not understood."""
    wrong = [
        (name, kind, why)
        for name, answered in list(answers.items())[:: 1 if every else nth]
        for kind, new, orders in cases
        for wanted in [[] if name in BELOW_UNMARKED else orders]
        if (why := misunderstood(world, answered(mails[kind], new), new, wanted, told * (name in TELLING)))
    ]
    assert wrong == []


CLAIM = "This message and its attachments are confidential and may be read by the"


@pytest.mark.parametrize(
    ("below", "told"),
    [
        ("addressee alone; our offices in Paris and London answer all questions.", False),
        ("a par - bur, a dau holds and everything else stays where it is now", True),
        ("paris holds", True),
        ("Paris holds and the others stay where they are, as I wrote before.", True),
        ("\nparis holds; our offices in Paris and London answer all questions.", True),
    ],
)
def test_only_a_disclaimer_s_own_sentence_is_left_out(world: World, below: str, told: bool) -> None:
    request = read_request(f"{OTHER}\n\n{CLAIM}\n{below}", TODAY)
    orders, errors = orders_in(world, request)
    assert orders == OTHERS and [error.text for error in errors] == [below.strip()][:told]


OTHER = "A Paris - Dijon\nA Toulouse - Guyenne"
OTHERS = ["A par - dij", "A tou - guy"]
NAMELESS = (
    "",
    "According to The office:\n",
    "The office <office@office.example>\n02.03.2026 13:00\n\nTo\neve@example.org\ncc\n\nSubject\nPowick\n",
)
"""What stands above a quotation that no head or attribution begins: nothing, or what Lotus Notes writes."""


def wrapped(text: str, width: int) -> str:
    return "\n".join(textwrap.fill(line, width, break_long_words=False) for line in text.split("\n"))


def joined(text: str) -> str:
    return "\n\n".join(textwrap.fill(" ".join(part.split()), 40) for part in text.split("\n\n"))


def cut(first: int, last: int | None = None) -> Callable[[str], str]:
    return lambda text: "\n".join(text.split("\n")[first:last])


QUOTATIONS: dict[str, Callable[[str], str]] = {
    "whole": str,
    "wrapped at 40": lambda text: wrapped(text, 40),
    "wrapped at 72": lambda text: wrapped(text, 72),
    "joined and wrapped": joined,
    "without blanks": lambda text: "\n".join(line.strip() for line in text.split("\n") if line.strip()),
    "marked": marked,
    "marked, then wrapped at 40": lambda text: wrapped(marked(text), 40),
    "marked, then wrapped at 72": lambda text: wrapped(marked(text), 72),
    "its first lines": cut(0, 12),
    "without its title": cut(5),
    "without its beginning": cut(8),
    "its last lines": cut(-14),
}
WITH_ORDERS = ("receipt", "receipt with faults", "refused", "help", "letter", "results", "draft results", "desk")
"""Mails of the office that hold orders, or lines that read as commands or as instructions about versions."""


def as_read(world: World, text: str) -> tuple[list[str], tuple[object, ...], tuple[str, ...]]:
    """The orders and commands of an answer by a program that brings back neither ``References`` nor ``In-Reply-To``,
    and what is said of all else."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "eve@example.org", "office@office.example", "Re: Powick"
    message["Message-ID"] = "<answer@example.org>"
    message.set_content(text)
    request = read_request(read_mail(message.as_bytes()).text, TODAY)
    orders, faults = orders_in(world, request)
    return orders, request.commands, (*request.notes, *(fault.message for fault in faults))


@pytest.mark.parametrize("quotation", some([*QUOTATIONS, "html"], 5))
def test_the_office_knows_its_words_though_nothing_tells_which_mail_is_answered(
    world: World, mails: dict[str, EmailMessage], quotation: str
) -> None:
    wrong = []
    for number, kind in enumerate(WITH_ORDERS):
        html = quotation == "html"
        quoted = html_as_text(html_of(mails[kind])) if html else QUOTATIONS[quotation](plain_of(mails[kind]))
        above = NAMELESS[number % len(NAMELESS)] + quoted
        for text, wanted in ((above, []), (f"{OTHER}\n\n{above}", OTHERS), (f"{quoted}\n\n{OTHER}", OTHERS)):
            found, commands, notes = as_read(world, text)
            if found not in ([], wanted) or commands or (found != wanted and not notes):
                wrong.append((kind, found, commands, notes, text))
    assert wrong == []


@pytest.mark.parametrize("kind", [*WITH_ORDERS, "reminder", "game started", "second reading"])
def test_new_orders_around_a_whole_mail_of_the_office_are_read(
    world: World, mails: dict[str, EmailMessage], kind: str
) -> None:
    quoted = plain_of(mails[kind])
    for text in (f"{OTHER}\n\n{head}{quoted}" for head in NAMELESS):
        assert as_read(world, text)[0] == OTHERS
    assert as_read(world, f"{marked(quoted)}\n\n{OTHER}")[0] == OTHERS
    for whole in (quoted, wrapped(quoted, 40), wrapped(quoted, 72)):
        assert as_read(world, f"{whole}\n\n{OTHER}") == ([], (), ("the quoted mail was not read",))


def test_retreats_that_a_mail_offers_are_no_orders(world: World) -> None:
    """Each of them, and the last is to disband."""
    game = games.game(world.office, world.players["France"], world.game.key)
    assert game.turn is not None and game.position is not None
    retreating = msgspec.structs.replace(
        game,
        turn=msgspec.structs.replace(game.turn, name="1425 Retreats"),
        position={**game.position, "dislodged": {"France": [{"unit": "A par"}]}},
    )
    retreats = {"France": [{"unit": "A par", "retreats": ["dij", "cal"]}]}
    due = whats_due(world.office.variants.load("hundred"), retreating, "France", retreats)
    told = as_text(Content("Powick", "Powick Bridge: orders are due in 1 day", tuple(due)))
    quoted = f"{REPLY_LINE}\n\n{told}"
    assert "A par disband" in quoted and as_read(world, quoted)[0] == []
    assert as_read(world, f"A Paris R Calais\n\n{quoted}")[0] == ["A par R cal"]
    assert as_read(world, f"A Paris R Calais\n\n{cut(5)(quoted)}")[0] == []


def test_orders_that_cannot_be_told_from_quoted_ones_are_not_entered(
    world: World, mails: dict[str, EmailMessage]
) -> None:
    part = cut(8)(plain_of(mails["receipt"]))
    assert part.strip().startswith("A dau - pro")
    orders, _, notes = as_read(world, f"{OTHER}\n{part}")
    assert orders == []
    assert "your mail quotes one of ours without marks, so nothing was read among its lines" in notes[0]
    answer = world.write("England", f"A Calais - Dijon\n{part}")
    assert "so nothing was entered" in answer and "write new orders above it, or in a new mail" in answer
    seat = world.players["England"]
    assert submissions.mine(world.office, seat, world.game.key, "England") == []


@pytest.mark.parametrize(
    "text",
    [
        f"Understood.\n\n{OTHER}",
        f"UNDERSTOOD\n\n{OTHER}",
        f"Orders v2\n=========\n{OTHER}",
        f"Orders v2\n\n{OTHER}\n\nThanks for the results.",
        f"Your results, as ever, are late.\n{OTHER}\nNo order for the others.",
    ],
)
def test_ordinary_words_are_not_the_office_s(world: World, text: str) -> None:
    assert as_read(world, text)[0] == OTHERS


def subject_read(world: World, data: bytes) -> MailSubject:
    """What the subject of a mail to the office says."""
    eve = world.players["France"].person
    assert eve is not None
    act = IncomingMail(world.office, read_mail(data), MailSender(eve, (), None, True, None), world.clock.now())
    return subject_of(act)


@pytest.mark.parametrize("kind", KINDS)
def test_a_subject_of_the_office_says_nothing_of_its_answer(
    world: World, mails: dict[str, EmailMessage], kind: str
) -> None:
    subject = subject_read(world, PROGRAMS["outlook"](mails[kind], NEW))
    assert (subject.season, subject.year, subject.phase, subject.version) == ("", None, None, None)
    assert (subject.instruction, subject.unread) == ("", ())


CHANGED_SUBJECTS = (
    "{}", "[EXTERNAL] Re: {}", "***SPAM*** Re: {}", "[diplomacy] RE: {}", "Re: [EXT] Fwd: {}", "Read: {}",
    "Gelesen: {}", "Re: {} - sorry, late", "Re: {} A Paris - Dijon", "My orders (was: {})",
)  # fmt: skip
"""What servers, lists and people make of a subject of the office."""


@pytest.mark.parametrize("written", CHANGED_SUBJECTS)
def test_what_stands_around_a_subject_of_the_office_says_no_more(
    world: World, mails: dict[str, EmailMessage], written: str
) -> None:
    for kind in ("receipt", "results", "draft results", "reminder", "letter"):
        message = answer(mails[kind])
        del message["Subject"]
        message["Subject"] = written.format(mails[kind]["Subject"])
        message.set_content(THANKS)
        subject = subject_read(world, message.as_bytes())
        assert (subject.season, subject.year, subject.phase, subject.version) == ("", None, None, None), kind
        assert subject.instruction == "", kind


@pytest.mark.parametrize("program", some([p for p in PROGRAMS if p not in BELOW_UNMARKED], 7))
def test_answering_results_enters_the_orders_for_the_next_turn(
    world: World, mails: dict[str, EmailMessage], program: str
) -> None:
    data = PROGRAMS[program](mails["results"], NEW)
    data = data.replace(b"eve@example.org", world.address_of("France").encode())
    world.number += 1
    world.counter.receive(data.replace(b"<answer@", f"<answer{world.number}@".encode()), ())
    world.settle()
    last = world.outbox.to(world.address_of("France"), "answer")[-1]
    assert ", 2 of 5 units" in last["Subject"], body(last)
