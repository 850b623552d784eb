import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { go } from "./route.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** `is-spare` hides it on narrow screens. */
  readonly class?: string;
  readonly isLink?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly empty?: ComponentChildren;
  /** Default: its `id`. */
  readonly keyOf?: ((row: Row) => string) | undefined;
  /** Makes the whole row a link. */
  readonly hrefOf?: ((key: string) => string) | undefined;
  readonly chosen?: string | undefined;
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, empty, keyOf = idOf, hrefOf, chosen } = props;
  if (rows === undefined || rows.length === 0) return <>{rows && empty}</>;
  return (
    <div class={hrefOf === undefined ? "table-box" : undefined}>
      <table class={hrefOf === undefined ? undefined : "rows"} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, ...column }) => (
              <th key={title} scope="col" class={column.class}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = keyOf(row);
            const isChosen = key === chosen;
            return (
              <tr key={key} class={isChosen ? "is-chosen" : undefined}>
                {columns.map(({ title, cell, isLink, ...column }) => (
                  <td key={title} class={column.class}>
                    {isLink === true && hrefOf !== undefined ? (
                      <a class="row-link" href={hrefOf(key)} aria-current={isChosen ? "true" : undefined}>
                        {cell(row)}
                      </a>
                    ) : (
                      cell(row)
                    )}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

export function idOf(row: unknown) {
  return String(Object(row).id);
}

interface PanesProps {
  readonly list: ComponentChildren;
  readonly detail: ComponentChildren | undefined;
  readonly back: string;
  readonly name: string;
}

export function Panes({ list, detail, back, name }: PanesProps) {
  const box = useRowKeys();
  return (
    <div class={`split ${detail === undefined ? "" : "has-detail"}`}>
      <div class="column" ref={box}>
        {list}
      </div>
      {detail && (
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

const steps: Readonly<Record<string, number>> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };

/** Handles keys: j and k move through the rows; so do arrows in a focused row. */
function useRowKeys() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, key } = event;
      const step = steps[key];
      if (step === undefined || !(target instanceof HTMLElement)) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.closest("input, select, textarea, dialog, [popover], .json-editor")) return;
      const links = [...(box.current?.querySelectorAll<HTMLAnchorElement>("a.row-link") ?? [])];
      if (key.startsWith("Arrow") && !links.some((link) => link === target)) return;
      const at = links.findIndex((link) => link.getAttribute("href") === location.hash);
      const next = links[at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + step))];
      if (next === undefined) return;
      event.preventDefault();
      go(next.hash, { replace: at !== -1 });
      next.focus();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return box;
}
