// The catalogues of words: every language says everything, with the same blanks, and nothing is left over.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SOURCES = fileURLToPath(new URL("../src/", import.meta.url));
const LANGUAGES = ["en", "zh-Hant", "zh-Hans"];

async function load(path) {
  const { outputFiles } = await build({ entryPoints: [`${SOURCES}${path}`], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const catalogue = async (language) => JSON.parse(await readFile(`${SOURCES}i18n/${language}.json`, "utf8"));
const [english, ...others] = await Promise.all(LANGUAGES.map(catalogue));
const { blanksOf, fill } = await load("i18n/fill.ts");
const { speak } = await load("i18n/words.ts");
const { LEVELS } = await load("i18n/levels.ts");

/** Every message by its path. */
function messages(part, path = "") {
  if (typeof part === "string") return [[path.slice(1), part]];
  return Object.entries(part).flatMap(([key, inner]) => messages(inner, `${path}.${key}`));
}

/** The forms of a count, of which a language has those that its grammar needs. */
const isCounted = (part) => typeof part === "object" && Object.keys(part).sort().join() === "one,other";

function forms(part, language) {
  if (typeof part === "string" || Array.isArray(part)) return part;
  const needed = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const kept = Object.entries(part).filter(([key]) => !isCounted(part) || needed.includes(key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, forms(inner, language)]));
}

/** What is wrong with a language beside English, one line for each fault. */
function faults(language, say) {
  const expected = new Map(messages(forms(english, language)));
  const found = new Map(messages(forms(say, language)));
  const missing = [...expected.keys()].filter((key) => !found.has(key)).map((key) => `${key} is missing`);
  const extra = [...found.keys()].filter((key) => !expected.has(key)).map((key) => `${key} is not in English`);
  const empty = [...found].filter(([, text]) => text.trim() === "").map(([key]) => `${key} is empty`);
  const blanks = [...found]
    .filter(([key, text]) => expected.has(key) && blanksOf(text).join() !== blanksOf(expected.get(key)).join())
    .map(([key, text]) => `${key} has the blanks ${blanksOf(text)} (expected ${blanksOf(expected.get(key))})`);
  return [...missing, ...extra, ...empty, ...blanks];
}

async function sources(folder = SOURCES) {
  const entries = await readdir(folder, { withFileTypes: true });
  const texts = entries.map(async (entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "i18n" ? "" : sources(path);
    return /\.tsx?$/.test(entry.name) ? readFile(path, "utf8") : "";
  });
  return (await Promise.all(texts)).join("\n");
}

test("every language says what English says, with the same blanks", () => {
  for (const [index, say] of others.entries()) assert.deepEqual(faults(LANGUAGES[index + 1], say), [], LANGUAGES[index + 1]);
});

test("the levels that a backend names are those of the English catalogue", () => {
  assert.deepEqual(LEVELS, english.parts.levels);
});

test("a missing, an unknown and an empty message and another blank are noticed", () => {
  const [say] = others;
  const { home, ...rest } = say;
  assert.deepEqual(faults("zh-Hant", rest), ["home is missing"]);
  assert.deepEqual(faults("zh-Hant", { ...say, hame: home }), ["hame is not in English"]);
  assert.deepEqual(faults("zh-Hant", { ...say, home: " " }), ["home is empty"]);
  assert.deepEqual(faults("zh-Hant", { ...say, hintIs: "提示：{acton}" }), ["hintIs has the blanks acton (expected action)"]);
});

test("no message is left over", async () => {
  const code = await sources();
  const layer = await readFile(`${SOURCES}i18n/words.ts`, "utf8");
  const unused = Object.keys(english).filter((key) => key !== "parts" && !new RegExp(`\\.${key}\\b`).test(code));
  assert.deepEqual(unused, []);
  const parts = Object.keys(english.parts).filter((key) => !layer.includes(`parts.${key}`));
  assert.deepEqual(parts, []);
});

test("Simplified and Traditional are not mixed", async () => {
  // Characters that stand in one of the scripts alone, of words that the page uses.
  const TRADITIONAL = [..."對頁設說關閉複製這個瀏覽選開請連線無紅帥俥傌將馬車輪勝負殘庫練習題難與顯資網態變顏計時規則戰觀場區換麼雜湊檔訊節點級學應壞轉註獲斷嗎據雙圖裝離體為會發讓來條"];
  const SIMPLIFIED = [..."对页设说关闭这个浏览选开请连线无红帅将马车轮胜负残库练习题难与显资网态变颜计时规则战观场区换么杂档讯节点级学应坏转获断吗据双图装离体为会发让来条"].filter((each) => !TRADITIONAL.includes(each));
  const [hant, hans] = others.map((say) => messages(say).map(([, text]) => text).join(""));
  assert.deepEqual(SIMPLIFIED.filter((each) => hant.includes(each)), []);
  assert.deepEqual(TRADITIONAL.filter((each) => hans.includes(each) && !SIMPLIFIED.includes(each)), []);
});

const PLY = { ply: "b2-b3", piece: "R", captured: "p" };
const FLIP = { ply: "b2(G)", piece: "G", captured: null };
const WON = { winner: "red", winner_seat: 0, reason: "annihilation" };
const DRAWN = { winner: null, winner_seat: null, reason: "agreement" };
const RATED = { level: 3, from: 3, to: 3 };

/** What each function is called with, several times if it has several messages. */
const CALLS = {
  kind: [["K"]], content: [["?"], ["."], ["k"]], square: [["b2", "K"]], poolEntry: [["K", 1, 3], ["K", 0, 0]], faceDown: [[3]],
  capturedOf: [["red", ["a", "b"]], ["red", []]], happened: [[PLY], [FLIP], [{ ...PLY, captured: null }]], plyText: [["b2(G)"], ["b2-b3"]],
  action: [["b2-b3", ""]], shortAction: [["b2-b3"], ["b2-b2"], ["b2(G)"]], hintIs: [["b2"]], outcome: [[WON], [DRAWN]], outcomeReason: [[WON]],
  outcomeShort: [[WON], [DRAWN]], levelName: [[3]], date: [[1_700_000_000_000]], seconds: [[3]], versus: [[["a", "b"]]], sitterName: [["x"], ["expert"], ["", 3]],
  rulesName: [[{ name: "paper", quiet_limit: 40, repetition: { kind: "never" } }], [{ name: "x", quiet_limit: null, repetition: { kind: "position", times: 3 } }]],
  plies: [[1], [2]], timeLeft: [["0:10"]], colorToMove: [["red"]], isThinking: [["x"]], waitsFor: [["x"]], offers: [["draw"]], offered: [["undo"]], declined: [["hint"]],
  lookingBack: [[1, 2]], linkFor: [[0], [1]], seatName: [[0], [1]],
  illegal: [[{ code: "cannot_capture", message: "m", between: null }, "a8-b8", "Kp".padEnd(32, ".")], [{ code: "cannot_capture", message: "m", between: null }, "a8-b8", "Nk".padEnd(32, ".")], [{ code: "cannon_screens", message: "m", between: 2 }, "a8-b8", ""]],
  refusal: [["busy", "m"], ["internal", "m"]], fault: [["text", null, "m"], ["too_many", "K", "m"], ["no_pieces", "red", "m"]],
  fewer: [["x"]], moreOf: [["x"]], place: [["x"]], whatAppears: [["b2"]], tablesAbout: [[4]], longest: [[3, "end"], [3, "capture"]], importedAll: [[1], [2]], linkRefused: [["x"]],
  effort: [[1, 1, 100], [3, 123_456, 1000]], lines: [[1], [2]], valueForRed: [["x"]], valueFor: [["red", "x"]], inPlies: [["win", 3], ["draw", 3]], captureIn: [["win", 3], ["draw", 3]],
  verdictShort: [["win", 3], ["win", null]], tableVerdict: [["win", 1, 2], ["win", null, 2], ["win", 1, null], ["loss", null, null], ["draw", null, null]],
  decisionDetail: [["a", "b"]], tileDetail: [["K", "a", "b"]], appearance: [["K", 1, 2, "a"]], flipChances: [["b2", "a"]], graphValueLabel: [["a"]], graphLuckLabel: [["a"]],
  reviewing: [[1, 2]], interval: [["a", "b"]], ratingBand: [[RATED], [{ ...RATED, to: 5 }]], luckInterval: [[1, "a", "b"], [2, "a", "b"]], reportDepth: [[20_000]],
  findBest: [["red", "win"]], puzzleAbout: [["t", 1, 1], ["t", 1, 2]], goOn: [[1, 2]], refuted: [["a", "b", "c"]], worthLess: [["a", "b"]], secondBest: [["a"]], progressAbout: [[1, 2, 3]],
  practiceAbout: [["x"]], practiceGoal: [["red", "win"], ["black", "draw"]], practiceNumber: [[1, 2, 3]], lessonFails: [["x", "draw"], ["x", "loss"]], practiceHold: [[1], [2]], practiceWon: [[1, 1], [3, 1]],
};

test("every sentence is complete in every language", () => {
  for (const [language, say] of LANGUAGES.map((each, index) => [each, [english, ...others][index]])) {
    const words = speak(say, language, LEVELS);
    const functions = Object.keys(words).filter((key) => typeof words[key] === "function");
    assert.deepEqual(functions.filter((key) => !["number", "counted"].includes(key)).sort(), Object.keys(CALLS).sort());
    for (const [key, calls] of Object.entries(CALLS)) {
      for (const values of calls) {
        const text = words[key](...values);
        assert.match(text, /^[^{}]+$/, `${language} ${key}(${JSON.stringify(values)}): ${text}`);
        assert.doesNotMatch(text, /undefined|null|NaN/, `${language} ${key}`);
      }
    }
  }
});

test("the ideas of all lessons are told in every language", async () => {
  const { retold } = await load("i18n/idea.ts");
  const folder = fileURLToPath(new URL("../../desk/lessons/", import.meta.url));
  const files = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  const lessons = (await Promise.all(files.map(async (name) => JSON.parse(await readFile(`${folder}${name}`, "utf8"))))).flat();
  assert.ok(lessons.length >= 50);
  const [en, hant, hans] = LANGUAGES.map((each, index) => speak([english, ...others][index], each, LEVELS));
  for (const { idea, side } of lessons) {
    for (const say of [hant, hans]) assert.match(retold(idea, side, say.ideas, say) ?? "nothing", /^([^A-Za-z{}]|[a-d][1-8])+$/, idea);
    const again = retold(idea, side, en.ideas, en);
    assert.equal(again.toLowerCase().replaceAll(/\b(red|black) (?=king|guard|minister|rook|knight|cannon|pawn)/g, ""), idea.toLowerCase().replaceAll(/(?<=[a-d][1-8])-(?=[a-d])/g, "–"));
  }
  const [known] = lessons;
  assert.equal(retold(`${known.idea} More.`, known.side, hant.ideas, hant), null, "what has other forms");
  assert.equal(retold("Take it.", "red", hant.ideas, hant), null);
});

test("numbers, counts and capitals follow the language", () => {
  const [en, hant, hans] = LANGUAGES.map((each, index) => speak([english, ...others][index], each, LEVELS));
  assert.deepEqual([1, 2].map(en.plies), ["1 ply", "2 plies"]);
  assert.equal(en.happened(FLIP), "Red guard appears on b2");
  assert.equal(en.effort(3, 1, 500), "Depth 3, 1 node, 0.5 s");
  assert.match(hant.effort(3, 123_456, 500), /12\.3萬 節點/);
  assert.match(hans.effort(3, 123_456, 500), /12\.3万 节点/);
  assert.deepEqual([..."KGMRNCPkgmrncp"].map((letter) => hans.kind(letter).slice(1)).join(""), "帅仕相车马炮兵将士象车马炮卒");
  assert.equal(hant.kind("n"), "黑馬");
  assert.match(hans.date(Date.UTC(2026, 0, 2, 12)), /2026年1月2日/);
  assert.equal(fill("{Piece} {none}", { piece: "king" }), "King {none}");
});
