"""Every question that the judge asks, each with a rule that answers it: the code of ``docs/questions.md``."""

# [setting_up]
import legation
from msgspec.structs import replace

from legation.judge import Ending, Rule, Ruleset, UnitKind
from legation.notation import write
from legation.orders import Hold, Move, Sheet
from legation.position import Phase, Turn, Unit

STANDARD = legation.load("standard")


def rules_with(*rules, without=()):
    """Return the standard game with some rules added and others removed."""
    kept = [rule for rule in STANDARD.modules if rule.key not in without]
    powers = tuple(STANDARD.powers.values())
    owners = STANDARD.start_owners
    return Ruleset("example", "Example", STANDARD.board, powers, (*kept, *rules), start=STANDARD.start, owners=owners)


def turn(rules, text, position=None, power="France"):
    """Return the result of one power's orders."""
    position = position or rules.opening()
    orders = [rules.reader.order(line, position.turn.phase, power, position) for line in text.splitlines()]
    return legation.resolve(rules, position, [Sheet(power, tuple(orders))])


def verdict_of(resolution, start):
    return next(v for v in resolution.verdicts if write(v.order).startswith(start))
# [end of setting_up]


# [refusals]
class NoBurgundy(Rule):
    key = "no_burgundy"

    def refuses_entry(self, rules, position, unit, province):
        return "Burgundy is closed" if province == "bur" else None

    def describe(self, rules):
        return ("Nobody enters Burgundy.",)


rules = rules_with(NoBurgundy())
assert verdict_of(turn(rules, "A par - bur"), "A par").explanation == "A par - bur is illegal: Burgundy is closed"
assert "A par - bur" not in map(write, legation.legal_orders(rules, rules.opening())["France"])
# [end of refusals]


# [exceptions]
class Garrisons(Rule):
    """The army in Paris stays there for good; Germany may exchange its units; each winter is played."""

    key = "garrisons"

    def refuses_departure(self, rules, position, unit):
        return "the garrison of Paris stays" if unit.at == "par" else None

    def refuses_dislodgement(self, rules, position, unit):
        return "the garrison of Paris never yields" if unit.at == "par" else None

    def refuses_removal(self, rules, position, unit):
        return "the garrison of Paris is never removed" if unit.at == "par" else None

    def frees_units(self, rules, position, power):
        return power == "Germany"

    def keeps_turn(self, rules, position):
        return position.turn.phase is Phase.ADJUSTMENTS


rules = rules_with(Garrisons())
assert verdict_of(turn(rules, "A par - bur"), "A par").explanation == "A par - bur is illegal: the garrison of Paris stays"
attack = (Unit("A", "par", "France"), Unit("A", "bur", "Germany"), Unit("A", "gas", "Germany"))
attacked = turn(rules, "A bur - par\nA gas S A bur - par", replace(rules.opening(), units=attack), "Germany")
assert verdict_of(attacked, "A bur").explanation == "A bur - par bounced: the garrison of Paris never yields"
winter = replace(rules.opening(), turn=Turn("Winter", 1901, Phase.ADJUSTMENTS))
poor = replace(winter, owners={**winter.owners, "mar": "Italy"})
listed = {power: {write(order) for order in orders} for power, orders in legation.legal_orders(rules, poor).items()}
assert {"remove A mar", "remove F bre"} <= listed["France"] and "remove A par" not in listed["France"]
assert "remove A mun" in listed["Germany"] and listed["Austria"] == set()
fall = replace(rules.opening(), turn=Turn("Fall", 1901, Phase.MOVEMENT))
assert str(turn(rules, "", fall).after.turn) == "Winter 1901 Adjustments"  # without the rule it is Spring 1902
# [end of exceptions]


# [reach]
class Balloons(Rule):
    key = "balloons"

    def reach(self, rules, position, unit):
        return ("mun",) if unit.at == "par" else ()

    def refuses_support(self, rules, position, unit, target, province):
        return "support is for one's own" if unit.power != target.power else None


rules = rules_with(Balloons())
assert verdict_of(turn(rules, "A par - mun"), "A par").outcome.value == "bounced"  # Germany's army holds there
assert "support is for one's own" in verdict_of(turn(rules, "A par S A mun - bur"), "A par").explanation


class LongGuns(Rule):
    """Marseilles supports into Munich, and a fleet in Brest convoys along the coast."""

    key = "long_guns"

    def support_reach(self, rules, position, unit):
        return ("mun",) if unit.at == "mar" else ()

    def convoying(self, rules):
        return ("bre",)


