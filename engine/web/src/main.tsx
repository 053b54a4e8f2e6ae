// Starts the page, once what was kept on earlier visits has been read.

import { openSaved } from "./state/saved";

// The rest is a part of this file, but runs only now: settings are read as it begins.
void openSaved().then(() => import("./start"));
