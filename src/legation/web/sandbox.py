"""The sandbox: any variant, any position, all powers. Every position that was ever reached has an address of its own,
so undo is a link and so is a branch.

A position is a document: a variant with its options, the position itself, and how it came about (the position before,
the orders given there, the seed). It is never changed.

It is long because every page and answer about one position stands here, beside the record of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager, nullcontext
from itertools import pairwise
from random import Random
from typing import Annotated, Any, Literal

import msgspec
from fastapi import Depends, Form, Query, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from legation.atlas.painting import PAINTER
from legation.board import ARMY, province_of
from legation.bots import holding, levels
from legation.game import Game, check_sheet, position_document, read_position, save_game
from legation.game.documents import verdict_documents
from legation.judge import Resolution, Ruleset, resolve
from legation.notation import OrderTextError, possessive, write
from legation.orders import Sheet
from legation.position import Phase, Position, Unit
from legation.variants import STANDARD
from legation.web.designer.pasting import PasteError, position_text, read_paste
from legation.web.designer.uploads import VariantUploads
from legation.web.public.gallery import cards
from legation.web.public.live_turns import line_of, live_turn, summary_of, turn_in, usual_order
from legation.web.public.maps import LiveMap, known_to, pictures
from legation.web.public.rulebooks import example_of
from legation.web.public.verdict_rows import steps_of, told_apart, verdict_rows
from legation.web.serving.answers import FOREVER, file_answer, picture_answer
from legation.web.serving.bounds import bound, painting, queue, searching
from legation.web.serving.documents import DocumentCache, DocumentTooLargeError
from legation.web.serving.pages import PageError, PageRouter, embed, page, sentence
from legation.web.serving.sessions import chosen_language

router = PageRouter()
LONGEST_TEXT = 100_000
DEFAULT_BOT = "dumbbot"
ADVISE = "legation.lab.tactician:advise"  # run in a child
LAST = "sandbox"
"""The cookie with the name of the position that a browser saw last."""
PICTURE = 1600  # pixels across
LONGEST_LINE = 80  # turns that are listed before a position
Text = Annotated[str, Form(max_length=LONGEST_TEXT)]
Name = Annotated[str, Form(max_length=80)]
Short = Annotated[str, Form(max_length=40)]


class Advised(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sheet that a strong bot would send, the outlook with it (0 to 1; 0 where that was not weighed), and the sheet
    of another power that would hurt it most, with the outlook then."""

    orders: tuple[str, ...]
    outlook: float = 0.0
    fears: str = ""
    feared: float = 0.0


class Advice(msgspec.Struct, frozen=True):
    """A strong bot's sheets for a power, the best first."""

    power: str
    sheets: tuple[Advised, ...]


class SandboxPosition(msgspec.Struct, frozen=True, omit_defaults=True):
    """One position. ``orders`` led to it from the one ``before``; ``sheet`` is what the box of orders holds at first,
    ``seed`` what lots are drawn from, if not from the position's name. ``lost``
    tells of bots that lost the last move why, by power; ``advice`` is what a strong bot was asked here."""

    variant: str
    position: dict[str, Any]
    options: dict[str, Any] = {}
    before: str = ""
    orders: dict[str, list[str]] = {}
    bots: dict[str, str] = {}
    lost: dict[str, str] = {}
    advice: Advice | None = None
    number: int = 0
    sheet: str = ""
    seed: str = ""


