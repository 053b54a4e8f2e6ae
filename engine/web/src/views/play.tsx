// A game: the board between two players, what is known, and what can be done.

import { useEffect, useState } from "preact/hooks";
import type { Arrow } from "../board/arrows";
import { Board } from "../board/board";
import { words } from "../i18n";
import { Icon } from "../parts/dialog";
import { Moves } from "../parts/moves";
import { awaited, nameOf, namesOf, recordNames, rememberedNames } from "../parts/names";
import { Pool } from "../parts/pool";
import { Seat } from "../parts/seat";
import { Steps, useStepKeys, writesElsewhere } from "../parts/steps";
import { Thoughts } from "../parts/thoughts";
import { act, create, enter, game, hint, play, remembered, type Remembered } from "../state/game";
import { openLine } from "../state/analysis";
import { explain } from "../state/explain";
import { checkLooking, follow, lookAt, lookBy, looking } from "../state/replay";
import { go } from "../state/route";
import { settings } from "../state/settings";
import { useStore } from "../state/store";
import type { Seat as SeatNumber, State } from "../wire";
import { DealFixed, End } from "./end";
import { Waiting } from "./waiting";

export function Play({ token }: { token: string }) {
  const { state, missing, hint: hinted } = useStore(game);
  const { at, board: past } = useStore(looking);
  useEffect(() => {
    void enter(token);
    return follow;
  }, [token]);
  useEffect(() => {
    if (state) checkLooking(state);
  }, [state]);
  useShortcuts(state);
  useStepKeys(lookBy);
  if (missing) return <Missing token={token} />;
  if (!state) return <p class="empty" role="status">{words().loading}</p>;
  const bottom: SeatNumber = state.you.length === 1 ? (state.you[0] as SeatNumber) : 0;
  const top: SeatNumber = bottom === 0 ? 1 : 0;
  const mine = state.to_move !== null && state.you.includes(state.to_move);
  const arrows: Arrow[] = hinted && at === null ? [{ action: hinted.action, look: "hint" }] : [];
  const waiting = state.seats.some((seat) => seat.waiting);
  const shown = (at === null ? null : past) ?? state.board;
  const acts = mine && at === null;
  const { line } = lineOf(state);
  return (
    <div class="stage" data-state={`${state.game} ${state.version}`}>
      <div class="table">
        <Seat state={state} seat={top} board={shown} />
        <div class="middle">
          <Board
            board={acts ? shown : { ...shown, targets: {}, flips: [] }}
            last={state.plies[(at ?? state.plies.length) - 1]?.ply ?? null}
            onAction={acts && !waiting ? play : undefined}
            onIllegal={(action) => void explain(line, action, shown.squares)}
            arrows={arrows}
            game={state.game}
          />
          <Pool hidden={shown.hidden} />
        </div>
        <Seat state={state} seat={bottom} board={shown} />
      </div>
      <div class="side-panel">
        {waiting ? <Waiting state={state} /> : null}
        {state.outcome ? <End state={state} /> : <Status state={state} mine={mine} />}
        <section class="card moves-card" aria-label={words().moves}>
          <Moves plies={state.plies} at={at ?? state.plies.length} onPick={(ply) => void lookAt(ply)} />
          <LookingBack state={state} />
          <Counters board={shown} />
          {state.outcome ? null : <DealFixed hash={state.deal.hash} />}
        </section>
        {state.outcome ? null : <Thoughts />}
      </div>
    </div>
  );
}

function useShortcuts(state: State | null): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (writesElsewhere(event)) return;
      if (!state || state.outcome) return;
      if (event.key === "u" && state.can_undo) void act({ type: "undo" });
      if (event.key === "h" && state.to_move !== null && state.you.includes(state.to_move)) void hint();
      if (event.key === "t") settings.set({ showThreats: !settings.value.showThreats });
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [state]);
}

/** Steps through the moves, and the way back to the game. */
function LookingBack({ state }: { state: State }) {
  const { at } = useStore(looking);
  const text = words();
  if (state.plies.length === 0) return null;
  return (
    <div class="looking">
      <Steps onStep={lookBy} />
      {at === null ? null : (
        <p class="note" role="status">
          {text.lookingBack(at, state.plies.length)}{" "}
          <button type="button" class="link" onClick={follow}>{text.backToGame}</button>
        </p>
      )}
    </div>
  );
}

function statusText(state: State, mine: boolean): string {
  const text = words();
  if (state.paused) return text.paused;
  const seat = state.to_move;
  if (seat === null) return "";
  const view = state.seats[seat];
  if (state.thinking) return text.isThinking(nameOf(state, seat));
  if (!mine) return awaited(state, seat);
  if (state.plies.length === 0 && !view.color) return text.firstFlip;
  if (state.you.length === 2) return view.color ? text.colorToMove(view.color) : text.yourTurn;
  return text.yourTurn;
}

