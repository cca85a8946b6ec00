"""The designer: findings, play, and uploads that can do no harm."""

import io
import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from legation.children import ChildError
from legation.variants import Registry, find_boards
from legation.web import WebSettings, create_app
from legation.web.designer import checking, uploads
from legation.web.designer.checking import EXAMPLE, play_game
from legation.web.designer.uploads import (
    LARGEST_SHAPES,
    MOST_BYTES,
    MOST_PROVINCES,
    PREFIX,
    UploadError,
    VariantUploads,
    build,
    unpack,
)
from legation.web.serving.documents import DocumentCache
from legation.web.serving.pages import PageError
from tests.interop import toy
from tests.sampling import some
from tests.web.clients import client_of


def zipped(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def own_board() -> dict[str, bytes]:
    folder = Path(str(find_boards()["hundred"]))
    return {f"mine/{file.name}": file.read_bytes() for file in folder.iterdir() if file.is_file()}


VARIANT = b"""
title = "My Hundred"
board = "mine"
rules_of = "hundred"
[[powers]]
name = "Reds"
homes = ["par"]
units = ["A par"]
[[powers]]
name = "Blues"
homes = ["lon"]
units = ["A lon"]
"""


def test_kinds_of_unit_that_a_variant_brings_are_drawn() -> None:
    cavalry = b'[[rules.further_kinds.kinds]]\ncode = "C"\nname = "cavalry"\n'
    text = VARIANT.replace(b'"mine"', b'"standard"').replace(b'"hundred"', b'"standard"').replace(b"A par", b"C par")
    made = build("x", {"x.toml": (text + cavalry).decode()})
    assert made.rules is not None and made.live is not None
    svg = made.live.atlas.svg(made.rules.opening())
    assert 'href="#u-C"' in svg and "cavalry of Reds" in svg


def test_a_board_comes_as_a_zip_and_is_drawn(site: TestClient) -> None:
    files = {"files": ("mine.zip", zipped({**own_board(), "my.toml": VARIANT}), "application/zip")}
    answer = site.post("/designer", files=files)
    assert answer.status_code == 303, answer.text
    text = site.get(answer.headers["location"]).text
    assert "My Hundred" in text and "Reds" in text
    board = re.search(r'data-board="([^"]+)"', text)
    assert board is not None and "<svg" in site.get(board[1]).text


def test_findings_name_their_places_and_shapes_of_no_end_are_not_drawn() -> None:
    made_of = files(my_toml=VARIANT.decode())
    line = next(line for line in made_of["borders.csv"].splitlines() if line.startswith("par,") or ",par," in line)
    made_of["borders.csv"] = made_of["borders.csv"].replace(line + "\n", "")
    made = build("x", made_of)
    assert made.findings and "par" in made.marked
    made_of["shapes.json"] += " " * LARGEST_SHAPES
    made = build("x", made_of)
    assert made.live is None and any("shapes.json is larger" in finding for finding in made.findings)


def test_a_faulty_variant_is_told_without_paths(site: TestClient) -> None:
    answer = site.post("/designer", data={"text": 'title = "X"\nboard = "nowhere"\n[rules.solo]\ncentres = 3\n'})
    text = site.get(answer.headers["location"]).text
    assert "centers" in text and "nowhere" in text
    assert "/tmp" not in text and "legation-designer" not in text
    assert "/sandbox/new" not in text


def test_paths_in_an_archive_are_names_only() -> None:
    found = unpack([("x.zip", zipped({"../../../etc/board.toml": b"x", "/abs/land.csv": b"y"}))])
    assert set(found) == {"board.toml", "land.csv"}


@pytest.mark.parametrize("board", some(["../../../../etc", "/etc", "..", "a/b", ""]))
def test_a_variant_reaches_no_file_outside(board: str) -> None:
    text = VARIANT.decode().replace('"mine"', f'"{board}"')
    made = build("x", files(my_toml=text))
    assert made.rules is None and made.findings


def test_nothing_stays_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    build("x", {"my.toml": EXAMPLE})
    build("y", {"board.toml": "not = toml = at all"})
    assert list(tmp_path.iterdir()) == []


def test_a_variant_of_another_system_is_imported(site: TestClient, tmp_path: Path) -> None:
    path = toy.write(tmp_path / "in", "dpjudge")
    files = {"files": ("toy.map", path.read_bytes())}
    answer = site.post("/designer", files=files, data={"text": EXAMPLE})
    assert answer.status_code == 303
    answer = site.get(answer.headers["location"])
    assert "No problems found" in answer.text
    assert "What was imported, and what was not" in answer.text
    assert "VICTORY 2: 2 centers to win" in answer.text
    assert "/tmp" not in answer.text
    assert "Play it in the sandbox" in answer.text
    archive = zipped({f"toy/{f.name}": f.read_bytes() for f in toy.write(tmp_path / "jdip", "jdip").iterdir()})
    answer = site.post("/designer", files={"files": ("toy.zip", archive)})
    answer = site.get(answer.headers["location"])
    assert "No problems found" in answer.text
    assert "redrawn from the shapes of the source" in answer.text


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("toy.map", b"<?php system('id');", "no power|no province"),
        ("variants.xml", b"<a>" * 5000, "nested|cannot be read"),
        ("toy.zip", zipped({"../variants.xml": b"<VARIANTS/>"}), "is not taken"),
        ("a.exe", b"MZ", "no variant of a known format"),
        ("info.pond", b"Pond", "info.pond: goes with an njudge map"),
        (
            "a.json",
            b'{"id": "x", "phases": [{"name": "S1901M", "state": {}}]}',
            r"a.json: is a game, not a variant \(MILA",
        ),
    ],
)
def test_what_cannot_be_imported_is_told(site: TestClient, name: str, content: bytes, told: str) -> None:
    answer = site.post("/designer", files={"files": (name, content)}, data={"text": EXAMPLE})
    assert answer.status_code == 422
    assert re.search(told, answer.text), answer.text[:3000]


