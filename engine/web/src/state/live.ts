// What a screen reader is told, and short notices for everybody.

import { Store } from "./store";

export const live = new Store<{ polite: string; notice: string | null }>({ polite: "", notice: null });

let timer: ReturnType<typeof setTimeout> | undefined;

/** Tells people who do not see the board what has happened. */
export function announce(text: string): void {
  // The same words twice are only heard twice if they differ.
  live.set({ polite: live.value.polite === text ? `${text} ` : text });
}

/** Shows a line that goes away by itself, and says it too. */
export function notify(text: string): void {
  live.set({ notice: text });
  announce(text);
  clearTimeout(timer);
  timer = setTimeout(() => live.set({ notice: null }), 5000);
}
