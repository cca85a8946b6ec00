"""Publishing: draft and final results are shown and sent, and the next turn opens; or the game leaves for another
office, between seasons, by the last line of its chain here, and the keeper is told."""

from typing import Any

import msgspec

from legation.game.views import seen_turn
from legation.office.context import CommandContext, GameContext
from legation.office.game import chain
from legation.office.game.judging import Chosen, chosen_sheets, play_turn
from legation.office.game.orders_ahead import schedule_skipped
from legation.office.game.turns import count_seats, open_turn, phase_of, position_from, scene_of, season_ends
from legation.office.records import Document
from legation.office.store.packing import pack, unpack
from legation.office.store.rows import BoardRow, DeskRow, JournalRow, TurnRow
from legation.position import Phase, Position, Turn
from legation.proofs import kinds
from legation.proofs.lots import turn_secret
from legation.proofs.receipts import OfficeCard, read_card
from legation.proofs.results import result_text


def publish(act: CommandContext, facts: dict[str, Any], _: object) -> None:
    """Publish what was judged, as a draft where the game has drafts and the season goes on, else as final."""
    scene, turn = scene_of(act, facts["turn"])
    if turn.state == "judged":
        publish_turn(scene, turn)


def publish_turn(scene: GameContext, turn: TurnRow) -> None:
    """Show the results of a turn to all, send them, and go on."""
    act = scene.act
    result = unpack(turn.result)
    after = position_from(scene.rules, result["after"])
    ends = season_ends(scene, turn)
    is_draft, again = comes_as_draft(scene, turn, result), was_published(scene, turn)
    if not is_draft:
        make_final(scene)
    state, final = ("draft", None) if is_draft else ("final", act.at)
    sheets = pack(_as_told(turn))
    turn = scene.tx.change(turn, state=state, published=act.at, final=final, sheets=sheets)
    act.close_tasks(turn=turn.id, kind="publish")
    _write_results(scene, turn, is_draft=is_draft)
    corrected = [p for p, c in chosen_sheets(turn).items() if c.corrected]
    _note_results(scene, turn, "draft results" if is_draft else "final results", corrected=corrected)
    scene.mail("draft results" if is_draft else "results", turn)
    if result["ending"] or phase_of(turn) == Phase.ADJUSTMENTS.value:
        _ask_for_letters(scene, turn)
    if result["ending"]:
        count_seats(scene, after)
        _finish(scene, turn, result["ending"])
        return
    if after.turn.phase is Phase.RETREATS:
        open_turn(scene, after, turn.number + 1, turn.season_opened)
        return
    if ends is not None and ends > act.at:
        scene.tx.change(turn, final_due=ends)
        act.schedule_job("next turn", f"turn {turn.id} next", ends, scene.row, turn=turn.id)
    elif is_draft and again:  # corrected after the season's last day: nothing opens unless somebody says so
        act.add_task("final", scene.row, turn=turn)
    else:
        go_on(scene, turn, after)


def _note_results(scene: GameContext, turn: TurnRow, kind: str, **more: Any) -> None:
    told = {"name": turn.name, "orders": unpack(turn.result)["orders"], "seed": turn.drawn}
    scene.append_journal(kind, turn=turn, role="clock", **told, **more)


def _ask_for_letters(scene: GameContext, turn: TurnRow) -> None:
    powers = [seat.power for seat, _ in scene.people()]
    if not (powers and scene.settings.coordinated and scene.settings.is_postal()):
        return
    scene.act.close_tasks("another year has ended", game=scene.row.id, kind="letters")
    letters, ended = dict.fromkeys(powers, ""), scene.now.date().isoformat()
    scene.act.add_task("letters", scene.row, turn=turn, letters=letters, count=len(powers), ended=ended)


def _as_told(turn: TurnRow) -> dict[str, Chosen]:
    """The chosen sheets of a turn that is published now, each transcription with what it said before."""
    chosen = chosen_sheets(turn)
    for power, sheet in chosen.items():
        if sheet.transcribed:
            chosen[power] = msgspec.structs.replace(sheet, before=told_before(sheet), told=sheet.text)
    return chosen


def told_before(sheet: Chosen) -> str:
    """Return what a transcription said in the results that were published last, if that differs; else nothing."""
    return sheet.told if sheet.told is not None and sheet.told != sheet.text else ""


def was_published(scene: GameContext, turn: TurnRow) -> bool:
    """Return whether results of a turn were published before, as a draft."""
    return bool(scene.tx.count(JournalRow, game=scene.row.id, kind="draft results", turn=turn.id))


def _write_results(scene: GameContext, turn: TurnRow, *, is_draft: bool) -> None:
    if not chain.is_in(scene, turn):
        return
    rules, name, chosen = scene.rules, turn.name, chosen_sheets(turn)
    played, _ = play_turn(scene, turn)
    counted = [
        kinds.CountedSheet(seat=power, version=chosen[power].version, commitment=chosen[power].commitment)
        for power in rules.powers
    ]
    # as results that were taken back told it, since the game's own may have been lost with a key since
    before = chain.told_results(scene, turn) if was_published(scene, turn) else None
    secret = before["secret"] if before is not None else turn_secret(chain.secret_of(scene), turn.name)
    result = result_text(rules, played)
    if chain.hides(scene):
        told: list[chain.Private] = chain.held_back(scene, turn)
        told += [("counted", kinds.CountedLine(turn=name, sheets=[c]), scene.seats[c.seat]) for c in counted]
        chain.write_of_seats(scene, turn, told)
        views: list[chain.Private] = [("result", kinds.ResultLine(turn=name, seat="", result=result), None)]
        for power in rules.powers:
            shown = result_text(rules, seen_turn(rules, played, power))
            views.append(("result", kinds.ResultLine(turn=name, seat=power, result=shown), scene.seats[power]))
        chain.write_private_line(scene, views, turn, in_order=True)
        secret = result = ""
    else:
        chain.write(scene, "counted", kinds.CountedLine(turn=name, sheets=counted))
    chain.write(scene, "results", kinds.ResultsLine(turn=name, draft=is_draft, secret=secret, result=result))


