"""Maps for pages: the board as one SVG that browsers keep, what a position adds to it, the style of both, and where everything is.

The board's SVG has groups with ``data-slot``; a state is the content of some of these slots, so that going from turn to turn changes little.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec
from fastapi import APIRouter, Request, Response
from PIL import Image

from legation.atlas import Atlas
from legation.atlas.arrows import VerdictLike
from legation.atlas.pictures import png
from legation.atlas.shapes import Shapes, read_shapes
from legation.atlas.site import _facts as board_facts
from legation.judge import Ruleset
from legation.position import Position
from legation.variants import VariantError, board_folder, load, variant_facts
from legation.web.headers import PICTURE_POLICY
from legation.web.packed import Packed
from legation.web.pages import PageError

Theme = Literal["light", "dark"]
THUMB = 720  # pixels across
router = APIRouter()


class LiveMap:
    """All that pages need of one variant's map. ``rules`` may be of a variant that is not one of ours; then nothing of it has an address."""

    def __init__(self, rules: Ruleset, shapes: Shapes) -> None:
        self.rules = rules
        self.atlas = Atlas(rules.board, shapes, tuple(rules.powers.values()))

    @cached_property
    def files(self) -> dict[str, Packed]:
        """What is fetched for the map by itself, by name."""
        return {
            "board.svg": Packed(self._board().encode(), "image/svg+xml", PICTURE_POLICY),
            "bare.svg": Packed(self.state(None).encode(), "image/svg+xml", PICTURE_POLICY),
            "map.css": Packed(self._style().encode(), "text/css; charset=utf-8"),
            "places.json": Packed(msgspec.json.encode(self._places()), "application/json"),
        }

    def address(self, name: str) -> str:
        """Where one of ``files`` or a picture of the opening is reached."""
        return f"/maps/{self.rules.name}/{self.files['board.svg'].digest}/{name}"

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height of the map in its units."""
        return round(self.atlas.plate.width), round(self.atlas.plate.height)

    def picture(
        self, position: Position | None, verdicts: Sequence[VerdictLike] = (), theme: Theme = "light", title: str = ""
    ) -> str:
        """A whole map that stands alone, letters included."""
        shown = title or self.rules.title
        return self.atlas.svg(position, verdicts, title=shown, legend=False, theme=theme)

    def thumb(self, position: Position, theme: Theme, width: int = THUMB) -> bytes:
        """A small picture, as WebP."""
        svg = self.atlas.svg(position, legend=False, theme=theme, interactive=False)
        made = io.BytesIO()
        Image.open(io.BytesIO(png(svg, width))).convert("RGB").save(made, "webp", quality=80, method=4)
        return made.getvalue()

    def state(self, position: Position | None, verdicts: Sequence[VerdictLike] = ()) -> str:
        """What a position, and orders with their outcomes, add to the board: an SVG of filled slots."""
        svg = self.atlas.svg(position, verdicts, legend=False, interactive=False)
        top = svg[svg.index('<g class="top">') + len('<g class="top">') : svg.index('</g><rect class="neat"')]
        painted = re.findall(r'<g id="p-([^"]+)" class="p(?: sr)? (k\d+(?: far)?)"', svg)
        control = "".join(f'<use href="#s-{name}" class="{cls}"/>' for name, cls in painted)
        return f'<svg xmlns="http://www.w3.org/2000/svg"><g data-slot="control">{control}</g><g data-slot="top">{top}</g></svg>'

    def number(self, power: str) -> int:
        """The number of a power in the classes of the style."""
        return list(self.atlas.colors).index(power)

    def _board(self) -> str:
        svg = self.atlas.svg(legend=False, interactive=False)
        svg = re.sub(r"<style>.*?</style>", "", svg, count=1, flags=re.DOTALL)
        svg = re.sub(r'(<g id="p-([^"]+)".*?<path )', r'\1id="s-\2" ', svg)
        start = svg.index('<g class="top">')
        end = svg.index('</g><rect class="neat"')
        fine = svg.index('<path class="fine"')
        slots = '<g class="top"><g data-slot="top"></g><g data-slot="draft"></g>'
        return f'{svg[:fine]}<g data-slot="control"></g>{svg[fine:start].removesuffix("</g>")}<g data-slot="lit"></g></g>{slots}{svg[end:]}'

    def _style(self) -> str:
        light, dark = self.atlas.rules("light"), self.atlas.rules("dark")
        return (
            f"{light}@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}:root[data-theme=dark]{{{dark}}}"
            ".lg .top,.lg .fine,.lg .ring,.lg .strong,.lg .shore,.lg .waves,.lg .link,[data-slot=control],[data-slot=lit]{pointer-events:none}"
        )

    def _places(self) -> dict[str, Any]:
        facts = board_facts(self.rules.board, self.atlas)
        del facts["lettering"]
        return facts


@lru_cache(maxsize=32)
def map_of(variant: str) -> LiveMap:
    """The map of one of our variants.

    :raises PageError: 404 when there is no such variant.
    """
    rules = rules_of(variant)
    shapes = read_shapes(Path(board_folder(variant_facts(variant)["board"])))
    if shapes is None:
        raise PageError(404, f"The board of {rules.title} has no picture yet.")
    return LiveMap(rules, shapes)


def rules_of(variant: str) -> Ruleset:
    """One of our variants, by its name only (never a path).

    :raises PageError: 404 when there is none.
    """
    from legation.variants import names

    if variant not in names():
        raise PageError(404, f"There is no variant called “{variant[:60]}”.", ways=[("All variants", "/variants")])
    try:
        return load(variant)
    except VariantError as error:
        raise PageError(503, str(error)) from None


@lru_cache(maxsize=64)
def _opening_picture(variant: str, name: str) -> Packed | None:
    theme: Theme = "dark" if "-dark." in name else "light"
    live = map_of(variant)
    match name.replace("-dark.", ".").replace("-light.", "."):
        case "opening.svg":
            svg = live.picture(live.rules.opening(), theme=theme)
            return Packed(svg.encode(), "image/svg+xml", PICTURE_POLICY)
        case "thumb.webp":
            return Packed(live.thumb(live.rules.opening(), theme), "image/webp")
    return None


@router.get("/maps/{variant}/{digest}/{name}")
def map_file(request: Request, variant: str, digest: str, name: str) -> Response:
    """A file of a variant's map: ``board.svg``, ``map.css``, ``places.json``, ``opening-light.svg``, ``thumb-dark.webp`` and so on."""
    live = map_of(variant)
    packed = live.files.get(name) or _opening_picture(variant, name)
    if packed is None:
        raise PageError(404, "There is no such picture.", ways=[("The variant", f"/variants/{variant}")])
    answer = packed.answer(request)
    if digest != live.files["board.svg"].digest:
        answer.headers["cache-control"] = "no-cache"
    return answer
