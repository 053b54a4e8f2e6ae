// Analysing: the board with arrows, the engine's lines, the tree, flips taken apart.

import { useEffect, useState } from "preact/hooks";
import type { Arrow } from "../board/arrows";
import { Board, type Verdict } from "../board/board";
import { words } from "../i18n";
import { connection } from "../net/connection";
import { EvaluationBar, Graphs } from "../parts/charts";
import { Icon } from "../parts/dialog";
import { Steps, writesElsewhere } from "../parts/steps";
import { Captured, Pool } from "../parts/pool";
import { TreeMoves } from "../parts/treemoves";
import { signed } from "../parts/thoughts";
import { explain } from "../state/explain";
import { act, addPly, analysis, comment, editComment, leaveAnalysis, lineTo, openLine, step, toNode, walk } from "../state/analysis";
import { complain } from "../state/game";
import { go } from "../state/route";
import { useStore } from "../state/store";
import { path } from "../state/tree";
import type { Analysis, Board as BoardView, Report, TableAction } from "../wire";
import { BestLine, EnginePanel, SplitCard } from "./engine";
import { ReportPanel } from "./report";
import { ImportDialog, ExportDialog } from "./transfer";

export function Analyse({ line }: { line: string | null }) {
  const view = useStore(analysis);
  const { study, boards } = view;
  const [dialog, setDialog] = useState<"import" | "export" | null>(null);
  const board = boards[study.at] ?? lastKnown(study.at);
  useOpening(line);
  useKeys();
  if (!board) return <p class="empty" role="status">{words().loading}</p>;
  const node = study.tree[study.at];
  const fresh = view.analysed === study.at ? view.analysis : null;
  return (
    <div class="stage analyse">
      <div class="table">
        <div class="board-part">
          <div class="middle">
            <EvaluationBar {...barOf(board, fresh, reportedValue(view))} />
            <Board
              board={board}
              last={node?.ply || null}
              onAction={board.outcome ? undefined : act}
              onIllegal={(action) => void explain(lineTo(study.at), action, board.squares)}
              arrows={arrowsOf(fresh, view.choosing)}
              verdicts={verdictsOf(fresh?.table ?? null)}
              game={study.start}
            />
            <Pool hidden={board.hidden} />
          </div>
          <BestLine board={board} />
        </div>
        <div class="both-captured">
          <Captured letters={board.captured} color="red" />
          <Captured letters={board.captured} color="black" />
        </div>
        <Chooser board={board} />
        <ReportGraphs />
        {view.tab === "report" && view.report ? <SplitCard /> : null}
      </div>
      <section class="card moves-card" aria-label={words().moves}>
        <TreeMoves />
        <Steps onStep={step} />
        <Comment key={study.at} />
      </section>
      <div class="side-panel">
        <Tabs />
        {view.tab === "engine" ? <EnginePanel board={board} /> : <ReportPanel />}
      </div>
      <Tools onImport={() => setDialog("import")} onExport={() => setDialog("export")} />
      {dialog === "import" ? <ImportDialog onClose={() => setDialog(null)} /> : null}
      {dialog === "export" ? <ExportDialog onClose={() => setDialog(null)} /> : null}
    </div>
  );
}

/** The board of the nearest node before this one whose board is known. */
function lastKnown(id: number): BoardView | undefined {
  const { study, boards } = analysis.value;
  const known = path(study.tree, id).filter((each) => boards[each]);
  return boards[known.at(-1) ?? -1];
}

function useOpening(line: string | null): void {
  useEffect(() => {
    if (line !== null) void openText(line);
    else if (!analysis.value.boards[analysis.value.study.at]) void walk();
    else void toNode(analysis.value.study.at);
    return leaveAnalysis;
  }, [line]);
}

async function openText(text: string): Promise<void> {
  try {
    const imported = await connection.ask<"import">({ type: "import", text });
    openLine({ line: imported.line, players: imported.players, outcome: imported.outcome, notes: imported.notes });
  } catch (error) {
    complain(error);
    go("#/analyse");
  }
}

