// Where things lie on a phone, a phone on its side, a tablet and a wide window: by their boxes.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertQuiet, gameFrom, makeReport, open, still, until } from "./support.mjs";

let world;
before(async () => (world = await open()));
after(() => world?.close());

const touch = (width, height) => ({ viewport: { width, height }, hasTouch: true, isMobile: true });
const PHONE = touch(360, 740);
const SIDEWAYS = touch(740, 360);
const TABLET = touch(768, 1024);
const TINY = touch(320, 640);
const WIDE = { viewport: { width: 1440, height: 900 } };

const link = (line) => `#/line/${encodeURIComponent(line.replaceAll(" ", "_"))}`;
const MIDDLE =
  "start moves a8(R) a6(m) b8(p) c5(r) a8-b8 b6(n) a4(g) a3(g) c3(P) b3(G) b3-a3 a4-a3 c8(p) a3-b3 a2(n) a1(C) b7(G) d6(k) d3(c) d2(C) c1(N) a2-a1 b7-b6 d1(P) d7(N) a5(M)";
/** Black could win and loses a rook: tables know all of it, so that the report is quick. */
const BLUNDER = "4/4/1r1R/n3/4/P3/4/4 b - 4 90 moves b6-c6 d6-c6";

const boxOf = (page, selector) => page.locator(selector).first().boundingBox();
const inside = (box, { viewport: { width, height } }) => box.x >= -0.5 && box.y >= -0.5 && box.x + box.width <= width + 0.5 && box.y + box.height <= height + 0.5;
const told = (box) => JSON.stringify(box);

