"""Words on pages: texts in Markdown, such as the notes of a board, as HTML (HTML in them is shown, not used), and what
became of an order."""

from functools import lru_cache

from markdown_it import MarkdownIt
from markupsafe import Markup

from legation.judge import ENDED_NOTHING
from legation.notation import write
from legation.orders import VoteDraw

VOTE = write(VoteDraw())
_reader = MarkdownIt("commonmark", {"html": False}).enable("table")


@lru_cache(maxsize=64)
def from_markdown(text: str) -> Markup:
    """The text as HTML. Its first heading is left out (the page has one), the others are put below the page's."""
    tokens = _reader.parse(text)
    if tokens and tokens[0].tag == "h1":
        del tokens[:3]
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 1)}"
    return Markup(_reader.renderer.render(tokens, _reader.options, {}))  # made by the renderer, which escapes all text


def outcome_in_words(order: str, outcome: str, cause: object = None) -> str:
    """The outcome of an order in short style for people: a unit that was to stay ``holds``, a vote for a draw that
    something (``cause``) kept from ending the game ``had no effect``, others succeed."""
    if outcome == "succeeds" and order == VOTE and cause:
        return ENDED_NOTHING
    return "holds" if outcome == "succeeds" and order.endswith(" H") else outcome


def sentence(fault: str) -> str:
    """What is wrong, as a sentence; one that begins with a file or a place in one (``land.csv:2: ...``) begins so."""
    first = fault.partition(" ")[0]
    begun = fault if first.endswith(":") else fault[:1].upper() + fault[1:]
    return begun if begun.endswith((".", "!", "?")) else f"{begun}."
