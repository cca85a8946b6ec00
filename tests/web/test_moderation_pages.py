"""Pages of moderation, and those that an office fills in."""

from legation.cli.serving import whole_site
from legation.office.desk import letters
from legation.office.hosting import moderation
from legation.office.identity import people
from legation.office.office import Office
from tests.office.playing import administrator, begin, person
from tests.web.clients import client_of


def test_a_letter_is_reported_and_decided(office: Office) -> None:
    admin = administrator(office)
    game, players, _ = begin(office)
    letter = letters.write(office, players["England"], game.key, "England", ["France"], "You are rotten!")
    site = whole_site(office)
    france, england, boss = (client_of(site, office, who) for who in (players["France"], players["England"], admin))
    link = f"/report?game={game.key}&amp;letter={letter.id}"
    assert link in france.get(f"/games/{game.key}/letters?with=England").text
    shown = france.get(link.replace("&amp;", "&")).text
    assert "You are rotten!" in shown and "Block Player1" in shown
    sent = {"game": game.key, "letter": str(letter.id), "text": "This is abuse."}
    refused = france.post("/report", data={**sent, "text": ""})
    assert refused.status_code == 422 and "You are rotten!" in refused.text
    assert "with the administrators" in france.post("/report", data=sent).text
    assert client_of(site, office, players["Burgundy"]).post("/report", data=sent).status_code == 404
    for other in (france, england, client_of(site)):
        assert other.get("/moderation").status_code in (303, 403)
        assert other.get("/moderation/1").status_code in (303, 403)
        assert other.post("/moderation/decide", data={"report": "1"}).status_code in (303, 401, 403, 422)
    assert "Somebody was reported" in boss.get("/desk").text and 'href="/moderation"' in boss.get("/desk").text
    desk = boss.get("/moderation").text
    assert "You are rotten!" in desk and "This is abuse." in desk and "Player1" in desk
    (report,) = moderation.reports(office, admin)
    decided = {"report": str(report.id), "decision": "suspension", "days": "x", "reason": "abuse"}
    assert boss.post("/moderation/decide", data=decided).status_code == 422
    assert boss.post("/moderation/decide", data={**decided, "days": "7"}).status_code == 303
    about = f"/moderation/{report.person}"
    assert about in boss.get("/moderation").text and "Suspended until" in boss.get(about).text
    assert boss.post("/moderation/note", data={"person": str(report.person), "text": ""}).status_code == 422
    assert boss.post("/moderation/note", data={"person": str(report.person), "text": "watch"}).status_code == 303
    assert "Chief: watch" in boss.get(about).text
    lifted = boss.post("/moderation/lift", data={"person": str(report.person), "reason": "so"})
    assert lifted.headers["location"] == about


def test_somebody_is_blocked_and_no_more(office: Office) -> None:
    ann, bob = person(office, "Ann"), person(office, "Bob")
    people.set_preferences(office, bob, {"profile": True})
    number = str(office.numbers.shown("person", bob.person or 0))
    own = client_of(whole_site(office), office, ann)
    assert f"/report?person={number}" in own.get(f"/people/{number}").text
    assert "Block Bob" in own.get(f"/report?person={number}").text
    assert own.post("/me/blocks/add", data={"person": number}).status_code == 303
    assert "Bob" in own.get("/me/blocks").text and "/me/blocks" in own.get("/me").text
    assert own.post("/me/blocks/remove", data={"person": number}).status_code == 303
    assert "Nobody." in own.get("/me/blocks").text
    assert own.post("/me/blocks/add", data={"person": "x"}).status_code == 404


def test_an_office_fills_in_its_terms(office: Office) -> None:
    site = client_of(whole_site(office))
    assert site.get("/terms").status_code == 404 and "/privacy" not in site.get("/").text
    text = "# Privacy\n\nWe keep little.\n\n## Mail\n\n<script>alert(1)</script> [us](https://example.org)"
    (office.keys.parent / "privacy.md").write_text(text, encoding="utf-8")
    shown = site.get("/privacy").text
    assert "We keep little." in shown and "<script>alert" not in shown and 'href="https://example.org"' in shown
    assert 'href="/privacy">Privacy</a>' in site.get("/").text and 'href="/terms"' not in site.get("/").text
