"""Pages and answers in states that come seldom: each says what is so, and where to go on."""

import io
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import msgspec
import pytest
from fastapi import FastAPI
from PIL import Image
from starlette.testclient import TestClient

from legation.atlas import Atlas, NoMapError, for_variant
from legation.mail.mail_service import MailService
from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk
from legation.office.errors import ConflictError, UnavailableError
from legation.office.game import seats
from legation.office.hosting import absences, games, roster
from legation.office.identity import people
from legation.office.office import Office
from legation.office.operation import health, work
from legation.office.orders import submissions
from legation.office.records import DeskItem
from legation.position import Phase
from legation.print.enclosures import enclosures
from legation.print.games import GamePapers
from legation.variants import Registry
from legation.variants.registry import DATA
from legation.web import create_app
from legation.web.coordinator.desk import waiting
from legation.web.coordinator.desk_items import ZOOMS, PictureView
from legation.web.play.sheet_page import counts_in_words
from legation.web.public import maps, rulebooks
from legation.web.public.maps import map_of, rules_of
from legation.web.serving import bounds
from legation.web.serving.documents import DocumentCache, DocumentTooLargeError
from legation.web.serving.pages import PageError, left_in_words
from tests.mail.conftest import Outbox
from tests.office.playing import begin, passes, person, picture
from tests.office.test_hidden_senders import World, foggy_office  # noqa: F401
from tests.web.clients import asked_by_hand, new_game
from tests.web.test_players import as_person, visitor
from tests.web.test_sandbox import judged, opened

PICTURE = ("sheet.jpg", b"\xff\xd8 a photograph", "image/jpeg")


# One's own page


def test_addresses_and_absences_are_taken_away(office: Office) -> None:
    ann = person(office, "Ann")
    address = roster.add_address(office, ann, ["1 High Street"], "UK", primary=True)
    absence = absences.announce(office, ann, "2026-04-01", "2026-04-10")
    site = as_person(office, ann)
    for at in (f"/me/addresses/{address.id}/remove", f"/me/absences/{absence.id}/remove"):
        assert site.post(at).headers["location"] == "/me"
        assert site.post(at).status_code == 404, "it is gone"
    assert roster.addresses(office, ann) == [] and absences.absences(office, ann) == []


