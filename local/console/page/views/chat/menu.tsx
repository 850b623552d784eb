import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

const gapPx = 6;

export function Menu({
  label,
  anchor,
  onClose,
  children,
}: {
  label: string;
  anchor: HTMLElement;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const menu = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return;
    element.showPopover();
    const place = anchor.getBoundingClientRect();
    const { width, height } = element.getBoundingClientRect();
    const below = place.bottom + gapPx;
    const top = below + height <= innerHeight ? below : Math.max(gapPx, place.top - gapPx - height);
    const left = Math.min(Math.max(gapPx, place.right - width), innerWidth - width - gapPx);
    Object.assign(element.style, { top: `${top}px`, left: `${left}px` });
    element.querySelector("button")?.focus();
  }, []);
  return (
    <section
      ref={menu}
      popover="auto"
      class="chat-menu"
      aria-label={label}
      onToggle={(event) => {
        if (event.newState !== "closed") return;
        if (document.activeElement === document.body) anchor.focus();
        onClose();
      }}
    >
      {children}
    </section>
  );
}
