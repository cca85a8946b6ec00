"""Each kind of stored thing is broken in turn (rows, a turn's document, a variant, files, templates): its own page says
so, and all other pages, mails and jobs go on."""

import contextlib
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import cast

import jinja2
import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

import legation
from legation.atlas.painting import PAINTER
from legation.cli.serving import whole_site
from legation.languages import ENGLISH
from legation.mail.mail_service import MailService
from legation.office.clock import SeededRandomSource, SimulatedClock, micros
from legation.office.context import Actor
from legation.office.desk import bridges, letters
from legation.office.desk.pushes import Push
from legation.office.hosting import absences, catalog, games, leagues, moderation, roster, tournaments
from legation.office.identity import browsers, people, traces
from legation.office.identity.browsers import Subscription
from legation.office.office import Office, open_office, read_variants
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.pinned_rules import CatalogReader
from legation.office.records import GameRecord
from legation.office.settings import Settings
from legation.office.store.packing import pack
from legation.office.store.rows import (
    AnswerRow,
    BoardRow,
    BoardSeatRow,
    GameRow,
    InvitationRow,
    LetterRow,
    OpeningRow,
    PostbagRow,
    PressRow,
    PrivateRow,
    RatedGameRow,
    RatedPlayerRow,
    RatingRow,
    RecordNameRow,
    RecordPlayerRow,
    SeatRow,
    SharedRow,
    SignUpRow,
    TurnRow,
    metadata,
)
from legation.print import typesetting
from legation.proofs.signing import public_key
from legation.push import PushSender, send_waiting
from legation.scoring import Outcome
from legation.variants import ListedVariants
from legation.web.serving.pages import templates
from tests.mail.conftest import Outbox
from tests.office.fixtures import START
from tests.office.playing import CONSOLE, begin, passes, picture, row_with, send_all, unmatched_mail
from tests.office.test_catalog import checked
from tests.office.test_pushes import Device
from tests.web.clients import unbound
from tests.web.snapshot import Snapshot

GARBAGE = b"\x78\x9c garbage"
BROKEN_BY_TABLE: dict[str, dict[str, object]] = {
    "games": {"settings": GARBAGE, "options": GARBAGE, "ending": GARBAGE, "variant": "gone"},
    "turns": {"position": GARBAGE, "sheets": GARBAGE, "result": GARBAGE, "awaited": "No Such"},
    "submissions": {"sealed": GARBAGE, "own": GARBAGE, "commitment": "x"},
    "letters": {"locked": GARBAGE, "proposal": GARBAGE},
    "bridges": {"content": GARBAGE, "tells": "", "kind": "of no kind"},
    "reports": {"content": GARBAGE, "decision": "of no kind"},
    "person_notes": {"text": "", "at": 2**62},
    "blocks": {"at": 2**62},
    "record_players": {"name": "", "key": ""},
    "record_names": {"key": "", "confirmed": 2**62},
    "openings": {"orders": "A nowhere H", "turn": "x", "games": 0},
    "press": {"text": ""},
    "traces": {"day": "x", "kind": "x"},
    "journal": {"facts": GARBAGE, "kind": "of no kind"},
    "mailings": {"facts": GARBAGE, "kind": "of no kind"},
    "work": {"facts": GARBAGE, "kind": "of no kind"},
    "desk": {"facts": GARBAGE, "kind": "of no kind"},
    "credentials": {"facts": GARBAGE},
    "seats": {"state": "of no kind"},
    "people": {"preferences": [GARBAGE, b'{"quiet":5}', b'{"zone":7,"form":[]}']},
    "addresses": {"first": "x", "lines": ""},
    "absences": {"first": "x"},
    "browsers": {"content": [GARBAGE, b""], "session": 10**9},
    "catalog": {"facts": GARBAGE, "address": GARBAGE, "package": GARBAGE, "state": "of no kind"},
    "catalog_packages": {"content": GARBAGE, "rules": GARBAGE, "digest": "gone"},
    "ratings": {"stars": -7, "variant": ["gone\n", ""]},
    "kept_rules": {"content": GARBAGE, "address": "gone"},
    "holdings": {"bot": "of no kind", "ref": "", "since": 2**62},
    "sign_ups": {"preferences": GARBAGE, "at": 2**62},
    "invitations": {"email": "x", "power": "Nowhere", "expires": 2**62},
    "files": {"stored": "gone", "media_type": "x\ny", "size": -1},
    "postbag": {"stored": "gone", "media_type": "x\ny", "size": -1},
    "readiness": {"version": 99, "signature": "x"},
    "records": {"opening": GARBAGE, "sealed": GARBAGE, "reading": GARBAGE, "turn_name": "of no turn"},
    "lines": {"content": GARBAGE, "hash": "x", "signature": "x", "kind": "of no kind"},
    "private_lines": {"content": GARBAGE, "kind": "of no kind"},
    "answers": {"answer": GARBAGE, "command": "of no kind"},
    "letter_copies": {"read": 2**62},
    "mutes": {"muted": "Nowhere"},
    "arrivals": {"stored": "gone", "state": "of no kind", "at": 2**62},
    "rated_players": {"mu": 2**62, "player": "nobody", "family": "gone"},
    "rated_games": {"mu": 2**62, "at": 2**62},
    "tournaments": {"plan": GARBAGE, "state": "of no kind", "league": None},
    "boards": {"outcome": [GARBAGE, b"[]"], "state": "of no kind"},
    "board_seats": {"left": 99, "entrant": None},
    "entrants": {"state": "of no kind", "at": 2**62},
    "leagues": {"moves": 2**62},
    "shared": {"content": GARBAGE, "kind": "of no kind", "until": 0},
}
"""What each column may hold instead of what it should; a list has several such values."""
BROKEN: list[tuple[str, str, object]] = [
    (table, column, value)
    for table, columns in BROKEN_BY_TABLE.items()
    for column, broken in columns.items()
    for value in (broken if isinstance(broken, list) else [broken])
]

