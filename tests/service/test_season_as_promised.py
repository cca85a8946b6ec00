"""A season by mail and post as the rulebook promises it, through the entrances that people use: invitations answered
by mail, photographs over SMTP and IMAP, the coordinator's terminal, papers and results by mail. Each test is a promise;
the season is played once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from legation.cli.app import app
from legation.cli.office import terminal as office_terminal
from legation.office.clock import SeededRandomSource
from legation.office.identity import people
from legation.office.office import Office, open_office
from legation.office.terms.plans import preset_for
from legation.web import create_app
from tests.print.papers import text_of
from tests.service.world import Party, Service, photograph, serve, standing
from tests.web.clients import client_of

pytestmark = pytest.mark.long

GAME = "powick-bridge"
OPENS = datetime(2026, 3, 2, 12, tzinfo=UTC)
PEOPLE = {"Cumberland": "Anna", "Newcastle": "Bernard", "Montrose": "Clara", "Crown": "Dave"}
ELSEWHERE = "david@post.example"  # from which Dave answers the invitation to another address of his
HOMES = {"Cumberland": "2 Mill Lane", "Newcastle": "3 High Street", "Montrose": "4 Castle Wynd"}
SEASIDE = "Sea View"
PAGES = ("/variants/three-kingdoms/rules", "/variants/three-kingdoms/moves", f"/games/{GAME}/calendar.ics")


# Annexe 3 of the rulebook: name, position, game, season and submission type, version instructions, orders
NEWCASTLES_SHEET = """Bernard Smith
Newcastle
Powick Bridge
Summer 1642 Movement Orders
Use version 2 rather than version 1.
Army Durham moves to Northumberland.
"""
CROWNS_SHEET = """Jonathan Smith
The Crown or Charles Stuart
Powick Bridge
Autumn 1642 Movement Orders
Please use this version if it arrives in time.
Army Oxfordshire moves to Buckinghamshire. (*succeeds!*)
Here, Army Worcestershire supports Army Gloucestershire.
The Crown's Army Wiltshire holds.
"""
CONDITIONS = """Army Teviotdale holds.
Army Tweeddale holds.
If Army Teviotdale is dislodged: Carham
If Army Tweeddale is dislodged: Clydesdale
"""


@dataclass
class Season:
    """The season while it is played, and what was seen of it, by a word."""

    service: Service
    host: Party
    seen: dict[str | tuple[str, str], Any] = field(default_factory=dict)

    def at(self, power: str) -> Party:
        """Who plays a power."""
        return self.service.party(PEOPLE[power])

    def address(self, power: str) -> str:
        """From where they write."""
        return ELSEWHERE if power == "Crown" else self.at(power).email

    def told(self, power: str, kind: str) -> str:
        """The last mail of a kind to a player, in a line."""
        return self.service.sink.to(self.address(power), kind)[-1]

    def mail(self, power: str, subject: str, sheet: str = "", body: str = "", by: str = "smtp") -> str:
        """A player's mail to the one address for orders, with a photograph of a sheet; its answer."""
        sent = self.service.mail(self.address(power), subject, body, photograph(sheet) if sheet else b"")
        (self.service.by_imap if by == "imap" else self.service.by_smtp)(sent)
        return self.told(power, "answer")

    def terminal(self, *words: str, text: str = "") -> str:
        """A command of the coordinator's terminal."""
        base = ("office", "-C", str(self.service.folder), "--as", self.host.email)
        done = CliRunner().invoke(app, [*base, *words], input=text)
        assert done.exit_code == 0, done.output
        self.service.settle()
        return done.output

    def item(self, kind: str, power: str) -> str:
        """The number of a thing on the desk."""
        (found,) = [i for i in self.host.client.desk(GAME) if (i["kind"], i["power"]) == (kind, power)]
        return str(found["id"])


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Season]:
    with serve(tmp_path_factory.mktemp("season") / "office", OPENS) as service, pytest.MonkeyPatch.context() as patch:
        random = SeededRandomSource("terminal")

        def opened(folder: Path) -> Office:
            return open_office(folder, service.office.settings, service.clock, random)

        patch.setattr(office_terminal, "open_office", opened)
        played = Season(service, service.party("Coordinator"))
        gather(played)
        write(played)
        transcribe(played)
        autumn(played)
        year_ends(played)
        yield played


