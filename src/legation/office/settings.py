"""The office's settings: from the environment (``LEGATION_...``), a file ``office.toml`` in its folder, or given."""

import os
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from legation.office.errors import InvalidInputError

FILE = "office.toml"
OTHERS = frozenset(["LEGATION_FOLDER", "LEGATION_TOKEN"])  # variables of other commands, which are no settings


class Settings(BaseSettings):
    """Settings of an office; ``database``, ``keeper`` and ``files`` are URLs, empty for the folder."""

    model_config = SettingsConfigDict(env_prefix="LEGATION_", extra="forbid")

    name: str = "Legation"
    address: str = ""  # of the pages, with scheme; serve fills it in
    database: str = ""
    keeper: str = ""
    keeper_token: str = Field(default="", repr=False)
    files: str = ""
    variants: str = ""  # a folder (from the office's) of its own variants, boards and rules, trusted as programs are
    cabinet_key: str = Field(default="", pattern=r"^([0-9a-f]{64})?$", repr=False)  # shared by machines of one office
    settling: int = Field(default=2, ge=0, le=60)  # seconds in which what came by a deadline is filed; then it closes
    after_outage: int = Field(default=600, ge=0, le=86_400)  # seconds for mail in time, after a deadline with none here
    mail_from: str = "office@localhost"
    orders_address: str = "orders@localhost"
    operator_address: str = ""
    open_to_all: bool = True  # anybody may make games
    most_games: int = Field(default=50, ge=1)  # running at once, that one person may coordinate
    most_versions: int = Field(default=200, ge=1)  # of one power in one turn
    largest_sheet: int = Field(default=60_000, ge=1000)  # characters
    largest_file: int = Field(default=25_000_000, ge=1000)  # bytes
    most_files: int = Field(default=12, ge=1)
    trusted_proxies: list[str] = ["127.0.0.1", "::1"]  # whose X-Forwarded-For is believed: addresses, networks
    watch_token: str = Field(default="", pattern=r"^(\S{20,})?$", repr=False)  # for /metrics and the whole of /ready
    leaderboards: bool = True  # lists of rated players who want to be in them
    push: bool = True  # notifications to browsers (web push)
    bridges: bool = True  # webhooks and channels of chat services
    smtp: str = ""  # smtp://user:password@host:port of the relay that mail goes out by
    mail: dict[str, Any] = {}  # the mail service's own settings
    web: dict[str, Any] = {}  # the web pages' own settings

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


READ_BY_TESTS = frozenset({"LEGATION_GAMES", "LEGATION_INTEROP"})
"""Folders of files to test against; an office that a test starts has them in its environment, too."""


def refuse_unknown_variables(environment: Mapping[str, str] = os.environ) -> None:
    """Refuse environment variables for the office that nothing reads (InvalidInputError, with what was meant)."""
    known = {f"LEGATION_{name.upper()}" for name in Settings.model_fields} | OTHERS
    unknown = sorted(name for name in environment if name.startswith("LEGATION_") and name not in known | READ_BY_TESTS)
    if unknown:
        faults = [_nothing_reads(name, known) for name in unknown]
        raise InvalidInputError("The environment cannot be used: " + "; ".join(faults), faults=faults)


def read_settings(folder: Path | None = None, **given: Any) -> Settings:
    """The settings of the office in a folder. Raises InvalidInputError with all that is wrong, each with its place."""

    class FolderSettings(Settings):
        """The settings, with this folder's file."""

        model_config = SettingsConfigDict(
            env_prefix="LEGATION_", extra="forbid", toml_file=folder / FILE if folder else None
        )

    try:
        return Settings.model_construct(**dict(FolderSettings(**given)))
    except ValidationError as error:
        faults = []
        for told in error.errors():
            place = ".".join(map(str, told["loc"]))
            unknown = told["type"] == "extra_forbidden"
            faults.append(_nothing_reads(place, Settings.model_fields) if unknown else f"{place}: {told['msg']}")
        raise InvalidInputError("The office's settings cannot be used: " + "; ".join(faults), faults=faults) from None
    except (OSError, ValueError) as error:
        fault = f"{FILE} cannot be read: {error}"
        raise InvalidInputError(fault, faults=[fault]) from None


def _nothing_reads(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), 1)
    return f"{name}: there is no such setting" + (f"; did you mean {near[0]}?" if near else "")
