"""``python -m legation.atlas.grow BOARD_FOLDER``: draw a board from its places, hold the picture against its tables,
and lay out its names."""

import argparse
import sys
from pathlib import Path

from legation.atlas.contacts import border_tables, compare, read_links
from legation.atlas.grow.labels import lay_out, write_layout
from legation.atlas.layout import FILE as LAYOUT
from legation.atlas.shapes import FILE, read_shapes
from legation.board.document import table_text
from legation.board.files import BoardFileError, BoardFiles, build_board, read_board


def main(arguments: list[str] | None = None) -> int:
    """Grow the shapes of a board folder; the exit status is 1 when picture and tables differ, or the input is at
    fault."""
    parser = argparse.ArgumentParser(
        prog="python -m legation.atlas.grow",
        description="Grow the province shapes of a board from its points, write shapes.json beside them, and tell "
        "where the picture and the tables of borders differ; then lay out names and symbols, and write layout.json. "
        "docs/drawing-boards.md is the manual.",
        epilog="example: python -m legation.atlas.grow docs/examples/lake "
        "--land docs/examples/lake/land.geojson --borders",
    )
    parser.add_argument("folder", type=Path, help="board folder, with board.toml, land.csv, sea.csv")
    parser.add_argument(
        "--land", type=Path, help="GeoJSON of land polygons (default: the coastline that board.toml names, else Europe)"
    )
    parser.add_argument("--borders", action="store_true", help="write borders.csv (and touching.csv) from the picture")
    parser.add_argument("--layout", action="store_true", help="only lay out names and symbols anew; the shapes stay")
    given = parser.parse_args(arguments)
    try:
        return _lay_out(given.folder) if given.layout else _grow(given)
    except ImportError as error:
        faults = [f"growing needs the geometry libraries ({error}): pip install 'legation[authoring]'"]
    except BoardFileError as error:
        faults = [str(fault) for fault in error.faults]
    except OSError as error:
        faults = [f"{error.filename}: {error.strerror}"]
    except ValueError as error:
        faults = [str(error)]
    for fault in faults:
        sys.stderr.write(f"{fault}\n")
    return 1


def _grow(given: argparse.Namespace) -> int:
    from legation.atlas.grow.coastline import find_land, read_land
    from legation.atlas.grow.growing import grow, write
    from legation.atlas.grow.plan import read_plan

    plan = read_plan(given.folder)
    grown = grow(plan, read_land(given.land) if given.land else find_land(given.folder, plan.coastline))
    given.folder.joinpath(FILE).write_text(write(grown.shapes), encoding="utf-8")
    if given.borders:
        files = BoardFiles(given.folder)
        for table, rows in border_tables(files, grown.shapes).items():
            given.folder.joinpath(f"{table}.csv").write_text(table_text(table, rows), encoding="utf-8")
        for fault in files.faults:
            if "seas_of_coasts" in fault.message:
                sys.stderr.write(f"{fault}\n")
    for warning in grown.warnings:
        sys.stderr.write(f"{warning}\n")
    files = BoardFiles(given.folder)
    board = build_board(files)
    links = read_links(files)
    if files.faults:
        raise BoardFileError(files.faults)
    differences = compare(board, grown.shapes, links)
    for fault in differences:
        sys.stdout.write(f"{fault}\n")
    size = given.folder.joinpath(FILE).stat().st_size / 1000
    sys.stdout.write(
        f"{len(grown.shapes.provinces)} provinces, {len(grown.shapes.arcs)} lines, {size:.0f} kB; "
        f"{len(differences) or 'no'} differences between picture and tables\n"
    )
    _lay_out(given.folder)
    return 1 if differences else 0


def _lay_out(folder: Path) -> int:
    board, shapes = read_board(folder), read_shapes(folder)
    if shapes is None:
        raise ValueError(f"{folder} has no shapes yet; leave --layout out to grow them")
    folder.joinpath(LAYOUT).write_text(write_layout(lay_out(board, shapes)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
