"""Times on pages, in the zone of whoever reads them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from legation.office.office import Office
from tests.office.playing import begin
from tests.web.visiting import visited


@pytest.mark.browser
@pytest.mark.parametrize(
    ("zone", "first", "then"),
    [
        ("Asia/Kathmandu", "17:45 UTC+5:45", "17:45 UTC+5:45"),
        pytest.param("America/New_York", "07:00 UTC-5", "07:00 EST", marks=pytest.mark.long),
    ],
)
def test_a_time_is_the_readers_at_once_and_stays(
    office: Office, browser: Browser, zone: str, first: str, then: str
) -> None:
    """The first page is written in UTC, and anew by its script; the next comes in the reader's zone."""
    record, _, _ = begin(office)
    with visited(office, browser, timezone_id=zone) as visit:
        for told in (first, then):
            page = visit.go(f"/games/{record.key}/powers")
            page.wait_for_selector("html[data-ready]")
            expect(page.locator(".strip-due time")).to_contain_text(told)
            expect(page).to_have_title(re.compile(rf"^\(1 d\) {record.name}, "))  # what is left, in the tab, too
