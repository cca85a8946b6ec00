"""The results of a turn as a mail: own orders first, what is to be done next, all orders, the map."""

import hashlib
import threading
from collections.abc import Sequence
from functools import lru_cache

import msgspec
import structlog

from legation.atlas import NoMapError, for_variant
from legation.atlas.painting import PAINTER
from legation.atlas.pictures import PicturesMissingError
from legation.formats import decode_json
from legation.game import read_verdicts
from legation.game.documents import ending_in_words, is_told_as_dislodged
from legation.game.report import count
from legation.interop import judge_layout
from legation.judge import Ruleset, legal_orders
from legation.languages import said_in
from legation.mail.content import (
    Action,
    Block,
    Content,
    Enclosure,
    Facts,
    Heading,
    Image,
    Lines,
    Paragraph,
    as_text,
    in_language,
    listing,
)
from legation.mail.postal import due_in_words, post_by
from legation.mail.wording import deadline_in_words, zone_of
from legation.mail.words import told
from legation.notation import capital, listed, write
from legation.office.clock import day_in_words
from legation.office.context import Actor
from legation.office.game import processing
from legation.office.game.turns import position_from
from legation.office.game.views import out_of_sight
from legation.office.hosting import deadlines, games
from legation.office.identity import people
from legation.office.keys import seals
from legation.office.monitoring.logs import told_of
from legation.office.office import Office
from legation.office.records import Document, GameRecord, Mailing, TurnResult
from legation.office.terms.plans import settings_of
from legation.orders import Build, Order, Remove, Waive
from legation.position import Phase, Turn
from legation.proofs.receipts import SignedHead, receipt_text
from legation.variants import Registry

MAP_WIDTH = 960  # pixels: sharp in a mail, which shows it smaller

log = structlog.get_logger("legation.mail")


def results(office: Office, mailing: Mailing, actor: Actor) -> Content:
    """The results of a turn: own orders first with what became of them, what is to be done next, all orders, the map in
    the mail and as PDF."""
    game = games.game(office, actor, mailing.game)
    result = games.result(office, actor, mailing.game, mailing.turn)
    picture, enclosures = _map(
        office, office.variants.load(game.variant, game.options), game, result, people.language_of(office, actor)
    )
    content = _results(office, actor, mailing.power, game, result, picture)
    return msgspec.structs.replace(content, enclosures=(*content.enclosures, *enclosures))


