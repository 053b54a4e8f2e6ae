// A position or a replay in a frame of another page: small, to be looked at, without a desk.

import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { outlineOf } from "./board/piece";
import { picture } from "./share/picture";
import { boardsOf } from "./share/replay";
import { decode, type Shared } from "./share/code";
import { learn, words } from "./i18n";
import { Icon } from "./parts/dialog";
import { language, settings } from "./state/settings";
import "./styles/tokens.css";
import "./styles/embed.css";

const payloadOf = () => location.hash.replace(/^#(\/s\/)?/, "");

/** What a link holds, as far as it can be looked at. */
function lineOf(shared: Shared): { start: string; plies: string[]; at: number } {
  return shared.kind === "puzzle" ? { start: shared.puzzle.position, plies: [], at: 0 } : shared;
}

function Embed() {
  const [payload, setPayload] = useState(payloadOf);
  useEffect(() => {
    const changed = () => setPayload(payloadOf());
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  const text = words();
  const shared = decode(payload);
  if (shared === "damaged" || shared === "newer") return <p class="fault" role="alert">{shared === "newer" ? text.linkNewer : text.linkDamaged}</p>;
  return <Replay key={payload} shared={shared} payload={payload} />;
}

function Replay({ shared, payload }: { shared: Shared; payload: string }) {
  const text = words();
  const { start, plies, at: first } = lineOf(shared);
  const boards = boardsOf(start, plies);
  const last = boards.length - 1;
  const [at, setAt] = useState(Math.min(first, last));
  const tall = innerHeight > innerWidth;
  const ply = at > 0 ? text.plyText(plies[at - 1] ?? "") : text.startPosition;
  const title = `${text.board}: ${ply}`;
  const svg = picture({ squares: boards[at] ?? "", orientation: tall ? "upright" : "lying", outline: (letter) => outlineOf(letter, settings.value.pieces), title });
  const step = (name: string, label: string, to: number) => (
    <button type="button" aria-label={label} title={label} disabled={to === at} onClick={() => setAt(to)}>
      <Icon name={name} />
    </button>
  );
  return (
    <>
      {/* The picture is made here, and of nothing but a board. */}
      <div class="picture" dangerouslySetInnerHTML={{ __html: svg }} />
      <footer>
        {last > 0 ? (
          <>
            {step("first", text.stepFirst, 0)}
            {step("back", text.stepBack, Math.max(0, at - 1))}
            <span role="status">{at} / {last} · {ply}</span>
            {step("next", text.stepNext, Math.min(last, at + 1))}
            {step("last", text.stepLast, last)}
          </>
        ) : null}
        <a href={`./#/s/${payload}`} target="_blank" rel="noopener">{text.openInAnqi}</a>
      </footer>
    </>
  );
}

document.documentElement.lang = language();
const root = document.getElementById("embed");
if (root) void learn(language()).then(() => render(<Embed />, root));