class OpenSandbox:
    """A sandbox position with its rules and map."""

    def __init__(self, request: Request, name: str) -> None:
        documents: DocumentCache = request.app.state.documents
        variant_uploads: VariantUploads = request.app.state.variant_uploads
        kept = documents.get(name)
        if kept is None or "position" not in kept:
            raise PageError(
                404,
                "This position is no longer kept here.",
                mend="Positions that nobody opens for a long time are deleted. You can paste a saved position again.",
                ways=[("A new position", "/sandbox")],
            )
        self.name = name
        self.documents = documents
        self.variant_uploads = variant_uploads
        self.node = msgspec.convert(kept, SandboxPosition)
        self.rules: Ruleset = variant_uploads.rules(self.node.variant, self.node.options)
        self.live: LiveMap = variant_uploads.map_of(self.node.variant).for_reader(request)
        faults: list[str] = []
        self.position: Position = read_position(self.rules, self.node.position, faults)
        if faults:  # the rules of the variant were changed since
            raise PageError(
                410, "This position no longer fits the rules of its variant: " + "; ".join(faults[:3]) + "."
            )

    def earlier(self, request: Request) -> OpenSandbox | None:
        """Return the position before, if it is still kept."""
        if not self.node.before or self.documents.get(self.node.before) is None:
            return None
        return OpenSandbox(request, self.node.before)

    @property
    def seed(self) -> str:
        """The seed for lots: the same orders always give the same result."""
        return self.node.seed or self.name

    def kept_rules(self) -> levels.KeptRules:
        """The variant's rules, to be read by another process."""
        variant = self.node.variant
        content = self.variant_uploads.registry(variant).as_it_is(variant).content()
        return levels.KeptRules(content, tuple(self.variant_uploads.folders))

    def judge(self, orders: dict[str, list[str]]) -> Resolution:
        """Adjudicate orders in short style."""
        return resolve(self.rules, self.position, self.sheets(orders), self.seed)

    def sheets(self, orders: dict[str, list[str]]) -> list[Sheet]:
        """Return orders in short style as the sheets of a turn."""
        read, phase = self.rules.reader.order, self.position.turn.phase
        return [Sheet(power, tuple(read(text, phase, power) for text in texts)) for power, texts in orders.items()]


def keep(request: Request, node: SandboxPosition, at: str = "") -> Response:
    """Keep a position and redirect to it, and there to the element ``at`` where one is named."""
    return RedirectResponse(f"/sandbox/{_keep_document(request, node)}{'#' if at else ''}{at}", 303)


def _keep_document(request: Request, node: SandboxPosition) -> str:
    try:
        name: str = request.app.state.documents.put(msgspec.to_builtins(node))
    except DocumentTooLargeError as error:
        raise PageError(413, f"This position cannot be kept: {error}.") from None
    return name


@router.get("/sandbox")
def begin(request: Request) -> Response:
    """Go to the board that this browser saw last here, else to the standard game's opening."""
    last = request.cookies.get(LAST, "")
    if last and request.app.state.documents.get(last) is not None:
        return RedirectResponse(f"/sandbox/{last}", 303)
    return new(request, STANDARD)


@router.get("/sandbox/start")
def start(request: Request) -> Response:
    """Show where else to begin: a variant, or a position to paste."""
    return _start(request, 200, text="", variant=STANDARD, faults=[])


def _start(request: Request, status: int, **values: Any) -> Response:
    known = known_to(request)
    return page(request, "sandbox/start.html", status, cards=cards(known), picture_of=pictures(known), **values)


@router.get("/sandbox/new")
def new(
    request: Request, variant: Annotated[str, Query(max_length=80)], play: Annotated[str, Query(max_length=80)] = ""
) -> Response:
    """The opening of a variant; with a power to ``play``, bots order for all others."""
    bound(request, "set up", 40)
    rules = request.app.state.variant_uploads.rules(variant)
    bots = {power: DEFAULT_BOT for power in rules.powers if power != play} if play in rules.powers else {}
    return keep(request, SandboxPosition(variant, position_document(rules, rules.opening()), bots=bots))


@router.post("/sandbox", dependencies=[Depends(queue)])
def paste(request: Request, text: Annotated[str, Form(max_length=2_000_000)], variant: Name = STANDARD) -> Response:
    """A position that somebody has: as a position document, an answer, a saved game, or in words."""
    bound(request, "set up", 40)
    try:
        rules, position, name, sheet = read_paste(text, variant, request.app.state.variant_uploads)
    except PasteError as error:
        return _start(request, 422, text=text, variant=variant, faults=error.faults)
    return keep(request, SandboxPosition(name, position_document(rules, position), dict(rules.chosen), sheet=sheet))


