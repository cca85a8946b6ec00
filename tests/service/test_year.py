"""The service's clauses, each looked for in the first game year as it was played over the wire."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pypdfium2
import pytest
from PIL import Image

from legation.game.lots import check_lots
from legation.judge import draw
from legation.mail.subjects import fold
from legation.proofs.chain import JournalLine
from legation.proofs.lots import deal, lot_seed, turn_commitment
from legation.proofs.transcript import read_transcript
from tests.feeds.ics import read
from tests.service.world import serve, text_of
from tests.service.year import GAME, NAMES, OPENS, SECRET, Year, play

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Year]:
    with serve(tmp_path_factory.mktemp("year") / "office", OPENS) as service:
        yield play(service)


def orders(year: Year, turn: str, power: str) -> list[str]:
    """What counted of a power."""
    (sheet,) = [s for s in year.turns[turn]["sheets"] if s["power"] == power]
    return list(sheet["orders"])


def verdict(year: Year, turn: str, order: str) -> str:
    """What became of an order."""
    (found,) = [v["outcome"] for v in year.turns[turn]["verdicts"] if v["order"] == order]
    return str(found)


SUMMER, AUTUMN, WINTER = "Summer 1642 Movement", "Autumn 1642 Movement", "Winter 1643 Adjustments"


@pytest.mark.clause("W-20a")
def test_the_orders_that_open_a_season_come_by_post(year: Year) -> None:
    desk = year.seen["desk"]
    assert {power for kind, power in desk if kind == "transcribe"} == set(year.players)
    assert {power for kind, power in desk if kind == "unposted"} == {"Argyll", "Protectorate"}
    sheets = {s["power"]: s for s in year.turns[SUMMER]["sheets"]}
    assert sheets["Newcastle"]["channel"] == "post" and sheets["Newcastle"]["transcribed"]
    assert orders(year, SUMMER, "Newcastle") == ["A durham - nthumb"]


@pytest.mark.clause("W-20b")
def test_a_photograph_revises_and_the_text_beside_it_is_not_read(year: Year) -> None:
    """The mail itself moved F Bristol and A Worcestershire; the picture held F Bristol."""
    given = orders(year, SUMMER, "Crown")
    assert "F bristl H" in given and not any("lunsea" in o or "shrops" in o for o in given)
    (sheet,) = [s for s in year.turns[SUMMER]["sheets"] if s["power"] == "Crown"]
    assert (sheet["version"], sheet["channel"]) == (2, "mail")
    assert sheet["received"] == "2026-03-09T12:00:00Z"  # when it came, to the microsecond


@pytest.mark.clause("W-20b")
def test_the_filed_picture_says_nothing_of_where_it_was_taken(year: Year) -> None:
    with Image.open(io.BytesIO(year.seen["picture"])) as filed:
        assert filed.size == (600, 400)
        assert not dict(filed.getexif())
    assert b"Telephone" not in year.seen["picture"]


@pytest.mark.clause("W-20c")
def test_subjects_are_read_as_the_rulebook_and_as_people_write_them(year: Year) -> None:
    """Each revision came under a subject to the letter; the retreat under one with commas, a wrong case and Re:."""
    receipts = [text for party in year.players.values() for text in year.service.sink.to(party.email, "answer")]
    assert any("Crown, Summer 1642 Movement: 1 picture received" in text for text in receipts)
    assert "A crtip R clonm" in year.seen["retreat receipt"]
    assert fold("powick bridge") in fold(
        [str(m["Subject"]) for r, m in year.service.sink.mails if r == year.at("Confederacy").email][-1]
    )


@pytest.mark.clause("W-20d")
def test_nobody_sees_an_order_before_the_deadline(year: Year) -> None:
    """Every question of the API by every role, every mail that had left, every byte that was kept but the keys, and the
    log."""
    looks = year.seen["looks"]
    assert set(looks) == {"coordinator", "player", "person", "visitor"}
    for who, seen in looks.items():
        assert "Powick Bridge" in seen
        for secret in (SECRET, "- lunsea", "- shrops", "bounced", "A carlis - eskd"):  # rules name places alone
            assert secret not in seen, who
    assert b"powick-bridge" in year.seen["bytes"]
    for hidden in (SECRET.encode(), b"lunsea", b"A worcs - shrops", b"carlis - anith"):
        assert hidden not in year.seen["bytes"]
    assert SECRET not in year.seen["mails before"]


@pytest.mark.clause("W-20d")
def test_no_log_tells_orders_addresses_or_tokens(year: Year) -> None:
    log = (year.service.folder / "office.log").read_text()
    assert "mail taken" in log and "mail unmatched" in log
    assert SECRET not in log and "crtip" not in log
    for party in [*year.players.values(), year.host]:
        assert party.email not in log and party.token not in log
    assert "printer@copyshop.example" not in log and "High Street" not in log


@pytest.mark.clause("W-20e")
def test_version_instructions_with_a_picture_are_the_coordinator_s_to_read(year: Year) -> None:
    assert ("choose", "Cumberland") in year.seen["desk"]
    assert "replaces v1 only if Montrose has written" in year.seen["versions"]["2"]
    assert orders(year, SUMMER, "Cumberland") == ["A carlis - eskd"]  # the first was chosen
    chosen = [e for e in year.host.client.call("GET", f"/games/{GAME}/journal", limit=1000) if e["kind"] == "chosen"]
    (entry,) = [e for e in chosen if e["turn"] == SUMMER]
    assert entry["facts"]["reason"] == "no letter of Montrose"


@pytest.mark.clause("W-20f")
def test_retreats_and_adjustments_come_by_mail_from_the_start(year: Year) -> None:
    assert verdict(year, AUTUMN, "A tippe - crtip") == "succeeds"
    assert orders(year, "Autumn 1642 Retreats", "Confederacy") == ["A crtip R clonm"]
    assert "send 2 to Manchester" in year.seen["lent"]
    assert orders(year, WINTER, "Crown") == ["send 2 to Manchester"]


@pytest.mark.clause("W-20g")
def test_wording_is_interpreted_with_choices_and_play_is_not_judged(year: Year) -> None:
    """A name that is misspelt is asked about; an order that can only fail is taken as it is."""
    (line,) = year.seen["suggested"]["lines"]
    assert line["order"] is None and "Oxfordshire" in line["suggestions"][0]
    assert SECRET in orders(year, SUMMER, "Crown")
    assert verdict(year, SUMMER, SECRET) == "bounced"


@pytest.mark.clause("W-12c")
def test_a_proxy_is_withdrawn_at_the_last_minute(year: Year) -> None:
    """Hamilton's army is the Crown's for the season; Montrose took its own back a tenth of a second before the end."""
    assert [v[1:] for v in year.seen["last minute"]] == [("posted", "replaced"), ("pictures", "counts")]
    assert verdict(year, SUMMER, "A perth - athol") == "succeeds"
    assert verdict(year, SUMMER, "A tweed H") == "succeeds"
    assert verdict(year, SUMMER, "A carlis - eskd") == "succeeds"  # where Argyll's order would have bounced it


@pytest.mark.clause("W-21a", "W-21b")
def test_the_seasons_keep_their_days(year: Year) -> None:
    """Summer's day 0 is 2 March: due on day 12, drafts at once, final on day 15; days end at 07:00 GMT on the day
    after."""
    assert year.seen["summer due"] == datetime(2026, 3, 15, 7, tzinfo=UTC)
    assert (year.seen["summer state"], year.seen["summer final"]) == ("draft", "final")
    assert year.seen["autumn due"] == datetime(2026, 3, 30, 7, tzinfo=UTC)
    moved = year.seen["moved to"] - year.seen["autumn due"]
    assert year.seen["retreats due"] == year.seen["moved to"] + timedelta(days=2)
    # Autumn is the second season of this short year: Winter opens when its day 15 begins
    assert year.seen["winter opened"] == datetime(2026, 4, 1, 7, tzinfo=UTC) + moved
    assert year.seen["winter due"] == year.seen["winter opened"] + timedelta(days=3)  # the end of the second day after


@pytest.mark.clause("W-21a")
def test_drafts_have_all_executed_orders_and_winter_offers_and_demands(year: Year) -> None:
    draft = year.seen["draft mails"][0]
    assert "draft results" in draft and "Cumberland: Army Carlisle -> Eskdale" in draft
    assert "You must remove 1 unit" in year.seen["demand"]
    assert "You may build 2 units" in year.seen["build offer"]
    results = [m for r, m in year.service.sink.mails if r == year.at("Crown").email and m["X-Legation"] == "results"]
    assert all("application/pdf" in [part.get_content_type() for part in m.walk()] for m in results)
    letters = year.seen["year-end letters"]
    assert set(letters) == set(year.players) and all(pdf.startswith(b"%PDF") for pdf in letters.values())
    assert "A cold year." in pdf_text(letters["Crown"])


@pytest.mark.clause("W-21c")
def test_a_deadline_moves_with_its_reason_and_what_follows_moves_along(year: Year) -> None:
    moves = year.host.client.call("GET", f"/games/{GAME}/deadlines")
    (moved,) = [m for m in moves if m["reason"]]
    assert moved["reason"] == "Snow on the roads from York" and moved["who"] == "the coordinator"
    told = year.service.sink.to(year.at("Argyll").email, "deadline moved")
    assert len(told) == 1 and "Snow on the roads from York" in told[0]


@pytest.mark.clause("W-22")
def test_the_calendar_moves_along(year: Year) -> None:
    before, after = (
        {str(e["SUMMARY"].value): e for e in read(year.seen[f"calendar {when}"].encode())[1]}
        for when in ("before", "after")
    )
    name = "Powick Bridge: Autumn 1642 movement orders"
    assert before[name]["DTSTART"].moment == datetime(2026, 3, 30, 7, tzinfo=UTC)
    assert after[name]["DTSTART"].moment == year.seen["moved to"]
    assert int(after[name]["SEQUENCE"].value) > int(before[name]["SEQUENCE"].value)
    assert before[name]["UID"].value == after[name]["UID"].value


@pytest.mark.clause("W-23")
def test_the_roster_knows_where_everybody_is(year: Year) -> None:
    lines = {line["power"]: line for line in year.seen["roster"]}
    assert set(lines) == set(year.players)
    assert lines["Newcastle"]["address"]["lines"] == ["Sea View", "Scarborough"]
    assert year.seen["address today"]["lines"] == ["Sea View", "Scarborough"]
    assert year.seen["address in a month"]["lines"][1] == "Worcester"
    assert lines["Ormond"]["name"] == "Kate"


@pytest.mark.clause("W-26")
def test_another_game_runs_beside_it_under_its_own_name(year: Year) -> None:
    player = year.service.party("Anna")
    mine = {game["name"]: game for game in player.client.games(mine=True)}
    assert set(mine) == {"Powick Bridge", "Edgehill"}
    assert year.host.client.result("edgehill")["game"] == "edgehill"
    threads = {
        m["X-Legation"]: m["Subject"].split(" - ")[0]
        for r, m in year.service.sink.mails
        if r == player.email and m["X-Legation"] == "results"
    }
    assert set(threads.values()) <= {"Powick Bridge", "Edgehill"}


@pytest.mark.clause("W-27")
def test_nobody_writes_for_a_seat_that_is_not_theirs(year: Year) -> None:
    """A stranger's photograph waited for the coordinator; who had left could not order any more; who came could."""
    assert year.seen["unmatched"]["sender"] == "printer@copyshop.example"
    assert SECRET not in str(year.seen["unmatched"])
    assert "Nothing was entered" in year.seen["after leaving"]
    assert year.seen["left"] == ["left"]
    assert orders(year, AUTUMN, "Ormond") == ["A tippe - crtip", "A limer S A tippe - crtip"]
    holders = [h for h in year.host.client.call("GET", f"/games/{GAME}/holders") if h["power"] == "Ormond"]
    assert len(holders) == 2 and holders[0]["until"] and holders[1]["until"] is None


