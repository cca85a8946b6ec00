"""What each kind of mailing says, in blocks.

Every message is made from the office's queries as its reader, so it can hold nothing that the reader may not see.

It is long because each kind of mailing has its function here, and nothing else has.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from urllib.parse import quote

import msgspec

from legation.game.documents import ending_in_words
from legation.game.report import count
from legation.mail import desk, postal, votes
from legation.mail.content import Action, Block, Content, Facts, Paragraph, Quote
from legation.mail.results import results, whats_due
from legation.mail.wording import called, deadline_in_words, link, moment_in_words, named, own_units, time_left, zone_of
from legation.notation import listed
from legation.office.context import Actor
from legation.office.desk import letters
from legation.office.hosting import games
from legation.office.identity import people
from legation.office.office import Office
from legation.office.records import GameRecord, Mailing, SeatRecord
from legation.position import Phase, Turn


def message(office: Office, mailing: Mailing) -> Content:
    """Return the content of a mailing."""
    writer = WRITERS.get(mailing.kind)
    if writer is None:
        return _plain(office, mailing)
    return writer(office, mailing)


def _reader(office: Office, mailing: Mailing) -> Actor:
    return people.as_person(office, mailing.person) if mailing.person is not None else Actor.visitor()


def _results_mail(office: Office, mailing: Mailing) -> Content:
    return results(office, _reader(office, mailing), mailing)


def _sign_in(office: Office, mailing: Mailing) -> Content:
    facts = mailing.facts
    path = f"/sign-in/{facts['secret']}" + (f"?next={quote(facts['next'], safe='')}" if facts.get("next") else "")
    return Content(
        f"Sign in to {office.settings.name}",
        "Sign in",
        (
            Paragraph(f"This link signs you in. It works once, within {facts['minutes']} minutes."),
            Action("Sign in", link(office, path)),
            Paragraph("If you didn't ask for it, ignore this mail."),
        ),
    )


def _within(title: str) -> str:
    """A variant's title within a sentence: ``the 1897 Variant``."""
    return f"the {title.removeprefix('The ')}" if title.startswith("The ") else title


def _invitation(office: Office, mailing: Mailing) -> Content:
    game, host = mailing.facts.get("name") or mailing.game, mailing.facts.get("host")
    seat = f" {mailing.facts.get('called', mailing.power)}" if mailing.power else ""
    variant, days = mailing.facts.get("variant"), mailing.facts.get("days", 30)
    invites = f"{host} invites you" if host else "You're invited"
    pace = f"Pace: {mailing.facts['pace']}." if mailing.facts.get("pace") else ""
    post = "The first orders of each season go to the coordinator by post." if mailing.facts.get("by_post") else ""
    return Content(
        f"An invitation to {game}",
        f"You're invited to {game}",
        (
            Paragraph(f"{invites} to play{seat} in {game}{f', a game of {_within(variant)}' if variant else ''}."),
            *([Paragraph(" ".join(filter(None, (pace, post))))] if pace or post else ()),
            Paragraph(f"The link shows you the game before you decide. It works once, within {days} days."),
            Action(
                "See the game and join",
                link(office, f"/games/{mailing.game}/invitation/{mailing.facts['secret']}"),
            ),
        ),
    )


