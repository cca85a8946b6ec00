"""What people say beside orders, in many words: it stops or changes the orders in its scope, as ``effects.tsv`` has it,
and never another."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from legation.notation import write
from legation.notation.acts import effects
from legation.variants import load
from tests.sampling import some

WORDINGS = [
    (kind, scope, said)
    for line in Path(__file__).with_name("acts.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
    for kind, scope, said in [line.split("\t")]
]
BEFORE_TOO = ("condition", "doubt", "question", "negation")
"""What may as well stand above the orders; what takes back or corrects stands below them."""


class Situation(msgspec.Struct, frozen=True, kw_only=True):
    """A board, a power, and an order of it with its words, between two others."""

    board: str
    power: str
    order: str
    unit: str
    place: str
    to: str
    above: str
    below: str
    ally: str
    enemy: str
    third: str

    @property
    def said(self) -> str:
        """The order in words."""
        return f"{self.place} to {self.to}"

    def fill(self, said: str) -> str:
        """Words with the names of this board."""
        filled = said.format(**msgspec.structs.asdict(self), said=self.said)
        return filled[0].upper() + filled[1:] if said.startswith("{unit}") else filled


SITUATIONS = (
    Situation(
        board="standard", power="France", ally="Germany", enemy="Italy", third="England",
        order="A par - bur", unit="the army in Paris", place="Paris", to="Burgundy",
        above="A mar H", below="F bre - mao",
    ),
    Situation(
        board="three-kingdoms", power="Crown", ally="Cumberland", enemy="Newcastle", third="Argyll",
        order="A worcs - warks", unit="the army in Worcestershire", place="Worcestershire", to="Warwickshire",
        above="F bristl H", below="A oxon - bucks",
    ),
)  # fmt: skip


def layouts(at: Situation, kind: str, scope: str, said: str) -> Iterator[tuple[str, bool]]:
    """Sheets with the words at each place where they have their scope; whether the order below the order in question
    stands on the sheet."""
    words = at.fill(said)
    if "{order}" in said and scope == "beside":
        yield f"{at.above}\n{words}\n{at.below}", True
        yield f"{at.above}\n{words}", False
        return
    yield f"{at.above}\n{at.order}\n{words}", False
    if scope == "beside":
        yield f"{at.above}\n{at.order}. {words}", False
        return
    yield f"{at.above}\n{at.order}\n{at.below}\n\n{words}", True
    if kind in BEFORE_TOO:
        yield f"{words}\n\n{at.above}\n{at.order}\n{at.below}", True


def read(at: Situation, text: str) -> list[str]:
    rules = load(at.board)
    position = rules.opening()
    passages = rules.reader.sheet(text, position.turn.phase, at.power, position)
    return [write(p.order) for p in passages if p.order is not None]


def faults(at: Situation, kind: str, scope: str, said: str) -> list[tuple[str, str, list[str]]]:
    """The sheets on which words have another effect than the table says: what, the sheet, its orders."""
    found = []
    stops = effects()[kind, scope] == "stop"
    for text, below in layouts(at, kind, scope, said):
        orders = read(at, text)
        given = [order.removeprefix("A ").removeprefix("F ") for order in orders]
        order, *others = [said[2:] for said in (at.order, at.above, *[at.below] * below)]
        wanted = [] if stops and scope == "sheet" else others
        if [one for one in given if one in others] != wanted:
            found.append(("another order is touched" if wanted else "the sheet stands", text, orders))
        elif given.count(order) != (not stops):
            found.append(("the order stands" if stops else "the order is touched", text, orders))
        changed = [one for one in given if one not in (order, *others)]
        if changed and (kind != "correction" or changed != [order.partition(" ")[0] + " H"]):
            found.append(("a new order", text, orders))
    return found


def test_the_wordings_are_many_and_of_all_acts_and_scopes() -> None:
    assert len(set(WORDINGS)) == len(WORDINGS) >= 200
    counts = {effect: sum((kind, scope) == effect for kind, scope, _ in WORDINGS) for effect in effects()}
    assert min(counts.values()) >= 3


@pytest.mark.parametrize(("kind", "scope", "said"), some([pytest.param(*wording) for wording in WORDINGS], 1))
def test_words_touch_the_orders_in_their_scope_and_no_others(kind: str, scope: str, said: str) -> None:
    assert faults(SITUATIONS[0], kind, scope, said) == []


@pytest.mark.parametrize(("kind", "scope", "said"), some([pytest.param(*wording) for wording in WORDINGS], 5))
def test_so_do_they_on_another_board(kind: str, scope: str, said: str) -> None:
    assert faults(SITUATIONS[1], kind, scope, said) == []
