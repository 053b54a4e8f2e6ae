// A dialog over the page: the browser's own, so that focus and Escape behave.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../i18n";

export function Dialog({ title, onClose, children, wide }: { title: string; onClose: () => void; children: ComponentChildren; wide?: boolean }) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    if (dialog && !dialog.open) dialog.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? "wide" : ""}
      aria-label={title}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2>{title}</h2>
          <button type="button" class="icon" aria-label={words().close} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

const ICONS: Record<string, string> = {
  close: "M5 5 19 19M19 5 5 19",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5",
  help: "M8.500 9a3.500 3.500 0 1 1 5 3.200c-1 .6-1.500 1.200-1.500 2.600M12 18.500v.1",
  sound: "M4 9.500v5h3.500L12 18.500v-13L7.500 9.500ZM15.500 9a4 4 0 0 1 0 6M18 6.500a8 8 0 0 1 0 11",
  mute: "M4 9.500v5h3.500L12 18.500v-13L7.500 9.500ZM16 9.500l5 5M21 9.500l-5 5",
  undo: "M9 5 4.500 9.500 9 14M5 9.500h9a5 5 0 0 1 0 10h-3",
  hint: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.500 10.900c.6.500 1 1.200 1 2.100h5c0-.9.400-1.600 1-2.100A6 6 0 0 0 12 3Z",
  flag: "M6 21V4h11l-2.500 4L17 12H6",
  draw: "M4 9h16M4 15h16",
  first: "M18 5 9 12l9 7M6 5v14",
  back: "M15 5 7 12l8 7",
  next: "M9 5l8 7-8 7",
  last: "M6 5l9 7-9 7M18 5v14",
  analyse: "M4 20V4M4 20h16M7 15l4-5 3 3 5-7",
  pause: "M8 5v14M16 5v14",
  resume: "M7 5l12 7-12 7Z",
  flipboard: "M4 8h12M12.500 4.500 16 8l-3.500 3.500M20 16H8M11.500 12.500 8 16l3.500 3.500",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.700-5.700l-1.300 1.200M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.700 5.700l1.300-1.200",
  copy: "M9 9h11v11H9ZM5 15H4V4h11v1",
  check: "M4 12.500 9.500 18 20 6.500",
  menu: "M4 7h16M4 12h16M4 17h16",
  play: "M7 4.500v15L19.500 12Z",
  edit: "M4 20h4L19 9l-4-4L4 16Z",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  report: "M6 3h9l4 4v14H6ZM9 12h7M9 16h7M9 8h3",
  swap: "M7 4v14M3.500 14.500 7 18l3.500-3.500M17 20V6M13.500 9.500 17 6l3.500 3.500",
};

export function Icon({ name }: { name: string }) {
  return (
    <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={ICONS[name]} />
    </svg>
  );
}
