"""Words and signs of a text, each with its place in it."""

from __future__ import annotations

import re
from collections.abc import Collection

import msgspec

from legation.notation.names import fold

BACKWARDS = "←"
SIGNS = frozenset(f"-/(),;:&|+{BACKWARDS}")
_WORD = re.compile(r"(?:['’](?=[sS]-))?[^\W_]+(?:['’`´.][^\W_]+)*['’.]?|~~|[-/(),;:|&+]|\S", re.UNICODE)
_ARROWS = re.compile(
    r"(?<![<-])-{0,9}[-=~]{1,9}>{1,9}(?!<)|[\u2010-\u2015\u2212\uff0d]"
    r"|[\u2192\u219d\u21a0\u21a3\u21a6\u21c0\u21c1\u21c9\u21d2\u21db\u21dd\u21e2\u21e5\u21e8\u21fe]"
    r"|(?<=\S)[^\S\n]{0,3}[\u25b6\u25ba](?=[^\S\n]{0,3}\w)"
    r"|[\u27f6\u27f9\u27fc\u27fe\u27ff\u2794\u2799-\u27be\u2b95]|(?<![<>-])>{1,3}(?!>)"
)
"""Dashes, and arrows that point to the right."""
_BACKWARDS = re.compile(r"(?<![<-])<[-=~]{1,9}(?![->=~])|[\u21d0\u2190\u27f5]")
"""Arrows that point to the left."""
BRACKETS = {"[": "(", "{": "(", "]": ")", "}": ")"}
_NEXT_WORD = re.compile(r"\s{1,9}([^\W_]{1,2}) ")
_POSSESSIVE = re.compile(r"['’`´]s?\Z")


class Token(msgspec.Struct, frozen=True):
    """A word (folded) or a sign.

    ``stop``: a sentence ends with it; ``glued``: nothing stands between it and the token before; ``owns``: it is a
    possessive (``Argyll's``).
    """

    text: str
    start: int
    end: int
    stop: bool = False
    glued: bool = False
    owns: bool = False


def tokenize(text: str, codes: Collection[str] = ()) -> list[Token]:
    """The tokens of a text.

    Every kind of dash and arrow is ``-`` (``←`` if it points to the left), every bracket a round one; ``codes`` are
    unit letters, which may be written with a full stop (``A.Par``).
    """
    plain = _BACKWARDS.sub(lambda m: BACKWARDS * len(m.group()), _ARROWS.sub(lambda m: "-" * len(m.group()), text))
    tokens: list[Token] = []
    for match in _WORD.finditer(plain):
        word, start, end = BRACKETS.get(match.group(), match.group()), match.start(), match.end()
        glued = bool(tokens) and tokens[-1].end == start
        if word in ".!…" and plain[end : end + 1] not in ("-", "=", "<"):  # !> crosses an arrow out
            if tokens:
                tokens[-1] = msgspec.structs.replace(tokens[-1], stop=True, end=tokens[-1].end)
            continue
        if word == "/" and plain[end : end + 1].isspace():
            unit = _NEXT_WORD.match(plain, end)  # A mos-stp/ A war-gal
            comes = unit is not None and unit.group(1).casefold() in codes and tokens[-1:] and tokens[-1].text != "w"
            if plain[start - 1 : start].isspace() or comes:
                word = "|"
        with_something = word == "/" and glued and tokens[-1].text == "w" and (plain[end : end + 1] or "-") not in "-/"
        if with_something and not tokens[-1].glued:  # w/ support from
            tokens[-1] = msgspec.structs.replace(tokens[-1], text="with", end=end)
            continue
        if word in SIGNS:
            if word in ("-", BACKWARDS) and tokens and tokens[-1].text == word:
                tokens[-1] = msgspec.structs.replace(tokens[-1], end=end)
            else:
                tokens.append(Token(word, start, end, glued=glued))
            continue
        if word[1:2] == "." and len(word) > 3 and word[0].casefold() in codes and "." not in word[2:-1]:
            tokens.append(Token(word[0].casefold(), start, start + 1, glued=glued))  # A.Par
            word, start, glued = word[2:], start + 2, True
        ended = len(word) > 3 or word[0] in "Hh"  # A lvp-cly.F edi-nwg, F lon H.A yor H
        if word[-2:-1] == "." and word[-1].casefold() in codes and ended and plain[end : end + 1].isspace():
            tokens.append(Token(fold(word[:-2]), start, end - 2, True, glued))
            word, start, glued = word[-1], end - 1, True
        if word[1:2] == "." and len(word) > 4 and word[0].isalpha() and word[2:].rstrip(".").isalpha():
            tokens.append(Token(word[0].casefold(), start, start + 2, glued=glued))  # N.Sea
            word, start, glued = word[2:], start + 2, True
        folded = fold(word) or ("the" if word.casefold() == "the" else word)
        owns = _POSSESSIVE.search(word, 1) is not None  # not the 's of 's-Gravenhage
        tokens.append(Token(folded, start, end, word[-1] == ".", glued, owns))
    return tokens