/** The page is as wide as the device, and nothing makes it wider. */
async function assertFits(page, { viewport: { width } }, what) {
  const [wide, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.ok(wide <= width && inner <= width, `${what}: ${wide} and ${inner} of ${width} pixels`);
}

async function analysing(screen, line = MIDDLE) {
  const seen = await world.visit({ ...screen, hash: link(line) });
  await seen.page.locator(".lines li").first().waitFor();
  await still(seen.page);
  await assertFits(seen.page, screen, "the analysis");
  return seen;
}

async function playing(screen) {
  const seen = await world.visit({ ...screen, hash: "#/" });
  await gameFrom(seen, { seats: [{ kind: "me" }, { kind: "me" }], start: MIDDLE });
  await still(seen.page);
  await assertFits(seen.page, screen, "the game");
  return seen;
}

test("on a phone a tapped mistake changes a board that is in sight, with the engine's line directly under it", async () => {
  const seen = await world.visit({ ...PHONE, hash: link(BLUNDER) });
  const { page } = seen;
  await makeReport(page);
  const mistake = page.locator(".mistakes button").first();
  await mistake.scrollIntoViewIfNeeded();
  await page.evaluate(() => document.querySelector(".mistakes").scrollIntoView({ block: "end" }));
  await mistake.tap();
  await until(async () => (await page.locator(".tree [aria-current]").innerText()) === "Start", "the position before the mistake");
  await until(async () => /[a-d][1-8]/.test(await page.locator(".best-line").innerText()), "the engine's line");
  const field = await boxOf(page, ".field");
  const line = await boxOf(page, ".best-line");
  const list = await mistake.boundingBox();
  assert.ok(inside(field, PHONE), `the board ${told(field)}`);
  assert.ok(inside(line, PHONE), `the engine's line ${told(line)}`);
  const under = line.y - (field.y + field.height);
  assert.ok(under >= 0 && under < 48, `${under} pixels between board and line`);
  assert.ok(list.y >= line.y + line.height - 1, `the mistake ${told(list)} is not covered by the line ${told(line)}`);
  assertQuiet(seen);
});

test("on a phone a third of an analysis is left for the lists below the board", async () => {
  for (const screen of [PHONE, TINY]) {
    const seen = await analysing(screen);
    await seen.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await still(seen.page);
    const part = await boxOf(seen.page, ".board-part");
    assert.ok(part.y >= -0.5, `the board stays: ${told(part)}`);
    const { height } = screen.viewport;
    assert.ok(part.y + part.height <= height * 0.68, `${told(part)} of ${height}`);
    const square = await boxOf(seen.page, ".square");
    assert.ok(square.width >= 36, `a square is ${square.width} pixels wide`);
    assertQuiet(seen);
    await seen.context.close();
  }
});

test("on a phone on its side board and panels stand beside each other", async () => {
  const analysis = await analysing(SIDEWAYS);
  for (const [seen, most] of [[analysis, ".best-line"], [await playing(SIDEWAYS), ".table > .seat:last-child"]]) {
    const field = await boxOf(seen.page, ".field");
    const panel = await boxOf(seen.page, seen === analysis ? ".stage > .moves-card" : ".side-panel");
    assert.ok(inside(field, SIDEWAYS), `the board ${told(field)}`);
    assert.ok(field.height >= SIDEWAYS.viewport.height * 0.45, `the board takes ${field.height} of the height`);
    assert.ok(panel.x >= field.x + field.width && panel.y < 100, `the panel ${told(panel)} is beside the board ${told(field)}`);
    const lowest = await boxOf(seen.page, most);
    assert.ok(inside(lowest, SIDEWAYS), `${most} is in sight: ${told(lowest)}`);
    await seen.page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await still(seen.page);
    assert.ok(inside(await boxOf(seen.page, ".field"), SIDEWAYS), "the board stays in sight");
    assertQuiet(seen);
  }
});

test("on a tablet the board takes the height, and the panels stand beside it", async () => {
  for (const seen of [await analysing(TABLET), await playing(TABLET)]) {
    const field = await boxOf(seen.page, ".field");
    const panel = await boxOf(seen.page, ".side-panel");
    assert.ok(inside(field, TABLET), `the board ${told(field)}`);
    assert.ok(field.height >= TABLET.viewport.height * 0.65, `the board takes ${field.height} of the height`);
    assert.ok(panel.x >= field.x + field.width && panel.x + panel.width <= 768, `the panel ${told(panel)} is beside the board ${told(field)}`);
    for (const seat of await seen.page.locator(".seat").all()) assert.ok(inside(await seat.boundingBox(), TABLET), "both players are in sight");
    assertQuiet(seen);
  }
});

test("in a wide window board, engine and moves are in sight together", async () => {
  const seen = await analysing(WIDE);
  for (const part of [".field", ".engine", ".moves-card", ".tree"]) {
    const box = await boxOf(seen.page, part);
    assert.ok(inside(box, WIDE), `${part}: ${told(box)}`);
  }
  assert.ok(!(await seen.page.locator(".best-line").isVisible()), "the engine's lines are beside the board already");
  assertQuiet(seen);
});

test("the moves of an analysis are written in two columns", async () => {
  for (const screen of [WIDE, PHONE, SIDEWAYS, TABLET]) {
    const seen = await analysing(screen);
    const boxes = await Promise.all([0, 1, 2, 3].map((index) => seen.page.locator(".tree > .node").nth(index).boundingBox()));
    const [first, answer, second] = boxes;
    assert.ok(Math.abs(first.y - answer.y) < 2 && answer.x >= first.x + first.width, `a ply and its answer share a row: ${told(boxes)}`);
    assert.ok(second.y > first.y && Math.abs(second.x - first.x) < 2, `the next round is a row of its own: ${told(boxes)}`);
    const cut = await seen.page.evaluate(() => [...document.querySelectorAll(".tree > .node")].filter((each) => each.scrollWidth > each.clientWidth + 1).length);
    assert.equal(cut, 0, `no ply is cut off at ${screen.viewport.width} pixels`);
    assertQuiet(seen);
    await seen.context.close();
  }
});

test("the position editor fits 320 pixels", async () => {
  const seen = await world.visit({ ...TINY, hash: "#/editor" });
  const { page } = seen;
  await page.getByText("This position is possible.").waitFor();
  await page.getByRole("radio", { name: "Chosen" }).check();
  await still(page);
  await assertFits(page, TINY, "the editor");
  for (const button of await page.locator(".palette button, .steppers li, .field, .editor .card input, .editor .buttons button").all()) {
    const box = await button.boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= 320, `${await button.getAttribute("aria-label")}: ${told(box)}`);
  }
  const choice = await boxOf(page, ".palette button");
  assert.ok(choice.width >= 30 && choice.height >= 30, `a piece to choose is ${told(choice)}`);
  assertQuiet(seen);
});
