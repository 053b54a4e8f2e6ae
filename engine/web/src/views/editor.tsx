// Setting up a position: the server checks it and names every fault.

import { useEffect, useState } from "preact/hooks";
import { Board } from "../board/board";
import { boardField, FULL_BAG, PIECES, SQUARES, squaresField } from "../board/geometry";
import { Disc } from "../board/piece";
import { words } from "../i18n";
import { connection } from "../net/connection";
import { Choice, Slider } from "../parts/fields";
import { analysis, openLine } from "../state/analysis";
import { complain, create } from "../state/game";
import { useStore } from "../state/store";
import type { Checked } from "../wire";

interface Draft {
  squares: string;
  turn: "r" | "b" | "-";
  /** Letters face down, or `*` for all that are missing. */
  hidden: string;
  quiet: number;
}

const ALL_DOWN: Draft = { squares: "?".repeat(32), turn: "-", hidden: "*", quiet: 0 };
const EMPTY: Draft = { squares: ".".repeat(32), turn: "r", hidden: "*", quiet: 0 };

const MOST_QUIET = 180;

function draftOf(position: string): Draft {
  const [, turn = "-", hidden = "*", quiet = "0"] = position.split(" ");
  return { squares: squaresField(position), turn: turn as Draft["turn"], hidden: hidden === "-" ? "" : hidden, quiet: Number(quiet) };
}

function textOf(draft: Draft): string {
  const ply = draft.turn === "-" ? 0 : Math.max(1, draft.quiet);
  const down = draft.squares.includes("?");
  const hidden = draft.hidden === "*" ? (down ? "*" : "-") : draft.hidden || "-";
  return `${boardField(draft.squares)} ${draft.turn} ${hidden} ${draft.quiet} ${ply}`;
}

function painted(squares: string, square: string, content: string): string {
  const list = [...squares];
  const index = SQUARES.indexOf(square);
  list[index] = list[index] === content ? "." : content;
  return list.join("");
}

export function Editor() {
  const { study, boards } = useStore(analysis);
  const [draft, setDraft] = useState<Draft>(() => {
    const board = boards[study.at];
    return board ? draftOf(board.position) : ALL_DOWN;
  });
  const [brush, setBrush] = useState("?");
  const [checked, setChecked] = useState<Checked | null>(null);
  const change = (some: Partial<Draft>) => setDraft({ ...draft, ...some });
  const paint = (square: string) => {
    // A piece that is face up gives the players their colours.
    const turn = draft.turn === "-" && PIECES.includes(brush) ? "r" : draft.turn;
    change({ squares: painted(draft.squares, square, brush), turn });
  };
  const position = textOf(draft);
  useEffect(() => {
    connection.ask<"check_position">({ type: "check_position", position }).then(setChecked, complain);
  }, [position]);
  const board = { squares: draft.squares, targets: {}, flips: [], captures: [], threatened: [] };
  return (
    <div class="stage editor">
      <div class="table">
        <Palette brush={brush} setBrush={setBrush} />
        <Board board={board} onSquare={paint} game="editor" />
      </div>
      <div class="side-panel">
        <Setting draft={draft} change={change} />
        <Check checked={checked} position={position} onText={(text) => setDraft(draftOf(text))} />
      </div>
    </div>
  );
}

interface DraftProps {
  draft: Draft;
  change: (some: Partial<Draft>) => void;
}

/** All of a position but where the pieces lie. */
function Setting({ draft, change }: DraftProps) {
  const text = words();
  const sides: { value: Draft["turn"]; label: string }[] = [
    { value: "-", label: text.nobody },
    { value: "r", label: text.colors.red },
    { value: "b", label: text.colors.black },
  ];
  return (
    <section class="card" aria-label={text.editor}>
      <h1>{text.editor}</h1>
      <p class="note">{text.editorAbout}</p>
      <div class="buttons">
        <button type="button" onClick={() => change(ALL_DOWN)}>{text.allDown}</button>
        <button type="button" onClick={() => change(EMPTY)}>{text.emptyBoard}</button>
      </div>
      <Choice legend={text.toMove} options={sides} value={draft.turn} onChange={(turn) => change({ turn })} />
      <Slider label={text.quiet} min={0} max={MOST_QUIET} value={draft.quiet} text={String(draft.quiet)} onChange={(quiet) => change({ quiet })} />
      <Hidden draft={draft} change={change} />
    </section>
  );
}

