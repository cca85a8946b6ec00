"""Reading and writing orders."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legation.bots.matches import random_game
from legation.judge import legal_orders
from legation.notation import OrderTextError, Reader, write
from legation.notation.names import LONG_NAME
from legation.orders import Order, Waive
from legation.position import Phase
from legation.rules.conversion import Convert
from legation.rules.ferry import Ferry, Ride
from legation.rules.proxy import Proxy
from legation.rules.supply_transfer import Send
from legation.variants import load, load_file
from tests.board.folders import board
from tests.rules.small_variant import HOMES, VARIANT
from tests.sampling import some

STANDARD = load("standard")
READ: Reader = STANDARD.reader


@pytest.mark.parametrize(
    ("text", "where", "meant"),
    [
        ("A Par - Burgandy", "Burgandy", "Burgundy (bur)"),
        ("A Parris - Bur", "Parris", "Paris (par)"),
        ("A Munihc - Ruhr", "Munihc", "Munich (mun)"),
        ("A gul - rom", "gul", "Gulf of Lyon (lyo)"),
    ],
)
def test_a_misspelled_or_ambiguous_name_is_pointed_at_and_never_guessed(text: str, where: str, meant: str) -> None:
    with pytest.raises(OrderTextError) as caught:
        READ.order(text)
    start, end = caught.value.span
    assert text[start:end] == where and meant in caught.value.suggestions


def test_without_a_position_orders_of_rules_that_are_not_played_are_read_too() -> None:
    assert READ.order("Army St Petersburg converts to a fleet (north coast)") == Convert("A", "stp", "F", "nc")
    assert READ.order("A lon - nwy by ferry F nth - nwg") == Ride("A", "lon", "nwy", ferry=("nth", "nwg"))
    assert READ.order("F nth - nwg ferries A lon - nwy") == Ferry("F", "nth", "nwg", "A", "lon", "nwy")
    assert READ.order("A lon under Germany") == Proxy("A", "lon", "Germany")
    assert READ.order("send 2 to Germany", Phase.ADJUSTMENTS) == Send(2, "Germany")


@pytest.mark.parametrize("seed", some(range(2), 2))
@pytest.mark.parametrize("name", some(["standard", "hundred", "hundred1"], 3))
def test_what_is_written_reads_back_the_same(name: str, seed: int) -> None:
    """All legal orders of positions of random games, in every style."""
    rules = load(name)
    count = 0
    for resolution in random_game(rules, seed, 10):
        phase = resolution.before.turn.phase
        for power, orders in legal_orders(rules, resolution.before).items():
            for order in orders:
                for text in (write(order), rules.writer.sentence(order), rules.writer.judge(order)):
                    assert Reader.order(rules.reader, text, phase, power) == order, text
                count += 1
    assert count > 500


@given(st.text(max_size=120))
@settings(max_examples=60, deadline=None)
def test_noise_is_an_order_or_an_error(text: str) -> None:
    for phase in Phase.all():
        try:
            READ.order(text, phase)
        except OrderTextError as error:
            assert 0 <= error.span[0] <= error.span[1] <= max(len(text), 80)


@given(
    st.lists(
        st.sampled_from("A F par bur - S C H ( ) / nc via convoy build remove to send 2 & , ; the".split()), max_size=12
    )
)
@settings(max_examples=100, deadline=None)
def test_jumbled_words_are_an_order_or_an_error(words: list[str]) -> None:
    try:
        order = READ.order(" ".join(words))
    except OrderTextError:
        return
    assert READ.order(write(order)) == order


def test_a_reader_forgets_rather_than_grow_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("legation.notation.known_orders.CACHED_TEXTS", 5)
    monkeypatch.setattr("legation.notation.names.MOST_KEPT", 5)
    rules = load("standard", {"waiving": False})  # a reader that no other test shares
    reader = rules.reader
    places = [p.name for p in rules.board.provinces.values()]
    for _ in range(2):
        for at in places:
            assert reader.location(at[:-1] + at[-1]) == rules.board.provinces[reader.location(at)].id
            assert reader.unit(f"the army in {at}")[1] == reader.location(at)
            assert write(reader.order(f"Army {at} holds")) == f"A {reader.location(at)} H"
            if len(at) >= LONG_NAME:
                continue  # two letters of it may be wrong
            with pytest.raises(OrderTextError, match="did you mean"):
                reader.order(f"Army {at[:4]}z{at[4:]}x - {at}")
    assert len(reader._units) <= 6 and all(len(kept) <= 6 for kept in reader.known_orders._cache.values())


def test_a_name_that_two_powers_share_is_nobodys(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    shared = VARIANT.format(rule=HOMES).replace('homes = ["rom"]', 'homes = ["rom"]\naliases = ["Reds"]')
    path.write_text(shared.replace('homes = ["con"]', 'homes = ["con"]\naliases = ["Reds"]'))
    reader = load_file(path).reader
    with pytest.raises(OrderTextError, match="'Reds' is ambiguous; did you mean Italy or Turkey"):
        reader.power("Reds")
    with pytest.raises(OrderTextError) as caught:
        reader.power("Redz" * 100)
    assert (caught.value.message, caught.value.suggestions) == (
        f"'{('Redz' * 100)[:117]}...' isn't a power in this game",
        (),
    )


def test_one_order_is_one() -> None:
    assert write(READ.order("A par - bur;")) == "A par - bur"
    for text, code in (("A par, A mar hold", "unclear"), ("", "no order"), ("all armies hold", "no order")):
        with pytest.raises(OrderTextError) as caught:
            READ.order(text, power="France")
        assert caught.value.code == code and caught.value.message


def test_the_sheets_of_a_message_come_with_what_is_not_understood() -> None:
    found = READ.sheets("France\nA par - bur\nA zzz - bur\nGermany\nA mun H\n")
    assert {power: ([write(o) for o in orders], len(errors)) for power, (orders, errors) in found.items()} == {
        "France": (["A par - bur"], 1),
        "Germany": (["A mun H"], 0),
    }


def test_a_record_of_no_kind_is_told_with_the_mend() -> None:
    class Dig(Order, frozen=True):
        """Its rule forgot to list it."""

    with pytest.raises(TypeError, match="Dig isn't a kind of order: its rule lists an OrderKind with this record"):
        write(Dig())


def test_without_a_position_a_second_line_may_be_an_order_of_its_own() -> None:
    orders, errors = READ.orders("A bur S\nA par - gas", power="France")
    assert [write(order) for order in orders] == ["A par - gas"]
    assert [error.code for error in errors] == ["say whom"]
    assert READ.orders("waive the rest", Phase.ADJUSTMENTS, "France") == ([Waive()], [])


def test_a_letter_that_begins_a_name_is_no_kind_of_unit(tmp_path: Path) -> None:
    board(
        tmp_path / "standard-small",
        land="id,name,center\naa,Aland,1\nll,Land,1\nbb,Oberland,0",
        borders="a,b,army,fleet\naa,ll,1,0\nbb,ll,1,0",
    )
    text = VARIANT.format(rule=HOMES).partition("[[powers]]")[0].replace('"standard"', '"standard-small"')
    (tmp_path / "x.toml").write_text(text + '[[powers]]\nname = "France"\nhomes = ["aa"]\nunits = ["A aa"]\n')
    reader = load_file(tmp_path / "x.toml").reader
    assert [write(o) for o in reader.orders("ALAND - LAND\nAOBERLAND - LAND")[0]] == ["aa - ll", "A bb - ll"]
