// A host of static files for tests: the page in a folder below `/x/anqi/`, finished as an app.

import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { SITE } from "./support.mjs";

const HERE = fileURLToPath(new URL("../", import.meta.url));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json", ".png": "image/png" };

/** Writes what the service worker serves, after a change of the folder. */
export const finish = (folder) => promisify(execFile)(process.execPath, [`${HERE}finish.mjs`, folder]);

/** The folder of which each test gets a copy. */
let made = null;

/** Makes a folder of the committed page, or of the site that $SITE names. */
export async function siteFolder() {
  made ??= make();
  const folder = await mkdtemp(join(tmpdir(), "anqi-site-"));
  await cp(await made, folder, { recursive: true });
  return folder;
}

async function make() {
  const folder = await mkdtemp(join(tmpdir(), "anqi-site-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  if (SITE) {
    await cp(SITE, folder, { recursive: true, filter: (path) => !/[/](book|npm)$/.test(path) });
    return folder;
  }
  const assets = join(folder, "assets");
  // The page's files lie where its addresses look for them.
  await cp(`${HERE}dist`, assets, { recursive: true });
  await cp(join(assets, "index.html"), join(folder, "index.html"));
  await Promise.all(["index.html", "manifest.webmanifest", "sources.json"].map((name) => rm(join(assets, name))));
  await finish(folder);
  return folder;
}

/**
 * Serves a folder below `/x/anqi/`, knowing nothing of the page. WebSockets go to the server at `games`,
 * as a proxy would lead them. `spoil` names a file whose answers end in the middle.
 */
export async function host(folder, games = null) {
  const site = { spoil: null };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = pathname.replace(/^\/x\/anqi\//, "") || "index.html";
    try {
      if (!(await stat(join(folder, path))).isFile()) throw new Error("a folder");
      const bytes = await readFile(join(folder, path));
      response.writeHead(200, { "content-type": TYPES[extname(path)] ?? "text/plain", "cache-control": "no-cache" });
      response.end(path === site.spoil ? bytes.subarray(0, bytes.length / 2) : bytes);
    } catch {
      response.writeHead(404).end("none");
    }
  });
  const sockets = new Set();
  server.on("connection", (socket) => sockets.add(socket) && socket.on("close", () => sockets.delete(socket)));
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => {});
    if (!games) return socket.destroy();
    const { host: name, port } = new URL(games);
    const upstream = connect(Number(port), "127.0.0.1", () => {
      const headers = Object.entries({ ...request.headers, host: name, origin: `http://${name}` });
      upstream.write(`GET /ws HTTP/1.1\r\n${headers.map(([key, value]) => `${key}: ${value}\r\n`).join("")}\r\n`);
      upstream.write(head);
      socket.pipe(upstream).pipe(socket);
    });
    upstream.on("error", () => socket.destroy());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  site.url = `http://127.0.0.1:${server.address().port}/x/anqi/`;
  site.close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      for (const socket of sockets) socket.destroy();
    });
  return site;
}
