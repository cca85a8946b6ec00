"""Add the indexes that pages, mails and daily work need."""

from alembic import op

revision = "0009"
down_revision = "0008"

INDEXES = (
    ("games", ("deputy",)),
    ("mailings", ("game", "state")),
    ("mailings", ("address", "kind", "made")),
    ("journal", ("person",)),
    ("submissions", ("person",)),
    ("arrivals", ("person",)),
    ("desk", ("done", "game")),
)


def upgrade() -> None:
    """Each is named after its table and columns, as in :mod:`legation.office.store.tables`."""
    for table, columns in INDEXES:
        op.create_index(f"{table}_by_{'_'.join(columns)}", table, list(columns))
