"""A game is exported whole and taken in by another office: its past is the same and its proofs hold, and it is played
on; what is wrong with a document is told with its place, and nothing of it is kept."""

import copy
import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from legation.cli.app import office_group as commands
from legation.interop.tasks import ImportedGame, import_game
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk, readings
from legation.office.errors import ConflictError, InvalidInputError, NotAllowedError, NotFoundError
from legation.office.game import journal, processing, seats
from legation.office.hosting import exports, games, openings, proofs, transfer
from legation.office.identity import people
from legation.office.office import Office, open_office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.records import GameRecord
from legation.office.settings import Settings
from legation.office.store.rows import GameRow, JournalRow, MailingRow, SeatRow
from legation.proofs.verifying import verify
from legation.variants import ListedVariants, Registry
from tests.interop.played import FILES
from tests.office.playing import (
    CONSOLE,
    VISITOR,
    begin,
    counted,
    end_game,
    gather,
    passes,
    person,
    refuses,
    send_all,
    turn_now,
)


@pytest.fixture(name="other")
def other_office(tmp_path: Path, clock: SimulatedClock) -> Iterator[Office]:
    """Another office, where nobody is known."""
    made = open_office(tmp_path / "other", Settings(settling=0), clock, SeededRandomSource("other"))
    yield made
    made.close()


def played(office: Office, clock: SimulatedClock, turns: int, **settings: Any) -> tuple[GameRecord, dict[str, Actor]]:
    """A coordinated game of which some turns are over."""
    record, players, _ = begin(office, coordinated=True, missing_after=20, **settings)
    for turn in range(turns):
        send_all(office, record, players, turn)
        passes(office, clock, timedelta(days=1))
    return games.game(office, CONSOLE, record.key), players


def kept(office: Office, key: str) -> Any:
    """The document, as it comes back from a file."""
    return json.loads(json.dumps(transfer.whole_game(office, CONSOLE, key)))


def test_a_game_goes_to_another_office_and_is_played_on(office: Office, clock: SimulatedClock, other: Office) -> None:
    record, players = played(office, clock, 4)
    document = kept(office, record.key)
    known = next(iter(players))
    actor = person(other, players[known].name)
    taken = transfer.take_in(other, CONSOLE, document)

    assert taken.key == record.key and taken.state == "paused"
    assert [t.name for t in games.turns(other, CONSOLE, taken.key)] == [
        t.name for t in games.turns(office, CONSOLE, record.key)
    ]
    for turn in range(1, 5):
        there, here = games.result(other, CONSOLE, taken.key, turn), games.result(office, CONSOLE, record.key, turn)
        assert there == msgspec.structs.replace(here, head=None), "its journal was signed by the office before"
    assert {s.power: s.state for s in taken.seats} == {p: "held" if p == known else "left" for p in players}
    found = proofs.verify(other, CONSOLE, taken.key)
    assert found and all(p.holds for p in found)
    assert exports.rebuild(other, CONSOLE, taken.key) == []
    lines = [e.text for e in journal.entries(other, CONSOLE, taken.key, limit=1000)]
    assert "The powers were assigned at random." in lines and "The game moved here from another office" in " ".join(
        lines
    )
    assert games.position(other, CONSOLE, taken.key) == games.position(office, CONSOLE, record.key)

    newcomers = {known: actor}
    for power in players.keys() - {known}:
        newcomers[power] = person(other, f"New-{power}")
        seats.replace(other, CONSOLE, taken.key, power, f"new-{power}@example.org", "from the other office")
    clock.advance(timedelta(hours=5))
    games.resume(other, CONSOLE, taken.key)
    again = games.game(other, CONSOLE, taken.key)
    assert again.turn is not None and again.turn.deadline is not None
    assert again.turn.deadline - clock.now() == timedelta(days=1)
    send_all(other, again, newcomers, "on")
    passes(other, clock, timedelta(days=1))
    assert games.result(other, CONSOLE, taken.key, 5).state == "final"
    assert all(p.holds for p in proofs.verify(other, CONSOLE, taken.key))
    assert exports.rebuild(other, CONSOLE, taken.key) == []