@router.post("/variants/{variant}/examples/{clause}/{digest}/try")
def try_example(request: Request, variant: str, clause: str, digest: str) -> Response:
    """A worked example of the rules, set up with its orders: to be judged here, or changed first."""
    bound(request, "set up", 40)
    example = example_of(variant, clause, digest)
    rules = example.rules
    sheet = sheets_as_text({s.power: [write(order) for order in s.orders] for s in example.sheets if s.orders})
    position = position_document(rules, example.before)
    return keep(request, SandboxPosition(variant, position, dict(rules.chosen), sheet=sheet, seed=example.seed))


@router.get("/sandbox/{name}")
def show(request: Request, name: str, then: Annotated[str, Query(max_length=80)] = "") -> Response:
    """A position, to be ordered; with the orders that led to the position ``then``, if one stepped back from it."""
    opened = OpenSandbox(request, name)
    position, rules = opened.position, opened.rules
    earlier = opened.earlier(request)
    resolution = earlier.judge(opened.node.orders) if earlier is not None else None
    turn = turn_in(chosen_language(request), live_turn(rules, position, opened.live), opened.live)
    rows = verdict_rows(verdict_documents(resolution, ()), rules.name) if resolution is not None else []
    contested, folded = told_apart(rows, opened.live.atlas.board)
    answer = page(
        request,
        "sandbox/position.html",
        opened=opened,
        rules=rules,
        live=opened.live,
        position=position,
        turn=turn,
        data=embed({**turn, "name": name, "before": opened.node.before, "led": _led(opened)}),
        steps=embed(steps_of(resolution.verdicts) if resolution is not None else []),
        state=embed({"svg": opened.live.atlas.state_layer(position)}),
        before=resolution is not None,
        contested=contested,
        folded=folded,
        ending=resolution.ending if resolution is not None else None,
        line=_line(request, opened),
        bots=levels.names(),
        strong=bool(set(levels.names()) & set(levels.LEVELS)),
        kind=next(iter(opened.node.bots.values()), DEFAULT_BOT),
        advice=opened.node.advice,
        as_text=position_text(rules, position),
        powers=_standing(opened),
        moving=position.turn.phase is Phase.MOVEMENT,
        example=next(filter(None, map(usual_order, turn["choices"].values())), ""),
        sheet=opened.node.sheet or _orders_to(opened, then),
    )
    answer.set_cookie(LAST, name, max_age=30 * 86400, path="/sandbox", httponly=True, samesite="lax")
    return answer


def _led(opened: OpenSandbox) -> str:
    """Return the first orders that led to a position, which tell its branch from others."""
    orders = [order for given in opened.node.orders.values() for order in given]
    return ", ".join(orders[:3]) + ("…" if len(orders) > 3 else "")


def _orders_to(opened: OpenSandbox, then: str) -> str:
    kept = opened.documents.get(then) if then else None
    if kept is None or kept.get("before") != opened.name:
        return ""
    return sheets_as_text(msgspec.convert(kept, SandboxPosition).orders)


def _standing(opened: OpenSandbox) -> list[dict[str, Any]]:
    position = opened.position
    return [
        {
            "name": power,
            "centers": len(position.centers_of(power)),
            "units": len(position.units_of(power)) + sum(d.unit.power == power for d in position.dislodged),
            "alive": power in position.survivors(),
            "bot": opened.node.bots.get(power, ""),
        }
        for power in opened.rules.powers
    ]


def _line(request: Request, opened: OpenSandbox) -> list[tuple[str, str]]:
    """The turns that led here, the first first, as names and turns."""
    line = [(opened.name, str(opened.position.turn))]
    before = opened.node.before
    while before and len(line) < LONGEST_LINE:
        kept = opened.documents.get(before)
        if kept is None:
            break
        line.append((before, kept["position"]["turn"]))
        before = kept.get("before", "")
    return line[::-1]


