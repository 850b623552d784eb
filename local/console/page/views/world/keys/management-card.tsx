import type { KeysAnswer } from "../../../../api/world-keys.ts";
import { ask } from "../../../parts/ask.ts";
import { CopyButton } from "../../../parts/button.tsx";
import { useResource } from "../../../parts/use-resource.ts";
import { Card } from "../part-head.tsx";
import { useAppId } from "../use-app-id.ts";

const names = { key: "Key", secret: "Secret" } as const;

export function ManagementCard() {
  const appId = useAppId();
  const { value } = useResource<KeysAnswer>(appId && `/api/world/keys/${appId}`, ["world"]);
  return (
    <Card title="Management API" says="Gives access to the webhooks, settings and extensions of every app.">
      <ul class="world-rows">
        {(["key", "secret"] as const).map((which) => (
          <li key={which}>
            <span>
              {names[which]} <code>{value?.management[which]}</code>
            </span>
            <CopyButton
              label={`Copy management ${which}`}
              text={async () =>
                (await ask<{ value: string }>(`/api/world/management/${which}/copy`, { method: "POST" }))
                  .value
              }
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}
