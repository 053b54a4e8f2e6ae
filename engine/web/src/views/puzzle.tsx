// One puzzle: one action is clearly best, and after the opponent's answer perhaps another one.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Arrow } from "../board/arrows";
import { Board } from "../board/board";
import { isFlip } from "../board/geometry";
import { words } from "../i18n";
import { connection } from "../net/connection";
import { Pool } from "../parts/pool";
import { CopyLink } from "../parts/share";
import { lineText, valueText } from "../parts/thoughts";
import { openLine } from "../state/analysis";
import { explain } from "../state/explain";
import { complain } from "../state/game";
import { announce } from "../state/live";
import { refute, type Refutation } from "../state/refute";
import { playSound } from "../sound";
import type { Board as BoardView, LessonView, Line, Puzzle } from "../wire";
import { Taught } from "./lesson";

/** `answering`: the opponent is about to answer a right move. */
type Phase = "asking" | "answering" | "missed" | "solved" | "shown";

/** How long a right move is seen before the opponent answers it. */
const ANSWER_MS = 700;

/** The actions that solve a puzzle after so many right ones. */
function solutionAt(puzzle: Puzzle, step: number): string[] {
  return (step === 0 ? puzzle.solution : puzzle.more[step - 1]?.solution) ?? [];
}

interface AskedProps {
  /** With what it teaches, if it is a lesson of an ending. */
  puzzle: Puzzle & { lesson?: LessonView };
  /** Called once: whether it was solved at the first try. */
  onGrade: (right: boolean) => void;
  onNext: () => void;
  children: ComponentChildren;
}

/** The position of a puzzle, what was tried in it, and what answered that. */
function useAttempts({ puzzle, onGrade }: AskedProps) {
  const text = words();
  const [board, setBoard] = useState<BoardView | null>(null);
  const [phase, setPhase] = useState<Phase>("asking");
  const [step, setStep] = useState(0);
  /** The right moves and their answers. */
  const [played, setPlayed] = useState<string[]>([]);
  const [last, setLast] = useState<string | null>(null);
  const [refutation, setRefutation] = useState<Refutation | null>(null);
  const [tried, setTried] = useState<string | null>(null);
  const graded = useRef(false);
  const pending = useRef<() => void>(() => {});
  const line = (plies: string[]): Line => ({ start: puzzle.position, plies, rules: puzzle.rules });
  const show = async (plies: string[]) => {
    const answer = await connection.ask<"view">({ type: "view", line: line(plies) });
    setBoard(answer.board);
    setLast(plies.at(-1) ?? null);
    return answer.board;
  };
  useEffect(() => {
    show([]).catch(complain);
    return () => pending.current();
  }, []);

  const grade = (right: boolean) => {
    if (!graded.current) onGrade(right);
    graded.current = true;
  };
  const advance = (action: string, reply: string) => {
    setPhase("answering");
    const plies = [...played, action, reply];
    show([...played, action]).catch(complain);
    const timer = setTimeout(() => {
      show(plies).catch(complain);
      setPlayed(plies);
      setStep(step + 1);
      setPhase("asking");
      announce(text.plyText(reply));
    }, ANSWER_MS);
    pending.current = () => clearTimeout(timer);
  };
  const solve = (action: string) => {
    playSound("win");
    const next = puzzle.more[step];
    announce(next ? text.goOn(step + 2, puzzle.more.length + 1) : text.solved);
    if (next) return advance(action, next.reply);
    grade(true);
    setPhase("solved");
    if (!isFlip(action)) show([...played, action]).catch(complain);
  };
  const miss = async (action: string) => {
    grade(false);
    setTried(action);
    setPhase("missed");
    setRefutation(null);
    announce(text.missed);
    playSound("refused");
    const after = isFlip(action) ? null : await show([...played, action]);
    if (!after?.outcome) pending.current = refute(line(played), action, setRefutation);
  };
  const attempt = (action: string): boolean => {
    const right = solutionAt(puzzle, step).includes(action);
    if (right) solve(action);
    else miss(action).catch(complain);
    return right || !isFlip(action);
  };
  const tryAgain = () => {
    pending.current();
    setRefutation(null);
    setPhase("asking");
    show(played).catch(complain);
  };
  const giveUp = () => {
    grade(false);
    pending.current();
    setRefutation(null);
    setPhase("shown");
    show(played).catch(complain);
  };
  return { board, phase, step, last, refutation, tried, attempt, tryAgain, giveUp, line: () => line(played) };
}

