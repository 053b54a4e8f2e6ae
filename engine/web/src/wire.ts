/**
 * The wire between the page and `anqi serve`.
 *
 * One WebSocket at `/ws` carries JSON objects, one a text frame, in both
 * directions; three addresses answer plain HTTP GET. The server's side of this
 * file is `engine/app/src/serve/wire.rs`: change both together.
 *
 * Conventions
 *
 * - A client message has a `type` and may have an `id` (a number it chooses).
 *   Whatever the server answers to it carries the same number as `re`; pushes
 *   that answer nothing have no `re`. Each message is answered: by what its
 *   comment names, by `ok`, or by `error`.
 * - Squares are `a1` … `d8`. Pieces are letters: KGMRNCP red, kgmrncp black.
 * - Actions are `b2-b2` (flip b2) or `b2-b3` (move or capture). Plies, which are
 *   actions that have happened, are `b2(G)` (a flip and what it revealed) or
 *   `b2-b3`.
 * - Seats are numbered by who begins: seat 0 makes the first ply, seat 1 the
 *   second. Colours follow from the first flip.
 * - Values are expected results from -1 (lost) to +1 (won), for the side to move
 *   unless the comment says otherwise. "Points" are on the same scale: a win is
 *   +1, a draw 0, a loss -1.
 * - Times are whole milliseconds.
 * - Unknown `type`s and unknown keys are errors. Optional keys may be left out.
 */

export type Color = "red" | "black";
export type Seat = 0 | 1;
/** `a1` … `d8`. */
export type SquareName = string;
/** One of KGMRNCPkgmrncp. */
export type PieceLetter = string;
/** `b2-b2` for a flip, `b2-b3` for a move or a capture. */
export type ActionText = string;
/** `b2(G)` for a flip that revealed a red guard, `b2-b3` otherwise. */
export type PlyText = string;
export type RulesName = "olympiad" | "platform" | "paper" | "openspiel" | "mistboard" | "course";

// ---------------------------------------------------------------------------
// HTTP
// ---------------------------------------------------------------------------
//
// GET /                 the page; all its assets lie below /assets/
// GET /api/about        -> About
// GET /api/puzzles      -> Puzzle[]
// GET /ws               the WebSocket
//
// With `anqi serve --listen` every request needs a token: `?token=T` in any address is answered by a cookie and a redirect to
// the address without it. T is the host's, or the token of a seat or of watching: an invitation to that game.
//
// Links that the page itself reads from the address after `#`:
//   #/join/TOKEN        take a seat (or watch) by its token
//   #/line/TEXT         a position string, optionally with moves, with blanks as `_`

/** What the server can do; asked once when the page starts. */
export interface About {
  version: string;
  /** Levels of the built-in player, the weakest first. */
  levels: { number: number; name: string }[];
  rules: RulesPreset[];
  /** Other built-in players that can take a seat: their specs and a line about each. */
  players: { spec: string; about: string }[];
  limits: {
    /** Bytes in one client message. */
    message_bytes: number;
    /** Games that the server keeps at once. */
    games: number;
    /** Longest thinking time an engine or analysis may be given. */
    engine_ms: number;
    /** Largest number of lines in an analysis. */
    lines: number;
  };
  /** The most pieces for which tables answer without files, and with the files given. */
  table_pieces: number;
  /** The origin of links for other devices; null if only this machine reaches the server. */
  reach: { origin: string } | null;
}

export interface RulesPreset {
  name: RulesName;
  /** The game is drawn after so many plies without capture or flip. */
  quiet_limit: number | null;
  repetition:
    | { kind: "never" }
    /** The same position so many times since the last capture or flip. */
    | { kind: "position"; times: number }
    /** The last quiet plies are one sequence so many times over. */
    | { kind: "sequence"; times: number }
    /** As `position`, but no chase may bring about a position for the last time, and only ordinary moves draw. */
    | { kind: "chase_ban"; times: number };
}

// ---------------------------------------------------------------------------
// What is seen of a position
// ---------------------------------------------------------------------------