def split_sheets(rules: Ruleset, position: Position, text: str) -> list[tuple[str, int, str]]:
    """A text with the sheets of several powers, by power: each with the number of lines before it.

    A line that names a power, alone or before a colon, is a heading. Above all headings an order goes to the power
    whose unit it orders."""
    parts: list[tuple[str, int, str]] = []
    power = ""
    for number, line in enumerate(text.splitlines()):
        head, _, rest = line.partition(":")
        if named := _power(rules, head) if len(head) <= 60 else "":
            power, line = named, rest
        if not line.strip():
            continue
        parts.append((power or _owner(rules, position, line), number, line))
    return parts


def sheets_as_text(orders: dict[str, list[str]]) -> str:
    """The sheets of several powers as one text, each below its power's name."""
    return "\n\n".join("\n".join([power, *texts]) for power, texts in orders.items())


def _power(rules: Ruleset, text: str) -> str:
    try:
        return rules.reader.power(text.strip()) if text.strip() else ""
    except OrderTextError:
        return ""


def _owner(rules: Ruleset, position: Position, line: str) -> str:
    """Whose order this is: by its unit (in retreats, the dislodged one), else by the center there; else the first
    power's, which is then told what is wrong with it."""
    owners = {} if position.turn.phase is Phase.RETREATS else dict(position.owners)
    units = [d.unit for d in position.dislodged] if position.turn.phase is Phase.RETREATS else position.units
    owners |= {unit.province: unit.power for unit in units}
    try:
        order = rules.reader.order(line.partition("#")[0].strip(), position.turn.phase, "")
    except OrderTextError:
        return next(iter(rules.powers))
    return owners.get(province_of(getattr(order, "at", "")), "") or next(iter(rules.powers))


def check_all(rules: Ruleset, position: Position, text: str, said: Callable[[str], str] = str) -> dict[str, Any]:
    """Return what is understood of all powers' orders, line by line, and what is still missing.

    ``span`` of faults are characters of the line."""
    by_power: dict[str, list[tuple[int, str]]] = {}
    for power, number, line in split_sheets(rules, position, text):
        by_power.setdefault(power, []).append((number, line))
    lines, powers = [], {}
    for power in rules.powers:
        given = by_power.get(power, [])
        checked = check_sheet(rules, position, power, "\n".join(line for _, line in given))
        powers[power] = summary_of(checked)
        lines += [line_of(rules, power, entry, given[entry.line - 1][0] + 1, said) for entry in checked.entries]
    return {"lines": sorted(lines, key=lambda entry: entry["line"]), "powers": powers}


@router.post("/sandbox/{name}/check")
def check(request: Request, name: str, text: Text = "") -> Response:
    """Return how the orders were understood so far."""
    bound(request, "check", 400)
    opened = OpenSandbox(request, name)
    return JSONResponse(check_all(opened.rules, opened.position, text, opened.live.said_in(chosen_language(request))))


