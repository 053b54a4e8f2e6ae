// Records, positions and links in and out.

import { useEffect, useMemo, useState } from "preact/hooks";
import { words } from "../i18n";
import { connection, Refusal } from "../net/connection";
import { CopyField } from "../parts/copy";
import { Dialog } from "../parts/dialog";
import { Choice } from "../parts/fields";
import { useOrientation } from "../board/orientation";
import { outlineOf } from "../board/piece";
import { encode } from "../share/code";
import { picture } from "../share/picture";
import { analysis, lineTo, openLine, sharedLine } from "../state/analysis";
import { complain } from "../state/game";
import { embedding, isStatic, lineLink, sharedLink } from "../state/route";
import { settings } from "../state/settings";
import { useStore } from "../state/store";
import { mainLine, notesOf, saysMore } from "../state/tree";
import type { Exported, RecordFormat } from "../wire";

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const text = words();
  const [record, setRecord] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const [games, setGames] = useState<string[]>([]);
  const [number, setNumber] = useState(1);
  const change = (to: string) => {
    setRecord(to);
    setGames([]);
    setNumber(1);
  };
  const read = async () => {
    try {
      const imported = await connection.ask<"import">({ type: "import", text: record, game: number });
      // A file with several games is opened when one of them has been chosen.
      if (imported.games.length > 1 && games.length === 0) return setGames(imported.games);
      const original = imported.format === "platform" ? record : null;
      openLine({ line: imported.line, players: imported.players, outcome: imported.outcome, original, notes: imported.notes });
      onClose();
    } catch (error) {
      if (error instanceof Refusal) setFault(words().refusal(error.code, error.message));
      else throw error;
    }
  };
  const choose = async (files: FileList | null) => {
    const file = files?.[0];
    if (file) change(await file.text());
  };
  return (
    <Dialog title={text.importText} onClose={onClose} wide>
      <p>{text.importAbout}</p>
      <label class="block">
        <span>{text.record}</span>
        <textarea class="record" rows={10} spellcheck={false} value={record} onInput={(event) => change(event.currentTarget.value)} />
      </label>
      {games.length > 1 ? (
        <label class="block">
          <span>{text.whichGame}</span>
          <select value={number} onChange={(event) => setNumber(Number(event.currentTarget.value))}>
            {games.map((title, index) => <option key={index} value={index + 1}>{`${index + 1}. ${title}`}</option>)}
          </select>
        </label>
      ) : null}
      {fault ? <p class="bad" role="alert">{fault}</p> : null}
      <div class="buttons">
        <label class="file">
          <span>{text.chooseFile}</span>
          <input type="file" accept=".pgn,.txt,.json,text/plain" onChange={(event) => void choose(event.currentTarget.files)} />
        </label>
        <button type="button" class="primary" disabled={record.trim() === ""} onClick={() => void read()}>{text.open}</button>
      </div>
    </Dialog>
  );
}

export function ExportDialog({ onClose }: { onClose: () => void }) {
  const text = words();
  const { study } = useStore(analysis);
  const annotated = saysMore(study.tree);
  const [format, setFormat] = useState<RecordFormat>(annotated ? "anqi" : "platform");
  const [exported, setExported] = useState<Exported | null>(null);
  const [link, setLink] = useState("");
  const end = mainLine(study.tree).at(-1) ?? 0;
  useEffect(() => {
    const ask = (form: RecordFormat, at: number) => {
      const line = lineTo(at);
      // A line that goes on has no result yet, or another one.
      const whole = line.plies.join(" ") === study.ended;
      return connection.ask<"export">({
        type: "export",
        format: form,
        line,
        ...(whole ? { outcome: study.outcome, deal: study.deal ?? null } : {}),
        ...(study.players ? { players: study.players } : {}),
        ...(form === "platform" && study.original ? { original: study.original } : {}),
        ...((form === "anqi" || form === "pgn") && annotated ? { notes: notesOf(study.tree) } : {}),
      });
    };
    ask(format, format === "position" ? study.at : end).then(setExported, complain);
    ask("position", study.at).then((answer) => setLink(lineLink(answer.text.trim())), complain);
  }, [format]);
  const file = useFile(exported?.text ?? "", "text/plain");
  return (
    <Dialog title={text.exportText} onClose={onClose} wide>
      <Choice
        legend={text.format}
        options={[
          { value: "pgn", label: text.formats.pgn },
          { value: "platform", label: text.formats.platform },
          { value: "anqi", label: text.formats.anqi },
          { value: "position", label: text.formats.position },
        ]}
        value={format}
        onChange={setFormat}
      />
      {annotated && format !== "anqi" && format !== "pgn" ? <p class="note" role="status">{text.withoutNotes}</p> : null}
      <label class="block">
        <span>{text.record}</span>
        <textarea class="record" rows={10} readOnly value={exported?.text ?? ""} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <div class="buttons">
        <a class="button primary" href={file} download={exported?.name ?? "game.txt"}>{text.download}</a>
      </div>
      <CopyField label={text.linkToPosition} value={link} />
      <Carried />
    </Dialog>
  );
}

/** The address of a file made of a text, as long as it is shown; empty for no text. */
function useFile(content: string, type: string): string {
  const address = useMemo(() => (content ? URL.createObjectURL(new Blob([content], { type })) : ""), [content, type]);
  useEffect(() => () => URL.revokeObjectURL(address), [address]);
  return address;
}

/** Links that carry the game, what embeds it, and the board as a picture. */
function Carried() {
  const text = words();
  const { study, boards } = useStore(analysis);
  const { pieces } = useStore(settings);
  const orientation = useOrientation();
  const board = boards[study.at];
  const played = study.tree.length > 1;
  const noted = saysMore(study.tree) ? encode(sharedLine("game", true)) : null;
  const [game, report, position] = (["game", "report", "position"] as const).map((kind) => encode(sharedLine(kind, noted !== null)));
  const shown = board ? picture({ squares: board.squares, orientation, outline: (letter) => outlineOf(letter, pieces), title: board.position }) : "";
  const file = useFile(shown, "image/svg+xml");
  return (
    <>
      {played && game && report ? (
        <>
          <CopyField label={text.linkToGame} value={sharedLink(game)} />
          <CopyField label={text.linkToReport} value={sharedLink(report)} />
        </>
      ) : null}
      {played && !game ? <p class="note" role="status">{text.linkTooLong}</p> : null}
      {played && game && !noted && saysMore(study.tree) ? <p class="note" role="status">{text.linkWithoutNotes}</p> : null}
      {isStatic() && (game ?? position) ? <CopyField label={text.embedCode} value={embedding((played ? game : position) ?? "")} /> : null}
      <div class="buttons">
        {file ? <a class="button" href={file} download="anqi.svg">{text.savePicture}</a> : null}
      </div>
    </>
  );
}
