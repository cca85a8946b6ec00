"""What ``legation variants`` and ``legation moves`` do."""

from typing import Annotated, Any

import typer

from legation.board import ARMY, FLEET, province_of
from legation.cli.app import Json, Variant, app
from legation.cli.terminal import columns, fail, known_variants, load_variant, say, wrapped, write_json
from legation.judge import Ruleset
from legation.notation import OrderTextError


@app.command(epilog="Example: legation variants --json")
def variants(as_json: Json = False) -> None:
    """List the variants that can be played."""
    rows: list[dict[str, Any]] = []
    known = known_variants()
    for name in known.names():
        rules = load_variant(name)
        facts = known.facts(name)
        rows.append(
            {
                "name": name,
                "title": facts["title"],
                "summary": facts.get("summary", ""),
                "powers": list(rules.powers),
                "centers": len(rules.board.centers),
                "provinces": len(rules.board.provinces),
                "first_turn": str(rules.first_turn()),
            }
        )
    for trouble in known.troubles:
        say(f"legation: {trouble}", err=True)
    if as_json:
        return write_json(rows)
    widest = max(len(r["name"]) for r in rows)
    for row in rows:
        size = f"{len(row['powers']):>2} powers, {row['centers']:>3} centers"
        say(wrapped(row["summary"], f"{row['name']:<{widest}}  {size}  "))


def _named(rules: Ruleset, text: str) -> tuple[str, str]:
    """The kind of unit, if one is named, and the location."""
    try:
        return "", rules.reader.location(text)
    except OrderTextError as error:
        try:
            kind, location = rules.reader.unit(text, "")
        except OrderTextError:
            fail(str(error))
        return kind, location


def reachable(rules_name: str, place: str) -> dict[str, Any]:
    """Where units, or the one that is named, may go from a place: by unit and location."""
    rules = load_variant(rules_name)
    board = rules.board
    kind, location = _named(rules, place)
    province = board.provinces[province_of(location)]
    if location != province.id and location not in province.locations:
        coasts = f"its coasts are {', '.join(province.locations)}" if province.coasts else "it has no separate coasts"
        fail(f"{place!r} isn't a coast of {province.name}; {coasts}")
    wanted = list(province.locations) if location == province.id else [location]
    reached: dict[str, list[str]] = {}
    for code in (kind,) if kind else ("A", "F"):
        travel = rules.kinds[code].travel
        if travel == ARMY and not province.sea:
            reached[f"{code} {province.id}"] = sorted(board.reach(ARMY, province.id))
        elif travel == FLEET and (province.sea or province.shore):
            reached |= {f"{code} {at}": sorted(board.reach(FLEET, at)) for at in wanted}
    if kind and not reached:
        fail(f"no {rules.kinds[kind].name} can stand in {province.name}")
    return {
        "province": province.id,
        "name": province.name,
        "center": province.center,
        "note": province.remark,
        "moves": {u: [{"to": to, "name": board.name_of(to)} for to in reach] for u, reach in reached.items()},
    }


@app.command(epilog="Example: legation moves hundred 'English Channel'; legation moves hundred 'A par'")
def moves(
    variant: Variant,
    place: Annotated[str, typer.Argument(help="A province or coast by any of its names, or a unit in it.")],
    as_json: Json = False,
) -> None:
    """Show where an army or a fleet can move from a place."""
    answer = reachable(variant, place)
    if as_json:
        return write_json(answer)
    say(f"{answer['name']} ({answer['province']})" + (", a supply center" if answer["center"] else ""))
    if answer["note"]:
        say(wrapped(answer["note"]))
    for unit, goals in answer["moves"].items():
        say(f"\n{unit} may move to")
        say(columns([f"{goal['to']:<9} {goal['name']}" for goal in goals]) or "  nowhere, unless it is convoyed")
