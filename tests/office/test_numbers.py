"""What is counted across the whole office is shown to nobody: from the gap between two numbers of one's own, a player
in the fog would tell how many sheets others sent in between."""

import itertools
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from legation.feeds.games import game_results, personal_calendar
from legation.mail.messages import message
from legation.office.clock import SeededRandomSource, SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk, letters, mailings
from legation.office.game import journal, seats
from legation.office.hosting import absences, games, roster, transfer, votes
from legation.office.identity import browsers, people
from legation.office.keys.public_numbers import LARGEST, PublicNumbers
from legation.office.office import Office, open_office
from legation.office.orders import submissions
from legation.office.settings import Settings
from tests.mail.conftest import Painted
from tests.office.fixtures import START
from tests.office.playing import CONSOLE, begin, gather, passes, refuses, send_all, unmatched_mail
from tests.office.test_hidden_senders import Drawn
from tests.office.test_pushes import Device
from tests.rules.small_variant import write_foggy

LEAST = 10_000  # no row of these offices has a number as large
DRAWN = re.compile(r"[0-9a-f]{16,}|[\w+/=-]{20,}")  # secrets, digests, keys


def test_numbers_that_are_shown_tell_nothing_of_the_rows() -> None:
    numbers, other = PublicNumbers(bytes(32)), PublicNumbers(b"1" * 32)
    shown = [numbers.shown("submission", row) for row in range(1, 2001)]
    assert [numbers.row("submission", number) for number in shown] == list(range(1, 2001))
    assert LARGEST == 2**32 - 1 and len(set(shown)) == 2000 and all(0 < number <= LARGEST for number in shown)
    assert 900 < sum(a < b for a, b in itertools.pairwise(shown)) < 1100, "neighbours come in any order"
    assert min(abs(a - b) for a, b in itertools.pairwise(shown)) > 1000
    assert all(900 < sum(number >> bit & 1 for number in shown) < 1100 for bit in range(32))
    assert numbers.shown("letter", 1) != shown[0] != other.shown("submission", 1)
    for none in (0, -1, LARGEST + 1, 2**70):
        assert numbers.row("submission", none) == 0
        refuses(OverflowError, numbers.shown, "submission", none)
    # the one row that would be shown as 0, and the last one
    (nobody,) = {numbers._once("letter", 0, back=True)}
    for row in (nobody, LARGEST):
        assert numbers.shown("letter", row) > 0 and numbers.row("letter", numbers.shown("letter", row)) == row


class Watch:
    """An office with a game in the fog, and somebody who plays in it, runs another game and notes every number."""

    def __init__(self, place: Path, variants: Path) -> None:
        given = Settings(settling=0, variants=str(variants), address="https://office.example", push=True)
        self.clock = SimulatedClock(START)
        self.office = open_office(place, given, self.clock, SeededRandomSource("watch"))
        self.record, self.players, _ = begin(self.office, variant="foggy", powers=2, press=["private", "public"])
        self.watcher, self.other = self.players["England"], self.players["Austria"]
        self.own = gather(self.office, self.watcher, "B", coordinated=True).key

    def others(self) -> None:
        """All that somebody else does while the turn is open."""
        office, other, key = self.office, self.other, self.record.key
        for n in range(5):
            sent = submissions.submit(office, other.by("api"), key, "Austria", f"A vie H\n# {n}")
        submissions.withdraw(office, other, sent.submission)
        submissions.ready(office, other, key, "Austria")
        letters.write(office, other, key, "Austria", ["Turkey"], "Not for England.")
        absences.announce(office, other, "2027-01-01", "2027-01-03")
        roster.add_address(office, other, ["Ring 1"], "Austria", primary=True)
        people.make_token(office, other, "a program", ("read",))
        people.start_session(office, Actor.clock(), other.person or 0)
        hidden = gather(office, other, "A", listed=False).key
        seats.sign_up(office, other, hidden, [])
        games.invite(office, other, hidden, "somebody@example.org")
        browsers.subscribe(office, other, **Device("other").subscription)
        for sender in ("x@example.org", "y@example.org"):
            unmatched_mail(office, sender)

    def acts(self, n: int) -> Iterator[tuple[str, Any]]:
        """What the watcher does, and what comes of it."""
        office, me, key = self.office, self.watcher, self.record.key
        yield "sheet", submissions.submit(office, me.by("api"), key, "England", f"F lon H\n# {n}")
        yield "letter", letters.write(office, me, key, "England", ["France"], "Hello.")
        yield "absence", absences.announce(office, me, f"2027-0{n + 1}-01", f"2027-0{n + 1}-03")
        yield "address", roster.add_address(office, me, [f"Way {n}"], "England", first=f"2027-0{n + 1}-01")
        yield "token", people.make_token(office, me, "mine", ("read",))
        yield "browser", browsers.subscribe(office, me, **Device(f"https://push.example.org/{n}").subscription)
        yield "invitation", games.invite(office, me, self.own, f"guest{n}@example.org")
        yield "mail", unmatched_mail(office, f"{n}@example.org", self.own)

    def looks(self) -> Iterator[tuple[str, Any]]:
        office, me, key = self.office, self.watcher, self.record.key
        for game in (key, self.own):
            yield f"{game} journal", journal.entries(office, me, game, limit=1000)
            yield f"{game} game", games.game(office, me, game)
            yield f"{game} letters", letters.letters(office, me, game)
            yield f"{game} feed", game_results(office, me, game).decode()
        yield "own", submissions.mine(office, me, key, "England")
        yield "votes", votes.standing(office, me, key)
        yield "commitments", submissions.commitments(office, me, key, "now")
        yield "desk", [msgspec.to_builtins(desk.item(office, me, i.id)) for i in desk.items(office, me)]
        yield "credentials", people.credentials(office, me)
        yield "browsers", browsers.browsers(office, me)
        yield "export", people.export(office, me)
        yield "games", games.list_games(office, me)
        yield "sign-ups", seats.sign_ups(office, me, self.own)
        yield "waiting mails", [[mail.id, mail.address] for mail in mailings.waiting(office, me, self.own)]
        yield "calendar", personal_calendar(office, me).decode()
        claimed = mailings.claim(office, limit=500)
        for mail in claimed:
            if mail.game == self.own:
                mailings.failed(office, mail, "no such address", lasting=True)
        yield "failed mails", [item.facts for item in desk.items(office, me, self.own)]
        mine = [m for m in claimed if m.person == me.person]
        yield "mails", [[m.thread, repr(message(office, m).blocks)] for m in mine]


