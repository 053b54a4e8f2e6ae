// A whole game with the mouse: clicks for flips and captures, drags for moves.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertQuiet, beginAtB3, choose, dice, open, playOut, QUICK, square, until } from "./support.mjs";

let world;
before(async () => (world = await open()));
after(() => world?.close());

async function middle(page, name) {
  const box = await square(page, name).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

async function drag(page, from, to) {
  await page.mouse.move(...(await middle(page, from)));
  await page.mouse.down();
  await page.mouse.move(...(await middle(page, to)), { steps: 4 });
  await page.mouse.up();
}

test("a whole game by mouse, from the first flip on the start page to the checked deal", async () => {
  const seen = await world.visit({ setup: QUICK });
  const { page } = seen;
  await square(page, "b3").click();
  await page.waitForURL(/#\/game\//);
  let drags = 0;
  const plies = await playOut(
    seen,
    async (from, to) => {
      if (from !== to && drags++ % 2 === 0) return drag(page, from, to);
      await square(page, from).click();
      if (from !== to) await square(page, to).click();
    },
    dice(7),
  );
  assert.ok(plies > 10);
  assert.ok(drags > 2, "some moves were dragged");
  await page.getByRole("region", { name: "Result" }).waitFor();
  await page.getByText("Was the deal honest?").click();
  await page.getByRole("button", { name: "Check the deal" }).click();
  await page.getByText(/^Honest:/).waitFor();
  await page.getByRole("button", { name: "Rematch" }).click();
  await page.getByText("No moves yet.").or(page.locator(".moves li")).first().waitFor();
  assertQuiet(seen);
});

test("with a piece in hand, a click on a face-down piece lets go and flips nothing", async () => {
  const seen = await world.visit({ setup: { ...QUICK, against: "screen" } });
  const { page } = seen;
  await beginAtB3(seen);
  const roll = dice(5);
  while (Object.keys(seen.state.board.targets).length === 0) {
    const { length } = seen.state.plies;
    const [from, to] = choose(seen.state, roll);
    await square(page, from).click();
    if (from !== to) await square(page, to).click();
    await until(() => seen.state.plies.length > length, "the next ply");
  }
  const { plies, board } = seen.state;
  const piece = Object.keys(board.targets)[0];
  await square(page, piece).click();
  await page.waitForSelector(`[data-square="${piece}"].selected`);
  await square(page, board.flips[0]).click();
  await page.waitForSelector(`[data-square="${piece}"]:not(.selected)`);
  await square(page, piece).click();
  await page.waitForSelector(`[data-square="${piece}"].selected`);
  await page.keyboard.press("Escape");
  await page.waitForSelector(`[data-square="${piece}"]:not(.selected)`);
  assert.equal(seen.state.plies.length, plies.length);
  assertQuiet(seen);
});
