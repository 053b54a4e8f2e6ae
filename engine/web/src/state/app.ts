// The page as an app: offline by a service worker, new versions, installing.
//
// Only static files have a service worker; the build names it in a `meta` element. Plain http has none.

import { Store } from "./store";

/** What a browser offers before a page is installed. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

export const app = new Store<{
  /** Whether a new version waits, and whether that was put off. */
  update: "none" | "ready" | "later";
  /** Whether the page works without a network: null where it does not apply. */
  offline: boolean | null;
  canInstall: boolean;
  /** Whether the browser has promised to keep what is stored. */
  kept: boolean | null;
}>({ update: "none", offline: null, canInstall: false, kept: null });

let waiting: ServiceWorker | null = null;
let asked = false;
let offer: InstallPrompt | null = null;

/** When large files are fetched for offline use. */
const REST_MS = 10_000;

/** How often a page that stays open looks for a new version. */
const LOOK_MS = 60 * 60 * 1000;

function offerUpdate(worker: ServiceWorker): void {
  waiting = worker;
  app.set({ update: "ready" });
}

/** Hears of a worker that is installed while an older one still serves this page. */
function watchUpdate(registration: ServiceWorkerRegistration): void {
  if (registration.waiting && navigator.serviceWorker.controller) offerUpdate(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing;
    worker?.addEventListener("statechange", () => {
      if (worker.state === "installed" && navigator.serviceWorker.controller) offerUpdate(worker);
      if (worker.state === "activated") app.set({ offline: true });
    });
  });
}

/** Begins to work offline, where that is possible. */
export async function watchApp(): Promise<void> {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer = event as InstallPrompt;
    app.set({ canInstall: true });
  });
  addEventListener("appinstalled", () => app.set({ canInstall: false }));
  void navigator.storage?.persisted?.().then((kept) => app.set({ kept }), () => {});
  const name = document.querySelector<HTMLMetaElement>("meta[name='anqi-offline']")?.content;
  if (!name) return;
  if (!("serviceWorker" in navigator)) return app.set({ offline: false });
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    // The window that asked for the new version loads it; others go on with what they have.
    if (asked) location.reload();
  });
  try {
    const registration = await navigator.serviceWorker.register(name);
    app.set({ offline: registration.active !== null });
    watchUpdate(registration);
    // What is large comes when the page has long been at work.
    setTimeout(() => void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage({ type: "rest" })), REST_MS);
    setInterval(() => void registration.update().catch(() => {}), LOOK_MS);
  } catch {
    // The page plays all the same.
    app.set({ offline: false });
  }
}

/** Loads the new version. */
export function useUpdate(): void {
  asked = true;
  waiting?.postMessage({ type: "use" });
}

export async function install(): Promise<void> {
  await offer?.prompt();
  offer = null;
  app.set({ canInstall: false });
}

/** Asks the browser to keep what is stored until it is deleted by hand. */
export async function keepForGood(): Promise<void> {
  app.set({ kept: (await navigator.storage?.persist?.().catch(() => false)) ?? false });
}
