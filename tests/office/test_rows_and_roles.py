"""Every row of the table of permissions, by somebody of every role, in games of every state: who may is let through to
the command, who may not is refused by the table and leaves nothing behind, in the database, the files or the keys."""

from __future__ import annotations

import contextlib
import inspect
import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from legation.office import permissions
from legation.office.context import Actor
from legation.office.desk import bridges
from legation.office.errors import NotAllowedError, SignInNeededError
from legation.office.hosting import absences, games, leagues, retrospects, roster, tournaments
from legation.office.identity import browsers, people
from legation.office.office import Office
from legation.office.operation import demo
from legation.office.orders import submissions
from legation.office.permissions import STATES, commands
from legation.office.store.rows import GameRow, TournamentRow
from tests.office.playing import begin, person, unmatched_mail
from tests.office.test_pushes import Device
from tests.office.test_random_roles import POOLS

Trace = dict[str, tuple[int, int]]
VARY = ("keeper.log", "office.db-shm", "lock")
"""Files that tell of a refusal (the keeper's own log) or of a reader."""


def trace(folder: Path) -> Trace:
    """Size and time of every file in a folder, the database's among them: they change if anything is written."""
    found: Trace = {}
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                found |= trace(Path(entry.path))
            elif entry.name not in VARY:
                stat = entry.stat()
                found[entry.path] = stat.st_size, stat.st_mtime_ns
    return found


class UndoneError(Exception):
    """Ends a transaction whose work is not to stay."""


class Everyone:
    """An office with a game that somebody coordinates and one that runs itself, and somebody of every role."""

    def __init__(self, office: Office) -> None:
        self.office = office
        self.record, players, boss = begin(office, coordinated=True)
        own, folk, host = begin(office, name="Stow", folk="Stow")
        self.games = {"coordinated": self.record.key, "own": own.key}
        holder, rival = players["France"], players[next(power for power in players if power != "France")]
        deputy, admin, stranger = person(office, "Deputy"), person(office, "Admin"), person(office, "Stranger")
        games.name_deputy(office, boss, self.record.key, "deputy@example.org")
        people.make_administrator(office, Actor.console(), admin.person or 0)
        guest, _ = demo.seat_guest(office, "hundred")
        known = {"visitor", "person"}
        self.who: dict[str, tuple[Actor, dict[str, set[str]]]] = {
            "visitor": (Actor.visitor(), {"": {"visitor"}}),
            "guest": (people.by_secret(office, guest.secret), {"": {"visitor", "guest"}}),
            "person": (stranger, {"": known}),
            "player": (rival, {"": known, "coordinated": known | {"player"}}),
            "holder": (holder, {"": known, "coordinated": known | {"player", "holder"}}),
            "holder of their own": (folk["France"], {"": known, "own": known | {"player", "holder"}}),
            "host": (host, {"": known, "own": known | {"host"}}),
            "coordinator": (
                boss,
                {"": known, **dict.fromkeys(("coordinated", "tournament"), known | {"coordinator"})},
            ),
            "deputy": (deputy, {"": known, "coordinated": known | {"deputy"}}),
            "administrator": (admin, {"": known | {"administrator"}}),
            "console": (Actor.console(), {"": {"visitor", "console"}}),
            "clock": (Actor.clock(), {"": {"visitor", "clock"}}),
        }
        tournaments.create(office, boss, {"name": "Weekend", "variant": "hundred"})
        leagues.create(office, boss, "Club")
        sent = submissions.submit(office, holder, self.record.key, "France", "A par H")
        self.things: dict[str, Any] = {
            "submission": sent.submission,
            "item": (item := unmatched_mail(office, game=self.record.key)),
            "id": item,
            "absence": absences.announce(office, holder, "2026-06-01", "2026-06-02").id,
            "address": roster.add_address(office, holder, ["1 High Street"], "UK", primary=True).id,
            "browser": browsers.subscribe(office, holder, **Device("x").subscription).id,
            "bridge": bridges.add_own(office, holder, "https://push.example.org/hook").id,
            "until": office.clock.now() + timedelta(days=3),
            "tournament": "weekend",
            "league": "club",
        }

    def given(self, name: str, function: Callable[..., Any], game: str) -> dict[str, Any]:
        """Something for each argument that a row's command or view needs; the game and the seat that are meant."""
        told: dict[str, Any] = {"game": game, "power": "France", "turn": "now", **self.things}
        for argument in list(inspect.signature(function).parameters.values())[1:]:
            if argument.name in told or argument.default is not inspect.Parameter.empty:
                continue
            pool = POOLS.get(f"{name} {argument.name}", POOLS.get(argument.name))
            told[argument.name] = pool[0] if pool else {"int": 1, "str": "x"}.get(str(argument.annotation), {})
        wanted = inspect.signature(function).parameters
        return {argument: value for argument, value in told.items() if argument in wanted}


