// Starts the page, once what was kept on earlier visits has been read.

import { hasAtOnce, openSaved } from "./state/saved";
import "./styles/index.css";

const opened = openSaved();
// Settings are read as the rest begins. What is at hand is enough to begin with.
void (hasAtOnce() ? Promise.resolve() : opened).then(async () => {
  const [{ begin }, { learn }, { language }] = await Promise.all([import("./start"), import("./i18n"), import("./state/settings")]);
  await learn(language());
  begin();
});
