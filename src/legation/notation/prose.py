"""Text on a sheet besides orders: headings, corrections, and sentences about orders.

It is long because the words by which such text is known stand here with the questions that are asked of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

import msgspec

from legation.notation import other_languages
from legation.notation.names import Names, fold, misspelled_power
from legation.position import Phase, Turn

# Sentences that are no orders

CONDITIONS = frozenset(
    "if unless when whenever provided providing assuming else otherwise depending depends case condition "
    "conditional event conditionally failing either or except until once supposing whether "
    "in_case instead rather only would could might may maybe perhaps possibly probably alternatively should while "
    "because preference first".split()
)
OPENS = frozenset(
    "if unless when whenever otherwise else or provided providing assuming until while because either failing "
    "except".split()
)
"""Those after which, at the end of a line, something follows."""
NEGATIONS = frozenset(
    "not no never dont doesnt didnt wont isnt arent cant cannot shouldnt neither without nothing none cancel cancels "
    "cancelled canceled "
    "ignore ignored disregard forget scratch withdraw withdrawn retract void revoke revoked delete deleted stop "
    "but nor avoid refuse refuses instead null nope nah invalid mistake mistaken rescind annul recall nevermind scrap "
    "undo kidding joking joke jk".split()
)
QUESTIONS = frozenset("? what why who how which where does".split())
DOUBTS = frozenset(
    "if unless only cancelled canceled cancel ignore ignored instead otherwise void withdrawn struck maybe perhaps "
    "possibly unsure undecided whether depends depending conditional tentative provisional draft tbd disregard forget "
    "scratch scrap retract revoke delete deleted undo rescind annul nevermind invalid wrong oops wait fake "
    "bluff bluffing pending permitting testing subject".split()
)
"""Words with which a comment takes back the order before it."""
HEARSAY = frozenset(
    "quote quoted says said say saying tell telling told old last former wrong default tentative possible potential "
    "hypothetical letter "
    "told tells claims claimed think thinks thought believe believes hope hopes hoping expect expects heard hears "
    "wants want promised promises suggests suggested suggest proposes proposed propose plans planned planning wrote "
    "writes "
    "asked asks according guess guesses suppose wish wishes considering consider discussed agreed agrees intends "
    "intend "
    "offered offers thinking could would likes i we he she they you your he_s because example eg ie draft option "
    "options "
    "alternative alternatives "
    "proposal proposals suggestion suggestions backup plan idea ideas sample previously previous".split()
)
CROSSES = frozenset("✗✘❌❎☒✖✕🚫⛔")
"""Marks that cross out what stands beside them."""
QUOTES = frozenset('"“”„«»‹›‟″「」『』'.replace(" ", ""))
CONTINUES = frozenset(
    "unless if only provided providing except else otherwise or but and when while until because instead via by to "
    "from with "
    "- ( , assuming".split()
)
"""Words with which a line goes on with the sentence of the line before."""
RETRACTS = frozenset(
    "ignore disregard cancel cancels cancelled canceled scratch forget withdraw withdrawn retract void revoke replace "
    "replaces supersede supersedes delete strike scrap undo rescind annul recall nevermind take make mind conditional "
    "conditionally depends depend belay scrub jk joking kidding wrong swap".split()
)
"""Words that take back what they point at."""
NOT_YET = re.compile(
    r"\b(?:wait|until|till|before)\b[^\n?]{0,80}\bconfirm|\bconfirm\w{0,8}\b[^\n?]{0,60}\b(?:before|first|until)\b"
    r"|\bi(?:['’]?ll| will| shall) confirm\b|\b(?:only|just) (?:a )?test(?:ing)?\b"
    r"|\bnone of (?:these|those|this|the above|it)\b",
    re.IGNORECASE,
)
"""Words by which a line takes back, or puts off, what stands above it."""
SHORT_RETRACTS = frozenset(["take", "make", "mind"])  # in short sentences only
FORBIDS = frozenset(["not", "dont", "never"])
LAST_TURN = re.compile(
    r"\b(?:last|previous|other)\s(?:time|turn|season|year|spring|summer|fall|autumn|winter|week|month)\b", re.IGNORECASE
)
"""Words that speak of an earlier turn: ``last season``."""
PROCESSES = frozenset("process run adjudicate execute use submit enter count".split())
"""What is to be done with a sheet that is meant."""
POINTS_BACK = frozenset(
    "above previous earlier last all my that this those these orders order it them everything mind".split()
)
POINTS_CLEARLY = frozenset("above previous earlier those these following below".split())
POINTS_ON = frozenset("following below next".split())


DRAFTS = (
    frozenset(
        "draft drafts provisional tentative preliminary example sample next later tomorrow discuss discussion tbd "
        "todo nicht niet".split()
    )
    | other_languages.DRAFT
)
"""Words that say, alone on a line, that what follows is not meant yet."""
OF_OTHER_TURNS = frozenset("old previous former last earlier prior".split())
ALONE = frozenset("ok okay sorry please pls oops hi hello just so thanks thx dear gm and".split())
"""Words beside which a word that takes back points at all that was sent."""
CHATTY = frozenset("could would should may might because".split())
"""Words of conditions that chat is full of."""
HEARD = HEARSAY - frozenset("i we you your he she they hope hopes hoping wish wishes would could likes".split())
"""Words that tell of what somebody says or thinks; the others are of every chat."""
POINTS_AT = frozenset("that this these those above previous earlier last".split())
NOT_ELSEWHERE = frozenset("nein nicht doch quatsch halt pas nee niet nej ikke".split())
"""Words of other languages that take back what stands above them."""
BACK_OUT = NOT_ELSEWHERE | frozenset(
    "no nope nah wait stop kidding joking joke jk just oops hm hmm sorry ah oh non".split()
)
"""Words of which a line consists that takes back what stands above it: ``Just kidding!``."""
ORDERING = frozenset(
    "order orders move moves plan plans draft option options example proposal suggestion backup alternative default "
    "hypothetical conditional tentative possible".split()
)
"""Words with which a sentence speaks of orders."""
_REPLACES = frozenset("disregard ignore cancel replace replaces replacing supersede supersedes forget scratch".split())
_USES = frozenset("use take run".split())
_REPLACED = frozenset("previous earlier last prior former old above first other".split())
_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
REPLACING = (
    _REPLACES
    | _REPLACED
    | _DAYS
    | frozenset(
        "please kindly all any my the our of order orders moves set sets sheet email e mail message submission "
        "submissions ones one these "
        "night week morning whole lot "
        "this those new following version versions second third newest latest final revised updated corrected "
        "are is and use take run instead here i sent have submitted it they with by from ones "
        "yesterday today already before can could would you".split()
    )
)
"""Words of a sentence that says that former orders do not count."""


SENT_BEFORE = _DAYS | frozenset("yesterday morning night week".split())
"""Words by which what does not count was sent in another mail."""


def replaces_former(words: Collection[str]) -> bool:
    """Whether a sentence says no more than that what was sent before does not count."""
    said = set(words)
    pointed = said & _REPLACES and said & (_REPLACED | _DAYS | {"yesterday"})  # disregard my last orders
    follows = said & POINTS_ON and any(word.startswith("replac") for word in said) and said & {"with", "by"}
    use = said & _USES and "instead" in said  # use these instead
    return bool(pointed or follows or use) and said <= REPLACING


def heads_former(text: str) -> bool:
    """Whether a sentence says that former orders follow: ``Previous set (please ignore):``."""
    words = fold(text).split()
    first = next((word for word in words if word in _REPLACED or word in _REPLACES), "")
    return text.rstrip().endswith(":") and first in _REPLACED


ORDINALS = frozenset(
    "first firstly second secondly third thirdly fourth fifth sixth seventh eighth ninth tenth next then "
    "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th".split()
)
"""Words that count orders."""
COUNTED = frozenset("build try attempt time go turn unit army fleet home center centre".split())
"""What they count."""
PLAIN = frozenset(["if", "no", "not", "or"])
"""Words that mean what they mean even where a place is called so too."""


DEPENDS = "an order can't depend on a condition or leave a choice; write what the unit should do in any case"


def objection(words: Sequence[str], places: Names) -> str:
    """Why a sentence with these words isn't an order whatever else it says; empty if nothing speaks against it.

    Words that are names of places do not count.
    """
    words = without_politeness(words)
    said = [word for word in words if len(word) > 3 or word in PLAIN or places.exact(word) is None]
    if not QUOTES.isdisjoint(said):
        return "a quotation isn't an order; write it without quotation marks if it is one"
    if "?" in said:
        return "a question isn't an order; write it without the question mark if it is one"
    if word := _first(said, QUESTIONS):
        return f"{word} makes this more than an order; write only the order"
    if not CONDITIONS.isdisjoint(said):
        return DEPENDS
    if word := _first(said, NEGATIONS):
        return f"{word} may take back or limit the order, so it wasn't read; write only what the unit should do"
    if not HEARSAY.isdisjoint(said):
        return "this talks about orders; if it is one, write only the order"
    return ""


_POLITE_CONDITIONS = frozenset(
    {("if", "you", "please"), ("if", "you", "will"), ("if", "i", "may"), ("if", "we", "may")}
)


def without_politeness(words: Sequence[str]) -> Sequence[str]:
    """Words less conditions that set none: ``if you please``."""
    if "if" not in words:
        return words
    kept: list[str] = []
    at = 0
    while at < len(words):
        polite = tuple(words[at : at + 3]) in _POLITE_CONDITIONS and words[at + 3 : at + 4] not in (["be"], ["have"])
        kept += [] if polite else [words[at]]
        at += 3 if polite else 1
    return kept


def _first(said: Sequence[str], wanted: Collection[str]) -> str:
    """The first of the words that are wanted, in quotation marks; empty if there is none."""
    word = next((word for word in said if word in wanted or (wanted is NEGATIONS and _denies(word))), "")
    return repr(f"{word[:-1]}'t" if _denies(word) else word) if word else ""


def _denies(word: str) -> bool:
    """Whether a word is a negation that was written with an apostrophe."""
    return word.endswith("nt") and (word in NEGATIONS or word[:-2] in ("do", "wo", "is", "ca"))


CORRECTS = frozenset(
    "scrap forget disregard nevermind undo no wait actually second edit make take rather correction corrected correct "
    "sorry meant mean change changes "
    "changed replace replaces oops update updated amend amended amendment "
    "instead rather scratch strike not cancel ignore wrong edit edited should typo".split()
)
"""Words with which a line takes back what was ordered before."""
AGAINST = (
    CONDITIONS
    | NEGATIONS
    | RETRACTS
    | DRAFTS
    | frozenset("test yet wait wrong oops mean meant changed actually".split())
)
"""Words that make a greeting or a heading more than that."""
POINTS_AT_ALL = frozenset("both everything them these those order orders moves this that".split())
"""Words by which a correction that names no place is of all orders above it."""
CORRECTS_LAST = frozenset("kidding joking jk sorry oops wait actually correction meant mean rather reflection".split())
"""Words with which a sentence corrects the order before it."""
SAYS_ANOTHER = CORRECTS_LAST - {"sorry"}
"""Those that begin a line by which the unit of the order before is to do something else: ``Actually disband it``."""
OUTCOMES = frozenset(
    "bounce bounced bounces succeed succeeds succeeded success successful fail fails failed failure cut void dislodged "
    "moved moves disbanded destroyed illegal invalid standoff stand off resolved ok held holds no convoy disrupted and "
    "unordered ordered nmr".split()
)
"""What results say of an order; an order with its outcome is one of another turn."""
HAPPENED = frozenset("bounced succeeded fails failed void dislodged moved destroyed illegal disrupted".split())
"""Those that say what has happened, and nothing of why an order is given."""
PURPOSES = {
    word: least
    for least, listed in (
        (
            2,
            "bounce bounces bouncing cut cuts cutting self guard guards guarding cover covers covering block blocks "
            "blocking protect protects protecting follow follows following making makes keeping keeps",
        ),
        (3, "this so to in arranged prearranged"),
    )
    for word in listed.split()
}
"""First words of remarks that give a reason for an order, each with the least number of words of such a remark."""
HELPED = frozenset(["supported", "convoyed", "supporting", "convoying"])
"""Words that tell of further orders in what looks like a reason."""
AIMS = frozenset("bounce cut block cover guard protect follow".split())
"""What an order may be given for: ``to cut support``."""
PURPOSES_ALONE = frozenset(
    "cover covers covering guard guarding block blocking protecting follow follows following new lol haha obviously "
    "nsu nso sic unsupported vacating "
    "finally thanks thank sorry cheers please pls wow sniff sigh hehe "
    "naturally phew cutting important honest honestly really nro".split()
) | {
    "just in case",
    "same reason",
    "for the same reason",
    "as always",
    "as usual",
    "yes really",
    "i know",
    "i know i know",
    "only place left",
    "only place",
    "only option",
    "only choice",
    "first turn",
    "second turn",
    "in that order",
    "in this order",
    "in order",
    "to follow",
}
"""Words that alone, in brackets, change nothing of the order before them: ``(covering)``, ``(in that order)``."""
EXCLAMATIONS = frozenset(
    "sadly alas curses drat damn dammit blast bother bah onward onwards tada voila cheerio "
    "ha hah haha hahaha hehe heh lol rofl boo hooray hurray yay yippee sorry thanks cheers friend friends mate my dear "
    "you for too vive la le les long live gotcha surprise enjoy love hugs revenge tally ho en garde touche".split()
)
"""Words of remarks that only call something out: ``(Ha ha Germany!)``."""
KINDNESSES = frozenset("hi hello see you good sorry hope thanks thank cheers please best happy well".split())
"""First words of remarks that are courtesies."""
TAKES_OVER = frozenset("no or rather meant mean instead correction change changed".split())
"""Words with which a comment that names a place gives another order."""
_REMARK_BEFORE = r"(?:(?:oops|sorry|oh|ah|please|pls|p\.?\s?s\.?)[,!.:]{0,2}\s{1,5})?"
CORRECTION = re.compile(
    _REMARK_BEFORE + r"(?:(?:p\.\s?s\.?|ps|(?:(?:one|a|small|last|minor)\s){0,3}changes?|correction|"
    r"corrected|amendment|amended|edit|edited|erratum|revised|revision|update|updated)\s{0,5}[:,;-]\s{0,5}"
    r"|p\.?\s?s\.\s{1,5}(?=and\s|[AF]\s|army\s|fleet\s)"
    r"|correction\s{1,5})",
    re.IGNORECASE,
)
"""How a line begins that orders anew what was ordered above."""
SORRY_FOR = re.compile(r"\bsorry (?:for|about|to|that|i)\b")
"""An excuse, which corrects nothing."""
POSTSCRIPT = re.compile(r"p\.?\s?s\b", re.IGNORECASE)
AT_ONCE = re.compile(
    r"(?:(?:p\.?\s?s\.?|no|nope|oops|sorry|ah|oh|hm{1,5}|argh|damn|wait|actually|well)[,:;!.…-]{0,3}\s{1,5}){0,3}"
    r"(?:(?:scratch|scrap|scrub|forget|strike|cancel) (?:that|this)(?: one)?|no|nope|oops|sorry|wait|actually|"
    r"on (?:second thoughts?|reflection)|make (?:that|it)|i meant?|that should (?:be|read|have been)|"
    r"should (?:be|read))\b"
    r"\s{0,5}[:,;.!…-]{0,3}\s{0,5}(?=\S)",
    re.IGNORECASE,
)
"""How a line begins that orders anew what the order right above it said: ``Scratch that, A par - pic``."""
INSTEAD_OF = re.compile(
    r"\s{0,9}(?:instead|in place) of (?P<former>[^,;:\n]{1,60}?)"
    r"(?:[,;:]\s{1,5}|\s{1,5}(?=(?:i|we)(?:['’]d|\swould|\swant|\sbuild)\b))",
    re.IGNORECASE,
)
_NTH = r"(?:first|second|third|fourth|fifth|last)"
_CHANGED_MIND = re.compile(
    r"(?:(?:oops|sorry|oh|ah|hm{1,5}|wait|actually|no|p\.?\s?s\.?)[,:;!.…-]{0,3}\s{1,5}){0,3}"
    rf"(?:(?:on )?second thoughts?|(?:i(?:['’]ve| have)? )?changed? (?:my|our) minds?|"
    rf"(?:scratch|scrap|forget|change|make) (?:that|this|the|my) {_NTH}(?: one| line| order| build| removal| unit)?|"
    rf"(?:the )?{_NTH} (?:one|line|order|build|removal|unit) (?:is|was) wrong|"
    rf"(?:please )?(?:amend|change|correct)(?: (?:that|this|the|my) {_NTH}(?: one| line| order))?(?=:))"
    r"(?:[,;]? should be)?\s{0,3}[:,;.!…-]{0,3}\s{0,5}(?=\S)",
    re.IGNORECASE,
)
_POSTSCRIPT = re.compile(r"(?:p\.?\s?s\.?[:,]?|(?:oops|sorry|wait)[,.!:…]{0,3})\s{1,5}(?=\S)", re.IGNORECASE)
CORRECTING = (INSTEAD_OF, CORRECTION, _CHANGED_MIND, AT_ONCE, _POSTSCRIPT)
"""What may stand before an order that counts instead of one above it."""
SUBSTITUTES = re.compile(
    r"\b(?:make (?:that|it|the)|instead|rather|i meant?|changed my mind|second thoughts?|scratch|scrap|should be)\b",
    re.IGNORECASE,
)
"""Words by which one build replaces another, and does not come beside it."""
COUNTS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1}
MAKE_THAT = re.compile(
    r"(?:(?:oops|sorry|oh|ah|no|wait|actually|p\.?\s?s\.?)[,:;!.…-]{0,3}\s{1,5}){0,4}make (?:that|it)\s{1,5}"
    r"(?P<place>[^,;:!?\n]{2,40}?)(?:\s{1,3}for\s{1,3}(?:the|my)\s{1,3}(?P<kind>fleet|army))?"
    r"(?:[,\s]{1,3}(?:please|pls|instead|thanks)){0,2}[.!\s]{0,3}",
    re.IGNORECASE,
)
"""``Sorry, make that Helgoland for the fleet``."""
AT_ONCE_WITHIN = re.compile(
    r"(?<=[.!;…,])\s{1,5}(?=(?:(?:oops|sorry|oh|ah|hm{1,3})[,.!…]{0,3}\s{1,5})?"
    r"(?:no[,:]? wait|wait|no|oops|sorry|scratch that|scrub that|scrap that|make that|correction|on second thoughts?)"
    r"[,:.!…-]{0,3}\s{1,5}(?:[AFD]|army|fleet)\.?\s{1,5}\w)",
    re.IGNORECASE,
)
"""Where within a line an order begins that corrects the one before it: ``... A mar - spa. No wait: A mar - pie``."""
CHANGE = re.compile(
    _REMARK_BEFORE + r"(?:change|amend|alter|replace)\s{1,5}(?:(?:my|the)\s{1,5})?(?:orders?\s{1,5}(?:for|of)\s{1,5})?",
    re.IGNORECASE,
)
"""``Change Paris to hold``."""
INSTEAD = re.compile(
    r"\s{1,5}instead(?:,?\s{1,3}(?:please|pls|then|now|thanks|thank you|thx)){0,2}[.!]{0,3}\Z", re.IGNORECASE
)
CHAT_LINE = re.compile(
    r"\s{0,9}(?:\[[^\]\n]{0,30}\d:\d\d[^\]\n]{0,15}\]\s{0,5}|\([^)\n]{0,30}\d:\d\d[^)\n]{0,15}\)\s{0,5}"
    r"|(?:\d{1,4}[-./]\d{1,2}[-./]\d{2,4},?\s{1,3})?\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?(?:\s{0,3}-)?\s{1,5})"
    r"(?P<name>[^:<>\n]{1,40}:\s{1,9}|<[^:<>\n]{1,40}>:?\s{1,9})?(?=\S)",
    re.IGNORECASE,
)
"""What a program for chats writes before what somebody said: ``[10:32] Anna:``; a time alone says nothing."""
SAID_BY = re.compile(r"\s{0,9}<(?P<name>[^\s:<>\n]{1,40})>:?\s{1,9}(?=\S)")
CENTERS = re.compile(
    r"\s{0,9}(?:gains?|gained|loss(?:es)?|lost|(?:supply[\s-])?(?:centers?|centres?)|s\.?c\.?s?|owns|owned|controls)"
    r"\s{0,9}(?:\(\d{1,2}\))?\s{0,9}:",
    re.IGNORECASE,
)
"""The beginning of a line of results that lists centers: ``Gains:``."""
PRESS = re.compile(r"(?:press|broadcast)\b", re.IGNORECASE)
PRESS_ENDS = re.compile(r"end\s?(?:press|broadcast)|signoff", re.IGNORECASE)


# Headings

_SEASON_NAMES = {
    "spring": "spring spr fruhjahr fruhling printemps primavera lente voorjaar",
    "summer": "summer sum sommer verano zomer",
    "autumn": "autumn aut fall herbst automne lautomne otono autunno lautunno herfst najaar outono",
    "winter": "winter hiver invierno inverno vinter",
}
SEASONS = {name: season for season, names in _SEASON_NAMES.items() for name in names.split()}
HEADING_WORDS = frozenset(
    "order orders ordered move moves movement movements retreat retreats build builds adjustment adjustments removal "
    "removals "
    "remove disband disbands placement placements phase turn season year for of the from my our here are is as follows "
    "follow this "
    "these set sheet final initial submission version game units unit power country player and in hi hello please find "
    "below anbei hierbij mina seguenti siguientes suivants folgende "
    "gm mes meine mis miei mijn mina voici hier ecco sind aqui estan pour fur para los le les die il "
    "ordres befehle ordenes ordini ordrer ordens rozkazy zuge herewith enclosed submitted la il i gli de van voor per "
    "ciao hola hoi servus moin mis mijn "
    "following first second one two three four five six new revised latest "
    "heres in to on army armies fleet fleets i submit submitting name s1 attached "
    "full complete have must need we "
    "coordinator moderator umpire editor earl duke marquess general "
    "me just starting start opening setup up deployment "
    "allowed available permitted construction constructions list target destination action due hours".split()
)
STARTS = {
    "build": "build",
    "builds": "build",
    "placement": "build",
    "placements": "build",
    "construction": "build",
    "constructions": "build",
    "removal": "remove",
    "removals": "remove",
    "remove": "remove",
    "disband": "remove",
    "disbands": "remove",
    "retreat": "",
    "hold": "hold",
    "holds": "hold",
}
LABELS = frozenset(
    "supports support convoys convoy attacks attack move hold holds armies fleets units land sea".split()
)
"""Words that are headings only before a colon."""
REGIONS = frozenset(
    "home north south east west northern southern eastern western center centre central continent mainland overseas "
    "navy front coast".split()
)
"""Words by which a sheet is divided, before a colon, where no place is called so."""
LANDS = frozenset(
    "italy balkans scotland ireland wales england continent iberia spain france germany russia turkey greece poland "
    "scandinavia britain africa asia europe levant mediterranean med baltic atlantic channel midlands lowlands "
    "highlands anatolia caucasus low countries sea seas islands ashore".split()
)
"""Parts of maps by which a sheet is divided, before a colon, where no power is called so."""
LABELS_WITHIN = frozenset("moves move supports support convoys convoy attacks attack orders order".split())
"""Words that are headings within a line."""
TITLES = frozenset(
    "ordres befehle ordenes ordini ordrer ordens rozkazy zuge order orders "
    "moves movement movements retreats builds adjustment adjustments removals placement placements".split()
)
_SEASON_CODES = {
    code: seasons
    for seasons, codes in (
        ("spring summer", "s"),
        ("spring", "sp spr"),
        ("summer", "u su sum"),
        ("autumn", "f a au aut"),
        ("winter", "w wi win"),
    )
    for code in codes.split()
}
"""The seasons that the letters of a turn's code may stand for."""
_TURN_CODE = re.compile(rf"({'|'.join(_SEASON_CODES)})(\d{{2,4}})([mrbap]?)")
_CODED = {
    "m": {Phase.MOVEMENT},
    "r": {Phase.RETREATS},
    "b": {Phase.ADJUSTMENTS, Phase.PLACEMENT},
    "a": {Phase.ADJUSTMENTS},
    "p": {Phase.PLACEMENT},
}


