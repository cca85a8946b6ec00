"""What a mail's text asks for: commands of the e-mail Judge, letters, and orders.

Commands are whole words at the beginning of a line, as players of the Judge know them. Everything that is no command
stays where it stood and is read as a sheet, so that line numbers in the answer are those of the mail. A line that
begins like a command and does not go on like one is left to the reader of orders, which will say what it makes of it.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TypeAlias

import msgspec


class SignOn(msgspec.Struct, frozen=True, tag=True):
    """``SIGNON crown@powick-bridge``: which seat is meant, where a person holds several."""

    seat: str
    game: str


class Clear(msgspec.Struct, frozen=True, tag=True):
    """``CLEAR``: take back what was sent for this phase."""


class Undo(msgspec.Struct, frozen=True, tag=True):
    """``UNDO``: take back the last version, so that the one before it counts again."""


class Wait(msgspec.Struct, frozen=True, tag=True):
    """``SET WAIT``: not before the deadline; ``SET NOWAIT``: as soon as everybody is ready."""

    on: bool


class Draw(msgspec.Struct, frozen=True, tag=True):
    """``SET DRAW`` and ``SET NODRAW``: a vote, which goes with this phase's sheet."""

    on: bool


class Absence(msgspec.Struct, frozen=True, tag=True):
    """``SET ABSENCE 20 Jan TO 30 Jan``, ``SET NOABSENCE 20 Jan``; both days are days away."""

    first: date
    last: date
    on: bool


class Address(msgspec.Struct, frozen=True, tag=True):
    """``SET ADDRESS eve@example.org``: where mail is to go."""

    email: str


class Prefer(msgspec.Struct, frozen=True, tag=True):
    """``SET PREF Crown, Argyll``: which powers one would like, best first."""

    powers: tuple[str, ...]


class Letter(msgspec.Struct, frozen=True, tag=True):
    """``PRESS TO ...`` to ``ENDPRESS``, or ``BROADCAST``; ``ended`` tells whether its end was written."""

    to: tuple[str, ...]
    text: str
    anonymous: bool
    ended: bool


class ForPhase(msgspec.Struct, frozen=True, tag=True):
    """``PHASE Autumn 1642 Movement``: what follows it is meant for that turn."""

    turn: str
    text: str


class Ask(msgspec.Struct, frozen=True, tag=True):
    """A question: ``list``, ``status``, ``summary``, ``history``, ``whogame`` or ``help``, and about what."""

    about: str
    subject: str = ""


class Join(msgspec.Struct, frozen=True, tag=True):
    """``JOIN powick-bridge``: take part in a game that gathers players."""

    game: str


class Resign(msgspec.Struct, frozen=True, tag=True):
    """``RESIGN``: give the seat up."""


class Process(msgspec.Struct, frozen=True, tag=True):
    """A coordinator's ``PROCESS Summer 1642 Movement``: judge now."""

    turn: str


class Deadline(msgspec.Struct, frozen=True, tag=True):
    """A coordinator's ``SET DEADLINE 2027-01-20 18:00 because the post is late``."""

    when: str
    reason: str


class Eject(msgspec.Struct, frozen=True, tag=True):
    """A coordinator's ``EJECT Crown``: the seat is free for a replacement."""

    power: str


class Misread(msgspec.Struct, frozen=True, tag=True):
    """A command that is not complete or not understood, with what is wrong and how it is written."""

    line: int
    text: str
    message: str


Command: TypeAlias = (
    SignOn
    | Clear
    | Undo
    | Wait
    | Draw
    | Absence
    | Address
    | Prefer
    | Letter
    | ForPhase
    | Ask
    | Join
    | Resign
    | Process
    | Deadline
    | Eject
    | Misread
)


class Request(msgspec.Struct, frozen=True):
    """A mail's text taken apart.

    ``orders`` has as many lines as the text; lines that were something else are empty there. ``notes`` say what was
    left out.
    """

    commands: tuple[Command, ...] = ()
    orders: str = ""
    notes: tuple[str, ...] = ()

    @property
    def has_orders(self) -> bool:
        """Whether anything is left that may be a sheet."""
        return bool(self.orders.strip())


_RULER = re.compile(r"__+")
_HEAD = re.compile(r"\s*(?:From|Von|De|Da)\s*:\s", re.IGNORECASE)
_SIGNATURE = re.compile(r"-- ?|sent from my .{1,40}|gesendet von .{1,40}|envoyé de .{1,40}", re.IGNORECASE)
_QUOTED = re.compile(r"\s{0,3}>")
_ATTRIBUTION = re.compile(
    r"\s*(?:On\b.{4,120}\bwrote:|Am\b.{4,120}\bschrieb.{0,80}:|Le\b.{4,120}\ba écrit\s*:|"
    r"-{2,}\s*(?:Original Message|Forwarded message|Ursprüngliche Nachricht)\s*-{2,}.*)\s*",
    re.IGNORECASE,
)
_SIGN_OFF = re.compile(r"\s*SIGN\s?-?OFF\s*[.!]?\s*", re.IGNORECASE)
_LETTER = re.compile(r"\s*(PRESS|BROADCAST)\b(.*)", re.IGNORECASE)
_END = re.compile(r"\s*END\s*-?\s*(?:PRESS|BROADCAST)\s*[.!]?\s*", re.IGNORECASE)
_PHASE = re.compile(r"\s*PHASE\s+(\S.*?)\s*", re.IGNORECASE)
_MONTHS = {m: i for i, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}


