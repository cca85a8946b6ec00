"""A whole game as a document, and a game taken in from one: from another office, or from an old copy of this one.

The document has what is public once a turn is over, and what its coordinator may see: settings, players with their
addresses of mail, the turns with results, sheets, salts and seeds, the journal. What is sealed stays behind: orders of
the turn that is open have to be sent again, pictures of sheets are told by their digests, letters stay with the office
they were written in.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Literal, cast

import msgspec

from legation.bots import levels
from legation.game import read_position
from legation.game.saved import SavedGameError, read_turn
from legation.judge import Ruleset
from legation.office.accounts.people import fold_email
from legation.office.act import CommandContext, GameContext, command, query
from legation.office.clock import micros, moment, moment_or_none
from legation.office.errors import ConflictError, InvalidInputError
from legation.office.hosting import exports, handed
from legation.office.hosting.game_records import game_record
from legation.office.processing.results import untold
from legation.office.proving import proofs
from legation.office.proving.taken_proofs import transcript_faults, turn_faults
from legation.office.records import Document, GameRecord
from legation.office.states import PlayedState, PublishedState, SeatState
from legation.office.store import pack, queries, unpack
from legation.office.store.rows import GameRow, HoldingRow, JournalRow, PersonRow, SeatRow, SubmissionRow, TurnRow
from legation.office.terms.plans import GameSettings, game_key, name_faults, settings_faults
from legation.office.turn import chain
from legation.office.turn.chosen import Chosen, chosen_sheets
from legation.office.turn.sending import write_deadline
from legation.office.turn.turns import key_of, open_turn, position_of
from legation.office.turn.views import saved_turn
from legation.variants import VariantError

FORMAT: Literal["legation kept game 1"] = "legation kept game 1"
MOST_FAULTS = 20
PUBLISHED = ("draft", "final")


class Kept(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The form of every part."""


class KeptPerson(Kept, frozen=True, kw_only=True):
    """Somebody in the game; ``number`` is how the other parts name them."""

    number: int
    name: str
    email: str | None


class KeptSeat(Kept, frozen=True, kw_only=True):
    """A power as it stands, and who held it from when to when."""

    power: str
    state: SeatState
    person: int | None
    bot: str
    missed: int
    holders: tuple[KeptHolding, ...]
    machine: bool = False
    stand_in: bool = False


class KeptHolding(Kept, frozen=True, kw_only=True):
    """Who held a power, from when to when."""

    person: int | None
    bot: str
    since: datetime
    until: datetime | None
    why: str
    ref: str = ""  # by which the chain names the person, in a game that was handed over


class KeptSubmission(Kept, frozen=True, kw_only=True):
    """A thing sent in, without what it said; ``number`` is how the sheets name it."""

    number: int
    power: str
    person: int | None
    version: int
    channel: str
    kind: str
    received: datetime
    commitment: str
    counts: bool
    chosen: bool
    withdrawn: datetime | None


class KeptTurn(Kept, frozen=True, kw_only=True):
    """A turn with results. ``sheets`` are those that counted; one that looks ahead is without its text and salt until
    the season is over."""

    number: int
    name: str
    key: str
    state: PublishedState
    opened: datetime
    season_opened: datetime
    deadline: datetime
    first_deadline: datetime
    closed: datetime | None
    published: datetime | None
    final: datetime | None
    final_due: datetime | None
    moves: int
    awaited: tuple[str, ...]
    seed_commitment: str
    seed: str
    position: Document
    result: Document
    sheets: dict[str, Chosen]
    submissions: tuple[KeptSubmission, ...]
    chained: bool = False  # whether the transcript tells of it


class KeptOpenTurn(Kept, frozen=True, kw_only=True):
    """The turn that waits for orders: it opens anew where the game is taken in."""

    number: int
    name: str
    season_opened: datetime
    position: Document


