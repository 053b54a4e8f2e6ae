// How the page looks and sounds, kept in the browser.

import { load, save } from "./saved";
import { Store } from "./store";

/** The languages that the page speaks, by their tags. */
export const LANGUAGES = ["en", "zh-Hant", "zh-Hans"] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Settings {
  language: "auto" | Language;
  theme: "auto" | "light" | "dark";
  pieces: "characters" | "letters" | "pictures";
  board: "auto" | "lying" | "upright";
  sound: boolean;
  showTargets: boolean;
  showCannonLines: boolean;
  showThreats: boolean;
  coordinates: boolean;
  confirmFlips: boolean;
}

const DEFAULTS: Settings = {
  language: "auto",
  theme: "auto",
  pieces: "characters",
  board: "auto",
  sound: true,
  showTargets: true,
  showCannonLines: true,
  showThreats: false,
  coordinates: true,
  confirmFlips: false,
};

/** What was kept, perhaps by an older version, which called Traditional Chinese `zh`. */
function kept(): Settings {
  const known: Omit<Settings, "language"> & { language: string } = { ...DEFAULTS, ...load<Partial<Settings>>("settings", {}) };
  const language = known.language === "zh" ? "zh-Hant" : LANGUAGES.find((each) => each === known.language);
  return { ...known, language: language ?? "auto" };
}

export const settings = new Store<Settings>(kept());

/** Takes the settings that another file or tab has left. */
export function readAgain(): void {
  settings.set(kept());
  applyTheme();
}

export function change(some: Partial<Settings>): void {
  settings.set(some);
  save("settings", settings.value);
  applyTheme();
}

/** The language of a tag such as `zh-TW`, null for one that the page does not speak. */
export function languageOf(tag: string): Language | null {
  const [first, ...rest] = tag.toLowerCase().split("-");
  if (first === "en") return "en";
  if (first !== "zh") return null;
  const traditional = rest.includes("hant") || (!rest.includes("hans") && ["tw", "hk", "mo"].some((region) => rest.includes(region)));
  return traditional ? "zh-Hant" : "zh-Hans";
}

/** The language to speak: as chosen, or the first of the browser's that the page speaks. */
export function language(): Language {
  const chosen = settings.value.language;
  if (chosen !== "auto") return chosen;
  const wanted = navigator.languages ?? [navigator.language];
  return wanted.map(languageOf).find((each) => each !== null) ?? "en";
}

export function applyTheme(): void {
  const root = document.documentElement;
  const { theme } = settings.value;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  root.lang = language();
}
