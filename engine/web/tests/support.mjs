// What the browser tests share: a backend, a browser, and hands that play.
//
// The backend is `anqi serve` ($ANQI names the program), or workers of the browser on the site that $SITE names.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "node:test";
import { chromium } from "playwright-core";
import { serveFolder } from "./static.mjs";

/** The folder of the site, if the page is tested without a server. */
export const SITE = process.env.SITE;

/** For tests of what only a server has: sockets, other devices, its own addresses. */
export const onServer = SITE ? { skip: "needs a server" } : {};

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Long enough for a machine that does other things as well. */
export const PATIENCE_MS = 30_000;

/** A review takes 20 seconds on two cores that do nothing else. */
const LONGEST_REVIEW_MS = 480_000;

/** Starts the program under test, on a free port unless other words are given; `within` comes before the program. */
export async function serve({ words = ["--port", "0", "--threads", "1"], within = [] } = {}) {
  const binary = process.env.ANQI;
  assert.ok(binary, "ANQI names the anqi program to test");
  const [program, ...rest] = [...within, binary, "serve", ...words];
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "inherit"] });
  const urls = await new Promise((resolve, reject) => {
    let said = "";
    child.once("exit", (code) => reject(new Error(`anqi serve ended with ${code}: ${said}`)));
    child.stdout.on("data", (bytes) => {
      said += bytes;
      const found = said.match(/http:\/\/\S+(?=\n)/g) ?? [];
      if (found.some((url) => url.startsWith("http://127.0.0.1:"))) resolve(found);
    });
  });
  const stop = () =>
    new Promise((resolve) => {
      child.removeAllListeners("exit");
      child.once("exit", resolve);
      child.kill("SIGTERM");
    });
  return { url: urls[0], urls, stop };
}

const browsers = new Set();

/** Starts a browser. */
export async function launch(executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell") {
  const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
  browsers.add(browser);
  browser.on("disconnected", () => browsers.delete(browser));
  return browser;
}

// A page that is left open goes on analysing and drawing, while the next test runs.
afterEach(async () => {
  await Promise.all([...browsers].flatMap((browser) => browser.contexts()).map((context) => context.close()));
});

/** Opens a server and a browser for the tests of a file; `close` in its `after`. */
export async function open() {
  const server = SITE ? await serveFolder(SITE) : await serve();
  const folder = await mkdtemp(join(tmpdir(), "anqi-page-"));
  const browser = await launch();
  const close = async () => {
    await browser.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { url: server.url, browser, close, visit: (options) => visit(browser, server.url, options) };
}

/** Discs that glide are drawn sixty times a second, by the processor; where motion is tested it is asked for. */
const CALM = { reducedMotion: "reduce" };

/**
 * Opens a page of its own. `complaints` collects console errors, `frames` what the
 * server sent, `state` is the last state of the game that the page shows: hands that
 * act on it find the board as they expect it.
 */
export async function visit(browser, url, { hash = "", settings, setup, ...options } = {}) {
  const context = await browser.newContext({ ...CALM, viewport: { width: 1280, height: 800 }, locale: "en-US", ...options });
  await context.addInitScript(
    ([stored, chosen]) => {
      if (stored && !localStorage.getItem("anqi.settings")) localStorage.setItem("anqi.settings", JSON.stringify(stored));
      if (chosen && !localStorage.getItem("anqi.setup")) localStorage.setItem("anqi.setup", JSON.stringify(chosen));
      const Plain = window.WebSocket;
      window.sockets = [];
      window.WebSocket = class extends Plain {
        constructor(address) {
          super(address);
          window.sockets.push(this);
        }
      };
    },
    [settings, setup],
  );
  await watchWorkers(context);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const seen = { context, page, complaints: [], frames: [], state: null };
  let order = Promise.resolve();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.complaints.push(message.text());
  });
  page.on("pageerror", (error) => seen.complaints.push(String(error)));
  const heard = (text) => {
    seen.frames.push(text);
    const message = JSON.parse(text);
    if (message.type === "state") order = order.then(() => shown(page, message)).then(() => (seen.state = message));
  };
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => heard(String(payload))));
  if (SITE) await page.exposeFunction("heardFromWorker", heard);
  await page.goto(`${url}${hash}`);
  await page.waitForSelector("main > *");
  return seen;
}

/** Lets tests see and change what the page and its worker say to each other. */
export function watchWorkers(context) {
  return context.addInitScript(() => {
    const PlainWorker = window.Worker;
    window.workers = [];
    window.Worker = class extends PlainWorker {
      constructor(...words) {
        super(...words);
        window.workers.push(this);
        this.addEventListener("message", ({ data }) => {
          if (data.kind === "say" && data.connection === 1) window.heardFromWorker?.(data.text);
        });
      }

      set onmessage(hear) {
        super.onmessage = async (event) => {
          const { data } = event;
          if (data.kind === "say" && data.connection === 1) await window.beforeHearing?.(data.text);
          hear(event);
        };
      }

      async postMessage(message) {
        this.hasBegun ||= message.kind === "begin";
        const answer = message.kind === "hear" && message.connection === 1 ? await window.answerInstead?.(message.text) : null;
        if (answer) this.dispatchEvent(new MessageEvent("message", { data: { kind: "say", connection: 1, text: answer } }));
        else super.postMessage(message);
      }
    };
  });
}

