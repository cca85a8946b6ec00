"""The mails about what waits on the desk: to whom, when, how often, and what they say."""

from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest

from legation.mail.composing import compose
from legation.mail.sending import SendError
from legation.office.context import GATHERED, Actor, CommandContext
from legation.office.desk import desk, mailings, readings
from legation.office.desk.tasks import NEEDS, OTHERWISE
from legation.office.desk_readers import DEPUTYS, URGENT
from legation.office.game import processing, seats
from legation.office.hosting import erasing, games
from legation.office.identity import people
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.records import Mailing
from legation.office.store.rows import GameRow, SeatRow, TurnRow
from tests.mail.conftest import World, body, in_a_line
from tests.office.fixtures import START
from tests.office.playing import person, unmatched_mail
from tests.sampling import some

HOST, EVE, CLERK = "coordinator@example.org", "eve@example.org", "clerk@example.org"
PICTURE = ("sheet.jpg", b"\xff\xd8 a photograph", "image/jpeg")
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
FACTS: dict[str, Any] = {
    "submissions": [], "texts": {}, "pictures": {}, "files": [], "readings": ["A par H"], "powers": [], "missed": 2,
    "work": 1, "what": "judge", "error": "an error", "count": 1, "why": "no such address", "words": "to pause the game",
    "hours": 0, "reason": "A par - dij is not mine", "sender": "x@example.org", "arrival": 1, "entries": [],
}  # fmt: skip


@pytest.fixture
def edgehill(world: World) -> World:
    world.begin(name="Edgehill", coordinated=True, ready_ends=False)
    world.settle()
    return world


def on_desk(world: World, *kinds: str, of: Actor | None = None) -> None:
    """Put items of these kinds about France on the desk of the game, by the clock or by somebody."""
    with world.office.store.transaction() as tx:
        act = CommandContext(world.office, of or Actor.clock(), tx, "tests", world.office.clock.now())
        game = tx.find(GameRow, key=world.game.key)
        assert game is not None
        seat = tx.find(SeatRow, game=game.id, power="France")
        turn = tx.find(TurnRow, game=game.id, number=game.turn)
        for kind in kinds:
            act.add_task(kind, game, turn=turn, seat=seat, **FACTS)


def told(world: World, address: str = HOST, kind: str = "") -> list[EmailMessage]:
    """The mails about the desk that an address got by now."""
    world.settle()
    return [mail for mail in world.outbox.to(address, kind) if mail["X-Legation"] in ("desk", DEPUTYS)]


def passes(world: World, time: timedelta) -> None:
    """Let time go by in steps of an hour, with work done and mail sent."""
    until = world.clock.now() + time
    while world.clock.now() < until:
        world.clock.set(min(world.clock.now() + HOUR, until))
        world.settle()


def close_turn(world: World) -> None:
    now = games.game(world.office, world.host, world.game.key).turn
    assert now is not None
    world.clock.set(now.deadline)
    world.settle()


def name_deputy(world: World) -> Actor:
    eve = person(world.office, "Eve")
    games.name_deputy(world.office, world.host, world.game.key, EVE)
    return eve


@pytest.mark.parametrize("kind", some(sorted(set(NEEDS) - {"variant proposed"})))
def test_each_kind_of_item_is_mailed_to_whose_it_is_and_to_nobody_else(edgehill: World, kind: str) -> None:
    eve = name_deputy(edgehill)
    edgehill.settle()
    before = len(edgehill.outbox.sent)
    on_desk(edgehill, kind)
    edgehill.settle()
    assert bool(edgehill.outbox.sent[before:]) is (kind in URGENT)
    passes(edgehill, GATHERED)
    ((mail, to),) = edgehill.outbox.sent[before:]
    assert to == (EVE if kind == "confirm" else HOST)
    (item,) = desk.items(edgehill.office, eve if to == EVE else edgehill.host)
    said = in_a_line(mail)
    assert OTHERWISE[kind].format(whose="France's", power="France") == item.otherwise
    assert all(part in said for part in (item.text, f"Meanwhile {item.otherwise}", item.page, item.command, "EDGEHILL"))
    assert "Waiting since Mon 2 Mar 2026, 12:00 UTC" in said and "Deadline Tue 3 Mar 2026, 12:00 UTC, in " in said
    assert "par - dij" not in said, "nothing of what orders say"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click" and "/unsubscribe/" in said


