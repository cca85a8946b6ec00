"""A report as data: sections of paragraphs, tables and figures, written as one HTML file or one PDF."""

import re
from html import escape
from importlib.resources import files
from pathlib import Path

import msgspec

from legation.atlas.pictures import compile_pdf
from legation.atlas.stylesheet import font_faces

FOLDER = files("legation.lab.report")


class Paragraph(msgspec.Struct, frozen=True, tag=True):
    """Some sentences."""

    text: str


class Points(msgspec.Struct, frozen=True, tag=True):
    """A list of sentences."""

    items: tuple[str, ...]


class Table(msgspec.Struct, frozen=True, tag=True):
    """A table; the first column names its rows, ``text`` are further columns that hold no numbers. A long one is folded
    away in HTML, and only its first ``on_paper`` rows are printed."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text: frozenset[int] = frozenset()
    folded: bool = False
    on_paper: int = 40


class Picture(msgspec.Struct, frozen=True):
    """An SVG: as it is put into a page, styled by the page, and as it stands alone."""

    inline: str
    alone: str


class Figure(msgspec.Struct, frozen=True, tag=True):
    """Pictures with one caption, so many ``across`` a page (0 for one as large as the page); the table that tells the
    same follows it in the document."""

    caption: str
    pictures: tuple[Picture, ...]
    across: int = 1


Block = Paragraph | Points | Table | Figure


class Section(msgspec.Struct, frozen=True):
    """A heading and what stands below it."""

    title: str
    blocks: tuple[Block, ...]


class Report(msgspec.Struct, frozen=True):
    """A report: its title, a line below that, its sections, and the style that its maps need."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]
    map_style: str = ""


def identified(title: str) -> str:
    """Return a title as the name of its section."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


# HTML


def html(document: Report) -> str:
    """Return the report as one HTML file that needs nothing else."""
    style = FOLDER.joinpath("report.css").read_text(encoding="utf-8")
    links = "".join(f'<li><a href="#{identified(s.title)}">{escape(s.title)}</a></li>' for s in document.sections[1:])
    body = "".join(
        f'<section id="{identified(s.title)}"><h2>{escape(s.title)}</h2>{"".join(map(_block, s.blocks))}'
        + (f'<nav aria-label="Contents"><ul class="contents">{links}</ul></nav>' if n == 0 else "")
        + "</section>"
        for n, s in enumerate(document.sections)
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(document.title)}</title><style>{font_faces()}{document.map_style}{style}</style></head>"
        f'<body><main><header><p class="kicker">{escape(document.subtitle)}</p><h1>{escape(document.title)}</h1>'
        f"</header>{body}</main></body></html>\n"
    )


def _block(block: Block) -> str:
    match block:
        case Paragraph(text):
            return f"<p>{escape(text)}</p>"
        case Points(items):
            return "<ul>" + "".join(f"<li>{escape(item)}</li>" for item in items) + "</ul>"
        case Table():
            return _table(block)
        case Figure(caption, pictures, across):
            drawn = "".join(f'<div class="picture">{picture.inline}</div>' for picture in pictures)
            return (
                f'<figure class="across{across}"><figcaption>{escape(caption)}</figcaption><div>{drawn}</div></figure>'
            )


def _table(table: Table) -> str:
    def cell(n: int, text: str, tag: str = "td") -> str:
        left = n == 0 or n in table.text
        return f"<{tag}{'' if left else ' class=number'}>{escape(text)}</{tag}>"

    head = "".join(cell(n, text, "th") for n, text in enumerate(table.head)).replace("<th", '<th scope="col"')
    rows = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(cell(n, c) for n, c in enumerate(row) if n)}</tr>'
        for row in table.rows
    )
    caption = escape(table.caption)
    whole = (
        f"<table><caption class='unseen'>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )
    scrolled = f'<div class="scroll" tabindex="0" role="region" aria-label="{caption}">{whole}</div>'
    if table.folded:
        return f"<details><summary>{caption}</summary>{scrolled}</details>"
    return f'<p class="caption" aria-hidden="true">{caption}</p>{scrolled}'


# PDF


def pdf(document: Report) -> bytes:
    """Return the report as a PDF of A4 pages.

    :raises legation.atlas.pictures.PicturesMissingError: where typst is not installed."""
    pictures: dict[str, bytes] = {}
    sections = []
    for section in document.sections:
        blocks: list[object] = []
        for block in section.blocks:
            match block:
                case Figure(caption, drawn, across):
                    names = []
                    for picture in drawn:
                        name = f"figure{len(pictures)}.svg"
                        pictures[name] = picture.alone.encode()
                        names.append(name)
                    blocks.append({"type": "Figure", "caption": caption, "pictures": names, "across": across})
                case Table(rows=rows, on_paper=most) if len(rows) > most:
                    left = f"{block.caption} The first {most} of {len(rows)}."
                    blocks.append(msgspec.structs.replace(block, rows=rows[:most], caption=left))
                case _:
                    blocks.append(block)
        sections.append({"title": section.title, "blocks": blocks})
    given = {"title": document.title, "subtitle": document.subtitle, "sections": sections}
    source = FOLDER.joinpath("report.typ").read_bytes()
    return compile_pdf({"main.typ": source, "given.json": msgspec.json.encode(given), **pictures})


def write_document(document: Report, path: Path) -> None:
    """Write the report as its file's ending says, ``.html`` or ``.pdf``.

    :raises ValueError: for another ending.
    :raises legation.atlas.pictures.PicturesMissingError: for a PDF where typst is not installed."""
    match path.suffix.lower():
        case ".html" | ".htm":
            path.write_text(html(document), encoding="utf-8")
        case ".pdf":
            path.write_bytes(pdf(document))
        case other:
            raise ValueError(f"{path.name}: a report is written as .html or .pdf, not {other or 'without an ending'}")
