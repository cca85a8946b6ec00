"""What ``docs/writing-rules.md`` shows, word for word: a rule with an order of its own, outside the package, played and
drawn."""

import copy
import inspect
import pickle
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from random import Random

import msgspec
import pytest

from legation.atlas import for_variant
from legation.bots import BOTS, bot
from legation.conformance import cases
from legation.game import DocumentError, Game, adjudicate, check_sheet, load_game, replay, save_game
from legation.game.report import turn_report
from legation.judge import Outcome, Rule, Ruleset, advance, has_business, legal_orders, resolve
from legation.judge.matching import Matching
from legation.notation import Drawn, Gesture, OnPaper, OrderKind, Production, Text, write
from legation.orders import Sheet, SupportHold
from legation.position import Phase, Turn
from legation.variants import Registry, VariantError, examples, load
from legation.web.public.live_turns import choice
from tests.rules.manual_folder import DOCS, EXAMPLES

ASKED = [name for name, value in vars(Rule).items() if not name.startswith("_") and callable(value)]


def test_the_rule_is_played(manual_folder: Path) -> None:
    variants = Registry(manual_folder / "mine")
    answer = adjudicate(msgspec.json.decode((manual_folder / "turn.json").read_bytes()), variants)
    found = {v["order"]: v["outcome"] for v in answer["verdicts"]}
    assert found == {"A bur digs in": "succeeds", "A mun - bur": "bounced", "A ruh S A mun - bur": "succeeds"}
    rules = variants.load("trenches")
    assert "Dig in" in examples(rules) and "Dig in" not in examples(load("standard"))
    assert rules.reader.order("A mar S A par digs in") == SupportHold("A", "mar", "A", "par")
    position = rules.opening()
    legal = [write(order) for order in legal_orders(rules, position)["France"]]
    assert "A par digs in" in legal and "F bre digs in" not in legal
    check = check_sheet(rules, position, "France", "Army Paris digs in\nF bre digs in\nA mar dig up")
    assert [e.problem.message if e.problem else e.order for e in check.entries] == [
        "A par digs in",
        "only armies dig in",
        "say 'digs in'",
    ]
    offered = [choice(rules, order) for order in legal_orders(rules, position)["France"]]
    assert ("digin", "par", "", "", "A par digs in", "Army Paris digs in") in offered
    with pytest.raises(ValueError, match="A par digs in"):
        load("standard").reader.order("A par digs in")


def test_its_games_are_kept(manual_folder: Path) -> None:
    variants = Registry(manual_folder / "mine")
    game = Game(variants.load("trenches"))
    game.play([])
    saved = save_game(game)
    again = load_game(saved, variants)
    assert again.position == game.position and not again.warnings


def test_it_is_drawn(manual_folder: Path) -> None:
    variants = Registry(manual_folder / "mine")
    assert for_variant("trenches", variants)
    legation(manual_folder, "map turn.json -o x.svg")
    svg = (manual_folder / "x.svg").read_text()
    assert ">digs in</text>" in svg and ">holds</text>" not in svg


