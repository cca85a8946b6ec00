"""The rules that only other systems' variants ask for."""

from pathlib import Path

import msgspec
import pytest

from legation.game import Game
from legation.game.views import seen_resolution
from legation.judge import Ruleset
from legation.orders import Move
from tests.rules.small_variant import loaded, refused

HEAD = """
title = "X"
board = "standard"
[rules.calendar]
first = "Spring 1901 Movement"
cycle = ["Spring Movement", "Spring Retreats", "Winter Adjustments"]
[rules.solo]
centers = 5
[rules.draw_by_vote]
"""
POWERS = """
[[powers]]
name = "France"
homes = ["par", "bre"]
units = {france}
[[powers]]
name = "Italy"
homes = ["rom", "ven"]
units = {italy}
[[powers]]
name = "Neutral"
homes = []
centers = []
units = {neutral}
"""


def rules(folder: Path, rule: str, **units: list[str]) -> Ruleset:
    listed = {name: str(units.get(name, [])).replace("'", '"') for name in ("france", "italy", "neutral")}
    return loaded(folder, "", HEAD + rule + POWERS.format(**listed))


PASSIVE = '[rules.homes]\n[rules.passive_powers]\npowers = ["Neutral"]\n'


def test_a_draw_needs_no_vote_of_a_passive_power(tmp_path: Path) -> None:
    game = Game(rules(tmp_path, PASSIVE, france=["A par"], italy=["A ven"], neutral=["A ser"]))
    game.play({"France": "vote draw", "Italy": "vote draw"})
    assert game.ending is not None
    assert game.ending.powers == ("France", "Italy")


COASTS = "[rules.homes]\n[rules.convoying_coasts]\n"


def test_a_chain_may_lead_over_a_coast(tmp_path: Path) -> None:
    start = ["A yor", "F nth", "F den"]
    game = Game(rules(tmp_path, COASTS + "all_coasts = true\n", france=start))
    game.play({"France": "A yor - swe; F nth c A yor - swe; F den c A yor - swe"})
    assert ("France", "swe") in {(u.power, u.at) for u in game.position.units}
    game = Game(rules(tmp_path, COASTS + 'provinces = ["kie"]\n', france=start))
    game.play({"France": "A yor - swe; F nth c A yor - swe; F den c A yor - swe"})
    assert ("France", "yor") in {(u.power, u.at) for u in game.position.units}


def terms(folder: Path, text: str, **units: list[str]) -> Game:
    return Game(rules(folder, f"[rules.homes]\n[rules.border_terms]\n{text}\n", **units))


def places(game: Game) -> set[tuple[str, str]]:
    return {(u.power, u.at) for u in game.position.units}


@pytest.mark.parametrize(
    ("closed", "passes"),
    [
        ('{from = "par", to = "bur"}', False),
        ('{from = "par", to = "bur", years = "odd"}', False),
        ('{from = "par", to = "bur", years = "1905-1909"}', True),
        ('{from = "par", to = "bur", years = "1900-1902"}', False),
        ('{from = "par", to = "bur", kinds = ["F"]}', True),
        ('{from = "par", to = "bur", phases = ["Retreats"]}', True),
    ],
)
def test_closed_borders(closed: str, passes: bool, tmp_path: Path) -> None:
    game = terms(tmp_path, f"closed = [{closed}]", france=["A par"], italy=["A ven"])
    game.play({"France": "A par - bur"})
    assert (("France", "bur") in places(game)) is passes
    [module] = [module for module in game.rules.modules if module.key == "border_terms"]
    assert "is closed" in module.describe(game.rules)[0]


def test_a_closed_border_is_closed_in_retreats(tmp_path: Path) -> None:
    closed = 'closed = [{from = "bur", to = "par", phases = ["Retreats"]}]'
    game = terms(tmp_path, closed, france=["A bur"], italy=["A mun", "A ruh"])
    game.play({"Italy": "A mun - bur; A ruh s A mun - bur"})
    game.play({"France": "A bur r par"})
    assert "France" not in {power for power, _ in places(game)}


