"""Calendars and result feeds, to be subscribed to: deadlines with their time zones, posting-by dates, absences (W-22);
results as they come.

:func:`calendar` and :func:`results_feed` are pure, from records to a document. :func:`game_calendar`,
:func:`personal_calendar` and :func:`game_results` fill them from the office, with what the reader may see;
:func:`routes` serves them."""

from legation.feeds.calendars import Due, calendar
from legation.feeds.games import game_calendar, game_results, personal_calendar
from legation.feeds.results import Published, results_feed
from legation.feeds.serving import routes

__all__ = [
    "Due",
    "Published",
    "calendar",
    "game_calendar",
    "game_results",
    "personal_calendar",
    "results_feed",
    "routes",
]