def read_request(text: str, today: date) -> Request:
    """Take a mail's text apart. ``today`` tells which year a date without one means."""
    lines, signature, notes = _own_lines(text.split("\n"))
    commands: list[Command] = []
    kept = [""] * len(lines)
    at = 0
    while at < len(lines):
        line = lines[at]
        if _SIGN_OFF.fullmatch(line):
            if any(rest.strip() for rest in lines[at + 1 :]):
                notes.append("what follows SIGNOFF was not read")
            break
        letter = _LETTER.fullmatch(line)
        if letter and (taken := _letter(lines, at, letter)) is not None:
            command, at = taken
            commands.append(command)
            continue
        phase = _PHASE.fullmatch(line)
        if phase:
            end = next((i for i in range(at + 1, len(lines)) if _PHASE.fullmatch(lines[i])), len(lines))
            commands.append(ForPhase(phase[1], "\n".join(lines[at + 1 : end])))
            at = end
            continue
        read = _line(line, at + 1, today)
        if read is None:
            kept[at] = line
        else:
            commands += read
        at += 1
    if any(line.strip() for line in kept):
        kept += signature
    return Request(tuple(commands), "\n".join(kept), tuple(notes))


def _own_lines(lines: list[str]) -> tuple[list[str], list[str], list[str]]:
    """The lines that the sender wrote, without what is quoted beside own words; the signature, in which nothing is a
    command, but an order is told; and notes."""
    notes: list[str] = []
    signature: list[str] = []
    for number, line in enumerate(lines):
        if _SIGNATURE.fullmatch(line.strip() if line != "-- " else line):
            signature = lines[number:]
            lines = lines[:number]
            break
        if _RULER.fullmatch(line.strip()) and any(map(_HEAD.match, lines[number + 1 : number + 3])):
            lines = lines[:number]
            notes.append("the quoted mail was not read")
            break
        if _ATTRIBUTION.fullmatch(line):
            lines = lines[:number]
            notes.append("the quoted mail was not read")
            break
    quoted = [number for number, line in enumerate(lines) if _QUOTED.match(line)]
    own = any(line.strip() for number, line in enumerate(lines) if number not in set(quoted))
    if quoted and own:
        notes.append(f"{len(quoted)} quoted lines were not read; to order from them, take the '>' away")
        lines = ["" if _QUOTED.match(line) else line for line in lines]
    return lines, signature, notes


def _letter(lines: list[str], at: int, head: re.Match[str]) -> tuple[Command, int] | None:
    """A letter that begins in a line, and the number of the line after it; None where the line only begins with that
    word."""
    rest = head[2].strip()
    anonymous = bool(re.match(r"(?:gr[ea]y|anonymous)\b", rest, re.IGNORECASE))
    rest = re.sub(r"^(?:gr[ea]y|white|anonymous)\b\s*", "", rest, flags=re.IGNORECASE)
    to: tuple[str, ...]
    if head[1].upper() == "BROADCAST":
        if rest:
            return None
        to = ("all",)
    else:
        named = re.fullmatch(r"to\s+(.+?)\s*:?", rest, re.IGNORECASE)
        if named is None:
            if rest:
                return None
            mend = "say to whom, as in 'PRESS TO Name, Name', or write BROADCAST for a letter to all"
            return Misread(at + 1, lines[at].strip(), mend), at + 1
        to = tuple(part for part in re.split(r"\s*(?:,|;|&|\band\b)\s*", named[1]) if part)
    end = next((i for i in range(at + 1, len(lines)) if _END.fullmatch(lines[i])), None)
    last = len(lines) if end is None else end
    text = "\n".join(lines[at + 1 : last]).strip("\n")
    return Letter(to, text, anonymous, end is not None), last if end is None else end + 1


