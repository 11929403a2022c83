/**
 * The service worker: keeps the built files, so that the studio works without a network, and adds the headers of cross-origin isolation, for
 * hosts that send none. A build writes it as `service-worker.js`, preceded by the table of files (`scripts/service-worker.mjs`).
 *
 * Versions never mix. A version is kept only as a whole, and each file only if it has the hash that the table states. All files but the page
 * itself have names that change with their content. So pages of the previous version, which may still be open, find theirs in the cache of
 * that version, and every new page belongs to the newest version. A new version takes over as soon as all of it is kept.
 */

/** Digest of all files. */
declare const version: string;
/** Integrity of each file by its address relative to the page. `./` is the page. */
declare const files: Readonly<Record<string, string>>;

const worker = self as unknown as ServiceWorkerGlobalScope;
const { scope } = worker.registration;
const prefix = `dechirp studio ${scope} `;
const current = prefix + version;
const kept = new Set(Object.keys(files).map((file) => new URL(file, scope).href));
const isolation = { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" };

worker.addEventListener("install", (event) => {
  event.waitUntil(keepAll().then(() => worker.skipWaiting()));
});

/** Keeps every file of this version, or none. */
async function keepAll(): Promise<void> {
  const cache = await caches.open(current);
  try {
    await cache.addAll(
      Object.entries(files).map(
        ([file, integrity]) => new Request(new URL(file, scope), { integrity, cache: file === "./" ? "no-cache" : "default" }),
      ),
    );
  } catch (error) {
    await caches.delete(current);
    throw error;
  }
}

worker.addEventListener("activate", (event) => {
  event.waitUntil(removeOld().then(() => worker.clients.claim()));
});

/** Removes versions of which no page can be open. */
async function removeOld(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== current);
  const open = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const isInUse = open.some(({ url }) => url.startsWith(scope));
  await Promise.all((isInUse ? old.slice(0, -1) : old).map((name) => caches.delete(name)));
}

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  url.search = "";
  url.hash = "";
  const isPage = request.mode === "navigate" && (url.href === scope || url.href === `${scope}index.html`);
  if (request.method !== "GET" || !(isPage || kept.has(url.href) || url.href.startsWith(`${scope}assets/`))) return;
  event.respondWith(answer(request, isPage ? scope : url.href));
});

/** A file of the cache, else of the network. */
async function answer(request: Request, address: string): Promise<Response> {
  const newest = await (await caches.open(current)).match(address);
  return isolated(newest ?? (address === scope ? undefined : await caches.match(address)) ?? (await fetch(request)));
}

/** The response with the headers of isolation, where the host sent none. */
function isolated(response: Response): Response {
  // A redirection can't be copied.
  if (response.status === 0) return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(isolation)) if (!headers.has(name)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
