"""The journal: append-only, and the game. What a reader sees of it is a view; every line is told in a sentence."""

import base64
from bisect import bisect_right
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import msgspec

from legation.judge import Power
from legation.notation import capital
from legation.office.clock import moment_in_words
from legation.office.context import GameContext, query
from legation.office.errors import DamagedError, KeyNotReleasedError
from legation.office.game import views
from legation.office.keys import seals
from legation.office.office import Office
from legation.office.permissions import Call
from legation.office.records import Entry, record_of
from legation.office.store import queries
from legation.office.store.rows import JournalRow, LetterCopyRow, LetterRow, PersonRow

LAST = 2**62  # after every line

SENTENCES = {
    "game created": "{name} was created: {title}.",
    "settings changed": "The settings were changed: {what}.",
    "invited": "Somebody was invited to play {power}.",
    "signed up": "Somebody signed up.",
    "sign-up withdrawn": "A sign-up was withdrawn.",
    "seats dealt": "The powers were assigned at random.",
    "seated": "{power} {power:has|have} a player.",
    "bot seated": "The bot {bot} plays {power}.",
    "stand-in": "{whose} player has left; the bot {bot} plays until someone takes over.",
    "bot failed": "{whose} units held. {why}",
    "bots stood in for": "DumbBot ordered for the {bots} bots in {name}, since they were still starting up.",
    "machine": "{power} {power:is|are} played by a program.",
    "resigned": "{whose} player resigned.",
    "replaced": "{power} {power:has|have} a new player.",
    "replacement wanted": "{power} {power:needs|need} a new player.",
    "civil disorder": "{power} {power:is|are} in civil disorder.",
    "game started": "The game started.",
    "imported": "The game began elsewhere ({source}) and continues here from {name}.",
    "record imported": "The game was played elsewhere ({source}) and imported whole.",
    "taken in": "The game moved here from another office, where it was called {key}.",
    "game paused": "The game was paused: {reason}.",
    "game resumed": "The game was resumed.",
    "rules changed": "The rules have changed since the game began; the new ones apply from now on.",
    "game leaves": "The game moves to another office, {address}, after this season.",
    "game stays": "The move to another office was called off.",
    "game left": "The game has moved to another office: {address}.",
    "game cancelled": "The game was cancelled: {reason}.",
    "game ended": "The game ended: {why}.",
    "turn opened": "{name} opened.",
    "submitted": "{power} sent version {version}.",
    "withdrawn": "{power} withdrew version {version}.",
    "entered is confirmed": "{power} confirmed version {version}, which was entered for them.",
    "entered is refused": "{power} refused version {version}, which was entered for them.",
    "seat key": "{whose} orders have a new signing key.",
    "objection": "{power} {power:objects|object} to the orders entered for them: {reason}.",
    "opened": "Version {version} of {power} was opened: {why}.",
    "ready": "{power} {power:is|are} ready.",
    "not ready": "{power} {power:is|are} no longer ready.",
    "keeper waits": "Everyone is ready, but the keeper releases this turn's key only at the deadline.",
    "bridge added": "What all players are told ({tells}) goes to another service, too: {service}.",
    "bridge removed": "Messages no longer go to {service}.",
    "deadline moved": "The deadline was moved to {deadline}: {reason}.",
    "keys lost": "The keys of {names} are lost ({reason}). Orders sent before can't be opened.",
    "vote begun": "A vote began {words}.",
    "vote": "{power} {power:votes|vote} {words}.",
    "vote taken back": "{power} no longer {power:votes|vote} {words}.",
    "vote carried": "The players have voted {words}.",
    "voted out": "{whose} player was voted out. Anyone can take the seat.",
    "waiting": "The game waits for orders.",
    "outage": "The office was away at the deadline; mail that came by then is taken in until {until}.",
    "turn closed": "{name} is closed.",
    "countersigned": "The keeper countersigned the close of {name}.",
    "seals opened": "The seals of {name} were opened.",
    "gazette": "The text of the letter on the year that ends with {name} was edited.",
    "chosen": "{whose} version {version} counts: {reason}.",
    "unposted": "{power} sent a revision, but no sheet by post: {reason}.",
    "mail assigned": "A mail from an unknown sender was passed on, unread, for {whose} player to confirm.",
    "desk settled": "The coordinator closed a task: {what}.",
    "transcribed": "{whose} orders were transcribed.",
    "photographed": "{whose} letter was photographed after it was opened.",
    "deputy named": "{name} is the second reader of transcriptions.",
    "deputy gone": "The game no longer has a deputy; the coordinator transcribes alone.",
    "confirmed": "The deputy read {whose} orders the same way.",
    "differs": "The deputy read {whose} orders differently.",
    "decided": "The coordinator decided between two readings of {whose} orders: {reason}.",
    "judged": "{name} was judged.",
    "draft results": "The draft results of {name} were published.",
    "draft taken back": "The draft results of {name} were withdrawn.",
    "corrected": "The transcription of {whose} orders was corrected: {reason}.",
    "final results": "The results of {name} are final.",
    "letter": "A letter was sent.",
    "letter posted": "The letter to {power} on the year up to {name} was posted on {day}.",
    "missed": "{power} sent no orders.",
    "alarm": "Processing {name} again gave a different result.",
}

OTHERWISE: dict[str, tuple[Callable[[dict[str, Any]], bool], str]] = {
    "invited": (lambda facts: not facts.get("power", True), "Somebody was invited."),
    "submitted": (lambda facts: facts.get("channel") == "post", "{whose} envelope arrived as version {version}."),
    "seats dealt": (
        lambda facts: facts.get("dealt") == {},
        "No power was assigned at random: each had a player or a bot before.",
    ),
    "game resumed": (lambda facts: bool(facts.get("reason")), "The game was resumed: {reason}."),
}
"""By kind of line, a condition on its facts and the sentence that is used in place of the usual one if it is true."""


