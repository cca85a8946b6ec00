"""The sandbox: positions have addresses, turns are judged as the judge judges them, nothing written is lost, the shelf
stays in its room, and what is pasted is opened or told why not."""

import html
import json
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from legation.bots import levels
from legation.game import Game, adjudicate, position_document, replay, save_game
from legation.judge import Ruleset, legal_orders, resolve
from legation.notation import write
from legation.office.store.shared_values import Shared
from legation.orders import Sheet
from legation.rules.supply_transfer import Send
from legation.variants import load, names
from legation.web import create_app
from legation.web.designer.checking import EXAMPLE
from legation.web.designer.pasting import PasteError, position_text, read_paste, read_words
from legation.web.designer.uploads import PREFIX, VariantUploads
from legation.web.public.live_turns import choice, live_turn
from legation.web.public.maps import map_of
from legation.web.public.rulebooks import examples_of
from legation.web.sandbox import Advised, check_all
from legation.web.serving.documents import DocumentCache, DocumentTooLargeError, LatestUsed, SharedDocuments
from tests.sampling import some
from tests.web.clients import client_of


def opened(site: TestClient, variant: str = "standard") -> str:
    answer = site.get("/sandbox/new", params={"variant": variant})
    assert answer.status_code == 303
    return answer.headers["location"]


def judged(site: TestClient, at: str, text: str, **more: object) -> str:
    answer = site.post(f"{at}/judge", data={"text": text, **more})
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def test_no_address_tells_what_is_there_and_an_unknown_one_helps(site: TestClient) -> None:
    """Nobody finds a position by guessing what is in it: what is put there again has another address."""
    assert len({opened(site), opened(site), opened(site, "hundred")}) == 3
    answer = site.get("/sandbox/aaaaaaaaaaaaaaaa")
    assert answer.status_code == 404 and 'href="/sandbox"' in answer.text
    assert site.get("/sandbox/new", params={"variant": "../x"}).status_code == 404


def test_a_turn_is_judged_and_explained_and_stepped_back(site: TestClient) -> None:
    start = opened(site)
    after = judged(site, start, "France\nA par - bur\nA mar S A par - bur\nGermany:\nA mun - bur\n")
    text = site.get(after).text
    assert "Spring 1901" not in re.findall(r"<h1[^>]*>([^<]*)", text)[0]
    assert "succeeds" in text and "bounced" in text and "strength 1 against" in text
    assert f'href="{start}"' in text
    other = judged(site, start, "A par H")  # a branch; the heading may be left out
    assert other != after
    assert site.get(f"{after}/last.svg").status_code == 200
    assert site.get(f"{start}/last.svg").status_code == 404


def test_results_are_told_as_in_a_game_and_in_the_readers_language_as_on_the_map(site: TestClient) -> None:
    after = judged(site, opened(site), "France\nA par - bur\nvote draw\nGermany:\nA mun - bur\n")
    rows = re.findall(
        r'<tr data-order="(\d+)" data-decided="([^"]*)"><td class="order">([^<]*)</td><td>(.*?)</td>',
        site.get(after).text,
    )
    told = {order: (number, decided, outcome) for number, decided, order, outcome in rows}
    assert told["A par - bur"][1] == told["A mun - bur"][0], "the order that its bounce is due to"
    assert told["draw"][2].startswith('<strong class="wrong-text">had no effect</strong>'), told
    assert re.findall(r"<h3[^>]*>(Burgund\w*)", site.get(after).text) == ["Burgundy"]
    german = site.get(after, headers={"accept-language": "de"}).text
    assert re.findall(r"<h3[^>]*>(Burgund\w*)", german) == ["Burgund"]


@pytest.mark.parametrize("variant", some(names()))
def test_the_order_that_is_shown_as_an_example_can_be_given(site: TestClient, variant: str) -> None:
    start = opened(site, variant)
    hint = re.search(r'id="orders-hint">.*?<span class="order">([^<]+)</span>', site.get(start).text, re.DOTALL)
    assert hint
    lines = site.post(f"{start}/check", data={"text": f"{next(iter(load(variant).powers))}\n{hint[1]}"}).json()["lines"]
    assert [line["problem"] for line in lines] == [None], hint[1]


