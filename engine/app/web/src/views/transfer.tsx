// Records, positions and links in and out.

import { useEffect, useState } from "preact/hooks";
import { words } from "../i18n";
import { connection, Refusal } from "../net/connection";
import { CopyField } from "../parts/copy";
import { Dialog } from "../parts/dialog";
import { Choice } from "../parts/fields";
import { analysis, lineTo, openLine } from "../state/analysis";
import { complain } from "../state/game";
import { lineLink } from "../state/route";
import { useStore } from "../state/store";
import { mainLine, notesOf, saysMore } from "../state/tree";
import type { Exported } from "../wire";

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const text = words();
  const [record, setRecord] = useState("");
  const [fault, setFault] = useState<string | null>(null);
  const read = async () => {
    try {
      const imported = await connection.ask<"import">({ type: "import", text: record });
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
    if (file) setRecord(await file.text());
  };
  return (
    <Dialog title={text.importText} onClose={onClose} wide>
      <p>{text.importAbout}</p>
      <label class="block">
        <span>{text.record}</span>
        <textarea class="record" rows={10} spellcheck={false} value={record} onInput={(event) => setRecord(event.currentTarget.value)} />
      </label>
      {fault ? <p class="bad" role="alert">{fault}</p> : null}
      <div class="buttons">
        <label class="file">
          <span>{text.chooseFile}</span>
          <input type="file" accept=".txt,.json,text/plain" onChange={(event) => void choose(event.currentTarget.files)} />
        </label>
        <button type="button" class="primary" disabled={record.trim() === ""} onClick={() => void read()}>{text.open}</button>
      </div>
    </Dialog>
  );
}

type Format = "platform" | "anqi" | "position";

export function ExportDialog({ onClose }: { onClose: () => void }) {
  const text = words();
  const { study } = useStore(analysis);
  const annotated = saysMore(study.tree);
  const [format, setFormat] = useState<Format>(annotated ? "anqi" : "platform");
  const [exported, setExported] = useState<Exported | null>(null);
  const [link, setLink] = useState("");
  const end = mainLine(study.tree).at(-1) ?? 0;
  useEffect(() => {
    const ask = (form: Format, at: number) =>
      connection.ask<"export">({
        type: "export",
        format: form,
        line: lineTo(at),
        ...(study.players ? { players: study.players } : {}),
        ...(form === "platform" && study.original ? { original: study.original } : {}),
        ...(form === "anqi" && annotated ? { notes: notesOf(study.tree) } : {}),
      });
    ask(format, format === "position" ? study.at : end).then(setExported, complain);
    ask("position", study.at).then((answer) => setLink(lineLink(answer.text.trim())), complain);
  }, [format]);
  const file = exported ? URL.createObjectURL(new Blob([exported.text], { type: "text/plain" })) : "";
  return (
    <Dialog title={text.exportText} onClose={onClose} wide>
      <Choice
        legend={text.format}
        options={[
          { value: "platform", label: text.formats.platform },
          { value: "anqi", label: text.formats.anqi },
          { value: "position", label: text.formats.position },
        ]}
        value={format}
        onChange={setFormat}
      />
      {annotated && format !== "anqi" ? <p class="note" role="status">{text.withoutNotes}</p> : null}
      <label class="block">
        <span>{text.record}</span>
        <textarea class="record" rows={10} readOnly value={exported?.text ?? ""} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <div class="buttons">
        <a class="button primary" href={file} download={exported?.name ?? "game.txt"}>{text.download}</a>
      </div>
      <CopyField label={text.linkToPosition} value={link} />
    </Dialog>
  );
}