class TurnCode(msgspec.Struct, frozen=True):
    """A turn in short, ``s1642`` or ``s1643m``: the seasons that it may be, with blanks between them, the year as
    written and the phase's letter."""

    seasons: str
    year: str
    phase: str


def read_turn_code(word: str) -> TurnCode | None:
    """Read a folded word as a turn's code; None if it is none."""
    match = _TURN_CODE.fullmatch(word)
    if match is None:
        return None
    letters, year, phase = match.groups()
    seasons = _SEASON_CODES[letters]
    return TurnCode(seasons.split()[0] if phase else seasons, year, phase)  # S1643M is the e-mail Judge's


NO_TITLE = AGAINST | QUESTIONS | HEARSAY | frozenset("hold holds support supports convoy convoys to".split())
MOST_UNKNOWN = 4
ANEW = frozenset("full complete new revised final latest updated corrected this these here now current today".split())
"""Words of headings that say that what stands below counts."""
BEFORE_COLON = LABELS | ANEW | STARTS.keys()
_DECOR = "#=*-~_:|.>[]() \t"


_SENTENCES = re.compile(r"(?<=[.!?])\s+")
LEAD_IN = frozenset("here below following follows order orders move moves answer goes go send sending submit".split())
_LEAD_IN_WORDS = (
    HEADING_WORDS
    | LEAD_IN
    | frozenset(
        "anyway anyhow without further ado ok okay so well right then now as promised agreed "
        "discussed planned we you with them they go goes come comes "
        "mine answer answers oh ah and or all at last finally again thanks thank sorry late being have had about "
        "talked it s ve re can ll will ones decided made up mind think been be up what how would like want i".split()
    )
    - {"or", "what", "how", "think"}
)
FILLERS = frozenset(
    "ok okay so well right then now alright fine yes here goes we go final revised please enter process accept record "
    "the following anyway new answer locked in this is my our now today official officially decision decided settled "
    "done setup setups initial start starting with latest version set all set".split()
)
"""Words before a colon that say nothing."""
ORDERS_ARE = re.compile(
    r"\s{0,9}(?:so\s{1,5})?(?:my|our|the)\s{1,5}(?P<what>orders?|moves?|builds?|retreats?|removals?|disbands?)"
    r"(?:\s{1,5}(?:for\s{1,5})?(?:this|the)\s{1,5}(?:time|turn|season|year|phase))?\s{1,5}(?:are|is|"
    r"will\s{1,5}be)\s{1,5}"
    r"(?:these\s{1,5}|as\s{1,5}follows[,;]?\s{1,5})?(?=\S)(?!not\b|no\b|the\s|still\b|below)",
    re.IGNORECASE,
)
"""How a sentence begins that gives orders: ``My orders this turn are``."""
OPENING_NAME = re.compile(
    r"\s{0,9}(?:[^\W\d_]{2,20}\s{1,3}){0,4}(?:opening|gambit|hedgehog|juggernaut|defen[cs]e|variation)\s{0,3}:"
    r"\s{0,9}(?=\S)",
    re.IGNORECASE,
)
"""The name of an opening before its orders: ``Northern opening:``."""
ASKED_FOR = re.compile(
    r"\s{0,9}(?:(?:hi|hello|hey)[,!]?\s{1,5})?(?:can|could|would|will)\s{1,5}you\s{1,5}"
    r"(?:(?:please|kindly)\s{1,5}(?=\S)|(?=put (?:me|us) down\b)|(?=[^?\n]*\Z))",
    re.IGNORECASE,
)
"""How a sentence begins that asks for orders to be entered: ``Could you please``."""
RUN_IN = re.compile(
    r"\s{0,9}(?:(?:my|our|here are my|these are my)\s{1,5})?(?:moves|orders)\s{1,5}(?:for\s{1,5})?"
    r"(?:this|the)\s{1,5}(?:time|turn|season|year|phase)\s{1,5}",
    re.IGNORECASE,
)
"""How a sentence begins that gives orders without a verb: ``moves for this turn par-gas``."""
LEADS_ON = frozenset("is are be like following follows was were".split())
"""Words after which, at the end of a line, what is spoken of follows."""
TURNS_BACK = frozenset("failing but only unless except provided providing or otherwise else instead".split())
"""Words with which a paragraph goes on with the one before."""


