"""A new game: its variant, how it is run, who plays, and the calendar
that follows; all on one form that loses nothing."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

import msgspec
from fastapi import Request
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from legation.bots import levels
from legation.judge import Option, Ruleset
from legation.office.context import ask_first
from legation.office.errors import OfficeError
from legation.office.hosting import games
from legation.office.hosting.games import BegunElsewhere
from legation.office.identity import people
from legation.office.terms import schedules
from legation.office.terms.plans import CHANNELS, PRESETS, GameSettings, settings_faults
from legation.position import Turn
from legation.scoring import SYSTEMS
from legation.variants import STANDARD
from legation.web.play.import_pages import begun_of
from legation.web.public.gallery import cards
from legation.web.public.maps import known_to, rules_of
from legation.web.serving.forms import Form, text
from legation.web.serving.pages import PageRouter, page
from legation.web.serving.sessions import office_of, person_of

router = PageRouter()

SHOWN = 8  # turns of the calendar
USUAL_SETTINGS: dict[str, Any] = msgspec.to_builtins(GameSettings())
FLAGS = [name for name, usual in USUAL_SETTINGS.items() if isinstance(usual, bool)]


class NewGameForm(msgspec.Struct):
    """Values of the form, to show it again.

    ``seats``: by power, who is wanted (empty, ``invite`` or a bot) and an address. ``imported``: the name of the report
    on a game that was begun elsewhere and goes on."""

    name: str
    variant: str
    options: dict[str, Any]
    settings: dict[str, Any]
    seats: dict[str, tuple[str, str]]
    imported: str = ""


@router.get("/games/new")
def new_game(request: Request, variant: str = STANDARD, like: str = "", imported: str = "") -> Response:
    """The form, from one of the usual ways; or for a game that was begun elsewhere."""
    ask_first(office_of(request), person_of(request), "games.create")
    begun = begun_of(request, imported) if imported else None
    known = known_to(request).names()
    name = begun.variant if begun is not None else variant if variant in known else known[0]
    if like not in PRESETS:  # the way whose schedule is named for the variant, as its rulebook asks, or a turn a day
        like = next((key for key, preset in PRESETS.items() if preset.settings.get("schedule") == name), "day")
    plan = NewGameForm("", name, {}, _preset(like), {})
    if begun is not None:
        plan = NewGameForm(begun.title[:80], name, begun.options, plan.settings, {}, imported)
    return _page(request, plan, like=like)


@router.post("/games/new")
def make_game(request: Request, form: Form) -> Response:
    """Make the game; or, where only a preset, the calendar or another variant was asked for, show the form again."""
    actor, office = person_of(request), office_of(request)
    plan, like = _read(request, form), text(form, "like")
    if like in PRESETS:
        plan.settings = _preset(like)
    if text(form, "do") != "make":
        return _page(request, plan, like=like)
    try:
        begun = None
        if plan.imported:
            read = begun_of(request, plan.imported)
            begun = BegunElsewhere(source=read.source, file=read.file, turns=read.turns, position=read.position)
        rules = rules_of(plan.variant, known_to(request))
        wanted = {power: mail if who == "invite" else f"bot:{who}" for power, (who, mail) in plan.seats.items() if who}
        table = {
            "name": plan.name,
            "variant": plan.variant,
            "options": plan.options if plan.imported else _chosen(rules, plan.options),
            "settings": plan.settings,
            "seats": wanted,
        }
        made = games.create(office, actor, table, begun)
    except OfficeError as error:
        faults = error.faults or ([f"name: {error.message}"] if error.status == 409 else [error.message])
        return _page(request, plan, faults=[*faults, *_seat_faults(plan)], status=error.status)
    return RedirectResponse(f"/desk/{made.key}", 303)


def _preset(like: str) -> dict[str, Any]:
    """Return all settings of a game that is made by a preset."""
    settings = {**USUAL_SETTINGS, **PRESETS[like].settings}
    if levels.STAND_IN in levels.names() and not (settings["coordinated"] or settings["one_orders_all"]):
        settings["stand_in"] = levels.STAND_IN
    return settings


def sent_settings(form: FormData, flags: Iterable[str]) -> dict[str, Any]:
    """Return a form's game settings: the ``flags``, words and numbers; what isn't a number stays as it is."""
    settings: dict[str, Any] = {name: name in form for name in flags}
    for name, usual in USUAL_SETTINGS.items():
        if name in form and isinstance(usual, str | int) and not isinstance(usual, bool):
            given = text(form, name)
            number = isinstance(usual, int) and given.isdecimal() and len(given) < 10
            settings[name] = int(given) if number else given[:200]
    if settings.get("schedule") == "other":
        settings["schedule"] = text(form, "own_schedule")
    return settings


def _read(request: Request, form: FormData) -> NewGameForm:
    """Return the form as typed; what it doesn't name is off. An imported game has the variant of its report."""
    imported = text(form, "imported")
    begun = begun_of(request, imported) if imported else None
    variant = begun.variant if begun is not None else text(form, "variant")
    rules = rules_of(variant, known_to(request))
    settings = {**USUAL_SETTINGS, **sent_settings(form, FLAGS)}
    settings["coordinated"] = text(form, "run") == "coordinator"
    settings["one_orders_all"] = text(form, "run") == "alone"
    settings["press"] = [str(kind) for kind in form.getlist("press")]
    settings["channels"] = {}
    shown = form.getlist("phase")  # those of the variant before have no boxes for what only this one has
    for phase in _phases(rules):
        if shown and phase not in shown:
            continue
        taken = [str(channel) for channel in form.getlist(f"channel {phase}")]
        if taken != list(CHANNELS):
            settings["channels"][phase] = taken
    options = {o.name: text(form, f"option {o.name}") for o in rules.declared_options}
    if begun is not None:
        options = begun.options
    chairs = {power: (text(form, f"seat {power}"), text(form, f"mail {power}")) for power in rules.powers}
    return NewGameForm(text(form, "name"), variant, options, settings, chairs, imported)


