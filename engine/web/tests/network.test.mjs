// A phone on another address opens what `anqi serve --listen` prints, and plays.

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browserOn, on, twoDevices, whyNot } from "./namespaces.mjs";
import { assertQuiet, choose, dice, launch, onServer, QUICK, serve, SITE, square, until, visit } from "./support.mjs";

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

const reason = whyNot();
if (reason && !SITE) console.log(`SKIPPED: the phone on another address: ${reason}`);
const only = SITE ? onServer : { skip: reason ?? false };

let world;
before(async () => {
  if (SITE || reason) return;
  const devices = twoDevices();
  const folder = await mkdtemp(join(tmpdir(), "anqi-network-"));
  const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell";
  const server = await serve({ words: ["--listen", "0.0.0.0:8080"], within: on(devices.server) });
  const [atHome, phone] = await Promise.all([devices.server, devices.phone].map(async (device) => launch(await browserOn(device, folder, chromium))));
  const close = async () => {
    await Promise.all([atHome.close(), phone.close()]);
    await server.stop();
    devices.remove();
    await rm(folder, { recursive: true, force: true });
  };
  world = { ...server, atHome, phone, close };
});
after(() => world?.close());

const tokenOf = (url) => new URL(url).searchParams.get("token");

/** Plays some plies on one device, by touch. */
async function play(seen, plies) {
  const roll = dice(5);
  for (let count = 0; count < plies; count += 1) {
    const state = await until(() => seen.state && (seen.state.outcome || seen.state.you.includes(seen.state.to_move)) && seen.state, "our turn");
    if (state.outcome) return;
    const [from, to] = choose(state, roll);
    await square(seen.page, from).tap();
    if (from !== to) await square(seen.page, to).tap();
    await until(() => seen.state.plies.length > state.plies.length, "the server's answer to our action");
  }
}

test("the server prints an address for each interface, the one for other devices first", only, () => {
  const token = tokenOf(world.urls[0]);
  assert.match(token, /^[0-9a-f]{32}$/);
  assert.deepEqual(world.urls, [`http://10.77.0.1:8080/?token=${token}`, `http://127.0.0.1:8080/?token=${token}`]);
});

test("a phone opens the printed address, keeps no token in its own, and plays a level", only, async () => {
  const seen = await visit(world.phone, world.urls[0], { setup: QUICK, ...PHONE });
  const { page, context } = seen;
  assert.equal(page.url(), "http://10.77.0.1:8080/");
  const [cookie] = await context.cookies();
  assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.secure], [true, "Lax", false]);
  assert.equal(await page.evaluate(() => document.cookie), "");
  assert.equal(await page.evaluate(() => isSecureContext), false);
  await square(page, "b3").tap();
  await page.waitForURL(/#\/game\//);
  await until(() => seen.state?.plies.length >= 1, "the first flip");
  await play(seen, 6);
  await page.reload();
  await page.locator(".stage").waitFor();
  assertQuiet(seen);
  await context.close();
});

test("two devices play one game by a link, which makes no host of its holder", only, async () => {
  // At home the page comes from the loopback address, of which a link would be of no use elsewhere.
  const host = await visit(world.atHome, world.urls[1], { setup: { ...QUICK, against: "link" } });
  await host.page.getByRole("button", { name: "Play", exact: true }).click();
  await host.page.waitForURL(/#\/game\//);
  const link = await host.page.getByLabel("To answer").inputValue();
  assert.match(link, /^http:\/\/10\.77\.0\.1:8080\/\?token=[0-9a-f]{32}#\/join\/[0-9a-f]{32}$/);
  assert.notEqual(tokenOf(link), tokenOf(world.urls[0]));
  const guest = await visit(world.phone, link, PHONE);
  assert.equal(new URL(guest.page.url()).search, "");
  await until(() => host.state?.seats.every((seat) => !seat.waiting), "the guest sits down");
  for (const [mover, name] of [[host, "b3"], [guest, "c6"], [host, "d1"], [guest, "a8"]]) {
    await until(() => mover.state?.you.includes(mover.state.to_move), "the mover's turn");
    await (mover === guest ? square(mover.page, name).tap() : square(mover.page, name).click());
    for (const seen of [host, guest]) await until(() => seen.state.plies.at(-1)?.ply.startsWith(name), "both see the ply");
  }
  assert.deepEqual(host.state.plies, guest.state.plies);
  const code = await guest.page.evaluate(
    () =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://${location.host}/ws`);
        socket.onopen = () => socket.send(JSON.stringify({ type: "create", id: 1, seats: [{ kind: "me" }, { kind: "me" }] }));
        socket.onmessage = ({ data }) => resolve(JSON.parse(data).code);
      }),
  );
  assert.equal(code, "forbidden");
  assertQuiet(host, guest);
  await host.context.close();
  await guest.context.close();
});

test("on the phone a link is copied without a clipboard, and the page says that it comes over plain http", only, async () => {
  const seen = await visit(world.phone, world.urls[0], { setup: { ...QUICK, against: "link" }, ...PHONE });
  const { page, context } = seen;
  await page.getByRole("button", { name: "Play", exact: true }).tap();
  await page.waitForURL(/#\/game\//);
  await page.getByText("This page comes over plain http").waitFor();
  assert.equal(await page.evaluate(() => typeof navigator.clipboard), "undefined");
  await page.evaluate(() => document.addEventListener("copy", () => (window.copied = getSelection().toString() || document.activeElement.value)));
  const field = page.locator(".copy").first();
  await field.getByRole("button").tap();
  await field.getByText("Copied").waitFor();
  assert.equal(await page.evaluate(() => window.copied), await field.getByRole("textbox").inputValue());
  // Where the browser refuses even that, nothing claims to be copied.
  await page.evaluate(() => (document.execCommand = () => false));
  const second = page.locator(".copy").nth(1);
  await second.getByRole("button").tap();
  await page.getByText("copy it by hand").last().waitFor();
  assert.equal(await second.getByText("Copied").count(), 0);
  assertQuiet(seen);
  await context.close();
});

test("a phone without the token, or with a wrong one, sees nothing", only, async () => {
  const context = await world.phone.newContext(PHONE);
  const page = await context.newPage();
  for (const path of ["/", `/?token=${"0".repeat(32)}`, "/assets/page.js", "/api/about"]) {
    const answer = await page.goto(`http://10.77.0.1:8080${path}`);
    assert.equal(answer.status(), 403, path);
    assert.match(await answer.text(), /^this server needs the link/);
  }
  await context.close();
});
