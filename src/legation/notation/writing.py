"""Orders as text: the canonical short style, sentences, and the Judge's style."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from legation.board import COAST_NAMES, Board
from legation.orders import (
    Build,
    Convert,
    Convoy,
    Disband,
    Ferry,
    Hold,
    Move,
    Order,
    Proxy,
    Remove,
    Retreat,
    Send,
    SupportHold,
    SupportMove,
    VoteDraw,
    Waive,
)


def _unit(kind: str, at: str) -> str:
    return f"{kind} {at}" if kind else at


def _move(o: Move) -> str:
    steps = " - ".join((*o.route, o.to))
    if o.ferry:
        return f"{_unit(o.kind, o.at)} - {steps} by ferry F {o.ferry[0]} - {o.ferry[1]}"
    return f"{_unit(o.kind, o.at)} - {steps}" + (" via convoy" if o.via_convoy else "")


def _owner(power: str) -> str:
    return f"{power} " if power else ""


_SHORT: dict[type, Any] = {
    Hold: lambda o: f"{_unit(o.kind, o.at)} H",
    Move: _move,
    SupportHold: lambda o: f"{_unit(o.kind, o.at)} S {_owner(o.power)}{_unit(o.target_kind, o.target)}",
    SupportMove: lambda o: f"{_unit(o.kind, o.at)} S {_owner(o.power)}{_unit(o.target_kind, o.target)} - {o.to}",
    Convoy: lambda o: f"{_unit(o.kind, o.at)} C {_owner(o.power)}{_unit(o.target_kind, o.target)} - {o.to}",
    Ferry: lambda o: f"{_unit(o.kind, o.at)} - {o.to} ferries {_unit(o.target_kind, o.target)} - {o.target_to}",
    Convert: lambda o: f"{_unit(o.kind, o.at)} converts to {o.to}" + (f" {o.coast}" if o.coast else ""),
    Proxy: lambda o: f"{_unit(o.kind, o.at)} under {o.power}",
    Retreat: lambda o: f"{_unit(o.kind, o.at)} R {o.to}",
    Disband: lambda o: f"{_unit(o.kind, o.at)} disband",
    Build: lambda o: f"build {_unit(o.kind, o.at)}",
    Remove: lambda o: f"remove {_unit(o.kind, o.at)}",
    Waive: lambda o: "waive",
    Send: lambda o: f"send {o.count} to {o.power}",
    VoteDraw: lambda o: "draw",
}


def write(order: Order) -> str:
    """An order in the canonical short style, as it is stored and shown: ``A mar S A par - bur``."""
    return str(_SHORT[type(order)](order))


class KindName(Protocol):
    """What notation needs to know of a kind of unit."""

    @property
    def name(self) -> str: ...

    @property
    def travel(self) -> str: ...


class Writer:
    """Writes orders in the styles that need names: full sentences, and the Judge's style."""

    def __init__(self, board: Board, kinds: Mapping[str, KindName]) -> None:
        self._board = board
        self._kinds = kinds

    def _place(self, location: str) -> str:
        province, _, coast = location.partition("/")
        name = self._board.provinces[province].name
        return f"{name} ({COAST_NAMES.get(coast, coast)})" if coast else name

    def _unit(self, kind: str, at: str) -> str:
        return f"{self._kinds[kind].name.title()} {self._place(at)}" if kind else self._place(at)

    def sentence(self, order: Order) -> str:
        """An order in words: ``Army Paris moves to Burgundy``."""
        o: Any = order
        match order:
            case Hold():
                return f"{self._unit(o.kind, o.at)} holds"
            case Move():
                text = f"{self._unit(o.kind, o.at)} moves to " + " - ".join(self._place(p) for p in (*o.route, o.to))
                if o.ferry:
                    return f"{text} by ferry Fleet {self._place(o.ferry[0])} - {self._place(o.ferry[1])}"
                return text + (" via convoy" if o.via_convoy else "")
            case SupportHold():
                return f"{self._unit(o.kind, o.at)} supports {_owner(o.power)}{self._unit(o.target_kind, o.target)}"
            case SupportMove():
                return f"{self._unit(o.kind, o.at)} supports {_owner(o.power)}{self._unit(o.target_kind, o.target)} to {self._place(o.to)}"
            case Convoy():
                return f"{self._unit(o.kind, o.at)} convoys {_owner(o.power)}{self._unit(o.target_kind, o.target)} to {self._place(o.to)}"
            case Ferry():
                return f"{self._unit(o.kind, o.at)} moves to {self._place(o.to)} and ferries {self._unit(o.target_kind, o.target)} to {self._place(o.target_to)}"
            case Convert():
                coast = f" ({COAST_NAMES.get(o.coast, o.coast)})" if o.coast else ""
                return f"{self._unit(o.kind, o.at)} converts to {self._kinds[o.to].name}{coast}"
            case Proxy():
                return f"{self._unit(o.kind, o.at)} is under the orders of {o.power}"
            case Retreat():
                return f"{self._unit(o.kind, o.at)} retreats to {self._place(o.to)}"
            case Disband():
                return f"{self._unit(o.kind, o.at)} disbands"
            case Build():
                return f"Build {self._unit(o.kind, o.at)}"
            case Remove():
                return f"Remove {self._unit(o.kind, o.at)}"
            case Send():
                whose = "unit's" if o.count == 1 else "units'"
                return f"Send {o.count} {whose} supply to {o.power}"
        return write(order).capitalize()

    def judge(self, order: Order) -> str:
        """An order as the e-mail Judge prints it: ``Army Paris -> Burgundy.``."""
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
