// Analysing: records in and out, flips taken apart, the report, and nothing that is hidden.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertQuiet, AT_ONE_SCREEN, beginAtB3, choose, converse, dice, makeReport, open, square, until } from "./support.mjs";

let world;
before(async () => (world = await open()));
after(() => world?.close());

/** Plays a game over a connection of its own and returns its last state and its record. */
async function playedGame(seen, most, seed) {
  const moves = dice(seed);
  let last;
  const create = { type: "create", id: 1, seats: [{ kind: "me" }, { kind: "me" }], rules: "platform" };
  return converse(seen.page, create, (message) => {
    if (message.type === "exported") return { done: { state: last, record: message.text } };
    if (message.type !== "state") return null;
    last = message;
    if (message.outcome || message.plies.length >= most) return { type: "export", id: 9, format: "platform" };
    return { type: "play", action: choose(message, moves).join("-") };
  });
}

async function importText(page, text) {
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByRole("textbox", { name: "Text" }).fill(text);
  await page.getByRole("button", { name: "Open" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor({ state: "detached" }).catch(async () => assert.fail(`not imported: ${await dialog.innerText()}`));
}

async function exportText(page) {
  await page.getByRole("button", { name: "Export" }).click();
  const field = page.getByRole("textbox", { name: "Text" });
  await until(async () => (await field.inputValue()) !== "", "the exported text");
  const text = await field.inputValue();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  return text;
}

test("import, walk and export give the same record", async () => {
  const seen = await world.visit({ hash: "#/analyse" });
  const { page } = seen;
  const { state, record } = await playedGame(seen, 60, 21);
  await page.getByRole("button", { name: "On", exact: true }).click();
  await importText(page, record);
  const current = page.locator(".tree [aria-current]");
  await page.keyboard.press("Home");
  await until(async () => (await current.textContent()) === "Start", "the start");
  for (let ply = 0; ply < 12; ply += 1) await page.keyboard.press("ArrowRight");
  await until(async () => (await current.textContent()).includes(state.plies[11].ply.slice(0, 2)), "ply 12");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("End");
  const inView = () =>
    page.evaluate(() => {
      const [list, here] = [".tree", ".tree [aria-current]"].map((each) => document.querySelector(each).getBoundingClientRect());
      return here.top >= list.top - 1 && here.bottom <= list.bottom + 1;
    });
  await until(inView, "the list follows to the last ply");
  const squares = await page.evaluate(() => [...document.querySelectorAll(".square")].filter((each) => each.ariaLabel.includes("face down")).length);
  assert.equal(squares, [...state.board.squares].filter((each) => each === "?").length);
  assert.equal(await exportText(page), record);
  assertQuiet(seen);
});

/** The exported record without the minute in which it was written. */
const undated = (text) => ({ ...JSON.parse(text), date: null });

test("comments and variations are written in the move list, and import, walk and export keep them", async () => {
  const seen = await world.visit({ hash: "#/line/start_moves_b3(K)_c6(p)_c5(P)" });
  const { page } = seen;
  const tree = page.locator(".tree");
  const field = page.getByPlaceholder("Comment");
  await tree.getByRole("button", { name: /c6/ }).click();
  await until(async () => (await tree.locator("[aria-current]").textContent()).includes("c6"), "the ply that was clicked");
  await page.keyboard.press("c");
  await until(() => field.evaluate((each) => each === document.activeElement), "the focus on the comment");
  await field.fill("a {small} fish \\");
  await until(async () => (await tree.innerText()).includes("a {small} fish"), "the comment in the list");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowLeft");
  await until(async () => (await field.inputValue()) === "", "the comment of another ply");
  await square(page, "c6").click();
  await page.getByRole("region", { name: "What appears on c6?" }).getByRole("button", { name: /^Black king/ }).click();
  await tree.locator(".variation").waitFor();
  await field.fill("what a king");
  await tree.getByRole("button", { name: "a {small} fish" }).click();
  await until(async () => (await field.inputValue()) === "a {small} fish \\", "the comment that was clicked");
  const shown = await tree.innerText();
  const record = await exportText(page);
  assert.equal(undated(record).plies, "b3(K) c6(p) {a {small\\} fish \\\\} ( c6(k) {what a king} ) c5(P)");
  await importText(page, "start");
  await until(async () => (await tree.locator(".variation").count()) === 0, "an empty line");
  await importText(page, record);
  await tree.locator(".variation").waitFor();
  for (const key of ["Home", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowUp"]) await page.keyboard.press(key);
  await until(async () => (await tree.innerText()) === shown, "the list as it was");
  assert.deepEqual(undated(await exportText(page)), undated(record));
  assertQuiet(seen);
});

test("a flip is taken apart, and what if it had been something else is one click away", async () => {
  const seen = await world.visit({ hash: "#/analyse" });
  const { page } = seen;
  await square(page, "b3").click();
  await page.getByRole("region", { name: "What appears on b3?" }).getByRole("button", { name: /^Red king/ }).click();
  await page.getByRole("region", { name: "This flip" }).waitFor();
  const chart = page.getByRole("group", { name: "What may appear" }).first();
  await chart.getByRole("button", { name: /^Black cannon/ }).click();
  await page.waitForFunction(() => document.querySelector("[data-square=b3]").ariaLabel === "b3, black cannon");
  assert.equal(await page.locator(".tree .variation").count(), 1);
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => document.querySelector("[data-square=b3]").ariaLabel === "b3, red king");
  await page.locator(".lines li").first().waitFor();
  await page.locator(".arrow-best, .ring-best").first().waitFor();
  await page.getByPlaceholder("Comment").fill("a good start");
  await page.reload();
  await page.locator(".tree .said", { hasText: "a good start" }).waitFor();
  assertQuiet(seen);
});

// Two careless rooks, and two pawns that appear: mistakes and luck, of positions that tables know, so that the report is quick.
const CARELESS =
  "4/2?1/1p2/r3/4/4/1?2/3R r Pp 0 40 moves d1-d2 a5-a4 d2-d3 a4-b4 d3-d4 b4-c4 d4-d3 c4-c3 d3-d2 c7(P) " +
  "d2-d3 b2(p) d3-c3 b2-b1 c3-c4 b1-a1 c4-c5 a1-a2 c5-c6 a2-a3";

test("the report names errors, luck and turning points, and its graph leads to the plies", async () => {
  const seen = await world.visit({ hash: "#/analyse" });
  const { page } = seen;
  await importText(page, CARELESS);
  await makeReport(page);
  const curve = page.getByRole("img", { name: /^Evaluation for Red/ });
  const box = await curve.boundingBox();
  await page.mouse.click(box.x + 1, box.y + box.height / 2);
  await until(async () => (await page.locator(".tree [aria-current]").textContent()) === "Start", "the start after a click on the graph");
  const current = () => page.locator(".tree [aria-current]").innerText();
  for (const list of [".mistakes", ".turns"]) {
    const entry = page.locator(`${list} button`).first();
    const [, round, name] = /^(\d+)[.…].*?\b([a-d][1-8])\b/.exec(await entry.innerText());
    assert.ok(Number(round) <= CARELESS.split(" ").length / 2, `rounds are numbered as in the list of moves: ${round}`);
    await entry.click();
    // The position before a mistake, the one after a turning point; either way a step from the ply that is named.
    await until(async () => (await page.locator(".tree [aria-current], .tree [aria-current] + .node, .tree [aria-current] + .number + .node").allInnerTexts()).join(" ").includes(name), `${name} after a click in ${list}`);
    assert.notEqual(await current(), "Start");
  }
  await page.locator(".mistakes .good", { hasText: "Better," }).first().waitFor();
  await page.locator(".mistakes .bad", { hasText: "Played," }).first().waitFor();
  assert.equal(await page.getByText(/^level \d+( \(\d+ to \d+\))?$/).count(), 2, "a level for each side");
  await page.getByRole("img", { name: /^Luck of Red less luck of Black/ }).waitFor();
  assertQuiet(seen);
});

/** Black, who begins, could win and loses a rook: tables know all of it. */
const BLUNDER = "4/4/1r1R/n3/4/P3/4/4 b - 4 90 moves b6-c6 d6-c6";

test("every value of a report is for red, as it says, and the bar has it at once", async () => {
  const seen = await world.visit({ hash: `#/line/${encodeURIComponent(BLUNDER.replaceAll(" ", "_"))}` });
  const { page } = seen;
  await page.locator(".lines li").first().waitFor();
  await page.getByRole("button", { name: "On", exact: true }).click();
  await makeReport(page);
  await page.getByText("All values are for Red: + is good for Red, − for Black.").waitFor();
  const [mistake] = await page.locator(".mistakes .loss").allInnerTexts();
  assert.equal(mistake, "+2.00", "what black gives away is good for red");
  assert.match(await page.locator(".mistakes .good").first().innerText(), /loss/, "the better move loses for red");
  assert.equal(await page.locator(".turns .loss").first().innerText(), "+2.00");
  // The engine is off: the values are the report's.
  const number = page.locator(".evaluation b");
  for (const [key, value] of [["Home", "−1.00"], ["End", "+1.00"]]) {
    await page.keyboard.press(key);
    await until(async () => (await number.innerText()) === value, `${value} after ${key}`);
  }
  const bar = await page.locator(".evaluation-bar i").evaluate((each) => getComputedStyle(each).backgroundColor);
  const [red, green, blue] = bar.match(/\d+/g).map(Number);
  assert.ok(red > 2 * green && red > 2 * blue, `red's part is red: ${bar}`);
  assertQuiet(seen);
});

test("analysing a game that goes on tells nothing about what is hidden", async () => {
  const seen = await world.visit({ setup: AT_ONE_SCREEN });
  const { page } = seen;
  await beginAtB3(seen);
  for (const name of ["c6", "a1"]) {
    await square(page, name).click();
    await until(() => seen.state?.plies.at(-1)?.ply.startsWith(name), `${name} flipped`);
  }
  const game = page.url();
  await page.getByRole("button", { name: "Analyse" }).click();
  await until(() => seen.frames.some((frame) => frame.includes('"analysis"') && frame.includes("appearances")), "an analysis with chances");
  await page.locator(".lines li").first().waitFor();
  await page.goto(game);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Really?" }).click();
  await until(() => seen.state.deal.layout, "the layout at the end");
  const { layout, nonce } = seen.state.deal;
  let looks = 0;
  for (const frame of seen.frames) {
    const message = JSON.parse(frame);
    if (message.type === "state" && message.outcome) continue;
    assert.ok(!frame.includes(layout) && !frame.includes(nonce), "no frame tells the layout");
    for (const { appearances } of message.type === "analysis" ? message.flips : []) {
      looks += 1;
      // Every kind that lies face down may appear, as often as the pool has it.
      const total = appearances.reduce((sum, each) => sum + each.count, 0);
      const fair = appearances.every(({ count, chance }) => Math.abs(chance - count / total) < 1e-3);
      assert.ok(fair && appearances.length >= 12, JSON.stringify(appearances));
    }
  }
  assert.ok(looks > 0, "the traffic had distributions to look at");
  assertQuiet(seen);
});
