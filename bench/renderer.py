"""What a page costs its reader's processor, from Chromium's own trace: tasks of the page's main thread in milliseconds
of its processor time, so that another program on the machine does not count."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Page

CATEGORIES = [
    "toplevel",
    "devtools.timeline",
    "disabled-by-default-devtools.timeline",
    "blink.user_timing",
    "v8.execute",
]
TASK = ("RunTask", "ThreadControllerImpl::RunTask")
NAMED = frozenset(
    [
        *("Layout", "UpdateLayoutTree", "PrePaint", "Paint", "Layerize", "Commit", "ParseHTML", "XMLParser"),
        *("EvaluateScript", "FunctionCall", "RunMicrotasks", "FireAnimationFrame", "TimerFire", "EventDispatch"),
        *("ParseAuthorStyleSheet", "v8.compile", "v8.compileModule", "v8.evaluateModule"),
        *("MajorGC", "MinorGC", "HitTest", "Decode Image"),
    ]
)
"""Steps of a task that are worth a name."""


@dataclass
class Task:
    """One task: its processor time in milliseconds, its wall time, and its steps' own times by name."""

    cpu: float
    wall: float
    steps: dict[str, float] = field(default_factory=dict)

    def told(self) -> str:
        """Its three dearest steps: ``Layout 120, FunctionCall game.js:40 31``."""
        dear = sorted(self.steps.items(), key=lambda item: -item[1])[:3]
        return ", ".join(f"{name} {cost:.0f}" for name, cost in dear if cost >= 1)


@dataclass
class Trace:
    """The main thread's tasks, and how long all other threads of the page's process were busy, in milliseconds."""

    tasks: list[Task]
    raster: float

    def longest(self) -> Task:
        """The task that kept the processor longest."""
        return max(self.tasks, key=lambda task: task.cpu, default=Task(0, 0))

    def cpu(self) -> float:
        """Processor time of all tasks."""
        return sum(task.cpu for task in self.tasks)


def traced(browser: Browser, page: Page, act: Callable[[], object]) -> Trace:
    """Run ``act`` and return what the page's renderer did meanwhile."""
    browser.start_tracing(page=page, categories=CATEGORIES)
    act()
    return _read(json.loads(browser.stop_tracing())["traceEvents"])


def _read(events: list[dict[str, Any]]) -> Trace:
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e.get("name") == "thread_name"}
    threads: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    for event in events:
        if event.get("ph") == "X" and "dur" in event:
            threads[event["pid"], event["tid"]].append(event)
    mains = {key: found for key, found in threads.items() if names.get(key) == "CrRendererMain"}
    if not mains:
        return Trace([], 0)
    main = max(mains, key=lambda key: sum(e.get("tdur", 0) for e in mains[key] if e["name"] in TASK))
    tasks = list(_tasks(sorted(mains[main], key=lambda e: (e["ts"], -e["dur"]))))
    others = (
        found
        for key, found in threads.items()
        if names.get(key, "").startswith(("CompositorTileWorker", "VizCompositor", "CrGpuMain"))
    )
    raster = sum(e.get("tdur", 0) for found in others for e in found if e["name"] in TASK) / 1000
    return Trace(tasks, raster)


def _tasks(events: list[dict[str, Any]]) -> Iterator[Task]:
    """Tasks of a thread with the own time of their steps: what a step took, less the steps in it."""
    task: Task | None = None
    ends = 0.0
    stack: list[tuple[float, str]] = []
    for event in events:
        start, cpu = event["ts"], event.get("tdur", event["dur"]) / 1000
        if event["name"] in TASK:
            if start < ends:
                continue  # a task in a task
            if task is not None:
                yield task
            task, ends, stack = Task(cpu, event["dur"] / 1000), start + event["dur"], []
        elif task is not None and start < ends and event["name"] in NAMED:
            while stack and stack[-1][0] <= start:
                stack.pop()
            name = _name(event)
            task.steps[name] = task.steps.get(name, 0) + cpu
            if stack:
                task.steps[stack[-1][1]] -= cpu
            stack.append((start + event["dur"], name))
    if task is not None:
        yield task


def _name(event: dict[str, Any]) -> str:
    """A step by its name, and its script and line where it has one."""
    data = event.get("args", {}).get("data") or {}
    url = data.get("url") or event.get("args", {}).get("fileName") or ""
    line = data.get("lineNumber")
    script = str(url).rpartition("/")[2]
    return f"{event['name']} {script}{f':{line}' if line is not None and script else ''}".strip()
