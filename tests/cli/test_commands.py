"""The commands as their users run them: output, exit statuses, and what they say of bad input."""

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from legation import __version__
from legation.cli.app import GROUPS, MODULES, command_name
from legation.cli.help_building import built_pages
from legation.cli.help_pages import BREAK, KEPT
from legation.cli.judging import LONGEST_LINE
from tests.cli.forked import run_forked

GOOD: dict[str, Any] = {
    "variant": "hundred",
    "turn": "1425 Movement",
    "units": {"France": ["A par", "A dau"], "England": ["F lon"]},
    "centers": {"France": ["par", "dau"]},
    "orders": {"France": ["A par - orl", "A dau S A par - orl"]},
}
GIVEN = json.dumps(GOOD).encode() + b"\n"
ROOT = Path(__file__).parents[2]


def run(
    *words: str, given: str | bytes = "", columns: int = 100, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    data = given.encode() if isinstance(given, str) else given
    done = run_forked(words, data, {**os.environ, "COLUMNS": str(columns)}, cwd)
    result = subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())
    assert "Traceback" not in result.stderr, result.stderr
    return result


def ran(*words: str, given: str | bytes = "", cwd: Path | None = None) -> str:
    """What a command prints that does its work."""
    done = run(*words, given=given, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(*words: str, given: str | bytes = "") -> str:
    """What a command says that does not."""
    done = run(*words, given=given)
    assert (done.returncode, done.stdout) == (1, "")
    return done.stderr


def test_the_version_is_told() -> None:
    assert run("--version").stdout == f"legation {__version__}\n"


def test_a_rule_that_fails_is_told_in_a_line_with_its_place(manual_folder: Path) -> None:
    rule = manual_folder / "mine/rules/digging_in.py"
    rule.write_text(rule.read_text().replace("self.strength_gained if", "self.strength_lost if"))
    line = next(n for n, text in enumerate(rule.read_text().splitlines(), 1) if "strength_lost" in text)
    for words in (("adjudicate",), ("map", "-o", str(manual_folder / "turn.svg"))):
        done = run("--variants", str(manual_folder / "mine"), words[0], str(manual_folder / "turn.json"), *words[1:])
        place = f"{rule}, line {line}, in strength"
        assert (
            done.stderr == f"legation: {place}: AttributeError: 'DiggingIn' object has no attribute 'strength_lost'\n"
        )
        assert done.returncode == 1


def test_adjudicate_answers_with_verdicts_and_a_position_that_is_judged_again() -> None:
    answer = json.loads(ran("adjudicate", "-", given=GIVEN))
    assert [(v["order"], v["outcome"]) for v in answer["verdicts"]][:2] == [
        ("A par - orl", "succeeds"),
        ("A dau S A par - orl", "succeeds"),
    ]
    assert answer["after"]["turn"] == "1430 Movement"
    assert answer["after"]["units"]["France"] == ["A orl", "A dau"]
    assert answer["winner"] is None
    ran("adjudicate", "-", given=json.dumps(answer["after"]))
    report = ran("adjudicate", "--text", "-", given=GIVEN)
    for told in ("Hundred: 1425 Movement", "Army Paris moves to Orleanais", "Next: 1430 Movement"):
        assert told in report


def bad(**changes: Any) -> dict[str, Any]:
    return {**GOOD, **changes}


def test_all_faults_are_told_at_once_and_what_a_report_rests_on_beside_it() -> None:
    done = run("adjudicate", "-", given=json.dumps(bad(units={"Frence": ["A par"], "England": ["F par", "A xyz"]})))
    assert len(done.stderr.splitlines()) == 3
    given = {"variant": "hundred", "turn": "1425 Movement", "units": {"France": ["A par"]}}
    done = run("adjudicate", "-", "--text", given=json.dumps(given))
    assert (done.returncode, done.stderr) == (0, "legation: centers: none are given, so nobody owns any\n")


def test_the_next_position_may_go_to_a_pipe(tmp_path: Path) -> None:
    """A pipe has no name of its own: ``/dev/stdout`` stays what is written to."""
    done = run("adjudicate", "-", "--text", "--next", "/dev/stdout", given=GIVEN)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout[done.stdout.index("{") :])["turn"] == "1430 Movement"


