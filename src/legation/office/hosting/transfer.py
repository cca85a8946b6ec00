"""A whole game given out as a document (:mod:`.handover_document`), and one taken in: another office's, or a copy."""

import itertools
from collections import Counter
from collections.abc import Iterator

import msgspec

from legation.bots import levels
from legation.game import read_position
from legation.game.saved import SavedGameError, read_turn
from legation.judge import Ruleset
from legation.office.clock import micros
from legation.office.context import CommandContext, GameContext, command, query
from legation.office.errors import ConflictError, InvalidInputError
from legation.office.game import chain
from legation.office.game.submission_records import hold_up
from legation.office.game.turns import open_turn, position_of
from legation.office.game.views import saved_turn
from legation.office.hosting import exports, handover_document, proofs
from legation.office.hosting.game_records import game_record
from legation.office.hosting.handover_document import (
    FORMAT,
    KeptGame,
    KeptSeat,
    KeptTurn,
    keep,
    line_faults,
    time_faults,
)
from legation.office.hosting.proofs import transcript_faults, turn_faults
from legation.office.identity.people import fold_email
from legation.office.permissions import Call
from legation.office.records import Document, GameRecord, record_of
from legation.office.store.packing import pack, unkept_places
from legation.office.store.rows import GameRow, HoldingRow, JournalRow, PersonRow, SeatRow, SubmissionRow, TurnRow
from legation.office.terms.plans import game_key, name_faults, settings_faults
from legation.variants import VariantError

MOST_FAULTS = 20
LONGEST_KEY = 200


@query("coordinate", "GET /games/{game}/archive", coordinator="any")
def whole_game(scene: GameContext) -> Document:
    """Return all that is kept of a game, sealed things excepted: settings, players, holders, turns with sheets and
    proofs, and the whole journal. Another office can take it in, as a copy; the office that the game left for goes on
    with it.

    :raises ConflictError: before the game has begun."""
    if scene.row.turn is None:
        raise ConflictError(f"{scene.row.name} has not begun; there is nothing to export.")
    return keep(scene)


ARCHIVE = Call(body="document", largest=30_000_000, creates=True)


@command("coordinate", "POST /archives", ARCHIVE, administrator="any", console="any")
def take_in(act: CommandContext, document: Document) -> GameRecord:
    """Import a game that was exported whole (``legation office export GAME --all``). Its past is kept and checked; a
    game that was running is paused, and the turn that waits for orders opens anew. One that was handed to this office
    goes on by its own journal; of any other this is a copy with a journal of its own. Players are those whose addresses
    are known here; the other seats wait for somebody.

    :raises InvalidInputError: with all that is wrong with the document; nothing is kept then."""
    kept = _read(document)
    try:
        rules = act.office.variants.load(kept.variant, kept.options)
    except VariantError as error:
        raise _invalid([f"variant: {fault}" for fault in error.faults]) from None
    faults = list(itertools.islice(_faults(kept, rules), MOST_FAULTS))
    if not faults:
        transcript, faults = transcript_faults(kept.transcript, kept.deal_commitment, act.office.variants)
        if transcript is not None:
            for turn in kept.turns:
                faults += turn_faults(transcript, turn.name, turn.seed_commitment, turn.seed, turn.sheets)
    if faults:
        raise _invalid(faults[:MOST_FAULTS])
    taken_over = handover_document.opened(act, kept.handed, rules.text) if kept.handed else None
    scene = _Taking(act, kept).do(taken_over)
    try:
        faults = exports.rebuild.within(scene) + [
            f"{p.turn or 'the deal'}: {p.what}: {p.detail}" for p in proofs.verify.within(scene) if not p.holds
        ]
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        faults = [f"journal: the game cannot be played again from it ({type(error).__name__}: {error})"]
    if faults:
        raise _invalid(faults)
    return game_record(GameContext(act, act.tx.get(GameRow, scene.row.id)))


def _invalid(faults: list[str]) -> InvalidInputError:
    return InvalidInputError("This game can't be imported.", faults=faults)


