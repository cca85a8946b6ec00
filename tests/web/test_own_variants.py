"""An office with a folder of variants of its own: every page knows them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from legation.office.context import Actor
from legation.office.hosting import games
from legation.office.office import Office
from tests.office.playing import person
from tests.web.clients import new_game
from tests.web.test_players import as_person

DATA = Path(__file__).parents[2] / "src" / "legation" / "variants" / "data"


def test_pages_know_the_variants_of_the_office(make_office: Callable[..., Office], tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    text = (DATA / "hundred.toml").read_text(encoding="utf-8")
    text = text.replace('name = "hundred"\n', "").replace('title = "Hundred"', 'title = "Hundred at Home"')
    (folder / "athome.toml").write_text(text, encoding="utf-8")
    office = make_office(variants=str(folder))
    ann = person(office, "Ann")
    site = as_person(office, ann)
    for at in ("/variants", "/rules", "/games/new", "/demo", "/sandbox/start"):
        assert "athome" in site.get(at).text, at
    at = "/variants/athome"
    for part in ("", "/rules", "/moves?place=paris", "/balance", "/print", "/map.svg", "/moves.html"):
        assert site.get(at + part).status_code == 200, part
    assert site.get(f"{at}/print/board-A4.pdf").content.startswith(b"%PDF")
    assert 'value="athome" selected' in site.get("/games/new?variant=athome").text
    made = site.post("/games/new", data=new_game("Home Game", "athome"))
    assert made.status_code == 303, made.text
    assert games.game(office, Actor.console(), "home-game").variant == "athome"
