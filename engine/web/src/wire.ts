// The messages between the page and the desk, made from engine/desk/src/wire by
// `ANQI_WRITE_TYPES=1 cargo test -p anqi-desk types_of_the_page`. Do not edit.
//
// - A message of the page may have an `id`; whatever answers it carries the same number as `re`.
// - Values are expected results from -1 (lost) to +1 (won), for the side to move unless a comment says
//   otherwise. Points are on the same scale: a win is +1, a draw 0, a loss -1.
// - Times are whole milliseconds.
// - Unknown types and unknown keys are errors.

/** By who begins: seat 0 makes the first ply. */
export type Seat = 0 | 1;
/** `a1` … `d8`. */
export type SquareName = string;
/** One of KGMRNCPkgmrncp. */
export type PieceLetter = string;
/** `b2-b2` for a flip, `b2-b3` for a move or a capture. */
export type ActionText = string;
/** `b2(G)` for a flip that revealed a red guard, `b2-b3` otherwise. */
export type PlyText = string;

/** What the server can do. */
export type About = {
  /** The version of the program. */
  version: string;
  /** Levels of the built-in player, the weakest first. */
  levels: Array<LevelView>;
  /** The presets of the rules. */
  rules: Array<RulesPreset>;
  /** Built-in players that can take a seat. */
  players: Array<PlayerView>;
  /** The limits. */
  limits: LimitsView;
  /** The most pieces for which tables answer without files, and with the files given. */
  table_pieces: number;
  /** Where other devices reach the server; null if only this machine does. */
  reach: Reach | null;
};

/** A position to analyse. */
export type Analyse = {
  /** The line that leads to the position. */
  line: Line;
  /** The number of best actions, default 3. */
  lines?: number;
  /** Time limit in milliseconds, default and limit `About.limits.engine_ms`. */
  ms?: number;
  /** Node limit. */
  nodes?: number;
  /** The squares of flips whose distributions are shown even if they are not among the best lines. */
  distributions?: Array<string>;
};

/** What is known of a position so far. */
export type Analysis = {
  /** Plies searched. */
  depth: number;
  /** Positions visited. */
  nodes: number;
  /** Time spent. */
  ms: number;
  /** Value of the position for the side to move. */
  value: Value;
  /** Best first; values are for the side to move. */
  lines: Array<Candidate>;
  /** What each analysed flip may bring; comes after some thinking. */
  flips: Array<Flip>;
  /** Every action with its verdict, if tables know the position. */
  table: Array<TableAction> | null;
  /** Whether it is the last message. */
  done: boolean;
};

/** One outcome of a flip. */
export type Appearance = {
  /** The letter of the piece that appears. */
  piece: string;
  /** How many such pieces lie face down. */
  count: number;
  /** The chance of this reveal. */
  chance: number;
  /** The value after the reveal, for the side that flips. */
  value: number;
};

/** A position as everybody sees it. Nothing in it tells what lies face down where. */
export type Board = {
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
  flips: Array<string>;
  /** Every capture that either side could make if it were to move. */
  captures: Array<CaptureView>;
  /** Face-up pieces of the side to move that the other side could capture if it were to move. */
  threatened: Array<string>;
  /** Plies since the last capture or flip. */
  quiet: number;
  /** So many draw the game. */
  quiet_limit: number | null;
  /** How often this position (or this cycle of plies) has stood since the last capture or flip. */
  repetition: number;
  /** So often draws the game. */
  repetition_limit: number | null;
  /** Plies played, counted from the beginning of the game. */
  ply: number;
  /** The table's verdict for the side to move, if tables know the position. */
  table: TableVerdict | null;
  /** The end of the game by the rules, if this is one. */
  outcome: Outcome | null;
};

/** An action, its value for the side to move, and its line. */
export type Candidate = {
  /** The action. */
  action: string;
  /** Its value. */
  value: Value;
  /** The principal variation, from the action. */
  line: Array<LineStep>;
};

/** A capture that a side could make if it were to move. */
export type CaptureView = {
  /** The capturing piece. */
  from: string;
  /** The captured piece. */
  to: string;
  /** A cannon's screen. */
  over?: string;
};

/** What turned a game. */
export type Cause = "decision" | "luck";

/** How far a value is proven. */
export type Certainty = "estimate" | "win" | "draw" | "loss";