def test_a_game_that_was_taken_in_can_be_exported_again_and_one_that_is_over_stays_so(
    office: Office, clock: SimulatedClock, other: Office
) -> None:
    record, _ = played(office, clock, 2)
    first = kept(office, record.key)
    taken = transfer.take_in(other, CONSOLE, first)
    second = kept(other, taken.key)
    same = ("result", "position", "seed", "seed_commitment", "published", "deadline")
    assert [{k: t[k] for k in same} for t in second["turns"]] == [{k: t[k] for k in same} for t in first["turns"]]
    assert transfer.take_in(other, CONSOLE, second).key == f"{record.key}-2"  # beside the first
    assert all(p.holds for p in proofs.verify(other, CONSOLE, f"{record.key}-2"))
    games.cancel(office, CONSOLE, record.key, "enough")
    assert transfer.take_in(other, CONSOLE, kept(office, record.key)).state == "cancelled"
    passes(other, clock, timedelta(days=3))
    assert games.game(other, CONSOLE, f"{record.key}-3").state == "cancelled"


def test_a_game_that_is_over_counts_in_the_archive_of_the_office_that_takes_it_in(
    office: Office, clock: SimulatedClock, other: Office
) -> None:
    record, players = played(office, clock, 1)
    end_game(office, record.key, "France")
    person(other, players["France"].name)
    transfer.take_in(other, CONSOLE, kept(office, record.key))
    work.run_due(other)
    (first,) = openings.openings(other, VISITOR, record.variant, "France").next
    assert (first.games, first.won) == (1, 1)


def test_what_is_sealed_and_private_stays_behind(office: Office, clock: SimulatedClock, other: Office) -> None:
    record, players = played(office, clock, 2)
    power, actor = next(iter(players.items()))
    submissions.submit(office, actor, record.key, power, "# a secret of the turn that is open")
    past = submissions.mine(office, actor, record.key, power, "1")[0]
    assert submissions.read_own(office, actor, past.id)
    document = kept(office, record.key)
    assert "a secret of the turn" not in json.dumps(document)
    assert not [e for e in document["journal"] if e["kind"] == "opened"]
    here = person(other, actor.name)
    transfer.take_in(other, CONSOLE, document)
    (there,) = submissions.mine(other, here, record.key, power, "1")
    assert there.commitment == past.commitment
    refuses(NotFoundError, submissions.read_own, other, here, there.id).match("another office")
    assert submissions.mine(other, here, record.key, power) == []  # has to be sent again


def test_the_address_of_who_only_wished_to_play_is_nobodys(office: Office) -> None:
    host, shy = person(office, "Host"), person(office, "Shy")
    made = gather(office, host, "Valmy", coordinated=True)
    seats.sign_up(office, shy, made.key)
    seats.withdraw_sign_up(office, shy, made.key)
    for number, _ in enumerate(made.seats):
        seats.sign_up(office, person(office, f"Player{number}"), made.key)
    games.start(office, host, made.key)
    work.run_due(office)
    document = transfer.whole_game(office, host, made.key)
    assert "player0@example.org" in repr(document) and "shy@example.org" not in repr(document)


def test_administrators_take_games_in_with_a_deputy_who_is_known(
    office: Office, clock: SimulatedClock, other: Office
) -> None:
    record, players = played(office, clock, 1)
    document = kept(office, record.key)
    anybody = person(other, "Anybody")
    refuses(NotAllowedError, transfer.take_in, other, anybody, document)
    assert anybody.person is not None
    people.make_administrator(other, CONSOLE, anybody.person)
    assert transfer.take_in(other, anybody, document).key == record.key
    # a deputy moves with a game where they are known
    person(office, "Reader")
    games.name_deputy(office, CONSOLE, record.key, "reader@example.org")
    document = kept(office, record.key)
    stays = transfer.take_in(other, CONSOLE, document)
    assert stays.deputy is None
    person(other, "Reader")
    assert transfer.take_in(other, CONSOLE, document).deputy == "Reader"
    document["deputy"] = next(s["person"] for s in document["seats"] if s["power"] == next(iter(players)))
    person(other, players[next(iter(players))].name)
    assert transfer.take_in(other, CONSOLE, document).deputy is None  # who plays reads nobody's sheet


def _put(*path: Any) -> Callable[[Any], None]:
    """A change of a document: the last of ``path`` is written at the place that the others name."""
    *where, last, value = path

    def change(document: Any) -> None:
        for step in where:
            document = document[step]
        document[last] = value

    return change


