"""The board of a drawing table in the hand of the house, with its variant's opening where the variant is sound."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from legation.atlas.cartography import Atlas
from legation.atlas.layout import Layout
from legation.atlas.shapes import Shapes
from legation.board import Board
from legation.judge import Ruleset
from legation.position import Position
from legation.variants import Registry, VariantError, findings


def variant_findings(
    board: str, files: Mapping[str, str], variants: Mapping[str, str]
) -> tuple[Ruleset | None, list[tuple[str, str]]]:
    """The first variant as rules, if it is sound, and what is wrong with any: (file, fault).

    They are read from a folder that is gone afterwards, with the rules that come with the package."""
    if not variants:
        return None, []
    sound: Ruleset | None = None
    found: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory(prefix="legation-table-") as scratch:
        folder = Path(scratch)
        place = folder / board
        place.mkdir()
        for file, text in files.items():
            (place / file).write_text(text, encoding="utf-8")
        for number, (file, text) in enumerate(variants.items()):
            (folder / file).write_text(text, encoding="utf-8")
            registry = Registry(installed=False)
            try:
                rules = registry.load(registry.add_file(folder / file, replace=True))
                found += [(file, finding) for finding in findings(rules)]
            except VariantError as error:
                found += [(file, fault.removeprefix(f"{file}: ")) for fault in error.faults]
                continue
            if not number and rules.board.name == board:
                sound = rules
    return sound, found


def drawn_board(
    board: Board, shapes: Shapes, layout: Layout, rules: Ruleset | None, language: str = ""
) -> dict[str, Any] | None:
    """The layers of the map, as pages show them, with its names in a language; None where it cannot be drawn."""
    try:
        if rules is None:
            atlas = Atlas(board, shapes, (), board.title, layout).in_language(language)
            state = ""
        else:
            powers = tuple(rules.powers.values())
            kinds = rules.kinds.values()
            atlas = Atlas(rules.board, shapes, powers, rules.title, layout, kinds).in_language(language)
            opening: Position = rules.opening()
            state = atlas.state_layer(opening)
        layer = atlas.board_layer()
    except (ValueError, ZeroDivisionError, IndexError, KeyError):
        return None
    return {"svg": layer.svg, "css": layer.style, "state": state, "scale": atlas.geometry.scale}
