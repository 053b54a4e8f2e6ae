// Why a target was refused: the server's sentence, in the language of the page.

import { words } from "../i18n";
import { connection } from "../net/connection";
import { playSound } from "../sound";
import type { Line } from "../wire";
import { complain } from "./game";
import { notify } from "./live";

/** Says why an action is not legal at the end of a line; `squares` is the board there. */
export async function explain(line: Line, action: string, squares: string): Promise<void> {
  try {
    const answer = await connection.ask<"explain">({ type: "explain", line, action });
    playSound("refused");
    notify(words().illegal(answer, action, squares));
  } catch (error) {
    complain(error);
  }
}
