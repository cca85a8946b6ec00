"""What cannot be printed is told as what it is: text without a font, nobody to print for, a fault of our own."""

from datetime import date

import pytest
from starlette.testclient import TestClient

from legation.atlas.painting import PAINTER
from legation.cli.serving import whole_site
from legation.office.context import Actor
from legation.office.errors import ConflictError
from legation.office.game.turns import position_from
from legation.office.identity import people
from legation.office.office import Office
from legation.print import typesetting
from legation.print.serving import bound
from legation.print.typesetting import UnprintableError
from legation.variants import load
from tests.office.playing import begin

DAY = date(2026, 11, 21)


def test_a_fault_in_a_template_is_no_text_that_cannot_be_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RuntimeError) as caught:
        typesetting.typeset("roster.typ", {}, DAY)
    assert not isinstance(caught.value, UnprintableError)
    missing = RuntimeError('error: the text "\U00013000" could not be displayed with font')
    faults = [RuntimeError("the machine's fonts cannot be read"), missing]

    def fail(*_: object, **__: object) -> bytes:
        raise faults.pop()

    monkeypatch.setattr(PAINTER, "paper", fail)
    monkeypatch.setattr(typesetting, "_missing", lambda error: "\U00013000" if error is missing else "")
    with pytest.raises(RuntimeError, match="the machine's fonts cannot be read"):
        typesetting.typeset("roster.typ", {}, DAY)


def test_papers_over_the_web_that_cannot_be_printed(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    record, _, boss = begin(office, coordinated=True)
    assert boss.person is not None
    site = TestClient(whole_site(office), raise_server_exceptions=False, follow_redirects=False)
    assert site.get(f"/games/{record.key}/print/roster.pdf").status_code == 303
    site.cookies.set("session", people.start_session(office, Actor.clock(), boss.person).secret)
    assert site.get(f"/games/{record.key}/print/roster.pdf").content.startswith(b"%PDF")
    nobody = site.get(f"/games/{record.key}/print/letters.pdf")
    assert nobody.status_code == 409 and "No year" in nobody.text

    def unprintable(*_: object) -> bytes:
        raise UnprintableError("no font here can show this name")

    monkeypatch.setattr("legation.print.games.GamePapers.roster", unprintable)
    told = site.get(f"/games/{record.key}/print/roster.pdf")
    assert told.status_code == 422 and "This cannot be printed: no font here can show this name." in told.text
    with pytest.raises(ConflictError, match="There is nobody to print this for"):
        bound([])


def test_a_stored_position_that_does_not_fit_its_rules_is_never_taken_for_another() -> None:
    rules = load("standard")
    with pytest.raises(ValueError, match=r"a stored position cannot be read: .*Prussia"):
        position_from(rules, {"turn": "Spring 1901 Movement", "units": {"Prussia": ["A ber"]}})
