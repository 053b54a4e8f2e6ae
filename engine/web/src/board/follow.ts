// Which disc is which from one position to the next, so that discs glide, turn and
// vanish instead of being drawn anew.

import { useRef } from "preact/hooks";
import { SQUARES } from "./geometry";

export interface Placed {
  id: number;
  square: string;
  content: string;
  /** It has just been captured and is only there to fade. */
  gone: boolean;
  /** It has just come from somewhere else. */
  moved: boolean;
}

/** What a disc of `old` may have become where it lies: itself, turned up, or turned down again. */
function stays(old: string, now: string): boolean {
  return old === now || (now !== "." && (old === "?") !== (now === "?"));
}

/** Carries the discs of the position before over to `squares`. */
export function follow(before: Placed[], squares: string, freshId: () => number): Placed[] {
  const left = new Map(before.filter((disc) => !disc.gone).map((disc) => [disc.square, disc]));
  const after: Placed[] = [];
  const open: { square: string; content: string }[] = [];
  for (const [index, square] of SQUARES.entries()) {
    const content = squares[index] ?? ".";
    const disc = left.get(square);
    if (disc && stays(disc.content, content)) {
      left.delete(square);
      after.push({ ...disc, content, moved: false });
    } else if (content !== ".") open.push({ square, content });
  }
  for (const { square, content } of open) {
    const from = [...left.values()].find((disc) => disc.content === content);
    if (from) left.delete(from.square);
    after.push({ id: from?.id ?? freshId(), square, content, gone: false, moved: from !== undefined });
  }
  for (const disc of left.values()) after.push({ ...disc, gone: true, moved: false });
  // A stable order keeps elements in place, so that their transitions run.
  return after.sort((a, b) => a.id - b.id);
}

/** The discs of a board that changes over time. */
export function useDiscs(squares: string): Placed[] {
  const memory = useRef({ squares: "", discs: [] as Placed[], lastId: 0 });
  const state = memory.current;
  if (state.squares !== squares) {
    state.discs = follow(state.discs, squares, () => (state.lastId += 1));
    state.squares = squares;
  }
  return state.discs;
}
