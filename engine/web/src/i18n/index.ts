// The page's words in the language of the settings; a catalogue is loaded when its language is spoken.

import { notify } from "../state/live";
import { language, settings, type Language } from "../state/settings";
import { LEVELS } from "./levels";
import { speak, type Catalogue } from "./words";

export type Words = ReturnType<typeof speak>;

const CATALOGUES: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import("./en.json", { with: { type: "json" } }),
  "zh-Hant": () => import("./zh-Hant.json", { with: { type: "json" } }),
  "zh-Hans": () => import("./zh-Hans.json", { with: { type: "json" } }),
};

const spoken = new Map<Language, Words>();
const learning = new Map<Language, Promise<void>>();
let latest: Words | undefined;

/** Loads the words of a language. */
export function learn(wanted: Language): Promise<void> {
  const known = learning.get(wanted);
  if (known) return known;
  const learnt = CATALOGUES[wanted]().then(({ default: say }) => void spoken.set(wanted, speak(say, wanted, LEVELS)));
  learning.set(wanted, learnt);
  return learnt;
}

/** Loads a language that was chosen while the page speaks another one, and draws the page again. */
async function change(wanted: Language, now: Words): Promise<void> {
  try {
    await learn(wanted);
    settings.set({});
  } catch {
    notify(now.hindrance.no_files);
  }
}

/** The words; those of the language before until a new one has been loaded. */
export function words(): Words {
  const wanted = language();
  const known = spoken.get(wanted);
  if (known) return (latest = known);
  if (latest === undefined) throw new Error(`the words of ${wanted} are not loaded yet`);
  if (!learning.has(wanted)) void change(wanted, latest);
  return latest;
}
