// A position, game, report or puzzle as the letters of a link, and back.
//
// The first letter is the version: 1, or 2 with comments and variations. A flip takes ten bits and a move
// eleven, so that a game of 200 plies is a link of less than 500 letters; nothing needs to be compressed.
// What a link says is never trusted: the desk checks it before it is shown.

import { boardField, PIECES, SQUARES, squaresField, START } from "../board/geometry";
import { mainPlies, noted } from "../state/tree";
import type { EndReason, Goal, Notes, Outcome, Puzzle, RulesName, Theme, Value } from "../wire";
import { Damage, Reader, Writer } from "./bits";

export interface SharedLine {
  kind: "position" | "game" | "report";
  start: string;
  plies: string[];
  rules: RulesName;
  /** How many plies are on the board that is shown first; with notes, the number of the ply there. */
  at: number;
  players: [string, string] | null;
  outcome: Outcome | null;
  /** Comments and variations, as a record keeps them. */
  notes?: Notes;
}

export type Shared = SharedLine | { kind: "puzzle"; puzzle: Puzzle };

/** Why a link cannot be read. */
export type LinkFault = "damaged" | "newer";

const VERSION = "1";
/** With comments and variations, which older programs cannot read. */
const NOTED = "2";
/** The most letters of a link with notes: longer ones are cut where people send them. */
const MOST_LETTERS = 2000;
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
const COMMENT = 12;
const BRANCHES = 4;
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

/** Adds a text whose length in bytes has `width` bits; one that is too long is cut between characters. */
function addText(to: Writer, text: string, width: number): void {
  let kept = [...text];
  while (new TextEncoder().encode(kept.join("")).length >= 2 ** width) kept = kept.slice(0, -1);
  addList(to, [...new TextEncoder().encode(kept.join(""))], width, (out, byte) => out.add(byte, 8));
}

function takeText(from: Reader, width: number): string {
  return new TextDecoder().decode(new Uint8Array(takeList(from, width, (bytes) => bytes.take(8))));
}

function addOutcome(to: Writer, { winner, winner_seat, reason }: Outcome): void {
  to.add(winner === null ? 0 : winner === "red" ? 1 : 2, 2);
  to.add(winner_seat === null ? 0 : winner_seat + 1, 2).add(place(REASONS, reason), 3);
}

function takeOutcome(from: Reader): Outcome {
  const winner = pick([null, "red", "black"] as const, from.take(2));
  return { winner, winner_seat: pick([null, 0, 1] as const, from.take(2)), reason: pick(REASONS, from.take(3)) };
}

function addComment(to: Writer, comment: string): void {
  to.add(comment ? 1 : 0, 1);
  if (comment) addText(to, comment, COMMENT);
}

const takeComment = (from: Reader) => (from.take(1) ? takeText(from, COMMENT) : "");

/** How many plies follow one: one, which is usual, takes one bit. */
function addBranches(to: Writer, count: number): void {
  to.add(count === 1 ? 0 : 1, 1);
  if (count !== 1) to.add(count, BRANCHES);
}

const takeBranches = (from: Reader) => (from.take(1) ? from.take(BRANCHES) : 1);

/** Each ply comes directly after the one that it follows, or after all that follows an earlier brother. */
function addNotes(to: Writer, { comment, plies }: Notes): void {
  const branches = new Array<number>(plies.length + 1).fill(0);
  for (const { after } of plies) branches[after] = (branches[after] ?? 0) + 1;
  addComment(to, comment);
  addBranches(to, branches[0] ?? 0);
  for (const [index, { ply, comment }] of plies.entries()) {
    addPly(to, ply);
    addComment(to, comment);
    addBranches(to, branches[index + 1] ?? 0);
  }
}

function takeNotes(from: Reader): Notes {
  const notes: Notes = { comment: takeComment(from), plies: [] };
  // The plies after which others are still to come, the nearest last.
  const open = new Array<number>(takeBranches(from)).fill(0);
  for (let after = open.pop(); after !== undefined; after = open.pop()) {
    if (notes.plies.length >= 2 ** PLIES) throw new Damage("more plies than a link has");
    const number = notes.plies.push({ ply: takePly(from), after, comment: takeComment(from) });
    open.push(...new Array<number>(takeBranches(from)).fill(number));
  }
  return notes;
}

function addLine(to: Writer, line: SharedLine): void {
  to.add(place(RULES, line.rules), 3);
  addPosition(to, line.start);
  if (line.notes) addNotes(to, line.notes);
  else addList(to, line.plies, PLIES, addPly);
  to.add(Math.min(line.at, (line.notes ?? line).plies.length), PLIES);
  to.add(line.players ? 1 : 0, 1);
  for (const name of line.players ?? []) addText(to, name, NAME);
  to.add(line.outcome ? 1 : 0, 1);
  if (line.outcome) addOutcome(to, line.outcome);
}

function takeLine(from: Reader, kind: SharedLine["kind"], isNoted: boolean): SharedLine {
  const rules = pick(RULES, from.take(3));
  const start = takePosition(from);
  const notes = isNoted ? takeNotes(from) : null;
  const plies = notes ? mainPlies(noted(notes)) : takeList(from, PLIES, takePly);
  const at = from.take(PLIES);
  const players: [string, string] | null = from.take(1) ? [takeText(from, NAME), takeText(from, NAME)] : null;
  const outcome = from.take(1) ? takeOutcome(from) : null;
  return { kind, rules, start, plies, at, players, outcome, ...(notes ? { notes } : {}) };
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
  const isNoted = shared.kind !== "puzzle" && shared.notes !== undefined;
  const to = new Writer().add(place(KINDS, shared.kind), 2);
  try {
    if (shared.kind === "puzzle") addPuzzle(to, shared.puzzle);
    else addLine(to, shared);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
  const text = (isNoted ? NOTED : VERSION) + to.text();
  return isNoted && text.length > MOST_LETTERS ? null : text;
}

/** What a link carries, or why it cannot be read. */
export function decode(text: string): Shared | LinkFault {
  const [version, body] = [text.slice(0, 1), text.slice(1)];
  const isNoted = version === NOTED;
  if (version !== VERSION && !isNoted) return /^[3-9a-z]$/.test(version) ? "newer" : "damaged";
  try {
    const from = new Reader(body);
    const kind = pick(KINDS, from.take(2));
    const shared: Shared = kind === "puzzle" ? { kind, puzzle: takePuzzle(from) } : takeLine(from, kind, isNoted);
    from.end();
    return shared;
  } catch (error) {
    if (error instanceof Damage) return "damaged";
    throw error;
  }
}
