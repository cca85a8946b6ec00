"""Java objects that were written as XML (JSX), read as a plain graph: no class is known here, and nothing is made.

``object`` has a class, fields and what its class wrote besides; ``array`` and ``collection`` hold values; ``string``
and ``primitive`` are values; ``reference`` names an object that stood before; ``null`` is none."""

from collections.abc import Iterator
from typing import Any

import msgspec

from legation.interop.xml_tree import XmlReader, XmlRefused

COUNTS = {"java.util.HashMap": 2, "java.util.LinkedHashMap": 2, "java.util.Hashtable": 2, "java.util.TreeMap": 1}
"""How many numbers a map writes before its keys and values."""
SILENT = frozenset(["default", "declaredClass"])


class JavaObject(msgspec.Struct, eq=False):
    """An object: its class, its fields by name, and the values that it holds."""

    kind: str
    fields: dict[str, Any] = {}
    values: list[Any] = []

    def get(self, *path: str) -> Any:
        """The value of a field of a field ...; None where one is missing."""
        value: Any = self
        for name in path:
            value = value.fields.get(name) if isinstance(value, JavaObject) else None
        return value

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """Keys and values of a map."""
        values = self.values[COUNTS.get(self.kind, 0) :]
        return zip(values[::2], values[1::2], strict=False)


class JavaObjects(XmlReader):
    """Reads the objects of a document; ``known`` are those that have a name, in the order in which they begin."""

    deepest = 20_000  # provinces stand in provinces
    most_elements = 800_000

    def __init__(self) -> None:
        super().__init__()
        self.known: dict[str, Any] = {}
        self.open: list[JavaObject] = []
        self.begun = False

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        """Put the value of an element that begins where it belongs: a field or an item."""
        if not self.begun:
            if name != "jsx":
                raise XmlRefused(f"begins with {name[:40]}, and not with jsx")
            self.begun = True
            return
        if name in SILENT:
            return
        value = self.value(name, attributes)
        field = attributes.get("field")
        if self.open and field is None:
            self.open[-1].values.append(value)
        elif self.open and field is not None:
            self.open[-1].fields[field] = value
        if isinstance(value, JavaObject) and name != "reference":
            self.open.append(value)
        if (key := attributes.get("id")) is not None:
            self.known[key] = value

    def value(self, name: str, attributes: dict[str, str]) -> Any:
        """The value of an element."""
        match name:
            case "object" | "collection" | "array":
                return JavaObject(attributes.get("class") or attributes.get("base", ""), {}, [])
            case "reference":
                key = attributes.get("idref", "")
                if key not in self.known:
                    raise XmlRefused(f"refers to {key[:40]!r}, and no object before is called so")
                return self.known[key]
            case "string":
                return attributes.get("value", "")
            case "primitive":
                return _primitive(attributes.get("type", ""), attributes.get("value", ""))
            case "null":
                return None
        raise XmlRefused(f"holds an element {name[:40]!r}, which is none of such a file")

    def closed(self, name: str) -> None:
        """Go on with the object around one that ends."""
        if name in ("object", "collection", "array"):
            self.open.pop()


def _primitive(kind: str, text: str) -> Any:
    if kind == "boolean":
        return text == "true"
    if kind in ("int", "long", "short", "byte"):
        if not text.removeprefix("-").isdecimal() or len(text) > 20:
            raise XmlRefused(f"{text[:40]!r} isn't a whole number")
        return int(text)
    return text
