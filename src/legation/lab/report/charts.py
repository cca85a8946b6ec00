"""Charts of a report as SVG: told apart by form and words, not by color."""

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from legation.lab.report.document import Picture

ALONE = (
    "text{font-family:'Legation Garamond';fill:#000}.faint{fill:#5c513e}.axis{stroke:#857860;fill:none}"
    ".grid{stroke:#d8ccb2;fill:none}.even{stroke:#000;stroke-dasharray:3 3;fill:none}"
    ".other{stroke:#857860;stroke-width:.8;fill:none;opacity:.55}.line{stroke:#000;stroke-width:2;fill:none}"
    ".second{stroke:#1d4b78;stroke-width:2;fill:none;stroke-dasharray:6 3}.band{fill:#857860;opacity:.3}"
    ".bar{fill:#857860}.bar2{fill:none;stroke:#1d4b78;stroke-width:1.5}.dot{fill:#9a1b2b}"
    ".dot2{fill:#fff;stroke:#1d4b78;stroke-width:2}.whisker{stroke:#000;stroke-width:2;fill:none}"
)
"""The style of a chart on paper."""
Interval = tuple[float, float, float]
"""A value with the ends of its interval: low, value, high."""


def picture(body: str, width: float, height: float, told: str) -> Picture:
    """Return a chart of this content; ``told`` says in words what it shows."""
    head = f'viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(told)}"'
    return Picture(
        f'<svg class="chart" {head}>{body}</svg>',
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" {head} width="{width:g}" height="{height:g}">'
        f"<style>{ALONE}</style>{body}</svg>",
    )


def _label(x: float, y: float, text: str, anchor: str = "middle", size: int = 12) -> str:
    where = f'x="{round(x, 1):g}" y="{round(y, 1):g}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text class="faint" {where}>{escape(text)}</text>'


def _level(left: int, right: int, y: float, text: str, size: int = 11) -> list[str]:
    """A line across a chart with its label before it."""
    return [f'<path class="grid" d="M{left} {y:.1f}H{right}"/>', _label(left - 5, y + 4, text, "end", size)]


def nice_step(most: float, parts: int = 4) -> float:
    """Return a step of 1, 2 or 5 times a power of ten that divides 0 to ``most`` in about so many parts.

    >>> nice_step(17), nice_step(0.3)
    (5.0, 0.1)"""
    raw = max(most, 1e-9) / parts
    power = 10.0 ** np.floor(np.log10(raw))
    return float(next((k * power for k in (1, 2, 5) if k * power >= raw - 1e-12), 10 * power))


def intervals(
    title: str, names: Sequence[str], values: Sequence[Interval], even: float, others: Sequence[Interval] = ()
) -> Picture:
    """Return a row for each name with its share as a dot and the interval as a line; the dashed line is an even
    share. ``others`` are those of a second result, with open dots."""
    left, right, head, high = 150, 430, 26, 24 if not others else 32
    most = max([even, *(v[2] for v in values), *(v[2] for v in others)]) * 1.05
    step = nice_step(most)

    def x(share: float) -> float:
        return left + (right - left) * share / most

    bottom = head + high * len(names)
    parts = [f'<text x="{left}" y="15" font-size="15">{escape(title)}</text>']
    for k in range(int(most / step) + 1):
        parts.append(f'<path class="grid" d="M{x(k * step):.1f} {head}V{bottom}"/>')
        parts.append(_label(x(k * step), bottom + 15, f"{k * step:.0%}"))
    parts.append(f'<path class="even" d="M{x(even):.1f} {head}V{bottom}"/>')
    for n, name in enumerate(names):
        y = head + high * (n + 0.5)
        parts.append(f'<text x="{left - 10}" y="{y + 4.5:.1f}" font-size="14" text-anchor="end">{escape(name)}</text>')
        first = values[n], "dot", -5 if others else 0
        for (low, value, top), dot, shift in (first, *(((others[n], "dot2", 6),) if others else ())):
            parts.append(f'<path class="whisker" d="M{x(low):.1f} {y + shift:.1f}H{x(top):.1f}"/>')
            parts.append(f'<circle class="{dot}" cx="{x(value):.1f}" cy="{y + shift:.1f}" r="4.5"/>')
    return picture("".join(parts), right + 20, bottom + 22, f"{title}; the table below says the same")


