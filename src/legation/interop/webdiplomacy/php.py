"""A strict little reader of PHP files as data: assignments of literals, and calls with literals. Nothing is executed.

Read are strings, numbers, ``true``, ``false``, ``null``, arrays of such, strings put together with ``.``, and constants
of the same file. An expression of anything else isn't a value: whoever asks for it is told where it stands."""

import html
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from legation.interop.sources import ForeignFileError

MOST_TOKENS = 400_000
DEEPEST = 12
LONGEST = 200_000
MOST_BITS = 48
SHORT = 200
"""How long a constant may be."""
TOKENS = re.compile(
    r"""(?P<space>\s+|//[^\n]*|\#[^\n]*|/\*.*?\*/)
    |(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    |(?P<heredoc><<<[ \t]*(?P<quote>['"]?)(?P<end>[A-Za-z_]\w*)(?P=quote)[ \t]*\r?\n
        (?P<body>.{0,1500}?)^[ \t]*(?P=end)\b)
    |(?P<number>\d+(?:\.\d+)?)
    |(?P<name>\$?[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff]*)
    |(?P<mark>=>|->|::|<<|==+|.)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


class Token(msgspec.Struct, frozen=True):
    """A token: its kind (``string``, ``number``, ``name``, ``mark``), its text, its line."""

    kind: str
    text: str
    line: int


class NotLiteral(Exception):
    """An expression that is more than data."""


CHANGING = frozenset(["unset", "array_splice", "array_pop", "array_shift", "array_unshift", "array_walk"])
"""Functions that change the array that they are given; what sorts one changes none of its rows, and one that is unset
as a whole has done its service."""
LITERALS = {"true": True, "false": False, "null": None}
NOTHING = object()
"""Where a value should stand and none can be read."""


def tokens(text: str, where: str) -> list[Token]:
    """The tokens of the PHP parts of a file.

    :raises ForeignFileError: if it is too long."""
    found: list[Token] = []
    for part in re.finditer(r"<\?(?:php)?(.*?)(?:\?>|\Z)", text, re.DOTALL):
        line = text.count("\n", 0, part.start(1)) + 1
        for match in TOKENS.finditer(part[1]):
            kind = match.lastgroup or "mark"
            if match["end"]:
                quote = match["quote"] or '"'
                body = match["body"].rstrip("\r\n")
                found.append(Token("string", f"{quote}{body}{quote}", line))
            elif kind != "space":
                found.append(Token(kind, match[0], line))
                if len(found) > MOST_TOKENS:
                    raise ForeignFileError(f"{where}: is longer than a map's table may be")
            line += match[0].count("\n")
    return found


class Php:
    """A PHP file as tokens, and queries on them."""

    def __init__(self, text: str, where: str) -> None:
        self.where = where
        self.tokens = tokens(text, where)
        self.constants: dict[str, Any] = {}
        """Constants of the file, of classes or not: ``const NAME = 'x'`` and ``define('NAME', 'x')``."""
        for arguments, _, _ in self.calls("define"):
            if len(arguments) > 1 and isinstance(arguments[0], str):
                self._name(arguments[0], arguments[1])
        for i, _, _ in self.named("const", "CONST"):
            at = i + 1 if self.text(i + 2) == "=" else i + 2  # a type may stand before the name
            self._name(self.text(at), self.value(at + 2)[0] if self.text(at + 1) == "=" else NOTHING)

    def _name(self, name: str, value: Any) -> None:
        """Keep a constant, if it is short and no table: tables of tables by their names could grow without end."""
        if isinstance(value, str | int | float) and len(str(value)) <= SHORT:
            self.constants.setdefault(name, value)

    def text(self, at: int) -> str:
        """The text of a token; empty where there is none."""
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def named(self, *names: str) -> Iterator[tuple[int, str, int]]:
        """Where variables, properties or functions of these names stand: the token's number, the name, the line."""
        for i, token in enumerate(self.tokens):
            if token.kind == "name" and (plain := token.text.lstrip("$")) in names:
                yield i, plain, token.line

    def assigned(self, *names: str) -> list[tuple[str, Any, int]]:
        """What is assigned to variables or properties of these names (without ``$``): name, value, line.

        The value is :data:`NOTHING` where it is more than data."""
        return [(name, self.value(i + 2)[0], line) for i, name, line in self.named(*names) if self.text(i + 1) == "="]

    def elements(self, name: str) -> list[tuple[list[Any], Any, int]]:
        """What is assigned to elements of an array: ``$name['key'] = value``: keys, value, line."""
        found: list[tuple[list[Any], Any, int]] = []
        for i, _, line in self.named(name):
            keys: list[Any] = []
            at = i + 1
            while self.text(at) == "[":
                key, after = self.value(at + 1)
                if key is NOTHING or self.text(after) != "]":
                    break
                keys.append(key)
                at = after + 1
            if keys and self.text(at) == "=":
                found.append((keys, self.value(at + 1)[0], line))
        return found

    def appended(self, name: str) -> list[tuple[Any, int]]:
        """Return values appended to an array (``$name[] = ...``, ``array_push``), each with its line."""
        found: list[tuple[Any, int]] = []
        for i, _, line in self.named(name):
            if [self.text(i + n) for n in (1, 2, 3)] == ["[", "]", "="]:
                found.append((self.value(i + 4)[0], line))
            elif self.text(i - 2) == "array_push":
                found += [(value, line) for value in self.arguments(i + 2)]
        return found

    def changed(self, name: str) -> list[tuple[str, int]]:
        """Functions that change an array otherwise, or set one of its elements: names, lines."""
        called = [
            (self.text(i - 2), self.text(i + 1), line) for i, _, line in self.named(name) if self.text(i - 1) == "("
        ]
        found = [(by, line) for by, after, line in called if by in CHANGING and (by != "unset" or after == "[")]
        return [*found, *((f"${name}[{keys[0]}]", line) for keys, _, line in self.elements(name))]

    def calls(self, name: str) -> list[tuple[list[Any], int, int]]:
        """Calls of a function, a class or a method: its arguments, the number of its token, its line.

        Arguments that are more than data are :data:`NOTHING`."""
        return [(self.arguments(i + 2), i, line) for i, _, line in self.named(name) if self.text(i + 1) == "("]

    def arguments(self, at: int) -> list[Any]:
        """The arguments from a token on, until the bracket closes."""
        values: list[Any] = []
        while self.text(at) not in (")", "") and len(values) <= 60:
            value, after = self.value(at)
            at = self.skip(at if value is NOTHING else after)
            values.append(value)
            if self.text(at) != ",":
                break
            at += 1
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
            value, after = self._joined(at, 0)
        except NotLiteral:
            return NOTHING, at + 1
        if self.text(after) not in (",", ")", "]", ";", "=>", ""):
            return NOTHING, at + 1  # an expression goes on
        return value, after

    def _joined(self, at: int, depth: int) -> tuple[Any, int]:
        """A literal, or several that are put together with ``.``, or a number that is shifted (``1<<2``)."""
        value, at = self._value(at, depth)
        if isinstance(value, int) and self.text(at) == "<<":
            by, at = self._value(at + 1, depth)
            if not isinstance(by, int) or not 0 <= by <= MOST_BITS:
                raise NotLiteral
            value <<= by
        parts, length = [value], 0
        while self.text(at) == "." and isinstance(parts[-1], str | int):
            more, at = self._value(at + 1, depth)
            parts.append(more)
            length += len(str(more))
            if not isinstance(more, str | int) or length > LONGEST:
                raise NotLiteral
        return ("".join(map(str, parts)) if len(parts) > 1 else value), at

    def _value(self, at: int, depth: int) -> tuple[Any, int]:
        if at >= len(self.tokens) or depth > DEEPEST:
            raise NotLiteral
        token, after = self.tokens[at], self.text(at + 1)
        word = token.text.lower()
        if token.kind == "string":
            return unquoted(token.text), at + 1
        if token.kind == "number":
            return _number(token.text), at + 1
        if token.text == "-" and after and self.tokens[at + 1].kind == "number":
            return -_number(after), at + 2
        if word in LITERALS:
            return LITERALS[word], at + 1
        if word == "array" and after == "(":
            return self._array(at + 2, ")", depth)
        if token.text == "[":
            return self._array(at + 1, "]", depth)
        if token.kind == "name" and after == "::":
            at += 2  # the constant of a class
        if self.text(at) in self.constants:
            return self.constants[self.text(at)], at + 1
        raise NotLiteral

    def _array(self, at: int, end: str, depth: int) -> tuple[list[Any] | dict[Any, Any], int]:
        """An array: a list where its keys count up from 0."""
        found: dict[Any, Any] = {}
        free = 0  # the number that an item without a key gets
        while self.text(at) != end:
            value, at = self._joined(at, depth + 1)
            key: Any = free
            if self.text(at) == "=>":
                key = value
                value, at = self._joined(at + 1, depth + 1)
            if isinstance(key, list | dict) or self.text(at) not in (",", end):
                raise NotLiteral
            if isinstance(key, int):
                free = max(free, key + 1)
            found[key] = value
            at += self.text(at) == ","
        counted = all(key is not True and key is not False and key == i for i, key in enumerate(found))
        return (list(found.values()) if counted else found), at + 1


def _number(text: str) -> int | float:
    if len(text) > 15:
        raise NotLiteral
    return float(text) if "." in text else int(text)


def unquoted(text: str) -> str:
    """What a quoted string says.

    :raises NotLiteral: if a variable is put in."""
    body = text[1:-1]
    if text[0] == "'":
        return re.sub(r"\\(['\\])", r"\1", body)
    if re.search(r"(?<!\\)\$[A-Za-z_{]|\{\$", body):
        raise NotLiteral  # a variable is put in
    return re.sub(r"\\([\"\\$])", r"\1", body).replace("\\n", "\n").replace("\\t", "\t")


# --- names in the tables


def plain(name: str) -> str:
    """A name as people read it: the tables escape some for HTML, and quotes for SQL."""
    return " ".join(html.unescape(name).replace("\\'", "'").replace('\\"', '"').split())


def key_of(name: str) -> str:
    """A territory's name as the key of its place: other marks for those that part keys from coasts and rules."""
    return plain(name).replace("/", "\u2215").replace("@", "\uff20")


def name_of(key: str) -> str:
    """Return a name with the signs that :func:`key_of` replaced in its key."""
    return key.replace("\u2215", "/").replace("\uff20", "@")
