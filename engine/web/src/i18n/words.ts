// The page's words: the messages of a catalogue with their blanks filled in.
//
// Sentences stand in the catalogues, one JSON file for each language; here is only what goes into
// their blanks. A message without blanks is used as it is.

import { contentOf } from "../board/geometry";
import type { Color, ErrorCode, Explained, FaultCode, OfferKind, Outcome, PlyView, Puzzle, RulesPreset, SideReport } from "../wire";
import type en from "./en.json";
import { capital, fill, type Counted, type Values } from "./fill";

/** Other words, but the same messages. */
type Said<T> = T extends string ? string : T extends { one: string; other: string } ? Counted : T extends (infer E)[] ? Said<E>[] : { [K in keyof T]: Said<T[K]> };

/** Everything that a language says; English has every message. */
export type Catalogue = Said<typeof en>;

type Verdict = "win" | "draw" | "loss";

/** From here on, numbers are rounded. */
const LARGE = 10_000;

const squares = (ply: string) => ({ square: ply.slice(0, 2), from: ply.slice(0, 2), to: ply.slice(3, 5) });
const appears = (ply: string) => ply[2] === "(";

/** What the language says of a thing by its letter or number. */
function names(say: Catalogue, locale: string) {
  const plural = new Intl.PluralRules(locale);
  const rounded = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
  const kinds: Record<string, string> = say.kind;
  const kind = (letter: string) => kinds[letter] ?? letter;
  const content = (letter: string) => (letter === "?" ? say.content.faceDown : letter === "." ? say.content.empty : kind(letter));
  return {
    kind,
    content,
    number: (count: number) => (count < LARGE ? String(count) : rounded.format(count)),
    date: (at: number) => day.format(at),
    /** A message in the form for a count. */
    counted(forms: Counted, count: number, values: Values = {}): string {
      const form = plural.select(count) === "one" ? forms.one : undefined;
      return fill(form ?? forms.other, { count, ...values });
    },
  };
}

type Names = ReturnType<typeof names>;

/** What happens on the board. */
function events(say: Catalogue, { kind }: Names) {
  const shortAction = (action: string) => {
    const form = appears(action) ? "appeared" : action.slice(0, 2) === action.slice(3, 5) ? "flip" : "move";
    return fill(say.shortAction[form], { ...squares(action), piece: kind(action[3] ?? "") });
  };
  return {
    happened({ ply, piece, captured }: PlyView): string {
      const form = appears(ply) ? "appeared" : captured ? "took" : "moved";
      return fill(say.happened[form], { ...squares(ply), piece: kind(piece), prey: kind(captured ?? "") });
    },
    plyText: (ply: string) => fill(say.plyText[appears(ply) ? "appeared" : "moved"], { ...squares(ply), piece: kind(ply[3] ?? "") }),
    action: (action: string, _squares: string) => shortAction(action),
    shortAction,
    hintIs: (action: string) => fill(say.hintIs, { action }),
    outcome({ winner, reason }: Outcome): string {
      const known = say.parts.reasons[reason];
      return winner ? fill(say.outcome.won, { color: say.colors[winner], reason: known }) : fill(say.outcome.drawn, { reason: known });
    },
    outcomeReason: ({ reason }: Outcome) => say.outcomeReason[reason],
    outcomeShort: ({ winner }: Outcome) => (winner ? fill(say.outcomeShort.won, { color: say.colors[winner] }) : say.outcomeShort.drawn),
  };
}