/** How long a view may take to come up that a message from the server has called for. */
const VIEW_MS = 2000;

/** Waits until the page shows a state of its game, or for a moment if it shows another view. */
async function shown(page, { game, version }) {
  const reached = ([game, version]) => {
    const [shownGame, shownVersion] = document.querySelector(".stage")?.dataset.state?.split(" ") ?? [];
    return shownGame === game && Number(shownVersion) >= version;
  };
  const wait = (timeout) => page.waitForFunction(reached, [game, version], { timeout, polling: 20 }).then(() => true, () => false);
  if (await wait(VIEW_MS)) return;
  // A busy machine may be slow to draw; another view never shows the state.
  if (/#\/(game|join)\//.test(page.url())) await wait(PATIENCE_MS);
}

/** Waits until nothing moves on the page but what moves for ever: discs and bars have come to rest. */
export async function still(page) {
  const atRest = () => document.getAnimations().every((each) => each.playState !== "running" || each.effect.getComputedTiming().endTime === Infinity);
  // Twice, since what ends one motion may begin the next.
  for (let times = 0; times < 2; times += 1) {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await page.waitForFunction(atRest, undefined, { polling: 20 });
  }
}

/** How long a review may stand still. */
const STANDSTILL_MS = 60_000;

/** Makes the report and waits for it. */
export async function makeReport(page) {
  await page.getByRole("button", { name: "Game report" }).click();
  await page.getByRole("button", { name: "Make the report" }).click();
  await reportMade(page);
}

/** Waits for a report as long as it goes on. */
export async function reportMade(page) {
  let [done, since] = [-1, Date.now()];
  await until(
    async () => {
      const seen = await page.evaluate(() => ({ report: document.querySelectorAll(".side-report").length === 2, done: document.querySelector(".report progress")?.value ?? 0 }));
      if (seen.report) return true;
      if (seen.done !== done) [done, since] = [seen.done, Date.now()];
      assert.ok(Date.now() - since < STANDSTILL_MS, `the review stands still at ply ${done}`);
      return false;
    },
    "the report",
    LONGEST_REVIEW_MS,
  );
}

/** Waits until `holds` returns something true. */
export async function until(holds, what, patience = PATIENCE_MS) {
  const end = Date.now() + patience;
  while (Date.now() < end) {
    const found = holds();
    const value = await found;
    if (value) return value;
    // A question to the page costs it some milliseconds.
    await new Promise((resolve) => setTimeout(resolve, found instanceof Promise ? 50 : 15));
  }
  assert.fail(`waited in vain: ${what}`);
}

export const square = (page, name) => page.locator(`[data-square="${name}"]`);

/** A number generator, so that a test plays the same way each time as far as the deal allows. */
export function dice(seed) {
  let state = seed;
  return (sides) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * sides);
  };
}

/** Picks an action that shortens the game: a capture, else a flip, else a move. */
export function choose({ board }, roll) {
  const moves = Object.entries(board.targets).flatMap(([from, targets]) => targets.map((to) => [from, to]));
  const taken = new Set(board.captures.map(({ from, to }) => from + to));
  const captures = moves.filter(([from, to]) => taken.has(from + to));
  const flips = board.flips.map((name) => [name, name]);
  const among = [captures, flips, moves].find((list) => list.length > 0);
  assert.ok(among, "the side to move has an action");
  return among[roll(among.length)];
}

/** The flip that opens a game on the start page comes after the empty board; an action before it would be one too many. */
export const firstFlip = (seen) => until(() => seen.state?.plies.length >= 1, "the first flip");

