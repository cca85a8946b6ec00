"""A board begun from an SVG: its provinces, what is water, names, the coast; and files that are none."""

import json
from typing import Any

import pytest

pytest.importorskip("shapely", reason="drawing needs the extra authoring")

from legation.atlas.table.answering import answer
from legation.interop.sources import ForeignFileError
from legation.interop.tracing import is_blue, trace_svg

SVG = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape">
<style>.deep {{ stroke: #123; fill: #B5DEF8 }}</style>
<g id="provinces">
  <rect id="norland" inkscape:label="Nor Land" x="0" y="0" width="100" height="60" fill="#eecc99"/>
  <rect id="sou" x="0" y="140" width="100" height="60" style="stroke:red;fill:#ec9"><title>South Shore</title></rect>
  <rect id="east" x="100" y="140" width="100" height="60" fill="tan"/>
  <g fill="lightblue"><rect id="mid-sea" x="0" y="60" width="100" height="80"/></g>
  <rect id="_gulf" class="deep" x="100" y="0" width="100" height="140"/>
  {more}
</g></svg>"""


def document_of(text: str, seas: list[str] | None = None) -> dict[str, Any]:
    document: dict[str, Any] = trace_svg(text, seas)["document"]
    return document


def test_the_provinces_of_an_svg_become_a_board() -> None:
    document = document_of(SVG.format(more='<path id="edge" d="M300 0"/><rect x="0" y="0" width="9" height="9"/>'))
    board = document["board"]
    names = {"norland": "Nor Land", "sou": "South Shore", "east": "East"}
    assert [(row["id"], row["name"]) for row in board["land"]] == list(names.items())
    assert {row.get("coasts") for row in board["land"]} == {"single"}
    assert [(row["id"], row["name"]) for row in board["sea"]] == [("midsea", "Mid-Sea"), ("gulf", "Gulf")]
    assert "5 provinces, 2 of them water" in document["notes"]
    coast = json.loads(document["files"]["land.geojson"])["coordinates"]
    north = max(y for polygon in coast for _, y in polygon[0])
    assert north == pytest.approx(board["frame"]["north"], abs=5)  # y runs to the north
    grown = answer(document, "coarse")
    borders = {(b["a"], b["b"]): (b["army"], b["fleet"]) for b in grown["borders"]}
    assert borders == {
        ("east", "gulf"): (False, True),
        ("east", "sou"): (True, False),
        ("gulf", "midsea"): (False, True),
        ("gulf", "norland"): (False, True),
        ("midsea", "norland"): (False, True),
        ("midsea", "sou"): (False, True),
    }


def test_a_lake_that_is_no_province_is_no_far_sea() -> None:
    ring = '<path id="ring" fill="tan" fill-rule="evenodd" d="M200 0 h200 v200 h-200 z M260 60 v80 h80 v-80 z"/>'
    document = document_of(SVG.format(more=ring))
    (lake,) = document["board"]["void"]
    assert lake["kind"] == "water"
    grown = answer(document, "coarse")
    pairs = [{b["a"], b["b"]} for b in grown["borders"]]
    assert sorted(name for pair in pairs if "ring" in pair for name in pair - {"ring"}) == ["east", "gulf"]
    assert not [finding for finding in grown["findings"] if "ring" in finding["text"]], grown["findings"]


def test_where_color_tells_no_sea_the_shapes_are_shown_to_choose_from() -> None:
    gray = SVG.replace("#B5DEF8", "#aaa").replace("lightblue", "#bbb").format(more="")
    asked = trace_svg(gray)
    assert asked.keys() == {"unclear"}
    places = {place["key"]: place for place in asked["unclear"]["places"]}
    assert [place["name"] for place in places.values()] == ["Nor Land", "South Shore", "East", "Mid-Sea", "Gulf"]
    assert places["gulf"]["fill"] == "#aaa" and places["gulf"]["path"].count("L") == 4
    chosen, plain = document_of(gray, ["gulf", "mid-sea", "nowhere"]), document_of(SVG.format(more=""))
    assert "2 of them water by choice" in chosen["notes"]
    assert chosen["board"] == plain["board"] and chosen["files"] == plain["files"]
    assert document_of(gray, [])["board"].get("sea") == []


def test_places_with_like_ids_are_told_apart() -> None:
    more = "".join(f'<rect id="province-{n}" x="{300 + 50 * n}" y="0" width="50" height="50"/>' for n in range(4))
    board = document_of(SVG.format(more=more))["board"]
    ids = [row["id"] for row in board["land"] + board["sea"]]
    assert len(set(ids)) == len(ids) == 9 and all(2 <= len(one) <= 8 for one in ids)


@pytest.mark.parametrize(
    "text, told",
    [
        ("", "XML"),
        ("<html/>", "isn't an SVG"),
        ("<svg><path d='M0 0L1 1L1 0Z'/></svg>", "an id"),
        (SVG.format(more="".join(f'<rect id="x{n}" x="{n}" width="1" height="1"/>' for n in range(401))), "400"),
        ('<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg id="&a;"/>', ""),
        (SVG.format(more='<path id="far" d="M1e308 1e308L-1e308 5L3 1e308Z"/>').replace("rect", "use"), "an id"),
    ],
)
def test_what_is_no_map_is_refused_in_a_sentence(text: str, told: str) -> None:
    with pytest.raises(ForeignFileError) as refused:
        trace_svg(text)
    assert told in str(refused.value) and "root:" not in str(refused.value)


@pytest.mark.parametrize(
    "color, blue",
    [("#00f", True), ("#B5DEF8", True), ("rgb(190, 216, 230)", True), ("LightBlue", True), ("#F7DB94", False),
     ("#fff", False), ("none", False), ("url(#water)", False), ("", False)],
)  # fmt: skip
def test_water_is_blue(color: str, blue: bool) -> None:
    assert is_blue(color) is blue
