// How sources become files for a browser: one way for the page, the board to embed, and the workers of the site.

import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { build } from "esbuild";

/** Every file below a folder; of a file, itself. */
export async function filesBelow(path) {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => null);
  if (entries === null) return [path];
  const nested = await Promise.all(entries.map((entry) => filesBelow(join(path, entry.name))));
  return nested.flat();
}

/** Bundles entries of a folder; returns the bytes of each file by its name. */
export async function bundle(folder, entryPoints, options = {}) {
  return (await bundled(folder, entryPoints, options)).files;
}

/**
 * Bundles an entry in parts that are loaded one by one; `first` are the names of those that the modules `needed` consist of,
 * besides the entry itself.
 */
export async function divided(folder, entryPoints, needed) {
  const { files, outputs } = await bundled(folder, entryPoints, { format: "esm", splitting: true, chunkNames: "[name]-[hash]", metafile: true });
  const first = new Set();
  const add = (name) => {
    if (first.has(name)) return;
    first.add(name);
    for (const { path, kind } of outputs.get(name).imports) if (kind === "import-statement") add(path);
  };
  for (const [name, { entryPoint }] of outputs) if (needed.includes(entryPoint)) add(name);
  return { files, first: [...first].filter((name) => !(name.replace(/\.js$/, "") in entryPoints)).sort() };
}

async function bundled(folder, entryPoints, options) {
  const outdir = join(folder, "dist");
  const inside = (path) => relative(outdir, join(folder, path));
  const result = await build({
    absWorkingDir: folder,
    entryPoints,
    outdir,
    bundle: true,
    minify: true,
    format: "iife",
    target: ["es2022", "chrome110", "firefox110", "safari16"],
    charset: "utf8",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    write: false,
    logLevel: "warning",
    ...options,
  });
  const files = new Map(result.outputFiles.map((file) => [relative(outdir, file.path), Buffer.from(file.contents)]));
  const known = ([path, { imports, entryPoint }]) => [inside(path), { entryPoint, imports: imports.map((each) => ({ ...each, path: inside(each.path) })) }];
  return { files, outputs: new Map(Object.entries(result.metafile?.outputs ?? {}).map(known)) };
}
