"""What holds for every page: headers, where forms may come from, files that are kept for good, failures that help; who
asks from which network and how often; what no database keeps; the manifest, icons, service worker and preview cards."""

import asyncio
import io
import json
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from jinja2 import UndefinedError
from markupsafe import escape
from PIL import Image
from playwright.sync_api import Browser, expect
from starlette.requests import Request
from starlette.testclient import TestClient

from legation.children import Children
from legation.cli.serving import whole_site
from legation.languages import ENGLISH
from legation.office.context import Actor
from legation.office.errors import InvalidInputError
from legation.office.identity import people
from legation.office.office import Office
from legation.office.store.packing import is_kept
from legation.variants import USUAL, Registry
from legation.web import WebSettings, create_app
from legation.web.app import warm
from legation.web.designer import uploads
from legation.web.designer.uploads import UploadError, VariantUploads
from legation.web.public.gallery import cards
from legation.web.public.maps import LiveMap
from legation.web.serving.answers import HEADERS
from legation.web.serving.assets import assets
from legation.web.serving.bounds import MOST_AT_ONCE, MOST_TOGETHER, network_of
from legation.web.serving.forms import refuse_unkept
from legation.web.serving.pages import templates
from legation.web.serving.sessions import device
from tests.office.playing import begin, person
from tests.serving import served
from tests.web.clients import asked_by_hand, client_of
from tests.web.visiting import until


@pytest.mark.parametrize("path", ["/", "/nowhere", "/theme", "/assets/0/nothing.js", "/favicon.ico"])
def test_every_answer_is_guarded(site: TestClient, path: str) -> None:
    answer = site.get(path)
    for name, value in HEADERS.items():
        if name != "cache-control":
            assert answer.headers[name] == value
    assert "cache-control" in answer.headers
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy and not any(word in policy for word in ("unsafe", "http", "*"))


def test_failures_are_guarded_and_tell_no_secret() -> None:
    app = create_app()

    @app.get("/fails")
    def fails() -> None:
        raise RuntimeError("the password is swordfish")

    answer = TestClient(app, raise_server_exceptions=False).get("/fails")
    assert answer.status_code == 500
    assert "swordfish" not in answer.text and "Traceback" not in answer.text
    assert "Try again" in answer.text and "in the log at " in answer.text
    assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://testserver"}, 303),
        ({"sec-fetch-site": "same-origin"}, 303),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "cross-site", "origin": "http://testserver"}, 403),
        ({"cookie": "session=x"}, 403),
        ({}, 303),  # a program without a browser and its cookies
    ],
)
def test_forms_come_from_our_own_pages(app: FastAPI, headers: dict[str, str], status: int) -> None:
    answer = client_of(app, headers=headers).post("/theme", data={"theme": "dark"})
    assert answer.status_code == status
    assert ("set-cookie" in answer.headers) == (status == 303)


@pytest.mark.parametrize(
    ("path", "way"), [("/rules/orders", "Rules"), ("/table", "Designer"), ("/designer", "Designer"), ("/tables", "")]
)
def test_the_way_that_leads_to_a_page_is_marked(site: TestClient, path: str, way: str) -> None:
    marked = site.get(path).text.partition('aria-current="page">')[2].partition("<")[0]
    assert marked == way


def test_patterns_are_a_choice_beside_the_theme(site: TestClient) -> None:
    site.post("/theme", data={"theme": "dark"})
    site.post("/theme", data={"patterns": "on"})
    assert '<html lang="en" data-theme="dark" data-patterns>' in site.get("/").text
    for path, name in (("/variants/hundred", "opening-hatched-light.svg"), ("/variants", "thumb-hatched-dark.webp")):
        (picture, *_) = re.findall(rf'src="(/maps/hundred/[^"]*{name})"', site.get(path).text)
        assert site.get(picture).status_code == 200, "pages without scripts show patterns, too"
    assert "<pattern" in site.get(picture.replace("thumb-hatched-dark.webp", "opening-hatched-dark.svg")).text
    site.post("/theme", data={"patterns": "off"})
    assert '<html lang="en" data-theme="dark">' in site.get("/").text


def test_behind_a_proxy_the_public_address_counts() -> None:
    site = TestClient(create_app(settings=WebSettings(origin="https://games.example")), follow_redirects=False)
    answer = site.post("/theme", data={"theme": "dark"}, headers={"origin": "https://games.example"})
    assert answer.status_code == 303
    assert "secure" in answer.headers["set-cookie"].lower()
    assert "max-age" in answer.headers["strict-transport-security"]


