/**
 * Registers the service worker (`service-worker.ts`), under which the page works without a network and is cross-origin isolated, which lets
 * it share memory among workers. The first visit neither waits for it nor loads again by itself; later ones begin under it.
 */

/** Whether this page may have a service worker. Pages inside others leave that to the outer page, whose headers decide. */
const mayRegister = (): boolean => __IS_BUILT__ && isSecureContext && "serviceWorker" in navigator && window.top === window;

const register = (): Promise<ServiceWorkerRegistration> =>
  navigator.serviceWorker.register(new URL("service-worker.js", document.baseURI), { updateViaCache: "none" });

/** A server on this machine that sends the headers itself needs no service worker: its files are here, and its port may change. */
const needsNone = (): boolean => crossOriginIsolated && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname);

/**
 * Registers the service worker, and asks the host for a newer version of a registered one. The browser itself asks only when the page has
 * requested nothing for a while, which a page at work may never reach.
 */
async function registerNewest(): Promise<void> {
  const registration = await register();
  if (registration.active) await registration.update();
}

/** Registers the service worker when the page has loaded and is idle. */
export function keepForLater(): void {
  if (!mayRegister() || needsNone()) return;
  // A browser may refuse, such as in a private window or without a network. The studio then works as it is.
  const start = (): void => void registerNewest().catch(() => undefined);
  const whenIdle = (): unknown =>
    typeof requestIdleCallback === "function" ? requestIdleCallback(start, { timeout: 10_000 }) : setTimeout(start, 3000);
  if (document.readyState === "complete") whenIdle();
  else addEventListener("load", whenIdle, { once: true });
}

/** Whether loading the page again under the service worker would isolate it. Not if it was loaded so already: then this browser does not. */
export function canIsolate(): boolean {
  const [loaded] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return mayRegister() && !crossOriginIsolated && !(loaded && loaded.workerStart > 0);
}

/** Loads the page again under the service worker, at the same address. Rejects with one sentence if the browser does not start it. */
export async function isolate(): Promise<void> {
  try {
    await activeWorker(await register());
  } catch (error) {
    throw new Error("The service worker, which would let this page use all cores, could not be started; one core is used.", {
      cause: error,
    });
  }
  location.reload();
}

function activeWorker({ active, waiting, installing }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting;
  if (active || !worker) return Promise.resolve();
  return new Promise((resolve, reject) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") resolve();
      if (worker.state === "redundant") reject(new Error("its files could not be kept"));
    });
  });
}
