"""Some three hundred further habits: what telephones, web mail and people add, in more forms, around orders or thanks.

``habits.tsv`` has those that are a text alone, by kind: ``above`` a quotation, the ``head`` of one, a ``footer``."""

from email.message import EmailMessage
from functools import partial
from html import escape
from pathlib import Path

from tests.mail.programs import (
    SENT,
    TO,
    WHO,
    WROTE,
    Program,
    html_answer,
    html_of,
    marked,
    plain_of,
    quoting,
    text_answer,
    written,
)

ABOVE: dict[str, str] = {}
HEADS: dict[str, str] = {}
FOOTERS: dict[str, str] = {}
for kind, name, text in (
    line.split("\t") for line in Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8").splitlines()[1:]
):
    shown = text.format(**SENT).replace("\\n", "\n").replace("\\t", "\t")
    {"above": ABOVE, "head": HEADS, "footer": FOOTERS}[kind][name] = shown


def below(name: str, original: EmailMessage, new: str) -> bytes:
    return text_answer(original, f"{ABOVE[name]}\n{marked(plain_of(original))}\n\n{new}\n")


def headed(name: str, original: EmailMessage, new: str, *, rule: str = "") -> bytes:
    head = f"{rule}{HEADS[name]}{original['Subject']}"
    return text_answer(original, f"{new}\n\n{head}\n\n{plain_of(original)}\n", threads=False)


def footed(name: str, original: EmailMessage, new: str) -> bytes:
    return text_answer(original, f"{new}\n\n{FOOTERS[name]}\n\n{ABOVE['fastmail']}\n{marked(plain_of(original))}\n")


def colored(original: EmailMessage, new: str) -> bytes:
    red = "".join(f'<div><span style="color:#c00">{escape(line)}</span></div>' for line in new.split("\n"))
    return html_answer(original, f"<div>See my answers in red below.</div><hr>{html_of(original)}{red}")


OFFICE_HEAD = f"From: {WHO}\nSent: Monday, March 2, 2026 1:00 PM\nTo: Eve <{TO}>\nSubject: "
MARKS = {"bars": "| ", "two marks": ">> ", "marks without blanks": ">", "indented": "    ", "tabs": "\t"}
"""What stands before each quoted line."""
BANNERS = {
    "caution": "CAUTION: This email originated from outside of the organization. Do not click links or open "
    "attachments unless you recognize the sender.",
    "not often": "You don't often get email from office@office.example. Learn why this is important "
    "<https://aka.ms/LearnAboutSenderIdentification>",
}
"""What a company's server puts above a mail that came from outside."""


def otherwise_marked(name: str, original: EmailMessage, new: str) -> bytes:
    quoted = "\n".join(f"{MARKS[name]}{line}".rstrip() for line in plain_of(original).split("\n"))
    return text_answer(original, f"{new}\n\n{WROTE}\n\n{quoted}\n")


def bannered(name: str, original: EmailMessage, new: str) -> bytes:
    head = f"{OFFICE_HEAD}{original['Subject']}"
    return text_answer(original, f"{new}\n\n{head}\n\n{BANNERS[name]}\n\n{plain_of(original)}\n")


def shortened(original: EmailMessage, new: str) -> bytes:
    quoted = "\n".join(marked(plain_of(original)).split("\n")[:4])
    return text_answer(original, f"{WROTE}\n{quoted}\n[snip]\n\n{new}\n\n-- \nEve\n")


def own_orders_before(original: EmailMessage, new: str) -> bytes:
    before = f"A Paris - Calais\nA Dauphine H\n\n{WROTE}\n{marked(plain_of(original))}"
    return text_answer(original, f"{new}\n\nOn Tue, 3 Mar 2026 at 09:00, Eve <{TO}> wrote:\n{marked(before)}\n")


def in_a_table(original: EmailMessage, new: str) -> bytes:
    rows = "".join(f"<tr><td>{escape(line)}</td></tr>" for line in new.split("\n"))
    return html_answer(original, f"<table>{rows}</table><hr>{html_of(original)}")


def in_entities(original: EmailMessage, new: str) -> bytes:
    text = escape(new).replace(" ", "&nbsp;").replace("-", "&ndash;").replace("\n", "<br>")
    return html_answer(original, f'<div>{text}</div><blockquote type="cite">{html_of(original)}</blockquote>')


HABITS: dict[str, Program] = {
    **written("habits"),
    **{f"{name}, marked": partial(quoting, line, mark=True) for name, line in ABOVE.items()},
    **{f"{name}, unmarked": partial(quoting, line, mark=False) for name, line in ABOVE.items()},
    **{f"{name}, below": partial(below, name) for name in list(ABOVE)[::3]},
    **{f"{name}, head": partial(headed, name) for name in HEADS},
    **{f"{name}, footer": partial(footed, name) for name in FOOTERS},
    **{f"{name}, head and rule": partial(headed, name, rule="_" * 32 + "\n") for name in HEADS},
    "colored": colored,
    **{f"{name}, quoted": partial(otherwise_marked, name) for name in MARKS},
    **{f"{name}, banner": partial(bannered, name) for name in BANNERS},
    "shortened": shortened,
    "own orders before": own_orders_before,
    "in a table": in_a_table,
    "in entities": in_entities,
}
TELLING = frozenset(
    f"{name}, footer"
    for name in (
        "signature no dashes", "signature lines", "signature underscores", "signature tilde", "mfg", "hth",
        "regards kr", "quote of day", "title",
    )
) | {"colored", "struck_by_a_style_sheet"}  # fmt: skip
"""What its owner wrote, so that it is told where it is not understood, or names a place below a signature."""
