// A game by touch on a narrow phone: its first plies and the last one.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertQuiet, dice, gameFrom, LAST_CAPTURE, open, playOut, QUICK, square, still } from "./support.mjs";

let world;
before(async () => (world = await open()));
after(() => world?.close());

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

/** Plies of a game that are enough for flips, moves and captures. */
const SOME = 24;

test("a game by touch at 360 pixels, from the first flip on the start page to the last capture", async () => {
  const seen = await world.visit({ setup: QUICK, ...PHONE });
  const { page } = seen;
  assert.ok(await fits(page), "the start page is no wider than the phone");
  await square(page, "c5").tap();
  await page.waitForURL(/#\/game\//);
  const act = async (from, to) => {
    await square(page, from).tap();
    if (from !== to) await square(page, to).tap();
  };
  await playOut(seen, act, dice(3), SOME);
  assert.ok(await fits(page), "the game is no wider than the phone");
  await gameFrom(seen, LAST_CAPTURE);
  await act("b4", "c4");
  await page.getByRole("region", { name: "Result" }).waitFor();
  assert.ok(await fits(page), "the end is no wider than the phone");
  assertQuiet(seen);
});

test("no view is wider than the phone, and squares are large enough to touch", async () => {
  const views = { "": ".home .square", "#/analyse": ".engine", "#/editor": ".palette", "#/tables": ".shares", "#/puzzles": ".puzzle" };
  const seen = await world.visit(PHONE);
  const { page } = seen;
  for (const [hash, ready] of Object.entries(views)) {
    await page.evaluate((hash) => (location.hash = hash), hash);
    await page.locator(ready).first().waitFor();
    await still(page);
    assert.ok(await fits(page), `${hash || "start"} is no wider than the phone`);
    const squares = page.locator(".square");
    const box = (await squares.count()) > 0 ? await squares.first().boundingBox() : null;
    if (box) assert.ok(box.width >= 36 && box.height >= 36, `${hash}: ${box.width} × ${box.height}`);
  }
  assertQuiet(seen);
});
