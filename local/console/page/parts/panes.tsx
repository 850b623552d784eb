import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

export function Panes({
  list,
  detail,
  back,
  name,
}: {
  list: ComponentChildren;
  detail: ComponentChildren | undefined;
  back: string;
  name: string;
}) {
  return (
    <div class={`split ${detail === undefined ? "" : "has-detail"}`}>
      <div class="column">{list}</div>
      {detail !== undefined && (
        <section class="detail is-half" aria-label={name}>
          <p class="close">
            <a href={back}>Close</a>
          </p>
          {detail}
        </section>
      )}
    </div>
  );
}

export function useRowKeys<Box extends HTMLElement>() {
  const box = useRef<Box>(null);
  useEffect(() => {
    const { current } = box;
    const step = (event: KeyboardEvent) => {
      const way = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      if (way === 0 || current === null) return;
      const links = [...current.querySelectorAll<HTMLElement>("a.row-link")];
      const at = links.findIndex((link) => link.matches(":focus"));
      const next = links[at + way];
      if (at === -1 || next === undefined) return;
      event.preventDefault();
      next.focus();
      next.click();
    };
    current?.addEventListener("keydown", step);
    return () => current?.removeEventListener("keydown", step);
  }, []);
  return box;
}