def test_too_much_is_refused_however_it_is_sent() -> None:
    site = client_of(create_app(settings=WebSettings(largest_body=1000)))
    assert site.post("/theme", data={"theme": "x" * 2000}).status_code == 413

    def parts() -> Iterator[bytes]:
        for _ in range(20):
            yield b"x" * 100

    streamed = site.post("/theme", content=parts(), headers={"content-type": "application/x-www-form-urlencoded"})
    assert streamed.status_code == 413


def test_the_theme_is_kept_and_one_comes_back_to_the_page(site: TestClient) -> None:
    answer = site.post("/theme", data={"theme": "dark"}, headers={"referer": "http://testserver/variants?x=1"})
    assert answer.headers["location"] == "/variants?x=1"
    assert 'data-theme="dark"' in site.get("/").text
    elsewhere = site.post("/theme", data={"theme": "system"}, headers={"referer": "https://evil.example/x"})
    assert elsewhere.headers["location"] == "/"
    assert "data-theme" not in site.get("/").text
    odd = site.post("/theme", data={"theme": "dark"}, headers={"referer": "http://testserver//evil.example"})
    assert odd.headers["location"] == "/"


def test_failures_help(site: TestClient) -> None:
    missing = site.get("/nowhere")
    assert missing.status_code == 404 and 'href="/"' in missing.text
    wrong = site.get("/theme")
    assert wrong.status_code == 405
    odd = site.post("/theme", data={"theme": "plaid"})
    assert odd.status_code == 422 and "theme" in odd.text and "Something is missing" not in odd.text, "it isn't"
    as_data = site.get("/nowhere", headers={"accept": "application/json"})
    assert as_data.json()["error"]


def test_files_are_kept_for_good_and_packed(site: TestClient) -> None:
    address = assets.address("style.css")
    answer = site.get(address, headers={"accept-encoding": "br"})
    assert "immutable" in answer.headers["cache-control"] and answer.headers["content-encoding"] == "br"
    assert site.get(address, headers={"accept-encoding": "gzip"}).headers["content-encoding"] == "gzip"
    plain = site.get(address, headers={"accept-encoding": "identity"})
    assert plain.content == assets.files["style.css"].content
    old = site.get("/assets/000000000000/style.css")
    assert old.status_code == 200 and "immutable" not in old.headers["cache-control"]
    assert site.get(f"/assets/{assets.digest}/..%2fapp.py").status_code == 404


def test_every_file_that_the_stylesheet_names_is_there() -> None:
    style = assets.files["style.css"].content.decode()
    named = re.findall(r'url\("([^"#][^"]*)"\)', style)  # what begins with # is in the page
    assert named and all(name in assets.files for name in named)
    assert not re.search(r"https?:", style)


def test_a_template_that_asks_for_what_it_is_not_given_fails() -> None:
    with pytest.raises(UndefinedError):
        templates(ENGLISH).get_template("error.html").render(theme="", office=None, viewer=None)


def test_templates_are_read_line_by_line() -> None:
    """Markup and logic stand in lines that a reviewer can read and a change can show."""
    environment = templates(ENGLISH)
    assert environment.loader is not None
    sources = {name: environment.loader.get_source(environment, name)[0] for name in environment.list_templates()}
    assert len(sources) > 50
    long = [name for name, source in sources.items() if max(map(len, source.splitlines()), default=0) > 400]
    assert not long


def test_maps_are_drawn_when_the_server_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = threading.Event()
    monkeypatch.setattr("legation.web.app.warm", lambda variants: drawn.set())
    with TestClient(create_app()):
        assert not drawn.wait(0.1)
    with TestClient(create_app(settings=WebSettings(warm=True))):
        assert drawn.wait(10)


def test_the_first_page_is_drawn_in_every_language_when_nothing_else_is_to_be_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[tuple[str, str]] = []
    monkeypatch.setattr(Registry, "names", lambda registry: [])
    monkeypatch.setattr(LiveMap, "opening", lambda live, name: done.append((live.language, name)))
    monkeypatch.setattr("os.setpriority", lambda *given: done.append(("", "less urgent")))
    warm(USUAL)
    pictures = ["turn-light.webp", "turn-dark.webp"]
    others = [(language, name) for language in ("de", "es", "fr") for name in pictures]
    drawn = [one for one in done if one not in (("", pictures[0]), ("", pictures[1]))]
    assert done[:3] == [("", pictures[0]), ("", pictures[1]), ("", "less urgent")]
    assert drawn[1:] == others


