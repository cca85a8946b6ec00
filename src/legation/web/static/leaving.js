// Signing out takes out of this browser what is the person's: drafts, notes, copies of what was sent and the keys to
// read it. What the browser itself is set to stays; so do boards that were drawn here, which need no account, and the
// keys of seats, whose private half nobody reads: a seat signs with another only by the office's word. On a shared
// computer they can go, too.

const SETTINGS = ["office key", "bell", "panel", "zoom buttons"];

for (const form of document.querySelectorAll("form[data-leaves]"))
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    for (const name of Object.keys(localStorage)) if (!SETTINGS.includes(name)) localStorage.removeItem(name);
    sessionStorage.clear();
    if (form.dataset.leaves === "keys")
      await new Promise((done) => {
        const asked = indexedDB.deleteDatabase("legation");
        asked.onsuccess = asked.onerror = asked.onblocked = done;
      });
    form.submit();
  });
