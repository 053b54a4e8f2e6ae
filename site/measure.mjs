// What a visitor of the site waits for, and what it takes of a device.
//
//   node site/measure.mjs OUT
//
// Prints the sizes of all files, the first paint and the first move over a slow line, the memory of the workers, and how long a
// set of five pieces takes. Speed is the matter of bench.mjs. Uses $CHROMIUM, or /usr/bin/chromium-headless-shell.

import { spawnSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { serveFolder } from "../engine/web/tests/static.mjs";

const { chromium } = createRequire(new URL("../engine/web/package.json", import.meta.url))("playwright-core");

/** The line: nine megabits a second, 170 ms there and back. */
const LINE = { offline: false, latency: 170, downloadThroughput: 9e6 / 8, uploadThroughput: 9e6 / 8 };
const TIMES = 5;
const MEBIBYTE = 1 << 20;
/** A busy machine solves an ending slowly. */
const PATIENT = { timeout: 300_000 };
/** How long level 10 and an analysis of five lines think while the memory is watched. */
const THINKING_MS = 15_000;

const zipped = (bytes) => spawnSync("gzip", ["-9c"], { input: bytes, maxBuffer: 1 << 24 }).stdout;
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

async function sizes(out) {
  const { files } = JSON.parse(await readFile(join(out, "files.json"), "utf8"));
  const rows = [{ path: "index.html", first: true }, ...files];
  let total = 0;
  for (const { path, first } of rows) {
    const bytes = await readFile(join(out, path));
    const small = zipped(bytes).length;
    if (first) total += small;
    console.log(`${String(bytes.length).padStart(9)} ${String(small).padStart(9)} ${first ? "first" : "later"} ${path}`);
  }
  console.log(`first load: ${total} bytes by gzip -9`);
  const packages = (await readdir(join(out, "npm"))).filter((name) => name.endsWith(".tgz"));
  for (const name of packages) console.log(`package: ${(await readFile(join(out, "npm", name))).length} bytes, ${name}`);
}

/** Notes in the page when a square can be clicked, and when the referee has answered. */
function watchStart() {
  const noted = (globalThis.noted = {});
  new MutationObserver((_, observer) => {
    if (!document.querySelector(".square")) return;
    noted.board = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
  const Plain = Worker;
  globalThis.Worker = class extends Plain {
    constructor(...words) {
      super(...words);
      this.addEventListener("message", ({ data }) => data.kind === "answer" && (noted.referee ??= performance.now()));
    }
  };
}

async function visit(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  const page = await context.newPage();
  await page.addInitScript(watchStart);
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", LINE);
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForFunction(() => globalThis.noted.board && globalThis.noted.referee, undefined, { polling: 20 });
  const paint = await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime, undefined, { polling: 50 });
  const { board, referee } = await page.evaluate(() => globalThis.noted);
  const times = { paint: await paint.jsonValue(), playable: Math.max(board, referee) };
  await context.close();
  return times;
}

async function waiting(browser, out) {
  const known = new Map();
  const compressed = (name, bytes) => {
    if (!known.has(name)) known.set(name, zipped(bytes));
    return known.get(name);
  };
  const server = await serveFolder(out, { "content-encoding": "gzip" }, compressed);
  const all = [];
  for (let times = 0; times < TIMES; times += 1) all.push(await visit(browser, server.url));
  await server.stop();
  const told = (name) => `${Math.round(median(all.map((each) => each[name])))} ms (${all.map((each) => Math.round(each[name])).join(", ")})`;
  console.log(`at 9 Mbit/s and 170 ms, compressed: first paint ${told("paint")}, playable ${told("playable")}`);
}

/** What each worker runs first: it tells the size of its memory again and again. */
const TELL = `{
  const instantiate = WebAssembly.instantiate;
  const told = new BroadcastChannel("memory");
  WebAssembly.instantiate = async (...words) => {
    const made = await instantiate.apply(WebAssembly, words);
    const { memory } = (made.instance ?? made).exports;
    setInterval(() => told.postMessage({ worker: self.location.pathname, bytes: memory.buffer.byteLength }), 200);
    const post = self.postMessage;
    self.postMessage = (...words) => (told.postMessage({ worker: self.location.pathname, bytes: memory.buffer.byteLength }), post.apply(self, words));
    return made;
  };
}
`;

async function memory(browser, out) {
  const telling = (name, bytes) => (/(mind|referee)-\w+\.js$/.test(name) ? Buffer.concat([Buffer.from(TELL), bytes]) : bytes);
  const server = await serveFolder(out, {}, telling);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  const page = await context.newPage();
  await page.addInitScript(() => {
    globalThis.memories = {};
    new BroadcastChannel("memory").onmessage = ({ data }) => (globalThis.memories[data.worker] = Math.max(globalThis.memories[data.worker] ?? 0, data.bytes));
    if (!localStorage.getItem("anqi.setup")) localStorage.setItem("anqi.setup", JSON.stringify({ against: "level", player: "levels", level: 10, begin: "other", seconds: 10 }));
    localStorage.setItem("anqi.lines", "5");
  });
  await page.goto(server.url);
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForTimeout(THINKING_MS);
  await page.evaluate(() => (location.hash = "#/line/start_moves_b3(K)_c6(p)_c5(P)"));
  await page.waitForTimeout(THINKING_MS);
  await page.evaluate(() => (location.hash = "#/tables"));
  await page.locator(".shares").first().waitFor(PATIENT);
  const memories = Object.entries(await page.evaluate(() => globalThis.memories));
  for (const [worker, bytes] of memories) console.log(`memory: ${(bytes / MEBIBYTE).toFixed(1)} MiB, ${worker.split("/").at(-1)}`);
  console.log(`memory: ${(memories.reduce((sum, [, bytes]) => sum + bytes, 0) / MEBIBYTE).toFixed(1)} MiB of all workers, each at its most`);
  await five(page);
  await context.close();
  await server.stop();
}

/** Asks for the counts of a set of five pieces, on a connection of its own. */
async function five(page) {
  const ask = (material) =>
    page.evaluate(
      (material) =>
        new Promise((resolve) => {
          const begin = performance.now();
          const { worker } = globalThis.anqiBackend;
          const plain = worker.onmessage;
          worker.onmessage = (message, why) => {
            if (message?.connection !== 77) return plain(message, why);
            worker.onmessage = plain;
            resolve({ ms: performance.now() - begin, answer: JSON.parse(message.text) });
          };
          worker.post({ kind: "connect", connection: 77 });
          worker.post({ kind: "hear", connection: 77, text: JSON.stringify({ type: "material", id: 1, material }) });
        }),
      material,
    );
  for (const material of ["KPkr", "KPPkr", "GMRgm"]) {
    const { ms, answer } = await ask(material);
    console.log(`${material}: ${Math.round(ms)} ms, ${JSON.stringify(answer).slice(0, 240)}`);
  }
}

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: node site/measure.mjs OUT");
  process.exit(2);
}
const out = resolve(folder);
await sizes(out);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell", args: ["--no-sandbox", "--disable-gpu"] });
await waiting(browser, out);
await memory(browser, out);
await browser.close();
