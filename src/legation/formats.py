"""Readers of files from outside, within bounds of size, number and depth: TOML, JSON, CSV, zip archives and pictures.

Nothing else parses these (``make lint`` refuses it), so that the command line bounds what the pages bound. XML is read
by :mod:`legation.interop.xml_tree`, in the same way."""

from __future__ import annotations

import csv
import gzip
import io
import lzma
import re
import struct
import tomllib
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

import msgspec

if TYPE_CHECKING:
    from PIL import Image

T = TypeVar("T")

MEGABYTE = 1024 * 1024
LARGEST_TEXT = 4 * MEGABYTE  # of TOML and CSV; the largest that comes along has 48 kB
LARGEST_JSON = 64 * MEGABYTE  # more than any game
LARGEST_ARCHIVE = 96 * MEGABYTE
MOST_HEADERS = 20_000  # of entries of an archive
MOST_PIXELS = 80_000_000  # of a picture: a phone's camera has 12 to 50 million, a few have more
LONGEST_KEY = 64  # parts of a key of TOML; tomllib's time and memory grow with their square

_QUOTED = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)|'
    r"'''(?:[^']|'(?!''))*+(?:'''|\Z)|"
    r'"(?:[^"\\\n]|\\.)*+"?|'
    r"'[^'\n]*+'?|"
    r"#[^\n]*+",
    re.DOTALL,
)
_DOTTED = re.compile(rf"(?:\.[^.,=\n\[\]{{}}]*+){{{LONGEST_KEY}}}")


class FormatError(ValueError):
    """What cannot be read, or is more than it may be; one line that goes on after a file's name and a colon."""


def read_file(path: Traversable | Path, most: int = LARGEST_TEXT) -> bytes:
    """The content of a file.

    :raises FormatError: if it is larger than ``most`` bytes.
    :raises OSError: as the system does."""
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise FormatError(f"is larger than {most // MEGABYTE} MB")
    return content


def read_toml(text: str) -> dict[str, Any]:
    """A TOML document.

    :raises FormatError: if it is none."""
    if len(text) > LARGEST_TEXT:
        raise FormatError(f"is larger than {LARGEST_TEXT // MEGABYTE} MB")
    if _DOTTED.search(_QUOTED.sub("", text)):
        raise FormatError(f"has a key of more than {LONGEST_KEY} parts")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise FormatError("is nested too deeply") from None
    except ValueError as error:  # no TOML, or a number of thousands of digits
        raise FormatError(str(error)) from None


@overload
def decode_json(data: bytes | str) -> Any: ...
@overload
def decode_json(data: bytes | str, *, type: type[T]) -> T: ...
@overload
def decode_json(data: bytes | str, *, type: Any) -> Any: ...
def decode_json(data: bytes | str, *, type: Any = Any) -> Any:
    """A JSON document, of a type that msgspec takes.

    :raises msgspec.DecodeError: if it is none, also where msgspec raises something else."""
    if len(data) > LARGEST_JSON:
        raise msgspec.DecodeError(f"it is larger than {LARGEST_JSON // MEGABYTE} MB")
    try:
        return msgspec.json.decode(data, type=type)
    except RecursionError:
        raise msgspec.DecodeError("it is nested too deeply") from None
    except UnicodeError as error:
        raise msgspec.DecodeError(str(error)) from None


def read_csv(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table, each with the number of its first line.

    :raises FormatError: where it cannot be read; rows before that are given."""
    if len(text) > LARGEST_TEXT:
        raise FormatError(f"is larger than {LARGEST_TEXT // MEGABYTE} MB")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise FormatError(f"{line}: cannot be read ({error}); close every quoted cell") from None


def read_rows(text: str) -> Iterator[dict[str, str]]:
    """The rows of a table by the names in its first line; cells that are left out are empty.

    :raises FormatError: as :func:`read_csv`."""
    rows = read_csv(text)
    _, columns = next(rows, (1, []))
    for _, cells in rows:
        if cells:
            yield dict.fromkeys(columns, "") | dict(zip(columns, cells, strict=False))


def packed_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file that is packed by gzip or xz, however many.

    :raises FormatError: for a line of more than ``LARGEST_JSON`` bytes, before it is unpacked, and for a damaged file.
    """
    try:
        with (gzip.open if path.suffix == ".gz" else lzma.open)(path, "rb") as lines:
            while line := lines.readline(LARGEST_JSON + 1):
                if len(line) > LARGEST_JSON:
                    raise FormatError(f"{path.name}: a line has more than {LARGEST_JSON // MEGABYTE} MB")
                yield line
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
        raise FormatError(f"{path.name} is damaged: {error}") from None


class TooManyPixelsError(FormatError):
    """A picture that is larger than one may be."""


class ZipEntry(NamedTuple):
    """A file of an archive. ``read`` gives its beginning, as many bytes as are asked for: what an archive says of sizes
    is not believed."""

    name: str
    read: Callable[[int], bytes]


def zip_entries(content: bytes) -> list[ZipEntry]:
    """The files of a zip archive, without folders.

    :raises FormatError: if it is none; reading an entry raises it where that cannot be unpacked."""
    if len(content) > LARGEST_ARCHIVE:
        raise FormatError(f"is larger than {LARGEST_ARCHIVE // MEGABYTE} MB")
    if content.count(b"PK\x01\x02") > MOST_HEADERS:
        raise FormatError(f"holds more than {MOST_HEADERS} files")
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error, OverflowError) as error:
        raise FormatError(str(error) or "it is damaged") from None
    return [ZipEntry(entry.filename, _unpacker(archive, entry)) for entry in archive.infolist() if not entry.is_dir()]


def _unpacker(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Callable[[int], bytes]:
    def read(most: int) -> bytes:
        name = entry.filename[:80]
        if entry.flag_bits & 1:
            raise FormatError(f"{name} is encrypted; unpack it first")
        # of any other method, zipfile unpacks all at once whatever it is asked for
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise FormatError(f"{name} is compressed in a way that isn't read here; pack it again, by deflate")
        try:
            with archive.open(entry) as file:
                return file.read(most)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, struct.error, NotImplementedError) as e:
            raise FormatError(f"{name} cannot be unpacked: {e or 'it is damaged'}") from None

    return read


def open_picture(content: bytes, formats: Sequence[str] = ("JPEG", "PNG")) -> Image.Image:
    """A picture, of which no more than its size is read yet.

    :raises FormatError: if it is none in these formats, or has too many pixels."""
    from PIL import Image, UnidentifiedImageError  # of an extra

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            opened = Image.open(io.BytesIO(content), formats=list(formats))
    except Image.DecompressionBombError:
        raise TooManyPixelsError("has too many pixels") from None
    except UnidentifiedImageError:  # which says where in memory the bytes are
        raise FormatError("isn't a picture that can be read") from None
    except Exception as error:  # decoders of pictures raise what they like on garbage
        raise FormatError(f"isn't a picture that can be read: {error}") from None
    if opened.width * opened.height > MOST_PIXELS:
        raise TooManyPixelsError(f"has {opened.width} x {opened.height} pixels, which is too many")
    return opened