def _read(document: Document) -> KeptGame:
    form = document.get("format") if isinstance(document, dict) else None
    if form != FORMAT:
        mend = "export it with 'legation office export GAME --all'"
        if isinstance(form, str) and form.startswith("legation game "):
            raise _invalid([f"format: this is a saved game, which has neither players nor proofs; {mend}"])
        raise _invalid([f"format: must be {FORMAT!r}, not {str(form)[:60]!r}; {mend}"])
    if document.get("state") == "gathering":
        raise _invalid(["state: the game has not begun; make it anew from its plan"])
    if unkept := list(itertools.islice(unkept_places(document), MOST_FAULTS)):
        what = "has a character that cannot be kept (NUL, or half of a surrogate pair); take it out"
        raise _invalid([f"{place or 'the document'}: {what}" for place in unkept])
    try:
        kept = msgspec.convert(document, KeptGame)
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at `$.")  # Expected `int`, got `str` - at `$.turns[3].number`
        raise _invalid([f"{place.rstrip('`')}: {what}" if place else what]) from None
    if faults := list(itertools.islice(time_faults(kept), MOST_FAULTS)):
        raise _invalid(faults)
    return kept


def _faults(kept: KeptGame, rules: Ruleset) -> Iterator[str]:
    yield from settings_faults(kept.settings)
    yield from name_faults(kept.name)
    powers = [seat.power for seat in kept.seats]
    if sorted(powers) != sorted(rules.powers):
        yield f"seats: must be the powers of {kept.variant} ({', '.join(rules.powers)}), not {', '.join(powers)}"
    for what, values in (
        ("people: two have the same number", [person.number for person in kept.people]),
        ("people: two have the same address", [fold_email(person.email) for person in kept.people if person.email]),
        ("turns: two submissions have the same number", [s.number for turn in kept.turns for s in turn.submissions]),
    ):
        if len(set(values)) < len(values):
            yield what
    if not kept.turns and kept.open_turn is None:
        yield "turns: there are none"
    if [turn.number for turn in kept.turns] != list(range(1, len(kept.turns) + 1)):
        yield "turns: must be numbered from 1, without a gap"
    for place, turn in enumerate(kept.turns):
        where = f"turns[{place}]"
        versions = Counter((s.power, s.version) for s in turn.submissions)
        twice = [version for version, times in versions.items() if times > 1]
        yield from (f"{where}.submissions: two of {power} are version {version}" for power, version in twice)
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
    if len(kept.key) > LONGEST_KEY or not kept.key.isprintable():
        yield f"key: must be at most {LONGEST_KEY} characters that can be shown"
    for place, entry in enumerate(kept.journal):
        yield from (f"journal[{place}].{fault}" for fault in line_faults(entry))


def _turn_row(turn: KeptTurn, game: int) -> TurnRow:
    packed = {"position": pack(turn.position), "result": pack(turn.result), "sheets": pack(turn.sheets)}
    there = {"public_key": b"", "sealed_by": chain.ELSEWHERE}
    return record_of(TurnRow, turn, game=game, awaited="\n".join(turn.awaited), drawn=turn.seed, **packed, **there)


