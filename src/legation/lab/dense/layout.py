"""How dense games lie in arrays: the rows of each matrix and the codes of orders, by name.

Everything here is whole numbers, so that the code which uses them runs interpreted and compiled. The modules of this
folder import all of it: its names are the words of their code, and compiled they are one set of names anyway."""

from typing import Annotated, Any, NamedTuple

from legation.judge.core import GIVEN_ROWS, LINKED_ROWS, MovementProblem

# Phases, as `Tables.phase` has them.
PLACEMENT, MOVEMENT, RETREATS, ADJUSTMENTS, CALENDAR_ENDS = 0, 1, 2, 3, 4

# Orders: what is done, in the lowest bits of an order; then a location, a unit and one place more.
HOLDS, MOVES, MOVES_VIA, SUPPORTS_HOLD, SUPPORTS_MOVE, CONVOYS, RIDES, CARRIES, CONVERTS = 0, 1, 2, 3, 4, 5, 6, 7, 8
BUILDS, REMOVES, WAIVES, RETREATS_TO, DISBANDS = 9, 10, 11, 12, 13
TO_SHIFT, UNIT_SHIFT, MORE_SHIFT = 4, 16, 28
KIND_MASK, FIELD_MASK = 15, 4095
MOST = 4096
"""No board has as many locations, and no game as many units."""

# How a game ended.
RUNS, SOLO, DRAW, RANKING, NO_TURNS_LEFT = 0, 1, 2, 3, 4

# `Tables.kinds`
TRAVEL, STRENGTH, COST, CONVOYING, CONVOYED, SINGLE, KIND_ROWS = 0, 1, 2, 3, 4, 5, 6
# `Tables.places`
IS_SEA, IS_CENTER, NAME_RANK, PLACE_TABLE_ROWS = 0, 1, 2, 3
# `Tables.settings`
FERRY, ANARCHY, CONVERSION, ACROSS_WINTER, MERCY, ALWAYS_ADJUSTS, CHOSEN_HOMES, FIXED_TURN = range(8)
LAST_TURN, LAST_SURVIVORS, VOTES, PLACE_SUPPLY, ADJACENT_CONVOY, VIA_FALLBACK, OPEN_ORIGIN = range(8, 15)
DISORDER, WAIVING, FOR_ALL_TO_WIN, FOR_ALL_TO_DRAW, SETTINGS = range(15, 20)
OWN_FLEET, READING_1971, INTENT = 0, 1, 2  # of ADJACENT_CONVOY
BY_OWN_CENTERS, BY_HOMES, BY_LOT = 0, 1, 2  # of DISORDER

# `State.units` and `State.out`
LOCATION, KIND, POWER, ATTACKED_FROM, UNIT_ROWS = 0, 1, 2, 3, 4
# `State.places`
OWNER, CONTESTED, BECOMES, BECOMING_FOR, HOME_OF, INITIAL, PLACE_ROWS = 0, 1, 2, 3, 4, 5, 6
# `State.powers`: how it stands (free, or what anarchy has made of it), and its place in the ending
STANDING, RANK, POWER_ROWS = 0, 1, 2
FREE, IN_GRACE, RETAKEN, IN_ANARCHY = 0, 1, 2, 3
# `State.game`
TURN, COUNT, OUT, ENDED, AGREED, PLAYED, RANDOM, GAME_FIELDS = 0, 1, 2, 3, 4, 5, 6, 10

