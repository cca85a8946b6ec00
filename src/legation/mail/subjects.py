"""Subject lines: ``Game - Power - Season Year - Submission type - Version`` (W-20c), and the many ways in which people
garble them.

A subject is understood part by part: names of games and powers wherever they stand, a season and a year, what is sent,
a version with what is to be said of it (W-20e). What is left over is told."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

import msgspec
from rapidfuzz import fuzz, process

from legation.mail.words import pattern, word_set
from legation.notation import season_of, turn_code
from legation.position import Phase

CLOSE = 82  # how alike, of 100, a misspelt name must be to be taken for the name
MARGIN = 10  # by how much it must be nearer than any other name
LONGEST = 400


class GameNames(msgspec.Struct, frozen=True):
    """What may be named in a subject: a game's key and name, its powers with their further names, the seasons of its
    calendar, and its first and last year (0: not known)."""

    key: str
    name: str
    powers: tuple[str, ...] = ()
    aliases: tuple[tuple[str, str], ...] = ()
    seasons: tuple[str, ...] = ()
    years: tuple[int, int] = (0, 0)


class MailSubject(msgspec.Struct, frozen=True):
    """A subject line as understood.

    Empty or None: not said. ``S1642`` may mean ``or_season`` as well as ``season``. ``unread`` are the words that were
    not understood, ``guessed`` the names that were taken for others."""

    game: str = ""
    power: str = ""
    season: str = ""
    year: int | None = None
    phase: Phase | None = None
    version: int | None = None
    instruction: str = ""
    unread: tuple[str, ...] = ()
    guessed: tuple[str, ...] = ()
    or_season: str = ""


_TAGGED = r"(?:\[[^\[\]]{1,40}\] ?|\*{2,5} ?[\w -]{1,20}\*{2,5} ?)(?={} ?:)"
"""What a server or a mailing list puts before an answer's subject: ``[EXTERNAL] Re:``."""
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−_"), "-")
_VERSION = re.compile(
    r"(?<!\w)(?:v(?:ersion|ers|er)?|rev(?:ision)?|attempt|draft)\s*[.:#]?\s*(?:no\.?\s*)?(\d{1,3})(?!\d)|"
    r"(?<!\w)(\d{1,3})(?:st|nd|rd|th)\s+(?:version|revision|attempt)\b|"
    r"[-–—,]\s*(\d{1,2})\s*$|"
    r"(?<!\w)(first|second|third|fourth|fifth|final|last)\s+(?:version|revision)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:replac\w*|supersed\w*|only|if|unless|instead|ignore|use|when|otherwise|not)\b", re.IGNORECASE
)
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_CODE = re.compile(r"(?<![\w-])[a-z]{1,3}\d{3,4}[a-z]?(?!\w)")
_YEAR = re.compile(r"(?<![\w])['’]?(\d{3,4})(?!\w)")
_SEASON = r"(?:spring|summer|fall|autumn|winter)"
_DATED = re.compile(rf"(?<!\w){_SEASON}\W{{0,3}}(\d{{3,4}})(?!\w)|(?<!\w)(\d{{3,4}})\W{{0,3}}{_SEASON}(?!\w)")
_PHASES = (
    (Phase.RETREATS, r"retreats?|retreating"),
    (Phase.ADJUSTMENTS, r"adjustments?|adjust|builds?|build/?removals?|removals?|disbands?"),
    (Phase.PLACEMENT, r"placements?|set-?up"),
    (Phase.MOVEMENT, r"movements?|moves?"),
)
_SEASONS = ("Spring", "Summer", "Fall", "Autumn", "Winter")
_CAMERA = re.compile(
    r"(?<!\w)(?:(?:img|dsc[a-z]?|pxl|mvimg|gopr|sam|vid|wp|cam|whatsapp image)[-_ ]*\d[\d_-]*"
    r"|\d{8}[-_ t]\d{4,6}"
    r"|\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]m)?"
    r"|(?:photo|foto|picture|scan|image|screenshot|page|file|doc|document)s?"
    r"[-_ #]*\d{1,4}(?![\w/])(?!\s*(?:st|nd|rd|th)\b))(?:\.[a-z]{3,4})?(?!\w)",
    re.IGNORECASE,
)
"""Names that cameras give, dates of today and hours: they say nothing of the game."""