def _line(kind: str, **facts: Any) -> Callable[[Any], None]:
    """A change of a document: one more line at the end of the journal."""
    return lambda document: document["journal"].append({**document["journal"][-1], "kind": kind, "facts": facts})


WRONG = (
    (_put("format", "legation game 2"), "saved game"),
    (_put("format", 7), "format: must be"),
    (_put("state", "gathering"), "has not begun"),
    (_put("variant", "nowhere"), "variant: "),
    (_put("variant", "../x.toml"), "variant: "),
    (_put("name", "  two  spaces "), "name: "),
    (_put("settings", "grace", -4), "settings.grace: "),
    (_put("settings", "colour", "red"), "settings: Object contains unknown field `colour`"),
    (_put("turns", 1, "number", "two"), "turns[1].number: "),
    (_put("turns", 1, "number", 7), "turns: must be numbered"),
    (_put("turns", 0, "state", "open"), "turns[0].state: "),
    (_put("turns", 0, "position", {}), "1425 Movement: the position before it"),
    (_put("turns", 0, "result", {}), "turns[0]"),
    (_put("turns", 0, "result", "after", "units", {"France": ["A nowhere"]}), "turns[0]"),
    (_put("turns", 0, "opened", "yesterday"), "turns[0].opened: "),
    (_put("turns", 0, "seed", "another"), "seed of the lots"),
    (_put("turns", 0, "sheets", "France", "text", "A par - bur"), "orders of France"),
    (_put("turns", 0, "submissions", 0, "power", "Nobody"), "turns[0].submissions: no power"),
    (_put("open_turn", "number", 9), "open_turn.number: must be 3"),
    (_put("open_turn", "position", {"units": 3}), "open_turn.position"),
    (_put("open_turn", "position", {"units": {"France": [3]}}), "open_turn.position"),
    (lambda document: document.update(turns=[], open_turn=None), "turns: there are none"),
    (lambda document: document["people"].append(document["people"][0]), "people: two have the same number"),
    (
        lambda document: document["people"][1].update(email=document["people"][0]["email"].upper()),
        "people: two have the same address",
    ),
    (
        lambda document: document["turns"][0]["submissions"].append(document["turns"][0]["submissions"][0]),
        "turns[0].submissions: two of ",
    ),
    (
        lambda document: document["turns"][1]["submissions"].append(document["turns"][0]["submissions"][0]),
        "turns: two submissions have the same number",
    ),
    (_put("turns", 0, "submissions", 0, "version", 2**70), "turns[0].submissions[0].version: "),
    (_put("turns", 0, "moves", 2**70), "turns[0].moves: "),
    (_put("turns", 0, "number", 2**70), "turns[0].number: "),
    (_put("open_turn", "number", -1), "open_turn.number: "),
    (_put("seats", 0, "missed", 2**70), "seats[0].missed: "),
    (_put("created", "2026-03-02T12:00:00"), "created: "),
    (_put("created", "0001-01-01T00:00:00+14:00"), "created: must be in the years"),
    (_put("turns", 1, "deadline", "9999-12-31T23:59:59-12:00"), "turns[1].deadline: must be in the years"),
    (_put("turns", 0, "submissions", 0, "received", "9999-12-31T23:59:59Z"), "turns[0].submissions[0].received: must"),
    (_put("seats", 0, "holders", 0, "since", "0001-01-01T00:00:00Z"), "seats[0].holders[0].since: must be in the"),
    (_put("journal", 3, "at", "9999-12-31T23:59:59-12:00"), "journal[3].at: must be in the years"),
    (_line("deadline moved", deadline="9999-12-31T23:59:59-12:00", reason="x"), "facts.deadline: must be in the years"),
    (_put("seats", []), "seats: must be the powers"),
    (_put("journal", []), "journal: must begin"),
    (_put("journal", 0, "facts", {}), "journal: the variant in 'game created' must be"),
    (_put("journal", 0, "facts", "variant", "standard"), "the variant in 'game created' must be the game's: 'hundred'"),
    (_put("journal", 0, "facts", "options", {"none": 1}), "the options in 'game created' must be the game's: {}"),
    (_put("deal_commitment", "0" * 64), "the deal: "),
    (_put("journal", 0, "facts", "deputy", 1), "journal[0].facts: names somebody by a number of another office"),
    (_put("journal", 0, "kind", "\x1b[2J"), "journal[0].kind: "),
    (_put("key", "x" * 4000), "key: "),
    (_put("name", "a\0b"), "name: has a character that cannot be kept"),
    (_put("seats", 0, "power", "\ud800"), "seats[0].power: has a character that cannot be kept"),
    (_put("journal", 0, "facts", {"\0": 1}), "journal[0].facts: has a character that cannot be kept"),
    (_line("deadline moved", deadline="soon", reason="x"), "facts.deadline: "),
    (_line("vote begun", words="to pause"), "facts: Object missing required field `what`"),
    (_line("vote", power="France", words="to pause"), "facts: Object missing required field `what`"),
)


