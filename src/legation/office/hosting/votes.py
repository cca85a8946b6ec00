"""Votes of the players: to pause the game and go on, to extend a deadline, to cancel the game, to replace a player who
has gone.

Every player who is still in the game has one vote on each question, until the next turn closes. Where nobody
coordinates, the vote that was wanting carries it out; a coordinator is told instead. No vote opens a seal earlier.
Votes are lines of the journal and nothing else. Where not all may know who has sent orders, nothing that is told or
refused tells who has gone."""

import typing
from collections.abc import Set
from typing import Any, Literal

import msgspec

from legation.game.report import count
from legation.judge import changes
from legation.notation import capital, listed
from legation.office.clock import moment
from legation.office.context import DAY, Actor, CommandContext, GameContext, SeatContext, command, given_note, query
from legation.office.errors import ConflictError, InvalidInputError, LimitExceededError
from legation.office.game import chain
from legation.office.game.readiness import still_missing
from legation.office.game.seat_holders import have_bot_stand_in, lose
from legation.office.hosting.deadlines import FURTHEST_DAYS, move_deadline
from legation.office.hosting.games import cancel_game, pause_game, resume_game
from legation.office.records import VoteRecord
from legation.office.store.packing import unpack
from legation.office.store.rows import GameRow, JournalRow, SubmissionRow, TurnRow
from legation.office.store.transaction import Since
from legation.proofs import kinds

VoteKind = Literal["pause", "resume", "extend", "cancel", "replace"]
VOTE_KINDS: tuple[str, ...] = typing.get_args(VoteKind)
MOST_HOURS = 14 * 24  # of one extension
USUAL_HOURS = 24
MOST_CHANGES = 20  # of one seat's votes until the next turn closes
HOUR = 3_600_000_000


class Question(msgspec.Struct, frozen=True):
    """Question of a vote; ``whom`` is the power whose player is to be replaced."""

    kind: str
    whom: str = ""

    def words(self, scene: GameContext, hours: int = 0) -> str:
        """The question after "to vote": ``to extend the deadline by 24 hours``."""
        further = f"to extend the deadline by {count(hours, 'hour')}"
        return {
            "pause": "to pause the game",
            "resume": "to go on with the game",
            "extend": further if hours else "to extend the deadline",
            "cancel": "to cancel the game",
            "replace": f"to replace {scene.named(self.whom).whose} player" if self.whom else "",
        }[self.kind]

    def facts(self, scene: GameContext, hours: int) -> dict[str, Any]:
        """The question as the journal tells it."""
        return {"what": self.kind, "whom": self.whom, "hours": hours, "words": self.words(scene, hours)}


class Ballot(msgspec.Struct):
    """Standing of a question: its votes with the hours they would give, by power; whether and why it was put."""

    votes: dict[str, int] = {}
    begun: bool = False
    reason: str = ""
    hours: int = 0


@command("play", "PUT /games/{game}/seats/{power}/votes/{kind}", holder="alive", lock=True)
def vote(scene: SeatContext, kind: str, whom: str = "", hours: int = 0, reason: str = "") -> VoteRecord:
    """Vote on a question: ``pause``, ``resume``, ``extend`` (by ``hours``), ``cancel`` or ``replace`` (the player of
    ``whom``). The vote counts until the next turn closes, or until it is taken back. The last vote that was wanting
    carries the question.

    :raises ConflictError: for a question that cannot be asked now, and for who has no vote.
    :raises InvalidInputError: for no such question."""
    turn = scene.turn(lock=True)
    question = _question(scene, turn, kind, whom)
    hours = _hours(scene, turn, kind, hours)
    ballot = _ballots(scene).get(question, Ballot())
    if scene.held.power not in _voters(scene, turn, question, ballot):
        raise ConflictError(_no_vote(scene, question))
    if ballot.votes.get(scene.held.power) != hours:
        _refuse_too_many(scene)
        if not ballot.begun:
            _begin(scene, turn, question, hours, reason)
        _cast(scene, turn, question, hours, on=True)
    carried = _decide(scene, turn, question)  # also for who votes again: whom it is about may have gone since
    return _answer(scene, question, carried)


@command("play", "DELETE /games/{game}/seats/{power}/votes/{kind}", holder="alive", lock=True)
def take_back(scene: SeatContext, kind: str, whom: str = "") -> VoteRecord:
    """Take back a vote on a question that hasn't passed yet."""
    question = _named(scene, kind, whom)
    ballot = _ballots(scene).get(question, Ballot())
    if scene.held.power not in ballot.votes:
        raise ConflictError(f"You haven't voted {question.words(scene)}.")
    _refuse_too_many(scene)
    _cast(scene, scene.turn(), question, ballot.votes[scene.held.power], on=False)
    return _answer(scene, question)


