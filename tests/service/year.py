"""The first game year of the Three Kingdoms, played by ten people as the rulebook has it: Summer and Autumn 1642 by
post, with photographs, retreats by mail, Winter 1643; then 1643 by letter-writers who have taken to programs, until
what was lent in one Winter lapses in the next.

:func:`play` plays it and keeps what the tests look at.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from legation.client import Client
from legation.office.context import Actor
from legation.office.desk import desk, mailroom, unmatched
from legation.office.game import seats
from legation.office.hosting import exports, games
from legation.office.identity import people
from legation.print import Address
from legation.print.games import GamePapers
from legation.variants import load
from legation.web.api.calling import ROUTES
from tests.office.playing import sheets
from tests.service.world import Party, Service, photograph, standing, text_of

GAME = "powick-bridge"
OPENS = datetime(2026, 3, 2, 12, tzinfo=UTC)  # so Summer's calendar day 0 is 2 March
NAMES = ("Anna", "Bernard", "Clara", "David", "Edith", "Frank", "Grace", "Henry", "Irene", "James")
SECRET = "A glouc - oxon"  # nobody may know of it before the deadline
Json = Any

# What the letters and photographs say; the coordinator reads it off them at the desk.
SUMMER = {
    "Crown": f"{SECRET}\nA oxon H\nA perth - athol",
    "Cumberland": "A carlis - eskd",
    "Newcastle": "A durham - nthumb",
    "Manchester": "A colch H\nA suffol H",
    "Protectorate": "A deptf H",
    "Montrose": "A tweed under Argyll\nA skye H",
    "Hamilton": "A perth under Crown\nA elgin H",
    "Argyll": "A tweed - eskd\nA argyl H",
    "Ormond": "A tippe H",
    "Confederacy": "A clonm - crtip",
}


@dataclass
class Year:
    """What was seen while the year was played."""

    service: Service
    host: Party
    players: dict[str, Party] = field(default_factory=dict)
    envelopes: dict[tuple[str, int], str] = field(default_factory=dict)  # (power, version): what the paper says
    turns: dict[str, Json] = field(default_factory=dict)  # name: the result as it was published first
    seen: dict[str, Json] = field(default_factory=dict)  # by a word: what a chapter kept for a test

    @property
    def game(self) -> Json:
        """The game as the coordinator sees it now."""
        return self.host.client.game(GAME)

    def due(self) -> datetime:
        """The present deadline."""
        return datetime.fromisoformat(self.game["turn"]["deadline"])

    def at(self, power: str) -> Party:
        """Who plays a power."""
        return self.players[power]

    def subject(self, power: str, what: str, version: int, more: str = "") -> str:
        """A subject line as the rulebook asks for it (W-20c)."""
        season = " ".join(self.game["turn"]["name"].split()[:2])
        return f"Powick Bridge - {power} - {season} - {what} - Version {version}{more}"

    def post(self, power: str, text: str) -> None:
        """An envelope arrives at the coordinator's, who registers it unopened."""
        self.host.client.call("POST", f"/games/{GAME}/seats/{power}/posted", {"note": "a sealed envelope"})
        self.envelopes[power, len(standing(self.at(power).client, GAME, power))] = text

    def photograph(self, power: str, text: str, version: int, more: str = "", body: str = "") -> None:
        """A player mails a photograph of a sheet to the one address for orders."""
        message = self.service.mail(
            self.at(power).email, self.subject(power, "Movement Orders", version, more), body, photograph(text)
        )
        self.service.by_smtp(message)
        self.envelopes[power, version] = text

    def desk(self, kind: str = "") -> list[Json]:
        """What waits at the desk."""
        return [item for item in self.host.client.desk(GAME) if kind in ("", item["kind"])]

    def transcribe_all(self) -> None:
        """The coordinator opens the envelopes, looks at the pictures, and writes down what they say."""
        for item in self.desk("transcribe"):
            whole = self.host.client.call("GET", f"/desk/{item['id']}")
            text = self.envelopes[item["power"], whole["facts"]["version"]]
            self.host.client.call("POST", f"/desk/{item['id']}/transcribe", {"text": text})
        self.service.settle()

    def keep(self) -> Json:
        """Keep the result that was published last."""
        result = self.host.client.result(GAME)
        self.turns.setdefault(result["name"], result)
        return result


def play(service: Service) -> Year:
    """Play the year."""
    year = Year(service, service.party("Coordinator"))
    gather(year)
    summer(year)
    autumn(year)
    winter(year)
    next_year(year)
    year.seen["saved"] = year.host.client.saved_game(GAME)
    year.seen["transcript"] = year.at("Newcastle").client.call("GET", f"/games/{GAME}/transcript").encode()
    year.seen["differences"] = exports.rebuild(service.office, Actor.console(), GAME)
    return year


