// Who answers the page: a server, or workers of this browser. Only files in this folder know which.

import type { About } from "../wire";

/** What a backend tells. */
export interface Listener {
  /** Messages can be sent from now on. */
  opened(): void;
  heard(text: string): void;
  /** Nothing is answered any more; with a reason why there is no use in trying again. */
  closed(why?: Hindrance): void;
}

/** Why this browser cannot run the program itself. */
export type Hindrance = "no_wasm" | "no_worker" | "no_files";

export interface Backend {
  /** Whether the program runs in this browser: no other device reaches it. */
  readonly local: boolean;
  /** Begins, or begins again after the end. */
  open(listener: Listener): void;
  send(text: string): void;
  /** What it can do, null if it does not say. */
  about(): Promise<About | null>;
}

declare global {
  /** Set by a script before the page's own, where the page has no server. */
  var anqiBackend: Backend | undefined;
}
