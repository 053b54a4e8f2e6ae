// The page's words in the language of the settings.

import { language, type Language } from "../state/settings";
import en from "./en.json";
import { speak, type Catalogue } from "./words";
import hans from "./zh-Hans.json";
import hant from "./zh-Hant.json";

export type Words = ReturnType<typeof speak>;

const CATALOGUES: Record<Language, Catalogue> = { en, "zh-Hant": hant, "zh-Hans": hans };

const spoken = new Map<Language, Words>();

export function words(): Words {
  const now = language();
  const known = spoken.get(now) ?? speak(CATALOGUES[now], now, en);
  spoken.set(now, known);
  return known;
}
