"""Lessons and puzzles as pages: anybody may try, what is missed is told, and a way on is offered."""

from datetime import timedelta

from starlette.testclient import TestClient

from legation.lessons import lessons, puzzles
from legation.office.clock import SimulatedClock
from legation.office.office import Office
from legation.web import create_app
from tests.web.clients import client_of


def test_every_lesson_has_its_page(site: TestClient) -> None:
    index = site.get("/lessons").text
    for lesson in lessons():
        assert f'href="/lessons/{lesson.name}/1"' in index
        assert site.get(f"/lessons/{lesson.name}").headers["location"] == f"/lessons/{lesson.name}/1"
        for number, step in enumerate(lesson.steps, 1):
            shown = site.get(f"/lessons/{lesson.name}/{number}")
            assert shown.status_code == 200 and step.text in shown.text.replace("&#39;", "'")


def test_a_goal_is_reached_or_what_is_missed_is_told(site: TestClient) -> None:
    at = "/lessons/support/1"
    missed = site.post(at, data={"text": "A par - bur\nA marr S A par - xyz"}).text
    assert "Not yet." in missed and "France has no unit in Burgundy." in missed and "A marr S A par - xyz" in missed
    solved = site.post(at, data={"text": "A par - bur\nA mar S A par - bur"}).text
    assert "Well done." in solved and 'href="/lessons/support/2"' in solved and "Not yet." not in solved


def test_a_puzzle_is_answered_with_the_reply_that_hurts(site: TestClient) -> None:
    name, puzzle = next(iter(puzzles("hundred").items()))
    at = f"/puzzles/hundred/{name}"
    assert "whatever the others order" in site.get(at).text
    first = puzzle.solutions[0]
    missed = site.post(at, data={"text": first[0]}).text
    assert "Not yet." in missed
    assert "Well done." in site.post(at, data={"text": "\n".join(first)}).text


def test_what_is_written_is_read_as_it_is_typed(site: TestClient) -> None:
    marks = site.post("/lessons/cut/1/check", data={"text": "A bel - ruh\nA bur - xyz"}).json()
    assert [line["order"] for line in marks["lines"]] == ["A bel - ruh", None]
    assert marks["lines"][1]["problem"]["message"] and marks["powers"]["France"]["missing"] == ["A bur"]


def test_the_puzzle_of_the_day_is_on_the_first_page(site: TestClient) -> None:
    at = site.get("/puzzles").headers["location"]
    assert at.startswith("/puzzles/standard/")
    assert f"{at}/map-light.svg" in site.get("/").text and site.get(f"{at}/map-light.svg").status_code == 200


def test_what_is_not_there_is_said(site: TestClient) -> None:
    for path in ("/lessons/none/1", "/lessons/move/0", "/lessons/move/7", "/puzzles/none", "/puzzles/standard/none"):
        answer = site.get(path)
        assert answer.status_code == 404 and "There " in answer.text


def test_rules_and_lessons_lead_to_each_other(site: TestClient) -> None:
    assert 'href="/lessons/ferry/1"' in site.get("/variants/1000ad/rules/K-9b").text
    assert 'href="/variants/1000ad/rules/K-9b"' in site.get("/lessons/ferry/1").text


def test_first_tries_are_counted_once_a_day(office: Office, clock: SimulatedClock) -> None:
    name, puzzle = next(iter(puzzles("hundred").items()))
    at, site = f"/puzzles/hundred/{name}", client_of(create_app(office))
    told = "Solved at the first try: {} of {}."
    assert told.format(0, 1) in site.post(at, data={"text": ""}).text
    assert told.format(0, 1) in site.post(at, data={"text": "\n".join(puzzle.solutions[0])}).text
    clock.advance(timedelta(days=2))
    assert told.format(1, 2) in site.post(at, data={"text": "\n".join(puzzle.solutions[0])}).text
    assert "at the first try" not in site.post("/lessons/cut/1", data={"text": ""}).text
