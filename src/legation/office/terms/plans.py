"""Plans of games and tournaments, the settings that games are played by, and the usual ways to run one."""

import re
import unicodedata
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Any, Literal

import msgspec

from legation.bots import levels
from legation.office.errors import ConflictError, DamagedError, InvalidInputError, converted, refuse_faults
from legation.office.records import GameRecord
from legation.office.store.packing import unpack
from legation.office.terms import schedules
from legation.office.terms.schedules import Schedule
from legation.position import Phase
from legation.scoring import SYSTEMS
from legation.scoring.tournament import TIE_BREAKS
from legation.variants import STANDARD

CHANNELS = ("web", "api", "mail", "post")
OWN_CHANNELS = ("console", "ahead", "bot", "desk")  # by which the office enters orders itself
LONGEST_NAME = 60
MOST_POST_DAYS = 60

Press = Literal["public", "private", "anonymous"]


class GameSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Settings of a game; ``docs/tables/settings.toml`` says what each of them does."""

    schedule: str | dict[str, Any] = "daily"
    press: tuple[Press, ...] = ("private", "public")
    anonymous: bool = False
    shows_senders: Literal["all", "coordinator", "nobody"] = "all"
    channels: dict[str, tuple[str, ...]] = {}
    opening_by_post: bool = False
    photographs_only: bool = False
    post_days: int = 5
    post_routes: dict[str, int] = {}
    coordinated: bool = False
    drafts: bool = False
    approve: bool = False
    missing: Literal["hold", "wait", "disorder", "replace"] = "hold"
    missing_after: int = 2
    stand_in: str = ""
    machines: bool = False
    ready_ends: bool = True
    grace: int = 0
    absence_days: int = 0
    listed: bool = True
    reads_letters: bool = False
    reminder_hours: int = 24
    votes: Literal["usual", "majority", "all", "none"] = "usual"
    scoring: str = ""
    rated: bool = False
    reliability: int = 0
    finished: int = 0
    rating: int = 0
    one_orders_all: bool = False

    def voting(self) -> Literal["majority", "all", "none"]:
        """Return the share of players that carries a vote."""
        if self.one_orders_all:
            return "none"
        if self.votes == "usual":
            return "none" if self.coordinated else "majority"
        return self.votes

    def plan(self) -> Schedule:
        """The schedule, read."""
        return schedules.find(self.schedule) if isinstance(self.schedule, str) else schedules.read(self.schedule)

    def takes(self, channel: str, phase: str) -> bool:
        """Return whether orders of a phase may come by a channel."""
        return channel in self.channels.get(phase, CHANNELS) or channel in OWN_CHANNELS

    def takes_text(self, channel: str) -> bool:
        """Return whether orders may come as text by a channel, and not only on paper or as a photograph."""
        return not self.photographs_only or channel in OWN_CHANNELS

    def wants_envelope(self, phase: str) -> bool:
        """Return whether each player is to post the orders of a phase first (W-20a)."""
        return self.opening_by_post and phase == Phase.MOVEMENT.value

    def is_postal(self) -> bool:
        """Return whether post is part of the game, and its coordinator sees postal addresses."""
        return self.opening_by_post or any("post" in channels for channels in self.channels.values())

    def shows_addresses(self) -> bool:
        """Return whether players see postal addresses that aren't refused them (W-23): by post, and not anonymous."""
        return self.is_postal() and not self.anonymous

    def post_by(self, phase: str, deadline: datetime, days: int | None = None) -> date | None:
        """The last day to post orders that are due at a time, where they are to be posted: so that a letter which is
        ``days`` on its way (else as the game is set) comes on the last calendar day before the deadline."""
        if not self.wants_envelope(phase):
            return None
        return self.posted_for(deadline, self.post_days if days is None else days)

    def posted_for(self, deadline: datetime, days: int) -> date:
        """Return when to post a letter that takes so many days and comes the day before a deadline."""
        return schedules.calendar_day(self.plan(), deadline - timedelta(microseconds=1)) - timedelta(days=days)

    def route_days(self, one: str, other: str) -> int:
        """Return how many days a letter is on its way between two countries, whichever it leaves."""
        routes = {_ends(route): days for route, days in self.post_routes.items()}
        return routes.get(frozenset((_country(one), _country(other))), self.post_days)


def _country(name: str) -> str:
    return " ".join(name.split()).casefold()


def _ends(route: str) -> frozenset[str]:
    return frozenset(_country(name) for name in re.split(r"\s[-–]\s", route))


MOST_ROUTES = 200


def _route_faults(routes: Mapping[str, int]) -> list[str]:
    faults = [] if len(routes) <= MOST_ROUTES else [f"settings.post_routes: at most {MOST_ROUTES}"]
    for route, days in routes.items():
        names = re.split(r"\s[-–]\s", route)
        if len(names) != 2 or not all(name.strip() and name.isprintable() for name in names) or len(route) > 130:
            faults.append(f"settings.post_routes: write two countries as 'France - Spain', not {route[:60]!r}")
        if not 0 <= days <= MOST_POST_DAYS:
            faults.append(f"settings.post_routes.{route[:60]}: from 0 to {MOST_POST_DAYS} days")
    if len({_ends(route) for route in routes}) < len(routes):
        faults.append("settings.post_routes: name each pair of countries once")
    return faults