/** A position as everybody sees it. Nothing in it tells what lies face down where. */
export interface Board {
  /** 32 characters, a8 b8 c8 d8 a7 … d1: a piece letter, `?` face down, `.` empty. */
  squares: string;
  /** The whole position as a position string. */
  position: string;
  /** Letters of the face-down pieces, in the order KGMRNCPkgmrncp; a letter as often as it lies there. */
  hidden: string;
  /** Letters of the captured pieces, in the order of capture as far as it is known. */
  captured: string;
  /** Colour to move; null before the first flip. */
  turn: Color | null;
  /** Where each face-up piece of the side to move may go; squares without targets are left out. */
  targets: Record<SquareName, SquareName[]>;
  /** Squares that may be flipped. */
  flips: SquareName[];
  /** Every capture that either side could make if it were to move. `over` is a cannon's screen. */
  captures: { from: SquareName; to: SquareName; over?: SquareName }[];
  /** Face-up pieces of the side to move that the other side could capture if it were to move. */
  threatened: SquareName[];
  quiet: number;
  quiet_limit: number | null;
  /** How often this position (or this cycle of plies) has stood since the last capture or flip, and the limit. */
  repetition: number;
  repetition_limit: number | null;
  /** Plies played, counted from the beginning of the game. */
  ply: number;
  /** The table's verdict for the side to move, if tables know the position. */
  table: TableVerdict | null;
  /** The end of the game by the rules, if this is one. */
  outcome: Outcome | null;
}

export interface Outcome {
  /** null for a draw. */
  winner: Color | null;
  winner_seat: Seat | null;
  reason:
    | "no-legal-action"
    | "annihilation"
    | "quiet-limit"
    | "repetition"
    | "resignation"
    | "agreement"
    | "time";
}

export interface TableVerdict {
  wdl: "win" | "draw" | "loss";
  /** Plies to the next capture or the end if both sides do their best; null for a draw or without distances. */
  dtc: number | null;
  /** Plies to the end of the game, where the tables know them. */
  dtw: number | null;
}

/** An action with its verdict for the side that makes it; `expected` is the exact value of a flip. */
export interface TableAction {
  action: ActionText;
  wdl: "win" | "draw" | "loss" | null;
  dtc: number | null;
  expected: number | null;
}

export interface Value {
  /** Expected result for the side named in the comment, -1 to +1. */
  expected: number;
  /** `estimate`, or what is proven. */
  kind: "estimate" | "win" | "draw" | "loss";
  /** Plies to the win or loss; for `source: "table"` to the next capture. */
  plies: number | null;
  source: "search" | "table" | "rules" | null;
}

/** One step of a line. A flip ends a line: what follows depends on what appears. */
export interface LineStep {
  action: ActionText;
  /** For a flip: its expected result for the side that flips. */
  expected: number | null;
}

/** One outcome of a flip. `value` is for the side that flips. */
export interface Appearance {
  piece: PieceLetter;
  /** How many of this piece lie face down, and the chance that one appears. */
  count: number;
  chance: number;
  value: number;
}

// ---------------------------------------------------------------------------
// Games
// ---------------------------------------------------------------------------

export type Sitter =
  /** A person at this browser. Both seats may be `me`: two people at one screen. */
  | { kind: "me"; name?: string }
  /** A person who joins by a link. */
  | { kind: "link"; name?: string }
  /** The built-in player at a level, 1 to 10. */
  | { kind: "level"; level: number }
  /** A built-in player by the `spec` of About.players; settings are not taken. */
  | { kind: "player"; spec: string };

export interface Create {
  type: "create";
  id?: number;
  /** Who begins, and who answers. */
  seats: [Sitter, Sitter];
  /** `random` lets the server draw who begins. Default `given`. */
  order?: "given" | "random";
  rules?: RulesName;
  /** No clocks if left out or null. */
  clock?: { base_ms: number; increment_ms: number } | null;
  /** A position string, optionally with ` moves …`; the start if left out. Face-down pieces are dealt by the server. */
  start?: string;
  /** Thinking time of engines a move without clocks; default 1000, at most About.limits.engine_ms. */
  engine_ms?: number;
  /** Whether `thinking` messages about engines' moves are sent. Default false. */
  show_thinking?: boolean;
}