def test_lines_that_are_not_understood_are_told_and_kept(site: TestClient) -> None:
    answer = site.post(f"{opened(site)}/judge", data={"text": "France\nA par - brugundyy\nA xyzzy - <b>"})
    assert answer.status_code == 422
    assert "Line 2" in answer.text and "Line 3" in answer.text
    assert "A xyzzy - &lt;b&gt;" in answer.text and "A par - brugundy" in answer.text


def test_a_sheet_is_checked_line_by_line(site: TestClient) -> None:
    text = "A par - bur\n\nEngland\nF lon - paris\nGermany: A mun H; F kie - hol"
    told = site.post(f"{opened(site)}/check", data={"text": text}).json()
    lines = {entry["text"]: entry for entry in told["lines"]}
    assert lines["A par - bur"]["power"] == "France" and lines["A par - bur"]["problem"] is None
    assert lines["A par - bur"]["choice"] == ["move", "par", "", "bur", "A par - bur"]
    assert lines["F lon - paris"]["line"] == 4 and lines["F lon - paris"]["problem"]["kind"] == "illegal"
    assert lines["F kie - hol"]["power"] == "Germany" and lines["F kie - hol"]["line"] == 5
    assert told["powers"]["Germany"]["missing"] == ["A ber"]


@pytest.mark.parametrize("variant", names())
def test_every_legal_order_can_be_tapped_and_is_read_back(variant: str) -> None:
    rules = load(variant)
    position = rules.opening()
    turn = live_turn(rules, position, map_of(variant))
    assert {p: [c[4] for c in cs] for p, cs in turn["choices"].items()} == {
        p: [write(o) for o in orders] for p, orders in legal_orders(rules, position).items()
    }
    power = next(iter(rules.powers))
    text = "\n".join(c[4] for c in turn["choices"][power][:40])
    told = check_all(rules, position, f"{power}\n{text}")
    assert [entry["choice"][4] for entry in told["lines"]] == text.split("\n")


def test_a_line_under_no_power_is_whose_unit_it_names() -> None:
    """In retreats that is the dislodged one, though another power's stands in the place."""
    rules = load("standard")
    position = read_words(rules, "Spring 1901 Movement\nAustria: A tri, A tyr\nItaly: A ven\n")
    orders = tuple(rules.reader.order(line) for line in ("A tyr - ven", "A tri S A tyr - ven"))
    after = resolve(rules, position, [Sheet("Austria", orders)]).after
    assert str(after.turn) == "Spring 1901 Retreats"
    (line,) = check_all(rules, after, "A ven R rom")["lines"]
    assert (line["power"], line["order"]) == ("Italy", "A ven R rom")


def test_bots_order_the_powers_that_are_given_to_them_unless_there_is_no_such_bot(site: TestClient) -> None:
    start = opened(site, "hundred")
    after = judged(site, start, "", bots=["France", "England"], kind="dumbbot")
    game = site.get(f"{after}/game.json").json()
    orders = game["turns"][0]["orders"]
    assert orders["France"] and orders["England"] and "Burgundy" not in orders
    assert "checked" in site.get(after).text  # the next turn has the same bots
    for kind in ("skynet", "tactician", "run: rm"):
        answer = site.post(f"{opened(site)}/judge", data={"bots": "France", "kind": kind})
        assert answer.status_code == 422 and "no bot called" in answer.text


@pytest.mark.parametrize("variant", some(["three-kingdoms", "1000ad", "1897"], 3))
def test_a_game_goes_on_and_its_export_replays(site: TestClient, variant: str) -> None:
    at = opened(site, variant)
    everybody = list(load(variant).powers)
    for _ in range(5):
        at = judged(site, at, "", bots=everybody, kind="random")
        assert site.get(at).status_code == 200
    game, differences = replay(site.get(f"{at}/game.json").json())
    assert len(game.turns) == 5 and not differences
    pasted = site.post("/sandbox", data={"text": json.dumps(site.get(f"{at}/game.json").json())})
    assert pasted.status_code == 303
    again, before = (site.get(f"{path}/position.json").json() for path in (pasted.headers["location"], at))
    for position in (again, before):  # in which order a power's centers are listed says nothing
        position["centers"] = {power: sorted(centers) for power, centers in position["centers"].items()}
    assert again == before


