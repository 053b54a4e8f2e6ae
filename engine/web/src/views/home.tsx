// The first view: a board that is ready, and who plays whom.

import { useState } from "preact/hooks";
import { Board } from "../board/board";
import { SQUARES } from "../board/geometry";
import { words } from "../i18n";
import { connection } from "../net/connection";
import { Icon } from "../parts/dialog";
import { Choice, Select, Slider, Switch } from "../parts/fields";
import { rememberedNames } from "../parts/names";
import { Ranks } from "../parts/ranks";
import { about } from "../state/about";
import { create, forget, rememberedGames, type Remembered } from "../state/game";
import { go } from "../state/route";
import { load, save } from "../state/saved";
import { useStore } from "../state/store";
import type { Create, RulesName, Sitter } from "../wire";

type Against = "level" | "screen" | "link" | "engines";

interface Setup {
  against: Against;
  level: number;
  /** `levels`, or the spec of another player. */
  player: string;
  /** Levels or specs of two engines that play each other. */
  engines: [string, string];
  begin: "me" | "other" | "random";
  clock: string;
  rules: RulesName;
  seconds: number;
  thinking: boolean;
}

const DEFAULT: Setup = {
  against: "level",
  level: 3,
  player: "levels",
  engines: ["level:10", "level:5"],
  begin: "me",
  clock: "none",
  rules: "olympiad",
  seconds: 1,
  thinking: false,
};

/** Minutes for the game and seconds a move. */
const CLOCKS = ["none", "3+2", "5+3", "10+5", "15+10", "30+0"];

/** The longest thinking time on offer. */
const LONGEST_SECONDS = 20;

const BOARD = {
  squares: "?".repeat(32),
  targets: {},
  flips: SQUARES,
  captures: [],
  threatened: [],
};

function engine(text: string): Sitter {
  const level = text.match(/^level:(\d+)$/)?.[1];
  return level ? { kind: "level", level: Number(level) } : { kind: "player", spec: text };
}

function opponent(setup: Setup): Sitter {
  switch (setup.against) {
    case "screen":
      return { kind: "me" };
    case "link":
      return { kind: "link" };
    default:
      return engine(setup.player === "levels" ? `level:${setup.level}` : setup.player);
  }
}

export function message(setup: Setup): Create {
  const me: Sitter = { kind: "me" };
  const theirs = opponent(setup);
  const pair: [Sitter, Sitter] =
    setup.against === "engines"
      ? [engine(setup.engines[0]), engine(setup.engines[1])]
      : setup.begin === "other"
        ? [theirs, me]
        : [me, theirs];
  const [minutes, increment] = setup.clock.split("+").map(Number);
  const clock =
    setup.clock === "none" || minutes === undefined || increment === undefined
      ? null
      : { base_ms: minutes * 60_000, increment_ms: increment * 1000 };
  return {
    seats: pair,
    order: setup.begin === "random" ? "random" : "given",
    rules: setup.rules,
    clock,
    engine_ms: setup.seconds * 1000,
    show_thinking: setup.thinking || setup.against === "engines",
  };
}

/** A piece was turned over on the board that waits: who does that begins, if it is for them to begin. */
function begin(setup: Setup, action: string): Promise<boolean> {
  if (setup.against === "screen") return create(message(setup), action);
  if (setup.against === "level") return create(message({ ...setup, begin: "me" }), action);
  return create(message(setup));
}

/** The setup of the last time, as far as there is a backend for it. */
function remembered(): Setup {
  const setup = { ...DEFAULT, ...load("setup", {}) };
  return connection.backend.local && setup.against === "link" ? { ...setup, against: "level" } : setup;
}

export function Home() {
  const [setup, setSetup] = useState<Setup>(remembered);
  const change = (some: Partial<Setup>) => {
    const next = { ...setup, ...some };
    setSetup(next);
    save("setup", next);
  };
  return (
    <div class="stage home">
      <div class="table">
        <Board
          board={BOARD}
          game="home"
          onAction={(action) => begin(setup, action)}
        />
        <p class="lead">{words().turnAny}</p>
        <Ranks />
      </div>
      <div class="side-panel">
        <SetupForm setup={setup} change={change} />
        <Earlier />
      </div>
    </div>
  );
}

interface FormProps {
  setup: Setup;
  change: (some: Partial<Setup>) => void;
}