@router.post("/sandbox/{name}/units")
def change_units(
    request: Request,
    name: str,
    at: Short,
    source: Short = "",
    power: Name = "",
    kind: Annotated[str, Form(max_length=10)] = "",
) -> Response:
    """Move the unit of ``source`` to ``at``, place a ``kind`` of a ``power`` there, or (with neither) take away what
    stands there. The answer is the new position, or the coasts to choose from."""
    bound(request, "set up", 40)
    opened = OpenSandbox(request, name)
    rules, position, place = opened.rules, opened.position, province_of(at)
    if place not in rules.board.provinces:
        raise PageError(422, f"There is no place called “{at}”.")
    there = next((unit for unit in position.units if unit.province == place), None)
    moved = next((unit for unit in position.units if unit.province == province_of(source)), None)
    if source and there is not None:
        owner = possessive(rules.named(there.power).called, "’")
        raise PageError(422, f"{rules.board.name_of(there.at)}: {owner} unit stands there already.")
    left = [unit for unit in position.units if unit not in (there, moved)]
    if source or kind:
        code, owner = (moved.kind, moved.power) if moved else (kind, power)
        if code not in rules.kinds or owner not in rules.powers or (source and not moved):
            raise PageError(422, "There is no such unit.")
        travel = rules.kinds[code].travel
        spots = [spot for spot in rules.board.provinces[place].locations if rules.board.stands(travel, spot)]
        if travel == ARMY:
            spots = [place] if rules.board.stands(travel, place) else []
        if not spots:
            raise PageError(422, f"{rules.board.name_of(place)}: no {rules.kinds[code].name} can stand there.")
        if at not in spots and len(spots) > 1:
            return JSONResponse({"coasts": [[spot, rules.board.name_of(spot)] for spot in spots]})
        left.append(Unit(code, at if at in spots else spots[0], owner))
    document = position_document(rules, msgspec.structs.replace(position, units=tuple(left)))
    faults: list[str] = []
    changed = read_position(rules, document, faults)
    if faults:
        raise PageError(422, sentence(faults[0]))
    return JSONResponse(
        {
            "name": _keep_document(request, SandboxPosition(opened.node.variant, document, opened.node.options)),
            "svg": opened.live.atlas.state_layer(changed),
            "units": [[unit.kind, unit.at, unit.power] for unit in changed.units],
            "said": _unit_in_words(rules, changed, place),
        }
    )


def _unit_in_words(rules: Ruleset, position: Position, place: str) -> str:
    unit = next((unit for unit in position.units if unit.province == place), None)
    if unit is None:
        return f"{rules.board.name_of(place)}: no unit."
    return f"{rules.board.name_of(unit.at)}: {rules.kinds[unit.kind].name.lower()} of {rules.named(unit.power).called}."


def busy(error: levels.BusyError) -> PageError:
    """Return the page that says why no bot can be asked now."""
    why = str(error)
    return PageError(503, f"{why[:1].upper()}{why[1:]}.", mend="Go back and try again in a minute.")


@router.post("/sandbox/{name}/judge")
def judge(
    request: Request,
    name: str,
    text: Text = "",
    bots: Annotated[list[str] | None, Form()] = None,
    kind: Short = DEFAULT_BOT,
) -> Response:
    """Judge the turn.

    ``bots`` are the powers that a bot of this ``kind`` orders; what was written for them does not count."""
    bound(request, "judge", 60)
    opened = OpenSandbox(request, name)
    if kind not in levels.names():
        raise PageError(422, f"There is no bot called “{kind}”.", mend=f"There are {', '.join(levels.names())}.")
    rules, position = opened.rules, opened.position
    checked = check_all(rules, position, text)
    unread = [entry for entry in checked["lines"] if entry["order"] is None and entry["problem"]]
    if unread:
        faults = [
            f"Line {entry['line']}, “{entry['text'][:80]}”: {entry['problem']['message']}" for entry in unread[:20]
        ]
        values = {"opened": opened, "rules": rules, "faults": faults, "text": text, "position": position}
        return page(request, "sandbox/not_read.html", 422, **values)
    played: dict[str, str] = {power: kind for power in bots or [] if power in rules.powers}
    orders = {
        power: reading["sheet"]
        for power, reading in checked["powers"].items()
        if reading["sheet"] and power not in played
    }
    lost: dict[str, str] = {}
    with contextmanager(searching)(request) if kind in levels.LEVELS and played else nullcontext():
        for power in played:
            view = rules.seen(position, power)
            try:
                sheet = levels.ask(kind, rules, view, power, f"{name} {power}", opened.kept_rules)
            except levels.LostMoveError as error:
                lost[power], sheet = str(error), holding.orders(rules, view, power, Random(0))
            except levels.BusyError as error:
                raise busy(error) from None
            orders[power] = [write(order) for order in sheet.orders]
    resolution = opened.judge(orders)
    node = SandboxPosition(
        opened.node.variant,
        position_document(rules, resolution.after),
        opened.node.options,
        name,
        orders,
        played,
        lost,
        number=opened.node.number + 1,
    )
    return keep(request, node)


