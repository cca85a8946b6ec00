"""What a mail's text asks for: commands of the e-mail Judge, letters, and orders.

Commands are whole words at the beginning of a line, as players of the Judge know them. Everything that isn't a command
stays where it stood and is read as a sheet, so that line numbers in the answer are those of the mail. A line that
begins like a command and does not go on like one is left to the reader of orders, which will say what it makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from legation.mail.commands import (
    Absence,
    Ask,
    Clear,
    Command,
    Draw,
    Eject,
    ForPhase,
    Join,
    Letter,
    Misread,
    Prefer,
    Process,
    Request,
    Resign,
    SetAddress,
    SetDeadline,
    Share,
    SignOn,
    Undo,
    Vote,
    Wait,
)
from legation.mail.quoting import own_text
from legation.mail.words import answers

_MONTHS = {m: i for i, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
LONGEST_COMMAND = 1_000  # characters of a line
ENDS = frozenset(["ENDPRESS", "ENDBROADCAST", "ENDDIARY"])
WITH_TEXT = frozenset(
    [("POSTAL", "PRESS"), ("DIARY", "RECORD"), ("DIARY", ""), ("REGISTER", ""), ("SET", "COMMENT BEGIN")]
)
"""Commands of the e-mail Judge that are not played here and take the lines up to ``ENDPRESS``, ``ENDDIARY`` or
``END``."""
QUESTIONS = frozenset(["HELP", "STATUS", "LIST", "SUMMARY", "HISTORY", "WHOGAME", "ROSTER", "VERSION"])
ABSENCES = frozenset(
    ["ABSENCE", "HOLIDAY", "HOLIDAYS", "VACATION", "VACATIONS", "NOABSENCE", "NOHOLIDAY", "NOVACATION"]
)
PLAIN: dict[str, Command] = {
    "WAIT": Wait(True),
    "W": Wait(True),
    "NOWAIT": Wait(False),
    "NOW": Wait(False),
    "READY": Wait(False),
    "NOREADY": Wait(True),
    "NOTREADY": Wait(True),
    "UNREADY": Wait(True),
    "DRAW": Draw(True),
    "NODRAW": Draw(False),
    "SHARE": Share(True),
    "NOSHARE": Share(False),
}
"""What ``SET`` sets in one word."""
FILES = frozenset("map maps rules index info package guide handbook syntax commands variants".split())
"""What players of the e-mail Judge ask to be sent; other words after ``SEND`` may be orders to send supply."""
OF_THE_GAME = frozenset(
    "GRACE START MOVE RETREAT ADJUST CLOCK NMR NONMR LIST NOLIST MODERATED UNMODERATED DIAS NODIAS QUIET NOQUIET "
    "COMMENT ALL PRESS OBSERVER PARTIAL STRICT MAXABSENCE".split()
)
"""What the e-mail Judge's masters set."""
_OF_THE_GAME = "a game's settings are changed on its pages, by its coordinator"
_CONDITIONAL = (
    "orders between IF and ENDIF aren't supported, so none of these lines was entered; send the orders you want now, "
    "and send them again if something changes"
)