def rows(states: bool) -> Iterator[tuple[str, Callable[..., Any], str]]:
    """Each row with its command or view, and which game it is asked of: none, the coordinated one, or either."""
    for name, command in commands().items():
        function = command.function
        takes = inspect.signature(function).parameters
        if "game" in takes and takes["game"].default is inspect.Parameter.empty and "item" not in takes:
            yield from ((name, function, which) for which in ("coordinated", "own"))
        elif {"submission", "item"} & takes.keys() or name == "desk.item":
            yield name, function, "coordinated"
        elif {"tournament", "league"} & takes.keys():
            yield name, function, "tournament"
        elif not states:
            yield name, function, ""


def asked(ask: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """What the table is asked meanwhile, and its answers."""
    answers: list[tuple[str, bool]] = []
    real = permissions.ask

    def noted(name: str, *args: Any) -> None:
        try:
            real(name, *args)
        except (NotAllowedError, SignInNeededError):
            answers.append((name, False))
            raise
        answers.append((name, True))

    with monkeypatch.context() as patched:
        patched.setattr(permissions, "ask", noted)
        with contextlib.suppress(Exception):
            ask()
    return answers


@pytest.mark.parametrize("state", [s if s == "running" else pytest.param(s, marks=pytest.mark.long) for s in STATES])
def test_who_may_is_let_through_and_who_may_not_leaves_nothing(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    monkeypatch.setattr(retrospects, "is_available", lambda: False)
    world, wrong, silent, accepted = Everyone(office), [], set(), set()
    with office.store.transaction() as tx:
        tx.change_where(GameRow, {"state": state}, key=list(world.games.values()))
        tx.change_where(TournamentRow, {"state": state}, key="weekend")
    for name, function, which in rows(states=state != "running"):
        given = world.given(name, function, world.games.get(which, ""))

        def call(actor: Actor) -> object:
            return function(office, actor, **given)  # noqa: B023 - called before the next

        def undone(actor: Actor) -> None:
            with office.store.transaction():
                call(actor)
                raise UndoneError

        for who, (actor, roles) in world.who.items():
            expected = permissions.allows(name, frozenset(roles.get(which, roles[""])), state if which else "")
            answers = asked(lambda: undone(actor), monkeypatch)  # noqa: B023
            if not answers:
                silent.add(name)
            elif answers[0] != (name, expected):
                wrong.append((name, which, who, answers[0], expected))
            elif expected:
                accepted.add(name)
            else:
                before = trace(tmp_path)
                with pytest.raises((NotAllowedError, SignInNeededError)):
                    call(actor)
                assert trace(tmp_path) == before, (name, who)
    assert wrong == []
    assert silent == set()
    walked = {name for name, *_ in rows(states=state != "running")}
    of_people = {name for name, _, which in rows(states=False) if not which}
    assert accepted == {
        name for name in walked if name in of_people or any(state in s for s in commands()[name].roles.values())
    }
    before = trace(tmp_path)
    people.rename(office, world.who["person"][0], "Another")
    assert trace(tmp_path) != before, "what is written is seen"
