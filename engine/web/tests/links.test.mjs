// Links that carry what they show, pictures, and the board to embed.

import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { host, siteFolder } from "./site.mjs";
import { assertQuiet, dice, open, SITE, square, until } from "./support.mjs";

const HERE = fileURLToPath(new URL("../", import.meta.url));

async function load(path) {
  const { outputFiles } = await build({ entryPoints: [`${HERE}src/${path}`], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const { encode, decode } = await load("share/code.ts");
const { boardsOf } = await load("share/replay.ts");
const { picture } = await load("share/picture.ts");

const ENDING = "4/4/1R1r/N3/4/p3/4/4 r - 4 90";
const GAME = ["b3(K)", "c6(p)", "c5(P)"];
const line = (some) => ({ kind: "game", start: "start", plies: GAME, rules: "olympiad", at: 2, players: null, outcome: null, ...some });
const PUZZLE = {
  id: "x",
  position: ENDING,
  rules: "olympiad",
  solution: ["b6-c6"],
  line: [{ action: "b6-c6", expected: null }],
  value: { expected: 1, kind: "win", plies: 25, source: "table" },
  second: { expected: 0, kind: "draw", plies: null, source: "table" },
  difficulty: 3,
  theme: "endgame",
  goal: "win",
  more: [{ reply: "d6-d5", solution: ["a5-a4"] }],
};

let world;
before(async () => (world = await open()));
after(() => world?.close());

test("whatever a link carries comes out as it went in", () => {
  const outcome = { winner: "black", winner_seat: 1, reason: "resignation" };
  const start = "1?2/4/4/4/k3/4/4/K3 b GPPPnn 12 345";
  for (const some of [{}, { kind: "report", outcome }, { players: ["安琪", "level 3"] }, { kind: "position", start: ENDING, plies: [], at: 0 }, { start, plies: ["b8(n)", "a1-a2"], rules: "platform" }]) {
    assert.deepEqual(decode(encode(line(some))), line(some));
  }
  const { id, ...carried } = decode(encode({ kind: "puzzle", puzzle: PUZZLE })).puzzle;
  assert.deepEqual({ ...carried, id: PUZZLE.id }, { ...PUZZLE });
  assert.notEqual(id, PUZZLE.id);
});

/** Comments, and two variations, one of them in the other. */
const NOTES = {
  comment: "so it begins",
  plies: [
    { ply: "b3(K)", after: 0, comment: "" },
    { ply: "c6(p)", after: 1, comment: "漂亮 {!}" },
    { ply: "c5(P)", after: 2, comment: "" },
    { ply: "c6(k)", after: 1, comment: "what if" },
    { ply: "a1(n)", after: 4, comment: "" },
    { ply: "a1(P)", after: 4, comment: "" },
    { ply: "d1(R)", after: 0, comment: "" },
  ],
};

test("a link carries comments and variations, and one without them is what it was", () => {
  const noted = line({ notes: NOTES, at: 6 });
  assert.deepEqual(decode(encode(noted)), noted);
  assert.ok(encode(noted).startsWith("2") && encode(line({})).startsWith("1"));
  const bare = line({ notes: { comment: "only this", plies: [] }, plies: [], at: 0 });
  assert.deepEqual(decode(encode(bare)), bare);
  const long = { ...NOTES, plies: NOTES.plies.map((ply) => ({ ...ply, comment: "x".repeat(500) })) };
  assert.equal(encode(line({ notes: long })), null, "a link that is too long to be sent");
  const text = encode(noted);
  for (const bad of [text.slice(0, -1), `${text}A`, `1${text.slice(1)}`, "2", `2${"_".repeat(1500)}`]) assert.equal(decode(bad), "damaged", bad.slice(0, 20));
});

test("a game of 200 plies with names is far below 2,000 characters, and one that is too long has no link", () => {
  const roll = dice(5);
  const plies = Array.from({ length: 200 }, (_, ply) => (ply < 32 ? `${"abcd"[ply % 4]}${(ply >> 2) + 1}(K)` : `${"abcd"[roll(4)]}${roll(8) + 1}-${"abcd"[roll(4)]}${roll(8) + 1}`));
  const text = encode(line({ plies, players: ["某某某某某某某某某某某某某某某某某某某某某某", "level 10"] }));
  assert.ok(text.length < 500, `${text.length} characters`);
  assert.equal(encode(line({ plies: Array(5000).fill("a1-a2") })), null);
});

test("a changed, cut, extended or newer link is told apart from a sound one, whatever the letters are", () => {
  const text = encode(line({}));
  assert.equal(decode(`3${text.slice(1)}`), "newer");
  assert.equal(decode(`z`), "newer");
  for (const bad of ["", "1", "!", text.slice(0, -1), `${text}A`, `${text.slice(0, 5)}${text[5] === "A" ? "B" : "A"}${text.slice(6)}`, `1${"_".repeat(4000)}`, "1<script>"]) {
    assert.equal(decode(bad), "damaged", bad.slice(0, 40));
  }
  const roll = dice(7);
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (let times = 0; times < 2000; times += 1) {
    const at = 1 + roll(text.length - 1);
    const other = letters[roll(64)];
    if (other === text[at]) continue;
    assert.equal(decode(text.slice(0, at) + other + text.slice(at + 1)), "damaged", `letter ${at}`);
  }
});

test("a replay puts pieces where the plies say", () => {
  const boards = boardsOf("start", ["a8(K)", "b8(p)", "a8-a7"]);
  assert.deepEqual(boards.map((board) => board.slice(0, 8)), ["????????", "K???????", "Kp??????", ".p??K???"]);
});

test("a picture stands alone", () => {
  const svg = picture({ squares: boardsOf(ENDING, [])[0], orientation: "lying", outline: () => "M0 0", title: 'a "b" <c>' });
  assert.match(svg, /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  assert.equal(svg.match(/<g transform/g).length, 4, "four pieces");
  assert.doesNotMatch(svg, /href|url\(|<script|<c>/);
});

/** A page whose clipboard is at hand, or forbidden. */
async function withClipboard(works) {
  const seen = await world.visit({ hash: `#/line/${"start moves b3(K) c6(p) c5(P)".replaceAll(" ", "_")}` });
  await seen.page.evaluate((works) => {
    const writeText = (text) => (works ? ((window.copied = text), Promise.resolve()) : Promise.reject(new DOMException("", "NotAllowedError")));
    Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
  }, works);
  return seen;
}

const exported = async (seen, label) => {
  await seen.page.getByRole("button", { name: "Export" }).click();
  const field = seen.page.getByRole("textbox", { name: label, exact: true });
  return until(() => field.inputValue(), label);
};

test("a link to a game and to its report open in another browser", async () => {
  const seen = await withClipboard(true);
  await seen.page.locator(".tree .node").nth(2).waitFor();
  const game = await exported(seen, "Link to this game");
  const report = await seen.page.getByRole("textbox", { name: "Link to this game and its report" }).inputValue();
  const [download] = await Promise.all([seen.page.waitForEvent("download"), seen.page.getByRole("link", { name: "Save as picture (SVG)" }).click()]);
  assert.equal(download.suggestedFilename(), "anqi.svg");
  assert.match(await readFile(await download.path(), "utf8"), /^<svg /);
  const other = await world.visit({ hash: new URL(game).hash });
  await other.page.locator(".tree .node").nth(2).waitFor();
  assert.equal(await square(other.page, "b3").getAttribute("aria-label"), "b3, red king");
  const third = await world.visit({ hash: new URL(report).hash });
  await third.page.getByRole("region", { name: "Game report" }).waitFor();
  assertQuiet(seen, other, third);
});

test("a link to a game with variations opens with them, at the ply that was looked at", async () => {
  const noted = encode(line({ notes: NOTES, at: 6 }));
  const seen = await world.visit({ hash: `#/s/${noted}` });
  const { page } = seen;
  const tree = page.locator(".tree");
  await tree.getByText("what if").waitFor();
  await until(async () => /a1/.test(await tree.locator("[aria-current]").innerText()), "the ply of the link");
  assert.equal(await tree.locator(".variation").count(), 3);
  await page.getByRole("button", { name: "Export" }).click();
  const field = page.getByRole("textbox", { name: "Link to this game", exact: true });
  await until(async () => (await field.inputValue()).endsWith(`#/s/${noted}`), "the same link again");
  const impossible = { ...NOTES, plies: [...NOTES.plies, { ply: "b3-d8", after: 7, comment: "" }] };
  const other = await world.visit({ hash: `#/s/${encode(line({ notes: impossible }))}` });
  await other.page.getByRole("alert").getByText(/rules do not allow/).waitFor();
  assertQuiet(seen, other);
});

test("a puzzle is copied as a link, and where nothing can be copied there is a field", async () => {
  for (const works of [true, false]) {
    const seen = await withClipboard(works);
    const { page } = seen;
    await page.getByRole("link", { name: "Puzzles" }).click();
    await page.getByRole("button", { name: "Copy link" }).click();
    const link = works ? await until(() => page.evaluate(() => window.copied), "the link") : await page.getByRole("textbox", { name: "Copy link" }).inputValue();
    const shown = await page.locator(".turn.mine").innerText();
    const other = await world.visit({ hash: new URL(link).hash });
    await other.page.locator(".puzzle").waitFor();
    assert.equal(await other.page.locator(".turn.mine").innerText(), shown);
    assertQuiet(other);
    await other.context.close();
    await seen.context.close();
  }
});

test("a link that is damaged, newer or against the rules gives a sentence", async () => {
  const impossible = encode(line({ plies: ["b3(K)", "b3-d8"] }));
  const wrong = encode({ kind: "puzzle", puzzle: { ...PUZZLE, solution: ["b6-d8"] } });
  for (const [payload, sentence] of [["1AAAA", /damaged/], ["3abc", /newer version/], [impossible, /rules do not allow/], [wrong, /rules do not allow/]]) {
    const seen = await world.visit({ hash: `#/s/${payload}` });
    await seen.page.getByRole("alert").getByText(sentence).waitFor();
    await seen.page.getByRole("link", { name: "To the start page" }).click();
    await seen.page.getByRole("heading", { name: "New game" }).waitFor();
    assertQuiet(seen);
    await seen.context.close();
  }
});

test("a board is embedded in another page, and the server of games lets nobody frame it", async () => {
  const folder = await siteFolder();
  const site = await host(folder);
  try {
    const example = await readFile(new URL("../../../site/example-embed.html", import.meta.url), "utf8");
    const context = await world.browser.newContext({ locale: "zh-TW" });
    const page = await context.newPage();
    await page.setContent(example.replaceAll("https://example.org/anqi/", site.url));
    const frame = page.frameLocator("iframe").first();
    await frame.getByRole("img", { name: /^棋盤/ }).waitFor();
    await frame.getByRole("button", { name: "下一步" }).click();
    await frame.getByText(/^1 \/ /).waitFor();
    const bad = await context.newPage();
    await bad.goto(`${site.url}embed.html#1AAAA`);
    await bad.getByRole("alert").waitFor();
    if (!SITE) {
      const headers = (await fetch(world.url)).headers;
      assert.match(`${headers.get("content-security-policy")} ${headers.get("x-frame-options")}`, /frame-ancestors 'none'|DENY/);
    }
    await context.close();
  } finally {
    await site.close();
    await rm(folder, { recursive: true, force: true });
  }
});