/** A commitment to check. */
export type CheckDeal = {
  /** The hash that was shown before the game. */
  hash: string;
  /** The random number. */
  nonce: string;
  /** The layout. */
  layout: string;
  /** The start position, to check that every flip showed what the layout says. */
  start?: string;
  /** The plies from it. */
  plies?: Array<string>;
  /** The rules that they were played by: under others the game may have ended before. */
  rules?: RulesName;
};

/** A position that was checked. */
export type Checked = {
  /** Set if the position is possible. */
  board: Board | null;
  /** All that is wrong with it. */
  faults: Array<FaultView>;
};

/**
 * The messages of the page.
 *
 * A message may have an `id`, a number that the page chooses; whatever answers it carries the same
 * number as `re`. Each message is answered: by what its comment names, by `ok`, or by `error`.
 */
export type ClientMessage =
  | { "type": "create" } & Create
  | {
    "type": "enter";
    /** The token. */
    token: string;
  }
  | { "type": "leave" }
  | {
    "type": "play";
    /** The action. */
    action: string;
    /** Guards against a stale board: the number of plies that the person saw. */
    ply?: number;
  }
  | { "type": "undo" }
  | { "type": "hint" }
  | { "type": "resign" }
  | { "type": "offer_draw" }
  | {
    "type": "answer";
    /** Whether it is accepted. */
    accept: boolean;
  }
  | { "type": "rematch" }
  | {
    "type": "pause";
    /** Whether it stops. */
    paused: boolean;
  }
  | {
    "type": "show_thinking";
    /** Whether they are sent. */
    show: boolean;
  }
  | { "type": "check_deal" } & CheckDeal
  | {
    "type": "view";
    /** The line. */
    line: Line;
  }
  | {
    "type": "walk";
    /** The line. */
    line: Line;
  }
  | {
    "type": "explain";
    /** The line. */
    line: Line;
    /** The action. */
    action: string;
  }
  | {
    "type": "check_position";
    /**
     * A position string; its hidden pieces may be `*`: every piece that is not on the board, as
     * far as face-down squares allow.
     */
    position: string;
    /** The rules. */
    rules?: RulesName;
  }
  | {
    "type": "import";
    /** The text. */
    text: string;
    /** The rules of records that name none. */
    rules?: RulesName;
    /** Which game of a text with several, from 1; left out: the first. */
    game?: number;
  }
  | { "type": "export" } & Export
  | { "type": "analyse" } & Analyse
  | { "type": "stop_analysis" }
  | { "type": "review" } & Review
  | { "type": "stop_review" }
  | {
    "type": "probe";
    /** The position string. */
    position: string;
    /** The rules. */
    rules?: RulesName;
  }
  | {
    "type": "material";
    /** The letters of the pieces. */
    material: string;
  }
  | {
    "type": "practise";
    /** The letters of the pieces. */
    material: string;
    /** Chooses the positions: the same number, the same ones. Default 1. */
    seed?: number;
  }
  | {
    "type": "defend";
    /** The line, whose last ply is the learner's. */
    line: Line;
  }
  | { "type": "puzzles" }
  | { "type": "lessons" }
  | { "type": "ping" };

/** Time for a game. */
export type ClockSetting = {
  /** At the start. */
  base_ms: number;
  /** For each ply. */
  increment_ms: number;
};

/** The clocks at this moment. */
export type Clocks = {
  /** The time left to both seats. */
  left_ms: [number, number];
  /** The time added for each ply. */
  increment_ms: number;
  /** The seat whose clock runs as of this message. */
  running: Seat | null;
};

/** A colour. */
export type Color = "red" | "black";

/** The opponent's best reply to a right move, and what solves the position after it. */
export type Continuation = {
  /** The opponent's move. */
  reply: string;
  /** The actions that solve the position after it. */
  solution: Array<string>;
};

/** A new game. */
export type Create = {
  /** Who begins, and who answers. */
  seats: [Sitter, Sitter];
  /** Whether lots are drawn for the first move; as given if left out. */
  order?: SeatOrder;
  /** The rules. */
  rules?: RulesName;
  /** Time for the whole game; no clocks if left out or null. */
  clock?: ClockSetting | null;
  /** A position string, optionally with ` moves …`; the start if left out. Face-down pieces are dealt. */
  start?: string;
  /** Thinking time of engines a move without clocks; default 1000, at most `About.limits.engine_ms`. */
  engine_ms?: number;
  /** Whether `thinking` messages about engines' moves are sent. */
  show_thinking?: boolean;
};

