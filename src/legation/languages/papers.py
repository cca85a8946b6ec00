"""Messages of papers: what stands in brackets in a template for typst, found and put back in another language. Data in
it (``#data.name``, ``#seat.name``) are ``{name}``."""

import re
from collections.abc import Iterator

from legation.languages.catalogs import ENGLISH, catalog

_MESSAGE = re.compile(r"\[((?:[^\[\]#\\]|#\w+\.\w+)+)\]")
_DATUM = re.compile(r"#\w+\.(\w+)")
_PLACE = re.compile(r"\{(\w+)\}")


def messages_of_paper(template: str) -> Iterator[str]:
    """The messages of a template."""
    for found in _MESSAGE.finditer(template):
        message = _DATUM.sub(r"{\1}", " ".join(found[1].split()))
        if re.search(r"[a-z]{2}", _PLACE.sub("", message)):
            yield message


def paper_in_language(template: str, language: str) -> str:
    """Return a template with its messages in a language."""

    def put(found: re.Match[str]) -> str:
        message = next(messages_of_paper(found[0]), "")
        data = {datum[1]: datum[0] for datum in _DATUM.finditer(found[0])}
        return f"[{catalog(language).text(message).format(**data)}]" if message else found[0]

    return template if language == ENGLISH else _MESSAGE.sub(put, template)
