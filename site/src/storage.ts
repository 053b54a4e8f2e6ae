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

  /** Whether games are kept at all. */
  get isOpen(): boolean {
    return this.database !== null;
  }

  /** The text of one game, null if there is none. */
  async one(id: string): Promise<string | null> {
    if (this.database === null) return null;
    const store = this.database.transaction(STORE).objectStore(STORE);
    const game = (await done(store.get(id))) as Kept | undefined;
    return game?.text ?? null;
  }

  /** Keeps a game in place of its older text; returns its name. */
  async keep(text: string): Promise<string> {
    const { id } = JSON.parse(text) as { id: string };
    if (this.database === null) return id;
    const store = this.database.transaction(STORE, "readwrite").objectStore(STORE);
    await done(store.put({ id, at: Date.now(), text } satisfies Kept));
    if ((await done(store.count())) <= MOST) return id;
    const games = await this.read();
    const old = this.database.transaction(STORE, "readwrite").objectStore(STORE);
    for (const game of games.slice(0, games.length - MOST)) old.delete(game.id);
    return id;
  }

  private async read(): Promise<Kept[]> {
    if (this.database === null) return [];
    const store = this.database.transaction(STORE).objectStore(STORE);
    const games = (await done(store.getAll())) as Kept[];
    return games.sort((a, b) => a.at - b.at);
  }
}
