"""A seat as tools of the Model Context Protocol, over standard input and output, by the package's own client."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from legation.office.context import Actor
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.operation import work
from tests.apart import run_apart
from tests.client.conftest import seated

if TYPE_CHECKING:  # which takes most of a second to load
    from mcp import Client as ToolClient
    from mcp import StdioServerParameters

pytestmark = pytest.mark.skipif(find_spec("mcp") is None, reason="tools for language models need the extra 'mcp'")


def server(place: str, key: str, secret: str) -> StdioServerParameters:
    from mcp import StdioServerParameters

    command = ["-m", "legation", "mcp", f"{place}/games/{key}"]
    return StdioServerParameters(command=sys.executable, args=command, env={**os.environ, "LEGATION_TOKEN": secret})


async def called(client: ToolClient, tool: str, **given: Any) -> Any:
    answer = await client.call_tool(tool, given)
    if answer.is_error:
        raise AssertionError(answer.content)
    found = answer.structured_content
    return found["result"] if isinstance(found, dict) and set(found) == {"result"} else found


@pytest.mark.long
def test_a_model_plays_a_turn(office: Office, address: str) -> None:
    key, secret = seated(office, press=["private", "public"])

    from mcp import Client as ToolClient

    async def play() -> None:
        async with ToolClient(server(address, key, secret)) as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert {"look", "list_legal_orders", "check_orders", "send_orders", "write_letter"} <= tools
            seen = await called(client, "look")
            assert seen["you_play"] == "France" and seen["players"]["France"] == "Host (a program)"
            assert "A par" in seen["units"]["France"] and seen["your_orders_sent"] is False
            for name in ("PAR", "Paris"):
                legal = await called(client, "list_legal_orders", province=name)
                assert "A par H" in legal["par"]
            with pytest.raises(AssertionError, match="no turn has been judged yet"):
                await called(client, "read_last_results")
            with pytest.raises(AssertionError, match="nothing to order at 'lon'"):
                await called(client, "list_legal_orders", province="lon")
            checked = await called(client, "check_orders", orders=["A par H", "A lon H", "A xyz H"])
            assert checked["understood"] == ["A par H"] and len(checked["wrong"]) == 2
            with pytest.raises(AssertionError, match="nothing was sent"):
                await called(client, "send_orders", orders=["A par H", "A lon H"])
            assert (await called(client, "look"))["your_orders_sent"] is False
            assert (await called(client, "send_orders", orders=["A par H"]))["version"] == 1
            assert (await called(client, "look"))["your_orders_sent"] is True
            assert (await called(client, "write_letter", to=["England"], text="Peace?"))["to"] == ["England"]
            proposed = {"France": ["A par - orl"], "England": ["A cal H"]}
            assert await called(client, "write_letter", to=["England"], text="", orders=proposed)
            first, second = await called(client, "read_letters")
            assert first["text"] == "Peace?" and first["proposal"] is None
            told = {power: [one["order"] for one in listed] for power, listed in second["proposal"]["orders"].items()}
            assert told == proposed
            await called(client, "send_orders", orders=["A par - dij", "A dau S A par - dij"], ready=True)
            for _ in range(2):
                work.run_due(office)
            report = await called(client, "read_last_results")
            assert report.index("1425 Movement") < report.index("1425 Retreats")

    run_apart(play())
    assert [s.machine for s in games.game(office, Actor.visitor(), key).seats if s.power == "France"] == [True]


def test_a_game_without_letters_has_no_tools_for_them(office: Office, address: str) -> None:
    from mcp import Client as ToolClient

    from legation.client import Client
    from legation.client.tools import Seat, tool_server

    key, secret = seated(office, press=[])

    async def look() -> set[str]:
        with Client(address, secret) as client:
            async with ToolClient(tool_server(Seat(client, key))) as tools:
                return {tool.name for tool in (await tools.list_tools()).tools}

    assert run_apart(look()) == {"look", "list_legal_orders", "check_orders", "send_orders", "read_last_results"}


@pytest.mark.long
def test_a_seat_that_is_not_to_be_had_is_told_in_a_line(office: Office, address: str) -> None:
    key, secret = seated(office, machines=False)
    for token, words in ((secret, "Programs can't play"), ("", "set LEGATION_TOKEN"), ("wrong", "")):
        done = subprocess.run(
            [sys.executable, "-m", "legation", "mcp", f"{address}/games/{key}"],
            env={**os.environ, "LEGATION_TOKEN": token},
            capture_output=True,
            text=True,
            timeout=120,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode != 0 and words in done.stderr and "Traceback" not in done.stderr
