// Puzzles and endings: an answer is judged, remembered, and comes back later.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { aside, assertQuiet, between, open, square, until } from "./support.mjs";

let world;
before(async () => (world = await open()));
after(() => world?.close());

const VALUE = { expected: 1, kind: "win", plies: 25, source: "table" };
const puzzle = (id, difficulty) => ({
  id,
  position: "4/4/1R1r/N3/4/p3/4/4 r - 4 90",
  rules: "olympiad",
  solution: ["b6-c6"],
  line: [{ action: "b6-c6", expected: null }],
  value: VALUE,
  second: { expected: 0, kind: "draw", plies: null, source: "table" },
  difficulty,
  theme: "endgame",
  goal: "win",
  more: [],
});

/** Loads the page again with other puzzles than the program's. */
async function withPuzzles(page, puzzles) {
  await between(page, { answer: (message) => (message.type === "puzzles" ? { re: message.id, type: "puzzles", puzzles } : null) });
  await page.reload();
}

test("a wrong answer is refused, the right one solves, and the browser remembers both", async () => {
  const seen = await world.visit({});
  const { page } = seen;
  await withPuzzles(page, [puzzle("hard", 7), puzzle("easy", 2)]);
  await page.getByRole("link", { name: "Puzzles" }).click();
  await page.getByText("difficulty 2 of 10").waitFor();
  await square(page, "a5").click();
  await square(page, "a4").click();
  await page.getByText("Not this one.").first().waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await until(async () => (await square(page, "a5").getAttribute("aria-label")).includes("red knight"), "the position again");
  await square(page, "b6").click();
  await square(page, "c6").click();
  await page.locator(".puzzle.solved").waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("difficulty 7 of 10").waitFor();
  await square(page, "b6").click();
  await square(page, "c6").click();
  await page.locator(".puzzle.solved").waitFor();
  const cards = await page.evaluate(() => JSON.parse(localStorage.getItem("anqi.puzzles")));
  assert.equal(cards.easy.box, 0, "missed at the first try");
  assert.equal(cards.hard.box, 1);
  assert.ok(cards.hard.due > cards.easy.due);
  assertQuiet(seen);
});

test("a puzzle states its goal, a wrong try shows what answers it, and a solution of several moves goes on", async () => {
  const seen = await world.visit({});
  const { page } = seen;
  const long = { ...puzzle("long", 2), solution: ["b6-b5"], line: [{ action: "b6-b5", expected: null }], more: [{ reply: "d6-d5", solution: ["a5-a4"] }] };
  await withPuzzles(page, [long]);
  await page.getByRole("link", { name: "Puzzles" }).click();
  await page.getByText("Red to move: win the game").waitFor();
  await page.getByText("difficulty 2 of 10 · 2 moves").waitFor();
  // The rook may be captured there.
  await square(page, "b6").click();
  await square(page, "c6").click();
  await page.getByText(/The answer is d6–c6: loss/).waitFor();
  await page.locator(".arrow-threat").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await until(async () => (await square(page, "b6").getAttribute("aria-label")).includes("red rook"), "the position again");
  await square(page, "b6").click();
  await square(page, "b5").click();
  await page.getByText("Right. Move 2 of 2: go on.").first().waitFor();
  await until(async () => (await square(page, "d5").getAttribute("aria-label")).includes("black rook"), "the opponent's answer");
  await square(page, "a5").click();
  await square(page, "a4").click();
  await page.locator(".puzzle.solved").waitFor();
  const cards = await page.evaluate(() => JSON.parse(localStorage.getItem("anqi.puzzles")));
  assert.equal(cards.long.box, 0, "missed at the first try");
  assertQuiet(seen);
});

test("the first puzzles differ in theme or goal", async () => {
  const seen = await world.visit({});
  const { puzzles } = await aside(seen.page, { type: "puzzles" }, "puzzles");
  const kinds = new Set(puzzles.slice(0, 6).map(({ theme, goal }) => `${theme} ${goal}`));
  assert.equal(kinds.size, 6, [...kinds].join(", "));
  assert.ok(puzzles.filter(({ more }) => more.length > 0).length >= 10, "some have several moves");
});

test("a puzzle that is due comes before new ones, and the own puzzles are asked by difficulty", async () => {
  const seen = await world.visit({});
  const { page } = seen;
  const { puzzles } = await aside(page, { type: "puzzles" }, "puzzles");
  assert.ok(puzzles.length > 100, `${puzzles.length} puzzles`);
  const hardest = puzzles.reduce((a, b) => (b.difficulty > a.difficulty ? b : a));
  await page.evaluate(([id]) => localStorage.setItem("anqi.puzzles", JSON.stringify({ [id]: { box: 1, due: Date.now() - 1000 } })), [hardest.id]);
  await page.getByRole("link", { name: "Puzzles" }).click();
  await page.getByText(`difficulty ${hardest.difficulty} of 10`).waitFor();
  await page.getByText(`1 of ${puzzles.length} solved, 1 due again`).waitFor();
  await page.getByRole("button", { name: "Show the solution" }).click();
  await page.locator(".arrow-best, .ring-best").first().waitFor();
  await page.getByText(`0 of ${puzzles.length} solved, 0 due again`).waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("difficulty 1 of 10").waitFor();
  const bands = { Easy: [1, 2], Medium: [3, 4], Hard: [5, 10] };
  for (const [name, [least, most]] of Object.entries(bands)) {
    await page.getByRole("radio", { name }).check();
    await page.getByText(`difficulty ${least} of 10`).waitFor();
    const among = puzzles.filter(({ difficulty }) => difficulty >= least && difficulty <= most).length;
    assert.ok(among > puzzles.length / 5, `${name}: ${among}`);
    await page.getByText(`0 of ${among} solved`).waitFor();
  }
  assertQuiet(seen);
});

