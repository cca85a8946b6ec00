"""A game as an append-only log of turns; the saved game; replay.

What is stored is the sheets as submitted and what came of them. Replaying must give the same outcomes, so a saved game proves itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from legation.game.documents import (
    ending_document,
    position_document,
    read_position,
    unread_document,
    verdict_document,
)
from legation.game.reading_sheets import Unread, read_orders
from legation.judge import Ending, Resolution, Ruleset, commitment, one_each, resolve, turn_seed
from legation.notation import write
from legation.orders import Sheet
from legation.position import Position
from legation.variants import USUAL, Registry, VariantError
from legation.version import VERSION

FORMAT = "legation game 1"
SAVED_KEYS = frozenset(
    ["format", "variant", "options", "rules_version", "name", "seed", "commitment", "turns", "after", "ending"]
)
TURN_KEYS = frozenset(["position", "orders", "unread", "verdicts", "lots", "after", "ending"])


class SavedGameError(ValueError):
    """A saved game that cannot be read; ``faults`` lists all that is wrong."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("; ".join(faults))


class PlayedTurn(msgspec.Struct, frozen=True):
    """One turn of a game: what was submitted, what came of it, and the turn's seed for lots."""

    sheets: tuple[Sheet, ...]
    resolution: Resolution
    unread: tuple[Unread, ...] = ()
    seed: str = ""


class Game:
    """A running game. ``turns`` only grows; ``position`` is the present one."""

    def __init__(self, rules: Ruleset, name: str = "", seed: str = "", opening: Position | None = None) -> None:
        self.rules = rules
        self.name = name
        self.seed = seed
        self.turns: list[PlayedTurn] = []
        self.opening = opening if opening is not None else rules.opening()

    @property
    def position(self) -> Position:
        """The position to be ordered now."""
        return self.turns[-1].resolution.after if self.turns else self.opening

    @property
    def ending(self) -> Ending | None:
        """How the game ended, once it has."""
        return self.turns[-1].resolution.ending if self.turns else None

    @property
    def commitment(self) -> str:
        """What is published when the present turn opens, so that its lots can be checked afterwards (W-14)."""
        return commitment(turn_seed(self.seed, str(self.position.turn)))

    def play(self, sheets: Iterable[Sheet], unread: Iterable[Unread] = (), revealed: str | None = None) -> Resolution:
        """Judge the present turn and append it. ``revealed`` is the turn's seed where the game's own is not known (in a published game).

        :raises ValueError: when the game has ended.
        """
        if self.ending is not None:
            raise ValueError(f"the game has ended: {self.ending.reason}")
        given = one_each(sheets)
        seed = turn_seed(self.seed, str(self.position.turn)) if self.seed or revealed is None else revealed
        resolution = resolve(self.rules, self.position, given, seed)
        self.turns.append(PlayedTurn(given, resolution, tuple(unread), seed))
        return resolution


def save_game(game: Game, *, public: bool = False) -> dict[str, Any]:
    """The saved-game document. It holds the game's seed, so as long as lots may be drawn it is the coordinator's own.

    ``public`` leaves the seed out until the game has ended: the document for players. In both, a turn in which lots were drawn shows its own seed
    and how they fell; :func:`legation.game.lots.check_lots` repeats the draws.
    """
    turns = []
    for turn in game.turns:
        item: dict[str, Any] = {
            "position": position_document(game.rules, turn.resolution.before),
            "orders": {s.power: [write(o) for o in s.orders] for s in turn.sheets},
            "verdicts": [verdict_document(v) for v in turn.resolution.verdicts],
        }
        if turn.unread:
            item["unread"] = [unread_document(u) for u in turn.unread]
        if turn.resolution.lots:
            item["lots"] = {
                "seed": turn.seed,
                "commitment": commitment(turn.seed),
                "drawn": [
                    {"label": lot.label, "items": list(lot.items), "order": list(lot.order)}
                    for lot in turn.resolution.lots
                ],
            }
        item["after"] = position_document(game.rules, turn.resolution.after)
        if turn.resolution.ending is not None:
            item["ending"] = ending_document(turn.resolution.ending)
        turns.append(item)
    return {
        "format": FORMAT,
        "variant": game.rules.name,
        "options": dict(game.rules.chosen),
        "rules_version": VERSION,
        "name": game.name,
        "seed": "" if public and game.ending is None else game.seed,
        "commitment": commitment(game.seed),
        "turns": turns,
        "after": position_document(game.rules, game.position),
        "ending": ending_document(game.ending),
    }


class Difference(msgspec.Struct, frozen=True):
    """Where a replay gave something else than what was stored."""

    turn: str
    what: str
    stored: str
    replayed: str

    def __str__(self) -> str:
        return f"{self.turn}: {self.what}: stored {self.stored}, replayed {self.replayed}"


