"""Pictures of maps: PNG by resvg, PDF by typst, both with the map's own fonts, and for mails a PNG of a PDF by pdfium.
Needs the extra ``legation[pictures]`` (for mails ``legation[office]``); imported only when used."""

import atexit
import html
import io
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

Paper = Literal["A4", "A3", "A2"]
PAPERS: tuple[Paper, ...] = ("A4", "A3", "A2")
MARGINS: Mapping[Paper, int] = {"A4": 8, "A3": 10, "A2": 14}
"""Around a map that has the page to itself, in mm."""
POINTS = 72 / 25.4  # in a mm
FAMILY = "Legation Garamond"
FACES = ("regular", "italic", "bold")


class PicturesMissingError(RuntimeError):
    """The libraries for PNG and PDF are not installed."""


@cache
def _fonts() -> tuple[str, ...]:
    """The font files as paths, for libraries that want paths."""
    stack = ExitStack()
    atexit.register(stack.close)
    folder = files("legation.atlas.fonts")
    return tuple(str(stack.enter_context(as_file(folder / f"{face}.ttf"))) for face in FACES)


def _plain(svg: str) -> str:
    """The SVG without its embedded fonts, which these libraries pass over at some cost."""
    return re.sub(r"@font-face\{[^}]*\}", "", svg)


def png(svg: str, width: int = 1600) -> bytes:
    """The map as PNG, ``width`` pixels wide.

    :raises PicturesMissingError: where resvg-py is not installed.
    :raises ValueError: where the SVG cannot be drawn."""
    try:
        import resvg_py
    except ImportError:
        raise PicturesMissingError("PNG needs resvg-py; install it with: pip install 'legation[pictures]'") from None
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=_plain(svg), width=width, skip_system_fonts=True, font_files=list(_fonts()), serif_family=FAMILY
        )
    )


def pdf(svg: str, paper: Paper = "A4", *, title: str = "") -> bytes:
    """The map alone on a page of ``A4``, ``A3`` or ``A2``, turned as it fills the page best.

    :raises PicturesMissingError: where typst is not installed."""
    given = {
        "paper": paper.lower(),
        "wide": ratio_of(svg) > 1,
        "margin": MARGINS[paper],
        "page": _page(svg),
        "title": title or _title(svg),
        "alt": _title(svg),
    }
    return _compile("map", given, svg)


def png_of_page(page: bytes, svg: str, width: int) -> bytes:
    """The map on the page that :func:`pdf` made of it on A4, as PNG of at most 256 colors, ``width`` pixels wide.

    Where the page is wanted as well this takes a third of the time of :func:`png`, and a third of the bytes.

    :raises PicturesMissingError: where pypdfium2 or Pillow is not installed."""
    try:
        import PIL.Image
        import pypdfium2
    except ImportError:
        raise PicturesMissingError(
            "the PNG of a page needs pypdfium2 and Pillow; install them with: pip install 'legation[office]'"
        ) from None
    margin, ratio = MARGINS["A4"] * POINTS, ratio_of(svg)
    with pypdfium2.PdfDocument(page) as document:
        sheet = document[0]
        across, down = sheet.get_size()
        drawn = min(across - 2 * margin, (down - 2 * margin) * ratio)  # the map, in the middle of the page
        side, above = (across - drawn) / 2, (down - drawn / ratio) / 2
        image = sheet.render(scale=width / drawn, crop=(side, above, side, above), rev_byteorder=True).to_pil()
    made = io.BytesIO()
    image.quantize(256, PIL.Image.Quantize.FASTOCTREE, dither=PIL.Image.Dither.NONE).save(made, "PNG", compress_level=9)
    return made.getvalue()


def report_pdf(svg: str, sections: Sequence[tuple[str, Sequence[str]]], *, title: str = "") -> bytes:
    """A report: the map above, below it the results in columns. ``sections`` are pairs of a heading (a power) and lines
    of text.

    :raises PicturesMissingError: where typst is not installed."""
    dark = int(_page(svg)[1:3], 16) < 128
    if not dark:  # a report is printed at home
        svg = white(svg)
    lines = sum(len(body) + 2 for _, body in sections)
    given = {
        "paper": "a4",
        "page": _page(svg),
        "ink": "#f4ecdc" if dark else "#000000",
        "title": title or _title(svg),
        "alt": _title(svg),
        "height": min(62, round(100 * 0.66 / max(0.7, ratio_of(svg)))),
        "columns": 3 if lines > 40 else 2,
        "sections": [(name, list(body)) for name, body in sections],
    }
    return _compile("report", given, svg)