# Gathering


def gather(year: Year) -> None:
    """Ten people are invited by mail, say what they would like to play, and the powers are dealt by lot."""
    service, host = year.service, year.host
    settings = {
        "schedule": "three-kingdoms",
        "coordinated": True,
        "drafts": True,
        "opening_by_post": True,
        "ready_ends": False,
        "reminder_hours": 0,
    }
    made = host.client.create("Powick Bridge", "three-kingdoms", settings=settings)
    year.seen["deal commitment"] = made["deal_commitment"]
    other = host.client.create("Edgehill", "hundred", seats={"Burgundy": "bot:hold"}, settings={"schedule": "weekly"})
    assert (made["key"], other["key"]) == (GAME, "edgehill")
    for number, name in enumerate(NAMES):
        party = service.party(name)
        host.client.call("POST", f"/games/{GAME}/invitations", {"email": party.email})
        service.settle()
        (invited,) = service.sink.to(party.email, "invitation")
        secret = invited.partition(f"/games/{GAME}/invitation/")[2].split()[0]
        wishes = ["Crown", "Ormond"] if number % 2 else []
        party.client.sign_up(GAME, wishes, secret)
    for name in NAMES[:2]:
        service.party(name).client.sign_up("edgehill")
    host.client.start(GAME)
    service.settle()
    by_number = {service.party(name).client.call("GET", "/me")["id"]: service.party(name) for name in NAMES}
    year.players = {seat["power"]: by_number[seat["person"]] for seat in year.game["seats"]}
    for number, (power, party) in enumerate(year.players.items()):
        lines = [f"{number + 1} High Street", "Worcester"]
        party.client.call("POST", "/me/addresses", {"lines": lines, "country": "England", "primary": True})
        party.client.call("PUT", f"/games/{GAME}/seats/{power}/address-shared", {"share": True})


# Summer 1642


def summer(year: Year) -> None:
    """The first orders come by post; some are revised by photograph, one at the last minute."""
    service, host = year.service, year.host
    year.seen["summer due"] = year.due()
    year.seen["calendar before"] = calendar(year)
    service.wait(days=7)
    for power, text in SUMMER.items():
        if power not in ("Argyll", "Protectorate"):
            year.post(power, text)
    # revised by photograph; what the mail itself says is kept, and not read
    year.photograph("Crown", SUMMER["Crown"] + "\nF bristl H", 2, body="A bristl - lunsea\nA worcs - shrops")
    # two versions with instructions (W-20e)
    year.photograph("Cumberland", "A carlis - anith", 2, " (replaces v1 only if Montrose has written)")
    # no envelope of Argyll's ever arrives, only its photograph
    year.photograph("Argyll", SUMMER["Argyll"], 1)
    # somebody writes from an address that nobody knows
    stranger = service.mail(
        "printer@copyshop.example", "photo from the shop", "", photograph(SUMMER["Protectorate"]), vouched=False
    )
    service.by_smtp(stranger)
    year.seen["unmatched"] = assign_unmatched(year)
    service.wait(days=3)
    year.seen["looks"] = {who: look_everywhere(year, client) for who, client in _lookers(year).items()}
    year.seen["bytes"] = service.everything_on_disk()
    year.seen["mails before"] = "\n".join(text_of(mail) for _, mail in service.sink.mails)
    # at the last minute Montrose takes its unit back from Argyll
    service.until(year.due().replace(hour=6, minute=59, second=59, microsecond=900_000))
    year.photograph("Montrose", "A tweed H\nA skye H", 2)
    year.seen["last minute"] = standing(year.at("Montrose").client, GAME, "Montrose")
    service.until(year.due())
    year.seen["desk"] = [(i["kind"], i["power"]) for i in year.desk()]
    (item,) = year.desk("choose")
    year.seen["versions"] = host.client.call("GET", f"/desk/{item['id']}")["facts"]["texts"]
    host.client.call(
        "POST", f"/desk/{item['id']}/choose", {"submission": item["submissions"][0], "reason": "no letter of Montrose"}
    )
    for item in year.desk("unposted"):
        body = {"accept": True, "reason": "the strike has stopped the letter"}
        host.client.call("POST", f"/desk/{item['id']}/decide", body)
    (item,) = [i for i in year.desk("transcribe") if i["power"] == "Crown"]
    whole = host.client.call("GET", f"/desk/{item['id']}")
    year.seen["suggested"] = host.client.call(
        "POST", f"/desk/{item['id']}/suggest", {"text": "Army Gloucestershire to Oxfrdshrie"}
    )
    year.seen["picture"] = host.client._http.get(f"/desk/{item['id']}/pictures/{whole['facts']['files'][0]}").content
    year.transcribe_all()
    year.keep()
    year.seen["summer state"] = year.turns["Summer 1642 Movement"]["state"]
    service.until(datetime(2026, 3, 17, 7, tzinfo=UTC))  # day 15 begins
    year.seen["summer final"] = host.client.result(GAME, "1642-summer-movement")["state"]


