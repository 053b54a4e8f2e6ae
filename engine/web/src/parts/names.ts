// What the players of a game are called: a person without a name is named from the viewer's seat.

import { words } from "../i18n";
import type { Remembered } from "../state/game";
import type { Seat, State } from "../wire";

type Seats = Pick<State, "seats" | "you">;

/** The name a player gave, or that of the engine; null for a person who gave none. */
function givenName({ seats }: Seats, seat: Seat): string | null {
  const { kind, name, level } = seats[seat];
  if (kind === "person") return name === "" ? null : name;
  return words().sitterName(name, level);
}

/** Whoever looks on from a seat is "You", and the other the opponent; watchers tell people by their colours. */
export function nameOf(state: Seats, seat: Seat): string {
  const text = words();
  const given = givenName(state, seat);
  if (given !== null) return given;
  if (state.you.length === 1) return state.you[0] === seat ? text.you : text.opponent;
  const { color } = state.seats[seat];
  return color ? text.colors[color] : text.seatName(seat);
}

/** Whose move is awaited, as a sentence. */
export function awaited(state: Seats, seat: Seat): string {
  const text = words();
  if (givenName(state, seat) === null && !state.seats[seat].waiting) {
    if (state.you.length === 1) return text.opponentsTurn;
    const { color } = state.seats[seat];
    if (color) return text.colorToMove(color);
  }
  return text.waitsFor(nameOf(state, seat));
}

/** Both names as this browser calls them. */
export function namesOf(state: Seats): [string, string] {
  return [nameOf(state, 0), nameOf(state, 1)];
}

/** Both names for a record, which others read: a person without a name is the first or the second player. */
export function recordNames(state: Seats): [string, string] {
  const name = (seat: Seat) => givenName(state, seat) ?? words().seatName(seat);
  return [name(0), name(1)];
}

/** What older versions of the program called people who gave no name. */
const UNNAMED = ["", "you", "guest"];

/** The names of a game that only the browser still knows. */
export function rememberedNames({ names, you = [] }: Remembered): [string, string] {
  const text = words();
  const name = (seat: Seat) => {
    if (!UNNAMED.includes(names[seat])) return text.sitterName(names[seat]);
    if (you.length === 1) return you[0] === seat ? text.you : text.opponent;
    return text.seatName(seat);
  };
  return [name(0), name(1)];
}
