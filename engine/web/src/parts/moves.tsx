// The plies of a game in two columns; a click looks back at the board after one.

import { useEffect, useRef } from "preact/hooks";
import { words } from "../i18n";
import type { PlyView } from "../wire";
import { Ply } from "./ply";

interface MovesProps {
  plies: PlyView[];
  /** How many plies are on the board that is shown. */
  at: number;
  onPick: (at: number) => void;
}

export function Moves({ plies, at, onPick }: MovesProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const box = list.current;
    const here = box?.querySelector<HTMLElement>(".current");
    // The list is positioned, so that the offset is counted from its top.
    if (box) box.scrollTop = here ? here.offsetTop - (box.clientHeight - here.offsetHeight) / 2 : 0;
  }, [plies.length, at]);
  if (plies.length === 0) return <p class="note">{words().noMoves}</p>;
  const rounds = Array.from({ length: Math.ceil(plies.length / 2) }, (_, index) => plies.slice(index * 2, index * 2 + 2));
  return (
    <ol class="moves" ref={list} tabIndex={0} aria-label={words().moves}>
      {rounds.map((round, index) => (
        <li key={index}>
          <span class="number" aria-hidden="true">{index + 1}</span>
          {round.map((each, half) => {
            const ply = index * 2 + half + 1;
            return (
              <span key={half} class={ply === at ? "current" : ""}>
                <button
                  type="button"
                  title={words().happened(each)}
                  aria-label={words().happened(each)}
                  aria-current={ply === at ? "step" : undefined}
                  onClick={() => onPick(ply)}
                >
                  <Ply ply={each.ply} piece={each.piece} captured={each.captured} />
                </button>
              </span>
            );
          })}
        </li>
      ))}
    </ol>
  );
}
