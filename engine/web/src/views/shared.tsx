// What a link carries: read, checked by the desk, and shown; or a sentence why not.

import { useEffect, useState } from "preact/hooks";
import { words } from "../i18n";
import { connection, Refusal } from "../net/connection";
import { decode, type Shared as Carried, type SharedLine } from "../share/code";
import { openLine } from "../state/analysis";
import { go } from "../state/route";
import type { Puzzle } from "../wire";
import { Asked } from "./puzzle";

/** Opens a line as the desk has read it, not as the link says it. */
async function openShared(shared: SharedLine): Promise<void> {
  const moves = shared.plies.length > 0 ? ` moves ${shared.plies.join(" ")}` : "";
  const { line } = await connection.ask<"import">({ type: "import", text: `${shared.start}${moves}`, rules: shared.rules });
  const { players, outcome, at, notes = null } = shared;
  // The desk writes no record of plies that cannot be played.
  if (notes) await connection.ask<"export">({ type: "export", format: "anqi", line, notes });
  openLine({ line, players, outcome, notes, from: at }, shared.kind === "report" && line.plies.length > 0 ? "report" : "engine");
}

/** Fails if the moves of a puzzle cannot be played. */
async function checkPuzzle({ position, rules, solution, more }: Puzzle): Promise<void> {
  const view = (plies: string[]) => connection.ask<"view">({ type: "view", line: { start: position, plies, rules } });
  const { board } = await view([]);
  if (solution.length === 0) throw new Refusal("unreadable", words().linkDamaged);
  const legal = new Set(Object.entries(board.targets).flatMap(([from, targets]) => targets.map((to) => `${from}-${to}`)));
  for (const square of board.flips) legal.add(`${square}-${square}`);
  const unknown = solution.find((action) => !legal.has(action));
  if (unknown) throw new Refusal("illegal", unknown);
  if (more.length > 0) await view([solution[0] as string, ...more.flatMap((each) => [each.reply, each.solution[0] ?? ""])]);
}

function open(carried: Carried): Promise<void> {
  return carried.kind === "puzzle" ? checkPuzzle(carried.puzzle) : openShared(carried);
}

export function Shared({ payload }: { payload: string }) {
  const text = words();
  const [puzzle, setPuzzle] = useState<Puzzle | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    const carried = decode(payload);
    if (carried === "damaged" || carried === "newer") return setFault(carried === "newer" ? text.linkNewer : text.linkDamaged);
    open(carried).then(
      () => {
        if (carried.kind === "puzzle") setPuzzle(carried.puzzle);
      },
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        setFault(error.code === "lost" ? text.refusal(error.code, error.message) : text.linkRefused(text.refusal(error.code, error.message)));
      },
    );
  }, [payload]);
  if (puzzle) {
    return (
      <Asked puzzle={puzzle} onGrade={() => {}} onNext={() => go("#/puzzles")}>
        {null}
      </Asked>
    );
  }
  if (fault === null) return <p class="empty" role="status">{text.loading}</p>;
  return (
    <div class="card missing" role="alert">
      <h1>{text.titles.shared}</h1>
      <p>{fault}</p>
      <div class="buttons">
        <a class="button primary" href="#/">{text.toStart}</a>
      </div>
    </div>
  );
}
