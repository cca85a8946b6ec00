"""A season of the Three Kingdoms by post, as its rulebook has it (W-20 to W-28): run from the desk's pages alone, every
act a form that is filled in and sent, by players who write letters and mails. Each sentence of the rulebook is held on
the way."""

from __future__ import annotations

import contextlib
import html
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from icalendar import Calendar
from PIL import Image
from starlette.testclient import TestClient

from legation.cli.serving import whole_site
from legation.mail.mail_service import MailService
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk.mailroom import reply_address
from legation.office.identity import people
from legation.office.office import Office
from legation.print.enclosures import enclosures
from legation.variants import load
from legation.variants.clauses import clauses_of
from tests.mail.conftest import Outbox, body
from tests.mail.office_with_mail import OfficeWithMail
from tests.print.papers import pages_of, text_of
from tests.web.forms import forms_of, press

SENTENCES = {
    "W-20a": ["The movement orders that open a season come by post."],
    "W-20b": [
        "Revisions may come as a photograph by e-mail to one address,",
        "which stamps and files the picture;",
        "text in the mail is ignored in favor of it.",
    ],
    "W-20c": ["A mail's subject is Game - Power - Season Year - Submission type - Version;", "commas are tolerated."],
    "W-20d": ["The coordinator does not see orders before the deadline."],
    "W-20e": ["Version instructions help to choose among several submissions."],
    "W-20f": ["Retreats and adjustments may be mailed from the start."],
    "W-20g": ["Ambiguous wording is interpreted;", "the game is not judged for the player."],
    "W-21a": [
        "A season runs on a fixed cycle of days:",
        "orders, draft results, retreats, final results;",
        "Winter follows the third.",
    ],
    "W-21b": ["A calendar day ends at 07:00 GMT on the day after."],
    "W-21c": ["Deadlines move only in extreme circumstances, recorded with the reason."],
    "W-22": ["Each game has a calendar feed with all deadlines and their time zone."],
    "W-23": ["A roster of games, powers, players and addresses", "answers which address is good today."],
    "W-24": [
        "A browser of valid moves shows where an army,",
        "or a fleet on each coast or at sea, may go from a place.",
    ],
    "W-25": ["Maps: the start with control, the start with control and units, and a printable board without control."],
    "W-26": ["Several games run at once, each with a name of its own."],
    "W-27": ["Players write to each other by post,", "and nobody poses as another."],
    "W-28": ["Templates for letters and envelopes carry what the style guide asks for."],
}
"""What a season is to show, clause by clause, in the words of the rules; a test compares them."""

NAME, GAME = "Powick Bridge", "powick-bridge"
PEOPLE = {"Crown": "anna", "Confederacy": "ben", "Ormond": "clara"}
POWERS = "Crown Cumberland Newcastle Manchester Protectorate Montrose Hamilton Argyll Ormond Confederacy".split()


def photograph() -> bytes:
    out = io.BytesIO()
    Image.effect_noise((400, 240), 30).convert("RGB").save(out, "JPEG")
    return out.getvalue()


class Season(OfficeWithMail):
    """The office with its mail, who plays, and what was shown so far."""

    def __init__(self, office: Office, clock: SimulatedClock) -> None:
        self.office, self.clock, self.outbox = office, clock, Outbox()
        self.counter = MailService(office, self.outbox, papers=enclosures)
        self.held: set[str] = set()

    @contextlib.contextmanager
    def holds(self, *sentences: str) -> Iterator[None]:
        """Hold sentences by what is asserted within."""
        known = {sentence for those in SENTENCES.values() for sentence in those}
        assert set(sentences) <= known, sentences
        yield
        self.held |= set(sentences)

    def told(self, power: str, kind: str) -> str:
        """The last mail of a kind to a player, in a line."""
        return " ".join(body(self.outbox.to(f"{PEOPLE[power]}@example.org", kind)[-1]).split())

    def papers(self, power: str, kind: str) -> dict[str, bytes]:
        """What came with it, by name without the game's."""
        mail = self.outbox.to(f"{PEOPLE[power]}@example.org", kind)[-1]
        return {str(p.get_filename()).removeprefix(f"{GAME}-"): p.get_content() for p in mail.iter_attachments()}

    def mail(self, power: str, subject: str, text: str = "", sender: str = "") -> None:
        """A photograph of a sheet; the subject names the game and the power first, unless it is written in full."""
        known = people.find(self.office, Actor.console(), f"{PEOPLE[power]}@example.org")
        mail = EmailMessage()
        mail["From"] = sender or known.email
        mail["Subject"] = subject if power in subject else f"{NAME} - {power} - {subject}"
        mail["To"] = reply_address(self.office, GAME, power, known.id)
        mail["Message-ID"] = f"<{self.office.random_source.bytes(8).hex()}@example.org>"
        mail.set_content(text)
        mail.add_attachment(photograph(), maintype="image", subtype="jpeg", filename="sheet.jpg")
        self.counter.receive(mail.as_bytes(), ())
        self.settle()


