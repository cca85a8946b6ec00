"""Exports: a game as a saved game that replays anywhere, and the game played again from its journal alone."""

from collections.abc import Iterator
from typing import Any

from legation.game import Game, position_document
from legation.game.documents import after_document
from legation.game.formats import GAME
from legation.judge import commitment
from legation.office.context import GameContext, query
from legation.office.errors import ConflictError
from legation.office.game import views
from legation.office.game.turns import opening_of
from legation.office.game.views import saved_turn
from legation.office.records import PUBLISHED, Document
from legation.office.store import queries
from legation.office.store.packing import unpack
from legation.office.store.rows import JournalRow, TurnRow
from legation.orders import Sheet


@query("read", "GET /games/{game}/export", visitor="any")
def saved_game(scene: GameContext) -> Document:
    """Return the published turns of a game as a saved game, for ``legation replay`` and ``legation map``.

    :raises ConflictError: while the game runs by rules that hide something from the reader."""
    if views.viewpoint(scene) is not None:
        raise ConflictError(
            f"{scene.row.name} has hidden information, so it can be saved only when it has ended. Until then look at "
            "its turns."
        )
    return saved_document(scene)


def saved_document(scene: GameContext) -> Document:
    """The saved game of a game whose permission was asked, as who keeps it sees it."""
    turns = [saved_turn(row) for row in published_turns(scene)]
    opening = position_document(scene.rules, opening_of(scene))
    last: Document = turns[-1] if turns else {"after": opening}
    return {
        "format": GAME,
        "variant": scene.row.variant,
        "options": unpack(scene.row.options),
        "rules": str(last["after"].get("rules", "")),
        "name": scene.row.name,
        "seed": "",
        "commitment": commitment(""),
        "opening": turns[0]["position"] if turns else opening,
        "turns": turns,
        "after": last["after"],
        "ending": last.get("ending"),
    }


def published_turns(scene: GameContext) -> Iterator[TurnRow]:
    """Yield the turns of a game whose results are out, the first first."""
    for line in queries.turn_lines(scene.tx, scene.row.id):
        if line.state not in PUBLISHED:
            return
        yield scene.tx.get(TurnRow, line.id)


@query("coordinate", "GET /games/{game}/audit", coordinator="any")
def rebuild(scene: GameContext) -> list[str]:
    """Play a game again from its journal alone, and say where the stored turns differ; nothing if they do not."""
    rows = scene.tx.all(JournalRow, game=scene.row.id, kind=["game created", "draft results", "final results"])
    rules = scene.rules
    published: dict[str, dict[str, Any]] = {}
    made = unpack(rows[0].facts) if rows and rows[0].kind == "game created" else {}
    known = {"variant": scene.row.variant, "options": unpack(scene.row.options)}  # by which the game's rules are found
    differences = [
        f"journal: the {name} in 'game created' must be the game's: {value!r}"
        for name, value in known.items()
        if name not in made or made[name] != value
    ]
    for row in rows[1:]:
        facts = unpack(row.facts)
        published[facts["name"]] = facts  # a correction is a later line
    again = Game(rules, scene.row.name, opening=opening_of(scene))
    for kept in published_turns(scene):
        facts = published.get(kept.name, {})
        if str(again.position.turn) != kept.name or not facts:
            return [*differences, f"{kept.name}: the journal has {again.position.turn}"]
        if _unordered(position_document(rules, again.position)) != _unordered(unpack(kept.position)):
            differences.append(f"{kept.name}: the position before it is another one")
        phase = again.position.turn.phase
        sheets = [
            Sheet(power, tuple(rules.reader.order(text, phase, power) for text in orders))
            for power, orders in facts["orders"].items()
        ]
        again.play(sheets, revealed=facts["seed"])
        stored, fresh = unpack(kept.result)["after"], after_document(rules, again.position, again.ending)
        if _unordered(fresh) != _unordered(stored):
            differences.append(f"{kept.name}: the position after it is another one")
    return differences


def _unordered(value: object) -> object:
    if isinstance(value, dict):
        return {key: _unordered(inner) for key, inner in value.items() if inner not in ([], {})}
    return sorted((_unordered(inner) for inner in value), key=repr) if isinstance(value, list) else value
