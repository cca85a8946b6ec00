"""The letters at a year's end (W-21a), and the day on which each was posted. Their text, the gazette, is told from the
records until the coordinator edits it; then the journal keeps it."""

from datetime import date

from legation.game import replay
from legation.game.chronicle import chronicle
from legation.judge import Resolution, Ruleset
from legation.office.context import GameContext, SeatContext, command, given_note, query
from legation.office.errors import ConflictError, InvalidInputError
from legation.office.game.turns import find_turn
from legation.office.hosting import exports
from legation.office.hosting.absences import read_day
from legation.office.records import Record, YearLetter, YearLetters
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import DeskRow, JournalRow, TurnRow
from legation.position import Phase

LONGEST = 20_000  # characters
EDITED = "gazette"  # the kind of its lines in the journal
LETTERS = "letters"  # the item on the desk of a game whose year has ended


class Gazette(Record, frozen=True, kw_only=True):
    """The text of the letter on the year that ends with a turn: paragraphs apart by an empty line, and headings, which
    begin with ``#``. ``edited``: the coordinator wrote it; else it is told from the records."""

    turn: str
    text: str
    edited: bool


# No route: for the letters, which are made from it.
@query("coordinate", coordinator="any")
def settled_year(scene: GameContext) -> tuple[Ruleset, tuple[Resolution, ...]]:
    """Return the rules, and the turns of the last year that is settled, up to the adjustments.

    :raises ConflictError: while no year has ended."""
    saved = {**exports.saved_document(scene), "variant": scene.row.variant}
    game, _ = replay(saved, scene.office.variants)
    turns = [turn.resolution for turn in game.turns]
    ends = [i for i, r in enumerate(turns) if r.before.turn.phase is Phase.ADJUSTMENTS or r.ending is not None]
    if not ends:
        raise ConflictError(f"No year of {scene.row.name} has ended yet.")
    begins = ends[-2] + 1 if len(ends) > 1 else 0
    return game.rules, tuple(turns[begins : ends[-1] + 1])


@query("coordinate", "GET /games/{game}/gazette", coordinator="any")
def gazette(scene: GameContext) -> Gazette:
    """Return the text of the last year's letter: as the coordinator wrote it, else as the records tell it. Where rules
    hide something, letters that nobody edited tell each player what that power saw.

    :raises ConflictError: while no year has ended."""
    rules, turns = settled_year.within(scene)
    name = str(turns[-1].before.turn)
    row = find_turn(scene, name)
    lines = scene.tx.all(JournalRow, game=scene.row.id, turn=row.id, kind=EDITED, order="-id", limit=1)
    written = str(unpack(lines[0].facts)["text"]) if lines else ""
    told = written or chronicle(rules, turns, turns[0].before.owners)
    return Gazette(turn=name, text=told, edited=bool(written))


@command("coordinate", "PUT /games/{game}/gazette", coordinator="any", lock=True)
def edit_gazette(scene: GameContext, text: str) -> Gazette:
    """Write the text of the last year's letter; without any, it is told from the records again.

    :raises ConflictError: while no year has ended."""
    text = given_note(text, "text", LONGEST)
    if "\x00" in text:
        raise InvalidInputError("The text can't have null characters.", faults=["text: null characters"])
    known = gazette.within(scene)
    written = "\n".join(line.rstrip() for line in text.strip().splitlines())
    if written != known.text:
        row = find_turn(scene, known.turn)
        scene.append_journal(EDITED, turn=row, name=known.turn, seen_by="coordinator", text=written)
    return gazette.within(scene)


@query("coordinate", "GET /games/{game}/year-letters", coordinator="any")
def year_letters(scene: GameContext) -> YearLetters | None:
    """Return the letters on the last year that has ended, with the days on which they were posted; None while no year
    has."""
    row = _item(scene)
    return _told(scene, row) if row is not None else None


@command("coordinate", "PUT /games/{game}/year-letters/{power}", coordinator="any")
def posted_letter(scene: SeatContext, day: str = "") -> YearLetters:
    """Say on which day (today, if none is said) the letter to a power was posted; once all are, nothing waits on the
    desk.

    :raises ConflictError: where no letter is due to that power.
    :raises InvalidInputError: for a day that is not over, or was before the results."""
    row = _item(scene)
    letters = unpack(row.facts)["letters"] if row is not None else {}
    if row is None or scene.held.power not in letters:
        raise ConflictError(f"No year-end letter is due to {scene.named(scene.held.power)}.")
    on = read_day(day, "day") if day else scene.now.date()
    ended = date.fromisoformat(unpack(row.facts)["ended"])
    if not ended <= on <= scene.now.date():
        raise InvalidInputError(
            "A letter is posted after the results are out, and today at the latest.", faults=["day: out of bounds"]
        )
    letters[scene.held.power] = on.isoformat()
    left = sum(not posted for posted in letters.values())
    facts = {**unpack(row.facts), "letters": letters, "count": left}
    done = {"done": scene.at, "person": scene.actor.person, "note": "posted"} if not left and row.done is None else {}
    row = scene.tx.change(row, facts=pack(facts), **done)
    turn = scene.tx.get(TurnRow, row.turn)
    scene.append_journal("letter posted", turn=turn, seat=scene.held, name=turn.name, day=on.isoformat())
    return _told(scene, row)


def _item(scene: GameContext) -> DeskRow | None:
    return next(iter(scene.tx.all(DeskRow, game=scene.row.id, kind=LETTERS, order="-id", limit=1)), None)


def _told(scene: GameContext, row: DeskRow) -> YearLetters:
    letters, turn = unpack(row.facts)["letters"], scene.tx.get(TurnRow, row.turn)
    people = {seat.power: person.name for seat, person in scene.people()}
    told = [YearLetter(power=power, name=people.get(power, ""), posted=day or None) for power, day in letters.items()]
    return YearLetters(game=scene.row.key, turn=turn.name, letters=tuple(told))
