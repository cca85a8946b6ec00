"""Seasons and the codes of turns: ``herbst``, ``s1642m``."""

from __future__ import annotations

import re

import msgspec

from legation.position import Phase

_SEASON_NAMES = {
    "spring": "spring spr fruhjahr fruhling printemps primavera lente voorjaar",
    "summer": "summer sum sommer verano zomer",
    "autumn": "autumn aut fall herbst automne lautomne otono autunno lautunno herfst najaar outono",
    "winter": "winter hiver invierno inverno vinter",
}
SEASONS = {name: season for season, names in _SEASON_NAMES.items() for name in names.split()}
_SEASON_CODES = {
    code: seasons
    for seasons, codes in (
        ("spring summer", "s"),
        ("spring", "sp spr"),
        ("summer", "u su sum"),
        ("autumn", "f a au aut"),
        ("winter", "w wi win"),
    )
    for code in codes.split()
}
"""The seasons that the letters of a turn's code may stand for."""
_TURN_CODE = re.compile(rf"({'|'.join(_SEASON_CODES)})(\d{{2,4}})([mrbap]?)")
_CODE_BEHIND = re.compile(rf"(\d{{2,4}})({'|'.join(_SEASON_CODES)})")
_CODED = {
    "m": {Phase.MOVEMENT},
    "r": {Phase.RETREATS},
    "b": {Phase.ADJUSTMENTS, Phase.PLACEMENT},
    "a": {Phase.ADJUSTMENTS},
    "p": {Phase.PLACEMENT},
}


class TurnCode(msgspec.Struct, frozen=True):
    """A turn in short, ``s1642`` or ``s1643m``: the seasons that it may be, with blanks between them, the year as
    written and the phase's letter."""

    seasons: str
    year: str
    phase: str


def read_turn_code(word: str) -> TurnCode | None:
    """Read a folded word as a turn's code; None if it is none."""
    match = _TURN_CODE.fullmatch(word)
    if match is None:
        behind = _CODE_BEHIND.fullmatch(word)  # 05S
        return None if behind is None else TurnCode(_SEASON_CODES[behind.group(2)], behind.group(1), "")
    letters, year, phase = match.groups()
    seasons = _SEASON_CODES[letters]
    if phase == "r" and seasons == "winter":  # W04R: of removals
        phase = "b"
    return TurnCode(seasons.split()[0] if phase else seasons, year, phase)  # S1643M is the e-mail Judge's
