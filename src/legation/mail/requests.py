"""What a mail's text asks for: commands of the e-mail Judge, letters, and orders.

Commands are whole words at the beginning of a line, as players of the Judge know them. Everything that isn't a command
stays where it stood and is read as a sheet, so that line numbers in the answer are those of the mail. A line that
begins like a command and does not go on like one is left to the reader of orders, which will say what it makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date

import msgspec

from legation.mail import commands as said
from legation.mail.commands import Command, Misread, Request
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
ABSENCES = frozenset(
    ["ABSENCE", "HOLIDAY", "HOLIDAYS", "VACATION", "VACATIONS", "NOABSENCE", "NOHOLIDAY", "NOVACATION"]
)
PLAIN: dict[str, Command] = {
    "WAIT": said.Wait(True),
    "W": said.Wait(True),
    "NOWAIT": said.Wait(False),
    "NOW": said.Wait(False),
    "READY": said.Wait(False),
    "NOREADY": said.Wait(True),
    "NOTREADY": said.Wait(True),
    "UNREADY": said.Wait(True),
    "DRAW": said.Draw(True),
    "NODRAW": said.Draw(False),
    "SHARE": said.Share(True),
    "NOSHARE": said.Share(False),
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
    return isinstance(command, said.SignOn) and any(isinstance(c, said.SignOn) and c != command for c in before)


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
    return said.ForPhase(turn, "\n".join(lines[at + 1 : end]))


def _letter(lines: list[str], keys: list[str], at: int) -> tuple[Command, int] | None:
    """A letter that begins in a line, and the number of the line after it; None where the line only begins with that
    word."""
    words = lines[at][:LONGEST_COMMAND].rstrip(" .:").split()[1:]
    upper = [word.upper() for word in words]
    anonymous = bool(upper) and upper[0] in ("GREY", "GRAY", "ANONYMOUS")
    begin = (
        1 if upper and upper[0] in ("GREY", "GRAY", "ANONYMOUS", "WHITE") else 2 if upper[:2] == ["NO", "FAKE"] else 0
    )
    words, upper = words[begin:], upper[begin:]
    to: tuple[str, ...] = ("all",)
    but: tuple[str, ...] = ()
    if keys[at] == "BROADCAST" and upper[:1] not in ([], ["TO"]):
        return None
    if (keys[at] == "BROADCAST" and not upper) or upper in (["ALL"], ["BROADCAST"], ["TO", "ALL"]):
        pass
    elif len(words) > 1 and upper[0] == "TO":
        if upper[1] == "ALL" and len(words) > 3 and upper[2] in ("BUT", "EXCEPT"):
            but = _names(words[3:])
        else:
            to = _names(words[1:])
    elif upper and upper[0] == "FAKE":
        return Misread(at + 1, _shown(lines[at]), "letters can't be sent under a false name"), _after(keys, at)
    elif words and upper != ["TO"] and words[0][0] not in "+-":
        return None
    else:
        mend = "say to whom, as in 'PRESS TO Name, Name', or write BROADCAST for a letter to all"
        return Misread(at + 1, lines[at].strip(), f"{mend}; none of it was read"), _after(keys, at)
    after = range(at + 1, len(lines))
    last = next((i for i in after if _opens_letter(lines[i]) or _ends_letter(lines, keys, i)), len(lines))
    ended = last < len(lines) and not _opens_letter(lines[last])
    text = "\n".join(lines[at + 1 : last]).strip("\n")
    return said.Letter(to, text, anonymous, ended, but), last + 1 if ended else last


def _opens_letter(line: str) -> bool:
    return line.startswith(("PRESS TO ", "PRESS GREY TO ", "PRESS WHITE TO ")) or line.strip() == "BROADCAST"


def _ends_letter(lines: Sequence[str], keys: Sequence[str], at: int) -> bool:
    return keys[at] in ENDS and len(lines[at].split()) < 3


def _after(keys: Sequence[str], at: int, ends: frozenset[str] = ENDS) -> int:
    """Where a letter, or another text, that cannot be sent ends."""
    return next((i + 1 for i in range(at + 1, len(keys)) if keys[i] in ends), len(keys))


def _names(words: Sequence[str]) -> tuple[str, ...]:
    """Names with commas, ``and`` or slashes between them."""
    parts = re.split(r"\s{0,9}[,;&/]\s{0,9}|(?:^|\s)and(?=\s|$)", " ".join(words), flags=re.IGNORECASE)
    return tuple(part.strip() for part in parts if part.strip())


class _Line(msgspec.Struct, frozen=True):
    """A line that may be a command: its number, from 1, its text and words, and what is today."""

    number: int
    text: str
    words: list[str]
    today: date

    @property
    def rest(self) -> str:
        """What follows the first word."""
        return " ".join(self.words[1:])

    def misread(self, message: str) -> list[Command]:
        """The line as a command that isn't complete or not played here."""
        return [Misread(self.number, self.text, message)]