def test_a_faulty_line_leaves_the_others_unharmed_also_one_with_a_name_too_long() -> None:
    deep = '{"variant":' + "[" * 100_000
    lines = [json.dumps(GOOD), "{broken", json.dumps(bad(variant="x")), deep, "", json.dumps(GOOD)]
    done = run("adjudicate", "--jsonl", "-", given="\n".join(lines))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert [a.get("line") for a in answers] == [None, 2, 3, 4, None]
    assert answers[0] == answers[4]
    assert "3 of 6 lines have errors" in done.stderr
    lines = [json.dumps(bad(variant="x" * 5000)), json.dumps(bad(variant="x" * 5000 + ".toml")), json.dumps(GOOD)]
    done = run("adjudicate", "--jsonl", "-", given="\n".join(lines))
    assert ["error" in json.loads(line) for line in done.stdout.splitlines()] == [True, True, False]


def test_a_line_too_long_is_answered_as_one_fault(tmp_path: Path) -> None:
    source = tmp_path / "turns.jsonl"
    source.write_bytes(b"x" * (2 * LONGEST_LINE + 3) + b"\n" + GIVEN)
    done = run("adjudicate", "--jsonl", str(source))
    first, second = map(json.loads, done.stdout.splitlines())
    assert first == {"error": "the line is longer than 16 MB", "line": 1}
    assert second["after"]["turn"] == "1430 Movement"


def test_lines_without_faults_end_well_also_behind_the_mark_that_some_programs_put_before_a_text() -> None:
    for mark in (b"", b"\xef\xbb\xbf"):
        assert len(ran("adjudicate", "--jsonl", "-", given=mark + GIVEN * 2).splitlines()) == 2


def test_megabytes_of_noise_as_orders_are_orders_not_understood() -> None:
    noise = "A par - " + "x y, z; " * 1_250_000
    done = run("adjudicate", "-", given=json.dumps(bad(orders={"France": [noise, "A dau - pro"]})))
    assert done.returncode == 0 and len(done.stdout) < 20_000
    outcomes = {v["order"]: v["outcome"] for v in json.loads(done.stdout)["verdicts"]}
    assert outcomes["A dau - pro"] == outcomes["A par H"] == "succeeds"


def test_orders_lists_what_may_be_ordered_in_a_position_of_the_variant() -> None:
    found = json.loads(run("orders", "standard", "--json").stdout)
    assert "F stp/sc - bot" in found["Russia"]
    assert "A mar S A par - bur" in found["France"]
    unnamed = {key: value for key, value in GOOD.items() if key != "variant"}
    assert run("orders", "hundred", "-", given=json.dumps(unnamed)).returncode == 0


