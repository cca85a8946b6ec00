"""Usual ways to run a game: settings to begin from, for the form of a new game and for the command line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


class Preset(msgspec.Struct, frozen=True):
    """A way to run a game, in a sentence, and the settings that make it."""

    title: str
    settings: Mapping[str, Any]


PRESETS: Mapping[str, Preset] = {
    "day": Preset("One turn a day; the game runs itself", {}),
    "week": Preset("Two or three turns a week, with time for absences", {"schedule": "weekly", "absence_days": 7}),
    "evening": Preset("An evening at the table", {"schedule": "live", "reminder_hours": 0, "missing_after": 3}),
    "post": Preset(
        "By post, with a coordinator: first orders by letter, revisions as photographs, draft results",
        {
            "schedule": "three-kingdoms",
            "coordinated": True,
            "approve": True,
            "drafts": True,
            "opening_by_post": True,
            "photographs_only": True,
            "ready_ends": False,
            "press": (),
            "missing": "hold",
            "reminder_hours": 72,
        },
    ),
}


def preset_for(schedule: str, *, coordinated: bool) -> Mapping[str, Any]:
    """The settings of the preset that is played by a schedule, with or without a coordinator; none if there is none."""
    for preset in PRESETS.values():
        asked = (preset.settings.get("schedule"), bool(preset.settings.get("coordinated")))
        if asked == (schedule, coordinated):
            return preset.settings
    return {}