def _started(office: Office, mailing: Mailing) -> Content:
    actor = _reader(office, mailing)
    game = games.game(office, actor, mailing.game)
    power = called(office, game, mailing.power)
    begun = mailing.kind == "game started"
    title = f"{game.name} has begun" if begun else f"You play {power} in {game.name}"
    turn = game.turn
    playing = mailing.power in game.powers
    rows = [("Variant", game.title), ("Your power", mailing.power), *_units("Your units", game, mailing.power)]
    if turn is not None:
        rows += [
            ("First turn" if begun else "Turn", turn.name),
            ("Due", deadline_in_words(office, actor, turn.deadline)),
            *postal.post_by(office, actor, game),
        ]
    papers = [
        "the map",
        *(["the roster"] if postal.is_by_post(game) else ()),
        *postal.papers_of_turn(office, actor, game, mailing.power),
    ]
    return Content(
        f"{game.name} - you play {power}",
        title,
        (
            Facts(tuple(rows)),
            *(_due(office, actor, game, mailing.power) if playing else ()),
            Paragraph(postal.how_to_send(game)),
            Paragraph(f"Enclosed: {listed(papers)}. To see what else you can write in a mail, answer HELP."),
            Action("Open the game", link(office, f"/games/{game.key}")),
            *(postal.posting(office, actor, game) if playing else ()),
            *(postal.players(office, actor, game) if playing else ()),
        ),
    )


def _units(label: str, game: GameRecord, power: str) -> list[tuple[str, str]]:
    """A power's units as a row; none before they are placed."""
    placing = game.turn is not None and Turn.parse(game.turn.name).phase is Phase.PLACEMENT
    return [] if placing else [(label, own_units(game, power))]


def _due(office: Office, actor: Actor, game: GameRecord, power: str) -> list[Block]:
    """The retreats, builds and removals that are due from a power now."""
    if game.turn is None or game.position is None:
        return []
    retreating = Turn.parse(game.turn.name).phase is Phase.RETREATS
    retreats = games.result(office, actor, game.key, "last").dislodged if retreating else {}
    return whats_due(office.variants.load(game.variant, game.options), game, power, retreats)


def _reminder(office: Office, mailing: Mailing) -> Content:
    actor = _reader(office, mailing)
    game = games.game(office, actor, mailing.game)
    assert game.turn is not None  # there is no reminder of a turn that is over
    due = game.turn.deadline
    left = time_left(due, office.clock.now())
    late = mailing.kind == "orders missing"
    title = f"{game.name}: your orders are missing" if late else f"{game.name}: orders are due {left or 'now'}"
    first = postal.missing(office, actor, game, mailing.power)
    if late:
        first = "The deadline has passed and the game waits for your orders."
    return Content(
        f"{game.name} - {mailing.turn}: {'orders are missing' if late else 'reminder'}",
        title,
        (
            Paragraph(first, strong=True),
            Facts(
                (
                    ("Turn", mailing.turn),
                    ("Was due" if late else "Due", moment_in_words(due, zone_of(office, actor))),
                    *postal.post_by(office, actor, game),
                    *_units(mailing.power, game, mailing.power),
                )
            ),
            *_due(office, actor, game, mailing.power),
            Paragraph(postal.how_to_send(game)),
            Action(
                "Open the game" if postal.settings_of(game).photographs_only else "Or give them on the map",
                link(office, f"/games/{game.key}"),
            ),
            *postal.posting(office, actor, game)[:2],
        ),
    )


def _opened(office: Office, mailing: Mailing) -> Content:
    actor = _reader(office, mailing)
    game = games.game(office, actor, mailing.game)
    title = f"{game.name}: {mailing.turn} is open"
    subject = f"{game.name} - {mailing.turn}: send your orders"
    blocks: list[Block] = [Paragraph("That turn is over.")]
    if game.turn is not None and game.turn.name == mailing.turn:
        papers = postal.papers_of_turn(office, actor, game, mailing.power)
        due = deadline_in_words(office, actor, game.turn.deadline)
        units = _units(mailing.power, game, mailing.power)
        blocks = [
            Facts((("Turn", mailing.turn), ("Due", due), *postal.post_by(office, actor, game, mailing.power), *units)),
            *_due(office, actor, game, mailing.power),
            Paragraph(postal.how_to_send(game)),
            *([Paragraph(f"Enclosed: {listed(papers)}.")] if papers else []),
        ]
    label = "Open the game" if postal.settings_of(game).photographs_only else "Or give them on the map"
    blocks += [Action(label, link(office, f"/games/{game.key}")), *postal.posting(office, actor, game)[:2]]
    return Content(subject, title, tuple(blocks))


