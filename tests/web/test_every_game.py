"""Every page, file and button of a game, as everybody, in every kind of game and after every kind of event: what cannot
be done is refused, and nothing fails (no answer is 500).

A story plays a game and stops at each stage of it; there it is walked. Routes are those of the site that is served, so
that a new one is walked by itself. The first stage of two kinds of game is walked at once, the rest is `long`."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import product
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from legation.bots.chance import plausible_sheets
from legation.cli.serving import whole_site
from legation.notation import write
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk, letters, readings
from legation.office.game import processing, seats
from legation.office.hosting import games, rematches, votes
from legation.office.identity import people
from legation.office.office import Office
from legation.office.orders import submissions
from legation.rehearsal.serving import PLAYERS
from legation.variants import USUAL
from legation.web.play.shown_game import TABS
from tests.office.playing import begin, passes, person, picture, position_of, unmatched_mail
from tests.office.test_hidden_senders import foggy_office  # noqa: F401
from tests.service.test_every_route import ENDS, STREAMS, routes_of
from tests.web.clients import client_of, unbound
from tests.web.forms import forms_of
from tests.web.snapshot import Snapshot
from tests.web.test_desk import postal

ABOUT = ("/", "/me", "/desk", "/games", "/games/new", "/api/v1/me", "/api/v1/games", "/api/v1/desk")
"""Pages that tell of games without being one's."""
DRAWN = re.compile(r"\.(png|pdf)$|^/feeds/|^/api/")
"""What takes long to make, or is proved elsewhere too: on the long walks only."""


class Game:
    """A game, who has to do with it, and what happens in it."""

    def __init__(self, office: Office, clock: SimulatedClock) -> None:
        self.office, self.clock = office, clock
        self.key = ""
        self.players: dict[str, Actor] = {}
        self.folk: dict[str, Actor | None] = {"visitor": None, "stranger": person(office, "Stranger")}
        administrator = self.folk["administrator"] = person(office, "Administrator")
        people.make_administrator(office, Actor.console(), administrator.person or 0)

    def begin(self, variant: str = "hundred", **settings: Any) -> None:
        """A game in which all powers are played, two of them by those who look at it."""
        self.take(*begin(self.office, variant, **{"ready_ends": False, **settings}))

    def take(self, record: Any, players: dict[str, Actor], host: Actor) -> None:
        self.key, self.players = record.key, players
        player, other, *_ = players.values()
        self.folk |= {"player": player, "other player": other, "coordinator": host}

    def sheets(self, seed: object = "", leave_out: int = 0) -> None:
        """Everybody sends orders, but for the last so many."""
        record = games.game(self.office, Actor.console(), self.key)
        rules, position = self.office.variants.load(record.variant, record.options), position_of(self.office, record)
        for power in list(self.players)[: len(self.players) - leave_out]:
            drawn = plausible_sheets(rules, rules.seen(position, power), Random(f"{position.turn}{seed}"), [power])
            text = "\n".join(write(order) for sheet in drawn for order in sheet.orders) or "# nothing"
            self.send(power, text)

    def send(self, power: str, text: str) -> None:
        submissions.submit(self.office, self.players[power].by("api"), self.key, power, text)

    def wait(self, **length: float) -> None:
        passes(self.office, self.clock, timedelta(**length or {"days": 8}))

    def judge(self, seed: object = "", leave_out: int = 0) -> None:
        """Orders are sent, and the deadline passes."""
        self.sheets(seed, leave_out)
        self.wait()

    @property
    def boss(self) -> Actor:
        """Its coordinator, or host."""
        return self.folk["coordinator"] or Actor.console()

    @property
    def phase(self) -> str:
        record = games.game(self.office, Actor.console(), self.key)
        return record.turn.name.rpartition(" ")[2] if record.turn else ""


Story = Callable[[Game], Iterator[str]]
DISLODGED = {
    "France": "A par H\nA dau - can",
    "England": "A nmd - par\nA cal S A nmd - par",
    "Burgundy": "A dij S A nmd - par",
}
"""Orders of a first turn after which France has to retreat."""


