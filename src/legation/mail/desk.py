"""Mails about what waits on the desk of a coordinator, or of a deputy: what the desk itself says of it, and nothing of
what orders say."""

from collections.abc import Sequence

from legation.game.report import count
from legation.mail.content import Action, Block, Content, Facts, Heading, Lines, Paragraph
from legation.mail.wording import deadline_in_words, moment_in_words, zone_of
from legation.notation import listed
from legation.office.context import Actor
from legation.office.desk import desk
from legation.office.desk_readers import DEPUTYS
from legation.office.hosting import games
from legation.office.office import Office
from legation.office.records import DeskItem, GameRecord, Mailing

IN_TURN = frozenset(["choose", "unposted", "decide", "transcribe", "confirm"])
"""Kinds of items that are gone through one after the other, from the page of the first."""
CADENCE = "You get this when something waits on your desk, and once a day until it's done."


def waiting(office: Office, mailing: Mailing, actor: Actor) -> Content:
    """Return the mail that tells what waits."""
    items = desk.mailed(office, mailing.person, mailing.kind) if mailing.person is not None else []
    parts: dict[str, list[DeskItem]] = {}
    for item in items:
        parts.setdefault(item.game, []).append(item)
    names: list[str] = []
    blocks: list[Block] = [] if items else [Paragraph("Your desk is empty.")]
    for key, own in parts.items():
        game = games.game(office, actor, key) if key else None
        names.append(game.name if game else office.settings.name)
        blocks.append(Heading(names[-1]))
        if game is not None and game.turn is not None:
            blocks.append(Facts((("Turn", game.turn.name), ("Deadline", _deadline(office, actor, game)))))
        groups: dict[tuple[str, str], list[DeskItem]] = {}
        for item in own:
            groups.setdefault((item.kind, item.turn), []).append(item)
        for group in groups.values():
            blocks += _blocks(office, actor, group)
    what = count(len(items), "transcription" if mailing.kind == DEPUTYS else "item")
    what += " to check" if mailing.kind == DEPUTYS else " on your desk"
    where = listed(names) if 0 < len(names) < 4 else count(len(names), "game")
    return Content(f"{what}: {where}" if names else what, f"{what[:1].upper()}{what[1:]}", tuple(blocks), (CADENCE,))


def _deadline(office: Office, actor: Actor, game: GameRecord) -> str:
    assert game.turn is not None
    if game.state != "running":
        return f"none, the game is {game.state}"
    passed = "" if game.turn.deadline > office.clock.now() else ", passed"
    return deadline_in_words(office, zone_of(office, actor), game.turn.deadline) + passed


def _blocks(office: Office, actor: Actor, group: Sequence[DeskItem]) -> list[Block]:
    first, zone = group[0], zone_of(office, actor)
    page, command = first.page, first.command
    if len(group) > 1 and first.kind not in IN_TURN:
        page, command = f"/desk/{first.game}".rstrip("/"), f"legation office desk {first.game}".rstrip()
    rows = [("Waiting since", moment_in_words(min(item.opened for item in group), zone))]
    if first.due is not None:
        rows.append(("Results due", deadline_in_words(office, zone, first.due)))
    rows += [("Meanwhile", " ".join(dict.fromkeys(item.otherwise for item in group))), ("Command", command)]
    text: Block = Paragraph(first.text, strong=True) if len(group) == 1 else Lines(tuple(i.text for i in group))
    return [text, Facts(tuple(rows)), Action("Open it on your desk", office.link(page))]
