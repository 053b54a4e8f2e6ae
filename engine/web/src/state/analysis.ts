// What is being analysed: a tree, where we stand in it, and what the engine says.

import { isFlip, squaresOf } from "../board/geometry";
import { words } from "../i18n";
import { connection, Refusal } from "../net/connection";
import type { SharedLine } from "../share/code";
import type { Analysis, Appearance, Board, DealView, Line, Notes, Outcome, Report, RulesName, Value } from "../wire";
import { announce } from "./live";
import { complain } from "./game";
import { go } from "./route";
import { load, save } from "./saved";
import { Store } from "./store";
import * as trees from "./tree";
import type { Tree } from "./tree";

/** What is kept in the browser. */
interface Study {
  start: string;
  rules: RulesName;
  tree: Tree;
  at: number;
  players: [string, string] | null;
  /** What this browser calls them, if that is not what a record says. */
  names?: [string, string] | null;
  outcome: Outcome | null;
  /** The plies that the outcome belongs to, and the deal of the game. */
  ended?: string;
  deal?: DealView | null;
  /** The platform record it came from, so that an export keeps its dates and times. */
  original: string | null;
}

/** A flip taken apart: what the square was worth, and what could appear. */
export interface Split {
  best: Value;
  average: number;
  appearances: Appearance[];
}

interface AnalysisView {
  study: Study;
  boards: Record<number, Board>;
  /** What the engine says about the node it was asked about. */
  analysis: Analysis | null;
  analysed: number;
  running: boolean;
  lines: number;
  splits: Record<number, Split>;
  /** A flip that waits for the piece that appears. */
  choosing: string | null;
  report: Report | null;
  /** The node after each ply of the report, the start first. */
  reported: number[];
  progress: { done: number; total: number } | null;
  tab: "engine" | "report";
}

const EMPTY: Study = { start: "start", rules: "olympiad", tree: trees.planted([]), at: 0, players: null, outcome: null, original: null };

/** How long a flip that was played is taken apart before the position after it is analysed. */
const SPLIT_MS = 700;
const ANALYSIS_MS = 30_000;

export const analysis = new Store<AnalysisView>({
  study: load("study", EMPTY),
  boards: {},
  analysis: null,
  analysed: -1,
  running: load("engine", true),
  lines: load("lines", 3),
  splits: {},
  choosing: null,
  report: null,
  reported: [],
  progress: null,
  tab: "engine",
});

/** A node is analysed when it has been looked at for so long. */
const RUNNING_MS = 160;

let pause: ReturnType<typeof setTimeout> | undefined;
let stopStream: () => void = () => {};
let stopReview: () => void = () => {};

export function lineTo(id: number): Line {
  const { study } = analysis.value;
  return { start: study.start, plies: trees.pliesTo(study.tree, id), rules: study.rules };
}

export interface Opened {
  line: Line;
  players?: [string, string] | null;
  names?: [string, string] | null;
  outcome?: Outcome | null;
  deal?: DealView | null;
  original?: string | null;
  notes?: Notes | null;
  /** Where to stand at first: after how many plies, or the number of a ply in notes; the end if it is left out. */
  from?: "start" | number;
}

/** Shows a line from its end, or its report at once. */
export function openLine(opened: Opened, tab: "engine" | "report" = "engine"): void {
  const tree = opened.notes ? trees.noted(opened.notes) : trees.planted(opened.line.plies);
  stopReview();
  replace({
    start: opened.line.start,
    rules: opened.line.rules ?? "olympiad",
    tree,
    at: standing(tree, opened.from),
    players: opened.players ?? null,
    names: opened.names ?? null,
    outcome: opened.outcome ?? null,
    ended: opened.line.plies.join(" "),
    deal: opened.deal ?? null,
    original: opened.original ?? null,
  });
  analysis.set({ tab });
  go("#/analyse");
  void walk().then(() => {
    if (tab === "report") review();
  });
}

/** The node to stand on: a number in the order of `reached`, which is how opened trees are numbered. */
function standing(tree: Tree, from: Opened["from"]): number {
  if (from === "start") return trees.ROOT;
  return from === undefined ? (trees.mainLine(tree).at(-1) ?? trees.ROOT) : Math.min(from, tree.length - 1);
}

