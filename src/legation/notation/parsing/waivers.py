"""Waivers in other words: ``third build is waived``, ``the other builds I'd like to waive``."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from legation.notation.grammar import Grammar
from legation.notation.small_words import AUXILIARIES, JOINTS
from legation.notation.tokens import Token

_DIGITS = {"1": "one", "2": "two", "3": "three", "4": "four"}
_WAIVED = frozenset(
    [*_DIGITS.values(), "first", "second", "third", "fourth", "last", "other", "others", "rest", "remaining"]
)
_UNUSED = frozenset(["waived", "waive", "waives", "unused"])
_REASONS = frozenset(["since", "because", "as"])
_CASTS_DOUBT = frozenset("if unless ? maybe perhaps until not - or should would".split())
_WRITER_WAIVES = re.compile(
    r"(?:the |my )?(?P<count>first|second|third|fourth|last|other|others|rest|remaining|other two|two others)"
    r"(?P<build> builds?| one)? (?:i|we|ill|well|id|wed|i will|we will|i would|we would)(?: like to| want to)? "
    r"(?:waive|wont use|dont use|do not use|will not use|not use|dont need|do not need|skip)"
    r"(?: for now)?"
)


_NOT_WANTED = re.compile(
    r"(?:i|we) (?:dont|do not|wont|will not|shall not)(?: want to| wish to| need to)? (?:use|need|take|make|want) "
    r"(?:the |my |our )?(?P<count>first|second|third|fourth|last|other|others|rest|remaining)(?P<build> builds?| one)?"
    r"(?: \( waive \))?"
)
"""That a writer does not use a build: ``I don't want to use my other build``."""


_NONE_BUILT = re.compile(
    r"(?:(?:i|we) )?(?:(?:will |shall )?build nothing|(?:dont|do not|wont|will not|shall not) build(?: anything)?|pass)"
    r"|no new units|nothing to build|nothing built|builds? :? ?(?:none|nothing|nil)"
)
"""How people say that they build nothing."""
LONGEST_NONE = 6  # words of that


OF_NOW = frozenset("for me us this the time year winter turn season now please at all".split())
"""What may stand behind that."""


def _ends_behind(tokens: list[Token], at: int) -> bool:
    """Whether the sentence ends before a token, or behind words that only tell when."""
    while at < len(tokens) and not tokens[at - 1].stop and tokens[at].text in OF_NOW:
        at += 1
    return at >= len(tokens) or tokens[at - 1].stop or tokens[at].text in JOINTS


def none_built(tokens: list[Token]) -> list[Token]:
    """The tokens with ``no builds`` for ``I don't build``, ``nothing to build`` and the like at the beginning of a
    sentence."""
    if {"build", "builds", "built", "pass", "units"}.isdisjoint([token.text for token in tokens]):
        return tokens
    for begin in range(len(tokens)):
        if begin and not tokens[begin - 1].stop and tokens[begin - 1].text not in JOINTS:
            continue
        for end in range(min(begin + LONGEST_NONE, len(tokens)), begin, -1):
            said = " ".join(token.text for token in tokens[begin:end])
            if _NONE_BUILT.fullmatch(said) and _ends_behind(tokens, end):
                first = msgspec.structs.replace(tokens[begin], text="no", stop=False)
                last = msgspec.structs.replace(tokens[end - 1], text="builds")
                if end - begin == 1:
                    last = msgspec.structs.replace(last, start=last.end)
                return [*tokens[:begin], first, last, *none_built(tokens[end:])]
    return tokens


def waived_last(tokens: list[Token]) -> list[Token]:
    """The tokens with ``third build is waived`` as ``waive third build``, and ``1 waived``, ``rest: waive`` and
    ``one unused`` as ``waive one``."""
    said = [token.text for token in tokens]
    last = next((i for i, word in enumerate(said) if i and word in _UNUSED and said[i - 1] not in JOINTS), 0)
    if not last:
        return tokens
    first = last
    while first and said[first - 1] in AUXILIARIES | {":"}:
        first -= 1
    builds = first > 0 and (
        said[first - 1] in ("build", "builds") or (said[first - 1] == "one" and _counts(said, first))
    )
    begin = first - builds - 1
    pair = begin > 0 and {said[begin - 1], said[begin]} in ({"two", "other"}, {"two", "others"}, {"both", "others"})
    begin -= pair  # the two others waived
    if begin < 0 or (begin > 0 and said[begin - 1] not in JOINTS | {"the", "my", ":"} and not tokens[begin - 1].stop):
        return tokens
    count = "two" if pair else _DIGITS.get(said[begin], said[begin])
    if count not in _WAIVED or (last + 1 < len(said) and said[last + 1] not in JOINTS and not tokens[last].stop):
        return tokens
    words = ["waive", count, *["build"] * builds]
    spans = [*tokens[begin : begin + len(words) - 1], tokens[last]]
    plain = [msgspec.structs.replace(span, text=word) for span, word in zip(spans, words, strict=True)]
    before = begin - (begin > 0 and said[begin - 1] in ("the", "my"))
    return [*tokens[:before], *plain, *tokens[last + 1 :]]


def waived_by_writer(tokens: list[Token]) -> list[Token]:
    """The tokens with ``the third build I'd like to waive`` as ``waive third build``."""
    if {"waive", "use", "need", "skip"}.isdisjoint([token.text for token in tokens]):
        return tokens
    begin = 0
    for i in range(len(tokens) + 1):
        if i < len(tokens) and not tokens[i].stop and tokens[i].text not in JOINTS:
            continue
        end = i + (i < len(tokens) and tokens[i].text not in JOINTS)
        said = " ".join(token.text for token in tokens[begin:end])
        match = _WRITER_WAIVES.fullmatch(said) or _NOT_WANTED.fullmatch(said)
        if match is not None:
            words = ["waive", *match["count"].split(), *["build"] * bool(match["build"])]
            spans = [*tokens[begin : begin + len(words) - 1], tokens[end - 1]]
            plain = [msgspec.structs.replace(span, text=word) for span, word in zip(spans, words, strict=True)]
            return [*tokens[:begin], *plain, *waived_by_writer(tokens[end:])]
        begin = i + 1
    return tokens


def _counts(said: Sequence[str], at: int) -> bool:
    """Whether the word before the last counts: ``third one``."""
    return at > 1 and said[at - 2] in _WAIVED


def without_reason(tokens: list[Token], reader: Grammar) -> list[Token]:
    """The tokens without the reason behind a waiver, which names nothing of the board: ``waived since I have no home
    free``."""
    said = [token.text for token in tokens]
    at = next((i for i, word in enumerate(said) if i and word in _REASONS and said[i - 1] in _UNUSED), len(said))
    end = at
    while end < len(tokens) and not tokens[end - 1].stop and said[end] not in JOINTS:
        end += 1
    names = any(word in reader.telling_words or (word in reader.kinds and len(word) > 1) for word in said[at:end])
    return tokens if names or not _CASTS_DOUBT.isdisjoint(said[at:end]) else tokens[:at] + tokens[end:]
