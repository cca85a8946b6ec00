"""Answers of the office: frozen records that pages, API and mail render as they are.

Times are aware ``datetime`` in UTC; powers are named as the variant names them, games by their ``key``; positions,
verdicts and answers are the documents of ``docs/documents.md``. What a person may not see is left out or None."""

from __future__ import annotations

import typing
from datetime import datetime
from functools import cache
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec

from legation.formats import decode_json
from legation.game.sheets import Ahead
from legation.office.clock import micros, moment
from legation.proofs.canonical import encode

GameState: TypeAlias = Literal["gathering", "running", "paused", "ended", "cancelled", "moved"]
"""``moved``: it goes on in another office."""
HowEnded: TypeAlias = Literal["solo", "draw", "ranking"]
PlayedState: TypeAlias = Literal["running", "paused", "ended", "cancelled", "moved"]
SeatState: TypeAlias = Literal["open", "held", "bot", "left", "civil disorder"]
TurnState: TypeAlias = Literal["open", "waiting", "closed", "opened", "judged", "draft", "final", "aside", "lost"]
"""``waiting``: past the deadline, for orders that are awaited. ``aside``: opened after draft results that were taken
back. ``lost``: its key is, and it was opened anew as another row."""
PublishedState: TypeAlias = Literal["draft", "final"]
PUBLISHED: tuple[PublishedState, ...] = ("draft", "final")
WorkState: TypeAlias = Literal["waiting", "failed"]
MailingState: TypeAlias = Literal["waiting", "again", "sent", "needless", "bounced", "failed", "done"]
ArrivalState: TypeAlias = Literal["taken", "waits", "released", "unmatched", "ignored", "aside"]
"""Of a mail that came in. ``waits``: for its sender's word; ``released``: the sender has confirmed it; ``aside``: it
could not be read."""
Readers: TypeAlias = Literal["all", "host", "coordinator", "seat", "office"]
"""Who reads a line of the journal; ``seat``: its holder and nobody else."""
CatalogState: TypeAlias = Literal["proposed", "listed", "earlier", "refused", "withdrawn", "removed"]
"""Of a version in the catalog. ``earlier``: a later one is listed in its place; ``withdrawn``: by who proposed it;
``removed``: from the catalog, by an administrator."""
TournamentState: TypeAlias = Literal["gathering", "running", "ended", "cancelled"]
EntrantState: TypeAlias = Literal["in", "substitute", "out"]
"""``substitute``: plays where a board needs somebody; ``out``: withdrew."""
BoardState: TypeAlias = Literal["seated", "playing", "over"]


Document = dict[str, Any]
S = TypeVar("S", bound=msgspec.Struct)


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """The form of every record."""


def record_of(kind: type[S], like: msgspec.Struct, /, **given: object) -> S:
    """Return a record, or a row, of another's fields of the same names and of what is ``given``; a time is a
    ``datetime`` in records, and microseconds in rows."""
    for name, is_moment in _fields(kind, type(like)):
        if name not in given:
            value = getattr(like, name)
            if value is not None and is_moment is not isinstance(value, datetime):
                value = moment(value) if is_moment else micros(value)
            given[name] = value
    return kind(**given)


@cache
def _fields(kind: type[msgspec.Struct], like: type[msgspec.Struct]) -> tuple[tuple[str, bool], ...]:
    hints = typing.get_type_hints(kind)
    shared = [name for name in kind.__struct_fields__ if name in like.__struct_fields__]
    return tuple((name, datetime in (hints[name], *typing.get_args(hints[name]))) for name in shared)


class Person(Record, frozen=True, kw_only=True):
    """A person known to the office."""

    id: int
    name: str
    email: str
    since: datetime
    confirmed: bool
    preferences: dict[str, Any] = {}


