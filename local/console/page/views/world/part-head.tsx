import type { ComponentChildren } from "preact";

export function PartHead({
  title,
  says,
  children,
}: {
  readonly title: ComponentChildren;
  readonly says?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  return (
    <header class="row is-apart">
      <div>
        <h2>
          <bdi>{title}</bdi>
        </h2>
        {says !== undefined && <p class="soft">{says}</p>}
      </div>
      {children !== undefined && <div class="buttons">{children}</div>}
    </header>
  );
}

export function Card({
  title,
  says,
  isWide = false,
  children,
}: {
  readonly title: string;
  readonly says?: ComponentChildren;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <section class={`card ${isWide ? "is-wide" : ""}`} aria-label={title}>
      <h3>{title}</h3>
      {says !== undefined && <p class="soft">{says}</p>}
      {children}
    </section>
  );
}

export function PartTrouble({ error }: { error: string | undefined }) {
  if (error === undefined) return null;
  return (
    <p class="trouble" role="alert">
      {error}
    </p>
  );
}
