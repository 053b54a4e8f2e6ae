// All games and settings in one file, and back.

import { keptGames, putGames, type KeptGame } from "../net/keep";
import { allSaved, load, save } from "./saved";

const VERSION = 1;

interface Backup {
  anqi: number;
  /** What the page remembers, by its keys. */
  entries: Record<string, unknown>;
  /** Games of the worker, as it wrote them. */
  games: KeptGame[];
}

export async function backup(): Promise<string> {
  const entries = Object.fromEntries(Object.entries(allSaved()).map(([key, text]) => [key, JSON.parse(text) as unknown]));
  const file: Backup = { anqi: VERSION, entries, games: await keptGames() };
  return `${JSON.stringify(file, null, 1)}\n`;
}

export type Restored = { entries: number } | "faulty" | "newer";

/** Reads a file that `backup` wrote: games are added to those that are here, the rest is replaced. */
export async function restore(text: string): Promise<Restored> {
  const file = parsed(text);
  if (typeof file === "string") return file;
  for (const [key, value] of Object.entries(file.entries)) save(key, key === "games" ? joined(value) : value);
  if (file.games.length > 0) await putGames(file.games);
  return { entries: Object.keys(file.entries).length + file.games.length };
}

function parsed(text: string): Backup | "faulty" | "newer" {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "faulty";
  }
  const isTable = (each: unknown): each is Record<string, unknown> => typeof each === "object" && each !== null && !Array.isArray(each);
  if (!isTable(value) || typeof value.anqi !== "number") return "faulty";
  if (value.anqi > VERSION) return "newer";
  const { entries, games = [] } = value;
  if (!isTable(entries) || !Array.isArray(games) || !games.every(isGame)) return "faulty";
  return { anqi: value.anqi, entries, games };
}

function isGame(row: unknown): row is KeptGame {
  const { id, at, text } = (row ?? {}) as Partial<KeptGame>;
  return typeof id === "string" && typeof at === "number" && typeof text === "string";
}

/** The games of both, each once, the latest first. */
function joined(others: unknown): unknown[] {
  const list = [...load<unknown[]>("games", []), ...(Array.isArray(others) ? others : [])] as { token?: string; at?: number }[];
  const byToken = new Map(list.filter((each) => typeof each?.token === "string").map((each) => [each.token, each]));
  return [...byToken.values()].sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
}