/** A game was made. */
export type Created = {
  /** Its name. */
  game: string;
  /**
   * The token of the creator's seats (or to watch, if no seat is `me`): keep it to come back after a
   * reload.
   */
  token: string;
  /** The tokens of the seats that wait for somebody with a link. */
  links: Array<Link>;
  /** The token for watching. */
  watch: string;
};

/**
 * The commitment to the deal.
 *
 * `hash` is BLAKE3, in lower-case hexadecimal, of the ASCII text `<nonce> <layout>`: 64 hexadecimal
 * digits, a blank, and the layout. The layout has 32 characters in the order of `Board.squares`: the
 * letter of the piece that lay face down at the start of the game, `.` where none did.
 */
export type DealView = {
  /** The hash. */
  hash: string;
  /** The random number; null while the game goes on. */
  nonce: string | null;
  /** The layout; null while the game goes on. */
  layout: string | null;
};

/** What an action did to an exercise. Values are the learner's, in unlimited play. */
export type Defended = {
  /** The value before the action. */
  before: TableVerdict;
  /** The value after it. */
  after: TableVerdict;
  /** The actions that would have kept the value; of a win, those that hurry. */
  best: Array<string>;
  /** The answer; null if the game is over. */
  reply: string | null;
  /** The board after the answer. */
  board: Board;
};

/** Why a game ended. */
export type EndReason = "no-legal-action" | "annihilation" | "quiet-limit" | "repetition" | "resignation" | "agreement" | "time";

/** Why a message was refused. */
export type ErrorCode = "malformed" | "too_large" | "too_fast" | "busy" | "unknown_token" | "no_seat" | "not_your_turn" | "illegal" | "wrong_phase" | "unreadable" | "nothing_to_do" | "forbidden" | "internal";

/** A position to practise: the side to move wins it or holds the draw. */
export type Exercise = {
  /** The position string, by which it is known. */
  position: string;
  /** What the side to move can reach. */
  goal: ExerciseGoal;
  /** Plies to the end of a won one, if both sides do their best. */
  plies: number | null;
  /** 1 to 10. */
  difficulty: number;
  /** Best play from it to the end of a won one. */
  line: Array<string>;
  /** What it teaches, if it is that of a lesson. */
  lesson?: LessonView;
};

/** What the side to move of an exercise can reach. */
export type ExerciseGoal = "win" | "draw";

/** Why an action is not legal. */
export type Explained = {
  /** The reason. */
  code: IllegalCode;
  /** The reason as a sentence in English, as the terminal says it. */
  message: string;
  /** For `cannon_screens`: how many pieces are between. */
  between: number | null;
};

/** A game to write. */
export type Export = {
  /** The format. */
  format: RecordFormat;
  /** The line; the game that this connection is in if left out. */
  line?: Line;
  /** Names for the record, the one who began first. */
  players?: [string, string];
  /** How the line ended, if the board does not show it. */
  outcome?: Outcome | null;
  /** The commitment to the deal; nonce and layout stand in a `pgn` record only if the game is over. */
  deal?: DealView | null;
  /**
   * What the `platform` record was imported from: date, times and comment are kept if the plies are
   * the same.
   */
  original?: string;
  /** Comments and variations for the `anqi` and `pgn` records; their main line is the line. */
  notes?: Notes;
};

/** A record that was written. */
export type Exported = {
  /** The text. */
  text: string;
  /** A file name to offer. */
  name: string;
};

/** What is wrong with a position. */
export type FaultCode = "text" | "too_many" | "too_many_of_color" | "hidden_mismatch" | "no_pieces" | "turn_missing" | "turn_unknown" | "plies_before_first_flip" | "quiet_beyond_ply" | "too_many_plies";

/** A fault of a position. */
export type FaultView = {
  /** The kind of fault. */
  code: FaultCode;
  /** In words. */
  message: string;
  /** A piece letter or a colour if the fault is about one. */
  subject: string | null;
};

/** The outcomes of a flip. */
export type Flip = {
  /** The square. */
  square: string;
  /** The average, for the side that flips. */
  value: number;
  /** Every outcome, in the order KGMRNCPkgmrncp. */
  appearances: Array<Appearance>;
};

