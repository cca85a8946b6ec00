"""Add columns for orders ahead, which are sealed to the later turn's own key."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0012"

COLUMNS = (("turns", "ahead"), ("records", "sealed"), ("records", "reading"))


def upgrade() -> None:
    """Add the keys of a season's later turns, and what is sealed to them; what was sealed before stays as it is."""
    nothing = sa.text("X''" if op.get_bind().dialect.name == "sqlite" else "''")
    for table, name in COLUMNS:
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.add_column(sa.Column(name, sa.LargeBinary(), nullable=False, server_default=nothing))
