"""A later version of the tables, for tests of upgrades: there is one version only until the first release is out."""

import shutil
from pathlib import Path

import pytest

from legation.office.store import migrating

LATER = "later"
MIGRATION = f'''"""Deadlines may be missing."""

import sqlalchemy as sa
from alembic import op

revision = "{LATER}"
down_revision = "{migrating.newest()}"


def upgrade() -> None:
    """SQLite makes the table anew for that, at whose rows others point."""
    with op.batch_alter_table("turns") as table:
        table.alter_column("deadline", existing_type=sa.BigInteger(), nullable=True)
'''


def release(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Have the program know a later version, from now on."""
    migrations = folder / "migrations"
    shutil.copytree(migrating.MIGRATIONS, migrations, ignore=shutil.ignore_patterns("__pycache__"))
    (migrations / "versions" / f"{LATER}.py").write_text(MIGRATION, encoding="utf-8")
    patch.setattr(migrating, "MIGRATIONS", str(migrations))
    migrating._revisions.cache_clear()
    patch.setattr(migrating, "_revisions", migrating._revisions.__wrapped__)
