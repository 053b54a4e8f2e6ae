// What is drawn over the board: arrows for moves, rings for flips, cannon lines.

import { placeOf, size, squaresOf, type Orientation } from "./geometry";

export interface Arrow {
  /** An action; a flip is drawn as a ring. */
  action: string;
  look: "best" | "other" | "hint" | "threat" | "cannon" | "win" | "draw" | "loss";
  /** The piece that a cannon jumps over. */
  over?: string | undefined;
}

const UNIT = 100;

function middle(square: string, orientation: Orientation): { x: number; y: number } {
  const place = placeOf(square, orientation);
  return { x: (place.x + 0.5) * UNIT, y: (place.y + 0.5) * UNIT };
}

function Shaft({ arrow, orientation }: { arrow: Arrow; orientation: Orientation }) {
  const [first, second] = squaresOf(arrow.action);
  const from = middle(first as string, orientation);
  if (!second) return <circle class={`ring ring-${arrow.look}`} cx={from.x} cy={from.y} r="45" />;
  const to = middle(second, orientation);
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const unit = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const start = { x: from.x + unit.x * 30, y: from.y + unit.y * 30 };
  const neck = { x: to.x - unit.x * 34, y: to.y - unit.y * 34 };
  const tip = { x: to.x - unit.x * 12, y: to.y - unit.y * 12 };
  const side = { x: -unit.y * 13, y: unit.x * 13 };
  const screen = arrow.over ? middle(arrow.over, orientation) : null;
  return (
    <g class={`arrow arrow-${arrow.look}`}>
      <path class="shaft" d={`M${start.x} ${start.y}L${neck.x} ${neck.y}`} />
      <path
        class="head"
        d={`M${tip.x} ${tip.y}L${neck.x + side.x} ${neck.y + side.y}L${neck.x - side.x} ${neck.y - side.y}Z`}
      />
      {screen ? <circle class="screen" cx={screen.x} cy={screen.y} r="47" /> : null}
    </g>
  );
}

export function Arrows({ arrows, orientation }: { arrows: Arrow[]; orientation: Orientation }) {
  if (arrows.length === 0) return null;
  const { width, height } = size(orientation);
  return (
    <svg class="arrows" viewBox={`0 0 ${width * UNIT} ${height * UNIT}`} aria-hidden="true">
      {arrows.map((arrow) => (
        <Shaft key={`${arrow.look}${arrow.action}`} arrow={arrow} orientation={orientation} />
      ))}
    </svg>
  );
}
