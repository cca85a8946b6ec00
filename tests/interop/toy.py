"""The toy board in every format, written for these tests: five provinces, one of them with two coasts."""

import json
import zipfile
from pathlib import Path

JUDGE = """# a comment
DUNES (NORTH COAST) = dun/nc
DUNES (SOUTH COAST) = dun/sc
DUNES = dun dunes dune+land
ALPS = alp
CAPE = cap
BAY = bay
OCEAN = ode
NORTH (NORTHERN:N) ALP
A ALP
SOUTH (SOUTHERN:S) CAP
F CAP
UNOWNED DUN
VICTORY 2
BEGIN SPRING 1700 MOVEMENT
LAND  ALP    ABUTS dun
COAST DUN/NC ABUTS BAY CAP
COAST DUN/SC ABUTS ODE CAP
COAST dun    ABUTS ALP CAP
COAST CAP    ABUTS BAY ODE DUN/NC DUN/SC dun
WATER BAY    ABUTS CAP DUN/NC ODE
WATER ODE    ABUTS CAP DUN/SC BAY
"""
NJUDGE = """Alps,   N alp
Dunes,  x dun dunes
Cape,   S cap
Bay,    w bay
Ocean,  w ode
-1
alp-mv: dun
dun-mv: alp cap
dun-nc: bay cap
dun-sc: ode cap
cap-mv: dun
cap-xc: bay ode dun/nc dun/sc
bay-xc: cap ode dun/nc
ode-xc: cap bay dun/sc
-1
Center order for summary report:
  alp cap dun
#End of center ordering
-1
"""
SEED = "S1700M\nN: A Alps\nS: F Cape\n-1 Null ownership\n-1\n"
VARIANTS_XML = """<?xml version="1.0"?>
<!DOCTYPE VARIANTS SYSTEM "variants.dtd">
<VARIANTS>
 <MAP_DEFINITION id="m" title="Toy" URI="toy.svg" thumbURI="toy.png"/>
 <VARIANT name="Toy" version="1.0">
  <DESCRIPTION><![CDATA[A <b>toy</b> board.]]></DESCRIPTION>
  <MAP adjacencyURI="toy_adjacency.xml"><MAP_GRAPHIC ref="m" default="true"/></MAP>
  <POWER name="North" adjective="Northern"/><POWER name="South" adjective="Southern"/>
  <STARTINGTIME turn="Spring, 1700 Movement"/>
  <VICTORYCONDITIONS><WINNING_SUPPLY_CENTERS value="2"/><GAME_LENGTH value="35"/></VICTORYCONDITIONS>
  <SUPPLYCENTER province="alp" homepower="north" owner="north"/>
  <SUPPLYCENTER province="cap" homepower="south" owner="south"/>
  <SUPPLYCENTER province="dun"/>
  <INITIALSTATE province="alp" power="north" unit="army"/>
  <INITIALSTATE province="cap" power="south" unit="fleet"/>
 </VARIANT>
</VARIANTS>
"""
ADJACENCY_XML = """<?xml version="1.0"?>
<PROVINCES>
 <PROVINCE shortname="alp" fullname="Alps"><ADJACENCY type="mv" refs="dun"/></PROVINCE>
 <PROVINCE shortname="dun" fullname="Dunes"><UNIQUENAME name="dunes"/>
  <ADJACENCY type="mv" refs="alp cap"/><ADJACENCY type="nc" refs="bay cap"/>
  <ADJACENCY type="sc" refs="ode cap"/></PROVINCE>
 <PROVINCE shortname="cap" fullname="Cape"><ADJACENCY type="mv" refs="dun"/>
  <ADJACENCY type="xc" refs="bay ode dun-nc dun-sc"/></PROVINCE>
 <PROVINCE shortname="bay" fullname="Bay"><ADJACENCY type="xc" refs="cap, ode, dun-nc"/></PROVINCE>
 <PROVINCE shortname="ode" fullname="Ocean"><ADJACENCY type="xc" refs="cap bay dun-sc"/></PROVINCE>
</PROVINCES>
"""
SVG = """<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.0//EN" "http://www.w3.org/TR/2001/REC-SVG-20010904/DTD/svg10.dtd" [
<!ENTITY blue "#88aaff"> ]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:jdipNS="http://jdip.sourceforge.org/jdipNS" viewBox="0 0 400 300">
 <script>throw new Error('never run')</script>
 <jdipNS:PROVINCE_DATA>
  <jdipNS:PROVINCE name="alp"><jdipNS:UNIT x="50 " y="150"/></jdipNS:PROVINCE>
  <jdipNS:PROVINCE name="dun-nc"><jdipNS:UNIT x="190" y="105"/></jdipNS:PROVINCE>
  <jdipNS:PROVINCE name="dun-sc"><jdipNS:UNIT x="190" y="195"/></jdipNS:PROVINCE>
 </jdipNS:PROVINCE_DATA>
 <g id="MapLayer" transform="translate(-100,-100)">
  <path id="_alp" class="nopower" d="M100,200 l100,0 v100 h-100 z"/>
  <polygon id="_dun" class="nopower" points="200,200 300,200 300,300 200,300"/>
  <rect id="_cap" class="nopower" x="300" y="200" width="200" height="100"/>
  <path id="_bay" class="water" d="M200,100 H500 V200 H200 Z"/>
  <path id="_ode" class="water" d="M200,300 H500 V400 H200 C 200 380 200 320 200 300 Z"/>
 </g>
</svg>
"""
INSTALL_PHP = """<?php
defined('IN_CODE') or die('This script can not be run by itself.');
$territoryRawData=array(
	array('Alp', 'Land', 'Yes', 1, 50, 150, 25, 75),
	array('Dun', 'Coast', 'Yes', 0, 150, 150, 75, 75),
	array('Dun (North Coast)', 'Coast', 'No', 0, 150, 110, 75, 55),
	array('Dun (South Coast)', 'Coast', 'No', 0, 150, 190, 75, 95),
	array('Cap', 'Coast', 'Yes', 2, 300, 150, 150, 75),
	array('Bay', 'Sea', 'No', 0, 250, 50, 125, 25),
	array('Ode', 'Sea', 'No', 0, 250, 250, 125, 125)
);
foreach($territoryRawData as $territoryRawRow) {
	list($name, $type, $supply, $countryID, $x, $y, $sx, $sy)=$territoryRawRow;
	new InstallTerritory($name, $type, $supply, $countryID, $x, $y, $sx, $sy);
}
$bordersRawData=array(
	array('Alp','Dun','No','Yes'),
	array('Dun','Cap','No','Yes'),
	array('Dun (North Coast)','Bay','Yes','No'),
	array('Dun (North Coast)','Cap','Yes','No'),
	array('Dun (South Coast)','Ode','Yes','No'),
	array('Dun (South Coast)','Cap','Yes','No'),
	array('Cap','Bay','Yes','No'),
	array('Cap','Ode','Yes','No'), // and the seas
	array('Bay','Ode','Yes','No')
);
?>
"""
VARIANT_PHP = """<?php
class ToyVariant extends WDVariant {
	public $id = 900;
	public $name = 'Toy';
	public $fullName = 'Toy';
	public $countries = array('North', 'South');
	public function __construct() {
		parent::__construct();
		$this->variantClasses['adjudicatorPreGame'] = 'Toy';
		$this->variantClasses['drawMap'] = 'Toy';
	}
	public function initialize() { parent::initialize(); $this->supplyCenterTarget = 2; }
	public function turnAsDate($turn) {
		if ( $turn==-1 ) return "Pre-game";
		else return ( $turn % 2 ? "Autumn, " : "Spring, " ).(floor($turn/2) + 1700);
	}
	public function turnAsDateJS() { return ''; }
}
"""
PRE_GAME_PHP = """<?php
class ToyVariant_adjudicatorPreGame extends adjudicatorPreGame {
	protected $countryUnits = array(
		'North' => array('Alp' => 'Army'),
		'South' => array('Cap' => 'Fleet')
	);
}
"""


