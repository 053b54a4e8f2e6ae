// A clock that runs between two messages of the server.

import { useEffect, useState } from "preact/hooks";
import { words } from "../i18n";
import { playSound } from "../sound";

const LOW_MS = 15_000;

export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10_000) return `0:0${(left / 1000).toFixed(1)}`;
  const seconds = Math.ceil(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function Clock({ left, since, running, mine }: { left: number; since: number; running: boolean; mine: boolean }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(performance.now()), 100);
    return () => clearInterval(timer);
  }, [running, since]);
  const shown = running ? left - Math.max(0, now - since) : left;
  const low = running && shown < LOW_MS;
  useEffect(() => {
    if (low && mine) playSound("low");
  }, [low, mine]);
  return (
    <span class={`clock${running ? " running" : ""}${low ? " low" : ""}`} role="timer" aria-label={words().timeLeft(clockText(shown))}>
      {clockText(shown)}
    </span>
  );
}
