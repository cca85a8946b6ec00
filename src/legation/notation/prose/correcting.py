"""How lines begin and end that order something else than what stands above them."""

from __future__ import annotations

import re

_REMARK_BEFORE = r"(?:(?:oops|sorry|oh|ah|please|pls|p\.?\s?s\.?)[,!.:]{0,2}\s{1,5})?"
CORRECTION = re.compile(
    _REMARK_BEFORE + r"(?:(?:p\.\s?s\.?|ps|(?:(?:one|a|small|last|minor)\s){0,3}changes?|correction|"
    r"corrected|amendment|amended|edit|edited|erratum|revised|revision|update|updated)"
    r"(?:\s(?:to|of)\s(?:the above|that|this|the line above))?\s{0,5}[:,;-]\s{0,5}"
    r"|p\.?\s?s\.\s{1,5}(?=and\s|[AF]\s|army\s|fleet\s)"
    r"|correction\s{1,5})",
    re.IGNORECASE,
)
"""How a line begins that orders anew what was ordered above."""
SORRY_FOR = re.compile(r"\bsorry (?:for|about|to|that|i)\b")
"""An excuse, which corrects nothing."""
POSTSCRIPT = re.compile(r"p\.?\s?s\b", re.IGNORECASE)
AT_ONCE = re.compile(
    r"(?:\.{2,3}\s{0,3})?(?:(?:p\.?\s?s\.?|no|nope|oops|sorry|ah|oh|hm{1,5}|argh|damn|wait|actually|well)[,:;!.…-]{0,3}\s{1,5}){0,3}"
    r"(?:(?:scratch|scrap|scrub|forget|strike|cancel) (?:that|this)(?: one)?|"
    r"no(?=[,:;.!…-]|\s(?:wait|sorry|make|rather|actually|scratch))|nope|oops|sorry|wait|actually|"
    r"on (?:second thoughts?|reflection)|make (?:that|it)|i meant?|that should (?:be|read|have been)|"
    r"should (?:be|read))\b"
    r"\s{0,5}[:,;.!…-]{0,3}\s{0,5}(?:better[:,]?\s{1,3})?(?=\S)",
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
POSTSCRIPT_BEFORE = re.compile(r"(?:p\.?\s?s\.?[:,]?|(?:oops|sorry|wait)[,.!:…]{0,3})\s{1,5}(?=\S)", re.IGNORECASE)
CORRECTING = (INSTEAD_OF, CORRECTION, _CHANGED_MIND, AT_ONCE, POSTSCRIPT_BEFORE)
"""What may stand before an order that counts instead of one above it."""
SUBSTITUTES = re.compile(
    r"\b(?:make (?:that|it|the)|instead|rather|i meant?|changed my mind|second thoughts?|scratch|scrap|should be)\b",
    re.IGNORECASE,
)
"""Words by which one build replaces another, and does not come beside it."""
COUNTS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1}
POINTS_AT_LAST = re.compile(r"\b(?:make (?:that|it)|i meant)\b", re.IGNORECASE)
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
SENTENCE_WITHIN = re.compile(
    r"(?<=[.;!…])\s{1,5}(?=(?:sorry|oops|wait|hm{1,3}|argh|damn|correction|edit|p\.?\s?s\.?|no|actually|"
    r"(?:on |my )?(?:second |better )?(?:thoughts?|reflection)|"
    r"(?:the )?(?:first|second|third|fourth|last) (?:one|order|build|removal|move|line)|"
    r"i (?:have |just )?(?:changed|meant|misread|mean))\b)",
    re.IGNORECASE,
)
"""Where within a line a sentence begins that may correct what stands before it: ``... Sorry, wrong map: ...``."""
OF_KIND = re.compile(
    r"(?:(?:oops|sorry|oh|ah|no|wait|actually|please|pls|p\.?\s?s\.?)[,:;!.…-]{0,3}\s{1,5}){0,3}"
    r"(?:change|make|turn|switch|swap|convert)\s{1,5}(?:the\s{1,3}|my\s{1,3})?(?P<place>[^,;:!?\n]{2,40}?)"
    r"(?:\s{1,3}(?:in)?to)?(?:\s{1,3}an?)?\s{1,3}(?P<kind>army|fleet|a|f)"
    r"(?:[.,!\s]{1,3}(?:please|pls|instead|then|thanks|thank you|thx|sorry)){0,2}[.!\s]{0,3}",
    re.IGNORECASE,
)
"""How a line makes what is built at a place another kind of unit: ``change Durham to army``."""
CHANGE = re.compile(
    _REMARK_BEFORE + r"(?:change|amend|alter|replace)\s{1,5}(?:(?:my|the)\s{1,5})?(?:orders?\s{1,5}(?:for|of)\s{1,5})?",
    re.IGNORECASE,
)
"""``Change Paris to hold``."""
AGAINST = re.compile(
    r"(?:,\s{0,3}|\s{1,3})(?:instead of|rather than|in place of|(?:and )?not)\s{1,3}(?P<former>[^.,;:!?\n]{1,50}?)"
    r"(?:[,\s]{1,3}(?:please|pls|thanks|sorry)){0,2}[.!\s]{0,3}\Z",
    re.IGNORECASE,
)
"""What an order at the end of a line is to replace: ``... instead of Bur``, ``..., not Tri``."""
INSTEAD = re.compile(
    r"\s{1,5}instead(?:,?\s{1,3}(?:please|pls|then|now|thanks|thank you|thx)){0,2}[.!]{0,3}\Z", re.IGNORECASE
)
ASKS_ONLY = re.compile(
    r"\s{0,5}(?:(?:(?:and|also|btw|ps|question|oh)[:,.]?\s{1,3}){0,2}(?:does|do|did|is|are|was|were|will|has|have|when|who|"
    r"how|why|what)\b(?![^?]*\b(?:instead|rather|better|should|shall|change|correct|right|wrong|mean|meant)\b)"
    r"[^?.!\n]{3,200}\?{1,3}|"
    r"if\b(?![^.]*\b(?:instead|rather|hold|change)\b)[^.!?\n]{3,120}"
    r"\b(?:let me know|(?:tell|mail|write(?: to)?|ask|call) me)\b[^.!?\n]{0,60}[.!]{0,3})\s{0,5}",
    re.IGNORECASE,
)
"""Text that only asks of the rules or of the game, or for word: ``Does London to Calais need the fleet or not?``, ``If
that is not possible, let me know``."""
CHANGES = re.compile(
    r"\b(?:actually|wait|oops|instead|rather|correction|changed?|scratch|hm{1,5}|halt|doch|nein|sondern|non|"
    r"reflection|second thoughts?|keep)\b|\bnot\b.{1,40}\bbut\b|\A\s{0,5}(?:sorry|no)\b|\bso\b.{0,60}\bholds?\b",
    re.IGNORECASE,
)
"""Words by which a text speaks of a change of what stands above it."""