class KeptEntry(Kept, frozen=True, kw_only=True):
    """A line of the journal; those that only a seat's holder sees are left out."""

    at: datetime
    kind: str
    role: str
    person: int | None
    seen_by: Literal["all", "coordinator", "office"]
    turn: str
    power: str
    facts: Document


class KeptGame(Kept, frozen=True, kw_only=True):
    """A whole game. ``saved_game`` is the same game for ``legation replay``; it is not read."""

    format: Literal["legation kept game 1"]
    key: str
    name: str
    variant: str
    options: dict[str, Any]
    rules_digest: str
    state: PlayedState
    settings: GameSettings
    coordinator: int | None
    created: datetime
    started: datetime | None
    ended: datetime | None
    ending: Document | None
    deal_commitment: str
    people: tuple[KeptPerson, ...]
    seats: tuple[KeptSeat, ...]
    turns: tuple[KeptTurn, ...]
    open_turn: KeptOpenTurn | None
    journal: tuple[KeptEntry, ...]
    saved_game: Document
    transcript: str = (
        ""  # that of :mod:`legation.office.proving.proofs`; empty where all was played before there were any
    )
    deputy: int | None = None
    handed: str = ""  # all that is behind the chain, sealed to the office that goes on with it


# Out


@query
def whole_game(act: CommandContext, game: str) -> Document:
    """All that is kept of a game, sealed things excepted: settings, players, holders, turns with sheets and proofs, the
    whole journal, and the saved game. Another office can take it in, as a copy; the office that the game left for goes
    on with it.

    :raises ConflictError: before the game has begun.
    """
    scene = act.authorize_game(game)
    if scene.row.turn is None:
        raise ConflictError(f"{scene.row.name} has not begun; there is nothing to export.")
    return keep(scene, exports.saved_document(scene))


def keep(scene: GameContext, saved: Document) -> Document:
    """A game as a document."""
    row, tx = scene.row, scene.tx
    lines = queries.turn_lines(tx, row.id)
    names = {t.id: t.name for t in lines}
    powers = {s.id: p for p, s in scene.seats.items()}
    published = [tx.get(TurnRow, t.id) for t in itertools.takewhile(lambda t: t.state in PUBLISHED, lines)]
    holdings = tx.all(HoldingRow, seat=list(powers))
    journal = [e for e in tx.all(JournalRow, game=row.id) if e.seen_by != "seat"]
    turns = tuple(_kept_turn(scene, turn, powers) for turn in published)
    numbers = {h.person for h in holdings} | {e.person for e in journal} | {row.coordinator, row.deputy}
    numbers |= {s.person for turn in turns for s in turn.submissions}
    people = tx.all(PersonRow, id=sorted(n for n in numbers if n is not None))
    game = KeptGame(
        format=FORMAT,
        key=row.key,
        name=row.name,
        variant=row.variant,
        options=unpack(row.options),
        rules_digest=row.rules_digest,
        state=cast(PlayedState, row.state),  # the table of permissions lets no gathering game be moved
        settings=scene.settings,
        coordinator=row.coordinator,
        created=moment(row.created),
        started=moment_or_none(row.started),
        ended=moment_or_none(row.ended),
        ending=unpack(row.ending) if row.ending else None,
        deal_commitment=row.deal_commitment,
        people=tuple(KeptPerson(number=p.id, name=p.name, email=p.email) for p in people),
        seats=tuple(_kept_seat(s, [h for h in holdings if h.seat == s.id]) for s in scene.seats.values()),
        turns=turns,
        open_turn=_kept_open(scene, len(published)),
        journal=tuple(_kept_entry(e, names, powers) for e in journal),
        saved_game=saved,
        transcript=proofs.written(scene) if chain.is_chained(scene) else "",
        deputy=row.deputy,
        handed=handed.hand(scene) if row.state == "moved" else "",
    )
    document: Document = msgspec.to_builtins(game)
    return document


