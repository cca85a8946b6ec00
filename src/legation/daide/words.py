"""The words of DAIDE as two bytes each, messages as nested lists of them, and frames as they go over the wire."""

import struct
from asyncio import StreamReader
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from legation.formats import read_rows

Message: TypeAlias = list[Any]  # words, numbers, texts and lists of these in brackets

OPEN, CLOSE = 0x4000, 0x4001
CHARACTER = 0x4B00
LARGEST_NUMBER = 1 << 13
DEEPEST = 16  # brackets within brackets
LONGEST = 1 << 14  # bytes of a message
INITIAL, REPRESENTATION, DIPLOMACY, FINAL, FAULT = range(5)
MAGIC, VERSION = 0xDA10, 1
NOT_FIRST, WRONG_ENDIAN, WRONG_MAGIC, WRONG_VERSION, SECOND_INITIAL = 0x02, 0x03, 0x04, 0x05, 0x06
UNKNOWN, TOO_SHORT, WRONG_TOKEN = 0x08, 0x09, 0x0E
HEAD = struct.Struct(">BxH")


class Text(str):
    """A text in quotation marks."""

    __slots__ = ()


class WordsError(ValueError):
    """Bytes that aren't a message."""


class FrameError(Exception):
    """A frame that ends the connection, with its code."""

    def __init__(self, code: int) -> None:
        super().__init__(f"frame error {code:#04x}")
        self.code = code


@cache
def common_words() -> Mapping[str, int]:
    """The words that every game has, and those of the standard board."""
    text = files("legation.daide").joinpath("tokens.csv").read_text("utf-8")
    return {row["word"]: int(row["token"], 16) for row in read_rows(text)}


def is_of_board(token: int) -> bool:
    """Whether a token is a power's or a province's, which each board has its own of."""
    return token >> 8 == 0x41 or 0x50 <= token >> 8 <= 0x57


class Vocabulary:
    """The words of a game: the common ones, with powers and provinces of its own board."""

    def __init__(self, own: Mapping[str, int]) -> None:
        shared = {word: token for word, token in common_words().items() if not is_of_board(token)}
        self.tokens: dict[str, int] = {**shared, **own}
        self.names = {token: word for word, token in self.tokens.items()}

    def encode(self, message: Sequence[Any]) -> bytes:
        """Return a message encoded as DAIDE tokens, two bytes each."""
        tokens: list[int] = []
        self._add(message, tokens)
        return struct.pack(f">{len(tokens)}H", *tokens)

    def _add(self, message: Sequence[Any], tokens: list[int]) -> None:
        for part in message:
            if isinstance(part, Text):
                tokens += [CHARACTER | byte for byte in part.encode("ascii", "replace")]
            elif isinstance(part, str):
                tokens.append(self.tokens[part])
            elif isinstance(part, int):
                tokens.append(part & 0x3FFF)
            else:
                tokens.append(OPEN)
                self._add(part, tokens)
                tokens.append(CLOSE)

    def decode(self, content: bytes) -> Message:
        """Return the message that some bytes say. Raises FrameError for an unknown word, and WordsError for brackets
        that don't match, or are nested too deep."""
        if len(content) % 2:
            raise FrameError(TOO_SHORT)
        top: Message = []
        levels: list[Message] = [top]
        for (token,) in struct.iter_unpack(">H", content):
            here = levels[-1]
            if token == OPEN:
                if len(levels) > DEEPEST:
                    raise WordsError("brackets are nested too deeply")
                here.append([])
                levels.append(here[-1])
            elif token == CLOSE:
                if len(levels) == 1:
                    raise WordsError("a closing bracket has no opening bracket")
                levels.pop()
            elif token < 0x4000:
                here.append(token - (token >= LARGEST_NUMBER) * 2 * LARGEST_NUMBER)
            elif token & 0xFF00 == CHARACTER:
                if here and isinstance(here[-1], Text):
                    here[-1] = Text(here[-1] + chr(token & 0x7F))
                else:
                    here.append(Text(chr(token & 0x7F)))
            elif token in self.names:
                here.append(self.names[token])
            else:
                raise FrameError(WRONG_TOKEN)
        if len(levels) > 1:
            raise WordsError("a bracket is not closed")
        return top


def frame(kind: int, content: bytes = b"") -> bytes:
    """A frame of the wire."""
    return HEAD.pack(kind, len(content)) + content


async def read_frame(source: StreamReader) -> tuple[int, bytes]:
    """The next frame: its kind and content. Raises FrameError for a kind that there is not, or too much, and EOFError
    when the connection has ended."""
    kind, length = HEAD.unpack(await source.readexactly(HEAD.size))
    if kind > FAULT:
        raise FrameError(UNKNOWN)
    if length > LONGEST:
        raise FrameError(TOO_SHORT)
    return kind, await source.readexactly(length)


def check_initial(kind: int, content: bytes) -> None:
    """Whether a first frame opens a connection. Raises FrameError where it does not."""
    if kind != INITIAL:
        raise FrameError(NOT_FIRST)
    if len(content) != 4:
        raise FrameError(TOO_SHORT)
    version, magic = struct.unpack(">HH", content)
    if magic == 0x10DA:
        raise FrameError(WRONG_ENDIAN)
    if magic != MAGIC:
        raise FrameError(WRONG_MAGIC)
    if version != VERSION:
        raise FrameError(WRONG_VERSION)
