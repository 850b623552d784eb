import type { AppContents } from "../../../api/world-seed.ts";
import { ask } from "../../parts/ask.ts";
import { useResource } from "../../parts/use-resource.ts";
import { ConfirmButton } from "./confirm.tsx";
import { Card, PartHead, PartTrouble } from "./part-head.tsx";
import { useAppId } from "./use-app-id.ts";

const shown = ["users", "groups", "members", "conversations", "messages", "deliveries"] as const;

export function SeedPart() {
  const appId = useAppId();
  const { value, error, reload } = useResource<AppContents>(appId && `/api/world/seed/${appId}`, [
    "chat",
    "journeys",
    "world",
  ]);
  if (appId === undefined) return null;
  return (
    <>
      <PartHead title="Reset" says="The contents of this app: count and reset them.">
        <ConfirmButton
          label="Reset the local stack"
          title="Reset the local stack?"
          says="Every app returns to its seed. Users, groups, messages, settings, rules and webhooks that were created are deleted; queues, tables, flows, faults and timers are cleared. Secrets stay. Only a snapshot can undo this."
          done="The local stack is reset."
          act={async () => {
            await ask("/api/world/reset", { method: "POST" });
            reload();
          }}
        />
      </PartHead>
      <PartTrouble error={error} />
      <dl class="world-figures">
        {shown.map((name) => (
          <div key={name} class="card">
            <dt class="soft">{name}</dt>
            <dd class="number">{value?.[name].toLocaleString() ?? "…"}</dd>
          </div>
        ))}
      </dl>
      <div class="world-cards">
        <Card title="Custom seed">
          <p>
            A YAML file can define the initial apps with users, groups, bots and webhooks. Start with{" "}
            <code>npm start -- --seed my-world.yaml</code>.
          </p>
        </Card>
      </div>
    </>
  );
}
