// Lessons of endings: which sets have them, what practice tells when one is over, and lessons as puzzles.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { aside, assertQuiet, open, square, until } from "./support.mjs";

let world;
before(async () => (world = await open()));
after(() => world?.close());

/** A program that was not optimised takes long to solve an ending, and a busy machine longer. */
const SOLVING_MS = 120_000;
const MATERIAL = "GGk";

const exercisesOf = async (page, material) => (await aside(page, { type: "practise", material }, "exercises")).exercises;
const asks = (page) => page.locator(".practice .card.puzzle.asking");
const idea = (page) => page.locator(".lesson .idea");

async function move(page, action) {
  await square(page, action.slice(0, 2)).click();
  await square(page, action.slice(3, 5)).click();
}

/** Makes an exercise the one that is due. */
async function due(page, { position }) {
  await page.evaluate((id) => localStorage.setItem("anqi.practice", JSON.stringify({ [id]: { box: 1, due: Date.now() - 1000 } })), position);
  await page.reload();
  await asks(page).waitFor({ timeout: SOLVING_MS });
}

test("the endings with lessons can be chosen, and practice says whether it asks lessons", async () => {
  const seen = await world.visit({ hash: "#/practice/Kgp" });
  const { page } = seen;
  await page.getByText(/^These positions are drawn/).waitFor({ timeout: SOLVING_MS });
  // The endings begin with few pieces.
  await page.evaluate(() => localStorage.setItem("anqi.material", JSON.stringify("Kgp")));
  await page.goto(`${world.url}#/tables`);
  const { sets } = await aside(page, { type: "lessons" }, "lessons");
  assert.ok(sets.includes("GCkc") && sets.includes(MATERIAL), sets.join());
  const choices = page.getByRole("radiogroup", { name: "With lessons" }).getByRole("radio");
  await until(async () => (await choices.count()) === sets.length, "a choice for each set");
  await choices.and(page.getByLabel("red guard, red guard, black king", { exact: true })).click();
  await page.getByRole("link", { name: "Practise" }).click();
  await page.waitForURL(/#\/practice\/GGk/);
  await asks(page).waitFor({ timeout: SOLVING_MS });
  await page.getByText(/^These are lessons/).waitFor();
  assert.equal(await idea(page).count(), 0, "nothing is told before");
  assertQuiet(seen);
});

test("a wrong move is refuted by the lesson's line, and the solution tells the idea and all refutations", async () => {
  const seen = await world.visit({ hash: "#/practice/GCkc" });
  const { page } = seen;
  await asks(page).waitFor({ timeout: SOLVING_MS });
  const exercises = await exercisesOf(page, "GCkc");
  assert.ok(exercises.length >= 5 && exercises.every(({ lesson }) => lesson.idea && lesson.refutations.length > 0));
  const asked = exercises.findLast(({ goal, lesson }) => goal === "win" && lesson.refutations.length > 1);
  const { lesson } = asked;
  await due(page, asked);
  const [wrong] = lesson.refutations;
  await move(page, wrong.action);
  await idea(page).waitFor();
  assert.equal(await idea(page).textContent(), lesson.idea);
  const told = page.locator(".lesson li");
  assert.equal(await told.count(), 1, "the move that was tried");
  const dashed = (action) => action.replace("-", "–");
  const plain = async (locator) => (await locator.textContent()).replaceAll("\u2060", "").replaceAll("\u00a0", " ");
  const words = wrong.value === "loss" ? "loses" : "only draws";
  const expected = `${dashed(wrong.action)} ${words}: ${dashed(wrong.line[0])}`;
  assert.ok((await plain(told)).startsWith(expected), `${await plain(told)} (expected ${expected})`);
  const cards = await page.evaluate(() => JSON.parse(localStorage.getItem("anqi.practice")));
  assert.equal(cards[asked.position].box, 0, "missed");
  await page.getByRole("button", { name: "Try again" }).click();
  await asks(page).waitFor();
  assert.equal(await idea(page).count(), 0, "asked again without help");
  await page.getByRole("button", { name: "Show the solution" }).click();
  await idea(page).waitFor();
  assert.equal(await told.count(), lesson.refutations.length);
  await told.first().getByRole("button").click();
  await until(async () => (await page.locator(".tree .node").count()) === wrong.line.length + 1, "the refutation as a line");
  assertQuiet(seen);
});

test("ideas are told in Chinese, and a draw shows how it is held", async () => {
  const seen = await world.visit({ hash: `#/practice/${MATERIAL}`, settings: { language: "zh-Hant" } });
  const { page } = seen;
  const exercises = await exercisesOf(page, MATERIAL);
  const asked = exercises.find(({ goal }) => goal === "draw") ?? exercises[0];
  await due(page, asked);
  await page.getByRole("button", { name: "看答案" }).click();
  await idea(page).waitFor();
  assert.match(await idea(page).textContent(), /^[紅黑].走到 |^[紅黑].在 /);
  if (asked.goal === "draw") await page.getByText("最佳著法：").waitFor();
  assertQuiet(seen);
});

test("lessons are puzzles that can be chosen", async () => {
  const seen = await world.visit({ hash: "#/puzzles" });
  const { page } = seen;
  const { lessons } = await aside(page, { type: "puzzles" }, "puzzles");
  await page.locator("label", { hasText: "Lessons" }).click();
  const shown = async () => (await page.locator(".stage").getAttribute("class")) && page.locator(".puzzles .note").filter({ hasText: "Ending" }).count();
  await until(shown, "a lesson");
  await page.getByRole("button", { name: "Show the solution" }).click();
  await idea(page).waitFor();
  assert.equal(await idea(page).textContent(), lessons[0].lesson.idea, "the easiest first");
  assert.equal(await page.locator(".lesson li").count(), lessons[0].lesson.refutations.length);
  assertQuiet(seen);
});
