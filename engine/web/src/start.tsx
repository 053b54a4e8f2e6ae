// The page, with what was kept at hand.

import { render } from "preact";
import { App } from "./app";
import { words } from "./i18n";
import { connection } from "./net/connection";
import { askAbout } from "./state/about";
import { watchApp } from "./state/app";
import { watchGame } from "./state/game";
import { notify } from "./state/live";
import { watchAddress } from "./state/route";
import { watchTrouble } from "./state/saved";
import { applyTheme } from "./state/settings";
import "./styles/index.css";

applyTheme();
watchAddress();
watchGame();
watchTrouble((trouble) => notify(trouble === "full" ? words().storageFull : words().storageForbidden));
connection.open();
void askAbout();
void watchApp();
const root = document.getElementById("page");
if (root) render(<App />, root);
