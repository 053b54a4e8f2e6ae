// The tables browser: a material, the share of wins, the longest one, and every position in it.

import { useEffect, useState } from "preact/hooks";
import { Board } from "../board/board";
import { boardField, FULL_BAG, isFlip, PIECES, SQUARES, squaresField } from "../board/geometry";
import { Disc } from "../board/piece";
import { words } from "../i18n";
import { connection } from "../net/connection";
import { Icon } from "../parts/dialog";
import { Choice } from "../parts/fields";
import { Pool } from "../parts/pool";
import { signed } from "../parts/thoughts";
import { about } from "../state/about";
import { openLine } from "../state/analysis";
import { explain } from "../state/explain";
import { complain } from "../state/game";
import { load, save } from "../state/saved";
import { useStore } from "../state/store";
import type { MaterialView, TableView } from "../wire";
import { verdictsOf } from "./analyse";
import { Stepper } from "./editor";

/** Endings of more pieces have no distances without a table file. */
const MOST_PRACTISED = 4;

function count(letters: string, letter: string): number {
  return [...letters].filter((each) => each === letter).length;
}

/** The squares as a position string; `hidden` has the letters of the face-down pieces. */
function positionOf(squares: string, turn: string, hidden = ""): string {
  const bag = [...PIECES].map((letter) => letter.repeat(count(hidden, letter))).join("");
  return `${boardField(squares)} ${turn} ${bag || "-"} 0 1`;
}

/** Pieces of the material put on the board somewhere, in reading order. */
function laidOut(material: string): string {
  const list = Array<string>(32).fill(".");
  const places = [5, 18, 10, 21, 6, 25];
  [...material].forEach((letter, index) => (list[places[index] ?? index] = letter));
  return list.join("");
}

/** What the server says about a material and about a position of it. */
function useTables(material: string) {
  const [info, setInfo] = useState<MaterialView | null>(null);
  const [position, setPosition] = useState("");
  const [answer, setAnswer] = useState<TableView | null>(null);
  const [trail, setTrail] = useState<string[]>([]);
  useEffect(() => {
    save("material", material);
    let stale = false;
    connection.ask<"material">({ type: "material", material }).then((given) => {
      if (stale) return;
      setInfo(given);
      setTrail([]);
      setPosition(given.longest?.position ?? positionOf(laidOut(material), "r"));
    }, complain);
    return () => {
      stale = true;
    };
  }, [material]);
  useEffect(() => {
    if (!position) return;
    let stale = false;
    connection.ask<"probe">({ type: "probe", position }).then((given) => stale || setAnswer(given), complain);
    return () => {
      stale = true;
    };
  }, [position]);

  const start = (from: string) => {
    setTrail([]);
    setPosition(from);
  };
  /** Plays an action, or a flip with the piece that appears. */
  const play = (ply: string): void => {
    connection.ask<"view">({ type: "view", line: { start: position, plies: [ply] } }).then(({ board }) => {
      setTrail([...trail, position]);
      setPosition(board.position);
    }, complain);
  };
  const back = () => {
    setPosition(trail.at(-1) ?? position);
    setTrail(trail.slice(0, -1));
  };
  return { info, position, answer, start, play, back: trail.length > 0 ? back : null };
}

/** The squares after a piece was put down. Of several alike, the first one moves. */
function put(squares: string, letter: string, square: string): string | null {
  const list = [...squares];
  const from = list.indexOf(letter);
  const to = SQUARES.indexOf(square);
  if (list[to] !== "." && list[to] !== letter) return null;
  if (from >= 0) list[from] = ".";
  list[to] = letter;
  return list.join("");
}

/** Turns the piece of a square over: its letter goes into the bag, or the first of the bag appears. */
function turnOver(squares: string, hidden: string, square: string): [string, string] | null {
  const at = SQUARES.indexOf(square);
  const here = squares[at] ?? ".";
  if (here === ".") return null;
  const put = (letter: string) => squares.slice(0, at) + letter + squares.slice(at + 1);
  return here === "?" ? [put(hidden[0] ?? "."), hidden.slice(1)] : [put("?"), hidden + here];
}

