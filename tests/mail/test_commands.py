"""What the text of a mail asks for: commands, letters, orders."""

from datetime import date
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from legation.mail.commands import Command, Misread, Plain, Request
from legation.mail.requests import read_date, read_request

TODAY = date(2026, 11, 21)
ROWS = Path(__file__).with_name("requests.tsv").read_text(encoding="utf-8").splitlines()[1:]
UNREAD = "none of it was read"


def shown(command: Command) -> str:
    """A command as ``requests.tsv`` has it, with all its fields; one that is misread with its line alone, and whether
    anything that belongs to it was left out."""
    if isinstance(command, Misread):
        return f"Misread|{command.line}|{UNREAD * (UNREAD in command.message)}"
    fields = msgspec.structs.astuple(command)
    return "|".join([type(command).__name__, *("" if value is None else str(value) for value in fields)])


@pytest.mark.parametrize("row", ROWS)
def test_a_text_is_taken_apart_into_commands_and_orders_in_their_lines(row: str) -> None:
    text, commands, orders = (cell.replace("\\n", "\n") for cell in row.split("\t"))
    found = read_request(text, TODAY)
    assert (" ; ".join(map(shown, found.commands)), found.orders) == (commands, orders)


def test_signatures_quotations_and_what_follows_signoff_are_not_read() -> None:
    text = "A par H\n> A par - bur\n-- \nEric\nA mar H"
    assert read_request(text, TODAY).orders == "A par H\n\n-- \nEric\nA mar H"  # whoever reads it tells what is signed
    assert read_request(text, TODAY).notes
    assert read_request("SET WAIT\n-- \nEric\nSET DRAW", TODAY) == Request((Plain("wait"),), "", ())
    ruled = "A par H\n________\nA mar H"
    assert read_request(ruled, TODAY).orders == ruled
    forwarded = f"{ruled}\n________\nFrom: The office\nSent: today\n\nA mar - spa"
    assert read_request(forwarded, TODAY) == Request((), ruled, ("the quoted mail was not read",))
    assert read_request("A par H\nSIGNOFF\nA mar H", TODAY).orders.strip() == "A par H"
    reply = "F nth - nwy\n\nOn Thu, 19 Nov 2026 at 20:11, The office <orders@office.example> wrote:\nRussia: A war H"
    assert read_request(reply, TODAY).orders.strip() == "F nth - nwy"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("20 Jan", date(2027, 1, 20)),
        ("21 Nov", date(2026, 11, 21)),
        ("Dec 3rd", date(2026, 12, 3)),
        ("3. December 2026", date(2026, 12, 3)),
        ("2026-12-03", date(2026, 12, 3)),
        ("3/4", None),
        ("31 Feb", None),
        ("32 Jan 2027", None),
        ("20 Foo", None),
        ("Foo 20", None),
        ("soon", None),
    ],
)
def test_dates(text: str, expected: date | None) -> None:
    assert read_date(text, TODAY) == expected


@given(
    st.lists(
        st.sampled_from(
            ["SET ", "WAIT", "PRESS TO ", "x", "\n", "> ", "-- ", "PHASE ", "ENDPRESS", "A par H", "SIGNOFF"]
        )
    )
)
def test_any_text_is_taken_apart_and_orders_stay_in_their_lines(parts: list[str]) -> None:
    text = "".join(parts)
    found = read_request(text, TODAY)
    lines = text.split("\n")
    for number, line in enumerate(found.orders.split("\n")):
        assert line in ("", lines[number])
