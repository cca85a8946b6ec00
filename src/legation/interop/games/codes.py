"""Abbreviations of places' names in other languages, tried where an order of a record is not understood otherwise.

Clubs abbreviate as they like: ``Nme``, ``Dän``. What is meant is the place whose name has the letters in this order and
for which the order is a legal one; if there are two, it is not understood."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice, product

from legation.board import province_of
from legation.board.model import fold
from legation.judge import Ruleset, legal_orders
from legation.notation import OrderTextError, Passage
from legation.orders import UnitOrder
from legation.position import Position

WORD = re.compile(r"(?<![^\W_])[^\W\d_]{3,5}(?![^\W_])")
MOST_TRIED = 60
"""Readings of one order."""
MOST_UNREAD = 60
"""Orders of one turn that are tried."""


def spelled_out(
    rules: Ruleset, position: Position | None, text: str, passages: tuple[Passage, ...], known: Mapping[str, str]
) -> dict[str, str]:
    """Return the board's codes by the abbreviations in passages that are not understood. ``known`` are those that were
    found before in the record."""
    unread = [p for p in passages if p.error is not None][:MOST_UNREAD]
    if position is None or not unread or not rules.board.translations:
        return {}
    legal = {_facts(o) for orders in legal_orders(rules, position).values() for o in orders if isinstance(o, UnitOrder)}
    found = {word: code for word, code in known.items() if any(word in text[p.start : p.end] for p in unread)}
    parts = [(part, p.power) for p in unread for part in re.split("[,;]", text[p.start : p.end])]
    for written, power in parts[:MOST_UNREAD]:
        fitting: dict[tuple[str, ...], dict[str, str]] = {}
        for meant in islice(_meanings(rules, written, found), MOST_TRIED):
            said = WORD.sub(lambda word, meant=meant: meant.get(word[0], word[0]), written)
            try:
                order = rules.reader.order(said, position.turn.phase, power)
            except (OrderTextError, ValueError):
                continue
            if isinstance(order, UnitOrder) and _facts(order) in legal:
                fitting.setdefault(_facts(order), meant)
        if len(fitting) == 1:
            found |= next(iter(fitting.values()))
    return found


def _facts(order: UnitOrder) -> tuple[str, ...]:
    places = (province_of(str(getattr(order, name, ""))) for name in ("at", "to", "target"))
    return (type(order).__name__, *places)


def _meanings(rules: Ruleset, written: str, known: dict[str, str]) -> Iterator[dict[str, str]]:
    """What the words of an order may be short for, as codes of the board."""
    words = list(dict.fromkeys(WORD.findall(written)))
    meant = [[known[word]] if word in known else ["", *_short_for(rules, word)] for word in words]
    for codes in product(*meant):
        if any(codes):
            yield {word: code for word, code in zip(words, codes, strict=True) if code}


def _short_for(rules: Ruleset, word: str) -> list[str]:
    """The places whose name in another language begins with the word's first letter and has the others behind it."""
    letters = fold(word)
    if rules.reader.places.exact(letters) is not None:
        return []
    pattern = re.compile(".*".join(map(re.escape, letters)))
    named = (pair for names in rules.board.translations.values() for pair in _spellings(rules, names))
    return list(dict.fromkeys(key for key, name in named if len(key) <= len(word) and pattern.match(name)))


def _spellings(rules: Ruleset, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The names of one language, folded; those of seas without the words that several have (``mer``), too, and with
    either word that several end in (``see``, ``meer``)."""
    folded = {key: fold(name) for key, name in names.items()}
    seas = [name.split() for key, name in folded.items() if rules.board.provinces[key].sea]
    shared = {word for word, count in Counter(word for words in seas for word in words).items() if count > 1}
    ends = {words[-1] for words in seas if len(words) > 1} & shared
    for key, name in folded.items():
        yield key, name
        if rules.board.provinces[key].sea:
            begin, _, end = name.rpartition(" ")
            yield key, " ".join(word for word in name.split() if word not in shared)
            yield from ((key, f"{begin} {other}") for other in ends if end in ends)
