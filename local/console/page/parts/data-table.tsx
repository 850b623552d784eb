import type { ComponentChildren } from "preact";
import { TextField } from "./field.tsx";
import { useTyped } from "./use-typed.ts";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Hidden on narrow screens. */
  readonly isMinor?: boolean;
  readonly isNumber?: boolean;
}

export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
}: {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
}) {
  return (
    <div class="table-box">
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `page` counts from 1. */
export function Pager({
  page,
  perPage,
  total,
  onPage,
}: {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}) {
  if (total === 0) return null;
  const first = (page - 1) * perPage + 1;
  const last = Math.min(total, page * perPage);
  // The last page may have become empty.
  const isPast = first > total;
  return (
    <nav class="buttons" aria-label="Pages">
      <span class="soft">
        {isPast ? "None" : `${first.toLocaleString()}–${last.toLocaleString()}`} of {total.toLocaleString()}
      </span>
      <button
        type="button"
        disabled={page <= 1}
        onClick={() => onPage(Math.min(page - 1, Math.ceil(total / perPage)))}
      >
        Previous
      </button>
      <button type="button" disabled={last >= total} onClick={() => onPage(page + 1)}>
        Next
      </button>
    </nav>
  );
}

export function SearchField({
  label,
  value,
  onSearch,
  placeholder,
}: {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
  readonly placeholder?: string;
}) {
  const [typed, type] = useTyped(value, onSearch);
  return (
    <TextField
      type="search"
      label={label}
      value={typed}
      {...(placeholder !== undefined && { placeholder })}
      onInput={type}
    />
  );
}

function classOf({ isMinor, isNumber }: { isMinor?: boolean; isNumber?: boolean }): string {
  return `${isMinor === true ? "is-spare " : ""}${isNumber === true ? "number" : ""}`;
}
