// The boards of a line without a desk: what lies where after each ply. It draws; it judges nothing.

import { SQUARES, squaresField } from "../board/geometry";

/** The squares after each ply, the start first. */
export function boardsOf(start: string, plies: string[]): string[] {
  const boards = [start === "start" ? "?".repeat(SQUARES.length) : squaresField(start)];
  for (const ply of plies) {
    const board = [...(boards.at(-1) as string)];
    const from = SQUARES.indexOf(ply.slice(0, 2));
    if (ply[2] === "(") board[from] = ply[3] ?? "?";
    else {
      board[SQUARES.indexOf(ply.slice(3, 5))] = board[from] ?? ".";
      board[from] = ".";
    }
    boards.push(board.join(""));
  }
  return boards;
}
