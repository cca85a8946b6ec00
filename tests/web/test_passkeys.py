"""Passkeys, with Chromium's own authenticator: made on one's page, used to sign in, removed; nothing is good twice."""

import hashlib
import json
import re
import secrets
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import cbor2
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.sync_api import Browser, Page, expect
from webauthn.helpers import bytes_to_base64url

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.identity import people
from legation.office.office import Office
from legation.web import create_app
from tests.office.playing import person
from tests.serving import free_port, served
from tests.web.test_players import as_person, visitor
from tests.web.visiting import Visit

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def address(office: Office) -> Iterator[str]:
    """An office at a name: browsers give no passkeys to numbers."""
    port = free_port()
    office.settings.address = f"http://localhost:{port}"
    with served(create_app(office), port):
        yield office.settings.address


class Holder(Visit):
    """A browser of somebody who has signed in, with a device for passkeys."""

    def __init__(self, browser: Browser, address: str, office: Office, who: Actor) -> None:
        super().__init__(browser, address)
        self.devices = self.context.new_cdp_session(self.page)
        self.devices.send("WebAuthn.enable")
        self.device = self.devices.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})["authenticatorId"]
        self.be(office, who)

    def make(self, label: str) -> Page:
        page = self.go("/me")
        page.get_by_label("Name of a new passkey").fill(label)
        page.get_by_role("button", name="Create a passkey").click()
        return page

    def use(self) -> Page:
        self.context.clear_cookies()
        page = self.go("/sign-in?next=/me")
        page.get_by_role("button", name="Sign in with a passkey").click()
        return page

    def answers(self, path: str) -> list[str]:
        """What the forms that go to an address carry, from now on."""
        seen: list[str] = []

        def note(request: Any) -> None:
            if request.method == "POST" and request.url.endswith(path):
                seen.append(request.post_data or "")

        self.page.on("request", note)
        return seen

    def count(self, change: int = 0) -> int:
        """How often the device says that its passkey was used; ``change`` it."""
        (kept,) = self.devices.send("WebAuthn.getCredentials", {"authenticatorId": self.device})["credentials"]
        if change:
            self.devices.send(
                "WebAuthn.removeCredential", {"authenticatorId": self.device, "credentialId": kept["credentialId"]}
            )
            kept["signCount"] += change
            self.devices.send("WebAuthn.addCredential", {"authenticatorId": self.device, "credential": kept})
        return int(kept["signCount"])


@pytest.mark.long
@pytest.mark.browser
def test_a_passkey_is_made_used_and_removed(browser: Browser, address: str, office: Office) -> None:
    ann = person(office, "Ann")
    holder = Holder(browser, address, office, ann)
    page = holder.make("my phone")
    expect(page.get_by_text("my phone")).to_be_visible()
    holder.make("again")
    expect(page.locator("form[data-passkey] [role=status]")).to_have_text(re.compile("already has a passkey for you"))
    used = holder.answers("/passkeys/use")
    page = holder.use()
    expect(page.get_by_role("heading", name="Ann", exact=True)).to_be_visible()
    assert page.url.endswith("/me") and len(used) == 1
    site = visitor(office)  # the same answer is good once, wherever it comes from
    form = {"content-type": "application/x-www-form-urlencoded"}
    again = site.post("/passkeys/use", content=used[0], headers=form)
    assert again.status_code == 422 or again.status_code == 409
    assert "session" not in again.cookies
    holder.count(-1)  # a copy of the device counts from where it was made
    page = holder.use()
    expect(page.get_by_role("alert")).to_contain_text("match the request")
    holder.count(+7)
    page = holder.use()
    expect(page.get_by_role("heading", name="Ann", exact=True)).to_be_visible()
    page.get_by_role("button", name="End: Passkey my phone").click()
    expect(page.get_by_text("my phone")).to_have_count(0)
    page = holder.use()
    expect(page.get_by_role("alert")).to_contain_text("not known here")
    assert [t for t in holder.troubles if "401" not in t and "422" not in t] == []
    holder.context.close()


@pytest.mark.browser
def test_a_device_that_does_not_know_its_owner_is_refused(browser: Browser, address: str, office: Office) -> None:
    holder = Holder(browser, address, office, person(office, "Ann"))
    holder.devices.send("WebAuthn.setUserVerified", {"authenticatorId": holder.device, "isUserVerified": False})
    page = holder.make("a stick")
    expect(page.locator("form[data-passkey] [role=status]")).to_have_text(re.compile("No passkey was chosen"))
    expect(page.get_by_role("button", name="Create a passkey")).to_be_enabled()
    holder.context.close()


@pytest.mark.parametrize("answer", ["", "{}", "[1]", '{"id": "x", "response": {"clientDataJSON": "!!"}}', "\x00"])
def test_what_is_no_passkey_is_refused_in_words(office: Office, answer: str) -> None:
    office.settings.address = "https://office.example"
    headers = {"origin": "https://office.example"}
    for site, path in ((visitor(office), "/passkeys/use"), (as_person(office, person(office, "Ann")), "/me/passkeys")):
        told = site.post(path, data={"answer": answer}, headers=headers)
        assert told.status_code == 422
        assert any(words in told.text for words in ("match the request", "answer: ", "cannot be kept"))


