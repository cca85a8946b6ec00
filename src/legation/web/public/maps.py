"""Maps for pages: the board that browsers keep, its style, where everything is, and pictures of the opening."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property, lru_cache
from random import Random
from typing import Annotated, cast

import msgspec
from fastapi import Query, Request, Response

from legation.atlas import Atlas, NoMapError, for_variant
from legation.atlas.painting import PAINTER
from legation.atlas.style import ThemeName
from legation.board import COAST_NAMES
from legation.bots import bot
from legation.formats import decode_json, open_picture
from legation.judge import Ruleset, Verdict, resolve
from legation.languages import ENGLISH, said_in, text_in
from legation.position import Position
from legation.variants import USUAL, Registry, VariantError
from legation.web.serving.answers import FOREVER, PICTURE_POLICY, Packed
from legation.web.serving.bounds import drawing
from legation.web.serving.pages import PageError, PageRouter
from legation.web.serving.sessions import chosen_language

THUMB, LARGE = 720, 840  # pixels across
WAY = "way.json"
UNASKED = ("center", "size")
"""Facts on places that no script of a page asks for."""
LONGEST_WAY = 3 + 12  # the words of a move with its carriers
LANGUAGES = {
    "cs": "Čeština", "da": "Dansk", "de": "Deutsch", "el": "Ελληνικά", "en": "English", "es": "Español",
    "fi": "Suomi", "fr": "Français", "hu": "Magyar", "it": "Italiano", "ja": "日本語", "ko": "한국어", "la": "Latina",
    "nl": "Nederlands", "no": "Norsk", "pl": "Polski", "pt": "Português", "pt-br": "Português (Brasil)",
    "ro": "Română", "ru": "Русский", "sv": "Svenska", "tr": "Türkçe", "uk": "Українська", "zh": "中文",
}  # fmt: skip
"""What languages call themselves."""
Names = Annotated[str, Query(max_length=20)]
"""The language of the names on a map."""
router = PageRouter()


class LiveMap:
    """A map for pages. ``name`` is how it is reached: a variant, or an uploaded one;
    ``language`` is that of its names, if it is another than the board's own."""

    def __init__(self, rules: Ruleset, atlas: Atlas, name: str = "", language: str = "") -> None:
        self.rules = rules
        self.atlas = atlas
        self.name = name or rules.name
        self.language = language
        self._in_languages: dict[str, LiveMap] = {}

    @property
    def languages(self) -> dict[str, str]:
        """The languages in which its places or powers have names besides their own, by tag."""
        return {tag: LANGUAGES.get(tag, tag) for tag in self.atlas.languages}

    def in_language(self, language: str) -> LiveMap:
        """The same map with its names in a language; this one where the board has none in it. It goes with this one:
        a map of a designer's stays no longer than they need it."""
        if language not in self.languages:
            return self
        if language not in self._in_languages:
            self._in_languages[language] = LiveMap(self.rules, self.atlas.in_language(language), self.name, language)
        return self._in_languages[language]

    def for_reader(self, request: Request) -> LiveMap:
        """The same map with its names in the language that the reader chose for them, else in that of the reader's
        pages where the board has names of places in it."""
        language = chosen_language(request)
        usual = language if language in self.atlas.board.translations else ""
        return self.in_language(request.cookies.get("names") or usual)

    def said_in(self, language: str) -> Callable[[str], str]:
        """Return what puts the program's words into a language, with the names of places that this map shows."""
        return said_in(language, self.rules.board, self.language or ENGLISH)

    @cached_property
    def files(self) -> dict[str, Packed]:
        """Files of the map, by name."""
        layer = self.atlas.board_layer()
        places = {
            name: {fact: value for fact, value in facts.items() if fact not in UNASKED}
            for name, facts in decode_json(layer.geometry)["places"].items()
        }
        coasts = {code: text_in(self.language, name) for code, name in COAST_NAMES.items()}
        geometry = {"places": places, "coasts": coasts}
        return {
            "board.svg": Packed(layer.by_arcs.encode(), "image/svg+xml", PICTURE_POLICY),
            "relief.svg": Packed(layer.relief.encode(), "image/svg+xml", PICTURE_POLICY),
            "map.css": Packed(layer.style.encode(), "text/css; charset=utf-8"),
            "places.json": Packed(msgspec.json.encode(geometry), "application/json"),
        }

    def way(self, move: Sequence[str], *, free: bool = False) -> Packed | None:
        """Return the paths of the ``line`` and the ``head`` of a move's arrow (kind, from, to, carriers); ``free``:
        nobody stands where it leads. None where the board has no such places."""
        if not 3 <= len(move) <= LONGEST_WAY:
            return None
        kind, at, to, *through = move
        try:
            line, head = self.atlas.draft_arrow(kind, at, to, through, free=free)
        except KeyError:
            return None
        return Packed(msgspec.json.encode({"line": line, "head": head}), "application/json")

    def address(self, name: str) -> str:
        """Return where one of ``files`` or a picture of the opening is reached."""
        names = f"?names={self.language}" if self.language else ""
        return f"/maps/{self.name}/{self.atlas.board_layer().digest}/{name}{names}"

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height of the map in its units."""
        return round(self.atlas.geometry.width), round(self.atlas.geometry.height)

    def around(self, places: Iterable[str]) -> tuple[float, float, float, float]:
        """Return the part of the map (left, top, width, height) that shows some places; all of it where it has none."""
        width, height = self.size
        spots = [self.atlas.geometry.place_of(place) for place in places if place in self.rules.board.provinces]
        if not spots:
            return 0, 0, width, height
        left, right = min(x for x, _ in spots) - 90, max(x for x, _ in spots) + 90
        top, bottom = min(y for _, y in spots) - 80, max(y for _, y in spots) + 80
        wide, high = max(right - left, 420), max(bottom - top, 300)
        wide, high = min(width, max(wide, high * 1.2)), min(height, max(high, wide / 2))
        x = min(max(0, (left + right - wide) / 2), width - wide)
        y = min(max(0, (top + bottom - high) / 2), height - high)
        return x, y, wide, high

    def picture(
        self,
        position: Position | None,
        verdicts: Sequence[Verdict] = (),
        theme: ThemeName = "light",
        title: str = "",
        view: tuple[float, float, float, float] | None = None,
        *,
        patterns: bool = False,
        hidden: Iterable[str] = (),
    ) -> str:
        """A map that stands alone, letters included; of a part of the board where a ``view`` (left, top, width, height)
        is given. ``patterns`` hatches the powers' land; ``hidden`` provinces are shaded."""
        named = title or self.rules.title
        svg = self.atlas.svg(
            position, verdicts, title=named, legend=False, theme=theme, patterns=patterns, hidden=hidden
        )
        if view is None:
            return svg
        left, top, wide, high = view
        size = f'viewBox="{left:.0f} {top:.0f} {wide:.0f} {high:.0f}" width="{wide:.0f}" height="{high:.0f}"'
        return re.sub(r'viewBox="[^"]*" width="\d+" height="\d+"', size, svg, count=1)

    def number(self, power: str) -> int:
        """The number of a power in the classes of the style."""
        return list(self.atlas.colors).index(power)

    @lru_cache(maxsize=64)  # noqa: B019 (of all maps together: two themes of each picture, and both hatched)
    def opening(self, name: str) -> Packed | None:
        """A picture of the opening by its file name: ``opening-light.svg``, ``thumb-hatched-dark.webp``; in one of a
        ``turn``, a bot has ordered for each power, and the orders show what came of them."""
        found = re.fullmatch(r"(opening|thumb|turn)(-hatched)?-(light|dark)\.(svg|webp)", name)
        if found is None or (found[1] == "opening") != (found[4] == "svg"):
            return None
        opening, patterns, theme = self.rules.opening(), found[2] is not None, cast(ThemeName, found[3])
        if found[1] == "opening":
            return Packed(
                self.picture(opening, theme=theme, patterns=patterns).encode(), "image/svg+xml", PICTURE_POLICY
            )
        verdicts: Sequence[Verdict] = ()
        if found[1] == "turn":
            play = bot("dumbbot")
            sheets = [play(self.rules, opening, power, Random(power)) for power in self.rules.powers]
            verdicts = resolve(self.rules, opening, sheets).verdicts
        drawn = self.atlas.svg(
            opening, verdicts, interactive=False, legend=False, theme=theme, patterns=patterns, relief=False
        )
        made = io.BytesIO()
        open_picture(PAINTER.png(drawn, LARGE if verdicts else THUMB)).convert("RGB").save(
            made, "webp", quality=80, method=4
        )
        return Packed(made.getvalue(), "image/webp")