class SecretRecord(Record, frozen=True, kw_only=True):
    """A record with a secret, which is shown once, when it is made."""

    secret: str = ""

    def kept(self: S) -> S:
        """Return the storable part: all but the secret."""
        return msgspec.structs.replace(self, secret="")


class Credential(SecretRecord, frozen=True, kw_only=True):
    """A way to sign in or to call: the secret itself is shown once, when it is made (``secret``)."""

    id: int
    kind: str  # "link", "session", "token", "feed", "passkey", "mail"
    label: str
    scopes: tuple[str, ...]
    made: datetime
    expires: datetime | None
    last_used: datetime | None


class OwnSeat(Record, frozen=True, kw_only=True):
    """A seat of the reader in a list of games. ``sent`` and ``ready`` are None where no orders are awaited from it, or
    for who may not know."""

    power: str
    survives: bool
    sent: bool | None
    ready: bool | None


class SeatRecord(OwnSeat, frozen=True, kw_only=True):
    """A power in a game; ``holder`` is None for who may not know, and in an imported record the name that it has."""

    state: SeatState
    holder: str | None
    person: int | None
    bot: str
    since: datetime | None
    units: int
    centers: int
    missed: int
    machine: bool = False  # a program plays it, as its holder has said
    stand_in: bool = False  # a bot plays it until somebody takes over
    vacant: bool = False  # somebody may take it over
    profile: int | None = None  # by which the holder's profile is found, where that is public


class TurnRecord(Record, frozen=True, kw_only=True):
    """A turn in a line: where it stands and when it is or was due."""

    number: int
    name: str  # "Summer 1642 Movement"
    key: str  # "1642-summer-movement", for addresses
    state: TurnState
    opened: datetime
    deadline: datetime
    first_deadline: datetime
    published: datetime | None
    seed_commitment: str
    note: str = ""  # what it waits for, in words, for who may know


class GameSummary(Record, frozen=True, kw_only=True):
    """A game in a list."""

    key: str
    name: str
    variant: str
    title: str  # the variant's
    state: GameState
    seats: int
    open_seats: int  # that nobody holds; while the game gathers less those who have signed up
    turn: str
    deadline: datetime | None
    roles: tuple[str, ...]
    powers: tuple[str, ...]  # the reader's own
    alive: tuple[str, ...]  # the powers that are left; of an ended game those of its result, the first one first
    own: tuple[OwnSeat, ...] = ()  # the reader's own seats, while the game is running or paused
    paused: str = ""  # why
    how: str = ""  # it ended: "solo", "draw", "ranking"
    source: str = ""  # the other system, of an imported record


class LostSeat(Record, frozen=True, kw_only=True):
    """A seat that the reader held and holds no more. ``how``: "disorder" (nothing came), "replaced", "vacated" (both by
    the coordinator), "voted" (by the other players), "resigned" (by the reader). ``vacant``: nobody holds it now."""

    power: str
    how: str
    why: str
    at: datetime
    vacant: bool


class VoteRecord(Record, frozen=True, kw_only=True):
    """A question that the players can vote on, and how it stands. ``words`` follow "to vote": ``to extend the deadline
    by 24 hours``. ``hours``: of an extension, those of the reader's vote, else the most that somebody would give.
    ``needed`` is None where it would tell who is left in the game, ``voters`` where votes are secret. ``may``: the
    reader has a vote. ``begun``: the players were asked, for this ``reason``. ``ends``: when the votes end, unless the
    deadline moves. ``advises``: a coordinator decides. ``carried``: the command that this answers was the vote that was
    wanting."""

    kind: str
    whom: str
    hours: int
    words: str
    votes: int
    needed: int | None
    voters: tuple[str, ...] | None
    mine: bool
    may: bool
    begun: bool
    reason: str
    ends: datetime | None
    advises: bool
    carried: bool = False


