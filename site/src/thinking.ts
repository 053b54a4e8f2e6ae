// The mind as the referee sees it: a worker that may be stopped, fail, grow too large, and be replaced.

import type { FromMind, ToMind } from "./messages";
import { IN_NODE, spawn, type Remote } from "./port";

/** Beyond this memory a mind is replaced: memories of modules never shrink. */
const MOST_BYTES = 176 << 20;

export interface Heard {
  found(text: string): void;
  failed(why: string): void;
  progress(text: string): void;
  warning(text: string): void;
}

export class Thinking {
  private readonly flag: Int32Array | null;
  private worker: Remote<FromMind, ToMind> | null = null;
  private current: number | null = null;
  private failures = 0;

  constructor(
    private readonly module: WebAssembly.Module,
    private readonly url: URL,
    private readonly type: WorkerType,
    private readonly heard: Heard,
  ) {
    this.flag = sharesMemory() ? new Int32Array(new SharedArrayBuffer(4)) : null;
  }

  /** Whether work can be stopped without losing the worker. */
  get isStoppable(): boolean {
    return this.flag !== null;
  }

  begin(): void {
    const worker = spawn<FromMind, ToMind>(this.url, this.type);
    worker.onmessage = (message, why) => {
      if (this.worker !== worker) return;
      if (message === null) this.broken(why ?? "it cannot be loaded");
      else this.take(message);
    };
    worker.post({ kind: "begin", module: this.module, flag: (this.flag?.buffer as SharedArrayBuffer | undefined) ?? null });
    this.worker = worker;
  }

  think(number: number, text: string): void {
    this.current = number;
    if (this.worker === null) this.begin();
    this.worker?.post({ kind: "think", number, text });
  }

  /** Ends work early; where no memory is shared, only if somebody waits for the worker. */
  stop(number: number, now: boolean): void {
    if (number !== this.current) return;
    if (this.flag !== null) Atomics.store(this.flag, 0, number);
    else if (now) {
      this.replace();
      this.ended(() => this.heard.failed("stopped"));
    }
  }

  private take(message: FromMind): void {
    if (message.kind === "warning") return this.heard.warning(message.text);
    if (message.kind === "broken") return this.broken(message.why);
    if (message.number !== this.current) return;
    if (message.kind === "progress") return this.heard.progress(message.text);
    this.failures = 0;
    if (message.bytes > MOST_BYTES) this.replace();
    this.ended(() => (message.kind === "found" ? this.heard.found(message.text) : this.heard.failed(message.text)));
  }

  private broken(why: string): void {
    this.heard.warning(`the thinking worker failed: ${why}`);
    this.worker?.end();
    this.worker = null;
    // One that cannot even be loaded is tried again only when there is work.
    this.failures += 1;
    if (this.failures < 3) this.begin();
    if (this.current !== null) this.ended(() => this.heard.failed("a fault of the program"));
  }

  private replace(): void {
    this.worker?.end();
    this.begin();
  }

  private ended(tell: () => void): void {
    this.current = null;
    tell();
  }
}

function sharesMemory(): boolean {
  return typeof SharedArrayBuffer !== "undefined" && (IN_NODE || self.crossOriginIsolated);
}
