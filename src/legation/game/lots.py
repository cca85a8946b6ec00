"""Check the lots of a game from its saved document (W-14): what every player can do who kept the commitments that the
coordinator published.

This is for games that are run by hand, or were played before an office's journal was a chain. Where it is one, the
seed of a turn follows from more than one secret, and what was committed to is not the seed: the saved document shows
then that lots fell by the seed that it names, and ``legation verify`` on the game's transcript that no other could be
used.

From a program: :func:`check_lots`. From a shell: ``python -m legation.game.lots GAME.json [COMMITMENT ...]``.

By hand: the commitment of a seed is the SHA-256 of its text; a turn's seed is the HMAC-SHA-256 of the game's seed (as
key) over the turn's name, such as ``Winter 1643 Adjustments``; and lots fall in the order of the HMAC-SHA-256 of the
turn's seed over the lot's label, a slash and the item. All are written in hexadecimal."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from legation.formats import decode_json
from legation.judge import draw, turn_seed, verify


def check_lots(saved: object, commitments: Iterable[str] = ()) -> list[str]:
    """What does not hold about the lots of a saved game; nothing if every draw can be repeated.

    ``commitments`` are those that were noted down when they were published, of the game or of turns in which lots were
    drawn: each must be one of the document's (where a journal is a chain, none is: see above). A game that is not over
    has no seed of its own in its public document; then its turns are checked by theirs."""
    if not isinstance(saved, dict) or not isinstance(saved.get("turns"), list):
        return ["this isn't a saved game"]
    problems: list[str] = []
    seed, published = str(saved.get("seed", "")), str(saved.get("commitment", ""))
    known = {published.lower()}
    if seed and not verify(seed, published):
        problems.append("the game's seed is not the one that was committed to")
    for number, turn in enumerate(saved["turns"]):
        if not isinstance(turn, dict):
            return [*problems, f"turns[{number}] isn't a turn"]
        position = turn.get("position")
        name = str(position.get("turn", "")) if isinstance(position, dict) else ""
        problems += [f"{name}: {problem}" for problem in _check_turn(turn, name, seed, known)]
    for noted in commitments:
        if noted.strip().lower() not in known:
            problems.append(f"the commitment {noted.strip()} belongs to no draw of this game")
    return problems


def _check_turn(turn: dict[str, Any], name: str, seed: str, known: set[str]) -> list[str]:
    lots = turn.get("lots")
    fallen = _fallen_by_lot(turn)
    if not isinstance(lots, dict):
        return [f"the lot for the {purpose} is not shown" for purpose in fallen]
    problems: list[str] = []
    own, published = str(lots.get("seed", "")), str(lots.get("commitment", ""))
    known.add(published.lower())
    if not verify(own, published):
        problems.append("the turn's seed is not the one that was committed to")
    if seed and turn_seed(seed, name) != own:
        problems.append("the turn's seed does not follow from the game's")
    orders: dict[str, list[str]] = {}
    for lot in lots.get("drawn", ()):
        label, order = str(lot["label"]), [str(item) for item in lot["order"]]
        orders[label] = order
        if not label.startswith(f"{name}: "):
            problems.append(f"the lot {label!r} isn't from this turn")
        if draw(own, label, [str(item) for item in lot["items"]]) != order:
            problems.append(f"the lot {label!r} has a different result")
    for purpose, items in fallen.items():
        if sorted(orders.get(f"{name}: {purpose}", ())[: len(items)]) != sorted(items):
            problems.append(f"{' and '.join(items)} did not come first in the lot for the {purpose}")
    return problems


def _fallen_by_lot(turn: dict[str, Any]) -> dict[str, list[str]]:
    """What the verdicts say was decided by lot: units and homes, by the purpose of the lot."""
    fallen: dict[str, list[str]] = {}
    for verdict in turn.get("verdicts", ()):
        cause = verdict.get("cause") or {}
        verb, _, unit = str(verdict["order"]).partition(" ")
        if cause.get("kind") == "civil disorder" and cause.get("reason") == "by lot" and verb == "remove":
            fallen.setdefault(f"removal for {verdict['power']}", []).append(unit)
        elif cause.get("kind") == "by lot" and verb == "build":
            fallen.setdefault(f"initial home of {verdict['power']}", []).append(unit.split(" ")[-1])
    return fallen


def main(arguments: list[str]) -> int:
    """Check the file named first against the commitments that follow; 0 if all holds."""
    if not arguments or arguments[0].startswith("-"):
        sys.stderr.write("usage: python -m legation.game.lots GAME.json [COMMITMENT ...]\n")
        return 2
    try:
        saved = decode_json(Path(arguments[0]).read_bytes())
        problems = check_lots(saved, arguments[1:])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        sys.stderr.write(f"{arguments[0]}: cannot be read as a saved game ({error})\n")
        return 1
    drawn = sum(len(t["lots"]["drawn"]) for t in saved["turns"] if "lots" in t) if not problems else 0
    sys.stdout.write("\n".join(problems) + "\n" if problems else f"All lots can be repeated: {drawn} drawn.\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
