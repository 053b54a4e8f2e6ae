// Looking back in the game of this window while it goes on.

import type { Step } from "../parts/steps";
import { connection } from "../net/connection";
import { words } from "../i18n";
import type { Board, State } from "../wire";
import { complain, game } from "./game";
import { announce } from "./live";
import { Store } from "./store";

interface Looking {
  /** How many plies of the game are on the board that is shown; null to follow the game. */
  at: number | null;
  board: Board | null;
}

const FOLLOWING: Looking = { at: null, board: null };

export const looking = new Store<Looking>(FOLLOWING);

/** Shows the board after so many plies. */
export async function lookAt(at: number): Promise<void> {
  const { state } = game.value;
  if (!state) return;
  if (at >= state.plies.length) return follow();
  looking.set({ at });
  const plies = state.plies.slice(0, at).map((each) => each.ply);
  announce(at === 0 ? words().startPosition : words().plyText(plies[at - 1] ?? ""));
  try {
    const { board } = await connection.ask<"view">({ type: "view", line: { start: state.start, plies, rules: state.rules } });
    if (looking.value.at === at) looking.set({ board });
  } catch (error) {
    follow();
    complain(error);
  }
}

/** Goes back to the game as it stands. */
export function follow(): void {
  looking.set(FOLLOWING);
}

export function lookBy(by: Step): void {
  const plies = game.value.state?.plies.length ?? 0;
  const at = looking.value.at ?? plies;
  const to = { first: 0, back: Math.max(0, at - 1), next: at + 1, last: plies }[by];
  if (to !== at) void lookAt(to);
}

/** Stops looking back when the plies looked at were taken back. */
export function checkLooking(state: State): void {
  const { at } = looking.value;
  if (at !== null && at >= state.plies.length) follow();
}