def known_to(request: Request) -> Registry:
    """The variants of this site: of its office, which may have a folder of its own, or else the usual ones."""
    variants: Registry = request.app.state.variant_uploads.variants
    return variants


def titles_of(request: Request) -> dict[str, str]:
    """Return the titles of this site's variants by their names, which boards have, too."""
    variants = known_to(request)
    return {name: str(variants.facts(name)["title"]) for name in variants.names()}


def map_of(variant: str, variants: Registry = USUAL) -> LiveMap:
    """The map of one of our variants (PageError: 404 when there is no such variant, or it has no picture)."""
    rules_of(variant, variants)  # or there is no such variant
    return _map_of(variants.name(variant), variants.shared)


def pictures(variants: Registry) -> Callable[[str], LiveMap | None]:
    """Return what has the map of a variant, or None where it has none or is known no more."""

    def picture_of(variant: str) -> LiveMap | None:
        with suppress(PageError):
            return map_of(variant, variants)
        return None

    return picture_of


@lru_cache(maxsize=64)
def _map_of(variant: str, variants: Registry) -> LiveMap:
    rules = rules_of(variant, variants)
    try:
        return LiveMap(rules, for_variant(variant, variants))
    except NoMapError as error:
        raise PageError(404, f"{rules.title} has no map: {error}") from None


