"""What ``legation map`` and ``legation site`` do."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer

from legation.atlas import Atlas, NoMapError, for_variant, moves_page
from legation.atlas.layout import read_layout
from legation.atlas.pictures import PicturesMissingError, pdf, png, report_pdf
from legation.atlas.relief import read_relief
from legation.atlas.shapes import read_shapes
from legation.board.files import BoardFileError, read_board
from legation.cli.app import PlaceNames, Variant, app
from legation.cli.positions import is_variant
from legation.cli.terminal import (
    fail,
    faults_as_lines,
    known_variants,
    load_variant,
    played_turn,
    read_json,
    say,
    shown,
    write_file,
)
from legation.game import DocumentError, PlayedTurn, SavedGameError, read_task, replay
from legation.game.formats import kind_of
from legation.game.report import on_one_line, turn_report
from legation.game.views import seen_turn
from legation.judge import Ruleset, resolve
from legation.notation import OrderTextError
from legation.position import Position

KINDS = (".svg", ".png", ".pdf")
Theme = Literal["light", "dark"]
Paper = Literal["A4", "A3", "A2"]


@app.command(
    name="map",
    epilog='Example: legation map VARIANT -o board.svg; legation map game.json --turn "Fall 1905" -o turn.pdf',
)
def draw_map(
    source: Annotated[str, typer.Argument(metavar="VARIANT|FILE", help="A variant, a position, or a saved game.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write: .svg, .png or .pdf.")],
    theme: Annotated[Theme, typer.Option(case_sensitive=False, help="Light or dark colors.")] = "light",
    control: Annotated[bool, typer.Option("--control/--no-control", help="Show who owns what.")] = True,
    units: Annotated[bool, typer.Option("--units/--no-units", help="Show the units.")] = True,
    patterns: Annotated[bool, typer.Option("--patterns", help="Use patterns as well as colors for powers.")] = False,
    paper: Annotated[
        Paper, typer.Option(case_sensitive=False, help="For PDF: A4 (a report page), A3 or A2 (a printable board).")
    ] = "A4",
    width: Annotated[int, typer.Option(min=100, max=20000, help="For PNG: width in pixels.")] = 1600,
    turn: Annotated[
        str, typer.Option(help="For a saved game: a turn's number or name, or 'now'; the last turn by default.")
    ] = "",
    power: Annotated[str, typer.Option(help="Show only what this power can see.")] = "",
    after: Annotated[bool, typer.Option("--after", help="Show the result of the turn instead of its orders.")] = False,
    names: PlaceNames = "full",
    language: Annotated[str, typer.Option(help="Use names in this language, if the board has them: de, fr.")] = "",
) -> None:
    """Draw a board, a position, or a turn with its orders."""
    if output.suffix.lower() not in KINDS:
        raise typer.BadParameter(f"the ending tells what to write; use {', '.join(KINDS)}", param_hint="--output")
    if Path(source).joinpath("board.toml").is_file():
        draw_board(Path(source), output, theme, paper, width, language)
        return
    rules, position, played = _subject(source, turn)
    if power:
        with faults_as_lines(OrderTextError, of="--power"):
            power = rules.reader.power(power)
        position = rules.seen(position, power)
        played = seen_turn(rules, played, power) if played is not None else None
    if after and played is None:
        fail(f"--after draws the result of a turn; {shown(source)} has no orders")
    if after and played is not None:
        position, played = played.resolution.after, None
    suffix = output.suffix.lower()
    with errors_as_messages(rules):
        atlas = for_variant(rules.name, known_variants())
    atlas = _translated(atlas, language)
    with errors_as_messages(rules):
        svg = atlas.svg(
            position,
            played.resolution.verdicts if played else (),
            title=rules.title,
            control=control,
            units=units,
            theme=theme,
            patterns=patterns,
            interactive=suffix == ".svg",
        )
        if suffix == ".pdf" and paper == "A4" and played is not None:
            report = turn_report(rules, played.resolution, played.unread, power, names)
            content = report_pdf(svg, _sections(report), title=f"{rules.title}: {played.resolution.before.turn}")
        else:
            content = _encoded(svg, suffix, width, paper)
    write_file(output, content)
    say(f"{output}: {rules.title}, {position.turn.name}")


def draw_marked(rules: Ruleset, output: Path, marked: Iterable[str]) -> None:
    """Draw a variant's opening with a broken line around some provinces."""
    suffix = output.suffix.lower()
    if suffix not in KINDS:
        fail(f"{output}: a map is {', '.join(KINDS)}")
    with errors_as_messages(rules):
        atlas = for_variant(rules.name, known_variants())
        svg = atlas.svg(rules.opening(), title=rules.title, marked=sorted(marked), interactive=suffix == ".svg")
        content = _encoded(svg, suffix)
    write_file(output, content)