# `Scratch.units`, each by unit
AT, BY, FORCE, DOES, TARGET, HELPED, VIA, FIRM = range(GIVEN_ROWS)  # as the core takes them
LINKED = GIVEN_ROWS
"""Where the rows begin that the core links, in its sequence: its own, of which these are read elsewhere."""
INTO_NEXT, MOVED, ROUTE, LOW, BROKEN, SEEN = (LINKED + row for row in (0, 5, 6, 7, 9, 12))
OTHERS = LINKED + LINKED_ROWS
ARRIVES, DISLODGER, EXTRA_HEAD, FLEET_NUMBER, CLUSTER, ALONE, QUEUE, CANDIDATES, ORDERED = range(OTHERS, OTHERS + 9)
SCRATCH_UNIT_ROWS = OTHERS + 9
# `Scratch.places`, each by province
OCCUPANT, INTO_HEAD, GOAL_HEAD, STAMP, TOUCHED = 0, 1, 2, 3, 4
PATH, STEP, REACHED, GOING, SCRATCH_PLACE_ROWS = 5, 6, 7, 8, 9
# `Scratch.goals`: where units can go, chained by province
GOAL_UNIT, GOAL_TO, GOAL_BY_ITSELF, GOAL_NEXT, GOAL_ROUTE, GOAL_ROWS = 0, 1, 2, 3, 4, 5
# `Scratch.counts`
CLOCK, GOALS, EXTRAS, LISTED, LIMITED, FLEETS, ROUTES, NOTED, TOO_SMALL = 0, 1, 2, 3, 4, 5, 6, 7, 8
WORK, LOGGED, COUNT_FIELDS = 9, 10, 11
# `Scratch.worth` by travel and location, `Scratch.sums` by province, `Scratch.powers` by power
WORTH, WORTH_NEXT, WORTH_TOTAL, WORTH_ROWS = 0, 1, 2, 3
DEFENSE, SUM_ROWS = 1, 2  # after WORTH
CENTERS, SCRATCH_POWER_ROWS = 0, 1
# `Scratch.candidates`: where each unit could go, the best first
CANDIDATE_WORTH, CANDIDATE_AT, CANDIDATE_ROWS = 0, 1, 2
# What plays a seat, and what is noted of a turn
HOLDER, RANDOM_MOVER, DUMB = 0, 1, 2
# What a position is judged by: those before the share are parts of the centers needed to win
FEATURE_CENTERS, FEATURE_THREATS, FEATURE_CHANCES, FEATURE_REACH, FEATURE_UNITS, FEATURE_OUT = range(6)
FEATURE_RIVAL, FEATURE_SHARE, FEATURE_BIAS = range(6, 9)
WEIGHED = 9  # the features that outlooks are weighed from; the network reads further ones
FEATURE_SAFE, FEATURE_FRONTS, FEATURE_NEAR, FEATURE_AT_HAND, FEATURE_LEFT, FEATURE_SECOND = range(WEIGHED, 15)
FEATURE_COMING, FEATURES = range(15, 17)
HIDDEN = 16  # numbers in each of the network's two inner layers
SHEETS, OWN_SHEETS, REPLIES = 12, 32, 64  # sheets of each other power, one's own, and samples of what the others order
ROW_GAME, ROW_TURN, ROW_OUT, ROW_POWERS = 0, 1, 2, 3
# What is logged of an order; `LOG_FROM` is the unit's location, `LOG_BY` that of the unit which dislodged it, else -1
LOG_GAME, LOG_TURN, LOG_POWER, LOG_KIND, LOG_FROM, LOG_ORDER, LOG_OUTCOME, LOG_BY, LOG_FIELDS = range(9)
SUCCEEDS, BOUNCED, CUT, NO_CONVOY, NOT_MATCHED = 0, 1, 2, 3, 4  # `LOG_OUTCOME`
FULL = -1
"""A list has outgrown its scratch; it is made again in a larger one."""
BITS = 62
"""Fleets in one word of a set of fleets: what a signed number of 64 bits holds, and Python shifts, without its sign."""


class DenseTables(NamedTuple):
    """A variant's board and rules as numbers: locations, provinces, powers and kinds by their order in the ruleset.

    A location's number is its province's where it isn't a separate coast. Lists of several lie end to end: those of row
    ``i`` stand at ``start[i]`` to ``start[i + 1] - 1``."""

    provinces: int
    locations: int
    powers: int
    unit_kinds: int
    width: int  # the most units that a game can have
    rules: Any  # int64: how disputed points are read, for the core
    near: Any  # uint8, provinces x provinces: whether fleets pass
    province: Any  # int64, locations
    settings: Any  # int64, SETTINGS
    kinds: Any  # int64, KIND_ROWS x kinds
    places: Any  # int64, PLACE_TABLE_ROWS x provinces
    phase: Any  # int64: by turn
    reach_start: Any  # travel x locations: where a unit moves by itself
    reach: Any
    into_start: Any  # travel x locations: the provinces that it moves and supports into
    into: Any
    by_sea_start: Any  # provinces: those that fleets pass to
    by_sea: Any
    entry: Any  # uint8, kinds x powers x provinces: whether a unit may enter
    helps: Any  # uint8, the same: whether it may support in or into a province
    sites: Any  # uint8, powers x provinces: where a power may build once it owns the place
    builds_start: Any  # powers: what it may build there, kind * locations + location
    builds: Any
    place_builds_start: Any  # powers: the same in placement
    place_builds: Any
    homes: Any  # uint8, powers x provinces
    becomes_start: Any  # kinds x provinces: what a unit converts to, kind * locations + location
    becomes: Any
    marks: Any  # int64, powers: the centers to win with; 0 where nobody wins by centers
    win_start: Any  # groups of capitals
    win: Any
    share_start: Any
    share: Any
    distance: Any  # int64, provinces x provinces: steps between places whatever passes
    home_distance: Any  # int64, travel x powers x locations: steps to a power's nearest home
    average: Any  # int64, 2 x 2: nodes of each travel's graph, and those with their edges
    counted: Any  # int64: by turn, whether centers are counted before units move again
    rounds: Any  # int64: by turn, how many adjustments the calendar had before it
    weights: Any  # float64, WEIGHED: how an outlook is weighed from features
    network: (
        Any  # float64, FEATURES + HIDDEN + 2 rows of HIDDEN: the network that predicts who wins; no rows without one
    )


