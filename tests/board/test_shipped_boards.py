"""The boards that come with the project: facts of the published maps, names."""

import re

import pytest

from legation.board import ARMY, FLEET, read_board
from legation.notation.names import place_names
from tests.board.folders import BOARDS, SHIPPED

# what every table of these maps says; a fleet's coast is written as its location
ARMIES = {
    "standard": {
        "con": "ank bul smy",
        "den": "kie swe",
        "kie": "ber den hol mun ruh",
        "mar": "bur gas pie spa",
        "nwy": "fin stp swe",
        "por": "spa",
        "rom": "apu nap tus ven",
        "ser": "alb bud bul gre rum tri",
        "stp": "fin lvn mos nwy",
        "tun": "naf",
        "yor": "edi lon lvp wal",
        "nth": "",
    },
    "hundred": {
        "anj": "brt nmd orl",
        "cal": "dij fla lon nmd par",
        "cha": "dau dij par",
        "dev": "ang lon num wal",
        "als": "can lor",
        "dij": "cal can cha dau fla lor lux par",
        "sco": "num",
        "pal": "",
    },
    "hundred1": {
        "orl": "brt dau lim nmd par poi",
        "dij": "cal can dau fla lor lux par",
        "can": "dau dij lor sav",
    },
}
FLEETS = {
    "standard": {
        "con": "aeg ank bla bul/ec bul/sc smy",
        "kie": "bal ber den hel hol",
        "den": "bal hel kie nth ska swe",
        "mao": "bre eng gas iri naf nao por spa/nc spa/sc wes",
        "spa/nc": "gas mao por",
        "spa/sc": "lyo mao mar por wes",
        "spa": "",
        "stp/nc": "bar nwy",
        "stp/sc": "bot fin lvn",
        "bul/ec": "bla con rum",
        "bul/sc": "aeg con gre",
        "rom": "nap tus tys",
        "apu": "adr ion nap ven",
        "edi": "cly nth nwg yor",
        "lvp": "cly iri nao wal",
        "smy": "aeg con eas syr",
        "nao": "cly iri lvp mao nwg",
        "swe": "bal bot den fin nwy ska",
        "mun": "",
    },
    "hundred": {
        "lon": "ang cal dev dov ech",
        "cas": "ara/nc ara/sc atl bis med",
        "num/ec": "ang nth sco",
        "num/wc": "iri sco wal",
        "ara/nc": "bis cas guy",
        "ara/sc": "cas med tou",
        "pal": "atl iri min",
        "atl": "bch bis cas iri med pal",
        "poi": "",
    },
    "hundred1": {
        "min": "iri nth num/wc sco",
        "iri": "bch min num/wc wal",
        "cas": "ara/nc ara/sc bis med",
        "num/wc": "iri min sco wal",
    },
}
NAMES = {
    "standard": {
        "lyo": "gol|Gulf of Lyon|Gulf of Lyons|golfe du lion",
        "mao": "mid|mat|Mid-Atlantic Ocean|Mid Atlantic",
        "nao": "nat|North Atlantic Ocean|n. atlantic",
        "nwg": "nrg|Norwegian Sea",
        "nwy": "nor|Norway|norw",
        "lvp": "lpl|livp|Liverpool",
        "lvn": "livo|lva|Livonia",
        "tys": "tyn|tyh|Tyrrhenian Sea|tyrrenian sea",
        "tyr": "tyl|trl|Tyrolia|Tirol",
        "eng": "ech|English Channel|the channel",
        "hel": "hgb|Heligoland Bight|Helgoland Bight|helgoland",
        "bot": "gob|Gulf of Bothnia",
        "eas": "emed|ems|Eastern Mediterranean|East Med",
        "wes": "wmed|wms|Western Mediterranean|W. Med",
        "nth": "nts|North Sea",
        "ska": "Skagerrak|skagerak",
        "rum": "Rumania|Romania",
        "stp": "St Petersburg|St. Petersburg|Saint Petersburg",
        "con": "Istanbul|constantinople",
        "mar": "Marseille|Marseilles",
        "naf": "N. Africa|nora",
        "sev": "sevastapol|Sebastopol",
    },
    "hundred": {
        "hol": "ams|Amsterdam",
        "fla": "ant|Antwerp",
        "orl": "Orleans|Orléanais",
        "dev": "ply|Plymouth",
        "guy": "aqu|Aquitaine",
        "lor": "swa|Swabia",
        "ara": "cat|Catalonia",
        "cas": "ibe|Iberia",
        "num": "Northumberland|not",
        "cal": "art|Artois",
        "nmd": "nom|nrm|Normandy",
        "brt": "bri|Brittany",
        "dov": "str|Strait of Dover|Straits of Dover",
        "ech": "eng|English Channel",
        "nth": "nos|North Sea",
        "bch": "brs|Bristol Channel",
        "was": "thw|The Wash|wash",
        "pal": "thp|The Pale|pale",
        "med": "Mediterranean|Mediterranean Sea",
        "bis": "bob|Bay of Biscay",
    },
    "hundred1": {"hol": "ams", "nmd": "nom", "was": "thw|The Wash", "ech": "eng", "can": "swi|swiss"},
}


@pytest.mark.parametrize("name", ARMIES)
def test_facts_of_the_map(name: str) -> None:
    board = read_board(BOARDS / name)
    for travel, facts in ((ARMY, ARMIES[name]), (FLEET, FLEETS[name])):
        for location, neighbors in facts.items():
            assert board.reach(travel, location) == set(neighbors.split()), f"{travel} at {location}"


@pytest.mark.parametrize("name", NAMES)
def test_names_that_people_write(name: str) -> None:
    board = read_board(BOARDS / name)
    names = place_names(board)
    for province, spellings in NAMES[name].items():
        for spelling in (*spellings.split("|"), province, board.provinces[province].name.upper()):
            assert names.find(spelling) == province, spelling


@pytest.mark.parametrize("name", SHIPPED)
def test_notes_say_the_same_in_every_language(name: str) -> None:
    board = read_board(BOARDS / name)
    assert board.translated_notes.keys() == ({"de", "es", "fr"} if board.notes else set())
    for language, notes in board.translated_notes.items():
        assert _form(notes) == _form(board.notes), language


def _form(notes: str) -> tuple[list[str], list[str]]:
    """The marks at the beginning of its lines, and what it quotes of files and of rulebooks."""
    quoted = re.findall(r"`[^`]+`|\b[KW]-\d+\w?", notes)
    return re.findall(r"^(?:#+|-|\d\.|\|)(?= |-)", notes, re.MULTILINE), sorted(set(quoted))