/** What the solution of a puzzle brings about for the side to move. */
export type Goal = "win" | "advantage" | "draw" | "defence";

/** How good a decision was. */
export type Grade = "good" | "inaccuracy" | "mistake" | "blunder" | "forced";

/** The best action in a game. */
export type HintView = {
  /** The game. */
  game: string;
  /** The plies played. */
  ply: number;
  /** The action. */
  action: string;
  /** Its value. */
  value: Value;
  /** The principal variation, from the action. */
  line: Array<LineStep>;
};

/** Why an action is not legal. */
export type IllegalCode = "over" | "not_face_down" | "reveal" | "first_ply_must_flip" | "nothing_there" | "still_face_down" | "not_yours" | "target_face_down" | "target_own" | "too_far" | "cannot_capture" | "cannon_out_of_line" | "cannon_screens" | "perpetual_chase";

/** A record that was read. */
export type Imported = {
  /** The format of the text. */
  format: RecordFormat;
  /** The game. */
  line: Line;
  /** Names, the one who began first. */
  players: [string, string] | null;
  /** The date. */
  date: string | null;
  /** As the record says it, also where the board does not show it (resignation, time). */
  outcome: Outcome | null;
  /** Comments and variations, if the record has any. */
  notes: Notes | null;
  /** The titles of all games of the text. */
  games: Array<string>;
};

/** A lesson of an ending as a puzzle: the actions that keep the value solve it. */
export type LessonPuzzle = {
  /** The puzzle. */
  puzzle: Puzzle;
  /** What it teaches. */
  lesson: LessonView;
};

/** What a lesson of an ending tells of its position. */
export type LessonView = {
  /** What to do and why, in English. */
  idea: string;
  /** Best play: of a win to the end of the game, of a draw for some plies. */
  line: Array<string>;
  /** The actions that fail. */
  refutations: Array<Refutation>;
};

/** A level. */
export type LevelView = {
  /** 1 to 10. */
  number: number;
  /** The name. */
  name: string;
};

/** The limits of messages and games. */
export type LimitsView = {
  /** Bytes in one message of the page. */
  message_bytes: number;
  /** Games that are kept at once. */
  games: number;
  /** Longest thinking time an engine or analysis may be given, in milliseconds. */
  engine_ms: number;
  /** Largest number of lines in an analysis. */
  lines: number;
};

/**
 * A start and what was played from it.
 *
 * The page keeps its own tree of variations and sends the path to the node that it shows. "What if it
 * had been X" is the path with the last flip written as `b2(X)`.
 */
export type Line = {
  /** `start`, or a position string. */
  start: string;
  /** The plies played. */
  plies: Array<string>;
  /** The rules. */
  rules?: RulesName;
};

/** One step of a displayed line. */
export type LineStep = {
  /** The action. */
  action: string;
  /** The expected result of a flip, for the side that flips. */
  expected: number | null;
};

/** The token of a seat. */
export type Link = {
  /** The seat. */
  seat: Seat;
  /** Its token. */
  token: string;
};

/** The longest win of a set of pieces. */
export type Longest = {
  /** The position string. */
  position: string;
  /** Plies to the goal. */
  plies: number;
  /** What the plies lead to. */
  to: WinGoal;
  /** The line that both sides play there by the tables. */
  line: Array<string>;
};

/** The outcome of a flip. */
export type Luck = {
  /** The value of what appeared less the average, for the side that flipped. */
  luck: number;
  /** All possible reveals. */
  appearances: Array<Appearance>;
};

/** What tables know of a set of pieces. */
export type MaterialView = {
  /** The letters of the pieces. */
  material: string;
  /** Whether tables know it. The rest is null if not. */
  known: boolean;
  /** Counts of placements with red to move. */
  red_to_move: Totals | null;
  /** Counts of placements with black to move. */
  black_to_move: Totals | null;
  /** The longest win. */
  longest: Longest | null;
};

/** A ply of [`Notes`]. */
export type NotedPly = {
  /** The ply. */
  ply: string;
  /**
   * The number of the ply that it follows, counted from 1; 0 is the start. The first that
   * follows continues the line, the others begin variations.
   */
  after: number;
  /** The comment, which may be empty. */
  comment: string;
};

/** A game with comments and variations. */
export type Notes = {
  /** The comment on the start. */
  comment: string;
  /** The plies of the main line and of the variations, each after the one that it follows. */
  plies: Array<NotedPly>;
};

