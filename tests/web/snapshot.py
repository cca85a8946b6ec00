"""What an office has on disk, to see whether anything was written, and to put it back."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


class Snapshot:
    """What an office has on disk: the database as it is, the files and the keys."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.marks = self.marks_now()
        with closing(sqlite3.connect(folder / "office.db")) as database:
            self.database = database.serialize()
        self.files = {path: path.read_bytes() for path in self.files_now()}

    def files_now(self) -> list[Path]:
        """The files and the keys."""
        return [path for room in ("files", "keys") for path in (self.folder / room).rglob("*") if path.is_file()]

    def marks_now(self) -> dict[Path, tuple[int, int]]:
        """How big and how old each file is: where that is as it was, nothing need be read again."""
        database = [self.folder / name for name in ("office.db", "office.db-wal")]  # readers write office.db-shm, too
        paths = [*filter(Path.exists, database), *self.files_now()]
        return {path: ((stat := path.stat()).st_size, stat.st_mtime_ns) for path in paths}

    def again(self) -> Snapshot:
        """What is on disk now; this same snapshot if nothing has changed."""
        if self.marks_now() == self.marks:
            return self
        now = Snapshot(self.folder)
        if now != self:
            return now
        self.marks = now.marks
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Snapshot) and (self.database, self.files) == (other.database, other.files)

    def restore(self) -> None:
        """Put it all back; no connection may be open."""
        (self.folder / "office.db").write_bytes(self.database)
        for rest in ("office.db-wal", "office.db-shm"):
            (self.folder / rest).unlink(missing_ok=True)
        for path in self.files_now():
            if path not in self.files:
                path.unlink()
        for path, content in self.files.items():
            if not path.is_file() or path.read_bytes() != content:
                path.write_bytes(content)

    def told(self, other: Snapshot) -> str:
        """In which tables two differ, and which files."""
        with closing(sqlite3.connect(":memory:")) as one, closing(sqlite3.connect(":memory:")) as two:
            for database, snapshot in ((one, self), (two, other)):
                database.deserialize(snapshot.database[:18] + b"\1\1" + snapshot.database[20:])  # without a log
            tables = [name for (name,) in one.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            query = "SELECT * FROM {}"
            changed = [t for t in tables if list(one.execute(query.format(t))) != list(two.execute(query.format(t)))]
        return f"{changed}, {sorted(str(p) for p in self.files.keys() ^ other.files.keys())}"
