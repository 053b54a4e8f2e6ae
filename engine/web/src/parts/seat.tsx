// The strip of a player: name, colour, what was captured from the other, clock.

import { words } from "../i18n";
import { game } from "../state/game";
import { useStore } from "../state/store";
import type { Board, Seat as SeatNumber, State } from "../wire";
import { Clock } from "./clock";
import { nameOf } from "./names";
import { Captured } from "./pool";

export function Seat({ state, seat, board }: { state: State; seat: SeatNumber; board: Board }) {
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
      {view.color ? <Captured letters={board.captured} color={prey} /> : <span class="captured" />}
      {state.clocks ? (
        <Clock left={state.clocks.left_ms[seat]} since={since} running={state.clocks.running === seat} mine={state.you.includes(seat)} />
      ) : null}
    </div>
  );
}