def document() -> dict[str, object]:
    """The toy board as a variant document of schema version 1."""

    def border(to: str, passes: str) -> dict[str, str]:
        return {"to": to, "pass": passes}

    def province(key: str, name: str, kind: str, center: bool, home: str | None, *borders: object) -> dict[str, object]:
        row: dict[str, object] = {"id": key, "name": name, "type": kind, "supplyCenter": center}
        if home:
            row["homeNation"] = home
        return {**row, "adjacencies": list(borders)}

    sea = [border("cap", "fleet")]
    return {
        "schemaVersion": 1,
        "id": "toy",
        "name": "Toy",
        "description": "A toy board.",
        "author": "Nobody",
        "victoryConditions": [{"type": "supply-center-majority", "supplyCenters": 2}],
        "phaseProgression": {
            "seasons": ["Spring", "Fall"],
            "transitions": [
                _step("Spring", "Movement", "Spring", "Retreat", 0),
                _step("Spring", "Retreat", "Fall", "Movement", 0),
                _step("Fall", "Movement", "Fall", "Retreat", 0),
                _step("Fall", "Retreat", "Fall", "Adjustment", 0),
                _step("Fall", "Adjustment", "Spring", "Movement", 1),
            ],
        },
        "nations": [
            {"id": "north", "name": "North", "color": "#F44336"},
            {"id": "south", "name": "South", "color": "#2196F3"},
        ],
        "provinces": [
            province("alp", "Alps", "land", True, "north", border("dun", "army")),
            province("dun", "Dunes", "land", True, None, border("alp", "army"), border("cap", "army")),
            province(
                "cap", "Cape", "coastal", True, "south", border("dun", "army"), border("bay", "fleet"),
                border("ode", "fleet"), border("dun/nc", "fleet"), border("dun/sc", "fleet"),
            ),
            province("bay", "Bay", "sea", False, None, *sea, border("ode", "fleet"), border("dun/nc", "fleet")),
            province("ode", "Ocean", "sea", False, None, *sea, border("bay", "fleet"), border("dun/sc", "fleet")),
        ],
        "namedCoasts": [
            {"id": "dun/nc", "name": "Dunes (NC)", "parentProvince": "dun",
             "adjacencies": [border("bay", "fleet"), border("cap", "fleet")]},
            {"id": "dun/sc", "name": "Dunes (SC)", "parentProvince": "dun",
             "adjacencies": [border("ode", "fleet"), border("cap", "fleet")]},
        ],
        "initialState": {
            "phase": {"season": "Spring", "year": 1700, "type": "Movement"},
            "units": [
                {"nation": "north", "type": "Army", "location": "alp"},
                {"nation": "south", "type": "Fleet", "location": "cap"},
            ],
            "supplyCenters": [{"nation": "north", "province": "alp"}, {"nation": "south", "province": "cap"}],
        },
    }  # fmt: skip


