"""Random commands by random people, in any order: after each of them no order was seen early, nothing was done outside
the table, and the journal is the game."""

from __future__ import annotations

import shutil
import tempfile
from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk, letters, readings
from legation.office.errors import OfficeError
from legation.office.game import journal, seats
from legation.office.hosting import deadlines, exports, games, proofs, transfer, votes
from legation.office.office import open_office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.office.settings import Settings
from tests.office.fixtures import START
from tests.office.playing import begin, person

POWERS = ("France", "England", "Burgundy")
WHO = ("France", "England", "Burgundy", "coordinator", "stranger", "visitor", "console")
TEXTS = (
    "A par - orl",
    "A cal H\nA dev H",
    "A dij - can\nF hol - was",
    "nonsense",
    "",
    "if dislodged A par: orl",
    "v2 replaces v1 only if it rains\nA par H",
)

people = st.sampled_from(WHO)
powers = st.sampled_from(POWERS)


class RandomCommands(RuleBasedStateMachine):
    """One game of three players, run by a coordinator."""

    @initialize()
    def open(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.clock = SimulatedClock(START)
        self.office = open_office(self.folder, Settings(settling=0), self.clock, SeededRandomSource(1))
        self.record, players, boss = begin(self.office, coordinated=True, missing_after=20, votes="majority")
        self.who = {**players, "coordinator": boss, "stranger": person(self.office, "Stranger")}
        self.who |= {"visitor": Actor.visitor(), "console": Actor.console()}
        self.secrets: dict[str, tuple[str, int]] = {}  # marker -> who wrote it, in which turn
        self.letters: dict[str, set[str]] = {}  # marker -> who may read it

    @property
    def turn(self) -> int:
        present = games.game(self.office, Actor.console(), self.record.key).turn
        assert present is not None
        return present.number

    def holder(self, power: str) -> int | None:
        return next(
            s.person for s in games.game(self.office, Actor.console(), self.record.key).seats if s.power == power
        )

    @rule(who=people, power=powers, text=st.sampled_from(TEXTS))
    def submit(self, who: str, power: str, text: str) -> None:
        actor, marker, turn = self.who[who], f"mark{len(self.secrets):04}", self.turn
        try:
            submissions.submit(self.office, actor, self.record.key, power, f"{text}\n# {marker}")
        except OfficeError:
            return
        assert actor.person is not None and self.holder(power) == actor.person, f"{who} ordered for {power}"
        self.secrets[marker] = (who, turn)

    @rule(who=people, power=powers)
    def ready(self, who: str, power: str) -> None:
        try:
            submissions.ready(self.office, self.who[who], self.record.key, power)
        except OfficeError:
            return
        assert self.holder(power) == self.who[who].person is not None
        work.run_due(self.office)

    @rule(who=people, power=powers)
    def withdraw(self, who: str, power: str) -> None:
        try:
            mine = submissions.mine(self.office, self.who[who], self.record.key, power)
            for sent in mine[-1:]:
                submissions.withdraw(self.office, self.who[who], sent.id)
        except OfficeError:
            return
        assert self.holder(power) == self.who[who].person is not None

    @rule(who=people, power=powers, to=powers, public=st.booleans())
    def write(self, who: str, power: str, to: str, public: bool) -> None:
        marker = f"letter{len(self.letters):04}"
        try:
            letters.write(self.office, self.who[who], self.record.key, power, ["all"] if public else [to], marker)
        except OfficeError:
            return
        assert self.holder(power) == self.who[who].person is not None
        readers = {name for name in WHO if public or self.who[name].person in (self.holder(power), self.holder(to))}
        self.letters[marker] = readers - ({"visitor", "console"} if not public else set())

    @rule(who=people, days=st.integers(-1, 3))
    def extend(self, who: str, days: int) -> None:
        present = games.game(self.office, Actor.console(), self.record.key).turn
        assert present is not None and present.deadline is not None
        try:
            moved = deadlines.extend(
                self.office, self.who[who], self.record.key, present.deadline + timedelta(days=days), "why not"
            )
        except OfficeError:
            return
        assert who in ("coordinator", "console") and moved.deadline is not None and moved.deadline > present.deadline

    @rule(who=people, on=st.booleans())
    def pause(self, who: str, on: bool) -> None:
        try:
            (games.pause if on else games.resume)(self.office, self.who[who], self.record.key, "why not")
        except OfficeError:
            return
        assert who in ("coordinator", "console")

    @rule(who=people, power=powers, kind=st.sampled_from(votes.VOTE_KINDS), on=st.booleans())
    def vote(self, who: str, power: str, kind: str, on: bool) -> None:
        whom = "England" if kind == "replace" else ""
        before = games.game(self.office, Actor.console(), self.record.key)
        try:
            (votes.vote if on else votes.take_back)(self.office, self.who[who], self.record.key, power, kind, whom)
        except OfficeError:
            return
        assert self.holder(power) == self.who[who].person is not None, f"{who} voted for {power}"
        after = games.game(self.office, Actor.console(), self.record.key)
        assert (after.state, after.turn, after.seats) == (before.state, before.turn, before.seats), "votes advise here"

    @rule(who=people, power=powers, email=st.sampled_from(["stranger@example.org", "player0@example.org"]))
    def replace(self, who: str, power: str, email: str) -> None:
        try:
            seats.replace(self.office, self.who[who], self.record.key, power, email, "why not")
        except OfficeError:
            return
        assert who in ("coordinator", "console")

    @rule(who=people)
    def settle_the_desk(self, who: str) -> None:
        for item in desk.items(self.office, self.who["console"], self.record.key):
            try:
                if item.kind == "choose":
                    readings.choose(self.office, self.who[who], item.id, item.submissions[0], "the first")
                else:
                    desk.settle(self.office, self.who[who], item.id)
            except OfficeError:
                continue
            assert who in ("coordinator", "console")
        work.run_due(self.office)

    @rule(hours=st.sampled_from([1, 11, 25]))
    def wait(self, hours: int) -> None:
        self.clock.advance(timedelta(hours=hours))
        work.run_due(self.office)

    @invariant()
    def no_order_is_seen_early(self) -> None:
        turn = self.turn
        early = {marker: who for marker, (who, sent) in self.secrets.items() if sent == turn and self.sealed()}
        for name, actor in self.who.items():
            seen = self.all_that_is_seen(actor)
            for marker, who in early.items():
                assert marker not in seen, f"{name} saw an order of {who} before the deadline"

    def sealed(self) -> bool:
        present = games.game(self.office, Actor.console(), self.record.key).turn
        return present is not None and present.state in ("open", "waiting", "closed")

    def all_that_is_seen(self, actor: Actor) -> str:
        key, office = self.record.key, self.office
        seen: list[object] = [games.game(office, actor, key), journal.entries(office, actor, key, limit=1000)]
        for view in (
            submissions.commitments,
            proofs.published,
            exports.saved_game,
            transfer.whole_game,
            desk.items,
            submissions.overview,
        ):
            try:
                seen.append(view(office, actor, key))
            except OfficeError:
                continue
        return msgspec.json.encode(seen).decode()

    @invariant()
    def letters_are_read_by_their_readers(self) -> None:
        for name in ("stranger", "visitor", "coordinator", "console"):
            if self.who[name].person in {self.holder(power) for power in POWERS} - {None}:
                continue  # who took a seat over reads what was sent to it
            text = repr(letters.letters(self.office, self.who[name], self.record.key, limit=500))
            for marker, readers in self.letters.items():
                assert marker not in text or name in readers, f"{name} read {marker}"

    @invariant()
    def the_journal_is_the_game(self) -> None:
        assert exports.rebuild(self.office, Actor.console(), self.record.key) == []
        assert all(p.holds for p in proofs.verify(self.office, Actor.visitor(), self.record.key))

    def teardown(self) -> None:
        if hasattr(self, "office"):
            self.office.close()
            shutil.rmtree(self.folder, ignore_errors=True)


RandomCommands.TestCase.settings = settings(
    max_examples=4, stateful_step_count=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
TestRandomCommands = pytest.mark.long(RandomCommands.TestCase)