def _line(text: str, number: int, today: date) -> list[Command] | None:
    """The commands of a line; None if it is none."""
    plain = text.strip().rstrip(".!").strip() if len(text) <= LONGEST_COMMAND else ""
    words = plain.split()
    if not words:
        return None
    word = words[0].upper()
    if word == "SET":
        return _settings(_Line(number, text.strip(), words, today))
    if len(words) == 1 and word.startswith("SET") and word[3:] in PLAIN:
        return [PLAIN[word[3:]]]
    line = _Line(number, plain, words, today)
    if (read := _WORDS.get(word)) is not None and (commands := read(line)) is not None:
        return commands
    return _not_played(word, line)


def _not_played(word: str, line: _Line) -> list[Command] | None:
    """A command of the e-mail Judge that isn't played here."""
    words, told = line.words, answers("not_here")
    if word == "GETMAP" or line.text.upper().startswith("SEND ME ") or (word == "SEND" and line.rest.lower() in FILES):
        return line.misread(told["GET"])
    if words[0] == "WHO" and len(words) < 3:
        return line.misread(told["WHOIS"])
    typed = words[0].isupper() or len(words) <= 2 or words[1][0] == "?" or word in ("OBSERVE", "DIARY")
    return line.misread(told[word]) if word in told and len(words) <= 5 and typed else None


def _sign_on(line: _Line) -> list[Command] | None:
    words = line.words
    word = words[0].upper()
    if word == "HELLO" and (words[0] != "HELLO" or "@" not in line.rest):
        return None
    if word == "SIGN" and words[1:2] and words[1].upper() != "ON":
        return None
    rest = words[2 if word == "SIGN" else 1 :]
    if rest and rest[0].startswith("?"):
        return line.misread(f"to join a game, write 'JOIN {rest[0][1:] or 'game'}'")
    if "@" in " ".join(rest):
        seat, _, game = " ".join(rest).partition("@")
        return [said.SignOn(seat.strip(), game.strip())]
    if len(rest) == 3:  # F powick-bridge and a password
        return [said.SignOn(rest[0], rest[1])]
    if rest and len(rest[0]) > 1:  # the e-mail Judge's way: the letter of the power, the game, and a password
        return [said.SignOn("", rest[0])]
    return line.misread("name a seat as in 'SIGNON power@game', without a password")


def _alone(line: _Line) -> list[Command] | None:
    known: dict[str, Command] = {
        "CLEAR": said.Clear(),
        "UNDO": said.Undo(),
        "RESIGN": said.Resign(),
        "WITHDRAW": said.Resign(),
    }
    return None if line.rest else [known[line.words[0].upper()]]


def _join(line: _Line) -> list[Command] | None:
    if not line.rest and line.words[0].isupper():
        return line.misread("say which game, as in 'JOIN Edgehill'; LIST tells which there are")
    named = line.rest and len(line.words) <= 5 and all(c.isalnum() or c in "_' -" for c in line.rest)
    return [said.Join(line.rest)] if named else None


def _vote_alone(line: _Line) -> list[Command] | None:
    vote = _vote(line.words[1:], line, on=True) if 1 < len(line.words) < 6 else []
    return vote if vote and isinstance(vote[0], said.Vote) else None


def _process(line: _Line) -> list[Command]:
    return [said.Process(line.rest)] if line.rest else line.misread("say which turn, as in 'PROCESS F1901M'")


def _eject(line: _Line) -> list[Command] | None:
    return [said.Eject(line.rest)] if line.rest else None


def _question(line: _Line) -> list[Command] | None:
    """``LIST``, ``STATUS game``."""
    word = line.words[0].upper()
    words = [w for w in line.words if w.upper() != "FULL"]
    rest = " ".join(words[1:])
    if len(words) > 4 or (word == "VERSION" and rest):
        return None
    plain = all(c.isalnum() or c in "_-" for c in rest)
    asked = not rest or word in ("SUMMARY", "WHOGAME") or line.text.isupper() or plain
    return [said.Ask(word.lower(), rest)] if asked else None


