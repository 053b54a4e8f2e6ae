// What a game offers beside the moves: lines and threats, counters, clocks, sounds, rules, engines.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertQuiet, AT_ONE_SCREEN, beginAtB3, clickAction, gameFrom, open, QUICK, square, until } from "./support.mjs";

let world;
before(async () => (world = await open()));
after(() => world?.close());

const BOTH = [{ kind: "me" }, { kind: "me" }];

/** A red cannon that jumps over a pawn to a rook, and a red pawn that the rook can take. */
const CANNON = "4/4/4/4/4/4/P2P/Cp1r r - 0 1";

test("a chosen piece shows where it may go, a cannon its line, and on demand what the enemy can take", async () => {
  const seen = await world.visit({ hash: "#/" });
  const { page } = seen;
  await gameFrom(seen, { seats: BOTH, start: CANNON });
  await square(page, "a1").click();
  await page.locator(".arrow-cannon .screen").waitFor();
  assert.equal(await page.locator(".arrow-cannon").count(), 1);
  const looks = await page.evaluate(() => Object.fromEntries(["target", "prey"].map((look) => [look, [...document.querySelectorAll(`.square.${look}`)].map((each) => each.dataset.square)])));
  assert.deepEqual(looks, { target: [], prey: ["d1"] });
  await page.keyboard.press("Escape");
  await square(page, "a2").click();
  await page.locator('[data-square="b2"].target').waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".threatened").count(), 0);
  await page.keyboard.press("t");
  await page.locator('[data-square="d2"].threatened').waitFor();
  await page.locator(".arrow-threat").waitFor();
  await page.keyboard.press("t");
  await page.locator(".threatened").waitFor({ state: "detached" });
  assertQuiet(seen);
});

