// Starts the page, once what was kept on earlier visits has been read.

import { hasAtOnce, openSaved } from "./state/saved";

const opened = openSaved();
// The rest is a part of this file, but runs only now: settings are read as it begins. What is at hand
// is enough to begin with.
void (hasAtOnce() ? Promise.resolve() : opened).then(() => import("./start"));
