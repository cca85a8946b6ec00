"""The doors through which sheets come, the office, a mail and the terminal, take them as the check does."""

import re
from datetime import date
from email.message import EmailMessage
from functools import cache

import pytest

from legation.board import province_of
from legation.cli.hotseat import _Sheet
from legation.game import SheetCheck, check_sheet, gather_sheets
from legation.game.sheets import Understood, interpret_sheet
from legation.judge import Ruleset
from legation.mail.reading import read_mail
from legation.mail.requests import read_request
from legation.mail.texts import repaired
from legation.notation import write
from legation.notation.cells import laid_out
from legation.notation.layout import TICKED
from legation.notation.lexicon import lexicon
from legation.orders import Order
from legation.position import Position
from tests.notation.test_corpus import ROWS, Setting, situation
from tests.sampling import some

SAMPLE, OF_LETTERS = 6, 3  # each sixth row goes through the doors, of those of several lines each third
SETTINGS = pytest.mark.parametrize(
    "setting",
    some([setting for setting in ROWS if setting.power], 12),  # each door is that of one player
    ids=lambda s: f"{s.board}-{s.power}-{s.turn.split()[-1]}".replace(" ", ""),
)

LETTER = re.compile(r"[A-Z]: ")
"""What is a power's heading in a message with the orders of several: ``R: A Mun - Boh``."""
DASHES = re.compile(r"([\w ]+\n)?\s*[-–−]")
"""How a list of units with dashes begins, which in Winter is read by how many there are."""
QUOTING = re.compile(r"^>|wrote:$|^From: ", re.MULTILINE)
QUOTED = re.compile(r'"[^"]*\n[^"]*"|“[^”]*\n[^”]*”|«[^»]*\n[^»]*»')
"""Quotation marks around several lines."""
HELPERS_BELOW = {word.split()[0] for word in lexicon().words("SUPPORTED", "CONVOYING", "WITH", "LIKEWISE", "ASDO")}
HELPS_LAST = {word.split()[-1] for word in lexicon().words("SUPPORTER", "CONVOYER", "SUPPORTED", "CONVOYING")}
"""With which a line begins, or ends, that belongs to the one above."""
CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
"""What a mail's text has not: nobody sees it."""


def sample(setting: Setting) -> list[str]:
    return [line for i, (line, _) in enumerate(ROWS[setting]) if i % (OF_LETTERS if "\n" in line else SAMPLE) == 0]


def said(check: SheetCheck) -> list[tuple[str | None, str]]:
    return [(e.order, e.problem.message if e.problem else "") for e in check.entries if e.order or e.problem]


def lists_with_dashes(setting: Setting, text: str) -> bool:
    return "Adjustments" in setting.turn and DASHES.match(text) is not None


@cache
def checked(setting: Setting, text: str) -> SheetCheck:
    """The check of a text, which each door is held against."""
    rules, position = situation(setting)
    return check_sheet(rules, position, setting.power, text)


def for_this_turn(read: Understood) -> bool:
    """Whether nothing of a sheet is the office's own: for later phases, or about versions."""
    return not (read.parts.ahead or read.parts.conditions or read.parts.instructions)


@SETTINGS
def test_a_mail_says_what_its_text_says(setting: Setting) -> None:
    rules, position = situation(setting)
    lines = sample(setting)
    alike = quoting = 0
    for line in lines:
        message = EmailMessage()
        message["From"], message["To"] = "eric@example.org", "orders@office.example"
        message.set_content(line)
        request = read_request(read_mail(message.as_bytes()).text, date(2026, 11, 21))
        if request.commands or request.notes or not line.strip():
            quoting += any("quoted" in note for note in request.notes) and QUOTING.search(line) is not None
            continue  # commands to the counter, and quoted lines, which it says that it does not read
        read = interpret_sheet(rules, position, setting.power, request.orders)
        if for_this_turn(read):
            shown = repaired(CONTROLS.sub("", line))
            assert said(read.check) == said(checked(setting, shown)), line
            alike += 1
    assert len(lines) - quoting - alike <= max(1, 0.15 * len(lines))


def typed(rules: Ruleset, position: Position, power: str, text: str) -> list[str]:
    """What stands on the sheet when the lines of a text were typed."""
    sheet = _Sheet(rules, position, power, [], [])
    for line in text.split("\n"):
        if line.strip():
            sheet._enter(line.strip())
        else:
            sheet.lines.append("")
    return sorted(map(write, sheet.orders))


def standing(orders: list[Order]) -> list[str]:
    """The orders of which the later ones replace the earlier for the same unit."""
    left: dict[object, Order] = {}
    for number, order in enumerate(orders):
        left[province_of(getattr(order, "at", "")) or number] = order
    return sorted(map(write, left.values()))


@SETTINGS
def test_a_file_says_what_its_text_says(setting: Setting) -> None:
    """A text that is named for its power, and one in which a heading names it."""
    rules, position = situation(setting)
    for line in sample(setting):
        check = checked(setting, line)
        wanted = [entry.given for entry in check.entries if entry.given is not None]
        for name, text in ((f"{setting.power}.txt", line), ("mail.txt", f"{setting.power}:\n{line}")):
            if name == "mail.txt" and (lists_with_dashes(setting, line) or LETTER.match(line)):
                continue  # among several powers' orders nobody counts whose dashes there are; they are asked about
            sheets, *_ = gather_sheets(rules, position, {name: text}, [])
            assert list(sheets[setting.power].orders if setting.power in sheets else ()) == wanted, (name, line)


OF_AN_ENTRY = re.compile(r"\b(?:s|supports?) (?:no\. )?\(?[a-z\d]\)?\.?$", re.IGNORECASE | re.MULTILINE)
"""A line that supports another by its number: ``F aeg supports no. 1``."""
COUNTED = re.compile(r"^\d build\b.*\n\d waive", re.IGNORECASE)
"""Lines that are numbered without a sign: ``1 Build F lon``, ``2 Waive``; alone, the second waives two."""


@SETTINGS
def test_the_terminal_takes_what_the_check_takes(setting: Setting) -> None:
    rules, position = situation(setting)
    for line in sample(setting):
        if QUOTED.search(line) or TICKED.search(line) or laid_out(line) != line:
            continue  # nobody types quotation marks around several lines, boxes, or the head of a table
        below = [one.lower().split() for one in line.split("\n")[1:] if one.strip()]
        if lists_with_dashes(setting, line) or any(
            words[0].strip(":.") in HELPERS_BELOW or words[0][0] == "(" or words[-1] in HELPS_LAST for words in below
        ):
            continue  # where each line is taken at once, a list below an order is told as not understood
        if OF_AN_ENTRY.search(line) or COUNTED.match(line):
            continue  # and lines have no numbers there
        check = checked(setting, line)
        wanted = standing([entry.given for entry in check.entries if entry.given is not None])
        assert typed(rules, position, setting.power, line) == wanted, line