/** What the server found, and where a sound position leads. */
function Check({ checked, position, onText }: { checked: Checked | null; position: string; onText: (text: string) => void }) {
  const text = words();
  const sound = checked?.board ?? null;
  const play = () => sound && void create({ seats: [{ kind: "me" }, { kind: "level", level: 5 }], start: sound.position });
  return (
    <section class="card" aria-label={text.check}>
      <Faults checked={checked} />
      <label class="block">
        <span>{text.positionString}</span>
        <input class="record" value={sound?.position ?? position} onChange={(event) => onText(event.currentTarget.value)} />
      </label>
      <div class="buttons">
        <button type="button" class="primary" disabled={!sound} onClick={() => sound && openLine({ line: { start: sound.position, plies: [] } })}>
          {text.analyse}
        </button>
        <button type="button" disabled={!sound || sound.outcome !== null} onClick={play}>{text.playFromHere}</button>
      </div>
    </section>
  );
}

function Palette({ brush, setBrush }: { brush: string; setBrush: (brush: string) => void }) {
  const text = words();
  return (
    <div class="palette all" role="radiogroup" aria-label={text.brush}>
      {["?", ".", ...PIECES].map((content) => (
        <button
          key={content}
          type="button"
          role="radio"
          aria-checked={brush === content}
          aria-label={text.content(content)}
          title={text.content(content)}
          onClick={() => setBrush(content)}
        >
          {content === "." ? <span class="eraser" /> : <Disc content={content} />}
        </button>
      ))}
    </div>
  );
}

function count(letters: string, letter: string): number {
  return [...letters].filter((each) => each === letter).length;
}

/** Which pieces lie face down: all that are missing, or counted by hand. */
function Hidden({ draft, change }: DraftProps) {
  const text = words();
  const byHand = draft.hidden !== "*";
  const missing = [...PIECES].flatMap((letter) => Array<string>(Math.max(0, count(FULL_BAG, letter) - count(draft.squares, letter))).fill(letter)).join("");
  const set = (letter: string, by: number) => {
    const wanted = Math.max(0, count(draft.hidden, letter) + by);
    change({ hidden: [...PIECES].map((each) => each.repeat(each === letter ? wanted : count(draft.hidden, each))).join("") });
  };
  return (
    <>
      <Choice
        legend={text.faceDownPieces}
        options={[
          { value: "all", label: text.allMissing },
          { value: "hand", label: text.byHand },
        ]}
        value={byHand ? "hand" : "all"}
        onChange={(value) => change({ hidden: value === "all" ? "*" : missing })}
      />
      {byHand ? (
        <ul class="steppers">
          {[...PIECES].map((letter) => (
            <Stepper key={letter} letter={letter} value={count(draft.hidden, letter)} most={count(FULL_BAG, letter)} onStep={(by) => set(letter, by)} />
          ))}
        </ul>
      ) : null}
    </>
  );
}

export function Stepper(props: { letter: string; value: number; most: number; onStep: (by: 1 | -1) => void }) {
  const text = words();
  const name = text.kind(props.letter);
  return (
    <li class={props.value === 0 ? "none" : ""}>
      <button type="button" aria-label={text.fewer(name)} disabled={props.value === 0} onClick={() => props.onStep(-1)}>−</button>
      <span class="stepper-value" role="img" aria-label={`${name}: ${props.value}`}>
        <Disc content={props.letter} />
        <b aria-hidden="true">{props.value}</b>
      </span>
      <button type="button" aria-label={text.moreOf(name)} disabled={props.value >= props.most} onClick={() => props.onStep(1)}>+</button>
    </li>
  );
}

function Faults({ checked }: { checked: Checked | null }) {
  const text = words();
  if (!checked) return <p role="status">{text.loading}</p>;
  if (checked.board) return <p class="good" role="status">{text.positionFine}</p>;
  return (
    <ul class="faults bad" role="status">
      {checked.faults.map(({ code, message, subject }) => (
        <li key={`${code}${subject}`}>{text.fault(code, subject, message)}</li>
      ))}
    </ul>
  );
}