def gathering(game: Game) -> Iterator[str]:
    host = person(game.office, "Host")
    record = games.create(game.office, host, {"name": "Agincourt", "variant": "hundred"})
    game.key, game.folk["coordinator"] = record.key, host
    yield "announced"
    ann = game.folk["player"] = person(game.office, "Ann")
    seats.sign_up(game.office, ann, game.key, ["France"])
    game.folk["other player"] = person(game.office, "Bob")
    games.invite(game.office, host, game.key, "bob@example.org", "England")
    yield "with a player and a guest"


def cancelled_before_it_begins(game: Game) -> Iterator[str]:
    list(gathering(game))
    games.cancel(game.office, Actor.console(), game.key, "nobody came")
    yield "cancelled"


def hosted(game: Game, **settings: Any) -> Iterator[str]:
    """A game that runs itself, from its first turn to a draw, with what may befall it."""
    listed = settings.pop("listed", True)
    game.begin(**settings)
    (first, second, third), office = game.players, game.office
    if not listed:
        games.set_settings(office, game.boss, game.key, {"listed": False})
    yield "begun"
    game.sheets(leave_out=1)
    letters.write(office, game.players[second], game.key, second, [first], "Shall we?")
    letters.write(office, game.players[second], game.key, second, ["all"], "Peace to all.")
    yield "sent"
    for power, text in DISLODGED.items():
        game.send(power, text)
    game.wait()
    yield "retreats"
    game.judge()
    yield "after retreats"
    votes.vote(office, game.players[first], game.key, first, "pause", reason="A wedding.")
    yield "a vote"
    votes.vote(office, game.players[second], game.key, second, "pause")
    if games.game(office, Actor.console(), game.key).state != "paused":  # a coordinator decides
        games.pause(office, Actor.clock(), game.key, "a wedding")
    yield "paused"
    games.resume(office, Actor.clock(), game.key)
    while game.phase != "Adjustments":
        game.judge()
    yield "adjustments"
    game.judge(leave_out=1)
    seats.resign(office, game.players[third], game.key, third, "ill")
    yield "a seat is free"
    game.players[third] = person(office, "Newcomer")
    invited = games.invite(office, game.boss, game.key, "", third)
    seats.take_over(office, game.players[third], game.key, third, invited.secret)
    yield "taken over"
    while game.phase != "Movement":
        game.judge()
    for power in game.players:
        game.send(power, "draw")
    game.wait()
    assert games.game(office, Actor.console(), game.key).state == "ended"
    yield "over"
    rematches.offer(office, game.boss, game.key)
    yield "a rematch"


def anonymous(game: Game) -> Iterator[str]:
    return hosted(game, anonymous=True, press=("private", "public", "anonymous"))


def private(game: Game) -> Iterator[str]:
    return hosted(game, listed=False, coordinated=True, votes="majority")


def cancelled(game: Game) -> Iterator[str]:
    game.begin()
    game.judge()
    games.cancel(game.office, Actor.console(), game.key, "no time")
    yield "cancelled"


def in_the_fog(game: Game) -> Iterator[str]:
    """Orders of other powers are seen, while their sheets are not."""
    game.begin("foggy")
    game.judge()
    yield "judged"
    for turn in range(4):
        game.judge(leave_out=turn % 3)
        yield f"turn {turn}"


def coordinated(game: Game) -> Iterator[str]:
    """A game with a coordinator, whose desk fills and is cleared: drafts, corrections, drafts taken back, the end of a
    season."""
    game.take(*postal(game.office, opening_by_post=False))
    office, key = game.office, game.key
    boss = game.boss
    for power in ("England", "Burgundy"):
        photographs = [("sheet.jpg", picture(), "image/jpeg")]
        submissions.submit_pictures(office, game.players[power], key, power, photographs)
    for text in (DISLODGED["France"], "v2 replaces v1 only if it rains\nA par - orl"):
        game.send("France", text)
    unmatched_mail(office, game=key, power="France")
    yield "sent"
    game.wait(days=15)
    yield "the desk is full"
    for item in desk.items(office, boss, key):
        if item.kind == "transcribe":
            readings.transcribe(office, boss, item.id, DISLODGED[item.power])
        elif item.kind == "choose":
            readings.choose(office, boss, item.id, item.submissions[0], "it did not rain")
    game.wait(hours=1)
    yield "transcribed"
    processing.publish_draft(office, boss, key)
    yield "drafts are out"
    readings.correct(office, boss, key, "England", "1", DISLODGED["England"] + "\n# as it is", "a second look")
    yield "corrected"
    processing.publish_draft(office, boss, key)
    processing.take_back_draft(office, boss, key, "one more look")
    yield "taken back"
    processing.publish_draft(office, boss, key)
    game.judge()
    yield "retreats are judged"
    processing.publish_draft(office, boss, key)
    yield "the season is over"
    game.wait(days=30)
    yield "late"


