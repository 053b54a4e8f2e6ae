// Pictures for the seven kinds of pieces, drawn around the middle, 60 units wide.
// `currentColor` is the figure, `--face` what shows through it.

import type { VNode } from "preact";

const through = { stroke: "var(--face)", "stroke-width": 3, fill: "none" };

const king = (
  <g>
    <path d="M-27 14-32-15q9 10 17 10Q-6-8 0-27q6 19 15 22 8 0 17-10L27 14Z" />
    <circle cx="0" cy="-29" r="4.5" />
    <circle cx="-32.500" cy="-17" r="4" />
    <circle cx="32.500" cy="-17" r="4" />
    <path d="M-27 19h54v9h-54Z" />
  </g>
);

const guard = (
  <g>
    <path d="M0 27-34-7a48 48 0 0 1 68 0Z" />
    <path d="M-12.500 9.500a18 18 0 0 1 25 0M0 27V-20M0 27-18-15M0 27 18-15" {...through} />
    <circle cx="0" cy="27" r="4.500" />
  </g>
);

const minister = (
  <g>
    <path d="M-33 27V3c0-15 10-24 25-24h6c4-5 11-7 18-6 10 2 15 10 15 21v14c0 4 1 6 4 6h3v8h-5c-8 0-11-5-11-13V4c-3 4-7 6-12 6v17H-1V13c-5 1-11 1-16-1v15Z" />
    <path d="M1-18c-3 9 0 18 9 20" {...through} />
    <circle cx="19" cy="-12" r="2.600" fill="var(--face)" />
  </g>
);

const rook = (
  <g fill="none" stroke="currentColor">
    <circle r="26" stroke-width="7.500" />
    {[0, 45, 90, 135].map((turn) => (
      <path key={turn} d="M-25 0H25" stroke-width="4.500" transform={`rotate(${turn})`} />
    ))}
    <circle r="8" fill="currentColor" stroke="none" />
    <circle r="2.800" fill="var(--face)" stroke="none" />
  </g>
);

const knight = (
  <g>
    <path d="M-15 29c0-14 8-19 9-29-5 5-11 8-18 8l-7-9c5-10 13-17 20-22l1-11 9 7C17-25 27-8 25 29Z" />
    <path d="M8-20c9 9 12 22 10 42" {...through} />
    <circle cx="-7" cy="-12" r="2.600" fill="var(--face)" />
  </g>
);

const cannon = (
  <g>
    <path d="M-31-1 20-23l8 2 5 12-4 6-51 20c-8 2-14-12-9-18Z" />
    <circle cx="-4" cy="15" r="15" stroke="var(--face)" stroke-width="3" />
    <path d="M-4 3v24M-16 15H8" {...through} />
    <circle cx="-4" cy="15" r="4" fill="var(--face)" />
    <circle cx="26" cy="19" r="6.500" />
  </g>
);

const pawn = (
  <g>
    <path d="M-30 1Q-10-9 0-30q10 21 30 31Z" />
    <path d="M-11 5h22c0 8-5 12-11 12S-11 13-11 5Z" />
    <path d="M-24 30c1-9 9-12 24-12s23 3 24 12Z" />
  </g>
);

export const PICTURES: Record<string, VNode> = {
  K: king,
  G: guard,
  M: minister,
  R: rook,
  N: knight,
  C: cannon,
  P: pawn,
};