def _results(
    office: Office, actor: Actor, power: str, game: GameRecord, result: TurnResult, picture: Image | None
) -> Content:
    rules = office.variants.load(game.variant, game.options)
    own = _own_lines([v for v in result.verdicts if v["power"] == power])
    blocks: list[Block] = []
    corrected = [sheet for sheet in result.sheets if sheet.before]
    kind = "results"
    if result.state == "draft":
        kind = f"{'corrected ' if corrected else ''}draft results"
        if corrected:
            blocks.append(Paragraph(told("corrected results"), strong=True))
            for sheet in corrected:
                blocks += listing(f"Corrected: {rules.named(sheet.power).whose} orders", sheet.changes())
                blocks.append(Paragraph(f"The reason given: {sheet.reason}"))
        blocks.append(Paragraph(told("draft results")))
    for sheet in result.sheets:
        if sheet.chosen:
            whose = capital(rules.named(sheet.power).whose)
            blocks.append(Paragraph(f"{whose} version {sheet.version} counts. The reason: {sheet.chosen}"))
    if result.made_final:
        names = listed(list(result.made_final))
        blocks.append(Paragraph(f"The results of {names} are now final too, unchanged since our last mail about them."))
    blocks += listing(f"Your orders as {rules.named(power)}", own)
    ahead = [line for sheet in result.sheets if sheet.power == power for line in sheet.conditions]
    blocks += listing("Your orders ahead", ahead)
    blocks += _next(office, actor, game, rules, result, power)
    waits = game.turn is None or game.turn.name == result.name  # until the next turn opens, some days later
    idle = power in game.powers and any(seat.power == power and seat.sent is None for seat in game.seats)
    by_hand = settings_of(game).photographs_only or waits or idle
    label = "See how it ended" if result.ending else f"See it on the map{'' if by_hand else ' and give your orders'}"
    blocks.append(Action(label, office.link(f"/games/{game.key}")))
    blocks += [picture] if picture is not None else []
    blocks += listing("What happened", result.news)
    document = {"turn": result.name, "verdicts": result.verdicts, "dislodged": result.dislodged, "after": result.after}
    judged = judge_layout.results(rules, game.key, result.number, document).split("\n")
    blocks += listing("All orders", judged, neutral=True)
    if result.lots:
        blocks.append(Heading("Draws by lot"))
        blocks.append(Paragraph(told("lots", seed=result.seed, commitment=result.seed_commitment)))
    heads: tuple[Enclosure, ...] = ()
    if (head := result.head) is not None:
        journal = ("Journal", f"line {head['n']}, {head['hash']}")
        rows = (journal, ("Signed", head["signature"]), ("Office's key", head["office"]))
        blocks += [Heading("Proof"), Paragraph(told("proof of results")), Facts(rows)]
        text = receipt_text(msgspec.convert(head, SignedHead)).encode()  # to be compared with what others got
        heads = (Enclosure(f"head-{game.key}-{result.number}.txt", "text/plain", text),)
    title = f"{game.name}: {result.name}, {kind}"
    return Content(subject=f"{game.name} - {result.name}: {kind}", title=title, blocks=tuple(blocks), enclosures=heads)


def _own_lines(verdicts: Sequence[Document]) -> list[str]:
    """What became of a reader's own orders, a line each: of a unit that held only what there is to tell of it, and of
    what was not understood what was written."""
    lines = []
    for verdict in verdicts:
        order, words = verdict["order"], verdict["explanation"]
        held = f"{order} succeeds"
        if (verdict["cause"] or {}).get("kind") == "not understood":
            words = f"“{order}”: {words}"
        elif order.endswith(" H") and words.startswith(held):
            rest = words.removeprefix(held).lstrip(":; ")
            words = f"{order}: {rest}" if rest else order
        elif is_told_as_dislodged(verdict):
            words = f"{words.partition(': ')[0]}; {words.rpartition('; ')[2]}"
        lines.append(words)
    return lines


def _next(
    office: Office, actor: Actor, game: GameRecord, rules: Ruleset, result: TurnResult, power: str
) -> list[Block]:
    if result.ending:
        how, why = ending_in_words(rules, result.ending), capital(result.ending["reason"])
        ended = Paragraph(f"The game has ended. {how}.", strong=True)
        return [ended, Paragraph(f"{why}.")] if why else [ended]
    turn = game.turn
    assert turn is not None
    if turn.name == result.name:
        return opens_later(office, actor, game.key)
    blocks = whats_due(rules, game, power, result.dislodged)
    if turn.number == result.number + 1:
        due = ("Due", due_in_words(office, actor, game, turn.deadline))
        blocks.append(Facts((("Next", turn.name), due, *post_by(office, actor, game))))
    return blocks


def whats_due(rules: Ruleset, game: GameRecord, power: str, retreats: Document) -> list[Block]:
    """Orders due from a power in the present turn besides its units' moves: retreats with their choices, as lines
    ready to send back, builds and removals; and how it stands by the rules.

    ``retreats`` are the dislodged units of the results before, by power."""
    assert game.turn is not None and game.position is not None
    now = Turn.parse(game.turn.name)
    if now.phase is Phase.RETREATS:
        return _retreats_due(game, power, retreats)
    notes = rules.status_notes(position_from(rules, game.position), power) if power in game.powers else ()
    builds = now.phase in (Phase.ADJUSTMENTS, Phase.PLACEMENT)
    blocks = _adjustments_due(rules, game, power, now.phase) if builds else []
    return [*blocks, Paragraph(" ".join(notes))] if notes else blocks


