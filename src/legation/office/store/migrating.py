"""Upgrading: the tables of a database are brought to this version's, from whichever version they are (Alembic)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from legation.office.store.store import Store


def configuration(store: Store) -> Config:
    """Alembic's settings for a store."""
    config = _folder_of_migrations()
    config.attributes["engine"] = store.engine
    return config


def _folder_of_migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", str(files("legation.office.store") / "migrations"))
    config.set_main_option("version_path_separator", "os")
    return config


@cache
def _revisions() -> tuple[str, ...]:
    """The versions of the tables that this program knows, the newest first."""
    scripts = ScriptDirectory.from_config(_folder_of_migrations())
    return tuple(revision.revision for revision in scripts.walk_revisions())


def version(store: Store) -> str | None:
    """The version of the tables of a database; None for an empty one."""
    with store.engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def newest() -> str:
    """The version of the tables that this program has."""
    return _revisions()[0]


def is_known(store: Store) -> bool:
    """Return whether the tables are of a version that this program knows: not of a newer one."""
    present = version(store)
    return present is None or present in _revisions()


def upgrade(store: Store, to: str = "head") -> None:
    """Make the tables, or bring them to this version."""
    if to != "head" or version(store) != newest():
        command.upgrade(configuration(store), to)
