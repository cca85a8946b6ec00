"""What a file says comes to these rules, or is told: nothing is lost, or read as more, in silence. Each way of writing
was seen in files of the field; every case is the toy board with some of its text changed."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from legation.interop import ForeignFileError
from tests.interop import toy
from tests.interop.bringing import BORDERS, Brought, bring

Change = tuple[str, str]
WHOLE = "nothing; everything in the source has a counterpart"
MAJORITY = '"type": "supply-center-majority", "supplyCenters": 2'
OLDER = (
    '{"id":"x","name":"X","nations":[{"name":"N","color":"#808080"}],'
    '"provinces":[{"id":"alp","name":"A","type":"land","supply_center":true}]}'
)
GATE = ("Ocean,  w ode\n", "Ocean,  w ode\nGate,  g gat\n")
NOBODY = "-1 Null ownership"
SECTIONS = "HongKong setting\nN: DUN\n#end\n\nGateway\nSC:Dun bay ode\n#end\n\nRailway\nTSR:N Alp Dun Cap\n#end\n\n"
ROW = "array('Ode', 'Sea', 'No', 0, 250, 250, 125, 125)"
BORDER_ROW = "array('Bay','Ode','Yes','No')\n);"
CONSTANT = "define('L','Land');\n$territoryRawData=array(\n\tarray('Alp', L"
TURNS = '( $turn % 2 ? "Autumn, " : "Spring, " ).(floor($turn/2) + 1700)'
MADE = "InstallTerritory::$Territories['Bay']->supply='Yes'; // a name\n"
FIRST_BUILDS = """class CustomStart_processGame extends processGame { protected function changePhase() {
 if( $this->phase == 'Pre-game' )
 {
  // Builds first
  $this->setPhase('Builds'); return false; } return parent::changePhase(); } }"""
NO_MOVE = """class X extends userOrderDiplomacy { protected function typeCheck() {
  if (in_array($this->Unit->terrID,array(1,'5')) && $this->type == 'Move') return false;
  return parent::typeCheck(); } }"""
NO_REMOVAL = """class X extends userOrderBuilds { protected function toTerrIDCheck() {
  if ( $this->type == 'Destroy' ) { if ( $this->toTerrID == 1 || $this->toTerrID == 5) return false; }
  if( $this->type == 'Build Army' ) return $this->sqlCheck("ts.countryID = ".$this->countryID." AND t.supply = 'Yes'");
  } }"""
ADD_BORDER = (
    "foreach($bordersRawData as $borderRawRow) {\n\tlist($from, $to, $fleets, $armies)=$borderRawRow;\n"
    "\tInstallTerritory::$Territories[$from]->addBorder(InstallTerritory::$Territories[$to],$fleets,'No');\n}\n?>"
)


class Case(msgspec.Struct, kw_only=True):
    """A change of the toy board, and what it comes to: settings of rules by their paths in the variant's file (None for
    what isn't there), the first turn, the start, and words of the report's parts."""

    kind: str
    changes: tuple[Change, ...]
    more: str = ""
    classes: dict[str, str] = {}
    said: dict[str, Any] = {}
    first: str = ""
    start: set[tuple[str, str]] | None = None
    homes: dict[str, tuple[str, ...]] = {}
    owned: dict[str, str] = {}
    taken: list[str] = []
    lost: list[str] = []
    guessed: list[str] = []
    silent: list[str] = []
    """What isn't told as lost."""


def case(name: str, *changes: Change, **facts: Any) -> Any:
    """A case by its name, which begins with the format."""
    return pytest.param(Case(kind=name.partition(":")[0], changes=changes, **facts), id=name)


def bordered(terms: str, at: str = 'fullname="Dunes"') -> tuple[Change, Change]:
    """The toy board of jDip with a border of its own around a place."""
    border = f'<PROVINCES><BORDER_DEFINITIONS><BORDER id="b" description="x" {terms}/></BORDER_DEFINITIONS>'
    return ("<PROVINCES>", border), (at, f'{at} borders="b"')


