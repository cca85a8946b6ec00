"""Lines that hold no orders and need none: greetings, thanks, goodbyes, heads of mails, rulers, signatures."""

from __future__ import annotations

import re
from collections.abc import Collection

from legation.notation.names import fold
from legation.notation.prose.sayings import AGAINST, CROSSES, NOT_ELSEWHERE

GOODBYES = frozenset(
    "thanks thank thx cheers best regards kind kindest warm warmest yours sincerely faithfully truly love ciao bye ta "
    "see amities cordially respectfully ty salut merci danke sincères ps mit viele liebe grusse gruss lg mfg vg bis "
    "hochachtungsvoll bien amicalement bises cordialement saludos saludo abrazo cordiali saluti met groeten groet "
    "groetjes abracos hilsen mvh halsningar pozdrawiam terveisin atenciosamente un".split()
)
_ELSEWHERE = (
    r"guten (?:tag|morgen|abend)|moin|servus|gruss(?: gott)?|sehr geehrte[rs]?|"
    r"mit (?:freundlichen|besten|herzlichen|lieben) (?:grussen|gruss)|mit freundlichem gruss|"
    r"(?:beste|herzliche|schone|viele|liebe) grusse|vg|bis (?:dann|bald)|(?:ein )?schones wochenende|vielen dank|"
    r"hochachtungsvoll|frohe weihnachten|bien a (?:toi|vous)|amicalement|bises|a plus|merci (?:beaucoup|davance)|"
    r"meilleures salutations|(?:un )?saludos?(?: cordiales)?|un abrazo|muchas gracias|buen[oa]s (?:dias|tardes|noches)|"
    r"hola(?: a todos)?|(?:cordiali |un |tanti )?salut[io]|buongiorno|buonasera|grazie mille|a presto|"
    r"(?:met )?vriendelijke groet(?:en)?|groet(?:en|jes)?|beste|goedendag|(?:alvast )?bedankt|dank je(?: wel)?|mvg|"
    r"ola|(?:um )?abracos?|obrigad[oa]|bom dia|boa (?:tarde|noite)|cumprimentos|atenciosamente|"
    r"hej|hei|halsningar|mvh|med (?:vanlig|venlig|vennlig) h(?:alsning|ilsen)|tack|takk|vanliga halsningar|hilsen|"
    r"pozdrawiam|dziekuje|czesc|dzien dobry|terveisin|kiitos|moi"
)
"""Greetings and thanks of other languages."""
_SENT_FROM = (
    r"sent (?:from|with|via|using) (?:my |the |a )?(?:mobile|cell|i?phone|ipad|android|samsung|galaxy|smartphone|"
    r"outlook|yahoo mail|proton ?mail|gmail|mail|k ?9 mail|spark|hey|gmx|aqua ?mail|blue ?mail|thunderbird|tuta|"
    r"fastmail|huawei|xiaomi|pixel|blackberry|device)|get outlook for|"
    r"holen sie sich outlook fur|envoye a partir doutlook pour|(?:enviado desde|obtener|descargar) outlook para|"
    r"(?:virus free|virenfrei|libre de virus|sans virus|senza virus|virusvrij|virusfri) ?wwwavastcom|"
    r"von meinem \w+|gesendet (?:von|mit)(?: meinem| der)? \w+|envoye (?:de|depuis|avec)(?: mon)? \w+|"
    r"enviado (?:desde|do|con)(?: mi| meu)? \w+|inviato (?:da|dal|con)(?: mio)? \w+|"
    r"verzonden (?:vanaf|met)(?: mijn)? \w+|skickat fran min \w+|sendt fra min \w+"
)
"""What a telephone or a program for mail writes below a mail."""
COURTESY = re.compile(
    r"(?:hi|hiya|hoi|hello|hey|dear|greetings|ta|(?:good )?(?:morning|afternoon|evening)|good (?:day|luck)|"
    r"many greetings|thanks|thank you|"
    r"many thanks|much (?:obliged|appreciated)|thx|cheers|best|"
    r"with (?:(?:my|many|best|all my) )?thanks(?: and (?:best |kind )?(?:regards|wishes))?|"
    r"(?:with )?(?:(?:my|many|the|all) )?(?:kind(?:est)?|best|warm(?:est)?|friendly|cordial|sporting|sincere) "
    r"(?:regards|wishes|greetings)|regards|yours|sincerely|"
    r"(?:yours )?(?:sincerely|faithfully|truly|ever|respectfully|cordially)|in haste|bonne chance|(?:mr|dear) gm|"
    r"have a (?:good|nice|great|merry|happy) (?:day|weekend|week|evening|christmas|xmas|easter|holiday|summer|one)|"
    r"(?:and )?(?:(?:give )?my |best |kind |all my )?(?:regards|love|greetings|compliments|respects|thanks) to|"
    r"gg|rip|ouch|gl|bye|"
    r"eom|ready|finali[sz]ed|done|gl ?hf|good game|(?:ok |okay |so )?here goes|voila|amities|grr+|(?:ha){1,3}|"
    r"phew|ty|tyvm|"
    r"no (?:other|further|more) (?:orders|moves)|nothing else|see you(?: next| later| soon| then| in)?|"
    r"take care|to (?:gm|coordinator)|gm|all best|"
    rf"{_SENT_FROM}|end of orders|end|thats all|thats it(?: for now)?|that is all|nmr|nrr|nbr|"
    r"no (?:press|letters?)|"
    r"no orders|no moves|no builds?|build nothing|no retreats?|no removals?|no moves received|"
    r"i remain(?: sirs?)?(?: (?:c|etc|yours))?|message ends|over (?:and )?out|fin|orders end|"
    r"(?:i (?:have the hono[u]?r to )?(?:be|remain|am) )?(?:sir |sirs )?(?:your|yr) (?:most )?(?:humble|obedient)"
    r"(?: (?:and )?(?:most )?(?:humble|obedient))? servant|(?:hono[u]?red |good )?sirs?|gentlemen|my lords?|"
    r"god save (?:the |our )?(?:king|queen|parliament|commonwealth)|"
    r"(?:(?:viele|liebe|beste|schone|mit freundlichen) )?(?:grusse?|grussen)|mfg|lg|(?:bien )?cordialement|a bientot|"
    r"merci|danke|gracias|grazie|obrigado|tak|bonjour|bonsoir|salut|hallo|ciao|tschuss|bonne (?:journee|soiree)|"
    r"if (?:anything|something)(?: is|s) (?:unclear|wrong|missing|not clear)(?: please)? "
    r"(?:let me know|mail me|tell me|write(?: to)? me|call me|ask(?: me)?)|"
    r"(?:please )?let me know if (?:anything|something)(?: is|s) (?:unclear|wrong|missing|not clear)|"
    r"(?:i )?hope (?:this|that|all|everything) (?:is|was) (?:ok|okay|right|clear|fine|correct|in time|good)|"
    r"(?:i )?hope (?:this|that|it|all|everything)(?: all)? "
    r"(?:works|helps|goes well|arrives|reaches you|finds you well)|"
    r"(?:please )?(?:(?:can|could) you )?(?:please )?(?:confirm|acknowledge)"
    r"(?: (?:receipt|that you (?:got|received|have)))?|"
    r"(?:please )?let me know (?:if|that|when|whether) (?:you|this|these|it) "
    r"(?:got|get|have|received?|arrive[sd]|came|came through|comes through)(?: (?:it|this|these|them|my|through))?|"
    r"talk soon|more (?:later|soon|follows|to (?:come|follow))|(?:a |my )?(?:letter|press)s? "
    r"(?:follows?|to follow|later|will follow|(?:is )?on its way|in the post)|until (?:next time|later)|"
    r"that should do it|"
    rf"{_ELSEWHERE}|"
    r"happy new year|merry christmas|ok|okay|sorry for (?:my )?delay|sorry|let me know if you have any questions)"
    r"((?: (?:[a-z]+)){0,4})\Z"
)
JUDGE = re.compile(r"sign\s?(?:on\s+\S+(?:\s+\S+){0,2}|off)\s*\Z", re.IGNORECASE)
"""The envelope of a mail to a judging program."""
RULER = re.compile(r"[\s\-=_*~#+|:.·—–`]*\Z")
SIGNATURE = re.compile(r"--\s?\Z")


