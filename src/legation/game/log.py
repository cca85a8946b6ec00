"""A game as an append-only log of turns, and its saved document.

What is stored is the sheets as submitted and what came of them. A running game goes on from where it stands
(:mod:`legation.game.saved` reads it); that every turn leads to what is stored is proved by replaying it
(:mod:`legation.game.audit`)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar, overload

import msgspec

from legation.formats import decode_json
from legation.game.documents import (
    after_document,
    ending_document,
    lots_document,
    position_document,
    unread_document,
    verdict_documents,
)
from legation.game.formats import GAME
from legation.game.reading_sheets import Unread, read_orders
from legation.judge import Ending, Resolution, Ruleset, commitment, merge_sheets, resolve, turn_seed
from legation.notation import write
from legation.orders import Sheet
from legation.position import Position
from legation.variants import load, plain_name


class PlayedTurn(msgspec.Struct, frozen=True):
    """One turn of a game: the sheets, their resolution, and the turn's seed for lots.

    ``unread`` is what wasn't understood, ``sent`` the texts of the sheets by power, as they came. ``resumed`` says why
    the turn doesn't begin where the turn before ended. ``comments`` are remarks of a record that it was imported from.
    """

    sheets: tuple[Sheet, ...]
    resolution: Resolution
    unread: tuple[Unread, ...] = ()
    seed: str = ""
    sent: Mapping[str, str] = {}
    resumed: str = ""
    comments: tuple[str, ...] = ()


class Turns(Sequence[PlayedTurn]):
    """The turns of a game, as a sequence that only grows.

    The turns of a saved game stay as they were stored, even if the rules have changed since, and are read on demand."""

    def __init__(
        self, rules: Ruleset, stored: Iterable[bytes] = (), read: Callable[[Any], PlayedTurn] | None = None
    ) -> None:
        self._rules = rules
        self._entries: list[PlayedTurn | bytes] = list(stored)
        self._read = read
        self._known: dict[int, PlayedTurn] = {}

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, index: int) -> PlayedTurn: ...
    @overload
    def __getitem__(self, index: slice) -> list[PlayedTurn]: ...
    def __getitem__(self, index: int | slice) -> PlayedTurn | list[PlayedTurn]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        entry = self._entries[number]
        if isinstance(entry, PlayedTurn):
            return entry
        if number not in self._known:
            assert self._read is not None
            self._known[number] = self._read(decode_json(entry))
        return self._known[number]

    def append(self, turn: PlayedTurn) -> None:
        """Add the turn that was played last."""
        self._entries.append(turn)

    def documents(self) -> list[dict[str, Any]]:
        """Return the turns as documents; stored ones as they were stored."""
        return [
            turn_document(self._rules, entry) if isinstance(entry, PlayedTurn) else decode_json(entry)
            for entry in self._entries
        ]


class Game:
    """A game as a log of turns: ``turns`` only grows, ``position`` is the present position, and ``ending`` is how the
    game ended (None while it runs).

    ``rules`` is a ruleset or the name of a variant, ``seed`` decides all lots, and ``opening`` replaces the variant's
    own. ``warnings`` of a loaded game tell, for example, that rules have changed since it was saved. ``drafts`` are the
    orders written so far for the present turn, by power; they are saved with the game until the turn is played.
    ``resumed`` says why the position isn't that to which the last turn led, if it isn't."""

    shown_by: ClassVar[str] = "legation.atlas.notebook:game_html"
    """How a notebook shows a game, as HTML: a function by its name, since games know nothing of maps."""

    def __init__(self, rules: Ruleset | str, name: str = "", seed: str = "", opening: Position | None = None) -> None:
        rules = load(rules) if isinstance(rules, str) else rules
        self.rules = rules
        self.name = name
        self.seed = seed
        self.turns = Turns(rules)
        self.opening = opening if opening is not None else rules.opening()
        self.position = self.opening
        self.ending: Ending | None = None
        self.warnings: tuple[str, ...] = ()
        self.drafts: dict[str, list[str]] = {}
        self.resumed = ""

    def __repr__(self) -> str:
        state = f"ended: {self.ending.kind}" if self.ending is not None else str(self.position.turn)
        turns = f"{len(self.turns)} turn{'' if len(self.turns) == 1 else 's'}"
        return f"Game({self.rules.name!r}, {turns}, {state})"

    def _repr_html_(self) -> str:
        module, _, name = self.shown_by.partition(":")
        return str(getattr(import_module(module), name)(self))

    @property
    def commitment(self) -> str:
        """The commitment to publish when the present turn opens, so that its lots can be checked afterwards (W-14)."""
        return commitment(turn_seed(self.seed, str(self.position.turn)))

    def resume(self, position: Position, reason: str) -> None:
        """Go on from a position to which the last turn did not lead: that of a record which can't be followed."""
        self.position, self.ending, self.resumed = position, None, reason

    def play(
        self,
        sheets: Iterable[Sheet] | Mapping[str, str | Sequence[str]],
        unread: Iterable[Unread] = (),
        revealed: str | None = None,
        sent: Mapping[str, str] | None = None,
        comments: Iterable[str] = (),
    ) -> Resolution:
        """Judge the present turn, append it to ``turns``, and return its resolution.

        The sheets are records, or texts: by power one text or a list of orders. What isn't understood in a text is
        kept with the turn (``unread``), and the units hold. ``revealed`` is the turn's seed if the game's own is not
        known (in a published game); ``sent`` are the texts of sheets that come as records,
        ``comments`` remarks to be kept with the turn.

        >>> from legation import Game
        >>> game = Game("hundred")
        >>> resolution = game.play({"France": "A Paris - Charolais", "England": ["F Lon - Dov", "A Cal S A Nmd"]})
        >>> game
        Game('hundred', 1 turn, 1430 Movement)
        >>> next(verdict.explanation for verdict in resolution.verdicts if verdict.order.at == "par")
        'A par - cha succeeds: nothing stands against it'

        :raises ValueError: if the game has ended, or there is no such power."""
        if self.ending is not None:
            raise ValueError(f"the game has ended: {self.ending.reason}")
        if isinstance(sheets, Mapping):
            faults: list[str] = []
            written, lost = read_orders(self.rules, self.position, {k: _listed(v) for k, v in sheets.items()}, faults)
            if faults:
                raise ValueError("; ".join(faults))
            texts: dict[str, str] = {}
            for sheet, text in zip(written, map(_text, sheets.values()), strict=True):
                texts[sheet.power] = f"{texts[sheet.power]}\n{text}" if sheet.power in texts else text
            sheets, unread, sent = written, (*unread, *lost), {**texts, **(sent or {})}
        given = merge_sheets(sheets)
        seed = turn_seed(self.seed, str(self.position.turn)) if self.seed or revealed is None else revealed
        resolution = resolve(self.rules, self.position, given, seed)
        turn = PlayedTurn(given, resolution, tuple(unread), seed, sent or {}, self.resumed, tuple(comments))
        self.turns.append(turn)
        self.position, self.ending, self.resumed = resolution.after, resolution.ending, ""
        self.drafts = {}
        return resolution