DPJUDGE = [
    case("dpjudge: ports convoy", ("COAST CAP ", "PORT CAP "), said={"convoying_coasts.provinces": ["cap"]}),
    case("dpjudge: an impassable place", more="ROCK = roc\nSHUT ROC\n", taken=["5 provinces", "SHUT roc"]),
    case("dpjudge: a dummy", more="DUMMY SOUTH\n", said={"passive_powers.powers": ["South"]}),
    case("dpjudge: small letters", more="rule build_any\n", said={"build_anywhere": {}}),
    case("dpjudge: years before Christ", ("SPRING 1700", "SPRING -480"), first="Spring 480 Movement"),
    case("dpjudge: too few of them", ("SPRING 1700", "SPRING -20"), first="Spring 1 Movement", lost=["B.C."]),
    case(
        "dpjudge: what has no counterpart",
        more="RULE ORDER_ANY\nTEAMS NORTH-SOUTH\nRESERVES 2\nMISSPELT\nIN FALL: WATER CAP\n",
        lost=["ORDER_ANY", "TEAMS", "RESERVES", "Misspelt: a line", "IN FALL"],
    ),
    case(
        "dpjudge: borders with terms",
        ("LAND  ALP    ABUTS dun", "LAND  ALP    ABUTS ~dun"),
        ("COAST CAP    ABUTS BAY ODE", "COAST CAP    ABUTS S:BAY ODE(ALP,CAP)"),
        said={
            "border_terms.weak": [{"from": "alp", "to": "dun"}],
            "border_terms.closed": [
                {"from": "cap", "to": "ode", "owners": ["alp", "cap"]},
                {"from": "cap", "to": "bay", "except": ["South"]},
            ],
        },
    ),
    case(
        "dpjudge: a flow of years",
        ("BEGIN SPRING 1700", "BEGIN YEAR 1700"),
        more="FLOW\nFLOW YEAR:MOVEMENT,RETREATS WINTER:ADJUSTMENTS NEWYEAR:5\n",
        said={"calendar.cycle": ["Year Movement", "Year Retreats", "Winter Adjustments"], "calendar.years": 5},
        first="Year 1700 Movement",
    ),
    case(
        "dpjudge: rules of many kinds",
        ("(NORTHERN:N) ALP\n", "(NORTHERN:N) ALP *CAP @DUN(ALP)\nRESERVES 2\n"),
        ("(SOUTHERN:S) CAP\n", "(SOUTHERN:S) CAP\nMILITIA\n"),
        ("VICTORY 2", "VICTORY 3 2"),
        more="RULES HOLD_WIN NO_RETREAT GARRISON NO_UNITS_SEE BLIND\nNEWHOMES 1702\n",
        said={
            "solo_terms": {"centers": [3, 2], "hold": 2},
            "solo": None,
            "extra_units": {"reserves": {"North": 2}, "militia": ["South"], "garrison": True},
            "further_sites": {"partisans": {"North": ["cap"]}, "alternatives": {"North": {"dun": ["alp"]}}},
            "blind_game": {"units": False},
            "gained_homes.years": [1702],
            "no_retreats": {},
        },
        lost=[WHOLE],
    ),
    case(
        "dpjudge: further rules",
        ("(NORTHERN:N) ALP\n", "(NORTHERN:N) ALP &DUN\n"),
        ("(SOUTHERN:S) CAP\n", "(SOUTHERN:S) CAP\nOWNS CAP SC!\n"),
        more="RULES FRIENDLY_FIRE COASTAL_CRAWL WEAK_BOUNCES CD_BUILDS CD_SUPPORTS BLIND SEE_NO_UNITS SEE_ALL_SCS\n"
        "RULES MOBILIZE\n",
        said={
            **{rule: {} for rule in ("friendly_fire", "coastal_crawl", "weak_bounces")},
            "mobilization.powers": {"South": 1},
            "disorder": {"builds": True, "supports": True},
            "blind_game": {"others": "none", "owners": "all"},
            "gained_homes.claims": {"North": ["dun"]},
        },
        first="Winter 1699 Adjustments",
        lost=[WHOLE],
    ),
    case(
        "dpjudge: homes with marks",
        ("(NORTHERN:N) ALP", "(NORTHERN:N:NO) ALP ~@DUN &SC"),
        ("UNOWNED DUN", "UNOWNED"),
        homes={"North": ("alp", "dun")},
        said={
            "further_sites.alternatives": {"North": {"dun": []}},
            "gained_homes.any_claims": {"North": 1},
            "hidden_builds.provinces": ["dun"],
        },
    ),
    case(
        "dpjudge: water that is shut but in spring",
        more="IN SPRING: WATER BAY\nSHUT BAY\nRULE HIBERNATE NO_DRAW\n",
        said={"border_terms.shut": [{"to": "bay", "seasons": ["Fall"]}], "draw_by_vote": None},
        lost=[WHOLE],
    ),
    case(
        "dpjudge: half borders, directives and leagues",
        more="DIRECTIVES\nRULE HOLD_WIN\nEND DIRECTIVES\nPAYOLA DIRECTIVES\nRULE NO_SAVINGS\nEND DIRECTIVES\n"
        "NORTH\nLEAGUE RED STRICT\nSOUTH\nLEAGUE RED STRICT\nAMEND BAY ABUTS *ODE\nAMEND ODE ABUTS *BAY\n",
        said={
            "border_terms.half": [{"from": a, "to": b, "convoyed": True} for a, b in (("bay", "ode"), ("ode", "bay"))],
            "solo_terms.hold": 2,
            "leagues.leagues": [["North", "South"]],
        },
        lost=["stands inside PAYOLA DIRECTIVES"],
    ),
    case(
        "dpjudge: leagues whose powers differ",
        more="NORTH\nLEAGUE RED STRICT\nSOUTH\nLEAGUE RED\n",
        lost=["LEAGUE RED (North, South): restricts supports and convoys of its powers in different"],
    ),
    case(
        "dpjudge: leagues of one power each",
        more="NORTH\nLEAGUE RED\nSOUTH\nLEAGUE BLUE\n",
        taken=["LEAGUE BLUE (South): restricts no power"],
    ),
    case(
        "dpjudge: a site of builds with a new code, its power with a new name",
        ("(NORTHERN:N) ALP", "(NORTHERN:N) ALP +CAP"),
        more="CAPE -> KAP = kap\nNORTH -> NORD (NORDIC:N)\n",
        said={"further_sites.always": {"Nord": ["kap"]}},
    ),
    case(
        "dpjudge: a home that nobody owns at the start",
        ("(NORTHERN:N) ALP\n", "(NORTHERN:N) ALP DUN\nOWNS ALP\n"),
        homes={"North": ("alp", "dun")},
        owned={"alp": "North", "cap": "South"},
    ),
    case(
        "dpjudge: homes with marks that a power inhabits",
        ("(NORTHERN:N) ALP", "(NORTHERN:N) ALP\nINHABITS ALP ~DUN"),
        homes={"North": ("alp", "dun")},
    ),
    case(
        "dpjudge: a power that is set up anew",
        more="UNPLAYED NORTH, SOUTH\nNORTH (NORTHERN:N) DUN\nA DUN\n",
        homes={"North": ("dun",)},
        taken=[
            "1 powers",
            "UNPLAYED NORTH: what stood before is forgotten; the map sets the power up anew",
            "UNPLAYED SOUTH: the power is left out, and its centers belong to nobody",
        ],
    ),
    *(
        case(
            f"dpjudge: a power that is written {first} and {second}",
            ("NORTH (NORTHERN:N) ALP", f"{first} (NORTHERN:N)\n{second} ALP"),
            homes={"NORTH": ("alp",), "South": ("cap",)},
            taken=["2 powers"],
        )
        for first, second in (("NORTH", "N+O+R+T+H"), ("N+O+R+T+H", "NORTH"))
    ),
    case(
        "dpjudge: a power that may be a misspelled directive",
        more="UNOWMED DUN\n",
        guessed=["Unowmed: is a power, as its line begins with no directive"],
    ),
    case(
        "dpjudge: fleets that could not leave",
        ("COAST DUN/SC ABUTS ODE CAP", "COAST DUN/SC ABUTS"),
        guessed=["cap, ode - dun/sc: fleets could come to dun/sc and never leave it; they may go back"],
    ),
]
NJUDGE = [
    case(
        "njudge: a unit without its coast",
        ("N: A Alps\nS: F Cape", "N: F Dunes"),
        start={("F", "dun/nc")},
        guessed=["no coast is named"],
    ),
    case(
        "njudge: borders with terms",
        ("Ocean,  w ode", "Ocean,  v ode"),
        ("alp-mv: dun", "alp-mv: dun/mx"),
        said={
            "border_terms.weak": [{"from": "alp", "to": "dun", "kinds": ["A"]}],
            "border_terms.closed": [
                {"to": "ode", "seasons": ["Fall"]},
                *({"from": "ode", "to": to, "seasons": ["Fall"]} for to in ("bay", "cap", "dun")),
            ],
        },
    ),
    case(
        "njudge: half borders",
        ("alp-mv: dun", "alp-mv: dun/h"),
        ("cap-mv: dun", "cap-mv: dun/l"),
        said={"border_terms.half": [{"from": "alp", "to": "dun"}, {"from": "cap", "to": "dun", "convoyed": True}]},
    ),
    case(
        "njudge: digits as letters of powers",
        ("Alps,   N", "Alps,   3"),
        ("N: A", "3: A"),
        homes={"Alps": ("alp",), "Cape": ("cap",)},
        start={("A", "alp"), ("F", "cap")},
        taken=["2 powers"],
    ),
    case(
        "njudge: owners of what is no center",  # gat, on no border, is no place
        GATE,
        (NOBODY, "-1\nNNSN.S"),
        owned={"alp": "Alps", "dun": "Alps", "cap": "Cape"},
        lost=["seed.toy: owners of bay, gat: which aren't centers"],
    ),
    case(
        "njudge: too few owners",
        GATE,
        (NOBODY, "-1\nNS"),
        owned={"alp": "Alps", "dun": "Cape"},
        lost=["seed.toy: owners: are 2, and places 6: the rest is nobody's"],
    ),
    case(
        "njudge: places of Machiavelli",
        *(
            ("Alps,   N alp", "Alps,   N0. alp"),
            ("Dunes,  x dun", "Dunes,  x2P dun"),
            ("Cape,   S cap", "Cape,   S1f cap"),
        ),
        *(("N: A Alps", "Nm A Alps\n&m G Dunes"), ("S: F Cape", "Sm F Cape")),
        taken=["2 centers"],
        start={("A", "alp"), ("F", "cap")},
        lost=["a center: alp", "&m G Dunes"],
    ),
    case(
        "njudge: sections whose lines begin with capitals",
        ("Ocean,  w ode\n", "Ocean,  w ode\nRailway line,\tr TSR\nA Canal, g SC\n"),
        ("ordering\n", f"ordering\n{SECTIONS}"),
        taken=["5 provinces"],
        said={
            "uncounted_centers.centers": {"Alps": ["dun"]},
            "railways": {"lines": [["alp", "dun", "cap"]], "powers": ["Alps"]},
        },
        lost=["Gateway"],
    ),
    *(
        case(
            f"njudge: a game that begins with {seed}",
            ("S1700M\nN: A Alps\nS: F Cape\n", f"{seed}\n-1\n"),
            first=f"Winter {seed[1:5]} Adjustments",
            start=set(),
        )
        for seed in ("F1900B", "F1453A", "W1900A")
    ),
    case(
        "njudge: units of a power without homes, and a seed in retreats",
        *(("S1700M", "F1700R"), ("S: F", "Q: F")),
        first="Fall 1700 Retreats",
        guessed=["seed.toy: Q: the map has no home of this letter"],
    ),
]
JDIP = [
    case(
        "jdip: borders with terms",
        (
            "<PROVINCES>",
            '<PROVINCES><BORDER_DEFINITIONS><BORDER id="idle" description="nothing" from="alp"/>'
            '<BORDER id="ice" description="ice" season="fall" unitTypes="fleet" phase="movement"/>'
            '<BORDER id="river" description="a river" from="alp" baseMoveModifier="-1"/></BORDER_DEFINITIONS>',
        ),
        ('shortname="bay"', 'shortname="bay" borders="ice"'),
        ('shortname="dun"', 'shortname="dun" borders="river idle"'),
        said={
            "border_terms.closed": [{"to": "bay", "kinds": ["F"], "seasons": ["Fall"], "phases": ["Movement"]}],
            "border_terms.weak": [{"from": "alp", "to": "dun"}],
        },
        taken=["forbids nothing"],
    ),
    *(
        case(f"jdip: {terms}", *bordered(terms), said={"border_terms.closed": [rule]})
        for terms, rule in (
            ('orderTypes="dip.order.Move"', {"to": "dun", "phases": ["Movement"]}),
            ('orderTypes="dip.order.Move, dip.order.Retreat"', {"to": "dun"}),
            ('year="-9999,1914"', {"to": "dun", "years": "0-1914"}),
            ('year="1914"', {"to": "dun", "years": "1914-1914"}),
            ('unitTypes="Fleet, Wing" from="Cape"', {"from": "cap", "to": "dun", "kinds": ["F"]}),
        )
    ),
    *(
        case(f"jdip: {terms}", *bordered(terms), said={"border_terms": None}, lost=["BORDER b of dun"])
        for terms in ('unitTypes="Wing" season="Fall"', 'year="-30,-20"', 'year="soon"')
    ),
    *(
        case(
            f"jdip: a border from {start}",
            *bordered(f'from="{start}" season="Fall"', 'shortname="cap"'),
            said={"border_terms": None},
            lost=[f"BORDER b of cap, from {start.replace('-', '/')}: is"],
        )
        for start in ("nowhere", "dun-nc")
    ),
    case(
        "jdip: a border from a place off the board",
        *bordered('from="isl" season="Fall"'),
        (
            "</PROVINCES>",
            '<PROVINCE shortname="isl" fullname="I"><ADJACENCY type="mv" refs="isl"/></PROVINCE></PROVINCES>',
        ),
        said={"border_terms": None},
    ),
    case(
        "jdip: a border that weakens and closes",
        *bordered('from="cap" season="Fall" baseMoveModifier="-1"'),
        said={
            "border_terms.weak": [{"from": "cap", "to": "dun"}],
            "border_terms.closed": [{"from": "cap", "to": "dun", "seasons": ["Fall"]}],
        },
    ),
    case(
        "jdip: builds and endings",
        (
            '<POWER name="North"',
            '<RULEOPTIONS><RULEOPTION name="OPTION_BUILDS" value="VALUE_BUILDS_ANY_IF_HOME_OWNED"/></RULEOPTIONS>'
            '<POWER name="North"',
        ),
        ('GAME_LENGTH value="35"', 'GAME_LENGTH value="9"'),
        said={"build_where.sites": "while home", "year_limit.last": "Winter 1708 Adjustments"},
    ),
]
DOCUMENTS = [
    case(
        "diplicity: an end by most centers",
        (MAJORITY, '"type": "timed-resolution", "year": 1720, "resolution": "most-supply-centers"'),
        said={"most_centers.last": "Fall 1720 Adjustments"},
    ),
    case(
        "diplicity: winning by listed provinces",
        (MAJORITY, '"type": "province-control", "provinces": ["dun", "cap"], "year": 1710'),
        said={"held_centers": {"centers": ["dun", "cap"], "from_year": 1710}},
    ),
    case(
        "diplicity: a center that is owned but not called one",
        ('"supplyCenters": [', '"supplyCenters": [{"nation": "north", "province": "ode"}, '),
        guessed=["center ode: is owned at the start, and so is a center"],
    ),
    case(
        "go: what is left to functions",
        *(("Phase:      classical.NewPhase", "Phase:      OwnPhase"), ("SCCountWinner(2)", "OwnWinner")),
        ('"alp": godip.Unit{godip.Army, North}', '"dun": godip.Unit{godip.Army, godip.Neutral}'),
        more="// map[godip.Flag]bool{godip.Anywhere: false}\nvar f = x{godip.Anywhere: true}\n",
        said={"passive_powers.powers": ["Neutral"], "build_anywhere": {}},
        lost=["Phase: how phases follow each other (OwnPhase)", "SoloWinner: who wins", "One rule and another."],
    ),
    case(
        "go: the first phase, and flags",
        ("godip.Spring, godip.Movement)", "godip.Fall, godip.Adjustment)\n\tflags := {godip.Elsewhere: true}"),
        first="Winter 1700 Adjustments",
        lost=["flag Elsewhere: is not known"],
    ),
]
WEBDIPLOMACY = [
    case("webdiplomacy: a known country", ("'Yes', 1,", "'Yes', 'N+ORTH',"), homes={"North": ("alp",)}),
    case(
        "webdiplomacy: neutral units",
        ("'South' =>", "'Neutral units' => array('Dun' => 'Army'),\n\t\t'South' =>"),
        said={"passive_powers.powers": ["Neutral"]},
    ),
    case(
        "webdiplomacy: the centers to win, beside rows that convoy and no classes",
        ("$this->variantClasses['adjudicatorPreGame'] = 'Toy';", "$this->convoyCoasts = array(4);"),
        ("$this->variantClasses['drawMap'] = 'Toy';", ""),
        taken=["supplyCenterTarget: 2 centers to win"],
    ),
    case(
        "webdiplomacy: a class that decides who wins",
        ("supplyCenterTarget = 2", "supplyCenterTarget = 1"),
        classes={"processMembers": "class T extends processMembers { function checkForWinner() { return 0; } }"},
        taken=["class adjudicatorPreGame: the starting units of 2 countries"],
        lost=["class processMembers: changes who wins, and with how many centers in checkForWinner"],
        guessed=["1 are what a power has at the start"],
    ),
    case(
        "webdiplomacy: classes that transform units",
        classes={"userOrderDiplomacy": "class X extends Y { function typeCheck() { return 'Transform_1'; } }"},
        said={"conversion": {"turns": 1, "where": "centers"}},
        guessed=["orders to transform"],
    ),
    *(
        case(
            f"webdiplomacy: {said}",
            (TURNS[13:], said),
            first=first,
            said={"calendar.years": years},
            taken=["turnAsDate"],
        )
        for said, first, years in (
            ('l_t("Autumn").", " : l_t("Spring").", " ).(floor($turn/2) + 1914)', "Spring 1914 Movement", None),
            ('"Autumn, " : "Spring, " ).(floor($turn/2) * 5 + 1450)', "Spring 1450 Movement", 5),
            ('"Autumn, " : "Spring, " ).(floor($turn/2))', "Spring 1 Movement", None),
        )
    ),
    *(
        case(
            f"webdiplomacy: {said}",
            (TURNS, said),
            said={
                "calendar.cycle": ["+0 Movement", "+0 Retreats", "+5 Movement", "+5 Retreats", "+5 Adjustments"],
                "calendar.years": 10,
            },
            first=first,
        )
        for said, first in (
            ('"Year: " . round( ( $turn * 5 ) + 1425 )', "1425 Movement"),
            ('"Year " . (floor($turn*5)+1555)', "1555 Movement"),
        )
    ),
    case(
        "webdiplomacy: years before Christ",
        ("(floor($turn/2) + 1700)", '(-1*(floor($turn/2) - 480))." BC."'),
        said={"calendar.first": "Spring 480 Movement", "calendar.down": True},
    ),
    case(
        "webdiplomacy: turns before the first year",
        ('"Pre-game";', '"Pre-game";\nif ( $turn==0  ) return "Bidding";\nif ( $turn==1  ) return "Initial Builds";'),
        first="Spring 1701 Movement",
    ),
    case(
        "webdiplomacy: a center that is made for an index",
        ("?>", f"{MADE}$DB->sql_put('UPDATE wD_Territories SET supply=\"No\" WHERE countryID > 7;');\n?>"),
        taken=["3 centers"],
        silent=["supply"],
    ),
    case(
        "webdiplomacy: a center that is made and stays",
        ("?>", f"{MADE}?>"),
        taken=["4 centers", "Bay->supply: made a center after the table"],
    ),
    case(
        "webdiplomacy: coasts that convoy",
        ("public $countries", "public $convoyCoasts = array ('3', '5');\n\tpublic $countries"),
        classes={
            "userOrderDiplomacy": "class X extends userOrderDiplomacy { function typeCheck() { return true; }"
            " function checkConvoyPath($a, $b) { return true; } }"
        },
        said={"convoying_coasts.provinces": ["cap"]},
        lost=["convoyCoasts: Dun"],  # it has two coasts, and a fleet on one reaches one sea
        silent=["userOrderDiplomacy"],
    ),
    case(
        "webdiplomacy: builds before the first turn beside units",
        ("'South' => array('Cap' => 'Fleet')", "'South' => array()"),
        classes={
            "processGame": FIRST_BUILDS,
            "processOrderBuilds": "class X extends Y { protected $countryUnits = array('South' => "
            "array('Cap' => 'Fleet', 'Ode' => 'Fleet')); }",
        },
        first="Winter 1699 Adjustments",
        start={("A", "alp")},
        said={"default_builds.units": {"South": ["F cap"]}},
        taken=["processGame"],
        lost=["Ode is none of its centers"],
        silent=["processGame"],
    ),
    case(
        "webdiplomacy: rules that are switched on",
        (
            "parent::__construct();",
            "parent::__construct(); $this->rules[RULE_BUILD_ANYHWERE] = true; $this->rules[RULE_CUSTOM_MAP] = true;"
            " $r = array(RULE_X => true);",
        ),
        said={"build_anywhere": {}},
        lost=["RULE_X"],
        silent=["CUSTOM"],
    ),
    case(
        "webdiplomacy: units of a misspelled country",
        ("'South' =>", "'Sooth' =>"),
        start={("A", "alp")},
        lost=["units of Sooth"],
    ),
    case(
        "webdiplomacy: a territory that stands for an order",
        (ROW, f"{ROW},\narray('-=> Transform <=-', 'Coast', 'No', 0, 0, 0, 0, 0)"),
        taken=["5 provinces"],
        lost=["Transform"],
    ),
    case(
        "webdiplomacy: rows that name countries beside the map",
        (ROW, f"{ROW}, array('north', 'Coast', 'No', 0, 390, 10, 1, 5), array('sou', 'Coast', 'No', 2, 390, 30, 1, 1)"),
        taken=["5 provinces", "north: names a country beside the map", "sou: names a country beside the map"],
        silent=["called a coast", "no unit can reach"],
    ),
    case(
        "webdiplomacy: neutral units that support each other",
        ("'South' => array(", "'South' => array(), 'Black' => array('Bay' => 'Fleet', "),
        ("'Cap', 'Coast', 'Yes', 2,", "'Cap', 'Coast', 'Yes', 'Black',"),
        (
            "public $id = 900;",
            "public $neutralHold = array('5' => '6', '6' => '5');\n"
            "function countryID($countryName) { if ($countryName == 'Black') return 3; }",
        ),
        said={"passive_powers.supports": {"cap": "bay", "bay": "cap"}},
        silent=["Black"],
    ),
    case(
        "webdiplomacy: units that never move, and armies alone that are built",
        classes={"userOrderDiplomacy": NO_MOVE, "userOrderBuilds": NO_REMOVAL},
        said={"fixed_units": {"provinces": ["alp", "cap"], "kept": True}, "built_kinds.kinds": ["A"]},
        silent=["userOrderDiplomacy"],
    ),
    case(
        "webdiplomacy: units that are never removed",
        classes={"userOrderBuilds": NO_REMOVAL.replace("} }", "else return false; } }")},
        said={"built_kinds": None},
        lost=["units in Alp, Cap cannot be removed there"],
    ),
    case(
        "webdiplomacy: the one unit that never moves",
        (
            "protected",
            "function a() { sql_put('SELECT occupyingUnitID FROM wD_TerrStatus WHERE terrID=5'); } protected",
        ),
        classes={"OrderInterface": "class X { function a() { str_replace('NoMove('.$nomove.');', $script); } }"},
        said={"fixed_units": {"provinces": ["cap"]}},
        guessed=["the unit that stands in Cap at the start never moves"],
    ),
    case(
        "webdiplomacy: a garrison is an army that never moves",
        ("'Alp' => 'Army'", "'Alp' => 'Garrison'"),
        said={"fixed_units.provinces": ["alp"]},
        start={("A", "alp"), ("F", "cap")},
        guessed=["garrison alp of North: is an army that never moves here"],
    ),
    case(
        "webdiplomacy: starting units that are set one by one",
        (
            "array(\n\t\t'North' => array('Alp' => 'Army'),\n\t\t'South' => array('Cap' => 'Fleet')\n\t);",
            "array(); function x() { $this->countryUnits['North']['Alp'] = 'Army';\n"
            "$this->countryUnits['South']['Cap'] = $kind; }",
        ),
        start={("A", "alp")},
        lost=["countryUnits of South: units made by a program"],
    ),
    case("webdiplomacy: tables that are done with", ("?>", "unset($bordersRawData); ?>"), silent=["unset"]),
    case("webdiplomacy: a loop that makes the borders of the table", ("?>", ADD_BORDER), silent=["addBorder"]),
]


