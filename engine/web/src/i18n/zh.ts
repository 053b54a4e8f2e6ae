// 繁體中文。

import { contentOf } from "../board/geometry";
import type { Color, ErrorCode, Explained, FaultCode, IllegalCode, OfferKind, Outcome, PlyView, Puzzle, RulesPreset, SideReport } from "../wire";
import type { Words } from ".";

type Verdict = "win" | "draw" | "loss";

const NAMES: Record<string, string> = {
  K: "帥", G: "仕", M: "相", R: "俥", N: "傌", C: "炮", P: "兵",
  k: "將", g: "士", m: "象", r: "車", n: "馬", c: "包", p: "卒",
};
const COLORS: Record<Color, string> = { red: "紅方", black: "黑方" };
const LEVELS = ["入門", "初學", "學徒", "休閒", "普通", "熟練", "強手", "專家", "大師", "冠軍"];
const ENGLISH_LEVELS = ["beginner", "novice", "learner", "casual", "regular", "skilled", "strong", "expert", "master", "champion"];
const VERDICTS: Record<Verdict, string> = { win: "勝", draw: "和", loss: "負" };

const thousands = (count: number) => (count >= 1e4 ? `${(count / 1e4).toFixed(1)} 萬` : String(count));

function kind(letter: string): string {
  return `${letter === letter.toUpperCase() ? "紅" : "黑"}${NAMES[letter] ?? ""}`;
}

function content(letter: string): string {
  return letter === "?" ? "暗棋" : letter === "." ? "空格" : kind(letter);
}

function shortAction(action: string): string {
  if (action[2] === "(") return `${action.slice(0, 2)}＝${kind(action[3] ?? "")}`;
  return action.slice(0, 2) === action.slice(3, 5) ? `翻 ${action.slice(0, 2)}` : action.replace("-", "–");
}

const REASONS: Record<Outcome["reason"], string> = {
  "no-legal-action": "對方無棋可走",
  annihilation: "對方棋子全被吃光",
  "quiet-limit": "久未吃子或翻棋",
  repetition: "局面重複",
  resignation: "對方認輸",
  agreement: "雙方同意",
  time: "對方超時",
};

const FAULTS: Record<FaultCode, string> = {
  text: "無法讀懂這個局面字串",
  too_many: "數量超過一副棋",
  too_many_of_color: "這個顏色的棋子太多",
  hidden_mismatch: "暗棋的數目與棋盤上不符",
  no_pieces: "這一方沒有棋子",
  turn_missing: "翻開了棋子，必須指定輪到哪一方",
  turn_unknown: "尚未翻棋，還沒有顏色",
  plies_before_first_flip: "第一次翻棋之前不可能有步數",
  quiet_beyond_ply: "無吃翻步數多於總步數",
  too_many_plies: "步數太多",
};

/** 兵卒與帥將另有規則；其餘只能吃同階或低階。 */
function captureRule(capturer: string, prey: string): string {
  if (capturer.toUpperCase() === "K") return "帥將不能吃兵卒";
  if (capturer.toUpperCase() === "P") return "兵卒只能吃兵卒和帥將";
  return `${kind(prey)}比${kind(capturer)}大，不能吃`;
}

const ILLEGAL: Record<IllegalCode, string> = {
  over: "這局棋已經結束",
  not_face_down: "這裡不是暗棋，不能翻",
  reveal: "翻出的棋子不對",
  first_ply_must_flip: "第一步必須翻棋",
  nothing_there: "這是空格",
  still_face_down: "這是暗棋，只能翻開",
  not_yours: "這是對方的棋子",
  target_face_down: "暗棋不能吃，請先翻開",
  target_own: "那裡是自己的棋子",
  too_far: "每次只能上下左右走一格，只有炮包能隔子遠吃",
  cannot_capture: "不能吃這枚棋子",
  cannon_out_of_line: "炮包只能沿直線或橫線吃子",
  cannon_screens: "炮包吃子必須隔著恰好一枚棋子",
  perpetual_chase: "禁止長捉：這會再次造成同一局面，請追到別格或另走一步",
};