def read_request(text: str, today: date) -> Request:
    """Parse a mail's text. ``today`` tells which year a date without one means."""
    own = own_text(text.split("\n"))
    lines = ["" if i in own.signed else line for i, line in enumerate(own.lines)]
    notes = list(own.notes)
    keys = [_keyword(line) for line in lines]
    commands: list[Command] = []
    kept = [""] * len(lines)
    at = 0
    while at < len(lines):
        line, key = lines[at], keys[at]
        if key == "SIGNOFF" and len(line.split()) < 3:
            if any(rest.strip() for rest in lines[at + 1 :]):
                notes.append("everything after SIGNOFF was left unread")
            break
        if key in ("PRESS", "BROADCAST") and (taken := _letter(lines, keys, at)) is not None:
            command, at = taken
            commands.append(command)
            continue
        if key == "PHASE" and len(line.split()) > 1:
            end = next(
                (i for i in range(at + 1, len(lines)) if keys[i] == "PHASE" and lines[i].split()[1:]), len(lines)
            )
            commands.append(_ahead(lines, keys, at, end))
            at = end
            continue
        if (after := _conditions_end(lines, keys, at)) is not None:
            commands.append(Misread(at + 1, _shown(line), _CONDITIONAL))
            at = after
            continue
        first, _, second = line.strip(" .:").upper().partition(" ")
        if (first, " ".join(second.split())) in WITH_TEXT:
            told = _OF_THE_GAME if key == "SET" else answers("not_here")[key]
            commands.append(Misread(at + 1, line.strip(), f"{told}; none of it was read"))
            at = _after(keys, at, ENDS | {"END"})
            continue
        read = _line(line, at + 1, today)
        if read is None:
            kept[at] = line
        elif any(_another(command, commands) for command in read):
            message = "one mail is for one seat; nothing from here on was read, so send the rest in a separate mail"
            commands.append(Misread(at + 1, line.strip(), message))
            break
        else:
            commands += read
            if key == "BECOME" and lines[at + 1 :]:
                notes.append("everything after BECOME was left unread, because it was meant for another power")
                break
        at += 1
    if any(line.strip() for line in kept):
        for i in own.signed:  # nothing there is a command, but an order is told
            kept[i] = own.lines[i]
    return Request(tuple(commands), "\n".join(kept).rstrip("\n"), tuple(notes))


def _another(command: Command, before: Sequence[Command]) -> bool:
    """Whether a command signs on for another seat than one before it."""
    return isinstance(command, SignOn) and any(isinstance(c, SignOn) and c != command for c in before)


_IN_TWO = (
    ("SIGN", "OFF"),
    ("SIGN", "ON"),
    ("END", "PRESS"),
    ("END", "BROADCAST"),
    ("END", "DIARY"),
    ("END", "IF"),
)


def _keyword(line: str) -> str:
    """The command word that begins a line; ``END PRESS`` and similar count as one."""
    words = line[:LONGEST_COMMAND].upper().split(maxsplit=2)
    if not words:
        return ""
    first = words[0].rstrip(".!:,;")
    second = words[1].rstrip(".!:,;") if len(words) > 1 else ""
    if (first, second) in _IN_TWO:
        return first + second
    return first.replace("-", "") if first.startswith(("SIGN-", "END-")) else first


def _conditions_end(lines: Sequence[str], keys: Sequence[str], at: int) -> int | None:
    """The number of the line after the conditions that begin in a line, None if none do: those up to the ``ENDIF``
    that belongs to it, or, where an ``IF`` has none, all that follow up to the next ``PHASE``."""
    if keys[at] not in ("IF", "ELSE", "ELSEIF"):
        return None
    depth = 1
    for i in range(at + 1, len(lines)):
        depth += (keys[i] == "IF") - (keys[i] == "ENDIF")
        if depth == 0:
            return i + 1
    if "ENDIF" in keys[at:]:
        return len(keys) - list(reversed(keys)).index("ENDIF")
    alone = lines[at].split()[0] == "IF" and not set(lines[at]) & set(",-–—→>")
    return next((i for i in range(at + 1, len(lines)) if keys[i] == "PHASE"), len(lines)) if alone else None


def _shown(line: str) -> str:
    return " ".join(line.split())[:80]


def _ahead(lines: list[str], keys: list[str], at: int, end: int) -> Command:
    """Parse what follows ``PHASE``: orders, or conditions, which are refused as a whole."""
    turn = " ".join(lines[at][:LONGEST_COMMAND].split()[1:])
    if any(key in ("IF", "ELSE", "ENDIF") for key in keys[at + 1 : end]):
        return Misread(at + 1, _shown(lines[at]), f"it contains conditions: {_CONDITIONAL}")
    return ForPhase(turn, "\n".join(lines[at + 1 : end]))


