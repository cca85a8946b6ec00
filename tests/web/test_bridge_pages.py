"""Pages of bridges: a new one with its secret, once; what is refused; whose they are."""

from __future__ import annotations

import re

from legation.cli.serving import whole_site
from legation.office.desk import bridges
from legation.office.office import Office
from tests.office.playing import begin, person
from tests.web.clients import client_of

HOOK = "https://hooks.example.org/secret-path"


def test_a_games_bridge_is_added_tested_and_removed_on_its_desk(office: Office) -> None:
    game, players, host = begin(office, coordinated=True)
    site, at = whole_site(office), f"/desk/{game.key}/bridges"
    own, player = client_of(site, office, host), client_of(site, office, players["France"])
    assert "There are none." in own.get(at).text and at in own.get(f"/desk/{game.key}").text
    refused = own.post(at, data={"address": "https://localhost/x", "results": "on"})
    assert refused.status_code == 422 and "not a public host" in refused.text and "https://localhost/x" in refused.text
    assert own.post(at, data={"address": HOOK}).status_code == 422
    made = own.post(at, data={"address": HOOK, "results": "on", "letters": "on"})
    assert made.status_code == 200 and re.search(r"whsec_[\w+/=]{40,}", made.text)
    shown = own.get(at).text
    assert "whsec_" not in shown and "secret-path" not in shown and "hooks.example.org: results, letters" in shown
    (bridge,) = bridges.bridges(office, host, game.key)
    assert player.get(at).status_code == 403
    assert player.post(at, data={"address": HOOK, "results": "on"}).status_code == 403
    assert player.post(f"{at}/remove", data={"bridge": str(bridge.id)}).status_code == 403
    assert own.post(f"{at}/test", data={"bridge": str(bridge.id)}).status_code == 303
    assert own.post(f"{at}/test", data={"bridge": "x"}).status_code == 404
    assert own.post(f"{at}/remove", data={"bridge": str(bridge.id)}).status_code == 303
    assert bridges.bridges(office, host, game.key) == []


def test_ones_own_bridges(office: Office) -> None:
    site = whole_site(office)
    ann, eve = person(office, "Ann"), person(office, "Eve")
    own, other = client_of(site, office, ann), client_of(site, office, eve)
    assert client_of(site).get("/me/bridges").headers["location"].startswith("/sign-in")
    assert "/me/bridges" in own.get("/me").text
    assert own.post("/me/bridges", data={"address": HOOK, "deadlines": "on"}).status_code == 200
    number = str(bridges.own(office, ann)[0].id)
    assert "hooks.example.org" not in other.get("/me/bridges").text
    assert other.post("/me/bridges/remove", data={"bridge": number}).status_code == 404
    assert own.post("/me/bridges/test", data={"bridge": number}).status_code == 303
    assert own.post("/me/bridges/remove", data={"bridge": number}).status_code == 303
