"""Add table ``browsers``: browsers that get notifications."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0014"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add table ``browsers``."""
    op.create_table(
        "browsers",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("session", sa.BigInteger(), nullable=True),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("last_sent", sa.BigInteger(), nullable=True),
        sa.Column("failures", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest", name="browsers_one_digest"),
    )
    op.create_index("browsers_by_person", "browsers", ["person"])
