"""Files from outside are read within bounds, by one reader for all entrances."""

import gzip
import io
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from legation import formats
from legation.board import BoardFileError, read_board
from legation.formats import (
    LARGEST_TEXT,
    LONGEST_KEY,
    FormatError,
    decode_json,
    open_picture,
    read_csv,
    read_rows,
    read_toml,
    zip_entries,
)
from legation.game.json_text import decode
from legation.game.reading_documents import DocumentError
from legation.interop.sources import ForeignFileError, open_source
from legation.variants import VariantError, load_file
from legation.variants.packages import PackageError, read_package
from legation.web.designer.uploads import UploadError, unpack
from tests.cli.test_commands import run

DOTS = ".".join(["a"] * 40_000) + " = 1\n"


@pytest.mark.parametrize(
    "text", [DOTS, f"[{DOTS[:-5]}]", '"a" . ' * 100 + "a = 1", f'# """\n{DOTS}', f"b = '''x'''\n{DOTS}"]
)
def test_a_key_of_many_dots_is_refused_before_it_is_read(text: str) -> None:
    """One of 40,000 took 25 s and 9.4 GB."""
    with pytest.raises(FormatError, match=f"a key of more than {LONGEST_KEY} parts"):
        read_toml(text)


def test_dots_in_texts_numbers_and_comments_are_no_key() -> None:
    dots = "a." * 500
    numbers = ", ".join(["1.5"] * 500)
    text = (
        f'# {dots}\na.b = \'{dots}\'\nc = """\n\\"""{dots}"""\nd = \'\'\'{dots}\'\'\'\ne = [{numbers}]\nf = "\\"{dots}"'
    )
    assert read_toml(text)["a"] == {"b": dots}


@pytest.mark.parametrize(
    "text", ["a = " + "[" * 100_000, "a = " + "9" * 5000, "a = 1\na = 2", "#" * (LARGEST_TEXT + 1)]
)
def test_toml_that_is_too_much_or_none_is_told(text: str) -> None:
    with pytest.raises(FormatError):
        read_toml(text)


def test_every_entrance_for_toml_has_the_bound(tmp_path: Path) -> None:
    file = tmp_path / "dots.toml"
    file.write_text(DOTS)
    with pytest.raises(VariantError, match=r"dots\.toml: has a key of more than"):
        load_file(file)
    (tmp_path / "board.toml").write_text(DOTS)
    with pytest.raises(BoardFileError, match=r"board\.toml: cannot be read: has a key of more than"):
        read_board(tmp_path)
    assert "has a key of more than" in run("rules", str(file)).stderr


@pytest.mark.parametrize("text", ["[" * 100_000, '{"x": ' + "[" * 100_000, b'{"\xff": 1}', "9" * 10_000, ""])
def test_json_raises_one_error(text: str | bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_json(text)


def test_a_key_that_is_there_twice_among_many_is_found_quickly() -> None:
    keys = ", ".join(f'"k{number}": 1' for number in range(200_000))
    with pytest.raises(DocumentError, match="'k199999' is in one object twice"):
        decode(f'{{{keys}, "k199999": 2}}'.encode())


def test_tables_are_read_with_their_lines() -> None:
    assert list(read_csv('a,b\n"1\n2",3\n\n4\n')) == [(1, ["a", "b"]), (2, ["1\n2", "3"]), (4, []), (5, ["4"])]
    assert list(read_rows("a,b\n1\n\n2,3\n")) == [{"a": "1", "b": ""}, {"a": "2", "b": "3"}]
    with pytest.raises(FormatError, match=r"^2: cannot be read"):
        list(read_csv('a\n"b'))
    with pytest.raises(FormatError, match="field larger"):
        list(read_csv("a" * 200_000))


def _zip(method: int = zipfile.ZIP_DEFLATED, content: bytes = b"a = 1\n" * 1000) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        archive.writestr("sand.toml", content)
    return made.getvalue()


def _spoiled(data: bytes, at: int, by: bytes = b"\xff" * 8) -> bytes:
    return data[:at] + by + data[at + len(by) :]


DAMAGED = {
    "bzip2": _zip(zipfile.ZIP_BZIP2),
    "lzma": _zip(zipfile.ZIP_LZMA),
    "corrupt bzip2": _spoiled(_zip(zipfile.ZIP_BZIP2), 45),
    "corrupt lzma": _spoiled(_zip(zipfile.ZIP_LZMA), 45),
    "corrupt deflate": _spoiled(_zip(), 45),
    "cut off": _zip()[:-30],
    "no directory": b"PK\x03\x04" + b"\0" * 100,
    "encrypted": _spoiled(_spoiled(_zip(), 6, b"\x01"), _zip().rindex(b"PK\x01\x02") + 8, b"\x01"),
    "many": b"PK\x03\x04" + b"PK\x01\x02" * 20_001,
}


@pytest.mark.parametrize("name", DAMAGED)
def test_an_archive_that_cannot_be_unpacked_is_refused_in_one_line_everywhere(name: str, tmp_path: Path) -> None:
    """Damaged LZMA was a traceback, damaged bzip2 "None: None"; and zipfile unpacks these two as a whole, whatever part
    is asked for."""

    def read_all(content: bytes) -> None:
        for entry in zip_entries(content):
            entry.read(100_000)

    def bring(content: bytes) -> None:
        (tmp_path / "x.zip").write_bytes(content)
        open_source(tmp_path / "x.zip").bytes("sand.toml")

    ways: list[tuple[Callable[[bytes], object], type[ValueError]]] = [
        (read_all, FormatError),
        (read_package, PackageError),
        (lambda content: unpack([("x.zip", content)]), UploadError),
        (bring, ForeignFileError),
    ]
    for read, refusal in ways:
        with pytest.raises(refusal) as caught:
            read(DAMAGED[name])
        assert "None" not in str(caught.value) and "\n" not in str(caught.value)


def test_an_archive_is_unpacked_as_far_as_it_is_asked_for() -> None:
    (entry,) = zip_entries(_zip(content=b"\0" * 50_000_000))
    assert entry.name == "sand.toml" and entry.read(10) == b"\0" * 10


def test_what_is_kept_of_an_archive_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        for number in range(9):
            archive.writestr(f"{number}.txt", "x" * 400)
    source = open_source(tmp_path / "x.zip")
    monkeypatch.setattr("legation.interop.sources.KEPT", 1000)
    assert sum(len(source.head(name)) for name in source.names) == 3600
    assert sum(map(len, source._kept.values())) <= 1400


def test_a_picture_is_one_of_few_kinds() -> None:
    for content in (b"", b"GIF89a" + b"\0" * 50, b"\x89PNG\r\n\x1a\n" + b"\0" * 30):
        with pytest.raises(FormatError, match=r"^isn't a picture that can be read$"):
            open_picture(content)


def test_a_line_of_a_packed_file_is_bounded_and_a_damaged_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A megabyte of xz is gigabytes of one line, which was unpacked whole."""
    monkeypatch.setattr(formats, "LARGEST_JSON", 1000)
    for name, packed in (("a.gz", gzip.compress), ("a.xz", lzma.compress)):
        path = tmp_path / name
        path.write_bytes(packed(b"[1]\n" * 2000))
        assert len(list(formats.packed_lines(path))) == 2000
        path.write_bytes(packed(b"[1]\n" + b" " * 2000))
        with pytest.raises(FormatError, match="more than"):
            list(formats.packed_lines(path))
        path.write_bytes(packed(bytes(range(256)) * 9)[:-20])
        with pytest.raises(FormatError, match="damaged"):
            list(formats.packed_lines(path))