def _opened(document: object, variants: Registry) -> tuple[Ruleset, Mapping[str, Any]]:
    if not isinstance(document, dict):
        raise SavedGameError(["a saved game is a JSON object"])
    faults = [f"unknown key {key!r}" for key in document.keys() - SAVED_KEYS]
    if document.get("format") != FORMAT:
        faults.append(f"format: must be {FORMAT!r}; this is no saved game of this version")
    if not isinstance(document.get("turns"), list):
        faults.append("turns: must be a list")
    if not isinstance(document.get("options", {}), dict):
        faults.append("options: must be an object")
    for key in ("name", "seed"):
        if not isinstance(document.get(key, ""), str):
            faults.append(f"{key}: must be a text")
    if faults:
        raise SavedGameError(faults)
    try:
        return variants.load(str(document.get("variant")), document.get("options", {})), document
    except VariantError as error:
        raise SavedGameError(error.faults) from None


def replay(document: object, variants: Registry | None = None) -> tuple[Game, list[Difference]]:
    """Judge every turn of a saved game again, from its first position, and say where anything differs.

    :raises SavedGameError: for a document that is no saved game.
    """
    rules, saved = _opened(document, variants or USUAL)
    faults: list[str] = []
    turns = saved["turns"]
    opening: Position | None = None
    if turns:
        first = turns[0].get("position") if isinstance(turns[0], dict) else None
        if not isinstance(first, dict):
            raise SavedGameError(["turns[0].position: must be an object"])
        opening = read_position(rules, first, faults)
    game = Game(rules, saved.get("name", ""), saved.get("seed", ""), opening)
    differences: list[Difference] = []
    for number, turn in enumerate(turns):
        place = f"turns[{number}]"
        if not isinstance(turn, dict):
            faults.append(f"{place}: must be an object")
            break
        faults += [f"{place}: unknown key {key!r}" for key in turn.keys() - TURN_KEYS]
        found: list[str] = []
        sheets, unread = read_orders(rules, game.position, turn.get("orders", {}), found)
        faults += [f"{place}.{fault}" for fault in found]
        if faults:
            break
        if game.ending is not None:
            faults.append(f"{place}: the game had ended before: {game.ending.reason}")
            break
        name = str(game.position.turn)
        _compare(differences, name, "position", turn.get("position"), position_document(rules, game.position))
        lots = turn.get("lots")
        revealed = lots.get("seed") if isinstance(lots, dict) else None
        resolution = game.play(sheets, unread, revealed if isinstance(revealed, str) else None)
        if "verdicts" in turn:
            stored = turn["verdicts"] if isinstance(turn["verdicts"], list) else []
            fresh = [verdict_document(v) for v in resolution.verdicts]
            _compare_verdicts(differences, name, stored, fresh)
        if "after" in turn:
            _compare(differences, name, "after", turn["after"], position_document(rules, resolution.after))
        if resolution.ending is not None or turn.get("ending"):
            _compare(differences, name, "ending", turn.get("ending"), ending_document(resolution.ending))
    if faults:
        raise SavedGameError(faults)
    return game, differences


def load_game(document: object, variants: Registry | None = None) -> Game:
    """A saved game, ready to go on.

    :raises SavedGameError: for a faulty document, or one whose turns replay to something else.
    """
    game, differences = replay(document, variants)
    if differences:
        raise SavedGameError([str(d) for d in differences])
    return game


def _compare(differences: list[Difference], turn: str, what: str, stored: object, fresh: object) -> None:
    if isinstance(stored, dict) and isinstance(fresh, dict):
        for key in sorted(stored.keys() | fresh.keys()):
            if _plain(stored.get(key)) != _plain(fresh.get(key)):
                differences.append(Difference(turn, f"{what}.{key}", _short(stored.get(key)), _short(fresh.get(key))))
    elif stored != fresh:
        differences.append(Difference(turn, what, _short(stored), _short(fresh)))


def _compare_verdicts(differences: list[Difference], turn: str, stored: list[Any], fresh: list[dict[str, Any]]) -> None:
    def table(verdicts: list[Any]) -> dict[tuple[str, str], str]:
        return {
            (str(v.get("power")), str(v.get("order"))): f"{v.get('outcome')}"
            + (f", dislodged from {v['dislodged_from']}" if v.get("dislodged_from") else "")
            for v in verdicts
            if isinstance(v, dict)
        }

    old, new = table(stored), table(fresh)
    for key in [*old, *(k for k in new if k not in old)]:
        if old.get(key) != new.get(key):
            differences.append(Difference(turn, f"{key[0]} {key[1]}", old.get(key, "nothing"), new.get(key, "nothing")))


def _plain(value: object) -> object:
    """The same value with lists of units and centers in one order."""
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items() if v not in ([], {})}
    if isinstance(value, list):
        return sorted((_plain(v) for v in value), key=repr)
    return value


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 160 else text[:157] + "..."
