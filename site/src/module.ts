// The WebAssembly module: texts in, texts out.

/** The kinds of texts that come out, as engine/browser/src/abi.rs numbers them. */
export const OUT = { say: 0, work: 1, stop: 2, found: 3, failed: 4, progress: 5, answer: 6, uci: 7, warning: 8, keep: 9 } as const;

/** The exports with a number and a text, as far as they take them. */
type Export =
  | "about"
  | "ask"
  | "begin_mind"
  | "begin_referee"
  | "connect"
  | "disconnect"
  | "failed"
  | "found"
  | "halt"
  | "hear"
  | "progress"
  | "provide"
  | "provide_lessons"
  | "provide_puzzles"
  | "restore"
  | "ring"
  | "think"
  | "uci"
  | "warm_up";

type Exports = Record<Export, (number?: number) => number> & { memory: WebAssembly.Memory; reserve(length: number): number };

export interface Surroundings {
  /** Takes a text that comes out. It must not call the module. */
  post(kind: number, number: number, more: number, text: string): void;
  /** Whether the work at hand is to end. */
  stopped(): boolean;
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

export class Module {
  private constructor(private readonly exports: Exports) {}

  static async instantiate(module: WebAssembly.Module, around: Surroundings): Promise<Module> {
    const bytes = (at: number, length: number) => new Uint8Array(made.exports.memory.buffer, at >>> 0, length);
    const anqi = {
      now: () => performance.now(),
      unix: () => Date.now(),
      stopped: () => (around.stopped() ? 1 : 0),
      random: (at: number, length: number) => {
        try {
          crypto.getRandomValues(bytes(at, length));
          return 0;
        } catch {
          return 1;
        }
      },
      post: (kind: number, number: number, more: number, at: number, length: number) =>
        around.post(kind, number, more, DECODER.decode(bytes(at, length))),
    };
    const { exports } = await WebAssembly.instantiate(module, { anqi });
    const made = new Module(exports as unknown as Exports);
    return made;
  }

  /** Calls an export, with a text or bytes in the buffer. */
  call(name: Export, input?: string | Uint8Array, number?: number): number {
    if (input !== undefined) {
      const bytes = typeof input === "string" ? ENCODER.encode(input) : input;
      const at = this.exports.reserve(bytes.length);
      new Uint8Array(this.exports.memory.buffer).set(bytes, at >>> 0);
    }
    return this.exports[name](number);
  }

  /** The size of its memory in bytes. */
  get bytes(): number {
    return this.exports.memory.buffer.byteLength;
  }
}