def _letter(lines: list[str], keys: list[str], at: int) -> tuple[Command, int] | None:
    """A letter that begins in a line, and the number of the line after it; None where the line only begins with that
    word."""
    words = lines[at][:LONGEST_COMMAND].rstrip(" .:").split()[1:]
    said = [word.upper() for word in words]
    anonymous = bool(said) and said[0] in ("GREY", "GRAY", "ANONYMOUS")
    begin = 1 if said and said[0] in ("GREY", "GRAY", "ANONYMOUS", "WHITE") else 2 if said[:2] == ["NO", "FAKE"] else 0
    words, said = words[begin:], said[begin:]
    to: tuple[str, ...] = ("all",)
    but: tuple[str, ...] = ()
    if keys[at] == "BROADCAST" and said[:1] not in ([], ["TO"]):
        return None
    if (keys[at] == "BROADCAST" and not said) or said in (["ALL"], ["BROADCAST"], ["TO", "ALL"]):
        pass
    elif len(words) > 1 and said[0] == "TO":
        if said[1] == "ALL" and len(words) > 3 and said[2] in ("BUT", "EXCEPT"):
            but = _names(words[3:])
        else:
            to = _names(words[1:])
    elif said and said[0] == "FAKE":
        return Misread(at + 1, _shown(lines[at]), "letters can't be sent under a false name"), _after(keys, at)
    elif words and said != ["TO"] and words[0][0] not in "+-":
        return None
    else:
        mend = "say to whom, as in 'PRESS TO Name, Name', or write BROADCAST for a letter to all"
        return Misread(at + 1, lines[at].strip(), f"{mend}; none of it was read"), _after(keys, at)
    after = range(at + 1, len(lines))
    last = next((i for i in after if _opens_letter(lines[i]) or _ends_letter(lines, keys, i)), len(lines))
    ended = last < len(lines) and not _opens_letter(lines[last])
    text = "\n".join(lines[at + 1 : last]).strip("\n")
    return Letter(to, text, anonymous, ended, but), last + 1 if ended else last


def _opens_letter(line: str) -> bool:
    """Whether a line starts a new letter although the one above was not closed."""
    return line.startswith(("PRESS TO ", "PRESS GREY TO ", "PRESS WHITE TO ")) or line.strip() == "BROADCAST"


def _ends_letter(lines: Sequence[str], keys: Sequence[str], at: int) -> bool:
    return keys[at] in ENDS and len(lines[at].split()) < 3


def _after(keys: Sequence[str], at: int, ends: frozenset[str] = ENDS) -> int:
    """Where a letter, or another text, that cannot be sent ends."""
    return next((i + 1 for i in range(at + 1, len(keys)) if keys[i] in ends), len(keys))


def _names(words: Sequence[str]) -> tuple[str, ...]:
    """Names with commas, ``and`` or slashes between them."""
    parts: list[list[str]] = [[]]
    for word in words:
        bare = word.strip(",;&/")
        if word[:1] in ",;&/" or word.casefold() in ("and", "&"):
            parts.append([])
        if bare and bare.casefold() != "and":
            for piece in bare.replace(";", ",").replace("/", ",").split(","):
                if piece:
                    parts[-1].append(piece)
                    if "," in bare or "/" in bare or ";" in bare:
                        parts.append([])
        if word[-1:] in ",;&/":
            parts.append([])
    return tuple(" ".join(part) for part in parts if part)


