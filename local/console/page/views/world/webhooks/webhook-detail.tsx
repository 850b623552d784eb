import type { ShownWebhook, WebhooksAnswer } from "../../../../api/world-webhooks.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Form } from "../../../parts/form.tsx";
import { go, toHash } from "../../../parts/route.ts";
import { notifyDone } from "../../../parts/toasts.tsx";
import { useResource } from "../../../parts/use-resource.ts";
import { ConfirmButton } from "../confirm.tsx";
import { Card, PartHead, PartTrouble } from "../part-head.tsx";
import { toWorld } from "../to-world.ts";
import { TriggerChecks } from "./trigger-checks.tsx";
import { webhookFields } from "./webhook-fields.ts";
import { askWebhooks } from "./webhook-requests.ts";

interface WebhookDetailProps {
  appId: string;
  engine: "current" | "legacy";
  id: string;
}

export function WebhookDetail({ appId, engine, id }: WebhookDetailProps) {
  const { value, error, isLoading, reload } = useResource<WebhooksAnswer>(`/api/world/webhooks/${appId}`, [
    "journeys",
    "world",
  ]);
  const webhook = value?.webhooks.find((one) => one.engine === engine && one.id === id);
  if (value === undefined || webhook === undefined) {
    return (
      <>
        <PartHead title={id} back={{ href: toWorld(["webhooks"]), title: "Webhooks" }} />
        {!isLoading && <PartTrouble error={error ?? `The ${engine} engine has no webhook ${id}.`} />}
      </>
    );
  }
  const place = { appId, engine };
  const path = `/${encodeURIComponent(id)}`;
  const save = async (body: Record<string, unknown>) => {
    if (Object.keys(body).length === 0) return notifyDone("Nothing has changed.");
    await askWebhooks(place, path, { method: "PUT", body });
    reload();
    notifyDone("Saved.");
  };
  return (
    <>
      <PartHead
        title={webhook.name}
        back={{ href: toWorld(["webhooks"]), title: "Webhooks" }}
        says={<Summary webhook={webhook} />}
      >
        <ConfirmButton
          label="Delete"
          title={`Delete the webhook ${id}?`}
          says="New events are not delivered to it, and waiting deliveries are not retried."
          done={`Deleted ${id}.`}
          act={async () => {
            await askWebhooks(place, path, { method: "DELETE" });
            go(toWorld(["webhooks"]));
          }}
        />
      </PartHead>
      <div class="world-cards">
        <Card title="Settings" says={webhook.hasPassword ? "It has a password." : "It has no password."}>
          <Form
            label="Settings"
            fields={webhookFields}
            entity={webhook}
            changes={{ unsettable: [] }}
            submitLabel="Save"
            submit={save}
          />
        </Card>
        <TriggerChecks place={place} webhook={webhook} families={value.families[engine]} reload={reload} />
      </div>
    </>
  );
}

function Summary({ webhook: { engine, id, deliveries } }: { webhook: ShownWebhook }) {
  const { delivered, pending, lost } = deliveries;
  return (
    <>
      <code>{id}</code> <Badge>{engine}</Badge> {`${delivered} delivered, ${pending} waiting, ${lost} lost. `}
      <a href={toHash("journeys")}>Journeys</a>
    </>
  );
}
