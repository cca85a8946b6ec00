"""A board of the drawing table in a second office: what its pack holds is what the commands make, and it is played."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

pytest.importorskip("shapely")

from legation.atlas.grow.__main__ import main as grow
from legation.office.context import Actor
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.operation import work
from legation.variants.packages import install, read_package
from legation.web import WebSettings, create_app
from tests.office.playing import begin, send_all

LAKE = Path(__file__).parents[2] / "docs" / "examples" / "lake"
HEADERS = {"origin": "http://testserver", "sec-fetch-site": "same-origin", "accept": "application/json"}
GROWN = ("shapes.json", "layout.json", "borders.csv")


@pytest.fixture(scope="module")
def pack() -> bytes:
    """The example of ``docs/drawing-boards.md``, opened at a table from its hand-written files, given two powers, an
    edition and a name in another language, and packed."""
    site = TestClient(create_app(settings=WebSettings(bounded=False)))
    files = [("files", (file.name, file.read_bytes())) for file in LAKE.iterdir() if file.name not in GROWN]
    document: dict[str, Any] = site.post("/table/open", files=files, headers=HEADERS).json()["document"]
    assert document["borders"] == "picture"
    north = {"name": "North", "adjective": "Northern", "homes": ["nor"], "units": ["F nor"]}
    south = {"name": "South", "adjective": "Southern", "homes": ["sou"], "units": ["A sou"]}
    facts = {"title": "The lake", "rules_of": "standard", "rules": {"solo": {"centers": 3}}, "powers": [north, south]}
    document["variant"] = facts
    late = {"first": "Fall 1905 Movement", "cycle": ["Spring Movement", "Fall Movement", "Winter Adjustments"]}
    rules = {"solo": {"centers": 3}, "calendar": late}
    document["editions"] = {"lake-late": {**facts, "title": "The late lake", "rules": rules}}
    document["board"]["names"] = [{"id": "nor", "language": "de", "name": "Nordland"}]
    answer = site.post("/table/pack", json={"document": document, "tag": {"version": "1.2"}}, headers=HEADERS)
    assert answer.status_code == 200, answer.text
    again = site.post("/table/pack", json={"document": document, "tag": {"version": "1.2"}}, headers=HEADERS)
    assert again.content == answer.content
    return answer.content


@pytest.mark.long
def test_what_is_in_the_pack_is_what_the_commands_make_byte_for_byte(pack: bytes, tmp_path: Path) -> None:
    install(read_package(pack), tmp_path)
    board = tmp_path / "lake"
    packed = {file.name: file.read_bytes() for file in board.iterdir()}
    for name in GROWN:
        board.joinpath(name).unlink()
    assert grow([str(board), "--borders"]) == 0
    assert {file.name: file.read_bytes() for file in board.iterdir()} == packed
    shipped = {name: LAKE.joinpath(name).read_bytes() for name in GROWN}
    assert {name: packed[name] for name in GROWN} == shipped  # the example as the manual's commands made it


@pytest.mark.long
def test_it_is_played_in_a_second_office_in_both_editions(
    pack: bytes, tmp_path: Path, make_office: Callable[..., Office]
) -> None:
    assert set(install(read_package(pack), tmp_path / "variants")) == {"lake", "lake-late"}
    office = make_office(variants=str(tmp_path / "variants"))
    for variant, first in (("lake", "Spring 1901 Movement"), ("lake-late", "Fall 1905 Movement")):
        record, actors, _ = begin(office, variant, name=f"Game of {variant}", folk=variant)
        assert record.turn is not None and record.turn.name == first
        send_all(office, record, actors, 1)
        work.run_due(office)
        assert len(games.turns(office, Actor.console(), record.key)) >= 1
    rules = office.variants.load("lake")
    assert rules.reader.location("Nordland") == "nor" and rules.board.translations["de"]["nor"] == "Nordland"