def last_sentence(text: str) -> tuple[list[list[str]], str]:
    """The words of each sentence of a line but the last, and the last."""
    *before, last = _SENTENCES.split(text.strip())
    return [fold(sentence).split() for sentence in before], last


def sends(words: Sequence[str]) -> bool:
    """Whether words before a colon say that something is sent, enclosed or entered: ``With heavy heart I send``."""
    said = set(words)
    own = bool(said & _BY_ITSELF) or said.isdisjoint(_TELLS_OF_OTHERS - {"you", "your"})
    return own and 0 < len(words) <= 16 and bool(SENDS & said) and not AGAINST - CHATTY & said


_ANNOUNCES = frozenset("order orders move moves do does follow follows following below these this here".split())
_TELLS_OF_OTHERS = frozenset("he she they his her their you your everybody everyone somebody someone".split())
_OF_NO_ORDERS = frozenset(
    "ally allies friend friends enemy enemies legal possible dreams were was did had wonder pretend copy map other "
    "rumor rumour yesterday".split()
)
_BY_ITSELF = frozenset("i we my our us me".split())


def announces(words: Sequence[str]) -> bool:
    """Whether the words before a colon only announce the writer's own orders: no doubt, condition or correction."""
    said = set(words)
    own = bool(said & _BY_ITSELF) or said.isdisjoint(_TELLS_OF_OTHERS)
    doubtful = AGAINST | HEARD | OF_OTHER_TURNS | CORRECTS | (ORDERING - _ANNOUNCES) | DOUBTS | _OF_NO_ORDERS
    asks = ("do", "i") in pairwise(words) or ("do", "we") in pairwise(words)
    return own and not asks and 2 < len(words) <= 16 and bool(said & _ANNOUNCES) and said.isdisjoint(doubtful)