@query("read", "GET /games/{game}/journal", Call(pages="id"), visitor="any")
def entries(
    scene: GameContext,
    after: int = 0,
    limit: int = 200,
    kinds: tuple[str, ...] = (),
    newest: bool = False,
    since: str = "",
) -> list[Entry]:
    """The lines of a game's journal that the reader may see, after a number, the first first; with ``newest`` those
    before it, the last first; with ``since`` those after a :func:`mark`.

    A reader's lines are numbered by themselves: a gap would tell that somebody sent orders, here or in another game."""
    reader = _reader(scene)
    numbers = queries.journal_numbers(scene.tx, reader)
    if since:
        after = read_mark(scene.office, since)
    elif after > 0:
        after = numbers[after - 1] if after <= len(numbers) else LAST
    rows = queries.journal_after(scene.tx, reader, after, max(1, min(limit, 1000)), kinds, newest=newest)
    turns = {turn.id: turn.name for turn in queries.turn_lines(scene.tx, scene.row.id)} if rows else {}
    told = [entry(scene, row, turns) for row in rows]
    return [msgspec.structs.replace(line, id=bisect_right(numbers, line.id)) for line in told]


def _reader(scene: GameContext) -> queries.JournalReader:
    seen_by = ("all", *(("host", "coordinator") if scene.runs_it else {"host"} & scene.roles))
    seats = tuple(scene.seats[power].id for power in scene.own)
    private = () if views.viewpoint(scene) is None else views.PRIVATE
    return queries.JournalReader(scene.row.id, seen_by, seats, private)


# No route: for pages that show what happens as it does.
@query("read", visitor="any")
def is_news(scene: GameContext, since: str) -> bool:
    """Return whether anything came after a :func:`mark` that the reader may read."""
    number, reader = read_mark(scene.office, since), _reader(scene)
    if queries.journal_after(scene.tx, reader, number, 1):
        return True
    heard = scene.tx.find(JournalRow, id=number)
    if heard is None or not reader.seats:
        return False
    copies = scene.tx.all(LetterCopyRow, seat=reader.seats, read=None, order="-id", limit=20)
    return any(scene.tx.get(LetterRow, copy.letter).at >= heard.at for copy in copies)


def entry(scene: GameContext, row: JournalRow, turns: Mapping[int, str]) -> Entry:
    """A line of the journal, for this reader; ``turns`` are the names of the game's turns."""
    try:
        facts = views.seen_facts(scene, row)
    except DamagedError:
        facts = {}
    if deputy := facts.pop("deputy", None):  # a name is not for ever
        facts["name"] = scene.tx.get(PersonRow, deputy).name
    power = next((p for p, s in scene.seats.items() if s.id == row.seat), "")
    turn = turns.get(row.turn, "") if row.turn is not None else ""
    text = sentence(row.kind, facts, scene.named)
    return record_of(Entry, row, who=_who(scene, row, power), power=power, turn=turn, text=text, facts=facts)


def sentence(kind: str, facts: dict[str, Any], named: Callable[[str], Power]) -> str:
    """A line in a sentence."""
    try:
        words = {"why": facts.get("reason", ""), **facts}
        if "power" in facts:
            power = named(facts["power"])
            words |= {"power": power, "whose": power.whose}
        if "deadline" in facts:
            words["deadline"] = moment_in_words(datetime.fromisoformat(facts["deadline"]))
        if "until" in facts:
            words["until"] = moment_in_words(datetime.fromisoformat(facts["until"]))
        applies, other = OTHERWISE.get(kind, (bool, ""))
        told = other if other and applies(facts) else SENTENCES[kind]
        text = told.format(**words)
        return capital(text) if told.startswith(("{power", "{whose")) else text
    except (KeyError, TypeError, ValueError, AttributeError):
        return f"{kind}."


WHO = {"clock": "the office", "deputy": "the deputy", **dict.fromkeys(("coordinator", "console"), "the coordinator")}


def _who(scene: GameContext, row: JournalRow, power: str) -> str:
    if known := WHO.get(row.role, power):
        return known
    if row.person is not None and not scene.settings.anonymous:
        return scene.tx.get(PersonRow, row.person).name
    return "somebody"


def last_entry(office: Office) -> int:
    """The number of the journal's last line: asked before a page is made, so that what comes after it is news."""
    with office.store.transaction(write=False) as tx:
        return queries.latest_entry(tx)


def mark(office: Office, number: int = 0) -> str:
    """Return the place of a line, or of the last, for a page that asks later what came after; it tells no count."""
    locked = seals.lock(office.master_key, f"{number or last_entry(office):020}".encode())
    return base64.urlsafe_b64encode(locked).decode()


def read_mark(office: Office, text: str) -> int:
    """The number of the line that a mark is of; 0 for none of ours."""
    try:
        return int(seals.unlock(office.master_key, base64.urlsafe_b64decode(text.encode("ascii", "replace"))))
    except (KeyNotReleasedError, ValueError):
        return 0


def follow(office: Office, after: int) -> tuple[int, tuple[str, ...]]:
    """Return the number of the journal's last line, and the keys of the games that have lines after ``after``."""
    with office.store.transaction(write=False) as tx:
        last = queries.latest_entry(tx)
        return last, tuple(queries.games_changed(tx, after)) if last > after else ()
