// Searches as the module reads and tells them, and as programs do.

/** The presets of the rules. */
export type Rules = "olympiad" | "platform" | "paper" | "openspiel" | "mistboard" | "course";

/** When a search ends; a second if nothing is given. */
export interface Limits {
  /** Positions to visit. */
  nodes?: number;
  /** Milliseconds. */
  movetime?: number;
  /** Plies. */
  depth?: number;
  /** Seeds the choice among equal actions. */
  seed?: number;
}

/** One step of a line; a flip ends it, and `expected` is its expected result for the side that flips. */
export interface Step {
  action: string;
  expected: number | null;
}

/** The answer of a search. */
export interface Choice {
  /** Such as `b2-b3`, or `b2-b2` for a flip. */
  action: string;
  /** The expected result for the side to move, -1 to 1; null without a search. */
  value: number | null;
  /** Plies to a proven win or loss. */
  plies: number | null;
  line: Step[];
  depth: number;
  nodes: number;
}

/** How far a search is. */
export interface Info extends Omit<Choice, "action"> {
  ms: number;
}

type Score = { Estimate: number } | { Win: { plies: number } } | { Loss: { plies: number } } | "Draw";

interface RawStep {
  action: string;
  expectation: number | null;
}

const CERTAIN = 10_000;

function valueOf(score: Score | null): { value: number | null; plies: number | null } {
  if (score === null) return { value: null, plies: null };
  if (score === "Draw") return { value: 0, plies: null };
  if ("Estimate" in score) return { value: score.Estimate / CERTAIN, plies: null };
  if ("Win" in score) return { value: 1, plies: score.Win.plies };
  return { value: -1, plies: score.Loss.plies };
}

const steps = (line: RawStep[]): Step[] =>
  line.map(({ action, expectation }) => ({ action, expected: expectation === null ? null : Math.max(-1, Math.min(1, expectation / CERTAIN)) }));

export function choiceOf(raw: { action: string; score: Score | null; depth: number; nodes: number; line: RawStep[] }): Choice {
  return { action: raw.action, ...valueOf(raw.score), line: steps(raw.line), depth: raw.depth, nodes: raw.nodes };
}

export function infoOf(raw: { score: Score; depth: number; nodes: number; elapsed: { secs: number; nanos: number }; line: RawStep[] }): Info {
  const ms = raw.elapsed.secs * 1e3 + raw.elapsed.nanos / 1e6;
  return { ...valueOf(raw.score), line: steps(raw.line), depth: raw.depth, nodes: raw.nodes, ms };
}

const UNTIMED_MS = 1000;

/** The work of a search as text. */
export function moveOf({ limits, spec, begins, ...game }: { start: string; plies: string[]; rules: Rules; spec: string; begins: boolean; limits: Limits }): string {
  const { nodes = null, depth = null, movetime, seed = 0 } = limits;
  const ms = movetime ?? (nodes === null && depth === null ? UNTIMED_MS : null);
  const time = ms === null ? "None" : { PerMove: { secs: Math.floor(ms / 1000), nanos: Math.round((ms % 1000) * 1e6) } };
  return JSON.stringify({
    move: { game, spec, key: "engine", begins, limits: { depth, nodes, time, multipv: 1, outcomes: false }, seed },
  });
}
