"""Every name of every board, in every notation, means its own place: no verb, suffix or neighbor takes a part of it."""

import random
import string
from importlib.resources import files

import pytest

from legation.board import province_of
from legation.judge import Ruleset
from legation.notation import OrderTextError, write
from legation.notation.lexicon import lexicon
from legation.notation.names import agrees, fold, possessive
from legation.orders import Move
from legation.position import Phase
from legation.variants import load
from legation.variants import names as variants
from tests.sampling import some

MOVES = (
    "A {x} - {n}", "A {x}-{n}", "A {x} -> {n}", "A {x} m {n}", "A({x})-{n}", "Army {X} moves to {n}.",
    "The army in {X} goes to {n}", "A {x} to {n} via convoy", "A {x} takes {n}", "A {x} {n}",
    "A {n} H", "A({n})H", "Army {n} holds.", "A {n}: H", "{n} - {x}", "A {n} to {x}", "A {n} S A {x}",
    "A {n} supports A {x}", "A {x} S A {n}", "A {x} supports {n}", "A {x} S A {n} - {y}", "A {x} S {y}-{n}",
    "Army {X} supports Army {Y} into {n}.", "Army {X} supports Army {n} to {Y}", "F {s} C A {n} - {y}",
    "Fleet {S} convoys Army {Y} to {n}",
)  # fmt: skip
RETREATS = ("A {x} R {n}", "Army {X} retreats to {n}", "A {x} retreats {n}")
ADJUSTMENTS = ("build A {n}", "Build an army in {n}", "remove A {n}", "Build {n} A")
REFUSED = {
    "standard": {"both holds"},  # both units hold
    "hundred": {"A ara not"},  # which may say what it does not do
    "three-kingdoms": {"A cornw 's-Gravenhage", "A devon 's-Gravenhage"},
}
"""What is not understood though the name is plain."""
PARTS = 40  # one of them is tried at once


def read(rules: Ruleset, text: str, phase: Phase) -> str:
    try:
        return write(rules.reader.order(text, phase))
    except OrderTextError:
        return ""


@pytest.mark.parametrize("part", some(range(PARTS), PARTS))
@pytest.mark.parametrize("board", ["standard", "hundred", "1000ad", "three-kingdoms"])
def test_no_name_is_eaten(board: str, part: int) -> None:
    rules = load(board)
    names = rules.reader.places
    provinces = list(rules.board.provinces.values())
    land = [p for p in provinces if not p.sea]
    sea = [p for p in provinces if p.sea]
    wrong, refused = [], []
    plain: dict[str, str] = {}  # what each line means with the province's key in the name's place
    for province in provinces[part::PARTS]:
        said = {province.id, province.name, *(alias for alias in province.aliases if "@" not in alias)}
        said |= {names[province.id] for names in rules.board.translations.values() if province.id in names}
        for name in sorted(said):
            meaning = names.meaning(fold(name))
            if not meaning.sure or meaning.keys[0] != province.id:
                continue  # it is said of other places too
            x, y = [p for p in land if p is not province][3:5]
            s = next(p for p in sea if p is not province)
            for phase, notations in (
                (Phase.MOVEMENT, MOVES),
                (Phase.RETREATS, RETREATS),
                (Phase.ADJUSTMENTS, ADJUSTMENTS),
            ):
                for notation in notations:
                    shown = notation.replace("{n}", "\0").format(x=x.id, X=x.name, y=y.id, Y=y.name, s=s.id, S=s.name)
                    text = shown.replace("\0", name)
                    key = shown.replace("\0", province.id)
                    if key not in plain:
                        plain[key] = read(rules, key, phase)
                    wanted = plain[key]
                    found = wanted if text == key else read(rules, text, phase)
                    if not found and wanted:
                        refused.append(text)
                    elif wanted and found != wanted and not (province.sea or len(meaning.keys) > 1):
                        wrong.append((text, found, wanted))
    assert wrong == []
    assert set(refused) <= REFUSED.get(board, set())