@command("coordinate", "POST /games/{game}/votes", host="alive", lock=True)
def ask(scene: GameContext, kind: str, whom: str = "", hours: int = 0, reason: str = "") -> VoteRecord:
    """Call a vote, as the host of a game without a coordinator; the host's own vote, if there is a seat,
    is not cast by it. Where nobody but bots has a seat there is nobody to ask, and it is done at once."""
    turn = scene.turn(lock=True)
    question = _question(scene, turn, kind, whom)
    hours = _hours(scene, turn, kind, hours)
    if _ballots(scene).get(question, Ballot()).begun:
        raise ConflictError(f"The players are already voting {question.words(scene)}.")
    if not _voters(scene, turn, question, Ballot()):
        if any(seat.state == "held" and not seat.machine for seat in scene.seats.values()):
            raise ConflictError("Nobody in this game has a vote.")
        why = given_note(reason) or "the host decided it; bots have all seats"
        _carry_out(scene, turn, question, hours, why)
        return _answer(scene, question, hours)
    _begin(scene, turn, question, hours, reason)
    return _answer(scene, question)


@query("read", "GET /games/{game}/votes", visitor="any")
def standing(scene: GameContext) -> list[VoteRecord]:
    """Return the questions that can be voted on now, with their votes, as far as the reader can know them.

    None if players have no votes."""
    if scene.row.turn is None or scene.row.state not in ("running", "paused") or scene.settings.voting() == "none":
        return []
    turn, ballots = scene.turn(), _ballots(scene)
    gone = gone_powers(scene, turn)
    asked = _questions(scene, turn, gone)
    if not _tells_gone(scene):  # that one's own seat might be asked about is no news
        asked = [question for question in asked if question in ballots or question.whom not in scene.own]
    return [_record(scene, turn, question, ballots.get(question, Ballot()), gone) for question in asked]


def _tells_gone(scene: GameContext) -> bool:
    return chain.shows_senders(scene) or (scene.runs_it and scene.settings.shows_senders != "nobody")


# What can be asked


def _questions(scene: GameContext, turn: TurnRow, gone: Set[str]) -> list[Question]:
    asked = []
    if scene.row.state == "running":
        asked.append(Question("pause"))
        if turn.state in ("open", "waiting"):
            asked.append(Question("extend"))
    else:  # what the office or a coordinator paused is theirs to resume
        paused = scene.tx.all(JournalRow, game=scene.row.id, kind="game paused", order="-id", limit=1)
        voted = bool(paused) and unpack(paused[0].facts).get("voted")
        if voted and not changes(scene.row.rules_digest, scene.rules):
            asked.append(Question("resume"))
    if not _tells_gone(scene):
        hidden = chain.hides(scene)
        gone = {seat.power for seat in scene.seats.values() if seat.state == "held" and (seat.survives or hidden)}
    asked += [Question("replace", power) for power in scene.seats if power in gone]
    return [*asked, Question("cancel")]


def gone_powers(scene: GameContext, turn: TurnRow) -> frozenset[str]:
    """Return the powers whose players have stopped playing: they sent nothing for this turn and as many before as the
    settings say, or the game has waited for them for a day (at most the length of the turn) after the deadline."""
    there = [seat for seat in scene.seats.values() if seat.person is not None and seat.survives]
    silent = [seat for seat in there if seat.missed >= scene.settings.missing_after]
    heard = {row.seat for row in scene.tx.all(SubmissionRow, turn=turn.id)} if silent else set()
    gone = {seat.power for seat in silent if seat.id not in heard}
    patience = min(DAY, turn.deadline - turn.opened)
    if turn.state == "waiting" and scene.at - turn.closes >= patience:
        missing = {seat.id for seat in still_missing(scene, turn)}
        gone |= {seat.power for seat in there if seat not in silent and seat.id in missing}
    return frozenset(gone)


def _named(scene: GameContext, kind: str, whom: str) -> Question:
    """The question of this name. Raises InvalidInputError for none."""
    if scene.settings.voting() == "none":
        raise ConflictError("In this game the players have no votes; ask the coordinator.")
    if kind not in VOTE_KINDS:
        raise InvalidInputError(
            f"There is no vote on {kind[:40]!r}.", suggestions=VOTE_KINDS, faults=[f"kind: not {kind[:40]!r}"]
        )
    if (kind == "replace") != bool(whom):
        raise InvalidInputError(
            "Name the power whose player is to be replaced, and no power for any other vote.", faults=["whom"]
        )
    return Question(kind, scene.power(whom) if whom else "")