class GameRecord(Record, frozen=True, kw_only=True):
    """A game as the reader can see it now; ``position`` is the current turn's document, None before the start."""

    key: str
    name: str
    variant: str
    title: str
    options: dict[str, Any]
    rules_digest: str
    state: GameState
    settings: Document
    coordinator: str | None
    created: datetime
    started: datetime | None
    ended: datetime | None
    deal_commitment: str
    roles: tuple[str, ...]
    powers: tuple[str, ...]
    seats: tuple[SeatRecord, ...]
    turn: TurnRecord | None
    position: Document | None
    ending: Document | None
    paused: str  # the reason, while the game is paused
    may: tuple[str, ...]  # names of the commands that the reader may give now
    deputy: str | None  # who reads transcriptions a second time
    wishes: tuple[str, ...] | None  # the reader's own, while the game gathers; None for who has not signed up
    lost: tuple[LostSeat, ...]  # for a reader who holds no seat now, the last first
    signed_up: int = 0  # people, while the game gathers
    lacking: int = 0  # seats that nobody has signed up for, while the game gathers
    unread: int = 0  # letters to the reader's own seats
    plays_others: bool = False  # whether the reader plays in another running game
    tournament: str = ""  # whose board it is
    waiting: int = 0  # people who wait for a seat, once the game has begun, for who has none
    waits: bool = False  # whether the reader does
    source: str = ""  # the system that it was played in, of a record that was imported whole


class Executed(Record, frozen=True, kw_only=True):
    """Part of one power in a turn that counted: its orders, and what proves that they were sealed in time."""

    power: str
    text: str
    orders: tuple[str, ...]
    version: int
    channel: str  # empty, and no time, of others in an anonymous game until it is over
    received: datetime | None
    commitment: str
    transcribed: bool  # by the coordinator, from pictures or post: what was committed to is the files
    corrected: bool
    missing: bool  # nothing was sent
    files: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()  # photographs of the opened letter
    entered_by: str = "holder"  # "bot", "assigned", "coordinator", "coordinator after the opening"
    before: str = ""  # what the sheet was read as in the results that were corrected
    reason: str = ""  # why it was corrected last
    chosen: str = ""  # why the coordinator had this version count
    conditions: tuple[str, ...] = ()  # what stands of its orders for the retreats, for its power and the coordinator

    def changes(self) -> tuple[str, ...]:
        """Return the differences from the corrected results: ``was: A dev H``, ``is:  A dev - brt``."""
        before, now = (
            [line.strip() for line in text.splitlines() if line.strip()] for text in (self.before, self.text)
        )
        if not self.before:
            return ()
        gone = [f"was: {line}" for line in before if line not in now]
        return tuple(gone + [f"is:  {line}" for line in now if line not in before]) or ("the order of the lines",)


class Retrospect(Record, frozen=True):
    """State of the analysis of a game that is over, and its findings: its turns and turning points as
    ``legation.lab.analysis.analyze_saved`` tells them. ``why`` tells what failed."""

    state: Literal["none", "waiting", "failed", "made"]
    why: str = ""
    turns: tuple[Document, ...] = ()
    points: tuple[Document, ...] = ()


class TurnResult(Record, frozen=True, kw_only=True):
    """The published results of a turn, draft or final. ``position`` is before, ``after`` the next turn's."""

    game: str
    number: int
    name: str
    key: str
    state: Literal["judged", "draft", "final"]
    published: datetime
    position: Document
    verdicts: tuple[Document, ...]
    dislodged: Document
    after: Document
    ending: Document | None
    sheets: tuple[Executed, ...]
    seed: str
    seed_commitment: str
    lots: tuple[Document, ...]
    report: str  # plain text, for mails and terminals
    comes_as: str = ""  # "draft" or "final": as what it is published, or will be
    made_final: tuple[str, ...] = ()  # the turns before it whose draft results became final with these
    news: tuple[str, ...] = ()  # what the turn led to besides the outcome of each order, a sentence each
    head: Document | None = None  # the journal's signed head with these results, to be kept; None before there were any


