// Squares, pieces and where they lie on the screen.
//
// Upright, the board is four columns wide and row 8 is on top. Lying, it is
// turned a quarter to the right: column a is on top and row 1 on the left.

import type { PieceLetter, PlyText, SquareName } from "../wire";

export const COLUMNS = "abcd";
export const PIECES = "KGMRNCPkgmrncp";
export const FULL_BAG = "KGGMMRRNNCCPPPPPkggmmrrnnccppppp";
export const START = "????/????/????/????/????/????/????/???? - KGGMMRRNNCCPPPPPkggmmrrnnccppppp 0 0";

/** All squares in the order of `Board.squares`: a8 b8 c8 d8 a7 … d1. */
export const SQUARES: SquareName[] = [8, 7, 6, 5, 4, 3, 2, 1].flatMap((row) =>
  [...COLUMNS].map((column) => `${column}${row}`),
);

export type Orientation = "upright" | "lying";

export interface Place {
  x: number;
  y: number;
}

export function size(orientation: Orientation): { width: number; height: number } {
  return orientation === "upright" ? { width: 4, height: 8 } : { width: 8, height: 4 };
}

/** Where a square lies: columns from the left, rows from the top. */
export function placeOf(square: SquareName, orientation: Orientation): Place {
  const column = COLUMNS.indexOf(square[0] as string);
  const row = Number(square[1]);
  return orientation === "upright" ? { x: column, y: 8 - row } : { x: row - 1, y: column };
}

export function squareAt(place: Place, orientation: Orientation): SquareName | null {
  const { width, height } = size(orientation);
  if (place.x < 0 || place.y < 0 || place.x >= width || place.y >= height) return null;
  return orientation === "upright"
    ? `${COLUMNS[place.x]}${8 - place.y}`
    : `${COLUMNS[place.y]}${place.x + 1}`;
}

export function contentOf(squares: string, square: SquareName): string {
  return squares[SQUARES.indexOf(square)] ?? ".";
}

export function colorOf(piece: PieceLetter): "red" | "black" {
  return piece === piece.toUpperCase() ? "red" : "black";
}

export function isPiece(content: string): boolean {
  return content !== "?" && content !== ".";
}

/** The squares that a ply or an action touches, where it began first. */
export function squaresOf(ply: PlyText): SquareName[] {
  const from = ply.slice(0, 2);
  const to = ply[2] === "-" ? ply.slice(3, 5) : from;
  return from === to ? [from] : [from, to];
}

export function isFlip(ply: PlyText): boolean {
  return squaresOf(ply).length === 1;
}

/** The piece that a flip revealed, if the text says so. */
export function revealed(ply: PlyText): PieceLetter | null {
  return ply[2] === "(" ? (ply[3] ?? null) : null;
}

/** The action that led to a ply: `b2-b2` for `b2(G)`. */
export function actionOf(ply: PlyText): string {
  return ply[2] === "(" ? `${ply.slice(0, 2)}-${ply.slice(0, 2)}` : ply;
}

/** Rows from top to bottom with digits for empty squares, as position strings have them. */
export function boardField(squares: string): string {
  const rows = Array.from({ length: 8 }, (_, row) => squares.slice(row * 4, row * 4 + 4));
  return rows.map((row) => row.replace(/\.+/g, (run) => String(run.length))).join("/");
}

/** The squares of a position string. */
export function squaresField(position: string): string {
  const field = position.split(" ")[0] ?? "";
  return field.replaceAll("/", "").replace(/[1-4]/g, (digit) => ".".repeat(Number(digit)));
}