export function Asked(props: AskedProps) {
  const { puzzle } = props;
  const now = useAttempts(props);
  const { board, phase, step, refutation } = now;
  if (!board) return <p class="empty" role="status">{words().loading}</p>;
  const solution = solutionAt(puzzle, step);
  const shown = phase === "shown" ? solution.map<Arrow>((action, index) => ({ action, look: index === 0 ? "best" : "other" })) : [];
  const reply: Arrow[] = refutation?.reply ? [{ action: refutation.reply, look: "threat" }] : [];
  return (
    <div class="stage puzzles">
      <div class="table">
        <div class="middle">
          <Board
            board={board}
            last={now.last}
            onAction={phase === "asking" ? now.attempt : undefined}
            onIllegal={(action) => void explain(now.line(), action, board.squares)}
            arrows={[...shown, ...reply]}
            game={puzzle.id}
          />
          <Pool hidden={board.hidden} />
        </div>
      </div>
      <div class="side-panel">
        <Question puzzle={puzzle} now={now} onNext={props.onNext} />
        {props.children}
      </div>
    </div>
  );
}

function Question({ puzzle, now, onNext }: { puzzle: AskedProps["puzzle"]; now: ReturnType<typeof useAttempts>; onNext: () => void }) {
  const text = words();
  const { phase, step } = now;
  const done = phase === "solved" || phase === "shown";
  const mover = puzzle.position.split(" ")[1] === "r" ? "red" : "black";
  const moves = puzzle.more.length + 1;
  return (
    <section class={`card puzzle ${phase}`} aria-label={text.puzzles}>
      <h1>{text.puzzles}</h1>
      <p class="turn mine">{phase === "solved" ? text.solved : text.findBest(mover, puzzle.goal)}</p>
      <p class="note">{text.puzzleAbout(text.themes[puzzle.theme], puzzle.difficulty, moves)}</p>
      {!done && step > 0 && phase !== "missed" ? <p class="good" role="status">{text.goOn(step + 1, moves)}</p> : null}
      {phase === "missed" ? <Missed puzzle={puzzle} board={now.board} refutation={now.refutation} /> : null}
      {done ? (
        <div role="status">
          <p class="line"><b>{valueText(puzzle.value)}</b> {lineText(puzzle.line)}</p>
          {puzzle.second ? <p class="note">{text.secondBest(valueText(puzzle.second))}</p> : null}
        </div>
      ) : null}
      {(done || phase === "missed") && puzzle.lesson ? <Taught position={puzzle.position} lesson={puzzle.lesson} tried={done ? null : now.tried} line={false} /> : null}
      <div class="buttons">
        {phase === "missed" ? <button type="button" class="primary" onClick={now.tryAgain}>{text.tryAgain}</button> : null}
        {done ? <button type="button" class="primary" onClick={onNext}>{text.nextPuzzle}</button> : <button type="button" onClick={now.giveUp}>{text.showSolution}</button>}
        <button type="button" onClick={() => openLine({ line: { start: puzzle.position, plies: [], rules: puzzle.rules } })}>{text.analyse}</button>
        <CopyLink shared={() => ({ kind: "puzzle", puzzle })} />
      </div>
    </section>
  );
}

/** Why the try was wrong: what answers it. */
function Missed({ puzzle, board, refutation }: { puzzle: Puzzle; board: BoardView | null; refutation: Refutation | null }) {
  const text = words();
  const best = valueText(puzzle.value);
  const why = () => {
    if (board?.outcome) return text.outcome(board.outcome);
    if (!refutation) return text.looksForReply;
    const value = valueText(refutation.value);
    return refutation.reply ? text.refuted(text.shortAction(refutation.reply), value, best) : text.worthLess(value, best);
  };
  return (
    <div role="status">
      <p class="bad">{text.missed}</p>
      <p class="refutation">{why()}</p>
    </div>
  );
}