/** Answer to `create` and `rematch`. A `state` follows at once. */
export interface Created {
  type: "created";
  re?: number;
  game: string;
  /** The token of the creator's seats (or to watch, if no seat is `me`): keep it to come back after a reload. */
  token: string;
  /** Tokens of the seats that wait for somebody with a link. */
  links: { seat: Seat; token: string }[];
  /** Token for watching. */
  watch: string;
}

/** Takes the seats of a token, or comes back to them; answered by `state`. A connection is in at most one game at a time. */
export interface Enter {
  type: "enter";
  id?: number;
  token: string;
}

/** Leaves the game without ending it; answered by `ok`. */
export interface Leave {
  type: "leave";
  id?: number;
}

/** Plays an action for the seat to move; answered by `state`. `ply` guards against a stale board: plies.length of the state that the person saw. */
export interface Play {
  type: "play";
  id?: number;
  action: ActionText;
  ply?: number;
}

/**
 * Takes plies back; the deal stays: a square flipped again shows the same piece.
 *
 * Against an engine, or for two people at one screen, at once: back to the last
 * decision of this browser's seats. Between two browsers it is an offer
 * (`offer: "undo"` in the state).
 */
export interface Undo {
  type: "undo";
  id?: number;
}

/**
 * Asks the analyst for the best action; answered by `hint`.
 *
 * Between two browsers it is an offer first (`offer: "hint"` in the state that answers): once accepted, or
 * asked for by both, hints are given for the rest of the game. Watchers get none of a game with a person.
 */
export interface Hint {
  type: "hint";
  id?: number;
}
export interface HintAnswer {
  type: "hint";
  re?: number;
  game: string;
  ply: number;
  action: ActionText;
  value: Value;
  line: LineStep[];
}

/** Gives up; at one screen for the side to move. */
export interface Resign {
  type: "resign";
  id?: number;
}

/** Offers a draw. An engine answers at once, by what its last search said; two people at one screen agree by it. */
export interface OfferDraw {
  type: "offer_draw";
  id?: number;
}

/** Accepts or declines the offer that stands. Playing on declines it too. */
export interface Answer {
  type: "answer";
  id?: number;
  accept: boolean;
}

/**
 * After the end: the same players again with a new deal, the other seat begins; answered by `created`.
 *
 * The others in the game receive `rematch` with the token of their seat in the new game.
 */
export interface Rematch {
  type: "rematch";
  id?: number;
}
export interface RematchOffered {
  type: "rematch";
  game: string;
  token: string;
}

/** Stops and goes on with a game between two engines; answered by `state`. */
export interface Pause {
  type: "pause";
  id?: number;
  paused: boolean;
}

/** Switches `thinking` messages for this game on or off; answered by `ok`. */
export interface ShowThinking {
  type: "show_thinking";
  id?: number;
  show: boolean;
}

/** Pushed to all in the game whenever something changes. Complete: nothing needs to be remembered. */
export interface State {
  type: "state";
  re?: number;
  game: string;
  /** Counts up with every change of the game; ignore a state with a smaller number than the last. */
  version: number;
  /** The seats that this connection plays; empty for a watcher. */
  you: Seat[];
  seats: [SeatView, SeatView];
  rules: RulesName;
  /** The position the game began with, as a position string. */
  start: string;
  plies: PlyView[];
  board: Board;
  /** Seat to move; null when the game is over. */
  to_move: Seat | null;
  clocks: Clocks | null;
  /** Whether an engine is thinking about its move. */
  thinking: boolean;
  paused: boolean;
  /** What waits for an answer, and the seat that offered it. */
  offer: { kind: OfferKind; by: Seat } | null;
  /** The last offer was declined: by which seat; cleared by the next ply. */
  declined: { kind: OfferKind; by: Seat } | null;
  /** Whether this connection gets hints without asking: not against another person, unless both have agreed. */
  hints: boolean;
  outcome: Outcome | null;
  deal: DealView;
  can_undo: boolean;
}