@pytest.mark.parametrize(("change", "told"), WRONG, ids=[told for _, told in WRONG])
def test_what_is_wrong_is_told_with_its_place_and_nothing_is_kept(
    office: Office, clock: SimulatedClock, other: Office, change: Callable[[Any], None], told: str
) -> None:
    document = _document(office, clock)
    change(document)
    caught = refuses(InvalidInputError, transfer.take_in, other, CONSOLE, document)
    assert any(told in fault for fault in caught.value.faults), caught.value.faults
    assert not any(counted(other, kind) for kind in (GameRow, SeatRow, JournalRow))


_made: list[Any] = []


def _document(office: Office, clock: SimulatedClock) -> Any:
    """The same document for all, made once."""
    if not _made:
        record, _ = played(office, clock, 2)
        _made.append(kept(office, record.key))
    return copy.deepcopy(_made[0])


def test_at_a_terminal(office: Office, clock: SimulatedClock, tmp_path: Path) -> None:
    record, _ = played(office, clock, 2)
    run = CliRunner().invoke
    printed = run(commands, ["-C", str(tmp_path / "office"), "export", record.key, "--all"])
    assert printed.exit_code == 0, printed.output
    file = tmp_path / "game.json"
    file.write_text(printed.stdout)
    there = ["-C", str(tmp_path / "third")]
    told = run(commands, [*there, "import", str(file)])
    assert told.exit_code == 0, told.output
    assert "powick-bridge" in told.output and "it is paused" in told.output and "resume powick-bridge" in told.output
    assert run(commands, [*there, "verify", "powick-bridge"]).exit_code == 0
    file.write_text('{"format": "legation game 2"}')
    told = run(commands, [*there, "import", str(file)])
    assert told.exit_code != 0 and "export it with" in told.output
    for text, why in (("a\\u0000b", "name: has a character"), ("a\\ud800b", "isn't a JSON document")):
        file.write_text(printed.stdout.replace('"name": "Powick Bridge"', f'"name": "{text}"', 1))
        assert text in file.read_text()
        told = run(commands, [*there, "import", str(file)])
        assert told.exit_code != 0 and why in " ".join(told.output.split()), told.output


def test_a_sheet_that_was_read_elsewhere_is_corrected_without_a_second_reading(
    office: Office, clock: SimulatedClock, other: Office
) -> None:
    """Its picture stayed where it was sent; all read the correction."""
    record, players, boss = begin(
        office, coordinated=True, ready_ends=False, drafts=True, approve=True, schedule="three-kingdoms"
    )
    picture = ("a.jpg", b"\xff\xd8 a photograph", "image/jpeg")
    submissions.submit_pictures(office, players["England"], record.key, "England", [picture])
    send_all(office, record, {p: a for p, a in players.items() if p != "England"}, 1)
    turn = turn_now(office, CONSOLE, record.key)
    passes(office, clock, turn.deadline)
    (item,) = desk.items(office, boss)
    readings.transcribe(office, boss, item.id, "A dev H\nF lon H")
    work.run_due(office)
    processing.publish_draft(office, boss, record.key)
    person(office, "Deputy")
    games.name_deputy(office, boss, record.key, "deputy@example.org")
    document = kept(office, record.key)
    there, _ = person(other, boss.name), person(other, "Deputy")
    taken = transfer.take_in(other, CONSOLE, document)
    assert taken.deputy == "Deputy"
    games.resume(other, there, taken.key)
    readings.correct(other, there, taken.key, "England", "1", "A dev - brt\nF lon H", "it says so")
    work.run_due(other)
    assert [task.kind for task in desk.items(other, there) if task.kind in ("confirm", "publish")] == ["publish"]


