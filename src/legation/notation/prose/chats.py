"""What stands around orders in chats, results and letters: times, speakers, lists of centers, greetings."""

from __future__ import annotations

import re

CHAT_LINE = re.compile(
    r"\s{0,9}(?:\[[^\]\n]{0,30}\d:\d\d[^\]\n]{0,15}\]\s{0,5}|\([^)\n]{0,30}\d:\d\d[^)\n]{0,15}\)\s{0,5}"
    r"|(?:\d{1,4}[-./]\d{1,2}[-./]\d{2,4},?\s{1,3})?\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]m)?(?:\s{0,3}-)?\s{1,5})"
    r"(?P<name>[^:<>\n]{1,40}:\s{1,9}|<[^:<>\n]{1,40}>:?\s{1,9})?(?=\S)",
    re.IGNORECASE,
)
"""What a program for chats writes before what somebody said: ``[10:32] Anna:``; a time alone says nothing."""
SAID_BY = re.compile(r"\s{0,9}<(?P<name>[^\s:<>\n]{1,40})>:?\s{1,9}(?=\S)")
QUOTED_GM = re.compile(r"GM>{1,3}\s")
"""How a line begins that quotes the GM, as programs of the FidoNet do it."""
CENTERS = re.compile(
    r"\s{0,9}(?:gains?|gained|loss(?:es)?|lost|(?:supply[\s-])?(?:centers?|centres?)|s\.?c\.?s?|owns|owned|controls)"
    r"\s{0,9}(?:\(\d{1,2}\))?\s{0,9}:",
    re.IGNORECASE,
)
"""The beginning of a line of results that lists centers: ``Gains:``."""
PRESS = re.compile(r"(?:press|broadcast)\b", re.IGNORECASE)
PRESS_ENDS = re.compile(r"end\s?(?:press|broadcast)|signoff", re.IGNORECASE)
GREETED = re.compile(
    r"\s{0,9}(?:hi|hello|hey|dear|hallo|hola|bonjour|ciao)"
    r"(?:\s{1,5}(?:gm|coordinator|all|again|everyone|(?P<name>[^\W\d_]{2,20}\.?(?:\s[^\W\d_]{2,20})?)))?"
    r"\s{0,3}(?:[,!:.]|\s[-–—]{1,2}(?=\s))\s{0,5}",
    re.IGNORECASE,
)
"""How a line begins that greets somebody before it goes on."""
