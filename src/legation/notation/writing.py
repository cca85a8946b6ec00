"""Orders as text: the canonical short style, sentences, and the Judge's style."""

from collections.abc import Mapping
from functools import cached_property

from legation.board import COAST_NAMES, Board
from legation.notation.known_orders import keep
from legation.notation.names import fold, place_names
from legation.notation.order_kinds import kind_of
from legation.notation.vocabulary import KindName
from legation.orders import Convoy, Order, SupportMove

_WRITTEN: dict[Order, str] = {}


def write(order: Order) -> str:
    """Return an order in the canonical short style, in which it is stored and shown: ``A mar S A par - bur``."""
    try:
        return _WRITTEN[order]
    except KeyError:
        keep(_WRITTEN, order, text := kind_of(order).short(order))
        return text


class Writer:
    """Writes orders in the styles that need names: full sentences, and the Judge's style."""

    def __init__(self, board: Board, kinds: Mapping[str, KindName]) -> None:
        self._board = board
        self._kinds = kinds

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """The name of each province, or a further one where another place is called nearly the same."""
        names = place_names(self._board)
        shown = {}
        for province in self._board.provinces.values():
            clear = (n for n in (province.name, *province.aliases) if "@" not in n and not names.meaning(fold(n)).clash)
            shown[province.id] = next(clear, province.name)
        return shown

    def place(self, location: str) -> str:
        """Return the name of a location: ``Spain (south coast)``."""
        province, _, coast = location.partition("/")
        name = self._names[province]
        return f"{name} ({COAST_NAMES.get(coast, coast)})" if coast else name

    def unit(self, kind: str, at: str) -> str:
        """``Army Paris``; ``Fleet Wight Sea Area``, in which an article that the place bears is left out."""
        return f"{self._kinds[kind].name.title()} {self.place(at).removeprefix('the ')}" if kind else self.place(at)

    def kind(self, code: str) -> str:
        """``army``."""
        return self._kinds[code].name

    def sentence(self, order: Order) -> str:
        """Return an order in words: ``Army Paris moves to Burgundy``."""
        return kind_of(order).sentence(order, self)

    def judge(self, order: Order) -> str:
        """Return an order as the e-mail Judge prints it: ``Army Paris -> Burgundy.``."""
        text = self.sentence(order)
        for long, short in (
            (" moves to ", " -> "),
            (" supports ", " SUPPORT "),
            (" convoys ", " CONVOY "),
            (" holds", " HOLD"),
        ):
            text = text.replace(long, short)
        if isinstance(order, SupportMove | Convoy):
            head, _, tail = text.rpartition(" to ")
            text = f"{head} -> {tail}"
        return text + "."
