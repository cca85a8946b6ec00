"""Advice in the sandbox: the orders that a strong bot would give."""

from typing import Annotated

import msgspec
from fastapi import Form, Request
from starlette.responses import Response

from legation.bots import levels
from legation.web.sandbox import LONGEST_TEXT, Advice, Advised, OpenSandbox, busy, keep, sheets_as_text, split_sheets
from legation.web.serving.bounds import bound
from legation.web.serving.pages import PageError, PageRouter

router = PageRouter()
ADVISE = "legation.lab.tactician:advise"


@router.post("/sandbox/{name}/advice")
def advise(
    request: Request,
    name: str,
    power: Annotated[str, Form(max_length=80)],
    text: Annotated[str, Form(max_length=LONGEST_TEXT)] = "",
) -> Response:
    """Ask a strong bot what it would order for a power here; the orders that were written so far stay."""
    bound(request, "search", 12)
    opened = OpenSandbox(request, name)
    if power not in opened.position.survivors():
        raise PageError(422, f"No power called “{power}” is in this position.")
    if not set(levels.names()) & set(levels.LEVELS):
        raise PageError(422, "This site has no strong bot: it was installed without the lab.")
    view = opened.rules.seen(opened.position, power)
    try:
        found = levels.ask_child(list[Advised], ADVISE, opened.rules, view, power, name, opened.kept_rules)
    except levels.LostMoveError as error:
        raise PageError(503, f"The bot found no orders: {error}.") from None
    except levels.BusyError as error:
        raise busy(error) from None
    return keep(request, msgspec.structs.replace(opened.node, advice=Advice(power, tuple(found)), sheet=text), "advice")


@router.post("/sandbox/{name}/take")
def take_advice(
    request: Request,
    name: str,
    take: Annotated[int, Form(ge=0, le=9)],
    text: Annotated[str, Form(max_length=LONGEST_TEXT)] = "",
) -> Response:
    """Write an advised sheet into the box of orders, instead of what was written for its power."""
    opened = OpenSandbox(request, name)
    advice = opened.node.advice
    if advice is None or take >= len(advice.sheets):
        raise PageError(404, "These orders don't exist here.")
    parts: dict[str, list[str]] = {advice.power: list(advice.sheets[take].orders)}
    for power, _, line in split_sheets(opened.rules, opened.position, text):
        if power != advice.power:
            parts.setdefault(power, []).append(line.strip())
    return keep(request, msgspec.structs.replace(opened.node, sheet=sheets_as_text(parts)), "text")
