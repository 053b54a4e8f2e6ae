// When a puzzle comes back: each success moves it to a box with a longer wait.

export interface Card {
  box: number;
  /** When it is due, in milliseconds since 1970. */
  due: number;
}

export type Cards = Record<string, Card>;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The waits of the boxes; the first is for puzzles that were missed. */
export const WAITS = [10 * MINUTE, DAY, 3 * DAY, 7 * DAY, 21 * DAY, 60 * DAY];

/** Puts a puzzle into the next box, or back into the first one. */
export function answered(cards: Cards, id: string, right: boolean, now: number): Cards {
  const old = cards[id];
  const box = right ? Math.min((old?.box ?? 0) + 1, WAITS.length - 1) : 0;
  return { ...cards, [id]: { box, due: now + (WAITS[box] ?? DAY) } };
}

/** The puzzle to show: the one that is due longest, else the easiest that is new. */
export function next<T extends { id: string; difficulty: number }>(puzzles: T[], cards: Cards, now: number, not?: string): T | null {
  const others = puzzles.filter(({ id }) => id !== not || puzzles.length === 1);
  const due = others.filter(({ id }) => (cards[id]?.due ?? Infinity) <= now);
  due.sort((a, b) => (cards[a.id]?.due ?? 0) - (cards[b.id]?.due ?? 0));
  if (due[0]) return due[0];
  const fresh = others.filter(({ id }) => !cards[id]);
  fresh.sort((a, b) => a.difficulty - b.difficulty);
  return fresh[0] ?? null;
}

export function dueCount(cards: Cards, now: number): number {
  return Object.values(cards).filter(({ due }) => due <= now).length;
}
