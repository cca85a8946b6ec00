"""The first version that is released. A new database has the tables of the rows (:mod:`legation.office.store.rows`); a
later version changes those of an older one here."""

revision = "0105"
down_revision = None


def upgrade() -> None:
    """Nothing: no older database is read."""
