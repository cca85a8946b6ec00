"""The command line's groups, and what their commands share.

Each command is declared at the function that carries it out, in a module that is imported when the command is named."""

import os
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command_from_info, get_command_name
from typer.models import CommandInfo

from legation.cli.help_pages import first_lines

MODULES = {
    "legation": (
        ("lists", "variants"),
        ("rulebook", "rules"),
        ("lists", "moves"),
        ("judging", "adjudicate"),
        ("positions", "position"),
        ("judging", "orders replay"),
        ("analyzing", "analyze"),
        ("scoring", "score standings"),
        ("importing", "import export"),
        ("verifying", "verify compare"),
        ("hotseat", "play"),
        ("checking", "check"),
        ("linting", "lint"),
        ("conformance", "conformance"),
        ("drawing", "map site"),
        ("serving", "serve worker keeper backup restore doctor"),
        ("programs", "mcp daide"),
    ),
    "catalog": (("office.catalog", "add list show remove proposals take refuse save"),),
    "lab": (("lab", "play compare game report"), ("dataset", "dataset"), ("lab", "balance train compile puzzles")),
    "office": (
        ("office.games", "person readdress games create show invite start bot replace vacate cancel settings"),
        ("office.games", "address share deputy roster"),
        ("office.turns", "votes vote ask"),
        ("office.desk", "submissions posted desk look choose transcribe decide accept correct photographs"),
        ("office.desk", "settle assign retry postbag name-page"),
        ("office.turns", "process preview publish take-back extend pause resume result journal"),
        ("office.papers", "calendar"),
        ("office.tournaments", "ratings tournaments tournament"),
        ("office.desk", "bridges reports"),
        ("office.papers", "print letters gazette"),
        ("office.rehearsing", "rehearse"),
        ("office.records", "verify proof heads export"),
        ("office.importing", "import"),
        ("office.records", "card leave renew-key move resume-all reopen reopen-all"),
    ),
    "variant": (("variant", "new pack install diff"),),
}
"""Each group's commands in the order of the help, with the modules that declare them."""


class CommandGroup(TyperGroup):
    """Commands that are imported when they are named."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.modules = {name: module for module, names in MODULES[self.name or ""] for name in names.split()}

    # Typer's contexts and commands are of private modules, so ``Any`` stands for them.
    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names in the order of the help."""
        return list({**self.modules, **self.commands})

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command by its name, or None."""
        if cmd_name in self.modules and cmd_name not in self.commands:
            import_module(f"legation.cli.{self.modules[cmd_name]}")
            infos = {command_name(info): info for info in GROUPS[self.name or ""].registered_commands}
            if cmd_name in infos:
                return get_command_from_info(infos[cmd_name], pretty_exceptions_short=False, rich_markup_mode=None)
        if cmd_name not in self.commands:
            self._shorten()  # Typer suggests some of these
        return self.commands.get(cmd_name)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; what is wrong with its input ends it with a line for each fault."""
        try:
            return super().invoke(ctx)
        except Exception as error:
            from legation.cli.terminal import fail, faults_of

            if faults := faults_of(error):
                fail(*faults)
            raise

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands."""
        self._shorten()
        super().format_commands(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Complete a command's name."""
        self._shorten()
        return super().shell_complete(ctx, incomplete)

    def _shorten(self) -> None:
        """Leave only the kept first lines of commands that aren't loaded, as what they need may not be installed."""
        kept = first_lines(self.name or "")
        self.commands = {**{name: TyperCommand(name, help=said) for name, said in kept.items()}, **self.commands}
        self.modules = {}


def command_name(info: CommandInfo) -> str:
    """Return the name that a declared command has, given or of its function."""
    return info.name or get_command_name(info.callback.__name__ if info.callback else "")


