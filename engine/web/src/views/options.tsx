// The settings dialog.

import { Disc } from "../board/piece";
import { words } from "../i18n";
import { Dialog } from "../parts/dialog";
import { Choice, Switch } from "../parts/fields";
import { playSound } from "../sound";
import { change, settings } from "../state/settings";
import { useStore } from "../state/store";
import { YourData } from "./data";

export function Options({ onClose }: { onClose: () => void }) {
  const text = words();
  const now = useStore(settings);
  return (
    <Dialog title={text.settings} onClose={onClose}>
      <Choice
        legend={text.language}
        options={[
          { value: "auto", label: text.automatic },
          { value: "en", label: <span lang="en">English</span> },
          { value: "zh-Hant", label: <span lang="zh-Hant">繁體中文</span> },
          { value: "zh-Hans", label: <span lang="zh-Hans">简体中文</span> },
        ]}
        value={now.language}
        onChange={(language) => change({ language })}
      />
      <Choice
        legend={text.theme}
        options={[
          { value: "auto", label: text.automatic },
          { value: "light", label: text.light },
          { value: "dark", label: text.dark },
        ]}
        value={now.theme}
        onChange={(theme) => change({ theme })}
      />
      <Choice
        legend={text.pieces}
        options={[
          { value: "characters", label: text.pieceSets.characters },
          { value: "letters", label: text.pieceSets.letters },
          { value: "pictures", label: text.pieceSets.pictures },
        ]}
        value={now.pieces}
        onChange={(pieces) => change({ pieces })}
      />
      <div class="sample" aria-hidden="true">
        {[..."KGMRNCPkgmrncp"].map((letter) => <Disc key={letter} content={letter} />)}
      </div>
      <Choice
        legend={text.boardLies}
        options={[
          { value: "auto", label: text.automatic },
          { value: "lying", label: text.lying },
          { value: "upright", label: text.upright },
        ]}
        value={now.board}
        onChange={(board) => change({ board })}
      />
      <div class="switches">
        <Switch label={text.sounds} on={now.sound} onChange={(sound) => { change({ sound }); if (sound) playSound("move"); }} />
        <Switch label={text.showTargets} on={now.showTargets} onChange={(showTargets) => change({ showTargets })} />
        <Switch label={text.showCannonLines} on={now.showCannonLines} onChange={(showCannonLines) => change({ showCannonLines })} />
        <Switch label={text.showThreats} on={now.showThreats} onChange={(showThreats) => change({ showThreats })} />
        <Switch label={text.coordinates} on={now.coordinates} onChange={(coordinates) => change({ coordinates })} />
        <Switch label={text.confirmFlips} on={now.confirmFlips} onChange={(confirmFlips) => change({ confirmFlips })} />
      </div>
      <YourData />
    </Dialog>
  );
}
