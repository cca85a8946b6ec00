"""Choice of the version of each power's sheet that counts, once the seals are open."""

from __future__ import annotations

import msgspec

from legation.office.store.packing import unpack
from legation.office.store.rows import TurnRow


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """Sheet of a power that counts in a turn, once the seals are open. ``told``: the text of a transcription as it was
    published last, None before that; ``before``: what it was in the results that were corrected; ``reason``: why it was
    corrected last; ``chosen``: why this version counts, where the coordinator chose it. ``copies``: digests of
    photographs of the opened letter, which no commitment names."""

    submission: int = 0
    text: str = ""
    salt: str = ""
    commitment: str = ""
    version: int = 0
    channel: str = ""
    received: int = 0
    files: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    transcribed: bool = False
    corrected: bool = False
    missing: bool = True
    entered_by: str = "holder"
    told: str | None = None
    before: str = ""
    reason: str = ""
    chosen: str = ""
    carried: tuple[str, ...] = ()  # orders given ahead that came to count


READINGS = ("transcribe", "confirm", "decide")
"""Things on the desk by which the text of a sheet is settled, once it is known which version counts."""


def chosen_sheets(turn: TurnRow) -> dict[str, Chosen]:
    """The chosen sheets of a turn by power."""
    return msgspec.convert(unpack(turn.sheets), dict[str, Chosen])