_CONCLUDES = re.compile(r"\b(?:so|hence|therefore|thus|consequently)\s{0,3}:$", re.IGNORECASE)
_OWN_FOLLOW = re.compile(
    r"(?:ok(?:ay)?|so|now|well)?[,\s]{0,3}(?:mine|ours|what\s(?:i|we)(?:['’]d|\swould|\swill)?\s(?:want|order|like|do))"
    r"\s(?:is|are)(?:\s(?:this|these|as follows))?\s{0,3}[:.]?",
    re.IGNORECASE,
)


def announces_below(text: str) -> bool:
    """Whether a line that is no order ends by saying that the writer's orders follow, and what stands before that
    speaks of none of them: ``I won't do that. Mine are:``, ``A par - pic is no good, so:``."""
    before, last = last_sentence(text)
    said = {word for sentence in before for word in sentence}
    if said & (DRAFTS | POINTS_ON | OF_OTHER_TURNS | (CONDITIONS - CHATTY)):
        return False
    if _CONCLUDES.search(last):
        return not set(fold(last).split()) & (DRAFTS | POINTS_ON | (CONDITIONS - CHATTY))
    words = fold(last).split()
    follows = last.endswith(":") or words[-1:] == ["follows"]
    return _OWN_FOLLOW.fullmatch(last) is not None or (bool(before) and follows and announces(words))