/** Begins a game by a click on the board of the start page, and waits until the flip is there. */
export async function beginAtB3(seen) {
  await square(seen.page, "b3").click();
  await seen.page.waitForURL(/#\/game\//);
  await firstFlip(seen);
}

/** Plays a game that the first flip has opened until it is over, or for some plies: `act` carries out an action with the hands under test. */
export async function playOut(seen, act, roll, most = Infinity) {
  await firstFlip(seen);
  let plies = 0;
  for (;;) {
    if (seen.state.plies.length >= most) return plies;
    const state = await until(
      () => seen.state && (seen.state.outcome || seen.state.you.includes(seen.state.to_move)) && seen.state,
      "our turn or the end",
    );
    if (state.outcome) return plies;
    await act(...choose(state, roll));
    // Not the next version: somebody who comes or goes makes one too.
    await until(() => seen.state.plies.length > state.plies.length, "the server's answer to our action");
    plies += 1;
    assert.ok(plies < 400, "a game under these rules ends");
  }
}

/** Two people at one screen, and the last capture: a game that is over as soon as it is played. */
export const LAST_CAPTURE = { seats: [{ kind: "me" }, { kind: "me" }], start: "4/4/4/4/1Rp1/4/4/4 r - 0 90" };

/** Opens a game that the page's form does not offer, and waits for our turn. */
export async function gameFrom(seen, setup) {
  const before = seen.state?.game;
  const { token } = await aside(seen.page, { type: "create", ...setup }, "created");
  await seen.page.evaluate((hash) => (location.hash = hash), `#/game/${token}`);
  const isNew = (state) => state && state.game !== before;
  await until(() => isNew(seen.state) && seen.state.you.includes(seen.state.to_move), "our turn");
}

/**
 * Stands between page and backend from the next load on: `answer` returns what a message is answered by instead, `pass`
 * returns when an answer may go on.
 */
export async function between(page, { answer = () => null, pass = () => {} }) {
  const instead = (text) => {
    const given = answer(JSON.parse(text));
    return given === null ? null : JSON.stringify(given);
  };
  if (SITE) {
    await page.exposeFunction("answerInstead", instead);
    await page.exposeFunction("beforeHearing", (text) => pass(JSON.parse(text)));
    return;
  }
  await page.routeWebSocket(/\/ws$/, (client) => {
    const server = client.connectToServer();
    client.onMessage((text) => {
      const given = instead(text);
      if (given === null) server.send(text);
      else client.send(given);
    });
    server.onMessage(async (text) => {
      await pass(JSON.parse(text));
      client.send(text);
    });
  });
}

/** The worker of the site hears nothing before its page has told it to begin. */
const answerable = (page) => SITE && page.waitForFunction(() => window.workers.at(-1)?.hasBegun);

/** A conversation on a connection of its own: `reply` returns what is sent next, null for nothing, or `{ done }` at the end. */
export async function converse(page, first, reply) {
  await answerable(page);
  await page.exposeFunction("replyTo", (text) => reply(JSON.parse(text)));
  return page.evaluate(
    (first) =>
      new Promise((resolve, reject) => {
        const worker = window.workers.at(-1);
        const connection = 1_000_001;
        const socket = worker ? null : new WebSocket(`ws://${location.host}/ws`);
        const send = (message) => {
          const text = JSON.stringify(message);
          if (socket) socket.send(text);
          else worker.postMessage({ kind: "hear", connection, text });
        };
        const take = async (text) => {
          const message = JSON.parse(text);
          if (message.type === "error") return reject(new Error(message.message));
          const next = await window.replyTo(text);
          if (!next) return;
          if (!("done" in next)) return send(next);
          if (socket) socket.close();
          else worker.postMessage({ kind: "disconnect", connection });
          resolve(next.done);
        };
        if (socket) {
          socket.onerror = () => reject(new Error("no connection"));
          socket.onopen = () => send(first);
          socket.onmessage = ({ data }) => take(data);
          return;
        }
        worker.addEventListener("message", ({ data }) => {
          if (data.kind === "say" && data.connection === connection) void take(data.text);
        });
        worker.postMessage({ kind: "connect", connection });
        send(first);
      }),
    first,
  );
}

/** Sends a message on a connection of its own, and returns the first answer of a type. */
export async function aside(page, message, type) {
  await answerable(page);
  return page.evaluate(
    ([message, type]) =>
      new Promise((resolve, reject) => {
        const text = JSON.stringify({ id: 1, ...message });
        const take = (answer, end) => {
          const told = JSON.parse(answer);
          if (told.type !== type && told.type !== "error") return;
          end();
          if (told.type === type) resolve(told);
          else reject(new Error(told.message));
        };
        const worker = window.workers.at(-1);
        if (worker === undefined) {
          const socket = new WebSocket(`ws://${location.host}/ws`);
          socket.onerror = () => reject(new Error("no connection"));
          socket.onopen = () => socket.send(text);
          socket.onmessage = ({ data }) => take(data, () => socket.close());
          return;
        }
        const connection = 2 + Math.floor(Math.random() * 1e6);
        const hear = ({ data }) => {
          if (data.kind !== "say" || data.connection !== connection) return;
          take(data.text, () => {
            worker.removeEventListener("message", hear);
            worker.postMessage({ kind: "disconnect", connection });
          });
        };
        worker.addEventListener("message", hear);
        worker.postMessage({ kind: "connect", connection });
        worker.postMessage({ kind: "hear", connection, text });
      }),
    [message, type],
  );
}

/** Clicks a move, or a flip if `to` is left out, and waits for it. */
export async function clickAction(seen, from, to) {
  const { length } = seen.state.plies;
  await square(seen.page, from).click();
  if (to) await square(seen.page, to).click();
  // Not the next version: somebody who comes or goes makes one too.
  await until(() => seen.state.plies.length > length, `${from} ${to ?? "flipped"}`);
}

export function assertQuiet(...visits) {
  for (const { complaints } of visits) assert.deepEqual(complaints, [], "nothing was written to the console");
}

/** Against an opponent that answers at once, by the rules that end soonest. */
export const QUICK = { against: "level", player: "random", rules: "course", clock: "none", begin: "me", seconds: 1 };
export const AT_ONE_SCREEN = { ...QUICK, against: "screen" };
