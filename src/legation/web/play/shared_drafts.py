"""Drafts of orders that are the same on all devices of a person. The office keeps them encrypted to keys that only the
devices have.

A draft is forgotten some weeks after its last change; nothing else of it is kept, and nothing is logged."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import Form, Request
from starlette.responses import JSONResponse, Response

from legation.formats import decode_json
from legation.office.keys import seals
from legation.office.office import Office
from legation.web.play.sheet_page import own
from legation.web.serving.pages import PageRouter

router = PageRouter()
MOST_DEVICES = 8
LARGEST = 200_000  # characters of a sealed draft
KEPT = 60 * 86_400.0  # seconds
Key = Annotated[str, Form(pattern=r"^[A-Za-z0-9_-]{60,120}$")]


@router.post("/games/{game}/sheet/draft")
def draft(
    request: Request,
    game: str,
    device: Key,
    turn: Annotated[str, Form(max_length=60)],
    sealed: Annotated[str, Form(max_length=LARGEST)] = "",
) -> Response:
    """Keep a draft that only the reader's own devices can open, or return what one of them has kept; with the keys of
    the devices, of which this is one from now on."""
    shown = own(request, game)
    name = f"{shown.actor.person} {shown.key} {shown.power} {turn}"
    devices = _devices(shown.office, f"{shown.actor.person}", device)
    if sealed:
        _put(shown.office, "draft", name, sealed.encode())
    kept = sealed.encode() or _get(shown.office, "draft", name)
    return JSONResponse({"devices": devices, "sealed": kept.decode()}, headers={"cache-control": "no-store"})


def _devices(office: Office, person: str, device: str) -> list[str]:
    """Return the keys of a person's devices, the present one with them; those longest unknown make room."""
    known = decode_json(_get(office, "devices", person) or b"[]", type=list[str])
    if device not in known:
        known = [*known, device][-MOST_DEVICES:]
        _put(office, "devices", person, msgspec.json.encode(known))
    return known


def _get(office: Office, kind: str, name: str) -> bytes:
    locked = office.shared.kept(kind, name, KEPT)
    return seals.unlock(office.master_key, locked) if locked else b""


def _put(office: Office, kind: str, name: str, content: bytes) -> None:
    office.shared.put(kind, name, seals.lock(office.master_key, content), KEPT)
