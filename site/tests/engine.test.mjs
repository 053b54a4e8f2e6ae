// The npm package and the bridge to UCI under Node.js: $SITE names a folder that site/build has written.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { bench } from "../bench.mjs";

assert.ok(process.env.SITE, "SITE names the folder of a site");
const SITE = resolve(process.env.SITE);
const { Engine } = await import(pathToFileURL(join(SITE, "npm/package/index.mjs")));

let engine;
before(async () => (engine = await Engine.create({ hash: 8 })));
after(() => engine?.close());

test("the module searches the bench positions as the program does", async () => {
  const signature = Number(await readFile(new URL("../../.ci/bench-signature", import.meta.url), "utf8"));
  const { nodes, ms } = await bench(SITE);
  console.log(`${nodes} nodes, ${Math.round(nodes / ms)} thousand a second`);
  assert.equal(nodes, signature);
});

test("a search answers with action, value and line, and tells how far it is", async () => {
  const infos = [];
  engine.onInfo = (info) => infos.push(info);
  await engine.position("start", ["b2(G)", "b3(k)"]);
  const choice = await engine.go({ nodes: 20_000 });
  assert.match(choice.action, /^[a-d][1-8]-[a-d][1-8]$/);
  assert.ok(Math.abs(choice.value) <= 1 && choice.line[0].action === choice.action);
  assert.ok(infos.length >= 3 && infos.every(({ depth }, index) => index === 0 || depth >= infos[index - 1].depth));
  await engine.position("4/4/4/4/4/4/4/Kg2 r - 0 0");
  const win = await engine.go({ depth: 3 });
  assert.deepEqual([win.action, win.value, win.plies], ["a1-b1", 1, 1]);
});

test("a time limit is kept, and stop ends a search that has none", async () => {
  await engine.position("start", ["b2(G)", "b3(k)"]);
  const begin = performance.now();
  await engine.go({ movetime: 300 });
  const passed = performance.now() - begin;
  assert.ok(passed > 200 && passed < 1500, `${passed} ms`);
  const endless = engine.go({ nodes: 1e12 });
  await new Promise((done) => setTimeout(done, 200));
  const stopped = performance.now();
  engine.stop();
  assert.match((await endless).action, /^[a-d][1-8]-[a-d][1-8]$/);
  assert.ok(performance.now() - stopped < 1000);
});

test("while it thinks, questions are answered at once", async () => {
  await engine.position("start", ["b2(G)", "b3(k)"]);
  const endless = engine.go({ nodes: 1e12 });
  const waits = [];
  for (let times = 0; times < 21; times += 1) {
    const begin = performance.now();
    await engine.position("start", ["b2(G)", "b3(k)", "a1(p)"]);
    waits.push(performance.now() - begin);
  }
  engine.stop();
  await endless;
  waits.sort((a, b) => a - b);
  assert.ok(waits[10] < 50, `${waits[10]} ms`);
});

test("tables answer on the spot, with five pieces once the file is there", async () => {
  const four = await engine.probe("4/4/4/4/4/4/1p2/KgP1 r - 0 0");
  assert.equal(four.verdict.wdl, "win");
  assert.ok(four.verdict.dtc > 0 && four.actions.length > 1);
  const text = "4/4/4/4/4/4/1p2/KgPP r - 0 0";
  assert.equal((await engine.probe(text)).verdict, null);
  engine.provide(new Uint8Array(await readFile(new URL("../../tablebase/pocket.dst", import.meta.url))));
  assert.deepEqual((await engine.probe(text)).verdict, { wdl: "win", dtc: null, dtw: null });
});

test("a record is reviewed", async () => {
  const seen = [];
  const report = await engine.review("start moves b2(G) b3(k) c7(p) b3-b2 c6(P)", { nodes: 300, onProgress: (done) => seen.push(done) });
  assert.equal(report.plies.length, 5);
  assert.equal(report.sides.length, 2);
  assert.deepEqual(seen, [1, 2, 3, 4, 5]);
});

test("what cannot be read is refused in words", async () => {
  await assert.rejects(engine.position("x/y"), /fields/);
  await assert.rejects(engine.position("start", ["b2-b3"]), /ply 1/);
  await assert.rejects(engine.review("no record at all"), /\w+ \w+/);
});

test("the bridge speaks UCI", async () => {
  const child = spawn(process.execPath, [join(SITE, "uci.mjs")], { stdio: ["pipe", "pipe", "inherit"] });
  let said = "";
  child.stdout.on("data", (bytes) => (said += bytes));
  const saw = async (pattern) => {
    const end = Date.now() + 60_000;
    while (!pattern.test(said)) {
      assert.ok(Date.now() < end, `${pattern} in ${said}`);
      await new Promise((done) => setTimeout(done, 20));
    }
  };
  child.stdin.write("uci\n");
  await saw(/^uciok$/m);
  child.stdin.write("setoption name Hash value 4\nucinewgame\nposition startpos\ngo infinite\nisready\n");
  await saw(/^readyok$/m);
  await saw(/^info depth \d/m);
  child.stdin.write("stop\n");
  await saw(/^bestmove [a-h]\d[a-h]\d$/m);
  said = "";
  child.stdin.write("go depth 2\n");
  // The end of the input ends the program when the search is done.
  child.stdin.end();
  const code = await new Promise((done) => child.once("exit", done));
  assert.match(said, /^bestmove /m);
  assert.equal(code, 0);
});
