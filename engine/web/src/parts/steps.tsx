// Stepping through plies: four buttons, and the keys for the same.

import { useEffect } from "preact/hooks";
import { words } from "../i18n";
import { Icon } from "./dialog";

export type Step = "first" | "back" | "next" | "last";

const KEYS: Record<string, Step> = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", "[": "back", "]": "next" };

/** Whether a key is meant for a field or a dialog. */
export function writesElsewhere(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  return event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, dialog") !== null;
}

export function useStepKeys(onStep: (by: Step) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const by = KEYS[event.key];
      if (!by || writesElsewhere(event)) return;
      event.preventDefault();
      onStep(by);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [onStep]);
}

export function Steps({ onStep }: { onStep: (by: Step) => void }) {
  const text = words();
  const entry = (by: Step, label: string) => (
    <button type="button" class="icon" aria-label={label} title={label} onClick={() => onStep(by)}>
      <Icon name={by} />
    </button>
  );
  return (
    <div class="steps" role="group" aria-label={text.steps}>
      {entry("first", text.stepFirst)}
      {entry("back", text.stepBack)}
      {entry("next", text.stepNext)}
      {entry("last", text.stepLast)}
    </div>
  );
}