def test_a_border_is_weak_for_the_kinds_that_it_names(tmp_path: Path) -> None:
    weak = 'weak = [{from = "par", to = "bur", kinds = ["F"]}]'
    game = terms(tmp_path, weak, france=["A par", "A mar"], italy=["A bur"])
    game.play({"France": "A par - bur; A mar s A par - bur"})
    assert ("France", "bur") in places(game)


@pytest.mark.parametrize("name", ["weak", "half"])
def test_a_border_is_told_with_the_kinds_that_it_binds(name: str, tmp_path: Path) -> None:
    for kinds, told in (("", "from Paris to Burgundy counts"), (', kinds = ["F"]', "from Paris to Burgundy (fleet")):
        game = terms(tmp_path, f'{name} = [{{from = "par", to = "bur"{kinds}}}]')
        [module] = [module for module in game.rules.modules if module.key == "border_terms"]
        assert told in module.describe(game.rules)[0], module.describe(game.rules)


@pytest.mark.parametrize("name", ["weak", "half"])
def test_every_border_into_a_place_is_told_as_that(name: str, tmp_path: Path) -> None:
    game = terms(tmp_path, f'{name} = [{{to = "bur"}}]')
    [module] = [module for module in game.rules.modules if module.key == "border_terms"]
    assert "A move across a border into Burgundy counts" in module.describe(game.rules)[0]


def test_no_first_builds_is_a_number_too(tmp_path: Path) -> None:
    calendar = """[rules.calendar]
first = "Winter 1900 Adjustments"
cycle = ["Spring Movement", "Spring Retreats", "Winter Adjustments"]
"""
    opening = HEAD[HEAD.index("[rules.solo]") :]
    for number, built in ((0, 0), (1, 1)):
        rule = f"[rules.homes]\n[rules.mobilization]\npowers = {{France = {number}}}\n"
        none = POWERS.format(france="[]", italy="[]", neutral="[]")
        game = Game(loaded(tmp_path, "", f'\ntitle = "X"\nboard = "standard"\n{calendar}{opening}{rule}{none}'))
        game.play({"France": "build A par"})
        assert sum(unit.power == "France" for unit in game.position.units) == built


SIGHT = "[rules.homes]\n[rules.blind_game]\n"


@pytest.mark.parametrize(
    ("setting", "units", "owners"),
    [
        ("", {"bel", "nth"}, {"bel", "par"}),
        ('others = "none"', set(), {"bel", "par"}),
        ('others = "same"', {"bel"}, {"bel", "par"}),
        ('others = "opposite"', {"nth"}, {"bel", "par"}),
        ('owners = "none"', {"bel", "nth"}, {"par"}),
        ('owners = "all"', {"bel", "nth"}, {"bel", "par", "con"}),
    ],
)
def test_degrees_of_sight(setting: str, units: set[str], owners: set[str], tmp_path: Path) -> None:
    where = rules(
        tmp_path, f"{SIGHT}{setting}\n", france=["A hol"], italy=["A bel", "F nth", "A rum"], neutral=["A par"]
    )
    owned = {"bel": "Italy", "par": "France", "con": "Italy"}
    position = msgspec.structs.replace(where.opening(), owners=owned)
    seen = where.seen(position, "France")
    assert {u.at for u in seen.units if u.power == "Italy"} == units
    assert set(seen.owners) == owners
    near = msgspec.structs.replace(position, units=tuple(u for u in position.units if u.at not in ("bel", "nth")))
    assert {u.at for u in where.seen(near, "France").units} == {"hol"} | (
        {"par"} if 'others = "' not in setting else set()
    )


@pytest.mark.parametrize(
    ("setting", "noticed"),
    [("", {"bel", "nth"}), ('others = "none"', set()), ('others = "same"', {"bel"}), ('others = "opposite"', {"nth"})],
)
def test_moves_of_units_that_are_not_seen_are_not_told(setting: str, noticed: set[str], tmp_path: Path) -> None:
    start = {"france": ["A hol"], "italy": ["A pic", "F eng"]}
    game = Game(rules(tmp_path, f"{SIGHT}{setting}\n", **start))
    resolution = game.play({"Italy": "A pic - bel; F eng - nth"})
    told = seen_resolution(game.rules, resolution, "France")
    assert {v.order.to for v in told.verdicts if isinstance(v.order, Move)} == noticed
    assert {u.at for u in told.after.units if u.power == "Italy"} == noticed


