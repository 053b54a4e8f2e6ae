// Training: which puzzle is asked, and what the browser remembers of the others.

import { useEffect, useState } from "preact/hooks";
import { words } from "../i18n";
import { connection } from "../net/connection";
import { Choice } from "../parts/fields";
import { load, save } from "../state/saved";
import { answered, dueCount, next, type Cards } from "../state/schedule";
import type { LessonView, Puzzle } from "../wire";
import { Asked } from "./puzzle";

/** A puzzle, and what it teaches if it is a lesson of an ending. */
export type Training = Puzzle & { lesson?: LessonView };

/** Which puzzles are asked, by difficulty: about a third of the own ones each. */
const BANDS = { all: [1, 10], easy: [1, 2], medium: [3, 4], hard: [5, 10] } as const;
type Band = keyof typeof BANDS | "lessons";

function within(band: Band): (puzzle: Training) => boolean {
  if (band === "lessons") return ({ lesson }) => lesson !== undefined;
  const [least, most] = BANDS[band];
  return ({ difficulty, lesson }) => !lesson && difficulty >= least && difficulty <= most;
}

/** The puzzles, the one that is asked, and what the browser remembers of the others. */
function useTraining() {
  const [puzzles, setPuzzles] = useState<Training[] | null>(null);
  const [cards, setCards] = useState<Cards>(() => load("puzzles", {}));
  const [current, setCurrent] = useState<Training | null>(null);
  const [band, setBand] = useState<Band>(() => load("band", "all"));
  useEffect(() => {
    connection
      .ask<"puzzles">({ type: "puzzles" })
      .then(({ puzzles: own, lessons = [] }) => {
        const list = [...own, ...lessons.map(({ puzzle, lesson }) => ({ ...puzzle, lesson }))];
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
  const hasLessons = (puzzles ?? []).some(({ lesson }) => lesson);
  return { puzzles, hasLessons, asked, cards, current, band, grade, forward, choose };
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
  return (
    <Asked key={current.id} puzzle={current} onGrade={(right) => training.grade(current, right)} onNext={training.forward}>
      <Progress training={training} />
    </Asked>
  );
}

function Difficulty({ training }: { training: ReturnType<typeof useTraining> }) {
  const text = words();
  const bands: Band[] = [...(Object.keys(BANDS) as Band[]), ...(training.hasLessons ? ["lessons" as const] : [])];
  const options = bands.map((value) => ({ value, label: text.bands[value] }));
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
