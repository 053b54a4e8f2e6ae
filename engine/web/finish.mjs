// Makes an app of a folder that holds the page as static files: the page to embed, and the service
// worker with the list of all files.
//
//   node finish.mjs OUT
//
// Run it last: it hashes what lies in OUT. The page lies there as `index.html`, with relative addresses.

import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle, filesBelow } from "./bundling.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));

/** Folders and files that a visitor does not need offline. */
const APART = [/^npm\//, /^book\//, /^uci\.mjs$/, /^sw\.js$/, /\.map$/, /^sources\.json$/, /^\./];
/** Larger files come after the page has begun. */
const LATER_BYTES = 1 << 20;

const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Writes embed.html and what it needs, by names that change with their contents. */
async function embed(out) {
  const files = await bundle(HERE, { embed: "src/embed.tsx" });
  await mkdir(join(out, "assets"), { recursive: true });
  let page = await readFile(join(HERE, "site/embed.html"), "utf8");
  for (const [file, contents] of files) {
    const ending = file.endsWith(".css") ? "css" : "js";
    const name = `embed-${sha256(contents).slice(0, 10)}.${ending}`;
    await writeFile(join(out, "assets", name), contents);
    page = page.replace(`assets/embed.${ending}`, `assets/${name}`);
  }
  await writeFile(join(out, "embed.html"), page);
}

/** Copies the manifest and the icons that it names. */
async function manifest(out) {
  const text = await readFile(join(HERE, "static/manifest.webmanifest"), "utf8");
  await writeFile(join(out, "manifest.webmanifest"), text);
  for (const { src } of JSON.parse(text).icons) await copyFile(join(HERE, "static", src.replace("assets/", "")), join(out, src));
}

/** What the head of the page says of the app, where it does not say it yet. */
const HEAD = [
  ["rel=\"manifest\"", '<link rel="manifest" href="manifest.webmanifest" />'],
  ["apple-touch-icon", '<link rel="apple-touch-icon" href="assets/icon-192.png" />'],
  ["theme-color", '<meta name="theme-color" content="#f3eee2" media="(prefers-color-scheme: light)" />'],
  ["anqi-offline", '<meta name="anqi-offline" content="sw.js" />'],
];

/** Tells the page that it is an app and has a service worker. */
async function announce(out) {
  const path = join(out, "index.html");
  const page = await readFile(path, "utf8");
  if (!page.includes("</head>")) throw new Error(`${path} has no </head>`);
  // Static files need no cookies, and some hosts refuse a request with them.
  const open = page.replace(' crossorigin="use-credentials"', "").replace('initial-scale=1"', 'initial-scale=1, viewport-fit=cover"');
  const lines = HEAD.filter(([sign]) => !open.includes(sign)).map(([, line]) => `  ${line}\n`);
  await writeFile(path, open.replace("</head>", `${lines.join("  ")}  </head>`));
}

/** Writes sw.js with every file and its hash; the version is the hash of that list. */
async function worker(out) {
  const paths = (await filesBelow(out)).map((path) => relative(out, path).split(sep).join("/"));
  const wanted = paths.filter((path) => !APART.some((pattern) => pattern.test(path))).sort();
  const rows = await Promise.all(
    wanted.map(async (path) => {
      const bytes = await readFile(join(out, path));
      return [path, sha256(bytes), bytes.length > LATER_BYTES];
    }),
  );
  const list = `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(",\n")},\n]`;
  const template = await readFile(join(HERE, "site/sw.js"), "utf8");
  const version = sha256(template + list).slice(0, 16);
  await writeFile(join(out, "sw.js"), template.replace("__VERSION__", version).replace("__FILES__", list));
  return { version, files: rows.length };
}

async function main() {
  const [out] = process.argv.slice(2);
  if (!out) {
    console.error("finish.mjs: expected the folder that holds the page: node finish.mjs OUT");
    process.exit(2);
  }
  await embed(out);
  await manifest(out);
  await announce(out);
  const { version, files } = await worker(out);
  console.log(`version ${version}: ${files} files to keep offline`);
}

await main();
