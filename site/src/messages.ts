// What the page, the referee's worker and the mind's worker say to each other.

/** Files that are loaded when somebody asks for what they have. */
export interface Later {
  puzzles: string;
  lessons: string;
}

/** From a page or a program to the referee. */
export type ToReferee =
  | { kind: "begin"; module: WebAssembly.Module; mind: string; later: Later | null; type: WorkerType; hash: number }
  | { kind: "connect" | "disconnect"; connection: number }
  | { kind: "hear"; connection: number; text: string }
  | { kind: "ask"; number: number; text: string }
  | { kind: "halt"; number: number }
  | { kind: "uci"; line: string }
  | { kind: "about" }
  | { kind: "provide"; bytes: Uint8Array };

/** From the referee. */
export type FromReferee =
  | { kind: "say"; connection: number; text: string }
  | { kind: "answer"; number: number; text: string }
  | { kind: "uci"; line: string }
  | { kind: "warning"; text: string }
  | { kind: "broken"; why: string };

/** From the referee to the mind; `flag` holds the number of the work that is to end. */
export type ToMind =
  | { kind: "begin"; module: WebAssembly.Module; flag: SharedArrayBuffer | null }
  | { kind: "think"; number: number; text: string };

/** From the mind; `bytes` is the size of its memory. */
export type FromMind =
  | { kind: "found" | "failed"; number: number; text: string; bytes: number }
  | { kind: "progress"; number: number; text: string }
  | { kind: "warning"; text: string }
  | { kind: "broken"; why: string };
