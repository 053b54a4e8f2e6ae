// A position as a picture that stands alone: SVG with every glyph as a path, for any page or printer.

import { COLUMNS, colorOf, placeOf, size, SQUARES, type Orientation } from "../board/geometry";

const CELL = 100;
const MARGIN = 44;

const PETALS = [0, 45, 90, 135, 180, 225, 270, 315];

function disc(content: string, x: number, y: number, outline: Picture["outline"]): string {
  const at = `<g transform="translate(${x} ${y})">`;
  if (content === "?") {
    const petals = PETALS.map((turn) => `<path d="M0-6C-6-13-5-22 0-29 5-22 6-13 0-6Z" transform="rotate(${turn})"/>`).join("");
    return `${at}<circle r="43" fill="#33568f" stroke="#1f3760" stroke-width="2"/><g fill="none" stroke="#e9eef7" stroke-width="1.500"><circle r="37"/>${petals}</g></g>`;
  }
  const red = colorOf(content) === "red";
  const [face, figure] = red ? ["#fbf4e4", "#b12a1c"] : ["#26221e", "#f6ead2"];
  const ring = `<circle r="${red ? 39 : 37}" fill="none" stroke="${figure}" stroke-width="${red ? 2.5 : 1.3}"/>`;
  return `${at}<circle r="43" fill="${face}" stroke="#8a7850" stroke-width="1.500"/>${ring}<path transform="scale(0.086)" fill="${figure}" d="${outline(content) ?? ""}"/></g>`;
}

/** The middle of a square in the picture. */
function middle(square: string, orientation: Orientation): { x: number; y: number } {
  const place = placeOf(square, orientation);
  return { x: MARGIN + (place.x + 0.5) * CELL, y: CELL * 0.2 + (place.y + 0.5) * CELL };
}

function names(orientation: Orientation): string {
  const { width, height } = size(orientation);
  const rows = Array.from({ length: 8 }, (_, row) => String(row + 1));
  const across = orientation === "upright" ? [...COLUMNS] : rows;
  const down = orientation === "upright" ? [...rows].reverse() : [...COLUMNS];
  const text = (x: number, y: number, name: string) => `<text x="${x}" y="${y}">${name}</text>`;
  const below = across.slice(0, width).map((name, index) => text(MARGIN + (index + 0.5) * CELL, CELL * 0.2 + height * CELL + 34, name));
  const beside = down.slice(0, height).map((name, index) => text(MARGIN / 2 - 2, CELL * 0.2 + (index + 0.5) * CELL + 9, name));
  return `<g font-family="Georgia,serif" font-size="26" fill="#5c5448" text-anchor="middle">${[...below, ...beside].join("")}</g>`;
}

export interface Picture {
  squares: string;
  orientation: Orientation;
  /** The outline of what stands on a piece. */
  outline: (letter: string) => string | undefined;
  /** What the picture is called, for those who do not see it. */
  title: string;
}

/** The text of an SVG file. */
export function picture({ squares, orientation, outline, title }: Picture): string {
  const { width, height } = size(orientation);
  const [w, h] = [width * CELL, height * CELL];
  const top = CELL * 0.2;
  const lines = [
    ...Array.from({ length: width - 1 }, (_, index) => `M${MARGIN + (index + 1) * CELL} ${top}v${h}`),
    ...Array.from({ length: height - 1 }, (_, index) => `M${MARGIN} ${top + (index + 1) * CELL}h${w}`),
  ].join("");
  const pieces = SQUARES.map((square, index) => {
    const content = squares[index] ?? ".";
    const { x, y } = middle(square, orientation);
    return content === "." ? "" : disc(content, x, y, outline);
  }).join("");
  const escaped = title.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${w + MARGIN + 20} ${h + 70}" role="img" aria-label="${escaped}"><title>${escaped}</title><rect width="100%" height="100%" fill="#f3eee2"/><rect x="${MARGIN}" y="${top}" width="${w}" height="${h}" fill="#e6dac0" stroke="#57472b" stroke-width="4"/><path d="${lines}" stroke="#b9a680" stroke-width="2" fill="none"/>${pieces}${names(orientation)}</svg>\n`;
}
