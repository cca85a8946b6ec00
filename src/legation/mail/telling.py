"""What the office tells by mail, in blocks: receipts, answers to questions, and the message for each kind of mailing.

Every message is made from the office's queries as its reader, so it can hold nothing that the reader may not see.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from legation.atlas import NoMapError, for_variant
from legation.atlas.painting import PAINTER
from legation.atlas.pictures import PicturesMissingError
from legation.game import read_verdicts
from legation.game.report import count
from legation.judge import Ruleset
from legation.mail import judge_layout
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
    Quote,
)
from legation.office import Actor, Office, games, journal, letters, people
from legation.office.errors import OfficeError
from legation.office.mailroom import Held
from legation.office.pictures import Picture
from legation.office.records import GameRecord, Mailing, Receipt, TurnResult
from legation.office.turns import position_from
from legation.position import Phase, Turn
from legation.variants import Registry

MAP_WIDTH = 960  # pixels: sharp in a mail, which shows it smaller

HELP = (
    ("orders", "one a line, in any usual notation; a new sheet replaces the one before it"),
    ("SIGNON power@game", "which seat is meant, if you hold several"),
    ("CLEAR, UNDO", "take back all versions, or the last"),
    ("SET WAIT, SET NOWAIT", "not before the deadline; ready"),
    ("SET DRAW", "vote for a draw, with your orders"),
    ("SET ABSENCE 20 Jan TO 30 Jan", "days on which you are away; SET NOABSENCE takes one back"),
    ("SET ADDRESS name@example.org", "where mail goes; a link confirms it"),
    ("SET PREF Power, Power", "which powers you would like, before the start"),
    ("PHASE Winter 1643 Adjustments", "what follows is for that later phase"),
    ("PRESS TO Power, Power ... ENDPRESS", "a letter; PRESS GREY TO ... is anonymous, where the game allows it"),
    ("BROADCAST ... ENDPRESS", "a letter to all"),
    ("LIST, STATUS, SUMMARY, HISTORY, WHOGAME", "games; where yours stands; centers; what happened; who plays"),
    ("JOIN game, RESIGN", "take part; give your seat up"),
    ("SIGNOFF", "nothing after it is read"),
)


def when(moment: datetime | None, zone: str = "") -> str:
    """``Thu 14 May 2027, 07:00 UTC``, and the same in the reader's zone where one is known."""
    if moment is None:
        return "none"
    text = f"{moment.astimezone(UTC):%a %d %b %Y, %H:%M} UTC"
    try:
        own = moment.astimezone(ZoneInfo(zone)) if zone else None
    except (ZoneInfoNotFoundError, ValueError):
        own = None
    return f"{text} ({own:%a %d %b, %H:%M} {zone})" if own is not None and own.utcoffset() else text


