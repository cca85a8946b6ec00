"""Who may do and see what, and at which address: one declaration of each command and query
(:func:`legation.office.context.command`), asked in one place.

Roles in a game: *visitor* (anybody), *guest* (has a seat for a day and no address), *person* (signed in), *player*
(holds a seat), *holder* (holds the seat that is meant), *host* (made a game that runs itself), *coordinator*, *deputy*
(reads transcriptions a second time), *clock* (the office itself), *console* (the terminal of the office's machine: may
do what a coordinator may), *administrator*. Who has several roles may do what any of them may."""

from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

import msgspec

from legation.office.errors import NotAllowedError, SignInNeededError

ROLES = tuple("visitor guest person player holder host coordinator deputy clock console administrator".split())
STATES = ("gathering", "running", "paused", "ended", "cancelled", "moved")
OVER = ("ended", "cancelled", "moved")
IN_WORDS = {"gathering": "waiting for players", "ended": "over", "moved": "in another office"}
"""What people read, where a state's name is not it."""
SUSPENDED = "suspended"  # beside the roles of a person who joins and makes nothing for a while
ALIVE = ("running", "paused")
PLAYED = ("running", "paused", "ended", "moved")
SCOPES = ("read", "play", "coordinate", "me")
SUBJECTS = {
    subject.rpartition(".")[2]: subject
    for subject in (
        "identity.people identity.browsers hosting.erasing hosting.games hosting.rematches hosting.catalog "
        "hosting.ratings hosting.scores hosting.player_ratings hosting.profiles hosting.openings "
        "hosting.press hosting.imports identity.traces game.seats "
        "game.waiting_lists orders.submissions orders.tables operation.lost_keys "
        "hosting.deadlines hosting.votes game.processing desk.desk desk.readings desk.postbag "
        "desk.mailroom desk.letters hosting.absences hosting.roster desk.mailings game.journal hosting.proofs "
        "hosting.exports hosting.retrospects hosting.transfer hosting.moving hosting.year_letters "
        "hosting.tournaments hosting.rounds hosting.standings hosting.leagues desk.bridges hosting.moderation"
    ).split()
}
"""The modules whose functions are commands, in the order of the manual."""


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """How the API calls a command, where the command's signature does not tell. ``body``: the argument that is the
    whole body, where it is one; ``reads`` makes it of a body that is a file; ``files``: the body is a form with files.
    ``media``: the type of an answer that is a file. ``creates``: something new is made (201)."""

    body: str = ""
    reads: Callable[[bytes], Any] | None = None
    files: bool = False
    media: str = "image/*"
    largest: int = 2_000_000  # bytes of the body; files have bounds of their own
    pages: str = ""  # the field by which a list goes on: the next page is ?after=its last
    creates: bool = False


PLAIN, CREATES = Call(), Call(creates=True)


class Command(msgspec.Struct, frozen=True):
    """A command, or a query, which writes nothing. ``roles`` maps a role to the states of the game in which it may;
    ``scope`` is what a token needs. ``method`` and ``path`` are those of the API (empty: no route): parts of the path
    in braces are arguments by name, the others come from the query (GET, DELETE) or from a JSON object (POST, PUT)."""

    name: str
    function: Callable[..., Any]
    writes: bool
    scope: str
    roles: dict[str, tuple[str, ...]]
    method: str
    path: str
    call: Call

    @property
    def subject(self) -> str:
        """The module of the command."""
        return self.name.partition(".")[0]


_DECLARED: dict[str, Command] = {}


def declare(
    name: str, function: Callable[..., Any], scope: str, route: str, call: Call, who: dict[str, str], *, writes: bool
) -> None:
    """Enter a command ``subject.verb``. The console may do what a coordinator may."""
    states = {"any": STATES, "alive": ALIVE, "played": PLAYED}
    roles = {role: tuple(s for word in text.split() for s in states.get(word, (word,))) for role, text in who.items()}
    if "coordinator" in roles:
        roles.setdefault("console", roles["coordinator"])
    method, _, path = route.partition(" ")
    _DECLARED[name] = Command(name, function, writes, scope, roles, method, path, call)


@cache
def commands() -> dict[str, Command]:
    """Return all commands and queries: ``games.create``, ``submissions.submit`` and so on."""
    for subject in SUBJECTS.values():
        import_module(f"legation.office.{subject}")  # they import this module
    order = list(SUBJECTS)
    known = [command for command in _DECLARED.values() if command.subject in SUBJECTS]
    return {command.name: command for command in sorted(known, key=lambda c: order.index(c.subject))}


def allows(name: str, roles: frozenset[str], state: str) -> bool:
    """Return whether any of these roles may do this in a game of this state (any state, where there is no game)."""
    row = _DECLARED[name]
    return any(not state or state in states for role, states in row.roles.items() if role in roles)


def ask(name: str, roles: frozenset[str], scopes: tuple[str, ...], state: str = "", what: str = "game") -> None:
    """Refuse what the table doesn't allow (SignInNeededError, NotAllowedError); ``what`` is of this state."""
    row = _DECLARED[name]
    if "everything" not in scopes and row.scope not in scopes:
        raise NotAllowedError(f"This token may not do that; it needs the scope {row.scope!r}.")
    if SUSPENDED in roles and row.scope in ("play", "coordinate") and row.method != "DELETE":  # one may withdraw
        roles -= {"person", "host"}
        if not allows(name, roles, state):
            raise NotAllowedError("Your account is suspended; a mail told you why and until when.")
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
            f"This can be done only while the {what} is {possible}; it is {IN_WORDS.get(state, state)}."
        )
    may = [role for role in ROLES if role in row.roles and role not in ("clock", "console")]
    raise NotAllowedError(f"That is for the {' or '.join(may) or 'office itself'}.")


@lru_cache(maxsize=512)
def commands_for(roles: frozenset[str], state: str) -> tuple[str, ...]:
    """Return the commands that these roles may give now, for pages that offer them."""
    return tuple(name for name in commands() if allows(name, roles, state))
