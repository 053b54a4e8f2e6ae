// What stays in the browser between visits, in two IndexedDB databases.
//
// `anqi-page` has the page's entries by name: settings, progress, the list of games. `anqi` belongs to the
// worker that referees without a server: a row `{ id, at, text }` in the store `games` for each game, with its
// deal in the text. The page proper never reads these texts; it only carries them into a file and back.

/** A game as the worker keeps it. */
export interface KeptGame {
  id: string;
  /** When it was kept, in milliseconds since 1970. */
  at: number;
  text: string;
}

interface Place {
  database: string;
  store: string;
  /** The key within a row, where rows have one. */
  key: string | null;
}

const ENTRIES: Place = { database: "anqi-page", store: "entries", key: null };
const GAMES: Place = { database: "anqi", store: "games", key: "id" };

const VERSION = 1;

/** How long a browser may take to open a database before the page goes on without it. */
const PATIENCE_MS = 1500;

const opened = new Map<string, Promise<IDBDatabase | null>>();

/** The database of a place, null where the browser has none or forbids it. */
function database(place: Place): Promise<IDBDatabase | null> {
  const known = opened.get(place.database) ?? openAnew(place);
  opened.set(place.database, known);
  return known;
}

function openAnew({ database, store, key }: Place): Promise<IDBDatabase | null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), PATIENCE_MS);
    try {
      const request = indexedDB.open(database, VERSION);
      request.onupgradeneeded = () => request.result.createObjectStore(store, key === null ? {} : { keyPath: key });
      request.onsuccess = () => {
        // Another tab with a newer version of the page must be able to change the stores.
        request.result.onversionchange = () => request.result.close();
        resolve(request.result);
      };
      request.onerror = request.onblocked = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
}

/** Whether something was kept: `full` if there is no room, `forbidden` if the browser keeps nothing. */
export type Kept = "kept" | "full" | "forbidden";

async function change(place: Place, act: (store: IDBObjectStore) => void): Promise<Kept> {
  const base = await database(place);
  if (!base) return "forbidden";
  return new Promise((resolve) => {
    try {
      const work = base.transaction(place.store, "readwrite");
      work.oncomplete = () => resolve("kept");
      work.onerror = work.onabort = () => resolve(work.error?.name === "QuotaExceededError" ? "full" : "forbidden");
      act(work.objectStore(place.store));
    } catch {
      resolve("forbidden");
    }
  });
}

/** Every row of a place with its key; nothing where the browser keeps nothing. */
async function rows(place: Place): Promise<[string, unknown][]> {
  const base = await database(place);
  if (!base) return [];
  return new Promise((resolve) => {
    const found: [string, unknown][] = [];
    try {
      const request = base.transaction(place.store).objectStore(place.store).openCursor();
      request.onerror = () => resolve(found);
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return resolve(found);
        found.push([String(cursor.key), cursor.value]);
        cursor.continue();
      };
    } catch {
      resolve(found);
    }
  });
}

export const putEntry = (key: string, text: string): Promise<Kept> => change(ENTRIES, (store) => store.put(text, key));

export async function entries(): Promise<Map<string, string>> {
  return new Map((await rows(ENTRIES)).map(([key, text]) => [key, String(text)]));
}

/** The games of the worker, as it wrote them. */
export async function keptGames(): Promise<KeptGame[]> {
  return (await rows(GAMES)).map(([, row]) => row as KeptGame);
}

/** Gives the worker games that it takes up when it starts again. */
export const putGames = (games: KeptGame[]): Promise<Kept> =>
  change(GAMES, (store) => {
    for (const game of games) store.put(game);
  });
