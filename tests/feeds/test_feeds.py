"""Calendars and result feeds, read back by readers that share nothing with what writes them."""

import xml.etree.ElementTree as ET
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from legation.feeds import Due, Published, calendar, results_feed
from legation.office.records import AbsenceRecord
from tests.feeds.ics import read, zone_in

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
DUE = Due(
    key="powick-bridge-1642-summer-movement",
    game="Powick Bridge",
    what="Summer 1642 movement orders",
    at=datetime(2026, 12, 3, 18, tzinfo=ZoneInfo("America/New_York")),
    changed=NOW,
    zone="America/New_York",
    powers=("Crown",),
    url="https://example.org/games/powick-bridge",
    post_by=date(2026, 11, 28),
)


@pytest.mark.clause("W-22")
def test_a_deadline_is_an_event_in_its_time_zone() -> None:
    document = calendar("Powick Bridge", "example.org", [DUE], now=NOW)
    own, (event, posting) = read(document)
    assert own["VERSION"].value == "2.0"
    assert own["PRODID"].value.startswith("-//Legation//")
    assert own["NAME"].text == own["X-WR-CALNAME"].text == "Powick Bridge"
    assert own["REFRESH-INTERVAL"] == ("REFRESH-INTERVAL", {"VALUE": "DURATION"}, "PT1H")
    assert event["UID"].value == "powick-bridge-1642-summer-movement@example.org"
    assert event["DTSTART"].parameters == {"TZID": "America/New_York"}
    assert event["DTSTART"].moment == DUE.at == datetime(2026, 12, 3, 23, tzinfo=UTC)
    assert event["SUMMARY"].text == "Powick Bridge: Summer 1642 movement orders (Crown)"
    assert "Thursday 3 December 2026, 18:00 EST (23:00 UTC)" in event["DESCRIPTION"].text
    assert (event["STATUS"].value, event["SEQUENCE"].value, event["TRANSP"].value) == ("CONFIRMED", "0", "TRANSPARENT")
    assert event["DTSTAMP"].value == "20261121T120000Z"
    assert posting["DTSTART"].day == date(2026, 11, 28)
    assert posting["DTEND"].day == date(2026, 11, 29)
    assert posting["SUMMARY"].text == "Powick Bridge: last day to post Summer 1642 movement orders"
    assert posting["UID"].value != event["UID"].value


@pytest.mark.clause("W-22")
@pytest.mark.parametrize("day", [date(2026, 7, 1), date(2026, 12, 1), date(2026, 3, 29), date(2026, 10, 25)])
def test_the_zone_that_comes_along_is_the_worlds(day: date) -> None:
    """A program that knows no zones by name reads the same moment from the VTIMEZONE, on either side of daylight
    saving."""
    zone = ZoneInfo("Europe/London")
    at = datetime(day.year, day.month, day.day, 7, tzinfo=zone)
    document = calendar("x", "h", [msgspec.structs.replace(DUE, at=at, zone="Europe/London", post_by=None)], now=NOW)
    assert at.replace(tzinfo=zone_in(document, "Europe/London")).utcoffset() == at.utcoffset()


def test_times_in_utc_need_no_zone() -> None:
    document = calendar("x", "h", [msgspec.structs.replace(DUE, zone="UTC")], now=NOW)
    assert b"VTIMEZONE" not in document
    assert read(document)[1][0]["DTSTART"].value == "20261203T230000Z"


def test_an_absence_is_whole_days() -> None:
    away = AbsenceRecord(id=7, first="2026-12-24", last="2026-12-26", note="in Rome; no post")
    (event,) = read(calendar("x", "h", [], [away], now=NOW))[1]
    assert (event["DTSTART"].day, event["DTEND"].day) == (date(2026, 12, 24), date(2026, 12, 27))
    assert event["SUMMARY"].text == "Away: in Rome; no post"


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=120))
@example("\\N and \\n, or; both")
@example("\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:evil\nATTACH:file:///etc/passwd")
def test_any_name_comes_through_and_no_line_break(text: str) -> None:
    line = "".join(c if c.isprintable() else " " for c in text)
    game, note, power = (" ".join(f"{c}{line}{c}".split()) for c in "xyz")
    due = msgspec.structs.replace(DUE, game=f"x{text}x", note=f"y{text}y", powers=(f"z{text}z",))
    own, (event, posting) = read(calendar(f"x{text}x", "h", [due], now=NOW))
    assert own["NAME"].text == own["X-WR-CALNAME"].text == game
    assert event["SUMMARY"].text == f"{game}: Summer 1642 movement orders ({power})"
    assert note in event["DESCRIPTION"].text
    assert "ATTACH" not in event.keys() | posting.keys() and "evil" not in event["UID"].value


ATOM = "{http://www.w3.org/2005/Atom}"


def feed_of(document: bytes) -> ET.Element:
    """The feed, with what RFC 4287 requires of it and of its entries."""
    feed = ET.fromstring(document)
    assert feed.tag == f"{ATOM}feed"
    for element in (feed, *feed.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            found = element.findall(f"{ATOM}{name}")
            assert len(found) == 1
            assert found[0].text
        assert datetime.fromisoformat(element.findtext(f"{ATOM}updated", "")).tzinfo is not None
    assert feed.findtext(f"{ATOM}author/{ATOM}name")
    return feed


def test_results_are_entries_the_last_first() -> None:
    here, report = "https://example.org/g", "A par - bur\n  <script>&"
    first = Published(key="a", title="A <b> & c", published=NOW, updated=NOW, report=report, url=f"{here}?x=1&y=2")
    day, two_days = (NOW + timedelta(days=days) for days in (1, 2))
    later = Published(key="b", title="B", published=day, updated=two_days, report="x\x00y")
    feed = feed_of(results_feed("T", here, [first, later], feed_url=f"{here}.atom", began=NOW))
    entries = feed.findall(f"{ATOM}entry")
    assert [e.findtext(f"{ATOM}title") for e in entries] == ["B", "A <b> & c"]
    assert entries[1].findtext(f"{ATOM}content") == "<pre>A par - bur\n  &lt;script&gt;&amp;</pre>"
    assert entries[0].findtext(f"{ATOM}content") == "<pre>x y</pre>"
    assert feed.findtext(f"{ATOM}updated") == "2026-11-23T12:00:00Z"
    assert entries[1].findtext(f"{ATOM}id") == "https://example.org/g/a"
    assert [link.get("rel") for link in feed.findall(f"{ATOM}link")] == ["self"]


def test_a_feed_without_results_is_a_feed() -> None:
    assert feed_of(results_feed("T", "urn:x", [], began=NOW)).findtext(f"{ATOM}updated") == "2026-11-21T12:00:00Z"