def _line(line: str, number: int, today: date) -> list[Command] | None:
    """The commands of a line; None if it is none."""
    if len(line) > LONGEST_COMMAND:
        return None
    text = line.strip().rstrip(".!").strip()
    words = text.split()
    if not words:
        return None
    word = words[0].upper()
    rest = " ".join(words[1:])
    if word == "SET":
        return _settings(words[1:], number, line.strip(), today)
    if len(words) == 1 and word.startswith("SET") and word[3:] in PLAIN:
        return [PLAIN[word[3:]]]
    if word in ("SIGNON", "LOGIN", "HELLO") or [w.upper() for w in words[:2]] == ["SIGN", "ON"]:
        if word == "HELLO" and (words[0] != "HELLO" or "@" not in rest):
            return None
        return [_sign_on(words, number, text)]
    if word in ("CLEAR", "UNDO", "RESIGN", "WITHDRAW") and not rest:
        return [Clear() if word == "CLEAR" else Undo() if word == "UNDO" else Resign()]
    if word in QUESTIONS:
        return _question(word, [w for w in words if w.upper() != "FULL"], number, text, today)
    if word == "JOIN" and not rest and words[0].isupper():
        return [Misread(number, text, "say which game, as in 'JOIN Edgehill'; LIST tells which there are")]
    if word == "VOTE" and 1 < len(words) < 6 and isinstance(vote := _vote(words[1:], number, text, on=True), Vote):
        return [vote]
    if word == "JOIN" and len(words) <= 5 and rest and all(c.isalnum() or c in "_' -" for c in rest):
        return [Join(rest)]
    if word == "PROCESS":
        return [Process(rest) if rest else Misread(number, text, "say which turn, as in 'PROCESS F1901M'")]
    if word == "GETMAP" or text.upper().startswith("SEND ME ") or (word == "SEND" and rest.lower() in FILES):
        return [Misread(number, text, answers("not_here")["GET"])]
    if words[0] == "WHO" and len(words) < 3:
        return [Misread(number, text, answers("not_here")["WHOIS"])]
    if word == "EJECT" and rest:
        return [Eject(rest)]
    typed = words[0].isupper() or len(words) <= 2 or words[1][0] == "?" or word in ("OBSERVE", "DIARY")
    if word in answers("not_here") and len(words) <= 5 and typed:
        return [Misread(number, text, answers("not_here")[word])]
    return None


def _question(word: str, words: list[str], number: int, text: str, today: date) -> list[Command] | None:
    """``LIST``, ``HISTORY game FROM 3 Jan TO 9 Jan LINES 40``."""
    if word == "HISTORY":
        return _history(words, number, text, today)
    rest = " ".join(words[1:])
    if len(words) > 4 or (word == "VERSION" and rest):
        return None
    plain = all(c.isalnum() or c in "_-" for c in rest)
    if not rest or word in ("SUMMARY", "WHOGAME") or text.isupper() or plain:
        return [Ask(word.lower(), rest)]
    return None


def _history(words: list[str], number: int, text: str, today: date) -> list[Command] | None:
    """``HISTORY game FROM 3 Jan TO 9 Jan LINES 40``; the days of the last such time that has come."""
    said = [w.upper() for w in words]
    cut = next((i for i, w in enumerate(said) if i and w in ("FROM", "TO", "LINES", "EXCLSTART", "BROAD")), len(words))
    first, last = (_day_after(name, words, said, today) for name in ("FROM", "TO"))
    lines = said.index("LINES") + 1 if "LINES" in said[:-1] else 0
    count = int(words[lines]) if lines and words[lines].isdecimal() and len(words[lines]) < 6 else 0
    if cut > 4:
        return None
    if first is not None and last is not None and last < first:  # TO a day that is yet to come
        last = last.replace(year=first.year + (last.replace(year=first.year) < first))
    asked = {"FROM": first, "TO": last, "LINES": count, "EXCLSTART": None}
    if unread := next((name for name, found in asked.items() if name in said[1:] and not found), ""):
        if len(words) > 5 and not words[0].isupper():
            return None
        why = "phases aren't supported" if unread == "EXCLSTART" else f"what follows {unread} wasn't understood"
        return [Misread(number, text, f"{why}; write days as in 'HISTORY game FROM 3 Jan TO 9 Jan LINES 40'")]
    return [Ask("history", " ".join(words[1:cut]), first, last, count)]


def _day_after(name: str, words: list[str], said: list[str], today: date) -> date | None:
    """The date after a word; without a year the last such day."""
    if name not in said[1:-1]:
        return None
    begin = said.index(name, 1) + 1
    for end in range(min(begin + 3, len(words)), begin, -1):
        found = read_date(" ".join(words[begin:end]), today)
        if found is not None:
            written = any(w.isdecimal() and len(w) == 4 for w in words[begin:end]) or "-" in words[begin]
            return found if written or found <= today else found.replace(year=found.year - 1)
    return None


