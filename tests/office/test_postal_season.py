"""A season of the Three Kingdoms by post: the coordinator does all of it at the terminal, players by mail."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from PIL import Image

from legation.mail.mail_service import MailService
from legation.office import Actor, Office, SimulatedClock, desk, people, work
from legation.office.coordination.mailroom import reply_address
from legation.print import enclosures
from tests.mail.conftest import Outbox, body
from tests.office.test_terminal_games import terminal  # noqa: F401
from tests.print.papers import text_of

Terminal = Callable[..., str]
GAME = "powick-bridge"
BOSS = ("--as", "cora@example.org")
PEOPLE = {"Crown": "anna", "Montrose": "ben", "Ormond": "clara"}


def photograph() -> bytes:
    out = io.BytesIO()
    Image.effect_noise((500, 300), 30).convert("RGB").save(out, "JPEG")
    return out.getvalue()


class Season:
    """The office with its mail, and who plays."""

    def __init__(self, office: Office, clock: SimulatedClock) -> None:
        self.office, self.clock, self.outbox = office, clock, Outbox()
        self.counter = MailService(office, self.outbox, papers=enclosures)

    def settle(self) -> None:
        while work.run_due(self.office) + self.counter.take_released() + self.counter.send_waiting():
            pass

    def until(self, moment: datetime) -> None:
        while (due := work.next_due(self.office)) is not None and due <= moment:
            self.clock.set(max(due, self.clock.now()))
            self.settle()
        self.clock.set(moment)
        self.settle()

    def told(self, power: str, kind: str) -> str:
        """The last mail of a kind to a player, in a line."""
        return " ".join(body(self.outbox.to(f"{PEOPLE[power]}@example.org", kind)[-1]).split())

    def papers(self, power: str, kind: str) -> dict[str, bytes]:
        """What came with it, by name without the game's."""
        mail = self.outbox.to(f"{PEOPLE[power]}@example.org", kind)[-1]
        return {str(p.get_filename()).removeprefix(f"{GAME}-"): p.get_content() for p in mail.iter_attachments()}

    def mail(self, power: str, subject: str, text: str = "", picture: bytes = b"") -> None:
        known = people.find(self.office, Actor.console(), f"{PEOPLE[power]}@example.org")
        mail = EmailMessage()
        mail["From"], mail["Subject"] = known.email, subject
        mail["To"] = reply_address(self.office, GAME, power, known.id)
        mail["Message-ID"] = f"<{self.office.random_source.bytes(8).hex()}@example.org>"
        mail.set_content(text)
        if picture:
            mail.add_attachment(picture, maintype="image", subtype="jpeg", filename="sheet.jpg")
        self.counter.receive(mail.as_bytes(), ())
        self.settle()
        for _ in range(5):  # on a machine that is very busy a picture may take too long to be read
            if any(item.kind == "unread mails" for item in desk.items(self.office, Actor.console())):
                desk.retry_all(self.office, Actor.console())
                self.settle()


def items(terminal: Terminal) -> dict[tuple[str, str], int]:
    """The numbers of what waits at the desk, by kind and power."""
    return {(i["kind"], i["power"]): i["id"] for i in json.loads(terminal("desk", GAME, "--json", *BOSS))}


