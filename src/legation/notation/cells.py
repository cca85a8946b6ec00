"""Orders as programs list them, laid out as lines: JSON, lists in Python's hand, DAIDE's brackets, and
tables with a head.

Nothing is moved: what holds the list together is blanked, and what parts two entries becomes the end of a line; but the
cells of a table whose columns stand in another order than the words of an order are put into that.
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
_ROLES = {
    "power": "power country nation",
    "count": "no nr no. nr. # num number",
    "kind": "unit type kind piece",
    "place": "from place province location at where prov loc start origin source territory space position",
    "coast": "coast",
    "order": "order orders action command verb move",
    "goal": "to target destination dest dest. goal into",
    "remark": "remark remarks note notes comment comments why reason reasons",
}
_COLUMNS = {word: role for role, words in _ROLES.items() for word in words.split()}
"""What the head of a table calls its columns."""
_FIRST_CELL = re.compile(r"[ |\"*_]{0,9}(?P<word>[A-Za-z.#]{1,12})[ \"*_]{0,9}(?P<sign>[;|\t,])")
_BETWEEN = re.compile(r"[\s|:;,-]{3,200}\Z")
"""The ruler below the head of a table."""
_SAYS_WHAT = re.compile(r"(?:h|holds?|s|c|supports?|convoys?|stays?|stands?|[-–—→>])(?:\W|\Z)", re.IGNORECASE)
"""How a cell begins that tells what a unit does, though it is in the column of where it goes."""
_EMPTY = frozenset(["", "-", "–", "—", "--", "n/a"])
LONGEST_ROW = 300  # characters


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


def tabled(text: str) -> str:
    """Return a text, as long as before, in which each row below the head of a table is an order; the head itself is
    blank, and the last cell is a comment where its column is for remarks."""
    if not any(sign in text for sign in ";|\t,"):
        return text
    lines = text.split("\n")
    columns: list[str] = []
    sign, head = "", -1
    for number, line in enumerate(lines):
        if (found := _head(line)) is not None:
            sign, columns, head = *found, number
        elif columns and sign in line and len(line) <= LONGEST_ROW:
            lines[number] = _row(line, sign, columns)
            lines[head] = " " * len(lines[head])  # of a table that has rows
        else:
            columns = []
    return "\n".join(lines)


def _head(line: str) -> tuple[str, list[str]] | None:
    """What parts the cells of the head of a table, and what its columns hold; None if a line is no head."""
    first = _FIRST_CELL.match(line)
    if first is None or first["word"].casefold() not in _COLUMNS or len(line) > LONGEST_ROW:
        return None
    sign = first["sign"]
    cells = [cell.strip(' "*_').casefold() for cell in line.strip(" |" if sign == "|" else " ").split(sign)]
    columns = [_COLUMNS.get(cell, "") for cell in cells]
    known = "" not in columns and not {"kind", "place"}.isdisjoint(columns) and len(columns) > 1 + (sign == ",")
    return (sign, columns) if known and "remark" not in columns[:-1] else None


def _in_order(columns: list[str]) -> bool:
    """Whether the columns of a table stand in the order in which the words of an order do."""
    first = {role: columns.index(role) for role in reversed(columns)}
    at = [first[role] for role in ("power", "kind", "place", "goal") if role in first]
    return at == sorted(at) and first.get("order", -1) < first.get("goal", len(columns))


def _row(line: str, sign: str, columns: list[str]) -> str:
    """Return the row of a table as an order, as long as before; as it is, if it has more cells than the head."""
    if _BETWEEN.match(line):
        return " " * len(line)
    begin = len(line) - len(line.lstrip(" |")) if sign == "|" else 0
    cells: list[tuple[str, int, str]] = []  # what each holds, where it begins, and what is written there
    for role in columns:
        end = line.find(sign, begin) if role != "remark" else len(line)
        end = len(line) if end < 0 else end
        written = line[begin:end].strip(' "' + sign)
        if role == "count" and written.strip(".)#").isdecimal():
            written = ""
        if written not in _EMPTY or (role == "order" and written):
            cells.append((role, line.index(written, begin), written))
        begin = end + 1
    if line[begin:].strip(" " + sign):
        return line
    moved = not _in_order(columns)
    if moved and len(set(columns)) < len(columns):
        return line
    return _said(sorted(cells, key=lambda cell: list(_ROLES).index(cell[0])) if moved else cells, moved).ljust(
        len(line)
    )


def _said(cells: list[tuple[str, int, str]], moved: bool) -> str:
    """The cells of a row as an order; each where it stands, unless they are moved."""
    said, before = "", ""
    for role, start, written in cells:
        glue = {"coast": "/", "remark": "#", "goal": "-" if before in ("place", "coast") else " "}.get(role, " ")
        if role == "goal" and _SAYS_WHAT.match(written):
            glue = " "
        glue = ":" if before == "power" and role != "remark" else glue
        said = (said if moved else said.ljust(start - 1)) + glue * bool(said or role == "remark") + written
        before = role
    return said
