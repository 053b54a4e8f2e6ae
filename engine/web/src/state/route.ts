// Which view is shown: the part of the address after `#`.

import { about } from "./about";
import { Store } from "./store";

export type Route =
  | { view: "home" }
  | { view: "game"; token: string }
  | { view: "analyse"; line: string | null }
  | { view: "editor" }
  | { view: "puzzles" }
  | { view: "tables" };

export const route = new Store<{ at: Route }>({ at: read() });

function read(): Route {
  const [, view = "", ...rest] = location.hash.replace(/^#/, "").split("/");
  const text = rest.join("/");
  switch (view) {
    case "join":
    case "game":
      return { view: "game", token: decode(text) };
    case "line":
      return { view: "analyse", line: decode(text).replaceAll("_", " ") };
    case "analyse":
      return { view: "analyse", line: null };
    case "editor":
    case "puzzles":
    case "tables":
      return { view };
    default:
      return { view: "home" };
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function watchAddress(): void {
  addEventListener("hashchange", () => route.set({ at: read() }));
}

export function go(hash: string): void {
  if (location.hash === hash) route.set({ at: read() });
  else location.hash = hash;
}

/** The address of a line, for any page of this program. */
export function lineLink(text: string): string {
  return `${location.origin}${location.pathname}#/line/${encodeURIComponent(text.replaceAll(" ", "_")).replaceAll("%2F", "/")}`;
}

const THIS_MACHINE = /^(localhost|127\..*|\[::1\])$/;

/** The address of a seat or of watching: where other devices reach the server it lets them in, to this game alone. */
export function joinLink(token: string): string {
  const { reach } = about.value.about;
  if (!reach) return `${location.origin}${location.pathname}#/join/${token}`;
  const origin = THIS_MACHINE.test(location.hostname) ? reach.origin : location.origin;
  return `${origin}/?token=${token}#/join/${token}`;
}
