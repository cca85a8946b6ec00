"""What holds for every page: headers, where forms may come from, files that are kept for good, failures that help."""

import re
import threading
from collections.abc import Iterator

import pytest
from jinja2 import UndefinedError
from starlette.testclient import TestClient

from legation.languages import ENGLISH
from legation.web import WebSettings, create_app
from legation.web.serving.assets import assets
from legation.web.serving.headers import HEADERS
from legation.web.serving.pages import templates
from tests.web.clients import OURS


@pytest.mark.parametrize("path", ["/", "/nowhere", "/theme", "/assets/0/nothing.js", "/favicon.ico"])
def test_every_answer_is_guarded(site: TestClient, path: str) -> None:
    answer = site.get(path)
    for name, value in HEADERS.items():
        if name != "cache-control":
            assert answer.headers[name] == value
    assert "cache-control" in answer.headers


def test_the_policy_allows_our_own_files_and_nothing_inline(site: TestClient) -> None:
    policy = site.get("/").headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy and "http" not in policy and "*" not in policy


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
def test_forms_come_from_our_own_pages(site: TestClient, headers: dict[str, str], status: int) -> None:
    answer = site.post("/theme", data={"theme": "dark"}, headers=headers)
    assert answer.status_code == status
    assert ("set-cookie" in answer.headers) == (status == 303)


@pytest.mark.parametrize(
    ("path", "way"), [("/rules/orders", "Rules"), ("/table", "Designer"), ("/designer", "Designer"), ("/tables", "")]
)
def test_the_way_that_leads_to_a_page_is_marked(site: TestClient, path: str, way: str) -> None:
    marked = site.get(path).text.partition('aria-current="page">')[2].partition("<")[0]
    assert marked == way


def test_patterns_are_a_choice_beside_the_theme(site: TestClient) -> None:
    site.post("/theme", data={"theme": "dark"}, headers=OURS)
    site.post("/theme", data={"patterns": "on"}, headers=OURS)
    assert '<html lang="en" data-theme="dark" data-patterns>' in site.get("/").text
    for path, name in (("/variants/hundred", "opening-hatched-light.svg"), ("/variants", "thumb-hatched-dark.webp")):
        (picture, *_) = re.findall(rf'src="(/maps/hundred/[^"]*{name})"', site.get(path).text)
        assert site.get(picture).status_code == 200, "pages without scripts show patterns, too"
    assert "<pattern" in site.get(picture.replace("thumb-hatched-dark.webp", "opening-hatched-dark.svg")).text
    site.post("/theme", data={"patterns": "off"}, headers=OURS)
    assert '<html lang="en" data-theme="dark">' in site.get("/").text


def test_behind_a_proxy_the_public_address_counts() -> None:
    site = TestClient(create_app(settings=WebSettings(origin="https://games.example")), follow_redirects=False)
    answer = site.post("/theme", data={"theme": "dark"}, headers={"origin": "https://games.example"})
    assert answer.status_code == 303
    assert "secure" in answer.headers["set-cookie"].lower()
    assert "max-age" in answer.headers["strict-transport-security"]


def test_too_much_is_refused_however_it_is_sent() -> None:
    site = TestClient(create_app(settings=WebSettings(largest_body=1000)))
    assert site.post("/theme", data={"theme": "x" * 2000}, headers=OURS).status_code == 413

    def parts() -> Iterator[bytes]:
        for _ in range(20):
            yield b"x" * 100

    streamed = site.post(
        "/theme", content=parts(), headers={**OURS, "content-type": "application/x-www-form-urlencoded"}
    )
    assert streamed.status_code == 413


def test_the_theme_is_kept_and_one_comes_back_to_the_page(site: TestClient) -> None:
    answer = site.post("/theme", data={"theme": "dark"}, headers={**OURS, "referer": "http://testserver/variants?x=1"})
    assert answer.headers["location"] == "/variants?x=1"
    assert 'data-theme="dark"' in site.get("/").text
    elsewhere = site.post("/theme", data={"theme": "system"}, headers={**OURS, "referer": "https://evil.example/x"})
    assert elsewhere.headers["location"] == "/"
    assert "data-theme" not in site.get("/").text
    odd = site.post("/theme", data={"theme": "dark"}, headers={**OURS, "referer": "http://testserver//evil.example"})
    assert odd.headers["location"] == "/"


def test_failures_help(site: TestClient) -> None:
    missing = site.get("/nowhere")
    assert missing.status_code == 404 and 'href="/"' in missing.text
    wrong = site.get("/theme")
    assert wrong.status_code == 405
    odd = site.post("/theme", data={"theme": "plaid"}, headers=OURS)
    assert odd.status_code == 422 and "theme" in odd.text
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
