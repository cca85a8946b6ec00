"""Goals: what must be so after a turn, and how it is told when it is not: with the article that English has before
most waters, rivers and islands."""

import re
from collections.abc import Iterator
from functools import partial

import msgspec

from legation.board import Board, province_of
from legation.judge import Resolution, Ruleset
from legation.notation import capital

_ENDS = (
    "Sea|Seas|Ocean|Channel|Bight|Mediterranean|Minch|Firth|Firths|Deep|Pit|Ground|Bank|Sand|Fourteens|Race|Rocks|Flow|"
    "Passage|Narrows|Route|Pale|Cantons|Wash|Knock|Roost|Straits?|Fjord"
)
_BEGINS = (
    "Gulf|Bay|Bays|Strait|Straits|Sea|Firth|Sound|Mouth|Isles?|Islands|Port|Vale|Forest|Liberty|Parts|Barony|Honour|"
    "Rhinns|(?:East|West|North) Riding"
)
_ALONE = (
    "Atlantic|Minch|Skagerrak|Kattegat|Humber|Thames|Tyne|Shannon|Hebrides|Faeroes|Forth|Forties|Long Forties|Ruhr|"
    "Rhone|Rhine|Danube|Elbe|Oder|Vistula|Dvina|Dniester|Dnieper|Drava|Dauphine|Charolais|Limousin|Orleanais"
)
_WITH_ARTICLE = re.compile(rf"(?:.* )?(?:{_ENDS})|(?:{_BEGINS}) of .*|(?:{_ALONE})")


class Goal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must be so after a turn.

    ``stands``: by power, places (``bur``) where one of its units stands, or units (``A bur``). ``empty``: places where
    nothing stands. ``dislodged``: units (``A bur``) that lost their place in movement. ``owns``: by power, centers.
    ``winner``: who has won."""

    stands: dict[str, tuple[str, ...]] = {}
    empty: tuple[str, ...] = ()
    dislodged: tuple[str, ...] = ()
    owns: dict[str, tuple[str, ...]] = {}
    winner: str = ""

    @property
    def places(self) -> list[str]:
        """The provinces in which units are to stand."""
        return [province_of(text.rpartition(" ")[2]) for texts in self.stands.values() for text in texts]

    def missed(self, rules: Ruleset, resolution: Resolution) -> tuple[str, ...]:
        """What is not so, in sentences; nothing where the goal is reached."""
        return tuple(capital(text) for text in self._missed(rules, resolution))

    def _missed(self, rules: Ruleset, resolution: Resolution) -> Iterator[str]:
        after, name = resolution.after, partial(place_in_sentence, rules.board)
        for power, texts in self.stands.items():
            standing = {name for unit in after.units_of(power) for name in (str(unit), unit.at, unit.province)}
            lacks = [_named(rules, text) for text in texts if text not in standing]
            yield from (f"{rules.named(power).called} has no {what}." for what in lacks)
        taken = {unit.province for unit in after.units}
        yield from (f"{name(place)} isn’t empty." for place in self.empty if place in taken)
        fallen = {str(lost.unit) for lost in resolution.dislodged}
        yield from (f"the {_named(rules, text)} wasn’t dislodged." for text in self.dislodged if text not in fallen)
        for power, centers in self.owns.items():
            lacks = [name(center) for center in centers if after.owners.get(center) != power]
            yield from (f"{rules.named(power).called} doesn’t own {center}." for center in lacks)
        ending = resolution.ending
        if self.winner and (ending is None or ending.kind != "solo" or self.winner not in ending.powers):
            yield f"{rules.named(self.winner).called} has not won."


def _named(rules: Ruleset, text: str) -> str:
    kind, blank, at = text.rpartition(" ")
    place = place_in_sentence(rules.board, at)
    return f"{rules.kinds[kind].name.lower()} in {place}" if blank else f"unit in {place}"


def place_in_sentence(board: Board, location: str) -> str:
    """Return what a location is called within a sentence: ``Spain (south coast)``, ``the Ionian Sea``, ``the Wash``."""
    name = board.name_of(location)
    if name.startswith("The "):
        return f"t{name[1:]}"
    return f"the {name}" if _WITH_ARTICLE.fullmatch(board.provinces[location.partition("/")[0]].name) else name
