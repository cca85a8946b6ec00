"""A season of the Three Kingdoms by post: the coordinator does all of it at the terminal, players by mail."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from legation.cli.app import app
from legation.office.clock import SimulatedClock
from legation.office.office import Office
from legation.variants.clauses import clauses_of
from tests.office.postal_season import (
    GAME,
    NAME,
    PEOPLE,
    POWERS,
    SENTENCES,
    Coordinator,
    Season,
    play,
)
from tests.office.test_terminal_games import terminal  # noqa: F401

Terminal = Callable[..., str]
BOSS = ("--as", "cora@example.org")


class AtTheTerminal(Coordinator):
    """Runs the game by commands."""

    begins = "seated"

    def __init__(self, terminal: Terminal, folder: Path) -> None:
        self.run, self.folder = terminal, folder

    def found(self) -> None:
        for name in ("Cora", "Dora", *(name.title() for name in PEOPLE.values())):
            self.run("person", name, f"{name.lower()}@example.org")
        self.run(
            "create",
            self.plan("Marston Moor", "hundred", ("Burgundy", "England", "France")),
            "--schedule",
            "three-kingdoms",
            *BOSS,
        )
        self.run("address", "1 Fish Street", "London", "--country", "England", *BOSS)
        plan = self.plan(NAME, "three-kingdoms", POWERS)
        made = self.run("create", plan, "--schedule", "three-kingdoms", "--coordinated", *BOSS)
        for part in ("first orders by post", "photographs only", "draft results", "approved by the coordinator"):
            assert part in made
        if "running" not in self.run("show", GAME, *BOSS):
            self.run("start", GAME, *BOSS)
        for power, name in PEOPLE.items():
            self.run("replace", GAME, power, f"{name}@example.org", "a person", *BOSS)
            own = ("--country", "England", "--as", f"{name}@example.org")
            self.run("address", f"{len(name)} Mill Lane", "Worcester", *own)
        dates = ("--from", "2026-03-15", "--to", "2026-04-10")
        self.run("address", "Beach House", *dates, "--country", "Spain", "--as", "clara@example.org")

    def plan(self, name: str, variant: str, powers: list[str] | tuple[str, ...]) -> str:
        file = self.folder / f"{name}.json"
        file.write_text(json.dumps({"name": name, "variant": variant, "seats": dict.fromkeys(powers, "bot:hold")}))
        return str(file)

    def refuses_another(self) -> str:
        return self.run("create", self.plan(NAME, "hundred", ("Burgundy", "England", "France")), *BOSS, status=1)

    def games(self) -> str:
        return self.run("games", *BOSS)

    def turn(self) -> tuple[str, datetime]:
        turn = json.loads(self.run("show", GAME, "--json", *BOSS))["turn"]
        return turn["name"], datetime.fromisoformat(turn["deadline"])

    def sees(self) -> str:
        refused = self.run("preview", GAME, *BOSS, status=1)
        return refused + self.run("submissions", GAME, *BOSS) + self.run("journal", GAME, *BOSS)

    def desk(self) -> dict[tuple[str, str], int]:
        return {(i["kind"], i["power"]): i["id"] for i in json.loads(self.run("desk", GAME, "--json", *BOSS))}

    def posted(self, power: str) -> None:
        self.run("posted", GAME, power, "blue", *BOSS)

    def deputy(self, name: str) -> None:
        self.run("deputy", GAME, f"{name}@example.org" if name else "", *BOSS)

    def confirm(self, name: str, item: int, text: str) -> None:
        self.run("transcribe", str(item), "-", "--as", f"{name}@example.org", text=f"{text}\n")

    def pause(self, reason: str) -> None:
        self.run("pause", GAME, reason, *BOSS)

    def resume(self) -> None:
        assert "goes on" in self.run("resume", GAME, *BOSS)

    def extend(self, until: datetime, reason: str) -> None:
        self.run("extend", GAME, until.isoformat(), reason, *BOSS)

    def versions(self, item: int) -> tuple[str, dict[int, str], int]:
        output = self.folder / f"pictures {item}"
        shown = self.run("look", str(item), "-o", str(output), *BOSS)
        found = re.findall(r"version (\d+) \(submission (\d+)\)", shown)
        return shown, {int(version): number for version, number in found}, len(list(output.iterdir()))

    def choose(self, item: int, choice: str, reason: str) -> None:
        self.run("choose", str(item), choice, reason, *BOSS)

    def accept(self, item: int, reason: str) -> None:
        self.run("accept", str(item), reason, *BOSS)

    def dismiss(self, item: int) -> None:
        self.run("settle", str(item), "not Anna's", *BOSS)

    def tries(self, item: int, text: str) -> str:
        return self.run("transcribe", str(item), "-", "--try", *BOSS, text=f"{text}\n")

    def transcribe(self, item: int, text: str) -> None:
        said = self.run("transcribe", str(item), "-", *BOSS, text=f"{text}\n")
        assert any(part in said for part in ("Next on the desk: item ", "has still to read", "The desk has nothing")), (
            said
        )

    def photographs(self, item: int, power: str, turn: str, picture: bytes) -> None:
        file = self.folder / "letter.jpg"
        file.write_bytes(picture)
        assert "1 photograph" in self.run("photographs", GAME, turn, power, str(file), *BOSS)

    def preview(self) -> str:
        return self.run("preview", GAME, *BOSS)

    def publish(self) -> None:
        self.run("publish", GAME, *BOSS)

    def publish_final(self) -> None:
        said = self.run("publish", GAME, "--final", *BOSS)
        assert said.startswith("The season's results are final. ")

    def correct(self, power: str, text: str, reason: str, turn: int = 1) -> None:
        self.run("correct", GAME, str(turn), power, "-", reason, *BOSS, text=f"{text}\n")

    def record(self) -> str:
        return self.run("journal", GAME, *BOSS)

    def calendar(self) -> bytes:
        return self.run("calendar", GAME, *BOSS).replace("\n", "\r\n").encode()

    def roster(self, days: int) -> str:
        return self.run("roster", GAME, "--on", f"{date(2026, 3, 2) + timedelta(days)}", *BOSS)

    def moves(self, place: str) -> str:
        return CliRunner().invoke(app, ["moves", "three-kingdoms", place]).output

    def maps(self) -> dict[str, bytes]:
        folder = self.folder / "maps"
        self.run("print", GAME, "maps", "-o", str(folder), *BOSS)
        return {file.name: file.read_bytes() for file in folder.iterdir()}

    def prints(self, what: str) -> bytes:
        folder = self.folder / what
        words = ("--power", "Crown") if what == "letters" else ()
        self.run("print", GAME, what, "-o", str(folder), *words, *BOSS)
        return next(iter(folder.iterdir())).read_bytes()

    def settings(self, post_days: int) -> None:
        self.run("settings", GAME, f"post_days={post_days}", *BOSS)
        assert json.loads(self.run("settings", GAME, "--json", *BOSS))["post_days"] == post_days

    def replace(self, power: str, name: str, reason: str) -> None:
        self.run("vacate", GAME, power, "no answer", *BOSS)
        self.run("replace", GAME, power, f"{name}@example.org", reason, *BOSS)
        printed = self.run("print", GAME, "envelopes", "-o", str(self.folder / "out"), *BOSS)
        assert f"No postal address is known for {power}" in printed and "envelopes-C5.pdf" in printed

    def cancel(self, reason: str) -> None:
        self.run("cancel", GAME, reason, *BOSS)

    def letters(self) -> str:
        return self.run("letters", GAME, *BOSS)

    def letter_posted(self, power: str) -> None:
        assert "posted on" in self.run("letters", GAME, power, *BOSS)

    def share(self, name: str, power: str) -> None:
        self.run("share", GAME, power, "--as", f"{name}@example.org")


@pytest.mark.long
@pytest.mark.usefixtures("without_children")
@pytest.mark.clause(*SENTENCES)
def test_the_coordinator_runs_a_season_from_the_terminal_alone(
    terminal: Terminal, office: Office, clock: SimulatedClock, tmp_path: Path
) -> None:
    play(Season(office, clock), AtTheTerminal(terminal, tmp_path))


def test_the_season_names_every_sentence_of_the_service() -> None:
    service = {c.id: c.summary for c in clauses_of("three-kingdoms") if c.part == "service" or c.id in ("W-24", "W-25")}
    assert {clause: " ".join(parts) for clause, parts in SENTENCES.items()} == service
