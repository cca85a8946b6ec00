"""The policy of human orders: the network by numpy and by PyTorch, and the sheets that are drawn from it."""

import gzip
from importlib.resources import files
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

from legation.bots.matches import random_game
from legation.judge import resolve
from legation.lab.policy import players
from legation.lab.policy.choices import Choices
from legation.lab.policy.drawing import Policy, draw_sheet
from legation.lab.policy.encoding import Encoded, graph_of, remember
from legation.lab.policy.examples import Collector, prepare
from legation.lab.policy.network import Scorer, log_chances, read_position, weights
from legation.lab.policy.players import beginner, casual, club, strong, strongest
from legation.notation import write
from legation.orders import Hold, Sheet, SupportHold, VoteDraw
from legation.position import Phase
from legation.variants import load, names
from tests.bots.test_bots import faults
from tests.sampling import some

pytest.importorskip("numba", reason="the lab needs its extra")

RULES = load("standard")
OPENINGS = {
    "Austria": ["A bud - ser", "A vie - bud", "F tri - alb"],
    "England": ["A lvp - yor", "F edi - nwg", "F lon - nth"],
    "France": ["A mar - spa", "A par - bur", "F bre - mao"],
    "Germany": ["A ber - kie", "A mun - ruh", "F kie - den"],
    "Italy": ["A rom - ven", "A ven - tyr", "F nap - ion"],
    "Russia": ["A mos - ukr", "A war - gal", "F sev - rum", "F stp/sc - bot"],
    "Turkey": ["A con - bul", "A smy - con", "F ank - bla"],
}
CHANCES = [-1.913, -1.203, -1.585, -1.313, -1.704, -1.823, -0.875]
OUTLOOKS = {
    "Austria": 0.104,
    "England": 0.1211,
    "France": 0.1808,
    "Germany": 0.1196,
    "Italy": 0.0964,
    "Russia": 0.1717,
    "Turkey": 0.2063,
}


def collected(seed: int = 7, turns: int = 12) -> Any:
    """Training examples from a game of random orders."""
    collector = Collector(RULES, "test")
    for resolution in random_game(RULES, seed, turns):
        given: dict[str, list[Any]] = {power: [] for power in RULES.powers}
        for verdict in resolution.verdicts:
            given[verdict.power].append(verdict.order)
        collector.note(resolution.before, given, None, 0)
    return collector.examples({})


def test_numpy_gives_what_pytorch_gives() -> None:
    torch = pytest.importorskip(
        "torch", reason="only training needs PyTorch (the extra train); what is recorded holds without it"
    )
    from legation.lab.policy import training

    examples = collected()
    kept = {name: torch.from_numpy(np.array(value)) for name, value in weights().items()}
    loader = training.Loader(RULES, examples)
    batch = loader.batch(np.arange(len(examples.game)))
    with torch.no_grad():
        h, held = training.read_board(kept, loader.relations, batch)
        chances = training.log_chances(training.score_orders(kept, batch, h, held), batch.choice, len(batch.power))
        outlooks = training.judge_powers(kept, batch, held).exp().numpy()
    graph = graph_of(RULES)
    first = np.concatenate([[0], np.cumsum(examples.count)])
    for n in range(len(examples.game)):
        encoded = encode_of(examples, n)
        reading = read_position(weights(), graph, encoded)
        assert np.abs(reading.outlook - outlooks[n]).max() < 1e-4
        scorer, decided, sheet = None, None, -1
        for c in np.flatnonzero(examples.position == n):
            if examples.sheet[c] != sheet:
                sheet = examples.sheet[c]
                scorer = Scorer(weights(), reading, encoded, int(examples.power[c]))
                decided = scorer.start(1)
            rows = slice(first[c], first[c + 1])
            kind, at, to, helped = examples.orders[rows].astype(int).T
            choices = choices_of(kind, at, to, helped)
            context = examples.context[rows][None].astype(np.float32) / 255
            assert scorer is not None
            found = log_chances(scorer.scores(choices, context, decided))[0]
            assert np.abs(found - chances.numpy()[rows]).max() < 1e-4
            decided = scorer.decide(choices, np.array([examples.chosen[c]]), decided)


def choices_of(kind: Any, at: Any, to: Any, helped: Any) -> Choices:
    return Choices([], kind, at, to, helped, np.zeros(len(kind)))


def encode_of(examples: Any, n: int) -> Encoded:
    told = {name: getattr(examples, name)[n] for name in Encoded._fields}
    for name in ("features", "views"):
        told[name] = told[name].astype(np.float32) / 255
    return Encoded(**told)