class CheckedLine(Record, frozen=True, kw_only=True):
    """A part of a sheet with how it was understood, from ``check_sheet``."""

    line: int
    span: tuple[int, int]
    text: str
    order: str | None
    problem: str | None  # "not understood", "illegal", "superseded", "not yours"
    message: str
    suggestions: tuple[str, ...]
    hints: tuple[str, ...]
    at: tuple[int, int] | None = None  # in characters of the whole text: what is at fault, and a suggestion replaces


class Checked(Record, frozen=True, kw_only=True):
    """A sheet looked at and not sent."""

    game: str
    power: str
    turn: str
    lines: tuple[CheckedLine, ...]
    orders: tuple[str, ...]
    missing: tuple[str, ...]
    builds_left: int
    removals_due: int
    sends_left: int
    ahead: tuple[Ahead, ...]
    instructions: tuple[str, ...]  # what the coordinator is asked about this version (W-20e)
    deadline: datetime


class Receipt(Record, frozen=True, kw_only=True):
    """Receipt for a submission; ``reading_key`` opens the own copy until the turn is opened, and is kept nowhere."""

    submission: int
    game: str
    power: str
    turn: str
    version: int
    channel: str
    received: datetime
    deadline: datetime
    commitment: str
    reading_key: str
    counts: bool  # it can stand for this turn as it is
    checked: Checked | None  # None for pictures
    notes: tuple[str, ...] = ()
    entered_by: str = "holder"
    proof: str = ""  # the signed receipt as canonical JSON, with what opens its commitments

    def kept(self) -> Receipt:
        """The same without anything that opens it or tells what it says: what may be stored, and given again."""
        proof = self.proof
        if proof:
            whole = decode_json(proof)
            proof = encode({**whole, "openings": []}).decode()
        return msgspec.structs.replace(self, reading_key="", counts=True, checked=None, notes=(), proof=proof)


class ToSign(Record, frozen=True, kw_only=True):
    """Text that a seat's page signs before it sends a sheet (``docs/proofs.md``). ``game`` is the game's random name,
    ``key`` the seat's public key as the office knows it, ``version`` the number of the next version, ``again`` how
    often the seat has said in this turn that it is ready, ``parts`` the texts by turn."""

    game: str
    seat: str
    turn: str
    key: str
    version: int
    again: int
    parts: tuple[dict[str, str], ...]


class ReceiptStanding(Record, frozen=True, kw_only=True):
    """Journal's word on a receipt: in a sentence, and what of the journal does not hold."""

    holds: bool
    what: str
    failures: tuple[str, ...] = ()


class SubmissionRecord(Record, frozen=True, kw_only=True):
    """A thing sent in, without what it says. ``standing``: "counts", "replaced", "withdrawn", and, once the seals are
    opened, "asks" (for the coordinator) and "nothing understood"; "waits for you": somebody else entered it, and it
    counts once the holder confirms it. ``entered_by``: "holder", "bot", "assigned", "coordinator", "coordinator after
    the opening". ``unsigned``: the seat had a key, which didn't sign it."""

    id: int
    power: str
    turn: str
    version: int
    channel: str
    kind: str  # "text", "pictures", "posted"
    received: datetime | None  # None where the reader may not know
    commitment: str
    standing: str
    files: int
    sender: str | None
    entered_by: str = "holder"
    unsigned: bool = False


class OwnSubmission(Record, frozen=True, kw_only=True):
    """An own submission, opened: what was sent, and how it reads."""

    submission: SubmissionRecord
    text: str
    checked: Checked | None
    files: tuple[str, ...] = ()
    openings: tuple[Document, ...] = ()  # what opens the commitments, this turn's first

    def kept(self) -> None:
        """Nothing of this may be stored; it is opened anew."""


class Entry(Record, frozen=True, kw_only=True):
    """A line of a game's journal. ``text`` tells it in a sentence; ``facts`` are its data."""

    id: int
    at: datetime
    kind: str
    who: str
    role: str
    power: str
    turn: str
    text: str
    facts: Document


