"""``legation rules``: a variant's rules for its players, put together from its modules, their settings, the clauses and
the options."""

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markdown import Markdown

from legation.cli.app import Choices, Json, Variant, app
from legation.cli.terminal import (
    known_variants,
    load_variant,
    plain,
    read_choices,
    say,
    spelled,
    width,
    wrapped,
    write_json,
)
from legation.game.report import count
from legation.judge import Ruleset
from legation.variants import STANDARD, rulebook


@app.command("rules", epilog="Example: legation rules hundred")
def show_rules(
    variant: Variant,
    as_json: Json = False,
    option: Choices = None,
    places: Annotated[bool, typer.Option("--places", help="Show the sources of the board's places instead.")] = False,
) -> None:
    """Show the rules of a variant.

    The basics, differences from the standard game, how to write orders, and the options."""
    rules = load_variant(variant, read_choices(option))
    known = known_variants()
    book = rulebook(rules, known.facts(rules.name), known.load(STANDARD))
    if as_json:
        write_json(book)
    elif places:
        _places(book)
    else:
        _introduce(book)
        _powers(rules, book)
        _places_at_the_start(book)
        _own_rules(rules, book)
        _orders(book)
        _clauses(book)
        _options(rules, book)


def _head(text: str) -> None:
    say(f"\n{text}\n{'=' * len(text)}")


def _item(text: str, mark: str = "-") -> None:
    lead = f"{mark:<6} " if len(mark) > 1 else f"{mark} "
    say(wrapped(text, lead))


def _introduce(book: dict[str, Any]) -> None:
    _head(book["title"])
    board = book["board"]
    facts = f"The board has {board['provinces']} provinces, {board['centers']} of them supply centers."
    for text in (book["summary"], book["credits"], f"{facts} {board['credits']}", board["reconstructed"]):
        if text.strip():
            say(wrapped(text) + "\n")
    if board["notes"] or board["remarks"]:
        say(wrapped(f"Where its places come from: legation rules {book['name']} --places"))
    _head("If you are new to the game")
    for part in book["basics"]:
        _item(f"{part['title']}. {part['text']}")


def _powers(rules: Ruleset, book: dict[str, Any]) -> None:
    _head("Powers")
    for power in rules.powers.values():
        placed = [
            f"{rules.kinds[u.kind].name.capitalize()} {rules.board.name_of(u.at)}"
            for u in rules.start
            if u.power == power.name
        ]
        parts = [", ".join(placed)] if placed else []
        if power.homes and (not placed or any(rules.start_owners.get(home) != power.name for home in power.homes)):
            parts.append(f"homes {', '.join(rules.board.name_of(home) for home in power.homes)}")
        centers = sum(owner == power.name for owner in rules.start_owners.values())
        if placed and len(placed) != centers:
            parts.append(f"{count(len(placed), 'unit')} on {count(centers, 'center')}")
        _item(": ".join([power.name, "; ".join(parts)]) if parts else power.name)


def _places_at_the_start(book: dict[str, Any]) -> None:
    """What belongs to nobody, each power's homeland where the rules speak of it, and the sea areas."""
    if book["neutral"] or book["unowned_homes"]:
        _head("Neutral centers")
    if book["neutral"]:
        number = len(book["neutral"])
        verb = "center is" if number == 1 else "centers are"
        say(wrapped(f"{number} supply {verb} neutral at the start: {', '.join(book['neutral'])}."))
    if book["unowned_homes"]:
        say(wrapped(f"Unowned homes at the start: {', '.join(book['unowned_homes'])}."))
    homelands = [power for power in book["powers"] if power["homeland"]]
    if homelands:
        _head("Homelands")
        for power in homelands:
            _item(f"{power['name']}: {', '.join(power['homeland'])}")
    if book["areas"]:
        _head("Sea areas")
        say(wrapped(book["areas_told"]) + "\n")
        for area in book["areas"]:
            _item(f"{area['name']}: {', '.join(area['regions'])}")


def _own_rules(rules: Ruleset, book: dict[str, Any]) -> None:
    """The settings of the variant; what differs from the standard game is marked."""
    _head("The rules of this variant")
    differs = any(any(module["differs"]) for module in book["rules"])
    mark = " Differences from the standard game are marked *." if differs else ""
    say(wrapped(f"The standard rules apply unless a rule below replaces them.{mark}") + "\n")
    for module in book["rules"]:
        for sentence, own in zip(module["text"], module["differs"], strict=True):
            _item(sentence, "*" if own else "-")


def _orders(book: dict[str, Any]) -> None:
    _head("How orders are written")
    say(
        wrapped("Write one order on each line, short or in words, in upper or lower case, with any name of a place.")
        + "\n"
    )
    widest = max(len(example["order"]) for form in book["forms"] for example in form["examples"])
    for form in book["forms"]:
        _item(f"{form['name']}. {form['meaning']}")
        for example in form["examples"]:
            order, sentence = example["order"], example["sentence"]
            if sentence.lower() == order.lower():
                say(f"    {order}")
            elif widest + 6 + len(sentence) > width():
                say(f"    {order}\n{wrapped(sentence, ' ' * 8)}")
            else:
                say(f"    {order:<{widest}}  {sentence}")


def _clauses(book: dict[str, Any]) -> None:
    if book["clauses"]:
        _head("Clause by clause")
        if not book["default_options"]:
            text = "The clauses describe the default options; this game has others, marked below."
            say(wrapped(text) + "\n")
        for clause in book["clauses"]:
            if clause["part"] == "game":
                _item(clause["summary"], mark=clause["id"])
    service = [clause for clause in book["clauses"] if clause["part"] == "service"]
    if service:
        _head("The rulebook's postal service")
        say(wrapped("These apply to games by post, as in the rulebook; other games follow their own settings."))
        say()
        for clause in service:
            _item(clause["summary"], mark=clause["id"])


def _options(rules: Ruleset, book: dict[str, Any]) -> None:
    """The points on which rulebooks differ, first why and where this variant's defaults are not the standard game's."""
    _head("Options")
    if book["basis"]:
        say(wrapped(book["basis"]) + "\n")
    if book["changed"]:
        say("Defaults that differ from the standard game:")
        for entry in book["options"]:
            if entry["name"] in book["changed"]:
                _item(f"{entry['name']} = {spelled(entry['default'])}, not {spelled(entry['usual'])}", "*")
        say()
    say(
        wrapped("You can create a game with other values. The default comes first, and * marks this game's value.")
        + "\n"
    )
    for entry in book["options"]:
        readings = [entry["default"], *(r for r in entry["readings"] if r != entry["default"])]
        shown = " | ".join(
            ("*" if r == entry["chosen"] and type(r) is type(entry["chosen"]) else "") + spelled(r) for r in readings
        )
        _item(f"{entry['name']} = {shown}. {entry['summary']} ({entry['issue']})")


def _places(book: dict[str, Any]) -> None:
    """Where the board comes from: its notes, then what is remarked of single provinces."""
    board = book["board"]
    if not board["notes"] and not board["remarks"]:
        say(f"There are no notes on the places of {book['title']}.")
    if board["notes"]:
        Console(width=width()).print(Markdown(plain(board["notes"])))
    if board["remarks"]:
        _head("Provinces")
        for entry in board["remarks"]:
            center = ", supply center" if entry["center"] else ""
            _item(f"{entry['name']} ({entry['id']}{center}): {entry['remark']}")