def _question(scene: GameContext, turn: TurnRow, kind: str, whom: str) -> Question:
    """The same, if it can be asked now. Raises ConflictError with the reason why not."""
    question = _named(scene, kind, whom)
    if question in _questions(scene, turn, gone_powers(scene, turn)):
        return question
    paused = scene.row.state == "paused"
    raise ConflictError(
        {
            "pause": "The game is already paused.",
            "resume": "The players did not pause this game, so they cannot resume it."
            if paused
            else "The game isn't paused.",
            "extend": "The game is paused; its deadline moves when it goes on."
            if paused
            else f"{turn.name} is closed; its deadline can't be moved any more.",
            "replace": f"{capital(scene.named(question.whom).whose)} player can't be replaced yet: that takes "
            f"{count(scene.settings.missing_after, 'turn')} without orders.",
        }[question.kind]
    )


def _hours(scene: GameContext, turn: TurnRow, kind: str, hours: int) -> int:
    if kind != "extend":
        return 0
    hours = hours or USUAL_HOURS
    if not 1 <= hours <= MOST_HOURS:
        raise InvalidInputError(f"Extend by 1 to {MOST_HOURS} hours.", faults=["hours: out of bounds"])
    if _extended(scene, turn, hours) > scene.act.later(days=FURTHEST_DAYS):
        raise ConflictError("The deadline is already more than a year away.")
    return hours


def _extended(scene: GameContext, turn: TurnRow, hours: int) -> int:
    return max(turn.deadline, scene.at) + hours * HOUR


# Who votes, and what is enough


def _voters(
    scene: GameContext, turn: TurnRow, question: Question, ballot: Ballot, gone: Set[str] | None = None
) -> list[str]:
    """The powers that may vote: a person's, in the game, not ``gone`` (or voting), not about themselves."""
    gone = gone_powers(scene, turn) if gone is None else gone
    return [
        seat.power
        for seat in scene.seats.values()
        if seat.state == "held"
        and seat.survives
        and not seat.machine
        and seat.power != question.whom
        and (seat.power in ballot.votes or seat.power in scene.own or seat.power not in gone)
    ]


def _no_vote(scene: GameContext, question: Question) -> str:
    seat = scene.held
    if seat.machine:
        return "Programs have no vote."
    if not seat.survives:
        out = scene.named(seat.power)
        return f"You have no vote: {out} {out:is|are} out of the game."
    return "You can't vote on your own seat. Send orders, and you keep it."


