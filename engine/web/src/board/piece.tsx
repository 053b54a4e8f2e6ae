// A piece: a disc whose light face is red's, whose dark face is black's, and whose
// blue-and-white back tells nothing.

import { memo } from "preact/compat";
import { language, settings, type Settings } from "../state/settings";
import { useStore } from "../state/store";
import { colorOf, PIECES } from "./geometry";
import { CHARACTERS, LETTERS, SIMPLIFIED } from "./glyphs";
import { PICTURES } from "./pictures";

const PETALS = [0, 45, 90, 135, 180, 225, 270, 315];

function Back() {
  return (
    <symbol id="back" viewBox="0 0 100 100">
      <g fill="none" stroke="var(--back-line)" stroke-linecap="round">
        <circle cx="50" cy="50" r="43.500" stroke-width="1.600" />
        <circle cx="50" cy="50" r="40" stroke-width="0.700" opacity="0.700" />
        {PETALS.map((turn) => (
          <g key={turn} transform={`rotate(${turn} 50 50)`}>
            <path d="M50 42C43 34 44 23 50 15.500 56 23 57 34 50 42Z" stroke-width="1.500" />
            <path d="M50 36C47.500 32 47.500 27 50 23 52.500 27 52.500 32 50 36Z" fill="var(--back-line)" stroke="none" opacity="0.800" />
          </g>
        ))}
        {PETALS.map((turn) => (
          <path key={turn} d="M50 17.500Q54.500 12.500 59 12" transform={`rotate(${turn + 9} 50 50)`} stroke-width="0.900" opacity="0.750" />
        ))}
        <circle cx="50" cy="50" r="5.500" stroke-width="1.500" />
        <circle cx="50" cy="50" r="2.200" fill="var(--back-line)" stroke="none" />
      </g>
    </symbol>
  );
}

/** The outline of a piece's character, as the language writes it, or of its letter. */
export function outlineOf(letter: string, set: Settings["pieces"]): string | undefined {
  if (set === "letters") return LETTERS[letter.toUpperCase()];
  return (language() === "zh-Hans" ? SIMPLIFIED[letter] : undefined) ?? CHARACTERS[letter];
}

function Figure({ letter, set }: { letter: string; set: Settings["pieces"] }) {
  if (set === "pictures") return <>{PICTURES[letter.toUpperCase()]}</>;
  return <path transform="scale(0.1)" d={outlineOf(letter, set)} />;
}

function Face({ letter, set }: { letter: string; set: Settings["pieces"] }) {
  const red = colorOf(letter) === "red";
  return (
    <symbol id={`piece-${letter}`} viewBox="0 0 100 100">
      <g fill="none" stroke="currentColor">
        {red ? <circle cx="50" cy="50" r="45.500" stroke-width="3.400" /> : null}
        <circle cx="50" cy="50" r={red ? 40.5 : 43} stroke-width={red ? 1 : 1.4} />
      </g>
      <g transform="translate(50 50)" fill="currentColor">
        <Figure letter={letter} set={set} />
      </g>
    </symbol>
  );
}

/** The drawings that all discs refer to; once in the page. */
export function Sprite() {
  const { pieces } = useStore(settings);
  return (
    <svg class="sprite" aria-hidden="true" focusable="false">
      <Back />
      {[...PIECES].map((letter) => (
        <Face key={letter} letter={letter} set={pieces} />
      ))}
    </svg>
  );
}

/** One side of a disc: a letter, or `?` for the back. */
export const Disc = memo(function Disc({ content }: { content: string }) {
  const back = content === "?";
  const look = back ? "back" : colorOf(content);
  return (
    <span class={`disc disc-${look}`}>
      <svg aria-hidden="true" focusable="false">
        <use href={back ? "#back" : `#piece-${content}`} />
      </svg>
    </span>
  );
});