@pytest.mark.parametrize("case", [*DPJUDGE, *NJUDGE, *JDIP, *DOCUMENTS, *WEBDIPLOMACY])
def test_what_a_file_says_is_a_rule_or_told(case: Case, tmp_path: Path) -> None:
    check(case, bring(tmp_path, case.kind, *case.changes, more=case.more, classes=case.classes))


def check(case: Case, found: Brought) -> None:
    """Hold what came of a case against what should."""
    rules = found.rules
    assert {path: setting(found.said, path) for path in case.said} == case.said
    for part, words in ((found.taken, case.taken), (found.lost, case.lost), (found.guessed, case.guessed)):
        assert [word for word in words if word not in part] == [], found.report
    assert [word for word in case.silent if word in found.lost] == [], found.report
    assert str(rules.first_turn()) == case.first or not case.first
    assert found.start == case.start or case.start is None
    assert {name: rules.powers[name].homes for name in case.homes} == case.homes
    assert dict(rules.start_owners) == case.owned or not case.owned


def setting(at: Any, path: str) -> Any:
    """What a rule's file says at a path."""
    for key in path.split("."):
        at = (at or {}).get(key)
    return at


NOT_TAKEN = {
    "njudge": [
        ("Ocean,  w ode", "Ocean,  wl ode", "wl of ode: map.toy:5: water that armies enter"),
        ("#End of", "Railway\nfoo bar\n#End of", "foo bar: map.toy:19: isn't a line of that section"),
        ("#End of", "HongKong\nfoo bar\n#End of", "foo bar: map.toy:19: isn't a line of that section"),
    ],
    "jdip": [
        ('"35"/>', '"35"/><HOLD_CAPITALS value="3"/>', "HOLD_CAPITALS 3: isn't a known condition"),
        ('LENGTH value="35"', 'LENGTH value="long"', "GAME_LENGTH long: isn't a known condition"),
        ('"dun"/>', '"dun" homepower="any"/>', "homepower any of dun: a center of every power's"),
    ],
    "diplicity": [
        ('"id": "north"', '"capital": "alp", "id": "north"', "nations: capital of north: isn't a key"),
        ('"id": "alp"', '"fortress": true, "id": "alp"', "provinces: fortress of alp: isn't a key"),
        ('"id": "dun/nc"', '"port": 1, "id": "dun/nc"', "namedCoasts: port of dun/nc: isn't a key"),
        ('"id": "north"', '"id": "south"', "nation south: has no name, or an id that another nation has"),
        ('"supplyCenters": 2', '"supplyCenters": "2"', "supply-center-majority: isn't known"),
        (MAJORITY, '"type": "timed-resolution", "year": 1710, "resolution": "lot"', "timed-resolution: is"),
    ],
    "godip": [
        ('"SupplyCenters": {', '"SupplyCenters": {"dun": "East", ', "center dun: belongs to East, which isn't a"),
        ('"SC": ""', '"SC": "East"', "SC of dun: is home of East, which isn't a nation"),
        ('"Edges": {"dun": ', '"Edges": {"cap": {}, "dun": ', "alp - cap: a border without the flag Land or Sea"),
        ('"Name": "Toy"', '"Name": "Toy", "Flags": ["Elsewhere"]', "flag Elsewhere: is not known"),
    ],
    "webdiplomacy": [
        ("Target = 2", "Target = 1+1", "supplyCenterTarget: is made by a program"),
        ("parent::initialize();", "$this->countries[] = 'E';", "countries: are changed by a program"),
        ("ToyVariant extends WD", "Toy extends Other", "extends OtherVariant: the variant Other is not"),
        ("?>", "unset($bordersRawData[3]);\n?>", "unset of $bordersRawData"),
        ("?>", "$bordersRawData[0]=array('Alp','Cap','No','Yes');\n?>", "borders is changed by a program"),
        (
            "?>",
            "InstallTerritory::$Territories[$a]->addBorder(InstallTerritory::$Territories['Cap'],'No','Yes');\n?>",
            "addBorder 'Cap', 'No', 'Yes': install.php:27: a border that is made by a program",
        ),
    ],
}


