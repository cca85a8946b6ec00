"""The analysis of a game that is over: how the outlooks moved, the turning points, and the better orders on the map."""

from typing import Any

from fastapi import Request
from starlette.responses import RedirectResponse, Response

from legation.judge import Verdict, resolve
from legation.office.hosting import retrospects
from legation.office.records import Document, Retrospect
from legation.orders import Order, Sheet
from legation.position import Position
from legation.web.play.centers_chart import chart_lines
from legation.web.play.shown_game import PUBLISHED, GamePage
from legation.web.play.turn_outcome import drawn
from legation.web.serving.bounds import bound
from legation.web.serving.pages import PageRouter

router = PageRouter()
POINTS, SHEETS = 8, 40
"""So many turning points and mistakes are shown, the greatest."""


def has_analysis(shown: GamePage) -> bool:
    """Return whether the game is over, and can be analyzed here."""
    return shown.record.state == "ended" and retrospects.is_available() and shown.begun


@router.post("/games/{game}/analysis")
def ask(request: Request, game: str) -> Response:
    """Request the analysis of a game."""
    bound(request, "analysis", 6)
    shown = GamePage(request, game)
    retrospects.ask(*shown.of)
    return RedirectResponse(shown.address("analysis"), 303)


def analysis_values(shown: GamePage) -> dict[str, Any]:
    """Return what the tab shows; on the map the better orders of a mistake, where one is asked for."""
    found = retrospects.retrospect(*shown.of)
    values: dict[str, Any] = {"found": found, "mistakes": [], "points": [], "lines": [], "chosen": None, "keys": {}}
    values |= {"openings": {}, "decisive": []}
    if found.state != "made":
        return values
    published = [turn for turn in shown.turns if turn.state in PUBLISHED]
    values["keys"] = {turn.name: turn.key for turn in published}
    standing = [(turn["turn"], turn["outlooks"]) for turn in found.turns]
    values["standing"] = standing
    values["first"] = next((word for word in standing[0][0].split() if word.isdecimal()), standing[0][0])
    values["lines"] = chart_lines(standing, list(shown.rules.powers))
    values["most"] = max((share for _, outlooks in standing for share in outlooks.values()), default=1.0)
    values["openings"] = found.turns[0].get("openings", {})
    values["decisive"] = [(turn["turn"], turn["decisive"]) for turn in found.turns if turn.get("decisive")]
    order = {turn["turn"]: n for n, turn in enumerate(found.turns)}
    points = sorted(found.points, key=lambda point: -abs(point["after"] - point["before"]))[:POINTS]
    values["points"] = sorted(points, key=lambda point: order.get(point["turn"], 0))
    mistakes = [(turn, sheet) for turn in found.turns for sheet in turn["sheets"]]
    worst = sorted(mistakes, key=lambda pair: -pair[1]["loss"])[:SHEETS]
    values["mistakes"] = [pair for pair in mistakes if pair in worst]
    values["left_out"] = len(mistakes) - len(values["mistakes"])
    return values | _chosen(shown, found, values["keys"])


def _chosen(shown: GamePage, found: Retrospect, keys: dict[str, str]) -> dict[str, Any]:
    """Return the mistake that the address asks for, with the turn as it would have gone with the better orders."""
    at, power = shown.request.query_params.get("turn", ""), shown.request.query_params.get("power", "")
    for turn in found.turns:
        for sheet in turn["sheets"]:
            if keys.get(turn["turn"]) == at and sheet["power"] == power:
                result = shown.result(at)
                if result is None:
                    return {}
                verdicts, _ = drawn(shown.rules, result)
                position = shown.position(result.position)
                better = _better(shown, position, verdicts, power, sheet)
                svg = shown.live.atlas.state_layer(position, better)
                present = next(t for t in shown.turns if t.key == at)
                return {"chosen": (turn, sheet), "svg": svg, "turn": present}
    return {}


def _better(
    shown: GamePage, position: Position, verdicts: list[Verdict], power: str, sheet: Document
) -> tuple[Verdict, ...]:
    orders: dict[str, list[Order]] = {}
    for verdict in verdicts:
        orders.setdefault(verdict.power, []).append(verdict.order)
    phase = position.turn.phase
    orders[power] = [shown.rules.reader.order(text, phase, power) for text in sheet["best"]]
    sheets = [Sheet(name, tuple(given)) for name, given in orders.items()]
    return tuple(resolve(shown.rules, position, sheets).verdicts)
