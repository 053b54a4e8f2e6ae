// The worker that referees: it answers at once and lets another worker think.

import type { FromReferee, Later, ToReferee } from "./messages";
import { Module, OUT } from "./module";
import { parent } from "./port";
import { Storage } from "./storage";
import { Thinking } from "./thinking";

/** The longest round of an analysis where a round cannot be interrupted, in milliseconds. */
const SHORT_ROUND_MS = 250;
const LONG_ROUND_MS = 1500;
/** The longest wait that a timer takes. */
const LONGEST_MS = 1 << 30;

/** The messages that are answered from files. */
const FILES: { file: keyof Later; asked: RegExp }[] = [
  { file: "puzzles", asked: /"puzzles"/ },
  { file: "lessons", asked: /"(puzzles|lessons|practise)"/ },
];

const home = parent<ToReferee, FromReferee>();
let referee: Promise<Referee> | null = null;

class Referee {
  private module!: Module;
  /** Where the files are that have not been loaded yet. */
  private readonly later: Partial<Later>;
  private storage!: Storage;
  /** Where the referees of other tabs tell the names of games that they have kept. */
  private others: BroadcastChannel | null = null;
  /** Whether it has been said that nothing is kept. */
  private told = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly thinking: Thinking;

  private constructor({ module, mind, later, type }: Extract<ToReferee, { kind: "begin" }>) {
    this.later = { ...later };
    this.thinking = new Thinking(module, new URL(mind), type, {
      found: (text) => this.call("found", text),
      failed: (why) => this.call("failed", why),
      progress: (text) => this.call("progress", text),
      warning: (text) => home.post({ kind: "warning", text }),
    });
  }

  static async begin(message: Extract<ToReferee, { kind: "begin" }>): Promise<Referee> {
    const made = new Referee(message);
    const stored = Storage.open();
    made.module = await Module.instantiate(message.module, {
      post: (kind, number, more, text) => made.post(kind, number, more, text),
      stopped: () => false,
    });
    const round_ms = made.thinking.isStoppable ? LONG_ROUND_MS : SHORT_ROUND_MS;
    made.module.call("begin_referee", JSON.stringify({ hash: message.hash, round_ms }));
    made.thinking.begin();
    made.storage = await stored;
    for (const text of await made.storage.all()) made.module.call("restore", text);
    made.followOthers();
    return made;
  }

  /** The same game may be open in two tabs: what is kept in one goes on in the other. */
  private followOthers(): void {
    if (!this.storage.isOpen || typeof BroadcastChannel === "undefined") return;
    this.others = new BroadcastChannel("anqi-games");
    this.others.onmessage = ({ data }: MessageEvent<string>) => {
      const follow = (text: string | null) => guarded(() => text !== null && this.call("restore", text));
      void this.storage.one(data).then(follow, () => {});
    };
  }

  call(name: Parameters<Module["call"]>[0], input?: string | Uint8Array, number?: number): void {
    this.module.call(name, input, number);
    this.setTimer(this.module.call("ring"));
  }

  /** Answers a message, after what it asks for has been loaded. */
  hear(message: Extract<ToReferee, { kind: "hear" }>): void {
    const hear = () => this.call("hear", message.text, message.connection);
    const wanted = FILES.filter(({ file, asked }) => this.later[file] !== undefined && asked.test(message.text));
    if (wanted.length === 0) return hear();
    void Promise.all(wanted.map(({ file }) => this.load(file))).then(() => guarded(hear, message));
  }

  private async load(file: keyof Later): Promise<void> {
    try {
      const bytes = await loadBytes(this.later[file] ?? "");
      if (this.later[file] !== undefined) this.module.call(`provide_${file}`, bytes);
      delete this.later[file];
    } catch (error) {
      home.post({ kind: "warning", text: `the ${file} cannot be loaded: ${error}` });
    }
  }

  private setTimer(ms: number): void {
    clearTimeout(this.timer);
    if (ms >= 0) this.timer = setTimeout(() => guarded(() => this.setTimer(this.module.call("ring"))), Math.min(Math.ceil(ms), LONGEST_MS));
  }

  private keep(text: string): void {
    const told = (id: string) => this.others?.postMessage(id);
    this.storage.keep(text).then(told, (error) => {
      if (!this.told) home.post({ kind: "warning", text: `games are not kept: ${error}` });
      this.told = true;
    });
  }

  /** Takes what the module posts; what calls the module again waits until it has returned. */
  private post(kind: number, number: number, more: number, text: string): void {
    if (kind === OUT.say) home.post({ kind: "say", connection: number, text });
    else if (kind === OUT.work) this.thinking.think(number, text);
    else if (kind === OUT.stop) queueMicrotask(() => guarded(() => this.thinking.stop(number, more === 1)));
    else if (kind === OUT.answer) home.post({ kind: "answer", number, text });
    else if (kind === OUT.keep) this.keep(text);
    else if (kind === OUT.uci) home.post({ kind: "uci", line: text });
    else home.post({ kind: "warning", text });
  }
}

/** A fault of the program ends the module: whoever asked hears of it, and the page starts another worker. */
function guarded(act: () => void, asked?: Extract<ToReferee, { kind: "hear" }>): void {
  try {
    act();
  } catch (error) {
    if (asked) home.post({ kind: "say", connection: asked.connection, text: internal(asked.text) });
    home.post({ kind: "broken", why: String(error) });
  }
}

async function loadBytes(url: string): Promise<Uint8Array> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(String(answer.status));
  return new Uint8Array(await answer.arrayBuffer());
}

/** The answer to a message that could not be answered. */
function internal(text: string): string {
  let re: unknown;
  try {
    re = (JSON.parse(text) as { id?: number }).id;
  } catch {
    // A message without a number has an answer without one.
  }
  return JSON.stringify({ re, type: "error", code: "internal", message: "the answer failed by a fault of the program" });
}

function take(referee: Referee, message: ToReferee): void {
  switch (message.kind) {
    case "begin":
      return;
    case "connect":
    case "disconnect":
      return referee.call(message.kind, undefined, message.connection);
    case "hear":
      return referee.hear(message);
    case "ask":
      return referee.call("ask", message.text, message.number);
    case "halt":
      return referee.call("halt", undefined, message.number);
    case "uci":
      return referee.call("uci", message.line);
    case "about":
      return referee.call("about");
    case "provide":
      return referee.call("provide", message.bytes);
  }
}

home.listen((message) => {
  if (message.kind === "begin") {
    referee = Referee.begin(message);
    referee.catch((error) => home.post({ kind: "broken", why: String(error) }));
    return;
  }
  void referee?.then(
    (made) => guarded(() => take(made, message), message.kind === "hear" ? message : undefined),
    () => {},
  );
});
