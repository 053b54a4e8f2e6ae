// Probes positions with the module of pocket_wasm.rs: node pocket_wasm.mjs MODULE.wasm POSITION...
import { readFile } from "node:fs/promises";

const [module, ...positions] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(await readFile(module));
const { input, memory, probe, room } = instance.exports;
const words = new Map([[1, "win"], [0, "draw"], [-1, "loss"], [2, "not in the file"], [3, "not a position"]]);
for (const text of positions) {
  const bytes = new TextEncoder().encode(text).subarray(0, room());
  new Uint8Array(memory.buffer).set(bytes, input());
  console.log(`${text}: ${words.get(probe(bytes.length))}`);
}
