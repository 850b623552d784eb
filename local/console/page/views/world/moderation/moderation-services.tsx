import { ask } from "../../../parts/ask.ts";
import type { Column } from "../../../parts/data-table.tsx";
import type { FormField } from "../../../parts/form-values.ts";
import { useResource } from "../../../parts/use-resource.ts";
import { ItemCard } from "../item-card.tsx";
import { Card } from "../part-head.tsx";
import { toWorld } from "../to-world.ts";

interface Service {
  readonly listId: string;
  readonly url: string;
  readonly onError: string;
  readonly contextMessages: number;
}

const existing: readonly FormField[] = [
  { name: "url", label: "Address", isRequired: true, placeholder: "http://127.0.0.1:…" },
  {
    name: "onError",
    label: "When it fails",
    kind: "choice",
    options: [
      ["approve-message", "continue as if it did not match"],
      ["drop-message", "apply the rule"],
    ],
  },
  { name: "contextMessages", label: "Earlier messages to send", kind: "number", hint: "0 to 10." },
  { name: "username", label: "User name", hint: "Only together with a password." },
  {
    name: "password",
    label: "Password",
    kind: "password",
    hint: "Never shown. Enter it again.",
  },
];
const fresh: readonly FormField[] = [
  { name: "listId", label: "Id", isRequired: true, hint: "Rules refer to it as <id>_greaterThan_70" },
  ...existing,
];

const columns: readonly Column<Service>[] = [
  { title: "Id", cell: ({ listId }) => <code>{listId}</code> },
  { title: "Address", cell: ({ url }) => <code>{url}</code> },
  { title: "When it fails", cell: ({ onError }) => onError, isMinor: true },
  {
    title: "Earlier messages",
    cell: ({ contextMessages }) => contextMessages,
    isNumber: true,
    isMinor: true,
  },
];

export function ModerationServices({ appId }: { appId: string }) {
  const path = `/api/platform/apps/${appId}/moderation-services`;
  return (
    <>
      <ItemCard
        title="Custom services"
        word="service"
        says="Called while a message waits, for at most 2 s. On the platform, services are set up in the dashboard; there is no REST operation."
        resource={useResource<{ data: readonly Service[] }>(path, ["world"])}
        columns={columns}
        idOf={({ listId }) => listId}
        fields={{ fresh, existing }}
        save={({ listId, ...body }, service) =>
          ask(`${path}/${encodeURIComponent(service?.listId ?? String(listId))}`, { method: "PUT", body })
        }
        remove={({ listId }) => ask(`${path}/${encodeURIComponent(listId)}`, { method: "DELETE" })}
        lost="Rules that use this service report moderation_engine_failed (not_configured)."
        none="No services. This project's function moderate.ts can be one."
      />
      <Card
        title="Hooks of the legacy engine"
        says="A webhook of the legacy engine with the trigger before_message can drop a message before it is stored."
      >
        <p>
          <a href={toWorld(["webhooks"])}>Webhooks and engines</a>
        </p>
      </Card>
    </>
  );
}
