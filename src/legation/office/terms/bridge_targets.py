"""Where a bridge leads, read from one address: a webhook, or a channel of a chat service; and what goes over it.

Each service takes a message by one HTTP request, so that each goes by the same checked call as notifications do."""

import re
from collections.abc import Sequence
from typing import Literal
from urllib.parse import quote, unquote, urlsplit

import msgspec

from legation.office.errors import InvalidInputError
from legation.public_calls import address_fault

BridgeKind = Literal["webhook", "discord", "slack", "telegram", "matrix"]
TELLS = ("results", "deadlines", "letters")
_DEADLINES = "game started,turn opened,reminder,deadline moved,game paused,game resumed,game cancelled".split(",")
TOLD = {
    **dict.fromkeys(("results", "draft results", "game ended"), "results"),
    **dict.fromkeys(_DEADLINES, "deadlines"),
    "letter": "letters",
}
"""What a message tells, which all of a game are told, and in which part of what goes over a bridge."""
TEST = "test"  # the first message over a bridge; nothing else follows before it was taken
FORMS = (
    "https://… for a webhook or a channel's webhook at Discord or Slack, slack+https://… for one that reads Slack's "
    "form, telegram://TOKEN/CHAT, or matrix://TOKEN@SERVER/!ROOM"
)
DISCORD = frozenset(["discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"])
TELEGRAM = re.compile(
    r"(?:telegram|tgram)://(?P<token>\d{5,15}:[\w-]{30,60})/(?P<room>-?\d{1,20}|@\w{3,40})/?", re.ASCII
)
MATRIX = re.compile(r"matrixs?://(?P<token>[\w.~=+/-]{10,400})@(?P<host>[a-z0-9.-]{4,200})/(?P<room>[^/?#]{3,300})/?")


class Target(msgspec.Struct, frozen=True):
    """Where a bridge leads: the address that is called, and what a service needs beside it."""

    kind: BridgeKind
    url: str
    token: str = ""
    room: str = ""

    @property
    def host(self) -> str:
        """The machine that is called; nothing else of an address is shown, because the rest is a secret."""
        return urlsplit(self.url).hostname or ""


def read_target(address: str) -> Target:
    """Where an address leads. Raises InvalidInputError for what isn't one of the known forms, or no public host."""
    target = _target(address.strip())
    fault = address_fault(target.url, meant="a public host's name") if target is not None else f"write {FORMS}"
    if target is None or fault:
        raise InvalidInputError(f"A bridge can't lead there: {fault}.", faults=[f"address: {fault}"])
    return target


def _target(address: str) -> Target | None:
    if found := TELEGRAM.fullmatch(address):
        return Target("telegram", f"https://api.telegram.org/bot{found['token']}/sendMessage", room=found["room"])
    if found := MATRIX.fullmatch(address):
        room = unquote(found["room"])
        if not room.startswith("!"):
            return None
        rooms = f"https://{found['host']}/_matrix/client/v3/rooms/{quote(room, safe='')}/send/m.room.message/"
        return Target("matrix", rooms, found["token"])
    if address.startswith("slack+https://"):
        return Target("slack", address.removeprefix("slack+"))
    if not address.startswith("https://"):
        return None
    host = address.removeprefix("https://").partition("/")[0].casefold()
    if host in DISCORD and "/api/webhooks/" in address:
        return Target("discord", address)
    return Target("slack" if host == "hooks.slack.com" else "webhook", address)


def read_tells(tells: Sequence[str]) -> tuple[str, ...]:
    """What goes over a bridge, in the usual order. Raises InvalidInputError for nothing, or what is unknown."""
    unknown = [name for name in tells if name not in TELLS]
    if unknown or not tells:
        fault = f"tells: not {unknown[0][:40]!r}" if unknown else "tells: nothing"
        raise InvalidInputError(f"Choose what goes over the bridge: {', '.join(TELLS)}.", faults=[fault])
    return tuple(name for name in TELLS if name in tells)
