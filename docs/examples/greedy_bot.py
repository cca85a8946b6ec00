"""A bot as a separate program: it attacks the centers of others, and holds if it can't."""

import json
import sys


def choose(told):
    """Return one legal order for each unit."""
    centers = told["position"]["centers"]
    wanted = {place for power, owned in centers.items() if power != told["power"] for place in owned}
    chosen, taken = {}, set()
    for order in told["legal"]:
        words = order.split()
        unit = " ".join(words[:2])
        if words[-1] == "H":
            chosen.setdefault(unit, order)
        elif words[2:3] == ["-"] and len(words) == 4 and words[3] in wanted - taken:
            if chosen.get(unit, "H").endswith("H"):
                chosen[unit] = order
                taken.add(words[3])
        elif words[0] in ("build", "remove"):
            return []  # builds nothing, and lets the rules choose removals
    return list(chosen.values())


for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "turn":
        sys.stdout.write(json.dumps({"orders": choose(told)}) + "\n")
        sys.stdout.flush()
