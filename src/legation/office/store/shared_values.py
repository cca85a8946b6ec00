"""Data that the processes of one office share beside its records: counts, documents, and what one of them makes for
all. Everything here may be forgotten: each row says until when it is kept.

Names are kept as keyed digests, because there are addresses in some. Contents are locked by whoever gives them."""

import time
from collections.abc import Callable
from datetime import datetime

from legation.office.store import queries
from legation.office.store.rows import SharedRow
from legation.office.store.store import Store
from legation.office.store.transaction import DuplicateRowError, Transaction

LEASE = 60  # seconds that one process has for what it makes for all
LOOK = 0.25  # seconds between two looks at whether it is made


class Shared:
    """The table ``shared``. ``digest`` makes the keyed digest of a name (hexadecimal), ``now`` tells the time."""

    def __init__(self, store: Store, digest: Callable[[str], str], now: Callable[[], datetime]) -> None:
        self.store = store
        self._digest = digest
        self._now = now

    def _at(self, later: float = 0) -> int:
        return int((self._now().timestamp() + later) * 1_000_000)

    def take(self, what: str, number: int, most: int, seconds: float) -> bool:
        """Count; False, and nothing is counted, beyond ``most`` in the last seconds (by two windows' parts)."""
        window, passed = divmod(self._now().timestamp(), seconds)
        present, before = (self._digest(f"{what} {seconds} {int(window) - ago}") for ago in (0, 1))
        with self.store.transaction() as tx:
            count, last = self._add(tx, number, 2 * seconds, present, before)
            fits = count + last * (1 - passed / seconds) <= most
            if not fits:
                self._add(tx, -number, 2 * seconds, present)
        return fits

    def count(self, what: str, number: int, seconds: float) -> int:
        """Add to a count, which is kept for so many seconds from its first time, and return it."""
        with self.store.transaction() as tx:
            return self._add(tx, number, seconds, self._digest(what))[0]

    def _add(self, tx: Transaction, number: int, seconds: float, *names: str) -> list[int]:
        """Add to the count of the first of these names, and return those of all."""
        row = SharedRow(kind="count", name=names[0], until=self._at(seconds), number=number)
        tx.put(row, "name", added=("number",))
        counts = {row.name: row.number for row in tx.all(SharedRow, name=names)}
        return [counts.get(name, 0) for name in names]

    def put(self, kind: str, name: str, content: bytes, seconds: float, room: int = 0) -> None:
        """Keep a document in place of that of this name. ``room``: bytes for its kind; those unasked for longest go."""
        name, until = self._digest(f"{kind} {name}"), self._at(seconds)
        with self.store.transaction() as tx:
            row = SharedRow(kind=kind, name=name, content=content, number=len(content), until=until)
            tx.put(row, "name", ("content", "number", "until"))
            if room:
                queries.make_room(tx, kind, room)

    def get(self, kind: str, name: str, seconds: float = 0) -> bytes | None:
        """A document, which is kept for at least so many seconds from now; None where it isn't kept."""
        with self.store.transaction(write=False) as tx:
            row = tx.find(SharedRow, name=self._digest(f"{kind} {name}"))
        if row is None or row.until < self._at():
            return None
        if seconds and row.until < self._at(seconds * 0.9):  # not at each look
            with self.store.transaction() as tx:
                tx.change_where(SharedRow, {"until": self._at(seconds)}, id=row.id)
        return row.content

    def once(self, kind: str, name: str, make: Callable[[], bytes], seconds: float, lease: float = LEASE) -> bytes:
        """Return what ``make`` gives, made by one process for all; after ``lease`` seconds another takes over."""
        name = self._digest(f"{kind} {name}")
        while True:
            with self.store.apart() as tx:  # what is open in this thread may not see what another has made since
                row = tx.find(SharedRow, name=name)
            if row is not None and row.content and row.until >= self._at():
                return row.content
            if (row is None or row.until < self._at()) and self._claim(kind, name, row, lease):
                break
            time.sleep(LOOK)  # another makes it; if it dies, its lease ends
        try:
            content = make()
        except BaseException:
            with self.store.transaction() as tx:
                tx.remove(SharedRow, name=name)
            raise
        with self.store.transaction() as tx:
            values = {"content": content, "number": len(content), "until": self._at(seconds)}
            tx.change_where(SharedRow, values, name=name)
        return content

    def lease(self, kind: str, name: str, seconds: float) -> bool:
        """Take for so many seconds what one may have at a time; False while another has it."""
        name = self._digest(f"{kind} {name}")
        with self.store.transaction(write=False) as tx:
            row = tx.find(SharedRow, name=name)
        return (row is None or row.until < self._at()) and self._claim(kind, name, row, seconds)

    def _claim(self, kind: str, name: str, row: SharedRow | None, lease: float) -> bool:
        with self.store.transaction() as tx:
            if row is not None:  # the lease of another ended, or what it made is too old
                values = {"until": self._at(lease), "content": b""}
                return tx.change_where(SharedRow, values, id=row.id, until=row.until) == 1
            try:
                tx.add(SharedRow(kind=kind, name=name, until=self._at(lease)))
            except DuplicateRowError:
                return False
        return True