class DueDate(Record, frozen=True, kw_only=True):
    """Due date of a turn's orders, and the last day to post them; ``planned``: of a turn that isn't open yet."""

    turn: str
    opens: datetime
    due: datetime
    post_by: str | None
    planned: bool


class DeadlineMove(Record, frozen=True, kw_only=True):
    """A change of a deadline, in its history (W-21c)."""

    turn: str
    at: datetime
    deadline: datetime
    who: str
    reason: str


class DeskItem(Record, frozen=True, kw_only=True):
    """Task of a coordinator. ``kind``: "start", "choose", "transcribe", "confirm" (the deputy's), "decide", "unposted",
    "publish", "final", "wait", "replace", "failed", "unmatched mail"."""

    id: int
    kind: str
    game: str
    turn: str
    power: str
    text: str  # what is needed, in words
    otherwise: str  # what happens, or does not, until it is done
    page: str  # where it is done, as a path
    command: str  # by which it is looked at, at the office's terminal
    due: datetime | None
    opened: datetime
    facts: Document
    submissions: tuple[int, ...] = ()


class ProposedOrder(Record, frozen=True, kw_only=True):
    """An order that a letter proposes, and after its turn whether it was given; None before, and where that can't be
    seen."""

    order: str
    kept: bool | None


class Proposal(Record, frozen=True, kw_only=True):
    """What a letter proposes for a turn, by power. ``answers`` is the letter that it answers (0: none);
    ``takes_orders``: the turn still does."""

    turn: str
    orders: dict[str, tuple[ProposedOrder, ...]]
    answers: int
    takes_orders: bool


class LetterRecord(Record, frozen=True, kw_only=True):
    """A letter between players. ``sender`` is a power, or "" for an anonymous one. ``proposal``: orders that it
    proposes, for its sender and receivers alone."""

    id: int
    at: datetime
    turn: str
    sender: str
    recipients: tuple[str, ...]  # powers; ("all",) for public ones
    text: str
    mine: bool
    read: bool
    proposal: Proposal | None = None


class AddressRecord(Record, frozen=True, kw_only=True):
    """A postal address, from one day to another (both included; None: without end). ``days``: how long a letter to it
    or from it takes, whatever its country."""

    id: int
    lines: tuple[str, ...]
    country: str
    first: str | None  # ISO dates
    last: str | None
    primary: bool
    days: int | None = None


class OrdersAddress(Record, frozen=True, kw_only=True):
    """Address for posted orders, with its name."""

    name: str
    address: AddressRecord


class RosterLine(Record, frozen=True, kw_only=True):
    """A line of the roster: who holds which power, and where mail reaches them. ``then`` is where a letter finds them
    that the reader posts today, ``days`` how long it takes, and ``post_by`` the last day on which to post it so that it
    arrives before the orders of the open movement are due."""

    game: str
    power: str
    name: str
    email: str | None
    address: AddressRecord | None
    alternatives: tuple[AddressRecord, ...]
    shared: bool = False  # with the players of the game; told to the person and to the coordinator
    person: int
    then: AddressRecord | None
    days: int
    post_by: str | None


class PostRoute(Record, frozen=True, kw_only=True):
    """How many days a letter takes between two countries, and by when to post to be in time for the movement."""

    ends: tuple[str, str]
    days: int
    post_by: str | None


class GameRoster(Record, frozen=True, kw_only=True):
    """The roster of one of a coordinator's games, and where its orders are posted; ``powers`` are all of them, also
    those that nobody holds, and ``own`` those of the reader. ``told``: the reader sees the addresses that are
    shared."""

    game: str
    name: str
    powers: tuple[str, ...]
    own: tuple[str, ...]
    told: bool
    lines: tuple[RosterLine, ...]
    routes: tuple[PostRoute, ...]
    orders_to: OrdersAddress | None


