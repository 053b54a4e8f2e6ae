// Practice in an ending: which position is asked, and what the browser remembers of the others.

import { useEffect, useState } from "preact/hooks";
import { connection, Refusal } from "../net/connection";
import type { Exercise } from "../wire";
import { load, save } from "./saved";
import { answered, dueCount, next, type Cards } from "./schedule";

/** An exercise is known by its position. */
export type Asked = Exercise & { id: string };

/** How many draws in a row are as good as one held to the end. */
export const HOLD_MOVES = 8;

/** The exercises of an ending, the one that is asked, and how the others stand. */
export function usePractice(material: string) {
  const [exercises, setExercises] = useState<Asked[] | null>(null);
  const [cards, setCards] = useState<Cards>(() => load("practice", {}));
  const [current, setCurrent] = useState<Asked | null>(null);
  const [fault, setFault] = useState<Refusal | null>(null);
  useEffect(() => {
    let stale = false;
    setExercises(null);
    connection.ask<"practise">({ type: "practise", material }).then(
      (answer) => {
        if (stale) return;
        const list = answer.exercises.map((each) => ({ ...each, id: each.position }));
        setExercises(list);
        setCurrent(next(list, cards, Date.now()));
      },
      (error: unknown) => {
        if (!stale && error instanceof Refusal) setFault(error);
      },
    );
    return () => {
      stale = true;
    };
  }, [material]);
  const grade = (right: boolean) => {
    if (!current) return;
    const after = answered(cards, current.id, right, Date.now());
    setCards(after);
    save("practice", after);
  };
  const list = exercises ?? [];
  return {
    exercises,
    current,
    fault,
    grade,
    forward: () => setCurrent(next(list, cards, Date.now(), current?.id)),
    known: list.filter(({ id }) => (cards[id]?.box ?? 0) >= 1).length,
    due: dueCount(Object.fromEntries(list.flatMap(({ id }) => (cards[id] ? [[id, cards[id]]] : []))), Date.now()),
  };
}
