// The strip of a player: name, colour, what was captured from the other, clock.

import { words } from "../i18n";
import { game } from "../state/game";
import { useStore } from "../state/store";
import type { Seat as SeatNumber, State } from "../wire";
import { Clock } from "./clock";
import { Captured } from "./pool";

export function Seat({ state, seat }: { state: State; seat: SeatNumber }) {
  const { since } = useStore(game);
  const view = state.seats[seat];
  const text = words();
  const turn = state.to_move === seat && !state.outcome;
  const name = nameOf(state, seat);
  const prey = view.color === "red" ? "black" : "red";
  return (
    <div class={`seat${turn ? " turn" : ""}${view.color ? ` of-${view.color}` : ""}`}>
      <span class="color-mark" role="img" aria-label={view.color ? text.colors[view.color] : text.noColor} />
      <span class="seat-name">
        {name}
        {view.kind === "person" && !view.present && !view.waiting ? <small>{text.away}</small> : null}
      </span>
      {view.color ? <Captured letters={state.board.captured} color={prey} /> : <span class="captured" />}
      {state.clocks ? (
        <Clock left={state.clocks.left_ms[seat]} since={since} running={state.clocks.running === seat} mine={state.you.includes(seat)} />
      ) : null}
    </div>
  );
}

/** What the server calls people who gave no name. */
const UNNAMED = ["", "you", "guest"];

/** Two guests at one screen are told apart by their colours, or by who begins. */
function nameOf(state: State, seat: SeatNumber): string {
  const view = state.seats[seat];
  const text = words();
  if (view.kind !== "person" || !UNNAMED.includes(view.name)) return text.sitterName(view.name, view.level);
  if (state.you.length === 1 && state.you[0] === seat) return text.you;
  if (state.you.length === 2) return view.color ? text.colors[view.color] : text.seatName(seat);
  return text.sitterName("");
}