def test_the_weights_are_small() -> None:
    assert len((files("legation.lab.policy") / "weights.npz").read_bytes()) < 4 * 2**20


@pytest.mark.parametrize("variant", some(sorted(names(), key=lambda name: len(load(name).board.provinces)), 8))
@pytest.mark.parametrize("play", [beginner, casual, club])
def test_people_who_never_were_play_every_variant_with_legal_orders_only(play: Any, variant: str) -> None:
    rules = load(variant)
    position = rules.opening()
    phases = set()
    for _ in range(14):
        sheets = [play(rules, position, power, Random(f"{position.turn} {power}")) for power in rules.powers]
        for sheet in sheets:
            assert not faults(rules, position, sheet), str(position.turn)
            if position.turn.phase is Phase.MOVEMENT and not rules.refuses_orders(position, sheet.power):
                ordered = [str(getattr(o, "at", "")) for o in sheet.orders if not isinstance(o, VoteDraw)]
                assert sorted(ordered) == sorted(u.at for u in position.units_of(sheet.power))
        phases.add(position.turn.phase)
        position = resolve(rules, position, sheets, "seed").after
    assert {Phase.MOVEMENT, Phase.ADJUSTMENTS} <= phases


@pytest.mark.parametrize(("play", "least", "most"), [(club, 0, 0), (strong, 90, 150), (strongest, 200, 200)])
def test_strong_searches_in_six_of_ten_turns_and_strongest_in_all(
    monkeypatch: pytest.MonkeyPatch, play: Any, least: int, most: int
) -> None:
    found = Sheet("Turkey", ())
    monkeypatch.setattr(players, "search", lambda *_: found)
    monkeypatch.setattr(players, "draw_sheet", lambda *_: Sheet("Turkey", (Hold("F", "ank"),)))
    sheets = [play(RULES, RULES.opening(), "Turkey", Random(seed)) for seed in range(200)]
    assert least <= sheets.count(found) <= most