@lru_cache(maxsize=1024)
def unpacked_settings(packed: bytes) -> GameSettings:
    """A game's settings as they are stored; many games have the same, and each is asked for them at every turn. Raises
    msgspec.ValidationError if they are none. Raises DamagedError if they cannot be read any more."""
    return msgspec.convert(unpack(packed), GameSettings)


def settings_of(game: GameRecord) -> GameSettings:
    """Return the settings that the record of a game tells."""
    return msgspec.convert(game.settings, GameSettings)


class GamePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A game to be made. ``seats``: by power, an address to invite or ``"bot:dumbbot"``; other seats are open."""

    name: str
    variant: str
    options: dict[str, Any] = {}
    settings: GameSettings = GameSettings()
    seats: dict[str, str] = {}


def read_plan(table: object) -> GamePlan:
    """A plan from its table (a file, or a request). Raises InvalidInputError with all that is wrong."""
    plan = converted(table, GamePlan, "The plan of the game")
    refuse_faults("The game can't be created", [*name_faults(plan.name), *settings_faults(plan.settings)])
    return plan


def settings_faults(settings: GameSettings) -> list[str]:
    """Return the faults of a game's settings, each with its place."""
    faults: list[str] = []
    try:
        faults += [f"settings.schedule: {fault}" for fault in schedules.new_faults(settings.plan())]
    except InvalidInputError as error:
        faults += [f"settings.{fault}" for fault in error.faults]
    if schedules.has_twice(settings.press):
        faults.append("settings.press: name each kind once")
    for phase, channels in settings.channels.items():
        if phase not in (known.value for known in Phase.all()):
            faults.append(
                f"settings.channels: there is no phase {phase!r}; phases are {', '.join(p.value for p in Phase.all())}"
            )
        faults += [
            f"settings.channels.{phase}: {c!r} is none of {', '.join(CHANNELS)}" for c in channels if c not in CHANNELS
        ]
        if schedules.has_twice(channels):
            faults.append(f"settings.channels.{phase}: name each once")
        if not channels:
            faults.append(f"settings.channels.{phase}: name at least one of {', '.join(CHANNELS)}")
    if settings.stand_in and settings.stand_in not in levels.names():
        faults.append(f"settings.stand_in: no bot {settings.stand_in[:40]!r}; there are {', '.join(levels.names())}")
    if settings.scoring and settings.scoring not in SYSTEMS:
        faults.append(f"settings.scoring: no system {settings.scoring[:40]!r}; there are {', '.join(SYSTEMS)}")
    for name, least, most in (
        ("missing_after", 1, 20),
        ("grace", 0, 7 * 24 * 60),
        ("absence_days", 0, 90),
        ("reminder_hours", 0, 14 * 24),
        ("post_days", 0, MOST_POST_DAYS),
        ("reliability", 0, 100),
        ("finished", 0, 1000),
        ("rating", 0, 10_000),
    ):
        if not least <= getattr(settings, name) <= most:
            faults.append(f"settings.{name}: from {least} to {most}")
    faults += _route_faults(settings.post_routes)
    if settings.one_orders_all and (settings.coordinated or settings.anonymous or settings.rated):
        faults.append(
            "settings.one_orders_all: a game in which one person orders for all powers runs itself, isn't rated, and "
            "has no anonymous players"
        )
    if (settings.approve or settings.opening_by_post or settings.photographs_only) and not settings.coordinated:
        faults.append(
            "settings.coordinated: a game whose results are approved, or whose orders come by post or as photographs, "
            "needs a coordinator"
        )
    return faults


def refuse_other_terms(old: GameSettings, new: GameSettings) -> None:
    """Refuse settings to which those who joined under the old ones never agreed (ConflictError)."""
    if new.is_postal() and not old.is_postal():
        raise ConflictError(
            "Players joined a game without post. With post the coordinator would see their postal addresses, which "
            "they never agreed to. Create another game."
        )
    if new.reads_letters and not old.reads_letters:
        raise ConflictError("Players joined a game whose coordinator can't read letters. Create another game.")
    if old.anonymous and not new.anonymous:
        raise ConflictError("Players joined an anonymous game, so it stays anonymous. Create another game.")
    if new.rated and not old.rated:
        raise ConflictError("Players joined an unrated game, so it stays unrated. Create another game.")
    if new.listed and not old.listed:
        raise ConflictError("Players joined a private game, so it stays private. Create another game.")


def name_faults(name: str) -> list[str]:
    """Return the faults of a game's name."""
    if game_key(name) in ("new", "import"):  # the addresses of the forms for new ones
        return ["name: a game needs another name than that"]
    if not game_key(name) or len(name) > LONGEST_NAME or not name.isprintable() or name != " ".join(name.split()):
        return [
            f"name: a game's name has letters or digits, single spaces, and at most {LONGEST_NAME} characters, not "
            f"{name[:80]!r}"
        ]
    return []


