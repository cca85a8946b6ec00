"""Maps and games in notebooks."""

from collections.abc import Sequence
from html import escape
from typing import Literal

from legation.atlas.cartography import for_variant
from legation.game import Game
from legation.game.report import standing, turn_report
from legation.judge import Ruleset, Verdict
from legation.position import Position
from legation.variants import load


class Drawing(str):
    """The text of an SVG; a notebook shows it as the picture."""

    def _repr_svg_(self) -> str:
        return str(self)


def draw(
    subject: str | Ruleset | Game,
    position: Position | None = None,
    verdicts: Sequence[Verdict] = (),
    *,
    title: str = "",
    theme: Literal["light", "dark"] = "light",
    legend: bool = True,
) -> Drawing:
    """Return a map as SVG: of a variant, its opening or another ``position``, with the orders of a turn if ``verdicts``
    are given; of a game, its last turn.

    >>> import legation
    >>> picture = legation.draw("hundred", theme="dark")
    >>> picture.startswith("<svg") and picture.endswith("</svg>")
    True

    :raises legation.atlas.NoMapError: if the board has no picture."""
    rules = load(subject) if isinstance(subject, str) else subject.rules if isinstance(subject, Game) else subject
    if isinstance(subject, Game):
        title = title or subject.name
        if position is None and subject.turns:
            last = subject.turns[-1].resolution
            position, verdicts = last.before, verdicts or last.verdicts
        position = position or subject.position
    atlas = for_variant(rules.name)
    svg = atlas.svg(position or rules.opening(), verdicts, title=title or rules.title, theme=theme, legend=legend)
    return Drawing(svg)


def game_html(game: Game) -> str:
    """Return the map and report of the last turn, or of the opening before the first, as HTML."""
    if game.turns:
        last = game.turns[-1]
        report = turn_report(game.rules, last.resolution, last.unread)
    else:
        turn = game.position.turn
        report = f"{game.rules.title}\n\n{standing(game.rules, game.position)}\n\nNext: {turn}."
    return f"<div>{draw(game)}</div><pre>{escape(report)}</pre>"
