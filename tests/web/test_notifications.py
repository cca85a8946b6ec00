"""Notifications: asked for by a button and never before, listed, switched; and what the service worker shows."""

import json

import pytest
from playwright.sync_api import Browser, expect

from legation.office.identity import browsers, people
from legation.office.office import Office
from legation.web import create_app
from tests.office.playing import person
from tests.office.test_pushes import Device
from tests.web.clients import client_of
from tests.web.visiting import IN_PAGES, visited

SUBSCRIBED = """PushManager.prototype.subscribe = async function (options) {
    const plain = (text) => atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    const bytes = (text) => Uint8Array.from(plain(text), (c) => c.charCodeAt(0)).buffer;
    window.key = options.applicationServerKey.length;
    return { endpoint: %s, getKey: (name) => bytes({ p256dh: %s, auth: %s }[name]) };
};"""


@pytest.mark.long
@pytest.mark.browser
def test_notifications_are_asked_for_by_a_button(whole_browser: Browser, office: Office) -> None:
    ann, device = person(office, "Ann"), Device().subscription
    with visited(office, whole_browser, ann) as visit:
        context, page = visit.context, visit.page
        context.grant_permissions(["notifications"], origin=visit.address)
        context.add_init_script(f"({IN_PAGES['countAsking']})()")
        context.add_init_script(SUBSCRIBED % tuple(json.dumps(device[k]) for k in ("endpoint", "p256dh", "auth")))
        visit.go("/me")
        button = page.get_by_role("button", name="Turn on in this browser")
        expect(button).to_be_enabled()
        assert page.evaluate("window.asked") == 0, "never on load"
        button.click()
        expect(page.get_by_role("button", name="Turn off in")).to_be_visible()
        expect(page.locator("#push-state")).to_have_text("Notifications are on in this browser.")
        expect(button).to_be_hidden()
        assert len(browsers.browsers(office, ann)) == 1
        # what the service worker makes of a notification
        tools = context.new_cdp_session(page)
        registrations: list[str] = []
        tools.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda event: registrations.extend(r["registrationId"] for r in event["registrations"]),
        )
        tools.send("ServiceWorker.enable")
        for _ in range(1500):
            if not registrations:
                page.wait_for_timeout(20)  # which lets what the browser tells come in
        told = {"title": "Powick Bridge", "body": "It’s your turn.", "url": "/games/powick-bridge", "tag": "x"}
        push = {"origin": visit.address, "registrationId": registrations[-1], "data": json.dumps(told)}
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        for _ in range(60):  # a push that comes while its worker starts on a busy machine may be dropped by the browser
            tools.send("ServiceWorker.deliverPushMessage", push)
            if shown := page.evaluate(IN_PAGES["shownNotification"]):
                break
        assert shown == ["Powick Bridge", "It’s your turn.", "/games/powick-bridge"]
        (worker,) = context.service_workers
        assert worker.evaluate(IN_PAGES["clicked"]) == [["/games/powick-bridge"], 0]
        page.get_by_role("button", name="Turn off in").click()
        expect(page.get_by_role("button", name="Turn off in")).to_have_count(0)
        expect(page.locator("#push-state")).to_have_text("Notifications are off in this browser.")
        expect(button).to_be_enabled()


def test_switches_and_quiet_hours(office: Office) -> None:
    ann = person(office, "Ann")
    site = client_of(create_app(office), office, ann)
    site.cookies.set("zone", "Europe/Paris")
    wanted = {"wanted": ["turn", "results"], "quiet_from": "22:00", "quiet_to": "07:00"}
    assert site.post("/me/pushes", data=wanted).status_code == 303
    kept = people.me(office, ann).preferences
    assert set(kept["unpushed"]) == {"clock", "desk", "letter", "reminder", "vote"}
    assert (kept["quiet_from"], kept["quiet_to"], kept["zone"]) == ("22:00", "07:00", "Europe/Paris")
    assert site.post("/me/pushes", data={"quiet_from": "99:99", "quiet_to": "07:00"}).status_code == 422
    refused = site.post("/me/browsers", data={**Device().subscription, "endpoint": "https://10.0.0.1/x"})
    assert refused.status_code == 422 and "a push service" in refused.text
    assert site.post("/me/browsers", data=Device().subscription).status_code == 303
    other = client_of(create_app(office), office, ann)  # another browser of hers
    for browser, state in ((site, "<strong>on</strong> in"), (other, "off in")):
        page = browser.get("/me").text
        assert f"Notifications are {state} this browser." in page and "Turn off" in page
    office.settings.push = False  # where no browser is notified, quiet hours are those of mails about the desk
    shown = site.get("/me").text
    assert "Notifications" not in shown and "Mails about your desk wait until they end." in shown
    quiet = {"wanted": ["results"], "quiet_from": "21:00", "quiet_to": "06:00"}
    assert site.post("/me/mail", data=quiet).status_code == 303
    kept = people.me(office, ann).preferences
    assert (kept["quiet_from"], kept["quiet_to"], kept["zone"]) == ("21:00", "06:00", "Europe/Paris")
    assert {"desk", "second reading"} <= set(kept["quiet"]) and "results" not in kept["quiet"]