def _history(line: _Line) -> list[Command] | None:
    """``HISTORY game FROM 3 Jan TO 9 Jan LINES 40``; the days of the last such time that has come."""
    words = [w for w in line.words if w.upper() != "FULL"]
    keys = [w.upper() for w in words]
    cut = next((i for i, w in enumerate(keys) if i and w in ("FROM", "TO", "LINES", "EXCLSTART", "BROAD")), len(words))
    if cut > 4:
        return None
    first, last = (_day_after(name, words, keys, line.today) for name in ("FROM", "TO"))
    lines = keys.index("LINES") + 1 if "LINES" in keys[:-1] else 0
    count = int(words[lines]) if lines and words[lines].isdecimal() and len(words[lines]) < 6 else 0
    if first is not None and last is not None and last < first:  # TO a day that is yet to come
        last = last.replace(year=first.year + (last.replace(year=first.year) < first))
    asked = {"FROM": first, "TO": last, "LINES": count, "EXCLSTART": None}
    if unread := next((name for name, found in asked.items() if name in keys[1:] and not found), ""):
        if len(words) > 5 and not words[0].isupper():
            return None
        why = "phases aren't supported" if unread == "EXCLSTART" else f"what follows {unread} wasn't understood"
        return line.misread(f"{why}; write days as in 'HISTORY game FROM 3 Jan TO 9 Jan LINES 40'")
    return [said.Ask("history", " ".join(words[1:cut]), first, last, count)]


def _day_after(name: str, words: list[str], keys: list[str], today: date) -> date | None:
    """The date after a word; without a year the last such day."""
    if name not in keys[1:-1]:
        return None
    begin = keys.index(name, 1) + 1
    for end in range(min(begin + 3, len(words)), begin, -1):
        found = read_date(" ".join(words[begin:end]), today)
        if found is not None:
            written = any(w.isdecimal() and len(w) == 4 for w in words[begin:end]) or "-" in words[begin]
            return found if written or found <= today else found.replace(year=found.year - 1)
    return None


_WORDS: dict[str, Callable[[_Line], list[Command] | None]] = {
    **dict.fromkeys(("SIGNON", "LOGIN", "HELLO", "SIGN"), _sign_on),
    **dict.fromkeys(("CLEAR", "UNDO", "RESIGN", "WITHDRAW"), _alone),
    **dict.fromkeys(("HELP", "STATUS", "LIST", "SUMMARY", "WHOGAME", "ROSTER", "VERSION"), _question),
    "HISTORY": _history,
    "JOIN": _join,
    "VOTE": _vote_alone,
    "PROCESS": _process,
    "EJECT": _eject,
}


def _settings(line: _Line) -> list[Command]:
    """``SET x``, several on a line."""
    words = _SEPARATED.sub(", ", line.rest).split()
    keys = [word.upper() for word in words]
    key = keys[0].rstrip(":") if keys else ""
    if key == "DEADLINE":
        cut = next((i for i, w in enumerate(keys) if i > 1 and w in ("BECAUSE", "AS", "SINCE", ":")), len(words))
        when = " ".join(words[1:cut]).rstrip(",;")
        return [said.SetDeadline(when, " ".join(words[cut + 1 :]))] if when else line.misread("say until when")
    words = [word for word in words if word.upper() != "SET"]  # SET WAIT, SET DRAW
    if several := _plain_settings(words):
        return several
    if key in ("ADDRESS", "AD"):
        email = words[1].strip("<>") if len(words) == 2 else ""
        if re.fullmatch(r"[^@]{1,200}@[^@]{1,200}", email):
            return [said.SetAddress(email.lower())]
        return line.misread("write 'SET ADDRESS name@example.org'")
    if key in ("PREF", "PREFS", "PREFERENCE", "PREFERENCES"):
        powers = _names([w.replace(">", ",") for w in words[1:]])
        return [said.Prefer(powers)] if powers else line.misread("write 'SET PREF Power, Power', best first")
    commands: list[Command] = []
    part: list[str] = []
    for i, word in enumerate(words):
        part.append(word.rstrip(",;"))
        if word[-1] in ",;" and i + 1 < len(words) and words[i + 1][0].isalpha() and not _is_month(words[i + 1]):
            commands += _setting(part, line)
            part = []
    return commands + _setting(part, line)


_SEPARATED = re.compile(r" ?[;,] ?")
_ON = re.compile(r"\b(WAIT|DRAW|READY|SHARE) (?:ON|YES)\b")
_OFF = re.compile(r"\b(WAIT|DRAW|READY|SHARE) (?:OFF|NO$)")
"""``WAIT NO DRAW`` is two settings, so that NO belongs to what is before it at the end alone."""


def _plain_settings(words: Sequence[str]) -> list[Command]:
    """``WAIT NO DRAW``, ``WAIT OFF``: settings of one word; nothing if one of the words is none."""
    keys = _OFF.sub(r"NO\1", _ON.sub(r"\1", " ".join(word.rstrip(",") for word in words).upper()))
    known = keys.replace("NO ", "NO").replace("NOT ", "NO").split()
    return [PLAIN[word] for word in known] if known and all(word in PLAIN for word in known) else []


