"""The calls of the drawing table: growing with limits, files and back, starts; and what strangers may try: every call,
with too much, too deep, too often, other people's names, paths out of the folder, and text that would be a program
elsewhere."""

import gzip
import html
import io
import json
import os
import re
import subprocess
import sys
import zipfile
from typing import Any

import brotli
import pytest
from starlette.testclient import TestClient

pytest.importorskip("shapely", reason="drawing needs the extra authoring")

from legation.children import ChildError, Children
from legation.web import WebSettings, create_app
from legation.web.designer import checking, table
from legation.web.designer.table import LARGEST
from tests.atlas.test_table import lake

HEADERS = {"origin": "http://testserver", "sec-fetch-site": "same-origin", "accept": "application/json"}


POWERS = [{"name": "North", "homes": ["nor"], "units": ["F nor"]}, {"name": "South", "homes": ["sou"], "units": []}]


def playable(**changed: Any) -> dict[str, Any]:
    """A document that can be played."""
    variant = {"title": "L", "rules_of": "standard", "rules": {"solo": {"centers": 3}}, "powers": POWERS}
    return {**lake(), "variant": variant | changed}


def post(site: TestClient, call: str, body: object, status: int = 200) -> Any:
    answer = site.post(f"/table/{call}", json=body, headers=HEADERS)
    assert answer.status_code == status, answer.text[:300]
    return answer.json()


def test_a_board_is_grown_and_its_coast_is_sent_once(site: TestClient) -> None:
    document = lake()
    first = post(site, "grow", {"document": document, "number": 7})
    assert (first["number"], first["stage"]) == (7, "coarse") and len(first["provinces"]) == 10
    del document["files"]
    again = post(site, "grow", {"document": document, "kept": first["kept"], "stage": "full"})
    assert again["findings"] == [] and again["files"]["borders.csv"].startswith("a,b,army,fleet\nest,low,0,1\n")
    gone = post(site, "grow", {"document": document, "kept": {"land.geojson": "0" * 64}}, 409)
    assert gone["missing"] == ["land.geojson"]


@pytest.mark.parametrize(
    ("takes", "encoding"), [("gzip, deflate, br", "br"), ("gzip, deflate", "gzip"), ("identity", None)]
)
def test_a_grown_board_comes_as_its_browser_takes_it(site: TestClient, takes: str, encoding: str | None) -> None:
    headers = {**HEADERS, "accept-encoding": takes}
    with site.stream("POST", "/table/grow", json={"document": lake()}, headers=headers) as answer:
        raw = b"".join(answer.iter_raw())
    assert (answer.headers.get("content-encoding"), int(answer.headers["content-length"])) == (encoding, len(raw))
    plain = brotli.decompress(raw) if encoding == "br" else gzip.decompress(raw) if encoding else raw
    assert len(json.loads(plain)["provinces"]) == 10 and (encoding is None or len(raw) < len(plain) / 2)
    assert encoding is None or answer.headers["vary"].lower() == "accept-encoding"


def test_a_document_is_files_and_comes_back_packed_or_not(site: TestClient) -> None:
    document = lake()
    files = post(site, "files", {"document": document})["files"]
    assert files["links.csv"].startswith("a,b,kind,change,reason,draw\nwes,gre,army,add,the causeway,bridge\n")
    assert post(site, "read", {"files": files})["document"] == document
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"lake/{name}", text)
    answer = site.post("/table/open", files=[("files", ("lake.zip", made.getvalue()))], headers=HEADERS)
    assert answer.json() == {"document": document, "findings": []}


