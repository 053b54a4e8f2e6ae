// What the browser remembers. A browser that remembers nothing works too.
//
// `localStorage` answers at once and is read first; IndexedDB has the same for longer, and brings back
// what the browser has dropped from the other. What neither keeps lives as long as the page.

import { entries, putEntry, type Kept } from "../net/keep";

const PREFIX = "anqi.";

/** What IndexedDB holds, and what was saved since. */
const known = new Map<string, string>();

/** Told once when something could not be kept. */
let onTrouble: (trouble: Exclude<Kept, "kept">) => void = () => {};
let told = false;

export function watchTrouble(listener: typeof onTrouble): void {
  onTrouble = listener;
}

/** How long the page waits for what IndexedDB has, where nothing else is at hand. */
const PATIENCE_MS = 250;

/** Whether `localStorage` has something of ours. */
export function hasAtOnce(): boolean {
  try {
    return Object.keys(localStorage).some((name) => name.startsWith(PREFIX));
  } catch {
    return false;
  }
}

/** Reads what was kept on earlier visits, and carries over what `localStorage` alone has. */
export function openSaved(): Promise<void> {
  return Promise.race([carryOver(), new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS))]);
}

async function carryOver(): Promise<void> {
  for (const [key, text] of await entries()) if (!known.has(key)) known.set(key, text);
  try {
    for (const name of Object.keys(localStorage)) {
      const text = localStorage.getItem(name);
      if (!name.startsWith(PREFIX) || text === null) continue;
      const key = name.slice(PREFIX.length);
      if (known.get(key) !== text) void putEntry(key, text);
      known.set(key, text);
    }
  } catch {
    // It is forbidden: what IndexedDB has remains.
  }
}

function stored(key: string): string | null {
  try {
    const text = localStorage.getItem(PREFIX + key);
    if (text !== null) return text;
  } catch {
    // It is forbidden.
  }
  return known.get(key) ?? null;
}

export function load<T>(key: string, fallback: T): T {
  const text = stored(key);
  if (text === null) return fallback;
  try {
    return JSON.parse(text) as T;
  } catch {
    return fallback;
  }
}

export function save(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  known.set(key, text);
  const atOnce = saveAtOnce(key, text);
  void putEntry(key, text).then((kept) => {
    if (kept === "kept" || atOnce === "kept" || told) return;
    told = true;
    onTrouble(kept === "full" || atOnce === "full" ? "full" : "forbidden");
  });
}

function saveAtOnce(key: string, text: string): Kept {
  try {
    localStorage.setItem(PREFIX + key, text);
    return "kept";
  } catch (error) {
    try {
      // An old value must not hide the new one that IndexedDB has.
      localStorage.removeItem(PREFIX + key);
    } catch {
      // It is forbidden.
    }
    return error instanceof DOMException && error.name === "QuotaExceededError" ? "full" : "forbidden";
  }
}

/** Everything that is remembered, by its key. */
export function allSaved(): Record<string, string> {
  const keys = new Set(known.keys());
  return Object.fromEntries([...keys].flatMap((key) => {
    const text = stored(key);
    return text === null ? [] : [[key, text]];
  }));
}
