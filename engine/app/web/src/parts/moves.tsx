// The plies of a game in two columns.

import { useEffect, useRef } from "preact/hooks";
import { words } from "../i18n";
import type { PlyView } from "../wire";
import { Ply } from "./ply";

export function Moves({ plies }: { plies: PlyView[] }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [plies.length]);
  if (plies.length === 0) return <p class="note">{words().noMoves}</p>;
  const rounds = Array.from({ length: Math.ceil(plies.length / 2) }, (_, index) => plies.slice(index * 2, index * 2 + 2));
  return (
    <ol class="moves" ref={list} tabIndex={0} aria-label={words().moves}>
      {rounds.map((round, index) => (
        <li key={index}>
          <span class="number" aria-hidden="true">{index + 1}</span>
          {round.map((each, half) => (
            <span key={half} class={index * 2 + half === plies.length - 1 ? "current" : ""} title={words().happened(each)}>
              <Ply ply={each.ply} piece={each.piece} captured={each.captured} />
            </span>
          ))}
        </li>
      ))}
    </ol>
  );
}