def gather(season: Season) -> None:
    """Four are invited, each to a power, and answer by mail; one from an address that nobody knows."""
    service, client = season.service, season.host.client
    client.call("POST", "/me/addresses", {"lines": ["1 Fish Street"], "country": "England", "primary": True})
    made = client.create(
        "Powick Bridge", "three-kingdoms", settings=dict(preset_for("three-kingdoms", coordinated=True))
    )
    client.create("Marston Moor", "three-kingdoms", settings={"coordinated": True})
    bots = dict.fromkeys(("Burgundy", "England"), "bot:hold")
    client.create("Edgehill", "hundred", seats=bots, settings=dict(preset_for("three-kingdoms", coordinated=True)))
    service.party("Zoe").client.sign_up("edgehill")
    client.start("edgehill")
    for seat in made["seats"]:
        if seat["power"] not in PEOPLE:
            client.call("PUT", f"/games/{GAME}/seats/{seat['power']}/bot", {"bot": "hold"})
    for power, name in PEOPLE.items():
        invited = f"{name.lower()}@example.org"
        client.call("POST", f"/games/{GAME}/invitations", {"email": invited, "power": power})
        service.settle()
        (said,) = season.seen["invitation", power] = service.sink.to(invited, "invitation")
        link = next(word for word in said.split() if "/invitation/" in word)
        answer = service.mail(
            season.address(power) if power == "Crown" else invited,
            "Re: An invitation",
            f"JOIN Powick Bridge\n\n> {link}\n",
        )
        service.by_smtp(answer)
        season.seen["joined", power] = service.sink.to(str(answer["From"]), "answer")[-1]
    assert all("You play" in season.seen["joined", p] for p in PEOPLE), season.seen
    for power, name in PEOPLE.items():  # whoever joins by mail has no name yet
        season.at(power).client.call("PUT", "/me/name", {"name": f"{name} Smith"})
    for power, home in HOMES.items():
        season.at(power).client.call("POST", "/me/addresses", {"lines": [home], "country": "England", "primary": True})
    away = {"lines": [SEASIDE], "country": "England", "first": "2026-03-20", "last": "2026-04-10"}
    season.at("Newcastle").client.call("POST", "/me/addresses", away)
    season.seen["said no"] = season.mail("Montrose", "Powick Bridge", body="SET NOSHARE")
    client.start(GAME)
    service.settle()
    season.seen["first"] = season.told("Cumberland", "game started")
    season.seen["first papers"] = papers(season, "Cumberland", "game started")
    season.seen["asked"] = season.mail("Cumberland", "Powick Bridge", body="ROSTER")
    season.terminal("print", GAME, "cards", "-o", str(service.folder.parent / "cards"))
    season.seen["cards"] = text_of((service.folder.parent / "cards" / "cards.pdf").read_bytes())
    reader = people.by_secret(service.office, season.at("Cumberland").token)
    site = client_of(create_app(service.office), service.office, reader)
    season.seen["roster page"] = site.get(f"/games/{GAME}/roster").text


def papers(season: Season, power: str, kind: str) -> dict[str, bytes]:
    """What came with the last mail of a kind, by name."""
    mails = [m for to, m in season.service.sink.mails if to == season.address(power) and m["X-Legation"] == kind]
    parts = mails[-1].iter_attachments()
    return {str(part.get_filename()).removeprefix(f"{GAME}-"): part.get_content() for part in parts}


