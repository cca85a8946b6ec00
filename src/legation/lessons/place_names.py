"""Names of places within a sentence: with the article that English has before most waters, rivers and islands."""

import re

from legation.board import Board

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


def place_in_sentence(board: Board, location: str) -> str:
    """Return what a location is called within a sentence: ``Spain (south coast)``, ``the Ionian Sea``, ``the Wash``."""
    name = board.name_of(location)
    if name.startswith("The "):
        return f"t{name[1:]}"
    return f"the {name}" if _WITH_ARTICLE.fullmatch(board.provinces[location.partition("/")[0]].name) else name
