"""Check a transcript of Legation without its code: all of proofs.md except judging and the deal. Needs PyNaCl.
python verify.py GAME.jsonl [--key KEY] [--receipt FILE]...    status 1: a failure; 3: a word past somebody's key"""
import base64, hashlib, hmac, json, re, sys, unicodedata
from itertools import accumulate, pairwise
from nacl.signing import VerifyKey
FIELDS = sorted("game turn given_in seat version channel received entered_by text files note nonce signature".split())
SIGNED = {"turn opened", "countersigned", "results", "restored", "reopened", "office key", "transferred", "taken over"}
AFTER = SIGNED - {"turn opened", "countersigned", "results"} | {*"told erased keeper final objected private".split()}
SHOWN, SENDERS = ("standing", "result", "counted"), ["not ready", *"sent withdrawn confirmed refused ready".split()]
STATES = {"countersigned": "closed", "opened": "closed", "chosen": "opened", "results": "opened", "final": "published",
          "taken back": "published", **dict.fromkeys(("transcribed", "counted", "result"), "opened published"),
          **dict.fromkeys([*SENDERS, *"closed aside standing deadline commitments".split()], "open")}
NONE, QUIET = {"key": "", "signature": ""}, {*SHOWN, *SENDERS, "commitments", "closed", "opened", "taken over"}
PLACE, STRING = ["file"], re.compile(rb'"(?:[^"\\]|\\.)*"')
class WrongError(ValueError): ...
def need(holds, what):
    if not holds: raise WrongError(what)
def an_object(pairs): return need(all(key.isascii() for key, _ in pairs), "a key that is not ASCII") or dict(pairs)
def canonical(value): return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
def parse(data):
    bare = STRING.sub(b"", data)
    need(max(accumulate(1 - 2 * (c in b"]}") for c in re.findall(rb"[][{}]", bare)), default=0) < 25, "over 24 levels")
    value = json.loads(data.decode(), object_pairs_hook=an_object)
    whole = all(abs(int(number)) < 2**53 for number in re.findall(rb"-?[\dNI][^,\]}]*", bare))
    return need(whole and canonical(value) == data and len(data) <= 8 << 20, "not canonical, or too large") or value
def stated(what, value): return f"legation/{what}/2\n".encode() + canonical(value)
def hashed(what, value): return value and hashlib.sha256(stated(what, value)).hexdigest()
def keyed(key, message): return hmac.new(key, message, hashlib.sha256).digest()
def signed(key, signature, what, value):
    try: VerifyKey(bytes.fromhex(key)).verify(stated(what, value), bytes.fromhex(signature))
    except Exception: return False
    return re.fullmatch("[0-9a-f]{64}", key) and re.fullmatch("[0-9a-f]{128}", signature)
def read(data):
    need(len(data) <= 256 << 20 and data.endswith(b"\n"), "too large, or not whole")
    header, *rows = map(parse, data[:-1].split(b"\n"))
    need(set(header) == {"format", "game", "rules"} and header["format"] == "legation transcript 2", "another format")
    names = ["line", "private", "opening", "head"]
    need((order := [names.index(*row) for row in rows]) == sorted(order), "its groups are out of order")
    groups = {name: [row[name] for row in rows if name in row] for name in names}
    for name, by in (("private", ("n", "index")), ("opening", ("commitment",)), ("head", ("n",))):
        need(all([a[k] for k in by] < [b[k] for k in by] for a, b in pairwise(groups[name])), f"{name} out of order")
    return header, groups