def _title(svg: str) -> str:
    match = re.search(r"<title[^>]*>([^<]*)</title>", svg)
    return html.unescape(match.group(1)) if match else "Map"


def ratio_of(svg: str) -> float:
    """The width of a map in heights."""
    match = re.search(r'viewBox="[\d.]+ [\d.]+ ([\d.]+) ([\d.]+)"', svg)
    return float(match.group(1)) / float(match.group(2)) if match else 1.0


_PAGE = re.compile(r"\.page\{fill:(#[0-9a-f]{6})\}")


def _page(svg: str) -> str:
    match = _PAGE.search(svg)
    return match.group(1) if match else "#ffffff"


def white(svg: str) -> str:
    """The map without its tinted ground, for white paper."""
    return _PAGE.sub(".page{fill:#ffffff}", svg)


def _compile(template: str, given: Mapping[str, object], svg: str) -> bytes:
    source = (files("legation.atlas") / "papers" / f"{template}.typ").read_bytes()
    return compile_pdf({"main.typ": source, "given.json": json.dumps(given).encode(), "map.svg": svg.encode()})


def compile_pdf(documents: Mapping[str, bytes], stamp: datetime | None = None, system_fonts: bool = False) -> bytes:
    """The PDF of ``main.typ`` among these documents, in the map's fonts; those of the machine only where asked for.

    With a ``stamp`` it is an archival PDF of that date, in which every character must be one that a font can show.

    :raises PicturesMissingError: where typst is not installed.
    :raises RuntimeError: for a document that cannot be typeset."""
    try:
        import typst
    except ImportError:
        raise PicturesMissingError("PDF needs typst; install it with: pip install 'legation[pictures]'") from None
    plain = {name: _plain(d.decode()).encode() if name.endswith(".svg") else d for name, d in documents.items()}
    archival: Any = {"pdf_standards": "a-2b", "timestamp": int(stamp.timestamp())} if stamp else {}
    content: bytes = typst.compile(
        plain,
        font_paths=sorted({str(Path(file).parent) for file in _fonts()}),
        ignore_system_fonts=not system_fonts,
        format="pdf",
        **archival,
    )
    return _with_stroked_letters(content)


_STREAM = re.compile(rb"<</Length (\d+)/Filter/FlateDecode>>\s*stream\r?\n")
_OUTLINED = re.compile(rb"(q ([\d. -]+) cm/c\d+ CS [\d. ]+ SCN [\d.]+ w [^\n]*?j )[^QS]*S\nQ\n")
_LETTER = re.compile(
    rb"q ([\d. -]+) cm/c\d+ cs [\d. ]+ scn\nBT 0 Tr(/f\d+ [\d.]+ Tf [\d. -]+ Tm\((?:\\.|[^\\)])*\)Tj\nET\n)Q", re.DOTALL
)


def _with_stroked_letters(document: bytes) -> bytes:
    """The PDF with the halos of names as stroked letters of its font: typst writes each as a path of its own, and
    thereby most of a map's bytes."""
    made, past, moved = [], 0, []
    for found in _STREAM.finditer(document):
        end = found.end() + int(found[1])
        content = zlib.decompress(document[found.end() : end])
        letters = {letter[1]: letter[2] for letter in _LETTER.finditer(content)}

        def stroked(halo: re.Match[bytes], letters: Mapping[bytes, bytes] = MappingProxyType(letters)) -> bytes:
            return halo[1] + b"BT 1 Tr" + letters[halo[2]] + b"Q\n" if halo[2] in letters else halo[0]

        packed = zlib.compress(_OUTLINED.sub(stroked, content) if letters else content, 9)
        if len(packed) < end - found.end():
            head = b"<</Length %d/Filter/FlateDecode>>\nstream\n" % len(packed)
            made += [document[past : found.start()], head, packed]
            past = end
            moved.append((found.start(), sum(map(len, made)) - end))
    body, mark, table = b"".join([*made, document[past:]]).rpartition(b"\nxref\n")
    if not mark:  # another form of the table than typst's of today
        return document

    def shifted(offset: bytes) -> int:
        return int(offset) + next((shift for start, shift in reversed(moved) if start < int(offset)), 0)

    table = re.sub(rb"(\d{10}) 00000 n", lambda line: b"%010d 00000 n" % shifted(line[1]), table)
    table = re.sub(rb"(?<=startxref\n)\d+", lambda line: b"%d" % shifted(line[0]), table)
    return body + mark + table
