// Writes static/icon-*.png from static/icon.svg, by a browser. Needed only to change the icon:
//
//   CHROMIUM=/usr/bin/chromium node tools/icons.mjs

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const STATIC = fileURLToPath(new URL("../static/", import.meta.url));

/** Name, side in pixels, and the part of the side that the drawing takes: a mask may cut the rest away. */
const ICONS = [
  ["icon-192.png", 192, 1],
  ["icon-512.png", 512, 1],
  ["icon-maskable-512.png", 512, 0.76],
];

const svg = await readFile(`${STATIC}icon.svg`, "utf8");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
for (const [name, side, part] of ICONS) {
  const page = await browser.newPage({ viewport: { width: side, height: side } });
  const ground = part < 1 ? "#f3eee2" : "transparent";
  const drawing = `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  await page.setContent(`<body style="margin:0;display:grid;place-items:center;height:100vh;background:${ground}"><img src="${drawing}" style="width:${part * 100}%"></body>`);
  await page.waitForFunction(() => document.querySelector("img").complete);
  await writeFile(`${STATIC}${name}`, await page.screenshot({ omitBackground: part === 1 }));
  await page.close();
}
await browser.close();
