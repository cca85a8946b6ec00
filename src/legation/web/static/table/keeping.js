// Boards kept in this browser, with their undo and their tracing paper. Nothing of it is sent anywhere.

/**
 * @typedef {{id: string, title: string, changed: number, revision: number, document: any, done: any[], undone: any[], tracing: {picture: Blob, fit: any} | null, tag?: Record<string, string>, edition?: string, inland?: string[]}} Kept
 */

import { put } from "./history.js";

const STORE = "boards";

/** @returns {Promise<IDBDatabase>} */
const opened = () =>
  new Promise((done, fail) => {
    const asked = indexedDB.open("legation-boards", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "id" });
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => fail(asked.error);
  });

/** @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest} ask @returns {Promise<any>} */
async function ask(mode, ask) {
  const database = await opened();
  try {
    return await new Promise((done, fail) => {
      const work = database.transaction(STORE, mode);
      const asked = ask(work.objectStore(STORE));
      work.oncomplete = () => done(asked.result);
      work.onerror = work.onabort = () => fail(work.error || asked.error);
    });
  } finally {
    database.close();
  }
}

/** All boards, the last changed first. @returns {Promise<Kept[]>} */
export const boards = async () =>
  (await ask("readonly", (store) => store.getAll())).sort((a, b) => b.changed - a.changed);

/** @param {string} id @returns {Promise<Kept | undefined>} */
export const board = (id) => ask("readonly", (store) => store.get(id));

/** @param {string} id */
export const forget = (id) => ask("readwrite", (store) => store.delete(id));

const freshId = () => crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`;

/** Keep a new board. @param {any} document @param {{tracing?: any}} [more] @returns {Promise<string>} its id */
export async function begin(document, { tracing = null } = {}) {
  const id = freshId();
  await ask("readwrite", (store) =>
    store.put({
      id,
      title: document.board.title,
      changed: Date.now(),
      revision: 0,
      document,
      done: [],
      undone: [],
      tracing,
    }),
  );
  return id;
}

/** Keep a board, unless another tab has kept a later state of it. @param {Kept} kept @param {number} revision that was read here last @returns {Promise<boolean>} whether it was kept */
const keepAfter = async (kept, revision) => {
  const database = await opened();
  try {
    return await new Promise((done, fail) => {
      const work = database.transaction(STORE, "readwrite");
      const store = work.objectStore(STORE);
      const there = store.get(kept.id);
      let crossed = false;
      there.onsuccess = () => {
        (crossed = there.result?.revision > revision) || store.put(kept);
      };
      work.oncomplete = () => done(!crossed);
      work.onerror = work.onabort = () => fail(work.error);
    });
  } finally {
    database.close();
  }
};

/** The time of day of today, or a date. @param {number} time */
export const when = (time) => {
  const then = new Date(time);
  return then.toDateString() === new Date().toDateString()
    ? then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    : then.toLocaleDateString();
};

/** @param {number} time of the last saving */
export const savedAt = (time) => `Saved in this browser, ${when(time)}`;

/**
 * Keeps one board while it is drawn. Events: "state" with {text, wrong}; "passed" when another tab has kept a later state of it;
 * "copied" with {title} when both have drawn, so that this tab's board is a copy from now on.
 */
export class Keeper extends EventTarget {
  /** @param {Kept} kept @param {import("./history.js").History} history */
  constructor(kept, history) {
    super();
    this.kept = kept;
    this.history = history;
    this.later = 0;
    this.due = false;
    /** @type {Promise<void>} the last saving */
    this.saving = Promise.resolve();
    history.addEventListener("change", (event) => {
      if (/** @type {CustomEvent} */ (event).detail.what) this.soon();
    });
    addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.now();
    });
    addEventListener("pagehide", () => this.now());
    this.tabs = new BroadcastChannel("legation-boards");
    this.tabs.addEventListener("message", ({ data }) => {
      if (data.id === this.kept.id && data.revision > this.kept.revision && !this.due)
        this.dispatchEvent(new Event("passed"));
    });
    navigator.storage?.persist?.();
  }

  /** Save within a moment, however fast changes follow each other. */
  soon() {
    if (!this.due) this.later = setTimeout(() => this.now(), 400);
    this.due = true;
  }

  /** Change what is kept beside the document. @param {Partial<Kept>} more */
  set(more) {
    Object.assign(this.kept, more);
    this.soon();
  }

  /**
   * Change what follows from the document by itself. It is kept with the next change that somebody makes: a tab that only looks
   * at a board saves nothing, so it crosses no other. @param {Partial<Kept>} more
   */
  follow(more) {
    Object.assign(this.kept, more);
  }

  /** Save what is not yet. @returns {Promise<void>} when it is saved */
  now() {
    if (!this.due) return this.saving;
    this.due = false;
    clearTimeout(this.later);
    return (this.saving = this.saving.then(() => this.save()));
  }

  async save() {
    const { kept } = this;
    try {
      if (!(await this.keep())) {
        kept.id = freshId();
        kept.revision = 0;
        const title = this.asCopy();
        await this.keep();
        this.dispatchEvent(new CustomEvent("copied", { detail: { title } }));
      }
      this.tabs.postMessage({ id: kept.id, revision: kept.revision });
      this.tell(savedAt(kept.changed));
    } catch (error) {
      this.tell(
        error?.name === "QuotaExceededError"
          ? `This browser’s storage is full (${await room()}). Download the board under Publish to keep it.`
          : "This browser doesn’t keep boards (private window?). Download the board under Publish to keep it.",
        true,
      );
    }
  }

  /** @returns {Promise<boolean>} */
  async keep() {
    const {
      kept,
      history: { document, done, undone },
    } = this;
    const now = {
      title: document.board.title,
      changed: Date.now(),
      revision: kept.revision + 1,
      document,
      done,
      undone,
    };
    const fresh = await keepAfter({ ...kept, ...now }, kept.revision);
    if (fresh) Object.assign(kept, now);
    return fresh;
  }

  /** Name the board of this tab for the copy that it is. @returns {string} its title */
  asCopy() {
    const { history } = this;
    const title = `${history.document.board.title} (copy)`;
    history.go(
      put(history.document, ["board", "title"], () => title),
      "",
    );
    return title;
  }

  tell(text, wrong = false) {
    this.dispatchEvent(new CustomEvent("state", { detail: { text, wrong } }));
  }
}

/** How much of the browser's storage is used, in words. */
export async function room() {
  const { usage = 0, quota = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  const mb = (n) => `${(n / 1e6).toFixed(n < 1e7 ? 1 : 0)} MB`;
  return quota ? `${mb(usage)} of ${mb(quota)}` : "its size isn’t known";
}
