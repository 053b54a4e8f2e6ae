// The parts of the page that need no browser.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SOURCES = fileURLToPath(new URL("../src/", import.meta.url));

/** Loads a module of the page. */
async function load(path) {
  const { outputFiles } = await build({ entryPoints: [`${SOURCES}${path}`], bundle: true, format: "esm", write: false, jsx: "automatic", jsxImportSource: "preact" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const geometry = await load("board/geometry.ts");
const { follow } = await load("board/follow.ts");
const trees = await load("state/tree.ts");
const schedule = await load("state/schedule.ts");
const { blake3 } = await load("blake3.ts");

const START = "?".repeat(32);
const board = (pieces) => geometry.SQUARES.map((square) => pieces[square] ?? ".").join("");

test("both ways to lay the board are inverses and neighbours stay neighbours", () => {
  for (const orientation of ["upright", "lying"]) {
    for (const square of geometry.SQUARES) {
      assert.equal(geometry.squareAt(geometry.placeOf(square, orientation), orientation), square);
    }
    const [a, b] = ["b3", "b4"].map((square) => geometry.placeOf(square, orientation));
    assert.equal(Math.abs(a.x - b.x) + Math.abs(a.y - b.y), 1);
  }
  // A quarter turn, not a mirror: a8 is the upper left corner upright and the upper right one lying.
  assert.deepEqual(geometry.placeOf("a8", "upright"), { x: 0, y: 0 });
  assert.deepEqual(geometry.placeOf("a8", "lying"), { x: 7, y: 0 });
  assert.deepEqual(geometry.placeOf("d8", "lying"), { x: 7, y: 3 });
});

test("position strings go to squares and back", () => {
  const position = "3k/4/4/4/4/4/G3/C1c1 b - 0 0";
  assert.equal(geometry.boardField(geometry.squaresField(position)), "3k/4/4/4/4/4/G3/C1c1");
});

test("a disc is followed through a flip, a move and a capture", () => {
  let last = 0;
  const fresh = () => (last += 1);
  const start = follow([], board({ a1: "?", b1: "?", c1: "k" }), fresh);
  const flipped = follow(start, board({ a1: "R", b1: "?", c1: "k" }), fresh);
  const id = (discs, square) => discs.find((disc) => disc.square === square && !disc.gone)?.id;
  assert.equal(id(flipped, "a1"), id(start, "a1"));
  const moved = follow(flipped, board({ a2: "R", b1: "?", c1: "k" }), fresh);
  assert.equal(id(moved, "a2"), id(start, "a1"));
  const taken = follow(moved, board({ a2: "R", b1: "?" }), fresh);
  assert.deepEqual(taken.filter((disc) => disc.gone).map((disc) => disc.square), ["c1"]);
  const next = follow(taken, board({ a2: "R", b1: "?" }), fresh);
  assert.equal(next.length, 2);
});

test("a capture ends with one disc, the capturer's", () => {
  let last = 0;
  const fresh = () => (last += 1);
  const before = follow([], board({ a1: "R", a2: "p" }), fresh);
  const after = follow(before, board({ a2: "R" }), fresh);
  const capturer = before.find((disc) => disc.content === "R").id;
  assert.deepEqual(after.filter((disc) => !disc.gone).map((disc) => disc.id), [capturer]);
});

test("a tree keeps its main line, grows variations and promotes them", () => {
  let tree = trees.planted(["b3(K)", "c6(p)"]);
  const grown = trees.added(tree, 1, "c6(g)");
  tree = grown.tree;
  assert.deepEqual(trees.pliesTo(tree, grown.id), ["b3(K)", "c6(g)"]);
  assert.equal(trees.isMain(tree, grown.id), false);
  assert.equal(trees.brother(tree, grown.id, -1), 2);
  assert.equal(trees.added(tree, 1, "c6(g)").id, grown.id);
  tree = trees.promoted(tree, grown.id);
  assert.deepEqual(trees.mainLine(tree), [0, 1, grown.id]);
  assert.deepEqual(trees.mainLine(trees.cut(tree, grown.id)), [0, 1, 2]);
});

test("a tree goes into notes and back, without what was cut", () => {
  let tree = trees.planted(["b3(K)", "c6(p)", "a1(P)"]);
  const other = trees.added(tree, 1, "c6(g)");
  const further = trees.added(other.tree, other.id, "d1(n)");
  const lost = trees.added(further.tree, 2, "a2(c)");
  tree = trees.cut(lost.tree, lost.id);
  assert.equal(trees.saysMore(trees.planted(["b3(K)"])), false);
  assert.equal(trees.saysMore(tree), true);
  tree = trees.commented(trees.commented(tree, 0, "so it begins"), other.id, "what if");
  const notes = trees.notesOf(tree);
  assert.equal(notes.comment, "so it begins");
  assert.deepEqual(notes.plies.map(({ ply, after }) => [ply, after]), [["b3(K)", 0], ["c6(p)", 1], ["a1(P)", 2], ["c6(g)", 1], ["d1(n)", 4]]);
  const again = trees.noted(notes);
  assert.deepEqual(trees.notesOf(again), notes);
  assert.deepEqual(trees.pliesTo(again, 5), ["b3(K)", "c6(g)", "d1(n)"]);
  assert.deepEqual(trees.mainLine(again), [0, 1, 2, 3]);
  assert.equal(again[4].comment, "what if");
});

test("a puzzle comes back later after each success, and soon after a miss", () => {
  const now = 1_000_000_000;
  let cards = {};
  const waits = [];
  for (let round = 0; round < 3; round += 1) {
    cards = schedule.answered(cards, "x", true, now);
    waits.push(cards.x.due - now);
  }
  assert.ok(waits[0] < waits[1] && waits[1] < waits[2]);
  cards = schedule.answered(cards, "x", false, now);
  assert.equal(cards.x.due - now, schedule.WAITS[0]);
  const puzzles = [{ id: "x", difficulty: 1 }, { id: "hard", difficulty: 9 }, { id: "easy", difficulty: 2 }];
  assert.equal(schedule.next(puzzles, cards, now).id, "easy");
  assert.equal(schedule.next(puzzles, cards, now + schedule.WAITS[0]).id, "x");
});

test("BLAKE3 gives the published hashes", () => {
  assert.equal(blake3(""), "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
  assert.equal(blake3("abc"), "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85");
  // Two blocks, as a deal has.
  assert.equal(blake3("a".repeat(97)).length, 64);
});

test("the start has 32 pieces face down", () => {
  assert.equal(geometry.squaresField(geometry.START), START);
  assert.equal(geometry.FULL_BAG.length, 32);
});