def _sign_on(words: list[str], number: int, text: str) -> Command:
    rest = words[2 if words[0].upper() == "SIGN" else 1 :]
    if rest and rest[0].startswith("?"):
        return Misread(number, text, f"to join a game, write 'JOIN {rest[0][1:] or 'game'}'")
    if "@" in " ".join(rest):
        seat, _, game = " ".join(rest).partition("@")
        return SignOn(seat.strip(), game.strip())
    if len(rest) == 3:  # F powick-bridge and a password
        return SignOn(rest[0], rest[1])
    if rest and len(rest[0]) > 1:  # the e-mail Judge's way: the letter of the power, the game, and a password
        return SignOn("", rest[0])
    return Misread(number, text, "name a seat as in 'SIGNON power@game', without a password")


def _settings(words: list[str], number: int, line: str, today: date) -> list[Command]:
    """``SET x``, several on a line."""
    words = _SEPARATED.sub(", ", " ".join(words)).split()
    said = [word.upper() for word in words]
    key = said[0].rstrip(":") if said else ""
    if key == "DEADLINE":
        cut = next((i for i, w in enumerate(said) if i > 1 and w in ("BECAUSE", "AS", "SINCE", ":")), len(words))
        when = " ".join(words[1:cut]).rstrip(",;")
        return [SetDeadline(when, " ".join(words[cut + 1 :])) if when else Misread(number, line, "say until when")]
    words = [word for word in words if word.upper() != "SET"]  # SET WAIT, SET DRAW
    if several := _plain_settings(words):
        return several
    if key in ("ADDRESS", "AD"):
        email = words[1].strip("<>") if len(words) == 2 else ""
        name, at, host = email.partition("@")
        fine = bool(name and at and host) and "@" not in host
        return [SetAddress(email.lower()) if fine else Misread(number, line, "write 'SET ADDRESS name@example.org'")]
    if key in ("PREF", "PREFS", "PREFERENCE", "PREFERENCES"):
        powers = _names([w.replace(">", ",") for w in words[1:]])
        return [Prefer(powers) if powers else Misread(number, line, "write 'SET PREF Power, Power', best first")]
    commands: list[Command] = []
    part: list[str] = []
    for i, word in enumerate(words):
        part.append(word.rstrip(",;"))
        apart = word[-1] in ",;" and i + 1 < len(words) and words[i + 1][0].isalpha() and not _is_month(words[i + 1])
        if apart:
            commands.append(_setting(part, number, line, today))
            part = []
    commands.append(_setting(part, number, line, today))
    return commands


_SEPARATED = re.compile(r" ?[;,] ?")
_ON = re.compile(r"\b(WAIT|DRAW|READY|SHARE) (?:ON|YES)\b")
_OFF = re.compile(r"\b(WAIT|DRAW|READY|SHARE) (?:OFF|NO$)")
"""``WAIT NO DRAW`` is two settings, so that NO belongs to what is before it at the end alone."""


def _plain_settings(words: Sequence[str]) -> list[Command]:
    """``WAIT NO DRAW``, ``WAIT OFF``: settings of one word; nothing if one of the words is none."""
    said = _OFF.sub(r"NO\1", _ON.sub(r"\1", " ".join(word.rstrip(",") for word in words).upper()))
    known = said.replace("NO ", "NO").replace("NOT ", "NO").split()
    return [PLAIN[word] for word in known] if known and all(word in PLAIN for word in known) else []


_FROM_DAY_TO_DAY = re.compile(r"(\d{1,2}) ?[-–] ?(\d{1,2}) ([A-Za-z].*)")
"""``20-30 March``"""


def _is_month(word: str) -> bool:
    return word[:3].lower() in _MONTHS


