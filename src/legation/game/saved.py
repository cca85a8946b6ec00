"""Reads saved games: a game goes on from the position in which it was saved, whatever has become of the rules since.

The records here are the form of a saved game, for reading and for its JSON Schema alike: ``python -m
legation.game.saved`` prints the schema."""

import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from legation.faults import told
from legation.game.formats import GAME, FormatError, check_format
from legation.game.log import Game, PlayedTurn, Turns
from legation.game.reading_documents import read_position, read_verdicts
from legation.game.reading_sheets import Unread, read_orders
from legation.judge import Ending, Lot, Outcome, Resolution, Ruleset, Situation, changes
from legation.position import Dislodged, Position
from legation.variants import USUAL, Registry, VariantError, plain_name

PositionDocument = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "position.json"})]
Hash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]

Resumed = Annotated[
    str, Meta(description="Why this isn't the position to which the turn before led; not there where it is.")
]


class SavedCause(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What decided."""

    kind: str
    by: Annotated[str, Meta(description="The order that decided.")] = ""
    strength: int = 0
    against: int = 0
    reason: str = ""


class SavedVerdict(Struct, forbid_unknown_fields=True):
    """What became of an order."""

    power: str
    order: str
    outcome: Outcome
    dislodged_from: str | None
    cause: SavedCause | None
    explanation: str


class SavedLot(Struct, forbid_unknown_fields=True):
    """A draw."""

    label: str
    items: list[str]
    order: list[str]


class SavedLots(Struct, forbid_unknown_fields=True):
    """The lots drawn in a turn (not there when none were), with all that is needed to draw them again."""

    seed: Annotated[str, Meta(description="The turn's seed: HMAC-SHA-256 of the game's seed over the turn's name.")]
    commitment: Annotated[Hash, Meta(description="SHA-256 of the turn's seed, published when the turn opened.")]
    drawn: list[SavedLot]


class SavedEnding(Struct, forbid_unknown_fields=True):
    """How the game ended."""

    kind: Literal["solo", "draw", "ranking"]
    powers: list[str]
    reason: str
    tied: Annotated[list[list[str]], Meta(description="Those of a ranking that share a place, together.")] = []


class SavedTurn(Struct, forbid_unknown_fields=True):
    """A turn: where it began, the sheets, what became of them, and where it led."""

    position: PositionDocument
    orders: dict[str, list[str]]
    verdicts: list[SavedVerdict]
    after: PositionDocument
    sent: Annotated[dict[str, str], Meta(description="By power: the text of its sheet, as it came.")] = {}
    unread: Annotated[list[SavedVerdict], Meta(description="What could not be understood.")] = []
    lots: SavedLots | None = None
    ending: SavedEnding | None = None
    resumed: Resumed = ""
    comments: Annotated[list[str], Meta(description="Remarks of the record that the turn was imported from.")] = []


class SavedGame(Struct, forbid_unknown_fields=True):
    """The log of a game; replaying it must give the same outcomes."""

    format: Literal["legation game 2"]
    variant: str
    turns: list[SavedTurn]
    after: PositionDocument
    ending: SavedEnding | None = None
    options: Annotated[dict[str, str | bool], Meta(description="The game's choices among the variant's options.")] = {}
    rules: Annotated[
        str,
        Meta(description="The digest of the rules: of board, powers, rules and options. Empty where it is not known."),
    ] = ""
    name: str = ""
    seed: Annotated[
        str, Meta(description="The game's seed for lots; empty in the public document of a game that is not over.")
    ] = ""
    commitment: Annotated[
        Hash | Literal[""], Meta(description="SHA-256 of the game's seed, published before the first turn.")
    ] = ""
    opening: PositionDocument | None = None
    resumed: Resumed = ""
    drafts: Annotated[
        dict[str, list[str]], Meta(description="Orders written for the present turn, by power; the coordinator's own.")
    ] = {}


class SavedGameError(ValueError):
    """A saved game that cannot be read; ``faults`` lists all that is wrong."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = told(faults)
        super().__init__("; ".join(self.faults))


def opened(document: object, variants: Registry | None) -> tuple[Ruleset, SavedGame, Mapping[str, Any]]:
    """A saved game: its rules, its form, and the document.

    :raises SavedGameError: for a document that isn't a saved game."""
    if not isinstance(document, dict):
        raise SavedGameError(["a saved game is a JSON object"])
    try:
        check_format(document, GAME)
    except FormatError as error:
        raise SavedGameError([str(error)]) from None
    faults: list[str] = []
    turns = document.get("turns")
    for number, turn in enumerate(turns if isinstance(turns, list) else ()):
        fitting(turn, SavedTurn, f"turns[{number}]", faults)
    form = fitting({**document, "turns": []} if isinstance(turns, list) else document, SavedGame, "", faults)
    if form is None or faults:
        raise SavedGameError(faults)
    try:
        return (variants or USUAL).load(form.variant, form.options), form, document
    except VariantError as error:
        raise SavedGameError(error.faults) from None


def fitting(value: object, form: type[Any], place: str, faults: list[str]) -> Any:
    """A part of a document in its form; None, and why in ``faults``, where it does not fit."""
    try:
        return msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        text, _, where = str(error).partition(" - at `$")
        at = f"{place}{where.rstrip('`')}".lstrip(".")
        faults.append(f"{at}: {text}" if at else text)
        return None


def load_game(document: object, variants: Registry | None = None) -> Game:
    """A saved game, ready to go on from the position in which it was saved; ``game.warnings`` tell what has changed
    since.

    :raises SavedGameError: for a faulty document."""
    rules, form, saved = opened(document, variants)
    faults: list[str] = []
    changed = pinned(form, rules)
    warnings = [f"{change} since this game was saved; it goes on by the present ones" for change in changed]
    turns = saved["turns"]
    position = place_of(rules, saved, "after", faults)
    opening = place_of(rules, saved, "opening", faults) if saved.get("opening") is not None else position
    if faults:
        warnings = by_other_rules(form, rules)
    if turns and turns[-1]["after"] != saved["after"] and not form.resumed:
        faults.append("after: is not where the last turn led; was the file cut off?")
    if turns and turns[-1].get("ending") != saved.get("ending") and not form.resumed:
        faults.append("ending: is not that of the last turn; was the file cut off?")
    if faults:
        raise SavedGameError([*warnings, *faults])
    game = Game(rules, form.name, form.seed, opening)
    game.turns = Turns(rules, map(msgspec.json.encode, turns), lambda turn: read_turn(rules, turn, changed))
    game.position, game.ending, game.resumed = position, _ending(form.ending), form.resumed
    game.warnings = tuple(warnings)
    game.drafts = {power: list(orders) for power, orders in form.drafts.items()}
    return game


def pinned(form: SavedGame, rules: Ruleset) -> list[str]:
    """What has changed of the rules since a game was saved; nothing where that is not known."""
    return changes(form.rules, rules) if form.rules else []


def by_other_rules(form: SavedGame, rules: Ruleset) -> list[str]:
    """What is said first of a game that cannot be read, where the reason may be that its rules have changed."""
    changed = pinned(form, rules)
    if form.rules and not changed:
        return []
    variant = plain_name(form.variant)
    if changed:
        return [
            f"{' and '.join(changed)} since this game was saved: then {variant} was {form.rules}, now it is "
            f"{rules.digest}, by which the game cannot be read; go on with it by the Legation that saved it"
        ]
    return [
        f"this game does not say by which rules it was saved, and by those that {variant} has now, {rules.digest}, "
        "it cannot be read; if they have changed since, go on with it by the Legation that saved it"
    ]


def place_of(rules: Ruleset, document: Mapping[str, Any], key: str, faults: list[str]) -> Position:
    """A position in a saved game, with the faults where they stand."""
    own: list[str] = []
    position = read_position(rules, document[key], own)
    faults += [f"{key}.{fault}" for fault in own]
    return position


def read_turn(rules: Ruleset, document: Mapping[str, Any], changed: Sequence[str] = ()) -> PlayedTurn:
    """A turn as it was stored, whatever the rules would make of it today; ``changed`` is what has changed of them.

    :raises SavedGameError: where it cannot be read under these rules."""
    faults: list[str] = []
    before = place_of(rules, document, "position", faults)
    after = place_of(rules, document, "after", faults)
    sheets, _ = read_orders(rules, before, document["orders"], faults)
    phase = before.turn.phase
    verdicts = read_verdicts(rules, phase, document["verdicts"], faults)
    if faults:
        raise SavedGameError([*(f"{change} since this game was saved" for change in changed), *faults])
    lots = document.get("lots") or {}
    form = msgspec.convert(document.get("ending"), SavedEnding | None)
    resolution = Resolution(
        before,
        verdicts,
        after,
        _dislodged(before, after, document["verdicts"]),
        _retreats(rules, after),
        _ending(form),
        tuple(Lot(lot["label"], tuple(lot["items"]), tuple(lot["order"])) for lot in lots.get("drawn", ())),
    )
    unread = tuple(Unread(u["power"], u["order"], u["explanation"]) for u in document.get("unread", ()))
    return PlayedTurn(
        sheets,
        resolution,
        unread,
        lots.get("seed", ""),
        document.get("sent", {}),
        document.get("resumed", ""),
        tuple(document.get("comments", ())),
    )


def _dislodged(before: Position, after: Position, verdicts: list[Mapping[str, Any]]) -> tuple[Dislodged, ...]:
    """Who was dislodged: those who may retreat, and those who were told where from and are gone."""
    waiting = {entry.unit.province for entry in after.dislodged}
    gone = []
    for unit, verdict in zip(before.units, verdicts, strict=False):  # verdicts on units come first, in their order
        if verdict["dislodged_from"] and unit.province not in waiting:
            gone.append(Dislodged(unit, verdict["dislodged_from"]))
    return (*after.dislodged, *gone)


def _retreats(rules: Ruleset, after: Position) -> Mapping[str, tuple[str, ...]]:
    return {place: open_to for place, (_, open_to) in Situation(rules, after).dislodged.items()}


def _ending(form: SavedEnding | None) -> Ending | None:
    return (
        Ending(form.kind, tuple(form.powers), form.reason, tuple(map(tuple, form.tied))) if form is not None else None
    )


def game_schema() -> dict[str, Any]:
    """The JSON Schema of a saved game, from the records above."""
    _, parts = msgspec.json.schema_components([SavedGame], ref_template="#/$defs/{name}")
    head = parts.pop("SavedGame")
    return {
        "$id": "game.json",
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **head,
        "title": "A saved game",
        "$defs": parts,
    }


if __name__ == "__main__":
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(game_schema()), indent=2).decode() + "\n")
