// Games and settings of this browser: into a file, out of one, and how long they are kept.

import { useState } from "preact/hooks";
import { words } from "../i18n";
import { app, install, keepForGood } from "../state/app";
import { backup, restore } from "../state/backup";
import { readAgain } from "../state/settings";
import { useStore } from "../state/store";

/** Long enough for a browser to begin a download. */
const DOWNLOAD_MS = 60_000;

async function download(): Promise<void> {
  const address = URL.createObjectURL(new Blob([await backup()], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = "anqi.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), DOWNLOAD_MS);
}

export function YourData() {
  const text = words();
  const { kept, canInstall, offline } = useStore(app);
  const [told, setTold] = useState<{ fine: boolean; sentence: string } | null>(null);
  const read = async (files: FileList | null) => {
    const file = files?.[0];
    if (!file) return;
    const restored = await restore(await file.text());
    if (restored === "faulty" || restored === "newer") return setTold({ fine: false, sentence: restored === "newer" ? text.importNewer : text.importFaulty });
    readAgain();
    setTold({ fine: true, sentence: text.importedAll(restored.entries) });
  };
  return (
    <section class="your-data" aria-labelledby="your-data">
      <h3 id="your-data">{text.yourData}</h3>
      <p class="note">{text.yourDataAbout}</p>
      <div class="buttons">
        <button type="button" onClick={() => void download()}>{text.exportAll}</button>
        <label class="file">
          <span>{text.importAll}</span>
          <input type="file" accept=".json,application/json" onChange={(event) => void read(event.currentTarget.files)} />
        </label>
        {kept === false ? <button type="button" onClick={() => void keepForGood()}>{text.keepForGood}</button> : null}
        {canInstall ? <button type="button" onClick={() => void install()}>{text.install}</button> : null}
      </div>
      {told ? <p class={told.fine ? "good" : "bad"} role="status">{told.sentence}</p> : null}
      {kept === null ? null : <p class="note">{kept ? text.keptForGood : text.mayBeDeleted}</p>}
      {offline === null ? null : <p class="note">{offline ? text.offlineReady : text.noOffline}</p>}
    </section>
  );
}
