// The bench positions of `anqi bench` in the module: the signature, and the speed.
//
//   node site/bench.mjs OUT [--chromium] [--json]
//
// With --chromium in a browser ($CHROMIUM, or /usr/bin/chromium), otherwise in Node.js. One thread, a table of 16 MiB.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { serveFolder } from "../engine/web/tests/static.mjs";

const POSITIONS = new URL("../engine/app/src/bench/positions.txt", import.meta.url);
const DEPTH = 7;

/** Searches every position; runs in a page as well, so it uses nothing from outside. */
async function search(url, lines, depth) {
  const { Engine } = await import(url);
  const engine = await Engine.create({ hash: 16 });
  let ms = 0;
  engine.onInfo = (info) => (ms = info.ms);
  const total = { nodes: 0, ms: 0 };
  for (const line of lines) {
    const [start, plies = ""] = line.split(" moves ");
    engine.newGame();
    await engine.position(start, plies.split(" ").filter(Boolean));
    const { nodes } = await engine.go({ depth, seed: 1 });
    total.nodes += nodes;
    total.ms += ms;
  }
  engine.close();
  return total;
}

async function inChromium(out, lines) {
  const { chromium } = createRequire(new URL("../engine/web/package.json", import.meta.url))("playwright-core");
  const server = await serveFolder(out);
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage();
  await page.goto(`${server.url}embed.html`);
  const total = await page.evaluate(`(${search})(${JSON.stringify(`${server.url}npm/package/index.mjs`)}, ${JSON.stringify(lines)}, ${DEPTH})`);
  await browser.close();
  await server.stop();
  return total;
}

/** Runs the bench in Node.js, or in Chromium. */
export async function bench(out, chromium = false) {
  const text = await readFile(POSITIONS, "utf8");
  const lines = text.split("\n").filter((line) => line && !line.startsWith("#"));
  if (chromium) return inChromium(out, lines);
  return search(pathToFileURL(join(out, "npm/package/index.mjs")).href, lines, DEPTH);
}

if (process.argv[1] && pathToFileURL(process.argv[1]).href === import.meta.url) {
  const out = process.argv[2];
  if (!out) {
    console.error("usage: node site/bench.mjs OUT [--chromium] [--json]");
    process.exit(2);
  }
  const { nodes, ms } = await bench(resolve(out), process.argv.includes("--chromium"));
  const speed = Math.round((nodes / ms) * 1000);
  if (process.argv.includes("--json")) console.log(JSON.stringify({ nodes, seconds: ms / 1000, nodes_per_second: speed }));
  else console.log(`Nodes searched:   ${nodes}\nSeconds:          ${(ms / 1000).toFixed(3)}\nNodes per second: ${speed}`);
}