def without_replies(text: str) -> str:
    """A subject without what mail programs put before it: ``Re:``, ``AW: [2]``."""
    rest = " ".join(text[:LONGEST].split())
    while True:
        rest = pattern("replies", _TAGGED).sub("", rest)
        head, colon, after = rest.partition(":")
        word = head.strip().casefold().partition("[")[0].strip().rstrip("^0123456789")
        if not colon or word not in word_set("replies"):
            return rest.strip()
        rest = after.strip()


def is_own_subject(text: str, of: str = "own_subjects") -> bool:
    """Whether a subject, less what programs put before it, is written as the office writes its own, whatever else
    somebody put around it (``- late``). ``of``: ``own_subjects_of_a_turn`` are those of mails about the orders of the
    turn that they name; an answer to one is meant for that turn alone."""
    said = without_replies(text)
    return pattern(of, r"{}(?!\w)").search(said) is not None or _RECEIPT.search(said) is not None


def letters_sender(text: str) -> str:
    """The power whose letter a mail answers, by its subject; empty where it answers none."""
    found = _LETTER.search(without_replies(text))
    return found[1] if found else ""


_LETTER = re.compile(r" - a letter from (?:the )?(.{1,60}?) to ", re.IGNORECASE)
_RECEIPT = re.compile(
    r": orders v\d{1,4}, \d{1,3} of \d{1,3} units(?!\w)|.: orders v\d{1,9}(?:,.*units?)?\Z", re.IGNORECASE
)
"""What only the office writes of a sheet, whatever a program or its owner puts before or after it: ``powick bridge -
france, 1425 movement: orders v1, 3 of 3 units``."""


def fold(text: str) -> str:
    """Text without accents and case, with one kind of dash and of blank."""
    plain = unicodedata.normalize("NFKD", text.translate(_DASHES)).casefold()
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())


def read_subject(text: str, games: Sequence[GameNames]) -> MailSubject:
    """Parse a subject line, given the games that the sender could mean.

    Names are found wherever they stand; a name that is spelt nearly right is taken for it only where nothing else is as
    near, and said in ``guessed``."""
    plain, aside = _put_aside(without_replies(text), games)
    rest, version, instruction = _take_version(plain)
    rest = fold(rest)
    rest, (season, or_season), year, phase = _take_code(rest, games)
    guessed: list[str] = []
    called = sorted({(fold(name), g.key) for g in games for name in (g.name, g.key)})
    often = Counter(name for name, _ in called)  # two games of one name: the power, or the address, decides
    rest, key = _take_name(rest, {name: key for name, key in called if often[name] == 1}, guessed)
    meant = [g for g in games if g.key == key] or list(games)
    powers = {fold(name): power for g in meant for name, power in [*((p, p) for p in g.powers), *g.aliases]}
    alone = set(re.split(r"\s{0,9}[,;|/:-]\s{0,9}", rest))  # Edgehill - F - Orders; the A of A new sheet is no power
    powers = {name: power for name, power in powers.items() if len(name) > 1 or name in alone}
    rest, power = _take_name(rest, powers, guessed)
    if not season:
        rest, year = _take_dated(rest, year)
        seasons = {s for g in meant for s in g.seasons} or set(_SEASONS)
        rest, season = _take_name(rest, {fold(s): s for s in sorted(seasons)}, guessed)
    rest, named = _take_phase(rest)
    phase = phase or named
    match = _YEAR.search(rest) if year is None else None
    if match and _fits(int(match[1]), meant, bool(season or phase or power or key)):
        year, rest = int(match[1]), _cut(rest, match)
    words = [word for word in re.split(r"[^\w'/-]+|\s-+\s", rest) if word.strip("-/'")]
    unread = [word for word in words if word.strip("-/'") not in word_set("said_in_subjects")]
    return MailSubject(
        key, power, season, year, phase, version, instruction, (*unread, *aside), tuple(guessed), or_season
    )


def _put_aside(text: str, games: Sequence[GameNames]) -> tuple[str, tuple[str, ...]]:
    """The text without names of pictures, dates and hours, and these; a number that can be a year of a game after
    ``photo`` or ``scan`` stays."""
    aside: list[str] = []

    def taken(match: re.Match[str]) -> str:
        number = match[0].split()[-1]
        if number.isdecimal() and _fits(int(number), games, False):
            return match[0]
        aside.append(match[0])
        return " , "

    return _CAMERA.sub(taken, text), tuple(aside)


def _take_dated(text: str, year: int | None) -> tuple[str, int | None]:
    """A number that stands beside a season is its year, whatever it is."""
    match = _DATED.search(text)
    if year is not None or match is None:
        return text, year
    at = match.lastindex or 1
    return f"{text[: match.start(at)]} {text[match.end(at) :]}", int(match[at])