class YearLetter(Record, frozen=True, kw_only=True):
    """The letter to a player on a year that has ended, and the day on which it was posted."""

    power: str
    name: str
    posted: str | None  # ISO date


class YearLetters(Record, frozen=True, kw_only=True):
    """The letters on a year, which ended with a turn."""

    game: str
    turn: str
    letters: tuple[YearLetter, ...]


class PostbagPage(Record, frozen=True, kw_only=True):
    """A scanned page that waits to be named, and why."""

    page: int
    name: str
    why: str
    size: int


class Postbag(Record, frozen=True, kw_only=True):
    """The letters of a turn: pages just ``filed`` and posted versions, by power, and pages that wait to be named."""

    game: str
    turn: str
    filed: dict[str, int]
    letters: dict[str, tuple[int, ...]]
    waiting: tuple[PostbagPage, ...]


class Sharing(Record, frozen=True, kw_only=True):
    """A game by post that one plays or signed up for, and whether its players see one's postal address."""

    game: str
    name: str
    power: str
    shared: bool


class AbsenceRecord(Record, frozen=True, kw_only=True):
    """Days in which a person is away."""

    id: int
    first: str
    last: str
    note: str


class Lending(Record, frozen=True, kw_only=True):
    """A movement whose orders are due while a person is away, in a game whose rules let another power order one's
    units: ``order`` is how that is written of all of them, before the name of one of ``allies``."""

    game: str
    name: str
    power: str
    turn: str
    due: datetime
    first: str
    last: str
    order: str
    allies: tuple[str, ...]


class Mailing(Record, frozen=True, kw_only=True):
    """Message to one person, which who sends it renders of ``kind`` and ``facts``; ``message_id`` never changes."""

    id: int
    kind: str  # "invitation", "sign in", "receipt", "opened", "reminder", "results", "letter", "deadline", ...
    channel: str  # "mail", "post"
    person: int | None
    name: str
    address: str
    game: str
    turn: str
    power: str
    message_id: str
    thread: str
    facts: Document
    made: datetime
    attempts: int
    lease: str = ""


class Proof(Record, frozen=True, kw_only=True):
    """A check of a commitment. ``checked``: False for what is only told, or could not be checked."""

    turn: str
    what: str
    commitment: str
    holds: bool
    detail: str
    checked: bool = True


class Reading(Record, frozen=True, kw_only=True):
    """Request for a turn's private key: kept in the journal of every seat whose seal it opened."""

    at: datetime
    turn: str
    power: str
    who: str
    why: str


class CatalogEntry(Record, frozen=True, kw_only=True):
    """A version of a variant; ``reason`` and ``proposer`` are told to who proposed it and to administrators."""

    number: int
    name: str
    version: str
    state: CatalogState
    address: str  # "mine@3f2a90c1...": by this it is loaded as it was, whatever is listed later
    made: datetime
    decided: datetime | None
    title: str = ""
    summary: str = ""
    powers: int = 0
    centers: int = 0
    provinces: int = 0
    license: str = ""
    authors: str = ""
    source: str = ""
    credits: str = ""
    notes: str = ""
    reason: str = ""
    proposer: str = ""
    own: bool = False


class Reliability(Record, frozen=True, kw_only=True):
    """How somebody played in the last year: turns for which orders were due, those sent in time and those missed (the
    rest came late), seats that were held, and those left or lost before the game was over."""

    turns: int
    in_time: int
    missed: int
    seats: int
    left: int

    @property
    def percent(self) -> int | None:
        """The share of turns that were sent in time; None before the first."""
        return 100 * self.in_time // self.turns if self.turns else None


class PlayerRating(Record, frozen=True, kw_only=True):
    """Rating of a player in a family of variants: its value, twice its standard deviation, and the number of games.
    ``person``: the number of a public profile; 0 for none. ``history``: after each game, when it ended and the value
    then."""

    family: str
    name: str
    person: int
    rating: int
    uncertainty: int
    games: int
    history: tuple[tuple[datetime, int], ...] = ()


