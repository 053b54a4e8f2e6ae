// English.

import type { Hindrance } from "../net/backend";
import type { Color, ErrorCode, Explained, FaultCode, OfferKind, Outcome, PlyView, Puzzle, RulesPreset, SideReport } from "../wire";

type Verdict = "win" | "draw" | "loss";

const ROLES: Record<string, string> = { K: "king", G: "guard", M: "minister", R: "rook", N: "knight", C: "cannon", P: "pawn" };
const COLORS: Record<Color, string> = { red: "Red", black: "Black" };
const LEVELS = ["beginner", "novice", "learner", "casual", "regular", "skilled", "strong", "expert", "master", "champion"];

const some = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;
const thousands = (count: number) => (count >= 1e6 ? `${(count / 1e6).toFixed(1)} M` : count >= 1e4 ? `${Math.round(count / 1e3)} k` : String(count));

function kind(letter: string): string {
  const color = letter === letter.toUpperCase() ? "red" : "black";
  return `${color} ${ROLES[letter.toUpperCase()]}`;
}

function content(letter: string): string {
  return letter === "?" ? "face down" : letter === "." ? "empty" : kind(letter);
}

function shortAction(action: string): string {
  if (action[2] === "(") return `${action.slice(0, 2)} = ${kind(action[3] ?? "")}`;
  return action.slice(0, 2) === action.slice(3, 5) ? `flip ${action.slice(0, 2)}` : action.replace("-", "–");
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const REASONS: Record<Outcome["reason"], string> = {
  "no-legal-action": "no legal move is left",
  annihilation: "every piece was captured",
  "quiet-limit": "too long without a capture or flip",
  repetition: "the position repeated",
  resignation: "by resignation",
  agreement: "by agreement",
  time: "on time",
};

export const en = {
  // The frame
  home: "anqi, home",
  navigation: "Pages",
  titles: { home: "Play", game: "Game", analyse: "Analyse", editor: "Editor", puzzles: "Puzzles", tables: "Endings" },
  toBoard: "To the board",
  settings: "Settings",
  help: "Help",
  close: "Close",
  cancel: "Cancel",
  copy: "Copy",
  copied: "Copied",
  copyByHand: "This browser cannot copy here. The text is selected: copy it by hand.",
  open: "Open",
  loading: "One moment …",
  reconnecting: "The connection is lost. Trying again …",
  hindrance: (why: Hindrance) =>
    ({
      no_wasm: "This browser cannot run the program: it has no WebAssembly with SIMD. Browsers made since 2023 have it.",
      no_worker: "This browser starts no workers here: open the page from a web server, not from a file.",
      no_files: "A part of the program could not be loaded. Load the page again when the network is back.",
    })[why],
  needsServer: "Everything runs in this browser. A game with another device needs a server: anqi serve.",

  // Pieces and squares
  board: "Board",
  kind,
  content,
  colors: COLORS,
  noColor: "No colour yet",
  roles: ROLES,
  square: (square: string, letter: string) => `${square}, ${content(letter)}`,
  poolEntry: (letter: string, left: number, total: number) =>
    `${capital(kind(letter))}: ${left} of ${total} face down${total > 0 ? `, ${((left / total) * 100).toFixed(0)} %` : ""}`,
  faceDown: (count: number) => `${count} face down`,
  capturedOf: (color: Color, names: string[]) => `Captured from ${COLORS[color]}: ${names.join(", ") || "none"}`,

  // What happens
  happened: ({ ply, piece, captured }: PlyView) =>
    ply[2] === "("
      ? `${capital(kind(piece))} appears on ${ply.slice(0, 2)}`
      : `${capital(kind(piece))} ${ply.slice(0, 2)} ${captured ? `takes ${kind(captured)} on` : "to"} ${ply.slice(3, 5)}`,
  plyText: (ply: string) => (ply[2] === "(" ? `${ply.slice(0, 2)}: ${kind(ply[3] ?? "")} appears` : ply.replace("-", " to ")),
  action: (action: string, _squares: string) => shortAction(action),
  shortAction,
  hintIs: (action: string) => `Hint: ${action}`,
  takenBack: "Taken back",
  rematchComes: "A new game begins.",
  outcome: ({ winner, reason }: Outcome) => `${winner ? `${COLORS[winner]} wins` : "Draw"}: ${REASONS[reason]}.`,
  outcomeReason: ({ reason }: Outcome) => `${capital(REASONS[reason])}.`,
  outcomeShort: ({ winner }: Outcome) => (winner ? `${COLORS[winner]} wins` : "Draw"),

  // A new game
  newGame: "New game",
  turnAny: "Turn over any piece to begin.",
  opponent: "Opponent",
  against: { level: "Computer", screen: "Two at this screen", link: "By link", engines: "Two computers" },
  level: "Level",
  levelName: (level: number) => LEVELS[level - 1] ?? "",
  player: "Player",
  levelsPlayer: "Champion, by levels",
  whoBegins: "Who begins",
  begins: { me: "I do", random: "Random", other: "Opponent" },
  clock: "Clock (minutes + seconds)",
  noClock: "None",
  more: "Rules and more",
  rules: "Rules",
  rulesName: ({ name, quiet_limit, repetition }: RulesPreset) => {
    const names: Record<string, string> = { olympiad: "Olympiad", platform: "Platform", paper: "Paper", openspiel: "OpenSpiel", mistboard: "Mistboard", course: "Course (captures alone reset)" };
    const repeated = { never: "no repetition rule", position: "third occurrence draws", sequence: "threefold cycle draws", chase_ban: "third occurrence draws, no perpetual chasing" }[repetition.kind];
    return `${names[name] ?? name}: ${quiet_limit ?? "no"} quiet plies, ${repeated}`;
  },
  engineTime: "Computer's time a move",
  seconds: (count: number) => `${count} s`,
  showThinking: "Show what the computer thinks",
  startGame: "Play",
  firstSeat: "Begins",
  secondSeat: "Answers",
  yourGames: "Your games",
  versus: ([first, second]: [string, string]) => `${first} – ${second}`,
  sitterName: (name: string, level: number | null = null) =>
    level ? `Level ${level}, ${LEVELS[level - 1] ?? name}` : LEVELS.includes(name) ? `Level ${LEVELS.indexOf(name) + 1}, ${name}` : name,
  plies: (count: number) => some(count, "ply", "plies"),
  goesOn: "in progress",
  forget: "Remove from the list",

  // A game
  game: "Game",
  you: "You",
  away: "away",
  timeLeft: (text: string) => `${text} left`,
  yourTurn: "Your turn",
  firstFlip: "Your turn: turn over any piece",
  colorToMove: (color: Color) => `${COLORS[color]} to move`,
  isThinking: (name: string) => `${name} is thinking`,
  waitsFor: (name: string) => `Waiting for ${name}`,
  opponentsTurn: "The opponent's turn",
  paused: "Paused",
  pause: "Pause",
  resume: "Go on",
  undo: "Undo",
  hint: "Hint",
  askHints: "Allow hints?",
  offerDraw: "Offer draw",
  resign: "Resign",
  reallyResign: "Really?",
  offers: (what: OfferKind) =>
    ({ draw: "A draw is offered.", undo: "The other player asks to take a move back.", hint: "The other player asks to allow hints for both." })[what],
  offered: (what: OfferKind) => ({ draw: "You offered a draw.", undo: "You asked to take a move back.", hint: "You asked to allow hints for both." })[what],
  declined: (what: OfferKind) => ({ draw: "The draw was declined.", undo: "Your request to take a move back was declined.", hint: "Hints were declined." })[what],
  hintsAgreed: "Hints are allowed for both.",
  accept: "Accept",
  decline: "Decline",
  moves: "Moves",
  noMoves: "No moves yet.",
  lookingBack: (at: number, plies: number) => `Looking back: after ply ${at} of ${plies}`,
  backToGame: "Back to the game",
  illegal: ({ message }: Explained, _action: string, _squares: string) => `${capital(message)}.`,
  quiet: "Quiet plies",
  quietLong: "Plies since the last capture or flip; at the limit the game is drawn",
  repetition: "Repetition",
  repetitionLong: "How often this position has stood since the last capture or flip; at the limit the game is drawn",
  thoughts: "What the computer thinks",
  fromTables: "From the endgame tables",
  effort: (depth: number, nodes: number, ms: number) => `Depth ${depth}, ${nodes === 1 ? "1 node" : `${thousands(nodes)} nodes`}, ${(ms / 1000).toFixed(1)} s`,
  waitingForOther: "Waiting for the other player",
  sendLink: "Open this link in another browser on this machine.",
  sendLinkAbroad: "Open this link on the other device. It opens this game and no other.",
  plainHttp: "This page comes over plain http: others on this network can read it, and some browsers cannot copy from it. Then select the link and copy it by hand.",
  linkFor: (seat: number) => (seat === 0 ? "To begin the game" : "To answer"),
  linkToWatch: "To watch",
  gameGone: "This game is no longer on the server",
  gameGoneButKnown: "Your browser still knows its moves.",
  playOn: "Play on with a new deal",
  gameGoneUnknown: "The server was restarted, or the link is not complete.",
  refusal: (code: ErrorCode | "lost", message: string) =>
    ({ busy: "The server is busy; try again in a moment.", too_fast: "Slower, please.", lost: "The connection was lost." } as Record<string, string>)[code] ?? message,

  // The end
  result: "Result",
  youWin: "You win",
  youLose: "You lose",
  drawn: "Draw",
  rematch: "Rematch",
  gameReport: "Game report",
  analyse: "Analyse",
  dealFixed: "The deal is fixed",
  dealFixedAbout: "The layout was fixed before the first ply. This is its hash, which you can check at the end.",
  deal: "Was the deal honest?",
  dealAbout: "Before the first ply the server showed this hash of the hidden layout. Now that the layout is known, anybody can compute it again:",
  checkDeal: "Check the deal",
  dealHonest: "Honest: hash, layout and every flip agree, computed here and by the server.",
  dealWrong: "Does not agree.",
  hashDiffers: "The hash differs.",

  // Analysing
  panels: "Panels",
  engine: "Engine",
  engineOn: "On",
  engineOff: "Off",
  lineCount: "Lines shown",
  lines: (count: number) => some(count, "line"),
  noValue: "No evaluation",
  valueForRed: (value: string) => `For Red: ${value}`,
  valueFor: (color: Color, value: string) => `${COLORS[color]} to move: ${value}`,
  verdicts: { win: "win", draw: "draw", loss: "loss" } as Record<Verdict, string>,
  inPlies: (kind: Verdict, plies: number) => (kind === "draw" ? "draw" : `${kind} in ${plies}`),
  captureIn: (kind: Verdict, plies: number) => (kind === "draw" ? "draw" : `${kind}, capture in ${plies}`),
  verdictShort: (kind: Verdict, dtc: number | null) => (kind === "draw" || dtc === null ? kind : `${kind} ${dtc}`),
  tableVerdict: (kind: Verdict, dtc: number | null, dtw: number | null) =>
    kind === "draw" ? "draw" : `${kind}${dtw === null ? "" : ` in ${dtw}`}${dtc === null ? "" : `, capture in ${dtc}`}`,
  tableVerdicts: "What tables say about each move",
  whatAppears: (square: string) => `What appears on ${square}?`,
  startPosition: "Start",
  steps: "Steps",
  stepFirst: "To the start",
  stepBack: "Back",
  stepNext: "Forward",
  stepLast: "To the end",
  comment: "Comment",
  editComment: "Edit the comment",
  promote: "Make main line",
  cut: "Delete from here",
  flipSplit: "This flip",
  decision: "Decision",
  asGoodAsBest: "as good as best",
  decisionDetail: (average: string, best: string) => `the square was worth ${average}, the best action ${best}`,
  tile: "Tile",
  tileDetail: (piece: string, value: string, average: string) => `${kind(piece)}: ${value}, expected ${average}`,
  whatIf: "What if it had been …",
  distribution: "What may appear",
  appearance: (piece: string, count: number, total: number, value: string) => `${capital(kind(piece))}: ${count} of ${total}, then ${value}`,
  average: "Average",
  flipChances: (square: string, value: string) => `Flip ${square}: ${value} on average`,
  graphValue: "Evaluation",
  graphLuck: "Luck",
  graphValueLabel: (value: string) => `Evaluation for Red ply by ply, at the end ${value}`,
  graphLuckLabel: (value: string) => `Luck of Red less luck of Black, at the end ${value}`,

  // Records
  importText: "Import",
  exportText: "Export",
  importAbout: "PGN, a record of the platform, one of anqi's own, or a position string.",
  whichGame: "Which game",
  record: "Text",
  chooseFile: "Choose a file",
  format: "Format",
  formats: { pgn: "PGN", platform: "Platform record", anqi: "anqi record", position: "Position" },
  withoutNotes: "Only PGN and the anqi record keep comments and variations.",
  download: "Download",
  linkToPosition: "Link to this position",

  // The report
  reportAbout: "The analyst goes through every decision: what it cost, what was better, and what was only luck.",
  makeReport: "Make the report",
  reviewing: (done: number, total: number) => `Ply ${done} of ${total} …`,
  reportReady: "The report is ready.",
  seatName: (seat: number) => (seat === 0 ? "First player" : "Second player"),
  errorRate: "Error rate",
  interval: (low: string, high: string) => `${low} to ${high}`,
  playedLike: "Played like",
  ratingBand: ({ level, from, to }: NonNullable<SideReport["rating"]>) => (from === to ? `level ${level}` : `level ${level} (${from} to ${to})`),
  tooFew: "too few decisions",
  slips: "Slips",
  luck: "Luck",
  luckForRed: "Luck, for Red",
  luckInterval: (flips: number, low: string, high: string) => `${some(flips, "flip")}; chance allows ${low} to ${high}`,
  grades: { good: "good", forced: "forced", inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder" },
  noMistakes: "No mistakes.",
  viewpoint: "All values are for Red: + is good for Red, − for Black.",
  mistakesTitle: "Mistakes",
  better: "Better,",
  because: "Played,",
  turningPoints: "Turning points",
  causes: { decision: "decision", luck: "luck" },
  reportDepth: (nodes: number) => `${thousands(nodes)} nodes a decision. Points: a win is +1, a loss −1.`,

  // The editor
  editor: "Position editor",
  editorAbout: "Choose a piece above the board, then the squares it goes to.",
  brush: "Piece to put",
  allDown: "All face down",
  emptyBoard: "Empty board",
  toMove: "To move",
  nobody: "No colours yet",
  faceDownPieces: "Face-down pieces",
  allMissing: "All that are missing",
  byHand: "Chosen",
  fewer: (name: string) => `One ${name} less`,
  moreOf: (name: string) => `One ${name} more`,
  check: "Check",
  positionFine: "This position is possible.",
  positionString: "Position string",
  playFromHere: "Play from here",
  fault: (_code: FaultCode, _subject: string | null, message: string) => capital(message),

  // Puzzles
  puzzles: "Puzzles",
  noPuzzles: "There are no puzzles in this program yet. Make some from played games: anqi puzzles.",
  allDone: "Nothing is due. Come back later.",
  findBest: (color: Color, goal: Puzzle["goal"]) =>
    `${COLORS[color]} to move: ${{ win: "win the game", advantage: "get the better game", draw: "save the draw", defence: "find the best defence" }[goal]}`,
  puzzleAbout: (theme: string, difficulty: number, moves: number) =>
    `${theme} · difficulty ${difficulty} of 10${moves > 1 ? ` · ${moves} moves` : ""}`,
  goOn: (move: number, moves: number) => `Right. Move ${move} of ${moves}: go on.`,
  themes: { capture: "Capture", escape: "Escape", flip: "Flip", endgame: "Ending", quiet: "Quiet move" },
  solved: "Solved.",
  missed: "Not this one.",
  tryAgain: "Try again",
  looksForReply: "Looking for the reply …",
  refuted: (reply: string, value: string, best: string) => `The answer is ${reply}: ${value} instead of ${best}.`,
  worthLess: (value: string, best: string) => `It is worth ${value} instead of ${best}.`,
  showSolution: "Show the solution",
  secondBest: (value: string) => `The next best action: ${value}`,
  nextPuzzle: "Next",
  difficulty: "Difficulty",
  bands: { all: "All", easy: "Easy", medium: "Medium", hard: "Hard" },
  progress: "Progress",
  progressAbout: (known: number, total: number, due: number) => `${known} of ${total} solved, ${due} due again`,

  // Tables
  tables: "Endings",
  tablesAbout: (most: number) => `Solved exactly, up to ${most} pieces. Choose the pieces, then play, place them or turn them face down.`,
  material: "Material",
  playMoves: "Play",
  place: (name: string) => `Place the ${name}`,
  verdict: "Verdict",
  redToMove: "Red to move",
  blackToMove: "Black to move",
  longest: (plies: number, to: "capture" | "end") => `Show the longest win: ${plies} plies${to === "capture" ? " to a capture" : ""}`,
  playThrough: "Walk through it",
  turnOver: "Turn a piece face down or up",
  expectationAbout: "The exact expectation over everything that may appear.",
  noTable: "No table has this. Without larger tables, up to four pieces are known, face down or up.",

  // Settings
  language: "Language",
  automatic: "Automatic",
  theme: "Theme",
  light: "Light",
  dark: "Dark",
  pieces: "Pieces",
  pieceSets: { characters: "漢字", letters: "Letters", pictures: "Pictures" },
  boardLies: "Board",
  lying: "Wide",
  upright: "Tall",
  sounds: "Sounds",
  showTargets: "Show where a piece may go",
  showCannonLines: "Show cannon lines",
  showThreats: "Show what the enemy can take",
  coordinates: "Coordinates",
  confirmFlips: "Ask before a flip",

  // Help
  howToPlay: "How to play",
  ranks: "The ranks from the strongest: king, guard, minister, rook, knight, cannon, pawn",
  ruleLines: [
    "All 32 pieces lie face down. A turn is one flip, one step, or one capture. The first flip decides who plays which colour.",
    "Pieces step one square up, down, left or right, to an empty square or on to an enemy of the same or a lower rank.",
    "A king does not capture pawns; a pawn captures pawns and the king.",
    "A cannon captures at any distance by jumping over exactly one piece, whatever it is, and never the piece beside it.",
    "A player without a legal move loses. So does a player whose pieces are all captured.",
    "The game is drawn when the counters run out, or by agreement.",
  ] as string[],
  keys: "Keys",
  keyLines: [
    ["Tab", "to the board and the controls after it"],
    ["← → ↑ ↓", "on the board: to the next square; elsewhere: through the moves, in an analysis also the variations"],
    ["Enter Space", "choose, move, flip"],
    ["Esc", "deselect a piece"],
    ["[ ]", "moves: back and forward"],
    ["Home End", "moves: first and last"],
    ["c", "analysis: comment on the move"],
    ["u", "undo"],
    ["h", "hint"],
    ["t", "what the enemy can take"],
    ["f", "turn the board"],
    ["m", "sounds on or off"],
    ["?", "this help"],
  ] as [string, string][],
};