def write(season: Season) -> None:
    """Envelopes, photographs, a subject of another game, a body that orders, and a photograph that is late."""
    service, seen = season.service, season.seen
    summer = "Summer 1642 - Movement Orders - Version"
    service.wait(days=5)
    for power in ("Cumberland", "Newcastle", "Montrose"):
        season.host.client.call("POST", f"/games/{GAME}/seats/{power}/posted", {"note": "a sealed envelope"})
    service.settle()
    # somebody who sits in Powick Bridge alone names another game
    seen["before"] = standing(season.at("Newcastle").client, GAME, "Newcastle")
    seen["other game"] = season.mail("Newcastle", "Marston Moor, Newcastle, Summer 1642, movement orders", "A durham H")
    seen["after"] = standing(season.at("Newcastle").client, GAME, "Newcastle")
    # a photograph whose mail says more than its sheet
    body = "v2 replaces v1 only if it is dry\nA durham - tees"
    seen["picture"] = season.mail(
        "Newcastle", f"Powick Bridge - Newcastle - {summer} 2", "A durham - nthumb", body, "imap"
    )
    # a second version; which counts stands on the paper alone
    season.mail(
        "Cumberland", f"Powick Bridge - Cumberland - {summer} 2", "A carlis - eskd. v1 counts if Montrose holds"
    )
    season.mail("Cumberland", f"Powick Bridge - Cumberland - {summer} 3", "A carlis - anith")
    due = datetime.fromisoformat(season.host.client.game(GAME)["turn"]["deadline"])
    service.until(due - timedelta(hours=2))
    seen["reminder"] = season.told("Crown", "reminder")
    service.until(due + timedelta(minutes=5))
    seen["late"] = season.mail("Crown", f"Powick Bridge - Crown - {summer} 1", "A oxon H")
    seen["desk"] = {(item["kind"], item["power"]) for item in season.host.client.desk(GAME)}


def transcribe(season: Season) -> None:
    """The coordinator works at the terminal, and publishes the draft."""
    seen, folder = season.seen, season.service.folder.parent / "pictures"
    item = season.item("transcribe", "Cumberland")
    seen["look"] = season.terminal("look", item, "-o", str(folder))
    seen["pictures"] = sorted(file.name for file in folder.iterdir())
    versions = {
        s["version"]: s["id"]
        for s in season.host.client.call("GET", f"/games/{GAME}/overview")
        if s["power"] == "Cumberland"
    }
    season.terminal("choose", item, str(versions[2]), "“v1 counts if Montrose holds”: the sheet of version 2")
    season.terminal(
        "transcribe", season.item("transcribe", "Cumberland"), "-", text="Army Carlisle moves to Eskdale.\n"
    )
    seen["newcastle"] = season.terminal("look", season.item("transcribe", "Newcastle"))
    season.terminal(
        "transcribe",
        season.item("transcribe", "Newcastle"),
        "-",
        text=NEWCASTLES_SHEET,
    )
    tried = ("transcribe", season.item("transcribe", "Montrose"), "-")
    seen["teesdale"] = season.terminal(*tried, "--try", text="Army Tweeddale moves to Teesdale.\n")
    season.terminal(*tried, text="Army Tweeddale moves to Teesdale.\n")
    season.terminal("publish", GAME)
    seen["draft"] = season.told("Montrose", "draft results")


def autumn(season: Season) -> None:
    """Sheets as the rulebook has them come by post; one gives its retreats ahead, and one of its units is dislodged."""
    service, seen, host = season.service, season.seen, season.host.client
    go_on(season, "Autumn 1642 Movement")
    service.wait(days=5)
    for power in PEOPLE:
        host.call("POST", f"/games/{GAME}/seats/{power}/posted", {"note": "a sealed envelope"})
    service.until(datetime.fromisoformat(host.game(GAME)["turn"]["deadline"]))
    sheets = {
        "Crown": CROWNS_SHEET,
        "Cumberland": "Army Eskdale attacks Teviotdale.\n",
        "Newcastle": "Army Northumberland supports Army Eskdale to Teviotdale.\n",
        "Montrose": CONDITIONS,
    }
    for power, text in sheets.items():
        tried = ("transcribe", season.item("transcribe", power), "-")
        seen["tried", power] = season.terminal(*tried, "--try", text=text)
        season.terminal(*tried, text=text)
    season.terminal("publish", GAME)
    seen["autumn drafts"] = {power: season.told(power, "draft results") for power in PEOPLE}


def year_ends(season: Season) -> None:
    """Winter's results are published; the letters of the year are printed and posted."""
    host, folder = season.host.client, season.service.folder.parent / "letters"
    season.seen["before winter"] = {item["kind"] for item in host.desk(GAME)}
    go_on(season, "Spring 1643 Movement")
    season.seen["after winter"] = [item["text"] for item in host.desk(GAME) if item["kind"] == "letters"]
    season.seen["letters"] = season.terminal("letters", GAME)
    for what in ("letters", "labels"):
        season.terminal("print", GAME, what, "-o", str(folder))
    season.seen["printed"] = {file.stem: text_of(file.read_bytes()) for file in folder.iterdir()}
    day = season.service.clock.now().date().isoformat()
    season.seen["posted on"] = day
    for power in PEOPLE:
        season.seen["posted"] = season.terminal("letters", GAME, power, "--on", day)
    season.seen["after the post"] = {item["kind"] for item in host.desk(GAME)}


