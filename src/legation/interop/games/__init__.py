"""Games of other systems: read into a record of phases, judged again here, and written in their formats."""

from legation.interop.games.formats import READERS, WRITERS, export_game, read_games
from legation.interop.games.judging import JudgedRecord, judge_again, judge_as_recorded, judged_text
from legation.interop.games.record import RecordedGame, RecordedPhase

__all__ = [
    "READERS",
    "WRITERS",
    "JudgedRecord",
    "RecordedGame",
    "RecordedPhase",
    "export_game",
    "judge_again",
    "judge_as_recorded",
    "judged_text",
    "read_games",
]