@router.post("/sandbox/{name}/advice", dependencies=[Depends(searching)])
def ask_advice(request: Request, name: str, power: Name, text: Text = "") -> Response:
    """Ask a strong bot what it would order for a power here; the orders that were written so far stay."""
    opened = OpenSandbox(request, name)
    if power not in opened.position.survivors():
        raise PageError(422, f"No power called “{power}” is in this position.")
    if not set(levels.names()) & set(levels.LEVELS):
        raise PageError(422, "This site has no strong bot: it was installed without the lab.")
    view = opened.rules.seen(opened.position, power)
    try:
        found = levels.ask_child(list[Advised], ADVISE, opened.rules, view, power, name, opened.kept_rules)
    except levels.LostMoveError as error:
        raise PageError(503, f"The bot found no orders: {error}.") from None
    except levels.BusyError as error:
        raise busy(error) from None
    return keep(request, msgspec.structs.replace(opened.node, advice=Advice(power, tuple(found)), sheet=text), "advice")


@router.post("/sandbox/{name}/take")
def take_advice(request: Request, name: str, take: Annotated[int, Form(ge=0, le=9)], text: Text = "") -> Response:
    """Write an advised sheet into the box of orders, instead of what was written for its power."""
    opened = OpenSandbox(request, name)
    advice = opened.node.advice
    if advice is None or take >= len(advice.sheets):
        raise PageError(404, "These orders don't exist here.")
    parts: dict[str, list[str]] = {advice.power: list(advice.sheets[take].orders)}
    for power, _, line in split_sheets(opened.rules, opened.position, text):
        if power != advice.power:
            parts.setdefault(power, []).append(line.strip())
    return keep(request, msgspec.structs.replace(opened.node, sheet=sheets_as_text(parts)), "text")


@router.get("/sandbox/{name}/last.svg")
def last(request: Request, name: str) -> Response:
    """Draw the turn that led here, its orders and their outcomes, as a state of the live map."""
    opened = OpenSandbox(request, name)
    earlier = opened.earlier(request)
    if earlier is None:
        raise PageError(404, "The previous turn has been deleted.")
    resolution = earlier.judge(opened.node.orders)
    return picture_answer(opened.live.atlas.state_layer(earlier.position, resolution.verdicts), FOREVER)


@router.get("/sandbox/{name}/map-{theme}.svg")
def picture(request: Request, name: str, theme: Literal["light", "dark"], patterns: bool = False) -> Response:
    """Return the position as a stand-alone SVG."""
    opened = OpenSandbox(request, name)
    return picture_answer(opened.live.picture(opened.position, theme=theme, patterns=patterns), FOREVER)


@router.get("/sandbox/{name}/map.png", dependencies=[Depends(painting)])
def painted(request: Request, name: str) -> Response:
    """Return the position as a picture that everything opens."""
    opened = OpenSandbox(request, name)
    return file_answer(PAINTER.png(opened.live.picture(opened.position), PICTURE), "image/png", f"{name}.png")


@router.get("/sandbox/{name}/position.json")
def export_position(request: Request, name: str) -> Response:
    """Download the position document."""
    opened = OpenSandbox(request, name)
    return _download(position_document(opened.rules, opened.position), f"{name}-position.json")


@router.get("/sandbox/{name}/game.json")
def export_game(request: Request, name: str) -> Response:
    """Export the turns that led to a position as a saved game, which a replay checks."""
    opened = OpenSandbox(request, name)
    line = [OpenSandbox(request, before) for before, _ in _line(request, opened)]
    game = Game(opened.rules, "Sandbox", opening=line[0].position)
    for here, after in pairwise(line):
        game.play(here.sheets(after.node.orders), revealed=here.seed)
    return _download(save_game(game, public=True), f"{name}-game.json")


def _download(document: object, name: str) -> Response:
    return file_answer(msgspec.json.format(msgspec.json.encode(document), indent=2), "application/json", name)
