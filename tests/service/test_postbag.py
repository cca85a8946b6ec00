"""The postbag: one scan of all opened letters, sorted by the codes of the printed sheets, at the desk and at the
terminal; nothing of it is read before the deadline."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from fastapi.testclient import TestClient
from PIL import Image

from legation.office.desk import desk, postbag, readings
from legation.office.errors import ConflictError, NotAllowedError, UnavailableError
from legation.office.operation import work
from legation.office.orders import order_codes, submissions
from legation.office.orders.pictures import PictureError, decode
from legation.print.games import GamePapers
from legation.print.serving import bound
from tests.cli.test_commands import run
from tests.mail.conftest import World
from tests.office.playing import passes, refuses, turn_now
from tests.service.conftest import POSTAL, served
from tests.web.clients import client_of


@pytest.fixture
def world(world: World) -> World:
    world.begin(**POSTAL)
    return world


def scan(world: World, *powers: str) -> bytes:
    """One PDF of what was in the envelopes: of each power the printed sheet, or for none a page without a code."""
    return bound([_page(GamePapers(world.office, world.host, world.game.key), power) for power in powers])


KEPT: dict[str, bytes] = {}
"""Pages by power: they are the same in every test, whose games are."""


def _page(papers: GamePapers, power: str) -> bytes:
    if power not in KEPT:
        out = io.BytesIO()
        if power:
            packet = pypdfium2.PdfDocument(papers.packet(power))
            one = pypdfium2.PdfDocument.new()
            one.import_pages(packet, [len(packet) - 1])
            one.save(out)
        else:
            Image.effect_noise((600, 800), 40).convert("RGB").save(out, "PDF")
        KEPT[power] = out.getvalue()
    return KEPT[power]


def close(world: World) -> None:
    turn = turn_now(world.office, world.host, world.game.key)
    passes(world.office, world.clock, turn.deadline)


def put_in(site: TestClient, key: str, pdf: bytes, status: int = 200) -> str:
    answer = site.post(f"/desk/{key}/postbag", files={"pictures": ("letters.pdf", pdf, "application/pdf")})
    assert answer.status_code == status, answer.text[-400:]
    return answer.text


@pytest.mark.clause("W-20d")
def test_nothing_of_a_postbag_is_read_before_the_deadline(
    world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    looked: list[str] = []
    monkeypatch.setattr(order_codes, "decode", lambda *given: looked.append(str(given)))
    key, site = world.game.key, client_of(served(world.office), world.office, world.host)
    submissions.register_posted(world.office, world.host, key, "France")
    pdf = scan(world, "France")
    assert "Keep the envelopes closed" in site.get(f"/desk/{key}/postbag").text
    assert "Keep the envelopes closed" in put_in(site, key, pdf, 409)
    (tmp_path / "letters.pdf").write_bytes(pdf)
    said = run("office", "-C", str(tmp_path / "office"), "postbag", key, str(tmp_path / "letters.pdf"))
    assert "Keep the envelopes closed" in said.stderr and not looked
    with pytest.raises(ConflictError, match="Keep the envelopes closed"):
        postbag.file_pages(world.office, world.host, key, [("p", b"x", "image/png", "")])


@pytest.mark.clause("W-20a", "W-21a")
def test_pages_are_sorted_by_their_codes_and_the_others_wait_to_be_named(world: World) -> None:
    office, host, key = world.office, world.host, world.game.key
    pdf = scan(world, "France", "", "England", "Burgundy")
    for power in ("France", "England"):
        submissions.register_posted(office, host, key, power)
    submissions.register_posted(office, host, key, "England")  # two envelopes
    close(world)
    site = client_of(served(office), office, host)
    page = put_in(site, key, pdf)
    assert "France: 1 page" in " ".join(page.split())
    assert "no code" in page and "the sheet of England; 2 letters were registered" in page
    assert "the sheet of Burgundy; no letter was registered" in page
    (item,) = [item for item in desk.items(office, host, key) if item.kind == "postbag"]
    assert item.text.startswith("3 pages") and item.page == f"/desk/{key}/postbag"
    (reading,) = [i for i in desk.items(office, host, key) if i.kind == "transcribe" and i.power == "France"]
    (digest,) = desk.item(office, host, reading.id).facts["files"]
    assert readings.picture(office, host, reading.id, digest)[2].startswith(b"\x89PNG")
    bag = postbag.postbag(office, host, key)
    assert bag.letters == {"England": (1, 2), "France": (1,)}
    waiting = {page.why.partition(";")[0]: page.page for page in bag.waiting}
    shown = site.get(f"/desk/{key}/postbag/{waiting['no code']}")
    assert shown.headers["content-type"] == "image/png" and "no-store" in shown.headers["cache-control"]
    work.run_due(office)
    assert not work.orphans(office)
    unnamed = {"page": str(waiting["no code"]), "letter": "", "do": "name"}
    assert "Choose the letter" in site.post(f"/desk/{key}/postbag/name", data=unnamed).text
    for number, letter, do in (
        (waiting["no code"], "France 1", "name"),
        (waiting["the sheet of England"], "England 1", "name"),
        (waiting["the sheet of Burgundy"], "", "drop"),
    ):
        data = {"page": str(number), "letter": letter, "do": do}
        assert site.post(f"/desk/{key}/postbag/name", data=data).status_code == 303
    assert not [item for item in desk.items(office, host, key) if item.kind == "postbag"]
    assert len(desk.item(office, host, reading.id).facts["files"]) == 2
    # the page belongs to version 1 of England, whichever of both is chosen
    (asked,) = [i for i in desk.items(office, host, key) if i.kind == "transcribe" and i.power == "England"]
    came = submissions.overview(office, host, key)
    (first,) = [s.id for s in came if s.power == "England" and s.version == 1]
    assert not desk.item(office, host, asked.id).facts["files"]
    assert len(desk.item(office, host, asked.id).facts["pictures"]["1"]) == 1
    chosen = [i for i in desk.items(office, host, key) if i.kind == "choose" and i.power == "England"]
    readings.choose(office, host, chosen[0].id, first, "the first envelope says so")
    (asked,) = [i for i in desk.items(office, host, key) if i.kind == "transcribe" and i.power == "England"]
    assert len(desk.item(office, host, asked.id).facts["files"]) == 1


@pytest.mark.long
def test_a_postbag_at_the_terminal(world: World, tmp_path: Path) -> None:
    office, host, key = world.office, world.host, world.game.key
    (tmp_path / "letters.pdf").write_bytes(scan(world, "France", "England", ""))
    for power in ("France", "England"):
        submissions.register_posted(office, host, key, power)
    close(world)
    at = ("office", "-C", str(tmp_path / "office"))
    said = run(*at, "postbag", key, str(tmp_path / "letters.pdf"), "-o", str(tmp_path / "pages")).stdout
    assert "France: 1 page filed" in said and "England: 1 page filed" in said and "no code" in said
    (page,) = postbag.postbag(office, host, key).waiting
    assert len(list((tmp_path / "pages").iterdir())) == 1
    assert "France: 1 page filed" in run(*at, "name-page", key, str(page.page), "France").stdout
    assert "No page waits" in run(*at, "postbag", key).stdout
    refuses(NotAllowedError, postbag.postbag, office, world.players["France"], key)


def test_the_same_page_is_kept_once(world: World) -> None:
    office, host, key = world.office, world.host, world.game.key
    pdf = scan(world, "France", "")
    submissions.register_posted(office, host, key, "France")
    close(world)
    site = client_of(served(office), office, host)
    for _ in range(2):
        put_in(site, key, pdf)
    assert len(postbag.postbag(office, host, key).waiting) == 1
    (reading,) = [i for i in desk.items(office, host, key) if i.kind == "transcribe" and i.power == "France"]
    assert len(desk.item(office, host, reading.id).facts["files"]) == 1
    assert "isn't a JPEG, PNG, HEIC or PDF" in put_in(site, key, b"not a picture", 422).replace("&#39;", "'")


@pytest.mark.long
def test_a_scan_that_would_eat_the_memory_is_refused_before_its_pages_are_made(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    pdf, made = scan(world, "", ""), []
    monkeypatch.setattr(order_codes, "MOST_TOGETHER", 3)
    whole = decode

    def counted(returns: Any, function: str, *given: Any) -> Any:
        made.append(function.rpartition(":")[2])
        return whole(returns, function, *given)

    monkeypatch.setattr(order_codes, "decode", counted)
    with pytest.raises(PictureError, match="have 4 pages; at most 3"):
        order_codes.scanned_pages([("one.pdf", pdf), ("two.pdf", pdf)])
    assert made == ["pages_in"] * 2
    monkeypatch.setattr(order_codes, "MOST_BYTES", 1000)
    refuses(PictureError, order_codes.scanned_pages, [("one.pdf", pdf)]).match("send fewer at once")


def test_scans_wait_for_each_other_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_codes, "PATIENCE", 0.01)
    with contextlib.ExitStack() as others:
        for _ in range(2):
            others.enter_context(order_codes._reading)
        refuses(UnavailableError, order_codes.scanned_pages, [("one.pdf", b"%PDF-")]).match("Other scans")