@pytest.mark.long
@pytest.mark.clause("W-20a", "W-20b", "W-20c", "W-20e", "W-21a", "W-21b", "W-21c", "W-23", "W-25", "W-28")
def test_the_coordinator_runs_a_season_from_the_terminal_alone(
    terminal: Terminal,
    office: Office,
    clock: SimulatedClock,
    tmp_path: Path,
) -> None:
    season = Season(office, clock)
    for name in ("Cora", *(name.title() for name in PEOPLE.values())):
        terminal("person", name, f"{name.lower()}@example.org")
    plan = tmp_path / "plan.json"
    powers = "Crown Cumberland Newcastle Manchester Protectorate Montrose Hamilton Argyll Ormond Confederacy".split()
    plan.write_text(json.dumps({"name": "Powick Bridge", "variant": "three-kingdoms",
                                "seats": dict.fromkeys(powers, "bot:hold")}))  # fmt: skip
    made = terminal("create", str(plan), "--schedule", "three-kingdoms", "--coordinated", *BOSS)
    for part in ("first orders by post", "photographs only", "draft results", "approved by the coordinator"):
        assert part in made
    assert "has no postal address" in made
    terminal("address", "1 Fish Street", "London", "--country", "England", *BOSS)
    if "running" not in terminal("show", GAME, *BOSS):
        terminal("start", GAME, *BOSS)
    for power, name in PEOPLE.items():
        terminal("replace", GAME, power, f"{name}@example.org", "a person", *BOSS)
        terminal(
            "address", f"{len(name)} Mill Lane", "Worcester", "--country", "England", "--as", f"{name}@example.org"
        )
    terminal("share", GAME, "Crown", "--as", "anna@example.org")
    season.settle()

    # the first mail (W-20a, W-23, W-25, W-28)
    first, papers = season.told("Ormond", "seated"), season.papers("Ormond", "seated")
    assert "1 Fish Street" in first and "Post by" in first and "4 Mill Lane" in first  # Crown's, which is shared
    assert list(papers) == ["map.pdf", "roster.pdf", "order-sheet.pdf", "envelope.pdf"]
    assert "Orders" in text_of(papers["envelope.pdf"]) and "1 Fish Street" in text_of(papers["envelope.pdf"])
    assert "3 Mill Lane" not in text_of(papers["roster.pdf"])  # Montrose's, which is not

    # envelopes and photographs (W-20a, W-20b, W-20c)
    opened = clock.now()
    season.until(opened + timedelta(days=8))
    for power in ("Crown", "Montrose"):
        terminal("posted", GAME, power, "blue", *BOSS)
    season.settle()
    assert "The coordinator has your envelope" in season.told("Crown", "envelope came")
    season.mail("Crown", "Powick Bridge - Crown - Summer 1642 - Movement Orders - v2 (replaces v1 only if dry)",
                "A worcs - shrops", photograph())  # fmt: skip
    season.mail("Ormond", "Re: powick bridge, Ormond, Summer 1642, movement orders, v1", "", photograph())
    assert "Your envelope has not come" in season.told("Ormond", "answer")
    due = datetime.fromisoformat(json.loads(terminal("show", GAME, "--json"))["turn"]["deadline"])
    assert (due.hour, due.minute) == (7, 0) and (due.date() - opened.date()).days == 13
    assert "sealed" not in terminal("submissions", GAME, *BOSS)

    # a pause: the day still ends at seven (W-21b, W-21c)
    terminal("pause", GAME, "snow", *BOSS)
    season.until(clock.now() + timedelta(hours=30))
    assert "goes on" in terminal("resume", GAME, *BOSS)
    moved = datetime.fromisoformat(json.loads(terminal("show", GAME, "--json"))["turn"]["deadline"])
    assert (moved.hour, moved.minute, (moved - due).days) == (7, 0, 2)
    terminal("extend", GAME, (moved + timedelta(days=1)).isoformat(), "the post is on strike", *BOSS)
    due = moved + timedelta(days=1)
    season.until(due)

    # the desk: versions, the missing envelope, pictures, and a second reading (W-20a, W-20e)
    waits = items(terminal)
    assert ("choose", "Crown") in waits
    assert [power for kind, power in waits if kind == "unposted"] == ["Ormond"], "bots post nothing"
    shown = terminal("look", str(waits["choose", "Crown"]), "-o", str(tmp_path / "pictures"), *BOSS)
    assert "replaces v1 only if dry" in shown and len(list((tmp_path / "pictures").iterdir())) == 1
    number = re.findall(r"submission (\d+)", shown)[-1]
    terminal("choose", str(waits["choose", "Crown"]), number, "it was dry", *BOSS)
    terminal("accept", str(waits["unposted", "Ormond"]), "the strike", *BOSS)
    sheets = {"Crown": "A worcs H", "Montrose": "A skye H", "Ormond": "A tippe - crtip"}
    for power, text in sheets.items():
        terminal("transcribe", str(items(terminal)["transcribe", power]), "-", *BOSS, text=f"{text}\n")
    season.settle()
    assert "Tipperary" in terminal("preview", GAME, *BOSS)
    terminal("publish", GAME, *BOSS)
    season.settle()
    draft = season.told("Montrose", "draft results")
    assert "draft results" in draft and "Crown: Army Worcestershire" in draft
    copies = text_of(season.papers("Montrose", "draft results")["orders.pdf"])
    assert "A tippe - crtip" in copies and "Ormond" in copies

    # a correction is looked over first, and says what changed; after the last day nothing opens by itself
    before = len(season.outbox.to("ben@example.org", "draft results"))
    season.until(due + timedelta(days=1))
    terminal("correct", GAME, "1", "Ormond", "-", "it says Limerick", *BOSS, text="A limer H\n")
    season.until(due + timedelta(days=4))
    assert len(season.outbox.to("ben@example.org", "draft results")) == before
    assert "was: A tippe - crtip" in terminal("preview", GAME, *BOSS)
    terminal("publish", GAME, *BOSS)
    season.settle()
    mail = season.told("Montrose", "draft results")
    assert "CORRECTED: ORMOND'S ORDERS was: A tippe - crtip is: A limer H" in mail and "it says Limerick" in mail
    assert json.loads(terminal("show", GAME, "--json"))["turn"]["name"] == "Summer 1642 Movement"
    assert [kind for kind, _ in items(terminal)] == ["final"]
    terminal("publish", GAME, "--final", *BOSS)
    season.settle()
    autumn = json.loads(terminal("show", GAME, "--json"))["turn"]
    assert autumn["name"] == "Autumn 1642 Movement"
    ends = datetime.fromisoformat(autumn["deadline"])
    assert ends.hour == 7 and timedelta(days=12) < ends - clock.now() <= timedelta(days=13), "a late season is whole"
    assert {"order-sheet.pdf", "envelope.pdf", "orders.pdf"} <= set(season.papers("Crown", "results"))

    # papers, settings, the end
    terminal("vacate", GAME, "Ormond", "no answer", *BOSS)
    terminal("replace", GAME, "Ormond", "dora@example.org", "a new player", *BOSS)
    printed = terminal("print", GAME, "envelopes", "-o", str(tmp_path / "out"), *BOSS)
    assert "No postal address is known of Ormond" in printed and "envelopes-C5.pdf" in printed
    terminal("settings", GAME, "post_days=7", *BOSS)
    assert json.loads(terminal("settings", GAME, "--json", *BOSS))["post_days"] == 7
    terminal("cancel", GAME, "enough", *BOSS)
    assert "The desk is empty." in terminal("desk", GAME, *BOSS)
