// Practice: a won or drawn position of an ending against perfect defence.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Arrow } from "../board/arrows";
import { Board } from "../board/board";
import { words } from "../i18n";
import { connection } from "../net/connection";
import { Icon } from "../parts/dialog";
import { lineText } from "../parts/thoughts";
import { openLine } from "../state/analysis";
import { explain } from "../state/explain";
import { complain } from "../state/game";
import { announce } from "../state/live";
import { HOLD_MOVES, usePractice, type Asked } from "../state/practice";
import { playSound } from "../sound";
import type { Board as BoardView, Defended, Line } from "../wire";
import { Taught } from "./lesson";

/** `lost`: the move let go of what the position held; `slow`: a rule drew the game before the win. */
type Phase = "asking" | "defending" | "lost" | "slow" | "won" | "held" | "shown";

/** How long a move is seen before it is answered. */
const ANSWER_MS = 450;

/** In the place of a wrong first move: the lesson tells nothing of a later one. */
const LATER = "";

const DONE: Phase[] = ["won", "held", "shown"];

function useExercise(exercise: Asked, grade: (right: boolean) => void) {
  const [board, setBoard] = useState<BoardView | null>(null);
  const [phase, setPhase] = useState<Phase>("asking");
  const [plies, setPlies] = useState<string[]>([]);
  const [last, setLast] = useState<string | null>(null);
  const [judged, setJudged] = useState<Defended | null>(null);
  /** The move that is judged, if it is the first one. */
  const [tried, setTried] = useState<string | null>(null);
  const graded = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const line = (played: string[]): Line => ({ start: exercise.position, plies: played });
  const show = async (played: string[]) => {
    const answer = await connection.ask<"view">({ type: "view", line: line(played) });
    setBoard(answer.board);
    setLast(played.at(-1) ?? null);
  };
  useEffect(() => {
    show([]).catch(complain);
    return () => clearTimeout(timer.current);
  }, []);
  const end = (to: Phase, right: boolean, said: string) => {
    if (!graded.current) grade(right);
    graded.current = true;
    setPhase(to);
    announce(said);
    playSound(right ? "win" : "refused");
  };
  /** What the answer to a move means. */
  const take = (played: string[], answer: Defended) => {
    const text = words();
    setJudged(answer);
    const { outcome } = answer.board;
    const all = answer.reply ? [...played, answer.reply] : played;
    const shown = () => {
      setBoard(answer.board);
      setLast(all.at(-1) ?? null);
      const { wdl } = answer.after;
      if (wdl !== exercise.goal) return end("lost", false, text.practiceLost[wdl === "loss" ? "loss" : "draw"]);
      setPlies(all);
      if (exercise.goal === "win" && outcome) return outcome.winner ? end("won", true, text.practiceWon(all.length, exercise.plies ?? 0)) : end("slow", false, text.practiceTooSlow);
      if (outcome || Math.ceil(all.length / 2) >= HOLD_MOVES && exercise.goal === "draw") return end("held", true, text.practiceHeld);
      setPhase("asking");
      announce(`${text.practiceKept[exercise.goal]} ${answer.reply ? text.plyText(answer.reply) : ""}`);
    };
    timer.current = setTimeout(shown, answer.reply ? ANSWER_MS : 0);
  };
  const play = (action: string): undefined => {
    const played = [...plies, action];
    setTried(plies.length === 0 ? action : null);
    setPhase("defending");
    show(played).catch(complain);
    connection.ask<"defend">({ type: "defend", line: line(played) }).then(
      (answer) => take(played, answer),
      (error: unknown) => {
        back();
        complain(error);
      },
    );
  };
  /** Back to where the last right move led. */
  const back = () => {
    clearTimeout(timer.current);
    setPhase("asking");
    show(plies).catch(complain);
  };
  const again = () => {
    setPlies([]);
    setJudged(null);
    setPhase("asking");
    show([]).catch(complain);
  };
  const giveUp = () => {
    if (!graded.current) grade(false);
    graded.current = true;
    clearTimeout(timer.current);
    setPhase("shown");
    setPlies([]);
    show([]).catch(complain);
  };
  return { board, phase, plies, last, judged, tried, play, back, again, giveUp };
}

export function Practice({ material }: { material: string }) {
  const text = words();
  const practice = usePractice(material);
  const { exercises, current, fault } = practice;
  if (fault || exercises?.length === 0) {
    return (
      <div class="card missing" role="status">
        <h1>{text.practice}</h1>
        <p>{fault ? text.refusal(fault.code, fault.message) : text.practiceNothing}</p>
        <p><a class="button" href="#/tables">{text.backToEndings}</a></p>
      </div>
    );
  }
  if (!exercises) return <p class="empty" role="status">{text.practiceSolving}</p>;
  if (!current) {
    return (
      <div class="card missing" role="status">
        <h1>{text.practice}</h1>
        <p>{text.allDone}</p>
        <p><a class="button" href="#/tables">{text.backToEndings}</a></p>
      </div>
    );
  }
  const number = exercises.indexOf(current) + 1;
  return (
    <Exercised key={current.id} exercise={current} grade={practice.grade} onNext={practice.forward} heading={text.practiceNumber(number, exercises.length, current.difficulty)}>
      <section class="card" aria-label={text.progress}>
        <h2>{text.progress}</h2>
        <progress value={practice.known} max={exercises.length} aria-label={text.progress} />
        <p class="note">{text.progressAbout(practice.known, exercises.length, practice.due)}</p>
        <p class="note">{text.practiceAbout([...material].map((letter) => text.kind(letter)).join(text.parts.comma))}</p>
        <p class="note source">{current.lesson ? text.lessonsAsked : text.positionsDrawn}</p>
        <div class="buttons"><a class="button" href="#/tables">{text.backToEndings}</a></div>
      </section>
    </Exercised>
  );
}

