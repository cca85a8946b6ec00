"""The rules that only other systems' variants ask for."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from legation.game import Game
from legation.game.views import seen_resolution
from legation.judge import Ruleset
from legation.orders import Build, Move
from legation.position import Position
from legation.variants import VariantError, load_file

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
    path = folder / "x.toml"
    path.write_text(HEAD + rule + POWERS.format(**listed))
    return load_file(path)


PASSIVE = '[rules.homes]\n[rules.passive_powers]\npowers = ["Neutral"]\n'


def test_nobody_orders_a_passive_power(tmp_path: Path) -> None:
    game = Game(rules(tmp_path, PASSIVE, france=["A bur"], italy=["A ven"], neutral=["A ser", "A bel"]))
    resolution = game.play({"France": "A bur - bel", "Neutral": "A ser - bul"})
    assert {(u.power, u.at) for u in game.position.units} == {
        ("France", "bur"),
        ("Italy", "ven"),
        ("Neutral", "ser"),
        ("Neutral", "bel"),
    }
    assert any("nobody plays Neutral" in v.explanation for v in resolution.verdicts)


def test_a_dislodged_unit_of_nobody_is_destroyed_and_not_rebuilt(tmp_path: Path) -> None:
    start = {"france": ["A bur", "A pic"], "italy": ["A ven"], "neutral": ["A bel"]}
    game = Game(rules(tmp_path, PASSIVE, **start))
    game.play({"France": "A bur - bel; A pic s A bur - bel"})
    assert game.position.turn.phase.value == "Adjustments"  # no retreats to order
    assert not [u for u in game.position.units if u.power == "Neutral"]


def test_units_of_nobody_come_again_in_vacant_centers(tmp_path: Path) -> None:
    again = PASSIVE + "rebuilt = true\n"
    game = Game(rules(tmp_path, again, france=["A bur", "A pic"], italy=["A ven", "A rom"], neutral=["A bel", "A ruh"]))
    game.play({"France": "A bur - ruh; A pic s A bur - ruh"})  # no support that counts: Picardy is not near
    game.play({})
    assert ("Neutral", "bel") in {(u.power, u.at) for u in game.position.units}
    strong = {"france": ["A bur", "A pic"], "italy": ["A ven", "A rom"], "neutral": ["A bel"]}
    game = Game(rules(tmp_path, again, **strong))
    game.play({"France": "A bur - bel; A pic s A bur - bel"})
    assert game.position.owners["bel"] == "France"
    game.play({})
    assert not [u for u in game.position.units if u.power == "Neutral"]  # the center is another's now


def test_a_draw_needs_no_vote_of_a_passive_power(tmp_path: Path) -> None:
    game = Game(rules(tmp_path, PASSIVE, france=["A par"], italy=["A ven"], neutral=["A ser"]))
    game.play({"France": "vote draw", "Italy": "vote draw"})
    assert game.ending is not None
    assert game.ending.powers == ("France", "Italy")


def test_a_passive_power_is_neither_built_nor_removed(tmp_path: Path) -> None:
    game = Game(rules(tmp_path, PASSIVE, france=["A par"], italy=["A ven"], neutral=["A ser", "A boh"]))
    for _ in range(4):
        game.play({})
    assert sum(u.power == "Neutral" for u in game.position.units) == 2


@pytest.mark.parametrize("listed", ['["Nobody"]', "[]", '["France", "Italy", "Neutral"]'])
def test_passive_powers_are_powers_and_not_all_of_them(listed: str, tmp_path: Path) -> None:
    with pytest.raises(VariantError, match="powers"):
        rules(tmp_path, f"[rules.homes]\n[rules.passive_powers]\npowers = {listed}\n")


def winter(where: Ruleset, owners: dict[str, str]) -> Position:
    """The first winter, with these owners and no units."""
    position = where.opening()
    return msgspec.structs.replace(position, turn=where.next_turn(where.next_turn(position.turn)), owners=owners)


def test_builds_anywhere_while_a_home_is_owned(tmp_path: Path) -> None:
    where = rules(tmp_path, '[rules.build_where]\nsites = "while home"\n')
    assert set(where.build_sites(winter(where, {"mun": "France", "par": "France"}), "France")) == {"par", "mun"}
    assert where.build_sites(winter(where, {"mun": "France", "par": "Italy"}), "France") == ()


def test_builds_in_any_home(tmp_path: Path) -> None:
    where = rules(tmp_path, '[rules.build_where]\nsites = "any home"\n')
    owners = dict.fromkeys(("mun", "ven", "par"), "France")
    assert set(where.build_sites(winter(where, owners), "France")) == {"par", "ven"}


def test_builds_off_center(tmp_path: Path) -> None:
    where = rules(tmp_path, '[rules.build_where]\nsites = "while home"\noff_center.France = ["gas"]\n')
    assert set(where.build_sites(winter(where, {"par": "France"}), "France")) == {"par", "gas"}
    assert where.build_sites(winter(where, {"mun": "France"}), "France") == ()


@pytest.mark.parametrize("france", [["A pie"], ["A par"]])
def test_most_centers_at_the_end(france: list[str], tmp_path: Path) -> None:
    rule = '[rules.homes]\n[rules.most_centers]\nlast = "Winter 1901 Adjustments"\n'
    game = Game(rules(tmp_path, rule, france=france, italy=["A rom"]))
    game.play({"France": "A pie - ven"})
    if game.ending is None:
        game.play({})
    assert game.ending is not None
    assert game.ending.kind == ("solo" if france == ["A pie"] else "draw")
    assert game.ending.powers == (("France",) if france == ["A pie"] else ("France", "Italy"))


COASTS = "[rules.homes]\n[rules.convoying_coasts]\n"


def test_a_fleet_on_a_listed_coast_convoys(tmp_path: Path) -> None:
    game = Game(rules(tmp_path, COASTS + 'provinces = ["den"]\n', france=["A kie", "F den"]))
    game.play({"France": "A kie - swe via convoy; F den c A kie - swe"})
    assert ("France", "swe") in {(u.power, u.at) for u in game.position.units}


def test_a_chain_may_lead_over_a_coast(tmp_path: Path) -> None:
    start = ["A yor", "F nth", "F den"]
    game = Game(rules(tmp_path, COASTS + "all_coasts = true\n", france=start))
    game.play({"France": "A yor - swe; F nth c A yor - swe; F den c A yor - swe"})
    assert ("France", "swe") in {(u.power, u.at) for u in game.position.units}
    game = Game(rules(tmp_path, COASTS + 'provinces = ["kie"]\n', france=start))
    game.play({"France": "A yor - swe; F nth c A yor - swe; F den c A yor - swe"})
    assert ("France", "yor") in {(u.power, u.at) for u in game.position.units}


@pytest.mark.parametrize("setting", ['provinces = ["spa"]', 'provinces = ["nth"]', 'provinces = ["mun"]', ""])
def test_only_coasts_in_one_piece_convoy(setting: str, tmp_path: Path) -> None:
    with pytest.raises(VariantError, match="convoying_coasts"):
        rules(tmp_path, f"{COASTS}{setting}\n")


def terms(folder: Path, text: str, **units: list[str]) -> Game:
    return Game(rules(folder, f"[rules.homes]\n[rules.border_terms]\n{text}\n", **units))


def places(game: Game) -> set[tuple[str, str]]:
    return {(u.power, u.at) for u in game.position.units}


@pytest.mark.parametrize(
    ("closed", "passes"),
    [
        ('{from = "par", to = "bur"}', False),
        ('{to = "bur"}', False),
        ('{from = "bur", to = "par"}', True),
        ('{from = "par", to = "bur", seasons = ["Spring"]}', False),
        ('{from = "par", to = "bur", seasons = ["Fall"]}', True),
        ('{from = "par", to = "bur", years = "odd"}', False),
        ('{from = "par", to = "bur", years = "even"}', True),
        ('{from = "par", to = "bur", years = "1905-1909"}', True),
        ('{from = "par", to = "bur", years = "1900-1902"}', False),
        ('{from = "par", to = "bur", kinds = ["F"]}', True),
        ('{from = "par", to = "bur", except = ["France"]}', True),
        ('{from = "par", to = "bur", except = ["Italy"]}', False),
        ('{from = "par", to = "bur", owners = ["par", "bre"]}', True),
        ('{from = "par", to = "bur", owners = ["par", "mar"]}', False),
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


def test_a_weak_border_takes_strength_and_bears_no_support(tmp_path: Path) -> None:
    weak = 'weak = [{from = "par", to = "bur"}]'
    game = terms(tmp_path, weak, france=["A par", "A mar"], italy=["A bur"])
    game.play({"France": "A par - bur; A mar s A par - bur"})  # 1 and 1, less 1, against 1
    assert ("Italy", "bur") in places(game)
    game = terms(tmp_path, weak, france=["A par", "A mar"], italy=["A bur"])
    game.play({"France": "A mar - bur; A par s A mar - bur"})  # no support across
    assert ("Italy", "bur") in places(game)
    game = terms(
        tmp_path, 'weak = [{from = "par", to = "bur", kinds = ["F"]}]', france=["A par", "A mar"], italy=["A bur"]
    )
    game.play({"France": "A par - bur; A mar s A par - bur"})
    assert ("France", "bur") in places(game)


@pytest.mark.parametrize("name", ["weak", "half"])
def test_a_border_is_told_with_the_kinds_that_it_binds(name: str, tmp_path: Path) -> None:
    for kinds, told in (("", "from Paris to Burgundy counts"), (', kinds = ["F"]', "from Paris to Burgundy (fleet")):
        game = terms(tmp_path, f'{name} = [{{from = "par", to = "bur"{kinds}}}]')
        [module] = [module for module in game.rules.modules if module.key == "border_terms"]
        assert told in module.describe(game.rules)[0], module.describe(game.rules)


@pytest.mark.parametrize(
    "text",
    [
        "",
        'closed = [{from = "par"}]',
        'closed = [{to = "xxx"}]',
        'closed = [{to = "par", season = ["Fall"]}]',
        'closed = [{to = "par", seasons = "Fall"}]',
        'closed = [{to = "par", years = "sometimes"}]',
        'closed = [{to = "par", except = ["Nobody"]}]',
        'closed = [{to = "par", owners = ["bur"]}]',
        'closed = [{to = "par", kinds = ["Z"]}]',
        'weak = [{to = "par", less = 0}]',
        'weak = [{to = "par", seasons = ["Fall"]}]',
    ],
)
def test_terms_that_cannot_be_meant(text: str, tmp_path: Path) -> None:
    with pytest.raises(VariantError, match="border_terms"):
        terms(tmp_path, text)


def test_holding_named_centers_wins(tmp_path: Path) -> None:
    rule = '[rules.homes]\n[rules.held_centers]\ncenters = ["par", "mun"]\n'
    game = Game(rules(tmp_path, rule, france=["A bur"], italy=["A rom"]))
    game.play({"France": "A bur - mun"})
    assert game.ending is not None
    assert (game.ending.kind, game.ending.powers) == ("solo", ("France",))
    for terms_of in ("least = 4", "from_year = 1902"):
        game = Game(rules(tmp_path, f"{rule}{terms_of}\n", france=["A bur"], italy=["A rom"]))
        game.play({"France": "A bur - mun"})
        assert game.ending is None
    game = Game(rules(tmp_path, f"{rule}from_year = 1902\n", france=["A bur"], italy=["A rom"]))
    for orders in ("A bur - mun", "", "A mun h"):
        game.play({"France": orders})
        if game.ending is not None:
            break
    assert game.ending is not None


@pytest.mark.parametrize("setting", ["centers = []", 'centers = ["bur"]', 'centers = ["par"]\nleast = 99'])
def test_named_centers_are_centers(setting: str, tmp_path: Path) -> None:
    with pytest.raises(VariantError, match="held_centers"):
        rules(tmp_path, f"[rules.homes]\n[rules.held_centers]\n{setting}\n")


def test_no_first_builds_is_a_number_too(tmp_path: Path) -> None:
    calendar = """[rules.calendar]
