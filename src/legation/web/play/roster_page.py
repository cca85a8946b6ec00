"""The roster of a game: who plays what, where letters reach them, and whether one's own address is shared (W-23)."""

from datetime import date
from typing import Any

from starlette.responses import RedirectResponse, Response

from legation.office.errors import NotAllowedError
from legation.office.game import seats
from legation.office.hosting import deadlines, games, roster
from legation.office.terms.plans import GameSettings
from legation.web.play.shown_game import GamePage
from legation.web.serving.forms import SentForm, add_forms
from legation.web.serving.pages import PageRouter, ReadingRoute

router = PageRouter(route_class=ReadingRoute)
DATES = 9  # turns for which dates to post by are told


def has_roster(shown: GamePage) -> bool:
    """Return whether the reader may look at a roster of the game: of one that is played by post, while players have
    names."""
    return shown.settings.shows_addresses() and shown.may("roster.roster")


def roster_values(shown: GamePage) -> dict[str, Any]:
    """Return what the page shows: today's addresses and those for a letter posted today; where to post orders, by
    when."""
    if not has_roster(shown):
        raise NotAllowedError("Only players in a postal game can see the roster.")
    settings: GameSettings = shown.settings
    own, *others = roster.rosters(*shown.of)
    lines = own.lines
    return {
        "lines": lines,
        "others": others,
        "routes": own.routes,
        "days": deadlines.days_in_post(*shown.of),
        "to": own.orders_to,
        "dates": [
            (ahead, date.fromisoformat(ahead.post_by)) for ahead in deadlines.coming(*shown.of, DATES) if ahead.post_by
        ],
        "shares": any(line.shared for line in lines if line.power == shown.power),
        "own": roster.addresses(shown.office, shown.actor) if shown.power else [],
        "posts": settings.opening_by_post,
    }


def _share(sent: SentForm) -> Response:
    """Share one's postal address with the players of a game, or no longer; of one that gathers players, as soon as one
    has a seat."""
    office, actor, game, on = sent.office, sent.actor, sent.game, sent.text("on") == "yes"
    if power := sent.text("power"):
        roster.share_address(office, actor, game, power, on)
    else:
        seats.sign_up(office, actor, game, games.game(office, actor, game).wishes or (), share_address=on)
    return RedirectResponse("/me#addresses" if sent.text("from") == "me" else f"/games/{game}/roster", 303)


add_forms(router, "/games/{game}", {"share": ("", _share)})
