"""Orders as programs list them, laid out as lines: JSON, lists in Python's hand, DAIDE's brackets.

Nothing is moved: what holds the list together is blanked, and what parts two entries becomes the end of a line.
"""

from __future__ import annotations

import json
import re

_STRING = re.compile(r'"((?:[^"\\\n]|\\.){0,300})"|\'([^\'\\\n]{0,300})\'')
_LIST = re.compile(r"[\[{][\s\S]*[\]}]\s{0,99}\Z")
_OF_STRINGS = re.compile(
    r"\[\s{0,99}'[^'\n]{0,300}'\s{0,99}(?:,\s{0,99}'[^'\n]{0,300}'\s{0,99}){0,99},?\s{0,99}\]\s{0,99}\Z"
)
_DAIDE = re.compile(r"\s{0,99}(?:SUB\s{0,9})?(?:[A-Z]{3}|[()]|\s){3,9999}\Z")
_COAST = re.compile(r"\(\s{0,9}([A-Z]{3})\s{1,9}([NSEW]C)S\s{0,9}\)")
_ROUTE = re.compile(r"VIA\s{1,9}\(\s{0,9}([A-Z]{3}(?:\s{1,9}[A-Z]{3}){0,9})\s{0,9}\)")
_WAIVER = re.compile(r"\(\s{0,9}[A-Z]{3}\s{1,9}WVE\s{0,9}\)")
_LABELS = frozenset("power country nation orders order type unit from to target phase game moves".split())
"""Keys that say what an entry is, and nothing of the orders."""
LONGEST = 20_000  # characters of a list


def laid_out(text: str) -> str:
    """Put each entry of a program's list on its own line, keeping the length; return other text unchanged."""
    begin = len(text) - len(text.lstrip())
    if text[begin : begin + 1] in ("[", "{") and len(text) <= LONGEST and _LIST.match(text, begin):
        return _of_json(text)
    if text[begin : begin + 1] in ("(", "S") and "(" in text and _DAIDE.match(text):
        return _of_daide(text)
    return text


def _of_json(text: str) -> str:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        if not _OF_STRINGS.match(text.lstrip()):
            return text
    laid = [" "] * len(text)
    within: list[str] = []  # the brackets that are open
    at = 0
    while at < len(text):
        match = _STRING.match(text, at)
        if match is None:
            if text[at] in "[{":
                within.append(text[at])
            elif text[at] in "]}":
                within[-1:] = []
            if text[at] in "[]{}\n" or (text[at] == "," and within[-1:] != ["{"]):
                laid[at] = "\n"  # what stands in one record is one order
            elif text[at] not in ",:":
                laid[at] = text[at]
            at += 1
            continue
        said = match.group(1) or match.group(2) or ""
        is_key = text[match.end() :].lstrip()[:1] == ":"
        if "\\" not in said and not (is_key and said.casefold() in _LABELS):
            laid[at + 1 : match.end() - 1] = said
            if is_key:
                laid[match.end() - 1] = ":"
        at = match.end()
    return "".join(laid)


def _of_daide(text: str) -> str:
    plain = _COAST.sub(lambda m: f"{m.group(1)}/{m.group(2)}".ljust(len(m.group())), text.replace("SUB", "   ", 1))
    plain = _ROUTE.sub(lambda m: f"VIA {'-'.join(m.group(1).split())}".ljust(len(m.group())), plain)
    plain = _WAIVER.sub(lambda m: "(" + "WVE".ljust(len(m.group()) - 2) + ")", plain)
    opened: list[int] = []
    groups: list[tuple[int, int]] = []
    for i, sign in enumerate(plain):
        if sign == "(":
            opened.append(i)
        elif sign == ")":
            if not opened:
                return text
            first = opened.pop()
            if not opened:
                groups.append((first, i))
    if opened:
        return text
    ends = [last for first, last in groups if _stands_alone(plain, first, last, groups)]
    return "".join("\n" if i in ends else " " if sign in "()" else sign for i, sign in enumerate(plain))


def _stands_alone(plain: str, first: int, last: int, groups: list[tuple[int, int]]) -> bool:
    """Whether nothing but further groups stands beside a group: it is an order, no unit of one."""
    before = max((end for _, end in groups if end < first), default=-1)
    after = min((begin for begin, _ in groups if begin > last), default=len(plain))
    return not plain[before + 1 : first].strip() and not plain[last + 1 : after].strip()