def numbers_in(value: Any, place: str) -> Iterator[tuple[str, int]]:
    """Every number in an answer, those in its texts too, with its place."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from numbers_in(inner, f"{place}.{name}")
    elif isinstance(value, list | tuple):
        for n, inner in enumerate(value):
            yield from numbers_in(inner, f"{place}.{n}")
    elif isinstance(value, int) and not isinstance(value, bool):
        yield place, value
    elif isinstance(value, str):
        for n, digits in enumerate(re.findall(r"\d+", DRAWN.sub("#", value))):
            yield f"{place}: {n}", int(digits)


def noted(watch: Watch, *, busy: bool) -> dict[str, int]:
    """The numbers that the watcher sees, before and after others were busy (or not)."""
    told = dict(watch.acts(0))
    if busy:
        watch.others()
    watch.clock.advance(timedelta(hours=1))
    told |= {f"again {name}": answer for name, answer in watch.acts(1)}
    told |= dict(watch.looks())
    return dict(numbers_in(msgspec.to_builtins(told, enc_hook=repr), ""))


def differences(place: Path, variants: Path) -> tuple[dict[str, int], dict[str, tuple[int, int]]]:
    """What somebody sees in an office where nobody else does anything, and where that differs from one where others are
    busy."""
    seen = []
    for name in ("quiet", "busy"):
        watch = Watch(place / name, variants)
        seen.append(noted(watch, busy=name == "busy"))
        watch.office.close()
    quiet, busy = seen
    assert quiet.keys() == busy.keys()
    return quiet, {where: (quiet[where], busy[where]) for where in quiet if quiet[where] != busy[where]}


def test_a_player_in_the_fog_tells_from_no_number_what_others_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever others do, each number that somebody sees is the same, or one that tells nothing of its row."""
    monkeypatch.setattr("legation.mail.results.for_variant", lambda *_: Drawn())
    monkeypatch.setattr("legation.mail.results.PAINTER", Painted())
    (fog := tmp_path / "fog").mkdir()
    write_foggy(fog)
    quiet, found = differences(tmp_path, fog)
    assert len(quiet) > 300
    assert {where: both for where, both in found.items() if min(both) < LEAST} == {}
    # the rows are others, so their own numbers would tell
    acts = {where.removeprefix(".again ").split(".")[0] for where in found if where.startswith(".again ")}
    assert acts == {"sheet", "letter", "absence", "address", "token", "browser", "invitation", "mail"}


def test_a_line_below_all_others_is_none(office: Office) -> None:
    """Whoever asks for lines after a number that no line has gets all of them, or none; never a fault."""
    game, _, _ = begin(office)
    whole = journal.entries(office, CONSOLE, game.key)
    assert whole and journal.entries(office, CONSOLE, game.key, after=-7) == whole
    assert journal.entries(office, CONSOLE, game.key, after=10**12) == []


def test_a_whole_game_names_people_and_sheets_by_no_row_of_its_office(office: Office, clock: SimulatedClock) -> None:
    """Its coordinator, who may play elsewhere in the fog, would count by them what others sent."""
    record, players, boss = begin(office, coordinated=True, shows_senders="coordinator")
    send_all(office, record, players, 1)
    passes(office, clock, timedelta(days=2))
    kept = transfer.whole_game(office, boss, record.key)
    (turn,) = kept["turns"]
    people = [kept["coordinator"], *(seat["person"] for seat in kept["seats"]), *(p["number"] for p in kept["people"])]
    people += [holder["person"] for seat in kept["seats"] for holder in seat["holders"]]
    people += [line["person"] for line in kept["journal"] if line["person"] is not None]
    sheets = [sent["number"] for sent in turn["submissions"]]
    assert min(people) > LEAST < min(sheets) and len(sheets) == len(players)
    assert {sheet["submission"] for sheet in turn["sheets"].values()} == set(sheets)
    assert {sent["person"] for sent in turn["submissions"]} <= set(people)