@pytest.mark.parametrize(
    ("kind", "old", "new", "told"), [(kind, *row) for kind, rows in NOT_TAKEN.items() for row in rows]
)
def test_what_is_not_taken_is_told_by_its_name(kind: str, old: str, new: str, told: str, tmp_path: Path) -> None:
    assert told in bring(tmp_path, kind, (old, new)).lost


SLIPS = [
    *(
        case(f"dpjudge: {told}", more=more, lost=[told])
        for more, told in (
            ("VICTROY 7\n", "VICTROY 7: toy.map:23: neither a directive nor a power"),
            ("COST CAP ABUTS BAY\n", "COST CAP ABUTS BAY: toy.map:23: neither a directive nor a power"),
            ("VICTORY TWO\n", "VICTORY TWO: toy.map:23: isn't a list of numbers of centers"),
            ("NORTH\nA ALP DUN\n", "A alp dun: toy.map:24: a unit stands in one place"),
            ("DUNES = dun sand?\n", "sand? of dun: a name that means another place, too"),
            ("UNOWNED DUN\nINHABITS DUN\n", "INHABITS DUN: says what a power's homes are, but names none"),
            ("AMEND BAY ABUTS ODE(ALP,XYZ)\n", "ODE(ALP,XYZ): open only to the owner of xyz, which isn't a place"),
        )
    ),
    *(
        case(f"webdiplomacy: {new}", (old, new))
        for old, new in (
            ("array('Alp',", "array('A' . 'lp',"),
            ("50, 150, 25, 75", "'50', '150', '25', '75'"),
            ("'Yes', 1, 50", "'Yes', '1', 50"),
            ("array('Alp', 'Land'", "1=>array('Alp', 'Land'"),
            ("array('Alp', 'Land'", "0=>array('Alp', 'Land'"),
            ("$territoryRawData=array(\n\tarray('Alp', 'Land'", CONSTANT),
            ("$countries = array('North',", "$a = 1; const N = 'North';\n\tpublic $countries = array(self::N,"),
            ("$countries = array('North',", "$a; const string N = 'North';\npublic $countries = array(ToyVariant::N,"),
            ("$countries = array('North', 'South')", "$countries = [1 => 'North', 2 => 'South']"),
            ("public $countries", 'public $description = <<<TEXT\nIt\'s a "toy"\nTEXT;\n\tpublic $countries'),
            ("public $countries", "public $description = <<<'TEXT'\n  It's $one\n  TEXT;\n\tpublic $countries"),
        )
    ),
    case(
        "webdiplomacy: a border behind the table",
        ("array('Alp','Dun','No','Yes'),", "array('Dun','Cap','No','Yes'),"),
        (BORDER_ROW, f"{BORDER_ROW}\n$bordersRawData[] = array('Alp','Dun','No','Yes');"),
    ),
    case("njudge: a line without its colon", ("bay-xc: ", "bay-xc ")),
    case("njudge: a line without anything", ("bay-xc: cap", "bay-xc:\nbay-xc: cap")),
    case("njudge: a further code that another place has", ("dun dunes", "dun dunes ode")),
    case("njudge: a coast left out", ("bay-xc: cap ode dun/nc", "bay-xc: cap ode dun")),
    case("jdip: a coast left out", ('refs="cap, ode, dun-nc"', 'refs="cap, ode, dun"')),
    case(
        "jdip: a sea that is listed as an army",
        ('"Bay"><ADJACENCY type="xc"', '"Bay"><ADJACENCY type="mv"'),
        guessed=["bay mv: a sea"],
    ),
    case(
        "njudge: the guard of a conduit",
        ("bay-xc: cap ode dun/nc\n", "bay-xc: ode/cc cap dun/nc\n"),
        lost=["a conduit, guarded by Cape: units always pass, as in njudge's judging"],
    ),
    case(
        "jdip: two lists of neighbors of one kind",
        ('type="mv" refs="alp cap"', 'type="mv" refs="alp"/><ADJACENCY type="mv" refs="cap"'),
        lost=["dun mv: toy_adjacency.xml:5: a second list of one kind; both count here"],
    ),
    case(
        "jdip: provinces by their other names",
        *(
            ('refs="dun"', 'refs="DUNES"'),
            ("dun-nc", "dunes-nc"),
            ("dun-sc", "dunes-sc"),
            ('refs="cap bay', 'refs="Cape bay'),
        ),
        *(('province="dun"', 'province="Dunes"'), ('"alp" power', '"Alps" power')),
        silent=["no province"],
    ),
    case(
        "jdip: a fleet's border where no coast is stated",
        ('refs="cap, ode, dun-nc"', 'refs="cap, ode, dun-nc alp"'),
        lost=["bay xc alp: no fleet can go there: it states no coast of its own"],
    ),
]


