// The page as an app: offline, new versions, and what it keeps.

import assert from "node:assert/strict";
import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { finish, host, siteFolder } from "./site.mjs";
import { assertQuiet, AT_ONE_SCREEN, beginAtB3, open, square, until } from "./support.mjs";

let world;
before(async () => (world = await open()));
after(() => world?.close());

/** The page from static files, with its service worker at work. */
async function installed(site) {
  const context = await world.browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
  await context.addInitScript((setup) => localStorage.getItem("anqi.setup") ?? localStorage.setItem("anqi.setup", JSON.stringify(setup)), AT_ONE_SCREEN);
  const page = await context.newPage();
  await page.goto(site.url);
  await page.getByRole("heading", { name: "New game" }).waitFor();
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  return { context, page };
}

/** Runs with a folder of static files below a path. */
async function withSite(run) {
  const folder = await siteFolder();
  const site = await host(folder, world.url);
  try {
    await run(site, folder);
  } finally {
    await site.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const script = async (folder) => join(folder, "assets", (await readdir(join(folder, "assets"))).find((name) => /^page.*\.js$/.test(name)));

test("after one visit the page opens without its host, under a path of its own", async () => {
  await withSite(async (site) => {
    const { context, page } = await installed(site);
    await site.close();
    await page.reload();
    await page.getByRole("heading", { name: "New game" }).waitFor();
    const other = await context.newPage();
    await other.goto(`${site.url}#/editor`);
    await other.getByRole("heading", { name: "Position editor" }).waitFor();
    const embedded = await context.newPage();
    await embedded.goto(`${site.url}embed.html#1QAH1CCVaUVDt0HKAADcb`);
    await embedded.getByRole("img").waitFor();
    await context.close();
  });
});

test("the manifest and its icons are there, and the page can be installed", async () => {
  await withSite(async (site) => {
    const manifest = await (await fetch(`${site.url}manifest.webmanifest`)).json();
    assert.equal(manifest.display, "standalone");
    for (const { src, sizes } of manifest.icons) {
      const answer = await fetch(new URL(src, site.url));
      assert.equal(answer.status, 200, src);
      if (!src.endsWith(".png")) continue;
      const bytes = Buffer.from(await answer.arrayBuffer());
      assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src);
    }
    const { context, page } = await installed(site);
    const session = await context.newCDPSession(page);
    const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
    // A window of a test is incognito, which is never installed from.
    assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"), []);
    await context.close();
  });
});

test("a new version waits until somebody asks, and a game in progress goes on before and after", async () => {
  await withSite(async (site, folder) => {
    const { context, page } = await installed(site);
    await square(page, "b3").click();
    await page.waitForURL(/#\/game\//);
    await page.locator(".moves li").first().waitFor();
    const address = page.url();
    await appendFile(await script(folder), '\ndocument.documentElement.dataset.version = "next";\n');
    await finish(folder);
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    await page.getByText("A new version is ready. This game stays as it is until you ask for it.").waitFor();
    const version = () => page.evaluate(() => document.documentElement.dataset.version ?? "old");
    await page.getByRole("button", { name: "Later" }).click();
    await square(page, "c6").click();
    await until(async () => (await page.locator(".moves button").count()) === 2, "the game goes on");
    await page.reload();
    await page.locator(".moves li").first().waitFor();
    assert.equal(await version(), "old", "nobody asked for it");
    await page.getByRole("button", { name: "Use it now" }).click();
    await until(async () => (await version().catch(() => "old")) === "next", "the new version");
    await until(async () => (await page.locator(".moves button").count()) === 2, "the same game at the same ply");
    assert.equal(page.url(), address);
    await until(() => page.evaluate(async () => (await caches.keys()).length === 1), "nothing is left of the old version");
    await context.close();
  });
});

test("a version that does not arrive whole is not taken, and the older one serves on", async () => {
  await withSite(async (site, folder) => {
    const { context, page } = await installed(site);
    await appendFile(await script(folder), '\ndocument.documentElement.dataset.version = "next";\n');
    await finish(folder);
    site.spoil = `assets/${(await script(folder)).split("/").at(-1)}`;
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update().catch(() => {}));
    await until(() => page.evaluate(async () => (await navigator.serviceWorker.ready).installing === null), "the attempt is over");
    assert.equal(await page.locator(".update").count(), 0);
    await page.reload();
    await page.getByRole("heading", { name: "New game" }).waitFor();
    site.spoil = null;
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    await page.getByText("A new version is ready.").waitFor();
    await context.close();
  });
});

test("games and settings go into a file and out of it in another browser", async () => {
  const seen = await world.visit({ setup: AT_ONE_SCREEN });
  const { page } = seen;
  await beginAtB3(seen);
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("radio", { name: "Letters" }).check();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save all to a file" }).click()]);
  const text = await readFile(await download.path(), "utf8");
  const other = await world.visit({});
  await other.page.getByRole("button", { name: "Settings" }).click();
  const give = (content) => other.page.locator(".your-data input[type=file]").setInputFiles({ name: "anqi.json", mimeType: "application/json", buffer: Buffer.from(content) });
  await give("no JSON");
  await other.page.getByText("This file holds no games and settings of anqi. Nothing was changed.").waitFor();
  await give(JSON.stringify({ anqi: 99, entries: {} }));
  await other.page.getByText(/newer version/).waitFor();
  await give(text);
  await other.page.getByText(/^Read: \d+ entries\.$/).waitFor();
  assert.ok(await other.page.getByRole("radio", { name: "Letters" }).isChecked());
  await other.page.keyboard.press("Escape");
  await other.page.reload();
  await other.page.getByRole("heading", { name: "Your games" }).waitFor();
  assertQuiet(seen, other);
});

test("IndexedDB brings back what the browser has dropped from its first storage, and takes over what was there", async () => {
  const seen = await world.visit({ settings: { pieces: "pictures" } });
  const { page } = seen;
  const kept = () =>
    page.evaluate(
      () =>
        new Promise((resolve) => {
          const request = indexedDB.open("anqi-page");
          request.onsuccess = () => {
            const found = request.result.transaction("entries").objectStore("entries").get("settings");
            found.onsuccess = () => resolve(found.result ?? "");
          };
        }),
    );
  await until(async () => (await kept()).includes("pictures"), "the settings of an older version in IndexedDB");
  await page.evaluate(() => localStorage.clear());
  await seen.context.addInitScript(() => localStorage.clear());
  await page.reload();
  await page.getByRole("button", { name: "Settings" }).click();
  assert.ok(await page.getByRole("radio", { name: "Pictures" }).isChecked());
  assertQuiet(seen);
});

test("where storage is full or forbidden the page plays and says so once", async () => {
  for (const [name, sentence] of [["QuotaExceededError", /no room left/], ["SecurityError", /keeps nothing for this page/]]) {
    const context = await world.browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-US" });
    await context.addInitScript((name) => {
      const refuse = () => {
        throw new DOMException("refused", name);
      };
      Storage.prototype.setItem = refuse;
      IDBFactory.prototype.open = refuse;
    }, name);
    const page = await context.newPage();
    await page.goto(world.url);
    await page.getByRole("heading", { name: "New game" }).waitFor();
    await page.getByRole("radio", { name: "Two at this screen" }).check();
    await page.locator(".notice").getByText(sentence).waitFor();
    await square(page, "b3").click();
    await page.locator(".moves li").first().waitFor();
    await context.close();
  }
});