class _Taking:
    def __init__(self, act: CommandContext, kept: KeptGame) -> None:
        self.act = act
        self.tx = act.tx
        self.kept = kept
        self.numbers: dict[int, int] = {}  # of submissions, by those of the document
        self.people: dict[int | None, int] = {
            person.number: known.id
            for person in kept.people
            if person.email and (known := self.tx.find(PersonRow, email=fold_email(person.email))) is not None
        }

    def do(self, taken_over: handover_document.Handed | None = None) -> GameContext:
        """Write all; the answer is the game."""
        kept, act = self.kept, self.act
        goes_on = kept.state in ("paused", "moved")
        coordinator, deputy = self.people.get(kept.coordinator) or act.actor.person, self.people.get(kept.deputy)
        players, plain = {self.people.get(seat.person) for seat in kept.seats}, game_key(kept.name)
        keys = itertools.chain([plain], (f"{plain}-{number}" for number in itertools.count(2)))
        if not kept.settings.listed:
            keys = itertools.chain([act.free_key(GameRow, kept.name, listed=False)])
        game = self.tx.add(
            record_of(
                GameRow,
                kept,
                key=next(key for key in keys if self.tx.find(GameRow, key=key) is None),
                options=pack(kept.options),
                settings=pack(kept.settings),
                state="running" if goes_on else kept.state,
                coordinator=coordinator,
                deputy=None if deputy in {coordinator, *players} else deputy,
                ending=pack(kept.ending),
                how=str((kept.ending or {}).get("kind", "")),
                turn=len(kept.turns) or None,
            )
        )
        seats = {seat.power: self._seat(game, seat) for seat in kept.seats}
        turns = {turn.name: self._turn(game, turn, seats) for turn in kept.turns}
        for entry in kept.journal:
            turn, seat, person = turns.get(entry.turn), seats.get(entry.power), self.people.get(entry.person)
            about = {"game": game.id, "turn": turn.id if turn else None, "seat": seat.id if seat else None}
            self.tx.enter(record_of(JournalRow, entry, **about, person=person, facts=pack(entry.facts)))
        scene = GameContext(act, game)
        if taken_over is not None:
            scene = handover_document.keep_chain(scene, taken_over, scene.seats, self.numbers)
        else:
            chain.begin_copy(scene)
        scene.append_journal("taken in", key=kept.key, role="coordinator")
        if scene.row.state == "running":
            scene = self._pause(scene)
        elif scene.row.state == "ended":
            act.schedule_job("archive", f"archive {scene.row.ref}", act.at, scene.row, game=scene.row.id)
        return scene

    def _seat(self, game: GameRow, seat: KeptSeat) -> SeatRow:
        act, over = self.act, self.kept.state in ("ended", "cancelled")
        person = self.people.get(seat.person)
        bot = seat.bot if seat.bot in levels.names() else ""
        kept = person is not None or bool(bot) or seat.state not in ("held", "bot")
        state, stays = seat.state if kept or over else "left", kept or over
        plays = {"machine": seat.machine and person is not None, "bot": bot, "stand_in": seat.stand_in and bool(bot)}
        made = record_of(SeatRow, seat, game=game.id, state=state, person=person, since=act.at, **plays)
        row = self.tx.add(made)
        for holding in seat.holders:
            until = holding.until or (act.now if not stays else None)
            why = holding.why if holding.until or stays else "not known in this office"
            who = {"person": self.people.get(holding.person), "ref": holding.ref if self.kept.handed else ""}
            at = micros(until) if until else None
            self.tx.add(record_of(HoldingRow, holding, seat=row.id, until=at, why=why, **who))
        return row

    def _turn(self, game: GameRow, turn: KeptTurn, seats: dict[str, SeatRow]) -> TurnRow:
        row = self.tx.add(_turn_row(turn, game.id))
        for sent in turn.submissions:
            seat, person = seats[sent.power].id, self.people.get(sent.person)
            added = self.tx.add(record_of(SubmissionRow, sent, turn=row.id, seat=seat, person=person, sealed=b""))
            self.numbers[sent.number] = added.id
        sheets = {
            power: msgspec.structs.replace(sheet, submission=self.numbers.get(sheet.submission, 0))
            for power, sheet in turn.sheets.items()
        }
        return self.tx.change(row, sheets=pack(sheets))

    def _pause(self, scene: GameContext) -> GameContext:
        kept, act = self.kept, self.act
        if kept.open_turn is not None:
            position = position_of(scene.rules, pack(kept.open_turn.position))
            open_turn(scene, position, kept.open_turn.number, micros(kept.open_turn.season_opened))
        elif kept.state == "moved":
            after = kept.turns[-1].result["after"]
            open_turn(scene, position_of(scene.rules, pack(after)), len(kept.turns) + 1, act.at)
        turn = scene.turn()
        if turn.state == "open":
            hold_up(scene, turn, "the game is paused")
        reason = "taken in from another office"
        if not kept.handed:
            reason += "; orders of this turn have to be sent again"
        game = act.tx.change(scene.row, state="paused", paused=act.at, pause_reason=reason)
        scene = GameContext(act, game)
        scene.append_journal("game paused", turn=scene.turn(), reason=reason, role="coordinator")
        scene.mail("game paused", reason=reason)
        return scene
