"""Words and signs of a text, each with its place in it."""

import re
from collections.abc import Collection

import msgspec

from legation.board.model import fold

BACKWARDS = "←"
STOP = "."
DOTS = "…"
LONGEST_ABBREVIATION = 5  # letters before a full stop that may be the beginning of a word
_WORD = re.compile(r"(?:['’](?=[sS]-))?[^\W_]+(?:['’`´.][^\W_]+)*['’.]*|~~|\.\.+|[-/(),;:|&+]|\S", re.UNICODE)
_ARROWS = re.compile(
    r"(?<![<-])-{0,9}[-=~]{1,9}>{1,9}(?!<)|[‐-―−－]"
    r"|[→↝↠↣↦⇀⇁⇉⇒⇛⇝⇢⇥⇨⇾]"
    r"|(?<=\S)[^\S\n]{0,3}[▶►](?=[^\S\n]{0,3}\w)"
    r"|[⟶⟹⟼⟾⟿➔➙-➾⮕]|(?<![<>-])>{1,3}(?!>)"
)
"""Dashes, and arrows that point to the right."""
_BACKWARDS = re.compile(r"(?<![<-])<[-=~]{1,9}(?![->=~])|[⇐←⟵]")
SIGNS = frozenset('-/(),;:|&+←.…?"~')
BRACKETS = {"[": "(", "{": "(", "]": ")", "}": ")"}
QUOTES = dict.fromkeys("“”„«»‹›‟″「」『』", '"')


class Token(msgspec.Struct, frozen=True, gc=False):
    """A word (folded) or a sign.

    ``soft``: a full stop stands behind it that may end a sentence or an abbreviation; ``glued``: nothing stands between
    it and the token before; ``owns``: it is a possessive (``Argyll's``). A stop that ends a sentence is a token."""

    text: str
    start: int
    end: int
    soft: bool = False
    glued: bool = False
    owns: bool = False


def tokenize(text: str, codes: Collection[str] = ()) -> list[Token]:
    """The tokens of a text.

    Every kind of dash and arrow is ``-`` (``←`` if it points to the left), every bracket a round one; ``codes`` are
    unit letters, which may be written with a full stop (``A.Par``)."""
    plain = _BACKWARDS.sub(lambda m: BACKWARDS * len(m.group()), _ARROWS.sub(lambda m: "-" * len(m.group()), text))
    tokens: list[Token] = []
    end = 0
    for match in _WORD.finditer(plain):
        word, start = match.group(), match.start()
        glued = end == start and start > 0
        end = match.end()
        if not word[0].isalnum() and word[0] not in "'’":
            _sign(tokens, BRACKETS.get(word, QUOTES.get(word, word)), start, end, glued, plain, codes)
            continue
        bare = word.rstrip(".")
        if word[1:2] == "." and len(bare) > 2 and bare.replace(".", "").isalnum():
            if word[0].casefold() in codes and "." not in bare[2:]:
                tokens.append(Token(word[0].casefold(), start, start + 1, False, glued))  # A.Par
                bare, start, glued = bare[2:], start + 2, True
            elif len(bare) > 4 and bare[2:].isalpha():
                tokens.append(Token(fold(word[0]), start, start + 2, False, glued))  # N.Sea
                bare, start, glued = bare[2:], start + 2, True
        if bare[-2:-1] == "." and bare[-1].casefold() in codes and len(bare) > 3 and plain[end : end + 1].isspace():
            tokens.append(Token(fold(bare[:-2]), start, start + len(bare) - 2, True, glued))  # A lvp-cly.F edi-nwg
            bare, start, glued = bare[-1], start + len(bare) - 1, True
        folded = fold(bare) or ("the" if bare.casefold() == "the" else bare)
        owns = bare[-1] in "'’" or (bare[-1] in "sS" and bare[-2:-1] in ("'", "’", "`", "´"))
        dots = len(word) - len(word.rstrip("."))
        soft = dots == 1 and len(folded) <= LONGEST_ABBREVIATION
        tokens.append(Token(folded, start, start + len(bare), soft, glued, owns))
        if dots and not soft:
            tokens.append(Token(STOP if dots == 1 else DOTS, start + len(bare), end, False, True))
    return tokens


def _sign(
    tokens: list[Token], word: str, start: int, end: int, glued: bool, plain: str, codes: Collection[str]
) -> None:
    if word in "-←" and tokens and tokens[-1].text == word and glued:
        before = tokens.pop()
        tokens.append(Token(word, before.start, end, False, before.glued))
    elif word == "/" and glued and tokens[-1].text == "w" and plain[end : end + 1] not in ("-", "/", ""):
        tokens[-1] = Token("with", tokens[-1].start, end, False, tokens[-1].glued)  # w/ support from
    elif word == "/" and plain[end : end + 1].isspace() and _unit_comes(plain, end, codes):
        tokens.append(Token("|", start, end, False, glued))
    elif word in ".!":
        tokens.append(Token(STOP, start, end, False, glued))
    elif word[0] in ".…":
        tokens.append(Token(DOTS, start, end, False, glued))
    else:
        tokens.append(Token(word, start, end, False, glued))


def _unit_comes(plain: str, at: int, codes: Collection[str]) -> bool:
    words = plain[at : at + 12].split()
    return plain[at - 2 : at - 1].isspace() or (len(words) > 1 and words[0].casefold() in codes)
