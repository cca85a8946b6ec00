"""A whole database into another: for backups (into a SQLite file, while the office runs), for restoring them, and for
moving from SQLite to PostgreSQL."""

from __future__ import annotations

import sqlalchemy as sa

from legation.office.errors import ConflictError
from legation.office.store.migrating import version
from legation.office.store.store import Store
from legation.office.store.tables import TABLES, metadata

AT_ONCE = 500  # rows


def copy(source: Store, target: Store) -> int:
    """Copy all rows as they are at one moment; the answer is how many. The target has been opened (its tables are
    there) and is empty.

    :raises ConflictError: when it is not, or is of another version.
    """
    if version(source) != version(target):
        raise ConflictError("The two databases are of different versions; open the older one with this version first.")
    copied = 0
    with source.engine.connect() as reader, target.transaction() as tx:
        if source.sqlite:
            reader.exec_driver_sql("BEGIN")
        else:
            reader = reader.execution_options(isolation_level="REPEATABLE READ")
        if any(tx.count(kind) for kind in TABLES):
            raise ConflictError("The destination isn't empty.")
        for table in metadata.sorted_tables:
            for part in (
                reader.execution_options(yield_per=AT_ONCE)
                .execute(sa.select(table).order_by(table.c.id))
                .mappings()
                .partitions()
            ):
                tx.connection.execute(sa.insert(table), [dict(row) for row in part])
                copied += len(part)
            if tx.connection.dialect.name == "postgresql":
                top = f"(SELECT COALESCE(MAX(id), 0) + 1 FROM {table.name})"
                tx.connection.exec_driver_sql(
                    f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), {top}, false)"
                )
    return copied
