// Values for one side and for the other.

import type { Value } from "../wire";

const OPPOSITE = { win: "loss", loss: "win", draw: "draw", estimate: "estimate" } as const;

/** The same value for the other side. */
export function opposite(value: Value): Value {
  return { ...value, expected: -value.expected, kind: OPPOSITE[value.kind] };
}
