"""The frame of a game's page, around what a tab shows: strip, map, tabs, and in words how the game ended."""

from typing import Any

from starlette.responses import Response

from legation.game.documents import ending_in_words
from legation.office.hosting import rematches, votes
from legation.office.records import TurnRecord
from legation.web.play.analysis_page import has_analysis
from legation.web.play.roster_page import has_roster
from legation.web.play.shown_game import GamePage
from legation.web.public.lobby import owed_in
from legation.web.serving.pages import embed, page

TABS = {
    "sheet": "Orders",
    "table": "Orders",
    "results": "Results",
    "powers": "Powers",
    "analysis": "Analysis",
    "letters": "Letters",
    "roster": "Roster",
    "proofs": "Proofs",
}


def render(
    shown: GamePage, tab: str, status: int = 200, *, svg: str, turn: TurnRecord, data: Any = None, **values: Any
) -> Response:
    """The page around what a tab shows: strip, map, tabs."""
    owed, owes = owed_in(shown.record) if shown.power else ("", False)
    return page(
        shown.request,
        f"games/{tab}.html",
        status,
        shown=shown,
        game=shown.record,
        live=shown.live,
        tab=tab,
        tabs=[t for t in TABS if t == tab or _is_there(shown, t)],
        names=TABS,
        turn=turn,
        state=embed({"svg": svg}),
        facts=embed(
            {
                "game": shown.key,
                "power": shown.power,
                "seen": shown.seen,
                "present": shown.present.key,
                "live_updates": shown.record.state in ("running", "paused"),
                **(data or {}),
            }
        ),
        owed=owed,
        owes=owes,
        ended=ending_in_words(shown.rules, shown.record.ending),
        unread=shown.record.unread,
        has_others=shown.power and not owes and not shown.actor.guest and shown.record.plays_others,
        rematch=rematches.rematch(*shown.of) if shown.may("rematches.rematch") else None,
        questions=votes.standing(*shown.of),
        **values,
    )


def _is_there(shown: GamePage, tab: str) -> bool:
    there = {
        "sheet": shown.has_sheet and not shown.settings.one_orders_all,
        "table": shown.has_sheet and shown.settings.one_orders_all,
        "letters": bool(shown.record.settings["press"]),
        "roster": has_roster(shown),
        "analysis": has_analysis(shown),
    }
    return there.get(tab, True)
