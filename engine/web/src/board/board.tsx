// The board: 32 named squares, the discs on them, and the player's hands.

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { words } from "../i18n";
import { settings, type Settings } from "../state/settings";
import { useStore } from "../state/store";
import type { Board as BoardView } from "../wire";
import { Arrows, type Arrow } from "./arrows";
import { useDiscs } from "./follow";
import { COLUMNS, contentOf, placeOf, size, squareAt, squaresOf, type Orientation } from "./geometry";
import { useHands, type Hands } from "./hands";
import { useOrientation } from "./orientation";
import { Disc } from "./piece";

/** `false` if an action was refused: the piece goes back. */
export type Answer = boolean | undefined;

export type Verdict = "win" | "draw" | "loss";

export interface BoardProps {
  board: Pick<BoardView, "squares" | "targets" | "flips" | "captures" | "threatened">;
  /** The ply that led here. */
  last?: string | null;
  /** Plays an action, and may say that it was refused; left out if nobody may act here. */
  onAction?: ((action: string) => Answer | Promise<Answer>) | undefined;
  /** Says why an action is not legal, after a target that the chosen piece does not have. */
  onIllegal?: ((action: string) => void) | undefined;
  /** Instead of actions: a square was chosen. */
  onSquare?: ((square: string) => void) | undefined;
  arrows?: Arrow[];
  /** Verdicts of actions, shown as colours on the squares. */
  verdicts?: Map<string, Verdict> | undefined;
  /** Changes when another game is shown: discs are then dealt anew. */
  game?: string;
}

/** The square on which a key was pressed last; null once a mouse or finger came. */
let pressed: string | null = null;

const BEST_FIRST: Verdict[] = ["win", "draw", "loss"];

/** The verdict to show on a square: of the action to it if a piece is chosen, else of the best from it. */
function shadeOf(square: string, selected: string | null, verdicts: Map<string, Verdict> | undefined): Verdict | null {
  if (!verdicts) return null;
  if (selected) return verdicts.get(`${selected}-${square}`) ?? null;
  const found = [...verdicts].filter(([action]) => action.startsWith(square)).map(([, verdict]) => verdict);
  return BEST_FIRST.find((verdict) => found.includes(verdict)) ?? null;
}

function Coordinates({ orientation }: { orientation: Orientation }) {
  const columns = [...COLUMNS];
  const rows = ["1", "2", "3", "4", "5", "6", "7", "8"];
  const upright = orientation === "upright";
  return (
    <>
      <div class="coordinates across" aria-hidden="true">
        {(upright ? columns : rows).map((name) => <span key={name}>{name}</span>)}
      </div>
      <div class="coordinates down" aria-hidden="true">
        {(upright ? [...rows].reverse() : columns).map((name) => <span key={name}>{name}</span>)}
      </div>
    </>
  );
}

export function Board(props: BoardProps): VNode {
  const { board, arrows = [] } = props;
  const options = useStore(settings);
  const orientation = useOrientation();
  const frame = useRef<HTMLDivElement>(null);
  const hands = useHands(props, orientation, frame);
  const { width, height } = size(orientation);
  const [focus, setFocus] = useState(pressed ?? "a8");
  const lines = [...arrows, ...cannonLines(board, hands.selected, options)];

  // Who opened this view with a key on another board goes on from the same square.
  useEffect(() => {
    if (pressed && document.activeElement === document.body) focusOn(frame.current, pressed);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys may come faster than the board is drawn: the focus itself says where they are meant.
    const at = (event.target as HTMLElement).dataset.square ?? focus;
    if (event.key === "Escape") hands.drop();
    if (event.key === "Enter" || event.key === " ") pressed = at;
    const next = stepFrom(at, event, orientation);
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (next === null) return;
    setFocus(next);
    focusOn(frame.current, next);
  };
  const cell = (square: string) => (
    <Square key={square} square={square} props={props} hands={hands} options={options} focused={square === focus} onFocus={() => setFocus(square)} />
  );

  return (
    <div class={`board ${orientation}${options.coordinates ? "" : " bare"}`} ref={frame} onKeyDown={onKeyDown} onPointerDown={() => (pressed = null)}>
      {options.coordinates ? <Coordinates orientation={orientation} /> : null}
      <div class="field" {...hands.pointer}>
        <div class="grid" role="grid" aria-label={words().board} aria-rowcount={height} aria-colcount={width}>
          {Array.from({ length: height }, (_, y) => (
            <div role="row" key={y}>
              {Array.from({ length: width }, (_, x) => cell(squareAt({ x, y }, orientation) as string))}
            </div>
          ))}
        </div>
        <Discs hands={hands} orientation={orientation} game={props.game ?? ""} />
        <Arrows arrows={lines} orientation={orientation} />
      </div>
    </div>
  );
}

function focusOn(frame: HTMLElement | null, square: string): void {
  frame?.querySelector<HTMLElement>(`[data-square="${square}"]`)?.focus();
}

/** The square that an arrow key leads to; null at the edge, undefined for other keys. */
function stepFrom(square: string, event: KeyboardEvent, orientation: Orientation): string | null | undefined {
  const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!step || event.ctrlKey || event.altKey || event.metaKey) return undefined;
  const place = placeOf(square, orientation);
  return squareAt({ x: place.x + (step[0] ?? 0), y: place.y + (step[1] ?? 0) }, orientation);
}

