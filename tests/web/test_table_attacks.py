"""What strangers may try at the drawing table: every call, with too much, too deep, too often, other people's names,
paths out of the folder, and text that would be a program elsewhere."""

import io
import json
import zipfile
from typing import Any

import pytest
from starlette.testclient import TestClient

pytest.importorskip("shapely", reason="drawing needs the extra authoring")

from legation.web import WebSettings, create_app
from legation.web.designer import table, trials
from legation.web.designer.table import LARGEST
from tests.atlas.test_table import lake
from tests.web.test_table import HEADERS, playable

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
    assert sum(game["turns"]) == sum(game["centers"].values()) and len(game["turns"]) <= trials.TURNS


def test_one_address_asks_only_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "OTHERS_A_MINUTE", 2)
    monkeypatch.setattr(table, "COARSE_A_MINUTE", 2)
    monkeypatch.setattr(trials, "GAMES_A_MINUTE", 2)
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
    for pool in (table.COARSE, table.WHOLE, trials.PLAYERS):
        assert pool.seconds <= 60 and pool.megabytes <= 1400 and pool.nice >= 10