/** What two people agree on. */
export type OfferKind = "draw" | "undo" | "hint";

/** An offer to the other seat. */
export type OfferView = {
  /** The offer. */
  kind: OfferKind;
  /** By which seat. */
  by: Seat;
};

/** How a game ended. */
export type Outcome = {
  /** The winner's colour, null for a draw. */
  winner: Color | null;
  /** The winner's seat. */
  winner_seat: Seat | null;
  /** Why. */
  reason: EndReason;
};

/** A built-in player. */
export type PlayerView = {
  /** Its spec. */
  spec: string;
  /** A line about it. */
  about: string;
};

/** A ply and its effect. */
export type PlyView = {
  /** The ply. */
  ply: string;
  /** Who played it. */
  seat: Seat;
  /** Its colour. */
  color: Color | null;
  /** The piece that moved or appeared. */
  piece: string;
  /** The piece that it captured. */
  captured: string | null;
  /** Time spent on it. */
  ms: number;
};

/** A puzzle in the page's format. */
export type Puzzle = {
  /** A name derived from the position. */
  id: string;
  /** The position. */
  position: string;
  /** The rules' preset. */
  rules: RulesName;
  /** The actions that solve it. */
  solution: Array<string>;
  /** The principal variation, from the solution. */
  line: Array<LineStep>;
  /** The value of the solution. */
  value: Value;
  /** The value of the best other action. */
  second: Value | null;
  /** From 1 to 10. */
  difficulty: number;
  /** Its theme. */
  theme: Theme;
  /** What the solution brings about. */
  goal: Goal;
  /** What follows the solution, if one move does not show the point. */
  more: Array<Continuation>;
};

/** The level of the built-in player that an error rate corresponds to. */
export type Rating = {
  /** The level with the nearest rate. */
  level: number;
  /** The lowest level of the band. */
  from: number;
  /** The highest level of the band. */
  to: number;
};

/** Where other devices reach the server. */
export type Reach = {
  /** The origin of links. */
  origin: string;
};

/** How a game is written; docs/record-format.md describes `pgn`. */
export type RecordFormat = "platform" | "anqi" | "position" | "pgn";

/** An action that gives away what a position holds. */
export type Refutation = {
  /** The action. */
  action: string;
  /** What is left, for the side that plays it. */
  value: WdlName;
  /** How the other side answers it: a loss up to the next capture or the end, a draw for some plies. */
  line: Array<string>;
};

/** Which repetition draws. */
export type RepetitionView =
  | { "kind": "never" }
  | {
    "kind": "position";
    /** How many times. */
    times: number;
  }
  | {
    "kind": "sequence";
    /** How many times. */
    times: number;
  }
  | {
    "kind": "chase_ban";
    /** How many times. */
    times: number;
  };

/** The report on a game. */
export type Report = {
  /** The players, in order of play. */
  players: [string, string] | null;
  /** Every ply. */
  plies: Array<ReviewedPly>;
  /** Expected result for seat 0 before each ply and after the last. */
  graph: Array<number>;
  /** Cumulative luck of seat 0 less luck of seat 1, after each ply. */
  luck_graph: Array<number>;
  /** Both sides, in order of play. */
  sides: [SideReport, SideReport];
  /** Indices of plies, the largest loss first. */
  mistakes: Array<number>;
  /** The plies that turned the game. */
  turning_points: Array<TurningPoint>;
  /** The analyst's nodes for each decision. */
  nodes_per_decision: number;
};

/** A game to review. */
export type Review = {
  /** The game. */
  line: Line;
  /** The players, in order of play. */
  players?: [string, string];
  /** How it ended, if the board does not show it; the report judges the plies alone. */
  outcome?: Outcome | null;
  /** Nodes for each decision; left out: so that the whole takes about 20 seconds. */
  nodes?: number;
};

/** A ply with its value for the side that played it. */
export type ReviewedPly = {
  /** The ply. */
  ply: string;
  /** Who played it: 0 for the seat that began. */
  seat: 0 | 1;
  /** Its colour, unknown if nothing was ever flipped. */
  color: "red" | "black" | null;
  /** The best action. */
  best: string;
  /** Its value. */
  best_value: Value;
  /** The value of the action played; for a flip, the average. */
  played_value: Value;
  /** What the decision lost, in points. */
  loss: number;
  /** The grade of the loss. */
  grade: Grade;
  /** Whether tables or rules make the loss exact. */
  exact: boolean;
  /** The best action and its line. */
  better: Array<LineStep>;
  /** The action played and its refutation. */
  refutation: Array<LineStep>;
  /** The outcome of a flip. */
  flip: Luck | null;
};

