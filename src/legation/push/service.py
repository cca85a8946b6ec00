"""The senders of notifications and of messages over bridges, each a thread of the office."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from functools import partial

from legation.office.desk import bridge_messages, pushes
from legation.office.errors import UnavailableError
from legation.office.monitoring.processes import start
from legation.office.office import Office
from legation.public_calls import Outcome
from legation.push.bridges import BridgeSender
from legation.push.sending import PushSender

CLOSING = 3.0  # seconds that a call on its way is waited for

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


def send_over_bridges(office: Office, sender: BridgeSender, stop: threading.Event | None = None) -> int:
    """Send the messages that wait to go over bridges; the answer is how many were taken. What was claimed when told to
    stop is claimed again when its lease is over."""
    reached = 0
    for delivery in bridge_messages.claim(office):
        if stop is not None and stop.is_set():
            break
        outcome = sender.send(delivery)
        bridge_messages.sent(office, delivery, outcome)
        reached += outcome == "reached"
    return reached


def run(office: Office, what: str, send: Send, stop: threading.Event, pause: float, beat: Callable[[], None]) -> None:
    """Send what waits of a kind until told to stop: at news, and every ``pause`` seconds."""
    with office.waiter(what) as wait:
        while not stop.is_set():
            with contextlib.suppress(UnavailableError):  # the database is away; the next look has it all
                send(stop)
                beat()
            wait(pause)


@contextlib.contextmanager
def serve(office: Office, pause: float = 5.0, stop: threading.Event | None = None) -> Iterator[None]:
    """Send notifications and messages over bridges while the block runs, or until told to ``stop``, where the office's
    settings want them."""
    stop = stop or threading.Event()
    sends: dict[str, Send] = {}
    if office.settings.push:
        sends["push"] = partial(send_waiting, office, PushSender(office))
    if office.settings.bridges:
        sends["bridge"] = partial(send_over_bridges, office, BridgeSender())
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