def comes_as_draft(scene: GameContext, turn: TurnRow, result: Document) -> bool:
    """Return whether results come as a draft first: where the season isn't over, or they were a draft before."""
    if (
        not scene.settings.drafts
        or result["ending"]
        or phase_of(turn) in (Phase.ADJUSTMENTS.value, Phase.PLACEMENT.value)
    ):
        return False
    ends = season_ends(scene, turn)
    retreats = Turn.parse(result["after"]["turn"]).phase is Phase.RETREATS
    return retreats or (ends is not None and ends > scene.at) or was_published(scene, turn)


def next_turn(act: CommandContext, facts: dict[str, Any], _: object) -> None:
    """The season is over: its drafts are final, and the next turn opens."""
    scene, turn = scene_of(act, facts["turn"])
    if turn.state not in ("draft", "final") or scene.row.turn != turn.number or scene.row.state != "running":
        return
    if turn.state == "draft" and scene.settings.approve and not facts.get("approved"):
        if not act.tx.count(DeskRow, turn=turn.id, kind="final", done=None):
            act.add_task("final", scene.row, turn=turn)
        return
    go_on(scene, turn, position_from(scene.rules, unpack(turn.result)["after"]))
    if turn.state == "final":  # its results came earlier; those of a draft come now, and tell what is due next
        if scene.row.state == "running":  # else it goes on in another office
            scene.mail("turn opened", scene.turn(), scene.turn().awaited.split("\n"))
            act.tell_bridges("turn opened", scene.row, scene.turn())


def go_on(scene: GameContext, turn: TurnRow, after: Position) -> None:
    """Make a season's results final and open the next turn, or hand the game over to another office."""
    make_final(scene)
    if can_leave(after) and (card := next_office(scene)) is not None:
        hand_over(scene, card)
        return
    ends = season_ends(scene, turn)
    open_turn(scene, after, turn.number + 1, max(ends or 0, scene.at))  # a season that opens late has all its days


def make_final(scene: GameContext) -> None:
    """Make all drafts of a game final. The results of the last turn go out again; what they say tells of the others."""
    for draft in scene.tx.all(TurnRow, game=scene.row.id, state="draft", order="number"):
        final = scene.tx.change(draft, state="final", final=scene.at)
        chain.write(scene, "final", kinds.PlainTurnLine(turn=final.name), final)
        _note_results(scene, final, "final results")
        scene.act.close_tasks(turn=final.id, kind="final")
        if final.number == scene.row.turn:
            scene.mail("results", final)


def _finish(scene: GameContext, turn: TurnRow, ending: dict[str, Any]) -> None:
    act = scene.act
    scene.row = scene.tx.change(scene.row, state="ended", ended=act.at, ending=pack(ending), how=ending["kind"])
    ended = kinds.EndedLine(how=ending["kind"], seats=list(ending["powers"]), secret=chain.secret_of(scene))
    schedule_skipped(scene, chain.write(scene, "ended", ended))
    scene.append_journal(
        "game ended", turn=turn, role="clock", how=ending["kind"], powers=ending["powers"], reason=ending["reason"]
    )
    scene.mail("game ended", turn)
    of_board = scene.tx.count(BoardRow, game=scene.row.id)
    for kind, wanted in (("archive", True), ("rate", scene.settings.rated), ("count board", of_board)):
        if wanted:
            act.schedule_job(kind, f"{kind} {scene.row.ref}", act.at, scene.row, game=scene.row.id)


# A game that leaves for another office

ASKED, TAKEN_BACK = "game leaves", "game stays"


def next_office(scene: GameContext) -> OfficeCard | None:
    """Return the office to which a game moves when its season is over, if any."""
    asked = scene.tx.all(JournalRow, game=scene.row.id, kind=[ASKED, TAKEN_BACK], order="-id", limit=1)
    return read_card(unpack(asked[0].facts)["card"]) if asked and asked[0].kind == ASKED else None


def can_leave(after: Position) -> bool:
    """Return whether a game can leave before this position is played: where a season begins, nothing sealed waits."""
    return after.turn.phase in (Phase.MOVEMENT, Phase.PLACEMENT)


def hand_over(scene: GameContext, card: OfficeCard) -> None:
    """Write the line after which this office takes nothing more of a game, and have the keeper refuse it."""
    act, office = scene.act, scene.office
    chain.tell_new_keys(scene)
    chain.tell(scene, f"The game goes on at {card.address}")
    signature = office.keeper.follow(scene.row.ref, scene.row.lines + 1, card.keeper.key, card.office)
    line = chain.write(
        scene, "transferred", kinds.TransferredLine(key=card.office, keeper=card.keeper, signature=signature)
    )
    scene.row = act.tx.change(scene.row, state="moved")
    chain.keep_left(scene, card.address or card.office)
    schedule_skipped(scene, line)
    scene.append_journal("game left", turn=scene.turn(), role="clock", address=card.address, office=card.office)
    scene.mail("game left", address_of=card.address)
