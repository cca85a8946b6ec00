"""The deal: the powers by lot, once a game has somebody for each seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from legation.office.context import CommandContext, GameContext, by_clock
from legation.office.errors import ConflictError
from legation.office.game import chain
from legation.office.game.seat_holders import take_seat
from legation.office.game.turns import open_turn, opening_of
from legation.office.keys.notices import GivenKey, Notice, tell_keeper
from legation.office.office import Office
from legation.office.store.packing import unpack
from legation.office.store.rows import DeskRow, GameRow, PersonRow, SignUpRow
from legation.office.terms import invariants
from legation.proofs import kinds
from legation.proofs.lots import DEAL, deal, lot_seed, turn_secret

START = "start"
"""The item on the desk of a game that can begin."""


def deal_key(game_key: str) -> str:
    """The name at the keeper of the key that seals the seed of the deal."""
    return f"{game_key}.deal"


def start_if_full(act: CommandContext, scene: GameContext) -> None:
    """A game that runs itself starts when every seat can be filled; another waits for its coordinator, who finds it on
    the desk."""
    if scene.row.state != "gathering":
        return
    if scene.settings.coordinated:
        ask_to_start(act, scene)
    elif not lacking(scene):
        act.schedule_job("start game", f"game {scene.row.id} start", act.at, scene.row, game=scene.row.id)


def ask_to_start(act: CommandContext, scene: GameContext) -> None:
    """Put on the desk that a game which gathers players can begin, or take it off where it cannot any more."""
    asked = act.tx.count(DeskRow, game=scene.row.id, kind=START, done=None)
    if not lacking(scene):
        if not asked:
            act.add_task(START, scene.row)
    elif asked:
        act.tx.change_where(
            DeskRow, {"done": act.at, "note": "somebody left"}, game=scene.row.id, kind=START, done=None
        )


def waiting(act: CommandContext, scene: GameContext) -> list[SignUpRow]:
    """The sign-ups that have no seat yet, the first first."""
    seated = {s.person for s in scene.seats.values()}
    return [r for r in act.tx.all(SignUpRow, game=scene.row.id, withdrawn=None) if r.person not in seated]


def lacking(scene: GameContext) -> int:
    """Return the number of open seats that nobody has signed up for."""
    free = sum(seat.state == "open" for seat in scene.seats.values())
    return max(0, free - len(waiting(scene.act, scene)))


def prepare_deal(office: Office, facts: dict[str, Any]) -> GivenKey | None:
    """The keeper's part of the deal; None, and it stays with the keeper, where the game cannot begin."""
    with by_clock(office, write=False) as act:
        row = act.tx.get(GameRow, facts["game"])
        scene = GameContext(act, row)
        ready = row.state == "gathering" and not lacking(scene)
    return release_deal(office, row) if ready else None


def release_deal(office: Office, row: GameRow) -> GivenKey:
    """Tell the keeper that the game begins, and return its part of the lots by which powers are dealt."""
    notice = Notice(deal_key(row.key), 1, row.deal_commitment, row.created, "dealt")
    tell_keeper(office.keeper, office.signing_keys(), notice)
    return office.keeper.key(notice.name)


def start_when_full(act: CommandContext, facts: dict[str, Any], key: GivenKey | None) -> None:
    """Start a game that runs itself, if it is still full."""
    scene = GameContext(act, act.tx.get(GameRow, facts["game"], lock=True))
    if key is not None and scene.row.state == "gathering" and not lacking(scene):
        start_game(act, scene, lambda: key)


def start_game(act: CommandContext, scene: GameContext, key: Callable[[], GivenKey]) -> None:
    """Deal the open seats by lot among those who wait, and open the first turn. ``key`` has the keeper give its part:
    it is called when nothing stands in the way any more."""
    if missing := lacking(scene):
        raise ConflictError(f"{missing} of {len(scene.seats)} powers have no player yet; invite more, or seat bots.")
    invariants.check(act.tx, [scene.row.id])
    free = [s.power for s in scene.seats.values() if s.state == "open"]
    wishes = {sign_up_number(scene, row): row for row in waiting(act, scene)}
    given = key()
    secret = turn_secret(chain.secret_of(scene), DEAL)
    seed = lot_seed(secret, given.part, [])
    listed = {f"sign-up {number}": wishes_of(row) for number, row in sorted(wishes.items())}
    dealt = deal(seed, scene.row.name, listed, free)
    for sign, power in dealt.items():
        row = wishes[int(sign.removeprefix("sign-up "))]
        why, shares = "assigned when the game began", row.shares_address
        take_seat(act, scene, scene.seats[power], row.person, why, shares_address=shares)
    line = kinds.DealtLine(
        name=scene.row.name,
        free=free,
        secret=secret,
        part=given.part,
        sign_ups=[kinds.SignUp(number=sign, wishes=list(wishes), nonce="") for sign, wishes in listed.items()],
        dealt=[kinds.DealtSeat(number=sign, seat=power) for sign, power in dealt.items()],
    )
    chain.write(scene, "dealt", line)
    scene.append_journal(
        "seats dealt",
        role="clock",
        seed=seed,
        commitment=scene.row.deal_commitment,
        sign_ups=listed,
        free=free,
        dealt=dealt,
    )
    scene.row = act.tx.change(scene.row, state="running", started=act.at)
    scene.append_journal("game started", role="clock")
    act.tx.change_where(DeskRow, {"done": act.at}, game=scene.row.id, kind=START, done=None)
    for row in waiting(act, scene):  # more came than there are seats
        act.mail("waiting list", act.tx.get(PersonRow, row.person), game=scene.row)
    opening = opening_of(scene)
    scene.mail("game started", open_turn(act, scene, opening, 1, act.at))


def sign_up_number(scene: GameContext, row: SignUpRow) -> int:
    """The number by which the deal names a sign-up: it doesn't tell who came first, or when anybody came."""
    return scene.act.office.numbers.shown("sign-up", row.id)


def wishes_of(row: SignUpRow) -> list[str]:
    """The powers that somebody prefers, the most wanted first."""
    return list(unpack(row.preferences)) if row.preferences else []