def _entered(office: Office, mailing: Mailing) -> Content:
    facts = mailing.facts
    game = games.game(office, _reader(office, mailing), mailing.game)
    return Content(
        f"{game.name} - {mailing.turn}: orders were entered for you",
        f"{game.name}: orders were entered for {called(office, game, mailing.power)}",
        (
            Paragraph(f"The coordinator entered version {facts['version']} for you, from paper.", strong=True),
            Paragraph(
                "The sheet was photographed before the deadline, so the coordinator knows what it says. It counts only "
                "if you send nothing yourself, or confirm it. If it isn't yours, refuse it before the deadline. Until "
                "the results are final you can object to how it was read."
            ),
            Facts(
                (
                    ("How it came", facts["channel_of"]),
                    ("Commitment", facts["commitment"]),
                )
            ),
            Action("Confirm or refuse it", link(office, f"/games/{game.key}")),
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
            Facts(
                (
                    ("Turn", mailing.turn),
                    ("Now due", moment_in_words(new, zone_of(office, actor))),
                    *postal.post_by(office, actor, game, mailing.power),
                )
            ),
            Paragraph("The reason given:"),
            Quote(mailing.facts["reason"]),
        ),
    )


def _paused(office: Office, mailing: Mailing) -> Content:
    actor = _reader(office, mailing)
    game = games.game(office, actor, mailing.game)
    what = mailing.kind.removeprefix("game ")
    news = {"paused": "is paused", "resumed": "has resumed", "cancelled": "was cancelled"}[what]
    reason = mailing.facts.get("reason", "")
    blocks: list[Block] = [Paragraph("The reason given:"), Quote(reason)] if reason else []
    if game.turn is not None and what == "resumed":
        due = moment_in_words(game.turn.deadline, zone_of(office, actor))
        blocks.append(
            Facts((("Turn", game.turn.name), ("Now due", due), *postal.post_by(office, actor, game, mailing.power)))
        )
        blocks.append(Action("Open the game", link(office, f"/games/{game.key}")))
    if what == "paused":
        blocks.insert(
            0, Paragraph("No deadline passes during the pause. When the game resumes, we'll mail you the new one.")
        )
    return Content(f"{game.name} {news}", f"{game.name} {news}", tuple(blocks))


def _ended(office: Office, mailing: Mailing) -> Content:
    game = games.game(office, _reader(office, mailing), mailing.game)
    title = f"{game.name} has ended"
    rules = office.variants.load(game.variant, game.options)
    how, reason = ending_in_words(rules, game.ending), str((game.ending or {}).get("reason") or "")
    standing = sorted((seat for seat in game.seats if seat.survives), key=lambda seat: -seat.centers)
    rows = tuple(
        (seat.power, _final_standing(seat)) for seat in [*standing, *(s for s in game.seats if not s.survives)]
    )
    return Content(
        title,
        title,
        (
            *([Paragraph(f"{how}.", strong=True)] if how else []),
            *([Paragraph(f"{reason[:1].upper()}{reason[1:]}.")] if reason else []),
            *([Facts(rows)] if game.ending else []),
            Paragraph("You can look at every turn on the game's page."),
            Action("See the whole game", link(office, f"/games/{game.key}/results")),
        ),
    )


def _final_standing(seat: SeatRecord) -> str:
    """What a power had in the end, and who played it."""
    who = seat.holder or (f"the bot {seat.bot}" if seat.bot else "")
    return ", ".join(filter(None, [count(seat.centers, "center") if seat.survives else "out of the game", who]))


