"""Powers and units that nobody plays, as the rule ``passive_powers`` has them."""

from __future__ import annotations

from legation.interop.record import ForeignVariant


def take_passive(variant: ForeignVariant, word: str, *, rebuilt: bool = False) -> None:
    """Let the powers that the source has nobody play hold; those without units and centers are left out."""
    idle = [nation for nation in variant.nations if not nation.played]
    for nation in [nation for nation in idle if not nation.units and not nation.homes and not nation.owned]:
        variant.nations.remove(nation)
        variant.took(f"{word} {nation.name}", "has neither units nor centers, and is left out")
        idle.remove(nation)
    if idle and len(idle) == len(variant.nations):
        variant.left(word, "says that nobody plays any power; somebody must")
    elif idle:
        names = [nation.name for nation in idle]
        variant.rules["passive_powers"] = {"powers": names, "rebuilt": True} if rebuilt else {"powers": names}
        variant.took(f"{word} {', '.join(names)}", "units that only hold: the rule passive_powers")