const REFUSALS: Record<ErrorCode | "lost", string> = {
  malformed: "訊息格式不正確。",
  too_large: "內容太長。",
  too_fast: "請慢一點。",
  busy: "伺服器忙碌，請稍後再試。",
  unknown_token: "找不到這局棋。",
  no_seat: "你不在這局棋裡。",
  not_your_turn: "還沒輪到你。",
  illegal: "這步不合規則。",
  wrong_phase: "現在不能這樣做。",
  unreadable: "無法讀懂這段內容。",
  nothing_to_do: "沒有可以執行的動作。",
  forbidden: "邀請只適用於一局棋，請用主人的連結另開新局。",
  internal: "伺服器發生錯誤。",
  lost: "連線中斷。",
};

export const zh: Words = {
  // 外框
  home: "anqi 首頁",
  navigation: "頁面",
  titles: { home: "對弈", game: "對局", analyse: "分析", editor: "擺棋", puzzles: "練習", tables: "殘局庫" },
  toBoard: "前往棋盤",
  settings: "設定",
  help: "說明",
  close: "關閉",
  cancel: "取消",
  copy: "複製",
  copied: "已複製",
  copyByHand: "這個瀏覽器在此無法複製；文字已選取，請自行複製。",
  open: "開啟",
  loading: "請稍候…",
  reconnecting: "連線中斷，正在重新連線…",
  hindrance: (why) =>
    ({
      no_wasm: "這個瀏覽器無法執行本程式：它沒有支援 SIMD 的 WebAssembly。2023 年以後的瀏覽器都有。",
      no_worker: "這個瀏覽器在此無法啟動 worker：請從網頁伺服器開啟本頁，不要直接開啟檔案。",
      no_files: "程式有一部分無法載入。網路恢復後請重新載入本頁。",
    })[why],
  needsServer: "一切都在這個瀏覽器裡執行；與另一部裝置對弈需要伺服器。",

  // 棋子與格子
  board: "棋盤",
  kind,
  content,
  colors: COLORS,
  noColor: "尚未定色",
  roles: { K: "帥將", G: "仕士", M: "相象", R: "俥車", N: "傌馬", C: "炮包", P: "兵卒" } as Record<string, string>,
  square: (square: string, letter: string) => `${square}，${content(letter)}`,
  poolEntry: (letter: string, left: number, total: number) =>
    `${kind(letter)}：暗棋 ${total} 枚中有 ${left} 枚${total > 0 ? `，${((left / total) * 100).toFixed(0)}%` : ""}`,
  faceDown: (count: number) => `暗棋 ${count} 枚`,
  capturedOf: (color: Color, names: string[]) => `${COLORS[color]}被吃：${names.join("、") || "無"}`,

  // 發生了什麼
  happened: ({ ply, piece, captured }: PlyView) =>
    ply[2] === "("
      ? `${ply.slice(0, 2)} 翻出${kind(piece)}`
      : `${kind(piece)} ${ply.slice(0, 2)} ${captured ? `吃 ${ply.slice(3, 5)} 的${kind(captured)}` : `走到 ${ply.slice(3, 5)}`}`,
  plyText: (ply: string) => (ply[2] === "(" ? `${ply.slice(0, 2)} 翻出${kind(ply[3] ?? "")}` : ply.replace("-", " 到 ")),
  action: (action: string) => shortAction(action),
  shortAction,
  hintIs: (action: string) => `提示：${action}`,
  takenBack: "已悔棋",
  rematchComes: "新的一局開始。",
  outcome: ({ winner, reason }: Outcome) => {
    if (!winner) return `和局：${REASONS[reason]}。`;
    return `${COLORS[winner]}勝：${REASONS[reason]}。`;
  },
  // 不知道誰在看：輸的一方也看到這句話。
  outcomeReason: ({ reason }: Outcome) => `${REASONS[reason].replace("對方", "一方")}。`,
  outcomeShort: ({ winner }: Outcome) => (winner ? `${COLORS[winner]}勝` : "和局"),

  // 新對局
  newGame: "新對局",
  turnAny: "翻開任何一枚棋子即可開始。",
  opponent: "對手",
  against: { level: "電腦", screen: "同機雙人", link: "以連結邀請", engines: "觀戰" },
  level: "等級",
  levelName: (level: number) => LEVELS[level - 1] ?? "",
  player: "棋手",
  levelsPlayer: "冠軍棋手（依等級）",
  whoBegins: "誰先翻棋",
  begins: { me: "我先", random: "隨機", other: "對方先" },
  clock: "計時（分＋秒）",
  noClock: "不計時",
  more: "規則與其他",
  rules: "規則",
  rulesName: ({ name, quiet_limit, repetition }: RulesPreset) => {
    const names: Record<string, string> = { olympiad: "奧林匹亞", platform: "平台", paper: "論文", openspiel: "OpenSpiel", mistboard: "Mistboard", course: "課程（只計吃子）" };
    const repeated = { never: "不計重複", position: "同一局面第三次和局", sequence: "循環三次和局", chase_ban: "同一局面第三次和局，禁止長捉" }[repetition.kind];
    return `${names[name] ?? name}：${quiet_limit ?? "不限"} 步無吃翻和局，${repeated}`;
  },
  engineTime: "電腦每步時間",
  seconds: (count: number) => `${count} 秒`,
  showThinking: "顯示電腦的思考",
  startGame: "開始",
  firstSeat: "先手",
  secondSeat: "後手",
  yourGames: "你的對局",
  versus: ([first, second]: [string, string]) => `${first} 對 ${second}`,
  sitterName: (name: string, level: number | null = null) => {
    const known = level ?? ENGLISH_LEVELS.indexOf(name) + 1;
    return known > 0 ? `等級 ${known}（${LEVELS[known - 1]}）` : name;
  },
  plies: (count: number) => `${count} 步`,
  goesOn: "進行中",
  forget: "從清單移除",

  // 對局
  game: "對局",
  you: "你",
  away: "離開",
  timeLeft: (text: string) => `剩餘 ${text}`,
  yourTurn: "輪到你了",
  firstFlip: "輪到你：翻開任何一枚棋子",
  colorToMove: (color: Color) => `輪到${COLORS[color]}`,
  isThinking: (name: string) => `${name}思考中`,
  waitsFor: (name: string) => `等待${name}`,
  opponentsTurn: "輪到對手",
  paused: "已暫停",
  pause: "暫停",
  resume: "繼續",
  undo: "悔棋",
  hint: "提示",
  askHints: "允許提示？",
  offerDraw: "求和",
  resign: "認輸",
  reallyResign: "確定？",
  offers: (what: OfferKind) => ({ draw: "對方求和。", undo: "對方請求悔棋。", hint: "對方請求雙方都可用提示。" })[what],
  offered: (what: OfferKind) => ({ draw: "你已求和。", undo: "你已請求悔棋。", hint: "你已請求雙方都可用提示。" })[what],
  declined: (what: OfferKind) => ({ draw: "求和被拒絕。", undo: "悔棋被拒絕。", hint: "提示被拒絕。" })[what],
  hintsAgreed: "雙方都可以使用提示。",
  accept: "同意",
  decline: "拒絕",
  moves: "棋譜",
  noMoves: "還沒有走棋。",
  lookingBack: (at: number, plies: number) => `回顧：第 ${at} 步之後，共 ${plies} 步`,
  backToGame: "回到對局",
  illegal: ({ code, between }: Explained, action: string, squares: string) => {
    const [from, to] = [action.slice(0, 2), action.slice(3, 5)];
    if (code === "cannot_capture") return `${captureRule(contentOf(squares, from), contentOf(squares, to))}。`;
    if (code === "cannon_screens") return `${ILLEGAL[code]}，這裡隔著 ${between ?? 0} 枚。`;
    return `${ILLEGAL[code]}。`;
  },
  quiet: "無吃翻步數",
  quietLong: "自上次吃子或翻棋以來的步數，達到上限即和局",
  repetition: "重複次數",
  repetitionLong: "自上次吃子或翻棋以來此局面出現的次數，達到上限即和局",
  thoughts: "電腦的思考",
  fromTables: "來自殘局庫",
  effort: (depth: number, nodes: number, ms: number) => `深度 ${depth}，${thousands(nodes)} 節點，${(ms / 1000).toFixed(1)} 秒`,
  waitingForOther: "等待另一位棋手",
  sendLink: "在這台電腦的另一個瀏覽器開啟這個連結。",
  sendLinkAbroad: "在另一台裝置開啟這個連結。持有連結者只能進入這局棋。",
  plainHttp: "此頁面以未加密的 http 傳送：同一網路的其他人可能看得到內容，有些瀏覽器也無法複製。請選取連結後自行複製。",
  linkFor: (seat: number) => (seat === 0 ? "先手的連結" : "後手的連結"),
  linkToWatch: "觀戰的連結",
  gameGone: "伺服器上已經沒有這局棋",
  gameGoneButKnown: "你的瀏覽器還記得這局的棋譜。",
  playOn: "重新發暗棋後續下",
  gameGoneUnknown: "伺服器重新啟動過，或連結不完整。",
  refusal: (code: ErrorCode | "lost", _message: string) => REFUSALS[code],

  // 終局
  result: "結果",
  youWin: "你贏了",
  youLose: "你輸了",
  drawn: "和局",
  rematch: "再來一局",
  gameReport: "對局報告",
  analyse: "分析",
  dealFixed: "發牌已定",
  dealFixedAbout: "每枚暗棋的位置在第一步之前就已決定。這是它的雜湊值，終局後可以驗證。",
  deal: "發牌公正嗎？",
  dealAbout: "第一步之前，伺服器已公布暗棋排列的雜湊值。現在排列已經公開，任何人都可以重新計算：",
  checkDeal: "驗證發牌",
  dealHonest: "公正：雜湊值、排列與每一次翻棋都相符，瀏覽器與伺服器各算了一次。",
  dealWrong: "不相符。",
  hashDiffers: "雜湊值不同。",

  // 分析
  panels: "面板",
  engine: "引擎",
  engineOn: "開",
  engineOff: "關",
  lineCount: "顯示的變化數",
  lines: (count: number) => `${count} 條`,
  noValue: "沒有評估",
  valueForRed: (value: string) => `紅方：${value}`,
  valueFor: (color: Color, value: string) => `輪到${COLORS[color]}：${value}`,
  verdicts: VERDICTS,
  inPlies: (verdict: Verdict, plies: number) => (verdict === "draw" ? "和" : `${plies} 步內${VERDICTS[verdict]}`),
  captureIn: (verdict: Verdict, plies: number) => (verdict === "draw" ? "和" : `${VERDICTS[verdict]}，${plies} 步吃子`),
  verdictShort: (verdict: Verdict, dtc: number | null) => (verdict === "draw" || dtc === null ? VERDICTS[verdict] : `${VERDICTS[verdict]} ${dtc}`),
  tableVerdict: (verdict: Verdict, dtc: number | null, dtw: number | null) =>
    verdict === "draw" ? "和" : `${VERDICTS[verdict]}${dtw === null ? "" : `，${dtw} 步終局`}${dtc === null ? "" : `，${dtc} 步吃子`}`,
  tableVerdicts: "殘局庫對每一步的判定",
  whatAppears: (square: string) => `${square} 翻出什麼？`,
  startPosition: "開局",
  steps: "逐步",
  stepFirst: "到開頭",
  stepBack: "上一步",
  stepNext: "下一步",
  stepLast: "到結尾",
  comment: "註解",
  editComment: "編輯註解",
  promote: "設為主線",
  cut: "刪除此後",
  flipSplit: "這次翻棋",
  decision: "決定",
  asGoodAsBest: "與最佳相當",
  decisionDetail: (average: string, best: string) => `這格值 ${average}，最佳選擇 ${best}`,
  tile: "棋子",
  tileDetail: (piece: string, value: string, average: string) => `${kind(piece)}：${value}，期望為 ${average}`,
  whatIf: "如果翻出的是…",
  distribution: "可能翻出",
  appearance: (piece: string, count: number, total: number, value: string) => `${kind(piece)}：${total} 枚中 ${count} 枚，之後 ${value}`,
  average: "平均",
  flipChances: (square: string, value: string) => `翻 ${square}：平均 ${value}`,
  graphValue: "形勢",
  graphLuck: "運氣",
  graphValueLabel: (value: string) => `紅方逐步形勢，終局為 ${value}`,
  graphLuckLabel: (value: string) => `紅方運氣減黑方運氣，終局為 ${value}`,

  // 棋譜
  importText: "匯入",
  exportText: "匯出",
  importAbout: "PGN、平台棋譜、anqi 棋譜或局面字串。",
  whichGame: "選擇棋局",
  record: "內容",
  chooseFile: "選擇檔案",
  format: "格式",
  formats: { pgn: "PGN", platform: "平台棋譜", anqi: "anqi 棋譜", position: "局面" },
  withoutNotes: "只有 PGN 與 anqi 棋譜保留註解與變化。",
  download: "下載",
  linkToPosition: "此局面的連結",

  // 報告
  reportAbout: "分析員檢視每一個決定：損失多少、什麼更好、哪些只是運氣。",
  makeReport: "製作報告",
  reviewing: (done: number, total: number) => `第 ${done} 步，共 ${total} 步…`,
  reportReady: "報告完成。",
  seatName: (seat: number) => (seat === 0 ? "先手" : "後手"),
  errorRate: "失誤率",
  interval: (low: string, high: string) => `${low} 至 ${high}`,
  playedLike: "相當於",
  ratingBand: ({ level, from, to }: NonNullable<SideReport["rating"]>) => (from === to ? `等級 ${level}` : `等級 ${level}（${from} 至 ${to}）`),
  tooFew: "決定太少",
  slips: "失誤",
  luck: "運氣",
  luckForRed: "運氣（以紅方計）",
  luckInterval: (flips: number, low: string, high: string) => `翻棋 ${flips} 次；機率範圍 ${low} 至 ${high}`,
  grades: { good: "好棋", forced: "唯一", inaccuracy: "小失誤", mistake: "失誤", blunder: "大錯" },
  noMistakes: "沒有失誤。",
  viewpoint: "所有數值以紅方計：正數利於紅方，負數利於黑方。",
  mistakesTitle: "失誤",
  better: "更好：",
  because: "實戰：",
  turningPoints: "轉折點",
  causes: { decision: "決定", luck: "運氣" },
  reportDepth: (nodes: number) => `每個決定 ${thousands(nodes)} 節點。分數：勝為 +1，負為 −1。`,

  // 擺棋
  editor: "擺棋",
  editorAbout: "先選上方的棋子，再選要放的格子。",
  brush: "要放的棋子",
  allDown: "全部暗棋",
  emptyBoard: "清空棋盤",
  toMove: "輪到",
  nobody: "尚未定色",
  faceDownPieces: "暗棋",
  allMissing: "所有缺少的",
  byHand: "自行選擇",
  fewer: (name: string) => `減少一枚${name}`,
  moreOf: (name: string) => `增加一枚${name}`,
  check: "檢查",
  positionFine: "這個局面是可能的。",
  positionString: "局面字串",
  playFromHere: "由此對弈",
  fault: (code: FaultCode, subject: string | null, _message: string) => {
    const about = subject === "red" || subject === "black" ? COLORS[subject] : subject && NAMES[subject] ? kind(subject) : "";
    return `${about ? `${about}：` : ""}${FAULTS[code]}。`;
  },

  // 練習
  puzzles: "練習",
  noPuzzles: "這個程式還沒有練習題。可由對局製作：anqi puzzles。",
  allDone: "目前沒有到期的題目，請稍後再來。",
  findBest: (color: Color, goal: Puzzle["goal"]) =>
    `輪到${COLORS[color]}：${{ win: "取勝", advantage: "取得優勢", draw: "守和", defence: "找出最佳防守" }[goal]}`,
  puzzleAbout: (theme: string, difficulty: number, moves: number) => `${theme} · 難度 ${difficulty}／10${moves > 1 ? ` · 共 ${moves} 步` : ""}`,
  goOn: (move: number, moves: number) => `正確。第 ${move} 步，共 ${moves} 步：繼續。`,
  themes: { capture: "吃子", escape: "逃脫", flip: "翻棋", endgame: "殘局", quiet: "靜著" },
  solved: "答對了。",
  missed: "不是這一步。",
  tryAgain: "再試一次",
  looksForReply: "正在尋找應著…",
  refuted: (reply: string, value: string, best: string) => `應著是 ${reply}：${value}，而正解為 ${best}。`,
  worthLess: (value: string, best: string) => `它值 ${value}，而正解為 ${best}。`,
  showSolution: "看答案",
  secondBest: (value: string) => `次佳著法：${value}`,
  nextPuzzle: "下一題",
  difficulty: "難度",
  bands: { all: "全部", easy: "簡單", medium: "中等", hard: "困難" },
  progress: "進度",
  progressAbout: (known: number, total: number, due: number) => `${total} 題中已解 ${known} 題，${due} 題待複習`,

  // 殘局庫
  tables: "殘局庫",
  tablesAbout: (most: number) => `最多 ${most} 枚棋子的精確解。先選棋子，再走棋、擺放或翻成暗棋。`,
  material: "子力",
  playMoves: "走棋",
  place: (name: string) => `擺放${name}`,
  verdict: "判定",
  redToMove: "輪到紅方",
  blackToMove: "輪到黑方",
  longest: (plies: number, to: "capture" | "end") => `最長的勝局：${plies} 步${to === "capture" ? "吃子" : "終局"}`,
  playThrough: "逐步觀看",
  turnOver: "翻轉棋子（暗或明）",
  expectationAbout: "所有可能翻出結果的精確期望值。",
  noTable: "殘局庫沒有這個局面。沒有更大的殘局庫時，最多四枚棋子（暗或明）可查。",

  // 設定
  language: "語言",
  automatic: "自動",
  theme: "明暗",
  light: "明亮",
  dark: "深色",
  pieces: "棋子",
  pieceSets: { characters: "漢字", letters: "字母", pictures: "圖案" },
  boardLies: "棋盤方向",
  lying: "橫放",
  upright: "直放",
  sounds: "音效",
  showTargets: "顯示可走的格子",
  showCannonLines: "顯示炮線",
  showThreats: "顯示對方能吃的棋子",
  coordinates: "座標",
  confirmFlips: "翻棋前先確認",

  // 說明
  howToPlay: "玩法",
  ranks: "由大到小：帥將、仕士、相象、俥車、傌馬、炮包、兵卒",
  ruleLines: [
    "三十二枚棋子全部蓋著。每回合翻一枚、走一步或吃一子。第一次翻棋決定雙方的顏色。",
    "棋子上下左右走一格，可走到空格，或吃掉同階或低階的敵子。",
    "帥將不能吃兵卒；兵卒可以吃兵卒和帥將。",
    "炮包隔著恰好一枚棋子（不論明暗敵我）跳吃，距離不限，但不能吃相鄰的棋子。",
    "無棋可走者輸，棋子全被吃光者也輸。",
    "計數達到上限或雙方同意時和局。",
  ],
  keys: "按鍵",
  keyLines: [
    ["Tab", "移到棋盤與其他控制項"],
    ["← → ↑ ↓", "在棋盤上逐格移動；在棋盤外則逐步瀏覽棋譜，分析時也瀏覽變化"],
    ["Enter Space", "選擇、走棋、翻棋"],
    ["Esc", "放下棋子"],
    ["[ ]", "棋譜：上一步、下一步"],
    ["Home End", "棋譜：開頭、結尾"],
    ["c", "分析：為此步加註解"],
    ["u", "悔棋"],
    ["h", "提示"],
    ["t", "對方能吃什麼"],
    ["f", "轉動棋盤"],
    ["m", "音效開關"],
    ["?", "本說明"],
  ],
};