def _seat_key(office: Office, mailing: Mailing) -> Content:
    game = games.game(office, _reader(office, mailing), mailing.game)
    key = mailing.facts["key"]
    what = "orders have a new signing key" if key else "orders are no longer signed"
    words = (
        "are signed with a key in your browser, which proves that they come from you."
        if key
        else "aren't signed: only this office says that they come from you."
    )
    who = game.coordinator or "whoever runs this site"
    return Content(
        f"{game.name} - {named(office, game, mailing.power).whose} {what}",
        f"{game.name}: your {what}",
        (
            Paragraph(f"From now on, your orders for {called(office, game, mailing.power)} {words}", strong=True),
            *([Facts((("Public key", key),))] if key else []),
            Paragraph(
                f"If you weren't on the game's page just now, tell {who}: someone else may be using your account."
            ),
        ),
    )


def _leaves(office: Office, mailing: Mailing) -> Content:
    game = games.game(office, _reader(office, mailing), mailing.game)
    address = mailing.facts.get("address_of", "")
    headline, text = {
        "game leaves": (
            "is moving to another office",
            f"When this season is over, the game moves to {address}. From then on, that office takes your orders. "
            "Orders that are still sealed stay here.",
        ),
        "game stays": ("stays in this office", "The move to another office was called off. Nothing changes for you."),
        "game left": (
            "has moved to another office",
            f"The game has moved to {address}. Sign in there with this mail address; this office takes no more orders "
            "for it. Your receipts stay valid: the journal continues there, and 'legation verify' checks both parts.",
        ),
    }[mailing.kind]
    there = [Action("Sign in there", address)] if mailing.kind == "game left" and address else []
    return Content(f"{game.name} {headline}", f"{game.name} {headline}", (Paragraph(text), *there))


def _keys_lost(office: Office, mailing: Mailing) -> Content:
    actor, facts = _reader(office, mailing), mailing.facts
    game = games.game(office, actor, mailing.game)
    title = f"{game.name}: the keys of {facts['names']} are lost"
    blocks: list[Block] = [
        Paragraph(
            f"Nobody can open the orders sent for {facts['names']} so far, and they won't count. The reason given:"
        ),
        Quote(facts["reason"]),
    ]
    if facts["again"] and game.turn is not None:
        blocks += [
            Paragraph(f"{game.turn.name} is open again from the same position, with new keys. Send your orders again."),
            Facts((("Turn", game.turn.name), ("Due", moment_in_words(game.turn.deadline, zone_of(office, actor))))),
        ]
        if game.state == "paused":
            blocks.append(Paragraph("The game is paused; the deadline moves later by the length of the pause."))
        blocks.append(Action("Open the game", link(office, f"/games/{mailing.game}")))
    what = "keys are lost: send your orders again" if facts["again"] else "keys are lost"
    return Content(f"{game.name} - {what}", title, tuple(blocks))


def _letter(office: Office, mailing: Mailing) -> Content:
    actor = _reader(office, mailing)
    game = games.game(office, actor, mailing.game)
    letter = letters.letter(office, actor, mailing.game, office.numbers.shown("letter", int(mailing.facts["letter"])))
    sender = called(office, game, letter.sender) if letter.sender else "an anonymous player"
    to = "all" if letter.recipients == ("all",) else listed([called(office, game, r) for r in letter.recipients])
    return Content(
        f"{game.name} - a letter from {sender} to {to}",
        f"A letter from {sender}",
        (
            Facts((("Game", game.name), ("Turn", letter.turn), ("To", to))),
            Quote(letter.text),
            Paragraph(
                "To answer by mail, write PRESS TO and the power's name on one line, then your letter, then ENDPRESS "
                "on its own line."
            ),
            Action("Or answer on the game's page", link(office, f"/games/{game.key}/letters")),
        ),
    )