def play(season: Season, boss: Coordinator) -> None:
    """Play Summer and Autumn 1642, and the Winter that follows."""
    _begin(season, boss)
    _summer(season, boss)
    _autumn(season, boss)
    _winter(season, boss)
    missing = {sentence for those in SENTENCES.values() for sentence in those} - season.held
    assert not missing


def _begin(season: Season, boss: Coordinator) -> None:
    holds, clock = season.holds, season.clock
    boss.found()
    for name in PEOPLE.values():  # papers with photographs come as links else
        reader = people.find(season.office, Actor.console(), f"{name}@example.org")
        people.set_preferences(season.office, Actor("person", reader.id), {"attached": "all"})
    season.settle()
    boss.share("anna", "Crown")
    season.settle()
    first, papers = season.told("Ormond", "game started"), season.papers("Ormond", "game started")
    assert "1 Fish Street" in first and "Post by" in first
    assert list(papers) == ["map.pdf", "roster.pdf", "order-sheet.pdf", "envelope.pdf"]
    with holds("Templates for letters and envelopes carry what the style guide asks for."):
        envelope, sheet = text_of(papers["envelope.pdf"]), text_of(papers["order-sheet.pdf"])
        assert all(part in envelope for part in ("1 Fish Street", "Ormond", NAME, "Summer 1642", "Orders"))
        assert all(part in sheet for part in ("Ormond", NAME, "Summer 1642", "Movement Orders", "v1"))
    with holds("Several games run at once, each with a name of its own."):
        listed = boss.shows("/desk").lower().replace(" ", "-")
        assert GAME in listed and "marston-moor" in listed, listed
        assert NAME in read(boss.press("/games/new", "Create game", {"name": NAME}, status=409))
    with holds("A roster of games, powers, players and addresses", "answers which address is good today."):
        now, later = (boss.shows(f"{DESK}/players?post={days}") for days in (0, 20))
        assert all(part in now for part in ("Ormond", "Clara", "5 Mill Lane"))
        assert "Beach House" in later, "from the 15th day on"
        assert "5 Mill Lane" not in later.partition("Beach House")[0]
        usual = boss.shows(f"{DESK}/players?post=45").partition("Beach House")[0]
        assert "5 Mill Lane" in usual, "after the 40th the usual one"
        assert "3 Mill Lane" not in text_of(papers["roster.pdf"])  # Ben's, which is not shared
    with holds("Players write to each other by post,"):
        assert "4 Mill Lane" in text_of(boss.prints("roster"))  # Crown's, which is shared
        assert "write to each other" in first, first
    with holds(
        "Each game has a calendar feed with all deadlines and their time zone.",
        "A season runs on a fixed cycle of days:",
        "Winter follows the third.",
    ):
        feed = Calendar.from_ical(boss.calendar())
        events = [(str(event["SUMMARY"]), event.decoded("DTSTART")) for event in feed.walk("VEVENT")]
        due = {name.partition(": ")[2]: at for name, at in events if isinstance(at, datetime)}
        assert all(at.utcoffset() is not None for at in due.values())
        assert {name: (at.date() - clock.now().date()).days for name, at in due.items()} == {
            "Summer 1642 movement orders": 12 + 1,
            "Summer 1642 retreat orders": 14 + 1,
            "Autumn 1642 movement orders": 15 + 12 + 1,
            "Autumn 1642 retreat orders": 15 + 14 + 1,
            "Winter 1643 adjustment orders": 30 + 2 + 1,
        }, "days end in the next morning; seven weeks have three such seasons"
        assert str(feed["X-WR-CALNAME"]) == NAME
    with holds(
        "A browser of valid moves shows where an army,", "or a fleet on each coast or at sea, may go from a place."
    ):
        shown = boss.moves("Caernarfonshire")
        assert "Merionethshire" in shown and "Dublin & Caernarfon Bays" in shown and "Cardigan Bay" in shown
        assert "Irish Sea" in shown and "Solway Firth" in boss.moves("Irish Sea")
    with holds(
        "Maps: the start with control, the start with control and units, and a printable board without control."
    ):
        maps = boss.maps()
        told = {name: text_of(pdf) for name, pdf in maps.items()}
        units = [name for name, text in told.items() if "army" in text]
        control = [name for name, text in told.items() if "Crown" in text]
        assert len(units) == 1 and len(control) == 2 and units[0] in control, told.keys()
        (bare, *_) = (name for name in maps if "A2" in name)
        assert bare not in control and round(max(pages_of(maps[bare])[0])) == 594, "a page of A2"