def test_while_the_office_is_away_pages_for_everybody_stay_and_others_say_so(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise UnavailableError("The database is away.")

    record, _, _ = begin(office)
    site = as_person(office, person(office, "Ann"))
    monkeypatch.setattr(people, "by_secret", away)
    assert site.get("/variants").status_code == 200 and "My page" not in site.get("/variants").text
    assert site.get("/me").status_code == 503
    refused = site.get("/api/v1/me", headers={"authorization": "Bearer x"})
    assert refused.status_code == 503 and refused.headers["retry-after"]
    assert refused.headers["content-type"].startswith("application/problem+json")
    monkeypatch.setattr(seats, "invitation", away)
    answer = visitor(office).get(f"/games/{record.key}/invitation/secret")
    assert answer.status_code == 503 and "Nothing is lost" in answer.text


@pytest.mark.parametrize(
    ("left", "told"),
    [
        (timedelta(seconds=-90), "past"),
        (timedelta(seconds=20), "in less than a minute"),
        (timedelta(minutes=59), "in 59 min"),
        (timedelta(hours=2), "in 2 h"),
        (timedelta(hours=2, minutes=5), "in 2 h 5 min"),
        (timedelta(days=3), "in 3 d"),
        (timedelta(days=3, hours=4), "in 3 d 4 h"),
    ],
)
def test_what_is_left_until_a_time(left: timedelta, told: str) -> None:
    assert left_in_words(left) == told


# The sheet


def test_a_sheet_of_a_game_that_has_not_begun_and_of_a_turn_that_has_passed(
    office: Office, clock: SimulatedClock
) -> None:
    host, eve = person(office, "Host"), person(office, "Eve")
    made = games.create(office, host, {"name": "Naseby", "variant": "hundred"})
    seats.sign_up(office, eve, made.key, invitation=games.invite(office, host, made.key, "", "France").secret)
    refused = as_person(office, eve).post(f"/games/{made.key}/sheet/send", data={"text": "A par H"})
    assert refused.status_code == 409 and "hasn’t started" in refused.text
    record, players, _ = begin(office)
    site = as_person(office, players["France"])
    passes(office, clock, timedelta(days=1))
    late = site.post(f"/games/{record.key}/sheet/send", data={"text": "A par - orl", "turn": "1425 Movement"})
    assert "A par - orl" in late.text, "what was written is in the box"
    assert submissions.mine(office, players["France"], record.key, "France") == [], "and was sent for no other turn"
    odd = site.post(f"/games/{record.key}/sheet/send", data={"text": "A par H\x00"})
    assert odd.status_code == 422 and "a character in it that cannot be kept" in odd.text
    unsigned = site.post(f"/games/{record.key}/sheet/send", data={"text": "A par H", "signatures": "xyzzy"})
    assert unsigned.status_code == 422 and "Nothing was sent; what you wrote is in the box" in unsigned.text
    assert ">A par H</textarea>" in unsigned.text
    assert submissions.mine(office, players["France"], record.key, "France") == []
    assert site.get(f"/games/{record.key}/sheet/receipt-7.txt").status_code == 404
    sent = submissions.submit(office, players["France"], record.key, "France", "A par H")
    receipt = site.get(f"/games/{record.key}/sheet/receipt-{sent.version}.txt")
    assert sent.commitment in receipt.text and "A par" not in receipt.text
    assert receipt.headers["content-disposition"] == f'attachment; filename="{record.key}-France-1.txt"'


def test_orders_that_come_by_post_alone_are_told_so_on_the_page(office: Office) -> None:
    record, players, _ = begin(office, coordinated=True, channels={"Movement": ["post", "mail"]})
    page = " ".join(as_person(office, players["France"]).get(f"/games/{record.key}").text.split())
    assert "e-mail or post" in page


@pytest.mark.parametrize(
    ("phase", "counts", "told"),
    [
        (Phase.ADJUSTMENTS, {"removals": 2, "builds": 0}, "2 to remove"),
        (Phase.ADJUSTMENTS, {"removals": 0, "builds": 1}, "1 to build"),
        (Phase.ADJUSTMENTS, {"removals": 0, "builds": 0}, "nothing to build or remove"),
        (Phase.PLACEMENT, {"removals": 0, "builds": 3}, "3 to place"),
    ],
)
def test_what_an_adjustment_asks_for(phase: Phase, counts: dict[str, int], told: str) -> None:
    assert counts_in_words(counts, phase) == told


def test_a_game_that_gathers_has_a_desk_and_a_page_without_parts(office: Office) -> None:
    host = person(office, "Host")
    made = games.create(office, host, {"name": "Naseby", "variant": "hundred", "settings": {"coordinated": True}})
    for tab in ("results", "sheet", "powers", "1425-movement"):
        answer = as_person(office, host).get(f"/games/{made.key}/{tab}")
        assert (answer.status_code, answer.headers.get("location")) == (303, f"/games/{made.key}"), tab
    record, players, _ = begin(office)
    present = as_person(office, players["France"]).get(f"/games/{record.key}/1425-movement")
    assert present.status_code == 200 and "England" in present.text
    page = as_person(office, host).get(f"/desk/{made.key}")
    assert page.status_code == 200 and "have sent" not in page.text and 'id="extend-until"' not in page.text


# The desk


def test_a_picture_is_looked_at_from_all_sides() -> None:
    view = PictureView()
    for act, wanted in (
        ("nearer", PictureView(zoom=2)),
        ("farther", PictureView()),
        ("turn", PictureView(quarters=1)),
        ("contrast", PictureView(contrast=True)),
        ("picture 1", PictureView(picture=1)),
        ("picture 9", PictureView()),
        ("picture x", PictureView()),
        ("jump", PictureView()),
    ):
        assert view.after(act, 2) == wanted, act
    for _ in range(20):
        view = view.after("nearer", 1).after("turn", 1)
    assert (view.zoom, view.quarters) == (ZOOMS, 0)


def test_what_waits_tells_the_game_though_it_is_no_longer_listed(office: Office, clock: SimulatedClock) -> None:
    _, players, boss = begin(office, coordinated=True, ready_ends=False)
    record = games.game(office, boss, "powick-bridge")
    submissions.submit_pictures(office, players["England"], record.key, "England", [PICTURE])
    passes(office, clock, timedelta(days=1))
    (item,) = desk.items(office, boss)
    (row,) = waiting([], [item])
    assert record.key in row.text and row.address == f"/desk/{record.key}/{item.id}"
    failed: DeskItem = msgspec.structs.replace(item, kind="failed", game="", turn="", text="Something came.")
    assert waiting([], [failed])[0].text == "Something came."


# Maps, variants, rules


def test_a_variant_that_cannot_be_used_just_now_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd.toml").write_text('title = "Odd"\nboard = "nowhere"\n')
    registry = Registry(installed=False)
    registry.add_file(tmp_path / "odd.toml")
    with pytest.raises(PageError) as caught:
        rules_of("odd", registry)
    assert caught.value.status_code == 503 and "nowhere" in str(caught.value.detail)

    def unmapped(*_: object) -> None:
        raise NoMapError("nobody has drawn it")

    monkeypatch.setattr(maps, "for_variant", unmapped)
    maps._map_of.cache_clear()
    with pytest.raises(PageError, match="has no map: nobody has drawn it"):
        map_of("hundred")
    maps._map_of.cache_clear()


def test_pages_know_the_variants_of_the_office(make_office: Callable[..., Office], tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    text = Path(str(DATA), "hundred.toml").read_text(encoding="utf-8")
    text = text.replace('name = "hundred"\n', "").replace('title = "Hundred"', 'title = "Hundred at Home"')
    (folder / "athome.toml").write_text(text, encoding="utf-8")
    office = make_office(variants=str(folder))
    ann = person(office, "Ann")
    site = as_person(office, ann)
    for at in ("/variants", "/rules", "/games/new", "/demo", "/sandbox/start"):
        assert "athome" in site.get(at).text, at
    at = "/variants/athome"
    for part in ("", "/rules", "/moves?place=paris", "/balance", "/print", "/map.svg", "/moves.html"):
        assert site.get(at + part).status_code == 200, part
    assert site.get(f"{at}/print/board-A4.pdf").content.startswith(b"%PDF")
    assert 'value="athome" selected' in site.get("/games/new?variant=athome").text
    made = site.post("/games/new", data=new_game("Home Game", "athome"))
    assert made.status_code == 303, made.text
    assert games.game(office, Actor.console(), "home-game").variant == "athome"


def test_a_case_that_there_is_not_and_a_picture_that_there_is_not(site: TestClient) -> None:
    answer = site.get("/rules/datc/6.Z.99")
    assert answer.status_code == 404 and "no drawing for case 6.Z.99" in answer.text and "/rules/proof" in answer.text
    assert site.get("/maps/standard/x/nothing.svg").status_code == 404
    moves = {"F lon eng": 200, "A yor nwy nth": 200, "A lon": 404, "A lon nowhere": 404}
    assert {move: site.get(f"/maps/standard/x/way.json?move={move}").status_code for move in moves} == moves


# The sandbox


def test_a_position_that_no_longer_fits_its_variant_and_one_too_large_to_keep(
    app: FastAPI, site: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = opened(site)
    shelf: DocumentCache = app.state.documents
    node = shelf.get(at.rpartition("/")[2])
    assert node is not None
    node["position"]["units"]["France"] = ["A nowhere"]
    gone = site.get(f"/sandbox/{shelf.put(node)}")
    assert gone.status_code == 410 and "no longer fits the rules" in gone.text
    second = judged(site, at, "France: A par - bur")
    kept = shelf.get(second.rpartition("/")[2])
    assert kept is not None
    orphan = site.get(f"/sandbox/{shelf.put({**kept, 'before': 'gone'})}")
    assert orphan.status_code == 200, "the turns before it are no longer kept, but it is"

    def full(*_: object) -> str:
        raise DocumentTooLargeError("it has 9 MB")

    monkeypatch.setattr(shelf, "put", full)
    refused = site.get("/sandbox/new", params={"variant": "standard"})
    assert refused.status_code == 413 and "This position cannot be kept: it has 9 MB." in refused.text


# Games


def test_a_result_that_is_taken_back_while_it_is_looked_at(
    office: Office, clock: SimulatedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, players, _ = begin(office)
    passes(office, clock, timedelta(days=1))
    site = as_person(office, players["France"])

    def gone(*_: object) -> None:
        raise ConflictError("The results of 1425 Movement are not published yet.")

    monkeypatch.setattr(games, "result", gone)
    assert site.get(f"/games/{record.key}/results").status_code == 200


def test_pages_are_given_to_a_network_so_often_and_what_reads_a_whole_journal_more_rarely(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interface had such limits, its pages none: whoever was refused there went on here."""
    record, _, _ = begin(office)
    monkeypatch.setattr(bounds, "PAGES_A_MINUTE", 12)
    monkeypatch.setattr(bounds, "JOURNALS_A_MINUTE", 4)
    site, at = visitor(office), f"/games/{record.key}"
    journals = ["transcript.jsonl", "transcript.jsonl", "saved.json", "proofs"] * 2
    statuses = [site.get(f"{at}/{name}").status_code for name in journals]
    assert 429 not in statuses[:4] and statuses[4:] == [429] * 4
    assert [site.get(page).status_code for page in (at, "/", "/games", "/variants/hundred")] == [200] * 4
    for page in (at, "/", "/games", "/variants/hundred", "/sandbox", f"{at}/transcript.jsonl"):
        refused = site.get(page)
        assert refused.status_code == 429 and "Wait a minute" in refused.text, page
    assert site.get("/favicon.ico").status_code != 429
    assert site.get(f"/api/v1{at}").status_code == 200, "what programs ask is counted apart"


def test_a_game_is_made_with_an_option_that_is_not_the_usual_one(office: Office) -> None:
    form = new_game("Naseby") | {"option english_fleet": "english channel"}
    made = as_person(office, person(office, "Ann")).post("/games/new", data=form)
    assert made.status_code == 303, made.text
    assert games.game(office, Actor.console(), "naseby").options == {"english_fleet": "english channel"}


@pytest.mark.parametrize(
    ("schedule", "told"),
    [("36 h", "Spring 1901 Movement"), ("some day", "isn’t understood yet"), ("", "its dates stand here")],
)
def test_the_dates_of_a_schedule_are_told_while_it_is_written(office: Office, schedule: str, told: str) -> None:
    form = {"do": "look", "variant": "standard", "schedule": "other", "own_schedule": schedule}
    page = as_person(office, person(office, "Ann")).post("/games/new", data=form).text
    assert told in page.partition('id="calendar"')[2]


def test_a_search_for_addresses_that_need_signing_in_leads_there_and_back(office: Office) -> None:
    site = visitor(office)
    page = site.get("/me?tab=mail")
    assert page.status_code == 303 and page.headers["location"] == "/sign-in?next=/me%3Ftab%3Dmail"
    assert site.post("/me/absences", data={}).status_code == 401


# What came last to be looked at


def test_a_replacement_is_sought_among_the_players(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(
        office, coordinated=True, missing="replace", missing_after=1, ready_ends=False, approve=False
    )
    for power in ("England", "France"):
        submissions.submit(office, players[power], record.key, power, "draw")
    passes(office, clock, timedelta(days=1, minutes=1))
    desk_page = as_person(office, boss).get("/desk").text
    assert f'href="/desk/{record.key}/players"' in desk_page and "Burgundy" in desk_page


def test_pictures_are_sent_on_the_page_and_of_a_pdf_each_page_is_one(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(office, coordinated=True, ready_ends=False)
    site = as_person(office, players["England"])
    files = [("pictures", ("sheet.pdf", picture(form="PDF"), "application/pdf"))]
    sent = site.post(f"/games/{record.key}/sheet/pictures", data={"note": "both sides"}, files=files)
    assert sent.status_code == 200 and "England" in sent.text and "It counts unless you send a new version" in sent.text
    passes(office, clock, timedelta(days=1, minutes=1))
    (item,) = desk.items(office, boss)
    (digest, *_) = desk.item(office, boss, item.id).facts["files"]
    shown = as_person(office, boss).get(f"/desk/{record.key}/{item.id}/pictures/{digest}")
    assert shown.headers["content-type"] == "image/png"
    assert Image.open(io.BytesIO(shown.content)).width > Image.open(io.BytesIO(shown.content)).height


def test_orders_are_sent_and_ready_on_one_page(office: Office) -> None:
    record, players, _ = begin(office, ready_ends=True)
    site = as_person(office, players["France"])
    form = {"text": "A par - orl", "ready": "on", "key": "once"}
    sent = site.post(f"/games/{record.key}/sheet/send", data=form)
    assert sent.status_code == 200 and "France" in sent.text
    assert (
        '<span class="script-only">; this page goes on to the results by itself' in sent.text
        and "data-waits" in sent.text
    )
    assert f'data-then="/games/{record.key}/1425-movement"' in sent.text, "of the turn that was ordered"
    assert next(s for s in games.game(office, players["France"], record.key).seats if s.power == "France").ready


def test_a_movement_is_told_when_the_retreats_after_it_are_over_too(office: Office, clock: SimulatedClock) -> None:
    record, players, _ = begin(office, ready_ends=False)
    for power, text in {"England": "A nmd - par\nA cal S A nmd - par", "Burgundy": "A dij S A nmd - par"}.items():
        submissions.submit(office, players[power], record.key, power, text)
    for _ in range(2):
        passes(office, clock, timedelta(days=1, minutes=1))
    site = as_person(office, players["England"])
    sheet = site.get(f"/games/{record.key}").text
    assert "What happened in 1425<" in sheet
    assert f'href="/games/{record.key}/1425-movement">See it on the map' in sheet
    assert "France&#39;s dislodged Army Paris was disbanded." in sheet and "can retreat to" not in sheet
    assert "Give orders for 1430 Movement" in site.get(f"/games/{record.key}/1425-movement").text


def test_a_sheet_says_how_each_version_came_and_asks_first_for_what_it_waits_for(office: Office) -> None:
    record, players, _ = begin(office)
    for channel in ("mail", "api", "web"):
        submissions.submit(office, players["France"].by(channel), record.key, "France", "A par H")
    page = as_person(office, players["France"]).get(f"/games/{record.key}").text
    for how in ("by e-mail: replaced by a later version", "by program: replaced by a later version", "by page: counts"):
        assert how in page
    # a script for which the page stops to be read is not behind all those that can come later
    assert 0 < page.index("hold.js") < page.index("modulepreload") < page.index("</head>")


def test_a_draw_that_a_power_without_a_player_prevents_is_told(office: Office) -> None:
    record, players, _ = begin(office)
    site = as_person(office, players["France"])
    told = "A draw needs the vote of every power that survives, and "
    assert told not in site.get(f"/games/{record.key}").text
    seats.resign(office, players["England"], record.key, "England")
    assert f"{told}England has no player now." in site.get(f"/games/{record.key}").text
    seats.resign(office, players["Burgundy"], record.key, "Burgundy")
    assert f"{told}Burgundy and England have no player now." in site.get(f"/games/{record.key}").text


def test_in_the_fog_maps_are_shaded_and_no_chart_tells_how_many_centers_others_have(tmp_path: Path, fog: Path) -> None:
    world = World(tmp_path / "office", fog, "France")
    told = "You can’t see the shaded provinces"

    def page(actor: Actor, part: str = "") -> str:
        return as_person(world.office, actor).get(f"/games/{world.key}{part}").text

    seen = page(world.players["England"])
    assert told in seen and "#s-mos" in seen.partition('data-slot=\\"fog\\"')[2].partition("</g>")[0]
    assert "#s-lon" not in seen.partition('data-slot=\\"fog\\"')[2].partition("</g>")[0]
    world.clock.advance(timedelta(days=1, minutes=1))
    work.run_due(world.office)
    results = page(world.players["England"], "/results")
    assert told in results and "#s-mos" in results.partition('data-slot=\\"fog\\"')[2].partition("</g>")[0]
    assert games.turns(world.office, world.players["England"], world.key)[0].state in ("draft", "final")
    assert "You can’t see any order of this turn." in page(world.host, "/results")
    desk = as_person(world.office, world.host)  # who runs it for no coordinator sees no more there
    assert "#s-mos" in desk.get(f"/desk/{world.key}/results").text.partition('data-slot=\\"fog\\"')[2]
    assert 'data-hidden="mos"' in desk.get(f"/desk/{world.key}/results/map-light.svg").text
    powers = page(world.players["England"], "/powers")
    assert "England" in powers and "Centers by year" not in powers


def test_tables_that_could_not_be_made_are_told_counted_and_tried_again_later(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = [0]

    def table(*_: object) -> list[dict[str, object]]:
        tried[0] += 1
        if tried[0] == 1:
            raise ValueError("a file is missing")
        return []

    monkeypatch.setattr(rulebooks, "clause_table", table)
    monkeypatch.setattr(rulebooks, "datc_table", list)
    monkeypatch.setattr(rulebooks, "proof", proof := rulebooks._Proof())
    site = visitor(office)

    def ask() -> int:
        if proof._runner is not None:
            proof._runner.join(60)
        return site.get("/rules/proof").status_code

    assert ask() == 202
    assert [ask(), ask()] == [503, 503] and tried == [1], "whoever looks again has nothing run again"
    assert 'legation_failures_total{kind="ValueError",what="conformance"} 1.0' in health.metrics(office).decode()
    monkeypatch.setattr(rulebooks._Proof, "AGAIN", 0.0)  # the pause is over
    assert ask() in (202, 200) and ask() == 200 and tried == [2]


def test_files_have_the_names_of_their_games_in_all_letters(office: Office, clock: SimulatedClock) -> None:
    """A file's name stands in a header, which has letters of Latin-1 and no ends of lines."""
    record, players, _ = begin(office, name='Žižka \N{EM DASH} "Tábor"')
    site = as_person(office, players["France"])
    submissions.submit(office, players["France"], record.key, "France", "A par H")
    passes(office, clock, timedelta(days=2))
    saved = site.get(f"/games/{record.key}/saved.json").headers["content-disposition"]
    assert saved.startswith("attachment; filename=")
    assert unquote(saved.partition("filename*=UTF-8''")[2]) == 'Žižka \N{EM DASH} "Tábor".json'
    evil = quote('Žižka\r\n\r\n"Tábor"', safe="")
    for address in (
        f"{quote('Žižka Tábor')}/transcript.jsonl",
        f"{evil}/transcript.jsonl",
        f"{quote('Žižka Tábor')}/sheet/receipt-1.txt?turn=1",
    ):
        told = site.get(f"/games/{address}")
        assert told.status_code == 200, (address, told.status_code)
        assert not any(ends in told.headers.get("content-disposition", "") for ends in "\r\n")


@pytest.mark.long
def test_all_maps_of_a_player_are_shaded_alike(tmp_path: Path, fog: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures, papers and mails: each with its legend, and what the reader sees is not shaded."""
    drawn: list[str] = []

    def svg(self: Atlas, *args: Any, **options: Any) -> str:
        made = whole(self, *args, **options)
        if self is atlas:  # a thread that an earlier test began may draw other maps meanwhile
            drawn.append(made)
        return made

    def maps_of(make: Callable[[], object]) -> list[str]:
        drawn.clear()
        make()
        assert drawn
        return list(drawn)

    def shaded(made: str) -> bool:
        assert ("data-hidden" in made) == ("provinces are out of sight" in made)
        return ('data-hidden="mos"' in made and 'data-hidden="lon"' not in made) and (
            "; out of sight</title>" in made or "out of sight: units may stand there" in made
        )

    world = World(
        tmp_path / "office", fog, "France", coordinated=True, channels={"Adjustments": ["web", "api", "mail", "post"]}
    )
    atlas, whole = for_variant("foggy", world.office.variants), Atlas.svg
    monkeypatch.setattr(Atlas, "svg", svg)
    office, key, england = world.office, world.key, world.players["England"]
    for power in ("England", "Turkey"):
        roster.add_address(office, world.players[power], ["1 High Street"], "Home", primary=True)
    roster.add_address(office, world.host, ["2 High Street"], "Home", primary=True)
    player, boss = as_person(office, england), as_person(office, world.host)
    assert all(map(shaded, maps_of(lambda: GamePapers(office, england, key).packet("England"))))
    assert sum(map(shaded, maps_of(lambda: GamePapers(office, world.host, key).packets()))) == 1
    for part in ("now/map-light.svg", "now/map.png"):
        assert all(map(shaded, maps_of(lambda part=part: player.get(f"/games/{key}/{part}"))))  # type: ignore[misc]
        (seen,) = maps_of(lambda part=part: boss.get(f"/games/{key}/{part}"))  # type: ignore[misc]
        assert not shaded(seen), "the coordinator sees all"
    outbox = Outbox()
    counter = MailService(office, outbox, papers=enclosures)
    assert sum(map(shaded, maps_of(counter.send_waiting))) == 2, "the map and the order sheet of a game's first mail"
    world.play()
    assert sum(map(shaded, maps_of(counter.send_waiting))) == 2, "the map of a turn's results and the next order sheet"
    while games.game(office, world.host, key).turn.number < 5:  # type: ignore[union-attr]
        world.play()
    made = maps_of(lambda: GamePapers(office, world.host, key).letters())
    england_s, turkey_s = made[:3], made[3:]  # the position, and control before and after the year
    assert all(map(shaded, england_s)) and len(turkey_s) == 3
    assert 'data-hidden="lon"' in turkey_s[0] and not any(map(shaded, turkey_s))


def test_a_browser_that_goes_on_before_it_has_sent_all_fails_nothing(office: Office) -> None:
    """As the desk's page does, which asks anew for each key that is pressed."""
    record, _, boss = begin(office, coordinated=True)
    assert boss.person is not None
    secret = people.start_session(office, Actor.clock(), boss.person, "tests").secret

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    told = asked_by_hand(
        create_app(office), "POST", f"/desk/{record.key}/1/readings", receive,
        content_type="application/x-www-form-urlencoded", origin="http://testserver", cookie=f"session={secret}",
    )  # fmt: skip
    assert [message["status"] for message in told if message["type"] == "http.response.start"] == [400]
