"""The rows that the store keeps: one frozen record for each table. Times are microseconds since 1970 in UTC; ``facts``
and the like are packed JSON (:mod:`.packing`).

A column ``game`` holds the id of a row of ``games``, and so on. The tables are made from the records: a column a field.
"""

import types
import typing
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Literal, TypeVar

import msgspec
import sqlalchemy as sa

from legation.office.records import (
    ArrivalState,
    BoardState,
    CatalogState,
    EntrantState,
    GameState,
    MailingState,
    Readers,
    SeatState,
    TournamentState,
    TurnState,
    WorkState,
)


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """The form of every row."""

    heavy: ClassVar[tuple[str, ...]] = ()  # columns that may be left out
    id: int = 0


R = TypeVar("R", bound=Row)

metadata = sa.MetaData()
TABLES: dict[type[Row], sa.Table] = {}
ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
COLUMNS: dict[type, sa.types.TypeEngine[Any]] = {
    int: sa.BigInteger(),
    str: sa.Text(),
    bytes: sa.LargeBinary(),
    bool: sa.Boolean(),
}
LINKS = {
    **dict.fromkeys(("person", "coordinator", "deputy", "reporter", "blocked"), "people"),
    "sender": "seats",
    "rated": "rated_players",
}
"""The tables at whose rows columns of these names point; a column ``game`` does at ``games``, and so on."""


def _table(name: str, one: Sequence[str] = (), by: Sequence[str] = ()) -> Callable[[type[R]], type[R]]:
    """Make the table of a kind of rows, a column a field; ``one``: unique columns, ``by``: indexes."""

    def make(kind: type[R]) -> type[R]:
        columns: list[sa.schema.SchemaItem] = [sa.Column("id", ID, primary_key=True, autoincrement=True)]
        hints = typing.get_type_hints(kind)
        for field in kind.__struct_fields__[1:]:
            nullable = isinstance(hints[field], types.UnionType)
            plain = typing.get_args(hints[field])[0] if nullable else hints[field]
            plain = str if typing.get_origin(plain) is Literal else plain  # a state
            other = LINKS.get(field, f"{field}s")
            points = plain is int and other in metadata.tables and (name, field) != ("games", "turn")
            link = [sa.ForeignKey(f"{other}.id")] if points else []
            columns.append(sa.Column(field, COLUMNS[plain], *link, nullable=nullable))
        columns += [sa.UniqueConstraint(*names.split(), name=f"{name}_one_{names.replace(' ', '_')}") for names in one]
        columns += [sa.Index(f"{name}_by_{names.replace(' ', '_')}", *names.split()) for names in by]
        TABLES[kind] = sa.Table(name, metadata, *columns)
        return kind

    return make


@_table("people", one=["email"])
class PersonRow(Row, frozen=True, kw_only=True):
    """Somebody with an address; ``email`` is folded, and None for a person who was erased."""

    name: str
    email: str | None
    since: int
    confirmed: bool = False
    administrator: bool = False
    preferences: bytes = b""
    suspended: int | None = None  # until when the person joins and makes nothing


@_table("credentials", one=["digest"], by=["person"])
class CredentialRow(Row, frozen=True, kw_only=True):
    """A way to sign in or to call; of a secret only its digest is kept."""

    person: int
    kind: str
    label: str
    digest: str
    scopes: str
    made: int
    expires: int | None = None
    last_used: int | None = None
    ended: int | None = None
    facts: bytes = b""


@_table(
    "games", one=["key"], by=["state variant key", "state how key", "state ended", "coordinator", "deputy", "follows"]
)
class GameRow(Row, frozen=True, kw_only=True):
    """A game. ``settings`` and ``options`` are packed JSON; ``deal_commitment`` is to the lot that deals the powers."""

    key: str
    name: str
    variant: str
    options: bytes
    rules_digest: str
    settings: bytes
    state: GameState
    coordinator: int | None
    created: int
    deal_commitment: str
    started: int | None = None
    ended: int | None = None
    paused: int | None = None
    pause_reason: str = ""
    turn: int | None = None  # the present turn's number
    ending: bytes = b""
    deputy: int | None = None  # reads transcriptions a second time
    ref: str = ""  # the random name that the journal's chain is about
    secret: bytes = b""  # of the lots, locked with the office's own key
    lines: int = 0  # how many lines the chain has
    head: str = ""  # the hash of the last
    kept: str = ""  # the address of the rules that were kept with it
    follows: int | None = None  # the game that it is a rematch of
    how: str = ""  # it ended: "solo", "draw", "ranking"
    source: str = ""  # the system that it was played in, of a record that was imported whole
    counted: bool = False  # its openings and public letters are in the archive


