"""HTML in mails as text: what stands in it, line by line, with quotations and what is struck out marked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import nh3

from legation.notation.layout import STRUCK

MOST_HTML = 400_000  # characters of a text that is HTML, most of which is markup
DEEPEST_HTML = 500  # tags of it that are open at the same time; browsers end there, too


_HIDES = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|opacity\s*:\s*0(?:\.0{0,3})?(?![.\d])"
    r"|max-height\s*:\s*0(?![.\d])|(?<![\w-])color\s*:\s*transparent"
)
"""Styles of text that nobody sees."""
_SIZE = re.compile(r"font-size\s*:\s*(0(?![.\d]))?")
"""A size of text, which what is within may change again: none at all, or another."""
_KEEPS_LINES = re.compile(r"white-space(?:-collapse)?\s*:\s*(?:pre|break-spaces)")
"""Styles of text that is shown in the lines in which it is written, as in ``pre``."""
PICTURE_DATA = re.compile(r"data:[\w.+-]{1,60}/[\w.+-]{1,60};base64,[\w+/=%]+")
"""A picture that stands within HTML."""
_STRIKING = re.compile(r"\.([\w-]{1,60})\s{0,3}\{[^{}]{0,300}line-through", re.IGNORECASE)
"""A class of a style sheet that strikes out."""


class _Text(HTMLParser):
    """HTML as lines of text: blocks on lines of their own, quotations and what is struck out marked, scripts, styles
    and what is hidden left out."""

    BLOCKS = frozenset("p div br li tr table h1 h2 h3 h4 h5 h6 ul ol blockquote pre section article hr".split())
    HIDDEN = frozenset("script style head title template".split())
    STRIKES = frozenset("s strike del".split())
    VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())
    MOST_NESTED = 50

    def __init__(self, striking: frozenset[str] = frozenset()) -> None:
        super().__init__(convert_charrefs=True)
        self.striking = striking  # the classes that a style sheet strikes out
        self.lines: list[str] = []
        self.line: list[str] = []  # the one that is written now, in pieces
        self.quoted = 0
        self.hidden: list[str] = []  # the tags that are open from the first on that hides
        self.struck: list[str] = []  # the tags that are open from the first on that strikes out
        self.sizeless: list[bool] = []  # of each tag that is open, whether its text has no size
        self.rows: list[list[int]] = []  # of each row that is open, the lines with which its cells begin
        self.in_lines: list[str] = []  # the tags that are open from the first on that keeps the lines of its text

    def _break(self) -> None:
        if self.line:
            if self.struck:
                self.line.append(STRUCK)
            self.lines.append("".join(self.line).rstrip())
            self.line = []

    def close(self) -> None:
        super().close()
        self._break()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: (value or "").lower() for name, value in attrs}
        hides = tag in self.HIDDEN or "hidden" in said or _HIDES.search(said.get("style", "")) is not None
        if tag not in self.VOID and (self.hidden or hides):
            self.hidden.append(tag)
        if tag in self.BLOCKS:
            self._break()
        keeps = tag == "pre" or _KEEPS_LINES.search(said.get("style", "")) is not None
        if tag not in self.VOID and (self.in_lines or keeps) and len(self.in_lines) < self.MOST_NESTED:
            self.in_lines.append(tag)
        if tag == "blockquote":
            self.quoted = min(self.quoted + 1, self.MOST_NESTED)
        if tag not in self.VOID:
            size = _SIZE.search(said.get("style", ""))
            self.sizeless.append(size[1] is not None if size else bool(self.sizeless and self.sizeless[-1]))
        if tag == "li":
            self._add("- ")
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th") and self.rows:
            self._break()
            self.rows[-1].append(len(self.lines))
        strikes = tag in self.STRIKES or "line-through" in said.get("style", "")
        strikes = strikes or not self.striking.isdisjoint(said.get("class", "").split())
        if tag not in self.VOID and (self.struck or strikes) and len(self.struck) < self.MOST_NESTED:
            if not self.struck and self.line:
                self.line.append(STRUCK)
            self.struck.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.hidden:
            while self.hidden.pop() != tag:
                pass
        if tag in self.in_lines:
            while self.in_lines.pop() != tag:
                pass
        if tag in self.struck:
            while self.struck.pop() != tag:
                pass
            if not self.struck and self.line:
                self.line.append(STRUCK)
        if tag in self.BLOCKS:
            self._break()
        if self.sizeless:
            self.sizeless.pop()
        if tag == "tr" and self.rows:
            self._join(self.rows.pop())
        if tag == "blockquote":
            self.quoted = max(0, self.quoted - 1)

    def _join(self, cells: list[int]) -> None:
        """Make one line of a row's cells where each of them is a line at most."""
        ends = [*cells[1:], len(self.lines)]
        if len(cells) > 1 and all(end - begin <= 1 for begin, end in zip(cells, ends, strict=True)):
            first, *others = self.lines[cells[0] :] or [""]
            mark = "> " * self.quoted
            self.lines[cells[0] :] = [
                line for line in [" ".join([first, *(o.removeprefix(mark) for o in others)])] if line
            ]

    def handle_data(self, data: str) -> None:
        if self.hidden or (self.sizeless and self.sizeless[-1]):
            return
        first, *others = data.split("\n") if self.in_lines else [data]
        self._add(first)
        for line in others:
            self._break()
            self._add(line)

    def _add(self, text: str) -> None:
        text = _one_blank(text)
        if not self.line:
            text = text.lstrip()
            if text:
                self.line.append("> " * self.quoted + (STRUCK if self.struck else ""))
        if text:
            self.line.append(text)


def _one_blank(text: str) -> str:
    """The text with one blank for each run of them."""
    inner = " ".join(text.split())
    if not inner:
        return " " if text else ""
    return (" " if text[0].isspace() else "") + inner + (" " if text[-1].isspace() else "")


def _well_formed(html: str) -> str:
    """HTML in which every tag is closed, as browsers read it, without scripts and comments, however broken it was."""
    return nh3.clean(
        html,
        tags=set(_Text.BLOCKS | _Text.STRIKES | {"span", "b", "i", "u", "em", "strong", "font", "td", "th", "tbody"}),
        attributes={"*": {"style", "hidden", "class"}},
        clean_content_tags={"script", "style", "title", "template"},
    )


_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)", re.IGNORECASE)
_ENDS_ITSELF = frozenset("p li dd dt tr td th thead tbody tfoot option".split())
"""Tags that may stay open: the next of their kind ends them."""


def _shallow(html: str) -> str:
    """HTML up to where more than ``DEEPEST_HTML`` tags are open: the parser takes quadratic time over them.

    A tag is ended by its own end alone, right behind what it holds; a parser may pass over any other.
    """
    opened: list[str] = []
    for tag in _TAG.finditer(html):
        name = tag[2].lower()
        if name in _Text.VOID or name in _ENDS_ITSELF:
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


def html_as_text(html: str) -> str:
    """The text of an HTML document, quotations marked by ``> ``."""
    parser = _Text(frozenset(name.lower() for name in _STRIKING.findall(html[:MOST_HTML])))
    parser.feed(_well_formed(_shallow(shown_html(html)[:MOST_HTML])))
    parser.close()
    return "\n".join(parser.lines).strip("\n")
