// What an analysis offers: lines and arrows, verdicts of tables, variations, positions and links.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertQuiet, between, open, square, until, watchWorkers } from "./support.mjs";

let world;
before(async () => (world = await open()));
after(() => world?.close());

const link = (line) => `#/line/${encodeURIComponent(line.replaceAll(" ", "_"))}`;

/** Red wins with two actions, draws with others, and loses a rook with one. */
const ENDING = "4/4/1R1r/N3/4/p3/4/4 r - 4 90";
/** Both sides have something to capture, and nothing lies face down. */
const OPEN_GAME = "k2p/1p2/n1c1/4/2R1/1N2/P2P/K1C1 r - 0 60";

test("several lines with arrows, and a click on a move plays the line up to it", async () => {
  const seen = await world.visit({ hash: link(OPEN_GAME) });
  const { page } = seen;
  await page.locator(".lines li").nth(2).waitFor();
  await until(async () => (await page.locator(".arrows .arrow").count()) === 3, "an arrow for each line");
  assert.equal(await page.locator(".arrow-best").count(), 1);
  const steps = page.locator(".lines li").first().locator(".step");
  await until(async () => (await steps.count()) >= 2, "a line of two moves");
  // The line may change under the click while the engine deepens it.
  await page.getByRole("button", { name: "On", exact: true }).click();
  const [first, second] = (await steps.allInnerTexts()).map((text) => text.trim());
  await steps.nth(1).click();
  await until(async () => (await page.locator(".tree .node").count()) === 2, "two plies in the list");
  const shown = await page.locator(".tree").innerText();
  for (const move of [first, second]) assert.ok(shown.includes(move.slice(-2)), `${move} in ${shown}`);
  await page.keyboard.press("Home");
  await page.getByRole("button", { name: "Off", exact: true }).click();
  await page.getByRole("combobox", { name: "Lines shown" }).selectOption("1");
  await until(async () => (await page.locator(".lines li").count()) === 1 && (await page.locator(".arrows .arrow").count()) === 1, "one line, one arrow");
  assertQuiet(seen);
});

test("tables give every action its verdict and its colour", async () => {
  const seen = await world.visit({ hash: link(ENDING) });
  const { page } = seen;
  await page.locator(".verdicts button").first().waitFor();
  const verdicts = await page.locator(".verdicts button").evaluateAll((all) => all.map((each) => [each.className, each.innerText.replace(/\s+/g, " ")]));
  assert.ok(verdicts.some(([look, text]) => look === "win" && /^b6–b5 win \d+$/.test(text)), JSON.stringify(verdicts));
  assert.ok(verdicts.some(([look]) => look === "draw") && verdicts.some(([look]) => look === "loss"));
  await page.getByText(/^Red to move: win, capture in \d+$/).waitFor();
  await page.getByText("From the endgame tables").waitFor();
  await square(page, "b6").click();
  for (const [name, look] of [["b5", "win"], ["a6", "draw"], ["c6", "loss"]]) {
    await page.locator(`[data-square="${name}"].${look}`).waitFor();
  }
  await page.locator(".verdicts .win").first().click();
  await page.getByText(/^Black to move: loss, capture in \d+$/).waitFor();
  assertQuiet(seen);
});

test("a variation becomes the main line, and is deleted", async () => {
  const seen = await world.visit({ hash: link("start moves b3(K) c6(p) c5(P)") });
  const { page } = seen;
  const tree = page.locator(".tree");
  await page.getByRole("button", { name: "On", exact: true }).click();
  await page.keyboard.press("ArrowLeft");
  await square(page, "a1").click();
  await page.getByRole("region", { name: "What appears on a1?" }).getByRole("button", { name: /^Red pawn/ }).click();
  await tree.locator(".variation [aria-current]", { hasText: "a1" }).waitFor();
  await page.getByRole("button", { name: "Make main line" }).click();
  await tree.locator(".variation", { hasText: "c5" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await tree.locator(".variation [aria-current]", { hasText: "c5" }).waitFor();
  await page.getByRole("button", { name: "Delete from here" }).click();
  await tree.locator(".variation").waitFor({ state: "detached" });
  await tree.locator("[aria-current]", { hasText: "c6" }).waitFor();
  assertQuiet(seen);
});

test("who steps on before the boards have come stays where they went", async () => {
  const context = await world.browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  const page = await context.newPage();
  const held = [];
  let holding = true;
  const pass = (message) => (holding && message.type === "walk" ? new Promise((resolve) => held.push(resolve)) : undefined);
  await watchWorkers(context);
  await between(page, { pass });
  await page.goto(`${world.url}${link("start moves b3(K) c6(p) c5(P)")}`);
  await page.locator(".tree [aria-current]", { hasText: "c5" }).or(page.locator(".empty")).first().waitFor();
  await until(() => held.length > 0, "the boards of the line");
  await page.keyboard.press("Home");
  holding = false;
  for (const release of held) release();
  await page.waitForFunction(() => document.querySelectorAll(".tree .node .disc").length >= 3);
  await until(async () => (await page.locator(".tree [aria-current]").innerText()) === "Start", "the start, where Home led");
  await context.close();
});

test("position strings and links lead to the same board, and what cannot be read is refused in words", async () => {
  const seen = await world.visit({ hash: "#/analyse" });
  const { page } = seen;
  const read = async (text) => {
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByRole("textbox", { name: "Text" }).fill(text);
    await page.getByRole("button", { name: "Open" }).click();
  };
  await read("no record at all");
  await page.getByRole("alert").first().waitFor();
  assert.match(await page.getByRole("alert").first().innerText(), /\w+ \w+/);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await read(ENDING);
  await page.locator('[data-square="b6"][aria-label="b6, red rook"]').waitFor();
  await page.getByRole("button", { name: "Export" }).click();
  const field = page.getByRole("textbox", { name: "Link to this position" });
  await until(async () => (await field.inputValue()).includes("#/line/"), "the link");
  const address = await field.inputValue();
  const other = await world.visit({ hash: new URL(address).hash });
  await other.page.locator('[data-square="b6"][aria-label="b6, red rook"]').waitFor();
  const named = ({ page }) => page.evaluate(() => [...document.querySelectorAll(".square")].map((each) => each.ariaLabel).join("; "));
  assert.equal(await named(other), await named(seen));
  assertQuiet(seen, other);
});

test("the editor counts the pool, reads a position string and begins a game there", async () => {
  const seen = await world.visit({ hash: "#/editor" });
  const { page } = seen;
  await page.getByText("This position is possible.").waitFor();
  const field = page.getByRole("textbox", { name: "Position string" });
  await field.fill("KK2/4/4/4/4/4/4/k3 r - 0 1");
  await field.press("Enter");
  await page.locator(".faults li", { hasText: /K/ }).first().waitFor();
  await field.fill("K3/4/4/4/4/4/4/k2? r P 0 1");
  await field.press("Enter");
  await page.getByText("This position is possible.").waitFor();
  await page.getByRole("radio", { name: "Chosen" }).waitFor();
  assert.ok(await page.getByRole("radio", { name: "Chosen" }).isChecked());
  await page.getByRole("button", { name: "Play from here" }).click();
  await page.waitForURL(/#\/game\//);
  await page.locator('[data-square="a8"][aria-label="a8, red king"]').waitFor();
  await until(() => seen.state, "the first state of the game");
  assert.equal(seen.state.board.hidden, "P");
  assertQuiet(seen);
});
