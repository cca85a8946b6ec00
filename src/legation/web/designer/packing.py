"""A board and its variant as one file to take along: the pack that another office installs."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import Request
from starlette.responses import Response

from legation.atlas.table.document import read_document
from legation.variants.packages import About, write_package
from legation.web.designer.table import WHOLE, Body, call_child, read_json
from legation.web.serving.bounds import bound
from legation.web.serving.headers import file_answer
from legation.web.serving.pages import PageRouter

router = PageRouter(prefix="/table")
Line = Annotated[str, msgspec.Meta(max_length=300)]


class Tag(msgspec.Struct, frozen=True, kw_only=True):
    """Label of a pack: ``package.json``."""

    version: Line = "1.0"
    license: Line = ""


class SentPack(msgspec.Struct, kw_only=True):
    """A document and what stands on its pack."""

    document: dict[str, Any]
    tag: Tag = Tag()


@router.post("/pack")
def pack(request: Request, body: Body) -> Response:
    """Pack a document."""
    bound(request, "designer", 20)
    sent = read_json(body, SentPack)
    name, content = call_child(
        WHOLE, tuple[str, bytes], f"{__name__}:packed", sent.document, sent.tag.version, sent.tag.license
    )
    return file_answer(content, "application/zip", f"{name}.legation", "no-store")


def packed(value: object, version: str, license: str) -> tuple[str, bytes]:
    """Return a document's name and its pack: the board's folder, the variant and its editions beside it, and
    ``package.json``. The same document gives the same bytes. Run in a child.

    :raises DocumentError: when it isn't a document.
    """
    from legation.atlas.table.answering import grown_files  # needs the extra authoring

    document = read_document(value)
    files = grown_files(value, every=True)
    about = About(
        name=document.name,
        title=document.variant.get("title") or document.board.get("title", ""),
        version=version,
        license=license,
        credits=document.board.get("credits", ""),
    )
    beside = {name for name in files if name.endswith(".toml") and name != "board.toml"}
    paths = {name if name in beside else f"{document.name}/{name}": text for name, text in files.items()}
    return document.name, write_package(about, paths)
