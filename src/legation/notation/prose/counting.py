"""How many units are built or removed, said before they are named: ``two builds:``, ``I must lose one.``"""

from __future__ import annotations

import re

_NUMBER = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|\d{1,2})"
_WHO = r"(?:(?:i|we)(?:['’]m| am| are|['’]ve| have)?|[^\W\d_]{4,20})"
_LOSE = r"(?:lose|remove|disband|take off|give up|drop|get rid of|part with|dismiss|say goodbye to)"
_UNITS = r"(?:\s(?:of (?:my |our |the )?)?(?:units?|armies|fleets|pieces|regiments|centers|centres))?"
_ASKS = (
    r"(?:,?\s(?:yeah|right|yes|correct|no|then|please|i (?:think|believe|guess|suppose)|it seems|if i counted right))?"
)
_AND_SO = r"(?:let (?:it|them) be|so|then|these are|they are|this is|it is|namely|that is|and so)?:?\s{0,2}"
HOW_MANY = re.compile(
    rf"\s{{0,9}}(?:(?:so|ok|well),?\s)?(?:(?:i|we) (?:have|get|got|have got|can build|may build|am due|are due)\s"
    rf"|thats |that['’]s |with |for |only |just )?(?:my |our )?(?:{_NUMBER}|both)\s(?:new )?(?P<what>builds?|removals?)"
    rf"(?:\s(?:for me|only|this (?:year|winter|turn|time)))?{_ASKS}\s?[.?!,:]{{1,2}}\s{{1,5}}(?:then,?\s)?"
    r"|\s{0,9}for (?:my|our|the) (?P<whose>builds?|removals?)[,:]?\s{1,5}"
    rf"|\s{{0,9}}{_WHO}\s(?:must|have to|has to|need to|needs to|should)\s{_LOSE}\s{_NUMBER}{_UNITS}"
    rf"(?:,? and so|,? so|[.!:;,])\s{{1,5}}{_AND_SO}"
    rf"|\s{{0,9}}(?:i|we) (?:lose|have lost|lost) {_NUMBER}{_UNITS}(?:,? and so|,? so|[.!:;,])\s{{1,5}}{_AND_SO}"
    rf"|\s{{0,9}}(?:i am|i['’]m|we are|we['’]re) {_NUMBER}(?:\sunits?|\scenters?|\scentres?)? "
    rf"(?:short|over|too many)(?:, (?:sadly|alas))?[.!:;,]\s{{1,5}}{_AND_SO}"
    rf"|\s{{0,9}}{_NUMBER}{_UNITS} (?:off the board|must go|have to go|has to go|to go)"
    r"(?: for me| for us)?[.!:;,]\s{1,5}",
    re.IGNORECASE,
)
"""How a line begins that counts what it is about to give: ``two builds yeah? army warsaw army sev``."""
