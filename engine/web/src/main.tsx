// Starts the page.

import { render } from "preact";
import { App } from "./app";
import { connection } from "./net/connection";
import { askAbout } from "./state/about";
import { watchGame } from "./state/game";
import { watchAddress } from "./state/route";
import { applyTheme } from "./state/settings";
import "./styles/index.css";

applyTheme();
watchAddress();
watchGame();
connection.open();
void askAbout();
const root = document.getElementById("page");
if (root) render(<App />, root);
