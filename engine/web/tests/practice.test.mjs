// Practice in an ending: positions to win and to hold against perfect defence.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { aside, assertQuiet, open, square, until } from "./support.mjs";

let world;
before(async () => (world = await open()));
after(() => world?.close());

const ANSWERS = { practise: "exercises", view: "view", defend: "defended" };

/** Asks on a connection of its own. */
const ask = (page, message) => aside(page, message, ANSWERS[message.type]);

async function practising(material = "KPcn") {
  const seen = await world.visit({ hash: `#/practice/${material}` });
  await seen.page.locator(".practice .turn.mine").waitFor({ timeout: SOLVING_MS });
  const { exercises } = await ask(seen.page, { type: "practise", material });
  return { seen, page: seen.page, exercises };
}

const shown = (page) => page.evaluate(() => [...document.querySelectorAll("[data-square]")].map((each) => [each.dataset.square, each.ariaLabel]));
/** A program that was not optimised takes long to solve an ending, and a busy machine longer. */
const SOLVING_MS = 120_000;

const asks = (page) => page.locator(".practice .card.puzzle.asking");

async function move(page, action) {
  await square(page, action.slice(0, 2)).click();
  await square(page, action.slice(3, 5)).click();
}

/** An action that keeps what a position holds, told of any other one. */
async function bestAt(page, start, plies) {
  const { board } = await ask(page, { type: "view", line: { start, plies } });
  const [from, targets] = Object.entries(board.targets)[0];
  const { best } = await ask(page, { type: "defend", line: { start, plies: [...plies, `${from}-${targets[0]}`] } });
  return best[0];
}

/** Makes another exercise the one that is due. */
async function due(page, exercise) {
  await page.evaluate(([id]) => localStorage.setItem("anqi.practice", JSON.stringify({ [id]: { box: 1, due: Date.now() - 1000 } })), [exercise.position]);
  await page.reload();
  await asks(page).waitFor({ timeout: SOLVING_MS });
}

test("from Endings to a position, and the shortest way wins it in the plies that were told", async () => {
  const seen = await world.visit({ hash: "#/tables" });
  const { page } = seen;
  await page.getByRole("link", { name: "Practise" }).click();
  await page.waitForURL(/#\/practice\/KPcn/);
  await asks(page).waitFor({ timeout: SOLVING_MS });
  const { exercises } = await ask(page, { type: "practise", material: "KPcn" });
  const wins = exercises.filter(({ goal }) => goal === "win");
  assert.ok(wins.length >= 10 && exercises.some(({ goal }) => goal === "draw"));
  const win = wins.find(({ plies }) => plies >= 5);
  await due(page, win);
  const plies = [];
  for (;;) {
    const action = await bestAt(page, win.position, plies);
    await move(page, action);
    const { reply } = await ask(page, { type: "defend", line: { start: win.position, plies: [...plies, action] } });
    plies.push(action);
    if (reply === null) break;
    plies.push(reply);
    await page.getByText("Still won.").first().waitFor();
    await asks(page).waitFor();
    await until(async () => !(await square(page, reply.slice(3, 5)).getAttribute("aria-label")).endsWith("empty"), "the answer on the board");
  }
  await page.getByText(`Won in ${win.plies} plies. The shortest way takes ${win.plies}.`).first().waitFor();
  const cards = await page.evaluate(() => JSON.parse(localStorage.getItem("anqi.practice")));
  assert.equal(cards[win.position].box, 2, "solved at the first try");
  assertQuiet(seen);
});

test("a move that lets the win go is told at once, can be taken back, and the position comes back soon", async () => {
  const { seen, page, exercises } = await practising();
  for (const win of exercises.filter(({ goal }) => goal === "win").slice(-3)) {
    const answer = await ask(page, { type: "view", line: { start: win.position, plies: [] } });
    const moves = Object.entries(answer.board.targets).flatMap(([from, all]) => all.map((to) => `${from}-${to}`));
    const judged = [];
    for (const action of moves) judged.push([action, await ask(page, { type: "defend", line: { start: win.position, plies: [action] } })]);
    const bad = judged.find(([, { after }]) => after.wdl !== "win");
    assert.ok(bad, "something can be let go");
    await due(page, win);
    await move(page, bad[0]);
    const sentence = bad[1].after.wdl === "draw" ? "That lets the win go: it is drawn now." : "That move loses.";
    await page.locator(".practice .puzzle.lost").getByText(sentence).waitFor();
    const cards = await page.evaluate(() => JSON.parse(localStorage.getItem("anqi.practice")));
    assert.equal(cards[win.position].box, 0, "missed");
    await page.getByRole("button", { name: "Try again" }).click();
    await asks(page).waitFor();
    await page.getByRole("button", { name: "Show the solution" }).click();
    await page.getByRole("heading", { name: "The shortest way" }).waitFor();
    await page.getByRole("button", { name: "Walk through it" }).click();
    await until(async () => (await page.locator(".tree .node").count()) === win.plies, "the shortest way as a line");
    await page.goBack();
    await asks(page).waitFor();
  }
  assertQuiet(seen);
});

test("a draw is held move by move, and the program sets traps", async () => {
  const { seen, page, exercises } = await practising();
  const draw = exercises.find(({ goal }) => goal === "draw");
  await due(page, draw);
  await page.getByText(/to move: hold the draw/).waitFor();
  await page.getByText("Hold for 8 more moves.").first().waitFor();
  const plies = [];
  for (let moves = 0; moves < 8; moves += 1) {
    const action = await bestAt(page, draw.position, plies);
    await move(page, action);
    const { reply } = await ask(page, { type: "defend", line: { start: draw.position, plies: [...plies, action] } });
    plies.push(action, ...(reply ? [reply] : []));
    if (moves < 7) await page.getByText(`Hold for ${7 - moves} more move`).first().waitFor();
    if (!reply) break;
  }
  await page.locator(".practice .puzzle.held").getByText("The draw is held.").waitFor();
  assertQuiet(seen);
});

test("what cannot be practised is explained", async () => {
  for (const [material, sentence] of [["KPPkr", /5 pieces/], ["K", /./], ["x", /./]]) {
    const seen = await world.visit({ hash: `#/practice/${material}` });
    await seen.page.getByText(sentence).first().waitFor();
    await seen.page.getByRole("link", { name: "Back to the endings" }).click();
    await seen.page.getByRole("heading", { name: "Endings" }).waitFor();
    await seen.context.close();
  }
});
