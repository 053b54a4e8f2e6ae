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
  const outdir = join(folder, "dist");
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
  return new Map(result.outputFiles.map((file) => [relative(outdir, file.path), Buffer.from(file.contents)]));
}
