// What the checker of types cannot know: elements of our own templates are of the kind that a script takes them for,
// and pages lend a few things to tests and to each other.

interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}
interface Element {
  closest(selectors: string): any;
}
interface Document {
  getElementById(id: string): any;
}
interface HTMLCollection {
  [index: number]: any;
  item(index: number): any;
}
interface EventTarget {
  // Events of ours carry their facts in `detail`, those of hands and keys come from elements.
  addEventListener(name: string, act: (event: any) => unknown, options?: boolean | AddEventListenerOptions): void;
}
interface Window {
  addEventListener(name: string, act: (event: any) => unknown, options?: boolean | AddEventListenerOptions): void;
  legation: any;
}
interface Document {
  addEventListener(name: string, act: (event: any) => unknown, options?: boolean | AddEventListenerOptions): void;
  activeElement: any;
}
declare function addEventListener(name: string, act: (event: any) => unknown, options?: boolean | AddEventListenerOptions): void;