def _seat_lost(office: Office, mailing: Mailing) -> Content:
    game = games.game(office, _reader(office, mailing), mailing.game)
    power, how, why = named(office, game, mailing.power), mailing.facts["how"], mailing.facts["why"]
    words = {
        "disorder": f"{why[:1].upper()}{why[1:]}. As the game's settings say, it goes on without you: "
        f"{power.whose} units are in civil disorder.",
        "replaced": f"The coordinator gave {power} to another player.",
        "voted": "You sent no orders for several turns, so the other players voted to replace you. "
        "Your seat needs a new player.",
        "vacated": f"The coordinator removed you as the player of {power}. The seat is open.",
        "resigned": f"You resigned as {power}. Any orders you sent for this turn still count.",
    }[how]
    blocks: list[Block] = [Paragraph(words)]
    if why and how not in ("disorder", "voted"):
        blocks += [Paragraph("The reason given:"), Quote(why)]
    if how == "replaced":
        then = "You can still watch the game and read all results."
    elif game.settings["coordinated"]:
        then = "To play on, ask the coordinator for the seat. You can still watch the game and read all results."
    else:
        then = "You can take the seat back on the game's page until somebody else takes it."
    blocks += [Paragraph(then), Action("Open the game", link(office, f"/games/{game.key}"))]
    return Content(
        f"{game.name} - you no longer play {power}", f"You no longer play {power} in {game.name}", tuple(blocks)
    )


def _deputy(office: Office, mailing: Mailing) -> Content:
    game = games.game(office, _reader(office, mailing), mailing.game)
    title = f"You are the deputy of {game.name}"
    words = (
        f"{game.coordinator or 'The coordinator'} asks you to check transcriptions in {game.name}: orders that come as "
        "photographs or by post. They count only after you have read them too. We'll mail you when there's one to read."
    )
    return Content(f"{game.name} - you are the deputy", title, (Paragraph(words),))


def _on_desk(office: Office, mailing: Mailing) -> Content:
    return desk.waiting(office, mailing, _reader(office, mailing))


def _release(office: Office, mailing: Mailing) -> Content:
    facts = mailing.facts
    return Content(
        "Please confirm a mail",
        "Was this you?",
        (
            Paragraph(
                "A mail arrived that may be yours. It doesn't count yet: anybody can write your address on a mail, and "
                "this one can't be checked."
            ),
            Facts(
                (
                    ("From", facts["sender"]),
                    *((("Subject", facts["subject"]),) if facts["subject"] else ()),
                    ("Arrived", moment_in_words(datetime.fromisoformat(facts["at"]))),
                )
            ),
            Action("It was me: count it from when it arrived", link(office, f"/release/{facts['secret']}")),
            Paragraph(
                "If it wasn't you, do nothing. To skip this step next time, answer the mails of your game: their reply "
                "address is yours alone."
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
                f"{facts['name']} wants mail sent to this address from now on. The link works once, within "
                f"{facts['days']} days."
            ),
            Action("Confirm the address", link(office, f"/confirm-address/{facts['secret']}")),
        ),
    )


def _address_changed(office: Office, mailing: Mailing) -> Content:
    to = mailing.facts.get("email") or "another address"
    text = f"Your mail now goes to {to}. If you didn't ask for this, write to whoever runs this site."
    return Content("Your address was changed", "Your address was changed", (Paragraph(text, strong=True),))


def _approve_address(office: Office, mailing: Mailing) -> Content:
    facts = mailing.facts
    return Content(
        "Do you want to change your address?",
        "Do you want to change your address?",
        (
            Paragraph(
                f"Somebody asked us to send your mail to {facts['email']} from now on. Nothing changes unless you use "
                f"this link within {facts['days']} days. Then that address gets a link too."
            ),
            Action("Change my address", link(office, f"/approve-address/{facts['secret']}")),
            Paragraph(
                "If it wasn't you, sign out everywhere on your page and revoke your tokens: someone may be using them."
            ),
        ),
    )


