"""The pages that need no office: every one answers, says what it should, and links to what exists."""

import html
import re

import pytest
from starlette.testclient import TestClient

from legation.board import ARMY, FLEET
from legation.judge.verdicts import CAUSES as CAUSES
from legation.notation import OrderTextError
from legation.orders import Move
from legation.position import Phase
from legation.variants import FORMS, clauses_of, load, names
from legation.web.public.gallery import card, differences, moves_from
from legation.web.public.rulebooks import examples_of
from legation.web.public.verdict_rows import PARAGRAPHS, rule_of
from tests.sampling import some


@pytest.mark.long
def test_every_page_answers_and_every_link_leads_somewhere(site: TestClient) -> None:
    seen: dict[str, str] = {"/": "start"}
    queue = ["/"]
    while queue:
        path = queue.pop()
        answer = site.get(path)
        assert answer.status_code in (200, 202, 303), f"{path} (from {seen[path]}): {answer.status_code}"
        kept = "attachment" in answer.headers.get("content-disposition", "")
        if kept or "text/html" not in answer.headers.get("content-type", ""):
            continue
        assert "<style" not in answer.text and " style=" not in answer.text and " onclick=" not in answer.text
        for name, value in re.findall(r'\s(href|src|action|data-board|data-places)="([^"]+)"', answer.text):
            value = html.unescape(value)
            assert not re.match(r"https?:|//", value), f"{path} leaves the site: {value}"
            target = value.split("#")[0]
            if (
                name == "action"
                or not target
                or target in seen
                or re.search(r"/print/.*pdf|/examples/|moves\?|-dark\.|/maps/(?!hundred/)", target)
            ):
                continue
            if (
                re.match(r"/variants/[^/]+/rules/", target)
                and sum(t.startswith(target.rpartition("/")[0] + "/") for t in seen) > 3
            ):
                continue  # a few clauses of each variant will do
            seen[target] = path
            queue.append(target)
    assert {f"/variants/{name}" for name in names()} <= seen.keys()


@pytest.mark.parametrize("variant", names())
def test_the_gallery_tells_what_the_rules_say(site: TestClient, variant: str) -> None:
    rules = load(variant)
    told = card(variant)
    assert (told.powers, told.centers, told.provinces) == (
        len(rules.powers),
        len(rules.board.centers),
        len(rules.board.provinces),
    )
    text = site.get(f"/variants/{variant}").text
    for power in rules.powers:
        assert power.replace("&", "&amp;") in text
    assert bool(differences(variant)) == (variant != "standard")


@pytest.mark.parametrize("variant", names())
def test_moves_are_those_of_the_board(variant: str) -> None:
    rules = load(variant)
    for province in rules.board.provinces.values():
        found = moves_from(rules, province.id)
        army = None if province.sea else set(rules.board.reach(ARMY, province.id))
        told = [{goal["at"] for goal in way["to"]} for way in found["ways"] if way["kind"] == "A"]
        assert told == ([] if army is None else [army])
        fleets = [set(rules.board.reach(FLEET, at)) for at in province.locations if rules.board.stands(FLEET, at)]
        assert [{goal["at"] for goal in way["to"]} for way in found["ways"] if way["kind"] == "F"] == fleets


def test_moves_answer_a_misspelled_name_with_what_was_meant(site: TestClient) -> None:
    answer = site.get("/variants/standard/moves", params={"place": "Parris"})
    assert "Did you mean" in answer.text and "Paris" in answer.text
    part = site.get("/variants/standard/moves", params={"place": "stp", "part": "true"})
    assert "<html" not in part.text and "north coast" in part.text


def test_a_variant_is_a_name_never_a_path(site: TestClient) -> None:
    for name in ("nothing", "..%2f..%2fpyproject.toml", "%2fetc%2fpasswd", "tests%2fx.toml"):
        for path in (f"/variants/{name}", f"/variants/{name}/rules", f"/variants/{name}/moves"):
            assert site.get(path).status_code == 404


def test_the_forms_are_read_as_what_they_are_called() -> None:
    readers = [load(name).reader for name in ("standard", "three-kingdoms", "1000ad")]
    for form in FORMS:
        for way in form.ways:
            read = []
            for reader in readers:
                for phase in Phase.all():
                    try:
                        read.append(reader.order(way, phase, ""))
                    except OrderTextError:
                        continue
            # a rule may have records for both sides of an act
            homes = {kind.__module__ for kind in form.kinds} - {Move.__module__}
            assert any(isinstance(order, form.kinds) or type(order).__module__ in homes for order in read), way


