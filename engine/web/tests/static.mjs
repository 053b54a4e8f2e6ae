// A plain host of static files, under a sub-path, as any web host would serve the site.

import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** Where the site lies: not at the root, as on many hosts. */
export const SUB_PATH = "/x/anqi/";

/** Serves a folder on a free port of this machine; `headers` are added to every answer, `change` returns what is sent of a file. */
export async function serveFolder(folder, headers = {}, change = null) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://here").pathname);
    const name = path.startsWith(SUB_PATH) ? normalize(path.slice(SUB_PATH.length) || "index.html") : null;
    const file = name === null || name.startsWith("..") ? null : join(folder, name);
    const found = file === null ? null : await stat(file).catch(() => null);
    if (!found?.isFile()) return response.writeHead(404).end();
    const type = { "content-type": TYPES[extname(file)] ?? "application/octet-stream" };
    if (change) {
      const bytes = await change(name, await readFile(file));
      return response.writeHead(200, { ...type, "content-length": bytes.length, ...headers }).end(bytes);
    }
    response.writeHead(200, { ...type, "content-length": found.size, ...headers });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${server.address().port}${SUB_PATH}`;
  const stop = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { url, urls: [url], stop };
}