SENDS = frozenset("send sending submit submitting enter herewith enclosed following follows follow".split())


def leads_in(text: str, powers: Names) -> bool:
    """Whether a line that ends with a colon only says that orders follow: ``Here are the orders we discussed:``."""
    if not text.rstrip().endswith(":"):
        return False
    words = fold(text).split()
    if not words or len(words) > 12 or not LEAD_IN & set(words):
        return False
    return not AGAINST & set(words) and all(w in _LEAD_IN_WORDS or powers.exact(w) for w in words)


class SheetHeading(msgspec.Struct, frozen=True):
    """A line, or what stands before a colon, that says whose and which orders follow."""

    power: str = ""
    season: str = ""  # or several, with blanks between them, that it may be
    year: str = ""
    verb: str = ""
    phase: str = ""  # the letter for it: F1902R
    anew: bool = False  # it says that these orders count, whatever stands above

    def fits(self, turn: Turn) -> bool:
        """Whether this can be said of a turn."""
        if self.phase and turn.phase not in _CODED[self.phase]:
            return False
        if self.year and len(self.year) == 4 and int(self.year) != turn.year:
            return False
        if self.year and len(self.year) == 2 and int(self.year) != turn.year % 100:
            return False
        if self.season and turn.season and SEASONS.get(turn.season.casefold()) not in self.season.split():
            return turn.phase.value in ("Adjustments", "Placement")
        return True