def test_beginners_forget_some_of_their_supports_and_no_one_else_does(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = Sheet("Turkey", (Hold("F", "ank"), SupportHold("A", "con", "A", "smy")))
    monkeypatch.setattr(players, "draw_sheet", lambda *_: drawn)
    for play, least, most in ((beginner, 10, 60), (casual, 0, 0), (club, 0, 0)):
        sheets = [play(RULES, RULES.opening(), "Turkey", Random(seed)) for seed in range(200)]
        assert least <= sum(sheet != drawn for sheet in sheets) <= most
        assert {sheet.orders[1] for sheet in sheets} <= {drawn.orders[1], Hold("A", "con")}


def test_the_same_seed_draws_the_same_sheet_and_heat_loosens_it() -> None:
    opening = RULES.opening()
    first, again = (Policy(RULES, opening).draw("Turkey", Random(3), 8) for _ in range(2))
    assert first == again
    policy = Policy(RULES, opening)
    cold, warm, hot = (
        np.mean([drawn.chance for drawn in policy.draw("Turkey", Random(3), 64, heat=heat)]) for heat in (0, 1, 3)
    )
    assert cold > warm > hot


def test_openings_are_those_that_people_play_the_likeliest_without_heat() -> None:
    """The likeliest first sheets, and how the powers stand at the beginning, as they are pinned here: the same on every
    machine."""
    policy = Policy(RULES, RULES.opening())
    likeliest = {power: policy.draw(power, Random(1), heat=0)[0] for power in RULES.powers}
    told = {power: sorted(map(write, drawn.sheet.orders)) for power, drawn in likeliest.items()}
    assert told == OPENINGS
    assert [round(drawn.chance, 3) for drawn in likeliest.values()] == pytest.approx(CHANCES, abs=2e-3)
    assert policy.outlooks == pytest.approx(OUTLOOKS, abs=1e-3)
    for power in ("Turkey", "Russia"):
        found = policy.likeliest(power, 12)
        assert found == policy.likeliest(power, 12) and len({drawn.sheet for drawn in found}) == 12
        assert sorted(map(write, found[0].sheet.orders)) == OPENINGS[power]
        assert [drawn.chance for drawn in found] == sorted((drawn.chance for drawn in found), reverse=True)
        assert sum(np.exp([drawn.chance for drawn in found])) < 1


def test_how_likely_a_sheet_is_can_be_asked_of_any() -> None:
    policy = Policy(RULES, RULES.opening())
    likeliest = policy.likeliest("Russia", 6)
    told = policy.chances("Russia", [drawn.sheet for drawn in likeliest])
    assert told == pytest.approx([drawn.chance for drawn in likeliest], abs=1e-4)
    without = Sheet("Russia", likeliest[0].sheet.orders[1:])
    assert policy.chances("Russia", [without])[0] < told[0] - 2, "an order less is none that people give"


def test_no_names_matter() -> None:
    """A variant with other names of powers is read the same."""
    opening = RULES.opening()
    known = Policy(RULES, opening)
    first, *others = RULES.powers
    swapped = {first: others[0], others[0]: first}
    turned = msgspec.structs.replace(
        opening,
        units=tuple(msgspec.structs.replace(u, power=swapped.get(u.power, u.power)) for u in opening.units),
        owners={center: swapped.get(power, power) for center, power in opening.owners.items()},
    )
    graph = graph_of(RULES)
    a, b = known.encoded, Policy(RULES, turned).encoded
    order = [graph.power[swapped.get(power, power)] for power in graph.powers]
    assert np.array_equal(a.views[order], b.views) and np.array_equal(a.sizes[order], b.sizes)


def test_what_was_ordered_before_is_known_of_those_who_saw_it() -> None:
    first = resolve(RULES, RULES.opening(), [Sheet("France", (RULES.reader.order("A par - bur", Phase.MOVEMENT),))], "")
    memory = remember(graph_of(RULES), first.before, first.verdicts)
    told, untold = Policy(RULES, first.after, memory), Policy(RULES, first.after)
    assert told.encoded.features[:, -1].all() and not untold.encoded.features[:, -1].any()
    assert write(memory.orders["par"]) == "A par - bur"
    assert draw_sheet(RULES, first.after, "France", Random(1), 0.0) is not None


def recorded(path: Any) -> Any:
    """A file with a recorded game of one turn, in which a fleet's coast is left out and an order is not legal."""
    opening = RULES.opening()
    centers: dict[str, list[str]] = {}
    for center, power in opening.owners.items():
        centers.setdefault(power, []).append(center)
    orders = [
        {"power": "Russia", "unit": "F", "at": "stp/sc", "order": "move", "to": "bot"},
        {"power": "Russia", "unit": "A", "at": "war", "order": "support", "target": "mos", "target_to": "ukr"},
        {"power": "Russia", "unit": "A", "at": "mos", "order": "move", "to": "ukr"},
        {"power": "Russia", "unit": "F", "at": "sev", "order": "move", "to": "bre"},
    ]
    phase = {
        "year": 1901,
        "season": "Spring",
        "type": "Movement",
        "units": [{"power": u.power, "type": u.kind, "at": u.at} for u in opening.units],
        "dislodged": [],
        "centers": centers,
        "orders": orders,
    }
    path.write_bytes(gzip.compress(msgspec.json.encode({"phases": [phase]}) + b"\n"))
    return path


def test_recorded_games_become_examples_once(tmp_path: Any) -> None:
    source = recorded(tmp_path / "games.jsonl.gz")
    with pytest.raises(ValueError, match="no examples"):
        prepare("standard", [source], tmp_path)
    source.write_bytes(source.read_bytes() * 2)
    examples = prepare("standard", [source], tmp_path)
    source.unlink()
    assert len(prepare("standard", [source], tmp_path).count) == len(examples.count) == 6, "the illegal order is none"
    assert len(examples.orders) == examples.count.sum() and (examples.chosen < examples.count).all()
    assert (examples.outcome == -1).all(), "a game that was given up tells nothing of what its positions were worth"


def test_training_learns() -> None:
    pytest.importorskip(
        "torch", reason="only training needs PyTorch (the extra train); what is recorded holds without it"
    )
    from legation.lab.policy import training

    loader = training.Loader(RULES, collected())
    positions = np.arange(len(loader.examples.game))
    sizes = training.Sizes(width=8, layers=1, hidden=8, sheet=4)
    heard: list[int] = []
    plan = training.TrainingPlan(epochs=12, batch=4, rate=1e-2, kept=(1, 1, 1, 1), sizes=sizes)
    before = training.measure(training.new_weights(sizes, 1), loader, positions)
    w = training.train([(loader, positions)], plan, lambda epoch, step, loss: heard.append(epoch))
    after = training.measure(w, loader, positions)
    assert after["movement log loss"] < before["movement log loss"]
    assert training.calibrate(w, loader, positions) == 1, "nothing is known of outcomes"
    begun = training.new_weights(sizes, 1)
    for keep, mean in ((0.0, w), (1.0, begun), (0.25, {n: 0.25 * begun[n] + 0.75 * w[n] for n in w})):
        blended = training.blend(w, begun, keep)
        assert all(np.allclose(blended[n].detach(), mean[n].detach(), atol=1e-6) for n in w)
