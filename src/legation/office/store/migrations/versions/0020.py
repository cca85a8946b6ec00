"""Key the catalog's packages by their own digest: packages with the same rules may differ otherwise."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Add column ``catalog.package``, and rename ``catalog_packages.address`` to ``digest``. Packages that are kept
    already stay under the address of their rules."""
    with op.batch_alter_table("catalog") as table:
        table.add_column(sa.Column("package", sa.Text(), nullable=False, server_default=""))
        table.create_index("catalog_by_package", ["package"])
    op.execute("UPDATE catalog SET package = address")
    with op.batch_alter_table("catalog_packages") as table:
        table.drop_constraint("catalog_packages_one_address", type_="unique")
        table.alter_column("address", new_column_name="digest")
    with op.batch_alter_table("catalog_packages") as table:
        table.create_unique_constraint("catalog_packages_one_digest", ["digest"])
