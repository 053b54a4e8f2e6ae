#!/usr/bin/env node
// UCI on standard input and output: `node uci.mjs`.

import { Engine } from "./engine";

async function main(): Promise<void> {
  const { createInterface } = await import("node:readline");
  const engine = await Engine.create();
  engine.onWarning = (text) => console.error(`anqi: ${text}`);
  let open = 0;
  let ended = false;
  const leave = () => {
    if (ended && open === 0) {
      engine.close();
      process.exitCode = 0;
    }
  };
  const hear = (line: string) => {
    process.stdout.write(`${line}\n`);
    if (line.startsWith("bestmove")) open -= 1;
    leave();
  };
  const lines = createInterface({ input: process.stdin, terminal: false });
  lines.on("line", (line) => {
    const [word] = line.trim().split(/\s+/);
    if (word === "quit") {
      engine.close();
      process.exit(0);
    }
    if (word === "go") open += 1;
    engine.uci(line, hear);
  });
  // Searches that were asked for are finished after the end of the input, if they end by themselves.
  lines.on("close", () => {
    ended = true;
    leave();
  });
}

void main();
