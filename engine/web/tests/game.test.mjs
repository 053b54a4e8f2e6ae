// A game survives undo, reload and a lost connection, and joins two browsers.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertQuiet, AT_ONE_SCREEN, beginAtB3, onServer, open, QUICK, SITE, square, until } from "./support.mjs";

let world;
before(async () => (world = await open()));
after(() => world?.close());

/** Flips a square and returns what appeared. */
async function flip(seen, name) {
  const version = seen.state?.version ?? -1;
  await square(seen.page, name).click();
  await until(() => seen.state && seen.state.version > version && seen.state.plies.at(-1)?.ply.startsWith(name), `${name} flipped`);
  return seen.state.plies.at(-1).piece;
}

test("undo keeps the deal", async () => {
  const seen = await world.visit({ setup: AT_ONE_SCREEN });
  const { page } = seen;
  await beginAtB3(seen);
  const first = await flip(seen, "c6");
  const undo = page.getByRole("button", { name: "Undo" });
  for (let times = 0; times < 3; times += 1) {
    await undo.click();
    await until(() => seen.state.plies.length === 1, "one ply is taken back");
    await page.waitForFunction(() => document.querySelector("[data-square=c6]").ariaLabel.includes("face down"));
    await flip(seen, "a1");
    await undo.click();
    await until(() => seen.state.plies.length === 1, "the other flip is taken back");
    assert.equal(await flip(seen, "c6"), first);
  }
  assertQuiet(seen);
});

test("a reload and a lost connection while the computer thinks change nothing", async () => {
  const seen = await world.visit({ setup: { ...QUICK, player: "levels", level: 10, seconds: 4 } });
  const { page } = seen;
  await square(page, "b3").click();
  await page.waitForURL(/#\/game\//);
  await until(() => seen.state?.thinking, "the computer thinks");
  const piece = seen.state.plies[0].ply;
  await page.reload();
  await page.waitForSelector(".seat");
  await until(() => seen.state?.plies[0]?.ply === piece, "the same game after the reload");
  assert.ok(seen.state.plies.length <= 1, "the computer still thinks");
  if (!SITE) await page.evaluate(() => window.sockets.at(-1).close());
  await until(() => seen.state.plies.length === 2, "the computer's move comes over the new connection");
  if (!SITE) await until(() => page.evaluate(() => window.sockets.length >= 2), "a second connection");
  await square(page, seen.state.board.flips[0]).click();
  await until(() => seen.state.plies.length > 2, "the game goes on");
  assert.ok(seen.complaints.every((text) => /WebSocket|ERR_/.test(text)), seen.complaints.join("\n"));
});

test("two browsers play one game by a link", onServer, async () => {
  const host = await world.visit({ setup: { ...QUICK, against: "link" } });
  await host.page.getByRole("button", { name: "Play", exact: true }).click();
  await host.page.waitForURL(/#\/game\//);
  const link = await host.page.getByLabel("To answer").inputValue();
  const guest = await world.visit({ hash: new URL(link).hash });
  // The host may hear of the guest before the guest has seen anything.
  await until(() => guest.state && host.state?.seats.every((seat) => !seat.waiting), "the guest sits down");
  for (const [mover, name] of [[host, "b3"], [guest, "c6"], [host, "d1"], [guest, "a8"]]) {
    const other = mover === host ? guest : host;
    await until(() => mover.state?.you.includes(mover.state.to_move), "the mover's turn");
    await square(mover.page, name).click();
    for (const seen of [mover, other]) await until(() => seen.state.plies.at(-1)?.ply.startsWith(name), "both see the ply");
  }
  assert.deepEqual(host.state.plies, guest.state.plies);
  assert.deepEqual([host.state.you, guest.state.you], [[0], [1]]);
  await host.page.getByRole("button", { name: "Offer draw" }).click();
  await guest.page.getByRole("button", { name: "Accept" }).click();
  await host.page.getByRole("heading", { name: "Draw" }).waitFor();
  await guest.page.getByRole("heading", { name: "Draw" }).waitFor();
  assertQuiet(host, guest);
});

test("hint, resignation, and what is hidden stays hidden until the end", async () => {
  const seen = await world.visit({ setup: { ...QUICK, against: "screen", thinking: true } });
  const { page } = seen;
  await beginAtB3(seen);
  for (const name of ["c6", "a1", "d8"]) await flip(seen, name);
  await page.getByRole("button", { name: "Hint" }).click();
  await page.locator(".arrow-hint, .ring-hint").waitFor();
  await page.getByText("The deal is fixed").click();
  const promised = await page.locator(".deal .hash").innerText();
  const before = [...seen.frames];
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Really?" }).click();
  await page.getByRole("region", { name: "Result" }).waitFor();
  const { nonce, layout } = await until(() => seen.state.deal.layout && seen.state.deal, "the layout at the end");
  assert.equal(layout.length, 32);
  await page.getByText("Was the deal honest?").click();
  const [command, hash] = await page.locator(".deal .hash").allInnerTexts();
  assert.equal(hash, promised);
  assert.ok(command.includes(`${nonce} ${layout}`), command);
  for (const frame of before) {
    assert.ok(!frame.includes(layout) && !frame.includes(nonce), "no frame tells the deal before the end");
    const message = JSON.parse(frame);
    if (message.type === "state") assert.deepEqual([message.deal.nonce, message.deal.layout], [null, null]);
  }
  assertQuiet(seen);
});