/** The line of this analysis as a link carries it: up to where we stand, or to its end; with what was written into it. */
export function sharedLine(kind: SharedLine["kind"], withNotes: boolean): SharedLine {
  const { study, boards } = analysis.value;
  const about = { kind, rules: study.rules, players: study.players, outcome: null };
  const board = boards[study.at];
  if (kind === "position" && board) return { ...about, start: board.position, plies: [], at: 0, players: null };
  const plies = trees.mainPlies(study.tree);
  const notes = withNotes && trees.saysMore(study.tree) ? { notes: trees.notesOf(study.tree) } : {};
  const at = trees.reached(study.tree).indexOf(study.at);
  const whole = plies.join(" ") === study.ended;
  return { ...about, start: study.start, plies, at: at < 0 ? plies.length : at, outcome: whole ? study.outcome : null, ...notes };
}

function replace(study: Study): void {
  analysis.set({ study, boards: {}, splits: {}, analysis: null, analysed: -1, report: null, reported: [], progress: null, choosing: null });
  save("study", study);
}

function keep(change: Partial<Study>): void {
  const study = { ...analysis.value.study, ...change };
  analysis.set({ study });
  save("study", study);
}

/** Asks for the boards of the main line, and for the one we stand on. */
export async function walk(): Promise<void> {
  const { study } = analysis.value;
  const nodes = trees.mainLine(study.tree);
  try {
    const answer = await connection.ask<"walk">({ type: "walk", line: lineTo(nodes.at(-1) ?? 0) });
    if (analysis.value.study.tree !== study.tree) return;
    const boards = Object.fromEntries(nodes.map((id, index) => [id, answer.boards[index] as Board]));
    analysis.set({ boards: { ...analysis.value.boards, ...boards } });
    // Whoever has stepped on in the meantime stays where they are.
    await toNode(analysis.value.study.at);
  } catch (error) {
    if (error instanceof Refusal && error.code !== "lost") replace(EMPTY);
    complain(error);
  }
}

async function needBoard(id: number): Promise<Board | null> {
  const known = analysis.value.boards[id];
  if (known) return known;
  const { tree } = analysis.value.study;
  const { board } = await connection.ask<"view">({ type: "view", line: lineTo(id) });
  if (analysis.value.study.tree[id] !== tree[id] && analysis.value.study.tree[id]?.ply !== tree[id]?.ply) return null;
  analysis.set({ boards: { ...analysis.value.boards, [id]: board } });
  return board;
}

export async function toNode(id: number): Promise<void> {
  keep({ at: id });
  analysis.set({ choosing: null });
  try {
    await needBoard(id);
    if (analysis.value.study.at === id) analyseSoon();
  } catch (error) {
    complain(error);
  }
}

/** Plays an action; a flip asks first what appears. */
export function act(action: string): undefined {
  if (isFlip(action)) analysis.set({ choosing: squaresOf(action)[0] ?? null });
  else void addPly(action);
}

export async function addPly(ply: string, at = analysis.value.study.at): Promise<void> {
  const { study } = analysis.value;
  const { tree, id } = trees.added(study.tree, at, ply);
  keep({ tree });
  try {
    await needBoard(id);
    announce(words().plyText(ply));
    await toNode(id);
  } catch (error) {
    keep({ tree: trees.cut(tree, id), at });
    complain(error);
  }
}

/** Plays the first steps of an engine's line, up to a flip. */
export async function addLine(actions: string[]): Promise<void> {
  for (const action of actions) {
    if (isFlip(action)) return void act(action);
    await addPly(action);
  }
}

/** The position after the same flip with another piece. */
export function whatIf(id: number, piece: string): void {
  const { tree } = analysis.value.study;
  const node = tree[id];
  if (node) void addPly(`${node.ply.slice(0, 2)}(${piece})`, node.parent);
}

export function step(by: "back" | "next" | "first" | "last" | "up" | "down"): void {
  const { study } = analysis.value;
  const node = study.tree[study.at];
  const to = {
    back: node && node.parent >= 0 ? node.parent : null,
    next: node?.children[0] ?? null,
    first: trees.ROOT,
    last: trees.mainLine(study.tree, study.at).at(-1) ?? null,
    up: trees.brother(study.tree, study.at, -1),
    down: trees.brother(study.tree, study.at, 1),
  }[by];
  if (to === null || to === study.at) return;
  announce(to === trees.ROOT ? words().startPosition : words().plyText(study.tree[to]?.ply ?? ""));
  void toNode(to);
}

/** Goes to a node and puts the cursor into its comment. */
export async function editComment(id: number): Promise<void> {
  if (id !== analysis.value.study.at) await toNode(id);
  // The field of the node is drawn in the next frame.
  requestAnimationFrame(() => document.querySelector<HTMLTextAreaElement>(".comment textarea")?.focus());
}

