"""Every command and question of the office, and the address at which it is given.

A route names its function as ``subject.verb``. Parts of the path in braces are arguments by name; the others come from
the query (GET, DELETE) or from a JSON object (POST, PUT).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from legation.office.commands import COMMANDS
from legation.office.context import is_command
from legation.office.hosting.package_checks import MOST_BYTES, check_package


class Route(msgspec.Struct, frozen=True):
    """One command or question: how it is called, what it is, and what its answer is called where it has no name of its
    own.

    ``body``: the argument that is the whole body, where it is one; ``reads`` makes it of a body that is a file.
    ``fixed``: arguments that are settled here. ``media``: the type of an answer that is a file.
    """

    method: str
    path: str
    name: str
    body: str = ""
    reads: Callable[[bytes], Any] | None = None
    media: str = "image/*"
    fixed: dict[str, Any] = {}
    largest: int = 2_000_000  # bytes of the body; files have bounds of their own
    pages: str = ""  # the field by which a list goes on: the next page is ?after=its last

    @property
    def subject(self) -> str:
        """The module of the command."""
        return self.name.partition(".")[0]

    @property
    def function(self) -> Callable[..., Any]:
        """The command."""
        return COMMANDS[self.name]

    @property
    def writes(self) -> bool:
        """Return whether anything is changed."""
        return is_command(self.function)


ZIP = "application/zip"
GAME = "/games/{game}"
SEAT = GAME + "/seats/{power}"

ROUTES = (
    # people
    Route("POST", "/people", "people.join"),
    Route("POST", "/sign-in-links", "people.ask_link"),
    Route("POST", "/sessions", "people.use_link"),
    Route("DELETE", "/sessions", "people.end_all_sessions"),
    Route("POST", "/address-approvals", "people.approve_change"),
    Route("POST", "/address-confirmations", "people.confirm_change"),
    Route("POST", "/resignations", "seats.confirm_resign"),
    Route("GET", "/me", "people.me"),
    Route("DELETE", "/me", "erasing.erase"),
    Route("PUT", "/me/name", "people.rename"),
    Route("PUT", "/me/preferences", "people.set_preferences", body="preferences", largest=10_000),
    Route("POST", "/me/address-changes", "people.ask_change"),
    Route("GET", "/me/export", "people.export"),
    Route("GET", "/me/credentials", "people.credentials"),
    Route("DELETE", "/me/credentials/{credential}", "people.end"),
    Route("POST", "/me/tokens", "people.make_token"),
    Route("POST", "/me/feeds", "people.make_feed"),
    Route("GET", "/me/browsers", "browsers.browsers"),
    Route("POST", "/me/browsers", "browsers.subscribe", largest=10_000),
    Route("DELETE", "/me/browsers/{browser}", "browsers.remove"),
    Route("GET", "/me/games", "deadlines.upcoming"),
    Route("GET", "/me/absences", "absences.absences"),
    Route("POST", "/me/absences", "absences.announce"),
    Route("DELETE", "/me/absences/{absence}", "absences.take_back"),
    Route("GET", "/me/addresses", "roster.addresses"),
    Route("POST", "/me/addresses", "roster.add_address"),
    Route("GET", "/me/sharing", "roster.sharing"),
    Route("DELETE", "/me/addresses/{address}", "roster.remove_address"),
    # games
    Route("GET", "/games", "games.list_games", pages="key"),
    Route("POST", "/games", "games.create", body="plan"),
    Route("POST", "/archives", "transfer.take_in", body="document", largest=30_000_000),
    Route("GET", GAME, "games.game"),
    Route("PUT", GAME + "/settings", "games.set_settings", body="changes"),
    Route("PUT", GAME + "/deputy", "games.name_deputy"),
    Route("POST", GAME + "/invitations", "games.invite"),
    Route("POST", GAME + "/start", "games.start"),
    Route("POST", GAME + "/cancel", "games.cancel"),
    Route("POST", GAME + "/pause", "games.pause"),
    Route("POST", GAME + "/resume", "games.resume"),
    Route("GET", GAME + "/turns", "games.turns"),
    Route("GET", GAME + "/turns/{turn}/result", "games.result"),
    Route("GET", GAME + "/turns/{turn}/position", "games.position"),
    Route("GET", GAME + "/turns/{turn}/commitments", "submissions.commitments"),
    Route("GET", GAME + "/turns/{turn}/proofs", "proofs.published"),
    Route("GET", GAME + "/proofs", "proofs.verify"),
    Route("GET", GAME + "/journal", "journal.entries", pages="id"),
    Route("GET", GAME + "/deadlines", "deadlines.history"),
    Route("POST", GAME + "/deadlines", "deadlines.extend"),
    Route("GET", GAME + "/dates", "deadlines.coming"),
    Route("GET", GAME + "/votes", "votes.standing"),
    Route("POST", GAME + "/votes", "votes.ask"),
    Route("PUT", SEAT + "/votes/{kind}", "votes.vote"),
    Route("DELETE", SEAT + "/votes/{kind}", "votes.take_back"),
    Route("GET", GAME + "/schedule", "deadlines.plan"),
    Route("GET", GAME + "/export", "exports.saved_game"),
    Route("GET", GAME + "/rematch", "rematches.rematch"),
    Route("POST", GAME + "/rematch", "rematches.offer"),
    Route("GET", GAME + "/retrospect", "retrospects.retrospect"),
    Route("POST", GAME + "/retrospect", "retrospects.ask"),
    Route("GET", GAME + "/archive", "transfer.whole_game"),
    Route("GET", "/office", "moving.card"),
    Route("PUT", GAME + "/next-office", "moving.leave"),
    Route("DELETE", GAME + "/next-office", "moving.stay"),
    Route("GET", GAME + "/audit", "exports.rebuild"),
    Route("GET", GAME + "/roster", "roster.roster"),
    Route("GET", GAME + "/orders-address", "roster.orders_address"),
    Route("GET", GAME + "/letters", "letters.letters", pages="id"),
    Route("GET", GAME + "/letters/{number}", "letters.letter"),
    # the catalog of variants
    Route("GET", "/catalog", "catalog.entries"),
    Route("POST", "/catalog", "catalog.add", body="package", reads=check_package, largest=MOST_BYTES),
    Route("GET", "/catalog/{name}", "catalog.versions"),
    Route("GET", "/catalog/{name}/package", "catalog.package", media=ZIP),
    Route("POST", "/catalog/{name}/remove", "catalog.remove"),
    Route("GET", "/proposals", "catalog.proposals"),
    Route("POST", "/proposals", "catalog.propose", body="package", reads=check_package, largest=MOST_BYTES),
    Route("GET", "/proposals/{number}", "catalog.proposal"),
    Route("GET", "/proposals/{number}/package", "catalog.proposed_package", media=ZIP),
    Route("DELETE", "/proposals/{number}", "catalog.withdraw"),
    Route("POST", "/proposals/{number}/take-in", "catalog.take_in"),
    Route("POST", "/proposals/{number}/refuse", "catalog.refuse"),
    Route("GET", "/played/{variant}", "played.balance"),
    # results and players
    Route("GET", GAME + "/points", "scores.points"),
    Route("GET", "/leaderboard", "player_ratings.leaderboard"),
    Route("POST", "/leaderboard", "player_ratings.recompute"),
    Route("GET", "/people/{person}", "profiles.profile"),
    Route("GET", "/me/profile", "profiles.preview"),
    Route("GET", "/ratings", "ratings.ratings"),
    Route("GET", "/ratings/{variant}", "ratings.rating"),
    Route("PUT", "/ratings/{variant}", "ratings.rate"),
    Route("DELETE", "/ratings/{variant}", "ratings.take_back"),
    # seats
    Route("GET", GAME + "/holders", "seats.holders"),
    Route("GET", GAME + "/sign-ups", "seats.sign_ups"),
    Route("POST", GAME + "/sign-ups", "seats.sign_up"),
    Route("DELETE", GAME + "/sign-ups/mine", "seats.withdraw_sign_up"),
    Route("POST", SEAT + "/take-over", "seats.take_over"),
    Route("POST", SEAT + "/resign", "seats.resign"),
    Route("POST", SEAT + "/replace", "seats.replace"),
    Route("POST", SEAT + "/vacate", "seats.vacate"),
    Route("PUT", SEAT + "/bot", "seats.seat_bot"),
    Route("PUT", SEAT + "/machine", "seats.declare_machine"),
    Route("POST", SEAT + "/letters", "letters.write"),
    Route("PUT", SEAT + "/letters/read", "letters.mark_read"),
    Route("GET", SEAT + "/muted", "letters.muted"),
    Route("PUT", SEAT + "/muted", "letters.mute"),
    Route("GET", SEAT + "/address", "roster.address_on"),
    Route("PUT", SEAT + "/address-shared", "roster.share_address"),
    # orders
    Route("POST", SEAT + "/check", "submissions.check"),
    Route("POST", SEAT + "/submissions", "submissions.submit", fixed={"channel": "api", "received": None}),
    Route("GET", SEAT + "/submissions", "submissions.mine"),
    Route("POST", SEAT + "/posted", "submissions.register_posted"),
    Route("POST", "/submissions/{submission}/confirm", "submissions.confirm"),
    Route("POST", "/submissions/{submission}/refuse", "submissions.refuse"),
    Route("PUT", SEAT + "/key", "submissions.set_key"),
    Route("POST", SEAT + "/to-sign", "receipts.to_sign"),
    Route("POST", GAME + "/receipt", "receipts.standing"),
    Route("GET", GAME + "/transcript", "proofs.transcript"),
    Route("POST", SEAT + "/objection", "submissions.object_to"),
    Route("PUT", SEAT + "/ready", "submissions.ready"),
    Route("DELETE", SEAT + "/ready", "submissions.not_ready"),
    Route("POST", "/submissions/{submission}/withdraw", "submissions.withdraw"),
    Route("POST", "/submissions/{submission}/read", "submissions.read_own"),
    Route("POST", "/submissions/{submission}/files/{digest}", "submissions.own_file"),
    Route("GET", SEAT + "/executed/{turn}/{digest}", "submissions.executed_picture"),
    # the coordinator
    Route("GET", GAME + "/overview", "submissions.overview"),
    Route("POST", GAME + "/process", "processing.process_now"),
    Route("GET", GAME + "/preview", "processing.preview"),
    Route("POST", GAME + "/publish-draft", "processing.publish_draft"),
    Route("POST", GAME + "/take-back-draft", "processing.take_back_draft"),
    Route("POST", GAME + "/publish-final", "processing.publish_final"),
    Route("GET", GAME + "/mailings", "mailings.waiting"),
    Route("PUT", GAME + "/turns/{turn}/sheets/{power}", "readings.correct"),
    Route("POST", GAME + "/turns/{turn}/sheets/{power}/copies", "copies.add_copies"),
    Route("GET", "/desk", "desk.items"),
    Route("GET", "/desk/{id}", "desk.item"),
    Route("GET", "/desk/{item}/pictures/{digest}", "readings.picture"),
    Route("POST", "/desk/{item}/suggest", "readings.suggest"),
    Route("POST", "/desk/{item}/choose", "readings.choose"),
    Route("POST", "/desk/{item}/transcribe", "readings.transcribe"),
    Route("POST", "/desk/{item}/confirm", "readings.confirm"),
    Route("POST", "/desk/{item}/reading", "readings.decide"),
    Route("POST", "/desk/{item}/decide", "readings.decide_unposted"),
    Route("POST", "/desk/{item}/assign", "unmatched.assign"),
    Route("POST", "/desk/{item}/settle", "desk.settle"),
    Route("POST", "/desk/retry", "desk.retry_all"),
)

PICTURES = Route("POST", SEAT + "/pictures", "submissions.submit_pictures")
BY_HAND = frozenset([PICTURES.name])
"""Commands whose route takes files (:mod:`legation.web.api.uploads`)."""

NOT_HERE = {
    "people.register": "for the console; others join",
    "people.name_for_link": "for the page that a link opens",
    "seats.invitation": "for the page that an invitation opens",
    "seats.ask_resign": "for a channel that cannot be sure of who asks",
    "people.start_session": "for a channel that has recognized somebody",
    "people.use_passkey": "for a channel that has checked a passkey",
    "people.keep_passkey": "for the pages, which make the passkey with the browser",
    "people.passkeys": "for the pages, which make the passkey with the browser",
    "people.unsubscribe": "for a channel that has checked the link in a mail",
    "people.find": "for channels and the console",
    "people.token_for": "for the console",
    "people.readdress": "for the console",
    "people.make_administrator": "for the console",
    "moving.renew": "for the console",
    "lost_keys.find": "for the console",
    "lost_keys.reopen": "for the console",
    "journal.is_news": "for pages that show what happens as it does",
}
"""Commands without a route, each with the reason."""
