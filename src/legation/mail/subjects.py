"""Subject lines: ``Game - Power - Season Year - Submission type - Version`` (W-20c), and the many ways in which people garble them.

A subject is understood part by part: names of games and powers wherever they stand, a season and a year, what is sent, a version with what is to be said of it (W-20e). What is left over is told.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

import msgspec
from rapidfuzz import fuzz, process

from legation.position import Phase

CLOSE = 82  # how alike, of 100, a misspelt name must be to be taken for the name
MARGIN = 10  # by how much it must be nearer than any other name
LONGEST = 400


class GameNames(msgspec.Struct, frozen=True):
    """What may be named in a subject: a game's key and name, its powers with their further names, and the seasons of its calendar."""

    key: str
    name: str
    powers: tuple[str, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    seasons: tuple[str, ...] = ()


class Subject(msgspec.Struct, frozen=True):
    """A subject line as understood. Empty or None: not said. ``unread`` are the words that were not understood, ``guessed`` the names that were taken for others."""

    game: str = ""
    power: str = ""
    season: str = ""
    year: int | None = None
    phase: Phase | None = None
    version: int | None = None
    instruction: str = ""
    token: str = ""
    unread: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()


_REPLY = re.compile(r"^\s*(?:(?:re|fwd?|aw|wg|antw|sv|vs|ref|rv|tr|res|odp)\s*(?:\[\d+\])?\s*:\s*)+", re.IGNORECASE)
_TAG = re.compile(r"\[\s*([a-z0-9][a-z0-9-]*)\.([a-z0-9-]+)\.([a-z0-9]{6,})\s*\]", re.IGNORECASE)
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−_"), "-")
_VERSION = re.compile(
    r"(?<!\w)(?:v(?:ersion|ers|er)?|rev(?:ision)?|attempt|draft)\s*[.:#]?\s*(?:no\.?\s*)?(\d{1,3})(?!\d)|"
    r"(?<!\w)(\d{1,3})(?:st|nd|rd|th)\s+(?:version|revision|attempt)\b|"
    r"[-–—,]\s*(\d{1,2})\s*$|"
    r"(?<!\w)(first|second|third|fourth|fifth|final|last)\s+(?:version|revision)\b",
    re.IGNORECASE,
)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_CODE = re.compile(r"(?<![\w-])([SFWUA])(\d{3,4})([MRAB])?(?!\w)", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\w])['’]?(\d{3,4})(?!\w)")
_PHASES: tuple[tuple[Phase, str], ...] = (
    (Phase.RETREATS, r"retreats?|retreating"),
    (Phase.ADJUSTMENTS, r"adjustments?|adjust|builds?|build/?removals?|removals?|disbands?"),
    (Phase.PLACEMENT, r"placements?|set-?up"),
    (Phase.MOVEMENT, r"movements?|moves?"),
)
_SEASONS = {"S": ("Spring",), "F": ("Fall", "Autumn"), "A": ("Autumn",), "W": ("Winter",), "U": ("Summer",)}
_NOISE = frozenset(
    "order orders sheet sheets submission type game power turn season year for of the my our and photo photos picture "
    "pictures scan phase orders' from revised revision version new updated please find attached powers".split()
)


def fold(text: str) -> str:
    """Text without accents and case, with one kind of dash and of blank."""
    plain = unicodedata.normalize("NFKD", text.translate(_DASHES)).casefold()
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())


def read_subject(text: str, games: Sequence[GameNames]) -> Subject:
    """Understand a subject line, given the games that the sender could mean.

    Names are found wherever they stand; a name that is spelt nearly right is taken for it only where nothing else is as near, and said in ``guessed``.
    """
    rest = " ".join(text[:LONGEST].split())
    rest, token = _take_token(_REPLY.sub("", rest))
    rest, version, instruction = _take_version(rest)
    rest = fold(rest)
    rest, season, year, phase = _take_code(rest, games)
    guessed: list[str] = []
    rest, key = _take_name(rest, {fold(n): g.key for g in games for n in (g.name, g.key)}, guessed)
    meant = [g for g in games if g.key == key] or list(games)
    powers = {fold(name): power for g in meant for name, power in [*((p, p) for p in g.powers), *g.aliases]}
    rest, power = _take_name(rest, powers, guessed)
    if not season:
        seasons = {s for g in meant for s in g.seasons} or {"Spring", "Summer", "Fall", "Autumn", "Winter"}
        rest, season = _take_name(rest, {fold(s): s for s in sorted(seasons)}, guessed)
    if year is None and (found := _YEAR.search(rest)):
        year = int(found[1])
        rest = _cut(rest, found)
    if phase is None:
        rest, phase = _take_phase(rest)
    elif (taken := _take_phase(rest))[1] is not None:
        rest = taken[0]
    unread = tuple(w for w in re.split(r"[^\w'/-]+|\s-+\s", rest) if w.strip("-/'") and w.strip("-/'") not in _NOISE)
    return Subject(key, power, season, year, phase, version, instruction, token, unread, tuple(guessed))


