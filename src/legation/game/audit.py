"""Replay: every turn of a saved game is judged again, and everything that is stored is held against what comes out.

Nothing of a saved game is beyond doubt but its name and the texts that were sent: these are read again and lead to the
orders and to what could not be understood; what was ordered leads to the verdicts, their order, causes and
explanations, to the lots, the position after and the ending; each turn begins where the one before it ended, unless it
says why it doesn't (``resumed``); the digests tell by which rules, and the commitments by which seed."""

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

import msgspec

from legation.game.documents import after_document, ending_document, position_document, unread_document
from legation.game.formats import POSITION
from legation.game.log import Game, turn_document
from legation.game.reading_sheets import Unread, read_orders
from legation.game.saved import SavedGame, SavedGameError, by_other_rules, opened, pinned, place_of
from legation.judge import Ruleset, changes, commitment
from legation.notation import OrderTextError, write
from legation.position import Position
from legation.variants import Registry

LONGEST_SHOWN = 160
ORDER = "order of verdicts"
DIGEST = re.compile(r"[0-9a-f]{8,32}(-[0-9a-f]{8,32}){3}")


class Difference(msgspec.Struct, frozen=True):
    """Where a replay gave something else than what was stored. ``turn`` is empty where it is the whole game's."""

    turn: str
    what: str
    stored: str
    replayed: str

    def __str__(self) -> str:
        place = f"{self.turn}: {self.what}" if self.turn else self.what
        return f"{place}: stored {self.stored}, replayed {self.replayed}"


def replay(document: object, variants: Registry | None = None) -> tuple[Game, list[Difference]]:
    """Judge every turn of a saved game again, from its opening, and say where anything differs.

    :raises SavedGameError: for a document that isn't a saved game."""
    rules, form, saved = opened(document, variants)
    differences: list[Difference] = []
    if changed := pinned(form, rules):
        differences.append(Difference("", f"rules ({', '.join(changed)})", form.rules, rules.digest))
    elif not form.rules:
        differences.append(Difference("", "rules", "nothing", rules.digest))
    faults: list[str] = []
    turns: Sequence[Mapping[str, Any]] = saved["turns"]
    key = "opening" if saved.get("opening") is not None else "after"
    game = Game(rules, form.name, form.seed, place_of(rules, saved, key, faults))
    if faults:
        raise SavedGameError([*by_other_rules(form, rules), *faults])
    for number, turn in enumerate(turns):
        if turn.get("resumed"):
            _resume(game, turn, "position", turn["resumed"])
        if game.ending is not None:
            raise SavedGameError([f"turns[{number}]: the game had ended before: {game.ending.reason}"])
        _turn(game, turn, f"turns[{number}]", differences)
        for key in ("position", "after"):
            _compare_marks(differences, str(turn[key].get("turn", "")), key, turn[key], form, rules)
    if form.resumed:
        _resume(game, saved, "after", form.resumed)
    opening = position_document(rules, game.opening)
    compare_positions(differences, "", "opening", saved.get("opening") or {}, opening)
    for key in ("opening", "after"):
        _compare_marks(differences, "", key, saved.get(key) or {}, form, rules)
    compare_positions(differences, "", "after", saved["after"], after_document(rules, game.position, game.ending))
    _compare(differences, "", "ending", saved.get("ending"), ending_document(game.ending))
    _compare(differences, "", "options", saved.get("options", {}), dict(rules.chosen))
    if form.seed or (game.ending is not None and form.commitment != commitment("")):
        _compare(differences, "", "commitment", form.commitment, commitment(form.seed))
    elif not form.commitment:  # a public document of a game that goes on has only this, and no seed
        differences.append(Difference("", "commitment", "nothing", "one"))
    return game, differences


def _resume(game: Game, document: Mapping[str, Any], key: str, reason: str) -> None:
    """Go on from a position that is stored, as the document says that no turn led to it.

    :raises SavedGameError: if it cannot be read."""
    faults: list[str] = []
    game.resume(place_of(game.rules, document, key, faults), reason)
    if faults:
        raise SavedGameError(faults)


def _turn(game: Game, stored: Mapping[str, Any], place: str, differences: list[Difference]) -> None:
    """Play a stored turn again and compare all of it.

    :raises SavedGameError: where its orders cannot be read."""
    rules, before = game.rules, game.position
    name = str(before.turn)
    faults: list[str] = []
    sheets, lost = read_orders(rules, before, stored["orders"], faults)
    faults += [f"orders.{line.power}: {line.reason}" for line in lost]
    if faults:
        raise SavedGameError([f"{place}.{fault}" for fault in faults])
    lots = stored.get("lots") or {}
    unread = [Unread(u["power"], u["order"], u["explanation"]) for u in stored.get("unread", ())]
    game.play(sheets, unread, lots.get("seed"), stored.get("sent"), stored.get("comments", ()))
    fresh = turn_document(rules, game.turns[-1])
    for key in ("position", "after"):
        compare_positions(differences, name, key, stored[key], fresh[key])
    _compare(differences, name, "orders", stored["orders"], fresh["orders"])
    _compare_verdicts(differences, name, stored["verdicts"], fresh["verdicts"])
    for key in ("unread", "lots"):
        _compare(differences, name, key, stored.get(key), fresh.get(key))
    _compare(differences, name, "ending", stored.get("ending"), fresh.get("ending"))
    _read_again(game, before, stored, name, differences)
    _still_unread(game, before, unread, name, differences)


