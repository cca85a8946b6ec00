"""The results of a game as an Atom feed (RFC 4287)."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape

import msgspec

ATOM = "http://www.w3.org/2005/Atom"
UNWRITTEN = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what XML 1.0 cannot bear


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """Results of a turn. ``key`` never changes, ``updated`` does with the final results; ``report``: plain text."""

    key: str
    title: str
    published: datetime
    updated: datetime
    report: str
    url: str = ""


def results_feed(
    title: str,
    identity: str,
    results: Sequence[Published],
    *,
    url: str = "",
    feed_url: str = "",
    author: str = "Legation",
    began: datetime,
) -> bytes:
    """Return the Atom feed, newest results first.

    ``identity`` and the results' keys are URIs or parts of them that never change; ``began`` dates a feed without
    results."""
    ET.register_namespace("", ATOM)
    feed = ET.Element(f"{{{ATOM}}}feed")
    _text(feed, "title", title)
    _text(feed, "id", identity)
    _text(feed, "updated", _stamp(max((r.updated for r in results), default=began)))
    _text(ET.SubElement(feed, f"{{{ATOM}}}author"), "name", author)
    _link(feed, "self", feed_url)
    _link(feed, "alternate", url)
    for result in sorted(results, key=lambda r: r.published, reverse=True):
        entry = ET.SubElement(feed, f"{{{ATOM}}}entry")
        _text(entry, "title", result.title)
        _text(entry, "id", f"{identity}/{result.key}")
        _text(entry, "published", _stamp(result.published))
        _text(entry, "updated", _stamp(result.updated))
        _link(entry, "alternate", result.url)
        content = ET.SubElement(entry, f"{{{ATOM}}}content", type="html")
        content.text = f"<pre>{escape(UNWRITTEN.sub(' ', result.report), quote=False)}</pre>"
    document: bytes = ET.tostring(feed, encoding="utf-8", xml_declaration=True)
    return document


def _text(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, f"{{{ATOM}}}{name}").text = UNWRITTEN.sub(" ", text)


def _link(parent: ET.Element, relation: str, url: str) -> None:
    if url:
        ET.SubElement(parent, f"{{{ATOM}}}link", rel=relation, href=UNWRITTEN.sub("", url))


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
