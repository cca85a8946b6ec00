"""Times and days in words."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from legation.office.clock import day_in_words, moment_in_words, time_zone

AT = datetime(2027, 1, 7, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "told"),
    [
        ("", "Thu 7 Jan 2027, 23:30 UTC"),
        ("UTC", "Thu 7 Jan 2027, 23:30 UTC"),
        ("Mars/Olympus", "Thu 7 Jan 2027, 23:30 UTC"),
        ("Europe/London", "Thu 7 Jan 2027, 23:30 GMT"),
        ("Europe/Paris", "Fri 8 Jan 2027, 00:30 CET"),
        ("Asia/Kathmandu", "Fri 8 Jan 2027, 05:15 UTC+5:45"),
        ("America/Sao_Paulo", "Thu 7 Jan 2027, 20:30 UTC-3"),
    ],
)
def test_a_time_names_its_zone(zone: str, told: str) -> None:
    assert moment_in_words(AT, time_zone(zone)) == told


def test_the_year_is_left_out_where_everybody_knows_it() -> None:
    assert moment_in_words(AT, year=False) == "Thu 7 Jan, 23:30 UTC"
    assert day_in_words("2027-05-14") == day_in_words(date(2027, 5, 14)) == "Fri 14 May 2027"
    assert day_in_words("soon") == "soon"