/** What is said of players, rules and offers. */
function players(say: Catalogue, levels: string[], { counted, date }: Names) {
  const levelName = (level: number) => say.parts.levels[level - 1] ?? "";
  const named = (table: Record<string, string>, name: string) => table[name] ?? name;
  return {
    levelName,
    date,
    rulesName({ name, quiet_limit, repetition }: RulesPreset): string {
      const values = { name: named(say.parts.presets, name), repetition: say.parts.repetitions[repetition.kind] };
      return quiet_limit === null ? fill(say.rulesName.unlimited, values) : fill(say.rulesName.limited, { ...values, limit: quiet_limit });
    },
    seconds: (count: number) => fill(say.seconds, { count }),
    versus: ([first, second]: [string, string]) => fill(say.versus, { first, second }),
    sitterName(name: string, level: number | null = null): string {
      const known = level ?? levels.indexOf(name) + 1;
      return known > 0 ? fill(say.sitterName, { level: known, name: levelName(known) }) : name;
    },
    plies: (count: number) => counted(say.plies, count),
    timeLeft: (time: string) => fill(say.timeLeft, { time }),
    colorToMove: (color: Color) => fill(say.colorToMove, { color: say.colors[color] }),
    isThinking: (name: string) => fill(say.isThinking, { name }),
    waitsFor: (name: string) => fill(say.waitsFor, { name }),
    offers: (what: OfferKind) => say.offers[what],
    offered: (what: OfferKind) => say.offered[what],
    declined: (what: OfferKind) => say.declined[what],
    lookingBack: (at: number, plies: number) => fill(say.lookingBack, { at, plies }),
    linkFor: (seat: number) => (seat === 0 ? say.linkFor.first : say.linkFor.second),
    seatName: (seat: number) => (seat === 0 ? say.seatName.first : say.seatName.second),
  };
}

/** What the desk refuses. It says so in English too, and more exactly, so that English uses its words. */
function refusals(say: Catalogue, locale: string, { kind }: Names) {
  const ownWords = (message: string) => (locale === "en" ? `${capital(message)}.` : null);
  const mayNotTake = (capturer: string, prey: string) => {
    const { king, pawn, rank } = say.parts.captureRules;
    const role = capturer.toUpperCase();
    return role === "K" ? king : role === "P" ? pawn : fill(rank, { prey: kind(prey), capturer: kind(capturer) });
  };
  return {
    illegal({ code, message, between }: Explained, action: string, board: string): string {
      const own = ownWords(message);
      if (own) return own;
      if (code === "cannot_capture") return mayNotTake(contentOf(board, action.slice(0, 2)), contentOf(board, action.slice(3, 5)));
      return fill(say.illegal[code], { between: between ?? 0 });
    },
    refusal(code: ErrorCode | "lost", message: string): string {
      const general = ["busy", "too_fast", "lost"].includes(code);
      return locale === "en" && !general ? message : say.refusal[code];
    },
    fault(code: FaultCode, subject: string | null, message: string): string {
      if (locale === "en") return capital(message);
      const colors: Record<string, string> = say.colors;
      const pieces: Record<string, string> = say.kind;
      const about = subject === null ? undefined : (colors[subject] ?? pieces[subject]);
      return about ? fill(say.parts.faultAbout, { subject: about, fault: say.fault[code] }) : say.fault[code];
    },
  };
}

/** What is said of pieces that are counted or put down. */
function pieces(say: Catalogue, { kind, content, counted }: Names) {
  const roles: Record<string, string> = say.roles;
  return {
    roles,
    kind,
    content,
    square: (square: string, letter: string) => fill(say.square, { square, content: content(letter) }),
    poolEntry(letter: string, left: number, total: number): string {
      const percent = ((left / Math.max(1, total)) * 100).toFixed(0);
      return fill(total > 0 ? say.poolEntry.some : say.poolEntry.none, { piece: kind(letter), left, total, percent });
    },
    faceDown: (count: number) => fill(say.faceDown, { count }),
    capturedOf(color: Color, taken: string[]): string {
      const form = taken.length > 0 ? say.capturedOf.some : say.capturedOf.none;
      return fill(form, { color: say.colors[color], names: taken.join(say.parts.comma) });
    },
    fewer: (piece: string) => fill(say.fewer, { piece }),
    moreOf: (piece: string) => fill(say.moreOf, { piece }),
    place: (piece: string) => fill(say.place, { piece }),
    whatAppears: (square: string) => fill(say.whatAppears, { square }),
    tablesAbout: (most: number) => fill(say.tablesAbout, { most }),
    longest: (plies: number, to: "capture" | "end") => fill(say.longest[to], { plies }),
    importedAll: (count: number) => counted(say.importedAll, count),
    linkRefused: (reason: string) => fill(say.linkRefused, { reason }),
  };
}

