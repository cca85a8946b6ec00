"""A weekend tournament by the API alone: 49 people, three rounds, 21 boards, played by bots. A person withdraws, a
substitute plays, another plays on for somebody in the middle of a game, and a board ends late. Standings equal a
computation that knows nothing of the office's."""

from collections import Counter, defaultdict
from datetime import timedelta
from itertools import combinations
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient

from legation.bots import bot
from legation.cli.serving import whole_site
from legation.game import read_position
from legation.judge import Ruleset
from legation.notation import write
from legation.office.clock import SimulatedClock
from legation.office.office import Office
from legation.office.operation import work
from legation.variants import load
from tests.office.playing import person
from tests.web.test_api import token

API, KEY = "/api/v1", "weekend"
SETTINGS = {"anonymous": True, "ready_ends": False, "press": [], "reminder_hours": 0}
TURNS = 2
"""That a board plays before its people agree on a draw."""


class Weekend:
    """The tournament, with a program for each person."""

    def __init__(self, office: Office, clock: SimulatedClock) -> None:
        self.office, self.clock = office, clock
        self.http = TestClient(whole_site(office))
        self.rules: Ruleset = load("standard", {})
        self.host = token(office, person(office, "Hilda"))
        plan = {"name": "Weekend", "rounds": 3, "system": "sum-of-squares", "settings": SETTINGS}
        self.call("POST", "/tournaments", self.host, plan)
        self.people: dict[str, dict[str, str]] = {}
        for number in range(50):
            name = f"Person {number:02}"
            self.people[name] = token(office, person(office, name.replace(" ", "")))
            told = self.call("POST", f"/tournaments/{KEY}/entry", self.people[name], {"substitute": number == 49})
        self.numbers = {self.spaced(entrant["name"]): entrant["number"] for entrant in told["entrants"]}
        self.played: dict[tuple[int, int], dict[str, str]] = {}

    @staticmethod
    def spaced(name: str) -> str:
        return name.replace("Person", "Person ")

    def call(self, method: str, path: str, who: dict[str, str] | None = None, body: Any = None) -> Any:
        answer = self.http.request(method, API + path, headers=who or {}, json=body)
        assert answer.status_code < 300, (method, path, answer.text)
        return answer.json() if answer.content else None

    def round(self, number: int) -> list[dict[str, Any]]:
        """Have a round seated and begun; its boards."""
        self.call("POST", f"/tournaments/{KEY}/rounds", self.host)
        work.run_due(self.office)
        self.call("POST", f"/tournaments/{KEY}/rounds/{number}/start", self.host)
        work.run_due(self.office)
        return self.boards(number)

    def boards(self, number: int) -> list[dict[str, Any]]:
        """The boards of a round as the organizer sees them, who doesn't play; who plays them is noted."""
        told = self.call("GET", f"/tournaments/{KEY}", self.host)
        boards = [board for board in told["boards"] if board["round"] == number]
        for board in boards:
            where = (number, board["number"])
            self.played[where] = {seat["power"]: self.spaced(seat["player"]) for seat in board["seats"]}
        return boards

    def turn(self, boards: list[dict[str, Any]], *, agree: bool = False) -> None:
        """A turn of some boards: every person's program sends orders, and where they ``agree`` votes for a draw."""
        for board in boards:
            path = f"/games/{board['game']}"
            game = self.call("GET", path)
            faults: list[str] = []
            position = read_position(self.rules, game["position"], faults)
            for seat in game["seats"]:
                if seat["sent"] is not False:
                    continue
                sheet = bot("random")(self.rules, position, seat["power"], Random(f"{path} {position.turn}"))
                lines = [write(order) for order in sheet.orders] or ["# nothing"]
                who = self.people[self.played[board["round"], board["number"]][seat["power"]]]
                text = "\n".join([*lines, *(["draw"] if agree else [])])
                self.call("POST", f"{path}/seats/{seat['power']}/submissions", who, {"text": text})
        self.clock.set(max(self.clock.now(), work.next_due(self.office) or self.clock.now()))
        self.clock.advance(timedelta(hours=25))
        work.run_due(self.office)

    def play(self, boards: list[dict[str, Any]]) -> None:
        """Play boards until all have agreed on a draw."""
        for number in range(30):
            running = [b for b in boards if self.call("GET", f"/games/{b['game']}")["state"] == "running"]
            if not running:
                return
            self.turn(running, agree=number >= TURNS)
        raise AssertionError("the boards don't end")

    def expected(self) -> dict[str, float]:
        """Totals by the sum of squares, from the centers that each game's own page tells."""
        totals: dict[str, float] = defaultdict(float)
        told = self.call("GET", f"/tournaments/{KEY}")
        for board in told["boards"]:
            if board["state"] != "over":
                continue
            game = self.call("GET", f"/games/{board['game']}")
            centers = {seat["power"]: seat["centers"] for seat in game["seats"]}
            whole = sum(count**2 for count in centers.values())
            for power, player in self.played[board["round"], board["number"]].items():
                totals[player] += 100 * centers[power] ** 2 / whole
        return totals

    def standings_are_right(self) -> dict[str, float]:
        """The standings, which equal what is expected, with places that follow from it."""
        told = self.call("GET", f"/tournaments/{KEY}/standings?live=true")
        found = {self.spaced(line["name"]): line["total"] for line in told["places"]}
        assert found == pytest.approx(self.expected(), abs=1e-4)
        better = sorted(found.values(), reverse=True)
        for line in told["places"]:
            assert line["place"] >= better.index(line["total"]) + 1
        assert [line["place"] for line in told["places"]] == sorted(line["place"] for line in told["places"])
        return found


