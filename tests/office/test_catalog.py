"""The catalog: what comes in, who lists it, which version a game is played by, who rates; and what strangers try."""

import io
import json
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.testclient import TestClient
from structlog.testing import capture_logs
from typer.testing import CliRunner

import legation
from legation.atlas.grow.__main__ import main as grow
from legation.atlas.table.starting import template_registry
from legation.cli.app import catalog_group as commands
from legation.cli.serving import whole_site
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.errors import (
    ConflictError,
    InvalidInputError,
    LimitExceededError,
    NotAllowedError,
    NotFoundError,
    SignInNeededError,
)
from legation.office.hosting import catalog, games, ratings
from legation.office.hosting.catalog import MOST_BYTES, CheckedPackage, check_package, read_and_try
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import work
from legation.office.operation.doctor import examine
from legation.office.orders import submissions
from legation.office.pinned_rules import CatalogReader
from legation.office.store.rows import CatalogPackageRow, CatalogRow, DeskRow, GameRow, JournalRow, MailingRow
from legation.variants import ListedVariants, read_kept
from legation.variants.packages import ABOUT, About, PackageError, collect, install, read_package, write_package
from legation.web import WebSettings, create_app
from tests.office.playing import (
    CONSOLE,
    VISITOR,
    administrator,
    alter,
    begin,
    counted,
    gather,
    passes,
    person,
    refuses,
    send_all,
    stored,
    the,
)
from tests.sampling import some

TEXT = """title = "The Duel"
board = "standard"
summary = "Two powers on the board of 1901."
rules_of = "standard"
[rules.solo]
centers = {centers}
[[powers]]
name = "France"
homes = ["bre", "mar", "par"]
units = ["A par", "A mar", "F bre"]
[[powers]]
name = "Germany"
homes = ["ber", "kie", "mun"]
units = ["A ber", "F kie", "A mun"]
"""


def packed(name: str = "duel", centers: int = 20, files: dict[str, str] | None = None, **about: str) -> bytes:
    """A package with a small variant on the standard board."""
    return write_package(About(name=name, **about), {f"{name}.toml": TEXT.format(centers=centers), **(files or {})})


@cache
def checked(name: str = "duel", centers: int = 20, version: str = "1.0") -> CheckedPackage:
    """The package, read; what it says of itself may hurt."""
    whole = "<script>alert(1)</script>"
    return read_and_try(packed(name, centers, version=version, license="CC0-1.0", authors=whole, source=whole))


@pytest.fixture
def ada(office: Office) -> Actor:
    return administrator(office, "Ada")


# What comes in


