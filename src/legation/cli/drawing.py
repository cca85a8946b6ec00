"""``legation map`` and ``legation site``."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, cast

import typer

from legation.atlas import Atlas, moves_page
from legation.atlas.shapes import Shapes, ShapesError, read_shapes
from legation.cli.terminal import fail, load_variant, read_json
from legation.game import DocumentError, SavedGameError, read_task, replay
from legation.game.report import turn_report
from legation.judge import Resolution, Ruleset, resolve
from legation.position import Position
from legation.variants import board_folder, variant_facts

KINDS = (".svg", ".png", ".pdf")


def shapes_of(rules: Ruleset, variant: str) -> Shapes:
    """The shapes of a variant's board."""
    folder = board_folder(variant_facts(variant)["board"], Path(variant).parent if variant.endswith(".toml") else None)
    try:
        shapes = read_shapes(folder)
    except ShapesError as error:
        fail(f"the board {rules.board.name!r}: {error}")
    if shapes is None:
        fail(f"the board {rules.board.name!r} has no shapes yet; grow them: python -m legation.atlas.grow {folder}")
    return shapes


def draw(
    source: str,
    output: Path,
    theme: str,
    control: bool,
    units: bool,
    patterns: bool,
    paper: str,
    width: int,
    turn: str,
) -> None:
    """Draw a variant's start, a position, or a turn with its orders, alone or of a saved game."""
    if output.suffix not in KINDS:
        fail(f"{output}: the ending tells what to write; use {', '.join(KINDS)}")
    if theme not in ("light", "dark"):
        fail(f"--theme is light or dark, not {theme!r}")
    if paper not in ("A4", "A3", "A2"):
        fail(f"--paper is A4, A3 or A2, not {paper!r}")
    if not 100 <= width <= 20000:
        fail(f"--width is between 100 and 20000 pixels, not {width}")
    rules, variant, position, resolution = _subject(source, turn)
    atlas = Atlas(rules.board, shapes_of(rules, variant), tuple(rules.powers.values()))
    svg = atlas.svg(
        position,
        resolution.verdicts if resolution else (),
        title=rules.title,
        control=control,
        units=units,
        theme=cast(Literal["light", "dark"], theme),
        patterns=patterns,
        interactive=output.suffix == ".svg",
    )
    try:
        output.write_bytes(_content(rules, svg, output.suffix, resolution, paper, width))
    except OSError as error:
        fail(f"{output}: {error.strerror or error}")
    typer.echo(f"{output}: {rules.title}, {position.turn.name}")


def _content(rules: Ruleset, svg: str, suffix: str, resolution: Resolution | None, paper: str, width: int) -> bytes:
    if suffix == ".svg":
        return svg.encode()
    from legation.atlas.pictures import PicturesMissingError, pdf, png, report_pdf

    size = cast(Literal["A4", "A3", "A2"], paper)
    try:
        if suffix == ".png":
            return png(svg, width)
        if resolution is None or paper != "A4":
            return pdf(svg, size)
        return report_pdf(
            svg, _sections(turn_report(rules, resolution)), title=f"{rules.title}: {resolution.before.turn}"
        )
    except PicturesMissingError as error:
        fail(str(error))


def _sections(report: str) -> list[tuple[str, list[str]]]:
    """The paragraphs of a report with their first lines as headings; those without a heading are the results, at the end."""
    sections: list[tuple[str, list[str]]] = []
    results: list[str] = []
    for paragraph in report.split("\n\n")[1:]:
        lines = [" ".join(line.split()) for line in paragraph.splitlines() if line.strip()]
        if lines and paragraph.splitlines()[-1].startswith("  "):
            sections.append((lines[0], lines[1:]))
        else:
            results += lines
    return [*sections, ("Results", results)] if results else sections


def _subject(source: str, turn: str) -> tuple[Ruleset, str, Position, Resolution | None]:
    """What is to be drawn: the rules, the variant's name, the position and, where orders are given, what came of them."""
    if source != "-" and not source.endswith(".json"):
        if turn:
            fail(f"--turn chooses a turn of a saved game; {source} is a variant")
        rules = load_variant(source)
        return rules, source, rules.opening(), None
    document = read_json(source)
    if isinstance(document, dict) and "format" in document:
        return _turn_of_game(source, document, turn)
    if turn:
        fail(f"--turn chooses a turn of a saved game; {source} is a single turn")
    try:
        task = read_task(document)
    except DocumentError as error:
        fail(*(f"{source}: {fault}" for fault in error.faults))
    resolution = None
    if any(sheet.orders for sheet in task.sheets):
        resolution = resolve(task.rules, task.position, task.sheets, task.seed)
    return task.rules, task.rules.name, task.position, resolution


def _turn_of_game(source: str, document: object, wanted: str) -> tuple[Ruleset, str, Position, Resolution | None]:
    """A turn of a saved game by its number or name; the last one if none is asked for; ``now`` is the position to be ordered."""
    try:
        game, _ = replay(document)
    except SavedGameError as error:
        fail(*(f"{source}: {fault}" for fault in error.faults))
    played = [turn.resolution for turn in game.turns]
    if wanted == "now" or (not played and not wanted):
        return game.rules, game.rules.name, game.position, None
    if not wanted:
        found = played[-1:]
    elif wanted.isdecimal() and 1 <= int(wanted) <= len(played):
        found = [played[int(wanted) - 1]]
    else:
        found = [r for r in played if str(r.before.turn).casefold().startswith(wanted.casefold())][:1]
    if not found:
        span = f"1 ({played[0].before.turn}) to {len(played)} ({played[-1].before.turn})" if played else "none yet"
        fail(f"{source}: no turn {wanted!r}; the turns are {span}, and 'now'")
    return game.rules, game.rules.name, found[0].before, found[0]


def write_site(variant: str, output: Path) -> None:
    """Write the browser of moves."""
    rules = load_variant(variant)
    page = moves_page(rules.board, shapes_of(rules, variant), rules.title, tuple(rules.powers.values()))
    try:
        output.mkdir(parents=True, exist_ok=True)
        target = output / "index.html"
        target.write_text(page, encoding="utf-8")
    except OSError as error:
        fail(f"{output}: {error.strerror or error}")
    typer.echo(f"{target}: open it in any browser")