rules = rules_with(LongGuns())
position = replace(rules.opening(), units=tuple(Unit(*text.split(), "France") for text in ("A mar", "A bur", "A pic", "F bre")))
guns = turn(rules, "A mar S A bur - mun\nA bur - mun\nF bre C A pic - gas\nA pic - gas", position)
assert {verdict.outcome.value for verdict in guns.verdicts} == {"succeeds"}
assert "cannot reach mun" in verdict_of(turn(rules, "A mar - mun", position), "A mar").explanation
# [end of reach]


# [strength]
class Guards(Rule):
    key = "guards"

    def kinds(self, rules):
        return (UnitKind("G", "guard", "army", strength=2, cost=2),)

    def strength(self, rules, position, unit, order):
        return 1 if unit.kind == "A" and isinstance(order, Hold) else 0


rules = rules_with(Guards())
units = (Unit("G", "par", "France"), Unit("A", "bur", "Germany"))
position = replace(rules.opening(), units=units)
held = verdict_of(turn(rules, "G par - bur", position), "G par")
assert held.explanation == "G par - bur bounced: strength 2 against A bur H, strength 2"
# [end of strength]


# [halves]
class Weary(Rule):
    """Fleets fight with half a strength less."""

    key = "weary"

    def half_strength(self, rules, position, unit, order):
        return -1 if unit.kind == "F" else 0


rules = rules_with(Weary())
position = replace(rules.opening(), units=(Unit("A", "pic", "France"), Unit("F", "bre", "Germany")))
assert verdict_of(turn(rules, "A pic - bre", position), "A pic").outcome.value == "succeeds"  # 1 against a half
# [end of halves]


# [builds]
class WarChest(Rule):
    """Setting: ``powers``, the supply that each has in addition to its centers."""

    key = "war_chest"

    def __init__(self, powers: dict[str, int]) -> None:
        self.chests = powers

    def faults(self, rules):
        return [f"powers: there is no power {name!r}" for name in self.chests if name not in rules.powers]

    def supply(self, rules, position, power, sheets):
        return self.chests.get(power, 0)

    def extra_sites(self, rules, position, power):
        return ("bur",) if power == "France" else ()

    def refuses_build(self, rules, position, power, kind, province):
        return "fleets are out of fashion" if kind.travel == "fleet" else None

    def kind_to_build(self, rules, position, power, province):
        return "A"


rules = rules_with(WarChest({"France": 1}))
winter = Turn("Winter", 1901, Phase.ADJUSTMENTS)
position = replace(rules.opening(), turn=winter)
position = replace(position, units=tuple(u for u in position.units if u.at != "par"))
assert rules.limit(position, "France") == 4
listed = {write(order) for order in legation.legal_orders(rules, position)["France"]}
assert {"build A par", "build A bur"} <= listed and "build F bre" not in listed
# [end of builds]


# [faults]
from legation.judge import RulesError

try:
    rules_with(WarChest({"Frence": 1}))
except RulesError as error:
    assert str(error) == "war_chest: powers: there is no power 'Frence'"
# [end of faults]


# [centers]
class Neutrality(Rule):
    key = "neutrality"

    def refuses_center(self, rules, position, unit, center):
        return "Belgium is neutral" if center == "bel" else None


rules = rules_with(Neutrality())
fall = replace(rules.opening(), turn=Turn("Fall", 1901, Phase.MOVEMENT), units=(Unit("A", "pic", "France"),))
assert "bel" not in turn(rules, "A pic - bel", fall).after.owners


class Tribute(Rule):
    """The slice ``tribute`` counts the falls."""

    key = "tribute"

    def settle(self, rules, position):
        return replace(position, slices={**position.slices, self.key: position.slices.get(self.key, 0) + 1})

    def slice_faults(self, rules, kept):
        return () if isinstance(kept, int) and kept >= 0 else ("must be a number of years",)

    def status_notes(self, rules, position, power):
        years = position.slices.get(self.key, 0)
        return (f"Falls in which {power} has paid tribute: {years}.",) if years else ()


rules = rules_with(Tribute())
fall = replace(rules.opening(), turn=Turn("Fall", 1901, Phase.MOVEMENT))
after = turn(rules, "A par - bur", fall).after
assert after.slices["tribute"] == 1
assert rules.status_notes(after, "France") == ("Falls in which France has paid tribute: 1.",)
# [end of centers]


