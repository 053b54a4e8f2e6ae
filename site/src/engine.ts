// The engine as a library: `const engine = await Engine.create({ hash: 16 })`, in browsers and in Node.js.

import type { FromReferee, ToReferee } from "./messages";
import { IN_NODE, spawn, type Remote } from "./port";
import { choiceOf, infoOf, moveOf, type Choice, type Info, type Limits, type Rules } from "./values";

export type { Choice, Info, Limits, Rules } from "./values";

export interface Options {
  /** The transposition table in mebibytes, 16 if left out. */
  hash?: number;
  /** A level from 1 to 10, the strongest if left out. */
  level?: number;
  /** The rules that positions are played by: `olympiad` if left out. */
  rules?: Rules;
  /** A compiled module, if it is not to be loaded from beside this file. */
  module?: WebAssembly.Module;
}

/** A refusal: what is wrong, with what, and what was expected. */
export class EngineError extends Error {}

interface Search {
  take(answer: string): void;
  fail(error: EngineError): void;
}

interface Question {
  heard(message: Record<string, unknown>): boolean;
  fail(error: EngineError): void;
}

const FILES = { wasm: "anqi.wasm", referee: "referee.mjs", mind: "mind.mjs" };

async function loadModule(url: URL): Promise<WebAssembly.Module> {
  if (!IN_NODE) {
    const answer = await fetch(url);
    if (!answer.ok) throw new EngineError(`${url.href} cannot be loaded: ${answer.status}`);
    return WebAssembly.compile(await answer.arrayBuffer());
  }
  const { readFile } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ ["node:fs", "promises"].join("/"))) as typeof import("node:fs/promises");
  return WebAssembly.compile(new Uint8Array(await readFile(url)));
}

export class Engine {
  /** Hears how far a search is. */
  onInfo: (info: Info) => void = () => {};
  /** Hears of problems that stop nothing. */
  onWarning: (text: string) => void = () => {};

  private readonly searches = new Map<number, Search>();
  private readonly questions = new Map<number, Question>();
  private last = 0;
  private begins = false;
  private start = "";
  private plies: string[] = [];
  private lines: ((line: string) => void) | null = null;

  private constructor(
    private readonly worker: Remote<FromReferee, ToReferee>,
    private readonly options: Options,
  ) {
    worker.onmessage = (message, why) => this.take(message, why);
  }

  /** Starts the workers. */
  static async create(options: Options = {}): Promise<Engine> {
    const at = (name: string) => new URL(name, import.meta.url);
    const module = options.module ?? (await loadModule(at(FILES.wasm)));
    const engine = new Engine(spawn(at(FILES.referee), "module"), options);
    const hash = options.hash ?? 16;
    engine.worker.post({ kind: "begin", module, mind: at(FILES.mind).href, later: null, type: "module", hash });
    engine.worker.post({ kind: "connect", connection: 1 });
    // The first answer shows that the module runs.
    await engine.position();
    return engine;
  }

  /** Sets the position: `start` or a position string, and the plies that were played from it, such as `b2(G)` and `b2-b3`. */
  async position(fen = "start", plies: readonly string[] = []): Promise<void> {
    const view = (line: readonly string[]) => this.question({ type: "view", line: { start: fen, plies: line, rules: this.rules } }, () => true);
    const [first] = await Promise.all([view([]), view(plies)]);
    this.start = (first.board as { position: string }).position;
    this.plies = [...plies];
  }

  /** Forgets what earlier searches have found. */
  newGame(): void {
    this.begins = true;
  }

  /** Searches the position, until a limit or `stop`: a second if there is none. */
  go(limits: Limits = {}): Promise<Choice> {
    this.last += 1;
    const number = this.last;
    const { hash = 16, level } = this.options;
    const spec = `champion:hash=${hash}${level === undefined ? "" : `,level=${level}`}`;
    const text = moveOf({ start: this.start, plies: this.plies, rules: this.rules, spec, begins: this.begins, limits });
    this.begins = false;
    return new Promise((resolve, reject) => {
      const take = (answer: string) => {
        const told = JSON.parse(answer) as { progress?: Parameters<typeof infoOf>[0]; found?: { move: Parameters<typeof choiceOf>[0] }; failed?: string };
        if (told.progress) return this.onInfo(infoOf(told.progress));
        this.searches.delete(number);
        if (told.found) resolve(choiceOf(told.found.move));
        else reject(new EngineError(told.failed));
      };
      this.searches.set(number, { take, fail: reject });
      this.worker.post({ kind: "ask", number, text });
    });
  }

  /** Ends all searches; each answers with the best that it has. */
  stop(): void {
    for (const number of this.searches.keys()) this.worker.post({ kind: "halt", number });
  }

  /** Reviews a record of any format, or plies after `start`; returns the report that the page shows. */
  async review(record: string, { nodes, onProgress }: { nodes?: number; onProgress?: (done: number, total: number) => void } = {}): Promise<unknown> {
    const imported = await this.question({ type: "import", text: record }, () => true);
    const answer = await this.question({ type: "review", line: imported.line, players: imported.players, nodes }, (message) => {
      if (message.type === "review_progress") onProgress?.(Number(message.done), Number(message.total));
      return message.type === "review";
    });
    return answer.report;
  }

  /** What tables know of a position: up to four pieces, and more with the file of distilled endings. */
  async probe(fen: string): Promise<unknown> {
    const { board: _, type: __, re: ___, ...known } = await this.question({ type: "probe", position: fen, rules: this.rules }, () => true);
    return known;
  }

  /** Takes the file `pocket.dst`: values of all endings of up to five pieces. */
  provide(bytes: Uint8Array): void {
    this.worker.post({ kind: "provide", bytes });
  }

  /** Hands a line of UCI over; the answers come to `hear`. */
  uci(line: string, hear: (line: string) => void): void {
    this.lines = hear;
    this.worker.post({ kind: "uci", line });
  }

  /** Ends the workers. */
  close(): void {
    this.worker.end();
    this.failAll("the engine is closed");
  }

  private get rules(): Rules {
    return this.options.rules ?? "olympiad";
  }

  /** Asks the desk; `heard` says which answer is the last one. */
  private question(message: Record<string, unknown>, heard: Question["heard"]): Promise<Record<string, unknown>> {
    this.last += 1;
    const id = this.last;
    return new Promise((resolve, reject) => {
      this.questions.set(id, {
        heard: (answer) => {
          const isLast = heard(answer);
          if (isLast) resolve(answer);
          return isLast;
        },
        fail: reject,
      });
      this.worker.post({ kind: "hear", connection: 1, text: JSON.stringify({ ...message, id }) });
    });
  }

  private take(message: FromReferee | null, why?: string): void {
    if (message === null) return this.failAll(why ?? "the worker cannot be loaded");
    if (message.kind === "broken") return this.failAll(message.why);
    if (message.kind === "warning") return this.onWarning(message.text);
    if (message.kind === "uci") return this.lines?.(message.line);
    if (message.kind === "answer") return this.searches.get(message.number)?.take(message.text);
    const told = JSON.parse(message.text) as Record<string, unknown>;
    const id = Number(told.re);
    const question = this.questions.get(id);
    if (!question) return;
    if (told.type === "error") question.fail(new EngineError(String(told.message)));
    else if (!question.heard(told)) return;
    this.questions.delete(id);
  }

  private failAll(why: string): void {
    const error = new EngineError(why);
    for (const each of [...this.searches.values(), ...this.questions.values()]) each.fail(error);
    this.searches.clear();
    this.questions.clear();
  }
}
