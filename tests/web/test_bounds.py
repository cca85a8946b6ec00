"""Which network a caller belongs to."""

import threading

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from legation.office.identity import people
from legation.office.office import Office
from legation.web import create_app
from legation.web.designer.uploads import UploadError, VariantUploads
from legation.web.serving.bounds import MOST_AT_ONCE, network_of
from legation.web.serving.sessions import device
from tests.office.playing import begin
from tests.web.clients import client_of


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
    ],
)
def test_one_caller_is_one_network(host: str, network: str) -> None:
    assert network_of(Request({"type": "http", "client": (host, 1)})) == network


def test_nobody_is_a_network_too() -> None:
    assert network_of(Request({"type": "http", "client": None})) == ""


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
        app.state.bounds.enter("testclient", MOST_AT_ONCE)
        app.state.bounds.enter("testclient", MOST_AT_ONCE)
    assert 429 not in statuses[0] and statuses[1] == [429] * 4


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
