"""The sections of a report, in words first, then figure by figure with a table under each."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from legation.judge import Ruleset
from legation.lab.history import OUTCOMES, WHATS
from legation.lab.report import charts
from legation.lab.report.charts import Interval
from legation.lab.report.document import Block, Figure, Paragraph, Report, Section, Table
from legation.lab.report.figures import ReportFigures
from legation.lab.report.heat import heat_map
from legation.lab.report.words import ENDINGS, STILL_YEARS, differences, games, in_words, interval, p_value, percent
from legation.notation import listed

OPENINGS_SHOWN = 5
RECORDS = {"ride on a ferry": "ride", "carry by ferry": "carry", "convert": "convert"}
"""Orders that a rule of the variant must bring, by what is ordered: their names in its dense form."""


def report(first: ReportFigures, second: ReportFigures | None = None) -> Report:
    """Return the report of a result, or of two of the same powers."""
    rules = first.rules
    bots = listed(list(dict.fromkeys(first.plan.bots)))
    blocks = _Sections(first, second)
    sections = [
        Section("In words", tuple(in_words(first))),
        *([Section("What differs", tuple(differences(first, second)))] if second else []),
        Section("Wins, draws and survival", tuple(blocks.shares())),
        Section("Centers by year", tuple(blocks.years())),
        Section("Length and endings", tuple(blocks.length())),
        Section("Eliminations", tuple(blocks.eliminations())),
    ]
    if first.recorded:
        sections += [
            Section("First contacts", tuple(blocks.contacts())),
            Section("Centers and borders", tuple(blocks.heat())),
            Section("Openings", tuple(blocks.openings())),
            Section("Stalemates", tuple(blocks.stalemates())),
            Section("Orders used and never used", tuple(blocks.orders())),
            Section("Places never reached", tuple(blocks.unreached())),
        ]
    sections.append(Section("How this was made", tuple(blocks.made())))
    subtitle = f"{games(first.games)} of {bots}"
    if second:
        subtitle += f", beside {second.games:,} of {listed(list(dict.fromkeys(second.plan.bots)))}"
    return Report(f"How balanced is {rules.title}?", subtitle, tuple(sections), blocks.map_style)


class _Sections:
    def __init__(self, first: ReportFigures, second: ReportFigures | None) -> None:
        self.first = first
        self.second = second
        self.rules: Ruleset = first.rules
        self.powers = first.powers
        self.even = 1 / len(self.powers)
        self.map_style = ""
        self.names = {p.id: p.name for p in self.rules.board.provinces.values()}
        if first.recorded:
            self.map = heat_map(
                self.rules.name,
                {name: first.places[name][1] for name in self.rules.board.centers if name in first.places},
                {pair: v[1] + v[2] for pair, v in first.borders.items()},
            )
            if self.map:
                self.map_style = self.map[1]

    # Figures

    def shares(self) -> Iterator[Block]:
        f, s = self.first, self.second
        pictures = []
        for name, told in (
            ("scores", "Mean score"),
            ("solo", "Games won alone"),
            ("draw", "Games in which it shares a draw or a ranking"),
            ("survives", "Games that it survives"),
        ):
            if name in ("solo", "draw") and not getattr(f, name).any():
                continue
            values = f.scores if name == "scores" else f.share(getattr(f, name))
            others: Sequence[Interval] = ()
            if s:
                others = s.scores if name == "scores" else s.share(getattr(s, name))
            even = self.even if name in ("scores", "solo") else float(np.mean([v[1] for v in values]))
            pictures.append(charts.intervals(told, self.powers, values, even, others))
        yield Figure(
            "The score of a game is 1 for a solo, 0 where another power won, else the share of the squared centers. "
            "Dots are what was found, lines 95% intervals. The dashed line is an even share of scores and solos, and "
            "the mean "
            "of all powers in draws and survival." + (" Open dots: the second result." if s else ""),
            tuple(pictures),
            across=2,
        )
        yield self._table_of_shares()
        solos, scores = f.alike
        yield Paragraph(
            f"Are all powers alike? Scores: p {p_value(scores)}"
            + (f"; solos: p {p_value(solos)}." if f.solo.any() else ".")
            + " A small p says no."
        )

    def _table_of_shares(self) -> Table:
        f = self.first
        rows = []
        draw = f.share(f.draw)
        for n, power in enumerate(self.powers):
            score, solo, survives = (
                (percent(value[n][1]), interval(value[n])) for value in (f.scores, f.share(f.solo), f.share(f.survives))
            )
            centers = f"{f.centers[:, n].mean():.1f}"
            rows.append((power, *score, *solo, percent(draw[n][1]), *survives, centers))
        told = f"What came of {games(f.games)}, in shares of the games; centers are those at the end, on average."
        head = "Power", "Score", "Interval", "Alone", "Interval", "Shares", "Survives", "Interval", "Centers"
        return Table(told, head, tuple(rows))

    def years(self) -> Iterator[Block]:
        f, s = self.first, self.second
        years, counts = f.over_years
        until = _shown_years(years, f.last_years)
        years, counts = years[:until], counts[:, :until]
        mean = counts.mean(axis=0)
        low, high = np.percentile(counts, (10, 90), axis=0)
        most = float(max(high.max(), 1))
        second = None
        if s:
            other_years, other_counts = s.over_years
            cut = _shown_years(other_years, s.last_years)
            second = other_years[:cut], other_counts[:, :cut].mean(axis=0)
        pictures = []
        for n, power in enumerate(self.powers):
            others = [mean[:, k] for k in range(len(self.powers)) if k != n]
            told = f"{power}: {mean[0, n]:.1f} centers in {years[0]}, {mean[-1, n]:.1f} in {years[-1]} on average"
            beside = (second[0], second[1][:, n]) if second else None
            pictures.append(
                charts.over_years(power, years, mean[:, n], low[:, n], high[:, n], others, most, told, beside)
            )
        yield Figure(
            "Centers at the end of each year: the line is the mean of all games, the band holds eight games of ten, "
            "thin lines are the other powers. A game that is over keeps the centers it ended with."
            + (" Dashed: the second result." if s else ""),
            tuple(pictures),
            across=3,
        )
        chosen = sorted({round(k) for k in np.linspace(0, len(years) - 1, min(len(years), 8))})
        yield Table(
            "Mean centers, and in brackets those that eight games of ten lie between.",
            ("Power", *(str(years[k]) for k in chosen)),
            tuple(
                (power, *(f"{mean[k, n]:.1f} ({low[k, n]:.0f}–{high[k, n]:.0f})" for k in chosen))
                for n, power in enumerate(self.powers)
            ),
        )

    def length(self) -> Iterator[Block]:
        f, s = self.first, self.second
        longest = max(f.lengths.max(), s.lengths.max() if s else 0)
        wide = max(1, math.ceil(longest / 24))
        begins = list(range(0, longest, wide))

        def shares(lengths: Any) -> list[float]:
            return [float(((lengths > b) & (lengths <= b + wide)).mean()) for b in begins]

        labels = [str(f.calendar[b]) for b in begins]
        others = shares(s.lengths) if s else []
        picture = charts.histogram(labels, shares(f.lengths), "When games ended; the table below says the same", others)
        yield Figure(
            f"Games by the year they ended in{f', {wide} years together' if wide > 1 else ''}."
            + (" Outlines: the second result." if s else ""),
            (picture,),
        )
        quantiles = [round(float(q)) for q in np.percentile(f.last_years, (0, 10, 25, 50, 75, 90, 100))]
        yield Table(
            "The year in which so many of the games were over.",
            ("", "First", "10%", "25%", "Half", "75%", "90%", "Last"),
            (("Year", *map(str, quantiles)),),
        )
        rows = [
            (ENDINGS.get(kind, kind).capitalize(), f"{count:,}", percent(count / f.games))
            for kind, count in sorted(f.endings.items(), key=lambda item: -item[1])
        ]
        yield Table("How the games ended.", ("Ending", "Games", "Share"), tuple(rows))

    def eliminations(self) -> Iterator[Block]:
        f = self.first
        gone = f.eliminated
        mean = float(np.mean([share for share, _ in gone]))
        picture = charts.intervals("Games in which it is eliminated", self.powers, f.share(1 - f.survives), mean)
        yield Figure("The dashed line is the mean of all powers.", (picture,))
        yield Table(
            "Eliminations, and the mean of the last year with a center or a unit.",
            ("Power", "Eliminated", "Interval", "Last year"),
            tuple(
                (power, percent(share), interval(value), f"{year:.1f}" if year is not None else "–")
                for power, (share, year), value in zip(self.powers, gone, f.share(1 - f.survives), strict=True)
            ),
        )

    def contacts(self) -> Iterator[Block]:
        f = self.first
        yield Paragraph(
            "Two powers are in contact when a turn begins with a unit of one beside a unit of the other. The year is "
            "the median over the games in which they met; in brackets the share of games, where it isn’t all."
        )

        def told(a: str, b: str) -> str:
            if a == b:
                return "·"
            share, year = f.contacts.get((a, b)) or f.contacts.get((b, a)) or (0.0, 0.0)
            return "never" if not share else f"{year:.0f}" + (f" ({share:.0%})" if share < 0.995 else "")

        if len(self.powers) <= 8:
            yield Table(
                "First contacts.",
                ("", *self.powers),
                tuple((a, *(told(a, b) for b in self.powers)) for a in self.powers),
            )
            return
        pairs = [(a, b) for n, a in enumerate(self.powers) for b in self.powers[n + 1 :]]
        pairs.sort(key=lambda pair: (f.contacts.get(pair, (0, math.inf))[1], pair))
        rows = [(f"{a} and {b}", told(a, b)) for a, b in pairs]
        yield Table("First contacts, the earliest first.", ("Powers", "Year"), tuple(rows))

    def heat(self) -> Iterator[Block]:
        f = self.first
        if self.map:
            yield Figure(
                "Circles: how often a center passes from one power to another, in each game on average. Lines: how "
                "many moves over a border bounce or dislodge in a game; the wider, the more.",
                (self.map[0],),
                across=0,
            )
        centers = sorted(
            ((name, *f.places[name]) for name in self.rules.board.centers if name in f.places),
            key=lambda row: (-row[2], self.names[row[0]]),
        )
        yield Table(
            "Centers by how often they change hands.",
            ("Center", "Changes of hands a game", "Games in which it leaves its first owner or is taken"),
            tuple((self.names[name], f"{changes:.2f}", percent(taken)) for name, _, changes, taken in centers),
            folded=len(centers) > 20,
            on_paper=20,
        )
        borders = sorted(f.borders.items(), key=lambda item: (-item[1][1] - item[1][2], item[0]))
        fought = [(pair, v) for pair, v in borders if v[1] + v[2] > 0]
        yield Table(
            "Borders by how much they are fought over, in a game on average.",
            ("Border", "Moves", "Bounces", "Dislodgements"),
            tuple(
                (f"{self.names[a]} – {self.names[b]}", f"{v[0]:.1f}", f"{v[1]:.2f}", f"{v[2]:.2f}")
                for (a, b), v in fought
            ),
            folded=len(fought) > 20,
            on_paper=20,
        )
        yield Paragraph(f"{f.changes_a_year:.1f} centers change hands in a year, first captures included.")

    def openings(self) -> Iterator[Block]:
        f = self.first
        rows = []
        for power in self.powers:
            for text, count, score in f.openings[power][:OPENINGS_SHOWN]:
                rows.append((power, text or "no orders", percent(count / f.games), percent(score)))
        varied = []
        for power in self.powers:
            shares = np.array([count for _, count, _ in f.openings[power]]) / f.games
            varied.append((power, str(len(shares)), f"{math.exp(-(shares * np.log(shares)).sum()):.1f}"))
        yield Paragraph(
            f"What each power ordered up to its first movement turn, its {OPENINGS_SHOWN} commonest sheets, and its "
            "mean score with them. A score after few games says little."
        )
        yield Table(
            "Openings.", ("Power", "Orders", "Games", "Score"), tuple(rows), frozenset({1}), folded=len(rows) > 40
        )
        yield Table(
            "How varied the openings are. The effective number counts each sheet by how often it is played: if two are "
            "played equally often it is 2.",
            ("Power", "Different sheets", "Effective number"),
            tuple(varied),
        )

    def stalemates(self) -> Iterator[Block]:
        f = self.first
        rows = [
            (
                f"{years} years of play or more",
                f"{int((f.still >= years).sum()):,}",
                percent(float((f.still >= years).mean())),
            )
            for years in STILL_YEARS
        ]
        yield Table(
            "Games at whose end no center had changed hands for so long.",
            ("Without a change", "Games", "Share"),
            tuple(rows),
        )
        drawn = np.array([ending != "solo" for ending in f.played["ending"]])
        if drawn.any() and (~drawn).any():
            yield Paragraph(
                f"Games that nobody won ended after {f.still[drawn].mean():.1f} years of play without a change on "
                f"average, the others after {f.still[~drawn].mean():.1f}."
            )

    def orders(self) -> Iterator[Block]:
        f = self.first
        total = sum(sum(outcomes.values()) for outcomes in f.orders.values())
        rows, never = [], []
        for what in WHATS.values():
            outcomes = f.orders.get(what, {})
            count = sum(outcomes.values())
            if count:
                shown = [f"{outcomes[o] / count:.1%} {o}" for o in OUTCOMES if outcomes.get(o) and o != "succeeds"]
                rows.append(
                    (
                        what.capitalize(),
                        f"{count:,}",
                        percent(count / total),
                        percent(outcomes.get("succeeds", 0) / count),
                        ", ".join(shown) or "–",
                    )
                )
            elif what != "other" and (what not in RECORDS or RECORDS[what] in self.rules.dense_form.records):
                never.append(what)
        yield Table(
            "Orders by kind, and what came of them.",
            ("Order", "Given", "Share", "Succeed", "Else"),
            tuple(rows),
            frozenset({4}),
        )
        if never:
            yield Paragraph(f"Never ordered: {listed(never)}.")
        kinds = [ENDINGS[kind] for kind in f.endings if kind]
        yield Paragraph(f"Endings that came about: {listed(kinds or ['none'])}.")

    def unreached(self) -> Iterator[Block]:
        f = self.first
        empty = [self.names[name] for name in self.names if f.places.get(name, (0, 0, 0))[0] == 0]
        centers = [self.names[c] for c in self.rules.board.centers if f.places.get(c, (0, 0, 0))[2] == 0]
        yield Paragraph(
            f"No turn began with a unit in: {listed(sorted(empty))}." if empty else "Units stood in every province."
        )
        yield Paragraph(
            f"Never left their first owner, or stayed neutral: {listed(sorted(centers))}."
            if centers
            else "Every center changed its owner in some game."
        )

    def made(self) -> Iterator[Block]:
        for f in (self.first, self.second) if self.second else (self.first,):
            assert f is not None
            plan = f.plan
            command = (
                f"legation lab play {plan.variant} --bots {','.join(plan.bots)} --games {plan.games} --seed "
                f"{plan.seed} --turns {plan.turns}"
            )
            faults = int(f.faults.sum())
            yield Paragraph(
                f"{f.games:,} of {games(plan.games)} {'is' if f.games == 1 else 'are'} there, played by: {command}. "
                f"Bots lost {faults:,} move{'' if faults == 1 else 's'} by faults of their own."
            )
        if not self.first.recorded:
            yield Paragraph(
                "Orders, borders, contacts and openings weren’t recorded; play without --plain to have them "
                "in the report."
            )


def _shown_years(years: Sequence[int], last: Any) -> int:
    """How many years are shown: until nineteen games of twenty are over."""
    return max(2, int(np.percentile(last, 95)) - years[0] + 1)
