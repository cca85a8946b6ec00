"""The senders of notifications and of messages over bridges, each a thread of the office."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from legation.office.desk import bridges, pushes
from legation.office.desk.bridges import Delivery
from legation.office.errors import UnavailableError
from legation.office.monitoring.processes import start
from legation.office.office import Office
from legation.public_calls import Outcome
from legation.push.sending import BridgeSender, PushSender

CLOSING = 3.0  # seconds that a call on its way is waited for

PATIENCE = 2.0  # seconds for which messages on their way over bridges are waited for, before others are looked for

Send = Callable[[threading.Event], int]


def send_waiting(office: Office, sender: PushSender, stop: threading.Event | None = None) -> int:
    """Send the notifications that wait; the answer is how many browsers were reached."""
    reached = 0
    for push in pushes.claim(office):
        told: dict[Outcome, list[int]] = {"reached": [], "gone": [], "failed": []}
        for number, subscription in push.browsers.items():
            stopped = stop is not None and stop.is_set()
            told["failed" if stopped else sender.send(push, subscription)].append(number)
        pushes.sent(office, push, told["reached"], told["gone"], told["failed"])
        reached += len(told["reached"])
    return reached


def send_over_bridges(
    office: Office,
    sender: BridgeSender,
    stop: threading.Event | None = None,
    busy: dict[str, threading.Thread] | None = None,
) -> int:
    """Send the messages that wait to go over bridges; the answer is how many were taken by now. Those of one bridge go
    one after the other, and each bridge has a thread (``busy``: those that still send), so that none waits for a slow
    one. What was claimed when told to stop is claimed again when its lease is over."""
    busy = {} if busy is None else busy
    for bridge in [bridge for bridge, thread in busy.items() if not thread.is_alive()]:
        del busy[bridge]
    reached: list[int] = []

    def send_all(deliveries: Sequence[Delivery]) -> None:
        for delivery in deliveries:
            if stop is not None and stop.is_set():
                break
            outcome = sender.send(delivery)
            with contextlib.suppress(UnavailableError):  # the database is away; it is sent again when its lease is over
                bridges.sent(office, delivery, outcome)
                if outcome == "reached":
                    reached.append(delivery.row)

    waiting: dict[str, list[Delivery]] = {}
    for delivery in bridges.claim(office, but=tuple(busy)):
        waiting.setdefault(delivery.bridge, []).append(delivery)
    for bridge, deliveries in waiting.items():
        busy[bridge] = threading.Thread(target=send_all, args=(deliveries,), name=bridge, daemon=True)
        busy[bridge].start()
    until = time.monotonic() + PATIENCE
    for bridge in waiting:
        busy[bridge].join(max(0.0, until - time.monotonic()))
    return len(reached)


def run(office: Office, what: str, send: Send, stop: threading.Event, pause: float, beat: Callable[[], None]) -> None:
    """Send what waits of a kind until told to stop: at news, and every ``pause`` seconds."""
    with office.store.notifier.waiter(what) as wait:
        while not stop.is_set():
            with contextlib.suppress(UnavailableError):  # the database is away; the next look has it all
                send(stop)
                beat()
            wait(pause)


@contextlib.contextmanager
def serve(office: Office, pause: float = 5.0, stop: threading.Event | None = None) -> Iterator[None]:
    """Send notifications and messages over bridges, as set, while the block runs or until told to ``stop``."""
    stop = stop or threading.Event()
    sends: dict[str, Send] = {}
    if office.settings.push:
        sends["push"] = partial(send_waiting, office, PushSender(office))
    if office.settings.bridges:
        sends["bridge"] = partial(send_over_bridges, office, BridgeSender(), busy={})
    threads = [
        start(office.pulses, what, partial(run, office, what, send, stop, pause), stop) for what, send in sends.items()
    ]
    try:
        yield
    finally:
        stop.set()
        office.store.notifier.wake()
        for thread in threads:
            thread.join(CLOSING)