function SetupForm({ setup, change }: FormProps) {
  const text = words();
  const { about: can } = useStore(about);
  const opponents: { value: Against; label: string }[] = [
    { value: "level", label: text.against.level },
    { value: "screen", label: text.against.screen },
    ...(connection.backend.local ? [] : [{ value: "link" as const, label: text.against.link }]),
    { value: "engines", label: text.against.engines },
  ];
  return (
    <form
      class="card setup"
      onSubmit={(event) => {
        event.preventDefault();
        void create(message(setup));
      }}
    >
      <h1>{text.newGame}</h1>
      <Choice legend={text.opponent} options={opponents} value={setup.against} onChange={(against) => change({ against })} hideLegend columns={2} />
      {setup.against === "level" && setup.player === "levels" ? (
        <Slider
          label={text.level}
          min={1}
          max={can.levels.length}
          value={setup.level}
          text={`${setup.level} · ${text.levelName(setup.level)}`}
          onChange={(level) => change({ level })}
        />
      ) : null}
      {setup.against === "engines" ? <Engines setup={setup} change={change} /> : null}
      {setup.against === "level" || setup.against === "link" ? (
        <Choice
          legend={text.whoBegins}
          options={[
            { value: "me", label: text.begins.me },
            { value: "random", label: text.begins.random },
            { value: "other", label: text.begins.other },
          ]}
          value={setup.begin}
          onChange={(begin) => change({ begin })}
        />
      ) : null}
      <Choice
        legend={text.clock}
        options={CLOCKS.map((value) => ({ value, label: value === "none" ? text.noClock : value }))}
        value={setup.clock}
        columns={3}
        onChange={(clock) => change({ clock })}
      />
      <More setup={setup} change={change} />
      <button type="submit" class="primary big">
        <Icon name="play" />
        {text.startGame}
      </button>
      {connection.backend.local ? <p class="note">{text.needsServer}</p> : null}
    </form>
  );
}

/** What most people leave as it is. */
function More({ setup, change }: FormProps) {
  const text = words();
  const { about: can } = useStore(about);
  const players = [{ value: "levels", label: text.levelsPlayer }, ...can.players.map(({ spec }) => ({ value: spec, label: spec }))];
  return (
    <details>
      <summary>{text.more}</summary>
      <div class="more">
        <Select
          label={text.rules}
          options={can.rules.map((preset) => ({ value: preset.name, label: text.rulesName(preset) }))}
          value={setup.rules}
          onChange={(rules) => change({ rules })}
        />
        {setup.clock === "none" ? (
          <Slider
            label={text.engineTime}
            min={1}
            max={Math.min(LONGEST_SECONDS, Math.floor(can.limits.engine_ms / 1000))}
            value={setup.seconds}
            text={text.seconds(setup.seconds)}
            onChange={(seconds) => change({ seconds })}
          />
        ) : null}
        {setup.against === "level" && can.players.length > 0 ? (
          <Select label={text.player} options={players} value={setup.player} onChange={(player) => change({ player })} />
        ) : null}
        <Switch label={text.showThinking} on={setup.thinking} onChange={(thinking) => change({ thinking })} />
      </div>
    </details>
  );
}

function Engines({ setup, change }: FormProps) {
  const { about: can } = useStore(about);
  const options = [
    ...can.levels.map(({ number }) => ({ value: `level:${number}`, label: `${number} · ${words().levelName(number)}` })),
    ...can.players.map(({ spec }) => ({ value: spec, label: spec })),
  ];
  const [first, second] = setup.engines;
  return (
    <div class="pair">
      <Select label={words().firstSeat} options={options} value={first} onChange={(value) => change({ engines: [value, second] })} />
      <Select label={words().secondSeat} options={options} value={second} onChange={(value) => change({ engines: [first, value] })} />
    </div>
  );
}

function Earlier() {
  const [games, setGames] = useState<Remembered[]>(rememberedGames);
  const shown = games.filter((each) => each.plies.length > 0).slice(0, 5);
  if (shown.length === 0) return null;
  const text = words();
  const open = (each: Remembered) => go(`#/game/${each.token}`);
  return (
    <section class="card earlier" aria-labelledby="earlier">
      <h2 id="earlier">{text.yourGames}</h2>
      <ul>
        {shown.map((each) => (
          <li key={each.token}>
            <button type="button" class="row" onClick={() => open(each)}>
              <span>{text.versus(rememberedNames(each))}</span>
              <small>
                {text.plies(each.plies.length)} · {each.outcome ? text.outcomeShort(each.outcome) : text.goesOn} · {text.date(each.at)}
              </small>
            </button>
            <button
              type="button"
              class="icon quiet"
              aria-label={text.forget}
              title={text.forget}
              onClick={() => {
                forget(each.token);
                setGames(rememberedGames());
              }}
            >
              <Icon name="trash" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
