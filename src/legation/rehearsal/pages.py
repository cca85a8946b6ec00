"""What a rehearsal brought, as a folder: each mail as a mail program has it and as a page, each paper as a PDF, the
calendar, and a page to leaf through it all."""

import hashlib
import io
from datetime import datetime
from email.message import EmailMessage
from functools import cache
from importlib.resources import files
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pypdfium2
from jinja2 import Environment, PackageLoader, StrictUndefined

from legation.atlas.stylesheet import font_files
from legation.game.report import count
from legation.notation import capital, listed
from legation.office.clock import day_in_words
from legation.rehearsal.coordinating import plain
from legation.rehearsal.records import Happening, Paper, Rehearsed, Sort

TEMPLATES = files("legation.rehearsal") / "templates"
STATIC = files("legation.web") / "static"
SANS = "source-sans-3.woff2"
PAGE = "index.html"
THUMBNAIL = 440  # pixels wide, for screens with two to a point
WORDS: dict[Sort, tuple[str, str]] = {
    "mail": ("mail", "mails"),
    "letter": ("arrival", "arrivals"),
    "paper": ("paper", "papers"),
    "desk": ("task at the desk", "tasks at the desk"),
    "act": ("delay", "delays"),
    "date": ("date", "dates"),
}
"""What the sorts of things are called on the page."""