def go_on(season: Season, until: str) -> None:
    """Publish what is judged and let time go by, until a turn is open."""
    for _ in range(60):
        desk = {item["kind"] for item in season.host.client.desk(GAME)}
        turn = season.host.client.game(GAME)["turn"]
        if turn["name"] == until and turn["state"] == "open":
            return
        if desk & {"publish", "final"}:
            season.terminal("publish", GAME, *(["--final"] if "publish" not in desk else []))
        else:
            season.service.wait(hours=12)
    pytest.fail(f"{until} never opened: {turn}, {desk}")


@pytest.mark.clause("W-20e")
def test_version_instructions_on_the_paper_open_the_choice(season: Season) -> None:
    """A.1: on any entry where several versions stand, with the sentence that the paper says; all are told."""
    assert ("choose", "Cumberland") not in season.seen["desk"], "the mail said nothing"
    draft = season.seen["draft"]
    assert "Cumberland's version 2 counts. The reason: “v1 counts if Montrose holds”: the sheet of version 2" in draft
    assert "Cumberland: Army Carlisle -> Eskdale" in draft
    (line,) = [e for e in season.host.client.call("GET", f"/games/{GAME}/journal", limit=1000) if e["kind"] == "chosen"]
    assert "v1 counts if Montrose holds" in line["facts"]["reason"]


@pytest.mark.clause("W-20b")
def test_a_mail_with_a_picture_is_its_subject_and_its_picture(season: Season) -> None:
    """A.2: the body neither opens a choice nor orders; it is kept for the coordinator."""
    assert ("choose", "Newcastle") not in season.seen["desk"]
    assert "beside the photographs, which alone are read as orders" in season.seen["newcastle"]
    assert "v2 replaces v1 only if it is dry" in season.seen["newcastle"]
    assert "Newcastle: Army Durham -> Northumberland" in season.seen["draft"]


@pytest.mark.clause("W-20c", "W-26")
def test_a_subject_that_names_another_game_is_asked_about(season: Season) -> None:
    """A.3: also of a person who has one seat; nothing is replaced."""
    assert "Nothing was entered" in season.seen["other game"]
    assert "YOUR SEATS Newcastle in Powick Bridge" in season.seen["other game"]
    assert season.seen["before"] == season.seen["after"]


@pytest.mark.clause("W-20g")
def test_the_rulebook_s_own_sheets_and_sentences_are_read(season: Season, tmp_path: Path) -> None:
    """A.4: as in Annexe 3, typed at the desk's terminal, and looked over by ``legation check``."""
    assert "Newcastle: Army Durham -> Northumberland" in season.seen["draft"]
    read = season.seen["tried", "Crown"]
    for order in ("A oxon - bucks", "A worcs S A glouc", "A wilts H"):
        assert order in read, read
    assert "Crown: Army Oxfordshire -> Buckinghamshire" in season.seen["autumn drafts"]["Montrose"]
    sheet = tmp_path / "sheet.txt"
    sheet.write_text(CROWNS_SHEET.replace("Autumn", "Summer"))
    done = CliRunner().invoke(app, ["check", "three-kingdoms", str(sheet), "--power", "Crown"])
    for order in ("A oxon - bucks", "A worcs S A glouc", "A wilts H"):
        assert order in done.output, done.output
    assert "not understood" not in done.output and "Jonathan" not in done.output


@pytest.mark.clause("W-9b")
def test_teesdale_is_teviotdale(season: Season) -> None:
    """A.5."""
    assert "A tweed - tevio" in season.seen["teesdale"]
    assert "Montrose: Army Tweeddale -> Teviotdale & Liddesdale" in season.seen["draft"]


@pytest.mark.clause("W-23")
def test_an_invitation_keeps_its_power(season: Season) -> None:
    """A.6: answered with the link quoted, and from another address."""
    for power in PEOPLE:
        assert f"You play {'the ' if power == 'Crown' else ''}{power} in Powick Bridge" in season.seen["joined", power]
    held = {seat["power"]: seat["holder"] for seat in season.host.client.game(GAME)["seats"] if seat["state"] == "held"}
    assert set(held) == set(PEOPLE)


