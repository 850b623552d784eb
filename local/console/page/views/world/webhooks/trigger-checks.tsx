import type { ShownWebhook, TriggerFamily } from "../../../../api/world-webhooks.ts";
import { Button } from "../../../parts/button.tsx";
import { notifyFailed } from "../../../parts/toasts.tsx";
import { Card } from "../part-head.tsx";
import { requireAll } from "../wire.ts";
import { askWebhooks } from "./webhook-requests.ts";

/** Each change is sent immediately. */
export function TriggerChecks({
  place,
  webhook,
  families,
  reload,
}: {
  place: { appId: string; engine: "current" | "legacy" };
  webhook: ShownWebhook;
  families: readonly TriggerFamily[];
  reload: () => void;
}) {
  const chosen = new Set(webhook.triggers);
  const set = async (triggerIds: readonly string[], isWanted: boolean) => {
    const path = `/${encodeURIComponent(webhook.id)}/triggers`;
    if (triggerIds.length === 0) return;
    try {
      const { data } = await askWebhooks<{ data: Record<string, unknown> }>(place, path, {
        method: isWanted ? "POST" : "DELETE",
        body: { triggerIds },
      });
      requireAll(data);
    } finally {
      reload();
    }
  };
  return (
    <Card title={`Triggers (${chosen.size})`}>
      {families.map(({ title, triggers }) => {
        const ids = triggers.map(({ id }) => id);
        const isWhole = ids.every((id) => chosen.has(id));
        return (
          <fieldset key={title} class="world-checks">
            <legend>{title}</legend>
            <Button
              kind="quiet"
              label={`${isWhole ? "None" : "All"} of ${title}`}
              act={() => set(ids, !isWhole)}
            >
              {isWhole ? "None" : "All"}
            </Button>
            {triggers.map(({ id, says }) => (
              <label key={id}>
                <input
                  type="checkbox"
                  checked={chosen.has(id)}
                  onChange={({ currentTarget }) => void set([id], currentTarget.checked).catch(notifyFailed)}
                />
                <span>
                  <code>{id}</code>
                  <span class="soft">{says}</span>
                </span>
              </label>
            ))}
          </fieldset>
        );
      })}
    </Card>
  );
}