/** Values and verdicts. */
function values(say: Catalogue, { kind, number, counted }: Names) {
  const verdict = (of: Verdict) => say.verdicts[of];
  return {
    effort: (depth: number, nodes: number, ms: number) => counted(say.effort, nodes, { count: number(nodes), depth, seconds: (ms / 1000).toFixed(1) }),
    lines: (count: number) => counted(say.lines, count),
    valueForRed: (value: string) => fill(say.valueForRed, { value }),
    valueFor: (color: Color, value: string) => fill(say.valueFor, { color: say.colors[color], value }),
    inPlies: (of: Verdict, plies: number) => (of === "draw" ? verdict(of) : fill(say.inPlies, { verdict: verdict(of), plies })),
    captureIn: (of: Verdict, plies: number) => (of === "draw" ? verdict(of) : fill(say.captureIn, { verdict: verdict(of), plies })),
    verdictShort: (of: Verdict, dtc: number | null) => (of === "draw" || dtc === null ? verdict(of) : fill(say.verdictShort, { verdict: verdict(of), plies: dtc })),
    tableVerdict(of: Verdict, dtc: number | null, dtw: number | null): string {
      const form = dtw !== null && dtc !== null ? "both" : dtw !== null ? "end" : dtc !== null ? "capture" : null;
      if (of === "draw" || form === null) return verdict(of);
      return fill(say.tableVerdict[form], { verdict: verdict(of), end: dtw ?? "", capture: dtc ?? "" });
    },
    decisionDetail: (average: string, best: string) => fill(say.decisionDetail, { average, best }),
    tileDetail: (piece: string, value: string, average: string) => fill(say.tileDetail, { piece: kind(piece), value, average }),
    appearance: (piece: string, count: number, total: number, value: string) => fill(say.appearance, { piece: kind(piece), count, total, value }),
    flipChances: (square: string, value: string) => fill(say.flipChances, { square, value }),
    graphValueLabel: (value: string) => fill(say.graphValueLabel, { value }),
    graphLuckLabel: (value: string) => fill(say.graphLuckLabel, { value }),
    reviewing: (done: number, total: number) => fill(say.reviewing, { done, total }),
    interval: (low: string, high: string) => fill(say.interval, { low, high }),
    ratingBand: ({ level, from, to }: NonNullable<SideReport["rating"]>) => fill(from === to ? say.ratingBand.one : say.ratingBand.band, { level, from, to }),
    luckInterval: (flips: number, low: string, high: string) => counted(say.luckInterval, flips, { low, high }),
    reportDepth: (nodes: number) => fill(say.reportDepth, { nodes: number(nodes) }),
  };
}

/** Puzzles and practice. */
function training(say: Catalogue, { counted }: Names) {
  const mover = (color: Color) => ({ color: say.colors[color] });
  return {
    findBest: (color: Color, goal: Puzzle["goal"]) => fill(say.findBest[goal], mover(color)),
    puzzleAbout: (theme: string, difficulty: number, moves: number) => fill(moves > 1 ? say.puzzleAbout.other : (say.puzzleAbout.one ?? say.puzzleAbout.other), { theme, difficulty, count: moves }),
    goOn: (move: number, moves: number) => fill(say.goOn, { move, moves }),
    refuted: (reply: string, value: string, best: string) => fill(say.refuted, { reply, value, best }),
    worthLess: (value: string, best: string) => fill(say.worthLess, { value, best }),
    secondBest: (value: string) => fill(say.secondBest, { value }),
    progressAbout: (known: number, total: number, due: number) => fill(say.progressAbout, { known, total, due }),
    practiceAbout: (pieces: string) => fill(say.practiceAbout, { pieces }),
    practiceGoal: (color: Color, goal: "win" | "draw") => fill(say.practiceGoal[goal], mover(color)),
    practiceNumber: (number: number, total: number, difficulty: number) => fill(say.practiceNumber, { number, total, difficulty }),
    lessonFails: (action: string, value: "draw" | "loss") => fill(say.lessonFails[value], { action }),
    practiceHold: (count: number) => counted(say.practiceHold, count),
    practiceWon: (count: number, best: number) => counted(say.practiceWon, count, { best }),
  };
}

/** All words of a language; `levels` are the names that a backend gives to its levels. */
export function speak(say: Catalogue, locale: string, levels: string[]) {
  const known = names(say, locale);
  return {
    ...say,
    ...events(say, known),
    ...players(say, levels, known),
    ...refusals(say, locale, known),
    ...pieces(say, known),
    ...values(say, known),
    ...training(say, known),
  };
}