def _kept_seat(seat: SeatRow, holdings: list[HoldingRow]) -> KeptSeat:
    return KeptSeat(
        power=seat.power,
        state=seat.state,
        person=seat.person,
        bot=seat.bot,
        missed=seat.missed,
        machine=seat.machine,
        stand_in=seat.stand_in,
        holders=tuple(
            KeptHolding(
                person=h.person, bot=h.bot, since=moment(h.since), until=moment_or_none(h.until), why=h.why, ref=h.ref
            )
            for h in holdings
        ),
    )


def _kept_turn(scene: GameContext, turn: TurnRow, powers: dict[int, str]) -> KeptTurn:
    sheets = {
        power: msgspec.structs.replace(sheet, text="", salt="") if untold(scene, turn, sheet.text) else sheet
        for power, sheet in chosen_sheets(turn).items()
    }
    submissions = tuple(
        KeptSubmission(
            number=s.id,
            power=powers[s.seat],
            person=s.person,
            version=s.version,
            channel=s.channel,
            kind=s.kind,
            received=moment(s.received),
            commitment=s.commitment,
            counts=s.counts,
            chosen=s.chosen,
            withdrawn=moment_or_none(s.withdrawn),
        )
        for s in scene.tx.all(SubmissionRow, turn=turn.id)
    )
    return KeptTurn(
        number=turn.number,
        name=turn.name,
        key=turn.key,
        state="final" if turn.state == "final" else "draft",
        opened=moment(turn.opened),
        season_opened=moment(turn.season_opened),
        deadline=moment(turn.deadline),
        first_deadline=moment(turn.first_deadline),
        closed=moment_or_none(turn.closed),
        published=moment_or_none(turn.published),
        final=moment_or_none(turn.final),
        final_due=moment_or_none(turn.final_due),
        moves=turn.moves,
        awaited=tuple(filter(None, turn.awaited.split("\n"))),
        seed_commitment=turn.seed_commitment,
        seed=turn.drawn,
        position=unpack(turn.position),
        result=unpack(turn.result),
        sheets=sheets,
        submissions=submissions,
        chained=bool(turn.sealed_by),
    )


def _kept_open(scene: GameContext, published: int) -> KeptOpenTurn | None:
    if scene.row.turn is None or scene.row.turn <= published or scene.row.state not in ("running", "paused"):
        return None
    turn = scene.turn()
    return KeptOpenTurn(
        number=turn.number, name=turn.name, season_opened=moment(turn.season_opened), position=unpack(turn.position)
    )


def _kept_entry(row: JournalRow, names: dict[int, str], powers: dict[int, str]) -> KeptEntry:
    return KeptEntry(
        at=moment(row.at),
        kind=row.kind,
        role=row.role,
        person=row.person,
        seen_by="office" if row.seen_by == "seat" else row.seen_by,  # lines of a seat were left out before
        turn=names.get(row.turn or 0, ""),
        power=powers.get(row.seat or 0, ""),
        facts={name: fact for name, fact in unpack(row.facts).items() if name != "deputy"},  # a number of this office
    )


# In


@command
def take_in(act: CommandContext, document: Document) -> GameRecord:
    """Take a game in that was exported whole (``legation office export GAME --all``). Its past is kept and checked; a
    game that was running is paused, and the turn that waits for orders opens anew. One that was handed to this office
    goes on by its own journal; of any other this is a copy with a journal of its own. Players are those whose addresses
    are known here; the other seats wait for somebody.

    :raises InvalidInputError: with all that is wrong with the document; nothing is kept then.
    """
    act.allow()
    kept = _read(document)
    rules = _rules(act, kept)
    faults = list(itertools.islice(_faults(kept, rules), MOST_FAULTS)) or _proof_faults(act, kept)
    if faults:
        raise _unfit(faults)
    taken_over = handed.opened(act, kept.handed, rules.text) if kept.handed else None
    scene = _Taking(act, kept).do(taken_over)
    try:
        faults = exports.differences(scene) + [
            f"{p.turn or 'the deal'}: {p.what}: {p.detail}" for p in proofs.checks(scene) if not p.holds
        ]
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        faults = [f"journal: the game cannot be played again from it ({type(error).__name__}: {error})"]
    if faults:
        raise _unfit(faults)
    return game_record(GameContext(act, act.tx.get(GameRow, scene.row.id)))


