// What the page asks of the server. Every failure is a CallError with a sentence for the reader.

/** What was asked cannot be had: `status` 0 where the server was not reached. */
export class CallError extends Error {
  /** @param {string} message @param {number} [status] @param {any} [answer] */
  constructor(message, status = 0, answer = {}) {
    super(message);
    this.status = status;
    this.answer = answer;
  }
}

/** @param {string} address @param {any} [body] sent as JSON; without one it is a GET @returns {Promise<any>} @throws {CallError} */
export async function call(address, body) {
  let answer;
  try {
    answer = await fetch(
      address,
      body === undefined
        ? { headers: { accept: "application/json" } }
        : {
            method: "POST",
            body: JSON.stringify(body),
            headers: { "content-type": "application/json", accept: "application/json" },
          },
    );
  } catch {
    throw new CallError("The server can’t be reached. Your board is kept in this browser; you can go on drawing.");
  }
  const text = await answer.text();
  let told = {};
  try {
    told = JSON.parse(text);
  } catch {
    told = { error: answer.ok ? "The server’s answer can’t be read." : `The server answers ${answer.status}.` };
  }
  if (!answer.ok || told.error)
    throw new CallError([told.error || told.detail, told.mend].filter(Boolean).join(" "), answer.status, told);
  return told;
}

/** Text files of the folder that the server has already are named by their digest, and sent whole only when it asks. */
export class Grower extends EventTarget {
  /** @param {import("./history.js").History} history */
  constructor(history) {
    super();
    this.history = history;
    this.number = 0;
    this.taken = 0;
    this.asked = { coarse: false, full: false };
    this.kept = {};
    this.shown = "";
    this.language = "";
    /** @type {any} the last answer */
    this.grown = null;
    this.error = "";
    /** @type {Map<string, any>} the last whole answers, so that undo shows them at once */
    this.known = new Map();
    history.addEventListener("change", () => this.ask());
  }

  /** Grow the board as it is now: coarse at once, whole when nothing changes for a moment. */
  ask(wait = 500) {
    const number = ++this.number;
    const { document } = this.history;
    const key = JSON.stringify([
      document.board,
      document.borders,
      document.variant,
      document.editions,
      this.shown,
      this.language,
      document.notes,
    ]);
    clearTimeout(this.later);
    const known = this.known.get(key);
    if (known) {
      this.taken = number;
      return this.take(known, document);
    }
    const drawn = JSON.stringify(PARTS.map((part) => document.board[part]));
    if (drawn !== this.drawn || !this.grown) this.send("coarse", number, document, key, drawn);
    this.later = setTimeout(() => this.send("full", number, document, key, drawn), wait);
    this.tell("waiting");
  }

  /** Have one growth of each kind under way at most: a server that is busy is not asked for what nobody waits for. */
  async send(stage, number, document, key, drawn) {
    if (this.asked[stage]) return;
    this.asked[stage] = true;
    try {
      const answer = await this.post(stage, number, document);
      if (stage === "full") {
        this.known.set(key, answer);
        for (const oldest of this.known.keys()) if (this.known.size > 6) this.known.delete(oldest);
      }
      if (number < this.taken || (number === this.taken && stage === "coarse")) return;
      this.taken = number;
      this.drawn = drawn;
      this.take(answer, document);
    } catch (error) {
      if (number !== this.number) return;
      if (error.status === 503 || error.status === 429) {
        if (stage === "full") this.later = setTimeout(() => this.ask(0), error.status === 503 ? 1200 : 5000);
        this.tell("busy");
      } else this.tell("failed", error.message);
    } finally {
      this.asked[stage] = false;
      if (number !== this.number) this.ask();
    }
  }

  async post(stage, number, document) {
    const names = Object.keys(document.files || {}).filter((name) => this.kept[name]?.text === document.files[name]);
    const files = Object.fromEntries(Object.entries(document.files || {}).filter(([name]) => !names.includes(name)));
    const kept = Object.fromEntries(names.map((name) => [name, this.kept[name].digest]));
    try {
      const answer = await call("/table/grow", {
        document: { ...document, files, shown: this.shown, language: this.language },
        kept,
        stage,
        number,
      });
      for (const [name, digest] of Object.entries(answer.kept || {}))
        if (document.files?.[name]) this.kept[name] = { digest, text: document.files[name] };
      return answer;
    } catch (error) {
      if (error.status !== 409) throw error;
      this.kept = {};
      return call("/table/grow", {
        document: { ...document, shown: this.shown, language: this.language },
        stage,
        number,
      });
    }
  }

  take(answer, document) {
    this.grown = answer;
    this.tell(document === this.history.document ? "grown" : "waiting", "", document);
  }

  tell(state, error = "", document = this.history.document) {
    this.state = state;
    this.dispatchEvent(new CustomEvent("state", { detail: { state, error, document } }));
  }
}

const PARTS = [
  "projection",
  "frame",
  "grow",
  "land",
  "sea",
  "links",
  "void",
  "carve",
  "seas_of_coasts",
  "borders",
  "touching",
  "lines",
  "insets",
];