def game_key(name: str) -> str:
    """The name in addresses: ``Powick Bridge`` is ``powick-bridge``; names of the same key are the same."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


class Preset(msgspec.Struct, frozen=True):
    """A way to run a game, in a sentence, and the settings that make it."""

    title: str
    settings: Mapping[str, Any]


PRESETS: Mapping[str, Preset] = {
    "day": Preset("One turn a day; the game runs itself", {}),
    "week": Preset("Two or three turns a week, with time for absences", {"schedule": "weekly", "absence_days": 7}),
    "evening": Preset("An evening at the table", {"schedule": "live", "reminder_hours": 0, "missing_after": 3}),
    "table": Preset(
        "Around one table, or alone: one person orders for all powers",
        {"schedule": "live", "reminder_hours": 0, "press": (), "one_orders_all": True},
    ),
    "post": Preset(
        "By post, with a coordinator: first orders by letter, revisions as photographs, draft results",
        {
            "schedule": "three-kingdoms",
            "coordinated": True,
            "approve": True,
            "drafts": True,
            "opening_by_post": True,
            "photographs_only": True,
            "ready_ends": False,
            "press": (),
            "missing": "hold",
            "reminder_hours": 72,
        },
    ),
}


def preset_for(schedule: str, *, coordinated: bool) -> Mapping[str, Any]:
    """The settings of the preset that is played by a schedule, with or without a coordinator; none if there is none."""
    for preset in PRESETS.values():
        asked = (preset.settings.get("schedule"), bool(preset.settings.get("coordinated")))
        if asked == (schedule, coordinated):
            return preset.settings
    return {}


LONGEST_TOURNAMENT = LONGEST_NAME - len(" R20 B100")
MOST_ROUNDS = 20
OF_GAMES_ALONE = ("one_orders_all", "reliability", "finished", "rating")  # who plays: a tournament decides it


class TournamentPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Plan of a tournament. ``best``: only so many of each player's rounds count; 0 for all. ``ties``: what tells equal
    totals apart, one after another. ``seating``: "mixed" (nobody meets the same people again where it can be avoided),
    "final" (the same, but in the last round the best sit at the first board), or "standings" (from the second round
    neighbors in the standings sit together). ``online``: games are played in this office by ``settings``; else face to
    face, and results entered by hand. ``bots``: which bot fills up the last board; without one, people sit out in turn.
    ``listed``: anybody may see the tournament."""

    name: str
    variant: str = STANDARD
    options: dict[str, Any] = {}
    rounds: int = 3
    system: str = "carnage"
    best: int = 0
    ties: tuple[str, ...] = ("rounds",)
    seating: Literal["mixed", "final", "standings"] = "mixed"
    online: bool = True
    settings: GameSettings = GameSettings()
    bots: str = ""
    listed: bool = True


def read_tournament_plan(table: object) -> TournamentPlan:
    """A plan from its table, with its scoring system set for its games; InvalidInputError with all faults."""
    plan = converted(table, TournamentPlan, "The plan of the tournament")
    settings = msgspec.structs.replace(plan.settings, scoring=plan.system, listed=plan.listed)
    plan = msgspec.structs.replace(plan, settings=settings)
    refuse_faults(
        "The tournament can't be made",
        [*_tournament_faults(plan), *(settings_faults(settings) if plan.system in SYSTEMS else ())],
    )
    return plan


def unpacked_plan(packed: bytes) -> TournamentPlan:
    """A plan as it is stored. Raises DamagedError if it cannot be read any more."""
    try:
        return msgspec.convert(unpack(packed), TournamentPlan)
    except msgspec.ValidationError:
        raise DamagedError("The plan of this tournament can no longer be read.") from None


def league_name_faults(name: str) -> list[str]:
    """Return the faults of the name of a tournament or a league."""
    is_plain = name.isprintable() and name == " ".join(name.split()) and game_key(name) not in ("", "new", "leagues")
    fits = is_plain and len(name) <= LONGEST_TOURNAMENT
    return [] if fits else [f"name: letters or digits, at most {LONGEST_TOURNAMENT} characters"]


def _tournament_faults(plan: TournamentPlan) -> list[str]:
    faults = league_name_faults(plan.name)
    if not 1 <= plan.rounds <= MOST_ROUNDS:
        faults.append(f"rounds: from 1 to {MOST_ROUNDS}")
    if not 0 <= plan.best <= plan.rounds:
        faults.append("best: at most as many as there are rounds; 0 for all")
    if plan.system not in SYSTEMS:
        faults.append(f"system: no system {plan.system[:40]!r}; there are {', '.join(SYSTEMS)}")
    if unknown := [name for name in plan.ties if name not in TIE_BREAKS]:
        faults.append(f"ties: no tie-break {unknown[0][:40]!r}; there are {', '.join(TIE_BREAKS)}")
    faults += [f"settings.{name}: not in a tournament" for name in OF_GAMES_ALONE if getattr(plan.settings, name)]
    if plan.bots and plan.bots not in levels.names():
        faults.append(f"bots: no bot {plan.bots[:40]!r}; there are {', '.join(levels.names())}")
    return faults