def until(moment: datetime | None, now: datetime) -> str:
    """``in 6 days 11 hours``."""
    if moment is None or moment <= now:
        return ""
    minutes = int((moment - now).total_seconds() // 60)
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [count(n, word) for n, word in ((days, "day"), (hours, "hour"), (rest, "minute")) if n][:2]
    return "in " + " ".join(parts or ["less than a minute"])


def zone_of(office: Office, actor: Actor) -> str:
    """The time zone that a person reads in; empty where none is set."""
    try:
        return str(people.me(office, actor).preferences.get("zone", ""))
    except OfficeError:
        return ""


# Receipts


def receipt_line(receipt: Receipt) -> str:
    """``Crown, Summer 1642 Movement: orders v2, 6 of 7 units``."""
    checked = receipt.checked
    head = f"{receipt.power}, {receipt.turn}: orders v{receipt.version}"
    if checked is None or not receipt.turn.endswith("Movement"):
        return head
    orders = [line.order.split(" ") for line in checked.lines if line.order and not line.problem]
    ordered = len({words[1] for words in orders if words[0].isupper()})  # a kind of unit, and where it is
    return f"{head}, {ordered} of {ordered + len(checked.missing)} units"


def receipt(office: Office, actor: Actor, given: Receipt) -> list[Block]:
    """What was understood, what was not and how to mend it, what is missing, and what proves it."""
    blocks: list[Block] = [Paragraph(note, strong=True) for note in given.notes]
    checked = given.checked
    if checked is not None:
        understood = [line for line in checked.lines if line.order and not line.problem]
        faulty = [line for line in checked.lines if line.problem]
        if understood:
            blocks += [Heading("Understood"), Lines(tuple(line.order or "" for line in understood))]
        for title, kinds in (
            ("Not understood", ("not understood",)),
            ("Understood, but will not be carried out", ("illegal", "not yours", "superseded")),
        ):
            faults = [
                _fault(line.line, line.text, line.message, line.suggestions) for line in faulty if line.problem in kinds
            ]
            if faults:
                blocks += [Heading(title), Lines(tuple(faults))]
        if checked.ahead:
            shown = [a.then or f"line {a.line}, “{a.text}”: {a.message}" for a in checked.ahead]
            blocks += [Heading("Later in this turn"), Lines(tuple(shown))]
        hints = [f"{line.order}: {hint}" for line in understood for hint in line.hints]
        if hints:
            blocks += [Heading("Please look again"), Lines(tuple(hints))]
        if checked.missing:
            blocks += [Heading("No order"), Lines(tuple(f"{unit}: will hold" for unit in checked.missing))]
        if checked.instructions:
            blocks += [Heading("For the coordinator, after the deadline"), Lines(checked.instructions)]
    blocks.append(Facts(tuple(_proof(office, actor, given))))
    blocks.append(
        Paragraph("To change anything, send the whole sheet again before the deadline; UNDO goes back one version.")
    )
    return blocks


def _fault(line: int, text: str, message: str, suggestions: Sequence[str]) -> str:
    words = f"line {line}, “{text[:80]}”: {message}"
    return words + (f"; did you mean {' or '.join(suggestions[:3])}?" if suggestions else "")


def _proof(office: Office, actor: Actor, given: Receipt) -> list[tuple[str, str]]:
    checked = given.checked
    rows = []
    if checked is not None:
        for name, number in (
            ("Builds left", checked.builds_left),
            ("Removals due", checked.removals_due),
            ("Supply left to send", checked.sends_left),
        ):
            if number:
                rows.append((name, str(number)))
    zone, now = zone_of(office, actor), office.clock.now()
    rows += [
        ("Version", str(given.version)),
        ("Received", when(given.received, zone)),
        (
            "Deadline",
            " ".join(filter(None, [when(given.deadline, zone) + ",", until(given.deadline, now)])).rstrip(","),
        ),
        ("Commitment", given.commitment),
    ]
    return [*rows, ("Reading key", given.reading_key)] if given.reading_key else rows


def picture_receipt(office: Office, actor: Actor, given: Receipt, pictures: Sequence[Picture]) -> list[Block]:
    """What came in as pictures; how they read is found out after the deadline."""
    shown = [f"{p.name or 'picture'}: {p.width} x {p.height} pixels, {len(p.data) // 1000 or 1} kB" for p in pictures]
    return [
        *(Paragraph(note, strong=True) for note in given.notes),
        Heading("Pictures"),
        Lines(tuple(shown)),
        Paragraph(
            "They are sealed until the deadline; then the coordinator reads them. Where they were taken was removed."
        ),
        Facts(tuple(_proof(office, actor, given))),
    ]


# Questions


def ask(office: Office, actor: Actor, about: str, subject: str, held: Sequence[Held]) -> list[Block]:
    """The answer to a question: ``list``, ``status``, ``summary``, ``history``, ``whogame``, ``help``."""
    if about == "help":
        return [Heading("What one may write"), Facts(HELP)]
    if about == "list" and not subject:
        return _list(office, actor)
    game = subject or (held[0].game if len(held) == 1 else "")
    if not game:
        names = tuple(h.name for h in held)
        return [Paragraph(f"Say of which game, as in {about.upper()} {names[0] if names else 'name'}."), Lines(names)]
    answers: dict[str, Callable[[Office, Actor, GameRecord], list[Block]]] = {
        "list": _status,
        "status": _status,
        "summary": _summary,
        "history": _history,
        "whogame": _players,
    }
    try:
        return answers[about](office, actor, games.game(office, actor, game))
    except OfficeError as error:
        return [Paragraph(error.message)]


def _list(office: Office, actor: Actor) -> list[Block]:
    rows = []
    for line in games.list_games(office, actor, limit=100):
        what = [line.title, line.state, line.turn]
        if line.open_seats:
            what.append(count(line.open_seats, "open seat"))
        if line.deadline:
            what.append(f"due {when(line.deadline)}")
        rows.append((line.name, ", ".join(part for part in what if part)))
    return [Heading("Games"), Facts(tuple(rows))] if rows else [Paragraph("No games are listed just now.")]


def _status(office: Office, actor: Actor, game: GameRecord) -> list[Block]:
    rows = [("Variant", game.title), ("State", game.state + (f": {game.paused}" if game.paused else ""))]
    if game.turn is not None:
        rows.append(("Turn", game.turn.name))
        deadline, left = when(game.turn.deadline, zone_of(office, actor)), until(game.turn.deadline, office.clock.now())
        rows.append(("Deadline", f"{deadline}, {left}" if left else deadline))
    known = [seat for seat in game.seats if seat.sent is not None]
    if known:
        rows.append(("Orders in", f"{sum(bool(s.sent) for s in known)} of {len(known)}"))
    rows += [(f"{power} (you)", _own_units(game, power)) for power in game.powers]
    return [Heading(game.name), Facts(tuple(rows))]


def _own_units(game: GameRecord, power: str) -> str:
    units = (game.position or {}).get("units", {}).get(power, [])
    return ", ".join(units) or "no units"


def _summary(office: Office, actor: Actor, game: GameRecord) -> list[Block]:
    rows = [(s.power, f"{count(s.centers, 'center')}, {count(s.units, 'unit')}") for s in game.seats]
    return [Heading(f"{game.name}, {game.turn.name if game.turn else game.state}"), Facts(tuple(rows))]


def _history(office: Office, actor: Actor, game: GameRecord) -> list[Block]:
    lines = [f"{e.at:%d %b %Y %H:%M}  {e.text}" for e in journal.entries(office, actor, game.key, limit=1000)[-60:]]
    return [Heading(game.name), Lines(tuple(lines))]


def _players(office: Office, actor: Actor, game: GameRecord) -> list[Block]:
    rows = []
    for seat in game.seats:
        who = (
            seat.holder
            or (f"the bot {seat.bot}" if seat.bot else "")
            or {"held": "a player"}.get(seat.state, seat.state)
        )
        rows.append((seat.power, who))
    return [Heading(game.name), Facts((("Coordinator", game.coordinator or "none"), *rows))]


# Results


def results(office: Office, actor: Actor, mailing: Mailing) -> Content:
    """The results of a turn: own orders first with what became of them, what is to be done next, all orders, the map in
    the mail and as PDF."""
    game = games.game(office, actor, mailing.game)
    result = games.result(office, actor, mailing.game, mailing.turn)
    picture, enclosures = _map(office, office.variants.load(game.variant, game.options), result, game.name)
    content = _results(office, actor, mailing.power, game, result, picture)
    return msgspec.structs.replace(content, enclosures=enclosures)


def results_to_come(office: Office, actor: Actor, power: str, game: GameRecord, result: TurnResult) -> Content:
    """The same before it is published, without the map; ``actor`` is who will read it."""
    turn = None if game.turn is None else msgspec.structs.replace(game.turn, name=result.after["turn"], deadline=None)
    later = msgspec.structs.replace(game, position=result.after, turn=turn)
    return _results(office, actor, power, later, msgspec.structs.replace(result, state=result.comes_as), None)


def _results(
    office: Office, actor: Actor, power: str, game: GameRecord, result: TurnResult, picture: Image | None
) -> Content:
    rules = office.variants.load(game.variant, game.options)
    own = [v for v in result.verdicts if v["power"] == power]
    blocks: list[Block] = []
    if result.state == "draft":
        blocks.append(
            Paragraph(
                "These are draft results: retreats are still to come, and slips of transcription can still be mended."
            )
        )
    if own:
        blocks += [Heading(f"Your orders, {power}"), Lines(tuple(v["explanation"] for v in own))]
    blocks += _next(office, actor, game, rules, result, power)
    label = "See how it ended" if result.ending else "See it on the map, and give orders"
    blocks.append(Action(label, _link(office, f"/games/{game.key}")))
    if picture is not None:
        blocks.append(picture)
    document = {"turn": result.name, "verdicts": result.verdicts, "dislodged": result.dislodged, "after": result.after}
    blocks += [
        Heading("All orders"),
        Lines(tuple(judge_layout.results(rules, game.key, result.number, document).split("\n"))),
    ]
    if result.lots:
        blocks += [
            Heading("Lots"),
            Paragraph(f"The seed of this turn is {result.seed}; it was committed to as {result.seed_commitment}."),
        ]
    kind = "draft results" if result.state == "draft" else "results"
    title = f"{game.name}: {result.name}, {kind}"
    return Content(subject=f"{game.name} - {result.name}: {kind}", title=title, blocks=tuple(blocks))


def _next(
    office: Office, actor: Actor, game: GameRecord, rules: Ruleset, result: TurnResult, power: str
) -> list[Block]:
    """What the reader has to do now: retreats with their choices and builds, as lines ready to send back, and until
    when."""
    if result.ending:
        ending = result.ending
        words = f"The game has ended: {ending['kind']} for {', '.join(ending['powers'])} ({ending['reason']})."
        return [Paragraph(words, strong=True)]
    blocks: list[Block] = []
    turn = game.turn
    if turn is None or not game.position:
        return []
    now = Turn.parse(turn.name)
    dislodged = game.position.get("dislodged", {}).get(power, []) if now.phase is Phase.RETREATS else []
    choices = {str(d["unit"]): d.get("retreats", []) for d in result.dislodged.get(power, [])}
    for entry in dislodged:
        unit = str(entry["unit"])
        lines = [f"{unit} R {to}" for to in choices.get(unit, [])] + [f"{unit} disband"]
        blocks += [
            Paragraph(f"Your {unit} was dislodged. Send one of these lines back:", strong=True),
            Lines(tuple(lines)),
        ]
    if now.phase is Phase.ADJUSTMENTS and game.position:
        position = position_from(rules, game.position)
        room = rules.limit(position, power) - rules.size(position, power)
        if room > 0 and (sites := rules.build_sites(position, power)):
            most = min(room, len(sites))
            blocks.append(
                Paragraph(
                    f"You may build {count(most, 'unit')}, in {', '.join(rules.board.name_of(s) for s in sites)}.",
                    strong=True,
                )
            )
        elif room < 0:
            blocks.append(Paragraph(f"You must remove {count(-room, 'unit')}.", strong=True))
    due, left = when(turn.deadline, zone_of(office, actor)), until(turn.deadline, office.clock.now())
    if turn.number != result.number and turn.deadline is not None:
        blocks.append(Facts((("Next", turn.name), ("Due", f"{due}, {left}" if left else due))))
    return blocks


def _map(office: Office, rules: Ruleset, result: TurnResult, name: str) -> tuple[Image | None, tuple[Enclosure, ...]]:
    """The turn with its orders as a picture for the mail and as a PDF; nothing where the board has no map or drawing is
    not installed."""
    seen = msgspec.json.encode((result.position, result.verdicts))
    with _drawing:  # another thread may be drawing just this
        drawn = _drawn(office.variants, rules, name, result.name, seen)
    if drawn is None:
        return None, ()
    image, page = drawn
    file = f"{result.game}-{result.key}.pdf"
    return Image("map", f"Map: {name}, {result.name}, with all orders", image), (
        Enclosure(file, "application/pdf", page),
    )


_drawing = threading.Lock()


@lru_cache(maxsize=16)
def _drawn(variants: Registry, rules: Ruleset, name: str, turn: str, seen: bytes) -> tuple[bytes, bytes] | None:
    """A turn as PNG and PDF, drawn once for all who see the same (``seen``: position and verdicts, as JSON)."""
    before, judged = msgspec.json.decode(seen)
    try:
        atlas = for_variant(rules.name, variants)
        position, verdicts = position_from(rules, before), read_verdicts(rules, Turn.parse(turn).phase, judged, [])
        return PAINTER.png_and_pdf(atlas.svg(position, verdicts, interactive=False, title=name), MAP_WIDTH)
    except (NoMapError, PicturesMissingError):
        return None


# The message of each kind of mailing


def message(office: Office, mailing: Mailing) -> Content:
    """What a mailing says."""
    writer = WRITERS.get(mailing.kind)
    if writer is None:
        return _plain(office, mailing)
    return writer(office, mailing)


def _reader(office: Office, mailing: Mailing) -> Actor:
    return people.as_person(office, mailing.person) if mailing.person is not None else Actor.visitor()


def _link(office: Office, path: str) -> str:
    return office.settings.address.rstrip("/") + path


def _results_mail(office: Office, mailing: Mailing) -> Content:
    return results(office, _reader(office, mailing), mailing)


def _sign_in(office: Office, mailing: Mailing) -> Content:
    facts = mailing.facts
    path = f"/sign-in/{facts['secret']}" + (f"?next={facts['next']}" if facts.get("next") else "")
    return Content(
        f"Sign in to {office.settings.name}",
        "Sign in",
        (
            Paragraph(f"This link signs you in. It can be used once, within {facts['minutes']} minutes."),
            Action("Sign in", _link(office, path)),
            Paragraph("If you did not ask for it, nothing has to be done."),
        ),
    )


def _invitation(office: Office, mailing: Mailing) -> Content:
    game = mailing.facts.get("name") or mailing.game
    seat = f" as {mailing.power}" if mailing.power else ""
    return Content(
        f"An invitation to {game}",
        f"You are invited to {game}",
        (
            Paragraph(f"You are invited to play{seat}."),
            Action(
                "See the game and take part",
                _link(office, f"/games/{mailing.game}/invitation/{mailing.facts['secret']}"),
            ),
        ),
    )


def _started(office: Office, mailing: Mailing) -> Content:
    actor = _reader(office, mailing)
    game = games.game(office, actor, mailing.game)
    begun = mailing.kind == "game started"
    title = f"{game.name} has begun" if begun else f"You play {mailing.power} in {game.name}"
    turn = game.turn
    zone = zone_of(office, actor)
    rows = [("Variant", game.title), ("Your power", mailing.power), ("Your units", _own_units(game, mailing.power))]
    if turn is not None:
        left = until(turn.deadline, office.clock.now())
        rows += [
            ("First turn" if begun else "Turn", turn.name),
            ("Due", ", ".join(filter(None, [when(turn.deadline, zone), left]))),
        ]
    return Content(
        f"{game.name} - you play {mailing.power}",
        title,
        (
            Facts(tuple(rows)),
            Paragraph(
                "Send orders by answering this mail, one a line, or on the game's page. HELP in a mail tells what else "
                "one may write."
            ),
            Action("Open the game", _link(office, f"/games/{game.key}")),
        ),
    )


def _reminder(office: Office, mailing: Mailing) -> Content:
    actor = _reader(office, mailing)
    game = games.game(office, actor, mailing.game)
    due = game.turn.deadline if game.turn else None
    left = until(due, office.clock.now())
    late = mailing.kind == "orders missing"
    title = f"{game.name}: your orders are missing" if late else f"{game.name}: orders are due {left or 'now'}"
    first = (
        "The deadline has passed and the game waits for your orders."
        if late
        else "Nothing has come from you for this turn."
    )
    return Content(
        f"{game.name} - {mailing.turn}: {'orders are missing' if late else 'reminder'}",
        title,
        (
            Paragraph(first, strong=True),
            Facts(
                (
                    ("Turn", mailing.turn),
                    ("Due", when(due, zone_of(office, actor))),
                    (mailing.power, _own_units(game, mailing.power)),
                )
            ),
            Paragraph("Answer this mail with your orders, one a line."),
            Action("Or give them on the map", _link(office, f"/games/{game.key}")),
        ),
    )


def _moved(office: Office, mailing: Mailing) -> Content:
    actor = _reader(office, mailing)
    game = games.game(office, actor, mailing.game)
    new = datetime.fromisoformat(mailing.facts["deadline"])
    return Content(
        f"{game.name} - {mailing.turn}: the deadline was moved",
        f"{game.name}: the deadline was moved",
        (
            Facts((("Turn", mailing.turn), ("Now due", when(new, zone_of(office, actor))))),
            Paragraph("The reason given:"),
            Quote(mailing.facts["reason"]),
        ),
    )


def _paused(office: Office, mailing: Mailing) -> Content:
    game = games.game(office, _reader(office, mailing), mailing.game)
    what = mailing.kind.removeprefix("game ")
    news = {"paused": "is paused", "resumed": "goes on", "cancelled": "was cancelled"}[what]
    reason = mailing.facts.get("reason", "")
    blocks: list[Block] = [Paragraph("The reason given:"), Quote(reason)] if reason else []
    if game.turn is not None and what == "resumed":
        blocks.append(Facts((("Turn", game.turn.name), ("Due", when(game.turn.deadline)))))
    return Content(f"{game.name} {news}", f"{game.name} {news}", tuple(blocks))


def _letter(office: Office, mailing: Mailing) -> Content:
    actor = _reader(office, mailing)
    game = games.game(office, actor, mailing.game)
    letter = letters.letter(office, actor, mailing.game, int(mailing.facts["letter"]))
    sender = letter.sender or "somebody who does not say who"
    to = "all" if letter.recipients == ("all",) else ", ".join(letter.recipients)
    return Content(
        f"{game.name} - a letter from {letter.sender or 'somebody'} to {to}",
        f"A letter from {sender}",
        (
            Facts((("Game", game.name), ("Turn", letter.turn), ("To", to))),
            Quote(letter.text),
            Paragraph(
                "To answer, write PRESS TO and the name of the power, your letter, and ENDPRESS on a line of its own."
            ),
            Action("Or answer on the game's page", _link(office, f"/games/{game.key}/letters")),
        ),
    )


def _seat_lost(office: Office, mailing: Mailing) -> Content:
    game = games.game(office, _reader(office, mailing), mailing.game)
    power, how, why = mailing.power, mailing.facts["how"], mailing.facts["why"]
    words = {
        "disorder": f"{why[:1].upper()}{why[1:]}, so the game goes on without you, as its settings say: the units of "
        f"{power} stand in civil disorder.",
        "replaced": f"The coordinator gave {power} to another player.",
        "vacated": f"The coordinator took {power} from you; its seat is empty.",
    }[how]
    blocks: list[Block] = [Paragraph(words)]
    if how != "disorder":
        blocks += [Paragraph("The reason given:"), Quote(why)]
    if how == "replaced":
        then = "You can look on as everybody does, and read all results."
    elif game.settings["coordinated"]:
        then = "To play on, ask the coordinator for the seat. You can look on as everybody does, and read all results."
    else:
        then = "You may take the seat back on the game's page as long as nobody else has taken it."
    blocks += [Paragraph(then), Action("Open the game", _link(office, f"/games/{game.key}"))]
    return Content(
        f"{game.name} - you no longer play {power}", f"You no longer play {power} in {game.name}", tuple(blocks)
    )


def _deputy(office: Office, mailing: Mailing) -> Content:
    game = games.game(office, _reader(office, mailing), mailing.game)
    title = f"You are the deputy of {game.name}"
    words = (
        f"{game.coordinator or 'The coordinator'} asks you to read what is transcribed in {game.name} a second time: "
        "sheets that come as photographs or by post. None counts before you have read it, too. You are told when there "
        "is something to read."
    )
    return Content(f"{game.name} - you are the deputy", title, (Paragraph(words),))


def _second_reading(office: Office, mailing: Mailing) -> Content:
    game = games.game(office, _reader(office, mailing), mailing.game)
    title = f"{game.name}: a sheet waits for your reading"
    words = f"Sheets of {mailing.turn} were written down. The turn is judged when you have read them, too."
    return Content(
        f"{game.name} - a sheet waits for your reading",
        title,
        (Paragraph(words), Action("Read them beside the pictures", _link(office, "/desk"))),
    )


def _release(office: Office, mailing: Mailing) -> Content:
    facts = mailing.facts
    return Content(
        "A mail waits for your word",
        "Was this you?",
        (
            Paragraph(
                "A mail came in that may be yours. It was not taken, because anybody can write anybody's address on a "
                "mail, and it did not come by the reply address of your seat."
            ),
            Facts(
                (
                    ("From", facts["sender"]),
                    ("Subject", facts["subject"]),
                    ("Came", when(datetime.fromisoformat(facts["at"]))),
                )
            ),
            Action("It was me: let it count as of when it came", _link(office, f"/release/{facts['secret']}")),
            Paragraph(
                "If it was not you, nothing has to be done. To spare yourself this, answer the mails of your game: "
                "their reply address is yours alone."
            ),
        ),
    )


def _confirm_address(office: Office, mailing: Mailing) -> Content:
    facts = mailing.facts
    return Content(
        "Confirm your new address",
        "Confirm your new address",
        (
            Paragraph(
                f"{facts['name']} asked that mail go here from now on. The link can be used once, within "
                f"{facts['days']} days."
            ),
            Action("Confirm the address", _link(office, f"/confirm-address/{facts['secret']}")),
        ),
    )


def _address_changed(office: Office, mailing: Mailing) -> Content:
    text = "Mail goes to another address from now on. If that was not you, write to whoever runs this office."
    return Content("Your address was changed", "Your address was changed", (Paragraph(text, strong=True),))


def _answer(office: Office, mailing: Mailing) -> Content:
    """An answer to a mail, which was written when the mail was acted on."""
    return msgspec.convert(mailing.facts["content"], Content)


def _plain(office: Office, mailing: Mailing) -> Content:
    """A kind of mailing that has no words of its own: its facts, as they are."""
    title = mailing.kind[:1].upper() + mailing.kind[1:]
    rows = tuple((str(name).replace("_", " "), str(value)) for name, value in mailing.facts.items() if name != "secret")
    head = (("Game", mailing.game), ("Turn", mailing.turn)) if mailing.game else ()
    return Content(f"{mailing.game or office.settings.name} - {mailing.kind}", title, (Facts((*head, *rows)),))


WRITERS: dict[str, Callable[[Office, Mailing], Content]] = {
    "results": _results_mail,
    "draft results": _results_mail,
    "sign in": _sign_in,
    "invitation": _invitation,
    "game started": _started,
    "seated": _started,
    "seat lost": _seat_lost,
    "reminder": _reminder,
    "orders missing": _reminder,
    "deadline moved": _moved,
    "game paused": _paused,
    "game resumed": _paused,
    "game cancelled": _paused,
    "letter": _letter,
    "deputy": _deputy,
    "second reading": _second_reading,
    "release": _release,
    "confirm address": _confirm_address,
    "address changed": _address_changed,
    "answer": _answer,
}