export function comment(id: number, text: string): void {
  keep({ tree: trees.commented(analysis.value.study.tree, id, text) });
}

export function cut(id: number): void {
  const { study } = analysis.value;
  const parent = study.tree[id]?.parent ?? trees.ROOT;
  const inside = trees.path(study.tree, study.at).includes(id);
  keep({ tree: trees.cut(study.tree, id) });
  if (inside) void toNode(parent);
}

export function promote(id: number): void {
  keep({ tree: trees.promoted(analysis.value.study.tree, id) });
}

export function setRunning(running: boolean): void {
  analysis.set({ running });
  save("engine", running);
  if (running) analyse();
  else stop();
}

export function setLines(lines: number): void {
  analysis.set({ lines });
  save("lines", lines);
  analyse();
}

function stop(): void {
  stopStream();
  stopStream = () => {};
  connection.ask<"stop_analysis">({ type: "stop_analysis" }).catch(() => {});
}

/** Leaves the view: nothing goes on thinking. */
export function leaveAnalysis(): void {
  clearTimeout(pause);
  if (analysis.value.running && analysis.value.analysed >= 0 && !analysis.value.analysis?.done) stop();
  analysis.set({ analysed: -1, analysis: null });
}

/** Somebody who runs through the moves is not analysed at each of them. */
function analyseSoon(): void {
  clearTimeout(pause);
  if (analysis.value.analysed !== analysis.value.study.at) stopStream();
  pause = setTimeout(analyse, RUNNING_MS);
}

function analyse(): void {
  const { study, boards, running, splits, progress } = analysis.value;
  const id = study.at;
  stopStream();
  if (!running || progress) return;
  const node = study.tree[id];
  if (node && node.parent >= 0 && isFlip(node.ply) && !splits[id]) {
    analysis.set({ analysis: null, analysed: -1 });
    return takeApart(id, node.parent, node.ply.slice(0, 2));
  }
  if (boards[id]?.outcome) return analysis.set({ analysis: null, analysed: id });
  analysis.set(analysis.value.analysed === id ? {} : { analysis: null, analysed: id });
  stopStream = connection.stream<"analyse">(
    { type: "analyse", line: lineTo(id), lines: analysis.value.lines, ms: ANALYSIS_MS },
    (answer) => {
      if (answer.type !== "analysis") return false;
      if (analysis.value.study.at === id) analysis.set({ analysis: answer, analysed: id });
      return !answer.done;
    },
    complain,
  );
}

/** Analyses the position before a flip for a moment, then the one after it. */
function takeApart(id: number, parent: number, square: string): void {
  stopStream = connection.stream<"analyse">(
    { type: "analyse", line: lineTo(parent), lines: 1, ms: SPLIT_MS, distributions: [square] },
    (answer) => {
      if (answer.type !== "analysis") return false;
      const flip = answer.flips.find((each) => each.square === square);
      if (flip) noteSplit(id, { best: answer.value, average: flip.value, appearances: flip.appearances });
      if (!answer.done) return true;
      if (!flip) noteSplit(id, { best: answer.value, average: answer.value.expected, appearances: [] });
      analyse();
      return false;
    },
    complain,
  );
}

function noteSplit(id: number, split: Split): void {
  analysis.set({ splits: { ...analysis.value.splits, [id]: split } });
}

/** Reviews the main line. */
export function review(): void {
  const { study } = analysis.value;
  const nodes = trees.mainLine(study.tree);
  const line = lineTo(nodes.at(-1) ?? 0);
  if (line.plies.length === 0) return;
  stopStream();
  analysis.set({ progress: { done: 0, total: line.plies.length }, report: null, tab: "report", analysis: null });
  const cancel = connection.stream<"review">(
    { type: "review", line, ...(study.players ? { players: study.players } : {}), outcome: study.outcome },
    (answer) => {
      if (answer.type === "review_progress") analysis.set({ progress: { done: answer.done, total: answer.total } });
      if (answer.type !== "review") return true;
      analysis.set({ report: answer.report, reported: nodes, progress: null });
      announce(words().reportReady);
      analyse();
      return false;
    },
    (refusal) => {
      analysis.set({ progress: null });
      complain(refusal);
    },
  );
  stopReview = () => {
    if (!analysis.value.progress) return;
    cancel();
    analysis.set({ progress: null });
    connection.ask<"stop_review">({ type: "stop_review" }).catch(() => {});
  };
}

export function cancelReview(): void {
  stopReview();
  analyse();
}
