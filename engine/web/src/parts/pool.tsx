// Pieces counted: those still face down, and those captured.

import { colorOf, FULL_BAG, PIECES } from "../board/geometry";
import { Disc } from "../board/piece";
import { words } from "../i18n";

function count(letters: string, letter: string): number {
  return [...letters].filter((each) => each === letter).length;
}

/** What may still appear: each kind with how many lie face down. */
export function Pool({ hidden, chosen, onChoose }: { hidden: string; chosen?: string | undefined; onChoose?: (letter: string) => void }) {
  const total = hidden.length;
  const kinds = (letters: string) => (
    <ul class="pool-kinds">
      {[...letters].map((letter) => {
        const left = count(hidden, letter);
        const title = words().poolEntry(letter, left, total);
        const inner = (
          <>
            <Disc content={letter} />
            <span class="pool-count" aria-hidden="true">{left}</span>
          </>
        );
        return (
          <li key={letter} class={left === 0 ? "none" : ""}>
            {onChoose && left > 0 ? (
              <button type="button" class="pool-pick" aria-label={title} title={title} aria-pressed={chosen === letter} onClick={() => onChoose(letter)}>
                {inner}
              </button>
            ) : (
              <span class="pool-still" title={title}>
                {inner}
                <span class="unseen">{title}</span>
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
  return (
    <section class="pool" aria-label={words().faceDown(total)}>
      <p class="pool-title">
        <Disc content="?" />
        <span>{words().faceDown(total)}</span>
      </p>
      {total > 0 ? kinds(PIECES.slice(0, 7)) : null}
      {total > 0 ? kinds(PIECES.slice(7)) : null}
    </section>
  );
}

/** The captured pieces of one colour, strongest first. */
export function Captured({ letters, color }: { letters: string; color: "red" | "black" }) {
  const mine = [...letters].filter((letter) => colorOf(letter) === color);
  mine.sort((a, b) => FULL_BAG.indexOf(a) - FULL_BAG.indexOf(b));
  return (
    <ul class="captured" aria-label={words().capturedOf(color, mine.map((letter) => words().kind(letter)))}>
      {mine.map((letter, index) => (
        <li key={`${letter}${index}`}>
          <Disc content={letter} />
        </li>
      ))}
    </ul>
  );
}
