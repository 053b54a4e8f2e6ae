// What a lesson teaches, when its position is over: the idea, and why the other moves fail.

import { words } from "../i18n";
import { retold } from "../i18n/idea";
import { Icon } from "../parts/dialog";
import { lineText } from "../parts/thoughts";
import { openLine } from "../state/analysis";
import { language } from "../state/settings";
import type { LessonView, Refutation } from "../wire";

/** The plies of a line that are written out; the others are walked through. */
const MOST_WRITTEN = 8;

interface TaughtProps {
  position: string;
  lesson: LessonView;
  /** The wrong first move, if one was tried. */
  tried: string | null;
  /** Whether best play is told here. */
  line: boolean;
}

export function Taught({ position, lesson, tried, line }: TaughtProps) {
  const text = words();
  const side = position.split(" ")[1] === "r" ? "red" : "black";
  const idea = language() === "en" ? lesson.idea : retold(lesson.idea, side, text.ideas, text);
  const refuted = lesson.refutations.filter(({ action }) => tried === null || action === tried);
  return (
    <section class="lesson" aria-label={text.lesson}>
      <h2>{text.lesson}</h2>
      {idea ? <p class="idea">{idea}</p> : null}
      {line ? <Played label={text.bestPlay} position={position} plies={lesson.line} /> : null}
      {refuted.length > 0 ? (
        <>
          {tried === null ? <h2>{text.whyOthersFail}</h2> : null}
          <ul>
            {refuted.map((each) => (
              <li key={each.action}>
                <Played label={text.lessonFails(text.shortAction(each.action), left(each))} position={position} plies={[each.action, ...each.line]} from={1} />
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  );
}

function left({ value }: Refutation): "draw" | "loss" {
  return value === "loss" ? "loss" : "draw";
}

/** The beginning of a line, and a way to walk through all of it; the plies before `from` are in the label. */
function Played({ label, position, plies, from = 0 }: { label: string; position: string; plies: string[]; from?: number }) {
  const text = words();
  const written = plies.slice(from, from + MOST_WRITTEN).map((action) => ({ action, expected: null }));
  return (
    <p class="line">
      <b>{label}</b> {lineText(written)}{plies.length > from + MOST_WRITTEN ? " … " : " "}
      <button type="button" class="icon" aria-label={`${label} ${text.playThrough}`} title={text.playThrough} onClick={() => openLine({ line: { start: position, plies }, from: "start" })}>
        <Icon name="play" />
      </button>
    </p>
  );
}