def _step(season: str, kind: str, to: str, then: str, years: int) -> dict[str, object]:
    return {"from": {"season": season, "type": kind}, "to": {"season": to, "type": then, "yearDelta": years}}


def godip() -> dict[str, object]:
    """The toy board as godip exports it."""

    def sub(flags: list[str], **edges: list[str]) -> dict[str, object]:
        return {
            "Edges": {to.replace("_", "/"): {"Flags": dict.fromkeys(kinds, True)} for to, kinds in edges.items()},
            "Flags": dict.fromkeys(flags, True),
        }

    land, sea, both = ["Land"], ["Sea"], ["Land", "Sea"]
    nodes = {
        "alp": {"Subs": {"": sub(land, dun=land)}, "SC": "North"},
        "dun": {
            "Subs": {
                "": sub(land, alp=land, cap=land),
                "nc": sub(sea, bay=sea, cap=sea),
                "sc": sub(sea, ode=sea, cap=sea),
            },
            "SC": "",
        },
        "cap": {"Subs": {"": sub(both, dun=land, bay=sea, ode=sea, dun_nc=sea, dun_sc=sea)}, "SC": "South"},
        "bay": {"Subs": {"": sub(sea, cap=sea, ode=sea, dun_nc=sea)}, "SC": None},
        "ode": {"Subs": {"": sub(sea, cap=sea, bay=sea, dun_sc=sea)}, "SC": None},
    }
    return {
        "Name": "Toy",
        "Nations": ["North", "South"],
        "ProvinceLongNames": {"alp": "Alps", "dun": "Dunes", "cap": "Cape", "bay": "Bay", "ode": "Ocean"},
        "Graph": {"Nodes": nodes},
        "Start": {
            "Season": "Spring",
            "Year": 1700,
            "Units": {"alp": {"Type": "Army", "Nation": "North"}, "cap": {"Type": "Fleet", "Nation": "South"}},
            "SupplyCenters": {"alp": "North", "cap": "South"},
        },
    }


