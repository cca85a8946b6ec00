"""Upgrading: the tables of a database are brought to this version's, from whichever version they are (Alembic)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from legation.office.store.store import Store

MIGRATIONS = str(files("legation.office.store") / "migrations")


def _configuration() -> Config:
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    config.set_main_option("version_path_separator", "os")
    return config


@cache
def _revisions() -> tuple[str, ...]:
    """The versions of the tables that this program knows, the newest first."""
    scripts = ScriptDirectory.from_config(_configuration())
    return tuple(revision.revision for revision in scripts.walk_revisions())


def version(store: Store) -> str | None:
    """The version of the tables of a database; None for an empty one."""
    with store.engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def newest() -> str:
    """The version of the tables that this program has."""
    return _revisions()[0]


def is_known(store: Store) -> bool:
    """Return whether the tables are of a version that this program knows: not of a newer one, or of a preview."""
    present = version(store)
    return present is None or present in _revisions()


def upgrade(store: Store, to: str = "head") -> None:
    """Make the tables, or bring them to this version."""
    if to != "head" or version(store) != newest():
        config = _configuration()
        config.attributes["engine"] = store.engine
        command.upgrade(config, to)
