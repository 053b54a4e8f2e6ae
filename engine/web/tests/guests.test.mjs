// Two browsers in one game, and one that watches: whom they call what, and what needs both.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { aside, assertQuiet, clickAction, onServer, open, QUICK, reportMade, square, until } from "./support.mjs";

let world;
before(async () => (world = await open()));
after(() => world?.close());

/** Red, to move, wins: tables know it, so that a report is quick. */
const ENDING = "4/4/1R1r/N3/4/p3/4/4 r - 4 90";

/** A game by link, with a watcher; from a position that the form does not offer, if one is given. */
async function threeBrowsers(start = null) {
  const host = await world.visit({ setup: { ...QUICK, against: "link" } });
  const links = await (start ? linksFrom(host, start) : linksOfForm(host));
  const [guest, watcher] = [await world.visit({ hash: links[0] }), await world.visit({ hash: links[1] })];
  await until(() => [host, guest, watcher].every(({ state }) => state?.seats.every((seat) => !seat.waiting)), "all have come");
  return { host, guest, watcher };
}

async function linksOfForm({ page }) {
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL(/#\/game\//);
  const links = await Promise.all(["To answer", "To watch"].map((label) => page.getByLabel(label).inputValue()));
  return links.map((link) => new URL(link).hash);
}

async function linksFrom({ page }, start) {
  const { token, links, watch } = await aside(page, { type: "create", seats: [{ kind: "me" }, { kind: "link" }], start }, "created");
  await page.evaluate((hash) => (location.hash = hash), `#/game/${token}`);
  return [links[0].token, watch].map((each) => `#/join/${each}`);
}

async function flip(seen, all, name) {
  await square(seen.page, name).click();
  for (const each of all) await until(() => each.state.plies.at(-1)?.ply.startsWith(name), `${name} is seen`);
}

const named = (page) => page.locator(".seat-name").evaluateAll((all) => all.map((each) => each.textContent.trim()));
const turn = (page) => page.locator(".status .turn").innerText();

test("names come from the viewer's seat: for host, guest and watcher", onServer, async () => {
  const { host, guest, watcher } = await threeBrowsers();
  const all = [host, guest, watcher];
  assert.deepEqual(await named(host.page), ["Opponent", "You"]);
  assert.deepEqual(await named(guest.page), ["Opponent", "You"]);
  assert.deepEqual(await named(watcher.page), ["Second player", "First player"]);
  await until(async () => (await turn(guest.page)) === "The opponent's turn", "what the guest is told");
  assert.equal(await turn(host.page), "Your turn: turn over any piece");
  await flip(host, all, "b3");
  await until(async () => (await turn(host.page)) === "The opponent's turn", "what the host is told");
  const colors = watcher.state.seats.map(({ color }) => ({ red: "Red", black: "Black" })[color]);
  assert.deepEqual(await named(watcher.page), [colors[1], colors[0]]);
  await until(async () => (await turn(watcher.page)) === `${colors[1]} to move`, "what the watcher is told");
  assertQuiet(...all);
});

test("the report calls players by the viewer's seat, and the export as others read it", onServer, async () => {
  const { host, guest, watcher } = await threeBrowsers(ENDING);
  const all = [host, guest, watcher];
  await clickAction(host, "b6", "b5");
  await until(() => guest.state.plies.length === 1, "the guest sees the ply");
  await guest.page.getByRole("button", { name: "Resign" }).click();
  await guest.page.getByRole("button", { name: "Really?" }).click();
  for (const [seen, names] of [[host, ["You", "Opponent"]], [guest, ["Opponent", "You"]], [watcher, ["Red", "Black"]]]) {
    const { page } = seen;
    await page.getByRole("region", { name: "Result" }).getByRole("button", { name: "Game report" }).click();
    await reportMade(page);
    assert.deepEqual(await page.locator(".side-report h3").allInnerTexts(), names);
    await page.getByRole("button", { name: "Export" }).click();
    const field = page.getByRole("textbox", { name: "Text" });
    await until(async () => /First.player/.test(await field.inputValue()), "the export");
    assert.match(await field.inputValue(), /^\* First_player vs Second_player$/m, "others read the record");
  }
  assertQuiet(...all);
});

test("against a person a hint is given only when both agree", onServer, async () => {
  const { host, guest, watcher } = await threeBrowsers();
  const all = [host, guest, watcher];
  const ask = (seen) => seen.page.getByRole("button", { name: "Allow hints?" });
  const hints = () => all.flatMap(({ frames }) => frames).filter((frame) => JSON.parse(frame).type === "hint");
  await ask(host).click();
  await guest.page.getByText("The other player asks to allow hints for both.").waitFor();
  await guest.page.getByRole("button", { name: "Decline" }).click();
  await host.page.getByText("Hints were declined.").waitFor();
  await ask(host).click();
  assert.equal(hints().length, 0, "nobody was given a hint");
  await guest.page.getByRole("button", { name: "Accept" }).click();
  await host.page.getByRole("button", { name: "Hint", exact: true }).click();
  await host.page.locator(".arrow-hint, .ring-hint").waitFor();
  assert.equal(await watcher.page.getByRole("button", { name: /hint/i }).count(), 0);
  assertQuiet(...all);
});

test("whoever watches steps through the moves while the game goes on", onServer, async () => {
  const { host, guest, watcher } = await threeBrowsers();
  const all = [host, guest, watcher];
  for (const [seen, name] of [[host, "b3"], [guest, "c6"], [host, "d1"]]) await flip(seen, all, name);
  const { page } = watcher;
  const down = async (name) => (await square(page, name).getAttribute("aria-label")).includes("face down");
  await page.keyboard.press("ArrowLeft");
  await until(() => down("d1"), "the board a ply before");
  await page.getByText("Looking back: after ply 2 of 3").waitFor();
  await page.getByRole("list", { name: "Moves" }).getByRole("button").first().click();
  await until(() => down("c6"), "the board after the first ply");
  await flip(guest, all, "a8");
  await page.getByText("Looking back: after ply 1 of 4").waitFor();
  assert.ok(await down("a8"), "the board looked at stays");
  await page.getByRole("button", { name: "Back to the game" }).click();
  await until(async () => !(await down("a8")), "the board of the game");
  // Who plays looks back too, and cannot move a board of the past.
  await host.page.getByRole("button", { name: "To the start" }).click();
  await until(async () => (await square(host.page, "b3").getAttribute("aria-label")).includes("face down"), "the start");
  assert.equal(await host.page.locator(".square.movable").count(), 0);
  await host.page.getByRole("button", { name: "To the end" }).click();
  await until(async () => !(await square(host.page, "b3").getAttribute("aria-label")).includes("face down"), "the end");
  assertQuiet(...all);
});