@_table("kept_rules", one=["address"])
class KeptRulesRow(Row, frozen=True, kw_only=True):
    """A variant as it was when a game of it began (:class:`legation.variants.KeptVariant`), packed, by its address."""

    address: str
    content: bytes


@_table("seats", one=["game power"], by=["person"])
class SeatRow(Row, frozen=True, kw_only=True):
    """A power in a game, and who holds it now."""

    game: int
    power: str
    state: SeatState
    person: int | None = None
    bot: str = ""
    since: int | None = None
    missed: int = 0
    survives: bool = True
    units: int = 0
    centers: int = 0
    shares_address: bool = False
    machine: bool = False  # its holder has said that a program plays it
    stand_in: bool = False  # a bot plays it because its player is gone, until somebody takes over
    key: str = ""  # the public key with which the holder's page signs


@_table("holdings", by=["seat", "person"])
class HoldingRow(Row, frozen=True, kw_only=True):
    """Holder of a seat, with the times."""

    seat: int
    person: int | None
    bot: str
    since: int
    until: int | None = None
    why: str = ""
    ref: str = ""  # random: by this the chain names a person, in this game alone


@_table("sign_ups", one=["game person"], by=["person"])
class SignUpRow(Row, frozen=True, kw_only=True):
    """A wish to play, with the powers in order of preference."""

    game: int
    person: int
    preferences: bytes
    at: int
    withdrawn: int | None = None
    shares_address: bool = False  # with the players of a game by post, once the deal gave a seat


@_table("invitations", one=["digest"], by=["game"])
class InvitationRow(Row, frozen=True, kw_only=True):
    """A link that opens a game, or a seat, once, until it ``expires``; to an address: for its person alone."""

    game: int
    digest: str
    email: str
    power: str
    made: int
    expires: int
    used: int | None = None
    person: int | None = None


@_table("turns", one=["game number"], by=["state deadline"])
class TurnRow(Row, frozen=True, kw_only=True):
    """A turn. ``sheets`` are the chosen sheets once the seals are open; ``resolution`` what the judge said."""

    heavy: ClassVar[tuple[str, ...]] = ("position", "sheets", "result")
    game: int
    number: int
    name: str
    key: str
    state: TurnState
    opened: int
    season_opened: int
    deadline: int
    first_deadline: int
    public_key: bytes
    seed_commitment: str
    position: bytes
    awaited: str = ""  # the powers with something to order, a line each
    drawn: str = ""  # the seed, once the seals are open
    sheets: bytes = b""
    result: bytes = b""
    closed: int | None = None
    published: int | None = None
    final: int | None = None
    final_due: int | None = None
    moves: int = 0
    closes: int = 0  # the effective close, grace included; it moves later, never earlier
    early: str = ""  # who has to be ready for an early end: "POWER HOLDING" a line, fixed when the turn opens
    witness: bytes = b""  # the keeper's countersignature of the closing
    part: str = ""  # the keeper's part of the lots, once it is given
    sealed_by: str = ""  # the name of its key at the keeper
    ahead: bytes = b""  # the keys of the later turns of its season (:mod:`legation.office.game.orders_ahead`)


@_table("submissions", one=["turn seat version"], by=["seat", "person"])
class SubmissionRow(Row, frozen=True, kw_only=True):
    """A thing sent in. What it says is in ``sealed`` and nowhere else; ``own`` is the sender's copy, locked with a key
    that only the receipt has. Until the seals are opened ``understood``, ``asks`` and ``counts`` say nothing of it.
    ``entered_by``: as its record says. ``confirmed``: when the holder said that what another entered counts."""

    turn: int
    seat: int
    person: int | None
    version: int
    channel: str
    kind: str
    received: int
    commitment: str
    sealed: bytes
    own: bytes = b""
    understood: bool = False
    asks: bool = False  # carries version instructions (W-20e)
    counts: bool = True
    withdrawn: int | None = None
    chosen: bool = False
    nonce: str = ""  # a keyed digest of the sender's nonce
    entered_by: str = "holder"
    confirmed: int | None = None


@_table("files", by=["submission", "stored"])
class FileRow(Row, frozen=True, kw_only=True):
    """A submission's sealed file of pictures; or a photograph of an opened letter, with its details."""

    submission: int
    stored: str
    digest: str = ""
    name: str = ""
    media_type: str = ""
    size: int = 0