def test_a_turn_s_sheets_are_one_mail_at_once_and_what_follows_from_own_work_is_none(edgehill: World) -> None:
    office, key = edgehill.office, edgehill.game.key
    for power in ("France", "England"):
        submissions.submit_pictures(office, edgehill.players[power], key, power, [PICTURE])
    edgehill.settle()
    assert told(edgehill) == [], "before the deadline there is nothing to do"
    close_turn(edgehill)
    (mail,) = told(edgehill)
    assert mail["Subject"] == "2 items on your desk: Edgehill"
    said = in_a_line(mail)
    assert "Transcribe France's orders." in said and "Transcribe England's orders." in said
    assert said.count("Meanwhile The turn isn't judged until this is done.") == 1
    for item in desk.items(office, edgehill.host):
        readings.transcribe(office, edgehill.host, item.id, "# nothing")
    on_desk(edgehill, "voted")
    assert len(told(edgehill)) == 1, "the coordinator sees it: they work at the desk"
    passes(edgehill, HOUR)
    assert "The players have voted to pause the game" in in_a_line(told(edgehill)[1])


def test_items_that_come_one_by_one_are_gathered_for_an_hour(edgehill: World) -> None:
    for number in range(5):
        unmatched_mail(edgehill.office, f"x{number}@example.org", edgehill.game.key)
        passes(edgehill, 10 * MINUTE)
    assert told(edgehill) == []
    passes(edgehill, 10 * MINUTE)
    (mail,) = told(edgehill)
    assert mail["Subject"] == "5 items on your desk: Edgehill"
    on_desk(edgehill, "wait")
    assert len(told(edgehill)) == 2, "an urgent one doesn't wait for the hour"


@pytest.mark.long
def test_one_reminder_a_day_until_all_is_done(edgehill: World) -> None:
    on_desk(edgehill, "objection", "replace")
    passes(edgehill, HOUR)
    assert len(told(edgehill)) == 1
    passes(edgehill, DAY - 10 * MINUTE)
    assert len(told(edgehill)) == 1
    passes(edgehill, 10 * MINUTE)
    assert len(told(edgehill)) == 2
    objection, replace = desk.items(edgehill.office, edgehill.host)
    desk.settle(edgehill.office, edgehill.host, objection.id)
    passes(edgehill, DAY)
    assert told(edgehill)[2]["Subject"] == "1 item on your desk: Edgehill"
    desk.settle(edgehill.office, edgehill.host, replace.id)
    passes(edgehill, 3 * DAY)
    assert len(told(edgehill)) == 3


def test_what_is_done_before_its_mail_leaves_is_not_mailed(edgehill: World) -> None:
    on_desk(edgehill, "objection")
    (item,) = desk.items(edgehill.office, edgehill.host)
    desk.settle(edgehill.office, edgehill.host, item.id)
    passes(edgehill, 2 * HOUR)
    edgehill.outbox.down = True
    on_desk(edgehill, "wait", of=edgehill.players["France"])
    edgehill.settle()
    (item,) = desk.items(edgehill.office, edgehill.host)
    desk.settle(edgehill.office, edgehill.host, item.id)
    edgehill.outbox.down = False
    passes(edgehill, DAY)
    assert told(edgehill) == []


def test_mails_do_not_pile_up_while_no_relay_can_be_reached(edgehill: World) -> None:
    edgehill.outbox.down = True
    on_desk(edgehill, "voted")
    passes(edgehill, DAY + HOUR)
    edgehill.outbox.down = False
    passes(edgehill, 12 * HOUR)
    assert len(told(edgehill)) == 1