def test_clauses_show_their_examples(site: TestClient) -> None:
    text = site.get("/variants/three-kingdoms/rules/W-12a").text
    pictures = re.findall(r'src="(/variants/three-kingdoms/examples/[^"]+-light\.svg)"', text)
    assert pictures and "under" in text
    picture = site.get(pictures[0])
    assert picture.headers["content-type"] == "image/svg+xml" and "<svg" in picture.text
    assert site.get("/variants/three-kingdoms/rules/W-99").status_code == 404
    assert site.get("/variants/three-kingdoms/examples/W-12a/000-light.svg").status_code == 404


@pytest.mark.parametrize("variant", some(names(), 4))
def test_examples_are_of_clauses_that_hold(variant: str) -> None:
    held = {clause.id for clause in clauses_of(variant)}
    proving = {clause for clause in examples_of(variant) if not clause.startswith(("DATC", "STD"))}
    assert proving <= held


def test_the_rulebook_marks_what_differs(site: TestClient) -> None:
    text = site.get("/variants/hundred/rules").text
    assert re.search(r'class="blue">A power builds in any vacant center', text)
    assert not re.search(r'class="blue">The game ends in a draw of all', text)
    assert 'class="blue"' not in site.get("/variants/standard/rules").text


def test_maps_are_kept_for_good_and_printed(site: TestClient) -> None:
    text = site.get("/variants/hundred/moves").text
    board = re.search(r'data-board="([^"]+)"', text)
    assert board is not None
    answer = site.get(board[1])
    assert "immutable" in answer.headers["cache-control"]
    for slot in ("control", "lit", "draft"):
        assert f'data-slot="{slot}"' in answer.text
    other = site.get(re.sub(r"/[0-9a-f]{16}/", "/000000000000/", board[1]))
    assert other.headers["cache-control"] == "no-cache"
    answer = site.get("/variants/hundred/print/board-A4.pdf")
    assert answer.headers["content-type"] == "application/pdf" and answer.content.startswith(b"%PDF")
    assert site.get("/variants/hundred/print/nothing-A4.pdf").status_code == 404


def test_every_cause_leads_to_its_rule(site: TestClient) -> None:
    """To the one paragraph that tells of it; what only a variant's rules can tell, to those."""
    told = [cause for causes in PARAGRAPHS.values() for cause in causes]
    assert len(told) == len(set(told)) and set(told) == {*CAUSES, "not understood"} - {"fact"}
    for cause in (*told, "fact", ""):
        path, _, place = rule_of(cause, "hundred").partition("#")
        page = site.get(path)
        assert page.status_code == 200 and page.text.count(f' id="{place}"') == 1
        assert (path == "/rules/verdicts") == (cause in told)


def test_variants_are_found_by_name_players_and_rule(site: TestClient) -> None:
    def found(query: str) -> set[str]:
        return set(re.findall(r'<li>\s*<a href="/variants/([\w-]+)"', site.get(f"/variants?{query}").text))

    assert [card(name).movements for name in ("standard", "hundred", "three-kingdoms")] == [2, 2, 3], "in a year"
    everything = found("")
    assert everything == set(names())
    assert found("search=three+kingdoms") == {"three-kingdoms"}
    assert found("powers=2-4") == {name for name in everything if len(load(name).powers) <= 4}
    with_ferries = {name for name in everything if "ferry" in {module.key for module in load(name).modules}}
    assert found("rule=ferry") == with_ferries and with_ferries < everything
    assert found("powers=8-10&rule=conversion") == {"three-kingdoms"}
    assert found("origin=office") == set()
    for query, there, gone in (
        ("size=small", "hundred", "three-kingdoms"),
        ("size=large", "three-kingdoms", "hundred"),
        ("length=short", "hundred", "standard"),
        ("length=long", "three-kingdoms", "hundred"),
        ("rule=year_limit", "1000ad", "standard"),
        ("search=HUNDRED", "hundred", "1000ad"),
    ):
        assert there in found(query) and gone not in found(query), query
    nothing = site.get("/variants?search=%3Cb%3Enowhere")
    assert "No variant fits" in nothing.text and "<b>nowhere" not in nothing.text
    assert site.get(f"/variants?search={'x' * 61}").status_code == 422