def _retreats_due(game: GameRecord, power: str, retreats: Document) -> list[Block]:
    how = told("choose on paper" if settings_of(game).photographs_only else "choose a line")
    blocks: list[Block] = []
    assert game.position is not None
    dislodged = game.position.get("dislodged", {}).get(power, [])
    choices = {str(d["unit"]): d.get("retreats", []) for d in retreats.get(power, [])}
    for entry in dislodged:
        unit = str(entry["unit"])
        lines = [f"{unit} R {to}" for to in choices.get(unit, [])] + [f"{unit} disband"]
        blocks += [Paragraph(f"Your {unit} was dislodged. {how}:", strong=True), Lines(tuple(lines))]
    if not dislodged and power in game.powers:
        blocks.append(Paragraph("None of your units has to retreat, so you have nothing to order."))
    return blocks


def _adjustments_due(rules: Ruleset, game: GameRecord, power: str, phase: Phase) -> list[Block]:
    assert game.position is not None
    position = position_from(rules, game.position)
    room = rules.limit(position, power) - rules.size(position, power)
    legal = legal_orders(rules, position, [power]).get(power, ())
    if room > 0 and (sites := rules.build_sites(position, power)):
        return _builds_due(rules, legal, min(room, len(sites)), sites, phase)
    if room < 0:
        return [Paragraph(f"You must remove {count(-room, 'unit')}." + _example(legal, Remove), strong=True)]
    if power in game.powers:
        others = [order for order in legal if not isinstance(order, Build | Remove | Waive)]  # by a rule of the game
        rest = ", so you have nothing to order."
        if others:
            rest = f". You may still give other orders, for example “{rules.writer.sentence(others[0])}”."
        return [Paragraph(f"You have nothing to build or remove{rest}")]
    return []


def _builds_due(rules: Ruleset, legal: Sequence[Order], most: int, sites: Sequence[str], phase: Phase) -> list[Block]:
    placing, waives = phase is Phase.PLACEMENT, any(isinstance(order, Waive) for order in legal)
    where = listed([rules.board.name_of(site) for site in sites], "or")
    may, most_told = waives or not placing, count(most, "unit")
    due = f"{'You may' if may else 'You'} {'place' if placing else 'build'} {most_told}, in {where}."
    kinds = dict.fromkeys(order.kind for order in legal if isinstance(order, Build))
    dear = [rules.kinds[kind] for kind in kinds if kind in rules.kinds and rules.kinds[kind].cost > 1]
    more = [f"{kind.one.capitalize()} ({kind.code}) counts as {count(kind.cost, 'unit')}." for kind in dear]
    if placing and waives:
        more.append("You can keep units back and build them later.")
    return [Paragraph(due + _example(legal, Build), strong=True), *([Paragraph(" ".join(more))] if more else [])]


def _example(legal: Sequence[Order], kind: type[Order]) -> str:
    order = next((order for order in legal if type(order) is kind), None)
    return f" For example, write “{write(order)}”." if order is not None else ""


def opens_later(office: Office, actor: Actor, game: str) -> list[Block]:
    """A sentence on what comes next in a game whose turn has yet to open."""
    ahead = [d for d in deadlines.coming(office, actor, game, 2) if d.planned]
    if not ahead:
        return []
    zone = zone_of(office, actor)
    due = ("Due", deadline_in_words(office, zone, ahead[0].due))
    posted = (("Post by", day_in_words(ahead[0].post_by)),) if ahead[0].post_by else ()
    opens = ("Opens", deadline_in_words(office, zone, ahead[0].opens))
    return [Facts((("Next", ahead[0].turn), opens, due, *posted))]