@pytest.mark.long
def test_a_weekend_tournament_of_49_people(office: Office, clock: SimulatedClock) -> None:
    weekend = Weekend(office, clock)
    first = weekend.round(1)
    assert len(first) == 7
    weekend.turn(first)
    late, others = first[2], [board for board in first if board["number"] != 3]
    weekend.play(others)
    assert len(weekend.standings_are_right()) == 42, "the late board doesn't count yet"
    second = weekend.round(2)
    weekend.turn([*second, late])
    leaves = next(iter(weekend.played[2, 1].values()))
    body = {"out": weekend.numbers[leaves], "into": weekend.numbers["Person 49"]}
    weekend.call("POST", f"/tournaments/{KEY}/substitutions", weekend.host, body)
    second = weekend.boards(2)
    assert "Person 49" in weekend.played[2, 1].values() and leaves not in weekend.played[2, 1].values()
    weekend.play(second)
    weekend.standings_are_right()
    gone = weekend.played[1, 1]["Austria"]
    weekend.call("DELETE", f"/tournaments/{KEY}/entry", weekend.people[gone])
    third = weekend.round(3)
    seated = [player for board in third for player in weekend.played[3, board["number"]].values()]
    assert len(third) == 7 and gone not in seated and "Person 49" in seated
    weekend.play(third)
    assert weekend.call("GET", f"/games/{late['game']}")["state"] == "running"
    call = f"/tournaments/{KEY}/rounds/1/boards/3/call"
    weekend.call("POST", call, weekend.host, {"reason": "the hall closes"})
    found = weekend.standings_are_right()
    assert len(found) == 50
    powers = Counter(seat for players in weekend.played.values() for seat in players.items())
    met = Counter(pair for players in weekend.played.values() for pair in combinations(sorted(players.values()), 2))
    assert max(powers.values()) == 1 and sum(times > 1 for times in met.values()) <= 6
    assert weekend.call("POST", f"/tournaments/{KEY}/end", weekend.host)["summary"]["state"] == "ended"
    awards = weekend.call("GET", f"/tournaments/{KEY}/standings")["awards"]
    assert [award["power"] for award in awards] == list(weekend.rules.played)
