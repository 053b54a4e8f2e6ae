// The games of this browser, where only the referee reads them: a game that is kept has its deal.

/** The most games that are kept; older ones go. */
const MOST = 16;
const STORE = "games";

interface Kept {
  id: string;
  at: number;
  text: string;
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("no storage"));
  });

export class Storage {
  private constructor(private readonly database: IDBDatabase | null) {}

  /** Opens the storage; a browser that has none, or forbids it, keeps nothing. */
  static async open(): Promise<Storage> {
    if (typeof indexedDB === "undefined") return new Storage(null);
    try {
      const request = indexedDB.open("anqi", 1);
      request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id" });
      return new Storage(await done(request));
    } catch {
      return new Storage(null);
    }
  }

  /** The texts of all games, the oldest first. */
  async all(): Promise<string[]> {
    try {
      const games = await this.read();
      return games.map(({ text }) => text);
    } catch {
      return [];
    }
  }

  /** Keeps a game in place of its older text. */
  async keep(text: string): Promise<void> {
    if (this.database === null) return;
    const { id } = JSON.parse(text) as { id: string };
    const store = this.database.transaction(STORE, "readwrite").objectStore(STORE);
    await done(store.put({ id, at: Date.now(), text } satisfies Kept));
    if ((await done(store.count())) <= MOST) return;
    const games = await this.read();
    const old = this.database.transaction(STORE, "readwrite").objectStore(STORE);
    for (const game of games.slice(0, games.length - MOST)) old.delete(game.id);
  }

  private async read(): Promise<Kept[]> {
    if (this.database === null) return [];
    const store = this.database.transaction(STORE).objectStore(STORE);
    const games = (await done(store.getAll())) as Kept[];
    return games.sort((a, b) => a.at - b.at);
  }
}
