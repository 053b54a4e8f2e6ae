// The idea of a lesson in another language.
//
// `tablebase lessons` writes ideas in English, from few forms: the English catalogue has them. A sentence is taken apart by
// those, and put together by the forms of the other language.

import type { Color } from "../wire";
import { ideas as english } from "./en.json";
import { fill } from "./fill";
import type { Words } from ".";

type Part = keyof typeof english;
type Forms = Record<Part, Record<string, string>>;

/** An idea consists of these, one after the other. */
const PARTS: Part[] = ["deed", "aim", "only", "fault"];

const ROLES: Record<string, string> = { King: "K", Guard: "G", Minister: "M", Rook: "R", Knight: "N", Cannon: "C", Pawn: "P" };
const COLORS: Record<string, Color> = { Red: "red", Black: "black" };

/** The blanks for pieces of the mover, and of both. */
const OURS = ["piece", "partner"];
const NAMED = [...OURS, "prey", "foe"];

/** What stands for a blank. */
const BLANKS: Record<string, string> = {
  piece: "[A-Z][a-z]+",
  partner: "[A-Z][a-z]+",
  prey: "[A-Z][a-z]+",
  foe: "[A-Z][a-z]+",
  color: "Red|Black",
  square: "[a-d][1-8]",
  action: "[a-d][1-8]-[a-d][1-8]",
  count: "\\d+",
  total: "\\d+",
  outcome: "[^.]+",
};

function pattern(form: string): RegExp {
  const escaped = form.replace(/[.?*+()|[\]\\^$]/g, "\\$&");
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, (_, blank: string) => `(?<${blank}>${BLANKS[blank]})`)}`);
}

interface Taken {
  said: string;
  rest: string;
}

/** Says ideas by the forms of a language; `side` is to move. */
class Teller {
  constructor(
    private readonly forms: Forms,
    private readonly text: Pick<Words, "colors" | "kind" | "shortAction">,
    private readonly side: Color,
  ) {}

  /** Takes a part from the beginning of an English text. */
  take(part: Part, text: string): Taken | null {
    for (const [key, form] of Object.entries(english[part])) {
      const found = pattern(form).exec(text);
      if (!found) continue;
      const values: Record<string, string> = {};
      for (const [blank, value] of Object.entries(found.groups ?? {})) {
        const said = this.value(blank, value);
        if (said === null) return null;
        values[blank] = said;
      }
      return { said: fill(this.forms[part][key] ?? "", values), rest: text.slice(found[0].length) };
    }
    return null;
  }

  /** What fills a blank. */
  private value(blank: string, value: string): string | null {
    const { colors, kind, shortAction } = this.text;
    if (blank === "outcome") {
      const outcome = this.take("outcome", value);
      return outcome?.rest === "" ? outcome.said : null;
    }
    if (blank === "color") return colors[COLORS[value] ?? this.side];
    if (blank === "action") return shortAction(value);
    if (!NAMED.includes(blank)) return value;
    const letter = ROLES[value];
    if (letter === undefined) return null;
    return kind(OURS.includes(blank) === (this.side === "red") ? letter : letter.toLowerCase());
  }
}

/** Returns an idea by the forms of a language, null if it has other forms; `side` is to move. */
export function retold(idea: string, side: Color, forms: Forms, text: Pick<Words, "colors" | "kind" | "shortAction">): string | null {
  const teller = new Teller(forms, text, side);
  let rest = idea;
  let said = "";
  for (const part of PARTS) {
    const taken = teller.take(part, rest);
    if (!taken) return null;
    said += taken.said;
    rest = taken.rest;
  }
  return rest === "" ? said : null;
}
