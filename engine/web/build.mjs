// Builds dist/ from src/ and static/. The same sources give the same bytes.
//
//   node build.mjs           writes dist/
//   node build.mjs --check   fails if dist/ is not what the sources give

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { divided, filesBelow } from "./bundling.mjs";
import { crc32 } from "./crc32.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const DIST = join(HERE, "dist");

/** Everything that the bytes of dist/ depend on. */
const INPUTS = ["build.mjs", "bundling.mjs", "crc32.mjs", "package.json", "package-lock.json", "tsconfig.json", "src", "static"];

/** What the first board needs: these are loaded at once, the other parts of the page later. */
const FIRST = ["src/main.tsx", "src/start.tsx", "src/i18n/index.ts", "src/state/settings.ts"];

/** The manifest by which a test without Node sees that dist/ is fresh. */
async function manifest() {
  const paths = (await Promise.all(INPUTS.map((input) => filesBelow(join(HERE, input))))).flat();
  const rows = await Promise.all(
    paths.map(async (path) => {
      const bytes = await readFile(path);
      return { path: relative(HERE, path), bytes: bytes.length, crc32: crc32(bytes) };
    }),
  );
  rows.sort((a, b) => (a.path < b.path ? -1 : 1));
  return rows;
}

async function outputs() {
  const { files, first } = await divided(HERE, { page: "src/main.tsx" }, FIRST);
  for (const path of await filesBelow(join(HERE, "static"))) {
    files.set(relative(join(HERE, "static"), path), await readFile(path));
  }
  const links = first.map((name) => `<link rel="modulepreload" href="assets/${name}" />`);
  files.set("index.html", Buffer.from(String(files.get("index.html")).replace("<!-- first -->", links.join("\n    "))));
  const built = [...files].map(([path, bytes]) => ({ path, bytes: bytes.length, crc32: crc32(bytes) }));
  built.sort((a, b) => (a.path < b.path ? -1 : 1));
  const sources = { sources: await manifest(), built };
  files.set("sources.json", Buffer.from(JSON.stringify(sources, null, 1) + "\n"));
  return files;
}

async function main() {
  const files = await outputs();
  if (process.argv.includes("--check")) {
    for (const [path, bytes] of files) {
      const committed = await readFile(join(DIST, path)).catch(() => Buffer.alloc(0));
      if (!committed.equals(bytes)) {
        console.error(`dist/${path} is not what the sources give: run npm run build`);
        process.exit(1);
      }
    }
    const left = (await filesBelow(DIST)).map((path) => relative(DIST, path)).filter((path) => !files.has(path));
    if (left.length > 0) {
      console.error(`dist/${left[0]} is left from an older build: run npm run build`);
      process.exit(1);
    }
    console.log(`dist/ is fresh: ${files.size} files, byte for byte`);
    return;
  }
  await rm(DIST, { recursive: true, force: true });
  await mkdir(DIST, { recursive: true });
  for (const [path, bytes] of files) await writeFile(join(DIST, path), bytes);
  for (const [path, bytes] of files) console.log(`${path} ${bytes.length}`);
}

await main();