# [steps]
from legation.judge import Cause, Outcome, Verdict


class Winterfall(Rule):
    """France opens without a fleet; each sheet counts its first two orders; whoever stands in Burgundy is disbanded."""

    key = "winterfall"

    def opening(self, rules, position):
        return replace(position, units=tuple(u for u in position.units if u.at != "bre"))

    def rewrite(self, rules, position, sheets):
        kept, noted = [], []
        for sheet in sheets:
            kept.append(Sheet(sheet.power, sheet.orders[:2]))
            for order in sheet.orders[2:]:
                noted.append(Verdict(sheet.power, order, Outcome.ILLEGAL, Cause("illegal", reason="two orders a turn")))
        return tuple(kept), tuple(noted)

    def after(self, rules, aftermath):
        aftermath.units[:] = [unit for unit in aftermath.units if unit.at != "bur"]


rules = rules_with(Winterfall())
resolution = turn(rules, "A par - bur\nA mar - spa")
assert [str(unit) for unit in resolution.after.units_of("France")] == ["A spa"]
# [end of steps]


# [plague]
class Plague(Rule):
    key = "plague"

    def refuses_orders(self, rules, position, power):
        return "the plague is in Paris" if power == "France" else None

    def news(self, rules, resolution):
        return ("The plague is in Paris.",)

    def position_faults(self, rules, position):
        return ["units: nobody lives in Moscow"] if any(u.at == "mos" for u in position.units) else []


rules = rules_with(Plague())
resolution = turn(rules, "A par - bur")
assert "the plague is in Paris" in verdict_of(resolution, "A par - bur").explanation
# [end of plague]


# [calendar]
class Hours(Rule):
    """Three movement turns a year, and builds in the fourth."""

    key = "hours"
    replaces = frozenset({"calendar"})

    def first_turn(self, rules):
        return Turn("Dawn", 1, Phase.MOVEMENT)

    def next_turn(self, rules, turn):
        seasons = ("Dawn", "Noon", "Dusk")
        if turn.season in seasons[:2] and turn.phase is Phase.MOVEMENT:
            return Turn(turn.season, turn.year, Phase.RETREATS)
        if turn.phase is Phase.RETREATS and turn.season in seasons[:2]:
            return Turn(seasons[seasons.index(turn.season) + 1], turn.year, Phase.MOVEMENT)
        if turn.phase is Phase.MOVEMENT:
            return Turn("Dusk", turn.year, Phase.RETREATS)
        if turn.phase is Phase.RETREATS:
            return Turn("Night", turn.year, Phase.ADJUSTMENTS)
        return Turn("Dawn", turn.year + 1, Phase.MOVEMENT)


class LastIn(Rule):
    """The last unit in the list is removed first."""

    key = "last_in"

    def removals(self, rules, position, power, units, draw):
        return [(unit, "as the last in the list") for unit in reversed(units)]


rules = rules_with(Hours(), without=("calendar",))
assert str(turn(rules, "A par - bur").after.turn) == "Noon 1 Movement"


class OneCapital(Rule):
    """Every center that a power owns is its home, and it can build there."""

    key = "one_capital"
    replaces = frozenset({"homes"})

    def homes(self, rules, position, power):
        return position.centers_of(power)

    def build_sites(self, rules, position, power):
        return position.centers_of(power)


rules = rules_with(OneCapital(), LastIn(), without=("homes",))
position = replace(rules.opening(), turn=winter, owners={"par": "France"})
resolution = turn(rules, "", position)
assert rules.homes(position, "France") == ("par",)
assert [str(unit) for unit in resolution.after.units_of("France")] == ["F bre"]
# [end of calendar]


# [endings]
class Race(Rule):
    """The first unit in Munich wins. Nobody plays Turkey, there is no draw before 1905, and the game ends in 1910."""

    key = "race"

    def nobody_plays(self, rules):
        return ("Turkey",)

    def refuses_draw(self, rules, position):
        return "no draws before 1905" if position.turn.year < 1905 else None

    def refuses_turn(self, rules, turn):
        return "the game ends in 1910" if turn.year > 1910 else None

    def ending(self, rules, before, after, votes, settled):
        there = [u.power for u in after.units if u.at == "mun" and u.power != "Germany"]
        return Ending("solo", (there[0],), "reached Munich") if there else None


