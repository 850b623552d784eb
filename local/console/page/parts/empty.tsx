import type { ComponentChildren } from "preact";

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}