@pytest.mark.parametrize("variant", names())
def test_a_position_in_words_is_read_back(variant: str) -> None:
    rules = load(variant)
    position = rules.opening()
    if not position.slices.keys() - {k for k, v in position.slices.items() if not v}:
        again = read_words(rules, position_text(rules, position))
        assert (set(again.units), again.owners, again.turn) == (set(position.units), position.owners, position.turn)


def test_words_that_are_no_position_are_told_by_line(site: TestClient) -> None:
    rules = load("standard")
    with pytest.raises(PasteError) as told:
        read_words(rules, "Spring 1902 Movement\nA par\nFrance: A xyz, F mun")
    assert any("Line 2" in fault for fault in told.value.faults) and len(told.value.faults) == 3
    for text in ("", '{"variant": "/etc/passwd"}', '{"format": "legation game 1"}', '{"after": 3}'):
        answer = site.post("/sandbox", data={"text": text})
        assert answer.status_code == 422, text
    pasted = {"text": "France: A par, A bur\nGermany\nA mun", "variant": "standard"}
    answer = site.post("/sandbox", data=pasted)
    assert answer.status_code == 303
    units = site.get(answer.headers["location"] + "/position.json").json()["units"]
    assert units == {"France": ["A par", "A bur"], "Germany": ["A mun"]}


def test_names_of_units_cannot_break_the_page(site: TestClient) -> None:
    text = site.get(opened(site)).text
    data = re.search(r'<script type="application/json" id="turn">(.*?)</script>', text, re.DOTALL)
    assert data is not None and "<" not in data[1] and json.loads(data[1])["phase"] == "Movement"


def test_the_shelf_keeps_to_its_room_and_what_is_asked_for() -> None:
    shelf = DocumentCache(40_000)
    first = shelf.put({"n": 0})
    kept = [shelf.put({"n": n, "noise": [n * k % 997 for k in range(60)]}) for n in range(1, 60)]
    last = shelf.get(kept[-1])
    assert last is not None and last["n"] == 59
    assert shelf.get(first) is None and shelf.get(kept[0]) is None
    with pytest.raises(DocumentTooLargeError):
        shelf.put({"noise": [n * n % 99991 for n in range(40_000)]})
    texts = LatestUsed[str](100)
    for _ in range(2):  # what comes again takes no more room
        texts.put("a", "a" * 60)
    texts.put("b", "b" * 40)
    assert (texts.get("a"), texts.get("b")) == ("a" * 60, "b" * 40)
    texts.put("c", "c")
    assert texts.get("a") is None and texts.get("b") == "b" * 40
    shelf = DocumentCache(30_000)
    first = shelf.put({"first": True})
    for n in range(50):
        shelf.put({"n": n, "noise": [n * k % 997 for k in range(60)]})
        assert shelf.get(first) == {"first": True}


def test_orders_that_are_tried_are_locked_wherever_they_are_kept() -> None:
    """Whoever has the database or the memory reads nothing in it and tests no guess: a player may have tried what is
    sent afterwards."""

    class Table(Shared):
        def __init__(self) -> None:
            self.rows: dict[str, bytes] = {}

        def put(self, kind: str, name: str, content: bytes, seconds: float, room: int = 0) -> None:
            self.rows[name] = content

        def get(self, kind: str, name: str, seconds: float = 0) -> bytes | None:
            return self.rows.get(name)

    table = Table()
    tried = [{"sheet": "France\nA par - bur"}, {"sheet": "France\n" + "A par H\n" * 30}]
    for shelf in (DocumentCache(100_000), SharedDocuments(table, 100_000)):
        names = [shelf.put(document) for document in (*tried, tried[0])]
        assert [shelf.get(name) for name in names] == [*tried, tried[0]]
        assert shelf.get("../" + names[0]) is None and shelf.get(names[0].upper()) is None
        rows = table.rows if isinstance(shelf, SharedDocuments) else dict(shelf._kept._kept)
        assert len({len(row) for row in rows.values()}) == 1, "their length tells nothing"
        for place, row in rows.items():
            assert not any(name in place for name in names), "a name is kept nowhere"
            assert b"A par" not in row and b"sheet" not in row
            with pytest.raises(zlib.error):
                zlib.decompress(row)
        assert len(set(rows.values())) == 3, "what is tried again is not the same again"