rules = rules_with(Race())
position = replace(rules.opening(), units=(Unit("A", "bur", "France"),))
assert turn(rules, "A bur - mun", position).ending == Ending("solo", ("France",), "reached Munich")
# [end of endings]


# [views]
class Nearsighted(Rule):
    key = "nearsighted"

    def visible_provinces(self, rules, position, power):
        return frozenset(unit.province for unit in position.units_of(power))


rules = rules_with(Nearsighted())
seen = rules.seen(rules.opening(), "France")
assert {unit.power for unit in seen.units} == {"France"}


class Masquerade(Nearsighted):
    """France also sees Germany, but not the army in Munich or the owner of Kiel. Everyone knows who owns London.

    The slice ``masquerade`` has a number for each power; a power sees only its own.
    """

    key = "masquerade"

    def visible_provinces(self, rules, position, power):
        return super().visible_provinces(rules, position, power) | {"ber", "kie", "mun"}

    def hides_unit(self, rules, position, power, unit):
        return unit.province == "mun"

    def hides_owner(self, rules, power, center):
        return center == "kie"

    def shows_owner(self, rules, power, center):
        return center == "lon"

    def redact_slice(self, rules, kept, power, sees):
        return {power: kept[power]} if power in kept else {}


rules = rules_with(Masquerade())
position = replace(rules.opening(), slices={"masquerade": {"France": 7, "Germany": 3}})
seen = rules.seen(position, "France")
assert {unit.at for unit in seen.units if unit.power == "Germany"} == {"ber", "kie"}
assert "kie" not in seen.owners and seen.owners["lon"] == "England" and "edi" not in seen.owners
assert seen.slices["masquerade"] == {"France": 7}
# [end of views]


# [alliance]
class Alliance(Rule):
    """If Germany gives no orders, its units follow Austria's."""

    key = "alliance"

    def on_condition(self, rules, position, power, order, owner):
        return "if Germany orders nothing" if (power, owner) == ("Austria", "Germany") else None

    def rewrite(self, rules, position, sheets):
        given = {sheet.power: list(sheet.orders) for sheet in sheets}
        theirs = {unit.at for unit in position.units_of("Germany")}
        lent = [order for order in given.get("Austria", ()) if order.at in theirs]
        given["Austria"] = [order for order in given.get("Austria", ()) if order not in lent]
        given["Germany"] = given.get("Germany") or lent
        return tuple(Sheet(power, tuple(orders)) for power, orders in given.items()), ()


rules = rules_with(Alliance())
checked = legation.check_sheet(rules, rules.opening(), "Austria", "A vie - gal\nA mun - bur").entries[1]
assert checked.problem is None or "if Germany orders nothing" in checked.problem.message
assert verdict_of(turn(rules, "A vie - gal\nA mun - bur", power="Austria"), "A mun").outcome.value == "succeeds"
# [end of alliance]


# [classes]
class QuietBelgium(Neutrality):
    key = "quiet_belgium"

    def describe(self, rules):
        return ("Belgium stays neutral: units pass through it, and nobody takes it.",)

    def dense(self, rules):
        return None


rules = rules_with(QuietBelgium())
assert dict(rules.described())["quiet_belgium"] == ("Belgium stays neutral: units pass through it, and nobody takes it.",)


from legation.judge import Option


class Sprint(Race):
    """Setting: ``draws`` (1905), the first year in which a draw is possible."""

    key = "sprint"
    version = 2  # in version 1 Germany could win in Munich too
    runs_after = ("solo",)  # a solo comes first
    options = (Option("sprint", "house rule", (True, False), "Whether the first unit in Munich wins."),)
    added_settings = frozenset({"draws"})  # games that started without it continue

    def __init__(self, draws: int = 1905) -> None:
        self.draws = draws

    def refuses_draw(self, rules, position):
        return f"no draws before {self.draws}" if position.turn.year < self.draws else None

    def ending(self, rules, before, after, votes, settled):
        return super().ending(rules, before, after, votes, settled) if rules.options["sprint"] is True else None

    def basics(self, rules):
        return {"winning": "The first unit in Munich wins."} if rules.options["sprint"] is True else {}


rules = rules_with(Sprint(), without=("solo",))
assert rules.options["sprint"] is True
assert Sprint().pinned_settings == {} and Sprint(1910).pinned_settings == {"draws": 1910}
# [end of classes]
