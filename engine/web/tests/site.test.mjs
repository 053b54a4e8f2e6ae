// The page without a server: what hinders it is said, and nothing is lost. Only with $SITE.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AT_ONE_SCREEN, beginAtB3, launch, open, QUICK, SITE, square, until, visit } from "./support.mjs";
import { serveFolder } from "./static.mjs";

const only = SITE ? {} : { skip: "needs a site" };
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

let world;
before(async () => (world = SITE ? await open() : undefined));
after(() => world?.close());

/** Opens the page in a browser with something missing, and returns what it says. */
async function told(missing) {
  const context = await world.browser.newContext({ locale: "en-US" });
  await context.addInitScript(missing);
  const page = await context.newPage();
  await page.goto(world.url);
  const text = await page.getByRole("alert").innerText();
  // The page itself is there.
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  await context.close();
  return text;
}

test("a browser without vectors or without workers is told what it lacks", only, async () => {
  assert.match(await told(() => (WebAssembly.validate = () => false)), /WebAssembly with SIMD/);
  assert.match(await told(() => delete globalThis.WebAssembly), /WebAssembly with SIMD/);
  const without = () => {
    globalThis.Worker = class {
      constructor() {
        throw new Error("forbidden");
      }
    };
  };
  assert.match(await told(without), /web server/);
});

test("a part that cannot be loaded is told, and loaded with the page the next time", only, async () => {
  const context = await world.browser.newContext({ locale: "en-US" });
  const page = await context.newPage();
  await page.route(/\.wasm$/, (route) => route.abort());
  await page.goto(world.url);
  await page.getByRole("alert").getByText("could not be loaded").waitFor();
  await page.unroute(/\.wasm$/);
  await page.reload();
  await square(page, "b3").click();
  await page.waitForURL(/#\/game\//);
  await context.close();
});

test("a referee that fails is replaced, and its game goes on with the same deal", only, async () => {
  const seen = await world.visit({ setup: AT_ONE_SCREEN });
  const { page } = seen;
  await beginAtB3(seen);
  const { deal, plies } = seen.state;
  await page.evaluate(() => window.workers.at(-1).dispatchEvent(new MessageEvent("message", { data: { kind: "broken", why: "as planned" } })));
  await until(() => page.evaluate(() => window.workers.length === 2), "another worker");
  await square(page, "c6").click();
  await until(() => seen.state.plies.length === 2, "the game goes on");
  assert.deepEqual(seen.state.plies[0], plies[0]);
  assert.equal(seen.state.deal.hash, deal.hash);
});

test("a game that is open in two tabs goes on in both", only, async () => {
  const seen = await world.visit({ setup: AT_ONE_SCREEN });
  const { page } = seen;
  await beginAtB3(seen);
  const other = await page.context().newPage();
  await other.goto(page.url());
  const shown = (tab, name) => async () => !(await square(tab, name).getAttribute("aria-label")).includes("face down");
  await until(shown(other, "b3"), "the game in the other tab");
  for (const [tab, name, watched] of [[page, "c6", other], [other, "a1", page], [page, "d8", other]]) {
    await square(tab, name).click();
    await until(shown(watched, name), `${name} in both tabs`);
  }
  await page.reload();
  await until(shown(page, "d8"), "the same game after a reload");
  await other.close();
});

test("while the computer thinks a click is answered at once, and the computer's next move comes", only, async () => {
  for (const headers of [{}, ISOLATED]) {
    const server = await serveFolder(SITE, headers);
    const browser = await launch();
    const seen = await visit(browser, server.url, { setup: { ...QUICK, player: "levels", level: 10, seconds: 20 } });
    const { page } = seen;
    assert.equal(await page.evaluate(() => crossOriginIsolated), headers === ISOLATED);
    await square(page, "b3").click();
    await until(() => seen.state?.thinking, "the computer thinks");
    // A busy machine delays one answer or another, so the median counts.
    const waits = await page.evaluate(async () => {
      const worker = window.workers.at(-1);
      const answered = async (type) => {
        const begin = performance.now();
        const answer = new Promise((resolve) => worker.addEventListener("message", resolve, { once: true }));
        worker.postMessage({ kind: "hear", connection: 1, text: JSON.stringify({ id: 999_999, type }) });
        await answer;
        return performance.now() - begin;
      };
      const waits = [];
      for (let times = 0; times < 20; times += 1) waits.push(await answered("ping"));
      waits.push(await answered("undo"));
      return waits.sort((a, b) => a - b);
    });
    console.log(`${headers === ISOLATED ? "isolated" : "not isolated"}: answers after ${waits[10].toFixed(1)} ms, at most ${waits[20].toFixed(1)}`);
    assert.ok(waits[10] < 50, `${waits[10]} ms`);
    await until(() => seen.state.plies.length === 0, "the undo");
    await square(page, "c6").click();
    await until(() => seen.state.plies.length === 1 && seen.state.thinking, "the computer thinks again");
    await browser.close();
    await server.stop();
  }
});

test("endings of five pieces come later, and again after a failure", only, async () => {
  // What a service worker fetches passes no route of the page.
  const context = await world.browser.newContext({ locale: "en-US", serviceWorkers: "block" });
  const page = await context.newPage();
  let failures = 0;
  await page.route(/pocket-.*\.dst$/, (route) => {
    failures += 1;
    return failures === 1 ? route.abort() : route.continue();
  });
  await page.goto(`${world.url}#/tables`);
  await until(() => failures === 1, "the first try", 60_000);
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await until(() => failures === 2, "the second try", 60_000);
  await page.locator("progress[aria-hidden]").waitFor({ state: "detached" });
  await context.close();
});