def test_an_order_has_a_gesture() -> None:
    rules = load("three-kingdoms")
    for text, verb in (("A bri converts to F", "convert"), ("A lon under Argyll", "under"), ("draw", "draw")):
        order = rules.reader.order(
            text.replace("bri", "bristl").replace("lon ", "london "), rules.first_turn().phase, "Crown"
        )
        assert choice(rules, order)[0] == verb
    offered = ("send", "", "Argyll", "2", "send 2 to Argyll", "Send 2 to Argyll")
    assert choice(rules, Send(2, "Argyll")) == offered, "by number and power"


JUDGE_MAIL = """> Starting position for Fall of 1901.
>
> Austria: Army Vienna.
> Austria: Fleet Trieste.
> England: Fleet North Sea.
> Russia:  Fleet St Petersburg (south coast).
>
> Ownership of supply centers:
>
> Austria:   Budapest, Trieste, Vienna.
> England:   Edinburgh, London.
"""


def test_a_judges_mail_is_read_and_a_greeting_in_it_told(site: TestClient) -> None:
    answer = site.post("/sandbox", data={"text": JUDGE_MAIL, "variant": "standard"})
    assert answer.status_code == 303, answer.text
    told = site.get(answer.headers["location"] + "/position.json").json()
    assert told["turn"] == "Fall 1901 Movement"
    assert told["units"] == {"Austria": ["A vie", "F tri"], "England": ["F nth"], "Russia": ["F stp/sc"]}
    assert told["centers"] == {"Austria": ["bud", "tri", "vie"], "England": ["edi", "lon"]}
    answer = site.post("/sandbox", data={"text": "Dear all,\n" + JUDGE_MAIL, "variant": "standard"})
    assert answer.status_code == 422 and "Line 1" in answer.text


def in_order(document: Any) -> Any:
    """A document without regard to the order in which its lists were made."""
    if isinstance(document, dict):
        return {key: in_order(value) for key, value in document.items()}
    return sorted((in_order(value) for value in document), key=str) if isinstance(document, list) else document


@pytest.mark.parametrize("each", [25, pytest.param(1, marks=pytest.mark.longest)], ids=["some", "all"])
@pytest.mark.parametrize("variant", names())
def test_the_worked_examples_of_the_rules_are_replayed(site: TestClient, variant: str, each: int) -> None:
    seen = 0
    for number, (clause, examples) in enumerate(examples_of(variant).items()):
        for example in examples[number % each :: each]:
            set_up = site.post(f"/variants/{variant}/examples/{quote(clause)}/{example.digest}/try")
            at = set_up.headers["location"]
            text = re.search(r'<textarea id="text"[^>]*>([^<]*)<', site.get(at).text)
            assert text is not None
            after = judged(site, at, html.unescape(text[1]))
            page = site.get(after).text
            told = [html.unescape(order) for order in re.findall(r'<td class="order">([^<]*)</td>', page)]
            for row in example.rows:
                if row["outcome"] != "illegal":
                    assert row["order"] in told, (clause, example.title, row)
            expected = position_document(example.rules, example.resolution.after)
            came = site.get(f"{after}/position.json").json()
            assert in_order(came) == in_order(expected), (clause, example.title)
            seen += 1
    assert seen


