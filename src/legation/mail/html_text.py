"""HTML in mails as text: what stands in it, line by line, with quotations and what is struck out marked."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

import msgspec
import nh3

from legation.notation.layout import STRUCK

MOST_HTML = 400_000  # characters of a text that is HTML, most of which is markup
DEEPEST_HTML = 500  # tags of it that are open at the same time; browsers end there, too
MOST_NESTED = 50  # quotations

BLOCKS = frozenset("p div br li tr table h1 h2 h3 h4 h5 h6 ul ol blockquote pre section article hr".split())
STRIKES = frozenset("s strike del".split())
INLINE = frozenset("span b i u em strong font td th tbody".split())
PICTURE_DATA = re.compile(r"data:[\w.+-]{1,60}/[\w.+-]{1,60};base64,[\w+/=%]+")  # a picture that stands within HTML
_STYLES = {
    "hides": re.compile(
        r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|opacity\s*:\s*0(?:\.0{0,3})?(?![.\d])"
        r"|max-height\s*:\s*0(?![.\d])|(?<![\w-])color\s*:\s*transparent"
    ),
    "none": re.compile(r"font-size\s*:\s*0(?![.\d])"),
    "sized": re.compile(r"font-size\s*:"),
    "lines": re.compile(r"white-space(?:-collapse)?\s*:\s*(?:pre|break-spaces)"),
    "struck": re.compile(r"line-through"),
}
"""Styles of text that nobody sees; of no size at all, or of one, which what is within may change again; in the lines in
which it is written, as in ``pre``; and struck out."""
_STRIKING = re.compile(r"\.([\w-]{1,60})\s{0,3}\{[^{}]{0,300}line-through", re.IGNORECASE)
"""A class of a style sheet that strikes out."""
_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)", re.IGNORECASE)
_OPEN_ENDED = frozenset("area base br col embed hr img input link meta source track wbr".split()) | frozenset(
    "p li dd dt tr td th thead tbody tfoot option".split()
)
"""Tags that hold nothing, or may stay open: the next of their kind ends them."""
_VOID = re.compile(r"<(br|hr)\b([^<>]*)>")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Shown(msgspec.Struct, frozen=True):
    """How the text within a tag is shown."""

    quoted: int = 0
    struck: bool = False
    none: bool = False
    lines: bool = False
    depth: int = 0


class _Text:
    """Lines of text while they are written: each block on lines of its own."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._line: list[str] = []  # the one that is written now, in pieces
        self._struck = False

    def end(self) -> None:
        """End the line."""
        if self._line:
            self.lines.append("".join([*self._line, STRUCK if self._struck else ""]).rstrip())
            self._line, self._struck = [], False

    def write(self, text: str | None, shown: _Shown) -> None:
        """Go on with the line, or with several where their ends are kept."""
        if not text or shown.none:
            return
        for number, line in enumerate(text.split("\n") if shown.lines else [text]):
            if number:
                self.end()
            self._add(line, shown)

    def _add(self, text: str, shown: _Shown) -> None:
        inner = " ".join(text.split())
        before, after = (" " if text[at : at + 1 or None].isspace() else "" for at in (0, -1))
        if not inner:
            self._line += [" "] if text and self._line else []
            return
        if not self._line:
            self._line, before = ["> " * shown.quoted], ""
        if shown.struck != self._struck:
            self._line.append(STRUCK)
            self._struck = shown.struck
        self._line.append(before + inner + after)

    def join(self, cells: list[int]) -> None:
        """Make one line of a row's cells, which begin with these lines, where each is a line at most."""
        ends = [*cells[1:], len(self.lines)]
        if len(cells) > 1 and all(end - begin <= 1 for begin, end in zip(cells, ends, strict=True)):
            first, *others = self.lines[cells[0] :] or [""]
            row = " ".join([first, *(other.lstrip("> ") if first.startswith(">") else other for other in others)])
            self.lines[cells[0] :] = [row] if row else []


def html_as_text(html: str) -> str:
    """The text of an HTML document, quotations marked by ``> ``."""
    striking = frozenset(name.lower() for name in _STRIKING.findall(html[:MOST_HTML]))
    clean = _well_formed(_shallow(shown_html(html)[:MOST_HTML]), striking)
    text = _Text()
    tree = ElementTree.fromstring(f"<div>{clean}</div>")  # noqa: TID251 (written above, and shallow)
    _walk(tree, _Shown(), text)
    text.end()
    return "\n".join(text.lines).strip("\n")


def _walk(node: ElementTree.Element, shown: _Shown, text: _Text) -> None:
    tag, style = node.tag, node.get("style", "").split()
    if tag in BLOCKS:
        text.end()
    if "hidden" in node.attrib or "hides" in style or shown.depth > DEEPEST_HTML:
        return
    shown = _Shown(
        min(shown.quoted + (tag == "blockquote"), MOST_NESTED),
        shown.struck or tag in STRIKES or "struck" in style or "class" in node.attrib,
        "none" in style or (shown.none and "sized" not in style),
        shown.lines or tag == "pre" or "lines" in style,
        shown.depth + 1,
    )
    if tag == "li":
        text.write("- ", shown)
    text.write(node.text, shown)
    cells: list[int] = []
    for inner in node:
        if tag == "tr" and inner.tag in ("td", "th"):
            text.end()
            cells.append(len(text.lines))
        _walk(inner, shown, text)
        text.write(inner.tail, shown)
    if tag in BLOCKS:
        text.end()
    text.join(cells)


def _well_formed(html: str, striking: frozenset[str]) -> str:
    """HTML as XML, in which every tag is closed as browsers read it, without scripts and comments, however broken it
    was: of its styles the names in ``_STYLES``, of its classes only those that are ``striking``."""

    def kept(_tag: str, name: str, value: str) -> str | None:
        value = value.lower()
        if name == "style":
            return " ".join(known for known, form in _STYLES.items() if form.search(value))
        return None if name == "class" and striking.isdisjoint(value.split()) else ""

    clean = nh3.clean(
        html,
        tags=set(BLOCKS | STRIKES | INLINE),
        attributes={"*": {"style", "hidden", "class"}},
        attribute_filter=kept,
        clean_content_tags={"script", "style", "title", "template"},
    )
    return _NOT_XML.sub("", _VOID.sub(r"<\1\2/>", clean).replace("&nbsp;", " "))


def _shallow(html: str) -> str:
    """HTML up to where more than ``DEEPEST_HTML`` tags are open: the parser takes quadratic time over them.

    A tag is ended by its own end alone, right behind what it holds; a parser may pass over any other."""
    opened: list[str] = []
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        if name in _OPEN_ENDED:
            continue
        if not tag[1]:
            opened.append(name)
        elif opened and opened[-1] == name:
            opened.pop()
        if len(opened) > DEEPEST_HTML:
            return html[: tag.start()]
    return html


def shown_html(html: str) -> str:
    """HTML without what shows no words and may be long: pictures within it, style sheets, comments."""
    html = PICTURE_DATA.sub("", html)
    for begin, end in (("<style", "</style>"), ("<!--", "-->")):
        html = "".join(_outside(html, begin, end))
    return html


def _outside(html: str, begin: str, end: str) -> Iterator[str]:
    """The pieces of HTML that stand outside two marks; all that follows where the second is missing."""
    folded = html.lower() if html.isascii() else html
    at = 0
    while (first := folded.find(begin, at)) >= 0 and (last := folded.find(end, first)) >= 0:
        yield html[at:first]
        at = last + len(end)
    yield html[at:]