def test_a_worker_that_dies_sends_nothing_twice(edgehill: World, monkeypatch: pytest.MonkeyPatch) -> None:
    on_desk(edgehill, "final")
    with monkeypatch.context() as dying:
        dying.setattr(CommandContext, "schedule_desk_mail", lambda *_: 1 / 0)
        work.run_due(edgehill.office)  # it dies once the mail is written and before that lasts
    assert mailings.claim(edgehill.office) == []
    edgehill.clock.advance(MINUTE)
    work.run_due(edgehill.office)
    (first,) = mailings.claim(edgehill.office)  # and another once it has the mail, before it sends it
    passes(edgehill, HOUR)
    (mail,) = told(edgehill)
    assert mail["Message-ID"] == first.message_id
    edgehill.outbox.sent.clear()
    real, counter = edgehill.outbox.send, edgehill.counter

    def sends_and_dies(*args: Any) -> None:
        real(*args)
        raise SendError("451 the line broke")

    passes(edgehill, DAY - 2 * HOUR)
    monkeypatch.setattr(edgehill.outbox, "send", sends_and_dies)
    passes(edgehill, 2 * HOUR)
    monkeypatch.setattr(edgehill.outbox, "send", real)
    passes(edgehill, 6 * HOUR)
    assert counter and len({mail["Message-ID"] for mail in told(edgehill)}) == 1, "programs show one"


def test_quiet_hours_are_kept_also_those_set_since(edgehill: World) -> None:
    quiet = {"quiet_from": "12:00", "quiet_to": "15:00", "zone": "UTC"}
    people.set_preferences(edgehill.office, edgehill.host, quiet)
    on_desk(edgehill, "wait")
    passes(edgehill, 3 * HOUR - 10 * MINUTE)
    assert told(edgehill) == []
    people.set_preferences(edgehill.office, edgehill.host, {"quiet_to": "16:00"})
    passes(edgehill, 30 * MINUTE)
    assert told(edgehill) == []
    passes(edgehill, 40 * MINUTE)
    assert len(told(edgehill)) == 1


def test_who_does_not_want_them_gets_none(edgehill: World) -> None:
    people.set_preferences(edgehill.office, edgehill.host, {"quiet": ["desk"]})
    on_desk(edgehill, "voted")
    passes(edgehill, 2 * DAY)
    assert told(edgehill) == []
    people.set_preferences(edgehill.office, edgehill.host, {"quiet": []})
    on_desk(edgehill, "replace")
    passes(edgehill, HOUR)
    (mail,) = told(edgehill)
    assert "2 items" in mail["Subject"]
    link = in_a_line(mail).partition("/unsubscribe/")[2].split()[0]
    assert mailings.unsubscribe(edgehill.office, link) == "desk"
    passes(edgehill, 2 * DAY)
    assert len(told(edgehill)) == 1


def test_who_wants_mails_again_gets_them_with_the_next_days_sweep(edgehill: World) -> None:
    people.set_preferences(edgehill.office, edgehill.host, {"quiet": ["desk"]})
    on_desk(edgehill, "voted")
    passes(edgehill, HOUR)
    people.set_preferences(edgehill.office, edgehill.host, {"quiet": []})
    passes(edgehill, HOUR)
    assert told(edgehill) == []
    work.start_sweeping(edgehill.office)
    assert len(told(edgehill)) == 1
    passes(edgehill, DAY - HOUR)
    work.start_sweeping(edgehill.office)
    assert len(told(edgehill)) == 1, "one that is due is not moved"


