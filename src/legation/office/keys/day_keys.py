"""The keys of the outbox: what waits to be mailed is locked with a key of its day. When the day's mails are long sent,
the key is destroyed, so that nobody who finds an old copy of the database can read them, whatever other keys they have
(``docs/proofs.md``)."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

from legation.office.clock import RandomSource, moment
from legation.office.keys.keeper import lasting_secret

PREFIX = "outbox."
KEPT = timedelta(days=14)
"""How long a day's key is kept: a mail is tried for five days, and then waits on the desk to be tried again."""
NAME = re.compile(re.escape(PREFIX) + r"(\d{4}-\d\d-\d\d)")


class DayKeys:
    """One key (32 bytes) a day: a file, or derived (``derive``) where machines share the office's own key."""

    def __init__(self, folder: Path | None, random_source: RandomSource, derive: Callable[[bytes], bytes]) -> None:
        self._folder = folder
        self._random_source = random_source
        self._derive = derive

    def key(self, at: int) -> bytes:
        """The key of the day of a moment (microseconds); made if there is none."""
        day = moment(at).date().isoformat()
        if self._folder is None:
            return self._derive(day.encode())
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return lasting_secret(self._folder / f"{PREFIX}{day}", self._random_source)

    def find(self, at: int) -> bytes | None:
        """The key of the day of a moment; None where it is gone."""
        path = None if self._folder is None else self._folder / f"{PREFIX}{moment(at).date().isoformat()}"
        return self.key(at) if path is None or path.exists() else None

    def forget(self, at: int) -> None:
        """Destroy the keys of days that are over for :data:`KEPT`."""
        if self._folder is None:
            return
        oldest = moment(at).date() - KEPT
        for path in self._folder.glob(f"{PREFIX}*"):
            match = NAME.fullmatch(path.name)
            if match and date.fromisoformat(match[1]) < oldest:
                path.unlink(missing_ok=True)