def _setting(words: list[str], number: int, line: str, today: date) -> Command:
    said = [word.upper() for word in words if word]
    if len(said) > 1 and said[0] in ("NO", "NOT"):  # SET NO WAIT
        said, words = ["NO" + said[1], *said[2:]], [words[0] + words[1], *words[2:]]
    key = said[0] if said else ""
    if key in PLAIN and len(said) == 1:
        return PLAIN[key]
    if key in ("VOTE", "NOVOTE"):
        return _vote([word for word in words if word][1:], number, line, on=key == "VOTE")
    if key in ("DRAW", "NODRAW"):
        return Misread(number, line, "a draw always includes all survivors; write SET DRAW alone")
    if key in ABSENCES:
        days = [
            word
            for word in _FROM_DAY_TO_DAY.sub(r"\1 \3 to \2 \3", " ".join(words[1:])).split()
            if word.upper() != "FROM"
        ]
        cut = next((i for i, w in enumerate(days) if w.upper() in ("TO", "UNTIL", "-", "–")), len(days))
        first = read_date(" ".join(days[:cut]), today)
        last = read_date(" ".join(days[cut + 1 :]), today) if cut < len(days) else first
        if first is None or last is None or last < first:
            return Misread(number, line, "write 'SET ABSENCE 20 Jan TO 30 Jan'; a year may follow each date")
        return Absence(first, last, not key.startswith("NO"))
    if key in answers("not_set") or key in OF_THE_GAME:
        return Misread(number, line, answers("not_set").get(key, _OF_THE_GAME))
    known = "WAIT, NOWAIT, DRAW, NODRAW, VOTE, NOVOTE, ABSENCE, NOABSENCE, ADDRESS, SHARE, NOSHARE, PREF"
    return Misread(number, line, f"{' '.join(words)[:40]!r} can't be set; you can set {known}")


VOTES = {
    "PAUSE": "pause",
    "RESUME": "resume",
    "UNPAUSE": "resume",
    "EXTEND": "extend",
    "EXTENSION": "extend",
    "CANCEL": "cancel",
    "TERMINATE": "cancel",
    "REPLACE": "replace",
}
"""What ``SET VOTE`` votes on."""


def _vote(words: list[str], number: int, line: str, *, on: bool) -> Command:
    """``PAUSE``, ``TO PAUSE``, ``EXTEND 48 HOURS``, ``REPLACE Power``, after ``SET VOTE``."""
    rest = words[1:] if words and words[0].upper() in ("TO", "FOR") else words
    kind = VOTES.get(rest[0].upper() if rest else "", "")
    told = [word for word in rest[1:] if word.upper() not in ("BY", "HOURS", "HOUR", "H", "THE", "GAME", "DEADLINE")]
    how = "write 'SET VOTE PAUSE', 'RESUME', 'CANCEL', 'EXTEND 24' or 'REPLACE Power'; NOVOTE takes a vote back"
    if kind == "replace" and (whom := rest[2:] if rest[1:2] and rest[1].upper() == "THE" else rest[1:]):
        return Vote(kind, on, whom=" ".join(whom))
    if kind == "extend" and len(told) < 2:
        hours = told[0].lower().rstrip("h") if told else ""
        if not told or (hours.isascii() and hours.isdecimal() and len(hours) < 5):
            return Vote(kind, on, hours=int(hours or 0))
        return Misread(number, line, "write the hours as a number, as in 'SET VOTE EXTEND 48'")
    if kind in ("pause", "resume", "cancel") and not told:
        return Vote(kind, on)
    if [word.upper() for word in words] == ["DRAW"]:
        return Draw(on)
    return Misread(number, line, how)


def read_date(text: str, today: date) -> date | None:
    """A date as ``2027-01-20``, ``20 Jan``, ``January 20, 2027``; without a year the next such day.

    None if it is none, or could be two.
    """
    plain = " ".join(text[:60].lower().split()).rstrip(".")
    try:
        return date.fromisoformat(plain)
    except ValueError:
        pass
    match = re.fullmatch(r"(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?([a-z]{3,9})\.?,?(?: (\d{4}))?", plain)
    if match:
        day, month, year = match[1], match[2], match[3]
    else:
        match = re.fullmatch(r"([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,?(?: (\d{4}))?", plain)
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
