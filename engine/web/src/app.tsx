// The frame around all views: name, navigation, dialogs, what is said aloud.

import { useEffect, useState } from "preact/hooks";
import { MARK } from "./board/glyphs";
import { Sprite } from "./board/piece";
import { words } from "./i18n";
import { connection } from "./net/connection";
import { Icon } from "./parts/dialog";
import { Update } from "./parts/update";
import { useRest } from "./rest";
import { live } from "./state/live";
import { route, type Route } from "./state/route";
import { change, settings } from "./state/settings";
import { useStore } from "./state/store";
import { Home } from "./views/home";
import { Play } from "./views/play";

function View({ at }: { at: Route }) {
  switch (at.view) {
    case "home":
      return <Home />;
    case "game":
      return <Play token={at.token} />;
    default:
      return <Other at={at} />;
  }
}

/** A view that is loaded after the first ones. */
function Other({ at }: { at: Exclude<Route, { view: "home" | "game" }> }) {
  const rest = useRest();
  if (rest === null) return <p class="empty" role="status">{words().loading}</p>;
  if (rest === "failed") return <p class="empty" role="alert">{words().hindrance.no_files}</p>;
  const { Analyse, Editor, Practice, Puzzles, Shared, Tables } = rest;
  switch (at.view) {
    case "analyse":
      return <Analyse line={at.line} />;
    case "editor":
      return <Editor />;
    case "puzzles":
      return <Puzzles />;
    case "tables":
      return <Tables />;
    case "practice":
      return <Practice key={at.material} material={at.material} />;
    case "shared":
      return <Shared key={at.payload} payload={at.payload} />;
  }
}

function Dialogs({ open, onClose }: { open: "help" | "options"; onClose: () => void }) {
  const rest = useRest();
  if (rest === null || rest === "failed") return null;
  return open === "help" ? <rest.Help onClose={onClose} /> : <rest.Options onClose={onClose} />;
}

export function App() {
  const { at } = useStore(route);
  const now = useStore(settings);
  const [dialog, setDialog] = useState<"help" | "options" | null>(null);
  const text = words();
  useEffect(() => {
    document.title = `${text.titles[at.view]} · anqi 暗棋`;
  }, [at, now.language]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, textarea, select, dialog")) return;
      if (event.key === "?") setDialog("help");
      if (event.key === "m") change({ sound: !settings.value.sound });
      if (event.key === "f") change({ board: nextBoard() });
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <Sprite />
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.querySelector<HTMLElement>("[data-square][tabindex='0']")?.focus(); }}>{text.toBoard}</a>
      <Header at={at} onHelp={() => setDialog("help")} onOptions={() => setDialog("options")} />
      <main id="main">
        <View at={at} />
      </main>
      <Voice />
      <Update />
      {dialog ? <Dialogs open={dialog} onClose={() => setDialog(null)} /> : null}
    </>
  );
}

/** The other way round than the board lies now. */
function nextBoard(): "lying" | "upright" {
  return document.querySelector(".board.lying") ? "upright" : "lying";
}

function Mark() {
  return (
    <a class="mark" href="#/" aria-label={words().home}>
      <svg viewBox="-50 -50 100 100" aria-hidden="true">
        <circle r="47" class="mark-disc" />
        <path transform="scale(0.064)" d={MARK.dark} />
      </svg>
      <svg viewBox="-50 -50 100 100" aria-hidden="true">
        <circle r="47" class="mark-disc red" />
        <path transform="scale(0.064)" d={MARK.chess} />
      </svg>
      <span>anqi</span>
    </a>
  );
}

function Header({ at, onHelp, onOptions }: { at: Route; onHelp: () => void; onOptions: () => void }) {
  const text = words();
  const { sound } = useStore(settings);
  const links: [string, string, Route["view"][]][] = [
    ["#/", text.titles.home, ["home", "game"]],
    ["#/analyse", text.titles.analyse, ["analyse", "editor"]],
    ["#/puzzles", text.titles.puzzles, ["puzzles"]],
    ["#/tables", text.titles.tables, ["tables", "practice"]],
  ];
  return (
    <header class="top">
      <Mark />
      <nav aria-label={text.navigation}>
        {links.map(([href, label, views]) => (
          <a key={href} href={href} aria-current={views.includes(at.view) ? "page" : undefined}>{label}</a>
        ))}
      </nav>
      <div class="top-tools">
        <button type="button" class="icon sound" aria-label={text.sounds} aria-pressed={sound} title={text.sounds} onClick={() => change({ sound: !sound })}>
          <Icon name={sound ? "sound" : "mute"} />
        </button>
        <button type="button" class="icon" aria-label={text.help} title={text.help} onClick={onHelp}>
          <Icon name="help" />
        </button>
        <button type="button" class="icon" aria-label={text.settings} title={text.settings} onClick={onOptions}>
          <Icon name="settings" />
        </button>
      </div>
    </header>
  );
}

function Voice() {
  const { polite, notice } = useStore(live);
  const { open, ever, hindrance } = useStore(connection.status);
  return (
    <>
      <div class="unseen" aria-live="polite" data-testid="live">{polite}</div>
      {notice ? <div class="notice" aria-hidden="true">{notice}</div> : null}
      {hindrance ? <div class="notice lost" role="alert">{words().hindrance[hindrance]}</div> : null}
      {ever && !open && !hindrance ? <div class="notice lost" role="alert">{words().reconnecting}</div> : null}
    </>
  );
}