first = "Winter 1900 Adjustments"
cycle = ["Spring Movement", "Spring Retreats", "Winter Adjustments"]
"""
    opening = HEAD[HEAD.index("[rules.solo]") :]
    for number, built in ((0, 0), (1, 1)):
        rule = f"[rules.homes]\n[rules.mobilization]\npowers = {{France = {number}}}\n"
        path = tmp_path / "x.toml"
        none = POWERS.format(france="[]", italy="[]", neutral="[]")
        path.write_text(f'\ntitle = "X"\nboard = "standard"\n{calendar}{opening}{rule}{none}')
        game = Game(load_file(path))
        game.play({"France": "build A par"})
        assert sum(unit.power == "France" for unit in game.position.units) == built


def test_a_center_that_does_not_count(tmp_path: Path) -> None:
    rule = '[rules.homes]\n[rules.uncounted_centers]\ncenters = {France = ["mun"]}\n'
    game = Game(rules(tmp_path, rule, france=["A bur", "A gas"], italy=["A rom", "A ven"]))
    game.play({"France": "A bur - mun"})
    assert game.position.owners["mun"] == "France"
    game.play({"France": "build A par"})  # three centers, of which two count
    assert sum(u.power == "France" for u in game.position.units) == 2
    with pytest.raises(VariantError, match="a supply center"):
        rules(tmp_path, '[rules.homes]\n[rules.uncounted_centers]\ncenters = {France = ["bur"]}\n')
    with pytest.raises(VariantError, match="names at least one power"):
        rules(tmp_path, "[rules.homes]\n[rules.uncounted_centers]\ncenters = {}\n")


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


@pytest.mark.parametrize("setting", ['others = "some"', 'owners = "mine"', 'others = "same"\nunits = false'])
def test_degrees_of_sight_that_cannot_be_meant(setting: str, tmp_path: Path) -> None:
    with pytest.raises(VariantError, match=r"others|owners"):
        rules(tmp_path, f"{SIGHT}{setting}\n")


@pytest.mark.parametrize(
    ("rule", "told"),
    [
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
    path = tmp_path / "x.toml"
    path.write_text(text)
    with pytest.raises(VariantError) as caught:
        load_file(path)
    assert told in str(caught.value)


def test_years_that_are_counted_down_fit_no_rule_that_counts_them(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    limit = '[rules.homes]\n[rules.year_limit]\nlast = "Winter 1890 Adjustments"\n'
    text = (HEAD + limit + POWERS.format(france="[]", italy="[]", neutral="[]")).replace(
        "[rules.solo]", "down = true\n[rules.solo]"
    )
    path.write_text(text)
    with pytest.raises(VariantError, match="year_limit would take earlier years for later ones"):
        load_file(path)


def test_builds_in_some_provinces_alone_are_told_after_the_next_movement(tmp_path: Path) -> None:
    hidden = '[rules.homes]\n[rules.hidden_builds]\nprovinces = ["rom"]\n'
    game = Game(rules(tmp_path, hidden, france=["A bur"], italy=["A tyr"]))
    game.play({"Italy": "A tyr - tri"})
    built = game.play({"Italy": "build A rom; build A ven"})
    told = seen_resolution(game.rules, built, "France")
    assert [v.order.at for v in told.verdicts if isinstance(v.order, Build) and v.power == "Italy"] == ["ven"]
    assert {u.at for u in told.after.units if u.power == "Italy"} == {"tri", "ven"}


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