def assign_unmatched(year: Year) -> Json:
    """Whoever runs the office finds a mail that fits no seat at the desk, and says whose it is; the answer is what the
    desk showed of it."""
    (item,) = [i for i in desk.items(year.service.office, Actor.console()) if i.kind == "unmatched mails"]
    (mail,) = desk.item(year.service.office, Actor.console(), item.id).facts["entries"]
    unmatched.assign(year.service.office, Actor.console(), item.id, GAME, "Protectorate", mail["arrival"])
    year.service.settle()
    mailroom.release(year.service.office, year.service.link(year.at("Protectorate").email, "release"))
    year.service.settle()
    year.envelopes["Protectorate", 1] = SUMMER["Protectorate"]
    told: Json = mail
    return told


def calendar(year: Year) -> str:
    """The game's calendar, as a program that subscribes to it gets it."""
    answer = year.host.client._http.get(f"{year.service.base}/games/{GAME}/calendar.ics")
    assert answer.status_code == 200
    return answer.text


def _lookers(year: Year) -> dict[str, Party | None]:
    """One of each role: the coordinator, another player, somebody who plays only elsewhere, a visitor."""
    return {"coordinator": year.host, "player": year.at("Ormond"), "person": year.service.party("Zoe"), "visitor": None}


def look_everywhere(year: Year, party: Party | None) -> str:
    """Everything that the API answers to somebody who asks every question about the game."""
    client = party.client if party else Client(year.service.base)
    answers = []
    for route in ROUTES:
        if route.method != "GET":
            continue
        for power in year.players if "{power}" in route.path else [""]:
            path = route.path.format(
                game=GAME, power=power, turn="now", number="1", submission="1", digest="0" * 64, id="1", item="1",
                absence="1", address="1", credential="1", name="x", variant="hundred", person="1", page="1",
                tournament="weekend", league="club",
            )  # fmt: skip
            answer = client._http.get(path)
            assert answer.status_code < 500, (path, answer.text)
            answers.append(_without_rules(answer.json()) if path.endswith("/transcript") else answer.text)
    for submission in range(1, 20):
        answer = client._http.post(f"/submissions/{submission}/read", json={})
        assert answer.status_code < 500
        answers.append(answer.text)
    return "\n".join(answers)


def _without_rules(transcript: str) -> str:
    """A transcript without the text of the rules in its header, which names every place of the board."""
    header, _, rest = transcript.partition("\n")
    rules = json.loads(header)["rules"]
    assert rules == load("three-kingdoms").text
    return rest


# Autumn 1642


def autumn(year: Year) -> None:
    """A player leaves and another comes; a deadline is moved; a unit is dislodged and retreats by mail."""
    service, host = year.service, year.host
    year.seen["autumn due"] = year.due()
    party = year.at("Ormond")
    old = service.reply_address(GAME, "Ormond")
    service.by_smtp(service.mail(party.email, "Powick Bridge", "RESIGN", to=old))
    seats.confirm_resign(service.office, Actor.visitor(), service.link(party.email, "resign"))
    year.seen["left"] = [s["state"] for s in year.game["seats"] if s["power"] == "Ormond"]
    heir = service.party("Kate")
    host.client.call(
        "POST", f"/games/{GAME}/seats/Ormond/replace", {"email": heir.email, "reason": "Ormond was vacant"}
    )
    year.seen["stayed"] = party
    year.players["Ormond"] = heir
    body = {"lines": ["3 Quay Street", "Galway"], "country": "Ireland", "primary": True}
    heir.client.call("POST", "/me/addresses", body)
    service.settle()
    # Newcastle is at the seaside for a while: letters go there
    body = {"lines": ["Sea View", "Scarborough"], "country": "England", "first": "2026-03-20", "last": "2026-04-10"}
    year.at("Newcastle").client.call("POST", "/me/addresses", body)
    service.wait(days=5)
    for power in year.players:
        texts = {
            "Ormond": "A tippe - crtip\nA limer S A tippe - crtip",
            "Confederacy": "A crtip H",
            "Manchester": MANCHESTER,
        }
        year.post(power, texts.get(power, "# all hold"))
    year.seen["roster"] = host.client.call("GET", f"/games/{GAME}/roster")
    day = service.clock.now().date().isoformat()
    path = f"/games/{GAME}/seats/Newcastle/address"
    year.seen["address today"] = host.client.call("GET", path, day=day)
    year.seen["address in a month"] = host.client.call("GET", path, day=day, days_in_post=30)
    coordinator = people.as_person(service.office, host.person)
    home = Address("The Coordinator", ("1 Fish Street", "London"), "England")
    year.seen["envelopes"] = GamePapers(service.office, coordinator, GAME).envelopes("C5", home)
    player = people.as_person(service.office, year.at("Newcastle").person)
    year.seen["player's envelopes"] = GamePapers(service.office, player, GAME).envelopes("DL")
    # who has left writes once more, to the address that was theirs
    service.by_smtp(
        service.mail(party.email, "Powick Bridge - Ormond - Autumn 1642 - Movement Orders", "A tippe H", to=old)
    )
    year.seen["after leaving"] = service.sink.to(party.email)[-1]
    # snow: the deadline moves, with the reason
    year.seen["moved to"] = year.due() + timedelta(days=3)
    host.client.extend(GAME, year.seen["moved to"], "Snow on the roads from York")
    service.settle()
    year.seen["calendar after"] = calendar(year)
    service.until(year.due())
    year.transcribe_all()
    draft = year.keep()
    year.seen["draft mails"] = service.sink.to(year.at("Crown").email, "draft results")
    assert draft["name"] == "Autumn 1642 Movement"
    year.seen["retreats due"] = year.due()
    confederacy = year.at("Confederacy")
    garbled = "RE: powick bridge , the confederacy  Autumn 1642, retreat orders v1"
    service.by_imap(service.mail(confederacy.email, garbled, "A crtip R clonm"))
    year.seen["retreat receipt"] = service.sink.to(confederacy.email, "answer")[-1]
    service.until(year.due())
    year.keep()


