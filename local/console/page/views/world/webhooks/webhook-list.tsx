import type { ShownWebhook, WebhooksAnswer } from "../../../../api/world-webhooks.ts";
import { ask } from "../../../parts/ask.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { type Column, DataTable } from "../../../parts/data-table.tsx";
import { Empty } from "../../../parts/empty.tsx";
import { SelectField } from "../../../parts/field.tsx";
import { notifyDone, notifyFailed } from "../../../parts/toasts.tsx";
import { useResource } from "../../../parts/use-resource.ts";
import { NewButton } from "../new-button.tsx";
import { Card, PartHead, PartTrouble } from "../part-head.tsx";
import { toWorld } from "../to-world.ts";
import { newWebhookFields } from "./webhook-fields.ts";
import { askWebhooks } from "./webhook-requests.ts";

const columns: readonly Column<ShownWebhook>[] = [
  {
    title: "Webhook",
    cell: ({ engine, id, name, webhookURL }) => (
      <a class="world-name is-block" href={toWorld(["webhooks", engine, id])}>
        <bdi>{name}</bdi>
        <code>{webhookURL}</code>
      </a>
    ),
  },
  { title: "Engine", cell: ({ engine }) => engine, isMinor: true },
  {
    title: "State",
    cell: ({ enabled }) =>
      enabled ? <Badge tone="good">enabled</Badge> : <Badge tone="waiting">disabled</Badge>,
  },
  { title: "Triggers", cell: ({ triggers }) => triggers.length, isNumber: true, isMinor: true },
  { title: "Delivered", cell: ({ deliveries }) => deliveries.delivered.toLocaleString(), isNumber: true },
  {
    title: "Waiting",
    cell: ({ deliveries }) => deliveries.pending.toLocaleString(),
    isNumber: true,
    isMinor: true,
  },
  {
    title: "Lost",
    cell: ({ deliveries: { lost } }) => (lost > 0 ? <Badge tone="bad">{lost.toLocaleString()}</Badge> : 0),
    isNumber: true,
  },
];

export function WebhookList({ appId }: { appId: string }) {
  const { value, error, reload } = useResource<WebhooksAnswer>(`/api/world/webhooks/${appId}`, [
    "journeys",
    "world",
  ]);
  return (
    <>
      <PartHead title="Webhooks" says="Where the platform delivers the events of this app.">
        <NewButton
          word="webhook"
          kind="main"
          fields={newWebhookFields}
          entity={{ enabled: true, retryOnFailure: true }}
          create={async ({ engine, ...body }) => {
            const place = { appId, engine: engine === "legacy" ? "legacy" : "current" } as const;
            await askWebhooks(place, "", { method: "POST", body });
            reload();
            return `Created ${body.id}. Choose its triggers next.`;
          }}
        />
      </PartHead>
      <PartTrouble error={error} />
      {value?.functions !== undefined && <Connection functions={value.functions} reload={reload} />}
      {value !== undefined && value.webhooks.length === 0 ? (
        <Empty title="No webhooks">This app's events are not delivered. Create a webhook.</Empty>
      ) : (
        <DataTable
          label="Webhooks"
          columns={columns}
          rows={value?.webhooks ?? []}
          keyOf={({ engine, id }) => `${engine}/${id}`}
        />
      )}
      {value !== undefined && <EngineChoice appId={appId} engine={value.engine} reload={reload} />}
    </>
  );
}

function Connection({
  functions: { problems },
  reload,
}: {
  functions: NonNullable<WebhooksAnswer["functions"]>;
  reload: () => void;
}) {
  const reconnect = async () => {
    await ask("/api/world/reconnect", { method: "POST" });
    reload();
    notifyDone("The functions are connected again.");
  };
  if (problems.length === 0) return null;
  return (
    <div class="trouble world-trouble" role="alert">
      <p>The functions may not receive the events of this app. {problems.join(" ")}</p>
      <Button act={reconnect}>Reconnect the functions</Button>
    </div>
  );
}

function EngineChoice({ appId, engine, reload }: { appId: string; engine: string; reload: () => void }) {
  const choose = async (wanted: string) => {
    try {
      await ask(`/api/platform/apps/${appId}/engine`, { method: "PUT", body: { engine: wanted } });
      notifyDone(`The ${wanted} engine now delivers.`);
    } catch (error) {
      notifyFailed(error);
    }
    reload();
  };
  return (
    <div class="world-below">
      <Card
        title="Engine"
        says="One engine delivers at a time, as set in the dashboard; the webhooks of the other one get no events. The legacy engine asks before_message and has five triggers."
      >
        <SelectField
          label="Delivering"
          value={engine}
          onInput={(wanted) => void choose(wanted)}
          options={[
            ["current", "current (version 2)"],
            ["legacy", "legacy"],
          ]}
        />
      </Card>
    </div>
  );
}
