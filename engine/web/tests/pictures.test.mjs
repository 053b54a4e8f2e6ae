// The pictures of the documentation, taken in the states that they show.

import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { assertQuiet, gameFrom, makeReport, open, square, still, until } from "./support.mjs";

const FOLDER = process.env.PICTURES || fileURLToPath(new URL("out/", import.meta.url));
const QUALITY = 82;
/** The analysis is pictured when it is so deep; where nobody looks at the picture, any depth will do. */
const PICTURED_DEPTH = process.env.PICTURES ? 8 : 3;

/** A middle game between two players of level 4, and an ending that tables know. */
const MIDDLE =
  "start moves a8(R) a6(m) b8(p) c5(r) a8-b8 b6(n) a4(g) a3(g) c3(P) b3(G) b3-a3 a4-a3 c8(p) a3-b3 a2(n) a1(C) b7(G) d6(k) d3(c) d2(C) c1(N) a2-a1 b7-b6 d1(P) d7(N) a5(M)";
const ENDING = "4/4/1R1r/N3/4/p3/4/4 r - 4 90";

let world;
before(async () => {
  await mkdir(FOLDER, { recursive: true });
  world = await open();
});
after(() => world?.close());

async function shoot(page, name) {
  await still(page);
  await page.screenshot({ path: join(FOLDER, `${name}.jpg`), type: "jpeg", quality: QUALITY });
}

const WIDE = { viewport: { width: 1280, height: 800 }, locale: "en-US" };
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const link = (line) => `#/line/${encodeURIComponent(line.replaceAll(" ", "_"))}`;

async function playing(name, options) {
  const seen = await world.visit({ ...WIDE, ...options });
  await gameFrom(seen, { seats: [{ kind: "me" }, { kind: "level", level: 7 }], start: MIDDLE, clock: { base_ms: 600_000, increment_ms: 5000 } });
  await seen.page.locator(".square.movable").first().waitFor();
  await shoot(seen.page, name);
  assertQuiet(seen);
  await seen.context.close();
}

test("pictures of a game", async () => {
  await playing("play", {});
  await playing("play-dark", { colorScheme: "dark" });
  await playing("play-zh", { locale: "zh-TW" });
  await playing("play-phone", PHONE);
});

test("a picture of the start", async () => {
  const seen = await world.visit(WIDE);
  await shoot(seen.page, "start");
  assertQuiet(seen);
});

test("a picture of an analysis", async () => {
  const seen = await world.visit({ ...WIDE, hash: link(MIDDLE) });
  await seen.page.getByRole("region", { name: "This flip" }).waitFor();
  await seen.page.locator(".lines li").nth(2).waitFor();
  await until(async () => Number(/Depth (\d+)/.exec(await seen.page.locator(".engine").innerText())?.[1]) >= PICTURED_DEPTH, "a search that has come to something");
  await shoot(seen.page, "analysis");
  assertQuiet(seen);
});

// What a report shows is tested in analysis.test.mjs; it takes a review of a whole game.
test("a picture of a report", { skip: process.env.PICTURES ? false : "only with --pictures" }, async () => {
  const seen = await world.visit({ ...WIDE, viewport: { width: 1280, height: 960 }, hash: link(MIDDLE) });
  await makeReport(seen.page);
  await seen.page.locator(".evaluation[aria-label^='For Red']").waitFor();
  await shoot(seen.page, "report");
  assertQuiet(seen);
});

test("a picture of an ending in the colours of the tables", async () => {
  const seen = await world.visit({ ...WIDE, hash: link(ENDING) });
  const { page } = seen;
  await page.locator(".verdicts button").first().waitFor();
  await square(page, "b6").click();
  await shoot(page, "ending");
  assertQuiet(seen);
});
