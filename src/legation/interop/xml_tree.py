"""XML as a plain tree, read without fetching anything and without expanding anything that grows.

A document type is allowed, since old files have one, and is never followed. Entities that are a short text are
replaced; entities that name others, or a file, are refused where they are used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.parsers import expat

import msgspec

from legation.interop.sources import ForeignFileError

DEEPEST = 120
MOST_ELEMENTS = 150_000
LONGEST_ENTITY = 300
MOST_TEXT = 32 * 1024 * 1024


class Element(msgspec.Struct):
    """An element: its name without prefix, its attributes (without prefixes), its own text, its children."""

    name: str
    attributes: dict[str, str]
    text: str = ""
    children: list[Element] = []
    line: int = 0

    def get(self, attribute: str, default: str = "") -> str:
        """An attribute's value, without blanks around it."""
        return self.attributes.get(attribute, default).strip()

    def words(self, attribute: str) -> list[str]:
        """The words of an attribute; blanks or commas part them."""
        return self.get(attribute).replace(",", " ").split()

    def all(self, *names: str) -> Iterator[Element]:
        """All elements of these names below this one, in order."""
        for child in self.children:
            if child.name in names:
                yield child
            yield from child.all(*names)

    def first(self, name: str) -> Element | None:
        """The first element of this name below this one."""
        return next(self.all(name), None)

    def own(self, name: str) -> list[Element]:
        """The children of this name."""
        return [child for child in self.children if child.name == name]


class XmlRefused(Exception):
    """Stops the parser, with what is refused."""


def parse_xml(data: bytes, where: str) -> Element:
    """The root of a document.

    :raises ForeignFileError: if it isn't XML, or more than a map may be."""
    reader = _Tree()
    reader.read(data, where)
    assert reader.root is not None  # else the parser would have found no element
    return reader.root


def _decodable(data: bytes) -> bytes:
    """The document, in UTF-8 if it is in no encoding that it names."""
    try:
        data.decode()
    except UnicodeDecodeError:
        if re.match(rb"\s*<\?xml[^>]{0,100}encoding", data) is None and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
            data = data.decode("latin-1").encode()  # says that it is UTF-8, and was written by an older editor
    return data


class XmlReader:
    """Reads a document element by element, within bounds: a subclass takes what it needs at :meth:`opened`, and at
    :meth:`closed`."""

    deepest = DEEPEST
    most_elements = MOST_ELEMENTS

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()  # noqa: TID251
        self.parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.CharacterDataHandler = self._characters
        self.parser.EntityDeclHandler = _check_entity
        self.parser.ExternalEntityRefHandler = _refuse_file
        self.depth = self.count = self.length = 0

    def read(self, data: bytes, where: str) -> None:
        """Read a whole document.

        :raises ForeignFileError: if it isn't XML, or more than it may be."""
        try:
            self.parser.Parse(_decodable(data), True)
        except XmlRefused as error:
            raise ForeignFileError(f"{where}:{self.parser.CurrentLineNumber}: {error}") from None
        except expat.ExpatError as error:
            message = expat.errors.messages.get(error.code, "no XML")
            raise ForeignFileError(f"{where}:{error.lineno}: cannot be read as XML ({message})") from None
        except (ValueError, LookupError, UnicodeError) as error:
            raise ForeignFileError(f"{where}: cannot be read as XML ({error})") from None

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins; names are without prefixes."""

    def closed(self, name: str) -> None:
        """An element ends."""

    def said(self, text: str) -> None:
        """Text within an element."""

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > self.most_elements:
            raise XmlRefused(f"holds more than {self.most_elements} elements")
        if self.depth >= self.deepest:
            raise XmlRefused(f"is nested deeper than {self.deepest}")
        self.depth += 1
        self._bound(sum(map(len, attributes.values())))
        plain = {key.rpartition(":")[2]: value for key, value in attributes.items() if not key.startswith("xmlns")}
        self.opened(name.rpartition(":")[2], plain)

    def _end(self, name: str) -> None:
        self.depth -= 1
        self.closed(name.rpartition(":")[2])

    def _characters(self, text: str) -> None:
        self._bound(len(text))
        self.said(text)

    def _bound(self, more: int) -> None:
        self.length += more
        if self.length > MOST_TEXT:
            raise XmlRefused("becomes too large when its entities are expanded")


def _check_entity(name: str, parameter: bool, value: str | None, *_: str | None) -> None:
    """Refuse an entity that is made of others, or is long; one of another file is refused where it is used."""
    if not parameter and value is not None and ("&" in value or "%" in value or len(value) > LONGEST_ENTITY):
        raise XmlRefused(f"the entity {name[:40]!r} is made of others or is long; put its text in its place")


def _refuse_file(context: str, base: str | None, system: str | None, public: str | None) -> int:
    raise XmlRefused(f"uses an entity of another file ({str(system)[:60]!r}), which is never read")


class _Tree(XmlReader):
    def __init__(self) -> None:
        super().__init__()
        self.root: Element | None = None
        self.open: list[Element] = []

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        element = Element(name, attributes, line=self.parser.CurrentLineNumber)
        if self.open:
            self.open[-1].children.append(element)
        else:
            self.root = element
        self.open.append(element)

    def closed(self, name: str) -> None:
        self.open.pop()

    def said(self, text: str) -> None:
        if self.open and len(self.open[-1].text) < 200_000:
            self.open[-1].text += text
