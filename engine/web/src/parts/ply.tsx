// A ply in a few signs: a small disc and the squares.

import { squaresOf } from "../board/geometry";
import { Disc } from "../board/piece";

export function Ply({ ply, piece, captured }: { ply: string; piece: string | null; captured: string | null }) {
  const [from, to] = squaresOf(ply);
  return (
    <span class="ply">
      {piece ? <Disc content={piece} /> : <Disc content="?" />}
      <span>{to ? `${from}${captured ? "×" : "–"}${to}` : from}</span>
      {captured ? <Disc content={captured} /> : null}
    </span>
  );
}

/** The number of a ply as records write it: the round, and dots for who answers. */
export function plyNumber(ply: number): string {
  return `${Math.ceil(ply / 2)}${ply % 2 === 1 ? "." : "…"}`;
}