@pytest.mark.clause("W-28")
def test_envelopes_carry_what_the_style_guide_asks_for(year: Year) -> None:
    text = pdf_text(year.seen["envelopes"])
    for part in ("Powick Bridge", "Autumn 1642", "Sea View", "Scarborough", "Fish Street"):
        assert part in text
    own = pdf_text(year.seen["player's envelopes"])
    for part in ("Powick Bridge", "Newcastle", "Autumn 1642", "Sea View"):
        assert part in own


@pytest.mark.clause("W-13b", "W-13e")
def test_what_was_lent_lapses_in_the_next_winter(year: Year) -> None:
    removed = [v["order"] for v in year.turns[WINTER]["verdicts"] if v["power"] == "Crown" and "remove" in v["order"]]
    assert len(removed) == 2
    assert verdict(year, WINTER, "build A colch") == "succeeds"
    last = year.turns["Winter 1644 Adjustments"]
    assert [v["power"] for v in last["verdicts"] if v["order"].startswith("remove")] == ["Manchester"]
    assert not last["after"]["state"].get("supply_transfer")


@pytest.mark.clause("W-14")
def test_lots_are_drawn_so_that_all_can_check_them(year: Year) -> None:
    """With the commitment that was public when the turn opened, and the transcript that a player has of the game."""
    winter, transcript = year.turns[WINTER], read_transcript(year.seen["transcript"])
    (results,) = [line.data for line in transcript.lines if line.kind == "results" and line.data["turn"] == WINTER]
    assert turn_commitment(results["secret"]) == year.seen["winter commitment"]
    (opened,) = [line.data for line in transcript.lines if line.kind == "opened" and line.data["turn"] == WINTER]
    sent = [fields for o in transcript.openings if (fields := o.fields())["turn"] == fields["given_in"] == WINTER]
    assert {fields["seat"] for fields in sent} == {"Crown", "Manchester"}
    nonces = [fields["nonce"] for fields in sent if fields["entered_by"] == "holder"]
    assert winter["seed"] == lot_seed(results["secret"], opened["part"], nonces)
    (lot,) = [lot for lot in winter["lots"] if "Crown" in lot["label"]]
    assert draw(winter["seed"], lot["label"], lot["items"]) == lot["order"]
    removed = {v["order"].removeprefix("remove ") for v in winter["verdicts"] if "by lot" in v["explanation"]}
    assert removed == set(lot["order"][:2])
    assert check_lots(year.seen["saved"]) == []