ASIDE = (
    "absences", "addresses", "answers", "arrivals", "blocks", "board_seats", "boards", "bridges", "browsers",
    "credentials", "entrants", "files", "holdings", "invitations", "leagues", "letter_copies", "mutes",
    "openings", "person_notes", "postbag", "press", "private_lines", "rated_games", "rated_players", "ratings",
    "readiness", "record_names", "record_players", "reports", "shared", "sign_ups", "traces",
)  # fmt: skip
"""Tables through which nothing else is reached: what is broken in one hides nothing of another."""
TOGETHER = 3
"""So many of these, or of the templates, are broken in one walk."""

OF_VARIANTS = ("catalog", "catalog_packages", "kept_rules")
"""Tables that a process reads into its registry of variants."""

PAGES = {
    "welcome.html": ("/",),
    "games/list.html": ("/games",),
    "lessons/index.html": ("/lessons",),
    "me/me.html": ("/me",),
    "moderation/blocks.html": ("/me/blocks",),
    "desk/desk.html": ("/desk",),
    "games/sheet.html": ("/games/{game}",),
    "games/results.html": ("/games/{game}/results", "/games/{game}/1425-movement"),
    "games/letters.html": ("/games/{game}/letters",),
    "games/proofs.html": ("/games/{game}/proofs",),
    "games/powers.html": ("/games/{game}/powers",),
    "desk/game.html": ("/desk/{game}",),
    "desk/settle.html": ("/desk/{game}/{item}",),
    "designer/upload.html": ("/designer",),
    "people/leaderboard.html": ("/leaderboard",),
    "proposals/list.html": ("/proposals",),
    "rules/index.html": ("/rules",),
    "rules/verdicts.html": ("/rules/verdicts",),
    "sandbox/start.html": ("/sandbox/start",),
    "session/sign_in.html": ("/sign-in",),
    "table/start.html": ("/table",),
    "tournaments/list.html": ("/tournaments",),
    "variants/gallery.html": ("/variants",),
    "variants/variant.html": ("/variants/{variant}",),
    "offline.html": ("/offline",),
}
"""Templates of pages that are walked, one or more of each folder, with the pages each is for; ``{game}`` is any."""

PAPERS = {
    "packet.typ": ("packet", "packets"),
    "order-sheet.typ": ("packet", "packets"),
    "lending.typ": (),  # neither game has a rule for it
    "letter.typ": ("letters",),
    "orders.typ": ("orders",),
    "envelopes.typ": ("envelope", "envelopes"),
    "labels.typ": ("labels",),
    "roster.typ": ("roster",),
    "cards.typ": ("cards",),
    "tournament.typ": (),
}
"""Templates of papers, with the papers that each is for."""