def _proof_faults(act: CommandContext, kept: KeptGame) -> list[str]:
    """What is wrong with the transcript, or with what the document says otherwise."""
    if not kept.transcript:
        told = [turn.name for turn in kept.turns if turn.chained]
        return [f"transcript: it is missing, and should tell of {told[0]}"] if told else []
    transcript, faults = transcript_faults(kept.transcript, kept.deal_commitment, act.office.variants)
    if transcript is not None:
        for turn in kept.turns:
            faults += turn_faults(transcript, turn.name, turn.seed_commitment, turn.seed, turn.sheets)
    return faults[:MOST_FAULTS]


def _unfit(faults: list[str]) -> InvalidInputError:
    return InvalidInputError("This game cannot be taken in.", faults=faults)


def _read(document: Document) -> KeptGame:
    form = document.get("format") if isinstance(document, dict) else None
    if form != FORMAT:
        mend = "export it with 'legation office export GAME --all'"
        if isinstance(form, str) and form.startswith("legation game "):
            raise _unfit([f"format: this is a saved game, which has neither players nor proofs; {mend}"])
        raise _unfit([f"format: must be {FORMAT!r}, not {str(form)[:60]!r}; {mend}"])
    if document.get("state") == "gathering":
        raise _unfit(["state: the game has not begun; make it anew from its plan"])
    try:
        return msgspec.convert(document, KeptGame)
    except msgspec.ValidationError as error:
        raise _unfit([_placed(str(error))]) from None


def _placed(fault: str) -> str:
    """``Expected `int`, got `str` - at `$.turns[3].number``` with the place first."""
    what, _, place = fault.partition(" - at `$.")
    return f"{place.rstrip('`')}: {what}" if place else fault


def _rules(act: CommandContext, kept: KeptGame) -> Ruleset:
    try:
        return act.office.variants.load(kept.variant, kept.options)
    except VariantError as error:
        raise _unfit([f"variant: {fault}" for fault in error.faults]) from None


def _faults(kept: KeptGame, rules: Ruleset) -> Iterator[str]:
    """What is wrong with a document that has the right form, each with its place."""
    yield from settings_faults(kept.settings)
    yield from name_faults(kept.name)
    powers = [seat.power for seat in kept.seats]
    if sorted(powers) != sorted(rules.powers):
        yield f"seats: must be the powers of {kept.variant} ({', '.join(rules.powers)}), not {', '.join(powers)}"
    numbers = [person.number for person in kept.people]
    if len(set(numbers)) != len(numbers):
        yield "people: two have the same number"
    if not kept.turns and kept.open_turn is None:
        yield "turns: there are none"
    if [turn.number for turn in kept.turns] != list(range(1, len(kept.turns) + 1)):
        yield "turns: must be numbered from 1, without a gap"
    for place, turn in enumerate(kept.turns):
        where = f"turns[{place}]"
        yield from (f"{where}.sheets: no power {power!r}" for power in turn.sheets if power not in rules.powers)
        yield from (
            f"{where}.submissions: no power {s.power!r}" for s in turn.submissions if s.power not in rules.powers
        )
        try:
            read_turn(rules, saved_turn(_turn_row(turn, 0)))
        except SavedGameError as error:
            yield from (f"{where}.{fault}" for fault in error.faults)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            yield f"{where}: cannot be read ({type(error).__name__}: {error})"
    if kept.open_turn is not None:
        if kept.open_turn.number != len(kept.turns) + 1:
            yield f"open_turn.number: must be {len(kept.turns) + 1}"
        faults: list[str] = []
        read_position(rules, kept.open_turn.position, faults)
        yield from (f"open_turn.position: {fault}" for fault in faults)
    if not kept.journal or kept.journal[0].kind != "game created":
        yield "journal: must begin with the line 'game created'"


