"""Whole games for the tests of proofs, each with something that another has not."""

from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from legation.judge import Ruleset
from legation.position import Phase
from legation.proofs import chain, kinds
from legation.proofs.records import SentFile
from legation.proofs.results import position_text
from legation.proofs.signing import public_key, sign
from legation.variants import Registry, load
from tests.proofs.building import HOUR, Office, sheets_of
from tests.rules.small_variant import write_foggy

PICTURE = SentFile("a" * 64, "b" * 64, "image/png")


def play_turn(office: Office, random: Random, *, silent: float = 0.1) -> None:
    """Everybody sends plausible orders, some twice, some not at all; the turn is closed and published."""
    turn = office.turn
    for seat, text in sheets_of(office.rules, turn.position, random).items():
        if random.random() < silent:
            continue
        if random.random() < 0.3:
            office.send(seat, "")
        sent = office.send(seat, text)
        if random.random() < 0.1:
            office.word("withdrawn", sent)
    office.close()
    after = office.publish()
    office.open_turn(after)


def play(office: Office, turns: int, seed: str = "play") -> Office:
    """Open a game and play so many turns of it."""
    random = Random(seed)
    if not office.turns:
        office.open_turn(office.rules.opening())
    for _ in range(turns):
        play_turn(office, random)
    return office


@cache
def full() -> Office:
    """The standard game with all that can happen in it: keys, ready, pictures, envelopes, mails that were assigned,
    orders ahead, moved deadlines, drafts that are taken back, erased persons, lost and changed keys, a transfer."""
    office = Office(load("standard"), "full")
    rules = office.rules
    for seat in ("Austria", "England", "France"):
        office.key(seat)
    office.open_turn(rules.opening())
    office.move_deadline(office.turn.due + HOUR)
    office.send("Austria", "A vie - tri\nF tri - alb\nA bud - ser")
    office.send("Austria", "A vie - gal\nF tri - alb\nA bud - ser\nif dislodged A bud: rum", note="for you alone")
    england = office.send("England", "F lon - nth\nF edi - nrg\nA lvp - yor")
    office.word("withdrawn", office.send("England", "F lon - eng"))
    office.send("France", "nothing of this is an order")
    office.word("refused", office.send("Germany", "A ber - sil", entered_by="coordinator"))
    envelope = office.send("Italy", "", entered_by="coordinator", files=(PICTURE,))
    photograph = office.send("Russia", "", files=(PICTURE,), note="by telephone")
    office.word("confirmed", office.send("Turkey", "A con - bul", entered_by="assigned"))
    office.send("Turkey", "A con - gre", entered_by="assigned")
    office.send("Turkey", "A con - smy", entered_by="coordinator")
    office.close()
    office.transcribe(envelope, "A ven - tyr", opened_after=True)
    office.transcribe(photograph, "A mos - ukr")
    office.publish(draft=True)
    office.line("taken back", turn=office.turn.name)
    office.transcribe(photograph, "A mos - ukr\nA war - gal")
    after = office.publish(draft=True)
    office.final()
    office.erase(photograph, "files", "note")
    office.change_key()
    office.open_turn(after)
    office.key("England", new=True)
    office.hold("Germany", "")
    office.send("France", "A par - bur\nRetreats:\nBuilds:\nwaive")
    office.ready("France")
    office.lose_keys("Fall 1901 Retreats", secret=True)
    random = Random("full")
    for seat, text in sheets_of(rules, after, random).items():
        if seat != "Germany":
            office.send(seat, text + "\nRetreats:\nBuilds:\nwaive")
            office.ready(seat)
    for seat in office.seats:
        office.key(seat)
        office.ready(seat)
    office.close("all ready")
    after = office.publish()
    office.open_turn(after)
    aside = office.turn
    office.send("England", "F nth - nwy")
    office.line("aside", turn=aside.name)
    office.open_turn(after, again=aside)
    office.close()
    after = office.publish()
    office.transfer()
    office.open_turn(after)
    play_turn(office, random)
    office.line("told", text="The office wishes a good new year.")
    office.end()
    assert england.version == 1
    return office


