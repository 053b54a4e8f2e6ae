// The service worker of the static page: every file of this version is kept, and used from there.
//
// The build writes the list of files with the hashes of their contents into the two places below. A
// version is taken whole or not at all: a file that does not arrive as the build made it ends the
// installation, and the older version serves on. A new one waits until somebody asks for it.

const VERSION = "__VERSION__";
/** [path, hash, whether it may come later] */
const FILES = __FILES__;

const PREFIX = "anqi-";
const CACHE = PREFIX + VERSION;
const ROOT = new URL("./", self.location.href).href;
const address = (path) => new URL(path, ROOT).href;
const HASHES = new Map(FILES.map(([path, hash]) => [address(path), hash]));
/** The page of the folder itself. */
const PAGE = address("index.html");

async function hashOf(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Fetches a file and keeps it, if it is the one of this version. */
async function take(cache, url) {
  const response = await fetch(new Request(url, { cache: "no-cache" }));
  const bytes = await response.clone().arrayBuffer();
  if (!response.ok || (await hashOf(bytes)) !== HASHES.get(url)) throw new Error(`${url} is not the file of this version`);
  // A redirected answer may not be used for a navigation.
  await cache.put(url, new Response(bytes, { headers: response.headers }));
}

/** A file that an older version has already, unchanged. */
async function inherited(cache, url) {
  for (const name of await caches.keys()) {
    if (!name.startsWith(PREFIX) || name === CACHE) continue;
    const known = await (await caches.open(name)).match(url);
    if (!known) continue;
    const bytes = await known.clone().arrayBuffer();
    if ((await hashOf(bytes)) !== HASHES.get(url)) continue;
    await cache.put(url, known);
    return true;
  }
  return false;
}

async function takeAll(files) {
  const cache = await caches.open(CACHE);
  await Promise.all(
    files.map(async ([path]) => {
      const url = address(path);
      if ((await cache.match(url)) || (await inherited(cache, url))) return;
      await take(cache, url);
    }),
  );
}

self.addEventListener("install", (event) => event.waitUntil(takeAll(FILES.filter(([, , later]) => !later))));

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    // Another window may still show an older version and ask for its files.
    const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    if (windows.length <= 1) {
      const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
      await Promise.all(old.map((name) => caches.delete(name)));
    }
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

self.addEventListener("message", (event) => {
  if (event.data?.type === "use") void self.skipWaiting();
  // Large files come in the background; one that fails is fetched again when it is needed.
  if (event.data?.type === "rest") event.waitUntil(takeAll(FILES.filter(([, , later]) => later)).catch(() => {}));
});

/** A file of any version that is kept, this one first. */
async function kept(url) {
  const cache = await caches.open(CACHE);
  const known = await cache.match(url);
  if (known) return known;
  for (const name of await caches.keys()) {
    const older = name.startsWith(PREFIX) ? await (await caches.open(name)).match(url) : undefined;
    if (older) return older;
  }
  return undefined;
}

async function answer(request) {
  const url = new URL(request.url);
  url.search = "";
  url.hash = "";
  const wanted = url.href === ROOT ? PAGE : url.href;
  const known = await kept(wanted);
  if (known) return known;
  if (HASHES.has(wanted)) {
    const cache = await caches.open(CACHE);
    await take(cache, wanted);
    return (await cache.match(wanted)) ?? fetch(request);
  }
  return fetch(request);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(ROOT)) return;
  event.respondWith(answer(request).catch(() => fetch(request)));
});
