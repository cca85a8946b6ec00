"""Saved games: they go on where they stood, tell what has changed, and no forged one passes the audit."""

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import pytest

from legation.bots.chance import plausible_sheets
from legation.game import (
    DocumentError,
    Game,
    SavedGameError,
    adjudicate,
    load_game,
    position_document,
    read_task,
    replay,
    save_game,
)
from legation.game.reading_sheets import Unread
from legation.game.saved import game_schema
from legation.judge import changes
from legation.notation import write
from legation.orders import Sheet
from legation.rules.conversion import Conversion
from legation.variants import Registry, load
from tests.rules.mixes import of_modules

ROOT = Path(__file__).parents[2]


def played(variant: str, turns: int, options: dict[str, object] | None = None) -> Game:
    """A game with orders by chance, in which something was not understood."""
    rules = load(variant, options)
    game = Game(rules, name="Edgehill", seed="edgehill")
    for turn in range(turns):
        sheets = plausible_sheets(rules, game.position, Random(f"{variant} {turn}"))
        texts = {sheet.power: "\n".join(map(write, sheet.orders)) for sheet in sheets}
        if turn == 1:
            texts[sheets[0].power] += "\nA moon - cheese"
        if turn == 2:  # a sheet of which only what was understood is known
            power = next(power for power in rules.powers if power != sheets[0].power)
            lost = [Unread(power, "A moon - cheese", "'moon' isn't a place")]
            game.play(sheets, lost, sent={sheets[0].power: texts[sheets[0].power]})
        else:
            game.play(texts)
        if game.ending is not None:
            break
    return game


def test_a_game_goes_on_just_as_if_it_had_not_been_saved() -> None:
    for variant in ("three-kingdoms", "1897"):
        game = played(variant, 5)
        again = load_game(json.loads(json.dumps(save_game(game))))
        assert save_game(again) == save_game(game)
        for turn in range(5, 9):
            sheets = plausible_sheets(game.rules, game.position, Random(turn))
            assert again.play(sheets) == game.play(sheets)
        assert replay(save_game(again))[1] == []
        assert save_game(load_game(save_game(again))) == save_game(game)
        for one, other in zip(again.turns, load_game(save_game(again)).turns, strict=True):
            assert one.resolution.verdicts == other.resolution.verdicts
            assert set(one.resolution.dislodged) == set(other.resolution.dislodged)
            assert (one.sheets, one.resolution.after) == (other.sheets, other.resolution.after)
            assert (one.unread, one.sent) == (other.unread, other.sent)


def test_a_turn_of_a_loaded_game_is_read_as_it_was_stored() -> None:
    document = save_game(played("standard", 4))
    document["turns"][0]["verdicts"][0]["outcome"] = "bounced"
    game = load_game(document)
    assert game.turns[0].resolution.verdicts[0].outcome.value == "bounced"
    assert save_game(game)["turns"] == document["turns"]
    assert [t.resolution.before.turn for t in game.turns[1:3]] == [game.turns[i].resolution.before.turn for i in (1, 2)]
    with pytest.raises(IndexError):
        game.turns[4]


def test_a_unit_that_had_nowhere_to_go_is_among_the_dislodged_when_the_game_is_read_again() -> None:
    task = read_task(
        {
            "variant": "standard",
            "turn": "Spring 1905 Movement",
            "units": {"Italy": ["F nap"], "Austria": ["A rom", "A apu"], "Turkey": ["F ion", "F tys"]},
            "centers": {"Italy": ["nap"]},
            "orders": {"Austria": ["A rom - nap", "A apu S A rom - nap"]},
        }
    )
    game = Game(task.rules, opening=task.position)
    resolution = game.play(task.sheets)
    assert [str(d.unit) for d in resolution.dislodged] == ["F nap"] and not resolution.after.dislodged
    assert load_game(json.loads(json.dumps(save_game(game)))).turns[0].resolution.dislodged == resolution.dislodged


def changed_board(folder: Path) -> Registry:
    """The standard game as ``own``, on a board with a border that was corrected."""
    source = ROOT / "src" / "legation" / "variants"
    board = folder / "mine"
    board.mkdir()
    for file in (source / "boards" / "standard").glob("*.*"):
        if file.suffix in (".csv", ".toml"):
            (board / file.name).write_bytes(file.read_bytes())
    text = (source / "data" / "standard.toml").read_text(encoding="utf-8")
    own = text.replace('board = "standard"', 'board = "mine"').replace('name = "standard"\n', "")
    (folder / "own.toml").write_text(own, encoding="utf-8")
    return Registry(folder)


