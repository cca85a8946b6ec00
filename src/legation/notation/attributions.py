"""Lines that mail programs put above what they quote: ``On Monday Anna wrote:``, ``Am 3. Mai schrieb Anna:``, and the
heads of forwarded mails.

Mails and sheets that are pasted elsewhere are both read by these tables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST = 400  # characters of a line that may be one
_WROTE = frozenset(
    "wrote writes pisze schrieb écrit escribió escribio scritto schreef skrev escreveu napisał napisał(a) napisała "
    "kirjoitti napsal napsal(a) írta yazdı yazmış написал написала написал(а) пише пишет писал έγραψε scris "
    "scrisse escrigué kirjutas rakstīja rašė napísal napisao написао".split()
)
"""What mail programs say in twenty languages: somebody wrote."""
_WROTE_GLUED = ("写道", "寫道", "のメール", "wrote", "님이 작성", "작성:")
"""The same where no blank parts words."""
_ORIGINAL = (
    "original message",
    "forwarded message",
    "original mail",
    "original nachricht",
    "originalnachricht",
    "ursprüngliche nachricht",
    "weitergeleitete nachricht",
    "message d'origine",
    "message original",
    "message transféré",
    "mensaje original",
    "mensaje reenviado",
    "messaggio originale",
    "messaggio inoltrato",
    "oorspronkelijk bericht",
    "doorgestuurd bericht",
    "mensagem original",
    "mensagem encaminhada",
    "ursprungligt meddelande",
    "originalmeddelande",
    "oprindelig meddelelse",
    "oprindelig besked",
    "opprinnelig melding",
    "alkuperäinen viesti",
    "wiadomość oryginalna",
    "oryginalna wiadomość",
    "původní zpráva",
    "původní e-mail",
    "eredeti üzenet",
    "исходное сообщение",
    "пересылаемое сообщение",
    "вихідне повідомлення",
    "orijinal mesaj",
    "mesaj original",
    "αρχικό μήνυμα",
    "original-nachricht",
    "original appointment",
    "оригинално писмо",
    "[ 받은 메일 내용 ]",
    "원본 이메일",
    "元のメッセージ",
    "原始邮件",
    "missatge original",
    "thư gốc",
)
_SENDER = frozenset(
    "from von de da van från fra lähettäjä od feladó от gönderen kimden expéditeur від από מאת من 差出人 发件人 寄件者 "
    "寄件人 보낸사람".split()
) | {"보낸 사람", "de la"}
_HEAD = frozenset(
    "gönderildi tarih kime konu 送信日時 送信日 日付 宛先 件名 "
    "发送时间 发送日期 日期 收件人 抄送 主题 寄件日期 收件者 主旨 "
    "보낸날짜 날짜 받는사람 제목 "
    "надіслано отправлено στάλθηκε ημερομηνία προς θέμα נשלח תאריך אל נושא إلى تاريخ الموضوع küldve "
    "trimis către subiect sent date to subject gesendet datum an betreff envoyé à objet enviado para "
    "asunto assunto inviato a oggetto verzonden aan onderwerp skickat till ämne sendt til emne lähetetty "
    "vastaanottaja aihe wysłano do temat odesláno komu předmět elküldve címzett tárgy дата кому тема cc "
    "fecha data dato päiväys".split()
) | {"보낸 날짜", "받는 사람"}
"""What stands before the colons in the head of a quoted mail."""
MAIL_HEAD = re.compile(
    r"\s{0,99}(?:from|to|cc|bcc|subject|date|sent|reply-to|message-id|in-reply-to|mime-version|content-[a-z-]+|"
    r"x-[a-z-]+|received|"
    r"return-path|references|importance|an|von|betreff|datum|de|objet)\s{0,9}:\s",
    re.IGNORECASE,
)
"""A line of a head that is known for one wherever it stands alone."""
MOST_HEAD_LINES = 13  # of a head and what stands above it, with the empty ones among them

_DIRECTIONS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""What turns the direction of writing."""
_ADDRESS = re.compile(r"[<(\[]\s?[^\s<>@]{1,128}@[^\s<>@]{1,253}?\s?[>)\]]")
_BY = re.compile(r"\bby\s[^\s<>@]{1,128}@[^\s<>@:]{1,253}:")
_ORIGINAL_RULE = re.compile(r"-{5,99}\s?original\s?-{5,99}")
_LABELED = re.compile(r"[*\s]*[^\W\d][^:：\d<>@]{0,30}[:：]")
"""A line with a colon behind a few words, as those of heads are."""
_TIME = re.compile(r"\b\d{1,2}[:.h]\d\d\b")
_RULE = re.compile(r"_{5,}|-{5,}|={5,}")