def _listed(orders: str | Sequence[str]) -> str | list[str]:
    return orders if isinstance(orders, str) else list(orders)


def _text(orders: str | Sequence[str]) -> str:
    return orders if isinstance(orders, str) else "\n".join(orders)


def turn_document(rules: Ruleset, turn: PlayedTurn) -> dict[str, Any]:
    """Return a turn as a saved game holds it (its schema: :class:`~legation.game.saved.SavedTurn`)."""
    resolution = turn.resolution
    document: dict[str, Any] = {
        "position": position_document(rules, resolution.before),
        "orders": {s.power: [write(o) for o in s.orders] for s in turn.sheets},
        "verdicts": verdict_documents(resolution, turn.unread),
    }
    drawn = lots_document(resolution.lots)
    further = {
        "resumed": turn.resumed,
        "comments": list(turn.comments),
        "sent": dict(turn.sent),
        "unread": [unread_document(u) for u in turn.unread],
        "lots": {"seed": turn.seed, "commitment": commitment(turn.seed), "drawn": drawn} if drawn else {},
        "after": after_document(rules, resolution.after, resolution.ending),
        "ending": ending_document(resolution.ending),
    }
    return document | {key: value for key, value in further.items() if value}


def save_game(game: Game, *, public: bool = False) -> dict[str, Any]:
    """Return the saved-game document. It holds the game's seed: while lots may still be drawn, only the coordinator may
    see it.

    ``public`` leaves the seed out until the game has ended: the document for players. In both, a turn in which lots
    were drawn shows its own seed and how they fell; :func:`legation.game.replay` repeats the draws."""
    document: dict[str, Any] = {
        "format": GAME,
        "variant": plain_name(game.rules.name),
        "options": dict(game.rules.chosen),
        "rules": game.rules.digest,
        "name": game.name,
        "seed": "" if public and game.ending is None else game.seed,
        "commitment": commitment(game.seed),
        "opening": position_document(game.rules, game.opening),
        "turns": game.turns.documents(),
        "after": after_document(game.rules, game.position, game.ending),
        "ending": ending_document(game.ending),
    }
    if game.resumed:
        document["resumed"] = game.resumed
    if game.drafts and not public:
        document["drafts"] = {power: list(orders) for power, orders in game.drafts.items()}
    return document