/** A preset of the rules. */
export type RulesName = "olympiad" | "platform" | "paper" | "openspiel" | "mistboard" | "course";

/** A preset of the rules. */
export type RulesPreset = {
  /** Its name. */
  name: RulesName;
  /** The game is drawn after so many plies without capture or flip. */
  quiet_limit: number | null;
  /** Which repetition draws. */
  repetition: RepetitionView;
};

/** Who sits in a seat. */
export type SeatKind = "person" | "level" | "player";

/** The order of the seats. */
export type SeatOrder = "given" | "random";

/** A seat and its player. */
export type SeatView = {
  /** Who sits there. */
  kind: SeatKind;
  /** Name as given, empty if none was; for engines the level's name or the spec. */
  name: string;
  /** The level. */
  level: number | null;
  /** The colour, null before the first flip. */
  color: Color | null;
  /** Whether somebody sits here at the moment; always true for engines. */
  present: boolean;
  /** Whether the seat still waits for somebody with the link. */
  waiting: boolean;
};

/** The messages of the desk; one that answers a message carries its number as `re`. */
export type ServerMessage =
  | { "type": "created" } & Created
  | { "type": "state" } & State
  | { "type": "hint" } & HintView
  | {
    "type": "rematch";
    /** The new game. */
    game: string;
    /** The token. */
    token: string;
  }
  | { "type": "thinking" } & Thinking
  | {
    "type": "deal_checked";
    /** Whether the hash is that of nonce and layout, and every ply agrees with it. */
    matches: boolean;
    /** What does not match, in words. */
    reason: string | null;
  }
  | {
    "type": "view";
    /** The board. */
    board: Board;
  }
  | {
    "type": "walk";
    /** One more than there are plies. */
    boards: Array<Board>;
    /** Who moved what; seat 0 made the first ply. */
    plies: Array<PlyView>;
  }
  | { "type": "checked" } & Checked
  | { "type": "imported" } & Imported
  | { "type": "explained" } & Explained
  | { "type": "exported" } & Exported
  | { "type": "analysis" } & Analysis
  | {
    "type": "review_progress";
    /** Plies reviewed. */
    done: number;
    /** All plies. */
    total: number;
  }
  | {
    "type": "review";
    /** The report. */
    report: Report;
  }
  | { "type": "table" } & TableView
  | { "type": "material" } & MaterialView
  | {
    "type": "exercises";
    /** The letters of the pieces. */
    material: string;
    /** The positions, the easiest first; none if nobody has anything to find there. */
    exercises: Array<Exercise>;
  }
  | { "type": "defended" } & Defended
  | {
    "type": "puzzles";
    /** The puzzles. */
    puzzles: Array<Puzzle>;
    /** Lessons of endings as puzzles, if there are any, the easiest first. */
    lessons?: Array<LessonPuzzle>;
  }
  | {
    "type": "lessons";
    /** The letters of their pieces. */
    sets: Array<string>;
  }
  | { "type": "pong" }
  | { "type": "ok" }
  | {
    "type": "error";
    /** Why. */
    code: ErrorCode;
    /** One sentence in English that says what was expected. */
    message: string;
  };

/** One side of a game. */
export type SideReport = {
  /** The seat. */
  seat: 0 | 1;
  /** Its colour. */
  color: "red" | "black" | null;
  /** Plies with a choice. */
  decisions: number;
  /** Mean loss in points per decision. */
  error_rate: number;
  /** Its 95 % interval. */
  error_interval: [number, number];
  /** The number of inaccuracies. */
  inaccuracies: number;
  /** The number of mistakes. */
  mistakes: number;
  /** The number of blunders. */
  blunders: number;
  /** The level of play. */
  rating: Rating | null;
  /** Luck of this side's own flips, in points. */
  luck: number;
  /** The 95 % interval of luck over games with the same flips. */
  luck_interval: [number, number];
  /** How many pieces it flipped. */
  flips: number;
};