def _summer(season: Season, boss: Coordinator) -> None:
    holds, clock = season.holds, season.clock
    opened = clock.now()
    season.until(opened + timedelta(days=8))
    for power in ("Crown", "Confederacy"):
        boss.press(DESK, "Envelope received", power=power)
    season.settle()
    assert "The coordinator has your envelope" in season.told("Crown", "envelope came")
    season.mail("Crown", "Summer 1642 - Movement Orders - v2 (replaces v1 only if dry)", "A worcs - shrops")
    with holds("The movement orders that open a season come by post.", "commas are tolerated."):
        season.mail("Ormond", "Re: powick bridge, Ormond, Summer 1642, movement orders, v1")
        assert "Your envelope hasn't arrived" in season.told("Ormond", "answer")
    with holds("and nobody poses as another."):
        before = len(season.outbox.to("anna@example.org"))
        season.mail("Crown", "Summer 1642 - Movement Orders - v3", sender="ben@example.org")
        told = " ".join(body(m) for m in season.outbox.to("anna@example.org")[before:])
        assert "Was this you?" in told and "ben@example.org" in told
        ((_, item),) = boss.desk().items()
        boss.press(f"{DESK}/{item}", "Dismiss", {"note": "not Anna's"})
    with holds("The coordinator does not see orders before the deadline."):
        seen = boss.sees()
        for kept in ("Worcestershire", "shrops", "replaces v1", "Tipperary", ".jpg"):
            assert kept not in seen, kept
        assert not boss.desk()
    name, due = boss.turn()
    assert name == "Summer 1642 Movement"
    with holds(
        "A calendar day ends at 07:00 GMT on the day after.",
        "Deadlines move only in extreme circumstances, recorded with the reason.",
    ):
        assert (due.hour, due.minute) == (7, 0) and (due.date() - opened.date()).days == 13
        boss.press(DESK, "Pause", {"reason": "snow"})
        season.until(clock.now() + timedelta(hours=30))
        boss.press(DESK, "Resume", {"reason": "it thaws"})
        moved = boss.turn()[1]
        assert (moved.hour, moved.minute, (moved - due).days) == (7, 0, 2)
        due = moved + timedelta(days=1)
        boss.press(DESK, "Extend", {"until": f"{due:%Y-%m-%dT%H:%M}", "reason": "the post is on strike"})
        season.settle()
        assert "the post is on strike" in boss.shows(f"{DESK}/record") and "snow" in boss.shows(f"{DESK}/record")
        assert "the post is on strike" in season.told("Ormond", "deadline moved")
        assert "Post by" in season.told("Ormond", "deadline moved")
        assert "Your envelope has arrived" in season.told("Crown", "deadline moved")
    season.until(due - timedelta(hours=1))
    assert "Your envelope hasn't arrived" in season.told("Ormond", "reminder")
    season.until(due)
    waits = boss.desk()
    assert [power for kind, power in waits if kind == "unposted"] == ["Ormond"], "bots post nothing"
    with holds("Version instructions help to choose among several submissions.", "which stamps and files the picture;"):
        text, choices, pictures = boss.versions(waits["choose", "Crown"])
        assert "replaces v1 only if dry" in text and pictures == 1 and sorted(choices) == [1, 2]
        assert any(stamp in text for stamp in ("2026-03-10 12:00 UTC", "Tue 10 Mar, 12:00 UTC")), text
        beside = "which alone are read as orders: Version instructions: replaces v1 only if dry | A worcs - shrops"
        assert beside in " ".join(text.split())
        boss.choose(waits["choose", "Crown"], choices[2], "it was dry")
    boss.press(f"{DESK}/{waits['unposted', 'Ormond']}", "Accept the revision", {"reason": "the strike"})
    waits = boss.desk()
    with holds("Ambiguous wording is interpreted;"):
        assert "Tipperary" in boss.tries(waits["transcribe", "Ormond"], "Army in Tipperary to Central Tipperary")
    boss.transcribe(waits["transcribe", "Crown"], "A worcs - dubli")
    boss.photographs(waits["transcribe", "Confederacy"], "Confederacy", "Summer 1642 Movement", photograph())
    boss.transcribe(waits["transcribe", "Confederacy"], "A kilke H")
    boss.transcribe(waits["transcribe", "Ormond"], "A tippe - crtip")
    season.settle()
    assert "Tipperary" in boss.shows(f"{DESK}/results")
    boss.publish()
    season.settle()
    draft = season.told("Confederacy", "draft results")
    with holds("the game is not judged for the player.", "text in the mail is ignored in favor of it."):
        assert "Crown: Army Worcestershire -> Dublin & the Pale" in draft and "Shropshire" not in draft
    with holds(
        "Revisions may come as a photograph by e-mail to one address,",
        "A mail's subject is Game - Power - Season Year - Submission type - Version;",
    ):
        copies = season.papers("Confederacy", "draft results")["orders.pdf"]
        said = text_of(copies)
        assert "A tippe - crtip" in said and "Ormond" in said and "by e-mail" in said and "by post" in said
        assert "version 2" in said
    assert "draft results" in draft

    # a correction is looked over first, and says what changed; after the last day nothing opens by itself
    before = len(season.outbox.to("ben@example.org", "draft results"))
    season.until(due + timedelta(days=1))
    boss.correct("Ormond", "A tippe - queen\nA limer - crtip", "there is a second line")
    season.until(due + timedelta(days=4))
    assert len(season.outbox.to("ben@example.org", "draft results")) == before
    assert "was: A tippe - crtip" in boss.shows(f"{DESK}/results")
    boss.publish()
    season.settle()
    mail = season.told("Confederacy", "draft results")
    assert "CORRECTED: ORMOND'S ORDERS was: A tippe - crtip is: A tippe - queen" in mail
    assert "there is a second line" in mail
    assert boss.turn()[0] == "Summer 1642 Movement"
    assert [kind for kind, _ in boss.desk()] == ["final"]
    boss.press(f"{DESK}/results", "Make the season’s results final")
    season.settle()
    name, ends = boss.turn()
    assert name == "Autumn 1642 Movement"
    assert ends.hour == 7 and timedelta(days=12) < ends - clock.now() <= timedelta(days=13), "a late season is whole"
    assert {"order-sheet.pdf", "envelope.pdf", "orders.pdf"} <= set(season.papers("Crown", "results"))