def _cut(text: str, found: re.Match[str]) -> str:
    """The text with what was found taken out; what stood around it stays apart."""
    return f"{text[: found.start()]} , {text[found.end() :]}"


def _take_token(text: str) -> tuple[str, str]:
    found = _TAG.search(text)
    return (text, "") if found is None else (_cut(text, found), found[3].lower())


def _take_version(text: str) -> tuple[str, int | None, str]:
    """The version, and what stands after it: instructions for choosing among several (W-20e), in the words in which they came."""
    found = _VERSION.search(text)
    if found is None:
        return text, None, ""
    word = (found[4] or "").lower()
    number = int(found[1] or found[2] or found[3] or _ORDINALS.get(word, 0)) or None
    instruction = text[found.end() :].strip(" -–—,;:.()[]")
    before = text[: found.start()].rstrip(" -–—,;:([")
    if number is None:
        instruction = f"{found[0]} {instruction}".strip()
    if _is_part(instruction):
        return f"{before} , {instruction}", number, ""
    return before, number, instruction


def _is_part(text: str) -> bool:
    """Whether what follows a version is only another part of the subject (``v2 Movement Orders``)."""
    return bool(text) and _take_phase(fold(text))[0].strip(" ,-") in ("", "orders", "order")


def _take_code(text: str, games: Sequence[GameNames]) -> tuple[str, str, int | None, Phase | None]:
    """``S1642M``: a season's letter, a year, a phase's letter."""
    found = _CODE.search(text)
    if found is None:
        return text, "", None, None
    known = {s for g in games for s in g.seasons}
    seasons = [s for s in _SEASONS[found[1].upper()] if not known or s in known]
    letters = {"M": Phase.MOVEMENT, "R": Phase.RETREATS, "A": Phase.ADJUSTMENTS, "B": Phase.ADJUSTMENTS}
    phase = letters[found[3].upper()] if found[3] else None
    return _cut(text, found), seasons[0] if seasons else "", int(found[2]), phase


def _take_phase(text: str) -> tuple[str, Phase | None]:
    for phase, words in _PHASES:
        found = re.search(rf"(?<![\w])(?:{words})(?![\w])(?:\s+(?:orders?|sheets?))?", text)
        if found:
            return _cut(text, found), phase
    return text, None


def _take_name(text: str, names: dict[str, str], guessed: list[str]) -> tuple[str, str]:
    """The longest of the names that the text holds as whole words; else the only one that is nearly there, noted in ``guessed``."""
    loose = text.replace("-", " ")
    held = [n for n in names if re.search(rf"(?<!\w){re.escape(n.replace('-', ' '))}(?!\w)", loose)]
    held.sort(key=len, reverse=True)
    if held:
        best = held[0]
        if {names[n] for n in held if n.replace("-", " ") not in best.replace("-", " ")} - {names[best]}:
            return text, ""  # two are named: none is taken
        found = re.search(rf"(?<!\w){re.escape(best.replace('-', ' '))}(?!\w)", loose)
        assert found is not None
        return _cut(text, found), names[best]
    pieces = [piece.strip() for piece in re.split(r"\s+-+\s+|[,;|/:]", text)]
    near: list[tuple[float, str, str]] = []
    for piece in pieces:
        if len(piece) > 3 and piece not in _NOISE:
            near += [(score, name, piece) for name, score, _ in _alike(piece, names)]
    near.sort(reverse=True)
    rivals = [score for score, name, _ in near if names[name] != names[near[0][1]]]
    if not near or near[0][0] < CLOSE or (rivals and near[0][0] - rivals[0] < MARGIN):
        return text, ""
    _, name, piece = near[0]
    guessed.append(f"{piece!r} was taken for {names[name]}")
    return text.replace(piece, " , ", 1), names[name]


def _alike(piece: str, names: Iterable[str]) -> list[tuple[str, float, int]]:
    return process.extract(
        piece, [n for n in names if len(n) > 3], scorer=fuzz.ratio, score_cutoff=CLOSE - MARGIN, limit=3
    )