test("pieces of an ending are placed by hand, for either side to move", async () => {
  const seen = await world.visit({ hash: "#/tables" });
  const { page } = seen;
  await page.locator(".shares").first().waitFor();
  await page.getByRole("radio", { name: "Place the red king" }).click();
  const free = await page.evaluate(() => [...document.querySelectorAll(".square")].find((each) => each.ariaLabel.endsWith("empty")).dataset.square);
  await square(page, free).click();
  await until(async () => (await square(page, free).getAttribute("aria-label")) === `${free}, red king`, "the king on its new square");
  for (const [side, radio] of [["Black", "Black"], ["Red", "Red"]]) {
    await page.getByRole("radio", { name: radio, exact: true }).check();
    await page.getByText(new RegExp(`^${side} to move: (win|draw|loss)`)).waitFor();
    await page.locator(".verdicts button").first().waitFor();
  }
  assertQuiet(seen);
});

test("the endings show shares, the longest win, and a verdict for each move", async () => {
  const seen = await world.visit({ hash: "#/tables" });
  const { page } = seen;
  await page.getByRole("button", { name: /^Show the longest win/ }).click();
  await page.getByText(/^Red to move: win|^Black to move: win/).waitFor();
  const wins = page.locator(".verdicts .win");
  await wins.first().click();
  await page.getByText(/to move: loss/).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText(/to move: win/).waitFor();
  await page.getByRole("button", { name: "One red pawn less" }).click();
  await until(() => page.locator(".pool, .palette .disc-red").count().then((count) => count === 1), "the pawn leaves the board");
  assertQuiet(seen);
});

test("the longest win is walked through to the end of the game", async () => {
  const seen = await world.visit({ hash: "#/tables" });
  const { page } = seen;
  const shown = await page.getByRole("button", { name: /^Show the longest win/ }).innerText();
  const plies = Number(/\d+/.exec(shown)[0]);
  await page.getByRole("button", { name: "Walk through it" }).click();
  await page.waitForURL(/#\/analyse/);
  const current = page.locator(".tree [aria-current]");
  await until(async () => (await current.textContent()) === "Start", "the start of the line");
  assert.equal(await page.locator(".tree .node").count(), plies);
  await page.keyboard.press("End");
  await page.locator(".evaluation[aria-label*='wins']").waitFor();
  assertQuiet(seen);
});

test("endings with face-down pieces show their exact expectation, and a flip asks what appears", async () => {
  const seen = await world.visit({ hash: "#/tables" });
  const { page } = seen;
  await page.getByRole("button", { name: /^Show the longest win/ }).click();
  const brush = page.getByRole("radiogroup", { name: "Piece to put" });
  await brush.getByRole("radio", { name: "Turn a piece face down or up" }).click();
  const standing = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("[data-square]")].filter((each) => /red king|black cannon/.test(each.ariaLabel)).map((each) => each.dataset.square),
    );
  const pieces = await until(async () => {
    const found = await standing();
    return found.length === 2 && found;
  }, "the two pieces of the longest win");
  for (const name of pieces) await square(page, name).click();
  await page.getByText("The exact expectation over everything that may appear.").waitFor();
  await page.getByRole("region", { name: "2 face down" }).waitFor();
  await brush.getByRole("radio", { name: "Play" }).click();
  await square(page, pieces[0]).click();
  const chooser = page.getByRole("region", { name: `What appears on ${pieces[0]}?` });
  await chooser.getByRole("button", { name: /^Red king/ }).click();
  await until(async () => (await square(page, pieces[0]).getAttribute("aria-label")).includes("red king"), "the king appears");
  await page.getByRole("button", { name: "Undo" }).click();
  await until(async () => (await square(page, pieces[0]).getAttribute("aria-label")).includes("face down"), "the king lies face down again");
  assertQuiet(seen);
});

test("the editor names every fault, and a sound position is analysed", async () => {
  const seen = await world.visit({ hash: "#/editor" });
  const { page } = seen;
  await page.getByText("This position is possible.").waitFor();
  const brush = page.getByRole("radiogroup", { name: "Piece to put" });
  await brush.getByRole("radio", { name: "red king" }).click();
  await square(page, "a1").click();
  await square(page, "b1").click();
  await page.locator(".faults li").first().waitFor();
  assert.ok(await page.getByRole("button", { name: "Analyse" }).isDisabled());
  await square(page, "b1").click();
  await brush.getByRole("radio", { name: "face down" }).click();
  await square(page, "b1").click();
  await page.getByText("This position is possible.").waitFor();
  await page.getByRole("button", { name: "Analyse" }).click();
  await page.waitForURL(/#\/analyse/);
  await page.locator(".lines li").first().waitFor();
  assert.equal(await square(page, "a1").getAttribute("aria-label"), "a1, red king");
  assertQuiet(seen);
});