def _autumn(season: Season, boss: Coordinator) -> None:
    """Ormond drives the Confederacy out of Kilkenny, which retreats by mail at once; a deputy reads each sheet, too."""
    clock = season.clock
    for power in PEOPLE:
        boss.press(DESK, "Envelope received", power=power)
    season.mail("Ormond", "Autumn 1642 - Movement Orders - v2")
    boss.deputy("dora")
    due = boss.turn()[1]
    season.until(due)
    item = boss.desk()["transcribe", "Ormond"]
    shown, choices, _ = boss.versions(item)
    assert sorted(choices) == [1, 2], shown
    boss.choose(item, choices[1], "“v1 counts if Kilkenny is held”")
    read = boss.tries(boss.desk()["transcribe", "Ormond"], "A queen H\nIf A queen is dislodged: kilke")
    assert "for later: " in read or "Later in this turn" in read, read
    assert ": A queen R kilke" in read
    sheets = {
        "Crown": "A worcs H",
        "Confederacy": "A kilke H\nIf A kilke is dislodged: carlo",
        "Ormond": "A queen - kilke\nA crtip S A queen - kilke\nIf A crtip is dislodged: limer",
    }
    for power, text in sheets.items():
        boss.transcribe(boss.desk()["transcribe", power], text)
    season.settle()
    assert not [kind for kind, _ in boss.desk() if kind != "confirm"]
    for power, text in sheets.items():
        boss.confirm("dora", boss.desk()["confirm", power], text)
    season.settle()
    stands, falls = "Stands: A kilke R carlo, unless another order is sent", "Falls: “If A crtip is dislodged: limer”"
    assert stands in boss.shows(f"{DESK}/results") and falls in boss.shows(f"{DESK}/results")
    boss.publish()
    season.settle()
    assert stands in season.told("Confederacy", "draft results") and falls not in season.told("Crown", "draft results")
    assert falls in season.told("Ormond", "draft results") and stands not in season.told("Ormond", "draft results")
    before = len(season.outbox.to("ben@example.org", "draft results"))
    boss.correct("Crown", "A worcs - shrops", "it is no H")
    season.settle()
    boss.confirm("dora", boss.desk()["confirm", "Crown"], "A worcs - shrops")
    season.settle()
    assert len(season.outbox.to("ben@example.org", "draft results")) == before, "read again, and not mailed by itself"
    boss.publish()
    season.settle()
    assert "is: A worcs - shrops" in season.told("Confederacy", "draft results")
    reason = "Ormond's version 1 counts. The reason: “v1 counts if Kilkenny is held”"
    assert reason in season.told("Crown", "draft results") and "v1 counts if" in boss.shows(f"{DESK}/record")
    assert "v1 counts if Kilkenny" in text_of(season.papers("Crown", "draft results")["orders.pdf"])
    assert "order-sheet.pdf" in season.papers("Confederacy", "draft results")
    assert "you have nothing to order" in season.told("Crown", "draft results")
    assert "you have nothing to order" not in season.told("Confederacy", "draft results")
    with season.holds("orders, draft results, retreats, final results;"):
        name, retreats = boss.turn()
        before = len(season.outbox.to("anna@example.org", "results"))
        assert name == "Autumn 1642 Retreats" and retreats == due + timedelta(days=2)
        boss.press(DESK, "Pause", {"reason": "a holiday"})
        season.until(clock.now() + timedelta(hours=10))
        boss.press(DESK, "Resume", {"reason": "it thaws"})
        moved = boss.turn()[1]
        assert moved == retreats + timedelta(days=1), "48 hours at least, and the end of a day"
        retreats = moved
        season.mail("Confederacy", "Autumn 1642 - Retreat Orders - v1")
        assert "Your envelope" not in season.told("Confederacy", "answer")
        season.until(retreats)
        boss.transcribe(boss.desk()["transcribe", "Confederacy"], "A kilke - carlo")
        boss.confirm("dora", boss.desk()["confirm", "Confederacy"], "A kilke R carlo")
        boss.deputy("")
        season.settle()
        boss.publish()
        season.settle()
        told = season.outbox.to("anna@example.org")[-1]
        assert "Carlow" in body(told) and told["X-Legation"] == "results", "with the retreats a season is final"
        assert "The results of Autumn 1642 Movement are now final too" in " ".join(body(told).split())
        assert len(season.outbox.to("anna@example.org", "results")) == before + 1, (
            "one mail of a season's final results"
        )