interface SquareProps {
  square: string;
  props: BoardProps;
  hands: Hands;
  options: Settings;
  focused: boolean;
  onFocus: () => void;
}

/** One named square: what lies on it is said, what may happen on it is shown. */
function Square({ square, props, hands, options, focused, onFocus }: SquareProps) {
  const { board, last = null } = props;
  const { selected } = hands;
  const content = contentOf(hands.squares, square);
  const touched = last ? squaresOf(last) : [];
  const target = selected !== null && (board.targets[selected] ?? []).includes(square);
  const classes = [
    "square",
    square === selected ? "selected" : "",
    square === hands.armed ? "armed" : "",
    touched.includes(square) ? (square === touched.at(-1) ? "arrived" : "left") : "",
    options.showTargets && target ? (content === "." ? "target" : "prey") : "",
    props.onAction && board.targets[square] ? "movable" : "",
    options.showThreats && board.threatened.includes(square) ? "threatened" : "",
    shadeOf(square, selected, props.verdicts) ?? "",
    square === hands.over ? "under" : "",
  ];
  return (
    <button
      type="button"
      role="gridcell"
      class={classes.filter(Boolean).join(" ")}
      data-square={square}
      tabIndex={focused ? 0 : -1}
      aria-label={words().square(square, content)}
      aria-selected={square === selected}
      onClick={() => hands.click(square)}
      onFocus={onFocus}
    />
  );
}

/** The discs above the squares; each keeps its element as it moves. */
function Discs({ hands, orientation, game }: { hands: Hands; orientation: Orientation; game: string }) {
  const discs = useDiscs(hands.squares);
  return (
    <div class="discs" aria-hidden="true">
      {discs.map((disc) => {
        const place = placeOf(disc.square, orientation);
        const held = hands.drag?.square === disc.square && !disc.gone;
        const shift = held && hands.drag ? ` translate(${hands.drag.dx}px, ${hands.drag.dy}px)` : "";
        const classes = [
          "piece",
          disc.content === "?" ? "" : "up",
          disc.gone ? "gone" : "",
          disc.moved ? "moved" : "",
          held ? "held" : "",
          hands.snap === disc.square ? "snap" : "",
        ];
        return (
          <div
            key={`${game}${disc.id}`}
            class={classes.filter(Boolean).join(" ")}
            style={{ transform: `translate(${place.x * 100}%, ${place.y * 100}%)${shift}` }}
          >
            <Turning content={disc.content} />
          </div>
        );
      })}
    </div>
  );
}

/** A disc with two sides. The side that turns away keeps its face until it is out of sight. */
function Turning({ content }: { content: string }) {
  const front = useRef(content);
  if (content !== "?") front.current = content;
  return (
    <div class="turning">
      {front.current === "?" ? null : (
        <div class="side front">
          <Disc content={front.current} />
        </div>
      )}
      <div class="side rear">
        <Disc content="?" />
      </div>
    </div>
  );
}

function cannonLines(
  board: BoardProps["board"],
  selected: string | null,
  options: { showCannonLines: boolean; showThreats: boolean },
): Arrow[] {
  const lines: Arrow[] = [];
  for (const { from, to, over } of board.captures) {
    const mine = from === selected && board.targets[from]?.includes(to);
    if (mine && over && options.showCannonLines) lines.push({ action: `${from}-${to}`, look: "cannon", over });
    if (options.showThreats && board.threatened.includes(to) && !board.targets[from]?.includes(to)) {
      lines.push({ action: `${from}-${to}`, look: "threat", over });
    }
  }
  return lines;
}