GO = """package toy // the toy board as godip's own sources have it

const (
	North godip.Nation = "North"
	South godip.Nation = "South"
)

var Nations = []godip.Nation{North, South}

var ToyVariant = common.Variant{
	Name:       "Toy",
	Graph:      func() godip.Graph { return ToyGraph() },
	Phase:      classical.NewPhase,
	Nations:    Nations,
	Seasons:    classical.Seasons,
	SoloWinner: common.SCCountWinner(2),
	Rules:      "One rule " + "and another.",
}

func ToyStart() (result *state.State, err error) {
	startPhase := classical.NewPhase(1700, godip.Spring, godip.Movement)
	if err = result.SetUnits(map[godip.Province]godip.Unit{
		"alp": godip.Unit{godip.Army, North},
		"cap": {godip.Fleet, South},
	}); err != nil {
		return
	}
	result.SetSupplyCenters(map[godip.Province]godip.Nation{"alp": North, "cap": South})
	return
}

func ToyGraph() *graph.Graph {
	return graph.New().
		// Alps
		Prov("alp").Conn("dun", godip.Land).Flag(godip.Land).SC(North).
		Prov("dun").Conn("alp", godip.Land).Conn("cap", godip.Land).Flag(godip.Land).SC(godip.Neutral).
		Prov("dun/nc").Conn("bay", godip.Sea).Conn("cap", godip.Sea).Flag(godip.Sea).
		Prov("dun/sc").Conn("ode", godip.Sea).Conn("cap", godip.Sea).Flag(godip.Sea).
		Prov("cap").Conn("dun", godip.Land).Conn("dun/nc", godip.Sea).Conn("dun/sc", godip.Sea).
		Conn("bay", godip.Sea).Conn("ode", godip.Sea).Flag(godip.Coast...).SC(South).
		Prov("bay").Conn("cap", godip.Sea).Conn("ode", godip.Sea).Conn("dun/nc", godip.Sea).Flag(godip.Sea).
		Prov("ode").Conn("cap", godip.Sea).Conn("bay", godip.Sea).Conn("dun/sc", godip.Sea).Flag(godip.Sea).
		Done()
}

var provinceLongNames = map[godip.Province]string{
	"alp": "Alps",
	"dun": "Dunes",
	"cap": "Cape",
	"bay": "Bay",
	"ode": "Ocean",
}
"""
FORMATS = ("dpjudge", "njudge", "jdip", "jdip-zip", "diplicity", "godip", "go", "webdiplomacy")


def write(folder: Path, kind: str) -> Path:
    """The toy board's files in a format; the path to import."""
    folder.mkdir(parents=True, exist_ok=True)

    def put(name: str, text: str) -> Path:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
        return folder / name

    if kind == "dpjudge":
        return put("toy.map", JUDGE)
    if kind == "njudge":
        put("seed.toy", SEED)
        return put("map.toy", NJUDGE)
    if kind in ("jdip", "jdip-zip"):
        for name, text in (("variants.xml", VARIANTS_XML), ("toy_adjacency.xml", ADJACENCY_XML), ("toy.svg", SVG)):
            put(name, text)
        if kind == "jdip":
            return folder
        with zipfile.ZipFile(folder / "toy.zip", "w") as archive:
            for name in ("variants.xml", "toy_adjacency.xml", "toy.svg"):
                archive.write(folder / name, f"toy/{name}")
        return folder / "toy.zip"
    if kind == "diplicity":
        return put("toy.json", json.dumps(document()))
    if kind == "godip":
        return put("toy.json", json.dumps(godip()))
    if kind == "go":
        return put("toy.go", GO)
    put("classes/adjudicatorPreGame.php", PRE_GAME_PHP)
    put("variant.php", VARIANT_PHP)
    put("install.php", INSTALL_PHP)
    return folder