def _winter(season: Season, boss: Coordinator) -> None:
    """Ormond builds, the Confederacy removes, both by mail; then papers, settings and the end."""
    name, due = boss.turn()
    assert name == "Winter 1643 Adjustments" and due.hour == 7
    assert "You may build" in season.told("Ormond", "results"), "Winter opens with offers to build"
    assert "must remove" in season.told("Confederacy", "results"), "and demands to remove"
    assert "You may still give other orders, for example" in season.told("Crown", "results")
    assert "By post" not in text_of(season.papers("Ormond", "results")["order-sheet.pdf"]), "two days are too few"
    with season.holds("Retreats and adjustments may be mailed from the start."):
        for power in ("Ormond", "Confederacy"):
            season.mail(power, "Winter 1643 - Adjustment Orders - v1")
        season.until(due)
        assert not [kind for kind, _ in boss.desk() if kind == "unposted"]
        boss.transcribe(boss.desk()["transcribe", "Ormond"], "Build A tippe")
        boss.transcribe(boss.desk()["transcribe", "Confederacy"], "Remove A antwe")
        season.settle()
        boss.publish()
        season.settle()
        results = season.told("Ormond", "results")
        assert "Builds an army in Tipperary." in results and "Removes the army in Antwerp." in results
        assert "Next Spring 1643 Movement" in results and "Post by" in results and "You may build" not in results
        assert "Opens" in results
        came = {
            name: paper for name, paper in season.papers("Ormond", "results").items() if not name.startswith("head-")
        }
        assert list(came) == ["1643-winter-adjustments.pdf", "orders.pdf"], "the sheet comes when the turn opens"
        said = " ".join(text_of(came["1643-winter-adjustments.pdf"]).split())
        assert f"{NAME} Winter 1643 Adjustments" in said and "Cardigan Bay" in said, "an updated map as PDF"
        assert not season.outbox.to("clara@example.org", "turn opened"), "seasons before opened with their results"
        assert list(boss.desk()) == [("letters", "")], "the year's end prompts its letters"
        told = boss.shows(f"{DESK}/letters")
        assert all(part in told for part in ("Winter 1643", "3 Mill Lane", *PEOPLE)), told
        for power in PEOPLE:
            assert ("letters", "") in boss.desk()
            boss.press(f"{DESK}/letters", "It is posted", {}, power)
        assert not boss.desk() and f"{season.clock.now():%Y-%m-%d}" in boss.shows(f"{DESK}/record")
        season.until(due + timedelta(days=2))  # seven weeks after the first season opened
        assert boss.turn()[0] == "Spring 1643 Movement"
        for power, name in PEOPLE.items():
            assert len(season.outbox.to(f"{name}@example.org", "turn opened")) == 1
            told, papers = season.told(power, "turn opened"), season.papers(power, "turn opened")
            assert all(part in told for part in ("Spring 1643 Movement", "Due", "Post by", "1 Fish Street")), told
            assert "Enclosed: an order sheet and an envelope for it." in told
            assert list(papers) == ["order-sheet.pdf", "envelope.pdf"]
            assert all("Spring 1643" in text_of(paper) for paper in papers.values())
    letter = text_of(boss.prints("letters"))
    assert "1 Fish Street" in letter and "Winter 1643" in letter
    assert "Tipperary" in letter and "Antwerp" in letter, letter[:1500]
    assert "Cardigan Bay" in letter, "the map goes by post, too"
    assert "nobody has changed these results" in letter
    assert "Spring 1643 Movement" in letter and f"{boss.turn()[1]:%-d %B %Y}" in letter, "the next date that is ahead"
    boss.replace("Ormond", "dora", "a new player")
    assert "Clara" not in text_of(boss.prints("packets")), "without an address nothing is printed"
    boss.press(DESK, "Save settings", {"post_days": "7"})
    assert ["7"] in [form.fields.get("post_days") for form in forms_of(boss.site().get(DESK).text, DESK)]
    boss.press(DESK, f"Cancel {NAME} for good", {"reason": "enough"})
    assert not boss.desk()


