"""What a mail says, as text and as HTML."""

from hypothesis import given
from hypothesis import strategies as st

from legation.mail.content import (
    WIDTH,
    Action,
    Content,
    Facts,
    Heading,
    Image,
    Lines,
    Paragraph,
    Quote,
    as_html,
    as_text,
)

ALL = Content(
    "Subject",
    "Powick Bridge",
    (
        Paragraph("Your orders were understood."),
        Heading("Understood"),
        Lines(("A par - bur", "F bre - mao")),
        Facts((("Deadline", "Thu 14 May 2027, 07:00 GMT"), ("Commitment", "9f3c" * 16))),
        Quote("Shall we\nmeet?"),
        Action("Confirm", "https://office.example/x?y=1&z=2"),
        Image("map", "The map after Summer 1642", b"\x89PNG"),
    ),
    ("You get this because you play in this game.",),
)


def test_text_has_every_block() -> None:
    text = as_text(ALL)
    for part in ("A par - bur", "14 May 2027", "| meet?", "https://office.example/x?y=1&z=2", "[The map", "-- \n"):
        assert part in text
    assert all(len(line) <= 80 or "http" in line or "9f3c" in line for line in text.split("\n"))


def test_html_has_every_block() -> None:
    html = as_html(ALL, "The office")
    for part in ("A par - bur", "14 May 2027", 'src="cid:map"', "https://office.example/x?y=1&amp;z=2", "The office"):
        assert part in html


def test_html_joins_what_was_broken_for_text() -> None:
    lines = Lines(("  Tunis,", "Unowned:   Belgium, Spain,", "           Sweden.", "", "France: A par."))
    html = as_html(Content("s", "t", (lines,)), "The office")
    assert "Belgium, Spain, Sweden.</p>" in html and ">France: A par.</p>" in html and ">  Tunis,</p>" in html
    assert "\n             Sweden." in as_text(Content("s", "t", (lines,)))


@given(st.text(alphabet="<>&\"'ab/=; \n", min_size=1, max_size=60))
def test_nothing_that_a_person_wrote_becomes_markup(text: str) -> None:
    bare = as_html(Content("x", "x", (Quote("-"), Lines(("-",)), Paragraph("-"), Facts((("-", "-"),)))), "-")
    full = as_html(Content(text, text, (Quote(text), Lines((text,)), Paragraph(text), Facts(((text, text),)))), text)
    assert full.count("<") == bare.count("<")


def test_a_long_line_is_several_in_text_and_one_in_html() -> None:
    line = "France takes " + ", ".join(f"Province {n}" for n in range(12)) + "."
    content = Content("Results", "Results", (Lines((line,)),))
    assert max(map(len, as_text(content).splitlines())) <= WIDTH and line not in as_text(content)
    assert line in as_html(content, "Legation")