def test_a_corrected_border_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    rules = changed_board(tmp_path).load("own")
    game = Game(rules)
    game.play([])
    saved = json.loads(json.dumps(save_game(game)))
    asked = {**position_document(rules, game.position), "orders": {}}
    assert load_game(saved, Registry(tmp_path)).warnings == ()
    assert adjudicate(asked, Registry(tmp_path))["warnings"] == []
    borders = tmp_path / "mine" / "borders.csv"
    lines = borders.read_text(encoding="utf-8").splitlines()
    [row] = [line for line in lines if line.startswith("bur,par,")]
    borders.write_text("\n".join(line for line in lines if line != row) + "\n", encoding="utf-8")
    changed = Registry(tmp_path)
    assert changes(rules.digest, changed.load("own")) == ["the board has changed"]
    [warning] = load_game(saved, changed).warnings
    assert warning == "the board has changed since this game was saved; it goes on by the present ones"
    [told] = adjudicate(asked, changed)["warnings"]
    assert told == "rules: the board has changed since this was written; the present ones count"
    assert [d.what for d in replay(saved, changed)[1]] == ["rules (the board has changed)"]


def test_a_center_that_is_none_any_more_is_told_with_both_digests(tmp_path: Path) -> None:
    registry = changed_board(tmp_path)
    rules = registry.load("own")
    units = {"France": ["A bel"], "Germany": ["A mun"]}
    task = read_task({"variant": "own", "turn": "Fall 1901 Movement", "units": units, "centers": {}}, registry)
    game = Game(rules, opening=task.position)
    game.play([])
    owned = json.loads(json.dumps(save_game(game)))
    assert "bel" in owned["after"]["centers"]["France"]
    land = tmp_path / "mine" / "land.csv"
    lines = land.read_text(encoding="utf-8").splitlines()
    [row] = [line for line in lines if line.startswith("bel,")]
    assert row.count(",1,") == 1
    land.write_text("\n".join(line.replace(",1,", ",0,") if line == row else line for line in lines), encoding="utf-8")
    present = Registry(tmp_path)
    told = (
        f"the board has changed since this game was saved: then own was {rules.digest}, now it is "
        f"{present.load('own').digest}, by which the game cannot be read; go on with it by the Legation that saved it"
    )
    with pytest.raises(SavedGameError) as caught:
        load_game(owned, present)
    assert caught.value.faults == [told, "after.centers.France[0]: Belgium isn't a supply center"]
    with pytest.raises(SavedGameError) as caught:
        replay({**owned, "opening": owned["after"]}, present)
    assert caught.value.faults == [told, "opening.centers.France[0]: Belgium isn't a supply center"]
    with pytest.raises(SavedGameError, match="does not say by which rules it was saved, and by those that own has now"):
        load_game({**owned, "rules": ""}, present)
    since = copy.deepcopy(owned)  # it was lost again: the game goes on, and the turn in which it was owned says why not
    since["turns"].append({**since["turns"][0], "after": since["turns"][0]["position"]})
    since["after"] = since["turns"][0]["position"]
    later = load_game(since, present)
    assert later.warnings == ("the board has changed since this game was saved; it goes on by the present ones",)
    with pytest.raises(SavedGameError) as caught:
        later.turns[0]
    assert caught.value.faults == [
        "the board has changed since this game was saved",
        "after.centers.France[0]: Belgium isn't a supply center",
    ]