DESK = f"/desk/{GAME}"
WORDS = re.compile(r"<[^>]+>")


class Coordinator:
    """Runs the game by the pages' own forms."""

    def __init__(self, season: Season) -> None:
        self.season = season
        self.app = whole_site(season.office)
        self.sites: dict[str, TestClient] = {}

    def site(self, name: str = "cora") -> TestClient:
        """Somebody's browser, signed in by a mailed link."""
        if name not in self.sites:
            ours = {"origin": "http://testserver", "sec-fetch-site": "same-origin"}
            site = TestClient(self.app, follow_redirects=False, headers=ours)
            assert press(site, "/sign-in", "Send link", {"email": f"{name}@example.org"}).status_code == 200
            self.season.settle()
            mail = body(self.season.outbox.to(f"{name}@example.org")[-1])
            link = re.search(r"/sign-in/[^\s?]+", mail)
            assert link, mail
            shown = forms_of(site.get(link[0]).text, link[0])[0]
            known = {"name": name.title()} if "name" in shown.open else {}
            assert press(site, link[0], "Sign in", known).status_code == 303
            self.sites[name] = site
        return self.sites[name]

    def press(
        self, page: str, button: str, fields: dict[str, str] | None = None, power: str = "", status: int = 303
    ) -> str:
        """Press a button of a page as the coordinator; where it leads, or the page that is shown."""
        answer = press(self.site(), page, button, fields, power=power)
        assert answer.status_code == status, (page, button, answer.status_code, read(answer.text)[-600:])
        return str(answer.headers.get("location", "") if status == 303 else answer.text)

    def shows(self, page: str) -> str:
        """A page as its reader reads it."""
        answer = self.site().get(page)
        assert answer.status_code == 200, (page, answer.status_code)
        return read(answer.text)

    def found(self) -> None:
        address = {"lines": "1 Fish Street\nLondon", "country": "England"}
        assert press(self.site(), "/me", "Add", address, action="/me/addresses").status_code == 303
        bots = {f"seat {power}": "hold" for power in ("Burgundy", "England", "France")}
        there = "/games/new?variant=hundred&like=post"
        self.press(self.press(there, "Create game", {"name": "Marston Moor", **bots}), "Start the game")
        asked = {f"seat {power}": "hold" for power in POWERS if power not in PEOPLE}
        for power, name in PEOPLE.items():
            asked |= {f"seat {power}": "invite", f"mail {power}": f"{name}@example.org"}
        assert self.press("/games/new?variant=three-kingdoms", "Create game", {"name": NAME, **asked}) == DESK
        self.season.settle()
        for power, name in PEOPLE.items():
            site, mail = self.site(name), body(self.season.outbox.to(f"{name}@example.org", "invitation")[-1])
            link = re.search(r"/games/\S+/invitation/\S+", mail)
            assert link, mail
            own = {"lines": f"{len(name)} Mill Lane\nWorcester", "country": "England"}
            assert press(site, link[0], f"Join as {load('three-kingdoms').named(power)}", own).status_code == 303
        assert press(self.site("ben"), "/me", f"Stop sharing with the players of {NAME}").status_code == 303
        away = {"lines": "Beach House", "country": "Spain", "first": "2026-03-15", "last": "2026-04-10"}
        assert press(self.site("clara"), "/me", "Add", away, action="/me/addresses").status_code == 303
        self.press(DESK, "Start the game")

    def turn(self) -> tuple[str, datetime]:
        shown = self.site().get(DESK).text
        name = re.search(r'class="strip">(?:\s*)<strong>([^<]+)', shown)
        due = re.search(r'class="strip">.*?datetime="([^"]+)"', shown, re.DOTALL)
        assert name, shown
        return name[1], datetime.fromisoformat(due[1]) if due else datetime.min.replace(tzinfo=UTC)

    def sees(self) -> str:
        pages = "".join(self.site().get(f"{DESK}{part}").text for part in ("", "/players", "/paper", "/record"))
        assert "Orders stay sealed until the deadline, even from you" in pages
        return pages + self.shows(f"{DESK}/results")

    def desk(self) -> dict[tuple[str, str], int]:
        """What waits, by the rows of the desk and by going on from one item to the next."""
        found: dict[tuple[str, str], int] = {}
        shown = self.site().get(DESK).text
        wanted = [f"{DESK}/{n}" for n in re.findall(rf'"{DESK}/(\d+)"', shown)]
        if "The season is over: make the results of" in shown:
            found["final", ""] = 0
        if f'href="{DESK}/letters"' in shown:
            found["letters", ""] = 0
        while wanted:
            page = wanted.pop()
            text, number = self.site().get(page).text, int(page.rpartition("/")[2])
            if number in found.values():
                continue
            power = html.unescape(re.findall(r"<title>([^,<]+)", text)[0])
            kinds = ("transcribe", "unposted", "choose", "settle")
            read_again = "Waiting for a second reading" in text
            kind = "confirm" if read_again else next(kind for kind in kinds if f'action="{page}/{kind}"' in text)
            found[kind, power] = number
            wanted += re.findall(r'href="([^"]+)"[^>]*rel="(?:next|prev)"', text)
        return found

    def deputy(self, name: str) -> None:
        if name:
            self.site(name)
            self.press(f"{DESK}/players", "Name the deputy", {"email": f"{name}@example.org"})
        else:
            self.press(f"{DESK}/players", "Stop second readings")

    def confirm(self, name: str, item: int, text: str) -> None:
        answer = press(self.site(name), f"{DESK}/{item}", "Sign off my reading", {"text": text})
        assert answer.status_code == 303, read(answer.text)[-600:]

    def versions(self, item: int) -> tuple[str, dict[int, str], int]:
        page = self.site().get(f"{DESK}/{item}").text
        choices = re.findall(r'name="version" value="(\d+)"[^>]*> <strong>Version (\d+)', page)
        pictures = set(re.findall(r'src="([^"]+/pictures/[^"]+)"', page))
        assert all(self.site().get(picture).status_code == 200 for picture in pictures)
        return read(page), {int(version): number for number, version in choices}, len(pictures)

    def choose(self, item: int, choice: str, reason: str) -> None:
        self.press(f"{DESK}/{item}", "This version counts", {"version": choice, "reason": reason})

    def tries(self, item: int, text: str) -> str:
        return read(self.press(f"{DESK}/{item}", "Check the reading", {"text": text}, status=200))

    def transcribe(self, item: int, text: str) -> None:
        page = f"{DESK}/{item}"
        answer = press(self.site(), page, "sign", {"text": text})
        if answer.status_code == 200:  # something is no legal order: it is signed off as it was written
            sent = {"text": text, "do": "anyway"}
            assert 'value="anyway"' in answer.text
            answer = self.site().post(f"{page}/transcribe", data=sent)
        assert answer.status_code == 303, read(answer.text)[-600:]

    def photographs(self, item: int, power: str, turn: str, picture: bytes) -> None:
        page = f"{DESK}/{item}"
        sent = {"pictures": [("letter.jpg", picture, "image/jpeg")]}
        answer = press(self.site(), page, "Add photographs", files=sent)
        assert answer.status_code == 303, read(answer.text)[-600:]
        assert "Picture 1 of 1" in self.site().get(page).text

    def correct(self, power: str, text: str, reason: str) -> None:
        self.press(f"{DESK}/results", "Correct and resolve again", {"text": text, "reason": reason}, power)

    def publish(self) -> None:
        shown = self.site().get(f"{DESK}/results").text
        (words,) = re.findall(r"<button[^>]*>(Publish[^<]+)</button>", shown)
        self.press(f"{DESK}/results", words)

    def calendar(self) -> bytes:
        assert f"/games/{GAME}/calendar.ics" in self.site().get(f"{DESK}/paper").text
        return TestClient(self.app).get(f"/games/{GAME}/calendar.ics").content

    def moves(self, place: str) -> str:
        return self.shows(f"/variants/three-kingdoms/moves?place={place}".replace(" ", "+"))

    def maps(self) -> dict[str, bytes]:
        there = "/variants/three-kingdoms/print"
        assert there in self.site().get(f"{DESK}/paper").text
        names = ("board-A2", "control-A4", "opening-A4")
        assert all(f"{name}.pdf" in self.site().get(there).text for name in names)
        return {name: self.site().get(f"{there}/{name}.pdf").content for name in names}

    def prints(self, what: str) -> bytes:
        address = f"/games/{GAME}/print/{what}.pdf"
        assert address in self.site().get(f"{DESK}/paper").text
        return self.site().get(address).content

    def replace(self, power: str, name: str, reason: str) -> None:
        self.site(name)
        self.press(f"{DESK}/players", "Leave the seat empty", {"reason": "no answer"}, power)
        self.press(f"{DESK}/players", "Seat the new player", {"email": f"{name}@example.org", "reason": reason}, power)
        assert f"No postal address is known for {power}" in self.shows(f"{DESK}/paper")

    def share(self, name: str, power: str) -> None:
        for button in ("Stop sharing it with players", "Share it with the players"):
            answer = press(self.site(name), f"/games/{GAME}/roster", button)
            assert answer.status_code == 303


def read(page: str) -> str:
    """The words of a page."""
    return " ".join(html.unescape(WORDS.sub(" ", page)).split())


@pytest.mark.long
@pytest.mark.usefixtures("without_children")
@pytest.mark.clause(*SENTENCES)
def test_the_coordinator_runs_a_season_from_the_desk_alone(
    office: Office, clock: SimulatedClock, tmp_path: Path
) -> None:
    season = Season(office, clock)
    play(season, Coordinator(season))


def test_the_season_names_every_sentence_of_the_service() -> None:
    service = {c.id: c.summary for c in clauses_of("three-kingdoms") if c.part == "service" or c.id in ("W-24", "W-25")}
    assert {clause: " ".join(parts) for clause, parts in SENTENCES.items()} == service
