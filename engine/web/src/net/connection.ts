// Requests with answers, streams of answers, pushes; reconnects by itself.

import type * as wire from "../wire";
import { Store } from "../state/store";
import type { Backend, Hindrance } from "./backend";
import { SocketBackend } from "./socket";

/** An answer by its type. */
type Message<K extends wire.ServerMessage["type"]> = Extract<wire.ServerMessage, { type: K }>;

/** What each message is answered by. */
interface Answers {
  create: Message<"created">;
  rematch: Message<"created">;
  enter: Message<"state">;
  leave: Message<"ok">;
  play: Message<"state">;
  undo: Message<"state" | "ok">;
  hint: Message<"hint" | "state">;
  resign: Message<"state" | "ok">;
  offer_draw: Message<"state" | "ok">;
  answer: Message<"state" | "ok">;
  pause: Message<"state">;
  show_thinking: Message<"ok">;
  check_deal: Message<"deal_checked">;
  view: Message<"view">;
  walk: Message<"walk">;
  explain: Message<"explained">;
  check_position: Message<"checked">;
  import: Message<"imported">;
  export: Message<"exported">;
  stop_analysis: Message<"ok">;
  stop_review: Message<"ok">;
  probe: Message<"table">;
  material: Message<"material">;
  practise: Message<"exercises">;
  defend: Message<"defended">;
  puzzles: Message<"puzzles">;
  lessons: Message<"lessons">;
  ping: Message<"pong">;
}
type Asked = keyof Answers;
type Request<K extends wire.ClientMessage["type"]> = K extends K ? Extract<wire.ClientMessage, { type: K }> : never;

/** The server's refusal, or a lost connection. */
export class Refusal extends Error {
  constructor(
    readonly code: wire.ErrorCode | "lost",
    message: string,
  ) {
    super(message);
  }
}

interface Waiting {
  take(message: wire.ServerMessage): void;
  fail(refusal: Refusal): void;
}

const LONGEST_PAUSE_MS = 4000;

export class Connection {
  readonly status = new Store<{ open: boolean; ever: boolean; hindrance: Hindrance | null }>({ open: false, ever: false, hindrance: null });
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners = new Set<(message: wire.ServerMessage) => void>();
  private queue: string[] = [];
  private lastId = 0;
  private pause = 250;

  /** Called at each opening, before messages that waited for it are sent. */
  onOpen: (again: boolean) => void = () => {};

  constructor(readonly backend: Backend) {}

  open(): void {
    this.backend.open({
      opened: () => this.opened(),
      heard: (text) => this.received(text),
      closed: (why) => this.closed(why),
    });
  }

  /** Hears every message that answers nothing, and every answer too. */
  listen(listener: (message: wire.ServerMessage) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  ask<K extends Asked>(message: Request<K>): Promise<Answers[K]> {
    return new Promise((resolve, reject) => {
      const id = this.send(message);
      this.waiting.set(id, {
        take: (answer) => {
          this.waiting.delete(id);
          resolve(answer as Answers[K]);
        },
        fail: reject,
      });
    });
  }

  /** Sends a message that is answered more than once; the stream ends when `take` returns false. */
  stream<K extends "analyse" | "review">(
    message: Request<K>,
    take: (answer: wire.ServerMessage) => boolean,
    fail: (refusal: Refusal) => void,
  ): () => void {
    const id = this.send(message);
    this.waiting.set(id, {
      take: (answer) => {
        if (!take(answer)) this.waiting.delete(id);
      },
      fail,
    });
    return () => this.waiting.delete(id);
  }

  private send(message: object): number {
    this.lastId += 1;
    const text = JSON.stringify({ ...message, id: this.lastId });
    if (this.status.value.open) this.backend.send(text);
    else this.queue.push(text);
    return this.lastId;
  }

  private opened(): void {
    const again = this.status.value.ever;
    const queue = this.queue;
    this.queue = [];
    this.pause = 250;
    this.status.set({ open: true, ever: true });
    this.onOpen(again);
    for (const text of queue) this.backend.send(text);
  }

  private received(text: string): void {
    const message = JSON.parse(text) as wire.ServerMessage & { re?: number };
    const id = message.re;
    const waiting = id === undefined ? undefined : this.waiting.get(id);
    if (message.type === "error" && id !== undefined) {
      this.waiting.delete(id);
      waiting?.fail(new Refusal(message.code, message.message));
    } else waiting?.take(message);
    for (const listener of [...this.listeners]) listener(message);
  }

  private closed(why?: Hindrance): void {
    this.status.set({ open: false, hindrance: why ?? null });
    this.queue = [];
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const each of waiting) each.fail(new Refusal("lost", "The connection was lost."));
    if (why) return;
    setTimeout(() => this.open(), this.pause);
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS);
  }
}

export const connection = new Connection(globalThis.anqiBackend ?? new SocketBackend());
