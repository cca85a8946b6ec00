"""The manifest, icons, service worker and robots.txt; HEAD requests; preview cards."""

import asyncio
import io
import json
from typing import Any

import pytest
from markupsafe import escape
from PIL import Image
from playwright.sync_api import Browser, expect
from starlette.testclient import TestClient

from legation.office.office import Office
from legation.web import create_app
from legation.web.public.gallery import cards
from tests.office.playing import begin
from tests.serving import served
from tests.web.clients import asked_by_hand, client_of
from tests.web.visiting import until

KEPT = """async () => {
    const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
    return (await Promise.all(stores.map((store) => store.keys()))).flat().map((asked) => new URL(asked.url).pathname);
}"""


def test_the_manifest_names_icons_that_there_are(site: TestClient) -> None:
    facts = json.loads(site.get("/manifest.webmanifest").text)
    assert facts["start_url"] == "/games" and facts["display"] == "standalone"
    for icon in facts["icons"]:
        picture = Image.open(io.BytesIO(site.get(icon["src"]).content))
        assert f"{picture.width}x{picture.height}" == icon["sizes"]
        assert picture.convert("RGB").getpixel((1, 1)) == (0xFB, 0xF6, 0xEA), "paper to the edge, for a round mask"
    assert site.get("/icons/7.png").status_code == 404
    assert '<link rel="manifest" href="/manifest.webmanifest">' in site.get("/").text


@pytest.mark.parametrize("path", ["/", "/variants", "/variants/hundred", "/robots.txt", "/assets/x/style.css"])
def test_head_is_answered_as_get_without_a_body(site: TestClient, path: str) -> None:
    head, get = site.head(path), site.get(path)
    assert head.status_code == get.status_code == 200
    assert head.content == b"" and head.headers["content-type"] == get.headers["content-type"]
    assert site.head("/nowhere").status_code == 404


def test_head_of_a_stream_that_never_ends_is_answered(office: Office) -> None:
    game, _, _ = begin(office)
    asked: list[Any] = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Any:
        return asked.pop() if asked else await asyncio.Event().wait()  # whoever asked stays on the line

    told = asked_by_hand(create_app(office), "HEAD", f"/games/{game.key}/live", receive)
    assert told[0]["status"] == 200 and not any(message.get("body") for message in told)


def test_crawlers_are_kept_out_of_what_is_ones_own(site: TestClient) -> None:
    text = site.get("/robots.txt").text
    assert "Disallow: /me" in text and "Disallow: /desk" in text and "Disallow: /variants" not in text


def test_a_link_to_a_variant_shows_its_map(site: TestClient) -> None:
    page = site.get("/variants/hundred").text
    picture = page.partition('property="og:image" content="')[2].partition('"')[0]
    assert picture.startswith("http") and "/maps/hundred/" in picture
    answer = site.get(picture.partition("testserver")[2])
    assert answer.status_code == 200 and answer.headers["content-type"] == "image/webp"
    summary = next(card.summary for card in cards() if card.name == "hundred")
    assert f'property="og:description" content="{escape(summary)}"' in page


def test_a_link_to_a_game_shows_the_map_of_its_turn(office: Office) -> None:
    game, _, _ = begin(office)
    site = client_of(create_app(office))
    page = site.get(f"/games/{game.key}").text
    picture = page.partition('property="og:image" content="')[2].partition('"')[0].partition("testserver")[2]
    assert f"/games/{game.key}/" in picture and site.get(picture).headers["content-type"] == "image/png"
    assert f'property="og:title" content="{game.name}' in page


@pytest.mark.browser
def test_without_a_network_the_pages_say_so_and_keep_nothing_of_anybody(browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    with served(create_app()) as address:
        page.goto(address + "/variants")
        until(page, "() => navigator.serviceWorker.controller")
        page.reload()
        page.evaluate("caches.open('shell').then((shell) => shell.put('/assets/old/style.css', new Response('')))")
        page.goto(address + "/variants/hundred/moves")  # which has a script of its own
    page.goto(address + "/sandbox")  # nobody listens there any more
    expect(page.get_by_role("heading", name="You’re offline")).to_be_visible()
    kept = page.evaluate(KEPT)
    assert all(path == "/offline" or path.startswith("/assets/") for path in kept), kept
    assert any(path.endswith("/style.css") for path in kept) and "/assets/old/style.css" not in kept, kept
    context.close()