VISITED = (
    "/sign-in", "/lessons", "/rules", "/rules/verdicts", "/table", "/designer", "/leaderboard", "/tournaments",
    "/sandbox/start",
)  # fmt: skip
"""Pages that a visitor asks for."""

OWN_VARIANT = Path(games.__file__).parents[2].joinpath("variants/data/hundred.toml").read_text("utf-8")
OWN_VARIANT = OWN_VARIANT.replace('name = "hundred"\n', "")
"""A file of the office's own folder of variants."""


class Pushes:
    """A push service that takes each notification."""

    def __init__(self) -> None:
        self.sent: list[Push] = []

    def send(self, push: Push, to: Subscription) -> str:
        self.sent.append(push)
        return "reached"


class World:
    """Two games; the first is the one whose things are broken. The second has people of its own."""

    def __init__(self, office: Office, clock: SimulatedClock, folder: Path) -> None:
        self.office, self.clock = office, clock
        self.broken, self.players, self.host = begin(office, "athome", "Broken", coordinated=True)
        self.other, self.others, self.other_host = begin(office, "hundred", "Other", folk="Other", coordinated=True)
        for number, (game, players) in enumerate(((self.broken, self.players), (self.other, self.others))):
            letters.write(office, players["France"], game.key, "France", ["England"], "Shall we?", orders="A par H")
            send_all(office, game, players, number)
            self._and_more(game, players, number)
        catalog.add(office, CONSOLE, checked())
        roster.add_address(office, self.players["France"], ["7 Lane"], "France", primary=True)
        absences.announce(office, self.players["France"], "2026-05-01", "2026-05-03")
        self._rate(self.players["France"])
        self._hold_tournament()
        passes(office, clock, timedelta(days=1))
        sheet = [("sheet.jpg", picture(), "image/jpeg")]
        submissions.submit_pictures(office, self.players["France"], self.broken.key, "France", sheet)
        self.item = unmatched_mail(office, game=self.broken.key, power="France")
        self.folder = folder
        self.site = whole_site(office)
        self.people = (*self.players.values(), *self.others.values(), self.host, self.other_host)
        self.clients = {actor.person: self.client(actor) for actor in self.people}
        self.visitor = TestClient(self.site, raise_server_exceptions=False, follow_redirects=True)
        self.emails = {people.me(office, actor).email for actor in self.others.values()}
        office.store.engine.dispose()
        self.whole = Snapshot(folder), clock.now(), office.variants

    def _hold_tournament(self) -> None:
        """A tournament whose only board was the first game, and a league."""
        tournaments.create(self.office, self.host, {"name": "Weekend", "variant": "hundred"})
        for player in self.players.values():
            tournaments.enter(self.office, player, "weekend")
        leagues.create(self.office, self.host, "Club")
        outcome = pack(Outcome({"France": 9, "England": 5, "Burgundy": 3}, 17))
        with self.office.store.transaction() as tx:
            game = tx.get(GameRow, 1)
            board = tx.add(BoardRow(tournament=1, round=1, number=1, state="over", game=game.id, outcome=outcome))
            for number, power in enumerate(self.players, 1):
                tx.add(BoardSeatRow(board=board.id, power=power, entrant=number))

    def _rate(self, player: Actor) -> None:
        """Give somebody in the first game a rating, as if that had been a rated one."""
        with self.office.store.transaction() as tx:
            game = tx.get(GameRow, 1)
            kept = {"mu": 25_000_000, "sigma": 8_000_000, "at": 0}
            of = {"family": "hundred", "player": f"person {player.person}", "person": player.person, "last": game.id}
            rated = tx.add(row_with(RatedPlayerRow, **of, games=1, least=1_000_000, shown=True, **kept))
            tx.enter(RatedGameRow(game=game.id, rated=rated.id, **kept))

    def _and_more(self, game: GameRecord, players: dict[str, Actor], number: int) -> None:
        """What a season of a game leaves of other kinds."""
        office, france = self.office, players["France"]
        letters.mute(office, france, game.key, "France", "England")
        bridges.add_own(office, france, "https://hooks.example.org/x")
        bridges.add(office, CONSOLE, game.key, "https://hooks.example.org/game")
        moderation.report(office, france, "Abuse.", game.key, power="England")
        england = office.numbers.shown("person", players["England"].person or 0)
        moderation.block(office, france, england)
        moderation.note(office, CONSOLE, england, "A note.")
        for player in ("France", "England"):
            traces.note(office, Actor.clock(), players[player].person or 0, "192.0.2.0/24", "Firefox")
        browsers.subscribe(office, france, **Device(f"browser{number}").subscription, label="Firefox")
        submissions.ready(office, france, game.key, "France")
        submissions.set_key(office, players["England"], game.key, "England", public_key(bytes(range(32))))
        with office.store.transaction() as tx:  # of what takes long to come about
            at, person = micros(office.clock.now()), france.person or 0
            row = tx.find(GameRow, key=game.key)
            assert row is not None
            tx.add(RatingRow(person=person, variant="hundred", stars=4, at=at))
            seat, letter = tx.all(SeatRow, game=row.id)[0], tx.all(LetterRow, game=row.id)[0]
            tx.add(RecordPlayerRow(game=row.id, seat=seat.id, name="Anna", key=f"anna {number}"))
            tx.add(RecordNameRow(key=f"anna {number}", name="Anna", person=person, at=at))
            tx.add(PressRow(letter=letter.id, game=row.id, text="An otter."))
            opening = {"variant": "hundred", "power": "France", "turn": "1425 Movement", "orders": "A par H"}
            tx.add(row_with(OpeningRow, **opening, line=f"line {number}", games=1, won=1))
            guest, until = "guest@example.org", at + 10**12
            tx.add(
                InvitationRow(game=row.id, digest=guest + str(number), email=guest, power="", made=at, expires=until)
            )
            if tx.find(SignUpRow, game=row.id, person=person) is None:
                tx.add(SignUpRow(game=row.id, person=person, preferences=pack(["France"]), at=at))
            tx.add(PrivateRow(game=row.id, n=1, place=0, kind="reading", content=b"{}", salt="x"))
            turn = tx.find(TurnRow, game=row.id, number=1)
            assert turn is not None
            page = {"digest": "x", "name": "page 1", "media_type": "image/png", "size": 1, "why": "no code"}
            tx.add(row_with(PostbagRow, game=row.id, turn=turn.id, stored=f"page {number}", **page))
            name = f"shared {number}"
            tx.add(SharedRow(kind="sandbox", name=name, until=at + 10**12, number=1, content=b"x"))
            actor = f"person {person}"
            tx.add(AnswerRow(actor=actor, name="k", command="games.pause", asked="", answer=b"", at=at))

    def client(self, actor: Actor) -> TestClient:
        client = TestClient(self.site, raise_server_exceptions=False, follow_redirects=True)
        secret = people.start_session(self.office, Actor.clock(), actor.person or 0, "walk", 1).secret
        client.cookies.set("session", secret)
        client.headers["authorization"] = f"Bearer {secret}"
        return client

    def mend(self) -> None:
        """Have everything be as it was."""
        self.office.store.engine.dispose()
        snapshot, now, self.office.variants = self.whole
        snapshot.restore()
        self.clock.set(now)

    def walk(self) -> Iterator[tuple[str, bool, int]]:
        """Ask for every page as who it is for: the address, whether it is of what is broken, and the status."""
        for address in VISITED:
            yield address, False, self.visitor.get(address).status_code
        for broken, game, player, host in (
            (False, self.other, self.others["France"], self.other_host),
            (True, self.broken, self.players["France"], self.host),
        ):
            for actor, addresses in ((player, _player_pages(game)), (host, self._desk_pages(game, broken))):
                for address in addresses:
                    yield address, broken, self.clients[actor.person].get(address).status_code

    def _desk_pages(self, game: GameRecord, broken: bool) -> tuple[str, ...]:
        of_items = (f"/desk/{game.key}/{self.item}", "/variants/duel", "/api/v1/catalog/duel") if broken else ()
        return (
            "/",
            "/games",
            "/desk",
            "/api/v1/desk",
            *of_items,
            *(f"/desk/{game.key}{end}" for end in ("", "/players", "/record")),
            f"/games/{game.key}/results",
        )

    def go_on(self) -> list[str]:
        """Play on in the second game, a few hours after its deadline: what did not come of it."""
        office, outbox = self.office, Outbox()
        key = self.other.key
        games.pause(office, CONSOLE, key, "a storm")
        games.resume(office, CONSOLE, key, "it is over")
        number = games.turns(office, CONSOLE, key)[-1].number
        self.clock.advance(timedelta(days=3))
        for _ in range(7):
            work.run_due(office)
            self.clock.advance(timedelta(hours=1))
        counter = MailService(office, outbox)
        while counter.send_waiting():
            pass
        pushes = Pushes()
        while send_waiting(office, cast(PushSender, pushes)):
            pass
        told = {address for message, address in outbox.sent if message["X-Legation"] == "results"}
        judged = games.turns(office, CONSOLE, key)[-1].number > number
        pushed = any(push.url.startswith(f"/games/{key}") for push in pushes.sent)
        found = [f"{who}: no results" for who in self.emails - told]
        return [*([] if judged else ["no turn was judged"]), *([] if pushed else ["no notification"]), *found]


