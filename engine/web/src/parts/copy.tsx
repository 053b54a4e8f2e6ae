// A text with a button that copies it.

import { useState } from "preact/hooks";
import { words } from "../i18n";
import { announce, notify } from "../state/live";
import { Icon } from "./dialog";

/** Copies the text, which is selected. Over plain http from another device there is no clipboard, and the old command may refuse. */
async function copyText(value: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}

export function CopyField({ label, value }: { label: string; value: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async (event: MouseEvent) => {
    const field = (event.currentTarget as HTMLElement).parentElement?.querySelector("input");
    field?.select();
    if (!(await copyText(value))) return notify(words().copyByHand);
    setCopied(true);
    announce(words().copied);
    setTimeout(() => setCopied(false), 2000);
  };
  return (
    <div class="copy">
      <label>
        <span>{label}</span>
        <input readOnly value={value} onFocus={(event) => event.currentTarget.select()} />
      </label>
      <button type="button" onClick={(event) => void copy(event)}>
        <Icon name={copied ? "check" : "copy"} />
        <span>{copied ? words().copied : words().copy}</span>
      </button>
    </div>
  );
}