def draw_board(folder: Path, output: Path, theme: Theme, paper: Paper, width: int, language: str = "") -> None:
    """Draw the board of a folder, without a variant."""
    with (
        faults_as_lines(BoardFileError, of=folder),
        faults_as_lines(ValueError, of=f"{folder}: the board cannot be drawn"),
    ):
        board, shapes = read_board(folder), read_shapes(folder)
        if shapes is None:
            fail(f"{folder}: has no shapes yet; grow them: python -m legation.atlas.grow {folder}")
        layout, relief = read_layout(folder, board, shapes), read_relief(folder)
        atlas = Atlas(board, shapes, (), board.title, layout, relief=relief)
        suffix = output.suffix.lower()
        svg = _translated(atlas, language).svg(theme=theme, interactive=suffix == ".svg")
        content = _encoded(svg, suffix, width, paper)
    write_file(output, content)
    say(f"{output}: {board.title}")


def _translated(atlas: Atlas, language: str) -> Atlas:
    if language and language not in atlas.languages:
        there = ", ".join(atlas.languages) or "none but its own"
        fail(f"--language: {atlas.board.name!r} has no names in {language!r}; it has {there}")
    return atlas.in_language(language)


@contextmanager
def errors_as_messages(rules: Ruleset) -> Iterator[None]:
    """Drawing, in which what is wrong with a board's shapes or names is told in a line."""
    try:
        yield
    except (NoMapError, PicturesMissingError) as error:
        fail(str(error))
    except (ValueError, RuntimeError) as error:
        line = " ".join(str(error).split())[:300]
        fail(f"the board {rules.board.name!r} cannot be drawn: {line}")


def _encoded(svg: str, suffix: str, width: int = 1600, paper: Paper = "A4") -> bytes:
    """A drawing in the format of a file that ends so."""
    return svg.encode() if suffix == ".svg" else png(svg, width) if suffix == ".png" else pdf(svg, paper)


def _sections(report: str) -> list[tuple[str, list[str]]]:
    """The paragraphs of a report with their first lines as headings; those without a heading are the results, at the
    end."""
    sections: list[tuple[str, list[str]]] = []
    results: list[str] = []
    for paragraph in report.split("\n\n")[1:]:
        lines = [on_one_line(line) for line in paragraph.splitlines() if line.strip()]
        if lines and paragraph.splitlines()[-1].startswith("  "):
            sections.append((lines[0], lines[1:]))
        else:
            results += lines
    return [*sections, ("Results", results)] if results else sections


def _subject(source: str, turn: str) -> tuple[Ruleset, Position, PlayedTurn | None]:
    """What is to be drawn: the rules, the position and, where orders are given, what came of them."""
    if is_variant(source):
        if turn:
            fail(f"--turn chooses a turn of a saved game; {source} is a variant")
        rules = load_variant(source)
        return rules, rules.opening(), None
    document = read_json(source)
    if kind_of(document) == "game":
        return _turn_of_game(source, document, turn)
    if turn:
        fail(f"--turn chooses a turn of a saved game; {shown(source)} is a single turn")
    with faults_as_lines(DocumentError, of=shown(source)):
        task = read_task(document, known_variants())
    played = None
    if task.unread or any(sheet.orders for sheet in task.sheets):
        resolution = resolve(task.rules, task.position, task.sheets, task.seed)
        played = PlayedTurn(task.sheets, resolution, task.unread)
    return task.rules, task.position, played


def _turn_of_game(source: str, document: object, wanted: str) -> tuple[Ruleset, Position, PlayedTurn | None]:
    """A turn of a saved game by its number or name; the last one if none is asked for; ``now`` is the position to be
    ordered."""
    with faults_as_lines(SavedGameError, of=shown(source)):
        game, _ = replay(document, known_variants())
    played = game.turns
    if wanted == "now" or (not played and not wanted):
        return game.rules, game.position, None
    chosen = played_turn(game, wanted or str(len(played)))
    if chosen is None:
        first, last = (played[i].resolution.before.turn if played else "" for i in (0, -1))
        span = f"1 ({first}) to {len(played)} ({last})" if played else "none yet"
        fail(f"{shown(source)}: no turn {wanted!r}; the turns are {span}, and 'now'")
    return game.rules, chosen.resolution.before, chosen


@app.command(epilog="Example: legation site VARIANT -o site/")
def site(
    variant: Variant, output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write the page to.")]
) -> None:
    """Write a web page that shows where units can move."""
    rules = load_variant(variant)
    with errors_as_messages(rules):
        page = moves_page(for_variant(rules.name, known_variants()))
    output.mkdir(parents=True, exist_ok=True)
    target = output / "index.html"
    write_file(target, page.encode())
    say(f"{target}: open it in any browser")