def test_everything_that_a_board_starts_from(site: TestClient) -> None:
    told = site.get("/table/starts").json()
    assert {"standard", "hundred"} <= {variant["name"] for variant in told["variants"]}
    assert site.get(told["variants"][0]["thumb"]).headers["content-type"] == "image/webp"
    template = next(one for one in told["templates"] if one["name"] == "free-city")
    german = site.get("/table/starts", headers={"accept-language": "de"}).json()
    assert (german["templates"][0]["title"], german["variants"][0]["summary"][:6]) == ("Die freie Stadt", "Sieben")
    picture = site.get(template["thumb_dark"])
    assert picture.headers["content-type"] == "image/webp" and "immutable" in picture.headers["cache-control"]
    for wrong_picture in ("thumb-dark.svg", "board.svg", "../../x"):
        assert site.get(template["thumb"].replace("thumb-light.webp", wrong_picture)).status_code == 404
    assert site.get("/table/templates/..%2Fnone/0/thumb-light.webp").status_code == 404
    assert post(site, "start", {"template": "free-city"})["document"]["borders"] == "picture"
    region = post(site, "start", {"region": {"west": 170, "south": -25, "east": -175, "north": -10}})["document"]
    assert region["board"]["projection"]["kind"] == "laea"
    assert post(site, "start", {"plane": {"width": 500, "height": 400}})["document"]["board"]["frame"]["east"] == 500
    copy = post(site, "start", {"variant": "standard"})["document"]
    assert copy["borders"] == "stated" and copy["variant"]["powers"][0]["name"] == "Austria"
    assert "M" in site.get("/table/coast").json()["path"]
    for wrong in (
        {},
        {"plane": {}, "variant": "standard"},
        {"variant": "../x"},
        {"template": "no"},
        {"plane": {"width": -1}},
        {"svg": "<svg/>"},
        {"svg": "<svg>" * 1000},
    ):
        assert post(site, "start", wrong, 422)["error"]


def test_a_document_is_tried_in_the_sandbox(site: TestClient) -> None:
    document = playable()
    tried = post(site, "try", {"document": document})
    at = site.get(tried["links"]["sandbox"])
    assert at.status_code == 303
    assert "North" in site.get(at.headers["location"]).text
    assert site.get(tried["links"]["designer"]).status_code == 200