def test_a_deputy_is_told_of_sheets_together_and_a_new_one_of_what_waits(edgehill: World) -> None:
    office, key = edgehill.office, edgehill.game.key
    name_deputy(edgehill)
    asked = edgehill.told(EVE, "deputy")
    assert "Coordinator asks you to check transcriptions in Edgehill" in asked
    assert "mail you when there's one to read." in asked
    for power in ("France", "England"):
        submissions.submit_pictures(office, edgehill.players[power], key, power, [PICTURE])
    close_turn(edgehill)
    for item in desk.items(office, edgehill.host):
        readings.transcribe(office, edgehill.host, item.id, "# A par - dij")
    assert told(edgehill, EVE) == []
    passes(edgehill, HOUR)
    (mail,) = told(edgehill, EVE)
    assert mail["Subject"] == "2 transcriptions to check: Edgehill" and "par - dij" not in in_a_line(mail)
    assert "Check the transcription of France's orders." in in_a_line(mail)
    assert len(told(edgehill)) == 1, "the coordinator has nothing to do"
    clerk = person(office, "Clerk")
    games.name_deputy(office, edgehill.host, key, CLERK)
    assert len(told(edgehill, CLERK)) == 1
    for item in desk.items(office, clerk):
        readings.confirm(office, clerk, item.id, "# A par - orl" if item.power == "France" else "# A par - dij")
    passes(edgehill, 2 * DAY)
    assert len(told(edgehill, EVE)) == len(told(edgehill, CLERK)) == 1
    assert "France's orders were read in two ways: decide which is right." in in_a_line(told(edgehill)[1])


def test_what_no_coordinator_has_is_mailed_to_administrators_who_do_not_play(world: World) -> None:
    clerk = person(world.office, "Clerk")
    for who in (clerk, world.players["France"]):
        people.make_administrator(world.office, Actor.console(), who.person or 0)
    on_desk(world, "failed")
    assert "Something keeps failing: judge." in in_a_line(told(world, CLERK)[0])
    assert told(world, world.address_of("France")) == [] and told(world) == [], "no player, and no host"
    unmatched_mail(world.office)
    passes(world, HOUR)
    assert "Legation" in told(world, CLERK)[1]["Subject"] and "/desk/-/" in in_a_line(told(world, CLERK)[1])
    assert len(told(world, world.address_of("France"))) == 1, "the office's own, which is of no game"


def test_games_of_one_coordinator_are_one_mail(edgehill: World) -> None:
    first = edgehill.game
    on_desk(edgehill, "replace")
    edgehill.begin(name="Naseby", coordinated=True)
    on_desk(edgehill, "voted")
    (mail,) = told(edgehill)
    assert mail["Subject"] == "2 items on your desk: Edgehill and Naseby" and first.name == "Edgehill"


def test_it_says_what_happens_without_a_player(edgehill: World) -> None:
    seats.resign(edgehill.office, edgehill.players["France"], edgehill.game.key, "France", "No time")
    passes(edgehill, HOUR)
    assert "The game goes on without orders from France." in in_a_line(told(edgehill)[0])
    games.set_settings(edgehill.office, edgehill.host, edgehill.game.key, {"stand_in": "hold"})
    seats.resign(edgehill.office, edgehill.players["England"], edgehill.game.key, "England")
    passes(edgehill, HOUR)
    assert "The game goes on; a bot plays England." in in_a_line(told(edgehill)[1])


@pytest.mark.parametrize("sends", [True, False])
def test_who_is_waited_for_is_named_in_no_mail_where_senders_are_hidden(world: World, sends: bool) -> None:
    world.begin(name="Edgehill", coordinated=True, shows_senders="nobody", missing="wait")
    for power, player in world.players.items():
        if power == "England" or (sends and power != "France"):
            submissions.submit(world.office, player, world.game.key, power, "# nothing")
    close_turn(world)
    (mail,) = told(world)
    assert "The game is waiting for orders for 1425 Movement." in in_a_line(mail)
    assert not any(power in in_a_line(mail) for power in world.players)
    processing.process_now(world.office, world.host, world.game.key)
    passes(world, DAY - HOUR)
    assert len(told(world)) == 1, "until the next turn waits"


