// Which view is shown: the part of the address after `#`.

import { about } from "./about";
import { Store } from "./store";

export type Route =
  | { view: "home" }
  | { view: "game"; token: string }
  | { view: "analyse"; line: string | null }
  | { view: "editor" }
  | { view: "puzzles" }
  | { view: "tables" }
  | { view: "practice"; material: string }
  | { view: "shared"; payload: string };

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
    case "practice":
      return { view: "practice", material: decode(text) };
    case "s":
      return { view: "shared", payload: text };
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

/** The address of this page without its fragment, wherever its files lie. */
function base(): string {
  return `${location.origin}${location.pathname}`;
}

/** The address of a line, for any page of this program. */
export function lineLink(text: string): string {
  return `${base()}#/line/${encodeURIComponent(text.replaceAll(" ", "_")).replaceAll("%2F", "/")}`;
}

/** The address of something that the link itself carries. */
export function sharedLink(payload: string): string {
  return `${base()}#/s/${payload}`;
}

/** Whether the page comes as static files, which carry their service worker's name, and not from `anqi serve`. */
export function isStatic(): boolean {
  return document.querySelector("meta[name='anqi-offline']") !== null;
}

/** What embeds it in another page; only static files may be framed. */
export function embedding(payload: string): string {
  const address = new URL(`embed.html#${payload}`, base());
  return `<iframe src="${address}" width="360" height="420" loading="lazy" style="border: 0" title="anqi 暗棋"></iframe>`;
}

const THIS_MACHINE = /^(localhost|127\..*|\[::1\])$/;

/** The address of a seat or of watching: where other devices reach the server it lets them in, to this game alone. */
export function joinLink(token: string): string {
  const { reach } = about.value.about;
  if (!reach) return `${base()}#/join/${token}`;
  const origin = THIS_MACHINE.test(location.hostname) ? reach.origin : location.origin;
  return `${origin}/?token=${token}#/join/${token}`;
}
