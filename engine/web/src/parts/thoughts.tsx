// What the engine thinks of, if it was asked to show it; and the hint.

import { words } from "../i18n";
import { game } from "../state/game";
import { useStore } from "../state/store";
import type { LineStep, Value } from "../wire";

export function valueText(value: Value): string {
  const text = words();
  if (value.kind === "estimate") return signed(value.expected);
  if (value.plies === null) return text.verdicts[value.kind];
  const toCapture = value.source === "table" && value.plies_to_end === undefined;
  return toCapture ? text.captureIn(value.kind, value.plies) : text.inPlies(value.kind, value.plies);
}

export function signed(value: number): string {
  const rounded = Math.round(value * 100) / 100;
  const sign = rounded > 0 ? "+" : rounded < 0 ? "−" : "";
  return `${sign}${Math.abs(rounded).toFixed(2)}`;
}

/** The look of a number, none for what is written as zero. */
export function goodOrBad(value: number): "good" | "bad" | "" {
  return Math.abs(value) < 0.005 ? "" : value > 0 ? "good" : "bad";
}

/** A line of actions that breaks between them only. */
export function lineText(line: LineStep[]): string {
  const unbroken = (text: string) => text.replaceAll(" ", "\u00a0").replaceAll("–", "\u2060–\u2060");
  return line.map((step) => unbroken(words().shortAction(step.action))).join("  ");
}

export function Thoughts() {
  const { thinking, hint } = useStore(game);
  const text = words();
  if (hint) {
    return (
      <section class="card thoughts" aria-label={text.hint}>
        <h2>{text.hint}</h2>
        <p class="line"><b>{valueText(hint.value)}</b> {lineText(hint.line.length > 0 ? hint.line : [{ action: hint.action, expected: null }])}</p>
      </section>
    );
  }
  if (!thinking) return null;
  return (
    <section class="card thoughts" aria-label={text.thoughts}>
      <h2>{text.thoughts}</h2>
      <p class="line"><b>{valueText(thinking.value)}</b> {lineText(thinking.line)}</p>
      <p class="note">{text.effort(thinking.depth, thinking.nodes, thinking.ms)}</p>
    </section>
  );
}