@_table("postbag", by=["game", "turn", "stored"])
class PostbagRow(Row, frozen=True, kw_only=True):
    """A scanned page of an opened letter that waits to be named; ``why`` it isn't filed yet."""

    game: int
    turn: int
    stored: str
    digest: str
    name: str
    media_type: str
    size: int
    why: str


@_table("readiness", one=["turn seat"])
class ReadinessRow(Row, frozen=True, kw_only=True):
    """A seat that is ready before the deadline: with which version (0: none), and signed by its key if it has one."""

    turn: int
    seat: int
    at: int
    version: int = 0
    signature: str = ""


@_table("journal", by=["game id", "game kind", "seat", "person"])
class JournalRow(Row, frozen=True, kw_only=True):
    """A line of the journal."""

    game: int | None
    at: int
    kind: str
    person: int | None
    role: str
    seen_by: Readers
    turn: int | None = None
    seat: int | None = None
    facts: bytes = b""


@_table("records", one=["commitment"], by=["submission"])
class RecordRow(Row, frozen=True, kw_only=True):
    """Commitment of a submission's record, for the turn of this name. ``opening`` is locked with the office's key and
    empty until that turn's seals are opened. ``sealed``: the record, of a later turn, to that turn's key.
    ``reading``: what was read for it in a picture, locked. ``lost``: when it was given up, its key being lost."""

    submission: int
    turn_name: str
    commitment: str
    opening: bytes = b""
    sealed: bytes = b""
    reading: bytes = b""
    lost: int | None = None


@_table("lines", one=["game n"], by=["game kind"])
class LineRow(Row, frozen=True, kw_only=True):
    """A line of a game's chain, as canonical bytes; ``signature`` is the office's, where it signs the head."""

    game: int
    n: int
    at: int
    kind: str
    content: bytes
    hash: str
    signature: str = ""


@_table("private_lines", one=["game n place"])
class PrivateRow(Row, frozen=True, kw_only=True):
    """Content that a private line holds the hash of, by its ``place`` from 0; ``seat``: its reader, if not all are."""

    game: int
    n: int
    place: int
    kind: str
    content: bytes
    salt: str
    seat: int | None = None


@_table("work", one=["name"], by=["state due", "game"])
class WorkRow(Row, frozen=True, kw_only=True):
    """Due work. ``name`` is unique, so that nothing is due twice."""

    kind: str
    name: str
    due: int
    game: int | None = None
    facts: bytes = b""
    attempts: int = 0
    error: str = ""
    state: WorkState = "waiting"


@_table("mailings", one=["message_id"], by=["state channel due", "person", "game state", "address kind made"])
class MailingRow(Row, frozen=True, kw_only=True):
    """Message to one person. ``lease`` is the service's that is sending it, ``due`` when it may be tried (again)."""

    kind: str
    channel: str
    person: int | None
    address: str
    game: int | None
    turn: int | None
    power: str
    message_id: str
    thread: str
    facts: bytes
    made: int
    due: int
    lease: str = ""
    attempts: int = 0
    error: str = ""
    state: MailingState = "waiting"
    done: int | None = None


@_table("browsers", one=["digest"], by=["person"])
class BrowserRow(Row, frozen=True, kw_only=True):
    """A browser to which notifications go: ``content`` is its subscription, locked; by ``digest`` its address is known
    again. ``session`` is the sign-in (a credential's id) with which it ends."""

    person: int
    session: int | None
    digest: str
    content: bytes
    label: str
    made: int
    last_sent: int | None = None
    failures: int = 0  # in a row


@_table("answers", one=["actor name"], by=["at"])
class AnswerRow(Row, frozen=True, kw_only=True):
    """The answer to a command that was given with a key, so that it is never carried out twice."""

    actor: str
    name: str
    command: str
    asked: str  # digest of the arguments
    answer: bytes
    at: int


@_table("desk", by=["game done", "turn", "done game"])
class DeskRow(Row, frozen=True, kw_only=True):
    """Task of a coordinator."""

    game: int | None
    kind: str
    turn: int | None
    seat: int | None
    opened: int
    due: int | None
    facts: bytes = b""
    done: int | None = None
    person: int | None = None
    note: str = ""


@_table("letters", by=["game id"])
class LetterRow(Row, frozen=True, kw_only=True):
    """A letter, locked with the office's own key, as is its ``proposal`` (of orders). ``sender`` is a seat."""

    game: int
    turn: int | None
    sender: int
    at: int
    anonymous: bool
    public: bool
    locked: bytes
    proposal: bytes | None = None


@_table("letter_copies", one=["letter seat"], by=["seat"])
class LetterCopyRow(Row, frozen=True, kw_only=True):
    """A letter in the hands of one recipient."""

    letter: int
    seat: int
    read: int | None = None