# Networks, and how much is taken from one


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("::ffff:192.0.2.7", "::ffff:c000:207"),
        ("fe80::1%eth0", "fe80::/64"),
        ("testclient", "testclient"),
        (None, ""),
    ],
)
def test_one_caller_is_one_network(host: str | None, network: str) -> None:
    assert network_of(Request({"type": "http", "client": host and (host, 1)})) == network


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("Mozilla/5.0 (Windows NT 10.0; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox on Windows"),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/129.0 Safari/537.36", "Chrome on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/129.0 Safari/537.36 Edg/129.0", "Edge on Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) Version/17.6 Safari/604.1", "Safari on an iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.6 Safari/605.1.15", "Safari on a Mac"),
        ("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/129.0 Mobile Safari/537.36", "Chrome on Android"),
        ("curl/8.4", "a browser"),
        ("", "a browser"),
    ],
)
def test_sign_ins_are_told_in_words(agent: str, words: str) -> None:
    assert device(agent) == words


def test_one_network_has_few_pictures_read_at_once(office: Office) -> None:
    """Eight pictures of 24 megapixels take eight seconds of a child, and all share two."""
    record, players, host = begin(office, coordinated=True)
    app, files = create_app(office), [("pictures", ("sheet.png", b"GIF89a"))]
    power, player = next(iter(players.items()))
    token = {"authorization": f"Bearer {people.make_token(office, player, 'mine', ('read', 'play')).secret}"}
    ways = [
        (client_of(app, office, player), f"/games/{record.key}/sheet/pictures?power={power}", {}),
        (client_of(app, office, host), f"/desk/{record.key}/postbag", {}),
        (client_of(app, office, host), f"/desk/{record.key}/copies", {}),
        (TestClient(app), f"/api/v1/games/{record.key}/seats/{power}/pictures", token),
    ]
    statuses = []
    for _ in range(2):
        statuses.append([site.post(path, files=files, headers=headers).status_code for site, path, headers in ways])
        for _ in range(MOST_AT_ONCE):
            app.state.bounds.enter({"uploads testclient": MOST_AT_ONCE})
    assert 429 not in statuses[0] and statuses[1] == [429] * 4


def test_no_network_takes_all_threads_by_what_children_do(office: Office) -> None:
    """40 pictures of a game's turns, or papers of it, held every thread that answers pages until they were painted."""
    record, _, _ = begin(office)
    site = whole_site(office)
    visitor, another = TestClient(site), TestClient(site, client=("192.0.2.8", 1))
    board = visitor.get("/sandbox/new?variant=hundred", follow_redirects=False).headers["location"]
    asked = [
        ("GET", f"/games/{record.key}/now/map.png"), ("GET", f"/games/{record.key}/print/map.pdf"),
        ("GET", f"{board}/map.png"), ("POST", f"{board}/advice"), ("POST", "/sandbox"), ("POST", "/table/read"),
    ]  # fmt: skip

    def statuses(client: TestClient) -> list[int]:
        told = [client.request(method, path, follow_redirects=False) for method, path in asked]
        return [answer.status_code for answer in told]

    assert 429 not in statuses(visitor)
    for what, most in (("papers", 4), ("searches", 2), ("uploads", 2), ("boards", 4)):
        for _ in range(most):
            assert site.state.bounds.enter({f"{what} testclient": most})
    assert statuses(visitor) == [429] * len(asked) and 429 not in statuses(another)
    assert visitor.get(f"/games/{record.key}").status_code == 200
    for _ in range(MOST_TOGETHER):
        assert site.state.bounds.enter({"everything": MOST_TOGETHER})
    assert statuses(another) == [429] * len(asked) and another.get(f"/games/{record.key}").status_code == 200