/** What two people agree on. */
export type OfferKind = "draw" | "undo" | "hint";

export interface SeatView {
  /** `person` (also while waiting for one), `level` or `player`. */
  kind: "person" | "level" | "player";
  /** Name as given, empty if none was; for engines the level's name or the spec. */
  name: string;
  level: number | null;
  /** null before the first flip. */
  color: Color | null;
  /** Whether somebody sits here at the moment; always true for engines. */
  present: boolean;
  /** Whether the seat still waits for somebody with the link. */
  waiting: boolean;
}

export interface PlyView {
  ply: PlyText;
  seat: Seat;
  color: Color | null;
  /** The piece that moved or appeared, and the piece it captured. */
  piece: PieceLetter;
  captured: PieceLetter | null;
  /** Time spent on it. */
  ms: number;
}

export interface Clocks {
  left_ms: [number, number];
  increment_ms: number;
  /** The seat whose clock runs as of this message. */
  running: Seat | null;
}

/**
 * The commitment to the deal.
 *
 * `hash` is BLAKE3, in lower-case hexadecimal, of the ASCII text
 * `<nonce> <layout>`: 64 hexadecimal digits, a blank, and the layout. The layout
 * has 32 characters in the order of Board.squares: the letter of the piece that
 * lay face down at the start of the game, `.` where none did.
 */
export interface DealView {
  hash: string;
  /** Null while the game goes on. */
  nonce: string | null;
  layout: string | null;
}

/** An engine thinks; only sent if `show_thinking`. `value` is for the side to move. */
export interface Thinking {
  type: "thinking";
  game: string;
  ply: number;
  depth: number;
  nodes: number;
  ms: number;
  value: Value;
  line: LineStep[];
}

/** Lets the server recompute a commitment; answered by `deal_checked`. */
export interface CheckDeal {
  type: "check_deal";
  id?: number;
  hash: string;
  nonce: string;
  layout: string;
  /** The start position and the plies, to check that every flip showed what the layout says. */
  start?: string;
  plies?: PlyText[];
}
export interface DealChecked {
  type: "deal_checked";
  re?: number;
  /** Whether the hash is that of nonce and layout, and every ply agrees with it. */
  matches: boolean;
  /** What does not match, in words. */
  reason: string | null;
}

// ---------------------------------------------------------------------------
// Lines: positions with plies, for walking, editing and analysing
// ---------------------------------------------------------------------------

/**
 * A start and what was played from it. The page keeps its own tree of variations
 * and sends the path to the node that it shows. "What if it had been X" is the
 * path with the last flip written as `b2(X)`.
 */
export interface Line {
  /** `start`, or a position string. */
  start: string;
  plies: PlyText[];
  rules?: RulesName;
}

/** Asks how the end of a line looks; answered by `view`. */
export interface View {
  type: "view";
  id?: number;
  line: Line;
}
export interface ViewAnswer {
  type: "view";
  re?: number;
  board: Board;
}

/** Asks for every position of a line, its start first; answered by `walk`. */
export interface Walk {
  type: "walk";
  id?: number;
  line: Line;
}
export interface WalkAnswer {
  type: "walk";
  re?: number;
  /** plies.length + 1 boards. `plies` has who moved what; seat 0 made the first ply. */
  boards: Board[];
  plies: PlyView[];
}

/** Asks why an action is not legal at the end of a line; answered by `explained`, or by an error if it is legal. */
export interface Explain {
  type: "explain";
  id?: number;
  line: Line;
  action: ActionText;
}
export interface Explained {
  type: "explained";
  re?: number;
  code: IllegalCode;
  /** The reason as a sentence in English, as the terminal says it. */
  message: string;
  /** For `cannon_screens`: how many pieces are between. */
  between: number | null;
}
export type IllegalCode =
  | "over"
  | "not_face_down"
  | "reveal"
  | "first_ply_must_flip"
  | "nothing_there"
  | "still_face_down"
  | "not_yours"
  | "target_face_down"
  | "target_own"
  | "too_far"
  | "cannot_capture"
  | "cannon_out_of_line"
  | "cannon_screens"
  | "perpetual_chase";

