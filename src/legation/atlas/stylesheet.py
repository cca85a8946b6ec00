"""The style sheets of maps, from the templates in ``styles``: with a theme's colors put in, or with custom properties
for pages that have both themes."""

import base64
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from string import Template

import msgspec

from legation.atlas.style import DARK, LIGHT, THEMES, Theme, gray, ground_color, ink_on, mix, tick_color

FAMILY = "'Legation Garamond','EB Garamond',Garamond,Georgia,serif"
FACES: Mapping[str, tuple[int, str]] = {"regular": (400, "normal"), "italic": (400, "italic"), "bold": (700, "normal")}
"""The faces of the map font: weight and style."""
PREFIX = "--lg-"


@cache
def _template(name: str) -> Template:
    text = (files("legation.atlas") / "styles" / f"{name}.css").read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return Template(re.sub(r"\s*([{};,>])\s*|(?<=[a-z-]):\s+", lambda m: m[1] or ":", text).strip())


@cache
def theme_colors(look: Theme) -> dict[str, str]:
    """Every color of ``map.css`` and ``pages.css`` by its name there."""
    colors = {key: value for key, value in msgspec.structs.asdict(look).items() if isinstance(value, str)}
    del colors["name"]
    return colors | {
        "depth0": mix(look.sea, look.water_line, 0.4),
        "depth1": mix(look.sea, look.water_line, 0.6),
        "depth2": mix(look.sea, look.water_line, 0.85),
        "ticks": tick_color(look),
        "lake": mix(look.sea, look.waste, 0.6),
        "stream": mix(look.water_line, look.sea_ink, 0.3),
        "ring": look.border if look.shade else look.power_border,
        "primary": mix(look.sea_ink, look.ink, 0.35),
        "badge": "#efe6d2" if look.shade else look.page,
        "ink_on_nobody": ink_on(look.nobody),
        "fog": mix(look.faint_ink, look.sea_ink, 0.5),
        "sea_pointed": mix(look.sea, look.sea_ink, 0.25),
    }


def power_colors(color: str, look: Theme) -> dict[str, str]:
    """Every color of ``power.css`` by its name there, for a power of this color."""
    ground = ground_color(color, look)
    far = mix(ground, look.paper, 0.4 if look.shade else 0.45)
    hatch = mix(ground, "#000000" if gray(ground) > 45 else "#ffffff", 0.45)
    return {
        "ground": ground,
        "far": far,
        "ink_on_ground": ink_on(ground),
        "ink_on_far": ink_on(far),
        "color": color,
        "ink_on_color": ink_on(color),
        "hatch": hatch,
        "hatch_on_far": mix(far, hatch, 0.6),
    }


@lru_cache(maxsize=64)
def style_of(theme: str, colors: tuple[str, ...]) -> str:
    """The rules of one theme and these powers' colors, in their order, as a map that stands alone carries them."""
    look = THEMES[theme]
    rules = [_template("map").substitute(theme_colors(look), family=FAMILY)]
    rules += [_template("power").substitute(power_colors(color, look), n=n) for n, color in enumerate(colors)]
    return "".join(rules)


def pointing(theme: str) -> str:
    """The further rules of one theme for a map that can be pointed at."""
    return _template("pages").substitute(theme_colors(THEMES[theme]))


def page_style(colors: Sequence[str]) -> str:
    """The rules for pages, in both themes, by custom properties: as the reader's system is set, or as ``data-theme`` of
    the root element says."""

    def properties(look: Theme) -> str:
        values = dict(theme_colors(look))
        for n, color in enumerate(colors):
            values |= {f"{key}{n}": value for key, value in power_colors(color, look).items()}
        return ";".join(f"{PREFIX}{key}:{value}" for key, value in values.items())

    light, dark = properties(LIGHT), properties(DARK)
    rules = [
        f":root{{{light}}}@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}",
        f":root[data-theme=dark]{{{dark}}}",
    ]
    named = {key: f"var({PREFIX}{key})" for key in theme_colors(LIGHT)}
    rules.append(_template("map").substitute(named, family=FAMILY))
    for n in range(len(colors)):
        own = {key: f"var({PREFIX}{key}{n})" for key in power_colors("#000000", LIGHT)}
        rules.append(_template("power").substitute(own, n=n))
    return "".join([*rules, _template("pages").substitute(named)])


def font_files() -> dict[str, bytes]:
    """The map fonts as WOFF2, by the file names that :func:`font_faces` asks for."""
    folder = files("legation.atlas.fonts")
    return {f"legation-garamond-{face}.woff2": folder.joinpath(f"{face}.woff2").read_bytes() for face in FACES}


@cache
def font_faces(folder: str | None = None) -> str:
    """The map fonts as ``@font-face`` rules: fetched from a ``folder`` of the site (``/fonts/``), else inside the
    rules."""
    rules = []
    for (name, content), (weight, slope) in zip(font_files().items(), FACES.values(), strict=True):
        where = f"data:font/woff2;base64,{base64.b64encode(content).decode()}" if folder is None else f"{folder}{name}"
        rules.append(
            f"@font-face{{font-family:'Legation Garamond';font-weight:{weight};font-style:{slope};font-display:swap;"
            f"src:url({where}) format('woff2')}}"
        )
    return "".join(rules)
