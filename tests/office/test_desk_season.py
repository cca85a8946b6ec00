"""The same season, run from the desk's pages alone: every act is a form of a page, filled in and sent."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from legation.cli.serving import whole_site
from legation.office.clock import SimulatedClock
from legation.office.office import Office
from legation.variants import load
from tests.mail.conftest import body
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
from tests.web.forms import forms_of, press

DESK = f"/desk/{GAME}"
WORDS = re.compile(r"<[^>]+>")


class AtTheDesk(Coordinator):
    """Runs the game by the pages' own forms."""

    begins = "game started"

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

    def refuses_another(self) -> str:
        return read(self.press("/games/new", "Create game", {"name": NAME}, status=409))

    def games(self) -> str:
        return self.shows("/desk")

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
            if "Waiting for a second reading" in text:
                found["confirm", power] = number
                wanted += re.findall(r'href="([^"]+)"[^>]*rel="(?:next|prev)"', text)
                continue
            kinds = {"transcribe": "/transcribe", "unposted": "/unposted", "choose": "/choose", "settle": "/settle"}
            kind = next(kind for kind, action in kinds.items() if f'action="{page}{action}"' in text)
            found[kind, power] = number
            wanted += re.findall(r'href="([^"]+)"[^>]*rel="(?:next|prev)"', text)
        return found

    def posted(self, power: str) -> None:
        self.press(DESK, "Envelope received", power=power)

    def deputy(self, name: str) -> None:
        if name:
            self.site(name)
            self.press(f"{DESK}/players", "Name the deputy", {"email": f"{name}@example.org"})
        else:
            self.press(f"{DESK}/players", "Stop second readings")

    def confirm(self, name: str, item: int, text: str) -> None:
        answer = press(self.site(name), f"{DESK}/{item}", "Sign off my reading", {"text": text})
        assert answer.status_code == 303, read(answer.text)[-600:]

    def pause(self, reason: str) -> None:
        self.press(DESK, "Pause", {"reason": reason})

    def resume(self) -> None:
        self.press(DESK, "Resume", {"reason": "it thaws"})

    def extend(self, until: datetime, reason: str) -> None:
        self.press(DESK, "Extend", {"until": until.strftime("%Y-%m-%dT%H:%M"), "reason": reason})

    def versions(self, item: int) -> tuple[str, dict[int, str], int]:
        page = self.site().get(f"{DESK}/{item}").text
        choices = re.findall(r'name="version" value="(\d+)"[^>]*> <strong>Version (\d+)', page)
        pictures = set(re.findall(r'src="([^"]+/pictures/[^"]+)"', page))
        assert all(self.site().get(picture).status_code == 200 for picture in pictures)
        return read(page), {int(version): number for number, version in choices}, len(pictures)

    def choose(self, item: int, choice: str, reason: str) -> None:
        self.press(f"{DESK}/{item}", "This version counts", {"version": choice, "reason": reason})

    def accept(self, item: int, reason: str) -> None:
        self.press(f"{DESK}/{item}", "Accept the revision", {"reason": reason})

    def dismiss(self, item: int) -> None:
        self.press(f"{DESK}/{item}", "Dismiss", {"note": "not Anna's"})

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

    def preview(self) -> str:
        return self.shows(f"{DESK}/results")

    def publish(self) -> None:
        shown = self.site().get(f"{DESK}/results").text
        (words,) = re.findall(r"<button[^>]*>(Publish[^<]+)</button>", shown)
        self.press(f"{DESK}/results", words)

    def publish_final(self) -> None:
        self.press(f"{DESK}/results", "Make the season’s results final")

    def correct(self, power: str, text: str, reason: str, turn: int = 1) -> None:
        self.press(f"{DESK}/results", "Correct and resolve again", {"text": text, "reason": reason}, power)

    def record(self) -> str:
        return self.shows(f"{DESK}/record")

    def calendar(self) -> bytes:
        assert f"/games/{GAME}/calendar.ics" in self.site().get(f"{DESK}/paper").text
        return TestClient(self.app).get(f"/games/{GAME}/calendar.ics").content

    def roster(self, days: int) -> str:
        return self.shows(f"{DESK}/players?post={days}")

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

    def settings(self, post_days: int) -> None:
        self.press(DESK, "Save settings", {"post_days": str(post_days)})
        fields = [form.fields.get("post_days") for form in forms_of(self.site().get(DESK).text, DESK)]
        assert [str(post_days)] in fields

    def replace(self, power: str, name: str, reason: str) -> None:
        self.site(name)
        self.press(f"{DESK}/players", "Leave the seat empty", {"reason": "no answer"}, power)
        self.press(f"{DESK}/players", "Seat the new player", {"email": f"{name}@example.org", "reason": reason}, power)
        assert f"No postal address is known for {power}" in self.shows(f"{DESK}/paper")

    def cancel(self, reason: str) -> None:
        self.press(DESK, f"Cancel {NAME} for good", {"reason": reason})

    def letters(self) -> str:
        return self.shows(f"{DESK}/letters")

    def letter_posted(self, power: str) -> None:
        self.press(f"{DESK}/letters", "It is posted", {}, power)

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
    play(season, AtTheDesk(season))