@pytest.mark.parametrize(
    ("rule", "told"),
    [
        ("passive_powers]\npowers = ['Nobody']", "there is no power 'Nobody'"),
        ("passive_powers]\npowers = []", "names at least one power"),
        ("passive_powers]\npowers = ['France', 'Italy', 'Neutral']", "somebody must play"),
        ("convoying_coasts]\nprovinces = ['spa']", "convoying_coasts"),
        ("convoying_coasts]\nprovinces = ['nth']", "convoying_coasts"),
        ("convoying_coasts]\nprovinces = ['mun']", "convoying_coasts"),
        ("convoying_coasts]", "convoying_coasts"),
        ("border_terms]", "border_terms"),
        ("border_terms]\nclosed = [{from = 'par'}]", "border_terms"),
        ("border_terms]\nclosed = [{to = 'xxx'}]", "border_terms"),
        ("border_terms]\nclosed = [{to = 'par', season = ['Fall']}]", "border_terms"),
        ("border_terms]\nclosed = [{to = 'par', seasons = 'Fall'}]", "border_terms"),
        ("border_terms]\nclosed = [{to = 'par', years = 'sometimes'}]", "border_terms"),
        ("border_terms]\nclosed = [{to = 'par', except = ['Nobody']}]", "border_terms"),
        ("border_terms]\nclosed = [{to = 'par', owners = ['bur']}]", "border_terms"),
        ("border_terms]\nclosed = [{to = 'par', kinds = ['Z']}]", "border_terms"),
        ("border_terms]\nweak = [{to = 'par', less = 0}]", "border_terms"),
        ("border_terms]\nweak = [{to = 'par', seasons = ['Fall']}]", "border_terms"),
        ("held_centers]\ncenters = []", "held_centers"),
        ("held_centers]\ncenters = ['bur']", "held_centers"),
        ("held_centers]\ncenters = ['par']\nleast = 99", "held_centers"),
        ("uncounted_centers]\ncenters = {France = ['bur']}", "'bur' isn't a supply center"),
        ("uncounted_centers]\ncenters = {}", "names at least one power"),
        ("blind_game]\nothers = 'some'", "others"),
        ("blind_game]\nowners = 'mine'", "owners"),
        ("blind_game]\nothers = 'same'\nunits = false", "others"),
        ("bids]\nunits = { bur = 'A bur' }", "'bur' isn't a supply center"),
        ("bids]\nunits = { bel = 'A par' }", "'A par' isn't a unit that can stand there"),
        ("calendar]\nfirst = 'Spring 20 Movement'\ndown = true", "needs a first year of 100 or more"),
        ("concessions]\nmost = -1", "0 for any number"),
        ("controlled_powers]\nby = { Neutral = [] }", "give by, from minor powers"),
        ("controlled_powers]\nby = { Neutral = ['Nobody'] }", "there is no power 'Nobody'"),
        ("controlled_powers]\nby = { Neutral = ['France'], Italy = ['Neutral'] }", "Neutral is a minor power itself"),
        ("controlled_powers]\nvassals = ['Neutral']", "Neutral has no homes"),
        ("controlled_powers]\nby = { Neutral = ['France'] }\ntorn = true", "says what becomes of vassals"),
        ("conversion]\nwhere = 'here'", "where: is one of 'owned'"),
        ("core_orders]\ntimes = 0", "times: must be at least 1"),
        ("declared_homes]\nnumber = 0", "number: must be at least 1"),
        ("default_builds]\nleaves = true", "the game must open with adjustments"),
        ("disasters]\nlisted = [{ name = 'Plague', seasons = ['Fall'], places = ['xxx'] }]", "no province 'xxx'"),
        ("disasters]\nlisted = [{ name = 'Plague', seasons = ['Fall'], places = [] }]", "from 1 to the number"),
        (
            "disasters]\nlisted = [{ name = 'X', seasons = ['Fall'], places = ['par'], kinds = ['Z'] }]",
            "a kind of unit",
        ),
        ("disorder]", "give supports, retreats or builds = true"),
        ("further_kinds]\nkinds = [{ code = 'A', name = 'x' }]", "one capital letter"),
        ("further_kinds]\nkinds = [{ code = 'C', name = 'x', travel = 'air' }]", "travel = 'army' or 'fleet'"),
        ("further_kinds]\nkinds = [{ code = 'C', name = 'x', steps = 9 }]", "steps and away from 1 to 3"),
        ("further_kinds]\nkinds = [{ code = 'C', name = 'x', strength = 0 }]", "not both 0"),
        ("gained_homes]\nclaims = { France = ['bur'] }", "'bur' isn't a supply center"),
        ("mobilization]", "the game must open with adjustments"),
        ("mobilization]\nunits = -1", "0 or more"),
        ("kept_turns]\nphases = ['Tea']", "'Tea' isn't a phase"),
        ("passive_powers]\npowers = ['Neutral']\nsupports = { par = 'rom' }", "aren't neighbors"),
        ("railways]\nlines = [['par', 'bur']]", "three provinces or more"),
        ("railways]\nlines = [['par', 'bur', 'nth']]", "no army stands in 'nth'"),
        ("solo_terms]\ncenters = [1]\ncounted = ['bur']", "'bur' isn't a supply center"),
        ("border_terms]\nhalf = [{ to = 'par', convoyed = 1 }]", "convoyed: must be true or false"),
        ("border_terms]\nshut = [{ to = 'par', kinds = ['A'] }]", "unknown key 'kinds'"),
    ],
)
def test_settings_that_cannot_be_meant(rule: str, told: str, tmp_path: Path) -> None:
    homes = "" if rule.startswith(("bids", "core_orders", "declared_homes", "gained_homes")) else "[rules.homes]\n"
    text = HEAD + f"{homes}[rules.{rule}\n" + POWERS.format(france="[]", italy="[]", neutral="[]")
    if rule.startswith("calendar"):
        text = text.replace('[rules.calendar]\nfirst = "Spring 1901 Movement"\n', "", 1)
        cycle = 'cycle = ["Spring Movement", "Spring Retreats", "Winter Adjustments"]\n'
        text = text.replace(cycle, "", 1).replace("down = true\n", f"down = true\n{cycle}")
    assert told in refused(tmp_path, "", text)


