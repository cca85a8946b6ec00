// News of a game, while its page is seen.

/** @param {string} game @param {() => string} seen the last line of its journal that was heard of @param {() => void} told is called when there is more */
export function follow(game, seen, told) {
  /** @type {EventSource | null} */
  let stream = null;
  const listen = () => {
    if (document.hidden) {
      stream?.close();
      stream = null;
    } else if (!stream) {
      stream = new EventSource(`/games/${game}/live?after=${seen()}`);
      stream.addEventListener("news", told);
    }
  };
  listen();
  document.addEventListener("visibilitychange", listen);
}
