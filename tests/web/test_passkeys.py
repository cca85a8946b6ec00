"""Passkeys, with Chromium's own authenticator: made on one's page, used to sign in, removed; nothing is good twice."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.errors import ConflictError
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
        self.office, self.who = office, who
        self.page.set_default_timeout(90_000)
        self.devices = self.context.new_cdp_session(self.page)
        self.devices.send("WebAuthn.enable")
        self.device = self.devices.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})["authenticatorId"]
        self.sign_in()

    def sign_in(self) -> None:
        assert self.who.person is not None
        secret = people.start_session(self.office, Actor.clock(), self.who.person).secret
        self.context.add_cookies([{"name": "session", "value": secret, "url": self.address}])

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


def test_a_challenge_is_good_once_for_its_person_and_five_minutes(office: Office, clock: SimulatedClock) -> None:
    ann, bob = person(office, "Ann"), person(office, "Bob")
    assert ann.person is not None
    challenge = people.passkey_challenge(office, ann.person)
    for who, other in ((bob, challenge), (ann, people.passkey_challenge(office)), (ann, challenge[:-1] + b"x")):
        with pytest.raises(ConflictError):
            people.keep_passkey(office, who, "x", "id", {}, other)
    people.keep_passkey(office, ann, "x", "id", {}, challenge)
    with pytest.raises(ConflictError):
        people.keep_passkey(office, ann, "x", "another", {}, challenge)
    late = people.passkey_challenge(office)
    clock.advance(timedelta(minutes=6))
    with pytest.raises(ConflictError):
        people.use_passkey(office, Actor.clock(), "id", {}, late)
    fresh = people.passkey_challenge(office)
    assert (
        people.by_secret(office, people.use_passkey(office, Actor.clock(), "id", {}, fresh).secret).person == ann.person
    )
    assert people.passkeys(office, ann) == ["id"] and people.passkeys(office, bob) == []


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
