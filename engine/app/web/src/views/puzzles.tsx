// Training: one position, one action that is clearly best.

import { useEffect, useState } from "preact/hooks";
import type { Arrow } from "../board/arrows";
import { Board } from "../board/board";
import { words } from "../i18n";
import { connection } from "../net/connection";
import { Pool } from "../parts/pool";
import { lineText, valueText } from "../parts/thoughts";
import { openLine } from "../state/analysis";
import { complain } from "../state/game";
import { announce } from "../state/live";
import { load, save } from "../state/saved";
import { answered, dueCount, next, type Cards } from "../state/schedule";
import { playSound } from "../sound";
import type { Board as BoardView, Puzzle } from "../wire";

type Phase = "asking" | "missed" | "solved" | "shown";

export function Puzzles() {
  const text = words();
  const [puzzles, setPuzzles] = useState<Puzzle[] | null>(null);
  const [cards, setCards] = useState<Cards>(() => load("puzzles", {}));
  const [current, setCurrent] = useState<Puzzle | null>(null);
  const [board, setBoard] = useState<BoardView | null>(null);
  const [phase, setPhase] = useState<Phase>("asking");
  const [last, setLast] = useState<string | null>(null);

  useEffect(() => {
    fetch("/api/puzzles")
      .then((answer) => (answer.ok ? (answer.json() as Promise<Puzzle[]>) : []))
      .then((list) => {
        setPuzzles(list);
        setCurrent(next(list, cards, Date.now()));
      })
      .catch(() => setPuzzles([]));
  }, []);

  const show = async (puzzle: Puzzle, plies: string[]) => {
    const answer = await connection.ask<"view">({ type: "view", line: { start: puzzle.position, plies, rules: puzzle.rules } });
    setBoard(answer.board);
    setLast(plies.at(-1) ?? null);
  };
  useEffect(() => {
    setPhase("asking");
    setBoard(null);
    if (current) show(current, []).catch(complain);
  }, [current]);

  const grade = (puzzle: Puzzle, right: boolean) => {
    if (phase !== "asking") return;
    const after = answered(cards, puzzle.id, right, Date.now());
    setCards(after);
    save("puzzles", after);
  };
  const attempt = (action: string): boolean => {
    if (!current) return false;
    const right = current.solution.includes(action);
    grade(current, right);
    setPhase(right ? "solved" : "missed");
    announce(right ? text.solved : text.missed);
    playSound(right ? "win" : "refused");
    const flip = action.slice(0, 2) === action.slice(3, 5);
    if (right && !flip) show(current, [action]).catch(complain);
    return right;
  };
  const giveUp = () => {
    if (!current) return;
    grade(current, false);
    setPhase("shown");
  };

  if (!puzzles || (current && !board)) return <p class="empty" role="status">{text.loading}</p>;
  if (!current || !board) {
    return (
      <div class="card missing" role="status">
        <h1>{text.puzzles}</h1>
        <p>{puzzles.length === 0 ? text.noPuzzles : text.allDone}</p>
      </div>
    );
  }
  const open = phase === "asking" || phase === "missed";
  const arrows: Arrow[] = open ? [] : current.solution.slice(0, 1).filter(() => last === null).map((action) => ({ action, look: "best" }));
  return (
    <div class="stage puzzles">
      <div class="table">
        <div class="middle">
          <Board board={board} last={last} onAction={open ? attempt : undefined} arrows={arrows} game={current.id} />
          <Pool hidden={board.hidden} />
        </div>
      </div>
      <div class="side-panel">
        <section class={`card puzzle ${phase}`} aria-label={text.puzzles}>
          <h1>{text.puzzles}</h1>
          <p class="turn mine">{board.turn && phase !== "solved" ? text.findBest(current.position.split(" ")[1] === "r" ? "red" : "black") : text.solved}</p>
          <p class="note">{text.puzzleAbout(text.themes[current.theme], current.difficulty)}</p>
          {phase === "missed" ? <p class="bad" role="status">{text.missed}</p> : null}
          {phase === "solved" || phase === "shown" ? (
            <div role="status">
              {phase === "solved" ? <p class="good">{text.solved}</p> : null}
              <p class="line"><b>{valueText(current.value)}</b> {lineText(current.line)}</p>
              {current.second ? <p class="note">{text.secondBest(valueText(current.second))}</p> : null}
            </div>
          ) : null}
          <div class="buttons">
            {open ? <button type="button" onClick={giveUp}>{text.showSolution}</button> : null}
            {open ? null : (
              <button type="button" class="primary" onClick={() => setCurrent(next(puzzles, cards, Date.now(), current.id))}>{text.nextPuzzle}</button>
            )}
            <button type="button" onClick={() => openLine({ line: { start: current.position, plies: [], rules: current.rules } })}>{text.analyse}</button>
          </div>
        </section>
        <Progress puzzles={puzzles} cards={cards} />
      </div>
    </div>
  );
}

function Progress({ puzzles, cards }: { puzzles: Puzzle[]; cards: Cards }) {
  const text = words();
  const known = puzzles.filter(({ id }) => (cards[id]?.box ?? 0) >= 1).length;
  return (
    <section class="card" aria-label={text.progress}>
      <h2>{text.progress}</h2>
      <progress value={known} max={puzzles.length} aria-label={text.progress} />
      <p class="note">{text.progressAbout(known, puzzles.length, dueCount(cards, Date.now()))}</p>
    </section>
  );
}