function useKeys(): void {
  useEffect(() => {
    const keys: Record<string, Parameters<typeof step>[0]> = {
      ArrowLeft: "back",
      ArrowRight: "next",
      ArrowUp: "up",
      ArrowDown: "down",
      Home: "first",
      End: "last",
      "[": "back",
      "]": "next",
    };
    const onKey = (event: KeyboardEvent) => {
      const by = keys[event.key];
      const writes = event.key === "c";
      if (!(by || writes) || writesElsewhere(event)) return;
      event.preventDefault();
      if (by) step(by);
      else void editComment(analysis.value.study.at);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}

/** What red may expect, and how to say it. In a report its own value counts, else what the engine says. */
function barOf(board: BoardView, fresh: Analysis | null, reported: { value: number | null; alone: boolean }) {
  const text = words();
  if (board.outcome) {
    const { winner } = board.outcome;
    return { red: winner === null ? 0 : winner === "red" ? 1 : -1, label: text.outcome(board.outcome) };
  }
  const engine = fresh && board.turn ? (board.turn === "red" ? fresh.value.expected : -fresh.value.expected) : null;
  const red = reported.alone ? (reported.value ?? engine) : (engine ?? reported.value);
  return { red, label: red === null ? text.noValue : text.valueForRed(signed(red)) };
}

/** The report's value for red of the node that is shown, and whether it is the report that is looked at. */
function reportedValue({ report, reported, study, tab }: typeof analysis.value) {
  const value = report?.graph[reported.indexOf(study.at)];
  return { value: report && value !== undefined ? value * redSign(report) : null, alone: tab === "report" };
}

/** What turns a value for the first player into one for red. */
function redSign(report: Report): 1 | -1 {
  return report.sides[0].color === "black" ? -1 : 1;
}

function arrowsOf(fresh: Analysis | null, choosing: string | null): Arrow[] {
  if (choosing) return [{ action: `${choosing}-${choosing}`, look: "hint" }];
  const lines = fresh?.lines ?? [];
  return lines.map(({ action }, index) => ({ action, look: index === 0 ? "best" : "other" }) as Arrow).reverse();
}

export function verdictsOf(table: TableAction[] | null): Map<string, Verdict> | undefined {
  if (!table) return undefined;
  return new Map(table.flatMap(({ action, wdl }) => (wdl ? [[action, wdl]] : [])));
}

function Chooser({ board }: { board: BoardView }) {
  const { choosing } = useStore(analysis);
  if (!choosing) return null;
  const text = words();
  return (
    <section class="card chooser" aria-label={text.whatAppears(choosing)}>
      <header>
        <h2>{text.whatAppears(choosing)}</h2>
        <button type="button" class="icon" aria-label={text.close} onClick={() => analysis.set({ choosing: null })}>
          <Icon name="close" />
        </button>
      </header>
      <Pool hidden={board.hidden} onChoose={(piece) => void addPly(`${choosing}(${piece})`)} />
    </section>
  );
}

/** Evaluation and luck of the reviewed game, for red. */
function ReportGraphs() {
  const { report, reported, study } = useStore(analysis);
  if (!report) return null;
  const sign = redSign(report);
  const at = reported.indexOf(study.at);
  const marks = [
    ...report.plies.flatMap(({ grade }, index) =>
      grade === "blunder" || grade === "mistake" ? [{ ply: index + 1, kind: grade }] : [],
    ),
    ...report.turning_points.map(({ ply }) => ({ ply: ply + 1, kind: "turning" as const })),
  ];
  return (
    <Graphs
      values={report.graph.map((value) => value * sign)}
      luck={report.luck_graph.map((value) => value * sign)}
      at={at < 0 ? null : at}
      marks={marks}
      onPick={(ply) => void toNode(reported[ply] ?? 0)}
    />
  );
}

function Tabs() {
  const { tab } = useStore(analysis);
  const text = words();
  const entry = (name: "engine" | "report", label: string) => (
    <button type="button" aria-pressed={tab === name} onClick={() => analysis.set({ tab: name })}>
      {label}
    </button>
  );
  return (
    <div class="tabs" role="group" aria-label={text.panels}>
      {entry("engine", text.engine)}
      {entry("report", text.gameReport)}
    </div>
  );
}

function Comment() {
  const { study } = useStore(analysis);
  const text = words();
  return (
    <label class="comment">
      <span class="unseen">{text.comment}</span>
      <textarea
        rows={2}
        placeholder={text.comment}
        value={study.tree[study.at]?.comment ?? ""}
        onInput={(event) => comment(study.at, event.currentTarget.value)}
        onKeyDown={(event) => { if (event.key === "Escape") event.currentTarget.blur(); }}
      />
    </label>
  );
}

function Tools({ onImport, onExport }: { onImport: () => void; onExport: () => void }) {
  const text = words();
  return (
    <div class="buttons tools">
      <button type="button" onClick={onImport}>{text.importText}</button>
      <button type="button" onClick={onExport}>{text.exportText}</button>
      <button type="button" onClick={() => go("#/editor")}>
        <Icon name="edit" />
        {text.editor}
      </button>
    </div>
  );
}
