"""``legation variants`` and ``legation moves``."""

from __future__ import annotations

import textwrap
from typing import Any

from legation.board import ARMY, FLEET, province_of
from legation.cli.terminal import fail, known_variants, load_variant, say, write_json
from legation.notation import OrderTextError


def list_variants(as_json: bool) -> None:
    """Print every variant with its powers, centers and summary."""
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
        write_json(rows)
        return
    width = max(len(r["name"]) for r in rows)
    for row in rows:
        say(f"{row['name']:<{width}}  {len(row['powers']):>2} powers, {row['centers']:>3} centers  {row['summary']}")


def reachable(rules_name: str, place: str) -> dict[str, Any]:
    """Where units may go from a place: by unit and location."""
    rules = load_variant(rules_name)
    board = rules.board
    try:
        location = rules.reader.location(place)
    except OrderTextError as error:
        fail(str(error))
    province = board.provinces.get(province_of(location))
    if province is None:
        fail(f"no province {place!r}")
    if location != province.id and location not in province.locations:
        coasts = f"its coasts are {', '.join(province.locations)}" if province.coasts else "it has no separate coasts"
        fail(f"{place!r} is no coast of {province.name}; {coasts}")
    wanted = list(province.locations) if location == province.id else [location]
    found: dict[str, list[str]] = {}
    if not province.sea:
        found[f"A {province.id}"] = sorted(board.reach(ARMY, province.id))
    if province.sea or province.shore:
        for at in wanted:
            found[f"F {at}"] = sorted(board.reach(FLEET, at))
    return {
        "province": province.id,
        "name": province.name,
        "center": province.center,
        "note": province.remark,
        "moves": {u: [{"to": to, "name": board.name_of(to)} for to in reach] for u, reach in found.items()},
    }


def show_moves(variant: str, place: str, as_json: bool) -> None:
    """Print where an army and a fleet on each coast may go."""
    answer = reachable(variant, place)
    if as_json:
        write_json(answer)
        return
    say(f"{answer['name']} ({answer['province']})" + (", a supply center" if answer["center"] else ""))
    if answer["note"]:
        say(textwrap.fill(answer["note"], 100))
    for unit, goals in answer["moves"].items():
        say(f"\n{unit} may move to")
        for goal in goals:
            say(f"  {goal['to']:<9} {goal['name']}")
        if not goals:
            say("  nowhere, unless it is convoyed")
