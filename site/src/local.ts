// The backend of the page without a server. Loaded before the page, which finds it as `anqiBackend`.

import type { Backend, Hindrance, Listener } from "../../engine/web/src/net/backend";
import type { About } from "../../engine/web/src/wire";
import { fetchLater } from "./later";
import { compile, hasSimd } from "./load";
import type { FromReferee, ToReferee } from "./messages";
import { spawn, type Remote } from "./port";

/** The files of this site by their hashed names, written into this script when the site is built. */
declare const FILES: { wasm: string; referee: string; mind: string; endings: string; puzzles: string; lessons: string };

const HERE = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : location.href;
const at = (name: string) => new URL(name, HERE);

/** The largest transposition table by the memory of the device, in mebibytes. */
function tableSize(): number {
  const gigabytes = (navigator as { deviceMemory?: number }).deviceMemory ?? 4;
  return gigabytes <= 2 ? 8 : gigabytes <= 4 ? 16 : 32;
}

class LocalBackend implements Backend {
  readonly local = true;
  private worker: Remote<FromReferee, ToReferee> | null = null;
  private readonly module = hasSimd() ? compile(at(FILES.wasm)) : null;
  /** The first referee's script is loaded while the page is. */
  private early = this.module && start();
  private endings: Promise<Uint8Array> | null = null;
  private tell: (about: About | null) => void = () => {};
  private readonly told = new Promise<About | null>((resolve) => (this.tell = resolve));

  constructor() {
    // Whoever opens the page hears of a failure.
    this.module?.catch(() => {});
    // It says nothing before it is asked, unless it fails; then another is tried.
    if (this.early) this.early.onmessage = () => (this.early = null);
  }

  open(listener: Listener): void {
    void this.begin(listener).catch((error) => {
      console.warn(`anqi: ${error}`);
      this.end(listener, "no_files");
    });
  }

  private async begin(listener: Listener): Promise<void> {
    if (this.module === null) return this.end(listener, "no_wasm");
    const worker = this.early ?? start();
    this.early = null;
    if (worker === null) return this.end(listener, "no_worker");
    this.worker = worker;
    worker.onmessage = (message, why) => {
      if (this.worker !== worker) return;
      if (message === null) this.end(listener, "no_files", why);
      else this.take(message, listener);
    };
    const module = await this.module;
    const later = { puzzles: at(FILES.puzzles).href, lessons: at(FILES.lessons).href };
    worker.post({ kind: "begin", module, mind: at(FILES.mind).href, later, type: "classic", hash: tableSize() });
    worker.post({ kind: "connect", connection: 1 });
    worker.post({ kind: "about" });
    listener.opened();
    this.endings ??= fetchLater(at(FILES.endings));
    const bytes = await this.endings;
    if (this.worker === worker) worker.post({ kind: "provide", bytes });
  }

  private take(message: FromReferee, listener: Listener): void {
    if (message.kind === "say") {
      // Others are those of tests.
      if (message.connection === 1) listener.heard(message.text);
    }
    else if (message.kind === "answer") this.tell(JSON.parse(message.text) as About);
    else if (message.kind === "warning") console.warn(`anqi: ${message.text}`);
    else if (message.kind === "broken") {
      console.warn(`anqi: ${message.why}`);
      this.worker?.end();
      this.worker = null;
      listener.closed();
    }
  }

  private end(listener: Listener, why: Hindrance, words?: string): void {
    if (words) console.warn(`anqi: ${words}`);
    this.worker?.end();
    this.worker = null;
    this.tell(null);
    listener.closed(why);
  }

  send(text: string): void {
    this.worker?.post({ kind: "hear", connection: 1, text });
  }

  about(): Promise<About | null> {
    return this.told;
  }
}

/** Starts the referee, null where there are no workers. */
function start(): Remote<FromReferee, ToReferee> | null {
  try {
    return spawn(at(FILES.referee), "classic");
  } catch {
    return null;
  }
}

globalThis.anqiBackend = new LocalBackend();
