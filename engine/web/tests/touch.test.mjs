// A whole game by touch on a narrow phone.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertQuiet, dice, open, playOut, QUICK, square, still } from "./support.mjs";

let world;
before(async () => (world = await open()));
after(() => world?.close());

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);

test("a whole game by touch at 360 pixels", async () => {
  const seen = await world.visit({ setup: QUICK, ...PHONE });
  const { page } = seen;
  assert.ok(await fits(page), "the start page is no wider than the phone");
  await square(page, "c5").tap();
  await page.waitForURL(/#\/game\//);
  await playOut(
    seen,
    async (from, to) => {
      await square(page, from).tap();
      if (from !== to) await square(page, to).tap();
    },
    dice(3),
  );
  await page.getByRole("region", { name: "Result" }).waitFor();
  assert.ok(await fits(page), "the game is no wider than the phone");
  assertQuiet(seen);
});

test("no view is wider than the phone, and squares are large enough to touch", async () => {
  const views = { "": ".square", "#/analyse": ".square", "#/editor": ".palette", "#/tables": ".shares", "#/puzzles": ".puzzle" };
  for (const [hash, ready] of Object.entries(views)) {
    const seen = await world.visit({ hash, ...PHONE });
    await seen.page.locator(ready).first().waitFor();
    await still(seen.page);
    assert.ok(await fits(seen.page), `${hash || "start"} is no wider than the phone`);
    const squares = seen.page.locator(".square");
    const box = (await squares.count()) > 0 ? await squares.first().boundingBox() : null;
    if (box) assert.ok(box.width >= 36 && box.height >= 36, `${hash}: ${box.width} × ${box.height}`);
    assertQuiet(seen);
    await seen.context.close();
  }
});