@pytest.mark.parametrize("language", ["de", "es", "fr"])
@pytest.mark.parametrize("board", ["standard", "hundred", "hundred1", "1000ad", "three-kingdoms"])
def test_a_name_in_a_language_means_its_place_alone_and_in_orders(board: str, language: str) -> None:
    rules = load(board)
    names, provinces = rules.board.translations[language], rules.board.provinces
    shown = [fold(names.get(place, province.name)) for place, province in provinces.items()]
    assert len(set(shown)) == len(provinces), "two places are called alike"
    lands = [place for place, province in provinces.items() if not province.sea]
    for number, (place, name) in enumerate(names.items()):
        for written in (name, name.upper(), name.replace("’", "'"), name.replace("-", " ")):
            assert rules.reader.location(written) == place, written
        other = next(land for land in lands[number % len(lands) :] + lands if land != place)
        text = f"A {name} - {names.get(other, provinces[other].name)}"
        assert read(rules, text, Phase.MOVEMENT) == read(rules, f"A {place} - {other}", Phase.MOVEMENT), text


def test_every_place_of_the_standard_board_has_a_name_in_each_language() -> None:
    board = load("standard").board
    assert [names.keys() == board.provinces.keys() for names in board.translations.values()] == [True] * 3


def test_boards_of_the_same_map_call_its_places_alike() -> None:
    whole, part = load("hundred").board, load("hundred1").board
    for kept, all_of in (
        *((part.translations[language], whole.translations[language]) for language in whole.translations),
        *((part.forms[language], whole.forms[language]) for language in whole.translations),
    ):
        assert kept == {place: all_of[place] for place in part.provinces if place in all_of}


@pytest.mark.parametrize(("text", "wanted"), [("North Kerry", "kerry"), ("County Stirling", "stirs")])
def test_no_word_before_a_name_is_eaten(text: str, wanted: str) -> None:
    assert read(load("three-kingdoms"), f"A devon {text}", Phase.MOVEMENT) == f"A devon - {wanted}"


def misspelled(name: str, rng: random.Random) -> str:
    """A name in which one letter, not the first, is another one, missing, too many or in its neighbor's place."""
    i = rng.randrange(1, len(name))
    letter = rng.choice(string.ascii_lowercase)
    rest = rng.choice(
        (letter + name[i + 1 :], name[i + 1 :], letter + name[i:], name[i + 1 : i + 2] + name[i] + name[i + 2 :])
    )
    return name[:i] + rest


@pytest.mark.parametrize("board", ["standard", "hundred", "three-kingdoms"])
def test_a_wrong_letter_makes_no_other_place(board: str) -> None:
    rules, rng = load(board), random.Random(19)
    position, travel = rules.opening(), rules.reader.travel
    wrong, read_as_meant, tried = [], 0, 0
    for unit in position.units:
        near = rules.board.reach(travel[unit.kind], unit.at)
        if not near:
            continue  # a port that is shut
        to = province_of(min(near))
        here, there = rules.board.provinces[unit.province].name, rules.board.provinces[to].name
        said = misspelled(there, rng)
        for text in (f"{unit.kind} {misspelled(here, rng)} - {there}", f"{unit.kind} {here} - {said}"):
            if rules.reader.places.meaning(fold(said)).keys or rules.reader.places.shortened(fold(said)).keys:
                continue  # a name, or the beginning of one
            found, _ = rules.reader.orders(text, position.turn.phase, unit.power, position)
            tried += 1
            read_as_meant += bool(found)
            if found and (unit.province, to) != tuple(
                province_of(getattr(found[0], part, "")) for part in ("at", "to")
            ):
                wrong.append((text, found))
    assert wrong == []
    assert read_as_meant > 0.7 * tried