def _player_pages(game: GameRecord) -> Iterator[str]:
    """The pages that a player looks at, and what programs ask for."""
    assert game.turn is not None
    turn, at, api = game.turn.key, f"/games/{game.key}", f"/api/v1/games/{game.key}"
    yield from ("/", "/games", "/me", "/variants", "/api/v1/games", "/api/v1/games?mine=true", "/ready")
    below = ("", "/results", "/letters", "/proofs", "/powers", "/news", f"/{turn}", f"/{turn}/map-light.svg")
    yield from (at + end for end in (*below, "/results.atom", "/saved.json"))
    yield from (api + end for end in ("", "/turns", "/journal", "/holders", "/turns/1/result", "/proofs", "/letters"))
    yield from ("/variants/hundred", "/sandbox", "/api/v1/catalog", "/api/v1/ratings")
    yield from ("/api/v1/me/browsers", "/me/export.json", "/api/v1/me/absences", "/games/new", "/offline", "/proposals")
    yield from (
        "/me/record-names",
        "/variants/hundred/openings?power=France",
        "/press?words=otter",
        "/me/bridges",
        "/me/blocks",
        "/api/v1/reports",
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder, clock = tmp_path_factory.mktemp("broken") / "office", SimulatedClock(START)
    own = folder / "variants"
    own.mkdir(parents=True)
    (own / "athome.toml").write_text(OWN_VARIANT, encoding="utf-8")
    given = Settings(settling=0, variants="variants", web={"bounded": False})
    office = open_office(folder, given, clock, SeededRandomSource("broken"))
    with pytest.MonkeyPatch.context() as patch:  # no walk may be refused for those before it
        unbound(patch)
        patch.setattr(PAINTER, "png_and_pdf", lambda *_: (b"png", b"pdf"))  # maps are drawn for mails, and not painted
        yield World(office, clock, folder)
    office.close()


@pytest.fixture
def world(made: World) -> Iterator[World]:
    yield made
    made.mend()


Breaking = Callable[[World], AbstractContextManager[tuple[str, ...]]]
"""Breaks one thing; gives the pages that may fail by it, beside those of the first game that say what is wrong."""


@contextlib.contextmanager
def row(table: str, column: str, value: object, world: World) -> Iterator[tuple[str, ...]]:
    ids = _of_the_first_game(world, table)
    assert ids, table
    of = metadata.tables[table]
    with world.office.store.transaction() as tx:
        kept = value.hex() if isinstance(value, bytes) and isinstance(of.c[column].type, sa.Text) else value
        tx.connection.execute(sa.update(of).where(of.c.id.in_(ids)).values({column: kept}))
    if table in OF_VARIANTS:  # as a process finds them that begins now
        world.office.catalog = CatalogReader(world.office.store)
        shared = read_variants(world.office.settings, world.folder)
        world.office.variants = ListedVariants(shared, world.office.catalog)
    yield ()


@contextlib.contextmanager
def variant(content: str | None, world: World) -> Iterator[tuple[str, ...]]:
    """The file of the first game's variant has changed, or is gone, when the office is opened again."""
    path = world.folder / "variants" / "athome.toml"
    if content is None:
        path.unlink()
    else:
        path.write_text(content, encoding="utf-8")
    world.office.variants = read_variants(world.office.settings, world.folder)
    yield ()
    path.write_text(OWN_VARIANT, encoding="utf-8")


@contextlib.contextmanager
def files(content: bytes | None, world: World) -> Iterator[tuple[str, ...]]:
    """All pictures and mails that were sent to the first game."""
    found = [path for path in (world.folder / "files").rglob("*") if path.is_file()]
    assert len(found) > 1
    for path in found:
        if content is None:
            path.unlink()
        else:
            path.write_bytes(content)
    yield ()


@contextlib.contextmanager
def template(name: str, world: World) -> Iterator[tuple[str, ...]]:
    """A template that cannot be rendered, as somebody's edit may leave it."""
    of = templates(ENGLISH)
    good = of.loader
    assert good is not None
    of.loader = jinja2.ChoiceLoader([jinja2.DictLoader({name: "{{ nobody.knows }}"}), good])
    assert of.cache is not None
    of.cache.clear()
    yield PAGES.get(name, ())
    of.loader = good
    of.cache.clear()


ROWS = {
    table: {
        f"{table}.{column} {str(value)[:12]}": partial(row, table, column, value)
        for t, column, value in BROKEN
        if t == table
    }
    for table in dict.fromkeys(table for table, _, _ in BROKEN)
}
BREAKINGS: dict[str, Breaking] = {
    **{name: breaking for table, each in ROWS.items() if table not in ASIDE for name, breaking in each.items()},
    "variant torn": partial(variant, "title = ["),
    "variant changed": partial(variant, OWN_VARIANT.replace('"bur"', '"bor"')),
    "variant gone": partial(variant, None),
    "files torn": partial(files, GARBAGE),
    "files gone": partial(files, None),
}


def several(breakings: dict[str, Breaking]) -> dict[str, Breaking]:
    """A few at a time of those that hide nothing of each other, and not those that are close together in the list."""
    names, groups = list(breakings), -(-len(breakings) // TOGETHER)
    parts = [names[n::groups] for n in range(groups)]
    return {", ".join(part): partial(together, [breakings[name] for name in part]) for part in parts}


@contextlib.contextmanager
def together(breakings: Sequence[Breaking], world: World) -> Iterator[tuple[str, ...]]:
    with contextlib.ExitStack() as stack:
        yield tuple(page for each in breakings for page in stack.enter_context(each(world)))


BREAKINGS |= several({name: breaking for table in ASIDE for name, breaking in ROWS[table].items()})
BREAKINGS |= several({f"template {name}": partial(template, name) for name in PAGES})


def troubles(world: World, breaking: Breaking) -> list[str]:
    """What one broken thing did to others: pages that failed, and jobs and mails that did not come."""
    with breaking(world) as failing:
        patterns = [re.compile(re.sub(r"\{\w+\}", "[^/]+", page)) for page in failing]
        found, seen = [], set()
        for address, broken, status in world.walk():
            own = {pattern for pattern in patterns if pattern.fullmatch(address)}
            assert status != 429, f"{address} is asked too often to tell"
            if status == 500 if own or broken else status >= 500:
                seen |= own
                found += [] if own else [f"{address}: {status}"]
        found += world.go_on() + [f"{pattern.pattern} should fail" for pattern in {*patterns} - seen]
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", BREAKINGS)
def test_one_thing_that_is_broken_harms_only_itself(world: World, name: str) -> None:
    assert troubles(world, BREAKINGS[name]) == []


@pytest.mark.long
def test_a_game_of_which_nothing_can_be_read_harms_no_other(world: World) -> None:
    """All rows of the first game at once: the pages of all others, and work."""
    with contextlib.ExitStack() as stack:
        for table, column, value in BROKEN:
            if value is GARBAGE or table == "seats":
                stack.enter_context(row(table, column, value, world))
        found = [f"{address}: {status}" for address, broken, status in world.walk() if not broken and status >= 500]
        assert found + world.go_on() == []


def test_a_template_of_each_folder_is_broken() -> None:
    """A new folder of templates has a case here, too, and so has each template of a paper."""
    web, paper = (Path(legation.__file__).parent / room / "templates" for room in ("web", "print"))
    assert {path.parent.name for path in web.glob("*/*.html")} <= {name.partition("/")[0] for name in PAGES}
    assert {path.name for path in paper.iterdir()} == {*PAPERS, "common.typ"}


@pytest.mark.long
def test_a_paper_that_cannot_be_typeset_keeps_nobody_from_other_papers(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = typesetting.TEMPLATES
    roster.add_address(world.office, world.others["France"], ["7 Lane"], "France", primary=True)
    at_hand = _printed(world)
    assert at_hand >= {"packet", "packets", "orders", "roster", "map"}
    for name, papers in PAPERS.items():
        folder = tmp_path / name
        shutil.copytree(str(whole), folder)
        (folder / name).write_text("#nobody.knows", encoding="utf-8")
        monkeypatch.setattr(typesetting, "TEMPLATES", folder)
        assert _printed(world) == at_hand - {*papers}, name
    assert world.go_on() == []


def _printed(world: World) -> set[str]:
    """The papers of the second game that are made."""
    player, host = world.clients[world.others["France"].person], world.clients[world.other_host.person]
    made = set()
    for paper in (*(paper for papers in PAPERS.values() for paper in papers), "map"):
        answer = (player if paper in ("packet", "envelope") else host).get(
            f"/games/{world.other.key}/print/{paper}.pdf"
        )
        if answer.headers["content-type"] == "application/pdf":
            made.add(paper)
    return made


def _of_the_first_game(world: World, table: str) -> list[int]:
    """The rows of a table that belong to the first game, or to people of it alone; all of a table that belongs to no
    game."""
    tables = metadata.tables
    own = [actor.person for actor in world.players.values() if actor.person is not None]
    with world.office.store.transaction(write=False) as tx:

        def ids(name: str, column: str, values: Sequence[object]) -> list[int]:
            of = tables[name]
            return list(tx.connection.execute(sa.select(of.c.id).where(of.c[column].in_(values))).scalars())

        games = ids("games", "key", [world.broken.key])
        turns, seats = ids("turns", "game", games), ids("seats", "game", games)
        kept = tx.connection.execute(sa.select(tables["games"].c.kept).where(tables["games"].c.id.in_(games)))
        by_itself = {
            "games": games,
            "people": own,
            "kept_rules": ids("kept_rules", "address", list(kept.scalars())),
            "openings": ids("openings", "line", ["line 0"]),
            "answers": ids("answers", "actor", [f"person {person}" for person in own]),
        }
        if table in by_itself:
            return by_itself[table]
        among: dict[str, list[int]] = {
            "game": games,
            "turn": turns,
            "seat": seats,
            "submission": ids("submissions", "turn", turns),
            "letter": ids("letters", "game", games),
            "person": own,
        }
        of_all = table in ("catalog", "arrivals")
        column = next((column for column in among if column in tables[table].c and not of_all), "")
        return (
            ids(table, column, among[column])
            if column
            else list(tx.connection.execute(sa.select(tables[table].c.id)).scalars())
        )


def test_every_table_has_a_row_that_is_broken() -> None:
    """A new table has a case here, too."""
    assert {table for table, _, _ in BROKEN} == {*metadata.tables}


@pytest.mark.long
def test_one_faulty_file_in_the_folder_of_variants_is_a_finding_and_the_rest_is_served(
    make_office: Callable[..., Office], tmp_path: Path
) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "athome.toml").write_text(OWN_VARIANT, encoding="utf-8")
    (folder / "torn.toml").write_text("title = [", encoding="utf-8")
    (folder / "hundred.toml").write_text(OWN_VARIANT, encoding="utf-8")
    (folder / "rules").mkdir()
    (folder / "rules" / "odd.py").write_text("1 / 0", encoding="utf-8")
    (folder / "island").mkdir()
    (folder / "island" / "board.toml").write_text("title = 1", encoding="utf-8")
    office = make_office(variants=str(folder))
    assert "athome" in office.variants.names() and "torn" not in office.variants.names()
    faults = "\n".join(office.variants.troubles)
    assert "torn" in faults and "odd.py: ZeroDivisionError" in faults and "give this file another name" in faults
    client = TestClient(whole_site(office), raise_server_exceptions=False)
    for address in ("/", "/variants", "/variants/athome", "/rules", "/sandbox", "/games", "/api/v1/variants"):
        assert client.get(address).status_code == 200, address
    assert client.get("/variants/torn").status_code == 404