def _fits(number: int, games: Sequence[GameNames], named: bool) -> bool:
    """Whether a bare number is a year: one of a game that can be meant; where nobody knows these, only beside something
    else that was understood."""
    known = [g.years for g in games if g.years[1]]
    return any(first <= number <= last for first, last in known) if known else named


def _cut(text: str, match: re.Match[str]) -> str:
    """The text with what was found taken out; what stood around it stays apart."""
    return f"{text[: match.start()]} , {text[match.end() :]}"


def _take_version(text: str) -> tuple[str, int | None, str]:
    """The version, and what stands after it: instructions for choosing among several (W-20e), in the words in which
    they came."""
    match = _VERSION.search(text)
    if match is None:
        return text, None, ""
    word = (match[4] or "").lower()
    number = int(match[1] or match[2] or match[3] or _ORDINALS.get(word, 0)) or None
    instruction = text[match.end() :].strip(" -–—,;:.()[]")
    before = text[: match.start()].rstrip(" -–—,;:([")
    if number is None:
        instruction = f"{match[0]} {instruction}".strip()
    leads = not any(c.isalnum() for c in before) and not _CONDITION.search(instruction)
    if leads or _is_part(instruction):
        return f"{before} , {instruction}", number, ""
    return before, number, instruction


def _is_part(text: str) -> bool:
    rest = re.sub(rf"(?<!\w)(?:{_SEASON}|\d{{3,4}}|orders?)(?!\w)", " ", _take_phase(fold(text))[0])
    return bool(text) and not rest.strip(" ,-")


def _take_code(text: str, games: Sequence[GameNames]) -> tuple[str, tuple[str, str], int | None, Phase | None]:
    """``S1642M``: a season's letter, a year, a phase's letter."""
    coded = [(match, code) for match in _CODE.finditer(text) if (code := turn_code(match[0])) is not None]
    if not coded:
        return text, ("", ""), None, None
    match, (coded_seasons, year, phases) = coded[0]
    known = {s for g in games for s in g.seasons}
    seasons = [s for s in _SEASONS if season_of(s) in coded_seasons.split() and (not known or s in known)]
    if not known:  # of Fall and Autumn the one that is written so
        seasons = sorted(seasons, key=lambda s: s[0].casefold() != match[0][0])[:1]
    first, other, *_ = (*seasons, "", "")
    return _cut(text, match), (first, other), int(year), Phase(phases.split()[0]) if phases else None


def _take_phase(text: str) -> tuple[str, Phase | None]:
    for phase, words in _PHASES:
        match = re.search(rf"(?<![\w])(?:{words})(?![\w])(?:\s+(?:orders?|sheets?))?", text)
        if match:
            return _cut(text, match), phase
    return text, None


def _take_name(text: str, names: dict[str, str], guessed: list[str]) -> tuple[str, str]:
    """The longest of the names that the text holds as whole words; else the only one that is nearly there, noted in
    ``guessed``."""
    loose = text.replace("-", " ")
    said = {n.replace("-", " "): meant for n, meant in sorted(names.items(), key=lambda item: -len(item[0]))}
    held = [(n, match) for n in said if (match := re.search(rf"(?<!\w){re.escape(n)}(?!\w)", loose))]
    if held:
        best, match = held[0]
        if {said[n] for n, _ in held if n not in best} - {said[best]}:
            return text, ""  # two are named: none is taken
        return _cut(text, match), said[best]
    pieces = [piece.strip() for piece in re.split(r"\s{1,9}-{1,9}\s{1,9}|[,;|/:]", text)]
    pieces = [piece for piece in pieces if len(piece) > 3 and piece not in word_set("said_in_subjects")]
    known, least = [name for name in names if len(name) > 3], CLOSE - MARGIN
    found = [(process.extract(p, known, scorer=fuzz.ratio, score_cutoff=least, limit=3), p) for p in pieces]
    near = sorted(((score, name, piece) for alike, piece in found for name, score, _ in alike), reverse=True)
    rivals = [score for score, name, _ in near if names[name] != names[near[0][1]]]
    if not near or near[0][0] < CLOSE or (rivals and near[0][0] - rivals[0] < MARGIN):
        return text, ""
    _, name, piece = near[0]
    guessed.append(f"{piece!r} was taken for {names[name]}")
    return text.replace(piece, " , ", 1), names[name]