def over_years(
    name: str,
    years: Sequence[int],
    mean: Any,
    low: Any,
    high: Any,
    others: Any,
    most: float,
    told: str,
    second: tuple[Sequence[int], Any] | None = None,
) -> Picture:
    """Return a small chart of one power's centers: its mean as a line, a band around it, the others' means faint
    behind. ``second`` is its mean in a second result, dashed."""
    left, right, top, bottom = 26, 262, 24, 132
    first, last = years[0], max(years[-1], years[0] + 1)

    def x(year: float) -> float:
        return left + (right - left) * (year - first) / (last - first)

    def y(count: float) -> float:
        return bottom - (bottom - top) * count / most

    def path(row: Any, when: Sequence[int] = years) -> str:
        return "M" + "L".join(f"{x(t):.1f} {y(v):.1f}" for t, v in zip(when, row, strict=True))

    step = nice_step(most, 3)
    parts = [f'<text x="{left}" y="14" font-size="15">{escape(name)}</text>']
    for k in range(int(most / step) + 1):
        parts += _level(left, right, y(k * step), f"{k * step:g}")
    for at, anchor in ((first, "start"), (last, "end")):
        parts.append(_label(x(at), bottom + 14, str(at), anchor, 11))
    parts += [f'<path class="other" d="{path(row)}"/>' for row in others]
    band = path(high) + "L" + path(low[::-1], list(years)[::-1])[1:] + "Z"
    parts.append(f'<path class="band" d="{band}"/><path class="line" d="{path(mean)}"/>')
    if second is not None:
        parts.append(f'<path class="second" d="{path(second[1], second[0])}"/>')
    return picture("".join(parts), 270, 150, told)


def over_turns(name: str, ends: tuple[str, str], values: Any, others: Any) -> Picture:
    """Return a small chart of one power's outlook, 0 to 1, turn by turn; the others' faint behind. ``ends`` are the
    first turn and the last."""
    left, right, top, bottom = 34, 262, 24, 132
    across = (right - left) / max(1, len(values) - 1)

    def path(row: Any) -> str:
        return "M" + "L".join(f"{left + n * across:.1f} {bottom - (bottom - top) * v:.1f}" for n, v in enumerate(row))

    parts = [f'<text x="{left}" y="14" font-size="15">{escape(name)}</text>']
    for share in (0, 0.5, 1):
        parts += _level(left, right, bottom - (bottom - top) * share, f"{share:.0%}")
    for x, anchor, text in ((left, "start", ends[0]), (right, "end", ends[1])):
        parts.append(_label(x, bottom + 14, text, anchor, 11))
    parts += [f'<path class="other" d="{path(row)}"/>' for row in others]
    parts.append(f'<path class="line" d="{path(values)}"/>')
    told = f"{name}: {values[0]:.0%} at first, {values[-1]:.0%} in the end; the table below says the same"
    return picture("".join(parts), 270, 150, told)


def histogram(labels: Sequence[str], shares: Sequence[float], told: str, others: Sequence[float] = ()) -> Picture:
    """Return columns over their labels; ``others`` are those of a second result, as outlines."""
    left, right, top, bottom = 40, 430, 8, 150
    most = max([*shares, *others, 1e-9])
    step = nice_step(most)
    wide = (right - left) / max(1, len(labels))
    parts = []
    for k in range(int(most / step + 1e-9) + 1):
        parts += _level(left, right, bottom - (bottom - top) * k * step / most, f"{k * step:.0%}", 12)
    every = -(-len(labels) // 8)
    for n, (label, share) in enumerate(zip(labels, shares, strict=True)):
        x = left + n * wide
        for drawn, part in (("bar", share), *((("bar2", others[n]),) if others else ())):
            tall = (bottom - top) * part / most
            size = f'width="{wide * 0.8:.1f}" height="{tall:.1f}"'
            parts.append(f'<rect class="{drawn}" x="{x + wide * 0.1:.1f}" y="{bottom - tall:.1f}" {size}/>')
        if n % every == 0:
            parts.append(_label(x + wide / 2, bottom + 16, label))
    parts.append(f'<path class="axis" d="M{left} {bottom}H{right}"/>')
    return picture("".join(parts), right + 20, bottom + 24, told)