LAKE = Path(__file__).parents[2] / "docs" / "examples" / "lake"
ON_THE_LAKE = """
title = "On the lake"
board = "lake"
rules_of = "standard"
[rules.solo]
centers = 3
[[powers]]
name = "North"
homes = ["nor"]
units = ["F nor"]
[[powers]]
name = "South"
homes = ["sou"]
units = ["A sou"]
"""


def test_bots_in_another_process_get_a_board_whose_upload_is_gone() -> None:
    made = build("x", {"variant.toml": ON_THE_LAKE, **{file.name: file.read_text() for file in LAKE.iterdir()}})
    assert made.registry is not None and made.rules is not None
    registry, name = Registry.with_kept(made.registry.as_it_is(made.rules.name).content(), [])
    assert registry.load(name).digest == made.rules.digest


def test_the_boards_and_rules_of_the_site_can_be_built_on(tmp_path: Path) -> None:
    shutil.copytree(LAKE, tmp_path / "lake")
    app = create_app(settings=WebSettings(bounded=False))
    app.state.variant_uploads = VariantUploads(app.state.documents, Registry(tmp_path, installed=False))
    site = client_of(app)
    assert "lake" in site.get("/designer").text
    laid = site.post("/designer", data={"text": ON_THE_LAKE})
    assert laid.status_code == 303
    name = laid.headers["location"].rpartition("/")[2]
    assert app.state.variant_uploads.uploaded(name).findings == []
    assert app.state.variant_uploads.map_of(f"bench-{name}").size[0] > 100
    game = play_game(app.state.documents.get(name)["files"], app.state.variant_uploads.folders, "seed")
    assert "nor" not in game.unreached
    assert build("x", {"variant.toml": ON_THE_LAKE}).findings  # a site without it does not know it


def test_a_whole_pack_is_uploaded_with_its_editions(site: TestClient) -> None:
    late = VARIANT.replace(b"My Hundred", b"Later")
    sound = VARIANT.replace(b'"hundred"', b'"standard"').replace(b"[[", b"[rules.solo]\ncenters = 9\n[[", 1)
    files = {**own_board(), "mine.toml": sound, "later.toml": late, "package.json": b"{}"}
    laid = site.post("/designer", files=[("files", ("mine.legation", zipped(files)))])
    assert laid.status_code == 303
    made = build("x", unpack([("mine.legation", zipped(files))]))
    assert made.rules is not None and made.rules.title == "My Hundred"
    assert made.findings and all(finding.startswith("later.toml: ") for finding in made.findings)
    assert "later.toml: " in site.get(laid.headers["location"]).text