@pytest.fixture(scope="module")
def moved() -> ImportedGame:
    return import_game([("short.json", FILES["mila.json"].encode())])


def begun(moved: ImportedGame, **changes: Any) -> dict[str, Any]:
    facts = {"source": moved.source, "file": moved.file, "turns": moved.turns, "position": moved.position}
    return {**facts, **changes}


def test_it_goes_on_from_where_it_stood(office: Office, clock: SimulatedClock, moved: ImportedGame) -> None:
    host, france = person(office, "Host"), person(office, "Fred")
    bots = dict.fromkeys(("Austria", "England", "Germany", "Italy", "Russia", "Turkey"), "bot:hold")
    plan = {"name": "Moved house", "variant": "standard", "seats": {**bots, "France": "fred@example.org"}}
    record = games.create(office, host, plan, begun(moved))
    assert record.state == "gathering"
    [told] = [line for line in journal.entries(office, CONSOLE, record.key) if line.kind == "imported"]
    assert "began elsewhere (MILA" in told.text
    assert counted(office, MailingRow, address="fred@example.org") == 1
    seats.sign_up(office, france, record.key, ["France"])
    work.run_due(office)
    record = games.game(office, CONSOLE, record.key)
    assert record.turn is not None
    assert record.turn.name == "Fall 1901 Movement"
    assert "A bur" in games.position(office, CONSOLE, record.key)["units"]["France"]
    send_all(office, record, {"France": france}, 1)
    passes(office, clock, timedelta(days=8))
    assert exports.rebuild(office, CONSOLE, record.key) == []
    text = proofs.transcript(office, VISITOR, record.key)
    report = verify(text.encode(), [office.public_key], [], office.variants)
    assert report.failures == [] and any(moved.file in line for line in report.told)
    lie = text.replace("A bur", "A gas", 1)
    assert verify(lie.encode(), [office.public_key], [], office.variants).failures


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"file": "abc"}, "SHA-256"),
        ({"source": ""}, "source"),
        ({"turns": -1}, "turns"),
        ({"position": {"turn": "Fall 1901 Movement", "units": {"France": ["A nowhere"]}}}, "nowhere"),
        ({"more": 1}, "more"),
    ],
)
def test_what_cannot_be_gone_on_from_is_refused(
    office: Office, moved: ImportedGame, change: dict[str, Any], told: str
) -> None:
    with pytest.raises(InvalidInputError, match=told):
        games.create(office, person(office, "Host"), {"name": "X", "variant": "standard"}, begun(moved, **change))
    assert games.list_games(office, CONSOLE) == []


def test_a_game_in_fog_does_not_move(office: Office, moved: ImportedGame, tmp_path: Path) -> None:
    (tmp_path / "fog.toml").write_text('title = "Fog"\nextends = "standard"\n[rules.fog_of_war]\n')
    office.variants = ListedVariants(Registry(tmp_path), office.catalog)
    position = {key: value for key, value in moved.position.items() if key in ("turn", "units", "centers")}
    with pytest.raises(ConflictError, match="hidden information"):
        games.create(office, person(office, "Host"), {"name": "X", "variant": "fog"}, begun(moved, position=position))


def test_from_the_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mails.txt").write_text(FILES["mail.txt"])
    (tmp_path / "plan.toml").write_text('name = "From mails"\n[seats]\nFrance = "fred@example.org"\n')
    where = ["-C", str(tmp_path / "office")]
    (tmp_path / "none.txt").write_text("hello")
    result = CliRunner().invoke(commands, [*where, "import", str(tmp_path / "none.txt")])
    assert result.exit_code == 1
    assert "none.txt: no game was found; these are read: jDip" in result.output and "Traceback" not in result.output
    assert not (tmp_path / "office").exists(), "no office is made for what isn't a game"
    line = ["import", str(tmp_path / "mails.txt"), "--plan", str(tmp_path / "plan.toml")]
    result = CliRunner().invoke(commands, [*where, *line])
    assert result.exit_code == 0, result.output
    assert "goes on from Fall 1901 Movement" in result.output
    assert "Invited by mail: France." in result.output
