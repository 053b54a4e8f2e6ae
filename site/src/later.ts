// What is loaded when the board is there: in the background, with a bar that shows how far it is.

/** The board and its first move come first. */
const WAIT_MS = 2500;
/** After a failure it is tried again, later each time. */
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 600_000;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Loads a file however often the network fails. */
export async function fetchLater(url: URL): Promise<Uint8Array> {
  await wait(WAIT_MS);
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const bar = showBar();
    try {
      return await load(url, (share) => (bar.value = share));
    } catch {
      await Promise.race([wait(pause), new Promise((resolve) => addEventListener("online", resolve, { once: true }))]);
    } finally {
      bar.remove();
    }
  }
}

async function load(url: URL, tell: (share: number) => void): Promise<Uint8Array> {
  const answer = await fetch(url);
  if (!answer.ok || !answer.body) throw new Error(String(answer.status));
  const length = Number(answer.headers.get("content-length") ?? 0);
  const parts: Uint8Array[] = [];
  let done = 0;
  const reader = answer.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    done += next.value.length;
    if (length > 0) tell(Math.min(done / length, 1));
  }
  const bytes = new Uint8Array(done);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** A thin bar at the foot of the page; it tells nothing that anybody needs to hear. */
function showBar(): HTMLProgressElement {
  const bar = document.createElement("progress");
  bar.ariaHidden = "true";
  bar.style.cssText = "position:fixed;inset:auto 0 0 0;width:100%;height:2px;border:0;appearance:none;z-index:1";
  document.body.append(bar);
  return bar;
}