def _chosen(rules: Ruleset, options: dict[str, str]) -> dict[str, Any]:
    chosen = {}
    for option in rules.declared_options:
        readings = {str(reading): reading for reading in option.readings}
        reading = readings.get(options.get(option.name, ""), rules.options[option.name])
        if reading != rules.options[option.name]:
            chosen[option.name] = reading
    return chosen


def _seat_faults(plan: NewGameForm) -> list[str]:
    faults = []
    for power, (who, mail) in plan.seats.items():
        if who == "invite":
            try:
                people.fold_email(mail)
            except OfficeError as error:
                faults.append(f"seat {power}: {error.message if mail else 'whom? write an address, or leave it open'}")
    return faults


def _page(
    request: Request, plan: NewGameForm, *, faults: Sequence[str] = (), status: int = 200, like: str = ""
) -> Response:
    variants = known_to(request)
    rules = rules_of(plan.variant, variants)
    options = rules.declared_options
    at_fields, others = _sorted(
        faults, {"name", "variant", "options", *plan.settings, *(f"seat {p}" for p in rules.powers)}
    )
    return page(
        request,
        "desk/new_game.html",
        status,
        plan=plan,
        begun=begun_of(request, plan.imported) if plan.imported else None,
        like=like,
        presets=PRESETS,
        rules=rules,
        cards=cards(variants),
        plans=[schedules.find(name) for name in schedules.names()],
        own_schedule="" if plan.settings["schedule"] in schedules.names() else plan.settings["schedule"],
        schedule_hint=schedules.HOW,
        own_options=[_option(rules, plan, o) for o in options if not o.issue.startswith("DATC")],
        disputed=[_option(rules, plan, o) for o in options if o.issue.startswith("DATC")],
        phases=_phases(rules),
        channels=CHANNELS,
        scoring_systems=SYSTEMS.values(),
        bots=levels.names(),
        calendar=calendar(rules, plan.settings["schedule"], office_of(request).clock.now()),
        faults=at_fields,
        others=others,
    )


def _sorted(faults: Sequence[str], fields: set[str]) -> tuple[dict[str, str], list[str]]:
    at: dict[str, str] = {}
    others: list[str] = []
    for fault in faults:
        place, _, message = fault.partition(": ")
        field = place.removeprefix("settings.").split(".")[0].split("[")[0]
        if field == "channels":
            message = f"{place.rpartition('.')[2]}: choose at least one way"
        if message and field in fields:
            at.setdefault(field, message[:1].upper() + message[1:])
        elif fault not in others:
            others.append(fault)
    return at, [fault for fault in others if not (at and fault.startswith("email: "))]  # told at their seats


def _option(rules: Ruleset, plan: NewGameForm, option: Option) -> dict[str, Any]:
    words = {"True": "yes", "False": "no"}
    usual = str(rules.options[option.name])
    readings = [(str(r), words.get(str(r), str(r))) for r in option.readings]
    return {
        "name": option.name,
        "issue": option.issue,
        "usual": usual,
        "summary": option.summary,
        "readings": readings,
        "chosen": plan.options.get(option.name) or usual,
    }


def _phases(rules: Ruleset) -> list[str]:
    turns = [rules.first_turn()]
    for _ in range(12):
        turns.append(rules.next_turn(turns[-1]))
    return list(dict.fromkeys(turn.phase.value for turn in turns))


def calendar(rules: Ruleset, schedule: object, now: datetime) -> list[tuple[Turn, datetime, datetime]]:
    """Return the first turns if the game began now, with when each opens and is due; none without a schedule."""
    if settings_faults(GameSettings(schedule=str(schedule))):
        return []
    plan, turn = schedules.find(str(schedule)), rules.first_turn()
    due = schedules.deadline(plan, turn.phase.value, now, now, first=True)
    return [(turn, now, due), *islice(schedules.planned(plan, rules, turn, due, now), SHOWN - 1)]