def _confirm_resignation(office: Office, mailing: Mailing) -> Content:
    game = games.game(office, _reader(office, mailing), mailing.game)
    power = called(office, game, mailing.power)
    title = f"Do you want to give up {power} in {game.name}?"
    text = "A mail in your name asked for this. Nothing happens unless you use the link within three days."
    return Content(
        title,
        title,
        (Paragraph(text), Action(f"Give up {power}", link(office, f"/resign/{mailing.facts['secret']}"))),
    )


def _passed_on(office: Office, mailing: Mailing) -> Content:
    came = moment_in_words(datetime.fromisoformat(mailing.facts["at"]))
    text = (
        f"We don't know the address that your mail of {came} came from. It was passed on, unread, to the player it "
        "seems to be from, and counts as soon as they confirm it."
    )
    return Content("Your mail was passed on", "Your mail was passed on", (Paragraph(text),))


def _answer(office: Office, mailing: Mailing) -> Content:
    """An answer to a mail, which was written when the mail was acted on."""
    return msgspec.convert(mailing.facts["content"], Content)


def _proposal_answered(office: Office, mailing: Mailing) -> Content:
    facts = mailing.facts
    named = f"{facts['title']} {facts['version']}"
    if not facts["taken"]:
        return Content(
            f"{named} was not added",
            f"{named} was not added",
            (
                Paragraph("The variant you proposed wasn't added to the catalog. The reason:"),
                Quote(str(facts["reason"])),
            ),
        )
    return Content(
        f"{named} is in the catalog",
        f"{named} is in the catalog",
        (
            Paragraph("The variant you proposed can be played here from now on."),
            Action("See it", link(office, f"/variants/{facts['name']}")),
        ),
    )


def _plain(office: Office, mailing: Mailing) -> Content:
    """The fallback for mailings without their own text: their facts as they are."""
    title = mailing.kind[:1].upper() + mailing.kind[1:]
    rows = tuple((str(name).replace("_", " "), str(value)) for name, value in mailing.facts.items() if name != "secret")
    head = (("Game", mailing.game), ("Turn", mailing.turn)) if mailing.game else ()
    return Content(f"{mailing.game or office.settings.name} - {mailing.kind}", title, (Facts((*head, *rows)),))


def _envelope_came(office: Office, mailing: Mailing) -> Content:
    return postal.envelope_came(office, mailing, _reader(office, mailing))


def _orders_address(office: Office, mailing: Mailing) -> Content:
    return postal.orders_address(office, mailing, _reader(office, mailing))


def _vote(office: Office, mailing: Mailing) -> Content:
    return votes.asked(office, mailing, _reader(office, mailing))


def _seat_vacant(office: Office, mailing: Mailing) -> Content:
    return votes.vacant(office, mailing, _reader(office, mailing))


WRITERS: dict[str, Callable[[Office, Mailing], Content]] = {
    "results": _results_mail,
    "proposal answered": _proposal_answered,
    "draft results": _results_mail,
    "sign in": _sign_in,
    "invitation": _invitation,
    "game started": _started,
    "seated": _started,
    "seat lost": _seat_lost,
    "vote": _vote,
    "seat vacant": _seat_vacant,
    "turn opened": _opened,
    "reminder": _reminder,
    "orders missing": _reminder,
    "entered for you": _entered,
    "envelope came": _envelope_came,
    "orders address": _orders_address,
    "deadline moved": _moved,
    "keys lost": _keys_lost,
    "game paused": _paused,
    "game resumed": _paused,
    "game cancelled": _paused,
    "game ended": _ended,
    "seat key": _seat_key,
    "game leaves": _leaves,
    "game stays": _leaves,
    "game left": _leaves,
    "letter": _letter,
    "deputy": _deputy,
    "desk": _on_desk,
    "second reading": _on_desk,
    "release": _release,
    "approve address": _approve_address,
    "confirm address": _confirm_address,
    "confirm resignation": _confirm_resignation,
    "mail passed on": _passed_on,
    "address changed": _address_changed,
    "answer": _answer,
}
