"""Where a game hides who has sent, no reader who may not know it tells from anything whether, when or how often another
seat sent orders; nor from a number: what is counted across the whole office is shown to nobody."""

from __future__ import annotations

import inspect
import itertools
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient

from legation.bots.chance import plausible_sheets
from legation.feeds.games import game_results, personal_calendar
from legation.game import Game, position_document
from legation.game.views import view_for
from legation.judge import Ruleset
from legation.mail.messages import message
from legation.notation import write
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk, letters, mailings
from legation.office.errors import ConflictError, OfficeError
from legation.office.game import journal, seats
from legation.office.game.views import result_document
from legation.office.hosting import absences, exports, games, proofs, roster, transfer, votes
from legation.office.identity import browsers, people
from legation.office.keys.public_numbers import LARGEST, PublicNumbers
from legation.office.office import Office, open_office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.permissions import commands
from legation.office.settings import Settings
from legation.office.store.rows import GameRow, MailingRow, SubmissionRow, TurnRow
from legation.orders import Sheet
from legation.position import Position
from legation.print.games import GamePapers
from legation.web.api.calling import ROUTES
from legation.web.app import create_app
from tests.mail.conftest import Painted
from tests.office.fixtures import START
from tests.office.playing import (
    CONSOLE,
    VISITOR,
    administrator,
    alter,
    begin,
    deadline_of,
    gather,
    passes,
    person,
    position_of,
    refuses,
    send_all,
    stored,
    turn_now,
    unmatched_mail,
)
from tests.office.test_pushes import Device
from tests.rules.small_variant import write_foggy
from tests.sampling import some

DAY = timedelta(days=1)


def questions() -> Iterator[tuple[str, Any]]:
    """All questions about a game that anybody may ask in some role."""
    for command in commands().values():
        if not command.writes:
            yield command.name, command.function


def plain(value: object) -> str:
    """An answer as text, without what is drawn or sealed: commitments, salts, digests and secrets."""
    text = repr(value) if isinstance(value, str) else msgspec.json.encode(value, enc_hook=repr).decode()
    return UNTOLD.sub("#", text)


def asked(question: Callable[[], Any], tell: Callable[[Any], Any] = plain) -> Any:
    """An answer or a refusal."""
    try:
        return tell(question())
    except OfficeError as error:
        return f"{error.code}: {error.message}"


def everything(
    office: Office, actor: Actor, given: dict[str, list[Any]], tell: Callable[[Any], Any] = plain
) -> Iterator[tuple[str, Any]]:
    """The answers to all questions whose arguments are given, with each of their values."""
    for name, function in questions():
        wanted = list(inspect.signature(function).parameters.values())[1:]
        names = [p.name for p in wanted if given.get(p.name)]
        if any(p.default is p.empty and p.name not in names for p in wanted):
            continue
        for values in itertools.product(*(given[name] for name in names)):
            told = dict(zip(names, values, strict=True))
            yield f"{name} {told}", asked(partial(function, office, actor, **told), tell)


def others_mails(office: Office, but: Actor) -> list[tuple[object, ...]]:
    return [
        (row.id, row.kind, row.person) for row in stored(office, MailingRow, order="id") if row.person != but.person
    ]


def test_a_coordinator_who_may_not_know_the_senders_knows_what_they_entered_and_what_is_to_be_read(
    office: Office, clock: SimulatedClock
) -> None:
    record, players, boss = begin(office, coordinated=True, shows_senders="nobody")

    def told(actor: Actor) -> list[tuple[object, ...]]:
        rows = submissions.overview(office, actor, record.key)
        return [(row.power, row.version, row.kind, row.standing, row.sender) for row in rows]

    submissions.submit(office, players["France"], record.key, "France", "A par H")
    entered = submissions.register_posted(office, boss, record.key, "France", "an envelope")
    assert (entered.power, entered.version, entered.kind) == ("France", 0, "posted")
    assert told(boss) == [("France", 0, "posted", "counts", "Coordinator")]
    own = submissions.mine(office, players["France"], record.key, "France")
    submissions.refuse(office, players["France"], own[1].id)
    assert told(boss) == [("France", 0, "posted", "withdrawn", "Coordinator")]
    refusals = [line for line in journal.entries(office, boss, record.key, limit=500) if "refused" in line.kind]
    assert refusals == [], "which version it was tells of others"
    submissions.submit_pictures(
        office, players["England"], record.key, "England", [("a.jpg", b"a sheet", "image/jpeg")]
    )
    clock.advance(2 * DAY)
    work.run_due(office)  # the seals are open, and the photograph is to be read
    assert {row[:3] for row in told(boss)} == {
        ("France", 1, "text"),
        ("France", 2, "posted"),
        ("England", 1, "pictures"),
    }


def test_when_others_sent_is_told_where_players_are_known_and_when_the_game_is_over(
    office: Office, clock: SimulatedClock
) -> None:
    for name, anonymous in (("Powick Bridge", False), ("Stow", True)):
        record, players, _ = begin(office, name=name, folk=name[:4], anonymous=anonymous)
        submissions.submit(office, players["France"].by("mail"), record.key, "France", "A par H")
        for who, knows in (("France", True), ("England", not anonymous)):
            (sent,) = submissions.commitments(office, players[who], record.key)
            assert (sent.power, sent.version, sent.received is not None) == ("France", 1, knows), (name, who)
            assert (sent.channel, bool(sent.id)) == (("mail", True) if who == "France" else ("", False))
        alter(office, GameRow, {"state": "ended"}, key=record.key)
        (sent,) = submissions.commitments(office, players["England"], record.key)
        assert sent.received is not None


