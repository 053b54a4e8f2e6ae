// A position, game, report or puzzle as the letters of a link, and back.
//
// The first letter is the version. A flip takes ten bits and a move eleven, so that a game of 200
// plies is a link of less than 500 letters; nothing needs to be compressed. What a link says is
// never trusted: the desk checks it before it is shown.

import { boardField, PIECES, SQUARES, squaresField, START } from "../board/geometry";
import type { EndReason, Goal, Outcome, Puzzle, RulesName, Theme, Value } from "../wire";
import { Damage, Reader, Writer } from "./bits";

export interface SharedLine {
  kind: "position" | "game" | "report";
  start: string;
  plies: string[];
  rules: RulesName;
  /** How many plies are on the board that is shown first. */
  at: number;
  players: [string, string] | null;
  outcome: Outcome | null;
}

export type Shared = SharedLine | { kind: "puzzle"; puzzle: Puzzle };

/** Why a link cannot be read. */
export type LinkFault = "damaged" | "newer";

const VERSION = "1";
const KINDS = ["position", "game", "report", "puzzle"] as const;
const RULES: RulesName[] = ["olympiad", "platform", "paper", "openspiel", "mistboard", "course"];
const REASONS: EndReason[] = ["no-legal-action", "annihilation", "quiet-limit", "repetition", "resignation", "agreement", "time"];
const GOALS: Goal[] = ["win", "advantage", "draw", "defence"];
const THEMES: Theme[] = ["capture", "escape", "flip", "endgame", "quiet"];
const CERTAINTIES: Value["kind"][] = ["estimate", "win", "draw", "loss"];
const SOURCES: Value["source"][] = [null, "search", "table", "rules"];
const CONTENTS = `.?${PIECES}`;
const TURNS = ["-", "r", "b"];

/** The widths of numbers in bits. */
const PLIES = 12;
const QUIET = 10;
const PLY = 16;
const NAME = 6;
/** Values have three digits after the point. */
const SCALE = 1000;

function pick<T>(list: readonly T[], index: number): T {
  if (index >= list.length) throw new Damage(`no choice ${index}`);
  return list[index] as T;
}

function place<T>(list: readonly T[], value: T): number {
  const at = list.indexOf(value);
  if (at < 0) throw new RangeError(`no place for ${String(value)}`);
  return at;
}

function addPosition(to: Writer, position: string): void {
  const begins = position === "start" || position === START;
  to.add(begins ? 0 : 1, 1);
  if (begins) return;
  const [, turn = "-", hidden = "-", quiet = "0", ply = "0"] = position.split(" ");
  const squares = squaresField(position);
  if (squares.length !== SQUARES.length) throw new RangeError(`${squares.length} squares`);
  for (const content of squares) to.add(place([...CONTENTS], content), 4);
  to.add(place(TURNS, turn), 2);
  for (const piece of PIECES) to.add([...hidden].filter((each) => each === piece).length, 3);
  to.add(Number(quiet), QUIET).add(Number(ply), PLY);
}

function takePosition(from: Reader): string {
  if (from.take(1) === 0) return "start";
  const squares = SQUARES.map(() => CONTENTS[from.take(4)]).join("");
  const turn = pick(TURNS, from.take(2));
  const hidden = [...PIECES].map((piece) => piece.repeat(from.take(3))).join("") || "-";
  return `${boardField(squares)} ${turn} ${hidden} ${from.take(QUIET)} ${from.take(PLY)}`;
}

const addSquare = (to: Writer, square: string) => to.add(place(SQUARES, square), 5);
const takeSquare = (from: Reader) => SQUARES[from.take(5)] as string;

function addPly(to: Writer, ply: string): void {
  const piece = ply[2] === "(" ? ply[3] : undefined;
  to.add(piece ? 1 : 0, 1);
  addSquare(to, ply.slice(0, 2));
  if (piece) to.add(place([...PIECES], piece), 4);
  else addSquare(to, ply.slice(3, 5));
}

function takePly(from: Reader): string {
  const flips = from.take(1) === 1;
  const square = takeSquare(from);
  return flips ? `${square}(${pick([...PIECES], from.take(4))})` : `${square}-${takeSquare(from)}`;
}

function addList<T>(to: Writer, list: readonly T[], width: number, add: (to: Writer, each: T) => void): void {
  to.add(list.length, width);
  for (const each of list) add(to, each);
}

function takeList<T>(from: Reader, width: number, take: (from: Reader) => T): T[] {
  return Array.from({ length: from.take(width) }, () => take(from));
}

function addName(to: Writer, name: string): void {
  // A name that is too long is cut between characters.
  let kept = [...name];
  while (new TextEncoder().encode(kept.join("")).length >= 2 ** NAME) kept = kept.slice(0, -1);
  addList(to, [...new TextEncoder().encode(kept.join(""))], NAME, (out, byte) => out.add(byte, 8));
}

