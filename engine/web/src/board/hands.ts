// What mouse, finger and keys do on the board: choose, drag, flip.

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { settings } from "../state/settings";
import { contentOf, size, squareAt, SQUARES, type Orientation } from "./geometry";
import type { BoardProps } from "./board";

interface Drag {
  square: string;
  dx: number;
  dy: number;
}

export interface Hands {
  selected: string | null;
  /** A face-down piece that was chosen once and turns when chosen again. */
  armed: string | null;
  drag: Drag | null;
  /** The square under a dragged piece, if it may go there. */
  over: string | null;
  /** Where a dragged piece has just been put down: it does not glide. */
  snap: string | null;
  /** The position to show: a move is shown before the server has answered. */
  squares: string;
  click(square: string): void;
  drop(): void;
  pointer: {
    onPointerDown(event: PointerEvent): void;
    onPointerMove(event: PointerEvent): void;
    onPointerUp(event: PointerEvent): void;
    onPointerCancel(): void;
  };
}

const DRAG_BEGINS_PX = 6;

/** How long a move is shown that the server has not confirmed. */
const PATIENCE_MS = 2500;

/** How long a piece that was put down is kept from gliding. */
const SNAP_MS = 120;

/** The squares after a move, before the server says so. */
function moved(squares: string, action: string): string {
  const from = SQUARES.indexOf(action.slice(0, 2));
  const to = SQUARES.indexOf(action.slice(3, 5));
  const list = [...squares];
  list[to] = list[from] ?? ".";
  list[from] = ".";
  return list.join("");
}

export function useHands(
  props: BoardProps,
  orientation: Orientation,
  frame: RefObject<HTMLDivElement | null>,
): Hands {
  const { board, onAction, onIllegal, onSquare } = props;
  const [selected, setSelected] = useState<string | null>(null);
  const [armed, setArmed] = useState<string | null>(null);
  const [pending, setPending] = usePending(board.squares, props.game);

  const drop = () => {
    setSelected(null);
    setArmed(null);
  };
  // Before the next event: a quick hand chooses again before the browser has painted.
  useLayoutEffect(drop, [board.squares, props.game]);

  const play = (from: string, to: string) => {
    drop();
    if (from !== to) setPending(`${from}-${to}`);
    void Promise.resolve(onAction?.(`${from}-${to}`)).then((accepted) => {
      if (accepted === false) setPending(null);
    });
  };
  const mayDrag = (square: string) => Boolean(onAction && !pending && board.targets[square]);
  const mayLand = (from: string, to: string) => Boolean(board.targets[from]?.includes(to));
  const refuse = (from: string, to: string) => {
    drop();
    onIllegal?.(`${from}-${to}`);
  };
  const dragging = useDrag(orientation, frame, { mayDrag, mayLand, select: setSelected, play, drop, refuse });

  const click = (square: string) => {
    if (dragging.swallows()) return;
    if (onSquare) return onSquare(square);
    if (!onAction || pending) return;
    if (selected && mayLand(selected, square)) return play(selected, square);
    if (selected === square) return drop();
    if (board.targets[square]) {
      setArmed(null);
      return setSelected(square);
    }
    // With a piece in hand, a face-down square is more likely a slip than a wish.
    if (selected) return refuse(selected, square);
    if (!board.flips.includes(square)) return drop();
    if (!settings.value.confirmFlips || armed === square) play(square, square);
    else setArmed(square);
  };

  const { drag, over, snap, pointer } = dragging;
  const known = pending !== null && contentOf(board.squares, pending.slice(0, 2)) !== ".";
  return { selected, armed, drag, over, snap, squares: known ? moved(board.squares, pending) : board.squares, click, drop, pointer };
}

/** A move that is shown before the server has answered; forgotten when it has, or after a while. */
function usePending(squares: string, game: string | undefined) {
  const [pending, setPending] = useState<string | null>(null);
  useLayoutEffect(() => setPending(null), [squares, game]);
  useEffect(() => {
    if (!pending) return;
    const timer = setTimeout(() => setPending(null), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [pending]);
  return [pending, setPending] as const;
}

interface DragRules {
  mayDrag(square: string): boolean;
  mayLand(from: string, to: string): boolean;
  select(square: string): void;
  play(from: string, to: string): void;
  drop(): void;
  refuse(from: string, to: string): void;
}

/** A piece under the mouse or a finger. */
function useDrag(orientation: Orientation, frame: RefObject<HTMLDivElement | null>, rules: DragRules) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const [snap, setSnap] = useState<string | null>(null);
  const grip = useRef<{ square: string; x: number; y: number; id: number } | null>(null);
  const swallow = useRef(false);

  const letGo = () => {
    grip.current = null;
    setDrag(null);
    setOver(null);
  };
  const under = (event: PointerEvent) => squareUnder(event, orientation, frame.current);

  const onPointerDown = (event: PointerEvent) => {
    swallow.current = false;
    const square = under(event);
    if (event.button !== 0 || !square || !rules.mayDrag(square)) return;
    grip.current = { square, x: event.clientX, y: event.clientY, id: event.pointerId };
  };
  const onPointerMove = (event: PointerEvent) => {
    const held = grip.current;
    if (!held || held.id !== event.pointerId) return;
    const dx = event.clientX - held.x;
    const dy = event.clientY - held.y;
    if (!drag && Math.hypot(dx, dy) < DRAG_BEGINS_PX) return;
    if (!drag) {
      (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
      rules.select(held.square);
    }
    setDrag({ square: held.square, dx, dy });
    const to = under(event);
    setOver(to && rules.mayLand(held.square, to) ? to : null);
  };
  const onPointerUp = (event: PointerEvent) => {
    const held = grip.current;
    if (!held || held.id !== event.pointerId) return;
    if (drag) land(held.square, under(event));
    letGo();
  };
  const land = (from: string, to: string | null) => {
    // The click that follows a drag is not a choice of its own.
    swallow.current = true;
    setTimeout(() => (swallow.current = false), 0);
    setSnap(to);
    setTimeout(() => setSnap(null), SNAP_MS);
    if (to && rules.mayLand(from, to)) rules.play(from, to);
    else if (!to) rules.drop();
    else if (to !== from) rules.refuse(from, to);
  };
  const swallows = () => {
    const swallowed = swallow.current;
    swallow.current = false;
    return swallowed;
  };
  return { drag, over, snap, swallows, pointer: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: letGo } };
}

function squareUnder(event: PointerEvent, orientation: Orientation, frame: HTMLElement | null): string | null {
  const box = frame?.querySelector(".field")?.getBoundingClientRect();
  if (!box) return null;
  const { width, height } = size(orientation);
  const x = Math.floor(((event.clientX - box.left) / box.width) * width);
  const y = Math.floor(((event.clientY - box.top) / box.height) * height);
  return squareAt({ x, y }, orientation);
}