/** Checks a position from the editor; answered by `checked`. */
export interface CheckPosition {
  type: "check_position";
  id?: number;
  /** A position string; `hidden` may be `*` to mean every piece that is not on the board, as far as face-down squares allow. */
  position: string;
  rules?: RulesName;
}
export interface Checked {
  type: "checked";
  re?: number;
  /** Set if the position is possible. */
  board: Board | null;
  /** All that is wrong with it. `subject` is a piece letter or a colour if the fault is about one. */
  faults: { code: FaultCode; message: string; subject: string | null }[];
}
export type FaultCode =
  | "text"
  | "too_many"
  | "too_many_of_color"
  | "hidden_mismatch"
  | "no_pieces"
  | "turn_missing"
  | "turn_unknown"
  | "plies_before_first_flip"
  | "quiet_beyond_ply"
  | "too_many_plies";

/** Reads PGN, a platform record, one of our own records (JSON), or a position string with or without moves; answered by `imported`. */
export interface Import {
  type: "import";
  id?: number;
  text: string;
  rules?: RulesName;
  /** Which game of a text with several, from 1; left out: the first. */
  game?: number;
}
export interface Imported {
  type: "imported";
  re?: number;
  format: RecordFormat;
  line: Line;
  /** Names, the one who began first. */
  players: [string, string] | null;
  date: string | null;
  /** As the record says it, also where the board does not show it (resignation, time). */
  outcome: Outcome | null;
  /** Comments and variations, if the record has any. */
  notes: Notes | null;
  /** The titles of all games of the text. */
  games: string[];
}

/** `pgn` is described in docs/record-format.md. */
export type RecordFormat = "platform" | "anqi" | "position" | "pgn";

/** A game with comments and variations. */
export interface Notes {
  /** The comment on the start. */
  comment: string;
  /**
   * The main line and the variations. `after` is the number of the ply that a ply follows, counted from 1;
   * 0 is the start. The first that follows goes on with the line, the others begin variations.
   */
  plies: { ply: PlyText; after: number; comment: string }[];
}

/** Writes a line, or the game this connection is in if `line` is left out; answered by `exported`. */
export interface Export {
  type: "export";
  id?: number;
  format: RecordFormat;
  line?: Line;
  /** Names for the record, the one who began first. */
  players?: [string, string];
  /** How the line ended, if the board does not show it. */
  outcome?: Outcome | null;
  /** The commitment to the deal; nonce and layout stand in a `pgn` record only if the game is over. */
  deal?: DealView | null;
  /** What the `platform` record was imported from: date, times and comment are kept if the plies are the same. */
  original?: string;
  /** Comments and variations for the `anqi` and `pgn` records; their main line is the line. */
  notes?: Notes;
}
export interface Exported {
  type: "exported";
  re?: number;
  text: string;
  /** A file name to offer. */
  name: string;
}

// ---------------------------------------------------------------------------
// Analysis
// ---------------------------------------------------------------------------

/**
 * Analyses the end of a line until it is stopped, done or replaced: a connection
 * has one analysis at a time. Answered by `analysis` messages as it deepens; the
 * last one has `done: true`.
 */
export interface Analyse {
  type: "analyse";
  id?: number;
  line: Line;
  /** Lines to show, default 3. */
  lines?: number;
  /** Time at most, default and limit About.limits.engine_ms. */
  ms?: number;
  /** Nodes at most. */
  nodes?: number;
  /** Squares whose flips want their distribution even if they are not among the best lines. */
  distributions?: SquareName[];
}
export interface StopAnalysis {
  type: "stop_analysis";
  id?: number;
}
export interface Analysis {
  type: "analysis";
  re?: number;
  depth: number;
  nodes: number;
  ms: number;
  /** Value of the position for the side to move. */
  value: Value;
  /** Best first. `value` is for the side to move. */
  lines: { action: ActionText; value: Value; line: LineStep[] }[];
  /** What each analysed flip may bring; comes after some thinking. `value` is the average. */
  flips: { square: SquareName; value: number; appearances: Appearance[] }[];
  /** Every action with its verdict, if tables know the position. */
  table: TableAction[] | null;
  done: boolean;
}