def rules_of(variant: str, variants: Registry = USUAL) -> Ruleset:
    """Return the rules of a variant that this site knows, by its exact name (PageError: 404 when there is none)."""
    if not variants.knows(variant):
        raise PageError(404, f"There is no variant called “{variant[:60]}”.", ways=[("All variants", "/variants")])
    try:
        return variants.load(variant)
    except VariantError as error:
        raise PageError(503, str(error)) from None


@router.get("/maps/{variant}/{digest}/{name}")
def map_file(
    request: Request,
    variant: str,
    digest: str,
    name: str,
    names: Names = "",
    move: Annotated[str, Query(max_length=200)] = "",
    free: bool = False,
) -> Response:
    """A file of a variant's map: ``board.svg``, ``relief.svg``, ``map.css``, ``places.json``, ``opening-light.svg``,
    ``thumb-dark.webp`` and so on; with ``names`` in a language of the board. ``way.json`` is the arrow of a ``move``:
    the unit's kind, from where and to where, and who carries it, apart by blanks; ``free``: nobody stands there."""
    live: LiveMap = request.app.state.variant_uploads.map_of(variant).in_language(names)
    packed = live.way(move.split(), free=free) if name == WAY else live.files.get(name)
    if packed is None and name != WAY:
        with contextmanager(drawing)(request):
            packed = live.opening(name)
    if packed is None:
        raise PageError(404, "There is no such picture.", ways=[("The variant", f"/variants/{variant}")])
    return packed.answer(request, FOREVER if digest == live.atlas.board_layer().digest else "no-cache")