def files(**more: str) -> dict[str, str]:
    """The files of a board of one's own, and more."""
    board = {name.rpartition("/")[2]: content.decode() for name, content in own_board().items()}
    return {**board, **{name.replace("_", ".", 1): text for name, text in more.items()}}


def broken_zip() -> bytes:
    """An archive whose content is damaged."""
    data = bytearray(zipped({"land.csv": b"abc" * 2000}))
    data[40:60] = bytes(20)
    return bytes(data)


def locked_zip() -> bytes:
    """An archive that asks for a password."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("land.csv", b"a")
    data = bytearray(made.getvalue())
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


@pytest.mark.parametrize(
    ("uploads", "told"),
    [
        ([("a.csv", b"0" * (MOST_BYTES - 10)), ("b.csv", b"0" * 20)], "more than 6 MB in all"),
        ([("x.zip", broken_zip())], "x.zip isn't a zip archive that can be read"),
        ([("x.zip", locked_zip())], "x.zip isn't a zip archive that can be read"),
        ([("x.zip", zipped({"folder/": b"", ".DS_Store": b"x", "__MACOSX/a.csv": b"x"}))], "no files were sent"),
        ([("a.exe", b"MZ")], "a.exe is not taken; a board is .toml, .csv, .md and shapes.json"),
        ([("x.zip", zipped({"rules/evil.py": b"raise SystemExit"}))], "evil.py is not taken"),
        ([("x.zip", zipped({".hidden/../../x.sh": b"#!/bin/sh"}))], ""),
        ([("x.zip", zipped({f"t{number}.csv": b"a" for number in range(60)}))], ""),
        ([("x.zip", zipped({"big.csv": b"0" * (MOST_BYTES + 1)}))], ""),
        ([("x.zip", zipped({"a/board.toml": b"", "b/board.toml": b""}))], "two files called board.toml"),
        ([("x.zip", b"PK\x03\x04 but not really")], "x.zip isn't a zip archive that can be read"),
        ([], "no files were sent"),
        ([("land.csv", b"a"), ("LAND.csv", b"b"), ("land.csv", b"c")], "two files called land.csv"),
        ([("land.csv", "\u00e9".encode("latin-1"))], "land.csv is not UTF-8"),
    ],
)
def test_an_upload_that_is_refused_says_why(uploads: list[tuple[str, bytes]], told: str) -> None:
    with pytest.raises(UploadError) as caught:
        unpack(uploads)
    assert told in str(caught.value)


def drop_shapes(board: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in board.items() if name != "shapes.json"}


def grown(board: dict[str, str]) -> dict[str, str]:
    """A land more than the picture has."""
    return {**board, "land.csv": board["land.csv"].rstrip() + "\nnew,New Land,,,,,0,,7.6 46.9,,\n"}


@pytest.mark.parametrize(
    ("made_of", "finding"),
    [
        (lambda: {"a.toml": EXAMPLE, "b.toml": "title = 3"}, "b.toml: "),
        (lambda: {"land.csv": "a"}, "there is neither a board.toml nor a variant file"),
        (lambda: drop_shapes(files()), "shapes.json is missing: grow the board's shapes"),
        (lambda: {**files(), "shapes.json": "{}"}, "shapes.json"),
        (lambda: {**files(), "shapes.json": "no JSON"}, "shapes.json"),
        (lambda: files(my_toml="title = "), "the variant file: Invalid value"),
        (lambda: {**files(), "board.toml": "= x"}, "board.toml: cannot be read"),
        (lambda: {**files(), "land.csv": "nonsense"}, "the board cannot be drawn: the lands are too small"),
        (lambda: {**files(my_toml=VARIANT.decode()), "land.csv": ""}, "no province 'als'; add it to land.csv"),
        (lambda: grown(files()), "the board cannot be drawn: the shapes lack new"),
        (lambda: grown(files(my_toml=VARIANT.decode())), "the board cannot be drawn: the shapes lack new"),
    ],
)
def test_what_is_wrong_in_an_upload_is_found(made_of: Callable[[], dict[str, str]], finding: str) -> None:
    made = build("x", made_of())
    assert any(finding in found for found in made.findings), made.findings
    assert not any("shapes.json: shapes.json: " in found for found in made.findings), "a file is named once"


def test_a_board_of_too_many_provinces_is_told_and_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_PROVINCES > 400
    monkeypatch.setattr(uploads, "MOST_PROVINCES", 5)
    made = build("x", files())
    assert made.live is None and "more than 5 provinces are not drawn here" in made.findings


def test_a_board_without_a_variant_is_drawn_and_so_is_one_with_a_faulty_variant() -> None:
    assert build("x", files()).live is not None
    made = build("x", files(my_toml=VARIANT.decode()))
    assert made.live is not None and made.rules is None
    assert made.findings == ["the variant file: rules: starting_choice: there is no power 'England'"]


@pytest.mark.parametrize("fault", [ValueError("no such place"), ZeroDivisionError("flat")])
def test_a_board_that_cannot_be_drawn_is_a_finding(monkeypatch: pytest.MonkeyPatch, fault: Exception) -> None:
    class Undrawn:
        """A map whose drawing fails."""

        def __init__(self, *_: Any) -> None:
            self.files = self

        def __getitem__(self, name: str) -> object:
            raise fault

    monkeypatch.setattr(uploads, "LiveMap", Undrawn)
    made = build("x", files(my_toml=VARIANT.decode()))
    assert made.live is None and made.registry is None
    assert any("the board cannot be drawn" in finding for finding in made.findings)


@pytest.mark.long
def test_what_cannot_be_played_yet_says_so_wherever_it_is_asked_for(tmp_path: Path) -> None:
    shop = VariantUploads(DocumentCache(1_000_000))
    faulty = PREFIX + shop.put({"my.toml": 'title = "X"\nboard = "nowhere"\n'})
    for ask, status, told in (
        (shop.registry, 422, "can’t be played yet"),
        (shop.map_of, 404, "no map yet"),
        (shop.rules, 422, "can’t be played yet"),
    ):
        with pytest.raises(PageError) as caught:
            ask(faulty)
        assert (caught.value.status_code, told in str(caught.value.detail)) == (status, True)
    with pytest.raises(PageError) as caught:
        shop.rules("hundred", {"english fleet": "in the Thames"})
    assert caught.value.status_code == 422
    names = [shop.put({"my.toml": EXAMPLE + f"# {number}\n"}) for number in range(uploads.READY + 1)]
    built = [shop.uploaded(name) for name in names]
    assert shop.uploaded(names[-1]) is built[-1], "what was built is kept"
    assert shop.uploaded(names[0]) is not built[0], "but no more of it than so much"


def test_evenness_is_measured_of_what_can_be_played_one_after_the_other(
    site: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = site.post("/designer", data={"text": 'title = "X"\nboard = "nowhere"\n'})
    at = answer.headers["location"]
    refused = site.post(f"{at}/balance")
    assert refused.status_code == 409 and "can’t be played yet" in refused.text

    at = site.post("/designer", data={"text": EXAMPLE}).headers["location"]

    def call(returns: object, function: str, *given: Any) -> Any:
        if busy:
            raise ChildError("away", "all child processes are busy")
        return getattr(checking, function.partition(":")[2])(*given)

    monkeypatch.setattr(checking.PLAYERS, "call", call)
    monkeypatch.setattr(checking, "GAMES", 1)
    monkeypatch.setattr(checking, "TURNS", 3)
    busy = True
    refused = site.post(f"{at}/balance")
    assert refused.status_code == 503 and "Try again in a minute" in refused.text
    busy = False
    measured = site.post(f"{at}/balance")
    assert measured.status_code == 200 and measured.text.count("in every seat") >= 2
