// What the program can do; asked once.

import { connection } from "../net/connection";
import type { About } from "../wire";
import { Store } from "./store";

const UNKNOWN: About = {
  version: "",
  levels: Array.from({ length: 10 }, (_, index) => ({ number: index + 1, name: "" })),
  rules: [
    { name: "olympiad", quiet_limit: 180, repetition: { kind: "position", times: 3 } },
    { name: "platform", quiet_limit: 60, repetition: { kind: "sequence", times: 3 } },
    { name: "paper", quiet_limit: 40, repetition: { kind: "never" } },
    { name: "openspiel", quiet_limit: 50, repetition: { kind: "never" } },
    { name: "mistboard", quiet_limit: 40, repetition: { kind: "chase_ban", times: 3 } },
    { name: "course", quiet_limit: 30, repetition: { kind: "never" } },
  ],
  players: [],
  limits: { message_bytes: 65_536, games: 100, engine_ms: 30_000, lines: 5 },
  table_pieces: 4,
  reach: null,
};

export const about = new Store<{ about: About }>({ about: UNKNOWN });

export async function askAbout(): Promise<void> {
  const told = await connection.backend.about();
  if (told) about.set({ about: told });
}
