"""Drafts of orders that are the same on all devices of a person. The office keeps them encrypted to keys that only the
devices have.

A draft is forgotten some weeks after its last change; nothing else of it is kept, and nothing is logged."""

from typing import Annotated

import msgspec
from fastapi import Form, Request
from starlette.responses import JSONResponse, Response

from legation.formats import decode_json
from legation.office.identity import people
from legation.office.keys import seals
from legation.office.office import Office
from legation.web.play.sheet_page import own
from legation.web.play.shown_game import GamePage
from legation.web.serving.pages import PageError, PageRouter

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
    the devices, of which this is one from now on (PageError: 409 for another turn than the present one)."""
    shown = own(request, game)
    if turn != shown.present.name:
        raise PageError(409, "That turn is over.")
    name = f"{shown.actor.person} {shown.key} {shown.power} {turn}"
    devices = _devices(shown, device)
    if sealed:
        _put(shown.office, "draft", name, sealed.encode())
    kept = sealed.encode() or _get(shown.office, "draft", name)
    return JSONResponse({"devices": devices, "sealed": kept.decode()}, headers={"cache-control": "no-store"})


def _devices(shown: GamePage, device: str) -> list[str]:
    """Return the keys of the devices on which a person is signed in, the present one with them; those known longest
    make room. A device goes with the session that it came with."""
    office, person, session = shown.office, f"{shown.actor.person}", people.own_credential(shown.office, shown.actor)
    known = decode_json(_get(office, "devices by session", person) or b"{}", type=dict[str, int])
    lasting = {credential.id for credential in people.credentials(office, shown.actor)}
    devices = {key: by for key, by in known.items() if by in lasting}
    if devices.get(device) != session:
        others = [(key, by) for key, by in devices.items() if key != device]
        devices = dict([*others, (device, session)][-MOST_DEVICES:])
    if devices != known:
        _put(office, "devices by session", person, msgspec.json.encode(devices))
    return list(devices)


def _get(office: Office, kind: str, name: str) -> bytes:
    locked = office.shared.get(kind, name, KEPT)
    return seals.unlock(office.master_key, locked) if locked else b""


def _put(office: Office, kind: str, name: str, content: bytes) -> None:
    office.shared.put(kind, name, seals.lock(office.master_key, content), KEPT)