@pytest.mark.clause("W-23")
def test_the_roster_is_for_players(season: Season) -> None:
    """A.7: the address is asked for at sign-up and shared unless one says no; mail, paper, page and card tell it."""
    seen = season.seen
    assert "Add your postal address" in seen["joined", "Newcastle"] and "SET NOSHARE" in seen["joined", "Newcastle"]
    assert "won't see your postal address" in seen["said no"]
    enclosed = text_of(seen["first papers"]["roster.pdf"])
    for told in (enclosed, seen["asked"], seen["roster page"]):
        for part in (HOMES["Newcastle"], HOMES["Cumberland"], SEASIDE, "Edgehill", "Zoe", "Bernard"):
            assert part.casefold() in told.casefold(), (part, told)
        assert HOMES["Montrose"] not in told
    assert "from 20 March 2026 to 10 April 2026" in enclosed
    assert "from Fri 20 Mar 2026 to Fri 10 Apr 2026" in seen["asked"]
    for name in ("Anna", "Bernard", "Clara"):
        assert name in seen["cards"]


def test_conditions_on_paper_are_shown_and_the_draft_tells_which_stand(season: Season) -> None:
    """A.8: at the terminal as they are understood; in the draft to their power alone."""
    tried, drafts = season.seen["tried", "Montrose"], season.seen["autumn drafts"]
    assert "A tevio R carham" in tried and "A tweed R clyde" in tried
    stands, falls = "Stands: A tevio R carham, unless another order is sent", "Falls: “If Army Tweeddale is dislodged"
    assert stands in drafts["Montrose"] and falls in drafts["Montrose"]
    assert "Stands:" not in drafts["Newcastle"]


@pytest.mark.clause("W-21a")
def test_the_year_s_end_prompts_its_letters(season: Season) -> None:
    """A.9: a letter, a label for each player, and the day on which it was posted; then nothing waits."""
    seen = season.seen
    assert "letters" not in seen["before winter"] and "letters" not in seen["after the post"]
    assert seen["after winter"] == ["The year has ended: 4 letters to print and post."]
    for power in PEOPLE:
        assert power in seen["letters"]
    assert HOMES["Cumberland"] in seen["letters"] and seen["posted on"] not in seen["letters"]
    assert seen["posted"].count(seen["posted on"]) == 4
    assert HOMES["Cumberland"] in seen["printed"]["labels"] and HOMES["Montrose"] in seen["printed"]["labels"]
    assert HOMES["Cumberland"] in seen["printed"]["letters-Cumberland"]


@pytest.mark.clause("W-20a", "W-22", "W-25")
def test_mails_name_the_calendar_the_moves_and_the_rules(season: Season) -> None:
    """A.10: the first mail above all, and every other below."""
    for page in PAGES:
        assert page in season.seen["first"] and page in season.seen["draft"] and page in season.seen["reminder"], page
    assert list(season.seen["first papers"]) == ["map.pdf", "roster.pdf", "order-sheet.pdf", "envelope.pdf"]
    (invited,) = season.seen["invitation", "Crown"]
    assert PAGES[0] in invited and PAGES[1] in invited


@pytest.mark.clause("W-20a", "W-20b")
def test_what_can_still_be_done_is_told_and_a_late_photograph_is_answered(season: Season) -> None:
    """A.10: two hours before the deadline nobody can post; arrival, deadline and what counts."""
    assert "It's too late to post an envelope" in season.seen["reminder"] and "Post by" not in season.seen["reminder"]
    late = season.seen["late"]
    assert "Nothing was entered" in late and "Late by 5 minutes" in late and "Was due" in late
    assert "You have sent nothing for Summer 1642 Movement." in late


@pytest.mark.clause("W-20e")
def test_pictures_at_the_terminal_are_told_apart(season: Season) -> None:
    """A.11: by version, time and name."""
    assert len(season.seen["pictures"]) == 2
    for version, name in zip((2, 3), sorted(season.seen["pictures"], key=lambda n: "version-3" in n), strict=True):
        assert f"Cumberland-version-{version}" in name and "2026-03-07" in name and name.endswith(".jpg"), name
        assert f"version {version}" in season.seen["look"]
    assert "IMG_0001" in season.seen["look"]
