// What stays in the browser between visits: one IndexedDB for the page and for the worker that referees.
//
// The page keeps small entries by name (settings, progress, the list of games). A worker without a
// server keeps its games here too, each as an opaque text by its token: the plies, the clocks and the
// deal. The page proper never reads these texts; it only carries them into a file and back.
//
// A worker calls `keepGame` after every change of a game before it tells the page, `keptGames` when it
// starts, and `forgetGame` when a game is removed.

const NAME = "anqi";
const VERSION = 1;

/** The shelves: entries of the page, games of the worker. */
export type Shelf = "entries" | "games";
const SHELVES: Shelf[] = ["entries", "games"];

/** How long a browser may take to open its database before the page goes on without it. */
const PATIENCE_MS = 1500;

let opened: Promise<IDBDatabase | null> | null = null;

/** The database, null where the browser has none or forbids it. */
function database(): Promise<IDBDatabase | null> {
  opened ??= new Promise((resolve) => {
    setTimeout(() => resolve(null), PATIENCE_MS);
    try {
      const request = indexedDB.open(NAME, VERSION);
      request.onupgradeneeded = () => {
        for (const shelf of SHELVES) if (!request.result.objectStoreNames.contains(shelf)) request.result.createObjectStore(shelf);
      };
      request.onsuccess = () => {
        // Another tab with a newer version of the page must be able to change the shelves.
        request.result.onversionchange = () => request.result.close();
        resolve(request.result);
      };
      request.onerror = request.onblocked = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
  return opened;
}

/** Whether something was kept: `full` if there is no room, `forbidden` if the browser keeps nothing. */
export type Kept = "kept" | "full" | "forbidden";

async function change(shelf: Shelf, act: (store: IDBObjectStore) => void): Promise<Kept> {
  const base = await database();
  if (!base) return "forbidden";
  return new Promise((resolve) => {
    try {
      const work = base.transaction(shelf, "readwrite");
      work.oncomplete = () => resolve("kept");
      work.onerror = work.onabort = () => resolve(work.error?.name === "QuotaExceededError" ? "full" : "forbidden");
      act(work.objectStore(shelf));
    } catch {
      resolve("forbidden");
    }
  });
}

export const put = (shelf: Shelf, key: string, text: string): Promise<Kept> => change(shelf, (store) => store.put(text, key));
export const remove = (shelf: Shelf, key: string): Promise<Kept> => change(shelf, (store) => store.delete(key));

/** Everything on a shelf by its key; nothing where the browser keeps nothing. */
export async function all(shelf: Shelf): Promise<Map<string, string>> {
  const base = await database();
  if (!base) return new Map();
  return new Promise((resolve) => {
    const found = new Map<string, string>();
    try {
      const request = base.transaction(shelf).objectStore(shelf).openCursor();
      request.onerror = () => resolve(found);
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return resolve(found);
        found.set(String(cursor.key), String(cursor.value));
        cursor.continue();
      };
    } catch {
      resolve(found);
    }
  });
}

/** Keeps a worker's game by its token. */
export const keepGame = (token: string, text: string): Promise<Kept> => put("games", token, text);
/** The games of the worker's last life. */
export const keptGames = (): Promise<Map<string, string>> => all("games");
export const forgetGame = (token: string): Promise<Kept> => remove("games", token);
