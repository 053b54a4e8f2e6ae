// The worker that thinks: one piece of work at a time, stopped by a shared flag or by its end.

import type { FromMind, ToMind } from "./messages";
import { Module, OUT } from "./module";
import { parent } from "./port";

/** How long it has nothing to do before it solves tables that any game will need. */
const IDLE_MS = 400;

const home = parent<ToMind, FromMind>();
let mind: Promise<Module> | null = null;
let flag: Int32Array | null = null;
let current = 0;
let warming: ReturnType<typeof setTimeout> | undefined;

function post(module: () => number, kind: number, text: string): void {
  if (kind === OUT.found) home.post({ kind: "found", number: current, text, bytes: module() });
  else if (kind === OUT.failed) home.post({ kind: "failed", number: current, text, bytes: module() });
  else if (kind === OUT.progress) home.post({ kind: "progress", number: current, text });
  else home.post({ kind: "warning", text });
}

async function begin(module: WebAssembly.Module): Promise<Module> {
  const made: Module = await Module.instantiate(module, {
    post: (kind, _number, _more, text) => post(() => made.bytes, kind, text),
    stopped: () => flag !== null && Atomics.load(flag, 0) === current,
  });
  made.call("begin_mind");
  warming = setTimeout(() => guarded(() => made.call("warm_up")), IDLE_MS);
  return made;
}

/** A fault of the program ends the module: whoever started this worker starts another. */
function guarded(act: () => void): void {
  try {
    act();
  } catch (error) {
    home.post({ kind: "broken", why: String(error) });
  }
}

home.listen((message) => {
  if (message.kind === "begin") {
    flag = message.flag ? new Int32Array(message.flag) : null;
    mind = begin(message.module);
    mind.catch((error) => home.post({ kind: "broken", why: String(error) }));
    return;
  }
  void mind?.then((module) => {
    clearTimeout(warming);
    current = message.number;
    guarded(() => module.call("think", message.text));
  });
});
