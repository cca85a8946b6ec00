"""Permissions: one table of who may do and see what, asked in one place.

A row is a command or a view; it says which roles may use it, and in which states of the game. Roles in a game:
*visitor* (anybody), *guest* (has a seat for a day and no address), *person*
(signed in), *player* (holds a seat), *holder* (holds the seat that is meant), *host*
(made a game that runs itself), *coordinator*, *deputy* (reads transcriptions a second time), *clock* (the office
itself), *console* (the terminal of the office's machine), *administrator*. Whoever has several roles may do what any of
them may.

The console may do what a coordinator may; like everybody else it cannot read orders before the deadline, because nobody
can without the keeper's key.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from legation.office.errors import NotAllowedError, SignInNeededError

ROLES = (
    "visitor",
    "guest",
    "person",
    "player",
    "holder",
    "host",
    "coordinator",
    "deputy",
    "clock",
    "console",
    "administrator",
)
STATES = ("gathering", "running", "paused", "ended", "cancelled", "moved")
IN_WORDS = {"gathering": "waiting for players", "ended": "over", "moved": "in another office"}
"""What people read, where a state's name is not it."""
ALIVE = ("running", "paused")
PLAYED = ("running", "paused", "ended", "moved")
SCOPES = ("read", "play", "coordinate", "me")


class Permission(msgspec.Struct, frozen=True):
    """A row of the table.

    ``roles`` maps a role to the states of the game in which it may; ``scope`` is what a token needs.
    """

    name: str
    scope: str
    roles: dict[str, tuple[str, ...]]


def _row(name: str, scope: str, **roles: str) -> Permission:
    states = {"any": STATES, "alive": ALIVE, "played": PLAYED}
    read = {role: tuple(s for word in text.split() for s in states.get(word, (word,))) for role, text in roles.items()}
    if "coordinator" in read:
        read.setdefault("console", read["coordinator"])
    return Permission(name, scope, read)