def _read_again(
    game: Game, before: Position, stored: Mapping[str, Any], name: str, differences: list[Difference]
) -> None:
    """The texts that were sent lead to the orders that are stored for their powers, and to what is stored as not
    understood."""
    for power, text in stored.get("sent", {}).items():
        faults: list[str] = []
        sheets, lost = read_orders(game.rules, before, {power: text}, faults)
        differences += [Difference(name, "sent", fault, "no sheet") for fault in faults]
        for sheet in sheets:
            read = [write(order) for order in sheet.orders]
            _compare(differences, name, f"sent by {power}: orders", stored["orders"].get(sheet.power, []), read)
            unread = [line for line in stored.get("unread", ()) if line["power"] == sheet.power]
            _compare(differences, name, f"sent by {power}: unread", unread, [unread_document(line) for line in lost])


def _compare_marks(
    differences: list[Difference], turn: str, what: str, stored: Mapping[str, Any], form: SavedGame, rules: Ruleset
) -> None:
    """A position says its format, and the rules of its game; or those by which the game was played then, which is told
    as a change of the rules."""
    _compare(differences, turn, f"{what}.format", stored.get("format"), POSITION)
    mark = stored.get("rules")
    told = (d.stored for d in differences if d.what.startswith("rules ("))
    if mark in (form.rules, rules.digest, *told):
        return
    if isinstance(mark, str) and DIGEST.fullmatch(mark):
        if changed := changes(mark, rules):
            differences.append(Difference(turn, f"rules ({', '.join(changed)})", mark, rules.digest))
    else:
        _compare(differences, turn, f"{what}.rules", mark, rules.digest)


def _still_unread(game: Game, before: Position, unread: list[Unread], name: str, differences: list[Difference]) -> None:
    """What is stored as not understood is not understood today either."""
    for line in unread:
        if line.power not in game.rules.powers:
            differences.append(Difference(name, "unread", line.power, "no such power"))
            continue
        try:
            game.rules.reader.order(line.text, before.turn.phase, line.power)
        except OrderTextError:
            continue
        differences.append(Difference(name, f"unread of {line.power}", _short(line.text), "it is understood"))


def compare_positions(differences: list[Difference], turn: str, what: str, stored: Any, fresh: Any) -> None:
    """Compare positions, whatever the order in which units and centers are listed, but for their format and the digest
    that they are marked with."""
    apart = ("format", "rules")
    old, new = ({key: _plain(entry) for key, entry in d.items() if key not in apart} for d in (stored, fresh))
    for key in sorted(old.keys() | new.keys()):
        if old.get(key) != new.get(key) and (old.get(key) or new.get(key)):
            differences.append(Difference(turn, f"{what}.{key}", _short(stored.get(key)), _short(fresh.get(key))))


def _plain(value: object) -> object:
    """The same value with lists of units and centers in one order, and nothing empty in it."""
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items() if v not in ([], {}, None)}
    if isinstance(value, list):
        return sorted((_plain(v) for v in value), key=repr)
    return value


def _compare(differences: list[Difference], turn: str, what: str, stored: Any, fresh: Any) -> None:
    if stored == fresh:
        return
    if isinstance(stored, dict) and isinstance(fresh, dict):
        for key in dict.fromkeys((*fresh, *stored)):
            _compare(differences, turn, f"{what}.{key}", stored.get(key), fresh.get(key))
    else:
        differences.append(Difference(turn, what, _short(stored), _short(fresh)))


def _compare_verdicts(differences: list[Difference], turn: str, stored: list[Any], fresh: list[Any]) -> None:
    """Compare verdicts order by order; those that only stand elsewhere are told as that."""
    before = len(differences)
    old, new = _by_order(stored), _by_order(fresh)
    for label in dict.fromkeys((*new, *old)):
        for one, other in zip_longest(old.get(label, ()), new.get(label, ())):
            if _outcome(one) != _outcome(other):
                differences.append(Difference(turn, label, _outcome(one), _outcome(other)))
            else:
                _compare(differences, turn, label, one, other)
    if before == len(differences) and stored != fresh:
        row = next(i for i, (one, other) in enumerate(zip(stored, fresh, strict=True)) if one != other)
        differences.append(
            Difference(turn, f"{ORDER}, at {row + 1}", _short(stored[row]["order"]), _short(fresh[row]["order"]))
        )


def _by_order(verdicts: list[Any]) -> dict[str, list[Any]]:
    table: dict[str, list[Any]] = {}
    for verdict in verdicts:
        table.setdefault(f"{verdict['power']} {verdict['order']}", []).append(verdict)
    return table


def _outcome(verdict: Mapping[str, Any] | None) -> str:
    if verdict is None:
        return "nothing"
    place = verdict["dislodged_from"]
    return f"{verdict['outcome']}, dislodged from {place}" if place else str(verdict["outcome"])


def _short(value: object) -> str:
    if value is None:
        return "nothing"
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."
