"""Orders as programs list them, laid out as lines: JSON, DAIDE's brackets, and tables with a head.

Nothing is moved: what holds the list together is blanked, and what parts two entries becomes the end of a line; but the
cells of a table whose columns stand in another order than the words of an order are put into that."""

from collections.abc import Sequence

from legation.notation.lexicon import lexicon

_LABELS, _NOTHING = lexicon().words("LABEL"), lexicon().words("NOCELL")
_COLUMNS = {**lexicon().values("COLUMN"), "": "count"}
LONGEST = 20_000  # characters of a list
_ROLES = ("count", "power", "kind", "place", "order", "goal", "remark")
"""What the columns of a table may hold, as the words of an order stand; a coast belongs to the column before it."""
_BESIDE_STRINGS = frozenset("[]{},: \t\n0123456789.-truefalsn")
"""What stands in JSON outside its strings."""


def laid_out(text: str) -> str:
    """Put each entry of programs' lists on its own line, and the cells of tables in the order of the words of an order;
    the text keeps its length."""
    lines = text.split("\n")
    listed = [n for n, line in enumerate(lines) if line.lstrip()[:1] in ("[", "{")]
    closed = [n for n, line in enumerate(lines) if line.rstrip()[-1:] in ("]", "}")]
    if listed and closed and closed[-1] >= listed[0]:
        first, last = listed[0], closed[-1] + 1
        lines[first:last] = _of_json("\n".join(lines[first:last])).split("\n")
    return "\n".join(map(_of_daide, _of_tables(lines)))


def _of_json(text: str) -> str:
    quote = '"' if '"' in text else "'"
    parts = text.split(quote)  # every other one is a string
    if len(parts) % 2 == 0 or len(text) > LONGEST or not _BESIDE_STRINGS.issuperset("".join(parts[::2])):
        return text
    parts.append("")
    for i in range(1, len(parts) - 1, 2):
        labelled = parts[i].casefold() in _LABELS and parts[i + 1].lstrip().startswith(":")
        if labelled:  # says what the entry is, and nothing of the orders; what stands in one record is one order
            parts[i - 1] = parts[i - 1].replace(",", " ")
            parts[i], parts[i + 1] = " " * len(parts[i]), parts[i + 1].replace(":", " ", 1)
    parts[:-1:2] = (part.translate(_PARTING) for part in parts[:-1:2])
    return " ".join(parts[:-1])


_PARTING = str.maketrans(dict.fromkeys("[]{},", "\n"))


def _of_daide(line: str) -> str:
    words = line.translate(_NO_BRACKETS).split()
    if "(" not in line or not all(len(word) == 3 and word.isupper() for word in words):
        return line
    laid, behind, depth = list(line.translate(_NO_BRACKETS)), "", 0
    for i in reversed(range(len(line))):
        if line[i] == ")" and depth == 0 and behind in ("(", ""):
            laid[i] = "\n"
        depth += (line[i] == ")") - (line[i] == "(")
        behind = line[i].strip() or behind
    return "".join(laid)


_NO_BRACKETS = str.maketrans("()", "  ")


def _of_tables(lines: list[str]) -> list[str]:
    """Return the lines of a text, in which each row below the head of a table is an order, and the head is blank."""
    columns: list[str] = []
    sign = ""
    for number, line in enumerate(lines):
        parting = next((sign for sign in "|;\t," if sign in line), "")
        found = [_COLUMNS.get(cell.strip(' "*_').casefold(), "") for cell in line.split(parting or None)]
        if parting and "" not in found and not {"kind", "place"}.isdisjoint(found):
            sign, columns, lines[number] = parting, found, " " * len(line)
        elif columns and sign in line:
            cells = line.replace('"', " ").split(sign, columns.index("remark") if "remark" in columns else -1)
            lines[number] = _row(cells, columns) if len(cells) <= len(columns) else line
        else:
            columns = []
    return lines


def _row(cells: Sequence[str], columns: Sequence[str]) -> str:
    """The cells of a row as an order, as long as before."""
    row: list[tuple[int, str]] = []
    at = 0
    for cell, role in zip(cells, columns, strict=False):
        at = at if role == "coast" else _ROLES.index(role)
        bare = cell.strip(" -–—:.)#").casefold()
        empty = (not bare and role != "order") or (role == "count" and bare.isdecimal()) or bare in _NOTHING
        said = " " * len(cell) if empty else cell
        glue = {"coast": "/", "remark": "#"}.get(role, " ") if said.strip() else " "
        row.append((at, glue + said))
    return "".join(said for _, said in sorted(row, key=lambda cell: cell[0]))[1:]
