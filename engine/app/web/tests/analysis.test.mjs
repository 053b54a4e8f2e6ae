// Analysing: records in and out, flips taken apart, the report, and nothing that is hidden.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertQuiet, AT_ONE_SCREEN, choose, dice, firstFlip, open, square, until } from "./support.mjs";

let world;
before(async () => (world = await open()));
after(() => world?.close());

/** Plays a game over a connection of its own and returns its last state and its record. */
async function playedGame(seen, most, seed) {
  const moves = dice(seed);
  await seen.page.exposeFunction("pick", (state) => choose(state, moves).join("-"));
  return seen.page.evaluate(
    (limit) =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`ws://${location.host}/ws`);
        let last;
        const send = (message) => socket.send(JSON.stringify(message));
        socket.onopen = () => send({ type: "create", id: 1, seats: [{ kind: "me" }, { kind: "me" }], rules: "platform" });
        socket.onmessage = async ({ data }) => {
          const message = JSON.parse(data);
          if (message.type === "error") reject(new Error(message.message));
          if (message.type === "exported") {
            socket.close();
            resolve({ state: last, record: message.text });
          }
          if (message.type !== "state") return;
          last = message;
          if (message.outcome || message.plies.length >= limit) send({ type: "export", id: 9, format: "platform" });
          else send({ type: "play", action: await window.pick(message) });
        };
      }),
    most,
  );
}

async function importText(page, text) {
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByRole("textbox", { name: "Text" }).fill(text);
  await page.getByRole("button", { name: "Open" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
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
  const squares = await page.evaluate(() => [...document.querySelectorAll(".square")].filter((each) => each.ariaLabel.includes("face down")).length);
  assert.equal(squares, [...state.board.squares].filter((each) => each === "?").length);
  assert.equal(await exportText(page), record);
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

test("the report names errors, luck and turning points, and its graph leads to the plies", async () => {
  const seen = await world.visit({ hash: "#/analyse" });
  const { page } = seen;
  const { record } = await playedGame(seen, 26, 5);
  await importText(page, record);
  await page.getByRole("button", { name: "Game report" }).click();
  await page.getByRole("button", { name: "Make the report" }).click();
  await page.locator(".side-report").nth(1).waitFor({ timeout: 90_000 });
  const curve = page.getByRole("img", { name: /^Evaluation for Red/ });
  const box = await curve.boundingBox();
  await page.mouse.click(box.x + 1, box.y + box.height / 2);
  await until(async () => (await page.locator(".tree [aria-current]").textContent()) === "Start", "the start after a click on the graph");
  await page.locator(".mistakes button").first().click();
  assertQuiet(seen);
});

test("analysing a game that goes on tells nothing about what is hidden", async () => {
  const seen = await world.visit({ setup: AT_ONE_SCREEN });
  const { page } = seen;
  await square(page, "b3").click();
  await page.waitForURL(/#\/game\//);
  await firstFlip(seen);
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
