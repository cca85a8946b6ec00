"""What the commands of ``legation variant`` do."""

import shutil
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from legation.cli.app import variant_group
from legation.cli.terminal import fail, faults_as_lines, known_variants, load_variant, say, variant_name, write_file
from legation.formats import read_toml
from legation.game.report import count
from legation.variants import STANDARD, Registry, variant_files
from legation.variants.comparing import compare_variants
from legation.variants.packages import (
    SUFFIX,
    About,
    Package,
    PackageError,
    collect,
    install,
    read_package,
    write_package,
)

LARGEST = 64 * 1024 * 1024  # bytes of a package


@variant_group.command(epilog="Example: legation variant new mine --from standard -o variants")
def new(
    name: Annotated[str, typer.Argument(help="The new variant's name in lower case; also the name of its file.")],
    source: Annotated[
        str, typer.Option("--from", metavar="VARIANT", help="The variant to copy; standard by default.")
    ] = "",
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder of variants.")] = Path("variants"),
    board: Annotated[bool, typer.Option("--board", help="Also copy the board, to change it.")] = False,
) -> None:
    """Create a variant from another: copy its file, and with --board its board."""
    source = source or STANDARD
    if not name.replace("-", "").isalnum() or name != name.lower():
        fail(f"{name!r}: a name has lower-case letters, digits and hyphens, as in 'long-year'")
    known = known_variants()
    of = known.name(source) if not source.endswith(".toml") else variant_name(source)
    text = known.file_of(of).read_text(encoding="utf-8")
    folder = known.folder_of(of)
    assert isinstance(folder, Path)  # as there is a file
    file = output / f"{name}.toml"
    if name in known.names():
        fail(f"a variant {name!r} already exists")
    if file.exists() or (board and (output / name).exists()):
        fail(f"{file if file.exists() else output / name} is there already")
    output.mkdir(parents=True, exist_ok=True)
    write_file(file, _renamed(text, name, of, board=name if board else "").encode())
    if board:
        shutil.copytree(folder, output / name, ignore=shutil.ignore_patterns("__pycache__"))
    say(f"{file}: created from {of}. Check it: legation lint {file}. Play it: legation play {file}")


def _renamed(text: str, name: str, of: str, board: str) -> str:
    """The text of a variant's file for a new one: what names the old one is left out or changed, all else stays."""
    lines = []
    head = True
    for line in text.splitlines():
        key = line.partition("=")[0].strip()
        head = head and not line.startswith("[")
        if head and key == "name":
            continue
        if head and key == "title":
            line = f'title = "{read_toml(line)["title"]}, changed"'
        if head and key == "board" and board:
            line = f'board = "{board}"'
        lines.append(line)
    return f"# Begun from {of}.\n" + "\n".join(lines) + "\n"


@variant_group.command(epilog="Example: legation variant pack variants/mine.toml --license CC-BY-4.0")
def pack(
    source: Annotated[str, typer.Argument(metavar="VARIANT|FILE", help="A variant's name, or its file.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="[default: NAME.legation]")] = None,
    version: Annotated[str, typer.Option(help="The version, as in 1.2.")] = "1.0",
    license: Annotated[str, typer.Option(help="Its license, as in CC-BY-4.0.")] = "",
    authors: Annotated[str, typer.Option(help="Its authors.")] = "",
    origin: Annotated[str, typer.Option("--source", help="Its source: a book, a club, an address.")] = "",
    notes: Annotated[str, typer.Option(help="What's new in this version.")] = "",
) -> None:
    """Pack a variant with its board and rules into one file."""
    said = {"version": version, "license": license, "authors": authors, "source": origin, "notes": notes}
    rules = load_variant(source)
    files = collect(known_variants(), rules.name)
    about = msgspec.structs.replace(about_variant(known_variants(), rules.name), **said)
    content = write_package(about, files)
    path = output or Path(f"{rules.name}{SUFFIX}")
    write_file(path, content)
    say(f"{path}: {rules.title} {said['version']}, {count(len(files), 'file')}, {len(content):,} bytes")


def about_variant(registry: Registry, name: str) -> About:
    """What a package of a variant says of itself, as far as the variant does.

    :raises VariantError: for a variant that cannot be read."""
    rules = registry.load(name)
    return About(name=rules.name, title=rules.title, credits=rules.board.credits)


@variant_group.command("install", epilog="Example: legation variant install mine.legation -o variants")
def install_(
    path: Annotated[
        Path, typer.Argument(metavar="FILE|FOLDER", help="A package, a variant file, or a folder with one variant.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder of variants.")] = Path("variants"),
    replace: Annotated[bool, typer.Option("--replace", help="Replace an earlier version.")] = False,
    trust: Annotated[bool, typer.Option("--trust", help="Allow rules in Python, which are run.")] = False,
) -> None:
    """Install a package into a folder of variants, if all of it can be used."""
    with faults_as_lines(PackageError, of=path):
        package = package_of(path)
        names = install(package, output, replace=replace, trust=trust)
    about = package.about
    license = f", {about.license}" if about.license else ""
    say(f"{output}: {about.title or about.name} {about.version}{license}: {', '.join(names)}")
    say(f"Use it: legation --variants {output} rules {names[0]}")


def package_of(path: Path) -> Package:
    """A package: as it is, or made of a variant file, or of a folder that holds one variant.

    :raises PackageError: for what is none."""
    if path.is_file() and path.suffix != ".toml":
        return read_package(_content(path))
    files = variant_files(path) if path.is_dir() else [path]
    if len(files) != 1:
        fail(f"{path}: holds {len(files)} variant files; pack the one you mean with 'legation variant pack'")
    registry = known_variants()
    name = registry.add_file(files[0])
    return Package(about_variant(registry, name), collect(registry, name))


def _content(path: Path) -> bytes:
    if path.stat().st_size > LARGEST:
        fail(f"{path}: larger than {LARGEST // 1024 // 1024} MB")
    return path.read_bytes()


@variant_group.command(epilog="Example: legation variant diff standard variants/mine.toml -o changed.svg")
def diff(
    before: Annotated[str, typer.Argument(metavar="VARIANT|FILE", help="The old variant.")],
    after: Annotated[str, typer.Argument(metavar="VARIANT|FILE", help="The new variant.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A map with the changes: .svg, .png, .pdf.")
    ] = None,
) -> None:
    """List the differences between two variants, and draw them on the map of the second."""
    one, other = load_variant(before), load_variant(after)
    found = compare_variants(one, other)
    about = ""
    for difference in found:
        if difference.about != about:
            about = difference.about
            say(f"{about.capitalize()}:")
        say(f"  {difference.text}")
    if not found:
        say(f"{one.name} and {other.name} are played alike.")
    if output is not None:
        from legation.cli.drawing import draw_marked

        draw_marked(other, output, {p for d in found for p in d.provinces if p in other.board.provinces})
        say(f"{output}: {other.title}, with what has changed")
