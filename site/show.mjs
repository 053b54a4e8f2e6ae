// Pictures of the site at work: a whole game, its report, analysis, puzzle, editor, ending and practice, on a phone and in a wide
// window, and all of it again with the server stopped.
//
//   node site/show.mjs OUT FOLDER [--quick]
//
// The folder is served as anybody would, by Python's http.server. With --quick the report is that of a short game which tables
// know: one of a whole game takes a minute. Uses $CHROMIUM, or /usr/bin/chromium-headless-shell.

import { spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";

const [out, folder, option] = process.argv.slice(2);
if (!folder || (option && option !== "--quick")) {
  console.error("usage: node site/show.mjs OUT FOLDER [--quick]");
  process.exit(2);
}
process.env.SITE = resolve(out);
const { dice, launch, playOut, reportMade, square, still, until, visit } = await import("../engine/web/tests/support.mjs");

const SCREENS = {
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  wide: { viewport: { width: 1440, height: 900 } },
};
/** The rules that end soonest. */
const SETUP = { against: "level", player: "levels", level: 3, rules: "paper", clock: "none", begin: "me", seconds: 1 };
const SHORT = "4/2?1/1p2/r3/4/4/1?2/3R_r_Pp_0_40_moves_d1-d2_a5-a4_d2-d3_a4-b4_d3-d4_b4-c4_d4-d3_c4-c3_d3-d2_c7(P)_d2-d3_b2(p)";
/** Solving an ending, and a review of a whole game, on a machine that does other things as well. */
const PATIENT = { timeout: 300_000 };

async function serve() {
  const server = spawn("python3", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", resolve(out)], { stdio: ["ignore", "pipe", "ignore"] });
  const port = await new Promise((found) => server.stdout.on("data", (text) => /port (\d+)/.exec(text) && found(/port (\d+)/.exec(text)[1])));
  const stop = () => new Promise((ended) => server.once("exit", ended) && server.kill());
  return { url: `http://127.0.0.1:${port}/`, stop };
}

/** Waits until the service worker has kept everything, the distilled endings too. */
const kept = (page) =>
  page.waitForFunction(
    async () => {
      if (!navigator.serviceWorker.controller) return false;
      const [name] = (await caches.keys()).filter((each) => each.startsWith("anqi-"));
      const files = name ? await (await caches.open(name)).keys() : [];
      return files.some(({ url }) => url.endsWith(".dst"));
    },
    undefined,
    { ...PATIENT, polling: 500 },
  );

/** Everything once; the name of each picture begins with `prefix`. */
async function tour(seen, url, prefix) {
  const { page } = seen;
  const shoot = async (name) => {
    await still(page);
    const path = join(folder, `${prefix}-${name}.png`);
    await page.screenshot({ path });
    console.log(path);
  };
  const view = async (name, hash, ready) => {
    await page.evaluate((hash) => (location.hash = hash), hash);
    await page.locator(ready).first().waitFor(PATIENT);
    await shoot(name);
  };
  await page.goto(`${url}#/`);
  await page.reload();
  await page.locator(".home .square").first().waitFor();
  await shoot("start");
  seen.state = null;
  await square(page, "b3").click();
  await page.waitForURL(/#\/game\//);
  const act = async (from, to) => {
    await square(page, from).click();
    if (from !== to) await square(page, to).click();
  };
  await playOut(seen, act, dice(9), 16);
  await shoot("game");
  const plies = await playOut(seen, act, dice(9));
  console.log(`${prefix}: a game of ${16 + plies} plies and more is over`);
  await page.getByRole("region", { name: "Result" }).waitFor();
  await shoot("end");
  if (option === "--quick") {
    await page.evaluate((line) => (location.hash = `#/line/${encodeURIComponent(line)}`), SHORT);
    await until(async () => (await page.locator(".tree .node").count()) === 12, "the short game");
    await page.getByRole("button", { name: "Game report" }).click();
    await page.getByRole("button", { name: "Make the report" }).click();
  } else await page.getByRole("region", { name: "Result" }).getByRole("button", { name: "Game report" }).click();
  await reportMade(page);
  await shoot("report");
  await view("analysis", "#/line/start_moves_b3(K)_c6(p)_c5(P)", ".lines li");
  await view("puzzle", "#/puzzles", ".puzzle");
  await view("editor", "#/editor", ".palette");
  await view("ending", "#/tables", ".shares");
  await view("practice", "#/practice/KPcn", ".practice .card.puzzle.asking");
}

await mkdir(folder, { recursive: true });
const browser = await launch();
for (const [name, screen] of Object.entries(SCREENS)) {
  const server = await serve();
  const seen = await visit(browser, server.url, { ...screen, setup: SETUP });
  await tour(seen, server.url, name);
  await kept(seen.page);
  await server.stop();
  await tour(seen, server.url, `${name}-offline`);
  await seen.context.close();
}
await browser.close();