class Leaderboard(Record, frozen=True, kw_only=True):
    """Rated players of a family who want to be listed, and its bots, the surest first; ``families``: all there are."""

    family: str
    families: tuple[str, ...]
    players: tuple[PlayerRating, ...]
    bots: tuple[PlayerRating, ...]


class PlayedGame(Record, frozen=True, kw_only=True):
    """A game that is over, of somebody who held a seat in it, with what came of it."""

    key: str
    name: str
    variant: str
    power: str
    result: str  # "won", "lost", "shared a draw", "place 2 of 5", "left"
    ended: datetime
    source: str = ""  # the other system, of an imported record


class Opening(Record, frozen=True, kw_only=True):
    """What a power ordered in a movement turn after a line of others (``before``; empty for the first), in how many
    games (``imported``: of records of other systems), and how often the power won, shared a draw, or only survived; in
    all others it was eliminated. ``line``: by this the next turn is asked for."""

    before: str
    line: str
    turn: str
    orders: tuple[str, ...]
    games: int
    won: int
    drawn: int
    survived: int
    imported: int


class Openings(Record, frozen=True, kw_only=True):
    """Openings of a power: the ``path`` of turns that was asked for, and what came ``next``."""

    variant: str
    power: str
    powers: tuple[str, ...]
    path: tuple[Opening, ...]
    next: tuple[Opening, ...]


class FoundLetter(Record, frozen=True, kw_only=True):
    """A letter to all of a finished game that was searched for; ``text`` is the part of it around the words. ``sender``
    is empty for an anonymous one."""

    id: int
    game: str
    name: str
    variant: str
    turn: str
    sender: str
    at: datetime
    text: str


class RecordName(Record, frozen=True, kw_only=True):
    """A name in imported records that a person says is theirs. ``person`` and ``who`` are for administrators."""

    name: str
    games: int
    confirmed: bool
    person: int = 0
    who: str = ""


class Signal(Record, frozen=True, kw_only=True):
    """Two people of one game who came by the same network, or the same device in it, on some days of the last two
    weeks."""

    people: tuple[int, int]
    names: tuple[str, str]
    games: tuple[str, ...]  # keys
    network: tuple[str, ...]  # days
    device: tuple[str, ...]


class Report(Record, frozen=True, kw_only=True):
    """A report to the administrators. Who reported sees what they wrote, and whether it was decided; ``person`` and the
    names, the decision and its reason are for who decides. ``evidence``: the letter that was shown."""

    id: int
    at: datetime
    game: str
    text: str
    evidence: str
    person: int
    name: str
    reporter: str
    decided: datetime | None
    decision: str
    reason: str
    days: int


class PersonsRecord(Record, frozen=True, kw_only=True):
    """What administrators know of a person; ``suspended``: until when."""

    person: int
    name: str
    suspended: datetime | None
    reports: tuple[Report, ...]
    notes: tuple[str, ...]


class Block(Record, frozen=True, kw_only=True):
    """Somebody whom a person blocks."""

    person: int
    name: str
    since: datetime


class Bridge(SecretRecord, frozen=True, kw_only=True):
    """A bridge to another service: what goes over it, and whether it has been taken there (``confirmed``). ``secret``
    signs what a webhook gets, and is shown once, when the bridge is made."""

    id: int
    kind: str
    host: str
    tells: tuple[str, ...]
    made: datetime
    confirmed: datetime | None
    last_sent: datetime | None
    failures: int


class Profile(Record, frozen=True, kw_only=True):
    """What others may see of a person."""

    person: int
    name: str
    about: str
    since: datetime
    reliability: Reliability
    ratings: tuple[PlayerRating, ...]
    games: tuple[PlayedGame, ...]
    public: bool