export function Tables() {
  const text = words();
  const { about: can } = useStore(about);
  const [material, setMaterial] = useState<string>(() => load("material", "KPcn"));
  const [hand, setHand] = useState("move");
  const [flipping, setFlipping] = useState<string | null>(null);
  const tables = useTables(material);
  useEffect(() => setHand("move"), [material]);
  useEffect(() => setFlipping(null), [tables.position, hand]);
  const { info, position, answer } = tables;
  const turn = position.split(" ")[1] ?? "r";
  const hidden = answer?.board.hidden ?? "";
  const place = (square: string) => {
    // From the position, not from the board shown: that one waits for the answer to the click before.
    const squares = squaresField(position);
    const bag = position.split(" ")[2]?.replace("-", "") ?? "";
    const changed = hand === "?" ? turnOver(squares, bag, square) : [put(squares, hand, square), bag];
    if (changed?.[0]) tables.start(positionOf(changed[0], turn, changed[1] ?? ""));
  };
  /** A flip asks first what appears. */
  const move = (action: string): undefined => {
    if (isFlip(action)) setFlipping(action.slice(0, 2));
    else tables.play(action);
  };
  const moving = hand === "move";
  return (
    <div class="stage tables-view">
      <div class="table">
        <Hand letters={answer?.board.squares ?? ""} hand={hand} setHand={setHand} />
        {answer ? (
          <Board
            board={answer.board}
            onAction={moving && !answer.board.outcome ? move : undefined}
            onIllegal={(action) => void explain({ start: answer.board.position, plies: [] }, action, answer.board.squares)}
            onSquare={moving ? undefined : place}
            verdicts={moving ? verdictsOf(answer.actions) : undefined}
            arrows={flipping ? [{ action: `${flipping}-${flipping}`, look: "hint" }] : []}
            game="tables"
          />
        ) : null}
        {flipping ? (
          <section class="card chooser" aria-label={text.whatAppears(flipping)}>
            <h2>{text.whatAppears(flipping)}</h2>
            <Pool hidden={hidden} onChoose={(piece) => tables.play(`${flipping}(${piece})`)} />
          </section>
        ) : null}
        {hidden && !flipping ? <Pool hidden={hidden} /> : null}
        {answer ? <Verdict answer={answer} turn={turn} tables={tables} onMove={move} /> : null}
      </div>
      <div class="side-panel">
        <Material material={material} most={can.table_pieces} setMaterial={setMaterial} />
        <LessonSets material={material} onChoose={setMaterial} />
        {info ? <Shares info={info} onLongest={tables.start} /> : null}
      </div>
    </div>
  );
}

/** What a click does: play, or put one of the pieces somewhere else. */
function Hand({ letters, hand, setHand }: { letters: string; hand: string; setHand: (hand: string) => void }) {
  const text = words();
  const kinds = [...new Set([...letters].filter((each) => each !== "." && each !== "?"))];
  return (
    <div class="palette" role="radiogroup" aria-label={text.brush}>
      <button type="button" role="radio" class="wordy" aria-checked={hand === "move"} onClick={() => setHand("move")}>
        {text.playMoves}
      </button>
      {kinds.map((letter) => {
        const label = text.place(text.kind(letter));
        return (
          <button key={letter} type="button" role="radio" aria-checked={hand === letter} aria-label={label} title={label} onClick={() => setHand(letter)}>
            <Disc content={letter} />
          </button>
        );
      })}
      <button type="button" role="radio" aria-checked={hand === "?"} aria-label={text.turnOver} title={text.turnOver} onClick={() => setHand("?")}>
        <Disc content="?" />
      </button>
    </div>
  );
}

interface VerdictProps {
  answer: TableView;
  turn: string;
  tables: ReturnType<typeof useTables>;
  onMove: (action: string) => void;
}

function Verdict({ answer, turn, tables, onMove }: VerdictProps) {
  const text = words();
  const sides = [
    { value: "r", label: text.colors.red },
    { value: "b", label: text.colors.black },
  ];
  return (
    <section class="card" aria-label={text.verdict}>
      <Choice legend={text.toMove} options={sides} value={turn} onChange={(side) => tables.start(positionOf(answer.board.squares, side, answer.board.hidden))} />
      <VerdictText answer={answer} />
      <div class="buttons">
        <button type="button" disabled={!tables.back} onClick={() => tables.back?.()}>{text.undo}</button>
        <button type="button" onClick={() => openLine({ line: { start: tables.position, plies: [] } })}>{text.analyse}</button>
      </div>
      <Actions answer={answer} onMove={onMove} />
    </section>
  );
}

function Material({ material, most, setMaterial }: { material: string; most: number; setMaterial: (material: string) => void }) {
  const text = words();
  const change = (letter: string, by: number) => {
    const wanted = count(material, letter) + by;
    const next = [...PIECES].map((each) => each.repeat(each === letter ? wanted : count(material, each))).join("");
    setMaterial(next);
  };
  return (
    <section class="card" aria-label={text.material}>
      <h1>{text.tables}</h1>
      <p class="note">{text.tablesAbout(most)}</p>
      <ul class="steppers">
        {[...PIECES].map((letter) => (
          <Stepper
            key={letter}
            letter={letter}
            value={count(material, letter)}
            most={material.length >= most ? count(material, letter) : count(FULL_BAG, letter)}
            onStep={(by) => (by > 0 || material.length > 2 ? change(letter, by) : undefined)}
          />
        ))}
      </ul>
      {material.length <= MOST_PRACTISED ? (
        <div class="buttons">
          <a class="button primary" href={`#/practice/${material}`}>
            <Icon name="hint" />
            {text.practise}
          </a>
        </div>
      ) : null}
    </section>
  );
}

