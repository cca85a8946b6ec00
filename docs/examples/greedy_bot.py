"""A bot as a program of its own: it attacks the centers of others, and holds where it cannot."""

import json
import sys


def choose(told):
    """One order for each unit, from those that are legal."""
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
            return []  # builds nothing; what must go is removed by the rule
    return list(chosen.values())


for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "turn":
        sys.stdout.write(json.dumps({"orders": choose(told)}) + "\n")
        sys.stdout.flush()