def test_a_reader_asks_for_names_in_a_language(site: TestClient) -> None:
    document = playable()
    document["board"]["names"] = [{"id": "nor", "language": "de", "name": "Nordland"}]
    at = site.get(post(site, "try", {"document": document})["links"]["sandbox"]).headers["location"]

    def board_of(page: str) -> str:
        address = re.search('data-board="([^"]*)"', page)
        assert address is not None
        return site.get(html.unescape(address[1])).text

    page = site.get(at).text
    assert ">Deutsch</button>" in page and "Norland" in board_of(page)
    answer = site.post("/theme", data={"names": "de"}, headers={**HEADERS, "referer": f"http://testserver{at}"})
    assert answer.headers["location"] == at
    page = site.get(at).text
    assert "Nordland" in board_of(page) and "?names=de" in page
    german = {**HEADERS, "accept-language": "de"}
    site.post("/theme", data={"names": "own"}, headers=HEADERS)
    assert "Norland" in board_of(site.get(at, headers=german).text), "as the reader chose"
    site.cookies.clear()
    assert "Nordland" in board_of(site.get(at, headers=german).text), "names are usually in the language of the pages"
    for wrong in ("<b>", "de" * 30):
        assert site.post("/theme", data={"names": wrong}, headers=HEADERS).status_code == 422
    site.cookies.set("names", '"><script>')
    assert "<script>" not in site.get(at).text.partition("<main")[0].partition("</head>")[2]
    site.cookies.clear()


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ChildError("away", "all are busy"), 503),
        (ChildError("time", "it takes too long"), 422),
        (ChildError("memory", "it takes too much memory"), 422),
        (ChildError("failed", "a secret of the machine", "KeyError"), 422),
    ],
)
def test_what_takes_too_much_is_told(
    site: TestClient, monkeypatch: pytest.MonkeyPatch, error: ChildError, status: int
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(Children, "call", fail)
    told = post(site, "grow", {"document": lake()}, status)
    assert told["mend"] and "secret" not in told["error"]


@pytest.mark.long
def test_a_hostile_board_is_given_up_and_the_next_is_grown(site: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    document = lake()
    document["files"]["land.geojson"] = json.dumps({"type": "Polygon", "coordinates": [[[0, 0]] * 50_000]})
    told = post(site, "grow", {"document": document})
    assert told["findings"]
    points = "; ".join(f"{9 + i % 97 / 60:.4f} {49.5 + i / 3000:.4f}" for i in range(1000))
    document = lake()
    document["board"]["land"] = [{"id": f"p{n}", "name": f"P{n}", "points": points} for n in range(100)]
    with monkeypatch.context() as patched:
        patched.setattr(table.COARSE, "seconds", 1)
        assert post(site, "grow", {"document": document}, 422)["error"].startswith("Growing this board takes too much")
    assert len(post(site, "grow", {"document": lake()})["provinces"]) == 10


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system knows no cores of a process")
@pytest.mark.parametrize("pool", [table.COARSE, table.WHOLE], ids=["coarse", "whole"])
def test_tables_leave_a_core_to_the_pages(pool: Children) -> None:
    cores = sorted(os.sched_getaffinity(0))
    assert sorted(pool.call(set[int], "os:sched_getaffinity", 0)) == (cores[1:] or cores)


@pytest.mark.long
def test_the_site_starts_without_the_geometry_libraries_and_says_what_is_missing() -> None:
    program = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numpy", "shapely"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
from legation.web import WebSettings, create_app
app = create_app(settings=WebSettings(bounded=False))
import legation.web.designer.table as table
table.find_spec = lambda name: None
from starlette.testclient import TestClient
site = TestClient(app)
answer = site.get("/table")
assert answer.status_code == 501 and "geometry libraries" in answer.text and "/designer" in answer.text, answer.text
assert site.get("/designer").status_code == 200
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]


# What strangers may try

CALLS = ("grow", "files", "read", "start", "rulebook", "pack", "try", "balance")
SCRIPT = "<script>alert(1)</script>"


def ask(site: TestClient, call: str, body: object) -> Any:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return site.post(f"/table/{call}", content=content, headers={**HEADERS, "content-type": "application/json"})


@pytest.mark.parametrize("call", CALLS)
def test_what_is_no_request_is_refused_before_any_work(site: TestClient, call: str) -> None:
    for body in (b"", b"{", b"[" * 100_000, b'{"document":' * 5_000, b"\xff\xfe", b"null", b"5"):
        answer = ask(site, call, body)
        assert answer.status_code == 422 and answer.json()["error"], body[:20]
        assert "Traceback" not in answer.text and "/src/" not in answer.text
    assert ask(site, call, b" " * (LARGEST + 1)).status_code == 413
    assert call != "grow" or ask(site, call, {"document": {}, "stage": "all"}).status_code == 422
    foreign = {**HEADERS, "origin": "https://elsewhere.example", "sec-fetch-site": "cross-site"}
    assert site.post(f"/table/{call}", content=b"{}", headers=foreign).status_code == 403


@pytest.mark.parametrize("call", ["files", "rulebook", "pack", "try", "grow"])
def test_a_document_that_is_none_or_leads_out_of_its_folder_is_refused(site: TestClient, call: str) -> None:
    deep: Any = "end"
    for _ in range(60):
        deep = {"a": deep}
    for document in (
        {**playable(), "editions": {"../../up": {"title": "x"}}},
        {**playable(), "files": {"../../../tmp/x.json": "{}"}},
        {**playable(), "files": {"rules.py": "import os"}},
        {**playable(), "board": {"land": 5}},
        {**playable(), "editions": {"board": {}}},
        {**playable(), "editions": {"lake": {}}},
        *([] if call == "grow" else [playable(rules={"solo": deep})]),  # a coarse growth reads no variant
        {**playable(), "board": {**lake()["board"], "land": [{"id": "x" * 30_000}]}},
    ):
        answer = ask(site, call, {"document": document})
        assert answer.status_code == 422 and answer.json()["error"], json.dumps(document)[:80]
    assert "are sent as text" in ask(site, "grow", {"document": {"files": 5}}).json()["error"]


def test_the_name_of_a_board_is_no_path(site: TestClient) -> None:
    for name in ("../../../etc/passwd", 'x"; filename="y\r\nset-cookie: a=b'):
        document = playable()
        document["board"]["name"] = name
        packed = ask(site, "pack", {"document": document})
        assert packed.status_code == 200, packed.text
        assert packed.headers["content-disposition"] == 'attachment; filename="my-board.legation"'
        assert "set-cookie" not in packed.headers
        with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
            inside = archive.namelist()
        assert all(".." not in path and not path.startswith("/") for path in inside)
        assert {"my-board.toml", "my-board/board.toml", "package.json"} <= set(inside)


def test_a_tag_that_is_none_is_told(site: TestClient) -> None:
    for tag in ({"version": "1.0; rm"}, {"version": "x" * 400}, {"license": "y" * 400}, {"version": "1.0\r\nx: y"}):
        assert ask(site, "pack", {"document": playable(), "tag": tag}).status_code == 422, tag


@pytest.mark.parametrize(
    "changed",
    [
        {"rules_of": "../../../etc/passwd"},
        {"extends": "/etc/passwd"},
        {"rules": {"../../x": {}}},
        {"rules": {"solo": {"centers": "__import__('os')"}}},
        {"rules": {"calendar": {"first": "Spring 1901 Movement", "cycle": ["Spring Movement"] * 50_000}}},
    ],
)
def test_a_rulebook_reads_no_file_and_tells_what_is_wrong(site: TestClient, changed: dict[str, Any]) -> None:
    answer = ask(site, "rulebook", {"document": playable(**changed)})
    assert "root:" not in answer.text and "/tmp/" not in answer.text
    assert answer.status_code == 422 or answer.json()["findings"]


def test_a_rulebook_takes_the_tables_that_follow_from_the_picture_and_no_other_file(site: TestClient) -> None:
    grown = {"../../x.csv": "a", "land.csv": "id\nzz", "rules.py": "import os", "borders.csv": "a,b\n"}
    answer = ask(site, "rulebook", {"document": {**playable(), "borders": "stated"}, "grown": grown})
    assert answer.status_code == 200 and answer.json()["sections"], answer.text[:300]


def test_a_script_in_a_name_stays_a_text(site: TestClient) -> None:
    document = playable(title=SCRIPT, summary=SCRIPT)
    document["board"]["title"] = SCRIPT
    document["board"]["land"][0]["name"] = SCRIPT
    for call in ("rulebook", "files"):
        answer = ask(site, call, {"document": document})
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
    tried = ask(site, "try", {"document": document}).json()
    page = site.get(site.get(tried["links"]["sandbox"]).headers["location"])
    assert page.status_code == 200 and SCRIPT not in page.text and "&lt;script&gt;" in page.text
    drawn = ask(site, "grow", {"document": document, "stage": "full"}).json()["drawn"]
    assert SCRIPT not in drawn["svg"] and SCRIPT not in drawn["state"]


def test_only_what_was_kept_is_measured(site: TestClient) -> None:
    for variant, status in (
        ("standard", 422),
        ("bench-", 404),
        ("bench-guess", 404),
        ("bench-../x", 404),
        ("x" * 10_000, 422),
    ):
        assert ask(site, "balance", {"variant": variant, "number": 0}).status_code == status, variant[:20]
    for wrong in ({"variant": "standard"}, {"variant": 5, "number": 1}, {"variant": "x", "number": "many"}):
        assert ask(site, "balance", wrong).status_code == 422
    kept = ask(site, "try", {"document": playable()}).json()["variant"]
    game, again, *others = (ask(site, "balance", {"variant": kept, "number": n}).json() for n in (0, 0, 1, 2, 3, 4))
    assert game == again and any(other != game for other in others), "of two games both may come to the same"
    assert [row["power"] for row in game["powers"]] == ["North", "South"]
    assert sum(game["turns"]) == sum(game["centers"].values()) and len(game["turns"]) <= checking.TURNS


def test_one_address_asks_only_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "OTHERS_A_MINUTE", 2)
    monkeypatch.setattr(table, "COARSE_A_MINUTE", 2)
    monkeypatch.setattr(checking, "GAMES_A_MINUTE", 2)
    site = TestClient(create_app(settings=WebSettings(bounded=True)), raise_server_exceptions=False)
    for call, document in (("rulebook", {}), ("grow", lake())):
        told = [ask(site, call, {"document": document}).status_code for _ in range(3)]
        assert told == [200, 200, 429], call
    for call, most in (("pack", 20), ("balance", 2)):
        codes = [ask(site, call, {"document": 5, "variant": "x", "number": 1}).status_code for _ in range(most + 1)]
        assert codes == [422] * most + [429], call


def test_a_packed_bomb_is_no_board(site: TestClient) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(30):
            archive.writestr(f"bomb-{number}.csv", b"0" * 5_000_000)
    for upload in (("x.legation", made.getvalue()), ("x.zip", b"PK\x03\x04no"), ("../../x.py", b"import os")):
        answer = site.post("/table/open", files=[("files", upload)], headers=HEADERS)
        assert answer.status_code in (413, 422) and answer.json()["error"]


def test_all_work_is_done_by_children_with_limits() -> None:
    for pool in (table.COARSE, table.WHOLE, checking.PLAYERS):
        assert pool.seconds <= 60 and pool.megabytes <= 1400 and pool.nice >= 10
