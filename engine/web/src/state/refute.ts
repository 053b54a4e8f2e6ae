// What answers a wrong move of a puzzle: the analyst's reply, and what the move is worth.

import { isFlip } from "../board/geometry";
import { connection } from "../net/connection";
import type { Line, Value } from "../wire";
import { complain } from "./game";
import { opposite } from "./value";

export interface Refutation {
  /** The reply; null for a flip, after which it depends on what appears, and at the end of a game. */
  reply: string | null;
  /** The value of the wrong move for the side that made it. */
  value: Value;
}

/** How much thinking a reply takes at most. */
const NODES = 60_000;

/** The same value for the other side, a ply before. */
function before(value: Value): Value {
  return { ...opposite(value), plies: value.plies === null ? null : value.plies + 1 };
}

/** Looks for the refutation of an action at the end of a line; returns how to give up. */
export function refute(line: Line, action: string, found: (refutation: Refutation) => void): () => void {
  const square = isFlip(action) ? action.slice(0, 2) : null;
  const plies = square ? line.plies : [...line.plies, action];
  return connection.stream<"analyse">(
    { type: "analyse", line: { ...line, plies }, lines: 1, nodes: NODES, ...(square ? { distributions: [square] } : {}) },
    (answer) => {
      if (answer.type !== "analysis") return false;
      if (!answer.done) return true;
      const flip = answer.flips.find((each) => each.square === square);
      if (flip) found({ reply: null, value: { expected: flip.value, kind: "estimate", plies: null, source: null } });
      else if (!square) found({ reply: answer.lines[0]?.action ?? null, value: before(answer.value) });
      return false;
    },
    complain,
  );
}
