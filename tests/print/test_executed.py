"""Copies of all executed orders with their pictures: who gets them, and when (W-21a)."""

import io
from datetime import timedelta

import pytest
from PIL import Image, ImageDraw

from legation.office.clock import SimulatedClock
from legation.office.context import Actor
from legation.office.desk import desk, postbag, readings
from legation.office.errors import ConflictError, NotFoundError, OfficeError
from legation.office.game import processing
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.operation import work
from legation.office.orders import submissions
from legation.print.games import GamePapers
from tests.office.playing import begin, passes, person, send_all
from tests.print.papers import pages_of, picture_of, text_of


def sheet(words: str) -> bytes:
    """A photograph of a sheet, bright green so that it is found again on the paper."""
    picture = Image.new("RGB", (600, 300), (0, 255, 0))
    ImageDraw.Draw(picture).text((20, 20), words, fill=(0, 0, 0))
    out = io.BytesIO()
    picture.save(out, "JPEG")
    return out.getvalue()


@pytest.mark.clause("W-21a")
def test_players_get_copies_of_all_executed_orders_with_their_pictures(office: Office, clock: SimulatedClock) -> None:
    record, players, boss = begin(
        office, coordinated=True, drafts=True, approve=True, ready_ends=False, schedule="three-kingdoms"
    )
    key, picture, envelope = record.key, sheet("A dev H"), sheet("Ada, 2 Rue Neuve")
    submissions.submit_pictures(
        office, players["England"].by("mail"), key, "England", [("a.jpg", picture, "image/jpeg")]
    )
    submissions.register_posted(office, boss, key, "Burgundy", pictures=[("e.jpg", envelope, "image/jpeg")])
    papers = {letter: sheet(letter) for letter in ("opened", "judged", "draft", "final")}

    def photograph(power: str, letter: str) -> tuple[str, ...]:
        return postbag.add_copies(office, boss, key, power, "1", [(f"{letter}.jpg", papers[letter], "image/jpeg")])

    with pytest.raises(ConflictError, match="between the deadline and the final results"):
        photograph("Burgundy", "opened")
    send_all(office, record, {"France": players["France"]}, 1)
    assert record.turn is not None
    passes(office, clock, record.turn.deadline)
    waiting = {item.power: item for item in desk.items(office, boss)}
    photograph("Burgundy", "opened")
    readings.transcribe(office, boss, waiting["England"].id, "A dev H")
    readings.transcribe(office, boss, waiting["Burgundy"].id, "A dij H")
    work.run_due(office)
    digests = {s.power: s.files[0] for s in processing.preview(office, boss, key).sheets if s.files}

    def look(who: Actor, power: str) -> bytes:
        return submissions.executed_picture(office, who, key, power, "1", digests[power])[2]

    with pytest.raises(NotFoundError):  # before results are out
        look(players["France"], "England")
    with pytest.raises(ConflictError):
        GamePapers(office, players["France"], key).orders("1")
    photograph("Burgundy", "judged")
    with pytest.raises(ConflictError, match="count didn't come by post"):
        photograph("England", "judged")
    processing.publish_draft(office, boss, key)
    added = photograph("Burgundy", "draft")
    assert len(added) == len(photograph("Burgundy", "draft")) == 3, "one that is there is not added again"
    assert look(players["France"], "England") == picture == look(boss, "England")
    for who in (Actor.visitor(), person(office, "Stranger")):
        with pytest.raises(OfficeError) as refused:
            look(who, "England")
        assert refused.value.status in (401, 403)
    for who in (players["France"], boss):  # an envelope bears addresses
        with pytest.raises(NotFoundError):
            look(who, "Burgundy")
    pdf = GamePapers(office, players["France"], key).orders("1")
    said = text_of(pdf)
    for part in ("draft results", "England", "A dev H", "by e-mail", "Burgundy", "A dij H", "by post", "France"):
        assert part in said
    pages = [picture_of(pdf, number, 40) for number in range(1, len(pages_of(pdf)) + 1)]
    greens = [page.getpixel((page.width // 2, y)) for page in pages for y in range(page.height)]
    assert any(isinstance(c, tuple) and c[1] > 200 and c[0] < 60 for c in greens), "the picture is on the paper"
    assert games.result(office, players["France"], key, 1).state == "draft"
    for letter, digest in zip(papers, added, strict=False):
        assert (
            submissions.executed_picture(office, players["France"], key, "Burgundy", "1", digest)[2] == papers[letter]
        )
    clock.advance(timedelta(days=30))
    processing.publish_final(office, boss, key)
    with pytest.raises(ConflictError, match="between the deadline and the final results"):
        photograph("Burgundy", "final")
