// A button that copies a link; where the browser cannot copy, a field to copy it from by hand.

import { useState } from "preact/hooks";
import { words } from "../i18n";
import { encode, type Shared } from "../share/code";
import { announce, notify } from "../state/live";
import { sharedLink } from "../state/route";
import { CopyField } from "./copy";
import { Icon } from "./dialog";

export function CopyLink({ shared }: { shared: () => Shared }) {
  const text = words();
  const [copied, setCopied] = useState(false);
  const [byHand, setByHand] = useState<string | null>(null);
  const copy = async () => {
    const payload = encode(shared());
    if (payload === null) return notify(text.linkTooLong);
    const link = sharedLink(payload);
    try {
      await navigator.clipboard.writeText(link);
    } catch {
      // Over plain http there is no clipboard.
      return setByHand(link);
    }
    setCopied(true);
    announce(text.copied);
    setTimeout(() => setCopied(false), 2000);
  };
  if (byHand) return <CopyField label={text.copyLink} value={byHand} />;
  return (
    <button type="button" onClick={() => void copy()}>
      <Icon name={copied ? "check" : "link"} />
      {copied ? text.copied : text.copyLink}
    </button>
  );
}
