// Charts drawn as SVG: who stands better ply by ply, luck beside it, and what a flip may bring.

import { Disc } from "../board/piece";
import { words } from "../i18n";
import type { Appearance } from "../wire";
import { signed } from "./thoughts";

const WIDTH = 600;

/** Charts of small values are not blown up beyond this. */
const LEAST_REACH = 0.4;

interface Mark {
  ply: number;
  kind: "blunder" | "mistake" | "inaccuracy" | "turning";
}

interface CurveProps {
  /** One more point than plies, for red. */
  points: number[];
  height: number;
  /** The value at the upper edge. */
  top: number;
  at: number | null;
  marks?: Mark[];
  label: string;
  look: "value" | "luck";
  onPick: (ply: number) => void;
}

function coordinates(points: number[], height: number, top: number): { x: number; y: number }[] {
  const last = Math.max(1, points.length - 1);
  const clamp = (value: number) => Math.max(-top, Math.min(top, value));
  return points.map((value, index) => ({
    x: (index / last) * WIDTH,
    y: height / 2 - (clamp(value) / top) * (height / 2 - 3),
  }));
}

function Curve(props: CurveProps) {
  const { points, height, top, at, marks = [], onPick } = props;
  const places = coordinates(points, height, top);
  const middle = height / 2;
  const line = places.map(({ x, y }, index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  const pick = (event: MouseEvent) => {
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    onPick(Math.round(((event.clientX - box.left) / box.width) * (points.length - 1)));
  };
  const here = at === null ? undefined : places[at];
  const id = `above-${props.look}`;
  return (
    <svg class={`curve curve-${props.look}`} viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" role="img" aria-label={props.label} onClick={pick}>
      <clipPath id={id}><rect x="0" y="0" width={WIDTH} height={middle} /></clipPath>
      <clipPath id={`${id}-not`}><rect x="0" y={middle} width={WIDTH} height={middle} /></clipPath>
      {props.look === "value" ? (
        <>
          <path class="area red" clipPath={`url(#${id})`} d={`M0 ${middle}${line.replace("M", "L")}L${WIDTH} ${middle}Z`} />
          <path class="area black" clipPath={`url(#${id}-not)`} d={`M0 ${middle}${line.replace("M", "L")}L${WIDTH} ${middle}Z`} />
        </>
      ) : null}
      <path class="zero" d={`M0 ${middle}H${WIDTH}`} />
      <path class="curve-line" d={line} />
      {here ? <path class="here" d={`M${here.x.toFixed(1)} 0V${height}`} /> : null}
      {marks.map(({ ply, kind }) => {
        const place = places[ply];
        return place ? <path key={`${kind}${ply}`} class={`mark ${kind}`} d={`M${place.x.toFixed(1)} ${place.y.toFixed(1)}h.01`} /> : null;
      })}
    </svg>
  );
}

export function Graphs(props: { values: number[]; luck: number[]; at: number | null; marks: Mark[]; onPick: (ply: number) => void }) {
  const text = words();
  const reach = Math.max(LEAST_REACH, ...props.luck.map(Math.abs));
  const highest = Math.max(0.5, ...props.values.map(Math.abs));
  const last = (points: number[]) => signed(points.at(-1) ?? 0);
  return (
    <figure class="graphs">
      <figcaption>
        <span class="key value">{text.graphValue}</span>
        <span class="key luck">{text.graphLuck}</span>
      </figcaption>
      <Curve points={props.values} height={96} top={highest} look="value" at={props.at} marks={props.marks} label={text.graphValueLabel(last(props.values))} onPick={props.onPick} />
      <Curve points={props.luck} height={44} top={reach} look="luck" at={props.at} label={text.graphLuckLabel(last(props.luck))} onPick={props.onPick} />
    </figure>
  );
}

/** Each piece that may appear: its chance as width, its value as height. A click asks "what if". */
export function Distribution(props: { appearances: Appearance[]; average: number; appeared?: string | null; onPick?: (piece: string) => void }) {
  const text = words();
  const sorted = [...props.appearances].sort((a, b) => b.value - a.value);
  const total = sorted.reduce((sum, each) => sum + each.count, 0);
  const reach = Math.max(LEAST_REACH, ...sorted.map(({ value }) => Math.abs(value)));
  return (
    <div class="distribution" role="group" aria-label={text.distribution}>
      {sorted.map((each) => {
        const label = text.appearance(each.piece, each.count, total, signed(each.value));
        const height = Math.max(2, (Math.abs(each.value) / reach) * 50);
        return (
          <button
            key={each.piece}
            type="button"
            class={each.piece === props.appeared ? "appeared" : ""}
            style={{ flexGrow: each.count }}
            aria-label={label}
            title={label}
            aria-pressed={each.piece === props.appeared}
            disabled={!props.onPick}
            onClick={() => props.onPick?.(each.piece)}
          >
            <span class="bar-space">
              <i class={each.value >= 0 ? "gain" : "loss"} style={each.value >= 0 ? { bottom: "50%", height: `${height}%` } : { top: "50%", height: `${height}%` }} />
            </span>
            <Disc content={each.piece} />
            <small>{each.count}</small>
          </button>
        );
      })}
      <i class="average" style={{ "--average": props.average }} title={`${text.average} ${signed(props.average)}`} />
    </div>
  );
}

/** Who stands better: red's part of the bar, and the value for red below it. */
export function EvaluationBar({ red, label }: { red: number | null; label: string }) {
  const part = red === null ? 50 : (red + 1) * 50;
  return (
    <div class="evaluation" role="img" aria-label={label} title={label}>
      <span class="evaluation-bar"><i style={{ "--part": `${part.toFixed(1)}%` }} /></span>
      <b>{red === null ? "" : signed(red)}</b>
    </div>
  );
}