def test_years_that_are_counted_down_fit_no_rule_that_counts_them(tmp_path: Path) -> None:
    limit = '[rules.homes]\n[rules.year_limit]\nlast = "Winter 1890 Adjustments"\n'
    text = (HEAD + limit + POWERS.format(france="[]", italy="[]", neutral="[]")).replace(
        "[rules.solo]", "down = true\n[rules.solo]"
    )
    assert "year_limit would take earlier years for later ones" in refused(tmp_path, "", text)


def test_builds_are_told_after_the_next_movement(tmp_path: Path) -> None:
    start = {"france": ["A bur"], "italy": ["A ven", "A rom"]}
    game = Game(rules(tmp_path, "[rules.homes]\n[rules.hidden_builds]\n", **start))
    game.play({"Italy": "A ven - tri"})
    built = game.play({"Italy": "build A ven"})
    assert ("Italy", "ven") in places(game)
    told = seen_resolution(game.rules, built, "France")
    assert not [v for v in told.verdicts if v.power == "Italy"]
    assert {u.at for u in told.after.units if u.power == "Italy"} == {"rom", "tri"}
    assert "hidden_builds" not in told.after.slices
    assert {u.at for u in seen_resolution(game.rules, built, "Italy").after.units} == {"bur", "rom", "tri", "ven"}
    moved = seen_resolution(game.rules, game.play({"Italy": "A ven h; A rom s A ven"}), "France")
    assert {u.at for u in moved.after.units if u.power == "Italy"} == {"rom", "tri", "ven"}
    assert {v.outcome.value for v in moved.verdicts if v.power == "Italy"} == {"succeeds"}