class Points(Record, frozen=True, kw_only=True):
    """What a finished game is worth to each power by a scoring system."""

    system: str
    name: str
    formula: str
    points: dict[str, float]


class Rating(Record, frozen=True, kw_only=True):
    """Rating of a variant: the mean (0: none), the number of ratings, and the reader's ``own`` (0: none)."""

    variant: str
    mean: float
    count: int
    own: int = 0
    may_rate: bool = False


class Entrant(Record, frozen=True, kw_only=True):
    """Somebody in a tournament, by number and name; ``own``: the reader. ``profile``: the number of a public one."""

    number: int
    name: str
    state: EntrantState
    own: bool = False
    profile: int | None = None


class BoardSeat(Record, frozen=True, kw_only=True):
    """A power on a board. ``player`` and ``number``: who plays it; empty and 0 where a bot does, or the reader may not
    know. ``centers`` and ``points``: of a board that is over, or as it stands where all may know."""

    power: str
    player: str = ""
    number: int = 0
    bot: bool = False
    own: bool = False
    centers: int | None = None
    out: int | None = None  # the year in which it was eliminated, as the game counts years
    result: Literal["", "won", "draw"] = ""
    points: float | None = None


class Board(Record, frozen=True, kw_only=True):
    """Board of a tournament; ``game`` is empty where it is played face to face."""

    round: int
    number: int
    state: BoardState
    game: str
    game_state: str
    turn: str
    deadline: datetime | None
    seats: tuple[BoardSeat, ...]


class TournamentSummary(Record, frozen=True, kw_only=True):
    """A tournament in a line of a list. ``round``: the last that was seated; ``rounds``: how many there are."""

    key: str
    name: str
    variant: str
    state: TournamentState
    round: int
    rounds: int
    people: int
    online: bool
    own: bool  # the reader takes part, or organizes it
    season: int = 0
    division: int = 0


class Tournament(Record, frozen=True, kw_only=True):
    """A tournament as its reader sees it. ``seating``: "waiting" while the next round is being seated, "failed" where
    that didn't work; ``may``: names of the commands that the reader may give now."""

    summary: TournamentSummary
    organizer: str
    plan: Document
    powers: tuple[str, ...]
    entrants: tuple[Entrant, ...]
    boards: tuple[Board, ...]
    seating: str
    league: str
    may: tuple[str, ...]
    hidden: bool  # who plays what isn't told before a board is over
    invitation: str = ""  # told to who organizes one that isn't listed


class PlaceInTournament(Record, frozen=True, kw_only=True):
    """A line of the standings: the place, the sum of the points that count, and the points of each round."""

    place: int
    number: int
    name: str
    total: float
    rounds: dict[int, float]
    profile: int | None = None


class Award(Record, frozen=True, kw_only=True):
    """The best game of a power: "best Austria"."""

    power: str
    name: str
    points: float
    centers: int


class TournamentStandings(Record, frozen=True, kw_only=True):
    """Standings after a round; ``playing``: boards that count as they stand, ``waiting``: that don't yet."""

    tournament: str
    name: str
    round: int
    system: str
    places: tuple[PlaceInTournament, ...]
    awards: tuple[Award, ...]
    playing: int
    waiting: int


class TournamentEvent(Record, frozen=True, kw_only=True):
    """A line of a tournament's record."""

    at: datetime
    who: str
    text: str


class Season(Record, frozen=True, kw_only=True):
    """Season of a league: its tournaments, the first division first. ``exchanged``: how many fall from each division,
    as many as rise to it from the one below."""

    number: int
    divisions: tuple[TournamentSummary, ...]
    exchanged: tuple[int, ...]


class League(Record, frozen=True, kw_only=True):
    """A league with its seasons, the last first."""

    key: str
    name: str
    moves: int
    organizer: str
    seasons: tuple[Season, ...]
    may: tuple[str, ...]
