"""The coordinator's terminal through a whole game: what each command prints, and what it says to a slip."""

import json
import re
import tarfile
import tomllib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

from legation.cli.app import app
from legation.cli.office import terminal as office_terminal
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.desk import desk
from legation.office.errors import ConflictError, InvalidInputError, UnavailableError
from legation.office.game import seats
from legation.office.hosting import exports, games, roster
from legation.office.office import Office, open_office
from legation.office.operation import archive, work
from legation.office.orders import submissions
from legation.office.settings import Settings
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import TurnRow
from tests.office.playing import (
    CONSOLE,
    VISITOR,
    begin,
    close_turn,
    gather,
    passes,
    person,
    refuses,
    send_all,
    unmatched_mail,
)

Terminal = Callable[..., str]
PICTURE = ("sheet.jpg", b"\xff\xd8 a photograph", "image/jpeg")


@pytest.fixture(name="terminal")
def signed_in_terminal(
    office: Office, clock: SimulatedClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Terminal:
    """A command of the terminal, on the tests' clock; what it prints."""

    settings, random_source = Settings(settling=0, address="https://office.example"), SeededRandomSource("terminal")

    def opened(folder: Path) -> Office:
        return open_office(folder, settings, clock, random_source)

    monkeypatch.setattr(office_terminal, "open_office", opened)

    def run(*words: str, status: int = 0, text: str | bytes | None = None) -> str:
        done = CliRunner().invoke(app, ["office", "-C", str(tmp_path / "office"), *words], input=text)
        assert done.exit_code == status, done.output
        return done.output

    return run


def cells(output: str, *first: str) -> list[str]:
    """The cells of the row of a table that begins so."""
    (row,) = [line for line in output.splitlines() if line.split()[: len(first)] == list(first)]
    return row.split()[len(first) :]


def test_games_are_made_from_options_and_plans_and_listed(terminal: Terminal, tmp_path: Path) -> None:
    assert terminal("games") == "There are no games yet.\n"
    assert "Anna Ash <anna@example.org>" in terminal("person", "Anna Ash", "anna@example.org", "--administrator")
    anna = ("--as", "anna@example.org")
    made = terminal(
        *anna, "create", "--name", "Naseby", "--variant", "hundred", "--schedule", "weekly", "--coordinated"
    )
    assert made.startswith("naseby: Hundred, 3 powers; deal committed to by ")
    shown = json.loads(terminal("show", "naseby", "--json"))
    assert shown["settings"]["coordinated"] is True and shown["settings"]["schedule"] == "weekly"
    plan = tmp_path / "plan.json"
    plan.write_text('\ufeff{"name": "Valmy", "variant": "standard", "settings": {"grace": 10}}')
    assert terminal("create", str(plan), "--coordinated").startswith("valmy: ")
    kept = json.loads(terminal("show", "valmy", "--json"))["settings"]
    assert (kept["grace"], kept["coordinated"]) == (10, True), "options add to the plan's settings"
    listed = terminal("games", "--state", "gathering")
    assert cells(listed, "naseby")[:4] == ["hundred", "waiting", "for", "players"] and cells(listed, "naseby")[-3:] == [
        "0",
        "of",
        "3",
    ]
    assert cells(listed, "valmy")[-3:] == ["0", "of", "7"]
    assert terminal("games", "--state", "running") == "There are no games that are running.\n"
    assert "'gathering'" in terminal("games", "--state", "over", status=2), "the states that there are"


@pytest.mark.parametrize(
    ("name", "content", "words", "told"),
    [
        ("", "", ["--variant", "hundred"], "name the game's name, with --name or in a plan"),
        ("", "", ["--name", "Naseby"], "name the game's variant, with --variant or in a plan"),
        ("plan.toml", "name = ", [], "plan.toml: "),
        ("plan.toml", "\xff", [], "plan.toml: is not UTF-8"),
        ("plan.json", '["Naseby"]', [], "plan.json: a plan is a table with 'name' and 'variant'"),
        ("gone.toml", None, [], "gone.toml: No such file or directory"),
        ("plan.toml", 'name = "A"\nvariant = "hundred"\nsettings = 3', ["--coordinated"], "settings"),
        ("plan.toml", 'name = "A"\nvariant = "hundret"', [], "hundred"),
        ("plan.toml", 'name = "A"\nvariant = "hundred"\n[seats]\nSpain = "a@b.org"', [], "did you mean Burgundy or"),
        ("plan.toml", 'name = "new"\nvariant = "hundred"', [], "a game needs another name than that"),
    ],
)
def test_a_plan_that_cannot_be_used_is_told(
    terminal: Terminal, tmp_path: Path, name: str, content: str | None, words: list[str], told: str
) -> None:
    if name and content is not None:
        (tmp_path / name).write_bytes(content.encode("latin-1"))
    said = terminal("create", *([str(tmp_path / name)] if name else []), *words, status=1)
    assert told in said and said.startswith("legation: ") and "Traceback" not in said
    assert terminal("games") == "There are no games yet.\n"


def test_an_invitation_is_a_link(terminal: Terminal, office: Office) -> None:
    gather(office, CONSOLE, "Naseby")
    link = terminal("invite", "naseby", "ben@example.org", "--power", "France").strip()
    assert link.startswith("https://office.example/games/naseby/invitation/")
    ben = person(office, "Ben")
    seats.sign_up(office, ben, "naseby", invitation=link.rpartition("/")[2])
    assert cells(terminal("show", "naseby"), "France")[:2] == ["Ben", "held"]
    assert terminal("submissions", "naseby", status=1) == "legation: Naseby has not begun.\n"
    assert "did you mean Burgundy or England or France?" in terminal("invite", "naseby", "--power", "Prussia", status=1)
    assert "Naseby has not begun" in terminal("export", "naseby", "--all", status=1)


@pytest.mark.long
def test_what_comes_in_and_what_waits_on_the_desk(
    terminal: Terminal, office: Office, clock: SimulatedClock, tmp_path: Path
) -> None:
    record, players, _ = begin(office, coordinated=True, ready_ends=False, opening_by_post=True)
    key = record.key
    assert "Nothing has come in yet." in terminal("submissions", key)
    assert "France: version 1, registered 2026-03-02 12:00 UTC." in terminal("posted", key, "France", "a blue stamp")
    for text in ("A dev H", "v2 replaces v1 if France agrees\nA dev - brt"):
        submissions.submit(office, players["England"], key, "England", text)
    submissions.submit_pictures(office, players["Burgundy"], key, "Burgundy", [PICTURE])
    listed = terminal("submissions", key)
    assert cells(listed, "England", "2")[:2] == ["web", "text"]
    assert "dev" not in listed, "nothing of what it says"
    assert {line["power"] for line in json.loads(terminal("submissions", key, "--json"))} == set(players)
    terminal("extend", key, "tomorrow", "no", status=1)
    assert "due 2026-03-04 12:00 UTC" in terminal("extend", key, "2026-03-04T13:00+01:00", "a strike")
    passes(office, clock, timedelta(days=3))
    waiting = {(item["kind"], item["power"]): item["id"] for item in json.loads(terminal("desk", "--json"))}
    versions = terminal("look", str(waiting["choose", "England"]))
    assert "version 1 (submission " in versions and "\nA dev H\n" in versions
    choice = desk.item(office, CONSOLE, waiting["choose", "England"])
    assert "Done" in terminal("choose", str(choice.id), str(choice.submissions[0]), "France did not agree")
    assert "already" in terminal("choose", str(choice.id), str(choice.submissions[0]), "again", status=1)
    unposted = [item for (kind, _), item in waiting.items() if kind == "unposted"]
    assert len(unposted) == 2, "revisions of England and Burgundy, whose sheets never came"
    for item in unposted:
        assert "Done" in terminal("accept", str(item), "--yes", "it was seen on the photograph")
    Image.new("RGB", (40, 40)).save(tmp_path / "letter.jpg")
    assert "1 photograph of" in terminal("photographs", key, "1", "France", str(tmp_path / "letter.jpg"))
    transcribe = [item for (kind, _), item in waiting.items() if kind == "transcribe"]
    for item in transcribe:
        assert "This item can't be dismissed. Do what it asks for." in terminal("settle", str(item), status=1)
        terminal("transcribe", str(item), "-", text="\ufeffA par H\n".encode())
    assert "is not UTF-8" in terminal("transcribe", str(transcribe[0]), "-", text=b"\xff", status=1)
    assert games.result(office, CONSOLE, key, "1").state == "final"


@pytest.mark.long
def test_results_are_looked_at_published_taken_back_and_made_final(
    terminal: Terminal, office: Office, clock: SimulatedClock
) -> None:
    record, players, _ = begin(
        office, coordinated=True, ready_ends=False, drafts=True, approve=True, schedule="three-kingdoms"
    )
    key = record.key
    assert "no results of 1425 Movement to look over" in terminal("preview", key, status=1)
    assert "no draft results to make final" in terminal("publish", key, "--final", status=1)
    submissions.submit_pictures(office, players["England"], key, "England", [PICTURE])
    send_all(office, record, {p: a for p, a in players.items() if p != "England"}, 1)
    close_turn(office, clock, record)
    (item,) = json.loads(terminal("desk", "--json"))
    terminal("transcribe", str(item["id"]), "-", text="A dev H\n")
    assert terminal("preview", key).startswith("1425 Movement, judged\n")
    terminal("result", key, "1", status=1)
    assert terminal("publish", key) == "The draft results of 1425 Movement are published.\n"
    assert "no results of 1425 Movement to publish" in terminal("publish", key, status=1)
    assert "A dev - brt" in terminal("correct", key, "1", "England", "-", "it says Bristol", text="A dev - brt\n")
    terminal("result", key, "1", status=1)
    looked = terminal("preview", key)
    assert "Corrected, England (it says Bristol):" in looked and "was: A dev H" in looked
    assert terminal("publish", key) == "The draft results of 1425 Movement are published.\n"
    assert json.loads(terminal("result", key, "1", "--json"))["state"] == "draft"
    assert terminal("take-back", key, "one more look") == "1425 Movement is withdrawn.\n"
    assert "no draft results to withdraw" in terminal("take-back", key, "again", status=1)
    terminal("publish", key)
    terminal("publish", key, "--final", status=1)
    kinds = [entry["kind"] for entry in json.loads(terminal("journal", key, "--json"))]
    assert [k for k in kinds if k in ("corrected", "draft taken back")] == [
        "draft taken back",
        "corrected",
        "draft taken back",
    ], kinds
    assert "it says Bristol" in terminal("journal", key)


def test_the_end_of_a_game_its_proofs_and_its_people(
    terminal: Terminal, office: Office, clock: SimulatedClock, postgres: Callable[[], str], tmp_path: Path
) -> None:
    record, players, _ = begin(office, ready_ends=True, channels={"Movement": ["api", "web", "post"]})
    key = record.key
    roster.add_address(office, players["France"], ["2 rue du Bac", "Paris"], "France", primary=True)
    people = terminal("roster", key)
    assert "2 rue du Bac, Paris, France" in people and cells(people, "England")[-1] == "-"
    assert len(json.loads(terminal("roster", key, "--json"))) == 3
    for power, actor in players.items():
        submissions.submit(office, actor, key, power, "draw")
        submissions.ready(office, actor, key, power)
    work.run_due(office)
    shown = terminal("show", key)
    assert "Ended. A draw between Burgundy, England and France: all surviving powers agreed." in shown
    checks = json.loads(terminal("verify", key, "--json"))
    assert checks["replay"] == [] and all(proof["holds"] for proof in checks["proofs"]) and checks["proofs"]
    assert "rows copied. Write 'database' into" in terminal("move", postgres())


def test_a_commitment_that_was_changed_is_told_by_verify(
    terminal: Terminal, office: Office, clock: SimulatedClock
) -> None:
    record, players, _ = begin(office)
    send_all(office, record, players, 1)
    for power, actor in players.items():
        submissions.ready(office, actor, record.key, power)
    work.run_due(office)
    good = terminal("verify", record.key)
    assert good.count(" yes ") == 3 and "  no  " not in good
    unchecked = [line for line in good.splitlines() if "not checked: " in line]
    assert unchecked and all(line.split()[:2] == ["to", "know"] and " yes " not in line for line in unchecked)
    with office.store.transaction() as tx:
        turn = tx.get(TurnRow, 1)
        choices = unpack(turn.sheets)
        choices["France"]["text"] = "A par - orl"
        tx.change(turn, sheets=pack(choices))
    told = terminal("verify", record.key, status=1)
    assert "orders of France" in told and "they are not those of the transcript" in told, told


def test_a_mail_for_nobody_is_put_away(terminal: Terminal, office: Office) -> None:
    unmatched_mail(office, "a@b.example", text="Buy")
    (item,) = json.loads(terminal("desk", "--json"))
    assert "could not be matched" in terminal("desk") and "Buy" not in terminal("look", str(item["id"]))
    assert terminal("settle", str(item["id"]), "no business of ours") == "Done.\n"
    assert terminal("desk") == "The desk is empty.\n"


def test_a_deputy_is_named_at_the_terminal(terminal: Terminal, office: Office) -> None:
    record, _, _ = begin(office, coordinated=True)
    person(office, "Ben")
    told = terminal("deputy", record.key, "ben@example.org")
    assert told.startswith("Ben is the second reader of transcriptions.\n"), told
    assert terminal("deputy", record.key, "").startswith("The game no longer has a second reader.\n")
    begin(office, name="Naseby")
    refused = terminal("deputy", "naseby", "ben@example.org", status=1)
    assert refused == "legation: Naseby runs itself; there is nothing to transcribe.\n"


def test_two_readings_are_looked_at_and_decided_at_the_terminal(
    terminal: Terminal, office: Office, clock: SimulatedClock
) -> None:
    record, players, _ = begin(office, coordinated=True, ready_ends=False)
    key, ben = record.key, person(office, "Ben")
    terminal("deputy", key, "ben@example.org")
    submissions.submit_pictures(office, players["England"], key, "England", [PICTURE])
    passes(office, clock, timedelta(days=1))
    (first,) = json.loads(terminal("desk", "--json"))
    assert "has still to read 1 sheet" in terminal("transcribe", str(first["id"]), "-", text="A cal H\n")
    (second,) = desk.items(office, ben)
    assert "first reading:\nA cal H\n" in terminal("look", str(second.id))
    read = terminal("transcribe", str(second.id), "-", "--as", "ben@example.org", text="A cal - fla\n")
    assert "The desk has nothing for you" in read, "the deputy signs at the terminal, too"
    (open_,) = json.loads(terminal("desk", "--json"))
    assert open_["kind"] == "decide"
    looked = terminal("look", str(open_["id"]))
    assert (
        "\nfirst reading:\nA cal H\n\nsecond reading:\nA cal - fla\nversion 1, photographs, " in looked
        and ": sheet.jpg (" in looked
    )
    decided = terminal("decide", str(open_["id"]), "-", "the word is Flanders", text="A Calais - Flanders\n")
    assert "A cal - fla" in decided and "Without orders: A guy" in decided and "are done.\n" in decided
    assert decided.endswith("The desk has nothing for you to do.\n")
    assert "the word is Flanders" in terminal("journal", key)
    assert "Army Calais moves to Flanders" in terminal("result", key, "1")


def test_votes_at_the_terminal(office: Office, terminal: Terminal) -> None:
    game, players, host = begin(office)
    key, ann = game.key, f"{players['France'].name.lower()}@example.org"
    assert "to pause the game" in terminal("ask", key, "pause", "--as", f"{host.name.lower()}@example.org")
    assert cells(terminal("vote", key, "France", "pause", "--as", ann), "pause") == ["1", "of", "2:", "France"]
    assert "Taken back" in terminal("vote", key, "France", "pause", "--take-back", "--as", ann)
    assert cells(terminal("votes", key), "pause") == ["0", "of", "2"]
    terminal("vote", key, "France", "pause", status=1)  # the console has no seat
    terminal("vote", key, "France", "pause", "--as", ann)
    ben = f"{players['England'].name.lower()}@example.org"
    assert "have voted to pause" in terminal("vote", key, "England", "pause", "--as", ben)
    assert json.loads(terminal("votes", key, "--json"))[0]["kind"] == "resume"


def run(folder: Path, *words: str, status: int = 0, text: str | None = None) -> str:
    """A command of the terminal; what it prints."""
    done = CliRunner().invoke(app, ["office", "-C", str(folder), *words], input=text)
    assert done.exit_code == status, done.output
    return done.output


@pytest.mark.long
def test_a_coordinator_runs_a_game_from_the_terminal(tmp_path: Path) -> None:
    folder = tmp_path / "office"
    secret = run(folder, "person", "Anna Ash", "anna@example.org", "--token").splitlines()[-1]
    assert len(secret) == 32
    plan = tmp_path / "game.toml"
    plan.write_text(
        'name = "Powick Bridge"\nvariant = "hundred"\n[settings]\nschedule = "weekly"\ncoordinated = true\n'
    )
    assert "committed to by" in run(folder, "--as", "anna@example.org", "create", str(plan))
    assert "already a game called" in run(folder, "create", "--name", "Powick Bridge", "--variant", "hundred", status=1)
    for power in ("France", "England", "Burgundy"):
        run(folder, "bot", "powick-bridge", power, "hold")
    assert "1425 Movement" in run(folder, "start", "powick-bridge")
    assert json.loads(run(folder, "games", "--json"))[0]["state"] == "running"
    assert "moved to" not in run(folder, "journal", "powick-bridge")
    run(folder, "extend", "powick-bridge", "2099-01-15", "far away", status=1)
    assert "goes on" in run(folder, "pause", "powick-bridge", "ill") + run(folder, "resume", "powick-bridge")
    assert "The desk is empty." in run(folder, "desk")
    assert re.search(r"[1-9] steps? done", run(folder, "process", "powick-bridge"))  # the bots have sent their orders
    assert "sealed until the deadline" in run(folder, "process", "powick-bridge", status=1)
    run(folder, "replace", "powick-bridge", "France", "anna@example.org", status=1)  # who coordinates does not play
    run(folder, "replace", "powick-bridge", "France", "ben@example.org", "moved abroad")
    assert "New player" in run(folder, "show", "powick-bridge")  # who has no name yet
    assert "  no  " not in run(folder, "verify", "powick-bridge")
    assert json.loads(run(folder, "export", "powick-bridge"))["variant"] == "hundred"
    assert "no game" in run(folder, "show", "nowhere", status=1)


@pytest.mark.clause("W-20g")
def test_a_transcription_at_the_terminal(office: Office, clock: SimulatedClock, tmp_path: Path) -> None:
    record, players, boss = begin(office, coordinated=True, ready_ends=False)
    submissions.submit_pictures(
        office, players["England"], record.key, "England", [("a.jpg", b"\xff\xd8", "image/jpeg")]
    )
    passes(office, clock, timedelta(days=1))
    (item,) = desk.items(office, boss)
    folder = tmp_path / "office"
    run(folder, "look", str(item.id), "-o", str(tmp_path / "pictures"))
    (written,) = (tmp_path / "pictures").iterdir()
    assert written.read_bytes() == b"\xff\xd8" and "England-version-1-photographs" in written.name
    assert "did you mean" in run(folder, "transcribe", str(item.id), "-", "--try", text="A callaiz H\n")
    assert "A cal H" in run(folder, "transcribe", str(item.id), "-", text="A cal H\n")
    assert "Army Calais holds" in run(folder, "result", "powick-bridge", "1")


def test_the_terminal_names_a_power_with_its_article(office: Office, tmp_path: Path) -> None:
    record, _, _ = begin(office, "three-kingdoms", name="Naseby", coordinated=True, ready_ends=False)
    folder = tmp_path / "office"
    told = run(folder, "vacate", record.key, "charles stuart", "gone")
    assert "The Crown has no player and is in civil disorder." in told
    assert "The Crown is played by hold." in run(folder, "bot", record.key, "crown", "hold")
    assert "The Crown has a new player." in run(folder, "replace", record.key, "Crown", "ben@example.org", "moved")


SETTINGS_WITH_SECRETS = {
    "an address": 'smtp = "smtp://anna:sesame-open@relay.example.org:587"  # ask post@example.org\n',
    "a table": '[mail]\nimap = "imaps://orders:sesame-open@mail.example.org"\n',
    "a table in a line": "mail = {imap = 'imaps://orders:sesame-open@mail.example.org', every = 60}\n",
    "a database": 'database = "postgresql://legation:sesame-open@db/legation"\n',
    "odd characters": 'database = "postgresql://legation:a\'sesame-open@db/legation"\n',
    "two signs": 'smtp = "smtp://anna@example.org:se@sesame-open@relay.example.org"\n',
    "several lines": 'cabinet_key = """\nsesame-open"""\n',
    "a comment": 'keeper_token = "sesame-open"\n# keeper_token was sesame-open in spring\n',
    "escaped": 'keeper_token = "x"\n"watch\\u005ftoken" = "sesame-open"\n',
}


@pytest.mark.parametrize("where", SETTINGS_WITH_SECRETS)
def test_no_password_of_the_settings_is_in_a_backup(where: str) -> None:
    """A thief would read the mailbox to which orders are sent, or the database."""
    text = f"settling = 3\n{SETTINGS_WITH_SECRETS[where]}"
    left = archive.without_keys(text)
    assert "sesame" not in left and archive.NOT_KEPT in left and tomllib.loads(left)["settling"] == 3
    assert ("relay.example.org:587" in left) is (where == "an address"), "all but the password is kept"


def test_settings_that_cannot_be_read_are_not_kept() -> None:
    assert archive.without_keys("keeper_token = sesame") == f"# settings: {archive.NOT_KEPT}\n"
    assert tomllib.loads(archive.without_keys('[mail]\nevery = 60\nof = ["a:b"]')) == {
        "mail": {"every": 60, "of": ["a:b"]}
    }


def test_a_backup_has_everything_but_the_keys(office: Office, clock: SimulatedClock, tmp_path: Path) -> None:
    record, players, boss = begin(office, coordinated=True)
    for number in range(2):
        send_all(office, record, players, number)
        passes(office, clock, timedelta(days=1))
    submissions.submit_pictures(office, players["France"], record.key, "France", [("a.jpg", b"x", "image/jpeg")])
    file = tmp_path / "backup.tar.gz"
    keys = f'cabinet_key = "{"5a" * 32}"\n"keeper_token"="whisper"  # of both\n'
    (tmp_path / "office" / "office.toml").write_text(f'settling = 3\n{keys}orders_address = "a@example.org"\n')
    archive.backup(tmp_path / "office", file)
    with tarfile.open(file) as tar:
        assert not [name for name in tar.getnames() if "key" in name]
        settings = tar.extractfile("office.toml")
        assert settings is not None
        assert tomllib.loads(settings.read().decode()) == {"settling": 3, "orders_address": "a@example.org"}
    refuses(ConflictError, archive.backup, tmp_path / "office", file)
    refuses(ConflictError, archive.restore, file, tmp_path / "office")
    archive.restore(file, tmp_path / "again", keys=tmp_path / "office" / "keys")
    again = open_office(tmp_path / "again", clock=clock)
    assert exports.saved_game(again, boss, record.key) == exports.saved_game(office, boss, record.key)
    assert games.game(again, VISITOR, record.key) == games.game(office, VISITOR, record.key)
    assert [name for name, _ in again.files.names()] == [name for name, _ in office.files.names()]
    again.close()
    (tmp_path / "broken.tar.gz").write_bytes(file.read_bytes()[:200])
    refuses(InvalidInputError, archive.restore, tmp_path / "broken.tar.gz", tmp_path / "third")


def test_no_office_is_made_by_mistake(tmp_path: Path) -> None:
    for words in (["games"], ["verify", "x"], ["move", "sqlite:////x.db"]):
        assert "There is no office in" in run(tmp_path / "nowhere", *words, status=1)
    assert not (tmp_path / "nowhere").exists()


def test_a_database_that_cannot_be_used_is_told(office: Office) -> None:
    refuses(InvalidInputError, archive.move, office, "mysql://localhost/x").match("postgresql://")
    refuses(InvalidInputError, archive.move, office, "postgresql://localhost:port/x")
    with pytest.raises(UnavailableError, match="cannot be opened") as caught:
        archive.move(office, "postgresql://somebody:secret@127.0.0.1:1/x")
    assert "secret" not in caught.value.message