@pytest.mark.parametrize("shows", some(["nobody", "coordinator"], 2))
@pytest.mark.parametrize("waits", [False, True], ids=["before the deadline", "waiting"])
def test_nobody_tells_that_another_seat_sent(office: Office, clock: SimulatedClock, shows: str, waits: bool) -> None:
    record, players, boss = begin(office, coordinated=True, shows_senders=shows, missing="wait", anonymous=True)
    sender, rival = players["France"], players["England"]
    if waits:
        passes(office, clock, DAY)
    readers = {"visitor": VISITOR, "stranger": person(office, "Stranger"), "rival": rival}
    if shows == "nobody":
        readers["coordinator"] = boss
    mark = journal.mark(office)

    def seen() -> dict[str, dict[str, object]]:
        given: dict[str, list[Any]] = {
            "game": [record.key],
            "turn": ["now", "last"],
            "since": ["", mark],
            "text": [""],
            "number": [1],
        }
        own = {"rival": "England"}
        return {
            name: dict(everything(office, who, {**given, "power": [own.get(name, "France")]}, lambda answer: answer))
            for name, who in readers.items()
        }

    before, mails = seen(), others_mails(office, sender)
    names = {name.partition(" ")[0] for name in before["rival"]}
    assert len(before["visitor"]) > 25 and {"submissions.commitments", "journal.is_news"} <= names
    submissions.set_key(office, sender, record.key, "France", "ab" * 32)
    sent = submissions.submit(office, sender.by("api"), record.key, "France", "A par - bur")
    submissions.submit(office, sender.by("api"), record.key, "France", "A par H")
    submissions.withdraw(office, sender, sent.submission)
    if not waits:
        submissions.ready(office, sender, record.key, "France")
    work.run_due(office)
    after = seen()
    differ = [(who, name) for who in readers for name in before[who] if before[who][name] != after[who][name]]
    assert not differ, str(differ)
    assert others_mails(office, sender) == mails
    told = {mail.kind for mail in mailings.waiting(office, boss, record.key)}
    assert ("orders missing" in told) is (waits and shows == "coordinator")
    assert all(not item.facts.get("powers") for item in desk.items(office, boss, record.key)) or shows == "coordinator"
    if shows == "nobody":  # all commitments come out at the closing, sorted, and tell neither whose nor when
        clock.advance(2 * DAY)
        (turn,) = stored(office, TurnRow, state=["open", "waiting"])
        alter(office, TurnRow, {"state": "closed"}, id=turn.id)
        made = sorted(row.commitment for row in stored(office, SubmissionRow, turn=turn.id))
        said = submissions.commitments(office, VISITOR, record.key)
        assert [one.commitment for one in said] == made and len(made) == 2
        assert {(o.power, o.version, o.received, o.channel, o.standing) for o in said} == {("", 0, None, "", "")}
    assert submissions.mine(office, sender, record.key, "France"), "the sender sees what was sent"
    assert any(line.power == "France" for line in submissions.commitments(office, sender, record.key))


def test_a_mail_that_waits_for_its_senders_word_is_on_no_desk_of_who_may_not_know_who_sent(office: Office) -> None:
    """A player's mail for which nobody vouches waits for the player's word; its place, time and sender would tell the
    coordinator who has sent."""
    record, _, boss = begin(office, coordinated=True, shows_senders="nobody")
    shown, _, other = begin(office, name="Stow", folk="Stow", coordinated=True)
    clerk = administrator(office, "Clerk")
    item = unmatched_mail(office, "player1@example.org", record.key, "France")
    unmatched_mail(office, "stowplayer1@example.org", shown.key, "France")
    assert desk.items(office, boss) == desk.items(office, boss, record.key) == []
    assert [(i.power or i.facts["likely"]) for i in desk.items(office, other)] == ["France"]
    assert {i.id: (i.game, i.facts["likely"]) for i in desk.items(office, clerk)}[item] == ("", "")


def test_a_mail_that_did_not_arrive_tells_no_coordinator_who_was_to_be_reminded(
    office: Office, clock: SimulatedClock
) -> None:
    record, players, boss = begin(office, coordinated=True, shows_senders="nobody", reminder_hours=6)
    clerk = administrator(office, "Clerk")
    for power in set(players) - {"France"}:
        submissions.submit(office, players[power], record.key, power, "# nothing")
    mailings.claim(office, limit=500)
    passes(office, clock, DAY - timedelta(hours=5))
    (reminder,) = [mail for mail in mailings.claim(office, limit=500) if mail.kind == "reminder"]
    mailings.failed(office, reminder, "no such address", lasting=True)
    assert desk.items(office, boss) == []
    (item,) = desk.items(office, clerk)
    assert item.kind == "failed mails" and "France" not in repr(item) and "remind" not in repr(item)
    desk.settle(office, clerk, item.id, retry=True)
    (again,) = mailings.claim(office, limit=500)
    mailings.failed(office, again, "no such address", lasting=True)
    desk.settle(office, clerk, desk.items(office, clerk)[0].id)
    assert not stored(office, MailingRow, state="failed")