interface ExercisedProps {
  exercise: Asked;
  grade: (right: boolean) => void;
  onNext: () => void;
  heading: string;
  children: ComponentChildren;
}

function Exercised({ exercise, grade, onNext, heading, children }: ExercisedProps) {
  const now = useExercise(exercise, grade);
  const { board, phase, judged } = now;
  if (!board) return <p class="empty" role="status">{words().loading}</p>;
  const reply: Arrow[] = phase === "lost" && judged?.reply ? [{ action: judged.reply, look: "threat" }] : [];
  const first = exercise.line[0] ?? exercise.lesson?.line[0];
  const way: Arrow[] = phase === "shown" && first ? [{ action: first, look: "best" }] : [];
  const acts = phase === "asking";
  return (
    <div class="stage puzzles practice">
      <div class="table">
        <div class="middle">
          <Board
            board={acts ? board : { ...board, targets: {}, flips: [] }}
            last={now.last}
            onAction={acts ? now.play : undefined}
            onIllegal={(action) => void explain({ start: exercise.position, plies: now.plies }, action, board.squares)}
            arrows={[...reply, ...way]}
            game={exercise.id}
          />
        </div>
      </div>
      <div class="side-panel">
        <Question exercise={exercise} now={now} heading={heading} onNext={onNext} />
        {children}
      </div>
    </div>
  );
}

/** What is asked, and how it stands. */
function Question({ exercise, now, heading, onNext }: { exercise: Asked; now: ReturnType<typeof useExercise>; heading: string; onNext: () => void }) {
  const text = words();
  const { phase } = now;
  const over = DONE.includes(phase) || phase === "slow";
  const mover = exercise.position.split(" ")[1] === "r" ? "red" : "black";
  return (
    <section class={`card puzzle ${phase}`} aria-label={text.practice}>
      <h1>{text.practice}</h1>
      <p class="turn mine">{text.practiceGoal(mover, exercise.goal)}</p>
      <p class="note">{heading}</p>
      <p role="status" class={phase === "lost" || phase === "slow" ? "bad" : "good"}>{standing(exercise, now)}</p>
      {over || phase === "lost" ? <Way exercise={exercise} now={now} /> : null}
      {(over || phase === "lost") && exercise.lesson ? (
        <Taught position={exercise.position} lesson={exercise.lesson} tried={phase === "lost" ? (now.tried ?? LATER) : null} line={over && exercise.goal === "draw"} />
      ) : null}
      <div class="buttons">
        {phase === "lost" ? <button type="button" class="primary" onClick={now.back}>{text.tryAgain}</button> : null}
        {phase === "slow" || phase === "shown" ? <button type="button" onClick={now.again}>{text.tryAgain}</button> : null}
        {over ? <button type="button" class="primary" onClick={onNext}>{text.nextPuzzle}</button> : <button type="button" onClick={now.giveUp}>{text.showSolution}</button>}
      </div>
    </section>
  );
}

/** Where the exercise stands, in a sentence. */
function standing(exercise: Asked, { phase, plies, judged }: ReturnType<typeof useExercise>): string {
  const text = words();
  switch (phase) {
    case "lost":
      return text.practiceLost[judged?.after.wdl === "loss" ? "loss" : "draw"];
    case "slow":
      return text.practiceTooSlow;
    case "won":
      return text.practiceWon(plies.length, exercise.plies ?? 0);
    case "held":
      return text.practiceHeld;
    case "defending":
      return text.practiceDefends;
    case "shown":
      return "";
    case "asking": {
      const kept = plies.length > 0 ? text.practiceKept[exercise.goal] : "";
      const left = HOLD_MOVES - Math.floor(plies.length / 2);
      return exercise.goal === "draw" ? `${kept} ${text.practiceHold(left)}`.trim() : kept;
    }
  }
}

/** The shortest way to the win; of a draw, the moves that would have held it. */
function Way({ exercise, now }: { exercise: Asked; now: ReturnType<typeof useExercise> }) {
  const text = words();
  const { judged, phase } = now;
  if (phase === "lost" || exercise.goal === "draw") {
    const best = judged?.best ?? [];
    if (best.length === 0) return null;
    return <p class="line">{text.better} {best.map((action) => text.shortAction(action)).join(text.parts.comma)}</p>;
  }
  return (
    <>
      <h2>{text.shortestWay}</h2>
      <p class="line">{lineText(exercise.line.map((action) => ({ action, expected: null })))}</p>
      <div class="buttons">
        <button type="button" onClick={() => openLine({ line: { start: exercise.position, plies: exercise.line }, from: "start" })}>
          <Icon name="play" />
          {text.playThrough}
        </button>
      </div>
    </>
  );
}
