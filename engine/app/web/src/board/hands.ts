// What mouse, finger and keys do on the board: choose, drag, flip.

import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
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
  const { board, onAction, onSquare } = props;
  const [selected, setSelected] = useState<string | null>(null);
  const [armed, setArmed] = useState<string | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [pending, setPending] = useState<string | null>(null);
  const [snap, setSnap] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const grip = useRef<{ square: string; x: number; y: number; id: number } | null>(null);
  const swallow = useRef(false);

  const drop = () => {
    setSelected(null);
    setArmed(null);
  };
  useEffect(() => {
    drop();
    setPending(null);
  }, [board.squares, props.game]);
  useEffect(() => {
    if (!pending) return;
    const timer = setTimeout(() => setPending(null), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [pending]);

  const play = (from: string, to: string) => {
    drop();
    if (from !== to) setPending(`${from}-${to}`);
    void Promise.resolve(onAction?.(`${from}-${to}`)).then((accepted) => {
      if (accepted === false) setPending(null);
    });
  };

  const flip = (square: string) => {
    if (!settings.value.confirmFlips || armed === square) play(square, square);
    else setArmed(square);
  };

  const click = (square: string) => {
    if (swallow.current) {
      swallow.current = false;
      return;
    }
    if (onSquare) return onSquare(square);
    if (!onAction || pending) return;
    if (selected && board.targets[selected]?.includes(square)) return play(selected, square);
    if (selected === square) return drop();
    if (board.targets[square]) {
      setArmed(null);
      return setSelected(square);
    }
    // With a piece in hand, a face-down square is more likely a slip than a wish.
    if (!selected && board.flips.includes(square)) return flip(square);
    drop();
  };

  const squareUnder = (event: PointerEvent): string | null => {
    const box = frame.current?.querySelector(".field")?.getBoundingClientRect();
    if (!box) return null;
    const { width, height } = size(orientation);
    const x = Math.floor(((event.clientX - box.left) / box.width) * width);
    const y = Math.floor(((event.clientY - box.top) / box.height) * height);
    return squareAt({ x, y }, orientation);
  };

  const letGo = () => {
    grip.current = null;
    setDrag(null);
    setOver(null);
  };

  const pointer = {
    onPointerDown(event: PointerEvent) {
      swallow.current = false;
      const square = squareUnder(event);
      if (event.button !== 0 || !square || !onAction || pending || !board.targets[square]) return;
      grip.current = { square, x: event.clientX, y: event.clientY, id: event.pointerId };
    },
    onPointerMove(event: PointerEvent) {
      const held = grip.current;
      if (!held || held.id !== event.pointerId) return;
      const dx = event.clientX - held.x;
      const dy = event.clientY - held.y;
      if (!drag && Math.hypot(dx, dy) < DRAG_BEGINS_PX) return;
      if (!drag) {
        (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
        setSelected(held.square);
      }
      setDrag({ square: held.square, dx, dy });
      const under = squareUnder(event);
      setOver(under && board.targets[held.square]?.includes(under) ? under : null);
    },
    onPointerUp(event: PointerEvent) {
      const held = grip.current;
      if (!held || held.id !== event.pointerId) return;
      const to = squareUnder(event);
      if (drag) {
        // The click that follows a drag is not a choice of its own.
        swallow.current = true;
        setTimeout(() => (swallow.current = false), 0);
        setSnap(to);
        setTimeout(() => setSnap(null), SNAP_MS);
        if (to && board.targets[held.square]?.includes(to)) play(held.square, to);
        else if (to === held.square) setSelected(held.square);
        else drop();
      }
      letGo();
    },
    onPointerCancel: letGo,
  };

  const shown = pending && contentOf(board.squares, pending.slice(0, 2)) !== "." ? moved(board.squares, pending) : board.squares;
  return { selected, armed, drag, over, snap, squares: shown, click, drop, pointer };
}
