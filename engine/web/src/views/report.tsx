// The game report: how each side decided, what luck did, where the game turned.

import { words } from "../i18n";
import { plyNumber } from "../parts/ply";
import { lineText, signed, valueText } from "../parts/thoughts";
import { analysis, cancelReview, review, toNode } from "../state/analysis";
import { useStore } from "../state/store";
import { opposite } from "../state/value";
import type { Color, Report, SideReport, Value } from "../wire";

export function ReportPanel() {
  const { report, progress, study } = useStore(analysis);
  const text = words();
  if (progress) {
    return (
      <section class="card report" aria-label={text.gameReport}>
        <p role="status">{text.reviewing(progress.done, progress.total)}</p>
        <progress value={progress.done} max={progress.total} aria-label={text.gameReport} />
        <button type="button" onClick={cancelReview}>{text.cancel}</button>
      </section>
    );
  }
  if (!report) {
    return (
      <section class="card report" aria-label={text.gameReport}>
        <p>{text.reportAbout}</p>
        <button type="button" class="primary" disabled={study.tree.length < 2} onClick={review}>{text.makeReport}</button>
      </section>
    );
  }
  return (
    <section class="card report" aria-label={text.gameReport}>
      <p class="viewpoint">{text.viewpoint}</p>
      <div class="sides">
        {report.sides.map((side) => (
          <Side key={side.seat} side={side} name={study.names?.[side.seat] ?? study.players?.[side.seat] ?? text.seatName(side.seat)} />
        ))}
      </div>
      <Mistakes report={report} />
      <Turns report={report} />
      <p class="note">{text.reportDepth(report.nodes_per_decision)}</p>
    </section>
  );
}

/** What turns a value for a colour into one for red. */
function signOf(color: Color | null): 1 | -1 {
  return color === "black" ? -1 : 1;
}

function forRed(value: Value, color: Color | null): Value {
  return signOf(color) === 1 ? value : opposite(value);
}

function Side({ side, name }: { side: SideReport; name: string }) {
  const text = words();
  const sign = signOf(side.color);
  const [low, high] = side.luck_interval.map((each) => each * sign).sort((a, b) => a - b) as [number, number];
  return (
    <div class={`side-report of-${side.color ?? "none"}`}>
      <h3><span class="color-mark" aria-hidden="true" />{name}</h3>
      <dl>
        <div class="headline">
          <dt>{text.errorRate}</dt>
          <dd>{side.error_rate.toFixed(3)}<small>{text.interval(side.error_interval[0].toFixed(3), side.error_interval[1].toFixed(3))}</small></dd>
        </div>
        <div>
          <dt>{text.playedLike}</dt>
          <dd>{side.rating ? text.ratingBand(side.rating) : text.tooFew}</dd>
        </div>
        <div>
          <dt>{text.slips}</dt>
          <dd>
            <span class="inaccuracy" title={text.grades.inaccuracy}>{side.inaccuracies} ?!</span>{" "}
            <span class="mistake" title={text.grades.mistake}>{side.mistakes} ?</span>{" "}
            <span class="blunder" title={text.grades.blunder}>{side.blunders} ??</span>
          </dd>
        </div>
        <div>
          <dt>{text.luckForRed}</dt>
          <dd>{signed(side.luck * sign)}<small>{text.luckInterval(side.flips, signed(low), signed(high))}</small></dd>
        </div>
      </dl>
    </div>
  );
}

function Mistakes({ report }: { report: Report }) {
  const { reported } = useStore(analysis);
  const text = words();
  const shown = report.mistakes.slice(0, 12);
  if (shown.length === 0) return <p>{text.noMistakes}</p>;
  return (
    <>
      <h3>{text.mistakesTitle}</h3>
      <ol class="mistakes">
        {shown.map((index) => {
          const each = report.plies[index];
          if (!each) return null;
          return (
            <li key={index} class={each.grade}>
              <button type="button" class="row" onClick={() => void toNode(reported[index] ?? 0)}>
                <b>{plyNumber(index + 1)} {text.shortAction(each.ply)}</b>
                <span class="loss">{signed(-each.loss * signOf(each.color))}</span>
              </button>
              <p>
                <span class="good">{text.better} {valueText(forRed(each.best_value, each.color))}: </span>
                {lineText(each.better)}
              </p>
              {each.refutation.length > 1 ? (
                <p>
                  <span class="bad">{text.because} {valueText(forRed(each.played_value, each.color))}: </span>
                  {lineText(each.refutation)}
                </p>
              ) : null}
            </li>
          );
        })}
      </ol>
    </>
  );
}

function Turns({ report }: { report: Report }) {
  const { reported } = useStore(analysis);
  const text = words();
  if (report.turning_points.length === 0) return null;
  return (
    <>
      <h3>{text.turningPoints}</h3>
      <ul class="turns">
        {report.turning_points.map(({ ply, change, cause }) => (
          <li key={ply}>
            <button type="button" class="row" onClick={() => void toNode(reported[ply + 1] ?? 0)}>
              <b>{plyNumber(ply + 1)} {text.shortAction(report.plies[ply]?.ply ?? "")}</b>
              <span>{text.causes[cause]}</span>
              <span class="loss">{signed(change * signOf(report.sides[0].color))}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