class OfficeGroup(CommandGroup):
    """The commands of ``legation office``; its own options may also stand behind a command. Whatever else the
    office can be asked has the name that it has in the API, ``games.position``."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command by its name, made from the office's declaration where it has none of its own."""
        if "." in cmd_name and cmd_name not in self.modules:
            import_module("legation.cli.office.declared").declare(cmd_name)
            self.modules[cmd_name] = "office.declared"
        return super().get_command(ctx, cmd_name)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Move the group's own options to the front."""
        own: list[str] = []
        rest: list[str] = []
        words = iter(args)
        for word in words:
            if word == "--":
                rest += [word, *words]
            elif word in ("--as", "--folder", "-C"):
                own += [word, *(value for value in (next(words, None),) if value is not None)]
            elif word.startswith(("--as=", "--folder=")):
                own.append(word)
            else:
                rest.append(word)
        return super().parse_args(ctx, own + rest)


def _group(name: str, help_: str, cls: type[CommandGroup] = CommandGroup) -> typer.Typer:
    return typer.Typer(
        name=name,
        cls=cls,
        help=help_,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


app = _group("legation", "Run games of Diplomacy and its variants.")
catalog_group = _group("catalog", "Manage an office's catalog of variants and proposals.")
lab_group = _group("lab", "Play games between bots, and measure balance.")
office_group = _group(
    "office",
    "Manage an office's people and games.\n\nAll else that the API can do goes by its name there, such as "
    "'games.position'.",
    OfficeGroup,
)
variant_group = _group("variant", "Create, pack, install and compare variants.")
GROUPS = {"legation": app, "catalog": catalog_group, "lab": lab_group, "office": office_group, "variant": variant_group}
for group in (catalog_group, lab_group, office_group, variant_group):
    app.add_typer(group)

Variant = Annotated[
    str,
    typer.Argument(metavar="VARIANT", help="A variant's name (see 'legation variants') or the path of a variant file."),
]
PlaceNames = Annotated[
    Literal["full", "short"],
    typer.Option(case_sensitive=False, help="In reports: full names of places, or abbreviations."),
]
Source = Annotated[
    str,
    typer.Argument(
        metavar="VARIANT|FILE",
        help="A variant (its opening), a position, an answer (the position after it), or a saved game.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Choices = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=READING", help="An option of the game; repeat it for more."),
]
OfficeFolder = Annotated[Path, typer.Option("--folder", "-C", envvar="LEGATION_FOLDER", help="The office's folder.")]
Game = Annotated[str, typer.Argument(metavar="GAME", help="A game's name or key.")]
PowerName = Annotated[str, typer.Argument(metavar="POWER", help="A power, by any of its names.")]
Reason = Annotated[str, typer.Argument(metavar="REASON", help="Why; all players read it.")]
Note = Annotated[str, typer.Argument(metavar="NOTE", help="A few words, for the record.")]
TurnName = Annotated[
    str, typer.Argument(metavar="TURN", help="A turn's number, name or key; 'last' is the last with results.")
]


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    variants: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="PATH",
            envvar="LEGATION_VARIANTS",
            help="A variant file, or a folder of variants, boards and rules, to use by name; repeat it for more.",
        ),
    ] = None,
) -> None:
    """Run games of Diplomacy and its variants."""
    if version:
        from legation import __version__

        typer.echo(f"legation {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        context.fail("name a command")
    if variants:
        from legation.cli.terminal import make_known

        for path in variants:
            make_known(path)
        source = context.get_parameter_source("variants")
        if source and source.name == "COMMANDLINE" and context.invoked_subcommand in OF_AN_OFFICE:
            _give_to_office(variants)


OF_AN_OFFICE = ("serve", "worker", "restore", "doctor", "office", "catalog")


def _give_to_office(paths: list[Path]) -> None:
    """Have the office of this command play the variants of a folder, as its setting ``variants`` does."""
    from legation.cli.terminal import fail

    if len(paths) > 1 or not paths[0].is_dir():
        fail("an office uses one folder of variants: give --variants once, with a folder")
    os.environ["LEGATION_VARIANTS"] = str(paths[0].absolute())


@catalog_group.callback()
def catalog_root(context: typer.Context, folder: OfficeFolder = Path("office")) -> None:
    """The variants of an office."""
    context.obj = (folder, "")


@office_group.callback()
def office_root(
    context: typer.Context,
    folder: OfficeFolder = Path("office"),
    acting: Annotated[
        str, typer.Option("--as", metavar="EMAIL", help="Act as this person instead of the operator.")
    ] = "",
) -> None:
    """The coordinator at a terminal."""
    context.obj = (folder, acting)