_ADDRESS = re.compile(r"[^\W\d_][\w.' -]{2,40},\s?\d{1,4}\w?\s[^\W\d_][^()\n>]{2,60}")
"""Who plays, and where: ``S. Brown, 12 Mill Lane, York``."""


def _without_player(text: str, powers: Names, places: Names, *, colon: bool = False) -> str:
    """A heading less the name of who plays: ``ENGLAND (J. Smith) Spring 1901``, ``France, P. Dupont``, ``P. Dupont
    (France)``."""
    for opening, closing in ("()", "[]"):
        head, mark, inner = text.partition(opening)
        if not mark or text.count(opening) > 1:
            continue
        inner, _, turn = inner.partition(closing)
        inner = inner.strip()
        if closing in turn:
            continue
        if powers.exact(fold(head)) and (_is_player(inner, powers, places) or _ADDRESS.fullmatch(inner)):
            return f"{head} {turn}"
        if len(inner) > 2 and powers.exact(fold(inner)) and _is_player(head.strip(), powers, places):
            return f"{inner} {turn}"
    for mark in (",", " - ", " – ", " — ", "/"):
        head, found, name = text.partition(mark)
        if not found or len(head) < 3 or not powers.exact(fold(head)) or not _is_player(name, powers, places):
            continue
        if "." in name or (colon and all(_is_no_place(word, powers, places) for word in fold(name).split())):
            return head
    return text


