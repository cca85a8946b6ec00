"""A whole game of every variant, to its end: a program that knows only the API plays against bots of the office, and
the record of it stands every check."""

from random import Random

import pytest

from legation.bots import bot
from legation.client import Client
from legation.game import read_position, replay
from legation.notation import write
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.hosting import exports
from legation.office.office import Office
from legation.office.operation import work
from legation.variants import load, names
from tests.client.conftest import served_address  # noqa: F401
from tests.client.test_client import token

MOST_TURNS = 150


def play(client: Client, office: Office, clock: SimulatedClock, game: str, power: str) -> int:
    """Play a power to the end by DumbBot, from what the API tells; how many turns it took."""
    for number in range(1, MOST_TURNS):
        record = client.game(game)
        if record["state"] == "ended":
            return number
        rules = load(record["variant"], record["options"])
        faults: list[str] = []
        position = read_position(rules, record["position"], faults)
        assert not faults
        if any(seat["power"] == power and seat["sent"] is False for seat in record["seats"]):
            sheet = bot("dumbbot")(rules, position, power, Random(f"{position.turn}"))
            receipt = client.submit(game, power, "\n".join(write(order) for order in sheet.orders) or "# nothing")
            assert all(line["problem"] is None for line in receipt["checked"]["lines"])
            assert client.ready(game, power) is True
        else:
            clock.set(max(clock.now(), work.next_due(office) or clock.now()))
        work.run_due(office)
    raise AssertionError("it does not end")


@pytest.mark.parametrize(
    "variant", [name if name == "hundred" else pytest.param(name, marks=pytest.mark.long) for name in names()]
)
def test_a_whole_game(variant: str, office: Office, clock: SimulatedClock, address: str) -> None:
    with Client(address, token(office, "Program")) as client:
        made = client.create(f"Game of {variant}", variant)
        mine, *others = [seat["power"] for seat in made["seats"]]
        for power in others:
            client.call("PUT", f"/games/{made['key']}/seats/{power}/bot", {"bot": "hold"})
        client.sign_up(made["key"], [mine])
        work.run_due(office)
        assert play(client, office, clock, made["key"], mine) > 5
        ended = client.game(made["key"])
        assert ended["ending"]["kind"] in ("solo", "draw") and mine in ended["ending"]["powers"]
        turns = client.turns(made["key"])
        assert {turn["state"] for turn in turns} == {"final"}
        _, differences = replay(client.saved_game(made["key"]))
        assert differences == []
        assert all(proof["holds"] for proof in client.call("GET", f"/games/{made['key']}/proofs"))
    assert exports.rebuild(office, Actor.console(), made["key"]) == []