// ---------------------------------------------------------------------------
// Game report
// ---------------------------------------------------------------------------

/** Reviews a whole game; answered by `review_progress` as it goes and `review` at its end. One at a time for a connection. */
export interface Review {
  type: "review";
  id?: number;
  line: Line;
  players?: [string, string];
  /** How the game ended, if the board does not show it. The report judges the plies alone. */
  outcome?: Outcome | null;
  /** Nodes a decision; left out: so that the whole takes about 20 seconds at most. */
  nodes?: number;
}
export interface StopReview {
  type: "stop_review";
  id?: number;
}
export interface ReviewProgress {
  type: "review_progress";
  re?: number;
  done: number;
  total: number;
}
export interface ReviewAnswer {
  type: "review";
  re?: number;
  report: Report;
}

export interface Report {
  players: [string, string] | null;
  plies: ReviewedPly[];
  /** Expected result for seat 0 before each ply and after the last: plies.length + 1 points. */
  graph: number[];
  /** Luck of seat 0 less luck of seat 1, summed up after each ply: plies.length + 1 points, the first 0. */
  luck_graph: number[];
  sides: [SideReport, SideReport];
  /** Indices of plies, the largest loss first. */
  mistakes: number[];
  /** The plies after which the game was worth most differently from before, in the order of play. */
  turning_points: { ply: number; change: number; cause: "decision" | "luck" }[];
  nodes_per_decision: number;
}

export interface ReviewedPly {
  ply: PlyText;
  seat: Seat;
  color: Color | null;
  /** For the side that moved: value of the best action, and of the action played (for a flip its average). */
  best: ActionText;
  best_value: Value;
  played_value: Value;
  /** best - played, never below 0: the loss by the decision. */
  loss: number;
  /** `good` below 0.02, then inaccuracy 0.02, mistake 0.06, blunder 0.15; `forced` with one action, or all alike. */
  grade: "good" | "inaccuracy" | "mistake" | "blunder" | "forced";
  /** Whether tables made the loss exact. */
  exact: boolean;
  /** The best line, and what refutes the action played (both start with the action named). */
  better: LineStep[];
  refutation: LineStep[];
  /** Only for flips. */
  flip: {
    /** Value after the flip less the average before it, for the side that flipped: the luck of the tile. */
    luck: number;
    appearances: Appearance[];
  } | null;
}

export interface SideReport {
  seat: Seat;
  color: Color | null;
  /** Decisions with more than one action. */
  decisions: number;
  /** Mean loss in points per decision, and its 95 % interval. */
  error_rate: number;
  error_interval: [number, number];
  inaccuracies: number;
  mistakes: number;
  blunders: number;
  /** Level of the built-in player with such an error rate: the likeliest and the band; null for too few decisions. */
  rating: { level: number; from: number; to: number } | null;
  /** Sum of luck of this side's own flips in points, its 95 % interval by what could have appeared. */
  luck: number;
  luck_interval: [number, number];
  flips: number;
}

// ---------------------------------------------------------------------------
// Tables
// ---------------------------------------------------------------------------

/** Asks for the verdict on a position and each of its actions; answered by `table`. */
export interface ProbeTable {
  type: "probe";
  id?: number;
  position: string;
  rules?: RulesName;
}
export interface TableAnswer {
  type: "table";
  re?: number;
  board: Board;
  /** null if no table has the position. */
  verdict: TableVerdict | null;
  /** The expected result, also with face-down pieces if tables have them. */
  expected: number | null;
  actions: TableAction[];
}