MANCHESTER = "A colch - essex\nA suffol H"


# Winter 1643


def winter(year: Year) -> None:
    """The Crown sends the supply of two units and removes none; Manchester builds with it."""
    service = year.service
    assert year.game["turn"]["name"] == "Winter 1643 Adjustments", year.game["turn"]
    year.seen["winter opened"] = datetime.fromisoformat(year.game["turn"]["opened"])
    year.seen["winter due"] = year.due()
    year.seen["winter commitment"] = year.game["turn"]["seed_commitment"]
    year.seen["offer"] = service.sink.to(year.at("Manchester").email, "results")[-1]
    crown, manchester = year.at("Crown"), year.at("Manchester")
    service.by_imap(
        service.mail(crown.email, year.subject("Crown", "Adjustment Orders", 1), "Send 2 units' supply to Manchester")
    )
    year.seen["lent"] = service.sink.to(crown.email, "answer")[-1]
    manchester.client.submit(GAME, "Manchester", "Build A colch")
    service.until(year.due())
    year.keep()
    coordinator = people.as_person(service.office, year.host.person)
    home = Address("The Coordinator", ("1 Fish Street", "London"), "England")
    year.seen["year-end letters"] = GamePapers(service.office, coordinator, GAME).letters("A cold year.", home)
    year.seen["winter mail"] = service.sink.to(crown.email, "results")[-1]


# 1643


def next_year(year: Year) -> None:
    """Everybody writes by program now, and stands still; in Winter the Crown does not lend again."""
    service = year.service
    for power, party in year.players.items():
        if power not in ("Crown", "Manchester"):  # the others look it up
            party.client.call("PUT", "/me/preferences", {"quiet": ["draft results", "results"]})
    year.seen["proofs"] = year.host.client.call("GET", f"/games/{GAME}/proofs")
    while "Winter 1644" not in year.game["turn"]["name"]:
        name = year.game["turn"]["name"]
        if name.endswith("Movement"):
            record = games.game(service.office, Actor.console(), GAME)
            for power, text in sheets(service.office, record, 1, list(year.players), "hold").items():
                year.post(power, text)
                year.at(power).client.submit(GAME, power, text)
        service.until(year.due())
        for item in year.desk("choose"):  # a text came after the envelope, which may say otherwise
            body = {"submission": item["submissions"][-1], "reason": "the envelope says nothing else"}
            year.host.client.call("POST", f"/desk/{item['id']}/choose", body)
        year.transcribe_all()
        while year.game["turn"]["name"] == name:
            assert not year.desk("choose") and not year.desk("transcribe"), year.desk()
            service.wait(days=1)
    year.seen["build offer"] = service.sink.to(year.at("Crown").email, "results")[-1]
    year.seen["demand"] = service.sink.to(year.at("Manchester").email, "results")[-1]
    service.until(year.due())
    while year.game["turn"]["name"].startswith("Winter 1644"):
        service.wait(days=1)
    year.keep()