/** The endings that have lessons, each as a choice. */
function LessonSets({ material, onChoose }: { material: string; onChoose: (material: string) => void }) {
  const text = words();
  const [sets, setSets] = useState<string[]>([]);
  useEffect(() => {
    let stale = false;
    connection.ask<"lessons">({ type: "lessons" }).then((given) => stale || setSets(given.sets), complain);
    return () => {
      stale = true;
    };
  }, []);
  if (sets.length === 0) return null;
  const chosen = [...material].sort().join("");
  const name = (set: string) => [...set].map((letter) => text.kind(letter)).join(text.parts.comma);
  return (
    <section class="card" aria-label={text.lessonSets}>
      <h2>{text.lessonSets}</h2>
      <div class="sets" role="radiogroup" aria-label={text.lessonSets}>
        {sets.map((set) => (
          <button key={set} type="button" role="radio" aria-checked={[...set].sort().join("") === chosen} aria-label={name(set)} title={name(set)} onClick={() => onChoose(set)}>
            {[...set].map((letter, index) => <Disc key={index} content={letter} />)}
          </button>
        ))}
      </div>
    </section>
  );
}

function Shares({ info, onLongest }: { info: MaterialView; onLongest: (position: string) => void }) {
  const text = words();
  if (!info.known) return <section class="card"><p role="status">{text.noTable}</p></section>;
  const row = (label: string, shares: MaterialView["red_to_move"]) => {
    if (!shares) return null;
    const total = Math.max(1, shares.wins + shares.draws + shares.losses);
    const percent = (part: number) => `${((part / total) * 100).toFixed(1)} %`;
    const spoken = `${label}: ${text.verdicts.win} ${percent(shares.wins)}, ${text.verdicts.draw} ${percent(shares.draws)}, ${text.verdicts.loss} ${percent(shares.losses)}`;
    return (
      <div class="shares">
        <span>{label}</span>
        <span class="share-bar" role="img" aria-label={spoken} title={spoken}>
          {(["wins", "draws", "losses"] as const).map((kind) => (
            <i key={kind} class={kind} style={{ flexGrow: shares[kind] / total }}>{shares[kind] / total > 0.12 ? percent(shares[kind]) : ""}</i>
          ))}
        </span>
      </div>
    );
  };
  return (
    <section class="card" aria-label={text.material}>
      {row(text.redToMove, info.red_to_move)}
      {row(text.blackToMove, info.black_to_move)}
      <p class="legend"><i class="wins" />{text.verdicts.win} <i class="draws" />{text.verdicts.draw} <i class="losses" />{text.verdicts.loss}</p>
      {info.longest ? (
        <div class="buttons">
          <button type="button" onClick={() => onLongest(info.longest?.position ?? "")}>{text.longest(info.longest.plies, info.longest.to)}</button>
          {info.longest.line.length > 0 ? (
            <button type="button" onClick={() => playThrough(info.longest)}>
              <Icon name="play" />
              {text.playThrough}
            </button>
          ) : null}
        </div>
      ) : null}
    </section>
  );
}

/** Opens the line of the longest win at its start, to walk through it. */
function playThrough(longest: MaterialView["longest"]): void {
  if (longest) openLine({ line: { start: longest.position, plies: longest.line }, from: "start" });
}

function VerdictText({ answer }: { answer: TableView }) {
  const text = words();
  const { verdict, expected, board } = answer;
  const turn = board.turn ?? "red";
  if (board.outcome) return <p class="turn" role="status">{text.outcome(board.outcome)}</p>;
  if (verdict) return <p class={`turn ${verdict.wdl}`} role="status">{text.valueFor(turn, text.tableVerdict(verdict.wdl, verdict.dtc, verdict.dtw))}</p>;
  if (expected !== null) {
    return (
      <div role="status">
        <p class="turn">{text.valueFor(turn, signed(expected))}</p>
        <p class="note">{text.expectationAbout}</p>
      </div>
    );
  }
  return <p role="status">{text.noTable}</p>;
}

function Actions({ answer, onMove }: { answer: TableView; onMove: (action: string) => void }) {
  const text = words();
  const order = { win: 0, draw: 1, loss: 2 };
  // Without verdicts they come in the order of what they are worth.
  const sorted = [...answer.actions].sort((a, b) => (a.wdl && b.wdl ? order[a.wdl] - order[b.wdl] || (a.plies_to_end ?? a.dtc ?? 0) - (b.plies_to_end ?? b.dtc ?? 0) : 0));
  return (
    <div class="verdicts" role="group" aria-label={text.tableVerdicts}>
      {sorted.map(({ action, wdl, dtc, plies_to_end: end, expected }) => (
        <button key={action} type="button" class={wdl ?? "unknown"} onClick={() => onMove(action)}>
          <span>{text.shortAction(action)}</span>
          <small>{wdl ? text.verdictShort(wdl, end ?? dtc) : expected === null ? "" : signed(expected)}</small>
        </button>
      ))}
    </div>
  );
}
