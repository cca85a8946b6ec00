// Keeps the shell of the pages for when there is no network: scripts, letters and styles, which are the same for
// everybody, and the page that says so. Games, sheets and letters are never kept. Shows notifications, where they were
// asked for.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const SHELL = "shell";
const release = (address) => new URL(address).pathname.split("/")[2];

async function asset(request) {
  const cache = await caches.open(SHELL);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    for (const old of await cache.keys())
      if (new URL(old.url).pathname.startsWith("/assets/") && release(old.url) !== release(request.url))
        await cache.delete(old);
    await cache.put(request, answer.clone());
  }
  return answer;
}

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.add("/offline")));
  worker.skipWaiting();
});
worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/assets/")) event.respondWith(asset(request));
  else if (request.mode === "navigate")
    event.respondWith(fetch(request).catch(async () => (await caches.match("/offline")) ?? Response.error()));
});

// A notification: what happened in which game, and the page to open. See legation.push.

worker.addEventListener("push", (event) => {
  let told = {};
  try {
    told = event.data?.json() ?? {};
  } catch {
    /* none of ours */
  }
  const { title = "Legation", body = "", url = "/games", tag = "legation" } = told;
  event.waitUntil(worker.registration.showNotification(title, { body, tag, data: { url }, icon: "/icons/192.png" }));
});
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = new URL(event.notification.data?.url ?? "/games", location.origin);
  if (url.origin !== location.origin) return;
  event.waitUntil(
    (async () => {
      const open = await worker.clients.matchAll({ type: "window" });
      const there = open.find((client) => new URL(client.url).pathname === url.pathname);
      return there ? there.focus() : worker.clients.openWindow(url.href);
    })(),
  );
});