def test_whom_a_vote_was_mailed_to_is_not_told_where_senders_are_hidden(office: Office, clock: SimulatedClock) -> None:
    """Who has gone gets no mail of a vote."""
    settings: dict[str, Any] = {"missing_after": 1, "votes": "majority", "ready_ends": False}
    record, players, boss = begin(office, coordinated=True, shows_senders="nobody", **settings)
    for power in set(players) - {"France"}:
        submissions.submit(office, players[power], record.key, power, "# nothing")
    passes(office, clock, DAY)
    mailings.claim(office, limit=500)
    votes.vote(office, players["England"], record.key, "England", "pause")
    assert "vote" not in {mail.kind for mail in mailings.waiting(office, boss, record.key)}


def test_an_exported_game_does_not_tell_who_sent_or_whose_vote_came_first(office: Office) -> None:
    record, players, boss = begin(office, coordinated=True, shows_senders="nobody", votes="majority")
    before = transfer.whole_game(office, boss, record.key)
    submissions.submit(office, players["France"], record.key, "France", "# nothing")
    submissions.ready(office, players["France"], record.key, "France")
    votes.vote(office, players["France"], record.key, "France", "pause", reason="a funeral")
    after = transfer.whole_game(office, boss, record.key)
    (begun,) = after["journal"][len(before["journal"]) :]
    assert (begun["kind"], begun["person"], begun["power"]) == ("vote begun", None, "")
    assert {**after, "journal": 0, "transcript": 0} == {**before, "journal": 0, "transcript": 0}


@pytest.mark.parametrize("hidden", [True, False])
def test_whether_an_absence_moves_a_deadline_does_not_hang_on_who_has_sent(
    office: Office, clock: SimulatedClock, hidden: bool
) -> None:
    """The line that the deadline moved names who is away, where players are not anonymous."""
    shows = "coordinator" if hidden else "all"
    record, players, _ = begin(office, shows_senders=shows, absence_days=3)
    submissions.submit(office, players["France"], record.key, "France", "# nothing")
    today = clock.now().date()
    absences.announce(office, players["France"], today.isoformat(), (today + 2 * DAY).isoformat())
    assert (turn_now(office, VISITOR, record.key).deadline > deadline_of(record)) is hidden


POWERS = ("England", "France", "Burgundy")


def test_the_host_of_an_anonymous_game_does_not_know_who_signed_up(office: Office) -> None:
    """The deal is public, by the numbers of sign-ups: whoever knows whose they are knows who plays what. A game that
    runs itself can be played by its host."""
    host = person(office, "Host")
    key = gather(office, host, "Masks", anonymous=True).key
    for name in ("Ann", "Ben"):
        seats.sign_up(office, person(office, name), key, list(POWERS))
    gathering = seats.sign_ups(office, host, key)
    assert [(sign.number, sign.preferences) for sign in gathering] == [(0, ())] * 2, "how many come"
    mine = seats.sign_up(office, host, key, [])
    work.run_due(office)
    (deal,) = journal.entries(office, host, key, kinds=("seats dealt",))
    numbers = {f"sign-up {sign.number}" for sign in seats.sign_ups(office, host, key)}
    assert set(deal.facts["dealt"]) == numbers and f"sign-up {mine.number}" in numbers, "the numbers are public"
    record = games.game(office, host, key)
    assert record.powers, "the host plays"
    for told in (gathering, seats.sign_ups(office, host, key), record, seats.holders(office, host, key)):
        assert not {"Ann", "Ben"} & set(repr(msgspec.to_builtins(told)).split("'"))
    assert {(sign.name, sign.person) for sign in (*gathering, *seats.sign_ups(office, host, key))} == {("", 0)}
    assert {sign.name for sign in seats.sign_ups(office, CONSOLE, key)} == {"Ann", "Ben", "Host"}
    alter(office, GameRow, {"state": "ended"}, key=key)
    assert {sign.name for sign in seats.sign_ups(office, host, key)} == {"Ann", "Ben", "Host"}


def test_the_deal_does_not_tell_who_signed_up_when(office: Office) -> None:
    """Who heard that somebody has just signed up, or signs up before and after, finds their number nowhere."""
    host = person(office, "Host")
    in_order = []
    for game in range(6):
        plan = {"name": f"Masks {game}", "variant": "hundred", "settings": {"anonymous": True}}
        key = games.create(office, host, plan).key
        came = [seats.sign_up(office, person(office, f"P{game}{n}"), key, []).number for n in range(3)]
        work.run_due(office)
        (deal,) = journal.entries(office, host, key, kinds=("seats dealt",))
        assert set(deal.facts["dealt"]) == {f"sign-up {number}" for number in came}
        told = [int(sign.removeprefix("sign-up ")) for sign in deal.facts["sign_ups"]]
        assert told == sorted(told) == [sign.number for sign in seats.sign_ups(office, host, key)]
        in_order.append(came == sorted(came))
    assert not all(in_order), "numbers are not given in the order in which people come"


@pytest.mark.parametrize(
    ("settings", "told"),
    [({"anonymous": True}, "anonymous"), ({"listed": False}, "private"), ({"rated": False}, "unrated")],
)
def test_what_a_game_was_for_those_who_came_it_stays(office: Office, settings: dict[str, Any], told: str) -> None:
    """Whether a game is anonymous, private or unrated stays as it is once somebody has joined."""
    host = person(office, "Host")
    key = gather(office, host, "Masks", **settings).key
    ((setting, stays),) = settings.items()
    for value in (not stays, stays):  # nobody has come
        assert games.set_settings(office, host, key, {setting: value}).settings[setting] is value
    seats.sign_up(office, person(office, "Ann"), key, [], games.invite(office, host, key).secret)
    refuses(ConflictError, games.set_settings, office, host, key, {setting: not stays}).match(f"stays {told}")
    games.set_settings(office, host, key, {setting: stays, "grace": 5})


