"""An order's answer: as it takes effect, or why it is illegal."""

from typing import TypeAlias, final

import msgspec

from legation.orders import Order


@final
class Refusal(msgspec.Struct, frozen=True):
    """Why an order is illegal; asked for in inner loops by ``type(answer) is Refusal``, which takes a tenth of
    ``isinstance``."""

    reason: str


Judged: TypeAlias = Order | Refusal
