import type { ComponentChildren } from "preact";

export function HeadRow({
  columns,
  children,
}: {
  readonly columns: readonly (readonly [title: string, className?: string])[];
  readonly children?: ComponentChildren;
}) {
  return (
    <thead>
      <tr>
        {children}
        {columns.map(([title, className]) => (
          <th key={title} scope="col" class={className}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}
