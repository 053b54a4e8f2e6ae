// Every view: accessible in both themes, in both languages, with nothing on the console.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { after, before, test } from "node:test";
import { assertQuiet, AT_ONE_SCREEN, beginAtB3, onServer, open, square, until } from "./support.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What the page may weigh, compressed, and how soon it must show something. */
const WEIGHT_BYTES = 300 * 1024;
const FIRST_PAINT_MS = 1000;
const MOST_VISITS = 8;

let world;
before(async () => (world = await open()));
after(() => world?.close());

/** What decides on colours: the slowest of axe's rules, and the same in every language. */
const CONTRAST = "color-contrast";

/** Fails if axe finds anything serious; `options` choose the rules that are asked, all of them if they are left out. */
async function assertAccessible(page, what, options = {}) {
  if (!(await page.evaluate(() => "axe" in window))) {
    // The page's policy forbids inline scripts; the debugger's channel is not bound by it.
    await page.evaluate(await readFile(AXE, "utf8"));
  }
  const { violations } = await page.evaluate((options) => window.axe.run(document, { resultTypes: ["violations"], ...options }), options);
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3).join(" | ")}`);
  assert.deepEqual(told, [], what);
}

const VIEWS = [
  ["start", "#/", ".setup"],
  ["analysis", "#/line/start_moves_b3(K)_c6(p)", ".engine"],
  ["editor", "#/editor", ".palette"],
  ["puzzles", "#/puzzles", ".puzzle"],
  ["endings", "#/tables", ".shares"],
];

/** Shows one view after the other in a page that stays open. */
async function eachView(page, look) {
  for (const [name, hash, ready] of VIEWS) {
    await page.evaluate((hash) => (location.hash = hash), hash);
    await page.locator(ready).first().waitFor();
    // What thinks goes on drawing, and has been seen.
    if (ready === ".engine") await page.getByRole("button", { name: /^(On|开|開)$/ }).click();
    await look(name);
  }
}

/** All that a view shows and says. */
async function everythingSaid(page) {
  return page.evaluate(() => {
    const named = [...document.querySelectorAll("[aria-label], [title]")].map((each) => `${each.ariaLabel ?? ""} ${each.title ?? ""}`);
    return `${document.title} ${document.body.innerText} ${named.join(" ")}`;
  });
}

const NAMES = /anqi puzzles|anqi 暗棋|anqi|OpenSpiel|champion|random|greedy|basic|enhance|var\d|[a-d][1-8]|Tab|Enter|Space|Esc|Home|End/g;

/** What no view of a language may show: words of English, signs of the other script. */
const FOREIGN = { en: /(?!)/, "zh-Hant": /[A-Za-z]{3,}|[对页设这残库题]/, "zh-Hans": /[A-Za-z]{3,}|[對頁設這殘庫題]/ };

for (const [language, foreign] of Object.entries(FOREIGN)) {
  test(`axe finds nothing serious in any view, and every word is of the language, ${language}`, async () => {
    const seen = await world.visit({ settings: { theme: "light", language } });
    const { page } = seen;
    await eachView(page, async (name) => {
      assert.equal(await page.evaluate(() => document.documentElement.lang), language);
      await assertAccessible(page, `${name}, ${language}`, { rules: { [CONTRAST]: { enabled: language === "en" } } });
      const text = (await everythingSaid(page)).replace(NAMES, "");
      assert.doesNotMatch(text, foreign, `${name}, ${language}`);
    });
    assertQuiet(seen);
  });
}

// Nothing but the colours differs.
test("in the dark theme axe finds every contrast sufficient", async () => {
  const seen = await world.visit({ settings: { theme: "dark" } });
  await eachView(seen.page, (name) => assertAccessible(seen.page, `${name}, dark`, { runOnly: { type: "rule", values: [CONTRAST] } }));
  assertQuiet(seen);
});

test("axe finds nothing serious in a game, its end and the dialogs", async () => {
  const seen = await world.visit({ setup: { ...AT_ONE_SCREEN, clock: "5+3" }, settings: { showThreats: true } });
  const { page } = seen;
  await beginAtB3(seen);
  await assertAccessible(page, "game");
  for (const name of ["Help", "Settings"]) {
    await page.getByRole("button", { name, exact: true }).click();
    await page.getByRole("dialog", { name }).waitFor();
    await assertAccessible(page, name);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Really?" }).click();
  await page.getByRole("region", { name: "Result" }).waitFor();
  await assertAccessible(page, "the end");
  assertQuiet(seen);
});

test("the language switches at once and stays", async () => {
  const seen = await world.visit({});
  const { page } = seen;
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("radio", { name: "繁體中文" }).check();
  await page.getByRole("heading", { name: "設定" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "新對局" }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), "zh-Hant");
  assert.equal(await square(page, "b3").getAttribute("aria-label"), "b3，暗棋");
  await page.reload();
  await page.getByRole("heading", { name: "新對局" }).waitFor();
  assertQuiet(seen);
});

test("the browser's languages decide, the first that the page speaks", async () => {
  for (const [locale, lang] of [["zh-TW", "zh-Hant"], ["zh-HK", "zh-Hant"], ["zh-CN", "zh-Hans"], ["zh", "zh-Hans"], ["fr-FR", "en"]]) {
    const seen = await world.visit({ locale });
    await seen.page.locator(".setup").waitFor();
    assert.equal(await seen.page.evaluate(() => document.documentElement.lang), lang, locale);
    await seen.context.close();
  }
  // What an older version kept means Traditional Chinese.
  const seen = await world.visit({ settings: { language: "zh" } });
  await seen.page.getByRole("heading", { name: "新對局" }).waitFor();
  await seen.context.close();
});

test("motion is left out for people who asked for that", async () => {
  const seen = await world.visit({ reducedMotion: "reduce" });
  const duration = await seen.page.locator(".turning").first().evaluate((each) => getComputedStyle(each).transitionDuration);
  assert.match(duration, /^0m?s$/);
});

test("the page is light and quick, and is the one that was committed", onServer, async () => {
  let weight = 0;
  const dist = new URL("../dist/", import.meta.url);
  const scripts = (await readdir(dist)).filter((name) => name.endsWith(".js"));
  for (const file of ["index.html", "page.css", "icon.svg", ...scripts]) {
    const answer = await fetch(`${world.url}${file === "index.html" ? "" : `assets/${file}`}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    const committed = await readFile(new URL(file, dist));
    assert.ok(bytes.equals(committed), `${file} as served is dist/${file}`);
    weight += gzipSync(bytes).length;
  }
  assert.ok(weight < WEIGHT_BYTES, `${weight} bytes`);
  // The best of some visits: the machine may be busy with something else.
  let paint = Infinity;
  for (let times = 0; times < MOST_VISITS && paint >= FIRST_PAINT_MS; times += 1) {
    const seen = await world.visit({});
    const first = () => seen.page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
    paint = Math.min(paint, await until(first, "the first paint"));
    await seen.context.close();
  }
  console.log(`weight ${weight} bytes compressed, first paint ${Math.round(paint)} ms`);
  assert.ok(paint < FIRST_PAINT_MS, `first paint after ${paint} ms`);
});
