// The help dialog: how the game goes, and every key.

import { CHARACTERS } from "../board/glyphs";
import { Disc } from "../board/piece";
import { words } from "../i18n";
import { Dialog } from "../parts/dialog";

export function Help({ onClose }: { onClose: () => void }) {
  const text = words();
  return (
    <Dialog title={text.help} onClose={onClose} wide>
      <h3>{text.howToPlay}</h3>
      <div class="ranks" role="img" aria-label={text.ranks}>
        {Object.keys(CHARACTERS).slice(0, 7).map((letter) => (
          <span key={letter}>
            <Disc content={letter} />
            <Disc content={letter.toLowerCase()} />
            <small>{text.roles[letter]}</small>
          </span>
        ))}
      </div>
      <ul class="prose">
        {text.ruleLines.map((line) => <li key={line}>{line}</li>)}
      </ul>
      <h3>{text.keys}</h3>
      <table class="keys">
        <tbody>
          {text.keyLines.map(([keys, meaning]) => (
            <tr key={keys}>
              <th scope="row">{keys.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</th>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