_FROM_DAY_TO_DAY = re.compile(r"(\d{1,2}) ?[-–] ?(\d{1,2}) ([A-Za-z].*)")
"""``20-30 March``"""


def _is_month(word: str) -> bool:
    return word[:3].lower() in _MONTHS


def _setting(words: list[str], line: _Line) -> list[Command]:
    words = [word for word in words if word]
    keys = [word.upper() for word in words]
    if len(keys) > 1 and keys[0] in ("NO", "NOT"):  # SET NO WAIT
        keys, words = ["NO" + keys[1], *keys[2:]], [words[0] + words[1], *words[2:]]
    key = keys[0] if keys else ""
    if key in PLAIN and len(keys) == 1:
        return [PLAIN[key]]
    if key in ("VOTE", "NOVOTE"):
        return _vote(words[1:], line, on=key == "VOTE")
    if key in ("DRAW", "NODRAW"):
        return line.misread("a draw always includes all survivors; write SET DRAW alone")
    if key in ABSENCES:
        days = _FROM_DAY_TO_DAY.sub(r"\1 \3 to \2 \3", " ".join(words[1:])).split()
        days = [word for word in days if word.upper() != "FROM"]
        cut = next((i for i, w in enumerate(days) if w.upper() in ("TO", "UNTIL", "-", "–")), len(days))
        first = read_date(" ".join(days[:cut]), line.today)
        last = read_date(" ".join(days[cut + 1 :]), line.today) if cut < len(days) else first
        if first is None or last is None or last < first:
            return line.misread("write 'SET ABSENCE 20 Jan TO 30 Jan'; a year may follow each date")
        return [said.Absence(first, last, not key.startswith("NO"))]
    if key in answers("not_set") or key in OF_THE_GAME:
        return line.misread(answers("not_set").get(key, _OF_THE_GAME))
    known = "WAIT, NOWAIT, DRAW, NODRAW, VOTE, NOVOTE, ABSENCE, NOABSENCE, ADDRESS, SHARE, NOSHARE, PREF"
    return line.misread(f"{' '.join(words)[:40]!r} can't be set; you can set {known}")


def _vote(words: list[str], line: _Line, *, on: bool) -> list[Command]:
    """``PAUSE``, ``TO PAUSE``, ``EXTEND 48 HOURS``, ``REPLACE Power``, after ``SET VOTE``."""
    rest = words[1:] if words and words[0].upper() in ("TO", "FOR") else words
    kind = answers("votes").get(rest[0].upper() if rest else "", "")
    told = [word for word in rest[1:] if word.upper() not in ("BY", "HOURS", "HOUR", "H", "THE", "GAME", "DEADLINE")]
    if kind == "replace" and (whom := rest[2:] if rest[1:2] and rest[1].upper() == "THE" else rest[1:]):
        return [said.Vote(kind, on, whom=" ".join(whom))]
    if kind == "extend" and len(told) < 2:
        hours = told[0].lower().rstrip("h") if told else ""
        if not told or (hours.isascii() and hours.isdecimal() and len(hours) < 5):
            return [said.Vote(kind, on, hours=int(hours or 0))]
        return line.misread("write the hours as a number, as in 'SET VOTE EXTEND 48'")
    if kind in ("pause", "resume", "cancel") and not told:
        return [said.Vote(kind, on)]
    if [word.upper() for word in words] == ["DRAW"]:
        return [said.Draw(on)]
    return line.misread(
        "write 'SET VOTE PAUSE', 'RESUME', 'CANCEL', 'EXTEND 24' or 'REPLACE Power'; NOVOTE takes a vote back"
    )


_DATE = re.compile(
    r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?(?P<month>[a-z]{3,9})\.?|(?P<first>[a-z]{3,9})\.? "
    r"(?P<second>\d{1,2})(?:st|nd|rd|th)?),?(?: (?P<year>\d{4}))?"
)


def read_date(text: str, today: date) -> date | None:
    """A date as ``2027-01-20``, ``20 Jan``, ``January 20, 2027``; without a year the next such day.

    None if it is none, or could be two.
    """
    plain = " ".join(text[:60].lower().split()).rstrip(".")
    match = _DATE.fullmatch(plain)
    try:
        if match is None:
            return date.fromisoformat(plain)
        month, day = match["month"] or match["first"], int(match["day"] or match["second"])
        found = date(int(match["year"] or today.year), _MONTHS.get(month[:3], 0), day)
        return found if match["year"] or found >= today else found.replace(year=today.year + 1)
    except ValueError:
        return None