def archive(**files: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as out:
        for name, text in files.items():
            out.writestr(name, text)
    return made.getvalue()


ABOUT_DUEL = msgspec.json.encode(About(name="duel")).decode()
DUEL = TEXT.format(centers=20)


def duel(text: str = DUEL, **files: str) -> bytes:
    """The variant in an archive that no program of ours wrote."""
    return archive(**{ABOUT: ABOUT_DUEL, "duel.toml": text, **files})


HARMFUL = [
    (b"", "a zip archive"),
    (packed(files={"rules/tides.py": "raise SystemExit"}), "brings Python"),
    (packed("bench-mine"), "a name for the catalog"),
    (packed("Duel"), "a name for the catalog"),
    (packed("du el"), "a name for the catalog"),
    (packed(license="x" * 121), "license: longer than 120"),
    (packed(authors="a\nb"), "authors: 'a\\nb' has"),
    (packed(notes="\x1b[2J"), "notes: '\\x1b[2J' has"),
    (duel(DUEL.replace('"standard"', '"../../../etc"', 1)), "no board"),
    (duel(**{"standard/board.toml": 'name = "standard"'}), "standard"),
    (duel(DUEL + "[rules.none_such]\n"), "none_such"),
    (duel(**{"standard.toml": DUEL}), "standard"),
    (duel(DUEL.replace("The Duel", "The\\nBcc: x")), "title: 'The\\nBcc: x' has"),
    (duel(DUEL.replace("The Duel", "x" * 121)), "title: longer than 120"),
    (duel(DUEL.replace('"France"', '"Fra\\u202ence"')), "power: 'Fra\\u202ence' has"),
]


@pytest.mark.parametrize(("content", "told"), some((pytest.param(*row) for row in HARMFUL), 6))
def test_a_package_that_means_harm_is_refused_with_the_reason(content: bytes, told: str) -> None:
    with pytest.raises((PackageError, InvalidInputError)) as caught:
        read_and_try(content)
    assert told in str(caught.value)
    for folder in (tempfile.gettempdir(), str(Path(legation.__file__).parent)):  # where the office's files lie
        assert folder not in str(caught.value)


def test_a_package_is_read_by_a_child_and_its_faults_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    refuses(LimitExceededError, check_package, b"PK" + bytes(MOST_BYTES))
    caught = refuses(InvalidInputError, check_package, packed(files={"rules/tides.py": "raise SystemExit"}))
    assert any("brings Python" in fault for fault in caught.value.faults)


# Who lists


def test_a_proposal_is_taken_in_and_played_at_once(office: Office, ada: Actor) -> None:
    anna = person(office, "Anna")
    made = catalog.propose(office, anna, checked())
    assert made.state == "proposed" and made.own and made.proposer == "Anna"
    assert "duel" not in office.variants.names() and office.catalog.read(made.address) is None
    refuses(InvalidInputError, gather, office, anna, "Early", variant="duel").match("unknown variant")
    task = the(office, DeskRow, kind=catalog.TASK)
    assert task.done is None

    listed = catalog.take_in(office, ada, made.number)
    assert listed.state == "listed" and office.variants.names().count("duel") == 1
    game = gather(office, anna, "Early", variant="duel")
    assert game.title == "The Duel" and [seat.power for seat in game.seats] == ["France", "Germany"]
    assert catalog.package(office, VISITOR, "duel")[2] == checked().content
    assert the(office, DeskRow, task.id).done is not None
    assert [row.kind for row in stored(office, MailingRow, person=anna.person)] == ["proposal answered"]
    log = [row.kind for row in stored(office, JournalRow, game=None, seen_by="office")]
    assert log == ["variant proposed", "variant listed"]


def test_notes_on_a_board_are_kept_in_every_language() -> None:
    texts = {"free-city/notes.md": "Drawn anew.", "free-city/notes.de.md": "Neu gezeichnet."}
    package = write_package(About(name="free-city"), collect(template_registry(), "free-city") | texts)
    board = read_kept(zlib.decompress(read_and_try(package).rules)).board
    assert (board["notes.md"], board["notes.de.md"]) == ("Drawn anew.", "Neu gezeichnet.")


def test_who_may_not_decide_sees_and_decides_nothing(office: Office) -> None:
    anna, ben = person(office, "Anna"), person(office, "Ben")
    made = catalog.propose(office, anna, checked())
    for actor in (ben, VISITOR):
        refusal = SignInNeededError if actor.person is None else NotFoundError
        for ask in (catalog.proposal, catalog.proposed_package, catalog.withdraw):
            refuses(refusal, ask, office, actor, made.number)
    assert catalog.proposals(office, ben) == [] and catalog.entries(office, ben) == []
    for actor in (anna, ben, VISITOR):
        refuses(NotAllowedError, catalog.take_in, office, actor, made.number)
        refuses(NotAllowedError, catalog.refuse, office, actor, made.number, "no")
        refuses(NotAllowedError, catalog.add, office, actor, checked())
        refuses(NotAllowedError, catalog.remove, office, actor, "duel", "no")
    refuses(SignInNeededError, catalog.propose, office, VISITOR, checked())
    refuses(NotFoundError, catalog.package, office, anna, "duel")


def test_what_is_refused_or_withdrawn_is_told_and_not_kept(office: Office, ada: Actor) -> None:
    anna = person(office, "Anna")
    made = catalog.propose(office, anna, checked())
    refuses(ConflictError, catalog.propose, office, anna, checked()).match("proposed this variant already")
    refuses(InvalidInputError, catalog.refuse, office, ada, made.number, " \n").match("Give a reason")
    refused = catalog.refuse(office, ada, made.number, "The map\nis too small.")
    assert refused.reason == "The map is too small."
    assert catalog.proposal(office, anna, made.number).reason == "The map is too small."
    again = catalog.propose(office, anna, checked())
    assert catalog.withdraw(office, anna, again.number).state == "withdrawn"
    for act in (catalog.take_in, catalog.withdraw):
        with pytest.raises((ConflictError, NotAllowedError)):
            act(office, ada if act is catalog.take_in else anna, again.number)
    assert not counted(office, CatalogPackageRow) and not counted(office, DeskRow, done=None)


def test_who_proposes_anothers_rules_first_does_not_keep_their_author_out(office: Office, ada: Actor) -> None:
    mallory, anna = person(office, "Mallory"), person(office, "Anna")
    forged = read_and_try(packed(version="9.9", authors="Mallory"))
    assert forged.address == checked().address
    stolen = catalog.propose(office, mallory, forged)
    own = catalog.propose(office, anna, checked())
    assert {one.number for one in catalog.proposals(office, ada)} == {stolen.number, own.number}
    assert [one.number for one in catalog.proposals(office, anna)] == [own.number]
    assert catalog.take_in(office, ada, own.number).state == "listed"
    assert catalog.package(office, VISITOR, "duel")[2] == checked().content
    refuses(ConflictError, catalog.take_in, office, ada, stolen.number).match("already in the catalog")
    assert catalog.refuse(office, ada, stolen.number, "It is Anna’s.").state == "refused"
    assert catalog.package(office, VISITOR, "duel")[2] == checked().content


def test_a_package_is_given_out_as_it_was_listed_and_not_one_of_the_same_rules(office: Office) -> None:
    mallory = person(office, "Mallory")
    files = {"second.toml": TEXT.format(centers=3)}
    forged = read_and_try(packed(version="9.9", license="none", files=files))
    assert forged.address == checked().address and forged.content != checked().content
    made = catalog.propose(office, mallory, forged)
    listed = catalog.add(office, CONSOLE, checked())
    assert catalog.package(office, VISITOR, "duel")[2] == checked().content
    assert catalog.proposed_package(office, CONSOLE, made.number)[2] == forged.content
    catalog.withdraw(office, mallory, made.number)
    catalog.add(office, CONSOLE, checked(centers=9, version="1.1"))
    again = checked(version="1.2")  # back to the rules of 1.0
    catalog.add(office, CONSOLE, again)
    for version, package in (("1.0", checked()), ("1.2", again)):
        assert catalog.package(office, VISITOR, "duel", version)[2] == package.content
        kept = office.catalog.read(listed.address)
        assert kept is not None and kept.address == listed.address
    catalog.remove(office, CONSOLE, "duel", "No more.")
    assert not counted(office, CatalogPackageRow)


def test_a_name_of_the_installation_is_never_taken(office: Office) -> None:
    for name in ("hundred", "standard"):
        with pytest.raises(ConflictError, match="already has a variant"):
            about = msgspec.structs.replace(checked().about, name=name)
            catalog.add(office, CONSOLE, msgspec.structs.replace(checked(), about=about))
    assert office.variants.load("hundred") is office.variants.shared.load("hundred")


def test_nobody_floods_the_desk(office: Office, clock: SimulatedClock) -> None:
    anna = person(office, "Anna")

    def propose(number: int) -> int:
        about = msgspec.structs.replace(checked().about, name=f"duel-{number}")
        piece = msgspec.structs.replace(checked(), about=about, address=f"duel-{number}@0")
        return catalog.propose(office, anna, piece).number

    numbers = [propose(number) for number in range(catalog.MOST_WAITING)]
    refuses(LimitExceededError, propose, 9).match("waiting for review")
    for number in range(catalog.MOST_WAITING, catalog.MOST_A_DAY):
        catalog.withdraw(office, anna, numbers.pop())
        numbers.append(propose(number))
    catalog.withdraw(office, anna, numbers.pop())
    refuses(LimitExceededError, propose, 99).match("in a day")
    clock.advance(timedelta(hours=25))
    assert propose(99)


# Versions


@pytest.mark.long
def test_a_game_keeps_the_version_it_was_begun_with(make_office: Callable[..., Office], clock: SimulatedClock) -> None:
    office = make_office()
    catalog.add(office, CONSOLE, checked())
    refuses(ConflictError, catalog.add, office, CONSOLE, checked()).match("already in the catalog")
    game, players, _ = begin(office, "duel", "First")
    for version in ("1.0", "0.9", "1.0.0"):
        refuses(ConflictError, catalog.add, office, CONSOLE, checked(centers=9, version=version)).match("higher number")
    newer = catalog.add(office, CONSOLE, checked(centers=9, version="1.10"))
    assert len(newer.address.partition("@")[2]) == 32, "64 bits could be found twice by trying"
    assert [entry.version for entry in catalog.versions(office, VISITOR, "duel")] == ["1.10", "1.0"]
    assert catalog.package(office, VISITOR, "duel", "1.0")[2] == checked().content

    second, _, _ = begin(office, "duel", "Second", folk="New")
    assert solo_mark(office, "first") == 20 and solo_mark(office, "second") == 9
    submissions.submit(office, players["France"], game.key, "France", "A par - bur")
    passes(office, clock, timedelta(days=2))
    after = games.game(office, CONSOLE, game.key)
    assert after.turn is not None and game.turn is not None and after.turn.number > game.turn.number
    assert solo_mark(office, "first") == 20

    catalog.remove(office, CONSOLE, "duel", "Its author asked for it.")
    assert "duel" not in office.variants.names() and not office.variants.knows("duel")
    refuses(InvalidInputError, games.create, office, CONSOLE, {"name": "Third", "variant": "duel"})
    other = make_office()  # as a program begins that knows nothing of it
    assert "duel" not in other.variants.names() and solo_mark(other, "first") == 20 and newer.version == "1.10"
    assert games.game(other, CONSOLE, second.key).title == "The Duel"


def solo_mark(office: Office, key: str) -> int:
    """How many centers win a game."""
    row = the(office, GameRow, key=key)
    (solo,) = (rule for rule in office.rules(row).modules if rule.key == "solo")
    form = solo.dense(office.rules(row))
    assert form is not None
    return form.marks["France"]


# Ratings


def test_only_who_played_to_the_end_rates_and_once(office: Office, ada: Actor) -> None:
    catalog.add(office, CONSOLE, checked())
    game, players, host = begin(office, "duel", "First", coordinated=True)
    france, germany, stranger = players["France"], players["Germany"], person(office, "Stranger")
    for actor in (france, stranger, ada, host):
        refuses(NotAllowedError, ratings.rate, office, actor, "duel", 5).match("first finish a game")
    assert not ratings.rating(office, france, "duel").may_rate
    alter(office, GameRow, {"state": "cancelled"}, key=game.key)
    refuses(NotAllowedError, ratings.rate, office, france, "duel", 5)
    alter(office, GameRow, {"state": "ended"}, key=game.key)
    for actor in (stranger, ada, host):
        refuses(NotAllowedError, ratings.rate, office, actor, "duel", 1)
    refuses(SignInNeededError, ratings.rate, office, VISITOR, "duel", 1)
    for stars in (0, 6, -1, 2**62):
        refuses(InvalidInputError, ratings.rate, office, france, "duel", stars)
    refuses(NotFoundError, ratings.rate, office, france, "none such", 3)
    refuses(NotAllowedError, ratings.rate, office, france, "hundred", 3)
    ratings.rate(office, france, "duel", 1)
    assert ratings.rate(office, france, "DUEL", 5).own == 5
    second = ratings.rate(office, germany, "duel", 2)
    assert (second.mean, second.count, second.own) == (3.5, 2, 2)
    shown = ratings.rating(office, VISITOR, "duel")
    assert (shown.mean, shown.count, shown.own, shown.may_rate) == (3.5, 2, 0, False)
    assert people.export(office, france)["ratings"] == [{"variant": "duel", "stars": 5}]
    assert ratings.take_back(office, france, "duel").count == 1
    assert [(r.variant, r.mean, r.count, r.own) for r in ratings.ratings(office, france)] == [("duel", 2.0, 1, 0)]


# At the terminal


@pytest.mark.long
def test_variants_are_listed_and_proposals_answered_at_the_terminal(
    make_office: Callable[..., Office], tmp_path: Path
) -> None:
    number = catalog.propose(office := make_office(), person(office, "Anna"), checked()).number
    runner, folder = CliRunner(), tmp_path / "here"
    folder.mkdir()
    (folder / "mine.toml").write_text(TEXT.format(centers=20))

    def told(*words: str | Path | int) -> str:
        return runner.invoke(commands, ["-C", str(tmp_path / "office"), *map(str, words)]).output

    assert "The Duel 1.0 is in the catalog as mine." in told("add", folder, "--license", "CC0-1.0")
    assert "already in the catalog" in told("add", folder, "--version", "1.1")
    (folder / "mine.toml").write_text(TEXT.format(centers=18))
    assert "a new version has a higher number" in told("add", folder)
    assert "The Duel 1.1 is in" in told("add", folder / "mine.toml", "--version", "1.1", "--notes", "18 centers")
    assert "1.1" in told("list") and json.loads(told("list", "--json"))[0]["name"] == "mine"
    shown = told("show", "mine")
    assert "Rated: by nobody yet" in shown and "mine@" in shown and "2 powers" in shown and "18 centers" in shown
    (folder / "rules").mkdir()
    (folder / "rules" / "tides.py").write_text("")
    assert "brings Python" in told("add", folder, "--version", "1.2")
    assert "its own folder of variants, and it has none" in told("add", folder, "--version", "1.2", "--trust")
    assert "games of it go on" in told("remove", "mine", "asked for")
    assert "no 'mine'" in told("show", "mine") and "The catalog is empty" in told("list")
    assert "duel" in told("proposals") and "no such proposal" in told("take", 99)
    told("save", number, "-o", tmp_path / "saved.legation")
    assert (tmp_path / "saved.legation").read_bytes() == checked().content
    assert "Anna is told why" in told("refuse", number, "no license")
    assert "is closed: it was refused" in told("take", number)


DAMAGE = [
    pytest.param(CatalogPackageRow, {"rules": b"damaged"}, id="torn"),
    pytest.param(CatalogPackageRow, {"rules": zlib.compress(b"{}")}, id="of another form"),
    pytest.param(CatalogPackageRow, {"digest": "another"}, id="gone"),
    pytest.param(CatalogRow, {"package": "none"}, id="named wrongly"),
]


@pytest.mark.parametrize(("row", "damage"), some(DAMAGE, 4))
def test_a_damaged_package_is_told_and_not_listed_and_all_pages_are_served(
    office: Office, tmp_path: Path, row: type[CatalogRow] | type[CatalogPackageRow], damage: dict[str, object]
) -> None:
    """As a process finds it that begins after the damage: it is told once, and by the doctor."""
    catalog.add(office, CONSOLE, checked("whole", centers=9))
    listed = catalog.add(office, CONSOLE, checked())
    with office.store.transaction() as tx:
        packages = tx.all(CatalogRow, name=listed.name)
        where = {"digest": packages[0].package} if row is CatalogPackageRow else {"name": listed.name}
        tx.change_where(row, damage, **where)
    office.catalog = CatalogReader(office.store)
    office.variants = ListedVariants(office.variants.shared, office.catalog)
    with capture_logs() as logged:
        assert {"whole", "duel"} & {*office.variants.names()} == {"whole"}
        office.catalog.look()
    (told,) = [line for line in logged if "catalog" in line["event"]]
    assert str(told["variant"]).startswith("duel")
    (finding,) = [one for one in examine(tmp_path / "office") if one.name == "catalog"]
    assert not finding.good and "duel 1.0" in finding.text and "whole" not in finding.text
    site = TestClient(whole_site(office), raise_server_exceptions=False)
    for address in ("/", "/games", "/variants", "/variants/whole", "/variants/hundred", "/sandbox", "/api/v1/catalog"):
        assert site.get(address).status_code == 200, address
    assert site.get("/variants/duel").status_code == 404


pytest.importorskip("shapely", reason="drawing needs the extra authoring")

LAKE = Path(__file__).parents[2] / "docs" / "examples" / "lake"
HEADERS = {"origin": "http://testserver", "sec-fetch-site": "same-origin", "accept": "application/json"}
GROWN = ("shapes.json", "layout.json", "borders.csv")


@pytest.fixture(scope="module")
def pack() -> bytes:
    """The example of ``docs/drawing-boards.md``, opened at a table from its hand-written files, given two powers, an
    edition and a name in another language, and packed."""
    site = TestClient(create_app(settings=WebSettings(bounded=False)))
    files = [("files", (file.name, file.read_bytes())) for file in LAKE.iterdir() if file.name not in GROWN]
    document: dict[str, Any] = site.post("/table/open", files=files, headers=HEADERS).json()["document"]
    assert document["borders"] == "picture"
    north = {"name": "North", "adjective": "Northern", "homes": ["nor"], "units": ["F nor"]}
    south = {"name": "South", "adjective": "Southern", "homes": ["sou"], "units": ["A sou"]}
    facts = {"title": "The lake", "rules_of": "standard", "rules": {"solo": {"centers": 3}}, "powers": [north, south]}
    document["variant"] = facts
    late = {"first": "Fall 1905 Movement", "cycle": ["Spring Movement", "Fall Movement", "Winter Adjustments"]}
    rules = {"solo": {"centers": 3}, "calendar": late}
    document["editions"] = {"lake-late": {**facts, "title": "The late lake", "rules": rules}}
    document["board"]["names"] = [{"id": "nor", "language": "de", "name": "Nordland"}]
    answer = site.post("/table/pack", json={"document": document, "tag": {"version": "1.2"}}, headers=HEADERS)
    assert answer.status_code == 200, answer.text
    again = site.post("/table/pack", json={"document": document, "tag": {"version": "1.2"}}, headers=HEADERS)
    assert again.content == answer.content
    return answer.content


@pytest.mark.long
def test_what_is_in_the_pack_is_what_the_commands_make_byte_for_byte(pack: bytes, tmp_path: Path) -> None:
    install(read_package(pack), tmp_path)
    board = tmp_path / "lake"
    packed = {file.name: file.read_bytes() for file in board.iterdir()}
    for name in GROWN:
        board.joinpath(name).unlink()
    assert grow([str(board), "--borders"]) == 0
    assert {file.name: file.read_bytes() for file in board.iterdir()} == packed
    shipped = {name: LAKE.joinpath(name).read_bytes() for name in GROWN}
    assert {name: packed[name] for name in GROWN} == shipped  # the example as the manual's commands made it


@pytest.mark.long
def test_it_is_played_in_a_second_office_in_both_editions(
    pack: bytes, tmp_path: Path, make_office: Callable[..., Office]
) -> None:
    assert set(install(read_package(pack), tmp_path / "variants")) == {"lake", "lake-late"}
    office = make_office(variants=str(tmp_path / "variants"))
    for variant, first in (("lake", "Spring 1901 Movement"), ("lake-late", "Fall 1905 Movement")):
        record, actors, _ = begin(office, variant, name=f"Game of {variant}", folk=variant)
        assert record.turn is not None and record.turn.name == first
        send_all(office, record, actors, 1)
        work.run_due(office)
        assert len(games.turns(office, CONSOLE, record.key)) >= 1
    rules = office.variants.load("lake")
    assert rules.reader.location("Nordland") == "nor" and rules.board.translations["de"]["nor"] == "Nordland"
