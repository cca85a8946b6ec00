"""Files and the terminal: nothing is lost, nothing steers the terminal, no encoding ends in a traceback."""

import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from legation.cli.files import FileChangedError, KeptFile, replace_file
from legation.cli.terminal import LARGEST_INPUT, _paint, columns, placed, plain
from legation.office.office import open_office
from legation.office.settings import Settings
from tests.cli.forked import run_forked
from tests.cli.test_commands import run

STEERING = "A par - \x1b]0;owned\x07\x9b31m\u202ebur"


def with_encoding(encoding: str, *words: str, given: str = "") -> subprocess.CompletedProcess[bytes]:
    return run_forked(words, given.encode(), {**os.environ, "PYTHONIOENCODING": encoding}, None)


def test_a_program_of_its_own_takes_an_encoding_as_a_forked_one_does() -> None:
    words, around = ("rules", "three-kingdoms"), {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-m", "legation", *words], capture_output=True, env=around, check=True)
    assert done.stdout == with_encoding("ascii", *words).stdout and done.stderr == b""


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
@pytest.mark.parametrize(
    "words",
    [
        ["rules", "three-kingdoms"],
        ["variants"],
        ["adjudicate", "-"],
        ["adjudicate", "--text", "-"],
        ["play", "hundred"],
    ],
)
def test_no_encoding_ends_in_a_traceback(encoding: str, words: list[str]) -> None:
    given = "A par → 北京\nquit\n"
    if words[0] == "adjudicate":
        given = json.dumps({"variant": "hundred", "orders": {"France": ["A par → 北京 é"]}})
    done = with_encoding(encoding, *words, given=given)
    assert b"Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr
    done.stdout.decode(encoding)
    if words == ["adjudicate", "-"]:
        assert "北京" in json.loads(done.stdout.decode(encoding))["verdicts"][-1]["order"]


def test_findings_as_json_are_json_in_every_encoding(tmp_path: Path) -> None:
    folder = tmp_path / "büro"
    open_office(folder, Settings()).close()
    (folder / "keys").chmod(0o755)
    said = json.loads(with_encoding("ascii", "doctor", str(folder), "--json").stdout)
    assert any("büro/keys" in finding["text"] for finding in said)


def test_what_steers_a_terminal_never_reaches_it(tmp_path: Path) -> None:
    document = json.dumps({"variant": "standard", "orders": {"France": [STEERING]}})
    for words in (["adjudicate", "--text", "-"], ["adjudicate", "-"]):
        out = run(*words, given=document).stdout
        assert not set(out) & set("\x1b\x07\x9b\u202e"), words
    assert json.loads(run("adjudicate", "-", given=document).stdout)["verdicts"][-1]["order"].startswith("A par - \x1b")
    assert "\x1b" not in run("play", "standard", given=f"{STEERING}\nquit\n").stdout
    assert "\x1b" not in run("moves", "standard", "\x1b[31m").stderr
    assert "\x1b" not in run("adjudicate", "\x1b[31m").stderr
    assert plain("a\x1bb\tc\n\x9b\u202e") == "a\\x1bb\tc\n\\x9b\\u202e"


def test_faults_come_in_a_fixed_sequence() -> None:
    document = json.dumps({"variant": "standard", "zebra": 1, "apple": 2, "mango": 3, "units": 4, "turn": 5})
    told = {run("adjudicate", "-", given=document).stderr for _ in range(3)}
    assert len(told) == 1
    assert [line.split("'")[1] for line in told.pop().splitlines()[:3]] == ["zebra", "apple", "mango"]


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(b"old")
    path.chmod(0o640)
    replace_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640
    link = tmp_path / "link.json"
    link.symlink_to(path)
    replace_file(link, b"through")
    assert link.is_symlink()
    assert path.read_bytes() == b"through"

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        replace_file(path, b"lost")
    assert path.read_bytes() == b"through"
    assert sorted(f.name for f in tmp_path.iterdir()) == ["game.json", "link.json"]


def test_a_file_that_somebody_else_has_written_is_left(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    mine, other = KeptFile(path), KeptFile(path)
    mine.write(b"one")
    mine.write(b"two")
    with pytest.raises(FileChangedError):
        other.write(b"three")
    assert path.read_bytes() == b"two"
    other = KeptFile(path)
    other.write(b"three")
    path.unlink()
    with pytest.raises(FileChangedError):
        other.write(b"four")


def test_two_terminals_on_one_game_lose_nothing(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    assert run("play", "hundred3", "--save", str(saved), given="quit\n").returncode == 0
    command = [sys.executable, "-m", "legation", "play", "hundred3", "--resume", str(saved)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdin is not None
        assert first.stdout is not None
        while "Movement: " not in first.stdout.readline():
            pass
        other = run("play", "hundred3", "--resume", str(saved), given="A dij - cha\npass\npass\npass\nquit\n")
        assert other.returncode == 0
        out, _ = first.communicate("A dij - bur\npass\npass\npass\nquit\n")
    assert "was changed by another program" in out
    played = [
        json.loads(path.read_text())["turns"][0]["orders"]["Burgundy"] for path in (saved, tmp_path / "game-2.json")
    ]
    assert played[0] != played[1]
    for path in (saved, tmp_path / "game-2.json"):
        assert run("replay", str(path)).returncode == 0


def test_what_was_typed_survives_quitting(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    run("play", "hundred3", "--save", str(saved), given="A dij - cha\npass\nF lon - nth\nquit\n")
    assert json.loads(saved.read_text())["drafts"] == {"Burgundy": ["A dij - cha"], "England": ["F lon - nth"]}
    done = run("play", "hundred3", "--resume", str(saved), given="pass\npass\npass\nquit\n")
    assert "written already: A dij - cha" in done.stdout
    game = json.loads(saved.read_text())
    assert game["turns"][0]["orders"] == {"Burgundy": ["A dij - cha"], "England": ["F lon - nth"], "France": []}
    assert "drafts" not in game
    assert run("replay", str(saved)).returncode == 0


def test_outcomes_are_painted_by_what_became_of_them() -> None:
    report = "France\n  A par - bur   bounced (strength 1)\n  A mar H       void, dislodged by an attack\n  A bre H\n"
    assert _paint(report) == (
        "France\n  A par - bur   \x1b[33mbounced\x1b[0m (strength 1)\n"
        "  A mar H       \x1b[31mvoid\x1b[0m, dislodged by an attack\n  A bre H\n"
    )


@pytest.mark.parametrize("wide", [80, 200])
def test_reports_hang_in_the_width_of_the_terminal(wide: int) -> None:
    game = str(Path(__file__).parents[2] / "examples" / "hundred.json")
    lines = run("replay", game, "--text", columns=wide).stdout.splitlines()[:-1]
    assert max(map(len, lines)) <= wide
    assert any(line.startswith("      ") for line in lines) is (wide == 80)


def test_columns_are_read_downwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert columns(["one", "two", "three", "four", "five"]) == "  one    two    three  four   five"
    assert columns([f"{n}" * 12 for n in range(3)]) == f"  {'0' * 12}  {'2' * 12}\n  {'1' * 12}"


def test_a_document_beyond_all_measure_is_refused_before_it_is_read(tmp_path: Path) -> None:
    large = tmp_path / "large.json"
    with large.open("wb") as file:
        file.truncate(LARGEST_INPUT + 1)
    assert run("adjudicate", str(large)).stderr == f"legation: {large}: is larger than 64 MB\n"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (b'{"turn": "a", "turn": "b"}', ""),
        (b"[" * 100_000, "isn't a JSON document: it is nested too deeply\n"),
        (b'{"turn": "\xff"}', "isn't a JSON document: "),
        (b"{", "isn't a JSON document: it ends too early, at line 1, column 2"),
        (b'{\n "variant": "standard",\n "turn": x}', "isn't a JSON document: "),
        (b'{"variant": "x"}', "unknown variant"),
    ],
)
def test_json_that_nobody_can_take_for_one_thing_is_refused_with_its_place(given: bytes, told: str) -> None:
    said = run("adjudicate", "-", given=given).stderr
    assert said.startswith(f"legation: standard input: {told}")
    assert "line 3, column 10" in said or b": x}" not in given


def test_the_mark_of_an_encoding_is_passed_over_or_told() -> None:
    assert run("adjudicate", "-", given='\ufeff{"variant": "standard"}').returncode == 0
    assert "UTF-16" in placed("{}".encode("utf-16"), ValueError("x"))


def test_what_is_no_plain_file_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    replace_file(pipe, b"a map")
    assert os.read(reader, 100) == b"a map" and pipe.is_fifo()
    os.close(reader)


def test_variants_that_cannot_be_made_known_are_told(tmp_path: Path) -> None:
    faulty = tmp_path / "own.toml"
    faulty.write_text("title = 1")
    done = run("--variants", str(faulty), "variants")
    assert (done.returncode, done.stdout) == (1, "") and "own.toml: " in done.stderr
    taken = faulty.rename(tmp_path / "hundred.toml")
    for place, told in ((taken, "give this file another name"), (tmp_path / "nowhere", "there is no such folder")):
        done = run("--variants", str(place), "variants")
        assert (done.returncode, done.stdout) == (1, "") and told in done.stderr


def test_an_office_plays_the_variants_that_its_command_names(tmp_path: Path) -> None:
    own = Path(str(files("legation.atlas.table") / "templates"))
    missing = tmp_path / "office"
    for given in (own / "peninsula.toml", own):
        more = () if given.suffix else ("--variants", str(own))
        done = run("--variants", str(given), *more, "doctor", str(missing))
        assert done.returncode == 1 and "give --variants once, with a folder" in done.stderr
    taken = subprocess.run(
        [sys.executable, "-c", NAMED, "--variants", str(own), "doctor", str(missing)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert taken.stdout.splitlines()[-1] == str(own)


NAMED = """
import atexit, os
atexit.register(lambda: print(os.environ.get("LEGATION_VARIANTS")))
from legation.cli import main
main()
"""
