// The seven ranks side by side, the strongest first.

import { Disc } from "../board/piece";
import { words } from "../i18n";

export function Ranks() {
  const text = words();
  return (
    <div class="ranks" role="img" aria-label={text.ranks}>
      {[..."KGMRNCP"].map((letter) => (
        <span key={letter}>
          <Disc content={letter} />
          <Disc content={letter.toLowerCase()} />
          <small>{text.roles[letter] ?? letter}</small>
        </span>
      ))}
    </div>
  );
}
