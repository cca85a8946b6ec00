// Registers the service worker, where the browser has any. Without a network a form stays on its page, with what is
// written in it, and says why; those that scripts send say so themselves.

if ("serviceWorker" in navigator && isSecureContext)
  addEventListener("load", () => navigator.serviceWorker.register("/service-worker.js").catch(() => {}));

addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  form.querySelector(".unsent")?.remove();
  if (navigator.onLine || event.defaultPrevented) return;
  event.preventDefault();
  const said = Object.assign(document.createElement("p"), { className: "unsent wrong-text", role: "alert" });
  said.textContent = "You’re offline. Try again in a moment.";
  form.append(said);
});