@pytest.mark.parametrize("board", ["standard", "hundred", "three-kingdoms"])
def test_a_wrong_letter_makes_no_other_power(board: str) -> None:
    """A power with a wrong letter is read before a unit of its own, and before no other's."""
    rules, rng = load(board), random.Random(19)
    position = rules.opening()
    wrong, read_as_meant, tried = [], 0, 0
    for own, other, third in zip(rules.powers, list(rules.powers)[1:], list(rules.powers)[2:], strict=False):
        helper = position.units_of(own)[0]
        for whose in (other, third):
            unit = position.units_of(whose)[0]
            said = misspelled(rules.powers[other].name, rng)
            if rules.reader.powers.shortened(fold(said)).keys or rules.reader.places.nearly(fold(said)):
                continue
            text = f"{helper} S {said} {unit}"
            found, _ = rules.reader.orders(text, position.turn.phase, own, position)
            tried += whose == other
            read_as_meant += whose == other and bool(found)
            if found and (whose != other or getattr(found[0], "power", "") != other):
                wrong.append((text, found))
    assert wrong == []
    assert read_as_meant > 0.7 * tried


def test_a_power_is_not_taken_for_a_place_spelled_like_it() -> None:
    rules = load("standard")
    with pytest.raises(OrderTextError) as caught:
        rules.reader.order("A FRANCE - Bur")
    assert caught.value.suggestions == ()


FOREIGN = {
    word
    for line in files("legation.notation").joinpath("lexicon.tsv").read_text(encoding="utf-8").splitlines()
    if line.split("\t")[1:2] and line.split("\t")[0] in ("HOLD", "MOVE", "SUPPORT") and line.split("\t")[1] != "en"
    for word in line.split("\t")[2].split(", ")
}
"""The words of other languages for what a unit does."""


@pytest.mark.parametrize("variant", variants())
def test_no_word_of_other_languages_stands_in_a_name(variant: str) -> None:
    reader = load(variant).reader
    said = {word for name in (*reader.places.spellings, *reader.powers.spellings) for word in name.split()}
    assert len(FOREIGN) > 50 and not said & FOREIGN


def test_names_in_s_take_an_apostrophe_alone() -> None:
    assert (possessive("France"), possessive("Franks"), possessive("Moors", "’")) == ("France's", "Franks'", "Moors’")
    assert (possessive("Wales"), possessive("Cyprus"), possessive("the Netherlands")) == (
        "Wales's",
        "Cyprus's",
        "the Netherlands'",
    )
    verbs = [agrees(name, "takes", "take") for name in ("France", "Wales", "Franks", "British", "Magyars & Polacks")]
    assert verbs == ["takes", "takes", "take", "take", "take"]
    _, errors = load("1000ad").reader.orders("Vikings: F dub - iri", Phase.MOVEMENT, "Franks")
    assert "this sheet is Franks', not Vikings'" in str(errors[0])


@pytest.mark.parametrize("part", some(range(5), 5))
@pytest.mark.parametrize("name", ["standard", "hundred", "1000ad", "three-kingdoms", "1897"])
def test_no_word_for_what_a_unit_does_is_the_beginning_of_a_place(name: str, part: int) -> None:
    rules = load(name)
    reader = rules.reader
    verbs = lexicon().words("HOLD", "MOVE", "SUPPORT", "CONVOY", "RETREAT", "LEAVE", "REMOVE", "BUILD", "WAIVE")
    words = sorted(w for w in verbs if len(w) > 3 and w.isalpha() and not reader.places.meaning(w).keys)
    assert len(words) > 100
    at = next(p.id for p in rules.board.provinces.values() if not p.sea)
    for word in words[part::5]:
        for text in (f"A {at} moves to {word}", f"A {at} => ({word})"):
            passages = reader.sheet(text, Phase.MOVEMENT, next(iter(rules.powers)))
            assert not any(isinstance(p.order, Move) for p in passages), text