def test_one_address_asks_only_so_much() -> None:
    site = client_of(create_app())
    at = opened(site)
    new = [site.get("/sandbox/new", params={"variant": "standard"}).status_code for _ in range(40)]
    assert 429 not in new[:-1] and new[-1] == 429  # each position takes the place of somebody's oldest
    for text, path, often in (("A par H", f"{at}/judge", 60), (EXAMPLE, "/designer", 20)):
        assert site.post(path, data={"text": text}).status_code == 303
        statuses = [site.post(path, data={"text": "x"}).status_code for _ in range(often)]
        assert 429 not in statuses[:-1] and statuses[-1] == 429  # what is refused counts, too, and is sooner done
    told = site.post(f"{at}/judge", data={"text": "A par H"})
    assert "Wait a minute" in told.text
    assert site.get(at).status_code == 200
    other = client_of(create_app(), client=("192.0.2.7", 1))
    assert other.get("/sandbox/new", params={"variant": "standard"}).status_code == 303


def searching(monkeypatch: pytest.MonkeyPatch, *answers: object) -> list[tuple[Any, ...]]:
    """Have the bots that search answer this, one after the other; what they are asked."""
    left, calls = list(answers), []

    def ask_child(*given: Any) -> Any:
        calls.append(given)
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(levels, "ask_child", ask_child)
    monkeypatch.setattr(levels, "find_spec", lambda name: name)
    return calls


