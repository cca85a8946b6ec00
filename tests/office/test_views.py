"""A game in the fog: every question and every counter tells a reader what the rules let that reader see, and nothing
else."""

from __future__ import annotations

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
from legation.feeds.games import game_results
from legation.game import Game, position_document, read_position
from legation.game.views import view_for
from legation.judge import Ruleset
from legation.mail.messages import message
from legation.notation import write
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.desk import letters, mailings
from legation.office.errors import ConflictError, OfficeError
from legation.office.game import journal, processing
from legation.office.game.views import result_document
from legation.office.hosting import exports, games, proofs
from legation.office.identity import people
from legation.office.office import open_office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.settings import Settings
from legation.office.store.rows import GameRow
from legation.orders import Sheet
from legation.position import Position
from legation.print.games import GamePapers
from legation.web.app import create_app
from tests.office.fixtures import START
from tests.office.playing import begin

DATA = Path(__file__).parents[2] / "src" / "legation" / "variants" / "data"
UNTOLD = re.compile(
    r"[0-9a-f]{24,}|[\w-]{32,}|(?<=submission.:)\d+|(?<=.id.:)\d+(?=,.power)"
)  # drawn, sealed, a sheet's
NEAR = "England"
FAR = ("Austria", "Italy", "Turkey")


@pytest.fixture(scope="module")
def fog(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of an office's own variants: the standard game, in the fog."""
    folder = tmp_path_factory.mktemp("fog")
    write_foggy(folder)
    return folder


def write_foggy(folder: Path, other: str = "") -> None:
    """Write the variant, with the tables of other rules beside the fog."""
    text = (DATA / "standard.toml").read_text(encoding="utf-8").replace('name = "standard"\n', "")
    (folder / "foggy.toml").write_text(text.replace("[[powers]]", f"[rules.fog_of_war]\n{other}\n[[powers]]", 1))


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

    def position(self) -> Position:
        faults: list[str] = []
        found = read_position(self.rules, games.position(self.office, Actor.console(), self.key), faults)
        assert not faults
        return found

    def play(self, *, at_length: bool = False) -> None:
        """One turn: all send, the deadline passes. ``at_length``: those far away send often, take back, and say that
        they are ready, and one of them sends nothing."""
        position = self.position()
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
        self.clock.advance(timedelta(days=8))
        work.run_due(self.office)


def plain(value: object) -> str:
    """An answer as text, without what is drawn or sealed: commitments, salts, digests and secrets."""
    text = repr(value) if isinstance(value, str) else msgspec.json.encode(value, enc_hook=repr).decode()
    return UNTOLD.sub("#", text)


def asked(question: Callable[[], Any]) -> str:
    try:
        return plain(question())
    except OfficeError as error:
        return f"{error.code}: {error.message}"


def answers(world: World, actor: Actor, power: str) -> Iterator[tuple[str, str]]:
    """What a reader gets of the game on every way out."""
    office, key = world.office, world.key
    numbers = [t.number for t in games.turns(office, actor, key)]
    yield "games.game", asked(lambda: games.game(office, actor, key))
    yield "games.list_games", asked(lambda: games.list_games(office, actor))
    yield "games.turns", asked(lambda: games.turns(office, actor, key))
    yield (
        "journal.entries",
        asked(lambda: [(e.kind, e.turn, e.text, e.facts) for e in journal.entries(office, actor, key, limit=1000)]),
    )
    yield "exports.saved_game", asked(lambda: exports.saved_game(office, actor, key))
    yield "processing.preview", asked(lambda: processing.preview(office, actor, key))
    yield "proofs.verify", asked(lambda: proofs.verify(office, actor, key))
    yield "letters.letters", asked(lambda: letters.letters(office, actor, key))
    yield "results.atom", game_results(office, actor, key).decode()
    for number in numbers:
        yield f"games.position {number}", asked(partial(games.position, office, actor, key, number))
        yield f"games.result {number}", asked(partial(games.result, office, actor, key, number))
        yield f"proofs.published {number}", asked(partial(proofs.published, office, actor, key, number))
        yield (
            f"submissions.commitments {number}",
            asked(partial(submissions.commitments, office, actor, key, str(number))),
        )
    if not power:
        return
    sheet = "A con - bul\nF bla S A con - bul\nF lon - eng\nA ven S A tyr\nF nao C A lvp - nwy"
    yield "submissions.check", asked(lambda: submissions.check(office, actor, key, power, sheet))
    for mailing in mailings.claim(office, limit=200):
        if mailing.power == power:
            content = message(office, mailing)
            yield f"mail {mailing.kind} {mailing.turn}", plain(repr(content.blocks))
            yield f"mailed map {mailing.turn}", repr([b for b in content.blocks if type(b).__name__ == "Image"])


def pages(world: World, secret: str) -> Iterator[tuple[str, str]]:
    """What the API gives to the bearer of a token, on every address of the game."""
    from legation.web.api.calling import ROUTES

    with TestClient(create_app(world.office), base_url="https://office.example") as client:
        for route in ROUTES:
            if route.method != "GET" or not route.path.startswith("/games/{game}"):
                continue
            for turn in ("now", "last") if "{turn}" in route.path else ("",):
                where = {"power": NEAR, "turn": turn, "number": 1, "digest": "0" * 64}
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
    return people.token_for(world.office, Actor.console(), person, "other").secret


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

    def svg(self, position: Position, verdicts: object, **how: object) -> str:
        return repr((position, verdicts))


class Painted:
    """In place of the painter: the words as they are."""

    def png_and_pdf(self, svg: str, width: int) -> tuple[bytes, bytes]:
        return svg.encode(), svg.encode()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
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
            visitor = Actor.visitor()
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
    assert units(games.position(office, Actor.visitor(), key)) == {}
    record = games.game(office, player, key)
    assert {s.power: (s.units, s.centers) for s in record.seats}["Turkey"] == (0, 0)
    assert {s.power: s.sent for s in record.seats if s.sent is not None}.keys() == {NEAR}
    assert units(record.position) == seen
    told = games.result(office, player, key)
    assert {sheet.power for sheet in told.sheets} == {NEAR}
    assert {v["power"] for v in told.verdicts} >= {NEAR} and "Turkey" not in told.report
    assert {sheet.power for sheet in games.result(office, world.host, key).sheets} == set(world.rules.powers)
    assert not games.result(office, Actor.visitor(), key).verdicts
    assert {s["power"] for s in proofs.published(office, player, key)["sheets"]} == {NEAR}
    assert all(proof.holds for proof in proofs.verify(office, player, key))
    lines = journal.entries(office, player, key, limit=1000)
    assert {e.power for e in lines if e.kind == "submitted"} == {NEAR}
    (results,) = (e for e in lines if e.kind == "final results")
    assert results.facts["orders"].keys() == {NEAR}
    with pytest.raises(OfficeError, match="when it has ended"):
        exports.saved_game(office, player, key)
    assert len(exports.saved_game(office, world.host, key)["turns"]) == 1
    games.cancel(office, world.host, key, "an end")
    for actor in (player, Actor.visitor()):
        assert units(games.position(office, actor, key)) == whole
        assert {sheet.power for sheet in games.result(office, actor, key).sheets} == set(world.rules.powers)
        assert exports.saved_game(office, actor, key) == exports.saved_game(office, world.host, key)
        assert {e.power for e in journal.entries(office, actor, key, limit=1000, kinds=("submitted",))} == set(
            world.rules.powers
        )


def test_a_sheet_is_checked_by_what_its_power_sees(world: World) -> None:
    """The check, the receipt and the judge read a sheet alike: what stands in the fog helps nobody to write."""
    office, player = world.office, world.players[NEAR]
    text = "F lon - nth\nF edi - nwg\nA lvp S A ven - tri"
    checked = submissions.check(office, player, world.key, NEAR, text)
    receipt = submissions.submit(office, player, world.key, NEAR, text)
    assert receipt.checked is not None and receipt.checked.lines == checked.lines
    assert [line.problem for line in checked.lines][2] is not None
    world.clock.advance(timedelta(days=8))
    work.run_due(office)
    judged = {v["order"]: v["outcome"] for v in games.result(office, player, world.key).verdicts if v["power"] == NEAR}
    assert judged["A lvp S A ven - tri"] == "illegal" and judged["F lon - nth"] == "succeeds"


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
        assert drawn[power] == by_host[power] == world.rules.seen(world.position(), power)


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
    with pytest.raises(OfficeError, match="nowhere"):
        open_office(tmp_path / "a", Settings(variants="nowhere"))
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
    world.clock.advance(timedelta(days=8))
    work.run_due(world.office)
    told = games.result(world.office, player, key, 1)
    assert [sheet.orders for sheet in told.sheets] == [("F lon converts to A",)]
    world.office.close()
    write_foggy(tmp_path / "fog")
    office = open_office(tmp_path / "office", world.office.settings, world.clock)
    assert games.result(office, player, key, 1) == told and games.game(office, player, key).state == "running"
    with office.store.transaction() as tx:
        (row,) = tx.all(GameRow, key=key)
        tx.change(row, kept="")  # as of a game that was begun before rules were kept
    judged = "Movement was judged by other rules than the current ones, so what {} saw of it can't be determined"
    opened = "opened under other rules than the current ones, so what {} can see of it can't be determined"
    for reader, whom in ((player, NEAR), (Actor.visitor(), "you")):
        with pytest.raises(ConflictError, match=judged.format(whom)):
            games.result(office, reader, key, 1)
        for look in (games.game, games.position):
            with pytest.raises(ConflictError, match=opened.format(whom)):
                look(office, reader, key)
    assert games.game(office, Actor.console(), key).state == "running"
    whole = games.result(office, Actor.console(), key, 1)
    assert {sheet.power: sheet.orders for sheet in whole.sheets}[NEAR] == ("F lon converts to A",)
    office.close()


def test_how_many_are_waited_for_is_not_told_in_the_fog(tmp_path: Path, fog: Path) -> None:
    world = World(tmp_path, fog, "a", coordinated=True, missing="wait")
    submissions.submit(world.office, world.players[NEAR], world.key, NEAR, "F lon H")
    world.clock.advance(timedelta(days=8))
    work.run_due(world.office)

    def told(reader: Actor) -> list[tuple[str, dict[str, Any]]]:
        lines = journal.entries(world.office, reader, world.key, kinds=("waiting",))
        return [(line.text, line.facts) for line in lines]

    words = "The game waits for orders."
    assert told(world.host) == [(words, {"seats": 6})]
    assert told(world.players[NEAR]) == told(Actor.visitor()) == [(words, {})]
    world.office.close()


@pytest.mark.parametrize("missing", ["disorder", "replace"])
def test_that_somebody_had_something_to_order_in_the_fog_is_told_by_no_turn_they_missed(
    tmp_path: Path, fog: Path, missing: str
) -> None:
    """Who has a build due has taken a center; who has a retreat due was dislodged."""
    world = World(tmp_path, fog, "a", powers=2, missing=missing, missing_after=1)
    office, key, (one, other) = world.office, world.key, ("England", "Austria")
    for orders in ("F lon - nth", "F nth - nwy", ""):
        for power, text in ((one, orders), (other, "A vie H")) if orders else ():
            submissions.submit(office, world.players[power], key, power, text)
        world.clock.advance(timedelta(days=2))
        work.run_due(office)
    turn = games.game(office, world.players[one], key).turn
    assert turn is not None and turn.name == "Spring 1902 Movement", "England's build was missed"

    def told(reader: Actor) -> set[str]:
        lines = {line.kind for line in journal.entries(office, reader, key, limit=1000)}
        (seat,) = [seat for seat in games.game(office, reader, key).seats if seat.power == one]
        mails = {m.kind for m in mailings.claim(office, limit=500) if m.person != world.players[one].person}
        return (lines | mails | {seat.state}) & {"civil disorder", "replacement wanted", "vote"}

    assert told(world.players[other]) == told(Actor.visitor()) == set()
    submissions.submit(office, world.players[other], key, other, "A vie H")
    world.clock.advance(timedelta(days=2))
    work.run_due(office)
    assert told(world.players[other]) == ({"civil disorder"} if missing == "disorder" else set())
    office.close()


def test_a_sheet_is_read_by_what_its_power_sees(tmp_path: Path, fog: Path) -> None:
    """Own units are known, and of what others have far away no more than that nobody is seen there."""
    world = World(tmp_path, fog, "a")
    text = "A lvp - yor\nF lon - nth\nF edi S A gal - nth\nF edi S A vie - nth"
    told = submissions.check(world.office, world.players[NEAR], world.key, NEAR, text)
    messages = [(line.problem, line.message) for line in told.lines]
    empty, unit = (("illegal", f"there is no unit in {place}") for place in ("gal", "vie"))  # there is one in Vienna
    assert messages == [(None, ""), (None, ""), empty, unit] and told.missing == ("F edi",)
    assert (told.game, told.power, told.turn) == (world.key, NEAR, "Spring 1901 Movement")
    world.office.close()


def test_a_player_in_the_fog_is_told_of_no_center_that_changed_hands(world: World) -> None:
    """Who only sees a part would read of powers that took nothing, or are gone, where they are out of sight."""
    for _ in range(5):
        world.play()
    console = Actor.console()
    whole, seen = (
        [line for number in range(1, 6) for line in games.result(world.office, actor, world.key, number).news]
        for actor in (console, world.players[NEAR])
    )
    assert any(" takes " in line for line in whole)
    assert [line for line in seen if " takes " in line or "eliminated" in line] == []
