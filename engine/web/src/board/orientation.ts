// Which way the board lies: as chosen, or as the window is.

import { useEffect, useState } from "preact/hooks";
import { settings } from "../state/settings";
import { useStore } from "../state/store";
import type { Orientation } from "./geometry";

const TALL = "(max-aspect-ratio: 4/5)";

export function useOrientation(): Orientation {
  const { board } = useStore(settings);
  const [tall, setTall] = useState(() => matchMedia(TALL).matches);
  useEffect(() => {
    const query = matchMedia(TALL);
    const changed = () => setTall(query.matches);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, []);
  if (board !== "auto") return board;
  return tall ? "upright" : "lying";
}
