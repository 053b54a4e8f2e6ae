// The end of a game: the result, a new one, the report, and the proof of an honest deal.

import { useState } from "preact/hooks";
import { words } from "../i18n";
import { connection } from "../net/connection";
import { blake3 } from "../blake3";
import { Icon } from "../parts/dialog";
import { CopyLink } from "../parts/share";
import { openLine } from "../state/analysis";
import { complain, rematch } from "../state/game";
import { go } from "../state/route";
import type { State } from "../wire";
import { lineOf } from "./play";

export function End({ state }: { state: State }) {
  const text = words();
  const { outcome, you } = state;
  if (!outcome) return null;
  const won = outcome.winner_seat !== null && you.length === 1 ? you[0] === outcome.winner_seat : null;
  const title = outcome.winner_seat === null ? text.drawn : won === null ? text.outcomeShort(outcome) : won ? text.youWin : text.youLose;
  return (
    <section class={`card end ${outcome.winner ?? "drawn"}`} aria-label={text.result}>
      <h2>{title}</h2>
      <p>{text.outcomeReason(outcome)}</p>
      <div class="buttons">
        {you.length > 0 || state.seats.every((seat) => seat.kind !== "person") ? (
          <button type="button" class="primary" onClick={() => void rematch()}>{text.rematch}</button>
        ) : null}
        <button type="button" onClick={() => openLine(lineOf(state), "report")}>
          <Icon name="report" />
          {text.gameReport}
        </button>
        <button type="button" onClick={() => openLine(lineOf(state))}>
          <Icon name="analyse" />
          {text.analyse}
        </button>
        <CopyLink shared={() => ({ kind: "game", ...sharedOf(state) })} />
        <button type="button" onClick={() => go("#/")}>{text.newGame}</button>
      </div>
      <Deal state={state} />
    </section>
  );
}

/** A game that is over, as a link carries it. */
function sharedOf(state: State) {
  const { line, players, outcome } = lineOf(state);
  return { ...line, players, outcome, at: line.plies.length };
}

/** What can be said of the deal while the game goes on. */
export function DealFixed({ hash }: { hash: string }) {
  const text = words();
  return (
    <details class="deal">
      <summary>{text.dealFixed}</summary>
      <p>{text.dealFixedAbout}</p>
      <code class="hash">{hash}</code>
    </details>
  );
}

/** The hash was shown before the first ply; now the deal behind it can be checked, here and by the server. */
function Deal({ state }: { state: State }) {
  const text = words();
  const [result, setResult] = useState<{ fine: boolean; reason: string } | null>(null);
  const { hash, nonce, layout } = state.deal;
  if (!nonce || !layout) return null;
  const check = async () => {
    const here = blake3(`${nonce} ${layout}`) === hash;
    try {
      const plies = state.plies.map((each) => each.ply);
      const there = await connection.ask<"check_deal">({ type: "check_deal", hash, nonce, layout, start: state.start, plies, rules: state.rules });
      setResult({ fine: here && there.matches, reason: there.reason ?? (here ? "" : text.hashDiffers) });
    } catch (error) {
      complain(error);
    }
  };
  return (
    <details class="deal">
      <summary>{text.deal}</summary>
      <p>{text.dealAbout}</p>
      <code class="hash">{`printf '%s %s' ${nonce} ${layout} | b3sum`}</code>
      <code class="hash">{hash}</code>
      <button type="button" onClick={() => void check()}>
        <Icon name="check" />
        {text.checkDeal}
      </button>
      {result ? <p class={result.fine ? "good" : "bad"} role="status">{result.fine ? text.dealHonest : `${text.dealWrong} ${result.reason}`}</p> : null}
    </details>
  );
}
