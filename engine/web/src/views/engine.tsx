// What the engine says about the position: its lines, its flips, the table's verdict.

import { isFlip, revealed } from "../board/geometry";
import { words } from "../i18n";
import { Distribution } from "../parts/charts";
import { Icon } from "../parts/dialog";
import { goodOrBad, lineText, signed, valueText } from "../parts/thoughts";
import { about } from "../state/about";
import { act, addLine, addPly, analysis, setLines, setRunning, whatIf } from "../state/analysis";
import { useStore } from "../state/store";
import type { Analysis, Board, TableAction } from "../wire";

export function EnginePanel({ board }: { board: Board }) {
  const view = useStore(analysis);
  const { about: can } = useStore(about);
  const text = words();
  const fresh = view.analysed === view.study.at ? view.analysis : null;
  return (
    <section class="card engine" aria-label={text.engine}>
      <header>
        <button type="button" class={`toggle${view.running ? " on" : ""}`} aria-pressed={view.running} onClick={() => setRunning(!view.running)}>
          <Icon name={view.running ? "pause" : "play"} />
          {view.running ? text.engineOn : text.engineOff}
        </button>
        <p class="verdict" role="status">
          {board.outcome ? text.outcome(board.outcome) : fresh && board.turn ? text.valueFor(board.turn, valueText(fresh.value)) : ""}
        </p>
        <label class="count">
          <span class="unseen">{text.lineCount}</span>
          <select value={view.lines} onChange={(event) => setLines(Number(event.currentTarget.value))}>
            {Array.from({ length: can.limits.lines }, (_each, index) => (
              <option key={index} value={index + 1}>{text.lines(index + 1)}</option>
            ))}
          </select>
        </label>
      </header>
      {fresh ? <Lines fresh={fresh} /> : null}
      {fresh?.table ? <Verdicts table={fresh.table} /> : null}
      <SplitCard />
      {fresh ? <FlipChances fresh={fresh} /> : null}
      {fresh ? <p class="note">{effortText(fresh)}</p> : null}
    </section>
  );
}

/** The best line in one row, for screens where the panel lies below the board. */
export function BestLine({ board }: { board: Board }) {
  const { analysed, study, analysis: latest, running } = useStore(analysis);
  const text = words();
  const fresh = analysed === study.at ? latest : null;
  const best = fresh?.lines[0];
  const said = board.outcome ? text.outcomeShort(board.outcome) : running ? "…" : text.engineOff;
  return (
    <p class="best-line" aria-hidden="true">
      {best && board.turn && !board.outcome ? <>{text.colors[board.turn]} · <b class={goodOrBad(best.value.expected)}>{valueText(best.value)}</b> {lineText(best.line.length > 0 ? best.line : [{ action: best.action, expected: null }])}</> : said}
    </p>
  );
}

function effortText({ depth, nodes, ms, value, done }: Analysis): string {
  if (depth === 0 && value.source === "table") return words().fromTables;
  return `${words().effort(depth, nodes, ms)}${done ? "" : " …"}`;
}

function Lines({ fresh }: { fresh: Analysis }) {
  return (
    <ol class="lines">
      {fresh.lines.map(({ action, value, line }) => {
        const steps = line.length > 0 ? line : [{ action, expected: null }];
        return (
          <li key={action}>
            <b class={goodOrBad(value.expected)}>{valueText(value)}</b>
            <span>
              {steps.map((each, index) => (
                <button key={index} type="button" class="step" onClick={() => void addLine(steps.slice(0, index + 1).map((one) => one.action))}>
                  {words().shortAction(each.action)}
                </button>
              ))}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** Every action with the colour of its verdict. */
function Verdicts({ table }: { table: TableAction[] }) {
  const text = words();
  const order = { win: 0, draw: 1, loss: 2 };
  const sorted = [...table].sort((a, b) => order[a.wdl ?? "draw"] - order[b.wdl ?? "draw"] || (a.plies_to_end ?? a.dtc ?? 0) - (b.plies_to_end ?? b.dtc ?? 0));
  return (
    <div class="verdicts" role="group" aria-label={text.tableVerdicts}>
      {sorted.map(({ action, wdl, dtc, plies_to_end: end, expected }) => (
        <button key={action} type="button" class={wdl ?? "unknown"} onClick={() => act(action)}>
          <span>{text.shortAction(action)}</span>
          <small>{wdl ? text.verdictShort(wdl, end ?? dtc) : expected === null ? "" : signed(expected)}</small>
        </button>
      ))}
    </div>
  );
}

/** The flip that led here: the decision, the tile, and what else it might have been. */
export function SplitCard() {
  const { study, splits, report, reported, tab } = useStore(analysis);
  const text = words();
  const id = study.at;
  const ply = study.tree[id]?.ply ?? "";
  if (ply === "" || !isFlip(ply)) return null;
  const index = reported.indexOf(id) - 1;
  const judged = report?.plies[index];
  const split = splits[id];
  const appearances = judged?.flip?.appearances ?? split?.appearances ?? [];
  const best = judged?.best_value.expected ?? split?.best.expected;
  const average = judged?.played_value.expected ?? split?.average;
  const piece = revealed(ply);
  const appeared = appearances.find((each) => each.piece === piece);
  if (best === undefined || average === undefined) return null;
  const luck = judged?.flip?.luck ?? (appeared ? appeared.value - average : null);
  const loss = judged?.loss ?? Math.max(0, best - average);
  // A report has all its values for red; the engine speaks for the side to move.
  const sign = tab === "report" && judged?.color === "black" ? -1 : 1;
  return (
    <section class="split" aria-label={text.flipSplit}>
      <dl>
        <div>
          <dt>{text.decision}</dt>
          <dd><b class={loss < 0.02 ? "good" : "bad"}>{loss < 0.005 ? text.asGoodAsBest : signed(-loss * sign)}</b> <small>{text.decisionDetail(signed(average * sign), signed(best * sign))}</small></dd>
        </div>
        {luck === null || !piece ? null : (
          <div>
            <dt>{text.tile}</dt>
            <dd><b class={goodOrBad(luck)}>{signed(luck * sign)}</b> <small>{text.tileDetail(piece, signed((average + luck) * sign), signed(average * sign))}</small></dd>
          </div>
        )}
      </dl>
      {appearances.length > 0 ? (
        <>
          <p class="what-if">{text.whatIf}</p>
          <Distribution appearances={appearances.map((each) => ({ ...each, value: each.value * sign }))} average={average * sign} appeared={piece} onPick={(other) => whatIf(id, other)} />
        </>
      ) : null}
    </section>
  );
}

/** What the flips among the best actions may bring. */
function FlipChances({ fresh }: { fresh: Analysis }) {
  const { study } = useStore(analysis);
  const among = new Set(fresh.lines.map(({ action }) => action.slice(0, 2)));
  const flips = fresh.flips.filter(({ square, appearances }) => among.has(square) && appearances.length > 1).slice(0, 2);
  return (
    <>
      {flips.map(({ square, value, appearances }) => (
        <details key={square} class="flip-chances">
          <summary>{words().flipChances(square, signed(value))}</summary>
          <Distribution appearances={appearances} average={value} onPick={(piece) => void addPly(`${square}(${piece})`, study.at)} />
        </details>
      ))}
    </>
  );
}