def is_attribution(text: str) -> bool:
    """Whether a line says that somebody wrote what follows."""
    line = _DIRECTIONS.sub("", text).strip().strip(">").strip().strip("-").strip()
    if not line or len(line) > LONGEST:
        return False
    if line.endswith((":", "：")) and (_ADDRESS.search(line) or _BY.search(line)) and _TIME.search(line):
        return True  # somebody at some time, whatever the language says between
    if not line.endswith((":", "：", "wrote", "schrieb", "écrit", ">")):
        return False
    words = [word.strip(",:;<>()[]*") for word in line.casefold().split()]
    said = any(word in _WROTE for word in words) or any(mark in line for mark in _WROTE_GLUED)
    if not said:
        return False
    dated = any(c.isdigit() for c in line) or "@" in line
    return dated or line.endswith((":", "："))


def opens_original(text: str) -> bool:
    """Whether a line is the rule above a mail that is quoted or passed on: ``-----Original Message-----``."""
    line = text.strip().casefold()
    if not line or len(line) > LONGEST:
        return False
    bare = line.strip("-_=* ").removeprefix("begin ").rstrip(":")
    return _ORIGINAL_RULE.fullmatch(line) is not None or any(
        bare.startswith(name) and len(bare) < len(name) + 40 for name in _ORIGINAL
    )


def head_name(text: str) -> str:
    """``from`` or ``other`` if a line looks like one of the head of a quoted mail (``*From:* Anna``); else nothing."""
    line = _DIRECTIONS.sub("", text).strip().lstrip("*").strip()
    name, colon, _ = line[:60].replace("：", ":").partition(":")
    word = name.strip(" *\u00a0").casefold()
    if not colon or not word:
        return ""
    return "from" if word in _SENDER else "other" if word in _HEAD else ""


def opens_head(lines: Sequence[str], least: int = 2) -> bool:
    """Whether the lines that come next are the head of a quoted mail: a sender, and some of its other lines. In a
    language that isn't known here it is an address and two more lines with colons, one with a time or an address."""
    shown = [line for line in lines[:8] if line.strip()][:5]
    if not shown:
        return False
    if head_name(shown[0]) == "from":
        known = sum(head_name(line) == "other" for line in shown[1:])
        if known >= least:
            return True
    below = [line for line in shown[1:4] if _LABELED.match(line)]
    dated = any(_TIME.search(line) or "@" in line for line in below)
    return bool(_LABELED.match(shown[0]) and _ADDRESS.search(shown[0]) and len(below) >= least and dated)


def head_length(lines: Sequence[str]) -> int:
    """How many of these lines, from the first, are the head of a quoted mail, with the rule or the words right above
    it; 0 if the first begins none."""
    first, below = lines[0], lines[1:]
    if opens_original(first):
        return 1 + _head_lines(below)
    if opens_head(lines):
        return max(1, _head_lines(lines))
    if _RULE.fullmatch(first.strip()) and opens_head(below, 1):
        return 1 + _head_lines(below)
    if head_name(first) == "other" and opens_head(below):
        return 1 + _head_lines(below)  # Gesendet: ... Von: ... An: ... Betreff: ...
    return 0


def _head_lines(lines: Sequence[str]) -> int:
    """How many lines the head of a quoted mail takes, with the empty ones among them."""
    end = 0
    for number, line in enumerate(lines[: MOST_HEAD_LINES - 1], 1):
        if line.strip():
            if not head_name(line):
                break
            end = number
    return end
