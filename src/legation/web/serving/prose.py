"""Words on pages: faults as sentences, and texts in Markdown, such as the notes of a board, as HTML (HTML in them is
shown, not used)."""

from functools import lru_cache

from markdown_it import MarkdownIt
from markupsafe import Markup

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


def sentence(fault: str) -> str:
    """What is wrong, as a sentence; one that begins with a file or a place in one (``land.csv:2: ...``) begins so."""
    first = fault.partition(" ")[0]
    begun = fault if first.endswith(":") else fault[:1].upper() + fault[1:]
    return begun if begun.endswith((".", "!", "?")) else f"{begun}."