def write_folder(rehearsed: Rehearsed, folder: Path) -> Path:
    """Write all that a rehearsal brought into a folder, which is made; the answer is the page. Raises FileExistsError
    where the folder is there, and not empty."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty")
    writer = _Folder(rehearsed, folder)
    return writer.write()


class _Folder:
    def __init__(self, rehearsed: Rehearsed, folder: Path) -> None:
        self.rehearsed = rehearsed
        self.folder = folder
        self.zone = ZoneInfo(rehearsed.zone)
        self.papers: dict[bytes, dict[str, Any]] = {}
        self.mails = 0

    def write(self) -> Path:
        given = self.rehearsed
        for name in ("mails", "papers", "pictures", "fonts"):
            (self.folder / name).mkdir()
        for name, content in {**font_files(), SANS: (STATIC / "fonts" / SANS).read_bytes()}.items():
            (self.folder / "fonts" / name).write_bytes(content)
        (self.folder / f"{given.key}.ics").write_bytes(given.calendar)
        for name in ("rehearsal.css", "rehearsal.js"):
            (self.folder / name).write_bytes(TEMPLATES.joinpath(name).read_bytes())
        entries = self._entries()
        page = (
            _environment()
            .get_template(PAGE)
            .render(
                rehearsed=given,
                entries=entries,
                turns=[
                    (turn, [(day, list(on)) for day, on in groupby(own, key=itemgetter("day"))])
                    for turn, own in groupby(entries, key=itemgetter("turn"))
                ],
                counts=self._counts(),
                readers=["Coordinator", *given.players],
                began=self._day(given.began, year=True),
                ended=self._day(given.ended, year=True),
            )
        )
        (self.folder / PAGE).write_text(page, encoding="utf-8")
        return self.folder / PAGE

    def _counts(self) -> list[tuple[Sort, int, str]]:
        """How many there are of each sort, with the word for them."""
        all_of = [*self.rehearsed.happenings, *self._dates()]
        numbers = {sort: sum(h.sort == sort for h in all_of) for sort in WORDS}
        numbers["paper"] = len({paper.content for h in all_of for paper in h.papers})
        return [(sort, number, WORDS[sort][number != 1]) for sort, number in numbers.items() if number]

    def _dates(self) -> list[Happening]:
        """The dates of the calendar that lie in the rehearsal, each under the turn that goes on then."""
        marks = [(h.at, h.turn) for h in self.rehearsed.happenings]
        dates = [date for date in self.rehearsed.dates if date.at <= self.rehearsed.ended]
        return [
            msgspec.structs.replace(date, turn=next((t for at, t in reversed(marks) if at < date.at), marks[0][1]))
            for date in dates
        ]

    def _entries(self) -> list[dict[str, Any]]:
        """All that came, in the order of time; of a sort and kind, what came on one day is one entry."""
        order = {turn: number for number, turn in enumerate(dict.fromkeys(h.turn for h in self.rehearsed.happenings))}
        grouped: dict[tuple[object, ...], list[Happening]] = {}
        for happening in [*self.rehearsed.happenings, *self._dates()]:
            day = happening.at.astimezone(self.zone).date()
            what = happening.title if happening.sort in ("letter", "date", "act") else happening.kind
            grouped.setdefault((happening.turn, day, happening.sort, what), []).append(happening)
        groups = sorted(grouped.values(), key=lambda group: (order[group[0].turn], group[0].at))
        return [self._entry(number, group) for number, group in enumerate(groups, 1)]

    def _entry(self, number: int, group: list[Happening]) -> dict[str, Any]:
        first = group[0]
        people = list(dict.fromkeys(h.who for h in group if h.who))
        title = self._short(first)
        if first.sort == "paper" and len(group) > 1:
            title = f"{count(len(group), 'paper')} to print"
        elif first.sort == "desk" and len(group) > 1:
            title = f"{title.removesuffix('.')} and {len(group) - 1} more"
        return {
            "id": f"e{number}",
            "sort": first.sort,
            "turn": first.turn,
            "day": self._day(first.at),
            "time": f"{first.at.astimezone(self.zone):%H:%M}",
            "title": title,
            "to": f"{len(people)} players" if len(people) > 3 else listed(people) if people else "",
            "leaves": [self._leaf(happening) for happening in group],
        }

    def _short(self, happening: Happening) -> str:
        """A title without the names of the game, the power and the turn, which stand beside it."""
        short = happening.title
        game, turn = self.rehearsed.name, happening.turn
        for known in (f"{game} - ", f"{game}: ", f"{happening.who}, ", f"{turn}: "):
            short = short.removeprefix(known)
        return capital(short.removesuffix(f": {game}"))

    def _day(self, at: datetime, *, year: bool = False) -> str:
        return day_in_words(at.astimezone(self.zone), year=year)

    def _leaf(self, happening: Happening) -> dict[str, Any]:
        """What there is to see of one of several alike things, and for whom it is."""
        return {
            "who": happening.who,
            "title": self._short(happening),
            "text": happening.text,
            "mail": "" if happening.message is None else self._keep_mail(happening, happening.message),
            "papers": [self._keep(paper) for paper in happening.papers],
        }

    def _keep_mail(self, happening: Happening, message: EmailMessage) -> str:
        """Write a mail as a page and for a mail program; the answer is what both are called, without their endings."""
        self.mails += 1
        day = happening.at.astimezone(self.zone).date().isoformat()
        name = f"mails/{self.mails:03} {day} {plain(happening.kind)} {plain(happening.who)}".replace(" ", "-")
        (self.folder / f"{name}.eml").write_bytes(message.as_bytes())
        body = message.get_body(("html", "plain"))
        assert body is not None
        html = str(body.get_content())
        if body.get_content_subtype() == "plain":
            html = _environment().get_template("plain.html").render(text=html)
        for part in message.walk():
            if (number := str(part["Content-ID"] or "").strip("<>")) and f"cid:{number}" in html:
                html = html.replace(f"cid:{number}", self._keep_picture(part.get_content(), part.get_content_subtype()))
        (self.folder / f"{name}.html").write_text(html, encoding="utf-8")
        return name

    def _keep_picture(self, content: bytes, kind: str) -> str:
        """Write a picture that stands in mails, once; the answer is its address from them."""
        file = f"pictures/{hashlib.sha256(content).hexdigest()[:16]}.{kind.partition('+')[0]}"
        (self.folder / file).write_bytes(content)
        return f"../{file}"

    def _keep(self, paper: Paper) -> dict[str, Any]:
        """Write a paper with the picture of its first page, once."""
        known = self.papers.get(paper.content)
        if known is None:
            number = len(self.papers) + 1
            picture, pages = _first_page(paper.content)
            stem = f"{number:03}-{paper.name.removesuffix('.pdf')}"
            (self.folder / f"papers/{stem}.pdf").write_bytes(paper.content)
            (self.folder / f"pictures/{stem}.jpg").write_bytes(picture)
            name = paper.name.removesuffix(".pdf").removeprefix(f"{self.rehearsed.key}-").replace("-", " ")
            known = {"file": f"papers/{stem}.pdf", "picture": f"pictures/{stem}.jpg", "name": name, "pages": pages}
            self.papers[paper.content] = known
        return known


def _first_page(pdf: bytes) -> tuple[bytes, int]:
    """A picture of a paper's first page, and the number of its pages."""
    with pypdfium2.PdfDocument(pdf) as document:
        page = document[0]
        image = page.render(scale=THUMBNAIL / page.get_width()).to_pil()
        out = io.BytesIO()
        image.convert("RGB").save(out, "JPEG", quality=82)
        return out.getvalue(), len(document)


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("legation.rehearsal"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
