// Registers the service worker, where the browser has any.

if ("serviceWorker" in navigator && isSecureContext)
  addEventListener("load", () => navigator.serviceWorker.register("/service-worker.js").catch(() => {}));
