"""What a mail's text asks for: commands of the e-mail Judge, letters, and orders.

Commands are whole words at the beginning of a line, as players of the Judge know them. Everything that isn't a command
stays where it stood and is read as a sheet, so that line numbers in the answer are those of the mail. A line that
begins like a command and does not go on like one is left to the reader of orders, which will say what it makes of it.
"""

import re
from calendar import month_abbr
from collections.abc import Callable, Sequence
from datetime import date
from typing import cast

import msgspec

from legation.mail import commands as said
from legation.mail.commands import Command, Misread, Plain, Request
from legation.mail.quoting import own_text
from legation.mail.words import answers, word_set

_MONTHS = {name.lower(): number for number, name in enumerate(month_abbr) if name}
LONGEST_COMMAND = 1_000  # characters of a line


def read_request(text: str, today: date) -> Request:
    """Parse a mail's text. ``today`` tells which year a date without one means."""
    own = own_text(text.split("\n"))
    mail = _Lines(["" if i in own.signed else line for i, line in enumerate(own.lines)])
    notes = list(own.notes)
    commands: list[Command] = []
    signed: said.SignOn | None = None
    kept = [""] * len(mail.lines)
    at = 0
    while at < len(mail.lines):
        line, key = mail.lines[at], mail.keys[at]
        if key == "SIGNOFF" and len(line.split()) < 3:
            if any(rest.strip() for rest in mail.lines[at + 1 :]):
                notes.append("everything after SIGNOFF was left unread")
            break
        if (taken := mail.block(at)) is not None:
            command, at = taken
            commands.append(command)
            continue
        read = _line(line, at + 1, today)
        if read is None:
            kept[at] = line
        elif signed and any(isinstance(c, said.SignOn) and c != signed for c in read):
            commands.append(Misread(at + 1, line.strip(), answers("wrong")["SIGNON again"]))
            break
        else:
            commands += read
            signed = next((c for c in read if isinstance(c, said.SignOn)), signed)
            if key == "BECOME" and mail.lines[at + 1 :]:
                notes.append("everything after BECOME was left unread, because it was meant for another power")
                break
        at += 1
    if any(line.strip() for line in kept):
        for i in own.signed:  # nothing there is a command, but an order is told
            kept[i] = own.lines[i]
    return Request(tuple(commands), "\n".join(kept).rstrip("\n"), tuple(notes))


def _keyword(line: str) -> str:
    """The command word that begins a line; ``END PRESS`` and similar count as one."""
    first, second, *_ = (*(w.rstrip(".!:,;") for w in line[:LONGEST_COMMAND].upper().split(maxsplit=2)), "", "")
    if f"{first} {second}" in word_set("in_two"):
        return first + second
    return first.replace("-", "") if first.startswith(("SIGN-", "END-")) else first