def test_levels_order_and_one_that_fails_is_named(site: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = searching(monkeypatch, ["A par - dij"], levels.LostMoveError("it took too long"))
    start = opened(site, "hundred")
    assert '<option value="strong">strong</option>' in site.get(start).text
    after = judged(site, start, "", bots=["France", "England"], kind="strong")
    orders = site.get(f"{after}/game.json").json()["turns"][0]["orders"]
    assert orders["France"] == ["A par - dij"] and all(text.endswith(" H") for text in orders["England"])
    assert "England’s bot lost its move: it took too long. Its units held." in site.get(after).text
    assert [given[-1] for given in calls] == ["strong", "strong"]
    for address, sent in (("judge", {"bots": "France", "kind": "beginner"}), ("advice", {"power": "France"})):
        searching(monkeypatch, levels.BusyError("the bots are still starting up"))
        busy = site.post(f"{start}/{address}", data=sent)
        assert busy.status_code == 503 and "The bots are still starting up." in busy.text


def test_a_strong_bot_is_asked_and_its_orders_are_written_down(
    site: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    best = Advised(("A par - dij", "F bre H"), 0.41, "England: A lon - cal", 0.33)
    calls = searching(monkeypatch, [best, Advised(("A par H",), 0.3)])
    start = opened(site, "hundred")
    written = "England\nA lon H\n\nFrance\nA par H"
    answer = site.post(f"{start}/advice", data={"power": "France", "text": written})
    assert answer.status_code == 303
    advised, _, place = answer.headers["location"].partition("#")
    assert place == "advice", "on a phone it lies below the map"
    text = site.get(advised).text
    assert "A lon H" in text, "what was written stays"
    assert "outlook 41%" in text and "It fears England: A lon - cal (outlook then 33%)" in text
    assert calls[0][1].endswith("tactician:advise") and calls[0][4] == "France"
    taken = site.post(f"{advised}/take", data={"take": "0", "text": written}).headers["location"]
    assert taken.endswith("#text")
    box = re.search(r"<textarea id=\"text\"[^>]*>([^<]*)", site.get(taken).text)
    assert box and box[1].split("\n") == ["France", "A par - dij", "F bre H", "", "England", "A lon H"]
    for at, given, status in (
        ("take", {"take": "5"}, 404),
        ("take", {"take": "-1"}, 422),
        ("advice", {"power": "Turkey"}, 422),
    ):
        assert site.post(f"{advised}/{at}", data=given).status_code == status
    assert site.post(f"{start}/take", data={"take": "0"}).status_code == 404


def test_without_the_lab_there_is_no_strong_bot(site: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(levels, "find_spec", lambda name: None)
    start = opened(site, "hundred")
    assert "Ask a strong bot" not in site.get(start).text
    answer = site.post(f"{start}/advice", data={"power": "France"})
    assert answer.status_code == 422 and "without the lab" in answer.text


def test_a_bot_is_asked_with_what_its_power_sees(site: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of what is hidden goes to the search."""
    calls = searching(monkeypatch, [], ["A par H"])
    start = opened(site, "hundred")
    monkeypatch.setattr(Ruleset, "seen", lambda _, position, power: f"the view of {power}")
    site.post(f"{start}/advice", data={"power": "France"})
    site.post(f"{start}/judge", data={"bots": "France", "kind": "beginner"})  # which such a view breaks
    assert [given[3] for given in calls] == ["the view of France"] * 2


STANDARD = load("standard")
SAVED = Path(__file__).parents[2] / "examples" / "hundred.json"


def opening() -> dict[str, object]:
    return {"variant": "standard", **position_document(STANDARD, STANDARD.opening())}


@pytest.mark.parametrize(
    ("text", "variant", "told"),
    [
        (lambda: "  \n", "standard", "Nothing was pasted."),
        (lambda: "France: A par", "chess", "There is no variant called “chess”."),
        (lambda: "France: A par", "bench-gone", "This variant has been deleted."),
        (lambda: '{"variant": "standard"', "standard", "isn't JSON"),
        (lambda: json.dumps({**opening(), "variant": "bench-gone"}), "standard", "has been deleted"),
        (lambda: json.dumps({**opening(), "units": {"Prussia": ["A par"]}}), "standard", "Prussia"),
        (lambda: json.dumps({"variant": "standard", "after": 3, "verdicts": []}), "standard", ""),
        (lambda: json.dumps({"format": "legation answer 99", "verdicts": [], "after": {}}), "standard", "99"),
        (lambda: json.dumps([1, 2]).replace("[", '{"a": [', 1).replace("]", "]}"), "standard", ""),
    ],
)
def test_what_cannot_be_opened_says_why(text: Callable[[], str], variant: str, told: str) -> None:
    with pytest.raises(PasteError) as caught:
        read_paste(text(), variant, VariantUploads(DocumentCache(1_000_000)))
    assert told in " ".join(caught.value.faults) and all(caught.value.faults)


def test_positions_answers_and_saved_games_are_opened_but_one_that_replays_otherwise() -> None:
    shop = VariantUploads(DocumentCache(1_000_000))
    rules, position, name, _ = read_paste(json.dumps(opening()), "hundred", shop)
    assert (rules.name, position, name) == ("standard", STANDARD.opening(), "standard"), "a document names its variant"
    answer = adjudicate({**opening(), "orders": {"France": ["A par - bur"]}})
    _, after, _, _ = read_paste(json.dumps(answer), "hundred", shop)
    assert "A bur" in {str(unit) for unit in after.units_of("France")}
    saved = json.loads(SAVED.read_text())
    _, position, name, _ = read_paste(json.dumps(saved), "standard", shop)
    assert (name, str(position.turn)) == ("hundred", saved["after"]["turn"])
    power, units = next((p, u) for p, u in saved["after"]["units"].items() if len(u) > 1)
    saved["after"]["units"][power] = units[1:]
    with pytest.raises(PasteError, match="Replaying the game gives another result"):
        read_paste(json.dumps(saved), "standard", shop)
    name = PREFIX + shop.put({"my.toml": EXAMPLE})
    game = Game(shop.rules(name))
    game.play({"France": "A par - bur"})
    _, position, opened, _ = read_paste(json.dumps(save_game(game)), "standard", shop)
    assert opened == name and "A bur" in {str(unit) for unit in position.units_of("France")}


def test_orders_alone_are_opened_with_the_units_that_they_name() -> None:
    text = (
        "Fall 1903 Movement\nEngland: F North Sea - Norway\n\n"
        "Russia:\nA St Petersburg S F Sweden - Norway; F Sweden - Norway"
    )
    _, position, _, sheet = read_paste(text, "standard", VariantUploads(DocumentCache(1_000_000)))
    assert str(position.turn) == "Fall 1903 Movement"
    assert {str(unit) for unit in position.units} == {"F nth", "A stp", "F swe"}
    assert sheet == "England\nF nth - nwy\n\nRussia\nA stp S F swe - nwy\nF swe - nwy"
