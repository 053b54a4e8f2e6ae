// A game that waits for somebody: the link to hand on.

import { words } from "../i18n";
import { CopyField } from "../parts/copy";
import { about } from "../state/about";
import { game, remembered } from "../state/game";
import { joinLink } from "../state/route";
import { useStore } from "../state/store";
import type { State } from "../wire";

export function Waiting({ state }: { state: State }) {
  const text = words();
  const { reach } = useStore(about).about;
  const known = remembered(game.value.token ?? "");
  const links = (known?.links ?? []).filter(({ seat }) => state.seats[seat].waiting);
  return (
    <section class="card waiting" aria-label={text.waitingForOther}>
      <h2>{text.waitingForOther}</h2>
      <p>{reach ? text.sendLinkAbroad : text.sendLink}</p>
      {links.map(({ seat, token }) => (
        <CopyField key={seat} label={text.linkFor(seat)} value={joinLink(token)} />
      ))}
      {known?.watch ? <CopyField label={text.linkToWatch} value={joinLink(known.watch)} /> : null}
      {isSecureContext ? null : <p>{text.plainHttp}</p>}
    </section>
  );
}