def test_one_network_has_few_uploads_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """16 posts of one held the slots of everybody for 48 s."""
    let, begun = threading.Event(), threading.Semaphore(0)

    def slow(self: VariantUploads, uploads: object) -> str:
        begun.release()
        let.wait(60)
        raise UploadError("no files were sent")

    monkeypatch.setattr(VariantUploads, "take", slow)
    app = create_app(None)
    statuses: list[int] = []

    def post(host: str) -> int:
        with TestClient(app, client=(host, 1)) as site:
            return site.post("/designer", data={"text": "x"}).status_code

    waiting = [threading.Thread(target=lambda: statuses.append(post("192.0.2.7"))) for _ in range(MOST_AT_ONCE)]
    for thread in waiting:
        thread.start()
        assert begun.acquire(timeout=60)
    assert post("192.0.2.7") == 429
    other = threading.Thread(target=lambda: statuses.append(post("192.0.2.8")))
    other.start()
    assert begun.acquire(timeout=60)
    let.set()
    for thread in (*waiting, other):
        thread.join(60)
    assert statuses == [422] * (MOST_AT_ONCE + 1) and post("192.0.2.7") == 422


# What no database keeps, and what is nested without end


@pytest.mark.long
def test_each_entrance_refuses_nul_and_half_surrogates(make_office: Callable[..., Office], database: str) -> None:
    office = make_office(database=database)
    begin(office)
    ann = person(office, "Ann")
    site = client_of(whole_site(office), office, ann)
    secret = people.token_for(office, Actor.console(), ann.person or 0, "kept").secret
    token = {"authorization": f"Bearer {secret}"}
    for bad in ("%00", "a%00b"):
        for path in (f"/games/{bad}", f"/api/v1/games/{bad}", f"/games?search={bad}", f"/variants/{bad}"):
            assert site.get(path, headers=token).status_code in (404, 422), path
    for text in ('"a\\u0000"', '"\\ud800"'):
        for method, path, body in (
            ("POST", "/api/v1/games", f'{{"plan": {{"name": {text}, "variant": "hundred"}}}}'),
            ("PUT", "/api/v1/me/preferences", f'{{"preferences": {{"language": {text}}}}}'),
            ("POST", "/api/v1/sign-in", f'{{"email": {text}}}'),
        ):
            answer = site.request(method, path, content=body, headers=token)
            assert 400 <= answer.status_code < 500, (path, text, answer.status_code)
    answer = site.post("/games/new", data={"name": "a\0b", "variant": "hundred"})
    assert answer.status_code == 422
    deep = "[" * 100_000
    assert site.post("/sandbox", data={"text": "{" + deep}).status_code == 422
    assert site.post("/api/v1/games", content=deep, headers=token).status_code == 422


@pytest.mark.parametrize("value", ["a\0", "\ud800", ["x", "\udfff"], {"\0": 1}, {"a": {"b": ("\0",)}}])
def test_what_cannot_be_kept_is_found_wherever_it_is(value: object) -> None:
    with pytest.raises(InvalidInputError):
        refuse_unkept(value)
    refuse_unkept({"a": ["\U0001f600", "ä", 1, b"\0", None]})
    assert is_kept("\U0001f600") and is_kept("") and not is_kept("\0")


@pytest.mark.slow
def test_a_variant_that_takes_too_long_to_read_is_refused_at_the_designer_s(
    make_office: Callable[..., Office], monkeypatch: pytest.MonkeyPatch
) -> None:
    """80 kB of TOML that would take gigabytes."""
    site = client_of(whole_site(make_office()))
    for text in ("a." * 40_000 + "a = 1", "a = " + "[" * 40_000, "\n".join(f"[{'a.' * n}b]" for n in range(1, 400))):
        answer = site.post("/designer", data={"text": text}, follow_redirects=True)
        assert answer.status_code in (200, 422), answer.status_code
    monkeypatch.setattr(uploads, "BUILDERS", Children(most=1, seconds=5, megabytes=60))
    answer = site.post("/designer", data={"text": "a = [" + "1," * 90_000 + "]"})
    told = "was stopped" in answer.text or "cannot be read" in answer.text  # where a library had no room to be loaded
    assert answer.status_code == 422 and told


# Installing, HEAD requests, preview cards


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
        context.set_offline(True)
        page.get_by_role("button", name="dark").click()
        expect(page.get_by_role("alert")).to_have_text("You’re offline. Try again in a moment.")
        context.set_offline(False)
        page.get_by_role("button", name="dark").click()
        page.wait_for_selector("html[data-theme=dark]")
    page.goto(address + "/sandbox")  # nobody listens there any more
    expect(page.get_by_role("heading", name="You’re offline")).to_be_visible()
    kept = page.evaluate(KEPT)
    assert all(path == "/offline" or path.startswith("/assets/") for path in kept), kept
    assert any(path.endswith("/style.css") for path in kept) and "/assets/old/style.css" not in kept, kept
    context.close()
