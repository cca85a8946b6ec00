"""The office's settings: from the environment (``LEGATION_...``), a file ``office.toml`` in its folder, or given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from legation.office.errors import Unfit

FILE = "office.toml"


class Settings(BaseSettings):
    """How this office is run.

    Addresses are of the web counter and of mail; ``database``, ``keeper`` and ``files`` are URLs, empty for the folder.
    """

    model_config = SettingsConfigDict(env_prefix="LEGATION_", extra="forbid")

    name: str = "Legation"
    address: str = ""  # of the pages, with scheme; serve fills it in
    database: str = ""
    keeper: str = ""
    keeper_token: str = Field(default="", repr=False)
    files: str = ""
    variants: str = (
        ""  # a folder (from the office's) with variants, boards and rules of its own, trusted as programs are
    )
    cabinet_key: str = Field(default="", pattern=r"^([0-9a-f]{64})?$", repr=False)  # shared by machines of one office
    settling: int = Field(default=2, ge=0, le=60)  # seconds between a deadline and the opening of the seals
    mail_from: str = "office@localhost"
    orders_address: str = "orders@localhost"
    operator_address: str = ""
    open_to_all: bool = True  # anybody may make games
    most_games: int = Field(default=50, ge=1)  # running at once, that one person may coordinate
    most_versions: int = Field(default=200, ge=1)  # of one power in one turn
    largest_sheet: int = Field(default=60_000, ge=1000)  # characters
    largest_file: int = Field(default=25_000_000, ge=1000)  # bytes
    most_files: int = Field(default=12, ge=1)
    smtp: str = ""  # smtp://user:password@host:port of the relay that mail goes out by
    mail: dict[str, Any] = {}  # the mail counter's own settings
    web: dict[str, Any] = {}  # the web counter's own settings

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


def read_settings(folder: Path | None = None, **given: Any) -> Settings:
    """The settings of the office in a folder.

    :raises Unfit: with all that is wrong, each with its place.
    """
    from pydantic import ValidationError

    class Here(Settings):
        """The settings, with this folder's file."""

        model_config = SettingsConfigDict(
            env_prefix="LEGATION_", extra="forbid", toml_file=folder / FILE if folder else None
        )

    try:
        return Settings.model_construct(**dict(Here(**given)))
    except ValidationError as error:
        faults = [f"{'.'.join(str(part) for part in e['loc'])}: {e['msg']}" for e in error.errors()]
        raise Unfit("The office's settings cannot be used: " + "; ".join(faults), faults=faults) from None
    except (OSError, ValueError) as error:
        raise Unfit(f"{FILE} cannot be read: {error}", faults=[str(error)]) from None