def test_each_part_of_the_digest_is_told() -> None:
    standard, other = load("standard"), load("standard", {"waiving": False})
    assert changes(standard.digest, other) == ["the options have changed"]
    assert changes(standard.digest, standard) == []
    assert changes("nonsense", standard) == ["the rules have changed"]
    assert changes(load("hundred").digest, load("hundred1")) == ["the board has changed", "the powers have changed"]
    first, *rest = standard.modules
    newer = type("Newer", (type(first),), {"version": first.version + 1})(**first.settings)
    assert changes(of_modules(standard, [newer, *rest]).digest, standard) == ["the rules have changed"]
    # a setting that a rule got later is pinned where it is given, and nowhere else
    pins = [Conversion().pinned_settings, Conversion(where="centers").pinned_settings]
    assert pins == [{"turns": 2}, {"turns": 2, "where": "centers"}]
    with pytest.raises(DocumentError, match="the digest of the rules is a text"):
        read_task({"variant": "standard", "rules": 5})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "legation game 3"}, "of a later version of Legation"),
        ({"format": "legation game 0"}, "format: must be"),
        ({"format": "legation answer 1"}, "this is an answer"),
        ({"format": None}, "format: must be"),
        ({"turns": 3}, "turns: Expected `array`"),
        (
            {"turns": [3, {}]},
            "turns[0]: Expected `object`, got `int`; turns[1]: Object missing required field `position`",
        ),
        ({"seed": 5, "turns": [3]}, "seed: Expected `str`"),
        ({"colour": 1}, "unknown field `colour`"),
        ({"variant": "hundrd"}, "did you mean 'hundred'"),
        ({"options": {"x": True}}, "no option 'x'"),
        ({"turns": []}, "after: is not where"),
        ({"ending": {"kind": "draw", "powers": [], "reason": "so"}}, "ending: is not that of the last turn"),
    ],
)
def test_faults_of_a_saved_game_are_told(change: dict[str, Any], message: str) -> None:
    document = {**save_game(played("hundred", 2)), **change}
    if change == {"turns": []}:
        document["turns"] = save_game(played("hundred", 1))["turns"]
    with pytest.raises(SavedGameError) as caught:
        load_game(document)
    assert message in str(caught.value)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every part of a document."""
    if path:
        yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield from places(entry, (*path, key))


def forgeries(value: Any) -> Iterator[Any]:
    """What somebody could write instead."""
    if isinstance(value, str):
        yield from (f"{value}xx", "")
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, list):
        yield value[:-1] if value else ["A par"]
        yield [*value, *value[-1:]]
        if len(value) > 1 and value[::-1] != value:
            yield value[::-1]
    elif isinstance(value, dict):
        yield {}
    else:
        yield "x"


def told(document: Any) -> bool:
    try:
        return bool(replay(document)[1])
    except SavedGameError:
        return True


def means_the_same(path: tuple[Any, ...], old: Any, new: Any) -> bool:
    """Whether a change is none, or one that no replay can tell: the name, a text that means the same or is left out,
    what exactly was not understood of a sheet whose text is not kept, in which order a list of units was written, and
    a seed that is left out, as in a public document."""
    if old == new or path == ("name",) or (path == ("seed",) and not new):
        return True
    if path[-1] == "sent":
        return not new
    if "sent" in path:
        return not old
    if "unread" in path and path[1] == 2:
        return path[-1] == "order" or (path[-1] == "unread" and bool(new))
    within = {"opening", "position", "after", "orders"} & set(path)
    same = isinstance(old, list) and isinstance(new, list) and sorted(map(str, old)) == sorted(map(str, new))
    return bool(within) and (same or (not old and not new))


@pytest.mark.parametrize(
    ("variant", "turns", "options"),
    [
        pytest.param("1897", 5, {"civil_disorder": "lot"}, marks=pytest.mark.long),
        ("hundred3", 4, {}),
        pytest.param("three-kingdoms", 2, {}, marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize(
    "which", [slice(1), pytest.param(slice(1, 3), marks=pytest.mark.longest)], ids=["first", "further"]
)
def test_a_forged_game_is_told_whatever_is_forged(
    variant: str, turns: int, options: dict[str, object], which: slice
) -> None:
    """Of each kind of place the first that is drawn is forged, or two further ones, each in several ways."""
    text = json.dumps(save_game(played(variant, turns, options)))
    saved = json.loads(text)
    assert not told(saved)
    random = Random(7)
    by_kind: dict[str, list[tuple[Any, ...]]] = {}
    for path in places(saved):
        by_kind.setdefault(".".join("*" if isinstance(key, int) else str(key) for key in path), []).append(path)
    passed = []
    tried = 0
    for paths in by_kind.values():
        for path in random.sample(paths, len(paths))[which]:
            *way, last = path
            target: Any = saved
            for key in way:
                target = target[key]
            true = target[last]
            for forged in forgeries(true):
                if means_the_same(path, true, forged):
                    continue
                target[last] = forged
                tried += 1
                if not told(saved):
                    passed.append((path, true, forged))
            target[last] = true
    assert json.dumps(saved) == text
    assert not passed, "\n".join(str(p)[:230] for p in passed)
    assert tried > 75


def test_drafts_are_kept_until_the_turn_is_played() -> None:
    game = Game("standard")
    game.drafts = {"France": ["A par - bur"]}
    again = load_game(json.loads(json.dumps(save_game(game))))
    assert again.drafts == {"France": ["A par - bur"]}
    again.play([])
    assert again.drafts == {} and "drafts" not in save_game(again)


def test_what_was_sent_proves_the_orders_and_what_was_not_understood() -> None:
    game = Game("standard")
    game.play(
        {"France": "A Par - Bur, A Mar S A Par - Bur\nF Bre - the moon", "french": "F Bre H", "Italy": ["A Ven H"]}
    )
    saved = json.loads(json.dumps(save_game(game)))
    assert not told(saved)
    turn = saved["turns"][0]
    assert turn["sent"]["France"].endswith("the moon\nF Bre H")
    turn["sent"]["France"] = turn["sent"]["France"].replace("Bur", "Gas").replace("moon", "sun")
    found = [d.what for d in replay(saved)[1]]
    assert found == ["sent by France: orders", "sent by France: unread"]
    turn["sent"] = {"Atlantis": "A Par H"}
    assert [d.what for d in replay(saved)[1]] == ["sent"]


def test_a_position_of_another_format_or_of_other_rules_is_told_once() -> None:
    saved = json.loads(json.dumps(save_game(played("hundred", 3))))
    for turn in saved["turns"]:
        turn["position"]["rules"] = turn["after"]["rules"] = "0" * 32 + turn["after"]["rules"][32:]
    assert [d.what for d in replay(saved)[1]] == ["rules (the board has changed)"]
    saved["turns"][1]["position"]["rules"] = "nonsense"
    saved["turns"][2]["after"]["format"] = "legation position 2"
    assert {d.what for d in replay(saved)[1]} >= {"position.rules", "after.format"}


def test_keys_left_out_are_told() -> None:
    saved = json.loads(json.dumps(save_game(played("1897", 5, {"civil_disorder": "lot"}))))
    for key in saved.keys() - {"name", "seed"}:
        if saved[key] not in (None, {}, []):
            assert told({k: v for k, v in saved.items() if k != key}), key
    for number, turn in enumerate(saved["turns"]):
        for key in turn.keys() - {"sent", "unread"}:
            cut = [{k: v for k, v in t.items() if i != number or k != key} for i, t in enumerate(saved["turns"])]
            assert told({**saved, "turns": cut}), (number, key)


def test_a_forged_ending_and_turns_after_the_end_are_told() -> None:
    saved = json.loads((ROOT / "examples" / "hundred.json").read_text(encoding="utf-8"))
    assert not told(saved)
    assert told({**saved, "ending": None})
    for key, value in (("kind", "draw"), ("powers", ["England"]), ("reason", "so")):
        assert told({**saved, "ending": {**saved["ending"], key: value}})
        last = {**saved["turns"][-1], "ending": {**saved["ending"], key: value}}
        assert told({**saved, "turns": [*saved["turns"][:-1], last]})
    with pytest.raises(SavedGameError, match=r"turns\[\d+\]: the game had ended before: Burgundy reached 9 centers"):
        replay({**saved, "turns": [*saved["turns"], saved["turns"][-1]]})


def test_a_game_without_its_commitment_is_told() -> None:
    saved = save_game(played("hundred", 2), public=True)
    assert not told(saved)
    del saved["commitment"]
    assert [str(d) for d in replay(saved)[1]] == ["commitment: stored nothing, replayed one"]


def test_an_order_that_is_called_not_understood_and_is_understood_is_told() -> None:
    saved = save_game(played("hundred", 2))
    line = saved["turns"][1]["unread"][0]
    line["order"] = "A par H"
    found = [d for d in replay(saved)[1] if d.what == f"unread of {line['power']}"]
    assert [d.replayed for d in found] == ["it is understood"]


def test_a_verdict_that_cannot_be_read_any_more_is_told_with_its_turn() -> None:
    saved = save_game(played("hundred", 2))
    saved["turns"][0]["verdicts"][0]["order"] = "A moon H"
    with pytest.raises(SavedGameError, match=r"verdicts: 'A moon H': 'moon' isn't a place on this board"):
        load_game(saved).turns[0]


def test_the_schema_is_that_of_the_records() -> None:
    written = files("legation.game").joinpath("schemas", "game.json").read_text(encoding="utf-8")
    assert json.loads(written) == json.loads(json.dumps(game_schema())), "write it: python -m legation.game.saved"
    made = subprocess.run([sys.executable, "-m", "legation.game.saved"], capture_output=True, text=True, check=True)
    assert made.stdout == written


def test_a_saved_opening_is_kept() -> None:
    rules = load("standard")
    later = Game(rules)
    later.play([Sheet("France")])
    game = Game(rules, opening=later.position)
    assert load_game(save_game(game)).position == later.position
    assert replay(save_game(game))[1] == []
