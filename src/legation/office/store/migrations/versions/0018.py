"""Add tables ``catalog``, ``catalog_packages`` and ``ratings``: the catalog of variants."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add tables ``catalog``, ``catalog_packages`` and ``ratings``."""
    op.create_table(
        "catalog",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("facts", sa.LargeBinary(), nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=True),
        sa.Column("made", sa.BigInteger(), nullable=False),
        sa.Column("decided", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("catalog_by_state_name", "catalog", ["state", "name"])
    op.create_index("catalog_by_name", "catalog", ["name"])
    op.create_index("catalog_by_address", "catalog", ["address"])
    op.create_index("catalog_by_person", "catalog", ["person"])
    op.create_table(
        "catalog_packages",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("rules", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("address", name="catalog_packages_one_address"),
    )
    op.create_table(
        "ratings",
        sa.Column("id", ID, autoincrement=True, nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("stars", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("person", "variant", name="ratings_one_person_variant"),
    )
    op.create_index("ratings_by_variant", "ratings", ["variant"])
