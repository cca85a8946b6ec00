"""An analyzed game for people: lines for a terminal, and a document with the curve of the outlooks."""

from collections.abc import Sequence

import numpy as np

from legation.game import Game
from legation.lab.analysis import AnalyzedTurn, points, told, turning_points
from legation.lab.report import charts
from legation.lab.report.document import Block, Figure, Paragraph, Points, Report, Section, Table

TURNING_SHOWN = 8


def turn_lines(turn: AnalyzedTurn) -> list[str]:
    """Return what is told of a turn in a terminal."""
    outlooks = ", ".join(f"{power} {share:.0%}" for power, share in turn.outlooks.items() if share >= 0.005)
    lines = [f"{turn.turn}: {outlooks}"]
    lines += [f"  {power}: {name}" for power, name in turn.openings.items()]
    lines += [f"  {turn.decisive}"] if turn.decisive else []
    for judged in turn.sheets:
        lines += [f"  {line}" for line in told(judged)]
    return lines


def retrospect(game: Game, turns: Sequence[AnalyzedTurn]) -> Report:
    """Return the analysis of a game as a document."""
    sections = [
        Section("In words", tuple(_words(game, turns))),
        Section("Outlooks", tuple(_outlooks(turns))),
        Section("Turn by turn", tuple(_sheets(turns))),
        Section(
            "How this was made",
            (
                Paragraph(
                    "The outlook is about the part of the game that a power has in prospect: it is read off the "
                    "position (centers held and threatened, units, reach, the strongest rival), with weights "
                    "fitted on games of bots."
                ),
                Paragraph(
                    "A sheet is judged by the outlook it leads to on average, against samples of what people "
                    "might have ordered in the others' place. The better sheet is the best of those that people "
                    "might have sent. It knows nothing of letters and promises: an order that is "
                    "called a mistake may have been the price of an alliance."
                ),
            ),
        ),
    ]
    name = game.name or game.rules.title
    return Report(f"{name[0].upper()}{name[1:]}, looked back on", game.rules.title, tuple(sections))


def _words(game: Game, turns: Sequence[AnalyzedTurn]) -> list[Block]:
    blocks: list[Block] = []
    if game.ending is not None:
        blocks.append(Paragraph(f"{game.ending.reason}."))
    turned = sorted(turning_points(turns), key=lambda point: -abs(point.after - point.before))[:TURNING_SHOWN]
    order = {turn.turn: turn.number for turn in turns}
    turned.sort(key=lambda point: order[point.turn])
    if turned:
        blocks.append(Paragraph("The turns that moved the game most:"))
        blocks.append(Points(tuple(f"{p.turn}: {p.power} from {p.before:.0%} to {p.after:.0%}." for p in turned)))
    worst = sorted(
        ((judged, turn) for turn in turns for judged in turn.sheets if judged.grade), key=lambda pair: -pair[0].loss
    )[:3]
    if worst:
        blocks.append(Paragraph("The costliest sheets:"))
        blocks.append(Points(tuple(f"{turn.turn}, {j.power}: {points(j.loss)} of 100 lost." for j, turn in worst)))
    return blocks


def _outlooks(turns: Sequence[AnalyzedTurn]) -> list[Block]:
    powers = list(turns[0].outlooks)
    values = np.array([[turn.outlooks[power] for power in powers] for turn in turns])
    names = [turn.turn for turn in turns]
    pictures = []
    for n, power in enumerate(powers):
        others = [values[:, k] for k in range(len(powers)) if k != n]
        pictures.append(charts.over_turns(power, (names[0], names[-1]), values[:, n], others))
    rows = tuple((turn.turn, *(f"{turn.outlooks[power]:.0%}" for power in powers)) for turn in turns)
    return [
        Figure("Each power’s outlook as every turn began; thin lines are the other powers.", tuple(pictures), across=3),
        Table("Outlooks, turn by turn.", ("Turn", *powers), rows, folded=len(rows) > 20, on_paper=60),
    ]


def _sheets(turns: Sequence[AnalyzedTurn]) -> list[Block]:
    blocks: list[Block] = []
    if named := turns[0].openings:
        blocks.append(Paragraph("Openings: " + "; ".join(f"{power}: {name}" for power, name in named.items()) + "."))
    told_of = tuple(f"{turn.turn}: {turn.decisive}" for turn in turns if turn.decisive)
    if told_of:
        blocks += [Paragraph("The order that decided most in each turn:"), Points(told_of)]
    graded = [(turn, judged) for turn in turns for judged in turn.sheets if judged.grade]
    if not graded:
        return [*blocks, Paragraph("No sheet was clearly worse than the best that was found.")]
    for turn, judged in graded:
        first, *rest = told(judged)
        blocks += [Paragraph(f"{turn.turn}. {first}"), Points((f"Ordered: {'; '.join(judged.orders)}.", *rest))]
    return blocks