def test_an_answer_is_no_order_of_a_seat_elsewhere(edgehill: World) -> None:
    """The coordinator of one game plays in another: what they answer is at most a question, never a sheet there."""
    office = edgehill.office
    made = games.create(office, person(office, "Boss"), {"name": "Marston", "variant": "hundred"})
    seats.sign_up(office, edgehill.host, made.key, ["France"])
    for number, seat in enumerate(made.seats[1:]):
        seats.sign_up(office, person(office, f"Other{number}"), made.key, [seat.power])
    edgehill.settle()
    assert games.game(office, edgehill.host, "marston").powers == ("France",)
    on_desk(edgehill, "transcribe", "objection", "voted")
    (mail,) = told(edgehill)
    quoted = "\n".join(f"> {line}" for line in body(mail).splitlines())
    for new in ("Done, thanks.", "OK", "I'll choose tonight."):
        answer = edgehill.mail(HOST, "office@office.example", f"{new}\n\nOn Monday Legation wrote:\n{quoted}")
        answer.replace_header("Subject", f"Re: {mail['Subject']}")
        answer["In-Reply-To"], answer["References"] = mail["Message-ID"], mail["References"]
        edgehill.deliver(answer)
        assert submissions.mine(office, edgehill.host, "marston", "France") == []


def gathering(world: World) -> tuple[Actor, list[Actor]]:
    """A coordinated game that gathers players, its coordinator, and people who may sign up for it."""
    host = person(world.office, "Coordinator")
    games.create(world.office, host, {"name": "Naseby", "variant": "hundred", "settings": {"coordinated": True}})
    return host, [person(world.office, f"Comer{number}") for number in range(4)]


def test_a_full_game_waits_for_its_coordinator_who_is_told_and_starts_it(world: World) -> None:
    host, comers = gathering(world)
    for comer in comers[:2]:
        seats.sign_up(world.office, comer, "naseby")
    assert desk.items(world.office, host) == [] and told(world) == []
    seats.sign_up(world.office, comers[2], "naseby")
    (item,) = desk.items(world.office, host)
    assert (item.kind, item.text) == ("start", "Every power has a player: start the game.")
    assert (item.page, item.command) == ("/desk/naseby", "legation office start naseby")
    assert item.otherwise == "The game doesn't begin until you start it."
    (mail,) = told(world)
    assert item.text in in_a_line(mail) and item.page in in_a_line(mail)
    seats.sign_up(world.office, comers[3], "naseby")
    assert len(desk.items(world.office, host)) == 1
    games.start(world.office, host, "naseby")
    assert desk.items(world.office, host) == []
    passes(world, DAY)
    assert len(told(world)) == 1


@pytest.mark.parametrize("how", ["withdraws", "is erased"])
def test_a_game_that_somebody_leaves_again_waits_for_its_coordinator_no_more(world: World, how: str) -> None:
    host, comers = gathering(world)
    for comer in comers[:3]:
        seats.sign_up(world.office, comer, "naseby")
    if how == "withdraws":
        seats.withdraw_sign_up(world.office, comers[1], "naseby")
    else:
        erasing.erase(world.office, comers[1])
    assert desk.items(world.office, host) == [] and told(world) == []
    seats.sign_up(world.office, comers[3], "naseby")
    assert [item.kind for item in desk.items(world.office, host)] == ["start"]
    games.cancel(world.office, host, "naseby", "nobody wants it")
    assert desk.items(world.office, host) == []


def test_what_was_settled_before_its_mail_was_written_leaves_an_empty_desk_told(world: World) -> None:
    """A worker that was killed leaves its mails for ten minutes, and meanwhile the desk may be emptied."""
    anna = person(world.office, "Anna").person
    late = Mailing(
        id=1, kind="desk", channel="mail", person=anna, name="", address=HOST, game="", turn="", power="",
        message_id="<1@office.example>", thread="", facts={}, made=START, attempts=1,
    )  # fmt: skip
    mail = compose(world.office, late)
    assert mail["Subject"] == "0 items on your desk" and "Your desk is empty." in body(mail)
