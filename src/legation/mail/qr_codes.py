"""Printed order sheets carry a code; a photograph of one says by itself for which game, power and turn it is."""

from __future__ import annotations

import msgspec

from legation.mail.reading import ParsedMail
from legation.mail.subjects import MailSubject
from legation.office.orders.order_codes import SheetCode
from legation.position import Turn, TurnTextError


class DisagreementError(ValueError):
    """The codes on pictures disagree with the mail or with each other."""


def with_codes(subject: MailSubject, mail: ParsedMail, seat: tuple[str, str] | None) -> MailSubject:
    """The subject, with what the codes in the pictures say where it is silent. ``seat`` is the game and power whose
    address the mail was sent to, if it was.

    :raises DisagreementError: where a code says something else than the subject, the address, or another code.
    """
    if mail.code_fault:
        raise DisagreementError(mail.code_fault)
    codes = set(mail.codes)
    if not codes:
        return subject
    if len(codes) > 1:
        seats = "; ".join(sorted(map(_seat_and_turn, codes)))
        raise DisagreementError(
            f"The pictures show order sheets of several seats or turns: {seats}. Send a mail for each."
        )
    code = codes.pop()
    try:
        turn = Turn.parse(code.turn)
    except TurnTextError:
        return subject
    said = {"game": code.game, "power": code.power, "season": turn.season, "year": turn.year, "phase": turn.phase}
    if seat is not None and seat != (code.game, code.power):
        raise DisagreementError(
            f"The order sheet in the picture is that of {_seat_and_turn(code)}, but you wrote to the address of "
            f"{seat[1]} in {seat[0]}."
        )
    for part, value in said.items():
        given = getattr(subject, part)
        if given and value and given != value and not (part == "season" and value == subject.or_season):
            shown = given.value if hasattr(given, "value") else given
            raise DisagreementError(
                f"The subject says {shown}, but the order sheet in the picture is that of {_seat_and_turn(code)}."
            )
    return msgspec.structs.replace(subject, **{part: value or getattr(subject, part) for part, value in said.items()})


def _seat_and_turn(code: SheetCode) -> str:
    return f"{code.power} in {code.game}, {code.turn}"
