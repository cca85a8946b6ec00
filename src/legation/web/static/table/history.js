// Undo and redo without end: of each change only what differs is kept.

/**
 * @typedef {any} Document  a board and its variant as JSON; never changed in place
 * @typedef {{path: string[], at?: number, was: any, is: any}} Difference  with `at`: entries of a list from there on; undefined: not there
 * @typedef {{what: string, change: Difference[], group?: string}} Step
 */

const plain = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** What turns one document into another. @param {any} a @param {any} b @param {string[]} [path] @returns {Difference[]} */
export function differences(a, b, path = []) {
  if (a === b || JSON.stringify(a) === JSON.stringify(b)) return [];
  if (plain(a) && plain(b))
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((key) =>
      differences(a[key], b[key], [...path, key]),
    );
  if (!Array.isArray(a) || !Array.isArray(b)) return [{ path, was: a, is: b }];
  const same = (i, j) => a[i] === b[j] || JSON.stringify(a[i]) === JSON.stringify(b[j]);
  const most = Math.min(a.length, b.length);
  let start = 0;
  let ends = 0;
  while (start < most && same(start, start)) start++;
  while (ends < most - start && same(a.length - 1 - ends, b.length - 1 - ends)) ends++;
  return [{ path, at: start, was: a.slice(start, a.length - ends), is: b.slice(start, b.length - ends) }];
}

/** A document with changes made, or taken back. @param {Document} document @param {Difference[]} change @param {boolean} [back] */
export function changed(document, change, back = false) {
  for (const { path, at, was, is } of back ? [...change].reverse() : change) {
    const [from, to] = back ? [is, was] : [was, is];
    document = put(document, path, (there) => (at === undefined ? to : there.toSpliced(at, from.length, ...to)));
  }
  return document;
}

/** A copy with one value made anew; `undefined` takes it out. @param {any} value @param {(string | number)[]} path @param {(there: any) => any} make */
export function put(value, path, make) {
  if (!path.length) return make(value);
  const [first, ...rest] = path;
  const made = put(value?.[first], rest, make);
  if (Array.isArray(value)) return value.with(Number(first), made);
  const { [first]: _, ...others } = value ?? {};
  return made === undefined ? others : { ...value, [first]: made };
}

/** The document as it is, and every step that led there. Event "change" with {what}: a person's change, or "" for what follows from one. */
export class History extends EventTarget {
  /** @param {Document} document @param {Step[]} [done] @param {Step[]} [undone] */
  constructor(document, done = [], undone = []) {
    super();
    this.document = document;
    this.done = done;
    this.undone = undone;
  }

  /**
   * Make a change. Changes of one `group` that follow each other are one step.
   * @param {string} what in words, for the reader @param {Document} document @param {string} [group]
   */
  change(what, document, group) {
    const last = this.done.at(-1);
    const goesOn = group && last?.group === group && !this.undone.length;
    const before = goesOn ? changed(this.document, last.change, true) : this.document;
    const change = differences(before, document);
    if (goesOn) this.done.pop();
    if (!change.length && !goesOn) return;
    this.undone = [];
    if (change.length) this.done.push({ what, change, ...(group && { group }) });
    this.go(document, what);
  }

  /** Add what follows from the last change to it, so that both are undone at once. @param {Document} document */
  amend(document) {
    const last = this.done.at(-1);
    if (last && !this.undone.length) last.change = differences(changed(this.document, last.change, true), document);
    this.go(document, "");
  }

  undo() {
    const step = this.done.pop();
    if (!step) return;
    this.undone.push(step);
    this.go(changed(this.document, step.change, true), `Undone: ${step.what}`);
  }

  redo() {
    const step = this.undone.pop();
    if (!step) return;
    this.done.push(step);
    this.go(changed(this.document, step.change), `Redone: ${step.what}`);
  }

  go(document, what) {
    this.document = document;
    this.dispatchEvent(new CustomEvent("change", { detail: { what } }));
  }
}
