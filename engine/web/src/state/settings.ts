// How the page looks and sounds, kept in the browser.

import { load, save } from "./saved";
import { Store } from "./store";

export interface Settings {
  language: "auto" | "en" | "zh";
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

export const settings = new Store<Settings>({ ...DEFAULTS, ...load("settings", {}) });

export function change(some: Partial<Settings>): void {
  settings.set(some);
  save("settings", settings.value);
  applyTheme();
}

/** The language to speak, `auto` resolved. */
export function language(): "en" | "zh" {
  const chosen = settings.value.language;
  if (chosen !== "auto") return chosen;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export function applyTheme(): void {
  const root = document.documentElement;
  const { theme } = settings.value;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  root.lang = language() === "zh" ? "zh-Hant" : "en";
}