def test_a_running_game_that_was_taken_from_the_list_stays_private(office: Office) -> None:
    public, _, boss = begin(office, coordinated=True)
    games.set_settings(office, boss, public.key, {"listed": False})
    refuses(ConflictError, games.set_settings, office, boss, public.key, {"listed": True}).match("stays private")


def test_an_address_that_is_shared_names_nobody_where_players_are_anonymous(office: Office) -> None:
    record, players, boss = begin(office, coordinated=True, opening_by_post=True, anonymous=True)
    france, england = players["France"], players["England"]
    roster.add_address(office, france, ["Ann Example", "Way 1"], "England", primary=True)
    roster.share_address(office, france, record.key, "France", True)
    assert "Ann Example" in repr(roster.roster(office, boss, record.key))
    assert "Ann Example" not in repr(roster.roster(office, england, record.key))


UNTOLD = re.compile(
    r"[0-9a-f]{24,}|[\w-]{32,}|(?<=submission.:)\d+|(?<=.id.:)\d+(?=,.power)"
)  # drawn, sealed, a sheet's
NEAR = "England"
FAR = ("Austria", "Italy", "Turkey")


@pytest.fixture(name="fog", scope="module")
def foggy_office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of an office's own variants: the standard game, in the fog."""
    folder = tmp_path_factory.mktemp("fog")
    write_foggy(folder)
    return folder


class World:
    """An office with one game in the fog, in which some powers' orders are drawn by a seed of its own."""

    def __init__(self, place: Path, fog: Path, hidden: str, **settings: Any) -> None:
        self.clock = SimulatedClock(START)
        given = Settings(settling=0, variants=str(fog), address="https://office.example", web={"warm": False})
        self.office = open_office(place, given, self.clock, SeededRandomSource("fog"))
        self.record, self.players, self.host = begin(self.office, variant="foggy", **settings)
        self.key, self.hidden = self.record.key, hidden
        self.rules: Ruleset = self.office.variants.load("foggy")
        self.game = Game(self.rules, self.record.name)

    def play(self, *, at_length: bool = False) -> None:
        """One turn: all send, the deadline passes. ``at_length``: those far away send often, take back, and say that
        they are ready, and one of them sends nothing."""
        position = position_of(self.office, self.record)
        turn, sent = str(position.turn), []
        for power in self.rules.powers:
            seed = f"{turn} {power} {self.hidden if power in FAR else ''}"
            seen = self.rules.seen(position, power)
            orders = [order for s in plausible_sheets(self.rules, seen, Random(seed), [power]) for order in s.orders]
            text = "\n".join(write(order) for order in orders) or "# nothing"
            actor = self.players[power]
            if at_length and power in FAR:
                for n in range(3):
                    again = submissions.submit(self.office, actor.by("api"), self.key, power, f"# {n}")
                submissions.withdraw(self.office, actor, again.submission)
            submissions.submit(self.office, actor.by("api"), self.key, power, text)
            if at_length and power in FAR:
                submissions.ready(self.office, actor, self.key, power)
            sent.append(Sheet(power, tuple(orders)))
        self.game.play(sent)
        passes(self.office, self.clock, timedelta(days=8))


def answers(world: World, actor: Actor, power: str) -> Iterator[tuple[str, str]]:
    """What a reader gets of the game on every way out."""
    office, key = world.office, world.key
    numbers = [t.number for t in games.turns(office, actor, key)]
    sheet = "A con - bul\nF bla S A con - bul\nF lon - eng\nA ven S A tyr\nF nao C A lvp - nwy"
    yield from everything(office, actor, {"game": [key], "turn": numbers, "power": [power], "text": [sheet]})
    yield "results.atom", game_results(office, actor, key).decode()
    for mailing in mailings.claim(office, limit=200) if power else ():
        if mailing.power == power:
            content = message(office, mailing)
            yield f"mail {mailing.kind} {mailing.turn}", plain(repr(content.blocks))
            yield f"mailed map {mailing.turn}", repr([b for b in content.blocks if type(b).__name__ == "Image"])


def pages(world: World, secret: str) -> Iterator[tuple[str, str]]:
    """What the API gives to the bearer of a token, on every address of the game."""

    with TestClient(create_app(world.office), base_url="https://office.example") as client:
        for route in ROUTES:
            if route.method != "GET" or not route.path.startswith("/games/{game}"):
                continue
            for turn in ("now", "last") if "{turn}" in route.path else ("",):
                where = {"power": NEAR, "turn": turn, "number": 1, "page": 1, "digest": "0" * 64}
                path = "/api/v1" + route.path.format(game=world.key, **where)
                headers = {"authorization": f"Bearer {secret}"} if secret else {}
                answer = client.get(path, headers=headers)
                text = UNTOLD.sub("#", answer.text)
                text = re.sub(
                    r'"submission":\d+', '"submission":0', text
                )  # one's own sheets have numbers of the office
                yield path, f"{answer.status_code} {text}"


def token(world: World, power: str) -> str:
    person = world.players[power].person
    assert person is not None
    return people.token_for(world.office, CONSOLE, person, "other").secret


