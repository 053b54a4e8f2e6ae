// Writes the site into a folder: the module, the workers, the page, the npm package.
//
//   node site/build.mjs OUT MODULE.wasm VERSION
//
// Files that a browser keeps have a hash of their contents in their names; `files.json` lists them.

import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { bundle as bundled } from "../engine/web/bundling.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const WEB = join(HERE, "..", "engine", "web");
const ASSETS = "assets";
/** The words of a language. */
const CATALOGUE = /^(en|zh-Han[st])-/;

const [out, module, version] = process.argv.slice(2);
if (!version) {
  console.error("usage: node site/build.mjs OUT MODULE.wasm VERSION");
  process.exit(2);
}

/** Bundles one entry of this folder. */
async function bundle(entry, options) {
  const [contents] = (await bundled(HERE, [entry], options)).values();
  return contents;
}

/** What is written: name in the site, hashed name, size, and whether the board needs it. */
const files = [];

async function asset(name, bytes, first) {
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 12);
  const dot = name.lastIndexOf(".");
  const path = `${ASSETS}/${name.slice(0, dot)}-${hash}${name.slice(dot)}`;
  await writeFile(join(out, path), bytes);
  files.push({ name, path, bytes: bytes.length, first });
  return path;
}

const inside = (path) => path.slice(ASSETS.length + 1);

async function site() {
  const wasm = await asset("anqi.wasm", await readFile(module), true);
  const endings = await asset("pocket.dst", await readFile(join(HERE, "..", "tablebase", "pocket.dst")), false);
  const puzzles = await asset("puzzles.json", await readFile(join(HERE, "..", "engine", "desk", "src", "puzzles.json")), false);
  const lessons = await asset("lessons.json", await lessonsOf(join(HERE, "..", "engine", "desk", "lessons")), false);
  const mind = await asset("mind.js", await bundle("src/mind.ts"), true);
  const referee = await asset("referee.js", await bundle("src/referee.ts"), true);
  const names = { wasm: inside(wasm), referee: inside(referee), mind: inside(mind), endings: inside(endings), puzzles: inside(puzzles), lessons: inside(lessons) };
  const local = await asset("local.js", await bundle("src/local.ts", { define: { FILES: JSON.stringify(names) } }), true);
  const page = {};
  for (const name of ["page.js", "page.css", "icon.svg"]) page[name] = await asset(name, await readFile(join(WEB, "dist", name)), true);
  const modules = await parts();
  const paths = { ...page, "local.js": local, modules };
  const html = (await readFile(join(HERE, "static", "index.html"), "utf8")).replace(/\{([a-z.]+)\}/g, (_, name) => paths[name]);
  await writeFile(join(out, "index.html"), html);
  await writeFile(join(out, "files.json"), `${JSON.stringify({ version, files }, null, 1)}\n`);
}

/** The lessons of all sets of pieces in one file. */
async function lessonsOf(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  const lists = names.map(async (name) => [name.slice(0, -5), JSON.parse(await readFile(join(folder, name), "utf8"))]);
  return Buffer.from(`${JSON.stringify(Object.fromEntries(await Promise.all(lists)))}\n`);
}

/** Copies the parts of the page, whose names have hashes already; returns the links to those that the board needs. */
async function parts() {
  const links = (await readFile(join(WEB, "dist", "index.html"), "utf8")).match(/<link rel="modulepreload" [^>]*>/g) ?? [];
  const names = (await readdir(join(WEB, "dist"))).filter((name) => name.endsWith(".js") && name !== "page.js").sort();
  const texts = new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(WEB, "dist", name))])));
  // One language is loaded: the one with most to load counts.
  const weight = (name) => gzipSync(texts.get(name), { level: 9 }).length;
  const [language] = names.filter((name) => CATALOGUE.test(name)).sort((a, b) => weight(b) - weight(a));
  for (const [name, bytes] of texts) {
    await writeFile(join(out, ASSETS, name), bytes);
    const first = name === language || links.some((link) => link.includes(`/${name}"`));
    files.push({ name, path: `${ASSETS}/${name}`, bytes: bytes.length, first });
  }
  return links.join("\n    ");
}

/** The package for programs of the JavaScript world, and its bridge to UCI. */
async function library() {
  const folder = join(out, "npm", "package");
  await mkdir(folder, { recursive: true });
  const esm = { format: "esm", minify: false };
  const parts = { "index.mjs": "src/engine.ts", "referee.mjs": "src/referee.ts", "mind.mjs": "src/mind.ts", "uci.mjs": "src/uci.ts" };
  for (const [name, entry] of Object.entries(parts)) await writeFile(join(folder, name), await bundle(entry, { ...esm, external: ["node:*"] }));
  await cp(module, join(folder, "anqi.wasm"));
  for (const name of ["README.md", "example.html"]) await cp(join(HERE, "npm", name), join(folder, name));
  await cp(join(HERE, "..", "LICENSE"), join(folder, "LICENSE"));
  const template = JSON.parse(await readFile(join(HERE, "npm", "package.json"), "utf8"));
  await writeFile(join(folder, "package.json"), `${JSON.stringify({ ...template, version }, null, 2)}\n`);
  // The same files beside each other serve `node OUT/uci.mjs`.
  const bridge = 'import "./npm/package/uci.mjs";\n';
  await writeFile(join(out, "uci.mjs"), bridge);
}

// What an older build left must not stay; other folders, such as the book, are their own.
for (const old of [ASSETS, "npm"]) await rm(join(out, old), { recursive: true, force: true });
await mkdir(join(out, ASSETS), { recursive: true });
await site();
await library();
for (const { path, bytes } of files) console.log(`${path} ${bytes}`);
