// The page, with what was kept at hand.

import { render } from "preact";
import { App } from "./app";
import { words } from "./i18n";
import { connection } from "./net/connection";
import { loadRest } from "./rest";
import { askAbout } from "./state/about";
import { watchApp } from "./state/app";
import { watchGame } from "./state/game";
import { notify } from "./state/live";
import { watchAddress } from "./state/route";
import { watchTrouble } from "./state/saved";
import { applyTheme } from "./state/settings";

/** How long after the first view the others are loaded. */
const REST_MS = 1000;

/** Draws the page and begins to talk to its backend; the words have been loaded. */
export function begin(): void {
  applyTheme();
  watchAddress();
  watchGame();
  watchTrouble((trouble) => notify(trouble === "full" ? words().storageFull : words().storageForbidden));
  connection.open();
  void askAbout();
  void watchApp();
  const root = document.getElementById("page");
  if (root) render(<App />, root);
  // The other views come when this one is there, so that they open at once and without a network.
  setTimeout(() => void loadRest().catch(() => {}), REST_MS);
}