def test_an_office_at_a_number_says_that_it_gives_no_passkeys(office: Office) -> None:
    office.settings.address = "http://127.0.0.1:8000"
    site = visitor(office)
    answer = site.post("/passkeys/ask", headers={"accept": "application/json", "origin": "http://127.0.0.1:8000"})
    assert answer.status_code == 422 and "need an address with a name" in json.loads(answer.text)["error"]


class Device:
    """A passkey made of its parts, so that it can also sign what no browser would have it sign."""

    def __init__(self, host: str = "office.example") -> None:
        self.host, self.id = host, secrets.token_bytes(16)
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.count = 0

    def _said(self, kind: str, challenge: str, origin: str) -> bytes:
        return json.dumps({"type": f"webauthn.{kind}", "challenge": challenge, "origin": origin}).encode()

    def _data(self, flags: int) -> bytes:
        self.count += 1
        return hashlib.sha256(self.host.encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def _answer(self, **response: bytes) -> str:
        told = {name: bytes_to_base64url(value) for name, value in response.items()}
        id = bytes_to_base64url(self.id)
        return json.dumps({"id": id, "rawId": id, "type": "public-key", "response": told})

    def make(self, challenge: str, origin: str = "https://office.example") -> str:
        point = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        kept = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(cose)
        shown = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": self._data(0x45) + kept})
        return self._answer(clientDataJSON=self._said("create", challenge, origin), attestationObject=shown)

    def use(self, challenge: str, origin: str = "https://office.example", flags: int = 0x05, kind: str = "get") -> str:
        data, said = self._data(flags), self._said(kind, challenge, origin)
        signature = self.key.sign(data + hashlib.sha256(said).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(clientDataJSON=said, authenticatorData=data, signature=signature)


def test_a_passkey_of_another_site_a_replayed_or_removed_one_signs_nobody_in(
    office: Office, clock: SimulatedClock
) -> None:
    office.settings.address = "https://office.example"
    ann, headers = person(office, "Ann"), {"origin": "https://office.example"}
    own, site = as_person(office, ann), visitor(office)

    def ask(of: Any, path: str) -> str:
        return str(json.loads(of.post(path, headers=headers).text)["challenge"])

    def keep(answer: str, of: Any = own) -> int:
        return int(of.post("/me/passkeys", data={"answer": answer}, headers=headers).status_code)

    def use(answer: str) -> tuple[int, bool]:
        got = visitor(office).post("/passkeys/use", data={"answer": answer}, headers=headers)
        return got.status_code, "session=" in got.headers.get("set-cookie", "")

    device, asked = Device(), ask(own, "/me/passkeys/ask")
    eve = as_person(office, person(office, "Eve"))
    assert keep(Device("evil.example").make(ask(own, "/me/passkeys/ask"))) == 422, "made for another site"
    assert keep(Device().make(ask(own, "/me/passkeys/ask"), "https://evil.example")) == 422, "on another's page"
    assert keep(Device().make(ask(site, "/passkeys/ask"))) == 409, "by a challenge for signing in"
    assert keep(device.make(asked), eve) == 409, "for somebody else"
    made = device.make(asked)
    assert keep(made) == 303 and keep(made) == 409
    assert keep(device.make(ask(eve, "/me/passkeys/ask")), eve) == 409, "a passkey has one owner"

    wrongs: list[Callable[[str], str]] = [
        lambda c: device.use(c, "https://evil.example"),
        lambda c: device.use(c, "http://office.example"),
        lambda c: device.use(c, "https://office.example.evil.example"),
        lambda c: device.use(c, flags=0x01),  # its owner was not asked who they are
        lambda c: device.use(c, kind="create"),
        lambda c: device.use(c[:-4] + "AAAA"),
        lambda c: Device().use(c),
    ]
    for wrong in wrongs:
        status, signed_in = use(wrong(ask(site, "/passkeys/ask")))
        assert status in (401, 409, 422) and not signed_in
    stolen = Device()
    stolen.id = device.id
    assert use(stolen.use(ask(site, "/passkeys/ask"))) == (422, False), "its id, and another key"
    assert use(device.use(ask(own, "/me/passkeys/ask"))) == (409, False), "a challenge for keeping one"

    good = device.use(ask(site, "/passkeys/ask"))
    assert use(good) == (303, True) and use(good) in ((409, False), (422, False)), "once"
    device.count = 1
    assert use(device.use(ask(site, "/passkeys/ask"))) == (422, False), "a copy, whose count lags behind"
    device.count = 100
    late = device.use(ask(site, "/passkeys/ask"))
    clock.advance(timedelta(minutes=6))
    assert use(late) == (409, False), "after five minutes"
    waiting = device.use(ask(site, "/passkeys/ask"))
    (kept,) = [c for c in people.credentials(office, ann) if c.kind == "passkey"]
    people.end(office, ann, kept.id)
    assert use(waiting) == (401, False), "removed"
    assert use(device.use(ask(site, "/passkeys/ask"))) == (401, False)
