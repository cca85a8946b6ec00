"""Messages of templates: the sentences that one shows, found in its parse tree, and put back in another language.

A template stays as it is written, in English. A message is a run of text with what is shown within it: expressions are
``{name}``, tags within a sentence are ``<a>``. Words in expressions ("Map of " ~ title) are messages, too."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from jinja2 import nodes

from legation.languages.catalogs import LABELS, is_quoted
from legation.web.languages.scripts import free_name

INLINE = frozenset("a abbr b code em i kbd q small span strong time u".split())
"""Tags that stand within sentences; all others part them."""
SHOWN = frozenset(["alt", "aria-label", "placeholder", "title", "aria-description"])
"""Attributes that people read or hear."""
SILENT = frozenset(["script", "style", "textarea"])
"""Elements whose content is no text of ours."""
_FIRST = 0xE000
_EXPRESSION = re.compile("([\ue000-\uf8ff])")
"""What stands for an expression in the text of an output."""
_TAG = re.compile(r"<[^>]*>?")
_MARKUP = re.compile(r"""<[^<>"']*(?:"[^"]*"[^<>"']*)*(?:>|")?""")
"""A tag, or what of one comes before the text of its last attribute."""
_ATTRIBUTE = re.compile(r"""(?<![\w-])([\w-]+)=(["'])(.*?)\2""", re.DOTALL)
_LETTERS = re.compile(r"[^\W\d_]{2}|\b[IaA]\b")
_WORD_BEFORE = re.compile(r"\b([^\W\d_]+) $")
_MARK = re.compile(r"[:;](?=\s)|[“”]")
_APOSTROPHES = {ord("’"): None, ord("'"): None}
_AMID_FIRST = re.compile(r"[,;:]?\s+[a-z]")
_AMID_LAST = re.compile(r"[\w,]\s+$")
_PLACE = re.compile(r"\{(\w+)\}|</?(\w+)>")
_OPENED = re.compile(r"\s*+[\w-]++=[\"']")
"""How a block or a macro begins that stands within a tag."""
Translate = Callable[[str], str]


class Piece(NamedTuple):
    """A piece of what a template puts out: ``text``, a ``tag``, or an ``expression``, by the sign for it."""

    kind: str
    text: str


class Translator:
    """Walks over a template in the order in which it is shown, and translates its messages in place.

    ``told`` is a filter for what is shown besides: sentences of the program's and names, which get the word of a
    message that they stand ``after``."""

    def __init__(self, translate: Translate, told: str = "", after: Collection[str] = ()) -> None:
        self.translate = translate
        self.told = told
        self.after = after
        self.in_tag = False
        self.silent = ""
        self.expressions: dict[str, nodes.Expr] = {}  # of an output, by the signs for them
        self.shown: set[str] = set()  # those that stand in its text, not in a tag

    def walk(self, node: nodes.Node) -> None:
        """Translate all below a node."""
        if isinstance(node, nodes.Output):
            node.nodes = self._output(node.nodes)
            return
        if isinstance(node, nodes.If):
            state = self.in_tag, self.silent
            self._words(node.test, told=False)
            for branch in (node.body, *(part.body for part in node.elif_), node.else_):
                self.in_tag, self.silent = state
                for child in branch:
                    self.walk(child)
            return
        if isinstance(node, nodes.Block | nodes.Macro):
            first = next((part for part in node.body if isinstance(part, nodes.Output)), None)
            lead = first.nodes[0] if first is not None and first is node.body[0] else None
            inside = self.in_tag
            starts = isinstance(lead, nodes.TemplateData) and _OPENED.match(lead.data) is not None
            self.in_tag = inside or starts
            self._children(node)
            self.in_tag = inside
            return
        self._children(node)

    def _children(self, node: nodes.Node) -> None:
        for child in node.iter_child_nodes():
            if isinstance(child, nodes.Expr):
                self._words(child)
            else:
                self.walk(child)

    def _words(self, node: nodes.Node, *, told: bool = True, stated: bool = False) -> None:
        """Translate the words in an expression: not what is compared, looked up or given to a filter. Those that are
        ``stated`` are told as messages, too, but translated when they are shown."""
        if isinstance(node, nodes.Const) and isinstance(node.value, str) and told and stated and node.value:
            self.translate(node.value)
        elif isinstance(node, nodes.Const) and isinstance(node.value, str) and told and is_message(node.value):
            node.value = self._spaced(node.value)
        stated = stated or (isinstance(node, nodes.Filter) and node.name == "stated")
        for field, value in node.iter_fields():
            parts = value if isinstance(value, list) else [value]
            keeps = isinstance(node, nodes.Compare | nodes.Test | nodes.Getitem | nodes.Getattr | nodes.Pair)
            given = (isinstance(node, nodes.Filter) and field != "node") or (
                isinstance(node, nodes.CondExpr) and field == "test"
            )
            inner = told and not given and not (keeps and field != "value")
            chosen = (nodes.Dict, nodes.List, nodes.Tuple) if isinstance(node, nodes.Getitem) else nodes.Dict
            for part in parts:
                if isinstance(part, nodes.Node) and not (isinstance(node, nodes.Call) and _is_key(part)):
                    self._words(part, told=inner or (told and isinstance(part, chosen)), stated=stated)

    def _spaced(self, text: str) -> str:
        """A translation with the blanks that stand around a text."""
        core = text.strip()
        at = text.index(core) if core else 0
        return text[:at] + self.translate(" ".join(core.split())) + text[at + len(core) :]

    # Output

    def _output(self, parts: Sequence[nodes.Expr]) -> list[nodes.Expr]:
        self.expressions, self.shown = {}, set()
        text = ""
        for part in parts:
            if isinstance(part, nodes.TemplateData):
                text += part.data
            else:
                sign = chr(_FIRST + len(self.expressions))
                self.expressions[sign] = part
                text += sign
        pieces = list(self._pieces(text))
        for sign, part in self.expressions.items():
            words = list(_shown_words(part)) if sign in self.shown else []
            self._words(part)
            for word in words:
                word.value = self._spaced(word.value)
        made: list[nodes.Expr] = []
        for piece in self._translated(pieces):
            bits = _EXPRESSION.split(piece)  # every second one is an expression
            for n, bit in enumerate(bits):
                if n % 2 and self.told and bit in self.shown and not is_quoted(bits[n - 1]):
                    made.append(self._told(self.expressions[bit], made, bits[: n + 2]))
                elif n % 2:
                    made.append(self.expressions[bit])
                elif bit:
                    made.append(nodes.TemplateData(bit))
        return made

    def _told(self, shown: nodes.Expr, made: list[nodes.Expr], bits: list[str]) -> nodes.Expr:
        """An expression with what it stands after: a word of its message, which is told with it."""
        given: list[nodes.Expr] = []
        before, behind = bits[-3], bits[-1]
        first = not _MARKUP.sub("", "".join(bits[:-2])).strip()
        if _LETTERS.search("".join(bits[::2]) + behind) and not (first and behind[:1] in LABELS):
            word = found[1] if (found := _WORD_BEFORE.search(before)) and found[1].lower() in self.after else ""
            if word:
                made[-1] = nodes.TemplateData(before.removesuffix(f"{word} "))
            given = [nodes.Const(word), nodes.Const(first)]
        return nodes.Filter(shown, self.told, given, [], None, None)

    def _pieces(self, text: str) -> Iterator[Piece]:
        """The tags and texts of an output; what is open at its end stays open in the next."""
        at = 0
        if self.in_tag:
            end = text.find(">")
            if end < 0:
                yield Piece("tag", self._tag(text))
                return
            self.in_tag = False
            yield Piece("tag", self._tag(text[: end + 1]))
            at = end + 1
        for found in _TAG.finditer(text, at):
            yield from self._texts(text[at : found.start()])
            self.in_tag = not found[0].endswith(">")
            name = _name_of(found[0])
            if name in SILENT:
                self.silent = name
            elif self.silent and name == "/" + self.silent:
                self.silent = ""
            yield Piece("tag", self._tag(found[0]))
            at = found.end()
        yield from self._texts(text[at:])

    def _texts(self, text: str) -> Iterator[Piece]:
        if self.silent:
            yield from [Piece("tag", text)] if text else []
            return
        self.shown.update(_EXPRESSION.findall(text))
        yield from _bits(text)

    def _tag(self, tag: str) -> str:
        def put(found: re.Match[str]) -> str:
            name, quote, value = found.groups()
            if name not in SHOWN or not _LETTERS.search(value):
                return found[0]
            self.shown.update(_EXPRESSION.findall(value))
            message, places = _with_places(_bits(value), self.expressions)
            return f"{name}={quote}{_put_back(self._spaced(message), message, places)}{quote}"

        return _ATTRIBUTE.sub(put, tag)

    def _translated(self, pieces: list[Piece]) -> Iterator[str]:
        """The pieces as text again, each message in one."""
        run: list[Piece] = []
        for piece in pieces:
            if piece.kind == "tag" and _name_of(piece.text).strip("/") not in INLINE:
                yield from self._message(run)
                run = []
                yield piece.text
            else:
                run.append(piece)
        yield from self._message(run)

    def _message(self, run: list[Piece]) -> Iterator[str]:
        """A run of pieces, the message in its middle translated: what stands around it without letters stays."""
        told = [n for n, piece in enumerate(run) if piece.kind == "text" and _LETTERS.search(piece.text)]
        if len(run) == 1 and _is_name(run[0].text.strip()):
            told = []
        if not told:
            yield from map(self._marked, run)
            return
        first, last = _balanced(run, *_whole(run, told[0], told[-1]))
        yield from map(self._marked, run[:first])
        message, places = _with_places(run[first : last + 1], self.expressions)
        core = message.strip()
        at = message.index(core)
        yield message[:at]
        yield _put_back(self.translate(" ".join(core.split())), core, places)
        yield message[at + len(core) :]
        yield from map(self._marked, run[last + 1 :])

    def _marked(self, piece: Piece) -> str:
        """A piece that stands between messages, with its marks as the language sets them."""
        text = piece.text
        return _MARK.sub(lambda mark: self.translate(mark[0]), text) if piece.kind == "text" else text


def _bits(text: str) -> list[Piece]:
    """The texts and expressions of a text."""
    return [Piece("expression" if n % 2 else "text", bit) for n, bit in enumerate(_EXPRESSION.split(text)) if bit]


def is_message(text: str) -> bool:
    """Whether words in an expression are for people: they begin with a capital or have a blank between words."""
    first, _, rest = text.strip().partition(" ")
    word = first.rstrip(",.:;!?…").translate(_APOSTROPHES)
    named = word[:1].isupper() and word[1:].islower()
    return named or (first[:1].isalpha() and any(letter.isalpha() for letter in rest))


def _shown_words(node: nodes.Expr) -> Iterator[nodes.Const]:
    """The words that a condition chooses from (``"advice" if a else "hidden"``) and that do not look like a message:
    what does is translated anyway."""
    if isinstance(node, nodes.CondExpr):
        yield from _shown_words(node.expr1)
        yield from _shown_words(node.expr2) if node.expr2 else ()
    elif isinstance(node, nodes.Or):
        yield from _shown_words(node.left)
        yield from _shown_words(node.right)
    elif isinstance(node, nodes.Const) and isinstance(node.value, str):
        if _LETTERS.search(node.value) and not is_message(node.value):
            yield node


def _is_key(node: nodes.Node) -> bool:
    """Whether a function's argument is no text for people but the name of a form or field: small, a word or two."""
    given = node.value.split() if isinstance(node, nodes.Const) and isinstance(node.value, str) else None
    return given is not None and not "".join(given)[:1].isupper() and len(given) < 3


def _is_name(text: str) -> bool:
    """Whether a text stands in a block for a program: a path, a word of a format."""
    return text == "summary" or (len(text.split()) == 1 and not {"/", "_"}.isdisjoint(text))


def _name_of(tag: str) -> str:
    found = re.match(r"<(/?\w+)", tag)
    return found[1].lower() if found else ""


def _whole(run: list[Piece], first: int, last: int) -> tuple[int, int]:
    """What is shown right before a text that begins amid its sentence, or after one that ends so, is part of it."""
    kinds = [piece.kind for piece in run]
    if _AMID_FIRST.match(run[first].text):
        first -= next((n for n in (1, 2) if kinds[max(0, first - n) : first] == ["expression", "tag"][:n]), 0)
    if _AMID_LAST.search(run[last].text):
        last += next((n for n in (1, 2) if kinds[last + 1 : last + n + 1] == ["tag", "expression"][2 - n :]), 0)
    return first, last


def _balanced(run: list[Piece], first: int, last: int) -> tuple[int, int]:
    """The least run around the text in which every tag that is opened is closed."""
    while True:
        opened: list[str] = []
        missing = ""
        for piece in run[first : last + 1]:
            name = _name_of(piece.text) if piece.kind == "tag" else ""
            if name.startswith("/") and opened:
                opened.pop()
            elif name.startswith("/"):
                missing = "before"
                break
            elif name:
                opened.append(name)
        if missing == "before" and first:
            first -= 1
        elif not missing and opened and last < len(run) - 1:
            last += 1
        else:
            return first, last


def _with_places(run: list[Piece], expressions: Mapping[str, nodes.Expr]) -> tuple[str, dict[str, str]]:
    """A run as a message, and what stands at each of its places."""
    message = ""
    places: dict[str, str] = {}
    opened: list[str] = []
    for piece in run:
        taken = {place[1:-1] for place in places}
        if piece.kind == "text":
            message += piece.text
            continue
        if piece.kind == "expression":
            place = f"{{{free_name(_called(expressions[piece.text]), taken)}}}"
        else:
            name = _name_of(piece.text)
            if name.startswith("/"):
                name = "/" + (opened.pop() if opened else name[1:])
            elif name:
                name = free_name(name, taken)
                opened.append(name)
            place = f"<{name}>"
        places[place] = piece.text
        message += place
    return message, places


def _called(node: nodes.Node) -> str:
    """What a translator reads in place of an expression: its last name."""
    match node:
        case nodes.Name():
            return node.name
        case nodes.Getattr():
            return node.attr
        case nodes.Filter() if node.node is not None:
            return _called(node.node)
        case nodes.Call():
            return _called(node.args[0]) if node.args else _called(node.node)
        case nodes.Getitem():
            return _called(node.node)
    return next((_called(child) for child in node.find_all((nodes.Name, nodes.Getattr))), "value")


def _put_back(translation: str, message: str, places: dict[str, str]) -> str:
    if {m[0] for m in _PLACE.finditer(translation)} != {m[0] for m in _PLACE.finditer(message)}:
        translation = message
    return _PLACE.sub(lambda found: places.get(found[0], found[0]), translation)