@pytest.mark.long
def test_orders_come_in_the_same_sequence_whatever_the_hash_seed() -> None:
    lists = {
        subprocess.run(
            [sys.executable, "-m", "legation", "orders", "three-kingdoms"],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(lists) == 1


def test_a_turn_without_anything_to_order_is_told() -> None:
    retreats = json.dumps({**GOOD, "turn": "1425 Retreats", "orders": {}})
    assert run("orders", "hundred", "-", given=retreats).stdout == "Nobody: nothing to order in 1425 Retreats\n"
    told = run("orders", "hundred", "-", "--power", "English", given=retreats).stdout
    assert told == "England: nothing to order in 1425 Retreats\n"


def test_moves_shows_each_coast_of_whatever_stands_there() -> None:
    found = json.loads(ran("moves", "standard", "St Petersburg", "--json"))
    assert set(found["moves"]) == {"A stp", "F stp/nc", "F stp/sc"}
    assert ran("moves", "hundred", "the unit in Paris") == ran("moves", "hundred", "Paris")


@pytest.mark.long
def test_variants_and_rules() -> None:
    listed = {v["name"] for v in json.loads(run("variants", "--json").stdout)}
    assert {"standard", "hundred", "hundred3", "hundred1"} <= listed
    for name in sorted(listed):
        book = json.loads(run("rules", name, "--json").stdout)
        assert book["clauses"]
        assert book["options"]
        assert run("rules", name).returncode == 0


def test_the_rules_begin_with_what_a_newcomer_must_know_and_say_what_differs() -> None:
    text = run("rules", "1000ad").stdout
    heads = ["If you are new to the game", "Powers", "The rules of this variant", "How orders are written", "Options"]
    places = [text.index(f"\n{head}\n===") for head in heads]
    assert places == sorted(places)
    told = " ".join(text.split())
    assert "* Fast ferry" in told and "- A power builds in the vacant home centers" in told
    assert "The rulebook of 1971 holds where no rule of the variant replaces it." in told
    assert "* convoy_paradox = 1971, not szykman" in told
    for worth in ("worth 2 if one unit attacks it;", "1 if that attack has one support;", "0 if it has two;"):
        assert worth in told
    assert "\n* " not in run("rules", "standard").stdout


def test_the_rules_take_the_width_of_the_terminal() -> None:
    for columns in (60, 80, 200):
        lines = run("rules", "three-kingdoms", columns=columns).stdout.splitlines()
        assert columns * 0.9 < max(map(len, lines)) <= columns


@pytest.mark.long
def test_what_is_reconstructed_is_said_wherever_the_board_is_shown(tmp_path: Path) -> None:
    assert "The map of this variant is lost." in run("rules", "three-kingdoms").stdout
    book = run("rules", "three-kingdoms", "--places").stdout
    assert "- Newry (newry, supply center): Reconstructed. Neutral center" in " ".join(book.split())
    assert "Reconstructed. Neutral center; head of Carlingford Lough" in run("moves", "three-kingdoms", "Newry").stdout
    for words in (
        ["map", "three-kingdoms", "-o", str(tmp_path / "index.svg")],
        ["site", "three-kingdoms", "-o", str(tmp_path)],
    ):
        assert run(*words).returncode == 0
    for name in ("index.svg", "index.html"):
        assert "The map of this variant is lost." in (tmp_path / name).read_text()
    assert "econstructed" not in run("rules", "standard").stdout
    assert run("rules", "standard", "--places").stdout == "There are no notes on the places of Diplomacy.\n"


def test_a_turn_of_a_saved_game_is_drawn(tmp_path: Path) -> None:
    game = str(ROOT / "examples" / "hundred.json")
    target = tmp_path / "turn.svg"

    def drawn(*words: str) -> str:
        done = run("map", game, "-o", str(target), *words)
        assert done.returncode == 0, done.stderr
        return target.read_text()

    first = drawn("--turn", "1")
    assert "1425 Movement" in first
    assert first == drawn("--turn", "1425 movement")
    assert "succeeds" in first
    assert 'class="o o' not in drawn("--turn", "now")
    assert 'class="o o' in drawn()
    told = refused("map", game, "--turn", "Spring 1901", "-o", str(target))
    assert "the turns are 1 (1425 Movement) to" in told


def test_replay_proves_the_examples() -> None:
    for example in sorted((ROOT / "examples").glob("*.json")):
        assert "replay to the same outcomes" in ran("replay", str(example))


def test_replay_finds_a_changed_outcome() -> None:
    game = json.loads((ROOT / "examples" / "hundred.json").read_text())
    game["turns"][0]["verdicts"][0]["outcome"] = "bounced"
    assert "stored bounced, replayed succeeds" in refused("replay", "-", given=json.dumps(game))


def test_a_game_of_other_rules_is_replayed_with_a_word_and_written_anew(tmp_path: Path) -> None:
    game = json.loads((ROOT / "examples" / "hundred.json").read_text())
    pinned = game["rules"].split("-")
    changed = {**game, "rules": "-".join(["0" * 32, *pinned[1:]])}
    done = run("replay", "-", "-o", str(tmp_path / "new.json"), given=json.dumps(changed))
    assert done.returncode == 0
    assert done.stderr.startswith("legation: standard input: rules (")
    assert json.loads((tmp_path / "new.json").read_text())["rules"] == game["rules"]
    assert run("replay", str(tmp_path / "new.json")).stderr == ""


def test_help_is_what_it_would_be_with_every_command_built() -> None:
    pages = built_pages()
    assert Path(KEPT).read_text("utf-8") == pages, "write it anew: python -m legation.cli.help_building"
    whole, *others = pages.replace("python -m legation", "legation").split(BREAK)
    groups = [page for page in others if "COMMAND [ARGS]" in page.partition("\n")[0]]
    assert len(groups) == len(MODULES) - 1 and "--install-completion" in whole
    assert all("Example: " in page for page in others if page not in groups)
    assert run("--help", columns=80).stdout == run("-h").stdout == run().stderr == whole
    for page in groups:
        name = page.split()[2]
        assert run(name, "--help").stdout == run(name, "-h", columns=100).stdout == run(name).stderr == page

    def told(text: str) -> list[list[str]]:  # widths differ
        return [line.split()[:3] for line in text.partition("Commands:")[2].splitlines()]

    narrow = run("--help", columns=60).stdout
    assert max(map(len, narrow.splitlines())) < 60 < max(map(len, whole.splitlines()))
    assert told(narrow) == told(whole) and len(told(narrow)) > 15
    short = [page for page in others if not page.splitlines()[1].strip()]  # others wrap where the program's name ends
    for page in [page for page in short if page not in groups][::9]:
        words = page.partition(" [")[0].split()[2:]
        assert run(*words, "--help").stdout == run(*words, "-h", columns=80).stdout == page


@pytest.mark.parametrize("words", ["", "office", "office correct", "lab play", "adjudicate"])
def test_help_needs_no_extra(words: str) -> None:
    absent = "import sys; sys.modules |= dict.fromkeys(['typer', 'msgspec', 'sqlalchemy', 'numpy', 'rich']); "
    program = f"{absent} sys.argv = ['legation', *{words.split()}, '--help']; from legation.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    usage = done.stdout.partition("\n\n")[0]
    assert " ".join(usage.split()).startswith(f"Usage: legation {words} [".replace("  ", " "))


def test_every_command_that_is_declared_is_found_in_the_table_of_modules() -> None:
    for group, rows in MODULES.items():
        for module, _ in rows:
            import_module(f"legation.cli.{module}")
        named = [name for _, names in rows for name in names.split()]
        assert sorted(map(command_name, GROUPS[group].registered_commands)) == sorted(named)


def test_readings_of_options_are_written_as_they_are_shown() -> None:
    book = run("rules", "hundred", "-o", "waiving=FALSE", "-o", "calendar=plain", "-o", "english_fleet=English Channel")
    shown = " ".join(book.stdout.split())
    assert "waiving = true | *false" in shown
    assert "calendar = *plain | judge" in shown
    assert "devon | *english channel" in shown


def test_the_rulebook_tells_homes_that_are_to_be_taken_and_the_years_of_a_calendar() -> None:
    text = run("rules", "1898").stdout
    assert "- Austria: Army Trieste; homes Budapest, Trieste, Vienna" in text
    assert "- Vikings: homes " in run("rules", "1000ad").stdout
    assert "homes" not in run("rules", "standard").stdout.partition("The rules of this variant")[0]
    text = " ".join(run("rules", "hundred").stdout.split())
    assert "In 1425, 1435, 1445 and so on: Movement, Retreats." in text
    assert "In 1430, 1440, 1450 and so on: Movement, Retreats, Adjustments." in text


@pytest.mark.parametrize("words", [["rules", "standard"], ["adjudicate", "--jsonl", "-"]])
@pytest.mark.parametrize(
    ("full", "told"), [(True, b"legation: standard output: No space left on device\n"), (False, b"")]
)
def test_a_full_disk_is_told_in_a_line_and_a_reader_that_stops_early_is_not(
    words: list[str], full: bool, told: bytes
) -> None:
    if full and not Path("/dev/full").exists():
        pytest.skip("needs a disk that is always full")
    reading, writing = os.pipe()
    os.close(reading)
    output = os.open("/dev/full", os.O_WRONLY) if full else writing
    program = [sys.executable, "-m", "legation", *words]
    done = subprocess.run(program, stdout=output, stderr=subprocess.PIPE, input=GIVEN, check=False)
    for each in {writing, output}:
        os.close(each)
    assert (done.returncode, done.stderr) == (1, told)


def test_every_line_is_answered_before_the_next_is_read() -> None:
    command = [sys.executable, "-m", "legation", "adjudicate", "--jsonl", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        for _ in range(2):
            asked.stdin.write(GIVEN)
            asked.stdin.flush()
            assert json.loads(asked.stdout.readline())["turn"] == "1425 Movement"
        asked.stdin.close()
        assert asked.wait() == 0


@pytest.mark.long
def test_an_extra_that_is_missing_is_told_in_a_line(tmp_path: Path) -> None:
    for package, words, extra in (
        ("sqlalchemy", ["serve", str(tmp_path / "office")], "office"),
        ("resvg_py", ["map", "hundred", "-o", str(tmp_path / "x.png")], "pictures"),
        ("typst", ["map", "hundred", "-o", str(tmp_path / "x.pdf")], "pictures"),
    ):
        code = (
            f"import sys; sys.modules[{package!r}] = None; sys.argv[1:] = {words!r}; import legation.cli as c; c.main()"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert done.returncode == 1 and len(done.stderr.splitlines()) == 1, done.stderr
        assert f"pip install 'legation[{extra}]'" in done.stderr


def test_the_examples_of_the_manual_and_the_readme_run() -> None:
    subprocess.run([sys.executable, str(ROOT / "docs/examples/questions.py")], check=True, capture_output=True)
    for path in (ROOT / "README.md", *(ROOT / "docs" / page for page in ("in-python.md", "how-an-order-travels.md"))):
        blocks = path.read_text(encoding="utf-8").split("```python\n")[1:]
        code = "\n".join(block.partition("```")[0] for block in blocks)
        assert code
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_what_has_no_command_of_its_own_is_made_from_the_offices_declaration(tmp_path: Path) -> None:
    at = ("office", "-C", str(tmp_path / "office"))
    run(*at, "person", "Ann", "ann@example.org")
    run(*at, "create", "--name", "Naseby", "--variant", "hundred", "--as", "ann@example.org")
    assert json.loads(run(*at, "games.game", "naseby").stdout)["name"] == "Naseby"
    changed = run(*at, "games.set_settings", "naseby", '{"grace": 7}', "--as", "ann@example.org")
    assert json.loads(changed.stdout)["settings"]["grace"] == 7
    told = run(*at, "journal.entries", "--help").stdout
    assert "{GAME}" in told and "--limit" in told and "For: visitor" in told
    for words, wrong in (
        (("games.game", "marston"), "There is no game 'marston'"),
        (("games.set_settings", "naseby", "5"), "changes: Expected `object`, got `int`"),
        (("games.nothing",), "No such command 'games.nothing'"),
    ):
        done = run(*at, *words)
        assert done.returncode and wrong in done.stderr, done.stderr