def _is_no_place(word: str, powers: Names, places: Names) -> bool:
    """Whether a word can only be a person's name: it is like that of no place."""
    return is_plain_name(word, powers, places) and not places.shortened(word).keys and not places.nearly(word)


def _is_player(text: str, powers: Names, places: Names) -> bool:
    """Whether a text may be the name, the address or the color of who plays, and nothing that a unit does."""
    if not text or len(text) > 60 or any(sign in text for sign in (" -", "- ", "->", ">", ":", ";", "/", "?")):
        return False
    words = fold(text).split()
    return (
        len(words) <= FEW_NAMES
        and not any(len(w) > 2 and places.exact(w) for w in words)
        and places.exact(" ".join(words)) is None
        and not {w for w in words if len(w) > 1} & (NO_TITLE | QUOTES)  # I. Ivanov
    )


_KEEPS = frozenset(["keep", "save", "hold", "reserve", "rest", "remaining", "others"])
_KEPT_BACK = _KEEPS | frozenset(
    "the my all of units builds other everything else is are am kept keep unplaced remainder back for later next a "
    "another build season turn winter year in reserve to come and "
    "keeping saving holding kept one two three four five six seven eight nine ten i will ill we well".split()
)


_NO_MORE = frozenset("i we no nothing more units for now place build this winter turn season at first yet".split())