@pytest.mark.parametrize("case", SLIPS)
def test_a_slip_changes_nothing_of_the_board(case: Case, tmp_path: Path) -> None:
    found = bring(tmp_path, case.kind, *case.changes, more=case.more)
    check(case, found)
    assert (found.borders, found.start) == (BORDERS, {("A", "alp"), ("F", "cap")})
    north, south = found.rules.powers.values()
    assert (north.homes, south.homes) == (("alp",), ("cap",))
    assert found.rules.board.centers == ("alp", "dun", "cap")
    assert dict(found.rules.start_owners) == {"alp": north.name, "cap": south.name}


@pytest.mark.parametrize(
    ("kind", "changes", "why"),
    [
        ("njudge", [("alp", "al/p")], "the code 'al/p' has a slash, which parts codes from coasts"),
        (
            "njudge",
            [("w bay", "w bay dun"), ("bay-xc", "dun-xc")],
            r"map\.toy:\d+: dun is the code of Dunes and Bay; give",
        ),
        ("dpjudge", [("SOUTH (SOUTHERN:S)", "@!")], "the variant is not sound: power @!: name: "),
        ("go", [(toy.GO[toy.GO.index("func ToyGraph") :], '// Prov("alp")\n')], "another package"),
        (
            "diplicity",
            [('"land", "supplyCenter": true', '"land", "supplyCenter": "true"')],
            "supplyCenter is 'true'; true",
        ),
        ("diplicity", [(toy.DOCUMENT, OLDER)], "holds no borders"),
        (
            "webdiplomacy",
            [(BORDER_ROW, f"{BORDER_ROW}\n$bordersRawData[]=array('Alp',$other,'No','Yes');")],
            "the table of borders holds more than data",
        ),
        (
            "webdiplomacy",
            [
                ("$countries = array('North', 'South')", "$x = 1"),
                ("'North' =>", "'Neutral' =>"),
                ("s WDV", "s EarlierV"),
            ],
            "names no countries; .* the variant Earlier, which is not here",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_in_the_words_of_the_source(
    kind: str, changes: list[Change], why: str, tmp_path: Path
) -> None:
    with pytest.raises(ForeignFileError, match=why) as refused:
        bring(tmp_path, kind, *changes)
    assert not any(".csv" in fault or ".toml" in fault for fault in refused.value.faults)
