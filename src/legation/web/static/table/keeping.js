// Boards kept in this browser, with their undo and their tracing paper. Nothing of it is sent anywhere.

/**
 * @typedef {{id: string, title: string, changed: number, revision: number, document: any, done: any[], undone: any[], tracing: {picture: Blob, fit: any} | null, tag?: Record<string, string>, edition?: string, inland?: string[]}} Kept
 */

const STORE = "boards";

/** @returns {Promise<IDBDatabase>} */
const opened = () => new Promise((done, fail) => {
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
      const work = database.transaction(STORE, mode), asked = ask(work.objectStore(STORE));
      work.oncomplete = () => done(asked.result);
      work.onerror = work.onabort = () => fail(work.error || asked.error);
    });
  } finally {
    database.close();
  }
}

/** All boards, the last changed first. @returns {Promise<Kept[]>} */
export const boards = async () => (await ask("readonly", (store) => store.getAll())).sort((a, b) => b.changed - a.changed);

/** @param {string} id @returns {Promise<Kept | undefined>} */
export const board = (id) => ask("readonly", (store) => store.get(id));

/** @param {string} id */
export const forget = (id) => ask("readwrite", (store) => store.delete(id));

/** Keep a new board. @param {any} document @param {{tracing?: any}} [more] @returns {Promise<string>} its id */
export async function begin(document, { tracing = null } = {}) {
  const id = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random().toString(36).slice(2)}`;
  await ask("readwrite", (store) => store.put({ id, title: document.board.title, changed: Date.now(), revision: 0, document, done: [], undone: [], tracing }));
  return id;
}

/** Keeps one board while it is drawn. Event "state" with {text, wrong}. */
export class Keeper extends EventTarget {
  /** @param {Kept} kept @param {import("./history.js").History} history */
  constructor(kept, history) {
    super();
    this.kept = kept;
    this.history = history;
    this.later = 0;
    history.addEventListener("change", () => this.soon());
    addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") this.now(); });
    addEventListener("pagehide", () => this.now());
    navigator.storage?.persist?.();
  }

  soon() {
    this.due = true;
    clearTimeout(this.later);
    this.later = setTimeout(() => this.now(), 400);
  }

  /** Change what is kept beside the document. @param {Partial<Kept>} more */
  set(more) {
    Object.assign(this.kept, more);
    this.soon();
  }

  async now() {
    if (!this.due) return;
    this.due = false;
    clearTimeout(this.later);
    const { history, kept } = this;
    try {
      const there = await board(kept.id);
      if (there && there.revision > kept.revision) return this.tell("This board was changed in another tab. Reload to go on from there; what you draw here isn’t kept.", true);
      Object.assign(kept, { title: history.document.board.title, changed: Date.now(), revision: kept.revision + 1, document: history.document, done: history.done, undone: history.undone });
      await ask("readwrite", (store) => store.put(kept));
      this.tell("Saved in this browser");
    } catch (error) {
      this.tell(error?.name === "QuotaExceededError" ? `This browser’s storage is full (${await room()}). Download the board under Publish to keep it.` : "This browser doesn’t keep boards (private window?). Download the board under Publish to keep it.", true);
    }
  }

  tell(text, wrong = false) { this.dispatchEvent(new CustomEvent("state", { detail: { text, wrong } })); }
}

/** How much of the browser's storage is used, in words. */
export async function room() {
  const { usage = 0, quota = 0 } = await navigator.storage?.estimate?.() ?? {}, mb = (n) => `${(n / 1e6).toFixed(n < 1e7 ? 1 : 0)} MB`;
  return quota ? `${mb(usage)} of ${mb(quota)}` : "its size isn’t known";
}