@_table("mutes", one=["seat muted"])
class MuteRow(Row, frozen=True, kw_only=True):
    """Letters that a seat's holder wants no word of: those of a power, ``anonymous`` ones, or those to ``all``."""

    seat: int
    muted: str


@_table("addresses", by=["person"])
class AddressRow(Row, frozen=True, kw_only=True):
    """A postal address with its dates (ISO; empty: without end)."""

    person: int
    lines: str
    country: str
    first: str
    last: str
    is_primary: bool
    made: int
    days: int | None = None  # that a letter to it or from it is on its way, whatever its country


@_table("absences", by=["person"])
class AbsenceRow(Row, frozen=True, kw_only=True):
    """Days in which a person is away."""

    person: int
    first: str
    last: str
    note: str
    made: int


@_table("arrivals", one=["digest"], by=["state", "stored", "secret", "person"])
class ArrivalRow(Row, frozen=True, kw_only=True):
    """A mail that came in, by the digest of its Message-ID; ``stored``: its locked copy while it waits."""

    digest: str
    at: int
    state: ArrivalState
    person: int | None = None
    seat: int | None = None
    stored: str = ""
    secret: str = ""  # digest of the secret that releases it


@_table("shared", one=["name"], by=["until", "kind until"])
class SharedRow(Row, frozen=True, kw_only=True):
    """Entry that processes share and may forget; ``number``: how many, of the kind "count"; else bytes."""

    kind: str
    name: str  # a keyed digest
    until: int
    number: int = 0
    content: bytes = b""


@_table("catalog", by=["state name", "name", "address", "package", "person"])
class CatalogRow(Row, frozen=True, kw_only=True):
    """A version of a variant that somebody proposed, or that the catalog lists or listed. ``address`` is that of its
    rules (:class:`legation.variants.KeptVariant`), ``package`` the digest of its package, ``facts`` what its package
    and its rules say of it, packed. ``person`` brought it (None: the console, or somebody who was erased)."""

    name: str
    version: str
    state: CatalogState
    address: str
    package: str
    facts: bytes
    person: int | None
    made: int
    decided: int | None = None
    reason: str = ""


@_table("catalog_packages", one=["digest"])
class CatalogPackageRow(Row, frozen=True, kw_only=True):
    """Package of versions in the catalog, by its digest: as it came, and its rules, which others may have as well."""

    digest: str
    content: bytes
    rules: bytes


@_table("ratings", one=["person variant"], by=["variant"])
class RatingRow(Row, frozen=True, kw_only=True):
    """Rating that somebody who played a variant gives it: 1 to 5."""

    person: int
    variant: str
    stars: int
    at: int


@_table("rated_players", one=["family player"], by=["person", "family shown least", "family person least"])
class RatedPlayerRow(Row, frozen=True, kw_only=True):
    """Rating of a player ("person 7", "bot dumbbot") in a family of variants. ``mu``, ``sigma`` and ``least``, by which
    lists are ordered, are millionths. ``at``, ``last``: the end of the last game, and its id. ``shown``: in lists."""

    family: str
    player: str
    person: int | None
    games: int
    mu: int
    sigma: int
    least: int
    at: int
    last: int
    shown: bool = False


@_table("rated_games", one=["game rated"], by=["rated at"])
class RatedGameRow(Row, frozen=True, kw_only=True):
    """Rating of a player after a game, in millionths."""

    game: int
    rated: int
    mu: int
    sigma: int
    at: int


@_table("record_players", one=["seat"], by=["game", "key"])
class RecordPlayerRow(Row, frozen=True, kw_only=True):
    """The name that an imported record has for who played a seat; by ``key``, the same folded, it is found."""

    game: int
    seat: int
    name: str
    key: str


@_table("record_names", one=["key person"], by=["person"])
class RecordNameRow(Row, frozen=True, kw_only=True):
    """A person who says that a name in imported records is theirs; once ``confirmed``, it is."""

    key: str
    name: str
    person: int
    at: int
    confirmed: int | None = None


@_table("openings", one=["line"], by=["variant power before"])
class OpeningRow(Row, frozen=True, kw_only=True):
    """What a power ordered in a movement turn after a line of earlier ones (``before``, empty for the first), and what
    came of the games. ``line``: the digest of variant, power and all orders up to these."""

    variant: str
    power: str
    before: str
    line: str
    turn: str
    orders: str  # a line each
    games: int
    won: int
    drawn: int
    survived: int  # without a win or a share
    imported: int  # of the games


