"""What units do, said in other words: ``lends it a hand``, ``is built in Holland``, ``keeps converting``, ``I lend Army
London``."""

from __future__ import annotations

import re

import msgspec

from legation.notation.grammar import Grammar
from legation.notation.parsing.stream import ends
from legation.notation.small_words import JOINTS, NUMBERS
from legation.notation.tokens import SIGNS, Token

_SEVERAL_WORDS = {
    tuple(said.split()): means
    for means, listed in (
        ("goes", "put to sea|puts to sea|put out|puts out|drop down|drops down|come down|comes down|come up|comes up|"
         "make its way|makes its way|make their way|make his way|be loosed|go raiding|fall back|falls back|"
         "takes over in|take over in|puts in at|put in at|puts into|put into|puts in to"),
        ("goes", "leaves for|leave for|makes for|make for|sets sail for|sets off for|sets out for|departs for|"
         "heads out to|heads out for|slips away to|moves on to|gets on to"),
        ("convoys", "does the convoy|gives the convoy|provides the convoy|does the convoying|do the convoy"),
        ("to", "over the border to|over the sound to|over the river to|over the hills to|over the mountains to"),
        ("removed", "paid off|struck off|struck off the rolls|struck from the rolls|struck off the list|stood down"),
        ("removed", "take it off|take him off|take them off"),
        ("holds", "lies at anchor|lie at anchor|rides at anchor|ride at anchor"),
        ("disbands", "lays down its arms|lay down their arms"),
        ("likewise", "does the same|do the same|does so too|do so too|does likewise|do likewise"),
    )
    for said in listed.split("|")
}  # fmt: skip
"""What a unit does in several words, and one word for it."""
_STAGES = frozenset(
    "begin begins start starts continue continues complete completes finish finishes keep keeps".split()
)
_SPEAKING = frozenset("i we ill will hereby shall".split())
LONGEST_OFFER = 10  # words of what is lent
_BUILT = frozenset("built placed raised constructed stationed".split())
_IS_BUILT = frozenset("is are be to shall will must being has have".split())
_HELPS_IT = re.compile(
    r"(?:lends?|gives?|provides?|offers?) (?P<whom>it|him|them|her) (?:a hand|(?:its |a )?support|help|backing)"
)
LONGEST_HELP = 4  # words of that


def built(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens of ``a fleet is built in Holland`` as ``build a fleet in Holland``."""
    if _BUILT.isdisjoint(token.text for token in tokens):
        return tokens
    kept: list[Token] = []
    for i, token in enumerate(tokens):
        if token.text not in _BUILT or [one.text for one in tokens[i + 1 : i + 2]] not in (["in"], ["at"]):
            kept.append(token)
            continue
        end = len(kept)
        while end and kept[end - 1].text in _IS_BUILT:
            end -= 1
        begin = end - 1
        if not 0 < end < len(kept) or len(kept[begin].text) < 2 or kept[begin].text not in reader.kinds:
            kept.append(token)
            continue
        while begin and kept[begin - 1].text in NUMBERS.keys() | {"the", "defensive"} and not kept[begin - 1].stop:
            begin -= 1
        build = Token("build", kept[begin].start, kept[begin].start)
        kept = [*kept[:begin], build, *kept[begin:end]]
    return kept


def in_one_word(tokens: list[Token]) -> list[Token]:
    """The tokens with one word for what units do in several: ``will put to sea``, ``is to be struck off the rolls``."""
    leaves = [token.text for token in tokens[2:3]] == ["from"]  # Fall back from Paris
    for i in range(len(tokens) - 1, -1 if leaves else 0, -1):
        for length in (4, 3, 2):
            said = tokens[i : i + length]
            means = _SEVERAL_WORDS.get(tuple([token.text for token in said]))
            if means is not None:
                one = msgspec.structs.replace(said[0], text=means, end=said[-1].end, stop=said[-1].stop)
                tokens = [*tokens[:i], one, *tokens[i + len(said) :]]
                break
    return tokens


def helping_it(tokens: list[Token]) -> list[Token]:
    """The tokens with ``supports it`` for ``lends it a hand``, ``gives it support``."""
    if {"support", "hand", "help", "backing"}.isdisjoint([token.text for token in tokens]):
        return tokens
    for i in range(len(tokens) - 2):
        for length in range(LONGEST_HELP, 2, -1):
            said = tokens[i : i + length]
            match = _HELPS_IT.fullmatch(" ".join(token.text for token in said))
            if match is not None and ends(tokens, i + length):
                it = msgspec.structs.replace(said[1], text="it", end=said[-1].end, stop=said[-1].stop)
                first = msgspec.structs.replace(said[0], text="supports", stop=False)
                return [*tokens[:i], first, it, *helping_it(tokens[i + length :])]
    return tokens


def staged(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens without words for the stage of a conversion, since the order is the same in each of its turns:
    ``A bri begins its conversion to F``, ``A bri keeps converting``."""
    converts = reader.verbs.get("converts")
    at = next((i for i, token in enumerate(tokens) if token.text in _STAGES), 0)
    end = at + 1
    while end < len(tokens) and tokens[end].text in ("to", "its", "their", "the"):
        end += 1
    if converts is None or not at or end == len(tokens) or reader.verbs.get(tokens[end].text) is not converts:
        return tokens
    return tokens[:at] + tokens[end:]


def lent(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens with ``proxy`` for the word by which a unit is lent: ``I lend Army London to Argyll``. Supply is lent
    by the same words."""
    at = next((i for i, token in enumerate(tokens[:4]) if token.text not in _SPEAKING), 0)
    if not reader.lending or [t.text for t in tokens[at : at + 1]] not in (["lend"], ["give"]):
        return tokens
    said = [token.text for token in tokens[at + 1 : at + LONGEST_OFFER]]
    what = said[: min((said.index(end) for end in ("to", ",", ";") if end in said), default=len(said))]
    if reader.kinds.keys().isdisjoint(what) or not {"supply", "support"}.isdisjoint(what):
        return tokens
    return [*tokens[:at], msgspec.structs.replace(tokens[at], text="proxy"), *tokens[at + 1 :]]


def becoming(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens with ``F rouen -> A`` as ``F rouen converts A``: a unit of one kind, and an arrow to the other."""
    said = [token.text for token in tokens]
    if "converts" not in reader.verbs or "-" not in said:
        return tokens
    for at in range(2, len(tokens) - 1):
        new = reader.kinds.get(said[at + 1])
        if said[at] != "-" or new is None or not ends(tokens, at + 2):
            continue
        begin = next((i for i in range(at - 1, -1, -1) if said[i] in JOINTS or tokens[i].stop), -1) + 1
        old = reader.kinds.get(said[begin])
        if old in (None, new):
            continue
        if reader.places.exact(" ".join(word for word in said[begin + 1 : at] if word not in SIGNS)) is not None:
            tokens = [*tokens[:at], msgspec.structs.replace(tokens[at], text="converts"), *tokens[at + 1 :]]
    return tokens


def changes_kinds(tokens: list[Token], reader: Grammar) -> bool:
    """Whether a unit is said to become one of another kind: ``Change F bristl into an army``."""
    said = [token.text for token in tokens[:10]]
    if "convert" not in reader.openings or said[:1] not in (["change"], ["turn"]):
        return False
    into = next((i for i, word in enumerate(said) if word in ("to", "into")), 0)
    new = [word for word in said[into + 1 : into + 3] if word not in ("a", "an")][:1]
    return into > 1 and new != [] and new[0] in reader.kinds and not {"-", ",", ";"} & set(said)
