// A new version is ready: said once, used when somebody asks for it.

import { words } from "../i18n";
import { app, useUpdate } from "../state/app";
import { game } from "../state/game";
import { useStore } from "../state/store";

export function Update() {
  const { update } = useStore(app);
  const { state } = useStore(game);
  if (update !== "ready") return null;
  const text = words();
  const playing = state !== null && !state.outcome;
  return (
    <div class="update" role="status">
      <p>{playing ? text.newVersionInGame : text.newVersion}</p>
      <button type="button" class="primary" onClick={useUpdate}>{text.useNewVersion}</button>
      <button type="button" onClick={() => app.set({ update: "later" })}>{text.later}</button>
    </div>
  );
}
