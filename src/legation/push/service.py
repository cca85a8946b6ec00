"""The sender of notifications as a thread of the office."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

from legation.office.desk import pushes
from legation.office.errors import UnavailableError
from legation.office.monitoring.processes import start
from legation.office.office import Office
from legation.public_calls import Outcome
from legation.push.sending import PushSender

CLOSING = 3.0  # seconds that a call on its way is waited for


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


def run(office: Office, sender: PushSender, stop: threading.Event, pause: float, beat: Callable[[], None]) -> None:
    """Send what waits until told to stop: at news, and every ``pause`` seconds."""
    with office.waiter("push") as wait:
        while not stop.is_set():
            with contextlib.suppress(UnavailableError):  # the database is away; the next look has it all
                send_waiting(office, sender, stop)
                beat()
            wait(pause)


@contextlib.contextmanager
def serve(office: Office, pause: float = 5.0, stop: threading.Event | None = None) -> Iterator[None]:
    """Send notifications while the block runs, or until told to ``stop``, where the office's settings want it."""
    if not office.settings.push:
        yield
        return
    stop = stop or threading.Event()
    sender = PushSender(office)
    thread = start(office.pulses, "push", lambda beat: run(office, sender, stop, pause, beat), stop)
    try:
        yield
    finally:
        stop.set()
        office.store.notifier.wake()
        thread.join(CLOSING)
