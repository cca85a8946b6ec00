package toy // the toy board as godip's own sources have it

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