function takeName(from: Reader): string {
  return new TextDecoder().decode(new Uint8Array(takeList(from, NAME, (bytes) => bytes.take(8))));
}

function addOutcome(to: Writer, { winner, winner_seat, reason }: Outcome): void {
  to.add(winner === null ? 0 : winner === "red" ? 1 : 2, 2);
  to.add(winner_seat === null ? 0 : winner_seat + 1, 2).add(place(REASONS, reason), 3);
}

function takeOutcome(from: Reader): Outcome {
  const winner = pick([null, "red", "black"] as const, from.take(2));
  return { winner, winner_seat: pick([null, 0, 1] as const, from.take(2)), reason: pick(REASONS, from.take(3)) };
}

function addLine(to: Writer, line: SharedLine): void {
  to.add(place(RULES, line.rules), 3);
  addPosition(to, line.start);
  addList(to, line.plies, PLIES, addPly);
  to.add(Math.min(line.at, line.plies.length), PLIES);
  to.add(line.players ? 1 : 0, 1);
  for (const name of line.players ?? []) addName(to, name);
  to.add(line.outcome ? 1 : 0, 1);
  if (line.outcome) addOutcome(to, line.outcome);
}

function takeLine(from: Reader, kind: SharedLine["kind"]): SharedLine {
  const rules = pick(RULES, from.take(3));
  const start = takePosition(from);
  const plies = takeList(from, PLIES, takePly);
  const at = from.take(PLIES);
  const players: [string, string] | null = from.take(1) ? [takeName(from), takeName(from)] : null;
  return { kind, rules, start, plies, at, players, outcome: from.take(1) ? takeOutcome(from) : null };
}

function addValue(to: Writer, value: Value): void {
  // A link has room for the plies alone: those to the end are told as a search tells them.
  const source = value.plies_to_end === undefined ? value.source : "search";
  to.add(Math.round((value.expected + 1) * SCALE), 11).add(place(CERTAINTIES, value.kind), 2);
  to.add(value.plies === null ? 0 : value.plies + 1, QUIET).add(place(SOURCES, source), 2);
}

function takeValue(from: Reader): Value {
  const expected = from.take(11) / SCALE - 1;
  const kind = pick(CERTAINTIES, from.take(2));
  const plies = from.take(QUIET);
  return { expected, kind, plies: plies === 0 ? null : plies - 1, source: pick(SOURCES, from.take(2)) };
}

function addPuzzle(to: Writer, puzzle: Puzzle): void {
  to.add(place(RULES, puzzle.rules), 3);
  addPosition(to, puzzle.position);
  to.add(place(GOALS, puzzle.goal), 2).add(place(THEMES, puzzle.theme), 3).add(puzzle.difficulty, 4);
  addValue(to, puzzle.value);
  to.add(puzzle.second ? 1 : 0, 1);
  if (puzzle.second) addValue(to, puzzle.second);
  addList(to, puzzle.solution, 5, addPly);
  addList(to, puzzle.line.map(({ action }) => action), 5, addPly);
  addList(to, puzzle.more, 4, (out, { reply, solution }) => {
    addPly(out, reply);
    addList(out, solution, 5, addPly);
  });
}

function takePuzzle(from: Reader): Puzzle {
  const rules = pick(RULES, from.take(3));
  const position = takePosition(from);
  const about = { goal: pick(GOALS, from.take(2)), theme: pick(THEMES, from.take(3)), difficulty: from.take(4) };
  const value = takeValue(from);
  const second = from.take(1) ? takeValue(from) : null;
  const solution = takeList(from, 5, takePly);
  const line = takeList(from, 5, takePly).map((action) => ({ action, expected: null }));
  const more = takeList(from, 4, (each) => ({ reply: takePly(each), solution: takeList(each, 5, takePly) }));
  return { id: `shared ${position}`, position, rules, ...about, value, second, solution, line, more };
}

/** The letters of a link; null if it is too long for one. */
export function encode(shared: Shared): string | null {
  const to = new Writer().add(place(KINDS, shared.kind), 2);
  try {
    if (shared.kind === "puzzle") addPuzzle(to, shared.puzzle);
    else addLine(to, shared);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  return VERSION + to.text();
}

/** What a link carries, or why it cannot be read. */
export function decode(text: string): Shared | LinkFault {
  const [version, body] = [text.slice(0, 1), text.slice(1)];
  if (version !== VERSION) return /^[2-9a-z]$/.test(version) ? "newer" : "damaged";
  try {
    const from = new Reader(body);
    const kind = pick(KINDS, from.take(2));
    const shared: Shared = kind === "puzzle" ? { kind, puzzle: takePuzzle(from) } : takeLine(from, kind);
    from.end();
    return shared;
  } catch (error) {
    if (error instanceof Damage) return "damaged";
    throw error;
  }
}
