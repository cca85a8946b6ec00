"""What the text of a mail asks for: commands, letters, orders."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legation.mail.commands import (
    Absence,
    Ask,
    Command,
    ForPhase,
    Letter,
    Misread,
    Plain,
    Prefer,
    Request,
    SetDeadline,
    SignOn,
    Vote,
)
from legation.mail.requests import read_date, read_request

TODAY = date(2026, 11, 21)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("SIGNON crown@powick-bridge", SignOn("crown", "powick-bridge")),
        ("sign on crown@powick-bridge", SignOn("crown", "powick-bridge")),
        ("SIGNON Cpowick-bridge secret", SignOn("", "Cpowick-bridge")),
        ("CLEAR", Plain("clear")),
        ("undo", Plain("undo")),
        ("SET WAIT", Plain("wait")),
        ("set nowait", Plain("wait", on=False)),
        ("SET DRAW", Plain("draw")),
        ("SET WAIT ON", Plain("wait")),
        ("set wait off", Plain("wait", on=False)),
        ("SET DRAW YES", Plain("draw")),
        ("SET DRAW NO", Plain("draw", on=False)),
        ("SET UNREADY", Plain("wait")),
        ("set vote pause", Vote("pause", True)),
        ("VOTE EXTEND 24", Vote("extend", True, 24)),
        ("SET NO VOTE CANCEL", Vote("cancel", False)),
        ("SET VOTE TO EXTEND THE DEADLINE BY 48 HOURS", Vote("extend", True, 48)),
        ("SET VOTE EXTEND 48h", Vote("extend", True, 48)),
        ("SET VOTE REPLACE the Kingdom of France", Vote("replace", True, 0, "Kingdom of France")),
        ("SET VOTE DRAW", Plain("draw")),
        ("SET NODRAW.", Plain("draw", on=False)),
        ("set no draw.", Plain("draw", on=False)),
        ("SET NO WAIT", Plain("wait", on=False)),
        ("SETNOWAIT", Plain("wait", on=False)),
        ("Set Not Wait", Plain("wait", on=False)),
        ("VERSION", Ask("version")),
        ("HISTORY", Ask("history")),
        ("HISTORY pb FROM 3 Nov TO 9 Nov LINES 40", Ask("history", "pb", date(2026, 11, 3), date(2026, 11, 9), 40)),
        ("SET ABSENCE 20 Jan TO 30 Jan", Absence(date(2027, 1, 20), date(2027, 1, 30), True)),
        ("SET HOLIDAY 2026-12-24", Absence(date(2026, 12, 24), date(2026, 12, 24), True)),
        ("SET NOABSENCE January 20, 2027", Absence(date(2027, 1, 20), date(2027, 1, 20), False)),
        ("SET ADDRESS Eve@Example.org", Plain("address", "eve@example.org")),
        ("SET PREF Crown, Argyll and Ormond", Prefer(("Crown", "Argyll", "Ormond"))),
        ("SET VACATION 20-30 March", Absence(date(2027, 3, 20), date(2027, 3, 30), True)),
        ("SET ABSENCE from 20 Jan to 30 Jan", Absence(date(2027, 1, 20), date(2027, 1, 30), True)),
        ("LIST", Ask("list")),
        ("LIST FULL", Ask("list")),
        ("WHOGAME powick-bridge FULL", Ask("whogame", "powick-bridge")),
        ("HISTORY FROM 20 Nov TO 23 Nov", Ask("history", "", date(2026, 11, 20), date(2026, 11, 23))),
        ("HISTORY FROM 20 Dec TO 3 Jan", Ask("history", "", date(2025, 12, 20), date(2026, 1, 3))),
        ("LIST powick-bridge", Ask("list", "powick-bridge")),
        ("SUMMARY Powick Bridge", Ask("summary", "Powick Bridge")),
        ("help", Ask("help")),
        ("WHOGAME powick-bridge", Ask("whogame", "powick-bridge")),
        ("RESIGN", Plain("resign")),
        ("JOIN Powick Bridge", Plain("join", "Powick Bridge")),
        ("PROCESS Summer 1642 Movement", Plain("process", "Summer 1642 Movement")),
        ("EJECT Crown", Plain("eject", "Crown")),
        ("SET DEADLINE 2027-01-20 18:00 because the post is late", SetDeadline("2027-01-20 18:00", "the post is late")),
    ],
)
def test_commands(line: str, command: Command) -> None:
    found = read_request(line, TODAY)
    assert found.commands == (command,)
    assert not found.has_orders


def test_several_settings_on_a_line() -> None:
    assert read_request("SET WAIT, DRAW", TODAY).commands == (Plain("wait"), Plain("draw"))


@pytest.mark.parametrize(
    "line",
    [
        "List of my orders:",
        "Help me to Bur",
        "Clear the coast with F Lon - Nth",
        "A par - bur",
        "Press on to Paris!",
        "Broadcast of the results is tomorrow",
        "draw",
    ],
)
def test_prose_that_begins_like_a_command_is_left_to_the_reader_of_orders(line: str) -> None:
    found = read_request(line, TODAY)
    assert found.commands == ()
    assert found.orders == line


@pytest.mark.parametrize(
    "line",
    [
        "SET DEADLIEN 3 Jan",
        "SET ABSENCE next week",
        "SIGNON p secret",
        "SIGNON ?pb secret",
        "SET ADDRESS",
        "PRESS",
        "PRESS TO",
        "JOIN",
        "WHO eve",
        "HISTORY FROM 1/3/2026",
        "HISTORY pb EXCLSTART S1901M",
        "SET GRACE 3 Jan",
        "SET NOCONC",
        "SET PASSWORD x",
        "SET CONCEDE F",
        "SET DRAW FG",
        "PROCESS",
        "WHO",
        "WHOIS eve",
        "SEND ME rules",
        "GET map.hundred",
        "DIARY LIST",
        "REGISTER",
        "CREATE ?blitz secret",
        "OBSERVE blitz",
        "BECOME F",
        "PREDICT",
        "ROLLBACK 1",
        "IAMALSO eve@x.org",
    ],
)
def test_commands_that_are_faulty_or_not_here_are_told_and_no_sheet(line: str) -> None:
    found = read_request(line, TODAY)
    assert isinstance(found.commands[0], Misread) and found.commands[0].line == 1
    assert len(found.commands) == 1 and found.orders == ""


def test_orders_keep_their_line_numbers_and_are_for_their_phase() -> None:
    found = read_request("SIGNON crown@pb\nA lon H\nSET WAIT\nF nth C A lon - nwy", TODAY)
    assert found.orders == "\nA lon H\n\nF nth C A lon - nwy"
    # what follows phase is for that phase
    found = read_request(
        "A par H\nPHASE F1901M\nA par - bur\nA mar H\nPHASE Winter 1901 Adjustments\nbuild A par", TODAY
    )
    assert found.commands == (
        ForPhase("F1901M", "A par - bur\nA mar H"),
        ForPhase("Winter 1901 Adjustments", "build A par"),
    )
    assert found.orders.strip() == "A par H"
    # a mail that is nothing but quoted lines is read
    assert read_request("> A par - bur\n> A mar H", TODAY).has_orders
    # a greeting is no sign on
    assert read_request("Hello Eve@office\nA par H", TODAY).commands == ()


def test_a_letter_goes_to_its_end_in_any_spelling() -> None:
    text = "PRESS TO Russia, Austria\nShall we meet?\nend press\nA Con-Bul"
    found = read_request(text, TODAY)
    assert found.commands == (Letter(("Russia", "Austria"), "Shall we meet?", False, True),)
    assert found.orders.strip() == "A Con-Bul"
    # a letter without its end says so
    (letter,) = read_request("PRESS GREY TO G\nA plan\nA Con-Bul", TODAY).commands
    assert letter == Letter(("G",), "A plan\nA Con-Bul", True, False)
    # a letter ends where another begins and is not sent
    first, second = read_request("PRESS TO E\nfor England\nPRESS TO B\nfor Burgundy\nENDPRESS", TODAY).commands
    assert first == Letter(("E",), "for England", False, False)
    assert second == Letter(("B",), "for Burgundy", False, True)
    (letter,) = read_request("PRESS TO ALL BUT G, R\nx\nENDPRESS", TODAY).commands
    assert isinstance(letter, Letter) and letter.but == ("G", "R")


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


@pytest.mark.parametrize(
    "text",
    ["PRESS\n{}\nENDPRESS", "Press:\n{}\nend press", "POSTAL PRESS\n{}\nENDPRESS", "DIARY RECORD\n{}\nEND DIARY"],
)
def test_what_stands_in_a_letter_that_cannot_be_sent_is_no_order(text: str) -> None:
    found = read_request(text.format("My plan:\nA par - orl") + "\nA par H", TODAY)
    assert found.orders.split() == ["A", "par", "H"]
    (told,) = found.commands
    assert isinstance(told, Misread) and "none of it was read" in told.message
    assert read_request(text.partition("{}")[0] + "A par - orl", TODAY).orders == ""


def test_one_mail_is_for_one_seat() -> None:
    found = read_request("SIGNON F@one\nA par H\nSIGNON E@two\nF lon H\nSET DRAW", TODAY)
    assert found.orders.split() == ["A", "par", "H"]
    assert found.commands[0] == SignOn("F", "one") and isinstance(found.commands[1], Misread)
    assert len(found.commands) == 2
    again = read_request("SIGNON F@one\nA par H\nSIGNON F@one\nA tou H", TODAY)
    assert again.orders.split() == ["A", "par", "H", "A", "tou", "H"]


@pytest.mark.parametrize(
    "text", ["SET WAIT NODRAW", "set wait no draw", "SET WAIT, NODRAW", "SET WAIT ;SET NO DRAW", "SET WAIT, SET NODRAW"]
)
def test_settings_side_by_side(text: str) -> None:
    assert read_request(text, TODAY).commands == (Plain("wait"), Plain("draw", on=False))


@pytest.mark.parametrize("end", ["ENDPRESS", "ENDBROADCAST"])
@pytest.mark.parametrize(
    "heading", ["BROADCAST", "PRESS ALL", "PRESS BROADCAST", "BROADCAST TO ALL", "PRESS NO FAKE TO ALL"]
)
def test_a_letter_to_all_in_the_judge_s_ways(heading: str, end: str) -> None:
    assert read_request(f"{heading}\nPeace!\n{end}", TODAY).commands == (Letter(("all",), "Peace!", False, True),)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("IF A par\nIF A cal\nA par - cal\nENDIF\nELSE IF A tou\nA tou - par\nENDIF\nA dau H", "A dau H"),
        ("IF A par\nIF A cal\nA par - cal\nENDIF\nA tou - par\nENDIF\nA dau H", "A dau H"),
        ("ELSEIF A par\nA par - cal\nENDIF\nA dau H", "A dau H"),
        ("ELSE\nA par - cal\nENDIF\nA dau H", "A dau H"),
        ("A dau H\nIF NOT A par\nA tou - par\nA orl - par", "A dau H"),
        ("IF A par\nIF A cal\nA par - cal\nENDIF\nA dau H", "A dau H"),
        ("A dau H\nIF A mun - bur\nA mar - gas\nA bre - par\nELSE\nA mar - spa\nENDIF", "A dau H"),
        ("A dau H\nPHASE F1901M\nIF Austrian Army Galicia\nA war - gal\nELSE\nA war - ukr\nENDIF", "A dau H"),
    ],
)
def test_conditions_are_refused_to_the_end_that_is_theirs(text: str, left: str) -> None:
    found = read_request(text, TODAY)
    assert found.orders.strip() == left and isinstance(found.commands[0], Misread)


@pytest.mark.parametrize(
    "text",
    [
        "SET COMMENT BEGIN\nA par - cal\nEND\nA dau H",
        "REGISTER\nAddress: Paris\nA par - cal\nEND\nA dau H",
        "A dau H\nBECOME E\nA cal - par\nSET DRAW",
    ],
)
def test_what_belongs_to_a_command_that_is_not_here_is_no_order(text: str) -> None:
    found = read_request(text, TODAY)
    assert found.orders.strip() == "A dau H"
    (told,) = found.commands
    assert isinstance(told, Misread)
