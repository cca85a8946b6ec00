"""The designer: findings, play, and uploads that can do no harm."""

from __future__ import annotations

import io
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from legation.variants import Registry, board_folder
from legation.web import WebSettings, create_app
from legation.web.designer.checking import EXAMPLE
from legation.web.designer.trials import play_game
from legation.web.designer.uploads import LARGEST_SHAPES, VariantUploads, build, unpack
from tests.interop import toy
from tests.sampling import some
from tests.web.clients import OURS


def zipped(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def own_board() -> dict[str, bytes]:
    folder = Path(str(board_folder("hundred")))
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
    answer = site.post("/designer", files=files, headers=OURS)
    assert answer.status_code == 303, answer.text
    text = site.get(answer.headers["location"]).text
    assert "My Hundred" in text and "Reds" in text
    board = re.search(r'data-board="([^"]+)"', text)
    assert board is not None and "<svg" in site.get(board[1]).text


def test_findings_name_their_places_and_shapes_of_no_end_are_not_drawn() -> None:
    files = {name.rpartition("/")[2]: content.decode() for name, content in own_board().items()}
    line = next(line for line in files["borders.csv"].splitlines() if line.startswith("par,") or ",par," in line)
    files["borders.csv"] = files["borders.csv"].replace(line + "\n", "")
    files["my.toml"] = VARIANT.decode()
    made = build("x", files)
    assert made.findings and "par" in made.marked
    files["shapes.json"] += " " * LARGEST_SHAPES
    made = build("x", files)
    assert made.live is None and any("shapes.json is larger" in finding for finding in made.findings)


def test_a_faulty_variant_is_told_without_paths(site: TestClient) -> None:
    answer = site.post(
        "/designer", data={"text": 'title = "X"\nboard = "nowhere"\n[rules.solo]\ncentres = 3\n'}, headers=OURS
    )
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
    files = {name.rpartition("/")[2]: content.decode() for name, content in own_board().items()}
    made = build("x", {**files, "my.toml": text})
    assert made.rules is None and made.findings


def test_nothing_stays_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    build("x", {"my.toml": EXAMPLE})
    build("y", {"board.toml": "not = toml = at all"})
    assert list(tmp_path.iterdir()) == []


def test_a_variant_of_another_system_is_imported(site: TestClient, tmp_path: Path) -> None:
    path = toy.write(tmp_path / "in", "dpjudge")
    files = {"files": ("toy.map", path.read_bytes())}
    answer = site.post("/designer", files=files, data={"text": EXAMPLE}, headers=OURS)
    assert answer.status_code == 303
    answer = site.get(answer.headers["location"])
    assert "No problems found" in answer.text
    assert "What was imported, and what was not" in answer.text
    assert "VICTORY 2: 2 centers to win" in answer.text
    assert "/tmp" not in answer.text
    assert "Play it in the sandbox" in answer.text
    archive = zipped({f"toy/{f.name}": f.read_bytes() for f in toy.write(tmp_path / "jdip", "jdip").iterdir()})
    answer = site.post("/designer", files={"files": ("toy.zip", archive)}, headers=OURS)
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
    answer = site.post("/designer", files={"files": (name, content)}, data={"text": EXAMPLE}, headers=OURS)
    assert answer.status_code == 422
    assert re.search(told, answer.text), answer.text[:3000]


def test_the_boards_and_rules_of_the_site_can_be_built_on(tmp_path: Path) -> None:
    shutil.copytree(Path(__file__).parents[2] / "docs" / "examples" / "lake", tmp_path / "lake")
    powers = '[[powers]]\nname = "North"\nhomes = ["nor"]\nunits = ["F nor"]\n'
    powers += '[[powers]]\nname = "South"\nhomes = ["sou"]\nunits = ["A sou"]\n'
    text = f'title = "On the lake"\nboard = "lake"\nrules_of = "standard"\n[rules.solo]\ncenters = 3\n{powers}'
    app = create_app(settings=WebSettings(bounded=False))
    app.state.variant_uploads = VariantUploads(app.state.documents, Registry(tmp_path, installed=False))
    site = TestClient(app, follow_redirects=False)
    assert "lake" in site.get("/designer").text
    laid = site.post("/designer", data={"text": text}, headers=OURS)
    assert laid.status_code == 303
    name = laid.headers["location"].rpartition("/")[2]
    assert app.state.variant_uploads.uploaded(name).findings == []
    assert app.state.variant_uploads.map_of(f"bench-{name}").size[0] > 100
    game = play_game(app.state.documents.get(name)["files"], "seed", app.state.variant_uploads.folders)
    assert "nor" not in game.unreached
    assert build("x", {"variant.toml": text}).findings  # a site without it does not know it


def test_a_whole_pack_is_uploaded_with_its_editions(site: TestClient) -> None:
    late = VARIANT.replace(b"My Hundred", b"Later")
    sound = VARIANT.replace(b'"hundred"', b'"standard"').replace(b"[[", b"[rules.solo]\ncenters = 9\n[[", 1)
    files = {**own_board(), "mine.toml": sound, "later.toml": late, "package.json": b"{}"}
    laid = site.post("/designer", files=[("files", ("mine.legation", zipped(files)))], headers=OURS)
    assert laid.status_code == 303
    made = build("x", unpack([("mine.legation", zipped(files))]))
    assert made.rules is not None and made.rules.title == "My Hundred"
    assert made.findings and all(finding.startswith("later.toml: ") for finding in made.findings)
    assert "later.toml: " in site.get(laid.headers["location"]).text


def test_its_other_address_leads_to_the_designer(site: TestClient) -> None:
    answer = site.post("/bench", data={"text": EXAMPLE}, headers=OURS)
    assert (answer.status_code, answer.headers["location"]) == (308, "/designer")
    assert site.get("/bench/some-name").headers["location"] == "/designer/some-name"
