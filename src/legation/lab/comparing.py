"""Compare bots: how each fared in the games of a run, with intervals, and ratings with their error."""

from collections import defaultdict
from statistics import fmean
from typing import Any

import msgspec
from openskill.models import PlackettLuce

from legation.bots.intervals import wilson
from legation.lab.intervals import mean_and_half
from legation.lab.results import Results


class BotStanding(msgspec.Struct, frozen=True):
    """How a bot fared: seats it had, the share of them won alone and survived with their Wilson intervals, its mean
    score in a game with half the width of its interval, and its rating with its error (openskill's mu and sigma).

    The score is the seat's: 1 for a solo, 0 where another won, else its share of the sum of squares of centers."""

    bot: str
    games: int
    seats: int
    solos: float
    solos_interval: tuple[float, float]
    survives: float
    survives_interval: tuple[float, float]
    score: float
    score_half: float
    rating: float
    rating_error: float
    faults: int


def compare(results: Results) -> list[BotStanding]:
    """Return the bots of a run, the best rated first."""
    rows: list[dict[str, Any]] = results.table("powers").to_pylist()
    by_game: dict[int, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    by_bot: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_game[row["game"]][row["bot"]].append(row)
        by_bot[row["bot"]].append(row)
    model = PlackettLuce()
    ratings = {name: model.rating(name=name) for name in by_bot}
    scores: dict[str, list[float]] = defaultdict(list)
    for _, of_game in sorted(by_game.items()):
        mean = {name: fmean(row["score"] for row in seats) for name, seats in of_game.items()}
        for name, score in mean.items():
            scores[name].append(score)
        if len(mean) > 1:
            rated = model.rate([[ratings[name]] for name in mean], scores=list(mean.values()))
            ratings.update({name: team[0] for name, team in zip(mean, rated, strict=True)})
    standings = []
    for name, seats in by_bot.items():
        solos, survives = sum(row["solo"] for row in seats), sum(row["survives"] for row in seats)
        score, half = mean_and_half(scores[name])
        standings.append(
            BotStanding(
                name,
                len(scores[name]),
                len(seats),
                solos / len(seats),
                wilson(solos, len(seats)),
                survives / len(seats),
                wilson(survives, len(seats)),
                score,
                half,
                ratings[name].mu,
                ratings[name].sigma,
                sum(row["faults"] for row in seats),
            )
        )
    return sorted(standings, key=lambda standing: -standing.rating)
