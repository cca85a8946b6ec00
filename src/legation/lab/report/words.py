"""What a report says in words: one result, and two held against each other."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from legation.lab.intervals import by_chance, holm, newcombe
from legation.lab.report.charts import Interval
from legation.lab.report.document import Block, Paragraph, Points, Table
from legation.lab.report.figures import ReportFigures
from legation.notation import listed

STILL_YEARS = (3, 5, 10)
SURE = 0.05
FEW = 100  # games
ENDINGS = {
    "solo": "won alone",
    "draw": "drawn",
    "ranking": "ended with a ranking",
    "": "not over when the turns ran out",
}


def percent(share: float) -> str:
    """Return a share in percent."""
    return f"{share:.1%}"


def interval(value: Interval) -> str:
    """Return the ends of an interval in percent."""
    return f"{100 * value[0]:.1f} to {value[2]:.1%}"


def chance(p: float) -> str:
    """Return a p-value in words that fit after "a chance of"."""
    return "less than 1 in 1,000" if p < 0.001 else f"1 in {1 / p:,.0f}" if p < 0.02 else percent(p)


def p_value(p: float) -> str:
    """Return a p-value with its sign."""
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def games(count: int) -> str:
    """Return a number of games as a phrase: "1 game", "1,000 games"."""
    return f"{count:,} game{'' if count == 1 else 's'}"


def in_words(f: ReportFigures) -> Iterator[Block]:
    """What a result says about the balance, and how sure that is."""
    _, scores = f.alike
    if f.games < f.plan.games:
        yield Paragraph(
            f"Only {f.games:,} of {games(f.plan.games)} are there; the command at the end of this report plays the "
            "rest."
        )
    if len(set(f.plan.bots)) > 1:
        yield Paragraph(
            "Several bots took turns at the seats, so a power’s figures mix strong and weak players; play one bot in "
            "all seats to judge the board."
        )
    if scores >= SURE:
        yield Paragraph(
            f"In {games(f.games)} no power did better or worse than chance allows. If all powers were alike, scores as "
            f"uneven as these would come with a chance of {chance(scores)}."
            + (" So few games show only very large differences." if f.games < FEW else "")
        )
    else:
        yield Paragraph(
            f"The powers don’t do equally well. If they were alike, scores as uneven as these would come with a "
            f"chance of {chance(scores)}."
        )
    yield Points(tuple(_points(f)))
    yield Paragraph(
        "Bots aren’t people: shares shift with the bot, so look at more than one before you change a board. All "
        "intervals hold at 95% for all powers together."
    )


def _points(f: ReportFigures) -> Iterator[str]:
    """What can be told of single powers and of how games end, a sentence or two each."""
    even = 1 / len(f.powers)
    sure_more = [p for p, s in zip(f.powers, f.scores, strict=True) if s[0] > even]
    sure_less = [p for p, s in zip(f.powers, f.scores, strict=True) if s[2] < even]
    if sure_more:
        yield f"Certainly above an even share ({percent(even)}): {_with_scores(f, sure_more)}."
    if sure_less:
        yield f"Certainly below it: {_with_scores(f, sure_less)}."
    rest = [p for p in f.powers if p not in sure_more and p not in sure_less]
    if rest and (sure_more or sure_less):
        yield f"Not told apart from an even share: {listed(rest)}."
    if tiny := [p for p, s in zip(f.powers, f.scores, strict=True) if s[1] < even / 3]:
        yield f"Less than a third of an even share: {listed(tiny)}."
    if huge := [p for p, s in zip(f.powers, f.scores, strict=True) if s[1] > 3 * even]:
        yield f"More than three times an even share: {listed(huge)}."
    if won := int(f.solo.sum()):
        winner = max(range(len(f.powers)), key=lambda n: f.solo[:, n].sum())
        value = f.share(f.solo)[winner]
        solos, _ = f.alike
        yield (
            f"{won:,} of {games(f.games)} {'was' if won == 1 else 'were'} won alone, most often by {f.powers[winner]} "
            f"({percent(value[1])} of all games; {interval(value)}). That solos are as uneven as this has a chance of "
            f"{chance(solos)} among equals."
        )
    else:
        yield "No game was won alone."
    yield _length_in_words(f)
    half = f.z * math.sqrt(even * (1 - even) / max(1, f.games))
    yield (f"With {games(f.games)} a share like {percent(even)} is known to about ±{100 * min(half, 1):.1f} points.")
    if f.recorded:
        still = float((f.still >= STILL_YEARS[1]).mean())
        yield (
            f"{percent(still)} of the games ended after {STILL_YEARS[1]} years of play or more without a "
            "change of hands."
        )


def _with_scores(f: ReportFigures, powers: Sequence[str]) -> str:
    by_power = dict(zip(f.powers, f.scores, strict=True))
    ranked = sorted(powers, key=lambda p: -by_power[p][1])
    return listed([f"{p} ({percent(by_power[p][1])})" for p in ranked])


def _length_in_words(f: ReportFigures) -> str:
    low, middle, high = np.percentile(f.last_years, (10, 50, 90))
    unfinished = f.endings.get("", 0)
    text = f"Half of the games were over by {middle:.0f}, one in ten by {low:.0f}, nine in ten by {high:.0f}"
    return text + (
        f"; {unfinished:,} {'wasn’t' if unfinished == 1 else 'weren’t'} over when the turns ran out."
        if unfinished
        else "."
    )


def differences(f: ReportFigures, s: ReportFigures) -> Iterator[Block]:
    """What differs between two results, and whether by more than chance."""
    yield Paragraph(
        f"The first result: {games(f.games)} of {listed(list(f.plan.bots))} on {f.rules.title} (seed {f.plan.seed}). "
        f"The second: {s.games:,} of {listed(list(s.plan.bots))} on {s.rules.title} (seed {s.plan.seed}). A difference "
        "counts as more than chance where its p-value, corrected for looking at all powers at once, is below 5%."
    )
    if set(f.plan.bots) != set(s.plan.bots):
        yield Paragraph("The bots aren’t the same, so a difference may be theirs and not the board’s.")
    scores = [
        (float(a), float(b), math.sqrt(va / f.games + vb / s.games))
        for a, b, va, vb in zip(
            f.score.mean(axis=0), s.score.mean(axis=0), _variance(f.score), _variance(s.score), strict=True
        )
    ]
    p_scores = holm([by_chance(b - a, e) for a, b, e in scores])
    solos = list(zip(f.solo.sum(axis=0).tolist(), s.solo.sum(axis=0).tolist(), strict=True))
    differences = [newcombe(int(a), f.games, int(b), s.games, f.z) for a, b in solos]
    found = [
        f"{power}: from {percent(a)} to {percent(b)} of the score"
        for power, (a, b, _), p in zip(f.powers, scores, p_scores, strict=True)
        if p < SURE
    ]
    solo_found = [
        f"{power}: from {percent(a / f.games)} to {percent(b / s.games)} of the games won alone"
        for power, (a, b), (low, high) in zip(f.powers, solos, differences, strict=True)
        if low > 0 or high < 0
    ]
    if found or solo_found:
        yield Paragraph("More than chance:")
        yield Points((*found, *solo_found))
    else:
        yield Paragraph("No power’s score or solos differ by more than chance.")
    length = float(s.lengths.mean() - f.lengths.mean())
    error = math.sqrt(_spread(f.lengths) / f.games + _spread(s.lengths) / s.games)
    yield Paragraph(
        f"Games of the second result are {abs(length):.1f} years of play {'longer' if length >= 0 else 'shorter'} "
        "on average" + (", which is more than chance." if by_chance(length, error) < SURE else ", which may be chance.")
    )
    yield Table(
        "Score and solos in both results. The interval is that of the difference in solos.",
        ("Power", "Score 1", "Score 2", "p", "Solos 1", "Solos 2", "Difference", "Interval"),
        tuple(
            (
                power,
                percent(a),
                percent(b),
                p_value(p).removeprefix("= "),
                percent(c / f.games),
                percent(d / s.games),
                f"{100 * (d / s.games - c / f.games):+.1f}",
                f"{100 * low:+.1f} to {100 * high:+.1f}",
            )
            for power, (a, b, _), p, (c, d), (low, high) in zip(
                f.powers, scores, p_scores, solos, differences, strict=True
            )
        ),
    )


def _variance(scores: Any) -> Any:
    return scores.var(axis=0, ddof=1) if len(scores) > 1 else np.ones(scores.shape[1])


def _spread(values: Any) -> float:
    return float(values.var(ddof=1)) if len(values) > 1 else 1.0