DATE_WORDS = frozenset(
    "january february march april may june july august september october november december jan feb apr jun jul aug "
    "sep sept oct dec monday tuesday wednesday thursday friday saturday sunday".split()
)
DAY_OR_YEAR = re.compile(r"\d{1,2}(?:st|nd|rd|th)?\Z|(?:19|20)\d\d\Z")


_NUMERIC = re.compile(
    r"\s{0,9}(?:\d{1,4}[./-]\d{1,2}[./-]\d{2,4}(?:,?\s{1,3}\d{1,2}[:.]\d\d)?|"
    r"(?:(?:tel|tele?phone|phone|mob|mobile|cell|fax|t|m)\b[.:]{0,2}\s{0,3})?\+?(?:[\s()./-]{0,3}\d){7,15}|"
    r"[\w.+-]{1,60}@[\w-]{1,60}(?:\.[\w-]{2,30}){1,4})\s{0,9}",
    re.IGNORECASE,
)
"""A date, the number of a telephone or an address for mail, alone on a line."""
LABEL = re.compile(
    r"\s{0,9}(?:player|name|signed|game|gm|zine|e-?mail|phone|tel|mobile|address)\s{0,3}:\s{0,5}(?P<said>[^\n]{1,80})",
    re.IGNORECASE,
)
"""A line of a form that tells who writes."""


MOST_WORDS = 12  # of a greeting or a goodbye


def is_courtesy(text: str, known: Collection[str]) -> bool:
    """Whether a text only greets or thanks; ``known`` are words that would make it more than that."""
    if _NUMERIC.fullmatch(text):
        return True
    words = fold(text.strip(" ,.!;:-()")).split()
    if not words or len(words) > MOST_WORDS or "?" in text or not CROSSES.isdisjoint(text):
        return False
    phrase = " ".join(words)
    if DATE_WORDS & set(words) and all(w in DATE_WORDS | {"of", "the"} or DAY_OR_YEAR.match(w) for w in words):
        return True
    match = COURTESY.match(phrase)
    return match is not None and not any(
        (len(w) > 1 and w in known) or w in AGAINST | NOT_ELSEWHERE for w in match.group(1).split()
    )


def says_goodbye(text: str) -> bool:
    """Whether only a name is to be expected after this line."""
    words = fold(text).split()
    pairs = (["all", "best"], ["many", "thanks"], ["a", "presto"], ["a", "bientot"], ["a", "plus"])
    return bool(words) and (words[0] in GOODBYES or words[:2] in pairs)