@_table("press", one=["letter"], by=["game"])
class PressRow(Row, frozen=True, kw_only=True):
    """A letter to all of a finished game that anybody may see; its words have an index in the database's own way."""

    letter: int
    game: int
    text: str


for dialect, statement in (
    ("postgresql", "CREATE INDEX press_words ON press USING gin (to_tsvector('simple', text))"),
    ("sqlite", "CREATE VIRTUAL TABLE press_words USING fts5(text, content='press', content_rowid='id')"),
    (
        "sqlite",
        "CREATE TRIGGER press_added AFTER INSERT ON press BEGIN "
        "INSERT INTO press_words(rowid, text) VALUES (new.id, new.text); END",
    ),
    (
        "sqlite",
        "CREATE TRIGGER press_removed AFTER DELETE ON press BEGIN "
        "INSERT INTO press_words(press_words, rowid, text) VALUES ('delete', old.id, old.text); END",
    ),
):
    made = sa.DDL(statement)  # type: ignore[no-untyped-call]
    sa.event.listen(TABLES[PressRow], "after_create", made.execute_if(dialect=dialect))


@_table("traces", one=["day kind digest person"], by=["person"])
class TraceRow(Row, frozen=True, kw_only=True):
    """That a person came by a network or device on a day: by its keyed digest with that day's salt alone."""

    person: int
    day: str
    kind: str
    digest: str


@_table("bridges", by=["game", "person"])
class BridgeRow(Row, frozen=True, kw_only=True):
    """A bridge by which what all of a game are told goes to another service: of a ``game``, or (None) of all that its
    ``person`` plays. ``content``: where it leads and the secret that signs, locked; only the ``host`` is shown of it.
    ``tells``: what goes over it, with spaces. ``confirmed``: a first message was taken; nothing else goes before."""

    game: int | None
    person: int | None
    kind: str
    host: str
    tells: str
    content: bytes
    made: int
    confirmed: int | None = None
    last_sent: int | None = None
    failures: int = 0  # in a row


@_table("reports", by=["reporter", "person", "decided"])
class ReportRow(Row, frozen=True, kw_only=True):
    """A report of a person (None: erased) to the administrators, locked with the letter shown. ``days``: suspended."""

    reporter: int | None
    person: int | None
    game: int | None
    content: bytes
    at: int
    decided: int | None = None
    decision: str = ""
    reason: str = ""
    days: int = 0


@_table("person_notes", by=["person"])
class PersonNoteRow(Row, frozen=True, kw_only=True):
    """A note of an administrator on a person."""

    person: int
    author: str
    text: str
    at: int


@_table("blocks", one=["person blocked"], by=["blocked"])
class BlockRow(Row, frozen=True, kw_only=True):
    """Somebody of whom a person wants to hear nothing."""

    person: int
    blocked: int
    at: int


@_table("leagues", one=["key"])
class LeagueRow(Row, frozen=True, kw_only=True):
    """League: seasons of tournaments, one a division; ``moves``: how many rise and fall after a season."""

    key: str
    name: str
    coordinator: int | None
    moves: int
    made: int


@_table("tournaments", one=["key"], by=["state", "coordinator", "league"])
class TournamentRow(Row, frozen=True, kw_only=True):
    """Tournament. ``plan`` is packed; ``league``, ``season`` and ``division`` of one that belongs to a league."""

    key: str
    name: str
    state: TournamentState
    coordinator: int | None
    plan: bytes
    made: int
    ended: int | None = None
    league: int | None = None
    season: int = 0
    division: int = 0


@_table("entrants", one=["tournament number", "tournament name"], by=["person"])
class EntrantRow(Row, frozen=True, kw_only=True):
    """Somebody in a tournament, by the name that its papers have; ``person``: None without an account here."""

    tournament: int
    number: int
    name: str
    person: int | None
    state: EntrantState
    at: int


@_table("boards", one=["tournament round number"], by=["game"])
class BoardRow(Row, frozen=True, kw_only=True):
    """Board of a round. ``game``: None if face to face; ``outcome``: packed, once it is over."""

    tournament: int
    round: int
    number: int
    state: BoardState
    game: int | None = None
    outcome: bytes = b""


@_table("board_seats", one=["board power"], by=["entrant"])
class BoardSeatRow(Row, frozen=True, kw_only=True):
    """Who plays a power on a board; nobody where a bot does. ``left``: the number of who played it before."""

    board: int
    power: str
    entrant: int | None
    left: int = 0


NAME_FILES: tuple[type[FileRow | ArrivalRow | PostbagRow], ...] = (FileRow, ArrivalRow, PostbagRow)
"""The rows that name a file (``stored``)."""