def keeps_back(words: Collection[str]) -> bool:
    """Whether words say that some units are not placed or built yet: ``keep three back``, ``rest later``."""
    said = set(words)
    if said <= _NO_MORE and said & {"nothing", "more"} and said & {"place", "more", "now", "build"}:
        return True
    when = said & {"back", "later", "next", "reserve"}
    return bool(when and said <= _KEPT_BACK and (said & (_KEEPS | {"keeping", "saving", "holding", "kept"})))


FEW_NAMES = 6  # words in the name of who plays
GREETINGS = frozenset("hi hiya hoi hello hey dear greetings salutations good gm sir madam hallo bonjour".split())
GREETED = re.compile(
    r"\s{0,9}(?:hi|hello|hey|dear|hallo|hola|bonjour|ciao)"
    r"(?:\s{1,5}(?:gm|coordinator|all|again|everyone|(?P<name>[^\W\d_]{2,20}\.?(?:\s[^\W\d_]{2,20})?)))?"
    r"\s{0,3}(?:[,!:.]|\s[-–—]{1,2}(?=\s))\s{0,5}",
    re.IGNORECASE,
)
"""How a line begins that greets somebody before it goes on."""


def is_plain_name(word: str, powers: Names, places: Names) -> bool:
    """Whether a word may be the name of somebody, and nothing else that is known."""
    return len(word) > 1 and word not in AGAINST and _is_name(word, powers, places) and not places.meaning(word).keys


def _is_name(word: str, powers: Names, places: Names) -> bool:
    """Whether a word after a greeting is a person's name."""
    known = HEADING_WORDS | NO_TITLE | SEASONS.keys()
    return word.isalpha() and word not in known and powers.exact(word) is None and places.exact(word) is None


def read_heading(text: str, powers: Names, places: Names, *, whole: bool, own: str = "") -> SheetHeading | None:
    """What a line says as a heading, or None if it is none; ``whole``: the line is nothing else (no colon follows). Of
    the name of the ``own`` power one letter may be wrong; of that of another not, since it would speak against what
    stands below.

    It is long because each kind of word that a heading may have is tried here, word by word, until none is left.
    """
    if len(text) > 100:
        return None
    core = text.strip(_DECOR)
    words = fold(_without_player(core, powers, places, colon=not whole)).split()
    if not words or len(words) > 16:
        return None
    if whole and words[0] in ("army", "fleet") and powers.exact(" ".join(words[1:])):  # a unit in a place called so
        return None
    parts = {"power": "", "season": "", "year": "", "verb": "", "phase": ""}
    certain = False
    unknown = 0
    i = 0
    while i < len(words):
        for length in range(min(powers.longest, len(words) - i), 0, -1):
            name = " ".join(words[i : i + length])
            power = powers.exact(name) or (powers.exact(name[:-1]) if name.endswith("s") and len(name) > 4 else None)
            if power is None and not whole and len(words) == 1 and not places.meaning(name).keys:  # TUR: A con H
                short = powers.shortened(name)
                power = short.keys[0] if short.sure else None
            if power is None and own and misspelled_power(name, powers, places) == own:
                power = own
            if power is not None and (len(name) > 2 or (not whole and len(words) == 1)):
                if parts["power"] not in ("", power):
                    return None
                parts["power"] = power
                certain = True
                i += length
                break
        else:
            word = words[i]
            code = read_turn_code(word)
            if word in SEASONS:
                parts["season"] = SEASONS[word]
                certain = True
            elif re.fullmatch(r"\d{3,4}", word):
                parts["year"] = word.zfill(4)
            elif parts["season"] and not parts["year"] and re.fullmatch(r"\d\d", word):
                parts["year"] = word
            elif word in _SEASON_CODES and re.fullmatch(r"\d{3,4}", words[i + 1] if i + 1 < len(words) else ""):
                parts["season"] = _SEASON_CODES[word]  # W 999
                certain = True
            elif code:
                parts["season"], parts["year"], parts["phase"] = code.seasons, code.year, code.phase
                certain = True
            elif not whole and word in REGIONS and places.exact(word) is None:
                certain = True
            elif (
                word in HEADING_WORDS
                or (not whole and word in LABELS)
                or re.fullmatch(r"v\d+|\d|\dst|\dnd|\drd|\dth", word)
            ):
                certain = certain or word in TITLES or (not whole and word in BEFORE_COLON)
                if word in STARTS:
                    parts["verb"] = STARTS[word]
                if word in GREETINGS and i + 2 < len(words) and _is_name(words[i + 1], powers, places):
                    i += 1  # Hi Anna, here are my orders
            else:
                unknown += 1
                if not whole or word in NO_TITLE or len(word) == 1 or unknown > MOST_UNKNOWN or places.exact(word):
                    return None
                if places.shortened(word).sure and places.shortened(words[-1]).sure:  # Fall 1902 Cons - Bulg
                    return None
            i += 1
    if not whole and parts["year"] and set(words) <= {"for", "in", "the", "year", parts["year"]}:
        certain = True
    if unknown and not (parts["year"] and parts["season"]):  # the name of the game beside the turn
        return None
    return SheetHeading(**parts, anew=not ANEW.isdisjoint(words)) if certain else None