@pytest.mark.clause("W-14")
def test_the_powers_were_dealt_so_that_all_can_check_it(year: Year) -> None:
    lines = read_transcript(year.seen["transcript"]).lines
    (dealt,) = [line.data for line in lines if line.kind == "dealt"]
    assert lines[0].data["deal"] == turn_commitment(dealt["secret"]) == year.seen["deal commitment"]
    wishes = {sign["number"]: sign["wishes"] for sign in dealt["sign_ups"]}
    seed = lot_seed(dealt["secret"], dealt["part"], [sign["nonce"] for sign in dealt["sign_ups"]])
    fell = deal(seed, dealt["name"], wishes, dealt["free"])
    assert fell == {one["number"]: one["seat"] for one in dealt["dealt"]}
    assert sorted(fell.values()) == sorted(year.players)


def test_every_sheet_that_counted_was_committed_to_in_time(year: Year) -> None:
    assert all(proof["holds"] for proof in year.host.client.call("GET", f"/games/{GAME}/proofs"))
    transcript = read_transcript(year.seen["transcript"])
    openings = {opening.commitment: opening for opening in transcript.openings}
    closed = [line.n for line in transcript.lines if line.kind == "closed" and line.data["turn"] == SUMMER]
    assert len(closed) == 1 and len(year.turns[SUMMER]["sheets"]) == len(NAMES)
    for sheet in year.turns[SUMMER]["sheets"]:
        record = openings[sheet["commitment"]].fields()  # which fits the commitment, or this raises
        assert (record["turn"], record["seat"], record["version"]) == (SUMMER, sheet["power"], sheet["version"])
        assert record["text"] == "" if sheet["transcribed"] else record["text"] == sheet["text"]
        assert [file.kept for file in record["files"]] == sheet["files"]
        told = [line.n for line in transcript.lines if line.kind in ("sent", "commitments") and _names(line, sheet)]
        assert told and max(told) < closed[0]


def _names(line: JournalLine, sheet: dict[str, Any]) -> bool:
    return sheet["commitment"] in json.dumps(line.data)


def test_the_journal_is_the_game_and_everybody_was_told_once(year: Year) -> None:
    assert year.seen["differences"] == []
    numbers = [m["Message-ID"] for _, m in year.service.sink.mails]
    assert len(numbers) == len(set(numbers))
    assert all(text_of(m).strip() for _, m in year.service.sink.mails)


def pdf_text(pdf: bytes) -> str:
    """All text of a PDF."""
    document = pypdfium2.PdfDocument(pdf)
    return "\n".join(page.get_textpage().get_text_bounded() for page in document)