/** Asks about a material such as `KPPkr` (letters of the pieces); answered by `material`. */
export interface AskMaterial {
  type: "material";
  id?: number;
  material: string;
  rules?: RulesName;
}
export interface MaterialAnswer {
  type: "material";
  re?: number;
  material: string;
  /** Whether tables know it. The rest is null or 0 if not. */
  known: boolean;
  /** Counts of placements for red and for black to move. */
  red_to_move: { wins: number; draws: number; losses: number } | null;
  black_to_move: { wins: number; draws: number; losses: number } | null;
  /**
   * A position string with the longest win (plies to the next capture, or to the end where known), and
   * the line that both sides play there by the tables.
   */
  longest: { position: string; plies: number; to: "capture" | "end"; line: ActionText[] } | null;
}

// ---------------------------------------------------------------------------
// Puzzles
// ---------------------------------------------------------------------------

/** One action is clearly best. Made by `anqi puzzles` from played games. */
export interface Puzzle {
  id: string;
  /** A position string; the side to move is to find the action. */
  position: string;
  rules: RulesName;
  /** The actions that count as solved, the best first. */
  solution: ActionText[];
  /** What both sides would play, the solution first. */
  line: LineStep[];
  /** Value of the solution and of the best other action, for the side to move. */
  value: Value;
  second: Value | null;
  /** 1 (the shortest search finds it) to 10. */
  difficulty: number;
  theme: "capture" | "escape" | "flip" | "endgame" | "quiet";
  /** What the solution brings about for the side to move. */
  goal: "win" | "advantage" | "draw" | "defence";
  /** What follows the first solution: the opponent's reply, and the actions that solve the position after it. */
  more: { reply: ActionText; solution: ActionText[] }[];
}

// ---------------------------------------------------------------------------
// All messages
// ---------------------------------------------------------------------------

/** Answered by `pong`; the server also pings by WebSocket frames every 15 s. */
export interface Ping {
  type: "ping";
  id?: number;
}
export interface Pong {
  type: "pong";
  re?: number;
}
export interface Ok {
  type: "ok";
  re?: number;
}
export interface ErrorMessage {
  type: "error";
  re?: number;
  code: ErrorCode;
  /** One sentence in English that says what was expected. */
  message: string;
}
export type ErrorCode =
  /** No JSON object, unknown type or key, a value of the wrong kind. */
  | "malformed"
  /** Longer than About.limits.message_bytes. The connection stays open up to 1 MiB. */
  | "too_large"
  /** Too many messages a second: wait a little. */
  | "too_fast"
  /** The server has as many games, connections or waiting analyses as it takes. */
  | "busy"
  /** No game has this token. */
  | "unknown_token"
  /** This connection is in no game, or has no seat in it. */
  | "no_seat"
  /** Another seat is to move, or `ply` is not the number of plies played. */
  | "not_your_turn"
  /** The action is not legal. */
  | "illegal"
  /** The game is over, or is not over yet. */
  | "wrong_phase"
  /** A position, ply, record, spec or material cannot be read. */
  | "unreadable"
  /** Nothing to take back, answer or stop. */
  | "nothing_to_do"
  /** A guest asked for what only the host may do: a game of its own. */
  | "forbidden"
  /** A fault of the server. */
  | "internal";

export type ClientMessage =
  | Create
  | Enter
  | Leave
  | Play
  | Undo
  | Hint
  | Resign
  | OfferDraw
  | Answer
  | Rematch
  | Pause
  | ShowThinking
  | CheckDeal
  | View
  | Walk
  | Explain
  | CheckPosition
  | Import
  | Export
  | Analyse
  | StopAnalysis
  | Review
  | StopReview
  | ProbeTable
  | AskMaterial
  | Ping;

export type ServerMessage =
  | Created
  | State
  | HintAnswer
  | RematchOffered
  | Thinking
  | DealChecked
  | ViewAnswer
  | WalkAnswer
  | Explained
  | Checked
  | Imported
  | Exported
  | Analysis
  | ReviewProgress
  | ReviewAnswer
  | TableAnswer
  | MaterialAnswer
  | Pong
  | Ok
  | ErrorMessage;
