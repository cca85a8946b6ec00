// Keeps the shell of the pages for when there is no network: scripts, letters and styles, which are the same for
// everybody, and the page that says so. Games, sheets and letters are never kept.

const SHELL = "shell";
const release = (address) => new URL(address).pathname.split("/")[2];

async function asset(request) {
  const cache = await caches.open(SHELL), kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    for (const old of await cache.keys()) if (new URL(old.url).pathname.startsWith("/assets/") && release(old.url) !== release(request.url)) await cache.delete(old);
    await cache.put(request, answer.clone());
  }
  return answer;
}

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.add("/offline")));
  self.skipWaiting();
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const { request } = event, url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith("/assets/")) event.respondWith(asset(request));
  else if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match("/offline")));
});