class Game:
    def __init__(self, header, groups, known=()):
        self.lines, self.turns, self.filed, self.sent, self.keys, self.held = groups["line"], {}, {}, {}, {}, {}
        self.lost, self.hidden, self.begun, self.read, self.notes, self.words, self.bound = [], [], [], [], [], {}, {}
        self.pending, self.erased, self.once, self.ended, self.awaiting = set(), {}, set(), None, None
        self.game = self.told = game = self.lines[0]["data"]
        terms = {key: game[key] for key in "anonymous keeper lots options senders variant waits".split()}
        self.notes.append(f"journal line 1: {canonical(terms).decode()}")
        self.id, self.seats, self.hides, self.keeper = game["game"], game["seats"], game["hides"], game["keeper"]
        need(header["game"] == self.id and hashed("rules", header["rules"]) == game["rules"], "not the game of line 1")
        self.heads(self.chain(groups["private"]) or {head["n"]: head for head in groups["head"]}, set(known))
        for self.n, line in enumerate(self.lines[1:], 2):
            PLACE[0], kind = f"journal line {self.n} ({line['kind']})", line["kind"]
            fits = not self.awaiting or kind in ("standing", "private")
            need(fits and (not self.ended or kind in AFTER), "a position should stand here, or nothing any more")
            entries = self.open.get(self.n, []) if kind == "private" else [[(kind, line["data"])]]
            self.hidden += [self.n] * (len(entries) < len(line["data"].get("hashes", [])))
            for inner, data in sum(entries, []): self.step(inner, data, line["at"], kind == "private")
            self.awaiting = None if kind == "private" and self.hides else self.awaiting
        self.known = self.openings(groups["opening"])
        until = max((turn["published"] for turn in self.turns.values() if turn["played"]), default=0)
        due = [n for n in self.hidden if self.ended or (n < until and not self.hides)]
        need(not due and not self.awaiting, "a private line is not open, or a position is missing")
        for turn in self.turns.values(): [self.results(turn, *played) for played in turn["played"]]
        for one, other in pairwise(self.begun + [turn for turn in self.turns.values() if turn["state"] != "aside"]):
            after, before = (json.loads(text or "{}") for text in (one["played"][-1][1], other["position"]))
            need(not before or after["after"] == before, f"{other['turn']} opens in another position than was led to")
    def chain(self, private):
        self.hashes, self.open, self.gone, self.secrets, at = [""], {}, {}, {"deal": self.game["deal"]}, 0
        for n, line in enumerate(self.lines, 1):
            PLACE[0], whole = f"journal line {n}", set(line) == {"n", "at", "kind", "data", "prev"}
            need(whole and line["n"] == n and line["prev"] == self.hashes[-1], "not the line that is due")
            need(line["at"] >= at and {"game": n == 1, "imported": n == 2}.get(line["kind"], n > 1), "not its place")
            at = self.hashes.append(hashed("line", line)) or line["at"]
        for row in private:
            PLACE[0], hashes = f"opening of journal line {row['n']}", self.lines[row["n"] - 1]["data"]["hashes"]
            own = hashed("private", {key: row[key] for key in ("data", "kind", "salt")})
            need(row["n"] > 1 and hashes[row["index"] :][:1] == [own] and len(row) == 5, "it does not fit")
            self.once.add((row["kind"], row["data"].get("turn"), row["data"].get("seat")))
            self.open.setdefault(row["n"], []).append([(e["kind"], e["data"]) for e in row["data"].get("said", [row])])
    def heads(self, heads, known):
        self.offices, due = [self.game["office"]], {line["n"] for line in self.lines if line["kind"] in SIGNED}
        need(set(heads) == due | {len(self.lines)}, "a signed head is missing, or one too many")
        for n, (before, line) in enumerate(pairwise([{"kind": ""}, *self.lines]), 1):
            data, kind, PLACE[0] = line["data"], line["kind"], f"head of journal line {n}"
            need((kind == "taken over") is (before["kind"] == "transferred"), "the game went to another office, or not")
            key, old = (before if kind == "taken over" else line)["data"].get("key"), data.get("signature")
            fits = not old or signed(self.offices[-1], old, "key", {"game": self.id, "n": n, "key": key})
            need(fits or kind != "office key", "the old key did not sign the new one")
            self.offices += [key] * (kind in ("office key", "taken over"))
            if head := heads.get(n):
                said = {"game": self.id, **{key: head[key] for key in head if key != "signature"}}
                fits = head["hash"] == self.hashes[n] and len(said) == 4
                need(fits and signed(self.offices[-1], head["signature"], "head", said), "not signed by the office")
        need(known <= set(self.offices), f"signed by {self.offices[-1]}, not by the key that you know")
    shown = property(lambda self: self.told["senders"] == "shown" and not self.hides)
    def secret(self, name): return keyed(bytes.fromhex(self.ended["secret"]), stated("turn secret", name)).hex()
    def by_keeper(self, what, signature, **said):
        need(signed(self.keeper["key"], signature, what, {"game": self.id, **said}), "not signed by the keeper")
    def by_seat(self, kind, turn, private, data):
        keys, signature = self.keys_of(data["seat"], turn, self.n)[0 if private else -1 :], data.get("signature")
        said = {"game": self.id, **{key: data[key] for key in data if key != "signature"}}
        if not signature and kind != "objected" and (any(keys) or self.bound.get(data["seat"])):
            self.words[f"{turn['turn']}: {kind} of {data['seat']}, which its key did not sign"] = 1
        return need(not signature or any(signed(key, signature, kind, said) for key in keys), "forged") or not signature
    def keys_of(self, seat, turn, until):
        keys = self.keys.get(seat, [])
        return [key for n, key in keys if n < until][max(sum(n <= turn["first"] for n, _ in keys) - 1, 0) :]
    def deadline(self, turn, due, at):
        last = turn["max"] = max(turn["max"], turn["due"])
        need(not due or due >= last, "an earlier deadline")
        held = turn["held"] or (at < last and at)  # a pause leaves as much time as there was
        owed = max(turn["owed"], held and max(turn["owed"], last) + at - held - 60_000_000)
        turn |= {"due": due, "held": held} | ({"held": 0, "owed": owed} if due else {})
    def only_once(self, *what): need(what not in self.once, "there before") or self.once.add(what)
    def step(self, kind, data, at, private):
        turn, seat, name = self.turns.get(data.get("turn")), data.get("seat"), data.get("turn")
        need(not seat or seat in self.seats, "no seat")
        need(kind not in STATES or (turn and turn["state"] in STATES[kind].split()), "not now")
        need(kind not in SENDERS or private is not self.shown, "private, or not, as it should be elsewhere")
        for own in data.get("sheets", [data]) if private and kind in SHOWN else ():
            self.only_once(kind, name, own["seat"], turn["now"], len(turn["played"]))
        told = kind not in QUIET or (kind == "sent" and 0 < turn["due"] < at)
        brief = {"at": at} | {k: v for k, v in data.items() if (len(str(v)) < 110 or kind == "dealt") and k != "head"}
        self.notes += [f"journal line {self.n} ({kind}): {canonical(brief).decode()}"] * told
        bare = data.get("signature") == "" and kind != "ready" and data.get("keeper", NONE) != self.keeper
        loud = kind in ("restored", "reopened") or (kind == "chosen" and self.bound.get(seat))
        if bare or loud: self.words[PLACE[0]] = 1
        if kind in ("closed", "reopened"): need(not self.pending or self.hidden, "by nobody") or self.pending.clear()
        if kind == "settings": self.told = data
        elif kind == "imported": self.begun = [{"played": [("", '{"after":%s}' % data["position"])]}]
        elif kind == "held":
            before, self.held[seat] = self.held.get(seat, ""), data["person"]
            if before not in ("", "bot", data["person"]): self.words[f"{PLACE[0]}: {seat}"] = self.bound.pop(seat, "")
        elif kind == "seat key":
            old, key, by = self.bound.get(seat, ""), data["key"], data.get("signature")
            need(not by or signed(old, by, kind, {"game": self.id, "seat": seat, "key": key, "before": old}), "forged")
            by = by and (key, old) not in self.once and not self.once.add((key, old))
            if old not in ("", key) and not by: self.words[f"{PLACE[0]}: {seat}, unsigned by the key before"] = 1
            if key or by: self.bound[seat] = key
            self.keys.setdefault(seat, []).append((self.n, key))
        elif kind == "dealt":
            said = hashed("turn secret", data["secret"]), hashed("part", data["part"])
            need(self.only_once(kind) or said == (self.game["deal"], self.game["part"]), "not what line 1 commits to")
        elif kind in ("keeper", "transferred"):
            over = self.ended or all(t.get("final") or t["state"] == "aside" for t in self.turns.values())
            need(over or kind == "keeper", "a game changes its office between turns")
            if data["signature"]: self.by_keeper("key", data["signature"], n=self.n, key=data["keeper"]["key"])
            self.keeper = data["keeper"]
        elif kind == "restored": self.lost.append((self.n, data["lost_to"], at))
        elif kind == "reopened":
            fits = not name or turn["state"] in ("open", "closed", "opened")[: 3 if data["lots"] else 2]
            need(fits and {name} - {""} <= set(data["lost"]), "not to be reopened")
            self.gone = {own: self.n for own, filed in self.filed.items() if filed[0] in data["lost"]} | self.gone
            if data["lots"]: self.game, self.secrets = {**self.game, "lots": data["lots"]}, {}
            for each in self.turns.values():
                if each is turn or (each["state"] == "aside" and (data["lots"] or each["turn"] in data["lost"])):
                    each.update(state="aside", key="", signed=0)
            if name: turn["same"] = turn["position"] and [turn["position"], turn["awaited"]]
        elif kind == "erased":
            for own, gone in ((record["commitment"], {*record["fields"]}) for record in data["records"]):
                need(gone <= {"files", "note"} and (self.hidden or own in self.filed), "never erased")
                self.erased[own] = self.erased.get(own, set()) | gone
        elif kind == "ended":
            self.ended, own, self.told["anonymous"] = data, hashed("game secret", data["secret"]), False
            fits = {name: hashed("turn secret", self.secret(name)) for name in self.secrets} == self.secrets
            need(fits and own == self.game["lots"], "not the game's secret, or a turn's")
        elif kind == "turn opened":
            self.by_keeper("turn", data["keeper"], **{key: data[key] for key in "turn key secret part due".split()})
            running = [other for other in self.turns.values() if other is not turn and other["state"] != "aside"]
            last = running[-1] if running else {"state": "published", "number": data["number"] - 1}
            need((last["state"], last["number"] + 1) == ("published", data["number"]), "the turn before is not over")
            same = not turn or not turn["key"] or all(turn[key] == data[key] for key in ("key", "secret", "part"))
            same = same and (not turn or turn["state"] == "aside")
            need(same and (data["part"] or not self.keeper["elsewhere"]), "opened otherwise before, or no part")
            new = dict(words=set(), last={}, first=self.n, played=[], times=[], max=0, owed=1, signed=0, held=0, due=0)
            turn = {**new, "people": {}, **(self.turns.pop(name, None) or {}), "position": "", "awaited": []}
            people = self.held | {own: who for own, who in turn["people"].items() if who not in ("", "bot")}
            self.deadline(turn, data["due"], at)
            turn |= {**data, "state": "open", "ready": {}, "people": people, "free": self.hides, "counted": {}}
            self.turns[name], self.secrets[name], self.awaiting, turn["now"] = turn, data["secret"], name, self.n
        elif kind == "standing":
            need(data["turn"] == self.awaiting and private is self.hides, "not here")
            if not seat:
                need(turn.pop("same", "") in ("", [data["position"], data["awaited"]]), "another position than before")
                turn["position"], turn["awaited"], self.awaiting = data["position"], data["awaited"], private and name
        elif kind == "deadline":
            self.by_keeper(kind, data["keeper"], turn=name, due=data["due"]) or self.deadline(turn, data["due"], at)
        elif kind == "sent":
            sheet, before = (turn["turn"], seat, data["version"]), turn["last"].get(seat, 0)
            need(private or data["version"] == before + 1, "not the next version")
            listed = [(record["turn"], record["commitment"]) for record in data["records"]]
            need(sheet not in self.sent and listed[0][0] == turn["turn"], "sent twice")
            turn["last"][seat], self.sent[sheet] = max(data["version"], before), [own for _, own in listed]
            people = {self.held.get(seat, ""), turn["people"].get(seat, "")} - {"", "bot"}
            for name, own in listed:
                known = self.filed.get(own)
                need(own in self.pending and known[0] == name if known else turn["free"] or not private, "not its own")
                self.filed[own] = (name, *sheet, known[4] if known else self.n, self.bound.get(seat), people)
                self.pending.discard(own)
        elif kind == "commitments":
            listed = [record["commitment"] for record in data["records"]]
            need(listed == sorted(set(listed)) and not {*listed} & {*self.filed} and not self.shown, "not sorted")
            self.filed |= {r["commitment"]: (r["turn"], data["turn"], "", 0, self.n, "", 1) for r in data["records"]}
            self.pending, turn["free"] = self.pending | set(listed), False
        elif kind in ("withdrawn", "refused", "confirmed", "objected"):
            need(not turn.get("final") and (private or 0 < data["version"] <= turn["last"].get(seat, 0)), "no version")
            turn["words"].add((kind, seat, data["version"], self.by_seat(kind, turn, private, data)))
        elif kind == "ready":
            more, turn["times"] = data.get("again", 0) - turn["times"].count(seat), [*turn["times"], seat]
            need(self.by_seat(kind, turn, private, data) or more == 0 or (private and more > 0), "said once more")
            turn["ready"][seat] = data["version"], bool(data["signature"]) or not self.keeper["elsewhere"]
        elif kind == "not ready": need(turn["ready"].pop(seat, None), "it was not ready")
        elif kind == "closed":
            early, fits = data["why"] == "all ready", self.told["waits"] or data["why"] != "waited"
            need(data["due"] == turn["due"] and fits and (early or turn["owed"] <= data["due"] <= at), "too early")
            for name in turn["awaited"] if early else []:
                away = turn["people"].get(name, "") in ("", "bot")
                need(away or turn["ready"].get(name) == (turn["last"].get(name, 0), True), f"{name} was not ready")
                if away: self.words[f"{turn['turn']}: closed early, and no person held {name} when it opened"] = 1
            turn.update(state="closed", line=self.n, early=early, bound=(at, data["due"])[data["why"] == "deadline"])
        elif kind == "countersigned":
            fits = data["line"] == turn["line"] and data["head"] == self.hashes[data["line"]] and not turn["signed"]
            need(fits and (turn["early"] or data["at"] >= turn["due"]), "not so") or turn.update(signed=self.n)
            self.by_keeper("closing", data["signature"], turn=name, n=data["line"], head=data["head"], at=data["at"])
        elif kind == "opened":
            need(hashed("part", data["part"]) == turn["part"] and turn["signed"], "not countersigned, or another part")
            turn["state"], turn["shown"] = "opened", data["part"]
        elif kind == "transcribed": self.read.append((data["commitment"], name, turn.get("final")))
        elif kind == "counted":
            counted = {sheet["seat"]: (sheet["version"], sheet["commitment"]) for sheet in data["sheets"]}
            need((private, turn.get("final", 0)) == (self.hides, 0) and (private or [*counted] == self.seats), "not so")
            turn.update(state="opened", counted=turn["counted"] | counted)
        elif kind == "result": turn["whole"] = turn.get("whole", "") if seat else data["result"]
        elif kind == "results":
            fits = hashed("turn secret", data["secret"]) == turn["secret"] and turn["counted"]
            need(data["result"] == data["secret"] == "" if self.hides else fits, "not the turn's secret, or too much")
            result = turn.get("whole", "") if self.hides else data["result"]
            turn["played"].append((dict(turn["counted"]), result, data["secret"], turn["now"]))
            turn.update(state="published", published=self.n, final=not data["draft"])
        elif kind in ("aside", "taken back", "final"):
            need(kind == "aside" or not turn["final"], "it was final")
            turn.update(state={"taken back": "opened", "final": "published"}.get(kind, kind), final=kind == "final")
    def openings(self, listed):
        known, nonces = {}, {}
        for entry in listed:
            own, opened, filed = entry["commitment"], entry["opened"], self.filed.get(entry["commitment"])
            PLACE[0] = f"opening {own[:16]}"
            need(filed and sorted([*opened, *entry["closed"]]) == FIELDS and len(entry) == 3, "not a record of it")
            hashes = {name: hashed("field", {"name": name, **field}) for name, field in opened.items()}
            need(hashed("submission", {**hashes, **entry["closed"]}) == own, "it does not fit")
            fields = known[own] = {name: field["value"] for name, field in opened.items()}
            said = zip(["game", "turn", "given_in", "seat", "version"][: 5 if filed[2] else 3], [self.id, *filed])
            need(all(fields.get(key, value) == value for key, value in said), "the journal says otherwise")
            turn, text, received = self.turns[filed[1]], fields.get("text", ""), fields.get("received", 0)
            need(unicodedata.normalize("NFC", text) == text and not set("\r\0") & set(text), "not a clean text")
            need(received <= min(turn.get("bound", received), self.lines[filed[4] - 1]["at"]), "received too late")
            need(not self.erased.get(own, set()) & set(fields), "it was erased")
            if {"text", "nonce", "seat", "signature"} <= set(fields):
                said = {key: fields[key] for key in ("game", "turn", "given_in", "seat", "text", "nonce")}
                said["files"], by = [file["sent"] for file in fields.get("files", [])], fields["signature"] or NONE
                fits = signed(by["key"], by["signature"], "sheet", said) and fields.setdefault("files", []) is not None
                theirs = fields["entered_by"] == "holder" and by["key"] in self.keys_of(fields["seat"], turn, filed[4])
                need(by is NONE or (theirs and (fits or "files" not in fields)), "not signed by its key")
                if not fits and (filed[5] or (fields["entered_by"] == "holder" and not filed[6])):
                    self.words[f"{filed[1]}: version {filed[3]} of {filed[2]}, which its key did not sign"] = 1
            if fields.get("nonce") and filed[2]:
                need(nonces.setdefault((filed[2], fields["nonce"]), filed[1:4]) == filed[1:4], "a nonce used before")
        for own, name, final in self.read:
            first, PLACE[0] = known.get(self.sent.get(self.filed[own][1:4], [""])[0], {}), f"record {own[:16]}"
            fits = not first.get("text", "").strip() and (first.get("files", 1) or first["entered_by"] == "coordinator")
            need(fits and self.filed[own][0] == name and not final, "a text is written down as another, or late")
        for own, (name, given_in, *_) in self.filed.items():
            turn, PLACE[0] = self.turns.get(name), f"record {own[:16]}"
            later = [other for other in self.turns.values() if other["number"] > self.turns[given_in]["number"]]
            over = not turn and any(t["played"] and t["turn"].endswith((" Movement", " Placement")) for t in later)
            shut = {"note", *self.erased.get(own, ()), *(["channel", "received"] * self.told["anonymous"])}
            due = own not in self.gone and not (turn and turn["state"] == "aside") and (
                self.ended or (not self.hides and (over or (turn and turn["played"]))))
            need(not due or set(FIELDS) - shut <= set(known.get(own, {})), "not open, though due")
        return known
    def results(self, turn, counted, result, secret, opened):
        PLACE[0] = name = turn["turn"]
        own = {k: own for k, (own, *_) in self.sent.items() if k[0] == name and self.gone.get(own, opened) >= opened}
        for seat, (version, commitment) in counted.items():
            words = {word for word, *which in turn["words"] if which[:2] == [seat, version]}
            by = self.known.get(commitment, {}).get("entered_by")
            fits = commitment == own.get((name, seat, version), "") and not words & {"withdrawn", "refused"}
            need(fits and (by != "assigned" or "confirmed" in words), f"version {version} of {seat} cannot count")
        sheets = [self.known.get(each, {}) for each in own.values()]
        secret = secret or (self.ended and name in self.secrets and self.secret(name))
        if secret and result and all("nonce" in fields for fields in sheets):
            nonces = {fields["nonce"] for fields in sheets if fields["entered_by"] == "holder"} - {""}
            seed = hashed("lots", {"secret": secret, "part": turn["shown"], "nonces": sorted(nonces)}).encode()
            for lot in json.loads(result)["lots"]:
                drawn = sorted(lot["items"], key=lambda item: keyed(seed, f"{lot['label']}/{item}".encode()))
                need(drawn == lot["order"], f"the lot {lot['label']} has a different result")
    def receipt(self, text):
        PLACE[0], body = "receipt", text.partition("RECEIPT-----")[2].partition("-----END")[0]
        kept = parse(base64.b64decode("".join(body.replace(">", "").split()), validate=True) or text.strip().encode())
        what, without, get = kept["format"].split()[1], {"signature", "openings"}, kept.get
        said = {k: v for k, v in kept.items() if k not in without | (what == "head" and {"format", "office"} or set())}
        need(kept["office"] in self.offices and kept["game"] == self.id, "not of this game and its office")
        need(signed(kept["office"], kept["signature"], what, said), "it was changed: its signature does not fit")
        n, own, came = get("line", get("n", 0)), get("head") or get("hash"), get("received", get("at"))
        self.notes += [f"a receipt of line {n}, which this file lacks: get a newer one"] * (n >= len(self.hashes))
        if 0 < n < len(self.hashes) and not any(first <= n <= last and came < at for first, last, at in self.lost):
            need(self.hashes[n] == own, f"the office signed another line {n}: there are two journals")
            turn = self.turns.get(kept.get("turn"), {})
            own = ("seat turn", get("turn"), get("seat")) in self.once
            told = turn.get("line") and (own or not {*range(turn["first"], turn["line"])} & {*self.hidden})
            for each in kept.get("records", []):
                own = each["turn"], kept["turn"], kept["seat"], kept["version"]
                filed = self.filed.get(each["commitment"], ())[:4]
                need((kept.get("hidden") and not told) or filed in (own, (*own[:2], "", 0)), "the journal has another")
def main(arguments):
    values = {option: [b for a, b in pairwise(arguments) if a == option] for option in ("--key", "--receipt")}
    try:
        game = Game(*read(open(arguments[0], "rb").read()), values["--key"])
        for name in values["--receipt"]: game.receipt(open(name, encoding="utf-8").read())
    except (LookupError, TypeError, ValueError, AttributeError, OSError) as e:
        return ascii(f"This does not hold. {PLACE[0]}: {'not of its form: ' * (type(e) is not WrongError)}{e}")[1:-1]
    print(f"All that is checked here holds. The office's key is {game.offices[-1]}; nothing was judged again.")
    print(*(f"Look at this yourself, it is the office's word: {note!a}" for note in game.notes), sep="\n")
    print(*(f"ONLY THE OFFICE SAYS THIS, no key of a player's: {word!a}" for word in game.words), sep="\n", end="")
    return 3 if game.words else None
if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
