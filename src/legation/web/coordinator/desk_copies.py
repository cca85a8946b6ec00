"""Photographs of letters that were opened, added to what was read in them."""

from __future__ import annotations

from functools import partial

from fastapi import Depends, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.responses import Response

from legation.office.context import Actor
from legation.office.desk import copies
from legation.office.errors import InvalidInputError
from legation.web.api.uploads import cleaned, read_upload
from legation.web.coordinator import desk_items, desk_results
from legation.web.coordinator.desk import game_run
from legation.web.serving.bounds import queue
from legation.web.serving.forms import carry_out, text
from legation.web.serving.pages import PageRouter
from legation.web.serving.sessions import office_of

router = PageRouter()


@router.post("/desk/{game}/copies", dependencies=[Depends(queue)])
async def add_copies(request: Request) -> Response:
    """Add photographs of an opened letter, and go back to where it is read or corrected."""
    await run_in_threadpool(game_run, request, request.path_params["game"])
    files, _ = await read_upload(request)
    form = await request.form()
    return await run_in_threadpool(_add, request, [file for file in files if file[1]], form)


def _add(request: Request, files: list[tuple[str, bytes]], form: FormData) -> Response:
    office, game = office_of(request), request.path_params["game"]
    power, item = text(form, "power"), text(form, "item")

    def command(actor: Actor) -> object:
        if not files:
            raise InvalidInputError("Choose the photographs first.", faults=["pictures: none"])
        return copies.add_copies(office, actor, game, text(form, "turn"), power, cleaned(files))

    if item.isdecimal() and len(item) < 19:
        return desk_items.photographed(request, game, int(item), form, command)
    return carry_out(
        request,
        f"copies {power}",
        form,
        command,
        partial(desk_results.show, request, game),
        f"/desk/{game}/results",
    )