@cache
def hidden() -> Office:
    """Hidden senders in an anonymous game of the Hundred Years' War, the keeper in the folder; it goes on."""
    office = Office(load("hundred"), "hidden", senders="hidden", anonymous=True, elsewhere=False, waits=True)
    office.open_turn(office.rules.opening())
    first = next(iter(office.seats))
    office.key(first)
    random = Random("hidden")
    play(office, 2, "hidden")
    for seat, text in sheets_of(office.rules, office.turn.position, random).items():
        office.send(seat, text)
    for seat in office.seats:
        office.ready(seat)
    office.close("all ready")
    after = office.publish()
    office.open_turn(after)
    office.now = office.turn.due
    office.send(first, sheets_of(office.rules, after, random).get(first, ""))
    office.close("waited")
    office.open_turn(office.publish())
    office.send(first, "")
    office.lose_keys()
    office.send(first, "")
    office.close()
    office.open_turn(office.publish())
    office.send(first, "")
    return office


class Begun(Office):
    """An office with a game of which line 2 says that it was begun elsewhere, where it stands in the opening."""

    def deal(self, secret: str, part: str) -> None:
        self.line("imported", **begun_elsewhere(self.rules))
        super().deal(secret, part)


def begun_elsewhere(rules: Ruleset) -> dict[str, Any]:
    return {"source": "a table", "file": "ab" * 32, "turns": 0, "position": position_text(rules, rules.opening())}


@cache
def seldom() -> Office:
    """A game that was begun elsewhere, with what happens seldom: settings that change, a "ready" that is taken back, a
    version that the coordinator chooses, an objection, somebody late, a new keeper, a restored database."""
    office = Begun(load("hundred"), "seldom", anonymous=True)
    office.open_turn(office.rules.opening())
    name, (first, second, *_) = office.turn.name, office.seats
    office.line("settings", senders="shown", anonymous=False, waits=True)
    office.anonymous = False
    sheets = sheets_of(office.rules, office.turn.position, Random("seldom"))
    for text in (sheets[first], ""):
        office.send(first, text)
    office.send(second, sheets[second], entered_by="coordinator")
    office.key(second)
    office.ready(second)
    office.line("not ready", turn=name, seat=second)
    lost = office.lines[-1]
    office.now = office.turn.due
    office.close("waited")
    office.line("chosen", turn=name, seat=first, version=1, reason="version 2 is a slip")
    office.line("objected", turn=name, seat=second, version=1)
    after = office.publish(counted={first: 1}, draft=True)
    office.line("objected", turn=name, seat=second, version=1)
    office.final()
    n, old, office.keeper = len(office.lines) + 1, office.keeper, office.random_bytes(32)
    office.keepers.append((n, office.keeper))
    statement = chain.succession_statement(office.game, n, public_key(office.keeper))
    keeper = kinds.KeeperKey(key=public_key(office.keeper), elsewhere=True)
    office.line("keeper", keeper=keeper, signature=sign(old, "key", statement))
    office.line("restored", lost_to=len(office.lines) + 1, head=lost.hash)
    office.open_turn(after)
    play_turn(office, Random("seldom"))
    return office


@cache
def fog_registry() -> Registry:
    """The standard game in the fog."""
    with TemporaryDirectory() as folder:
        write_foggy(Path(folder), file="standard-fog")
        registry = Registry(Path(folder))
        registry.facts("standard-fog")  # what is read once is known
    return registry


@cache
def fog(*, ended: bool = True, turns: int = 5) -> Office:
    """The standard game in the fog, over or going on."""
    office = play(Office(fog_registry().load("standard-fog"), "fog"), turns, "fog")
    if ended:
        office.end()
    return office


@cache
def kingdoms(turns: int = 7) -> Office:
    """A variant with proxies and retreats, which began in the old form."""
    old = kinds.OldJournal(journal="c" * 64, commitments=["d" * 64])
    return play(Office(load("three-kingdoms"), "b", old=old), turns, "b")


def phases(office: Office) -> set[Phase]:
    """The phases that were played."""
    return {turn.position.turn.phase for turn in office.turns}
