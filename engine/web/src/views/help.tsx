// The help dialog: how the game goes, and every key.

import { words } from "../i18n";
import { Dialog } from "../parts/dialog";
import { Ranks } from "../parts/ranks";

export function Help({ onClose }: { onClose: () => void }) {
  const text = words();
  return (
    <Dialog title={text.help} onClose={onClose} wide>
      <h3>{text.howToPlay}</h3>
      <Ranks />
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