TABLE: dict[str, Permission] = {
    row.name: row
    for row in (
        # people: there is no game; "any" stands for always
        _row("people.register", "me", console="any"),
        _row("people.join", "me", visitor="any"),
        _row("people.ask_link", "me", visitor="any"),
        _row("people.use_link", "me", visitor="any"),
        _row("people.name_for_link", "me", visitor="any"),
        _row("people.start_session", "me", clock="any"),
        _row("people.use_passkey", "me", clock="any"),
        _row("people.unsubscribe", "me", clock="any"),
        _row("people.me", "me", guest="any", person="any"),
        _row("people.rename", "me", person="any"),
        _row("people.ask_change", "me", person="any"),
        _row("people.approve_change", "me", visitor="any"),
        _row("people.confirm_change", "me", visitor="any"),
        _row("people.set_preferences", "me", person="any"),
        _row("people.make_token", "me", person="any"),
        _row("people.make_feed", "me", person="any"),
        _row("people.make_administrator", "me", console="any"),
        _row("people.readdress", "me", console="any"),
        _row("people.token_for", "me", console="any"),
        _row("people.find", "me", console="any", clock="any"),
        _row("people.keep_passkey", "me", person="any"),
        _row("people.passkeys", "me", person="any"),
        _row("browsers.subscribe", "me", person="any"),
        _row("browsers.remove", "me", guest="any", person="any"),
        _row("browsers.browsers", "me", guest="any", person="any"),
        _row("people.end", "me", guest="any", person="any"),
        _row("people.end_all_sessions", "me", guest="any", person="any"),
        _row("people.credentials", "me", guest="any", person="any"),
        _row("people.export", "me", guest="any", person="any"),
        _row("erasing.erase", "me", guest="any", person="any"),
        # games
        _row("games.create", "coordinate", person="any", console="any", clock="any"),
        _row("games.list_games", "read", visitor="any"),
        _row("games.game", "read", visitor="any"),
        _row("games.turns", "read", visitor="any"),
        _row("games.result", "read", visitor="any"),
        _row("games.position", "read", visitor="any"),
        _row("games.invite", "coordinate", host="gathering alive", coordinator="gathering alive"),
        _row("games.start", "coordinate", host="gathering", coordinator="gathering", clock="gathering"),
        _row("games.cancel", "coordinate", host="gathering", coordinator="gathering alive"),
        _row("games.pause", "coordinate", coordinator="running", clock="running"),
        _row("games.resume", "coordinate", coordinator="paused", clock="paused"),
        _row("games.name_deputy", "coordinate", coordinator="gathering alive"),
        _row("games.set_settings", "coordinate", host="gathering", coordinator="gathering alive"),
        _row("rematches.offer", "coordinate", player="ended", host="ended", coordinator="ended"),
        _row("rematches.rematch", "read", player="ended", host="ended", coordinator="ended"),
        # the catalog of variants
        _row("catalog.entries", "read", visitor="any"),
        _row("catalog.versions", "read", visitor="any"),
        _row("catalog.package", "read", visitor="any"),
        _row("catalog.propose", "coordinate", person="any"),
        _row("catalog.proposals", "read", person="any", administrator="any", console="any"),
        _row("catalog.proposal", "read", person="any", administrator="any", console="any"),
        _row("catalog.proposed_package", "read", person="any", administrator="any", console="any"),
        _row("catalog.withdraw", "coordinate", person="any"),
        _row("catalog.take_in", "coordinate", administrator="any", console="any"),
        _row("catalog.refuse", "coordinate", administrator="any", console="any"),
        _row("catalog.add", "coordinate", administrator="any", console="any"),
        _row("catalog.remove", "coordinate", administrator="any", console="any"),
        _row("played.balance", "read", visitor="any"),
        _row("ratings.ratings", "read", visitor="any"),
        _row("ratings.rating", "read", visitor="any"),
        _row("ratings.rate", "play", person="any"),
        _row("ratings.take_back", "play", person="any"),
        # results and players
        _row("scores.points", "read", visitor="ended"),
        _row("player_ratings.leaderboard", "read", visitor="any"),
        _row("player_ratings.recompute", "coordinate", console="any", administrator="any"),
        _row("profiles.profile", "read", visitor="any"),
        _row("profiles.preview", "me", person="any"),
        # seats
        _row("seats.sign_up", "play", person="gathering", clock="gathering"),
        _row("seats.withdraw_sign_up", "play", person="gathering"),
        _row("seats.sign_ups", "read", host="any", coordinator="any"),
        _row("seats.take_over", "play", person="alive"),
        _row("seats.invitation", "read", visitor="any"),
        _row("seats.resign", "play", holder="alive"),
        _row("seats.ask_resign", "play", holder="alive"),
        _row("seats.confirm_resign", "play", visitor="any"),
        _row("seats.replace", "coordinate", coordinator="alive"),
        _row("seats.vacate", "coordinate", coordinator="alive"),
        _row("seats.seat_bot", "coordinate", host="gathering", coordinator="gathering alive"),
        _row("seats.declare_machine", "play", holder="gathering alive"),
        _row("seats.holders", "read", visitor="any"),
        # submissions
        _row("submissions.check", "play", holder="alive", coordinator="alive"),
        _row("submissions.submit", "play", holder="alive"),
        _row("submissions.submit_pictures", "play", holder="alive"),
        _row("submissions.register_posted", "coordinate", coordinator="alive"),
        _row("submissions.withdraw", "play", holder="alive"),
        _row("submissions.ready", "play", holder="alive"),
        _row("submissions.not_ready", "play", holder="alive"),
        _row("submissions.set_key", "play", holder="alive"),
        _row("receipts.to_sign", "play", holder="alive"),
        _row("submissions.confirm", "play", holder="alive"),
        _row("submissions.refuse", "play", holder="alive"),
        _row("submissions.object_to", "play", holder="alive"),
        _row("submissions.mine", "play", holder="any"),
        _row("submissions.read_own", "play", holder="any"),
        _row("submissions.own_file", "play", holder="any"),
        _row("submissions.executed_picture", "read", player="played", coordinator="played"),
        _row("submissions.commitments", "read", visitor="any"),
        _row("submissions.overview", "read", coordinator="any"),
        # keys
        _row("lost_keys.find", "coordinate", console="alive", administrator="alive"),
        _row("lost_keys.reopen", "coordinate", console="alive", administrator="alive"),
        # deadlines
        _row("deadlines.extend", "coordinate", coordinator="alive", clock="alive"),
        _row("deadlines.history", "read", visitor="any"),
        _row("deadlines.coming", "read", visitor="any"),
        _row("deadlines.upcoming", "read", guest="any", person="any"),
        _row("deadlines.plan", "read", visitor="any"),
        # votes
        _row("votes.vote", "play", holder="alive"),
        _row("votes.take_back", "play", holder="alive"),
        _row("votes.ask", "coordinate", host="alive"),
        _row("votes.standing", "read", visitor="any"),
        # processing
        _row("processing.process_now", "coordinate", coordinator="running"),
        _row("processing.publish_draft", "coordinate", coordinator="alive"),
        _row("processing.take_back_draft", "coordinate", coordinator="alive"),
        _row("processing.publish_final", "coordinate", coordinator="alive"),
        _row("processing.preview", "coordinate", coordinator="alive"),
        # desk
        _row("desk.items", "coordinate", person="any", coordinator="any", deputy="any"),
        _row("desk.item", "coordinate", coordinator="any", deputy="any", administrator="any"),
        _row("readings.picture", "coordinate", coordinator="alive", deputy="alive"),
        _row("readings.suggest", "coordinate", coordinator="alive", deputy="alive"),
        _row("readings.choose", "coordinate", coordinator="alive"),
        _row("readings.transcribe", "coordinate", coordinator="alive"),
        _row("readings.confirm", "coordinate", deputy="alive"),
        _row("readings.decide", "coordinate", coordinator="alive"),
        _row("readings.correct", "coordinate", coordinator="alive"),
        _row("copies.add_copies", "coordinate", coordinator="alive"),
        _row("desk.settle", "coordinate", coordinator="any", administrator="any"),
        _row("desk.retry_all", "coordinate", administrator="any", console="any"),
        _row("readings.decide_unposted", "coordinate", coordinator="alive"),
        _row("unmatched.assign", "coordinate", coordinator="alive", administrator="alive"),
        # letters
        _row("letters.write", "play", holder="alive"),
        _row("letters.letters", "play", visitor="any"),
        _row("letters.letter", "play", visitor="any"),
        _row("letters.mark_read", "play", holder="any"),
        _row("letters.mute", "play", holder="alive"),
        _row("letters.muted", "play", holder="any"),
        # absences, roster
        _row("absences.announce", "me", person="any"),
        _row("absences.take_back", "me", person="any"),
        _row("absences.absences", "read", guest="any", person="any"),
        _row("roster.add_address", "me", person="any"),
        _row("roster.remove_address", "me", person="any"),
        _row("roster.addresses", "me", guest="any", person="any"),
        _row("roster.sharing", "me", guest="any", person="any"),
        _row("roster.share_address", "play", holder="gathering alive"),
        _row("roster.roster", "read", player="any", host="any", coordinator="any"),
        _row("roster.orders_address", "read", player="any", coordinator="any"),
        _row("roster.address_on", "read", player="any", coordinator="any"),
        # mailings, journal, proofs, exports
        _row("mailings.waiting", "coordinate", coordinator="any"),
        _row("journal.entries", "read", visitor="any"),
        _row("journal.is_news", "read", visitor="any"),
        _row("proofs.verify", "read", visitor="any"),
        _row("proofs.transcript", "read", visitor="any"),
        _row("receipts.standing", "read", visitor="any"),
        _row("proofs.published", "read", visitor="any"),
        _row("exports.saved_game", "read", visitor="any"),
        _row("retrospects.ask", "play", guest="ended", person="ended", console="ended"),
        _row("retrospects.retrospect", "read", visitor="ended"),
        _row("transfer.whole_game", "coordinate", coordinator="any"),
        _row("transfer.take_in", "coordinate", administrator="any", console="any"),
        _row("moving.card", "read", visitor="any"),
        _row("moving.leave", "coordinate", coordinator="alive"),
        _row("moving.stay", "coordinate", coordinator="alive"),
        _row("moving.renew", "coordinate", console="any"),
        _row("exports.rebuild", "coordinate", coordinator="any"),
    )
}


