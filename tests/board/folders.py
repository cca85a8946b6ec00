"""Board folders for tests: the shipped ones, and made-up ones written to a temporary folder."""

from importlib.resources import files
from pathlib import Path

BOARDS = Path(str(files("legation.variants"))) / "boards"
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
LAKE = EXAMPLES / "lake"
"""The example of the manual, with land, shapes and layout."""
SHIPPED = sorted(folder.name for folder in BOARDS.iterdir() if (folder / "board.toml").is_file())
HEAD = 'name = "made-up"\ntitle = "Made up"\n'


def board(folder: Path, toml: str = HEAD, **tables: str) -> Path:
    """Write a board; tables are CSV texts, blanks at the beginning of lines are dropped."""
    folder.mkdir(exist_ok=True)
    (folder / "board.toml").write_text(toml, encoding="utf-8")
    for table, text in tables.items():
        lines = [line.strip() for line in text.strip().splitlines()]
        (folder / f"{table}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder
