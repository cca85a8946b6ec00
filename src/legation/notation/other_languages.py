"""Words of German, French, Spanish, Italian and Dutch for what units are and do, for players who write place names in
English and the rest as they speak. None is, or stands in, the name of a place on a board (a test looks)."""

from __future__ import annotations

UNITS = {
    word: code
    for code, words in (
        ("A", "armee larmee armata larmata ejercito leger exercito armia armen"),
        ("F", "flotte flotta flota vloot frota flottan"),
    )
    for word in words.split()
}
"""The codes of kinds of units by their words."""
HOLD = frozenset(
    "halt halten steht stehen bleiben bleibt tient reste resta regge tiene tiennent mantiene mantienen mantener "
    "queda quedan houdt blijft blijven tengono restano restent permanecen permanece mantem fica stoi "
    "haller difende".split()
)
GO = frozenset(
    "nach geht va attaque attacca ataca zieht marschiert fahrt segelt ruckt vers verso hacia avanza naar gaat trekt "
    "para".split()
)
SUPPORT = frozenset(
    "unterstutzt unterst unterstutz unt unterstuetze unterstutze unterstuetzt soutient appuie appoggia sostiene "
    "supporta apoya steunt ondersteunt apoia wspiera stoder stodjer".split()
)
CONVOY = frozenset("konvoiert geleitet begleitet convoie convoglia convoya konvooieert".split())
RETREAT = frozenset("ruckzug recule retraite ritirata retirada terugtocht retire retira ritira".split())
DISBAND = frozenset("aufgelost auflosen entfernt dissoute dissout sciolta disuelta disuelto ontbonden".split())
APART = {
    "greift": ("an", "attacks"),
    "greifen": ("an", "attacks"),
    "zieht": ("ein", "zieht"),
    "marschiert": ("ein", "marschiert"),
    "ruckt": ("vor", "ruckt"),
}
"""Verbs of which a part stands at the end of the sentence, each with that part and the verb alone."""
TOWARDS = frozenset("nach zu ins dans en vers a au aux verso hacia naar".split())
"""What may stand between what a unit does and where it goes."""
IN = frozenset("en a au in di de van von du zu bei".split())
"""What may stand between a kind of unit and its place."""
BACKWARDS = frozenset("sich zich se si terug zuruck".split())
"""What stands beside words for a retreat and says no more than they: ``zieht sich zurück``."""
ARTICLES = frozenset(
    "un une una uno ein eine einen einer een el la le il lo der die das den dem de het mi ma meine mijn mia".split()
)
"""What may stand before a unit."""
BUILD = frozenset(
    "baue bauen bau aufbau neubau costruisco construyo construis construire construction costruire "
    "costruzione construir bouw bouwen".split()
)
DRAFT = frozenset("entwurf vorlaufig brouillon provisoire borrador bozza provvisorio kladje voorlopig".split())
DOUBT = frozenset(
    "wenn falls ob nur vielleicht eventuell sonst ausser ansonsten oder si sauf sinon peut seulement ou forse solo "
    "altrimenti quizas quiza talvez tal vez salvo sino misschien alleen tenzij anders als indien niet nicht pas "
    "nein non nao aber mais pero maar".split()
)
"""Words of conditions and choices."""
REMOVE = frozenset(
    "auflosen abbau abbauen auflosung supprimer supprime dissoudre dissous eliminare elimino eliminar sciogliere "
    "tolgo rimuovo verwijder entferne".split()
)
PHRASES = {
    tuple(said.split()): tuple(means.split())
    for means, listed in (
        ("all units", "alle einheiten|todas unidades|toutes unites|tutte unita|alle eenheden|alle truppen"),
        ("all the units", "toutes les unites|todas las unidades|tutte le unita|toutes mes unites|tutte mie unita"),
        ("everything", "alles|tutto"),
        ("everyone", "alle|tous|toutes|tutti|tutte|todos|todas"),
        ("all others", "sonst alles|sonst alle|alles andere|alle anderen|alle ubrigen|tutti altri|todos demas"),
        ("the rest", "le reste|il resto|el resto|de rest|der rest"),
        ("all the units", "tout le monde"),
        ("all other units", "alle anderen einheiten|alle ubrigen einheiten|alle andere eenheden|alle overige eenheden"),
        ("all other units", "toutes autres unites|tutte altre unita|todas otras unidades|todas demas unidades"),
        ("all other units", "les autres unites|le altre unita|las otras unidades|las demas unidades"),
        ("all other units", "die anderen einheiten|die ubrigen einheiten|de andere eenheden|de overige eenheden"),
        ("all the other units", "toutes les autres unites|tutte le altre unita|todas las otras unidades"),
        ("all the other units", "todas las demas unidades"),
        ("except", "ausser|sauf|excepto|salvo|tranne|behalve"),
        ("and", "und|et"),
        (
            "supported by",
            "soutenue par|soutenu par|appuyee par|appuye par|unterstutzt von|unterstutzt durch|"
            "appoggiata da|apoyada por|apoyado por|gesteund door|ondersteund door",
        ),
    )
    for said in listed.split("|")
}
"""What is said of all units, and between orders, with as many words of English."""
SELF = ("ich", "je", "io", "yo", "ik", "eu", "ja", "jag")
"""``I`` before what one builds or removes."""
EVERY = UNITS.keys() | HOLD | GO | SUPPORT | CONVOY | RETREAT | DISBAND | BUILD | REMOVE
