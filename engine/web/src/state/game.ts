// The game that is being played in this window.

import { words } from "../i18n";
import { connection, Refusal } from "../net/connection";
import { playSound } from "../sound";
import type { Created, Create, HintView, Outcome, PlyView, ServerMessage, State, Thinking } from "../wire";
import { announce, notify } from "./live";
import { go } from "./route";
import { load, save } from "./saved";
import { Store } from "./store";

/** A game as the browser remembers it. */
export interface Remembered {
  token: string;
  at: number;
  links: Created["links"];
  watch: string;
  /** Enough to look at it again when the server has forgotten it. */
  start: string;
  plies: string[];
  rules: State["rules"];
  /** Names as given, empty where none was, and the seats of this browser. */
  names: [string, string];
  you?: State["you"];
  outcome: Outcome | null;
}

interface GameView {
  token: string | null;
  state: State | null;
  /** When the state arrived, for the clocks. */
  since: number;
  thinking: Thinking | null;
  hint: HintView | null;
  hinting: boolean;
  /** The server knows no game by this token. */
  missing: boolean;
}

const NONE: GameView = { token: null, state: null, since: 0, thinking: null, hint: null, hinting: false, missing: false };

const REMEMBERED_GAMES = 12;

export const game = new Store<GameView>(NONE);

export function rememberedGames(): Remembered[] {
  return load<Remembered[]>("games", []);
}

export function remembered(token: string): Remembered | undefined {
  return rememberedGames().find((each) => each.token === token);
}

function remember(entry: Remembered): void {
  const others = rememberedGames().filter((each) => each.token !== entry.token);
  save("games", [entry, ...others].slice(0, REMEMBERED_GAMES));
}

export function forget(token: string): void {
  save("games", rememberedGames().filter((each) => each.token !== token));
}

/** Shows a refusal as a notice. */
export function complain(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
  if (error.code === "lost") return;
  notify(words().refusal(error.code, error.message));
}

/** Starts a game and goes to it; plays `first` at once if it is given. */
export async function create(setup: Create, first?: string): Promise<boolean> {
  try {
    const created = await connection.ask<"create">({ type: "create", ...setup });
    begin(created, setup);
    if (first) await act({ type: "play", action: first, ply: 0 });
    return true;
  } catch (error) {
    complain(error);
    return false;
  }
}

function begin(created: Created, setup: Pick<Create, "start" | "rules">): void {
  remember({
    token: created.token,
    at: Date.now(),
    links: created.links,
    watch: created.watch,
    start: setup.start ?? "start",
    plies: [],
    rules: setup.rules ?? "olympiad",
    names: ["", ""],
    outcome: null,
  });
  game.set({ ...NONE, token: created.token });
  go(`#/game/${created.token}`);
}

/** Takes the seat of a token, unless this window sits there already. */
export async function enter(token: string): Promise<void> {
  if (game.value.token === token && game.value.state) return;
  if (game.value.token !== token) game.set({ ...NONE, token });
  try {
    await connection.ask<"enter">({ type: "enter", token });
  } catch (error) {
    if (error instanceof Refusal && error.code === "unknown_token") game.set({ missing: true });
    else complain(error);
  }
}

type Act = Parameters<typeof connection.ask<"play" | "undo" | "resign" | "offer_draw" | "answer" | "pause">>[0];

/** Asks for something in the game; `false` if it was refused. */
export async function act(message: Act): Promise<boolean> {
  try {
    await connection.ask(message);
    return true;
  } catch (error) {
    if (message.type === "play") playSound("refused");
    complain(error);
    return false;
  }
}

export function play(action: string): Promise<boolean> {
  const ply = game.value.state?.plies.length;
  return act(ply === undefined ? { type: "play", action } : { type: "play", action, ply });
}

export async function hint(): Promise<void> {
  if (game.value.hinting) return;
  game.set({ hinting: true });
  try {
    const answer = await connection.ask<"hint">({ type: "hint" });
    if (answer.type === "hint" && answer.ply === game.value.state?.board.ply) {
      game.set({ hint: answer });
      announce(words().hintIs(words().action(answer.action, game.value.state.board.squares)));
    }
  } catch (error) {
    complain(error);
  }
  game.set({ hinting: false });
}

export async function rematch(): Promise<void> {
  try {
    const old = game.value.state;
    begin(await connection.ask<"rematch">({ type: "rematch" }), old ? { rules: old.rules } : {});
  } catch (error) {
    complain(error);
  }
}

function hear(message: ServerMessage): void {
  if (message.type === "state") take(message);
  else if (message.type === "thinking" && message.game === game.value.state?.game) game.set({ thinking: message });
  else if (message.type === "rematch" && message.game === game.value.state?.game) {
    notify(words().rematchComes);
    go(`#/game/${message.token}`);
  }
}

function take(state: State): void {
  const before = game.value.state;
  if (before?.game === state.game && before.version > state.version) return;
  const known = before?.game === state.game ? before.plies.length : state.plies.length;
  const changed = before?.board.position !== state.board.position;
  game.set({
    state,
    since: performance.now(),
    ...(changed ? { hint: null, thinking: null } : {}),
  });
  for (const ply of state.plies.slice(known)) tell(ply);
  if (before?.game === state.game && state.plies.length < before.plies.length) announce(words().takenBack);
  if (before?.game === state.game && !before.hints && state.hints) notify(words().hintsAgreed);
  if (state.outcome && before && !before.outcome && before.game === state.game) tellEnd(state);
  const token = game.value.token;
  if (token) keep(token, state);
}

function keep(token: string, state: State): void {
  const old = remembered(token);
  remember({
    token,
    at: Date.now(),
    links: old?.links ?? [],
    watch: old?.watch ?? "",
    start: state.start,
    plies: state.plies.map((each) => each.ply),
    rules: state.rules,
    names: [state.seats[0].name, state.seats[1].name],
    you: state.you,
    outcome: state.outcome,
  });
}

function tell(ply: PlyView): void {
  announce(words().happened(ply));
  playSound(ply.captured ? "capture" : ply.ply[2] === "(" ? "flip" : "move");
}

function tellEnd(state: State): void {
  const { outcome, you } = state;
  if (!outcome) return;
  announce(words().outcome(outcome));
  if (outcome.winner_seat === null) playSound("draw");
  else playSound(you.length === 1 && you[0] !== outcome.winner_seat ? "loss" : "win");
}

export function watchGame(): void {
  connection.listen(hear);
  connection.onOpen = (again) => {
    const { token } = game.value;
    if (again && token) connection.ask<"enter">({ type: "enter", token }).catch(complainOrMiss);
  };
}

function complainOrMiss(error: unknown): void {
  if (error instanceof Refusal && error.code === "unknown_token") game.set({ missing: true });
  else complain(error);
}