def _needed(scene: GameContext, question: Question, voters: int) -> int:
    """How many votes carry a question: more than half; all, to cancel the game or where the game says so."""
    everyone = question.kind == "cancel" or scene.settings.voting() == "all"
    return max(1, voters if everyone else voters // 2 + 1)


def _ballots(scene: GameContext) -> dict[Question, Ballot]:
    """How the questions stand that were asked since a turn was closed last."""
    seats = {seat.id: seat for seat in scene.seats.values()}
    ballots: dict[Question, Ballot] = {}
    for row in scene.tx.all(JournalRow, game=scene.row.id, kind=list(LINES), id=_since_close(scene)):
        facts = unpack(row.facts)
        question = Question(facts["what"], facts["whom"])
        ballot = ballots.setdefault(question, Ballot(votes={}))
        seat = seats.get(row.seat or 0)
        if row.kind == "vote carried":
            del ballots[question]
        elif row.kind == "vote begun":
            ballot.begun, ballot.reason, ballot.hours = True, facts["reason"], facts["hours"]
        elif seat is not None and seat.person == row.person and row.at >= (seat.since or 0):
            ballot.votes.pop(seat.power, None)
            if row.kind == "vote":
                ballot.votes[seat.power] = facts["hours"]
    return ballots


def _since_close(scene: GameContext) -> Since:
    closed = scene.tx.all(JournalRow, game=scene.row.id, kind="turn closed", order="-id", limit=1)
    return Since(closed[0].id + 1 if closed else 1)


LINES = ("vote begun", "vote", "vote taken back", "vote carried")  # the journal's lines of votes


def _refuse_too_many(scene: GameContext) -> None:
    changed = {"game": scene.row.id, "seat": scene.held.id, "kind": ["vote", "vote taken back"]}
    if scene.tx.count(JournalRow, **changed, id=_since_close(scene)) >= MOST_CHANGES:
        raise LimitExceededError("You have changed your votes too often this turn.")


# What is written


def _begin(scene: GameContext, turn: TurnRow, question: Question, hours: int, reason: str) -> None:
    facts = {**question.facts(scene, hours), "reason": given_note(reason)}
    role = "host" if scene.seat is None else "clock"  # where votes are secret, whose was first is, too
    scene.append_journal("vote begun", turn=turn, role=role, **facts)
    voters = {*_voters(scene, turn, question, Ballot()), question.whom} - {*scene.own}
    scene.mail("vote", turn, voters, **facts)


def _cast(scene: GameContext, turn: TurnRow, question: Question, hours: int, *, on: bool) -> None:
    """Write a vote into the journal and its chain: for all where all may know who has sent, else for the seat alone."""
    seat, words = scene.held, question.words(scene, hours)
    public = chain.shows_senders(scene)
    kind, seen_by = "vote" if on else "vote taken back", "all" if public else "seat"
    scene.append_journal(kind, turn=turn, seat=seat, seen_by=seen_by, **question.facts(scene, hours))
    voter = scene.named(seat.power)
    text = capital(f"{voter} {'' if on else 'no longer '}{voter:votes|vote} {words}")
    if public:
        chain.tell(scene, text)
    else:
        chain.write_private_line(scene, [("told", kinds.ToldLine(text=text), seat)])


# What comes of it


def _decide(scene: GameContext, turn: TurnRow, question: Question) -> int | None:
    """Carry a question out, or tell the coordinator, if enough have voted for it; return with how many hours."""
    ballot, gone = _ballots(scene)[question], gone_powers(scene, turn)
    voters = _voters(scene, turn, question, ballot, gone)
    counted = {power: ballot.votes[power] for power in voters if power in ballot.votes}
    needed = _needed(scene, question, len(voters))
    if len(counted) < needed or (question.whom and question.whom not in gone):
        return None
    hours = sorted(counted.values(), reverse=True)[needed - 1]  # the longest that so many would give
    words = question.words(scene, hours)
    # what follows is the players' doing together, not that of who came last
    together = CommandContext(scene.office, Actor.clock(), scene.tx, scene.act.name, scene.now)
    together.asked = True
    done = GameContext(together, scene.tx.get(GameRow, scene.row.id))
    advises = done.settings.coordinated
    done.append_journal("vote carried", turn=turn, **question.facts(scene, hours), advises=advises)
    names = f": {listed(sorted(counted))}" if chain.shows_senders(scene) else ""
    chain.tell(done, f"the players voted {words}{names}")
    if advises:
        seat = done.seats[question.whom] if question.whom else None
        together.add_task("voted", done.row, turn=turn, seat=seat, what=question.kind, hours=hours, words=words)
    else:
        _carry_out(done, turn, question, hours, f"the players voted for it{names}")
    return hours


def _carry_out(scene: GameContext, turn: TurnRow, question: Question, hours: int, reason: str) -> None:
    match question.kind:
        case "pause":
            pause_game(scene, reason, voted=True)
        case "resume":
            resume_game(scene, reason)
        case "extend":
            move_deadline(scene, turn, _extended(scene, turn, hours), reason)
        case "cancel":
            cancel_game(scene, reason)
        case "replace":
            lose(scene, scene.seats[question.whom], "left", reason, "voted")
            scene.append_journal("voted out", turn=turn, seat=scene.seats[question.whom])
            have_bot_stand_in(scene, question.whom)
            scene.mail("seat vacant", turn, whom=question.whom, reason=reason)
            if turn.state == "waiting":
                scene.act.schedule_job("close turn", f"turn {turn.id} close", scene.at, scene.row, turn=turn.id)


# What is told


def _answer(scene: GameContext, question: Question, carried: int | None = None) -> VoteRecord:
    """How a question stands now; ``carried``: with how many hours, where it was."""
    now = GameContext(scene.act, scene.tx.get(GameRow, scene.row.id), scene.seat.power if scene.seat else "")
    record = _record(now, now.turn(), question, _ballots(now).get(question, Ballot()))
    if carried is None:
        return record
    return msgspec.structs.replace(record, carried=True, hours=carried, words=question.words(now, carried))


def _record(
    scene: GameContext, turn: TurnRow, question: Question, ballot: Ballot, gone: Set[str] | None = None
) -> VoteRecord:
    voters = _voters(scene, turn, question, ballot, gone)
    counted = {power: hours for power, hours in ballot.votes.items() if power in voters}
    own = next((power for power in scene.own if power in voters), "")
    hours = counted.get(own, max(counted.values(), default=ballot.hours))
    return VoteRecord(
        kind=question.kind,
        whom=question.whom,
        hours=hours,
        words=question.words(scene, hours),
        votes=len(counted),
        needed=_needed(scene, question, len(voters)) if _tells_gone(scene) else None,
        voters=tuple(sorted(counted)) if chain.shows_senders(scene) else None,
        mine=own in counted,
        may=bool(own),
        begun=ballot.begun,
        reason=ballot.reason,
        ends=moment(turn.deadline) if scene.row.state == "running" and turn.deadline > scene.at else None,
        advises=scene.settings.coordinated,
    )
