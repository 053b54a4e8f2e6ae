// BLAKE3 of a text of at most 1024 bytes, so that a browser can check a deal by itself.
// One chunk needs no tree: https://github.com/BLAKE3-team/BLAKE3-specs

const IV = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const PERMUTATION = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const ROUNDS = 7;
const BLOCK_BYTES = 64;
const CHUNK_BYTES = 1024;
const CHUNK_START = 1;
const CHUNK_END = 2;
const ROOT = 8;

/** The four words that each mixing step works on: columns, then diagonals. */
const STEPS = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by));

function mix(state: Uint32Array, [a, b, c, d]: readonly [number, number, number, number], x: number, y: number): void {
  const at = (index: number) => state[index] as number;
  state[a] = at(a) + at(b) + x;
  state[d] = rotate(at(d) ^ at(a), 16);
  state[c] = at(c) + at(d);
  state[b] = rotate(at(b) ^ at(c), 12);
  state[a] = at(a) + at(b) + y;
  state[d] = rotate(at(d) ^ at(a), 8);
  state[c] = at(c) + at(d);
  state[b] = rotate(at(b) ^ at(c), 7);
}

function compress(chaining: Uint32Array, block: Uint8Array, flags: number): Uint32Array {
  const padded = new Uint8Array(BLOCK_BYTES);
  padded.set(block);
  const view = new DataView(padded.buffer);
  let message = Array.from({ length: 16 }, (_, index) => view.getUint32(index * 4, true));
  const state = new Uint32Array([...chaining, ...IV.slice(0, 4), 0, 0, block.length, flags]);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, step] of STEPS.entries()) {
      mix(state, step, message[index * 2] as number, message[index * 2 + 1] as number);
    }
    message = PERMUTATION.map((from) => message[from] as number);
  }
  return state.slice(0, 8).map((word, index) => word ^ (state[index + 8] as number));
}

/** Returns the hash in lower-case hexadecimal. */
export function blake3(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > CHUNK_BYTES) throw new RangeError("only one chunk can be hashed");
  let chaining: Uint32Array = new Uint32Array(IV);
  const blocks = Math.max(1, Math.ceil(bytes.length / BLOCK_BYTES));
  for (let index = 0; index < blocks; index += 1) {
    const first = index === 0 ? CHUNK_START : 0;
    const last = index === blocks - 1 ? CHUNK_END | ROOT : 0;
    chaining = compress(chaining, bytes.slice(index * BLOCK_BYTES, (index + 1) * BLOCK_BYTES), first | last);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, word] of chaining.entries()) digest.setUint32(index * 4, word, true);
  return Array.from({ length: 32 }, (_, index) => digest.getUint8(index).toString(16).padStart(2, "0")).join("");
}
