"""Calendars of other systems as ours: a first turn, a cycle, and the years that it takes."""

from legation.interop.record import ForeignVariant

LONGEST = 40
LETTERS = {"M": "Movement", "R": "Retreats", "A": "Adjustments", "B": "Adjustments"}
SEASON_LETTERS = {"S": "Spring", "U": "Summer", "F": "Fall", "W": "Winter"}


def season_word(name: str) -> str:
    """A season as one word of letters, as turns are written here."""
    letters = "".join(c for c in name if c.isalpha())
    return letters.capitalize()[:20] or "Turn"


def take_cycle(variant: ForeignVariant, turns: list[tuple[str, int, str]], year: int, years: int, what: str) -> None:
    """Take a cycle of turns (season, years since the beginning, phase of ours) that begins in ``year`` with its first.

    A year of several seasons is written by them, a cycle of several years of one season by years; what is neither is
    told, and the usual calendar is used."""
    seasons = {season for season, _, _ in turns}
    pairs = [(season, phase) for season, _, phase in turns]
    moving = [phase for _, _, phase in turns if phase == "Movement"]
    if not moving or len(turns) > LONGEST or years < 1:
        variant.left(what, "a calendar without movement, or longer than a calendar here; the usual one is used")
        return
    if len(set(pairs)) == len(pairs) and (len(seasons) > 1 or years == 1):
        words = {season: season_word(season) for season in seasons}
        if len(set(words.values())) < len(words):
            words = {season: f"{season_word(season)}{chr(97 + i)}" for i, season in enumerate(sorted(seasons))}
        if any(word != season for season, word in words.items()):
            variant.guess(what, f"seasons are one word here: {', '.join(words.values())}")
        before = next((i for i, (_, offset, _) in enumerate(turns) if offset), 0)  # turns of the year it begins in
        if any(offset != years for _, offset, _ in turns[before:] if before):
            variant.left(what, "the year changes more than once within the cycle; here it changes at its end")
            before = 0
        variant.opening = [f"{words[season]} {year} {phase}" for season, _, phase in turns[:before]]
        turns = turns[before:] + turns[:before]
        variant.cycle = [f"{words[season]} {phase}" for season, _, phase in turns]
        variant.first = f"{words[turns[0][0]]} {year + years if before else year} {turns[0][2]}"
        variant.years = years
    elif len(seasons) == 1:
        variant.cycle = [f"+{offset} {phase}" for _, offset, phase in turns]
        variant.first = f"{year} {turns[0][2]}"
        variant.years = years
        variant.guess(what, "turns are years here, without the name of the season")
    else:
        variant.left(what, "a cycle of several years with several seasons; the usual calendar is used")
        return
    variant.took(what, f"the calendar: {', '.join(variant.cycle)}")


def first_turn(text: str) -> tuple[str, str, str]:
    """Season, year and phase of ``Spring 1901 Movement``."""
    words = text.split()
    return " ".join(words[:-2]), words[-2], words[-1]


def start_in_cycle(variant: ForeignVariant) -> None:
    """Let a game that begins elsewhere in the year begin there: the rest of that year is the calendar's opening."""
    season, year, phase = first_turn(variant.first)
    turns = [tuple(turn.rsplit(" ", 1)) for turn in variant.cycle]
    if (season, phase) not in turns:
        fitting = [s for s, p in turns if p == phase]
        if not fitting:
            variant.guess(variant.first, "isn't a turn of the calendar; the game begins with the first")
            variant.first = f"{turns[0][0]} {year} {turns[0][1]}"
            return
        season = fitting[0]
    at = turns.index((season, phase))
    if at:
        variant.opening = [f"{s} {year} {p}" for s, p in turns[at:]]
        variant.first = f"{turns[0][0]} {int(year) + 1} {turns[0][1]}"
    else:
        variant.first = f"{season} {year} {phase}"