function Status({ state, mine }: { state: State; mine: boolean }) {
  const text = words();
  const { hinting } = useStore(game);
  const player = state.you.length > 0;
  const engines = state.seats.every((seat) => seat.kind !== "person");
  return (
    <section class="card status" aria-label={text.game}>
      <p class={`turn${mine ? " mine" : ""}`}>
        {state.thinking ? <span class="dots" aria-hidden="true"><i /><i /><i /></span> : null}
        {statusText(state, mine)}
      </p>
      <Offer state={state} />
      <div class="buttons">
        {player ? (
          <>
            <Action icon="undo" label={text.undo} disabled={!state.can_undo} onClick={() => void act({ type: "undo" })} />
            <Action icon="hint" label={state.hints ? text.hint : text.askHints} disabled={!mine || hinting || (!state.hints && state.offer !== null)} onClick={() => void hint()} />
            <Action icon="draw" label={text.offerDraw} disabled={state.plies.length === 0 || state.offer !== null} onClick={() => void act({ type: "offer_draw" })} />
            <Resign />
          </>
        ) : null}
        {engines ? (
          <Action
            icon={state.paused ? "resume" : "pause"}
            label={state.paused ? text.resume : text.pause}
            onClick={() => void act({ type: "pause", paused: !state.paused })}
          />
        ) : null}
        {engines || state.you.length !== 1 ? (
          <Action icon="analyse" label={text.analyse} onClick={() => openLine(lineOf(state))} />
        ) : null}
      </div>
    </section>
  );
}

export function lineOf(state: State) {
  return {
    line: { start: state.start, plies: state.plies.map((each) => each.ply), rules: state.rules },
    players: recordNames(state),
    names: namesOf(state),
    outcome: state.outcome,
    deal: state.deal,
  };
}

function Action(props: { icon: string; label: string; disabled?: boolean; onClick: () => void }) {
  return (
    <button type="button" class="action" disabled={props.disabled} onClick={props.onClick}>
      <Icon name={props.icon} />
      <span>{props.label}</span>
    </button>
  );
}

/** How long a first press on Resign counts. */
const RESIGN_MS = 3000;

/** Resigning takes two presses. */
function Resign() {
  const text = words();
  const [sure, setSure] = useState(false);
  const press = () => {
    if (sure) return void act({ type: "resign" });
    setSure(true);
    setTimeout(() => setSure(false), RESIGN_MS);
  };
  return (
    <button type="button" class={`action resign${sure ? " sure" : ""}`} onClick={press}>
      <Icon name="flag" />
      <span>{sure ? text.reallyResign : text.resign}</span>
    </button>
  );
}

function Offer({ state }: { state: State }) {
  const text = words();
  const { offer, declined, you } = state;
  if (declined) return <p class="note" role="status">{text.declined(declined.kind)}</p>;
  if (!offer) return null;
  const asked = you.some((seat) => seat !== offer.by);
  if (!asked) return <p class="note" role="status">{text.offered(offer.kind)}</p>;
  return (
    <div class="offer" role="status">
      <p>{text.offers(offer.kind)}</p>
      <button type="button" class="primary" onClick={() => void act({ type: "answer", accept: true })}>{text.accept}</button>
      <button type="button" onClick={() => void act({ type: "answer", accept: false })}>{text.decline}</button>
    </div>
  );
}

function Counters({ board }: { board: State["board"] }) {
  const text = words();
  const { quiet, quiet_limit, repetition, repetition_limit } = board;
  return (
    <dl class="counters">
      <Counter label={text.quiet} title={text.quietLong} value={quiet} limit={quiet_limit} />
      {repetition_limit === null || repetition < 2 ? null : <Counter label={text.repetition} title={text.repetitionLong} value={repetition} limit={repetition_limit} />}
    </dl>
  );
}

function Counter({ label, title, value, limit }: { label: string; title: string; value: number; limit: number | null }) {
  const part = limit ? Math.min(1, value / limit) : 0;
  return (
    <div title={title}>
      <dt>{label}</dt>
      <dd class={part > 0.75 ? "near" : ""}>
        {limit === null ? value : `${value} / ${limit}`}
        <span class="gauge" aria-hidden="true"><i style={{ width: `${part * 100}%` }} /></span>
      </dd>
    </div>
  );
}

/** A game that the server has forgotten, taken up where it stood; what is hidden is dealt anew. */
function playOn(known: Remembered): Promise<boolean> {
  const me = { kind: "me" } as const;
  const other = { kind: "level", level: 5 } as const;
  const mine = known.plies.length % 2 === 0;
  return create({ seats: mine ? [me, other] : [other, me], start: `${known.start} moves ${known.plies.join(" ")}`, rules: known.rules });
}

function Missing({ token }: { token: string }) {
  const text = words();
  const known = remembered(token);
  return (
    <div class="card missing" role="status">
      <h1>{text.gameGone}</h1>
      <p>{known && known.plies.length > 0 ? text.gameGoneButKnown : text.gameGoneUnknown}</p>
      <div class="buttons">
        {known && known.plies.length > 0 ? (
          <button
            type="button"
            class="primary"
            onClick={() => openLine({ line: { start: known.start, plies: known.plies, rules: known.rules }, names: rememberedNames(known), outcome: known.outcome })}
          >
            {text.analyse}
          </button>
        ) : null}
        {known && known.plies.length > 0 && !known.outcome ? (
          <button type="button" onClick={() => void playOn(known)}>{text.playOn}</button>
        ) : null}
        <button type="button" onClick={() => go("#/")}>{text.newGame}</button>
      </div>
    </div>
  );
}
