// A game with the keyboard alone: Tab to the board, arrows from square to square.
//
// Whole games are played with the mouse; here are the first plies and the last one.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertQuiet, AT_ONE_SCREEN, dice, gameFrom, LAST_CAPTURE, open, playOut, until } from "./support.mjs";

let world;
before(async () => (world = await open()));
after(() => world?.close());

const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute("data-square"));

async function tabToBoard(page) {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await focused(page)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail("Tab leads to the board");
}

/** Walks with the arrows on the lying board: rows run to the right, columns downwards. */
async function walk(page, to) {
  const at = await focused(page);
  assert.ok(at, "the focus stays on the board");
  const right = Number(to[1]) - Number(at[1]);
  const down = to.charCodeAt(0) - at.charCodeAt(0);
  for (let step = 0; step < Math.abs(right); step += 1) await page.keyboard.press(right > 0 ? "ArrowRight" : "ArrowLeft");
  for (let step = 0; step < Math.abs(down); step += 1) await page.keyboard.press(down > 0 ? "ArrowDown" : "ArrowUp");
  assert.equal(await focused(page), to);
}

/** Plies of a game that are enough for flips, moves and captures. */
const SOME = 24;

test("a game by keyboard, from the first flip on the start page to the last capture, every ply announced", async () => {
  const seen = await world.visit({ setup: AT_ONE_SCREEN, settings: { board: "lying" } });
  const { page } = seen;
  await page.evaluate(() => {
    window.heard = [];
    const live = document.querySelector("[data-testid=live]");
    new MutationObserver(() => window.heard.push(live.textContent)).observe(live, { childList: true, characterData: true, subtree: true });
  });
  await tabToBoard(page);
  await walk(page, "b4");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#\/game\//);
  await until(async () => (await focused(page)) === "b4", "the focus goes on from the same square");
  let presses = 0;
  const act = async (from, to) => {
    const key = presses++ % 2 === 0 ? "Enter" : "Space";
    await walk(page, from);
    await page.keyboard.press(key);
    if (from === to) return;
    await walk(page, to);
    await page.keyboard.press(key);
  };
  await playOut(seen, act, dice(11), SOME);
  // The first flip is made before the game view hears of it; every later ply is spoken.
  const heard = await until(async () => {
    const all = await page.evaluate(() => window.heard);
    return all.length >= seen.state.plies.length - 1 && all;
  }, "an announcement of every ply");
  assert.ok(heard.some((text) => /appears on/.test(text)) && heard.some((text) => / to | takes /.test(text)), heard.join("; "));
  await gameFrom(seen, LAST_CAPTURE);
  await tabToBoard(page);
  await act("b4", "c4");
  await page.getByRole("region", { name: "Result" }).waitFor();
  assertQuiet(seen);
});

test("arrows that come faster than the board is drawn all count", async () => {
  const seen = await world.visit({ setup: AT_ONE_SCREEN, settings: { board: "lying" } });
  await tabToBoard(seen.page);
  const from = await focused(seen.page);
  const [file, rank] = [from[0], Number(from[1])];
  const key = rank > 4 ? "ArrowLeft" : "ArrowRight";
  // In one task, so that nothing is drawn between them.
  await seen.page.evaluate((key) => {
    for (let times = 0; times < 3; times += 1) document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  }, key);
  assert.equal(await focused(seen.page), `${file}${rank > 4 ? rank - 3 : rank + 3}`);
  assertQuiet(seen);
});

test("? opens the list of keys, and Escape closes it", async () => {
  const seen = await world.visit({ setup: AT_ONE_SCREEN });
  const { page } = seen;
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Help" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  assertQuiet(seen);
});
