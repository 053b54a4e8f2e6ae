// Training: one position, one action that is clearly best.

import { useEffect, useState } from "preact/hooks";
import type { Arrow } from "../board/arrows";
import { Board } from "../board/board";
import { isFlip } from "../board/geometry";
import { words } from "../i18n";
import { connection } from "../net/connection";
import { Choice } from "../parts/fields";
import { Pool } from "../parts/pool";
import { lineText, valueText } from "../parts/thoughts";
import { openLine } from "../state/analysis";
import { complain } from "../state/game";
import { announce } from "../state/live";
import { load, save } from "../state/saved";
import { answered, dueCount, next, type Cards } from "../state/schedule";
import { playSound } from "../sound";
import type { Board as BoardView, Puzzle } from "../wire";

/** Which puzzles are asked, by difficulty: about a third of the own ones each. */
const BANDS = { all: [1, 10], easy: [1, 2], medium: [3, 4], hard: [5, 10] } as const;
type Band = keyof typeof BANDS;

function within(band: Band): (puzzle: Puzzle) => boolean {
  const [least, most] = BANDS[band];
  return ({ difficulty }) => difficulty >= least && difficulty <= most;
}

type Phase = "asking" | "missed" | "solved" | "shown";

/** The puzzles, the one that is asked, and what the browser remembers of the others. */
function useTraining() {
  const [puzzles, setPuzzles] = useState<Puzzle[] | null>(null);
  const [cards, setCards] = useState<Cards>(() => load("puzzles", {}));
  const [current, setCurrent] = useState<Puzzle | null>(null);
  const [band, setBand] = useState<Band>(() => load("band", "all"));
  useEffect(() => {
    fetch("/api/puzzles")
      .then((answer) => (answer.ok ? (answer.json() as Promise<Puzzle[]>) : []))
      .then((list) => {
        setPuzzles(list);
        setCurrent(next(list.filter(within(band)), cards, Date.now()));
      })
      .catch(() => setPuzzles([]));
  }, []);
  const grade = (puzzle: Puzzle, right: boolean) => {
    const after = answered(cards, puzzle.id, right, Date.now());
    setCards(after);
    save("puzzles", after);
  };
  const asked = (puzzles ?? []).filter(within(band));
  const forward = () => setCurrent(next(asked, cards, Date.now(), current?.id));
  const choose = (chosen: Band) => {
    setBand(chosen);
    save("band", chosen);
    setCurrent(next((puzzles ?? []).filter(within(chosen)), cards, Date.now()));
  };
  return { puzzles, asked, cards, current, band, grade, forward, choose };
}

export function Puzzles() {
  const text = words();
  const training = useTraining();
  const { puzzles, current } = training;
  if (!puzzles) return <p class="empty" role="status">{text.loading}</p>;
  if (!current) {
    return (
      <div class="card missing" role="status">
        <h1>{text.puzzles}</h1>
        <p>{puzzles.length === 0 ? text.noPuzzles : text.allDone}</p>
        {puzzles.length > 0 ? <Difficulty training={training} /> : null}
      </div>
    );
  }
  return <Asked key={current.id} puzzle={current} training={training} />;
}

/** One puzzle, from the question to the solution. */
function Asked({ puzzle, training }: { puzzle: Puzzle; training: ReturnType<typeof useTraining> }) {
  const text = words();
  const [board, setBoard] = useState<BoardView | null>(null);
  const [phase, setPhase] = useState<Phase>("asking");
  const [last, setLast] = useState<string | null>(null);
  const show = (plies: string[]) => {
    connection.ask<"view">({ type: "view", line: { start: puzzle.position, plies, rules: puzzle.rules } }).then((answer) => {
      setBoard(answer.board);
      setLast(plies.at(-1) ?? null);
    }, complain);
  };
  useEffect(() => show([]), []);

  /** Only the first answer counts for the schedule. */
  const conclude = (phaseNow: Phase, right: boolean) => {
    if (phase === "asking") training.grade(puzzle, right);
    setPhase(phaseNow);
  };
  const attempt = (action: string): boolean => {
    const right = puzzle.solution.includes(action);
    conclude(right ? "solved" : "missed", right);
    announce(right ? text.solved : text.missed);
    playSound(right ? "win" : "refused");
    if (right && !isFlip(action)) show([action]);
    return right;
  };
  if (!board) return <p class="empty" role="status">{text.loading}</p>;
  const open = phase === "asking" || phase === "missed";
  const best = puzzle.solution[0];
  const arrows = open || last !== null ? [] : puzzle.solution.map<Arrow>((action) => ({ action, look: action === best ? "best" : "other" }));
  return (
    <div class="stage puzzles">
      <div class="table">
        <div class="middle">
          <Board board={board} last={last} onAction={open ? attempt : undefined} arrows={arrows} game={puzzle.id} />
          <Pool hidden={board.hidden} />
        </div>
      </div>
      <div class="side-panel">
        <Question puzzle={puzzle} phase={phase} onGiveUp={() => conclude("shown", false)} onNext={training.forward} />
        <Progress training={training} />
      </div>
    </div>
  );
}

function Question({ puzzle, phase, onGiveUp, onNext }: { puzzle: Puzzle; phase: Phase; onGiveUp: () => void; onNext: () => void }) {
  const text = words();
  const done = phase === "solved" || phase === "shown";
  const mover = puzzle.position.split(" ")[1] === "r" ? "red" : "black";
  return (
    <section class={`card puzzle ${phase}`} aria-label={text.puzzles}>
      <h1>{text.puzzles}</h1>
      <p class="turn mine">{phase === "solved" ? text.solved : text.findBest(mover)}</p>
      <p class="note">{text.puzzleAbout(text.themes[puzzle.theme], puzzle.difficulty)}</p>
      {phase === "missed" ? <p class="bad" role="status">{text.missed}</p> : null}
      {done ? (
        <div role="status">
          <p class="line"><b>{valueText(puzzle.value)}</b> {lineText(puzzle.line)}</p>
          {puzzle.second ? <p class="note">{text.secondBest(valueText(puzzle.second))}</p> : null}
        </div>
      ) : null}
      <div class="buttons">
        {done ? <button type="button" class="primary" onClick={onNext}>{text.nextPuzzle}</button> : <button type="button" onClick={onGiveUp}>{text.showSolution}</button>}
        <button type="button" onClick={() => openLine({ line: { start: puzzle.position, plies: [], rules: puzzle.rules } })}>{text.analyse}</button>
      </div>
    </section>
  );
}

function Difficulty({ training }: { training: ReturnType<typeof useTraining> }) {
  const text = words();
  const options = (Object.keys(BANDS) as Band[]).map((value) => ({ value, label: text.bands[value] }));
  return <Choice legend={text.difficulty} options={options} value={training.band} onChange={training.choose} />;
}

function Progress({ training }: { training: ReturnType<typeof useTraining> }) {
  const text = words();
  const { asked, cards } = training;
  const known = asked.filter(({ id }) => (cards[id]?.box ?? 0) >= 1).length;
  const due = dueCount(Object.fromEntries(asked.flatMap(({ id }) => (cards[id] ? [[id, cards[id]]] : []))), Date.now());
  return (
    <section class="card" aria-label={text.progress}>
      <h2>{text.progress}</h2>
      <progress value={known} max={asked.length} aria-label={text.progress} />
      <p class="note">{text.progressAbout(known, asked.length, due)}</p>
      <Difficulty training={training} />
    </section>
  );
}
