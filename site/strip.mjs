// Leaves out of a WebAssembly module what only tools read: the names of functions, and who made it.
//
//   node site/strip.mjs MODULE.wasm OUT.wasm

import { readFileSync, writeFileSync } from "node:fs";

const [from, to] = process.argv.slice(2);
const bytes = readFileSync(from);
const CUSTOM = 0;
const HEADER = 8;

/** Reads an unsigned LEB128 number; returns it and where it ends. */
function number(at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at];
    at += 1;
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return [value, at];
  }
}

const kept = [bytes.subarray(0, HEADER)];
for (let at = HEADER; at < bytes.length; ) {
  const [length, begin] = number(at + 1);
  if (bytes[at] !== CUSTOM) kept.push(bytes.subarray(at, begin + length));
  at = begin + length;
}
writeFileSync(to, Buffer.concat(kept));