def _line(line: str, number: int, today: date) -> list[Command] | None:
    """The commands of a line; None if it is none."""
    text = line.strip().rstrip(".!")
    words = text.split()
    if not words:
        return None
    word = words[0].upper()
    if word == "SET":
        return _settings(text[3:].strip(), number, line.strip(), today)
    if word in ("SIGNON", "LOGIN") or text.upper().startswith("SIGN ON "):
        return [_sign_on(text, number)]
    rest = text[len(words[0]) :].strip()
    if word in ("CLEAR", "UNDO", "RESIGN", "WITHDRAW") and not rest:
        return [Clear() if word == "CLEAR" else Undo() if word == "UNDO" else Resign()]
    if word in ("HELP", "STATUS", "LIST", "SUMMARY", "HISTORY", "WHOGAME") and len(words) <= 4:
        if not rest or word in ("SUMMARY", "HISTORY", "WHOGAME") or text.isupper() or re.fullmatch(r"[\w-]+", rest):
            return [Ask(word.lower(), rest)]
    if word in ("JOIN", "OBSERVE") and re.fullmatch(r"[\w' -]{1,60}", rest) and len(words) <= 5:
        return [Join(rest)] if word == "JOIN" else [Misread(number, text, "games are watched on their pages")]
    if word == "PROCESS" and rest:
        return [Process(rest)]
    if word == "EJECT" and rest:
        return [Eject(rest)]
    return None


def _sign_on(text: str, number: int) -> Command:
    rest = re.sub(r"^(?:SIGN\s?ON|LOGIN)\s+", "", text, flags=re.IGNORECASE).split()
    if rest and "@" in rest[0]:
        seat, _, game = rest[0].partition("@")
        return SignOn(seat, game)
    return Misread(number, text, "a seat is named as in 'SIGNON power@game'; no password is wanted")


def _settings(text: str, number: int, line: str, today: date) -> list[Command]:
    """``SET x``, several on a line."""
    if re.match(r"(?:DEADLINE)\b", text, re.IGNORECASE):
        match = re.fullmatch(r"DEADLINE\s+(.+?)(?:\s*[,;]?\s+(?:because|as|since|:)\s+(.+))?", text, re.IGNORECASE)
        return [Deadline(match[1], (match[2] or "").strip()) if match else Misread(number, line, "say until when")]
    if re.match(r"(?:ADDRESS|AD)\b", text, re.IGNORECASE):
        match = re.fullmatch(r"\w+\s+<?([^\s<>@]+@[^\s<>@]+)>?", text)
        return [Address(match[1].lower()) if match else Misread(number, line, "write 'SET ADDRESS name@example.org'")]
    if re.match(r"PREF(?:ERENCES?)?\b", text, re.IGNORECASE):
        powers = [p.strip() for p in re.split(r"[,;/>]|\band\b", text.partition(" ")[2]) if p.strip()]
        return [Prefer(tuple(powers)) if powers else Misread(number, line, "write 'SET PREF Power, Power', best first")]
    commands: list[Command] = []
    for part in re.split(r"[,;]\s*(?=[A-Za-z])", text):
        commands.append(_setting(part.strip(), number, line, today))
    return commands


def _setting(part: str, number: int, line: str, today: date) -> Command:
    word, _, rest = part.partition(" ")
    key = word.upper()
    plain: dict[str, Command] = {
        "WAIT": Wait(True),
        "W": Wait(True),
        "NOWAIT": Wait(False),
        "NOW": Wait(False),
        "READY": Wait(False),
        "DRAW": Draw(True),
        "NODRAW": Draw(False),
    }
    if key in plain and not rest:
        return plain[key]
    if key in ("ABSENCE", "HOLIDAY", "HOLIDAYS", "VACATION", "VACATIONS", "NOABSENCE"):
        days = [read_date(d, today) for d in re.split(r"\s+(?:to|until|-|–)\s+", rest.strip(), maxsplit=1, flags=re.I)]
        first, last = days[0], days[-1]
        if first is None or last is None or last < first:
            return Misread(number, line, "write 'SET ABSENCE 20 Jan TO 30 Jan'; a year may follow each date")
        return Absence(first, last, key != "NOABSENCE")
    known = "WAIT, NOWAIT, DRAW, NODRAW, ABSENCE, NOABSENCE, ADDRESS, PREF"
    return Misread(number, line, f"{part[:40]!r} is nothing that can be set; known are {known}")


def read_date(text: str, today: date) -> date | None:
    """A date as ``2027-01-20``, ``20 Jan``, ``January 20, 2027``; without a year the next such day.

    None if it is none, or could be two.
    """
    plain = text.strip().lower().rstrip(".")
    try:
        return date.fromisoformat(plain)
    except ValueError:
        pass
    match = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?([a-z]{3,9})\.?,?(?:\s+(\d{4}))?", plain)
    if match:
        day, month, year = match[1], match[2], match[3]
    else:
        match = re.fullmatch(r"([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?(?:\s+(\d{4}))?", plain)
        if not match:
            return None
        month, day, year = match[1], match[2], match[3]
    number = _MONTHS.get(month[:3])
    if number is None:
        return None
    try:
        if year:
            return date(int(year), number, int(day))
        here = date(today.year, number, int(day))
        return here if here >= today else date(today.year + 1, number, int(day))
    except ValueError:
        return None