def of_variant(variant: str, game: Game) -> Iterator[str]:
    """Some turns of a variant, each of its phases before and after it is judged."""
    game.begin(variant)
    seen = set()
    for turn in range(12):
        phase = game.phase
        if phase not in seen:
            game.sheets(turn, leave_out=1)
            yield f"{phase}, sent"
        game.judge(turn, leave_out=1)
        if phase not in seen:
            yield f"{phase}, judged"
        seen.add(phase)


def pressed(html: str, page: str) -> list[tuple[str, dict[str, list[str]]]]:
    """What is sent, and where, by each button of a page that is about a game."""
    found = []
    for form in forms_of(html, page):
        for name, value, _, elsewhere in form.buttons:
            there = elsewhere or form.action
            if form.method == "post" and there not in ENDS and there.startswith(("/games/", "/desk/")):
                filled = {field: given if any(given) else ["x"] for field, given in form.fields.items()}
                found += [(there, {**data, **({name: [value]} if name else {})}) for data in (form.fields, filled)]
    return found


class Walk:
    """Visits of everybody to everything that a site says of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.app: Any = whole_site(game.office)
        routes = [(method, path) for method, path in routes_of(self.app) if "{game}" in path and path not in STREAMS]
        asked = [path for method, path in routes if method == "GET"]
        self.paths = [path for path in asked if not DRAWN.search(path)]
        self.drawn = [path for path in asked if DRAWN.search(path)]
        self.posts = [path for method, path in routes if method == "POST" and not path.startswith("/api/")]
        self.failed: list[str] = []
        self.visited = 0

    def look(self, stage: str, *, but: tuple[str, ...] = (), folder: Path | None = None) -> None:
        """Visit all pages as everybody ``but`` some.

        With the ``folder`` of the office, everybody also presses every button of what they see, with its fields as they
        are and filled, and sends nothing to every address that takes something; each time all is as it was before. The
        desk is refused to all but the coordinator at the first stage; no later one changes that."""
        paths, posts, is_first = self.addresses(self.paths), self.addresses(self.posts), not self.visited
        sites = self.sites(but)
        before = Snapshot(folder) if folder else None  # with the sessions in it
        for role, site in sites.items():
            left_out = "/desk/" if not is_first and role != "coordinator" else "none"
            given: list[tuple[str, dict[str, list[str]]]] = [(p, {}) for p in posts if not p.startswith(left_out)]
            for path in (path for path in paths if not path.startswith(left_out)):
                shown = self.ask(f"{stage}, {role}: {path}", site, "GET", path)
                if before and shown.status_code == 200 and "html" in shown.headers["content-type"]:
                    given += pressed(shown.text, path)
            for number, (path, data) in enumerate(given):
                if before and (path, data) not in given[:number]:
                    self.ask(f"{stage}, {role}: POST {path} {data}", site, "POST", path, data)
                    self.undo(before)

    def undo(self, before: Snapshot) -> None:
        """Restore the office from a snapshot, if anything was written since."""
        if before.again() != before:
            self.game.office.store.engine.dispose()
            before.restore()
            before.marks = before.marks_now()

    def look_at_the_rest(self) -> None:
        """Visit pictures, papers, feeds and calls of the API, and the pages that list games, as everybody."""
        paths = (*ABOUT, *self.addresses(self.drawn))
        for role, site in self.sites().items():
            for path in paths:
                self.ask(f"at last, {role}: {path}", site, "GET", path)

    def sites(self, but: tuple[str, ...] = ()) -> dict[str, TestClient]:
        """A client for everybody ``but`` some, by role, with a session and a token of theirs."""
        folk = {role: who for role, who in self.game.folk.items() if role not in but}
        return {role: client_of(self.app, self.game.office, who, program=True) for role, who in folk.items()}

    def ask(self, what: str, site: TestClient, method: str, path: str, data: Any = None) -> Any:
        """Ask for a page, or send something. Nothing may fail, and nobody who has signed in is signed out."""
        answer = site.request(method, path, data=data)
        self.visited += 1
        if answer.status_code >= 500 or (answer.status_code == 401 and site.cookies):
            self.failed.append(f"{what}: {answer.status_code}")
        return answer

    def values(self) -> dict[str, list[Any]]:
        """What may stand in the braces of a path."""
        game, office, key = self.game, self.game.office, self.game.key
        begun = games.game(office, Actor.console(), key).turn is not None
        turns = [turn.key for turn in games.turns(office, Actor.console(), key)] if begun else []
        items = [item.id for item in desk.items(office, Actor.console(), key)]
        powers = list(game.players)[:2]
        sent = [
            row.id
            for power in powers
            for row in (submissions.mine(office, game.players[power], key, power) if begun else ())
        ]
        return {
            "game": [key],
            "turn": [*turns[-2:], "now"],
            "tab": [*TABS, *turns[-2:]],
            "power": powers or ["France"],
            "item": [*items, 1],
            "id": [*items, 1],
            "number": [*sent[-2:], 1],
            "submission": [*sent[-2:], 1],
            "theme": ["light"],
        }

    def addresses(self, paths: list[str]) -> list[str]:
        """Paths with everything in their braces that may stand there."""
        values = self.values()
        found = []
        for path in paths:
            names = re.findall(r"\{(\w+)", path)
            for chosen in product(*(values.get(name, ["1"]) for name in names)):
                given = iter(chosen)
                found.append(re.sub(r"\{[^}]+\}", lambda _: quote(str(next(given))), path))  # noqa: B023
        return list(dict.fromkeys(found))

    def done(self) -> None:
        assert self.visited and not self.failed, "\n".join(self.failed)


@pytest.fixture
def game(
    make_office: Callable[..., Office], clock: SimulatedClock, fog: Path, monkeypatch: pytest.MonkeyPatch, calls: None
) -> Game:
    """An office in which anybody may ask for as much as they like: there is more than anybody may in a minute. What a
    rehearsal plays is tried elsewhere: its process would read the office while that is put back."""
    unbound(monkeypatch)
    monkeypatch.setattr(PLAYERS, "call", lambda *_: True)
    return Game(make_office(variants=str(fog), most_games=500, web={"warm": False, "bounded": False}), clock)


STORIES: tuple[Story, ...] = (
    gathering, cancelled_before_it_begins, hosted, anonymous, private, cancelled, in_the_fog, coordinated,
)  # fmt: skip


@pytest.mark.parametrize("story", [gathering, in_the_fog], ids=lambda story: story.__name__)
def test_the_first_stage_of_a_game_is_shown(game: Game, story: Story) -> None:
    walk = Walk(game)
    walk.look(next(story(game)), but=("stranger", "administrator"))
    walk.done()


@pytest.mark.long
@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.__name__)
def test_every_page_and_button_is_tried_by_everybody_at_every_stage(game: Game, story: Story, tmp_path: Path) -> None:
    walk = Walk(game)
    for stage in story(game):
        walk.look(stage, folder=tmp_path / "office")
    walk.look_at_the_rest()
    walk.done()


@pytest.mark.long
@pytest.mark.parametrize("variant", USUAL.names())
def test_every_phase_of_every_variant_is_shown_to_everybody(game: Game, variant: str) -> None:
    walk = Walk(game)
    for stage in of_variant(variant, game):
        walk.look(stage, but=("stranger", "administrator"))
    walk.done()