/** Who takes a seat. */
export type Sitter =
  | {
    "kind": "me";
    /** Its display name. */
    name?: string;
  }
  | {
    "kind": "link";
    /** Its display name. */
    name?: string;
  }
  | {
    "kind": "level";
    /** 1 to 10. */
    level: number;
  }
  | {
    "kind": "player";
    /** Its spec in `About.players`; settings are not taken. */
    spec: string;
  };

/** A game as one connection sees it. Complete: nothing needs to be remembered. */
export type State = {
  /** The name of the game. */
  game: string;
  /** Counts up with every change of the game; ignore a state with a smaller number than the last. */
  version: number;
  /** The seats that this connection plays; empty for a watcher. */
  you: Seat[];
  /** Both seats. */
  seats: [SeatView, SeatView];
  /** The rules. */
  rules: RulesName;
  /** The position the game began with, as a position string. */
  start: string;
  /** The plies. */
  plies: Array<PlyView>;
  /** The board. */
  board: Board;
  /** Seat to move; null when the game is over. */
  to_move: Seat | null;
  /** The clocks, null without. */
  clocks: Clocks | null;
  /** Whether an engine is thinking about its move. */
  thinking: boolean;
  /** Whether a game between engines stands still. */
  paused: boolean;
  /** The offer that waits for an answer. */
  offer: OfferView | null;
  /** The last offer that was declined, and by which seat; cleared by the next ply. */
  declined: OfferView | null;
  /**
   * Whether this connection gets hints without asking: not against another person, unless both have
   * agreed.
   */
  hints: boolean;
  /** How the game ended. */
  outcome: Outcome | null;
  /** The commitment to the deal. */
  deal: DealView;
  /** Whether there are plies to take back. */
  can_undo: boolean;
};

/** An action with its verdict for the side that makes it. */
export type TableAction = {
  /** The action. */
  action: string;
  /** Who wins after it. */
  wdl: WdlName | null;
  /** Plies to the next capture or the end. */
  dtc: number | null;
  /** Plies to the end of the game, where they decide which action is best. */
  plies_to_end?: number;
  /** The exact value, of a flip too. */
  expected: number | null;
};

/** A table's verdict for the side to move. */
export type TableVerdict = {
  /** Who wins. */
  wdl: WdlName;
  /**
   * Plies to the next capture or the end if both sides do their best; null for a draw or without
   * distances.
   */
  dtc: number | null;
  /** Plies to the end of the game, where the tables know them. */
  dtw: number | null;
};

/** What tables know of a position. */
export type TableView = {
  /** The board. */
  board: Board;
  /** Null if no table has the position. */
  verdict: TableVerdict | null;
  /** The expected result, also with face-down pieces if tables have them. */
  expected: number | null;
  /** Every action with its verdict. */
  actions: Array<TableAction>;
};

/** The theme of a puzzle. */
export type Theme = "capture" | "escape" | "flip" | "endgame" | "quiet";

/** What an engine thinks of its move. `value` is for the side to move. */
export type Thinking = {
  /** The game. */
  game: string;
  /** The plies played. */
  ply: number;
  /** Plies searched. */
  depth: number;
  /** Positions visited. */
  nodes: number;
  /** Time spent. */
  ms: number;
  /** The value. */
  value: Value;
  /** The principal variation. */
  line: Array<LineStep>;
};

/** How many placements are won, drawn and lost. */
export type Totals = { wins: number; draws: number; losses: number };

/** A ply that turned the game. */
export type TurningPoint = {
  /** The index of the ply. */
  ply: number;
  /** The change of the expected result for seat 0. */
  change: number;
  /** What changed it. */
  cause: Cause;
};

/** The value of a position or an action for one side. */
export type Value = {
  /** Expected result, −1 to +1. */
  expected: number;
  /** How far it is proven. */
  kind: Certainty;
  /** Plies to the win or loss; from a table, to the next capture unless `plies_to_end` says more. */
  plies: number | null;
  /** Plies to the end of the game, where a table has told them. */
  plies_to_end?: number;
  /** What proves it. */
  source: ValueSource | null;
};

/** What proves a value. */
export type ValueSource = "search" | "table" | "rules";

/** The value of a position for the side to move. */
export type WdlName = "win" | "draw" | "loss";

/** What the plies of a win lead to. */
export type WinGoal = "capture" | "end";