def _map(
    office: Office, rules: Ruleset, game: GameRecord, result: TurnResult, language: str
) -> tuple[Image | None, tuple[Enclosure, ...]]:
    name = game.name
    try:
        hidden = out_of_sight(rules, game, position_from(rules, result.position))
        seen = msgspec.json.encode((result.position, result.verdicts, hidden))
        with _drawing[hash((name, result.name, seen)) % len(_drawing)]:  # another thread may be drawing just this
            drawn = _drawn(office, rules, name, result.name, seen, language)
    except (RuntimeError, ValueError, OSError) as error:  # the mail goes with its link rather than not at all
        log.warning("a mail goes without its map", **told_of(error))
        drawn = None
    if drawn is None:
        return None, ()
    image, page = drawn
    file, stands = f"{result.game}-{result.key}.pdf", f"/games/{result.game}/print/map.pdf?turn={result.key}"
    shown = Image("map", f"Map: {name}, {result.name}, with all orders", image)
    return shown, (Enclosure(file, "application/pdf", page, stands),)


_drawing = [threading.Lock() for _ in range(64)]  # by the hash of what is seen: different turns are drawn side by side
DRAWN_KEPT = 1200  # seconds; nearly all mails of a turn leave by then


@lru_cache(maxsize=16)
def _drawn(
    office: Office, rules: Ruleset, name: str, turn: str, seen: bytes, language: str
) -> tuple[bytes, bytes] | None:
    """Return a turn as PNG and PDF, drawn once for all who see the same (``seen``: position, verdicts and what is out
    of sight, as JSON) in a language, by one process where there may be several."""
    if office.store.sqlite:
        return _draw(office.variants, rules, name, turn, seen, language)

    def make() -> bytes:
        drawn = msgspec.msgpack.encode(_draw(office.variants, rules, name, turn, seen, language))
        return seals.lock(office.master_key, drawn)

    about = (*(text.encode() for text in (rules.name, name, turn, language)), seen)
    what = hashlib.sha256(b"\0".join(about)).hexdigest()
    locked = office.shared.once("map", what, make, DRAWN_KEPT)
    return msgspec.msgpack.decode(seals.unlock(office.master_key, locked), type=tuple[bytes, bytes] | None)


def _draw(
    variants: Registry, rules: Ruleset, name: str, turn: str, seen: bytes, language: str
) -> tuple[bytes, bytes] | None:
    before, judged, hidden = decode_json(seen)
    try:
        atlas = for_variant(rules.name, variants).for_reader(language)
        position, verdicts = position_from(rules, before), read_verdicts(rules, Turn.parse(turn).phase, judged, [])
        svg = atlas.svg(
            position, verdicts, interactive=False, title=name, hidden=hidden, said=said_in(language), relief=False
        )  # without rivers and hills, which would take the room of other papers in a mail
        return PAINTER.png_and_pdf(svg, MAP_WIDTH)
    except (NoMapError, PicturesMissingError):
        return None


class Preview(msgspec.Struct, frozen=True):
    """A mail that would go out: to whom, and what it says (the map comes with it when it is sent)."""

    power: str
    name: str
    subject: str
    text: str


def preview(office: Office, actor: Actor, game: str) -> list[Preview]:
    """The mails that publishing the judged turn would send, in the order of the powers. Raises OfficeError for who may
    not publish, or while nothing is judged."""
    result = processing.preview(office, actor, game)
    previews = []
    for seat in games.game(office, Actor.console(), game).seats:
        if seat.person is None:
            continue
        reader = people.as_person(office, seat.person)
        record = games.game(office, reader, game)
        turn = record.turn and msgspec.structs.replace(record.turn, name=result.after["turn"], deadline=None)
        later = msgspec.structs.replace(record, position=result.after, turn=turn)
        comes = msgspec.structs.replace(result, state=result.comes_as)
        content = _results(office, reader, seat.power, later, comes, None)
        language = people.language_of(office, reader)
        content = in_language(content, language, office.variants.load(record.variant).board)
        previews.append(Preview(seat.power, seat.holder or "", content.subject, as_text(content, language)))
    return previews