class State(NamedTuple):
    """Games side by side; the first axis of every array is the game."""

    game: Any  # int64, games x GAME_FIELDS
    units: Any  # int32, games x UNIT_ROWS x width
    out: Any  # int32, the same: the dislodged
    places: Any  # int32, games x PLACE_ROWS x provinces
    powers: Any  # int32, games x POWER_ROWS x powers


W, P = "units", "provinces"  # the most that a game can have, and the board's


class Scratch(NamedTuple):
    """Work space for one game at a time; one for each thread. Each array has its shape beside it, in rows and in sizes
    that :func:`legation.lab.games.new_scratch` knows; those in FLOATS are float64, all others int64."""

    counts: Annotated[Any, COUNT_FIELDS]
    units: Annotated[Any, SCRATCH_UNIT_ROWS, W]
    places: Annotated[Any, SCRATCH_PLACE_ROWS, "one more province"]
    goals: Annotated[Any, GOAL_ROWS, "goals"]
    start: Annotated[Any, "one more unit"]  # where each unit's legal orders begin
    legal: Annotated[Any, "legal"]  # legal orders
    extra: Annotated[Any, 2, "extra"]  # further orders, chained by unit
    chosen: Annotated[Any, "orders"]  # of each unit; in adjustments, what is ordered one after the other
    any_way: Annotated[Any, "words", P]  # the fleets on some way to a place
    every_way: Annotated[Any, "words", P]  # those on all ways
    needed: Annotated[Any, "goals", "words"]  # the fleets without which a goal cannot be reached
    masks: Annotated[Any, "one more province", "words"]  # the fleets passed so far
    stack: Annotated[Any, "stack"]
    work: Annotated[Any, "work"]  # for circles
    limited: Annotated[Any, 1]  # 1 where a circle was too large to look for an only solution
    worth: Annotated[Any, WORTH_ROWS, "nodes"]  # by travel and location
    sums: Annotated[Any, SUM_ROWS, P]
    powers: Annotated[Any, SCRATCH_POWER_ROWS, "powers"]
    entering: Annotated[Any, "powers", P]  # the strength that may come in
    candidates: Annotated[Any, CANDIDATE_ROWS, W, "near"]
    values: Annotated[Any, "stack"]  # the worth of what stands in the stack
    waited: Annotated[Any, W, W]  # when a unit last waited for another
    features: Annotated[Any, "powers", FEATURES]
    hidden: Annotated[Any, HIDDEN]
    fronts: Annotated[Any, "powers", "powers"]  # whether the second could enter a center of the first
    at_hand: Annotated[Any, "powers"]
    outlook: Annotated[Any, "powers"]  # about the score to come, or by the network the chance to win
    now: Annotated[Any, "powers"]
    replies: Annotated[Any, REPLIES, "powers"]  # which sheet each power plays in a sample
    means: Annotated[Any, OWN_SHEETS]
    ahead: Annotated[Any, OWN_SHEETS]  # mean outlooks later on
    luck: Annotated[Any, 4]  # random numbers put aside
    sheets: Annotated[Any, OWN_SHEETS, W]  # the orders of every unit in the sheets of its power
    kept: Annotated[Any, "orders"]  # put aside
    kept_orders: Annotated[Any, "orders"]
    ordered: Annotated[Any, "orders"]
    turn: MovementProblem  # a movement turn as the core takes it, on rows of the arrays above


FLOATS = frozenset(["features", "hidden", "outlook", "now", "means", "ahead"])