def _turn_row(turn: KeptTurn, game: int) -> TurnRow:
    def at(time: datetime | None) -> int | None:
        return None if time is None else micros(time)

    return TurnRow(
        game=game,
        number=turn.number,
        name=turn.name,
        key=turn.key,
        state=turn.state,
        opened=micros(turn.opened),
        season_opened=micros(turn.season_opened),
        deadline=micros(turn.deadline),
        first_deadline=micros(turn.first_deadline),
        closed=at(turn.closed),
        published=at(turn.published),
        final=at(turn.final),
        final_due=at(turn.final_due),
        moves=turn.moves,
        awaited="\n".join(turn.awaited),
        seed_commitment=turn.seed_commitment,
        drawn=turn.seed,
        position=pack(turn.position),
        result=pack(turn.result),
        sheets=pack(msgspec.to_builtins(turn.sheets)),
        public_key=b"",
        seed=b"",
        sealed_by=chain.ELSEWHERE if turn.chained else "",
    )


class _Taking:
    """Writes the rows of a game that is taken in."""

    def __init__(self, act: CommandContext, kept: KeptGame) -> None:
        self.act = act
        self.tx = act.tx
        self.kept = kept
        self.numbers: dict[int, int] = {}  # of submissions, by those of the document
        self.people = {
            person.number: known.id
            for person in kept.people
            if person.email and (known := self.tx.find(PersonRow, email=fold_email(person.email))) is not None
        }

    def do(self, taken_over: handed.Handed | None = None) -> GameContext:
        """Write all; the answer is the game."""
        kept, act = self.kept, self.act
        goes_on = kept.state in ("paused", "moved")
        coordinator = self._person(kept.coordinator) or act.actor.person
        game = self.tx.add(
            GameRow(
                key=self._free_key(),
                name=kept.name,
                variant=kept.variant,
                options=pack(kept.options),
                rules_digest=kept.rules_digest,
                settings=pack(msgspec.to_builtins(kept.settings)),
                state="running" if goes_on else kept.state,
                coordinator=coordinator,
                deputy=self._deputy(coordinator),
                created=micros(kept.created),
                started=micros(kept.started) if kept.started else None,
                ended=micros(kept.ended) if kept.ended else None,
                ending=pack(kept.ending) if kept.ending else b"",
                deal_key=b"",
                deal_seed=b"",
                deal_commitment=kept.deal_commitment,
                turn=len(kept.turns) or None,
            )
        )
        seats = {seat.power: self._seat(game, seat) for seat in kept.seats}
        turns = {turn.name: self._turn(game, turn, seats) for turn in kept.turns}
        for entry in kept.journal:
            self._entry(game, entry, seats, turns)
        scene = GameContext(act, game)
        if taken_over is not None:
            scene = handed.keep(scene, taken_over, scene.seats, self.numbers)
            game = scene.row
        scene.append_journal("taken in", key=kept.key, role="coordinator")
        if game.state == "running":
            scene = self._pause(scene)
        return scene

    def _free_key(self) -> str:
        """The key of the game, or the next that is free."""
        plain = game_key(self.kept.name)
        keys = itertools.chain([plain], (f"{plain}-{number}" for number in itertools.count(2)))
        return next(key for key in keys if self.tx.find(GameRow, key=key) is None)

    def _deputy(self, coordinator: int | None) -> int | None:
        """Who reads transcriptions a second time, where they are known here and neither run the game nor play in it."""
        deputy = self._person(self.kept.deputy)
        players = {self._person(seat.person) for seat in self.kept.seats}
        return None if deputy in players | {coordinator} else deputy

    def _person(self, number: int | None) -> int | None:
        return None if number is None else self.people.get(number)

    def _seat(self, game: GameRow, seat: KeptSeat) -> SeatRow:
        act, over = self.act, self.kept.state in ("ended", "cancelled")
        person = self._person(seat.person)
        bot = seat.bot if seat.bot in levels.names() else ""
        kept = person is not None or bool(bot) or seat.state not in ("held", "bot")
        row = self.tx.add(
            SeatRow(
                game=game.id,
                power=seat.power,
                state=seat.state if kept or over else "left",
                person=person,
                bot=bot,
                missed=seat.missed,
                machine=seat.machine and person is not None,
                stand_in=seat.stand_in and bool(bot),
                since=act.at,
            )
        )
        for holding in seat.holders:
            until = holding.until or (act.now if not (kept or over) else None)
            self.tx.add(
                HoldingRow(
                    seat=row.id,
                    person=self._person(holding.person),
                    bot=holding.bot,
                    since=micros(holding.since),
                    until=micros(until) if until else None,
                    why=holding.why if holding.until or kept or over else "not known in this office",
                    ref=holding.ref if self.kept.handed else "",
                )
            )
        return row

    def _turn(self, game: GameRow, turn: KeptTurn, seats: dict[str, SeatRow]) -> TurnRow:
        row = self.tx.add(_turn_row(turn, game.id))
        for sent in turn.submissions:
            added = self.tx.add(
                SubmissionRow(
                    turn=row.id,
                    seat=seats[sent.power].id,
                    person=self._person(sent.person),
                    version=sent.version,
                    channel=sent.channel,
                    kind=sent.kind,
                    received=micros(sent.received),
                    commitment=sent.commitment,
                    sealed=b"",
                    counts=sent.counts,
                    chosen=sent.chosen,
                    withdrawn=micros(sent.withdrawn) if sent.withdrawn else None,
                )
            )
            self.numbers[sent.number] = added.id
        sheets = {
            power: msgspec.structs.replace(sheet, submission=self.numbers.get(sheet.submission, 0))
            for power, sheet in turn.sheets.items()
        }
        return self.tx.change(row, sheets=pack(msgspec.to_builtins(sheets)))

    def _entry(self, game: GameRow, entry: KeptEntry, seats: dict[str, SeatRow], turns: dict[str, TurnRow]) -> None:
        turn, seat = turns.get(entry.turn), seats.get(entry.power)
        self.tx.enter(
            JournalRow(
                game=game.id,
                at=micros(entry.at),
                kind=entry.kind,
                role=entry.role,
                person=self._person(entry.person),
                seen_by=entry.seen_by,
                turn=turn.id if turn else None,
                seat=seat.id if seat else None,
                facts=pack(entry.facts),
            )
        )

    def _pause(self, scene: GameContext) -> GameContext:
        """Open the turn that waits for orders, and stop the clock until somebody resumes it."""
        kept, act = self.kept, self.act
        if kept.open_turn is not None:
            position = position_of(scene.rules, pack(kept.open_turn.position))
            open_turn(act, scene, position, kept.open_turn.number, micros(kept.open_turn.season_opened))
        elif kept.state == "moved":
            after = kept.turns[-1].result["after"]
            open_turn(act, scene, position_of(scene.rules, pack(after)), len(kept.turns) + 1, act.at)
        turn = scene.turn()
        if turn.state == "open":
            signature = act.office.keeper.hold(key_of(scene.row, turn), "the game is paused")
            write_deadline(scene, turn, signature, 0, "the game is paused")
        reason = "taken in from another office"
        if not kept.handed:
            reason += "; orders of this turn have to be sent again"
        game = act.tx.change(scene.row, state="paused", paused=act.at, pause_reason=reason)
        scene = GameContext(act, game)
        scene.append_journal("game paused", turn=scene.turn(), reason=reason, role="coordinator")
        for seat, person in scene.people():
            act.mail("game paused", person, game=game, power=seat.power, reason=reason)
        return scene
