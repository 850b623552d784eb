import { ask } from "../../../parts/ask.ts";
import { Badge } from "../../../parts/badge.tsx";
import type { Column } from "../../../parts/data-table.tsx";
import type { FormField } from "../../../parts/form-values.ts";
import { useResource } from "../../../parts/use-resource.ts";
import { ItemCard } from "../item-card.tsx";

interface Reason {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly default?: boolean;
}

const existing: readonly FormField[] = [
  { name: "name", label: "Name", isRequired: true },
  { name: "description", label: "Description" },
];
const fresh: readonly FormField[] = [{ name: "id", label: "Id", isRequired: true }, ...existing];

const columns: readonly Column<Reason>[] = [
  { title: "Reason", cell: ({ name }) => <bdi>{name}</bdi> },
  { title: "Id", cell: ({ id }) => <code>{id}</code> },
  { title: "Description", cell: ({ description }) => description, isMinor: true },
  { title: "Origin", cell: (reason) => reason.default === true && <Badge>built in</Badge>, isMinor: true },
];

export function Reasons({ appId }: { appId: string }) {
  const path = `/api/chat/${appId}/moderation/reasons`;
  return (
    <ItemCard
      title="Reasons"
      word="reason"
      says="Users choose one when they flag a message. In a deployed app, reasons are declared as code; other changes are reverted."
      resource={useResource<{ data: readonly Reason[] }>(path, ["world"])}
      columns={columns}
      idOf={({ id }) => id}
      fields={{ fresh, existing }}
      save={(body, reason) =>
        reason === undefined
          ? ask(path, { method: "POST", body })
          : ask(`${path}/${encodeURIComponent(reason.id)}`, { method: "PUT", body })
      }
      remove={({ id }) => ask(`${path}/${encodeURIComponent(id)}`, { method: "DELETE" })}
      lost="Users can no longer flag a message with it."
      none="Users need a reason to flag a message."
    />
  );
}