def allows(name: str, roles: frozenset[str], state: str) -> bool:
    """Return whether any of these roles may do this in a game of this state (any state, where there is no game)."""
    row = TABLE[name]
    return any(not state or state in states for role, states in row.roles.items() if role in roles)


def ask(name: str, roles: frozenset[str], scopes: tuple[str, ...], state: str = "") -> None:
    """Refuse what the table does not allow, with a sentence.

    :raises SignInNeededError: when signing in would help.
    :raises NotAllowedError: when it would not.
    """
    row = TABLE[name]
    if "everything" not in scopes and row.scope not in scopes:
        raise NotAllowedError(f"This token may not do that; it needs the scope {row.scope!r}.")
    if allows(name, roles, state):
        return
    if "guest" in roles and {"person", "host", "coordinator"} & row.roles.keys():
        raise NotAllowedError("A trial seat can't do that. Sign in with your own address.")
    if not roles & {"person", "guest", "console", "clock"} and {"person", "player", "holder"} & row.roles.keys():
        raise SignInNeededError("Sign in to continue.")
    fitting = sorted({s for role in roles if role in row.roles for s in row.roles[role]}, key=STATES.index)
    if fitting:
        possible = " or ".join(IN_WORDS.get(s, s) for s in fitting)
        raise NotAllowedError(
            f"This can be done only while the game is {possible}; it is {IN_WORDS.get(state, state)}."
        )
    may = [role for role in ROLES if role in row.roles and role not in ("clock", "console")]
    raise NotAllowedError(f"That is for the {' or '.join(may) or 'office itself'}.")


@lru_cache(maxsize=512)
def commands_for(roles: frozenset[str], state: str) -> tuple[str, ...]:
    """Return the commands that these roles may give now, for pages that offer them."""
    return tuple(name for name in TABLE if allows(name, roles, state))
