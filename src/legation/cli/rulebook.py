"""``legation rules``: a variant's rules for its players, put together from its modules, their settings, the clauses and the options."""

from __future__ import annotations

import textwrap
from typing import Any

from rich.console import Console
from rich.markdown import Markdown

from legation.cli.terminal import known_variants, load_variant, plain, read_choices, say, spelled, write_json
from legation.variants import rulebook


def show_rules(variant: str, as_json: bool, option: list[str] | None) -> None:
    """Print the rulebook."""
    rules = load_variant(variant, read_choices(option))
    book = rulebook(rules, known_variants().facts(rules.name))
    if as_json:
        write_json(book)
        return
    say = _Page()
    say.head(book["title"])
    for key in ("summary", "credits"):
        if book[key]:
            say.text(book[key])
    board = book["board"]
    say.text(
        f"The board has {board['provinces']} provinces, {board['centers']} of them supply centers. {board['credits']}"
    )
    if board["reconstructed"]:
        say.text(board["reconstructed"])
    say.head("Powers")
    for power in rules.powers.values():
        placed = [
            f"{rules.kinds[u.kind].name.capitalize()} {rules.board.name_of(u.at)}"
            for u in rules.start
            if u.power == power.name
        ]
        told = [", ".join(placed)] if placed else []
        if power.homes and (not placed or any(rules.start_owners.get(home) != power.name for home in power.homes)):
            told.append(f"homes {', '.join(rules.board.name_of(home) for home in power.homes)}")
        say.item(": ".join([power.name, "; ".join(told)]) if told else power.name)
    say.head("The rules of this variant")
    say.text("The standard rules of movement, support, convoy and retreat hold; these settings are the variant's own:")
    for module in book["rules"]:
        for sentence in module["text"]:
            say.item(sentence)
    unusual = [k for k in book["kinds"] if k["strength"] != 1 or k["cost"] != 1]
    for kind in unusual:
        units = "unit" if kind["cost"] == 1 else "units"
        say.item(
            f"{kind['code']} is a {kind['name']}: strength {kind['strength']}, it counts as {kind['cost']} {units}."
        )
    if book["clauses"]:
        say.head("Clause by clause")
        for clause in book["clauses"]:
            say.item(clause["summary"], mark=clause["id"])
    say.head("Options")
    say.text("A game may be created with other readings; the default comes first, * marks what this game uses.")
    for entry in book["options"]:
        readings = [entry["default"], *(r for r in entry["readings"] if r != entry["default"])]
        shown = " | ".join(
            ("*" if r == entry["chosen"] and type(r) is type(entry["chosen"]) else "") + spelled(r) for r in readings
        )
        say.item(f"{entry['name']} = {shown}. {entry['summary']} ({entry['issue']})")
    if board["notes"] or board["remarks"]:
        say.board(board)


class _Page:
    def head(self, text: str) -> None:
        say(f"\n{text}\n{'=' * len(text)}")

    def text(self, text: str) -> None:
        say(textwrap.fill(text.strip(), 100) + "\n")

    def board(self, board: dict[str, Any]) -> None:
        """Where the board comes from: its notes, then what is remarked of single provinces."""
        if board["notes"]:
            say()
            page = Console(width=100)
            page.print(Markdown(plain(board["notes"])))
        if board["remarks"]:
            self.head("The provinces one by one")
            for entry in board["remarks"]:
                center = ", supply center" if entry["center"] else ""
                self.item(f"{entry['name']} ({entry['id']}{center}): {entry['remark']}")

    def item(self, text: str, mark: str = "-") -> None:
        lead = f"{mark:<6} " if mark != "-" else "- "
        say(textwrap.fill(text.strip(), 100, initial_indent=lead, subsequent_indent=" " * len(lead)))
