"""What a sentence beside orders may say: one table of words, by what they do to the orders that stand beside them."""

from __future__ import annotations

import re

from legation.notation import other_languages

CONDITIONS = frozenset(
    "if unless when whenever provided providing assuming else otherwise depending depends case condition "
    "conditional event conditionally failing either or except until once supposing whether "
    "in_case instead rather only would could might may maybe perhaps possibly probably alternatively should while "
    "because preference first".split()
)
"""Words that make an order depend on something or leave a choice: ``if Germany moves``, ``either``."""
OPENS = frozenset(
    "if unless when whenever otherwise else or provided providing assuming until while because either failing "
    "except".split()
)
"""Conditions with which a line breaks off, so that the next line belongs to it: ``A par - bur unless``."""
NEGATIONS = frozenset(
    "not no never dont doesnt didnt wont isnt arent cant cannot shouldnt neither without nothing none cancel cancels "
    "cancelled canceled "
    "ignore ignored disregard forget scratch withdraw withdrawn retract void revoke revoked delete deleted stop "
    "but nor avoid refuse refuses instead null nope nah invalid mistake mistaken rescind annul recall nevermind scrap "
    "undo kidding joking joke jk".split()
)
"""Words that deny or take back: ``not Paris``, ``cancel that``."""
DENIES = frozenset(
    "not no never nothing none nobody neither nor without cant cannot dont doesnt didnt wont isnt arent wasnt werent "
    "hasnt havent couldnt wouldnt shouldnt aint hardly".split()
)
"""Words that deny what a clause says, and take nothing back."""
QUESTIONS = frozenset("? what why who how which where does".split())
"""Words that ask: ``why``, ``where does it go``."""
DOUBTS = frozenset(
    "if unless only cancelled canceled cancel ignore ignored instead otherwise void withdrawn struck maybe perhaps "
    "possibly unsure undecided whether depends depending conditional tentative provisional draft tbd disregard forget "
    "scratch scrap retract revoke delete deleted undo rescind annul nevermind invalid wrong oops wait fake "
    "bluff bluffing pending permitting testing subject".split()
)
"""Words with which a comment takes back the order before it, or puts it off: ``A par - bur # maybe``."""
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
"""Words that tell of what somebody says, thinks or plans: ``Germany wants A mun - bur``."""
CROSSES = frozenset("✗✘❌❎☒✖✕🚫⛔")
"""Marks that cross out what stands beside them."""
QUOTES = frozenset('"“”„«»‹›‟″「」『』'.replace(" ", ""))
"""Marks around what somebody says."""
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
SHORT_RETRACTS = frozenset(["take", "make", "mind"])
"""Those that take back in short sentences only: ``never mind``."""
FORBIDS = frozenset(["not", "dont", "never"])
"""Words with which a sentence says what is not to be done: ``Don't move Paris``."""
LAST_TURN = re.compile(
    r"\b(?:last|previous|other)\s(?:time|turn|season|year|spring|summer|fall|autumn|winter|week|month)\b", re.IGNORECASE
)
"""Words that speak of an earlier turn: ``last season``."""
PROCESSES = frozenset("process run adjudicate execute use submit enter count".split())
"""What is to be done with a sheet that is meant."""
POINTS_BACK = frozenset(
    "above previous earlier last all my that this those these orders order it them everything mind".split()
)
"""Words that point at what stands above or was sent before: ``my last orders``."""
POINTS_CLEARLY = frozenset("above previous earlier those these following below".split())
"""Words that can only point at orders on the sheet: ``the above``."""
POINTS_ON = frozenset("following below next".split())
"""Words that point at what follows: ``the following``."""
DRAFTS = (
    frozenset(
        "draft drafts provisional tentative preliminary example sample next later tomorrow discuss discussion tbd "
        "todo nicht niet".split()
    )
    | other_languages.DRAFT
)
"""Words that say, alone on a line, that what follows is not meant yet."""
OF_OTHER_TURNS = frozenset("old previous former last earlier prior".split())
"""Words of headings above orders of another turn: ``Old orders:``."""
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
ORDINALS = frozenset(
    "first firstly second secondly third thirdly fourth fifth sixth seventh eighth ninth tenth next then "
    "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th".split()
)
"""Words that count orders."""
COUNTED = frozenset("build try attempt time go turn unit army fleet home center centre".split())
"""What they count."""
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
"""Words that begin a line with another order for the unit just ordered: ``Actually disband it``."""
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
    "naturally phew sob gulp ugh yawn groan cutting important honest honestly really nro".split()
) | {
    "just in case",
    "new center",
    "new centre",
    "a new center",
    "a new centre",
    "on purpose",
    "self bounce",
    "self bounce on purpose",
    "just",
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
FILLERS = frozenset(
    "ok okay so well right then now alright fine yes here goes we go final revised please enter process accept record "
    "the following anyway new answer locked in this is my our now today official officially decision decided settled "
    "done setup setups initial start starting with latest version set all set".split()
)
"""Words before a colon that say nothing."""
LEADS_ON = frozenset("is are be like following follows was were".split())
"""Words after which, at the end of a line, what is spoken of follows."""
TURNS_BACK = frozenset("failing but only unless except provided providing or otherwise else instead".split())
"""Words with which a paragraph goes on with the one before."""
GREETINGS = frozenset("hi hiya hoi hello hey dear greetings salutations good gm sir madam hallo bonjour".split())
