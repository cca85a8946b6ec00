"""Add table ``shared``: what the processes of an office share and may lose."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0010"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Counts, documents of the sandbox, and maps while their mails leave."""
    op.create_table(
        "shared",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name", name="shared_one_name"),
    )
    op.create_index("shared_by_until", "shared", ["until"])
    op.create_index("shared_by_kind_until", "shared", ["kind", "until"])
