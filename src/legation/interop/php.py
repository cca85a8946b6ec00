"""A strict little reader of PHP files as data: assignments of literals, and calls with literals. Nothing is executed.

Read are strings, numbers, ``true``, ``false``, ``null`` and arrays of such. An expression of anything else is no
value: whoever asks for it is told where it stands.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from legation.interop.errors import ForeignFileError

MOST_TOKENS = 400_000
DEEPEST = 12
TOKENS = re.compile(
    r"""(?P<space>\s+|//[^\n]*|\#[^\n]*|/\*.*?\*/)
    |(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    |(?P<number>\d+(?:\.\d+)?)
    |(?P<name>\$?[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff]*)
    |(?P<mark>=>|->|::|==+|.)""",
    re.VERBOSE | re.DOTALL,
)


class Token(msgspec.Struct, frozen=True):
    """A token: its kind (``string``, ``number``, ``name``, ``mark``), its text, its line."""

    kind: str
    text: str
    line: int


class NotLiteral(Exception):
    """An expression that is more than data."""


NOTHING = object()
"""Where a value should stand and none can be read."""


def tokens(text: str, where: str) -> list[Token]:
    """The tokens of the PHP parts of a file.

    :raises ForeignFileError: if it is too long.
    """
    found: list[Token] = []
    for start, part in _php_parts(text):
        line = text.count("\n", 0, start) + 1
        for match in TOKENS.finditer(part):
            kind = match.lastgroup or "mark"
            if kind != "space":
                found.append(Token(kind, match[0], line))
                if len(found) > MOST_TOKENS:
                    raise ForeignFileError(f"{where}: is longer than a map's table may be")
            line += match[0].count("\n")
    return found


def _php_parts(text: str) -> list[tuple[int, str]]:
    parts: list[tuple[int, str]] = []
    for match in re.finditer(r"<\?(?:php)?(.*?)(?:\?>|\Z)", text, re.DOTALL):
        parts.append((match.start(1), match[1]))
    return parts


class Php:
    """A PHP file as tokens, and queries on them."""

    def __init__(self, text: str, where: str) -> None:
        self.where = where
        self.tokens = tokens(text, where)

    def assigned(self, *names: str) -> list[tuple[str, Any, int]]:
        """What is assigned to variables or properties of these names (without ``$``): name, value, line.

        The value is :data:`NOTHING` where it is more than data.
        """
        found: list[tuple[str, Any, int]] = []
        for i, token in enumerate(self.tokens[:-1]):
            plain = token.text.lstrip("$")
            if token.kind == "name" and plain in names and self.tokens[i + 1].text == "=":
                value, _ = self.value(i + 2)
                found.append((plain, value, token.line))
        return found

    def elements(self, name: str) -> list[tuple[list[Any], Any, int]]:
        """What is assigned to elements of an array: ``$name['key'] = value``: keys, value, line."""
        found: list[tuple[list[Any], Any, int]] = []
        for i, token in enumerate(self.tokens[:-1]):
            if token.kind != "name" or token.text.lstrip("$") != name or self.tokens[i + 1].text != "[":
                continue
            keys: list[Any] = []
            at = i + 1
            while at < len(self.tokens) and self.tokens[at].text == "[":
                key, after = self.value(at + 1)
                if key is NOTHING or after >= len(self.tokens) or self.tokens[after].text != "]":
                    break
                keys.append(key)
                at = after + 1
            if keys and at + 1 < len(self.tokens) and self.tokens[at].text == "=":
                value, _ = self.value(at + 1)
                found.append((keys, value, token.line))
        return found

    def calls(self, name: str) -> list[tuple[list[Any], int, int]]:
        """Calls of a function, a class or a method: its arguments, the number of its token, its line.

        Arguments that are more than data are :data:`NOTHING`.
        """
        found: list[tuple[list[Any], int, int]] = []
        for i, token in enumerate(self.tokens[:-1]):
            if token.kind == "name" and token.text == name and self.tokens[i + 1].text == "(":
                found.append((self.arguments(i + 2), i, token.line))
        return found

    def arguments(self, at: int) -> list[Any]:
        """The arguments from a token on, until the bracket closes."""
        values: list[Any] = []
        while at < len(self.tokens) and self.tokens[at].text != ")":
            value, after = self.value(at)
            if value is NOTHING:
                values.append(NOTHING)
                after = self.skip(at)
            else:
                values.append(value)
            at = after
            if at < len(self.tokens) and self.tokens[at].text == ",":
                at += 1
            elif at < len(self.tokens) and self.tokens[at].text != ")":
                at = self.skip(at)
                if at < len(self.tokens) and self.tokens[at].text == ",":
                    at += 1
            if len(values) > 60:
                break
        return values

    def skip(self, at: int) -> int:
        """The end of an expression: the comma or bracket that follows it."""
        depth = 0
        while at < len(self.tokens):
            mark = self.tokens[at].text if self.tokens[at].kind == "mark" else ""
            if depth == 0 and mark in (",", ")", "]", ";"):
                return at
            depth += (mark in ("(", "[", "{")) - (mark in (")", "]", "}"))
            at += 1
        return at

    def value(self, at: int) -> tuple[Any, int]:
        """The literal at a token, and where it ends; :data:`NOTHING` if it is none."""
        try:
            value, after = self._value(at, 0)
        except NotLiteral:
            return NOTHING, at + 1
        if after < len(self.tokens) and self.tokens[after].text not in (",", ")", "]", ";", "=>"):
            return NOTHING, at + 1  # an expression goes on
        return value, after

    def _value(self, at: int, depth: int) -> tuple[Any, int]:
        if at >= len(self.tokens) or depth > DEEPEST:
            raise NotLiteral
        token = self.tokens[at]
        if token.kind == "string":
            return unquoted(token.text), at + 1
        if token.kind == "number":
            return _number(token.text), at + 1
        if token.text == "-" and at + 1 < len(self.tokens) and self.tokens[at + 1].kind == "number":
            return -_number(self.tokens[at + 1].text), at + 2
        word = token.text.lower()
        if word in ("true", "false", "null"):
            return {"true": True, "false": False, "null": None}[word], at + 1
        if word == "array" and at + 1 < len(self.tokens) and self.tokens[at + 1].text == "(":
            return self._array(at + 2, ")", depth)
        if token.text == "[":
            return self._array(at + 1, "]", depth)
        raise NotLiteral

    def _array(self, at: int, end: str, depth: int) -> tuple[list[Any] | dict[Any, Any], int]:
        items: list[Any] = []
        keyed: dict[Any, Any] = {}
        while at < len(self.tokens) and self.tokens[at].text != end:
            value, at = self._value(at, depth + 1)
            if at < len(self.tokens) and self.tokens[at].text == "=>":
                key = value
                value, at = self._value(at + 1, depth + 1)
                if isinstance(key, list | dict):
                    raise NotLiteral
                keyed[key] = value
            else:
                items.append(value)
            if at < len(self.tokens) and self.tokens[at].text == ",":
                at += 1
            elif at >= len(self.tokens) or self.tokens[at].text != end:
                raise NotLiteral
        if at >= len(self.tokens):
            raise NotLiteral
        if keyed:
            keyed.update(dict(enumerate(items)))
            return keyed, at + 1
        return items, at + 1


def _number(text: str) -> int | float:
    if len(text) > 15:
        raise NotLiteral
    return float(text) if "." in text else int(text)


def unquoted(text: str) -> str:
    """What a quoted string says.

    :raises NotLiteral: if a variable is put in.
    """
    body = text[1:-1]
    if text[0] == "'":
        return re.sub(r"\\(['\\])", r"\1", body)
    if re.search(r"(?<!\\)\$[A-Za-z_{]|\{\$", body):
        raise NotLiteral  # a variable is put in
    return re.sub(r"\\([\"\\$])", r"\1", body).replace("\\n", "\n").replace("\\t", "\t")
