// The views that the first board does not need: loaded in the background, or when they are opened.

import { useEffect, useState } from "preact/hooks";

type Rest = typeof import("./views/rest");

let loaded: Rest | null = null;

export async function loadRest(): Promise<Rest> {
  return (loaded = await import("./views/rest"));
}

/** The views; null until they are there, and `failed` if they cannot be loaded. */
export function useRest(): Rest | "failed" | null {
  const [rest, setRest] = useState<Rest | "failed" | null>(loaded);
  useEffect(() => {
    if (rest === null) loadRest().then(setRest, () => setRest("failed"));
  }, []);
  return rest;
}
