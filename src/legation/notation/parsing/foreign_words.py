"""Words of other languages between those of an order, in English."""

from __future__ import annotations

import msgspec

from legation.notation import other_languages
from legation.notation.grammar import Grammar
from legation.notation.parsing.stream import ends
from legation.notation.tokens import Token

_AND = frozenset(["y", "e", "en", "og", "och"])
"""``And`` of other languages, between units."""
LONGEST_SENTENCE = 10  # words from a verb to its other part
_FIRST_WORDS = frozenset(said[0] for said in other_languages.PHRASES)
_ELSEWHERE = (
    other_languages.SUPPORT | other_languages.CONVOY | other_languages.UNITS.keys() | other_languages.GO | {"attacks"}
)


def united(tokens: list[Token]) -> list[Token]:
    """The tokens with German verbs in one piece: ``greift Burgund an`` as ``attacks Burgund``."""
    for i, token in enumerate(tokens):
        apart = other_languages.APART.get(token.text)
        if apart is None:
            continue
        end = next((k for k in range(i + 1, min(i + LONGEST_SENTENCE, len(tokens))) if ends(tokens, k + 1)), 0)
        if end > i + 1 and tokens[end].text == apart[0]:
            last = msgspec.structs.replace(tokens[end - 1], end=tokens[end].end, stop=tokens[end].stop)
            verb = msgspec.structs.replace(token, text=apart[1])
            return [*tokens[:i], verb, *tokens[i + 1 : end - 1], last, *united(tokens[end + 1 :])]
    return tokens


def in_english(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens with words of other languages for all units, for what is left out, for ``and``, and beside units, in
    English."""
    said = {token.text for token in tokens}
    if not said.isdisjoint(_FIRST_WORDS):
        tokens = list(tokens)
        for i in (i for i, token in enumerate(tokens) if token.text in _FIRST_WORDS):
            for length in (4, 3, 2, 1):
                means = other_languages.PHRASES.get(tuple(token.text for token in tokens[i : i + length]))
                if means is not None:
                    for k, word in enumerate(means):
                        tokens[i + k] = msgspec.structs.replace(tokens[i + k], text=word)
                    break
    if not said.isdisjoint(_AND):
        for i in range(1, len(tokens) - 1):
            after = i + 1 + (tokens[i + 1].text in other_languages.ARTICLES and i + 2 < len(tokens))
            joins = tokens[i].text in _AND and tokens[i - 1].text.isalpha() and tokens[after].text in reader.kinds
            verb = reader.verbs.get(tokens[i - 1].text)
            joins = joins and (verb is None or verb.stays)  # S E F iri - eng: E is a power's
            if joins and not (tokens[i].text == "e" and _has_coast(tokens[i - 1].text, "ec", reader)):
                tokens = [*tokens[:i], msgspec.structs.replace(tokens[i], text="and"), *tokens[i + 1 :]]
    return tokens if said.isdisjoint(_ELSEWHERE) else _beside_units(tokens, reader)


def _has_coast(name: str, code: str, reader: Grammar) -> bool:
    """Whether a place of this name has this coast: of ``bul e F con`` the letter is one."""
    return any(code in reader.board.provinces[key].coasts for key in reader.places.meaning(name).keys)


def _article(i: int, tokens: list[Token], reader: Grammar) -> bool:
    """Whether an article stands before a place, behind a word that says what a unit does: ``attaque la Roumanie``."""
    before, place = tokens[i - 1].text if i else "", tokens[i + 1].text if i + 1 < len(tokens) else ""
    known = reader.places.exact
    return (
        before in other_languages.GO | other_languages.TOWARDS | {"in", "attacks"}
        and len(place) > 2
        and known(place) is not None
        and known(f"{tokens[i].text} {place}") is None
    )


def _beside_units(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens without articles of other languages before units, and with their ``in`` and ``to`` in English: ``une
    flotte à Brest``, ``A bur apoya A pic a Bel``."""
    kept: list[Token] = []
    helping = False
    for i, token in enumerate(tokens):
        before = tokens[i - 1].text if i else ""
        after = tokens[i + 1].text if i + 1 < len(tokens) else ""
        helping = helping or before in other_languages.SUPPORT | other_languages.CONVOY
        if token.text in other_languages.ARTICLES and (after in other_languages.UNITS or _article(i, tokens, reader)):
            continue
        if reader.places.exact(after) is not None and len(after) > 2:
            if before in other_languages.UNITS and token.text in other_languages.IN:
                token = msgspec.structs.replace(token, text="in")
            elif helping and token.text in other_languages.TOWARDS and reader.places.exact(before) is not None:
                token = msgspec.structs.replace(token, text="to")
        kept.append(token)
    return kept
