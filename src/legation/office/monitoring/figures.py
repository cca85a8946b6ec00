"""Metrics for Prometheus: requests, work, mails, each with how long it took."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """Prometheus metrics of one process. Labels are names of ours: routes, kinds of work and of mail, kinds of errors;
    never anything that somebody sent."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Histogram(
            "legation_request_seconds",
            "Requests, by route and class of status.",
            ("method", "route", "status"),
            buckets=SECONDS,
            registry=self.registry,
        )
        self.work = Histogram(
            "legation_work_seconds",
            "Due work that was done, by kind.",
            ("kind",),
            buckets=SECONDS,
            registry=self.registry,
        )
        self.failures = Counter(
            "legation_failures", "What failed: work, mails, requests.", ("what", "kind"), registry=self.registry
        )
        self.mails = Counter("legation_mails", "Mails: sent, taken in, put aside.", ("what",), registry=self.registry)
