import type { QueueFigures, QueueRow } from "../../../api/queues.ts";
import { Badge } from "../../parts/badge.tsx";
import type { Filters } from "../../parts/filters.tsx";
import { HeadRow } from "../../parts/head-row.tsx";
import { Time } from "../../parts/time.tsx";
import { stateOf } from "./queue-words.ts";

interface TableProps {
  queue: QueueFigures;
  filters: Filters;
  chosen: string | undefined;
  rows: readonly QueueRow[];
  isSetAside: boolean;
  picked: ReadonlyMap<string, QueueRow>;
  pick: (row: QueueRow) => void;
  nowMs: number;
}

export function MessageTable({ rows, ...props }: TableProps) {
  const { isSetAside } = props;
  return (
    <table class="rows">
      <HeadRow
        columns={[
          [isSetAside ? "Added" : "Sent"],
          ["Event"],
          ["App", "is-spare"],
          [isSetAside ? "Cause" : "State", "is-wide"],
          [isSetAside ? "Attempts" : "Received", "number is-spare"],
        ]}
      >
        {isSetAside && (
          <th scope="col">
            <span class="visually-hidden">Selected</span>
          </th>
        )}
      </HeadRow>
      <tbody>
        {rows.map((row) => (
          <MessageLine key={row.id} row={row} {...props} />
        ))}
      </tbody>
    </table>
  );
}

function MessageLine({
  row,
  queue,
  filters,
  chosen,
  isSetAside,
  picked,
  pick,
  nowMs,
}: Omit<TableProps, "rows"> & { row: QueueRow }) {
  const isChosen = row.id === chosen;
  return (
    <tr class={isChosen ? "is-chosen" : undefined}>
      {isSetAside && (
        <td>
          <input
            type="checkbox"
            class="pick"
            aria-label={`Select ${row.trigger || "the delivery"} ${row.id}`}
            checked={picked.has(row.id)}
            onChange={() => pick(row)}
          />
        </td>
      )}
      <td>
        <Time ms={row.sentAtMs} />
      </td>
      <td>
        <a
          class="row-link"
          href={filters.hash(queue.name, row.id)}
          aria-current={isChosen ? "true" : undefined}
        >
          {row.trigger || "unknown"}
        </a>
      </td>
      <td class="is-spare">{row.appId}</td>
      <td class="is-wide">
        {isSetAside ? (
          <span class="clamp">
            <Badge tone="bad">{row.reason ?? "unknown"}</Badge> {row.cause}
          </span>
        ) : (
          stateOf(row, nowMs)
        )}
      </td>
      <td class="number is-spare">{isSetAside ? (row.tries ?? "") : row.received}</td>
    </tr>
  );
}
