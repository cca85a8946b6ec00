"""Lays out a board's map. Pure Python: also where a board has no layout beside it and is drawn all the same."""

import json
from typing import Any

import msgspec

from legation.atlas.geometry import BoardGeometry
from legation.atlas.grow.labels import place_labels
from legation.atlas.grow.symbol_places import place_symbols
from legation.atlas.layout import Layout, digest_of
from legation.atlas.shapes import Shapes
from legation.board import Board


def lay_out(board: Board, shapes: Shapes) -> Layout:
    """The layout of a board; the same board gives the same layout, to the hundredth of a unit.

    :raises ValueError: when the shapes do not fit the board."""
    geometry = BoardGeometry(board, shapes, place_symbols)
    layout = Layout(digest=digest_of(board, shapes), sites=geometry.sites, labels=place_labels(geometry))
    return msgspec.convert(_rounded(msgspec.to_builtins(layout)), Layout)


def write_layout(layout: Layout) -> str:
    """``layout.json``: compact, one province a line."""

    def dense(value: object) -> str:
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)

    def lines(table: dict[str, Any]) -> str:
        return ",\n".join(f"{dense(key)}:{dense(value)}" for key, value in table.items())

    plain = msgspec.to_builtins(layout)
    sites, labels = lines(plain["sites"]), lines(plain["labels"])
    return f'{{"digest":{dense(layout.digest)},\n"sites":{{\n{sites}}},\n"labels":{{\n{labels}}}}}\n'


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        near = round(value, 2)
        return int(near) if near == int(near) else near
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value