test("quiet plies and repetitions are counted, and the third repetition is the end", async () => {
  const seen = await world.visit({ hash: "#/" });
  const { page } = seen;
  await gameFrom(seen, { seats: BOTH, start: "k3/4/4/4/4/4/4/3K r - 0 1" });
  const counter = (name) => page.locator(".counters div", { hasText: name }).locator("dd");
  await counter("Quiet plies").waitFor();
  assert.equal(await counter("Repetition").count(), 0, "a position that has not recurred is not counted");
  const there = [["d1", "d2"], ["a8", "a7"], ["d2", "d1"], ["a7", "a8"]];
  for (const [from, to] of there) await clickAction(seen, from, to);
  assert.equal(await counter("Repetition").count(), 1);
  await until(async () => /^4 \//.test(await counter("Quiet plies").innerText()), "four quiet plies");
  await until(async () => (await counter("Repetition").innerText()) === "2 / 3", "the second time");
  for (const [from, to] of there) await clickAction(seen, from, to);
  const end = page.getByRole("region", { name: "Result" });
  await end.getByRole("heading", { name: "Draw" }).waitFor();
  await end.getByText("The position repeated.").waitFor();
  assertQuiet(seen);
});

test("an illegal target is refused with the terminal's sentence, in the language of the page", async () => {
  const said = { en: /A pawn does not capture a rook: a pawn captures pawns and the king, nothing else\./, zh: /兵卒只能吃兵卒和帥將。/ };
  for (const [language, sentence] of Object.entries(said)) {
    const seen = await world.visit({ hash: "#/", settings: { language } });
    const { page } = seen;
    await gameFrom(seen, { seats: BOTH, start: "4/4/Pr2/4/4/4/4/4 r - 0 1" });
    await square(page, "a6").click();
    await square(page, "b6").click();
    await page.locator(".notice", { hasText: sentence }).waitFor();
    await until(async () => sentence.test(await page.getByTestId("live").innerText()), "the sentence is read aloud");
    assert.equal(seen.state.plies.length, 0);
    assert.equal(await page.locator(".square.selected").count(), 0, "the piece is put down");
    await square(page, "a6").click();
    await square(page, "d6").click();
    await page.locator(".notice", { hasText: language === "en" ? /not one step along a row or column/ : /走一格/ }).waitFor();
    assertQuiet(seen);
    await seen.context.close();
  }
});

test("the end says the result once, and why", async () => {
  const seen = await world.visit({ setup: AT_ONE_SCREEN });
  const { page } = seen;
  await beginAtB3(seen);
  await page.getByRole("button", { name: "Resign" }).click();
  await page.getByRole("button", { name: "Really?" }).click();
  const end = page.getByRole("region", { name: "Result" });
  await end.getByText("By resignation.").waitFor();
  const said = (await end.innerText()).match(/wins/g) ?? [];
  assert.equal(said.length, 1);
  assertQuiet(seen);
});

test("the form sets opponent, level, seat, clock and rules, and the clock runs", async () => {
  const seen = await world.visit({ setup: { ...QUICK, player: "levels" } });
  const { page } = seen;
  await page.getByRole("slider", { name: "Level" }).fill("5");
  await page.getByText("5 · regular").waitFor();
  await page.getByRole("radio", { name: "Opponent" }).check();
  await page.getByRole("radio", { name: "5+3" }).check();
  await page.getByText("Rules and more").click();
  await page.getByRole("combobox", { name: "Rules" }).selectOption("platform");
  await page.getByRole("switch", { name: "Show what the computer thinks" }).check();
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL(/#\/game\//);
  await until(() => seen.state?.plies.length === 1 && seen.state.you[0] === 1, "the computer begins");
  assert.equal(seen.state.rules, "platform");
  assert.deepEqual(seen.state.seats.map(({ level }) => level), [5, null]);
  const quiet = seen.state.board.quiet_limit;
  await page.locator(".counters dd", { hasText: `0 / ${quiet}` }).waitFor();
  await until(async () => /^4:5\d$/.test(await page.locator(".clock.running").innerText()), "a running clock");
  const flip = seen.state.board.flips[0];
  await clickAction(seen, flip);
  await until(() => seen.frames.some((frame) => JSON.parse(frame).type === "thinking"), "what the computer thinks");
  assertQuiet(seen);
});

test("two computers play each other, pause and go on", async () => {
  const seen = await world.visit({ setup: { ...QUICK, against: "engines", engines: ["level:2", "level:3"] } });
  const { page } = seen;
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL(/#\/game\//);
  await until(() => seen.state?.plies.length >= 2, "two plies");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText("Paused").waitFor();
  await until(() => seen.state.paused, "the pause");
  const { plies } = seen.state;
  await page.getByRole("button", { name: "Go on" }).click();
  await until(() => seen.state.outcome || seen.state.plies.length > plies.length + 2, "the game goes on");
  assertQuiet(seen);
});

test("a move is heard, and with sounds off it is not", async () => {
  const seen = await world.visit({ setup: AT_ONE_SCREEN });
  const { page } = seen;
  await page.evaluate(() => {
    window.sounds = 0;
    const start = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (...at) {
      window.sounds += 1;
      return start.apply(this, at);
    };
  });
  const sounds = () => page.evaluate(() => window.sounds);
  await beginAtB3(seen);
  await clickAction(seen, "c6");
  await until(async () => (await sounds()) > 0, "the sound of a flip");
  const toggle = page.getByRole("button", { name: "Sounds" });
  await toggle.click();
  await page.locator(".sound[aria-pressed=false]").waitFor();
  const heard = await sounds();
  await clickAction(seen, "a1");
  await page.locator(".moves li span.current", { hasText: "a1" }).waitFor();
  assert.equal(await sounds(), heard);
  await page.keyboard.press("m");
  await page.locator(".sound[aria-pressed=true]").waitFor();
  assertQuiet(seen);
});

test("pieces have characters, letters or pictures, and the board stands or lies", async () => {
  const seen = await world.visit({ settings: { board: "lying" } });
  const { page } = seen;
  const drawn = () => page.evaluate(() => document.querySelector("#piece-K").innerHTML);
  const drawings = [await drawn()];
  await page.getByRole("button", { name: "Settings" }).click();
  for (const name of ["Letters", "Pictures"]) {
    await page.getByRole("radio", { name }).check();
    await until(async () => !drawings.includes(await drawn()), `pieces with ${name.toLowerCase()}`);
    drawings.push(await drawn());
  }
  await page.getByRole("radio", { name: "Tall" }).check();
  await page.locator(".board.upright").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("f");
  await page.locator(".board.lying").waitFor();
  assertQuiet(seen);
});

test("a game is saved by itself, and one that the server has forgotten is analysed or played on", async () => {
  const seen = await world.visit({ setup: AT_ONE_SCREEN });
  const { page } = seen;
  await beginAtB3(seen);
  await clickAction(seen, "c6");
  const plies = seen.state.plies.map(({ ply }) => ply);
  await page.getByRole("link", { name: "Play" }).click();
  await page.getByRole("region", { name: "Your games" }).getByRole("button", { name: /2 plies/ }).click();
  await page.waitForURL(/#\/game\//);
  await page.locator(".moves li span.current", { hasText: "c6" }).waitFor();
  // As if the server had been started again: the browser knows a token that the server does not.
  await page.evaluate(() => {
    const games = JSON.parse(localStorage.getItem("anqi.games"));
    localStorage.setItem("anqi.games", JSON.stringify([{ ...games[0], token: "f".repeat(games[0].token.length) }]));
    location.hash = `#/game/${"f".repeat(games[0].token.length)}`;
  });
  await page.getByText("Your browser still knows its moves.").waitFor();
  await page.getByRole("button", { name: "Play on with a new deal" }).click();
  await until(() => seen.state?.seats.some(({ level }) => level === 5), "a game against the computer");
  assert.deepEqual(seen.state.plies.slice(0, 2).map(({ ply }) => ply), plies);
  assertQuiet(seen);
});