def seen_of(world: World, power: str) -> str:
    """The game so far as the core has it for a power."""
    view = view_for(world.game, power)
    told = [result_document(world.rules, turn, power) for turn in view.turns]
    return plain([position_document(world.rules, view.position), told])


def same(one: Iterator[tuple[str, str]], other: Iterator[tuple[str, str]]) -> int:
    """Two worlds give the same answers; the answer is how many were compared."""
    count = 0
    for (name, first), (again, second) in zip(one, other, strict=True):
        assert (name, first) == (again, second)
        count += 1
    return count


class Drawn:
    """In place of an atlas: what would be drawn, told in words."""

    def for_reader(self, language: str) -> Drawn:
        return self

    def svg(self, position: Position, verdicts: object, **how: object) -> str:
        return repr((position, verdicts))


@pytest.mark.long
@pytest.mark.parametrize("seed", some(range(2), 2))
def test_worlds_that_differ_only_in_the_fog_are_the_same_to_who_is_in_it(
    tmp_path: Path, fog: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Austria, Italy and Turkey order otherwise; as long as England sees the same, every answer to its player and to a
    visitor is the same."""
    monkeypatch.setattr("legation.mail.results.for_variant", lambda *_: Drawn())
    monkeypatch.setattr("legation.mail.results.PAINTER", Painted())
    worlds = [World(tmp_path / name, fog, f"{seed} {name}") for name in ("one", "other")]
    compared = told = 0
    try:
        for _ in range(2):
            one, other = worlds
            one.play()
            other.play(at_length=True)
            visitor = VISITOR
            if one.game.position.turn != other.game.position.turn:
                break  # that there are retreats is told to all
            compared += same(answers(one, visitor, ""), answers(other, visitor, ""))
            if seen_of(one, NEAR) != seen_of(other, NEAR):
                break
            if not told:
                told = same(pages(one, token(one, NEAR)), pages(other, token(other, NEAR)))
                told += same(pages(one, ""), pages(other, ""))
            assert one.game.position != other.game.position
            compared += same(answers(one, one.players[NEAR], NEAR), answers(other, other.players[NEAR], NEAR))
        assert compared > 30 and told > 10
    finally:
        for world in worlds:
            world.office.close()


@pytest.fixture
def world(tmp_path: Path, fog: Path) -> Iterator[World]:
    made = World(tmp_path / "office", fog, "a", coordinated=True, approve=False)
    yield made
    made.office.close()


def units(position: Any) -> dict[str, list[str]]:
    return dict(position["units"])


def test_each_reader_sees_what_the_rules_show(world: World) -> None:
    """A player sees what is near, a visitor nothing, the coordinator and the office all; when the game is over
    everybody does."""
    office, key, player = world.office, world.key, world.players[NEAR]
    world.play()
    whole = units(games.position(office, world.host, key))
    assert whole.keys() == set(world.rules.powers)
    seen = units(games.position(office, player, key))
    assert seen[NEAR] == whole[NEAR] and "Turkey" not in seen
    assert units(games.position(office, VISITOR, key)) == {}
    record = games.game(office, player, key)
    assert {s.power: (s.units, s.centers) for s in record.seats}["Turkey"] == (0, 0)
    assert {s.power: s.sent for s in record.seats if s.sent is not None}.keys() == {NEAR}
    assert units(record.position) == seen
    told = games.result(office, player, key)
    assert {sheet.power for sheet in told.sheets} == {NEAR}
    assert {v["power"] for v in told.verdicts} >= {NEAR} and "Turkey" not in told.report
    assert {sheet.power for sheet in games.result(office, world.host, key).sheets} == set(world.rules.powers)
    assert not games.result(office, VISITOR, key).verdicts
    assert all(proof.holds for proof in proofs.verify(office, player, key))
    lines = journal.entries(office, player, key, limit=1000)
    assert {e.power for e in lines if e.kind == "submitted"} == {NEAR}
    (results,) = (e for e in lines if e.kind == "final results")
    assert results.facts["orders"].keys() == {NEAR}
    refuses(OfficeError, exports.saved_game, office, player, key).match("when it has ended")
    assert len(exports.saved_game(office, world.host, key)["turns"]) == 1
    games.cancel(office, world.host, key, "an end")
    for actor in (player, VISITOR):
        assert units(games.position(office, actor, key)) == whole
        assert {sheet.power for sheet in games.result(office, actor, key).sheets} == set(world.rules.powers)
        assert exports.saved_game(office, actor, key) == exports.saved_game(office, world.host, key)
        assert {e.power for e in journal.entries(office, actor, key, limit=1000, kinds=("submitted",))} == set(
            world.rules.powers
        )


def test_the_coordinator_prints_for_each_power_what_that_power_sees(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Packets that the coordinator prints are those that the players could print."""
    drawn: dict[str, Position] = {}

    def packet(game: object, rules: object, atlas: object, view: Position, to: Any, *rest: object) -> bytes:
        drawn[to.position] = view
        return b""

    monkeypatch.setattr("legation.print.games.turn_packet", packet)
    world.play()
    GamePapers(world.office, world.host, world.key).packets()
    assert drawn.keys() == set(world.rules.powers)
    by_host = dict(drawn)
    for power, player in world.players.items():
        GamePapers(world.office, player, world.key).packet(power)
        assert drawn[power] == by_host[power] == world.rules.seen(position_of(world.office, world.record), power)


def test_bots_do_not_see_in_the_fog(tmp_path: Path, fog: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot gets the position that its power sees."""
    views: dict[str, Position] = {}

    def spy(rules: Ruleset, position: Position, power: str, random: Random) -> Sheet:
        views[power] = position
        return Sheet(power, ())

    monkeypatch.setattr("legation.bots.levels.bot", lambda name: spy)
    office = open_office(
        tmp_path, Settings(settling=0, variants=str(fog)), SimulatedClock(START), SeededRandomSource("bots")
    )
    begin(office, variant="foggy", powers=1)
    rules = office.variants.load("foggy")
    assert len(views) == 6
    assert all(view == rules.seen(rules.opening(), power) != rules.opening() for power, view in views.items())
    office.close()


def test_an_office_has_the_variants_of_its_folder(tmp_path: Path, fog: Path) -> None:
    """A folder that is not there is refused with its name; without one the usual variants are played."""
    refuses(OfficeError, open_office, tmp_path / "a", Settings(variants="nowhere")).match("nowhere")
    (tmp_path / "b" / "mine").mkdir(parents=True)
    (tmp_path / "b" / "mine" / "own.toml").write_text((fog / "foggy.toml").read_text())
    office = open_office(tmp_path / "b", Settings(variants="mine"))
    assert "own" in office.variants.names() and "hundred" in office.variants.names()
    office.close()


def test_a_turn_that_was_judged_by_rules_which_are_gone_is_told_to_nobody_in_the_fog(tmp_path: Path) -> None:
    """While the game has its rules, players read what they saw. Without them what a player saw of it cannot be worked
    out any more, nor what may be seen of the turn after it; whoever sees everything reads both as they were kept."""
    (tmp_path / "fog").mkdir()
    write_foggy(tmp_path / "fog", "[rules.conversion]\n")
    world = World(tmp_path / "office", tmp_path / "fog", "a")
    player, key = world.players[NEAR], world.key
    submissions.submit(world.office, player, key, NEAR, "F lon converts to A")
    passes(world.office, world.clock, timedelta(days=8))
    told = games.result(world.office, player, key, 1)
    assert [sheet.orders for sheet in told.sheets] == [("F lon converts to A",)]
    world.office.close()
    write_foggy(tmp_path / "fog")
    office = open_office(tmp_path / "office", world.office.settings, world.clock)
    assert games.result(office, player, key, 1) == told and games.game(office, player, key).state == "running"
    alter(office, GameRow, {"kept": ""}, key=key)  # as of a game whose rules had changed before it began
    judged = "Movement was judged by other rules than the current ones, so what {} saw of it can't be determined"
    opened = "opened under other rules than the current ones, so what {} can see of it can't be determined"
    for reader, whom in ((player, NEAR), (VISITOR, "you")):
        refuses(ConflictError, games.result, office, reader, key, 1).match(judged.format(whom))
        for look in (games.game, games.position):
            refuses(ConflictError, look, office, reader, key).match(opened.format(whom))
    assert games.game(office, CONSOLE, key).state == "running"
    whole = games.result(office, CONSOLE, key, 1)
    assert {sheet.power: sheet.orders for sheet in whole.sheets}[NEAR] == ("F lon converts to A",)
    office.close()


def test_how_many_are_waited_for_is_not_told_in_the_fog(tmp_path: Path, fog: Path) -> None:
    world = World(tmp_path, fog, "a", coordinated=True, missing="wait")
    submissions.submit(world.office, world.players[NEAR], world.key, NEAR, "F lon H")
    passes(world.office, world.clock, timedelta(days=8))

    def told(reader: Actor) -> list[tuple[str, dict[str, Any]]]:
        lines = journal.entries(world.office, reader, world.key, kinds=("waiting",))
        return [(line.text, line.facts) for line in lines]

    words = "The game waits for orders."
    assert told(world.host) == [(words, {"seats": 6})]
    assert told(world.players[NEAR]) == told(VISITOR) == [(words, {})]
    world.office.close()


@pytest.mark.parametrize("missing", some(["disorder", "replace"], 2))
def test_that_somebody_had_something_to_order_in_the_fog_is_told_by_no_turn_they_missed(
    tmp_path: Path, fog: Path, missing: str
) -> None:
    """Who has a build due has taken a center; who has a retreat due was dislodged."""
    world = World(tmp_path, fog, "a", powers=2, missing=missing, missing_after=1)
    office, key, (one, other) = world.office, world.key, ("England", "Austria")
    for orders in ("F lon - nth", "F nth - nwy", ""):
        for power, text in ((one, orders), (other, "A vie H")) if orders else ():
            submissions.submit(office, world.players[power], key, power, text)
        passes(office, world.clock, timedelta(days=2))
    assert turn_now(office, world.players[one], key).name == "Spring 1902 Movement", "England's build was missed"

    def told(reader: Actor) -> set[str]:
        lines = {line.kind for line in journal.entries(office, reader, key, limit=1000)}
        (seat,) = [seat for seat in games.game(office, reader, key).seats if seat.power == one]
        mails = {m.kind for m in mailings.claim(office, limit=500) if m.person != world.players[one].person}
        return (lines | mails | {seat.state}) & {"civil disorder", "replacement wanted", "vote"}

    assert told(world.players[other]) == told(VISITOR) == set()
    submissions.submit(office, world.players[other], key, other, "A vie H")
    passes(office, world.clock, timedelta(days=2))
    assert told(world.players[other]) == ({"civil disorder"} if missing == "disorder" else set())
    office.close()


def test_a_sheet_is_read_by_what_its_power_sees(world: World) -> None:
    """The check, the receipt and the judge read it alike: own units are known, and of what others have far away no more
    than that nobody is seen there."""
    office, player, key = world.office, world.players[NEAR], world.key
    text = "A lvp - yor\nF lon - nth\nF edi S A gal - nth\nF edi S A vie - nth"
    told = submissions.check(office, player, key, NEAR, text)
    messages = [(line.problem, line.message) for line in told.lines]
    empty, unit = (("illegal", f"there is no unit in {place}") for place in ("gal", "vie"))  # there is one in Vienna
    assert messages == [(None, ""), (None, ""), empty, unit] and told.missing == ("F edi",)
    assert (told.game, told.power, told.turn) == (key, NEAR, "Spring 1901 Movement")
    receipt = submissions.submit(office, player, key, NEAR, text)
    assert receipt.checked is not None and receipt.checked.lines == told.lines
    passes(office, world.clock, timedelta(days=8))
    judged = {v["order"]: v["outcome"] for v in games.result(office, player, key).verdicts if v["power"] == NEAR}
    assert judged["F edi S A gal - nth"] == "illegal" and judged["F lon - nth"] == "succeeds"


def test_a_player_in_the_fog_is_told_of_no_center_that_changed_hands(world: World) -> None:
    """Who only sees a part would read of powers that took nothing, or are gone, where they are out of sight."""
    for _ in range(5):
        world.play()
    whole, seen = (
        [line for number in range(1, 6) for line in games.result(world.office, actor, world.key, number).news]
        for actor in (CONSOLE, world.players[NEAR])
    )
    assert any(" takes " in line for line in whole)
    assert [line for line in seen if " takes " in line or "eliminated" in line] == []


# Numbers


LEAST = 10_000  # no row of these offices has a number as large
DRAWN = re.compile(r"[0-9a-f]{16,}|[\w+/=-]{20,}")  # secrets, digests, keys


def test_numbers_that_are_shown_tell_nothing_of_the_rows() -> None:
    numbers, other = PublicNumbers(bytes(32)), PublicNumbers(b"1" * 32)
    shown = [numbers.shown("submission", row) for row in range(1, 2001)]
    assert [numbers.row("submission", number) for number in shown] == list(range(1, 2001))
    assert LARGEST == 2**32 - 1 and len(set(shown)) == 2000 and all(0 < number <= LARGEST for number in shown)
    assert 900 < sum(a < b for a, b in itertools.pairwise(shown)) < 1100, "neighbours come in any order"
    assert min(abs(a - b) for a, b in itertools.pairwise(shown)) > 1000
    assert all(900 < sum(number >> bit & 1 for number in shown) < 1100 for bit in range(32))
    assert numbers.shown("letter", 1) != shown[0] != other.shown("submission", 1)
    for none in (0, -1, LARGEST + 1, 2**70):
        assert numbers.row("submission", none) == 0
        refuses(OverflowError, numbers.shown, "submission", none)
    # the one row that would be shown as 0, and the last one
    (nobody,) = {numbers._once("letter", 0, back=True)}
    for row in (nobody, LARGEST):
        assert numbers.shown("letter", row) > 0 and numbers.row("letter", numbers.shown("letter", row)) == row


class Watch:
    """An office with a game in the fog, and somebody who plays in it, runs another game and notes every number."""

    def __init__(self, place: Path, variants: Path) -> None:
        given = Settings(settling=0, variants=str(variants), address="https://office.example", push=True)
        self.clock = SimulatedClock(START)
        self.office = open_office(place, given, self.clock, SeededRandomSource("watch"))
        self.record, self.players, _ = begin(self.office, variant="foggy", powers=2, press=["private", "public"])
        self.watcher, self.other = self.players["England"], self.players["Austria"]
        self.own = gather(self.office, self.watcher, "B", coordinated=True).key

    def others(self) -> None:
        """All that somebody else does while the turn is open."""
        office, other, key = self.office, self.other, self.record.key
        for n in range(5):
            sent = submissions.submit(office, other.by("api"), key, "Austria", f"A vie H\n# {n}")
        submissions.withdraw(office, other, sent.submission)
        submissions.ready(office, other, key, "Austria")
        letters.write(office, other, key, "Austria", ["Turkey"], "Not for England.")
        absences.announce(office, other, "2027-01-01", "2027-01-03")
        roster.add_address(office, other, ["Ring 1"], "Austria", primary=True)
        people.make_token(office, other, "a program", ("read",))
        people.start_session(office, Actor.clock(), other.person or 0)
        hidden = gather(office, other, "A", listed=False).key
        seats.sign_up(office, other, hidden, [])
        games.invite(office, other, hidden, "somebody@example.org")
        browsers.subscribe(office, other, **Device("other").subscription)
        for sender in ("x@example.org", "y@example.org"):
            unmatched_mail(office, sender)

    def acts(self, n: int) -> Iterator[tuple[str, Any]]:
        """What the watcher does, and what comes of it."""
        office, me, key = self.office, self.watcher, self.record.key
        yield "sheet", submissions.submit(office, me.by("api"), key, "England", f"F lon H\n# {n}")
        yield "letter", letters.write(office, me, key, "England", ["France"], "Hello.")
        yield "absence", absences.announce(office, me, f"2027-0{n + 1}-01", f"2027-0{n + 1}-03")
        yield "address", roster.add_address(office, me, [f"Way {n}"], "England", first=f"2027-0{n + 1}-01")
        yield "token", people.make_token(office, me, "mine", ("read",))
        yield "browser", browsers.subscribe(office, me, **Device(f"https://push.example.org/{n}").subscription)
        yield "invitation", games.invite(office, me, self.own, f"guest{n}@example.org")
        yield "mail", unmatched_mail(office, f"{n}@example.org", self.own)

    def looks(self) -> Iterator[tuple[str, Any]]:
        """All that the watcher can ask, feeds and mails."""
        office, me, key = self.office, self.watcher, self.record.key
        for game, power in ((key, "England"), (self.own, "France")):
            given: dict[str, list[Any]] = {"game": [game], "power": [power], "turn": ["now"], "limit": [1000]}
            yield from everything(office, me, given, lambda answer: answer)
            yield f"{game} feed", game_results(office, me, game).decode()
        yield "desk", [msgspec.to_builtins(desk.item(office, me, i.id)) for i in desk.items(office, me)]
        yield "calendar", personal_calendar(office, me).decode()
        claimed = mailings.claim(office, limit=500)
        for mail in claimed:
            if mail.game == self.own:
                mailings.failed(office, mail, "no such address", lasting=True)
        yield "failed mails", [item.facts for item in desk.items(office, me, self.own)]
        mine = [m for m in claimed if m.person == me.person]
        yield "mails", [[m.thread, repr(message(office, m).blocks)] for m in mine]


def numbers_in(value: Any, place: str) -> Iterator[tuple[str, int]]:
    """Every number in an answer, those in its texts too, with its place."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from numbers_in(inner, f"{place}.{name}")
    elif isinstance(value, list | tuple):
        for n, inner in enumerate(value):
            yield from numbers_in(inner, f"{place}.{n}")
    elif isinstance(value, int) and not isinstance(value, bool):
        yield place, value
    elif isinstance(value, str):
        for n, digits in enumerate(re.findall(r"\d+", DRAWN.sub("#", value))):
            yield f"{place}: {n}", int(digits)


def noted(watch: Watch, *, busy: bool) -> dict[str, int]:
    """The numbers that the watcher sees, before and after others were busy (or not)."""
    told = dict(watch.acts(0))
    if busy:
        watch.others()
    watch.clock.advance(timedelta(hours=1))
    told |= {f"again {name}": answer for name, answer in watch.acts(1)}
    told |= dict(watch.looks())
    return dict(numbers_in(msgspec.to_builtins(told, enc_hook=repr), ""))


def differences(place: Path, variants: Path) -> tuple[dict[str, int], dict[str, tuple[int, int]]]:
    """What somebody sees in an office where nobody else does anything, and where that differs from one where others are
    busy."""
    seen = []
    for name in ("quiet", "busy"):
        watch = Watch(place / name, variants)
        seen.append(noted(watch, busy=name == "busy"))
        watch.office.close()
    quiet, busy = seen
    assert quiet.keys() == busy.keys()
    return quiet, {where: (quiet[where], busy[where]) for where in quiet if quiet[where] != busy[where]}


def test_a_player_in_the_fog_tells_from_no_number_what_others_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever others do, each number that somebody sees is the same, or one that tells nothing of its row."""
    monkeypatch.setattr("legation.mail.results.for_variant", lambda *_: Drawn())
    monkeypatch.setattr("legation.mail.results.PAINTER", Painted())
    (fog := tmp_path / "fog").mkdir()
    write_foggy(fog)
    quiet, found = differences(tmp_path, fog)
    assert len(quiet) > 300
    assert {where: both for where, both in found.items() if min(both) < LEAST} == {}
    # the rows are others, so their own numbers would tell
    acts = {where.removeprefix(".again ").split(".")[0] for where in found if where.startswith(".again ")}
    assert acts == {"sheet", "letter", "absence", "address", "token", "browser", "invitation", "mail"}


def test_a_line_below_all_others_is_none(office: Office) -> None:
    """Whoever asks for lines after a number that no line has gets all of them, or none; never a fault."""
    game, _, _ = begin(office)
    whole = journal.entries(office, CONSOLE, game.key)
    assert whole and journal.entries(office, CONSOLE, game.key, after=-7) == whole
    assert journal.entries(office, CONSOLE, game.key, after=10**12) == []


def test_a_whole_game_names_people_and_sheets_by_no_row_of_its_office(office: Office, clock: SimulatedClock) -> None:
    """Its coordinator, who may play elsewhere in the fog, would count by them what others sent."""
    record, players, boss = begin(office, coordinated=True, shows_senders="coordinator")
    send_all(office, record, players, 1)
    passes(office, clock, timedelta(days=2))
    kept = transfer.whole_game(office, boss, record.key)
    (turn,) = kept["turns"]
    people = [kept["coordinator"], *(seat["person"] for seat in kept["seats"]), *(p["number"] for p in kept["people"])]
    people += [holder["person"] for seat in kept["seats"] for holder in seat["holders"]]
    people += [line["person"] for line in kept["journal"] if line["person"] is not None]
    sheets = [sent["number"] for sent in turn["submissions"]]
    assert min(people) > LEAST < min(sheets) and len(sheets) == len(players)
    assert {sheet["submission"] for sheet in turn["sheets"].values()} == set(sheets)
    assert {sent["person"] for sent in turn["submissions"]} <= set(people)