def legation(manual_folder: Path, command: str) -> str:
    """What a command of the page prints."""
    words = [sys.executable, "-m", "legation", "--variants", "mine", *command.split()]
    done = subprocess.run(words, cwd=manual_folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


def test_the_commands_run(manual_folder: Path) -> None:
    assert "An army that digs in holds with a strength of 2." in legation(manual_folder, "rules trenches")
    assert "digs in" in legation(manual_folder, "adjudicate turn.json --text")


def test_an_order_that_needs_another_unit(manual_folder: Path) -> None:
    rules = Registry(manual_folder / "mine").load("passes")
    position = rules.opening()
    legal = {power: [write(order) for order in orders] for power, orders in legal_orders(rules, position).items()}
    assert "A mar passes through bur to mun" in legal["France"] and "A mar S A bur - mun" not in legal["France"]
    assert "A mun passes through ber to pru" in legal["Germany"] and "A mun S A ber - pru" not in legal["Germany"]
    assert "A bur S A mar - mun" in legal["France"]  # where a passage alone brings it

    def judged(france: str, rules: Ruleset = rules) -> list[str]:
        game = Game(rules)
        return [v.explanation for v in game.play({"France": france}).verdicts if v.explanation.startswith("A mar")]

    assert judged("A mar passes to mun")[0].startswith("A mar passes through bur to mun bounced")
    assert judged("A mar passes to ruh") == ["A mar passes through bur to ruh succeeds: nothing stands against it"]
    stays = "A mar passes through bur to ruh stays: the army in bur does not stay"
    assert judged("A mar passes through bur to ruh\nA bur - bel") == [stays]
    assert judged("A mar passes to tyr")[0].endswith("is illegal: no army of France lets A mar pass to tyr")
    check = check_sheet(rules, position, "France", "Army Marseilles passes by Burgundy")
    assert check.entries[0].problem is not None and "say where to" in check.entries[0].problem.message
    off = Registry(manual_folder / "mine").load("passes", {"passages": False})
    assert not [order for order in legal_orders(off, position)["France"] if "passes" in write(order)]
    assert "illegal" in judged("A mar passes through bur to ruh", off)[0]


def test_a_phase_of_ones_own_is_played(manual_folder: Path) -> None:
    rules = Registry(manual_folder / "mine").load("congress")
    game = Game(rules)
    assert str(game.position.turn) == "Spring 1901 Treaties"
    legal = legal_orders(rules, game.position)
    assert [write(order) for order in legal["France"]] == ["treaty with Germany"]
    check = check_sheet(rules, game.position, "France", "Treaty with Germany\ntreaty with France\nA mar - spa")
    assert [e.problem.message if e.problem else e.order for e in check.entries] == [
        "treaty with Germany",
        "a power has no treaty with itself",
        "a move can't be ordered in treaties",
    ]
    made = game.play({"France": "treaty with Germany", "Germany": "treaty with France"})
    assert [str(v.outcome.value) for v in made.verdicts] == ["succeeds", "succeeds"]
    assert "France and Germany have a treaty." in turn_report(rules, made)
    moved = game.play({"France": "A bur - mun", "Germany": "A mun - tyr"})
    told = "A bur - mun is illegal: France is bound by its treaty with Germany"
    assert told in [verdict.explanation for verdict in moved.verdicts]
    assert not replay(save_game(game), Registry(manual_folder / "mine"))[1]


def test_votes_and_what_is_illegal_have_their_verdicts_in_a_phase_of_ones_own(manual_folder: Path) -> None:
    rules = Registry(manual_folder / "mine").load("congress")
    position = rules.opening()
    orders = {"France": ["draw", "treaty with France"], "Germany": ["draw"]}
    sheets = [
        Sheet(power, tuple(rules.reader.order(text, position.turn.phase, power) for text in texts))
        for power, texts in orders.items()
    ]
    judged = resolve(rules, position, sheets)
    told = [(verdict.power, verdict.explanation) for verdict in judged.verdicts]
    assert ("France", "treaty with France is illegal: a power has no treaty with itself") in told
    assert [power for power, text in told if text == "draw succeeds"] == ["France", "Germany"]
    assert judged.ending is not None and judged.ending.kind == "draw"


def test_a_phase_with_nothing_to_order_is_passed_over(manual_folder: Path) -> None:
    rules = Registry(manual_folder / "mine").load("congress")
    opening = rules.opening()
    alone = msgspec.structs.replace(
        opening, turn=Turn.parse("Winter 1901 Adjustments"), units=opening.units_of("France"), owners={"mar": "France"}
    )
    assert str(advance(rules, alone)[0].turn) == "Spring 1902 Movement"
    both = msgspec.structs.replace(opening, turn=Turn.parse("Winter 1901 Adjustments"))
    assert str(advance(rules, both)[0].turn) == "Spring 1902 Treaties"
    assert not has_business(rules, alone, "Germany")


def test_retreats_follow_what_dislodges(manual_folder: Path) -> None:
    text = (manual_folder / "mine" / "congress.toml").read_text()
    torn = text.replace('"Spring Treaties", "Spring Movement"', '"Spring Movement", "Spring Treaties"')
    (manual_folder / "mine" / "congress.toml").write_text(torn.replace("Spring 1901 Treaties", "Spring 1901 Movement"))
    with pytest.raises(VariantError, match="Spring 1901 Retreats comes after Spring 1901 Treaties"):
        Registry(manual_folder / "mine").load("congress")


def test_a_slice_of_ones_own_is_checked(manual_folder: Path) -> None:
    document = {"variant": "congress", "turn": "Spring 1901 Movement", "units": {}, "centers": {}}
    document["state"] = {"treaties": 3}
    with pytest.raises(DocumentError, match=r"state\.treaties: lists pairs of powers"):
        adjudicate(document, Registry(manual_folder / "mine"))


def test_bots_play_a_phase_of_ones_own(manual_folder: Path) -> None:
    rules = Registry(manual_folder / "mine").load("congress")
    for name in BOTS:
        game = Game(rules)
        random = Random(name)
        for _ in range(12):
            sheets = [bot(name)(rules, game.position, power, random) for power in rules.powers]
            assert not [v for v in game.play(sheets).verdicts if v.outcome is Outcome.ILLEGAL]


def test_phases_are_one_object_for_each_name() -> None:
    assert Phase("Movement") is Phase.MOVEMENT is pickle.loads(pickle.dumps(Phase.MOVEMENT))
    assert copy.deepcopy(Phase.RETREATS) is Phase.RETREATS and Phase.named("retreat") is Phase.RETREATS
    with pytest.raises(ValueError, match="one word with a capital"):
        Phase("two words")
    with pytest.raises(AttributeError, match="never changed"):
        Phase.MOVEMENT.value = "x"


def test_every_question_has_an_example_that_runs() -> None:
    files = [EXAMPLES.with_name("questions.py"), *sorted(EXAMPLES.rglob("*.py"))]
    said = ["key", "replaces", "options", "orders", "phases", "runs_after", "version", "added_settings"]
    assert len(ASKED) > 45
    shown = "\n".join(file.read_text(encoding="utf-8") for file in files)
    assert [name for name in ASKED if f"    def {name}(self" not in shown] == []
    assert [name for name in said if f"\n    {name} = " not in shown] == []


@pytest.mark.parametrize("record", [OrderKind, Production, Drawn, Gesture, OnPaper])
def test_every_field_of_an_order_of_ones_own_is_told(record: type[msgspec.Struct]) -> None:
    text = inspect.getdoc(record) or ""
    text += DOCS.read_text(encoding="utf-8").partition("## An order of your own")[2]
    text += "".join(file.read_text(encoding="utf-8") for file in EXAMPLES.rglob("*.py"))
    assert [field for field in record.__struct_fields__ if not re.search(rf"`{field}\b|\b{field}=", text)] == []


def test_the_first_change_of_contributing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its case holds with its rule, and fails without the condition that the reader takes out."""
    text = (DOCS.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Your first change")[2]
    found = re.findall(r"^ *```(?:toml|python)\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE)
    case, variant, _, rule = map(textwrap.dedent, found)
    condition = " if unit.province in self.provinces else None"
    assert condition in rule
    monkeypatch.setattr(cases, "_registry_beside", lambda path, _: (Registry(path.parent), path.stem))
    problems = []
    for name, source in (("with", rule), ("without", rule.replace(condition, ""))):
        (tmp_path / name / "rules").mkdir(parents=True)
        (tmp_path / name / "rules" / "citadels.py").write_text(source)
        (tmp_path / name / "citadels.toml").write_text(variant)
        (tmp_path / name / "movement.cases.toml").write_text(case)
        (read,) = cases.read_cases(tmp_path / name / "movement.cases.toml")
        problems.append(cases.run_case(read).problems)
    assert problems[0] == () and ["A pie - mar" in told for told in problems[1]] == [True]


def test_what_the_manual_says_of_the_reader_is_there() -> None:
    told = DOCS.read_text(encoding="utf-8").partition("### How an order is written")[2].partition("\n### ")[0]
    calls = set(re.findall(r"`text\.(\w+)", told))
    assert len(calls) > 8
    text = Text(load("standard").reader, "A par - bur", Phase.MOVEMENT, "France", None)
    assert [call for call in sorted(calls) if not hasattr(text, call)] == []


def test_every_question_is_in_the_table() -> None:
    """The manual's table is made from the groups in the docstring."""
    told = re.findall(r":meth:`(\w+)`", inspect.getdoc(Rule) or "")
    assert sorted(told) == sorted(ASKED)


def test_rules_use_what_the_manual_says_of_the_matched_orders() -> None:
    """The built-in rules keep to what a rule outside the package is told of."""
    told = Matching.__annotations__.keys() | {name for name in vars(Matching) if not name.startswith("_")}
    told -= {"complete", "leave_unused", "problem"}  # the judge's own
    folder = DOCS.parents[1] / "src" / "legation" / "rules"
    sources = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    used = set(re.findall(r"\bmatching\.([a-z_]+)(?! import)", sources))
    assert "effects" in used and used <= told
    assert re.findall(r"\bmatching\.[a-z_]+(?:\[[^]]*\])? [-+|]?= .*", sources) == []
