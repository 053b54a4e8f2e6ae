// The page's words in the language of the settings.

import { language } from "../state/settings";
import { en } from "./en";
import { zh } from "./zh";

/** Every language says everything that English says. */
export type Words = { [K in keyof typeof en]: Said<(typeof en)[K]> };

/** Other words, but the same questions. */
type Said<T> = T extends (...about: infer A) => string ? (...about: A) => string : T;

export function words(): Words {
  return language() === "zh" ? zh : en;
}