class _Lines:
    """The lines of a mail, with the word that begins each, and what takes several of them."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.keys = [_keyword(line) for line in lines]

    def block(self, at: int) -> tuple[Command, int] | None:
        """A letter, orders ahead, conditions, or a text for what isn't played here, that begins in a line, and the
        number of the line after it; None where none begins."""
        line, key = self.lines[at], self.keys[at]
        if key in ("PRESS", "BROADCAST") and (letter := self._letter(at)) is not None:
            return letter
        if self._begins_phase(at):
            after = next((i for i in range(at + 1, len(self.lines)) if self._begins_phase(i)), len(self.lines))
            return self._ahead(at, after), after
        if (conditions := self._conditions_end(at)) is not None:
            return self._refused(at, "conditions"), conditions
        if " ".join(line.upper().strip(" .:").split()) in word_set("with_text"):
            told = answers("wrong")["of the game"] if key == "SET" else answers("not_here")[key]
            return Misread(at + 1, line.strip(), f"{told}; none of it was read"), self._after(at, "END")
        return None

    def _refused(self, at: int, why: str) -> Misread:
        return Misread(at + 1, " ".join(self.lines[at].split())[:80], answers("wrong")[why])

    def _begins_phase(self, at: int) -> bool:
        return self.keys[at] == "PHASE" and len(self.lines[at].split()) > 1

    def _ahead(self, at: int, end: int) -> Command:
        """What follows ``PHASE``: orders, or conditions, which are refused as a whole."""
        if {"IF", "ELSE", "ENDIF"}.intersection(self.keys[at + 1 : end]):
            return self._refused(at, "conditions ahead")
        turn = " ".join(self.lines[at][:LONGEST_COMMAND].split()[1:])
        return said.ForPhase(turn, "\n".join(self.lines[at + 1 : end]))

    def _conditions_end(self, at: int) -> int | None:
        """The number of the line after the conditions that begin in a line, None if none do: those up to the ``ENDIF``
        that belongs to it, or, where an ``IF`` has none, all that follow up to the next ``PHASE``."""
        keys, line = self.keys, self.lines[at]
        if keys[at] not in ("IF", "ELSE", "ELSEIF"):
            return None
        depth = 1
        for i in range(at + 1, len(keys)):
            depth += (keys[i] == "IF") - (keys[i] == "ENDIF")
            if depth == 0:
                return i + 1
        if "ENDIF" in keys[at:]:
            return len(keys) - keys[::-1].index("ENDIF")
        alone = line.split()[0] == "IF" and not set(line) & set(",-–—→>")
        return next((i for i in range(at + 1, len(keys)) if keys[i] == "PHASE"), len(keys)) if alone else None

    def _letter(self, at: int) -> tuple[Command, int] | None:
        words = self.lines[at][:LONGEST_COMMAND].rstrip(" .:").split()[1:]
        upper = [word.upper() for word in words]
        anonymous = upper[:1] in (["GREY"], ["GRAY"], ["ANONYMOUS"])
        begin = 1 if anonymous or upper[:1] == ["WHITE"] else 2 if upper[:2] == ["NO", "FAKE"] else 0
        words, upper = words[begin:], upper[begin:]
        broadcast = self.keys[at] == "BROADCAST"
        to: tuple[str, ...] = ("all",)
        but: tuple[str, ...] = ()
        if broadcast and upper[:1] not in ([], ["TO"]):
            return None
        if len(words) > 1 and upper[0] == "TO":
            if upper[1] == "ALL" and len(words) > 3 and upper[2] in ("BUT", "EXCEPT"):
                but = _names(words[3:])
            elif upper != ["TO", "ALL"]:
                to = _names(words[1:])
        elif upper[:1] == ["FAKE"]:
            return self._refused(at, "PRESS FAKE"), self._after(at)
        elif upper not in (["ALL"], ["BROADCAST"]) and (upper or not broadcast):
            if words and upper != ["TO"] and words[0][0] not in "+-":
                return None
            return Misread(at + 1, self.lines[at].strip(), answers("wrong")["PRESS"]), self._after(at)
        after = range(at + 1, len(self.lines))
        last = next((i for i in after if self._opens_letter(i) or self._ends_letter(i)), len(self.lines))
        ended = last < len(self.lines) and not self._opens_letter(last)
        text = "\n".join(self.lines[at + 1 : last]).strip("\n")
        return said.Letter(to, text, anonymous, ended, but), last + 1 if ended else last

    def _opens_letter(self, at: int) -> bool:
        line = self.lines[at]
        return line.startswith(("PRESS TO ", "PRESS GREY TO ", "PRESS WHITE TO ")) or line.strip() == "BROADCAST"

    def _ends_letter(self, at: int) -> bool:
        return self.keys[at] in word_set("ends") and len(self.lines[at].split()) < 3

    def _after(self, at: int, *ends: str) -> int:
        known = word_set("ends").union(ends)
        return next((i + 1 for i in range(at + 1, len(self.keys)) if self.keys[i] in known), len(self.keys))


def _names(words: Sequence[str]) -> tuple[str, ...]:
    parts = re.split(r"\s{0,9}[,;&/]\s{0,9}|(?:^|\s)and(?=\s|$)", " ".join(words), flags=re.IGNORECASE)
    return tuple(part.strip() for part in parts if part.strip())


class _Line(msgspec.Struct, frozen=True):
    """A line that may be a command: its number, from 1, its text and words, and what is today."""

    number: int
    text: str
    words: list[str]
    today: date

    @property
    def word(self) -> str:
        return self.words[0].upper()

    @property
    def rest(self) -> str:
        """What follows the first word."""
        return " ".join(self.words[1:])

    def misread(self, message: str) -> list[Command]:
        """The line as a command that isn't complete or not played here, with why: in words, or by their name in the
        table."""
        return [Misread(self.number, self.text, answers("wrong").get(message, message))]


def _line(text: str, number: int, today: date) -> list[Command] | None:
    plain = text.strip().rstrip(".!").strip() if len(text) <= LONGEST_COMMAND else ""
    words = plain.split()
    if not words:
        return None
    line = _Line(number, plain, words, today)
    if line.word == "SET":
        return _settings(msgspec.structs.replace(line, text=text.strip()))
    if len(words) == 1 and (setting := _plain("set", line.word.removeprefix("SET"))) and line.word.startswith("SET"):
        return setting
    if not line.rest and (alone := _plain("alone", line.word)):
        return alone
    if (read := _WORDS.get(line.word)) is not None and (commands := read(line)) is not None:
        return commands
    return _not_played(line)


def _plain(table: str, word: str) -> list[Command]:
    """What a word says alone, or after ``SET``; a minus in the table takes it back."""
    meant = answers(table).get(word, "")
    return [Plain(cast(said.Word, meant.removeprefix("-")), on=not meant.startswith("-"))] if meant else []


def _not_played(line: _Line) -> list[Command] | None:
    words, word, told = line.words, line.word, answers("not_here")
    is_file = word == "SEND" and line.rest.lower() in word_set("files")
    if is_file or word == "GETMAP" or line.text.upper().startswith("SEND ME "):
        return line.misread(told["GET"])
    if words[0] == "WHO" and len(words) < 3:
        return line.misread(told["WHOIS"])
    typed = words[0].isupper() or len(words) <= 2 or words[1][0] == "?" or word in ("OBSERVE", "DIARY")
    return line.misread(told[word]) if word in told and len(words) <= 5 and typed else None


def _sign_on(line: _Line) -> list[Command] | None:
    words, word = line.words, line.word
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
    return line.misread("SIGNON")


def _of_something(line: _Line) -> list[Command] | None:
    """``JOIN game``, ``PROCESS turn``, ``EJECT power``."""
    word, rest = line.word, line.rest
    if not rest:
        return line.misread(word) if word == "PROCESS" or (word == "JOIN" and line.words[0].isupper()) else None
    is_name = len(line.words) <= 5 and all(c.isalnum() or c in "_' -" for c in rest)
    return [Plain(cast(said.Word, word.lower()), rest)] if word != "JOIN" or is_name else None


def _vote_alone(line: _Line) -> list[Command] | None:
    vote = _vote(line.words[1:], line, on=True) if 1 < len(line.words) < 6 else []
    return vote if vote and isinstance(vote[0], said.Vote) else None


def _question(line: _Line) -> list[Command] | None:
    """``LIST``, ``STATUS game``."""
    words = [w for w in line.words if w.upper() != "FULL"]
    rest = " ".join(words[1:])
    if len(words) > 4 or (line.word == "VERSION" and rest):
        return None
    plain = all(c.isalnum() or c in "_-" for c in rest)
    asked = not rest or line.word in ("SUMMARY", "WHOGAME") or line.text.isupper() or plain
    return [said.Ask(line.word.lower(), rest)] if asked else None


def _history(line: _Line) -> list[Command] | None:
    """``HISTORY game FROM 3 Jan TO 9 Jan LINES 40``; the days of the last such time that has come."""
    words = [w for w in line.words if w.upper() != "FULL"]
    parts = re.split(r"\s(FROM|TO|LINES|EXCLSTART|BROAD)(?:\s|$)", " ".join(words), flags=re.IGNORECASE)
    game, said_of = parts[0].split()[1:], dict(zip(map(str.upper, parts[1::2]), parts[2::2], strict=True))
    if len(game) > 3:
        return None
    first, last = (_past_date(said_of.get(name, ""), line.today) for name in ("FROM", "TO"))
    lines = re.match(r"\d{1,5}(?!\S)", said_of.get("LINES", ""))
    if first is not None and last is not None and last < first:  # TO a day that is yet to come
        last = last.replace(year=first.year + (last.replace(year=first.year) < first))
    count = int(lines[0]) if lines else 0
    asked = {"FROM": first, "TO": last, "LINES": count, "EXCLSTART": None}
    if unread := next((name for name, found in asked.items() if name in said_of and not found), ""):
        if len(words) > 5 and not words[0].isupper():
            return None
        why = "phases aren't supported" if unread == "EXCLSTART" else f"what follows {unread} wasn't understood"
        return line.misread(f"{why}; write days as in 'HISTORY game FROM 3 Jan TO 9 Jan LINES 40'")
    return [said.Ask("history", " ".join(game), first, last, count)]


def _past_date(text: str, today: date) -> date | None:
    """The date with which a text begins; without a year the last such day."""
    words = text.split()
    dates = (read_date(" ".join(words[:end]), today, past=True) for end in (3, 2, 1))
    return next(filter(None, dates), None)


_WORDS: dict[str, Callable[[_Line], list[Command] | None]] = {
    **dict.fromkeys(("SIGNON", "LOGIN", "HELLO", "SIGN"), _sign_on),
    **dict.fromkeys(("HELP", "STATUS", "LIST", "SUMMARY", "WHOGAME", "ROSTER", "VERSION"), _question),
    **dict.fromkeys(("JOIN", "PROCESS", "EJECT"), _of_something),
    "HISTORY": _history,
    "VOTE": _vote_alone,
}


def _settings(line: _Line) -> list[Command]:
    """``SET x``, several on a line."""
    words = re.sub(r" ?[;,] ?", ", ", line.rest).split()
    keys = [word.upper() for word in words]
    key = keys[0].rstrip(":") if keys else ""
    if key == "DEADLINE":
        cut = next((i for i, w in enumerate(keys) if i > 1 and w in ("BECAUSE", "AS", "SINCE", ":")), len(words))
        when = " ".join(words[1:cut]).rstrip(",;")
        return [said.SetDeadline(when, " ".join(words[cut + 1 :]))] if when else line.misread("DEADLINE")
    words = [word for word in words if word.upper() != "SET"]  # SET WAIT, SET DRAW
    if several := _plain_settings(words):
        return several
    if key in ("ADDRESS", "AD"):
        email = words[1].strip("<>") if len(words) == 2 else ""
        is_address = re.fullmatch(r"[^@]{1,200}@[^@]{1,200}", email)
        return [Plain("address", email.lower())] if is_address else line.misread("ADDRESS")
    if key in ("PREF", "PREFS", "PREFERENCE", "PREFERENCES"):
        powers = _names([w.replace(">", ",") for w in words[1:]])
        return [said.Prefer(powers)] if powers else line.misread("PREF")
    commands: list[Command] = []
    part: list[str] = []
    for word, after in zip(words, [*words[1:], ""], strict=False):
        part.append(word.rstrip(",;"))
        if word[-1] in ",;" and after[:1].isalpha() and after[:3].lower() not in _MONTHS:
            commands += _setting(part, line)
            part = []
    return commands + _setting(part, line)


_ON = re.compile(r"\b(WAIT|DRAW|READY|SHARE) (?:ON|YES)\b")
_OFF = re.compile(r"\b(WAIT|DRAW|READY|SHARE) (?:OFF|NO$)")
"""``WAIT NO DRAW`` is two settings, so that NO belongs to what is before it at the end alone."""


def _plain_settings(words: Sequence[str]) -> list[Command]:
    """``WAIT NO DRAW``, ``WAIT OFF``: settings of one word; nothing if one of the words is none."""
    keys = _OFF.sub(r"NO\1", _ON.sub(r"\1", " ".join(word.rstrip(",") for word in words).upper()))
    known = [_plain("set", word) for word in keys.replace("NO ", "NO").replace("NOT ", "NO").split()]
    return [setting for found in known for setting in found] if all(known) else []


_FROM_DAY_TO_DAY = re.compile(r"(\d{1,2}) ?[-–] ?(\d{1,2}) ([A-Za-z].*)")  # ``20-30 March``


def _setting(words: list[str], line: _Line) -> list[Command]:
    words = [word for word in words if word]
    if len(words) > 1 and words[0].upper() in ("NO", "NOT"):  # SET NO WAIT
        words = ["NO" + words[1], *words[2:]]
    key = words[0].upper() if words else ""
    if len(words) == 1 and (setting := _plain("set", key)):
        return setting
    if key in ("VOTE", "NOVOTE"):
        return _vote(words[1:], line, on=key == "VOTE")
    if key in ("DRAW", "NODRAW"):
        return line.misread("DRAW")
    if key.removeprefix("NO") in word_set("absences"):
        days = _FROM_DAY_TO_DAY.sub(r"\1 \3 to \2 \3", " ".join(words[1:])).split()
        days = [word for word in days if word.upper() != "FROM"]
        cut = next((i for i, w in enumerate(days) if w.upper() in ("TO", "UNTIL", "-", "–")), len(days))
        first = read_date(" ".join(days[:cut]), line.today)
        last = read_date(" ".join(days[cut + 1 :]), line.today) if cut < len(days) else first
        if first is None or last is None or last < first:
            return line.misread("ABSENCE")
        return [said.Absence(first, last, not key.startswith("NO"))]
    if told := answers("not_set").get(key, "of the game" if key in word_set("of_the_game") else ""):
        return line.misread(told)
    return line.misread(f"{' '.join(words)[:40]!r} can't be set; you can set {answers('wrong')['SET']}")


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
        return line.misread("EXTEND")
    if kind in ("pause", "resume", "cancel") and not told:
        return [said.Vote(kind, on)]
    return [Plain("draw", on=on)] if [word.upper() for word in words] == ["DRAW"] else line.misread("VOTE")


_DATE = re.compile(
    r"(?:(?P<day>\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?(?P<month>[a-z]{3,9})\.?|(?P<first>[a-z]{3,9})\.? "
    r"(?P<second>\d{1,2})(?:st|nd|rd|th)?),?(?: (?P<year>\d{4}))?"
)


def read_date(text: str, today: date, *, past: bool = False) -> date | None:
    """A date as ``2027-01-20``, ``20 Jan``, ``January 20, 2027``; without a year the next such day, or the last.

    None if it is none, or could be two."""
    plain = " ".join(text[:60].lower().split()).rstrip(".")
    match = _DATE.fullmatch(plain)
    try:
        if match is None:
            return date.fromisoformat(plain)
        month, day = match["month"] or match["first"], int(match["day"] or match["second"])
        found = date(int(match["year"] or today.year), _MONTHS.get(month[:3], 0), day)
        if match["year"] or found == today or (found < today) is past:
            return found
        return found.replace(year=today.year + (-1 if past else 1))
    except ValueError:
        return None
