import { useEffect } from "preact/hooks";
import type { SeedAnswer } from "../../../api/world-seed.ts";
import { ask } from "../../parts/ask.ts";
import { useResource } from "../../parts/use-resource.ts";
import { ConfirmButton } from "./confirm.tsx";
import { Card, PartHead, PartTrouble } from "./part-head.tsx";
import { LoadCard } from "./seed/load-card.tsx";
import { toExplorer } from "./to-explorer.ts";
import { useAppId } from "./use-app-id.ts";

const shown = ["users", "groups", "members", "conversations", "messages", "deliveries"] as const;
const progressMs = 300;

export function SeedPart() {
  const appId = useAppId();
  const { value, error, reload } = useResource<SeedAnswer>(appId && `/api/world/seed/${appId}`, [
    "chat",
    "journeys",
    "world",
  ]);
  const isRunning = value?.load.isRunning === true;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(reload, progressMs);
    return () => clearInterval(timer);
  }, [isRunning, reload]);
  if (appId === undefined) return null;
  return (
    <>
      <PartHead title="Seed & reset" says="The contents of this app: count, fill and reset them.">
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
      <dl class="tiles">
        {shown.map((name) => (
          <div key={name} class="card">
            <dt class="soft">{name}</dt>
            <dd class="huge number">{value?.contents[name].toLocaleString() ?? "…"}</dd>
          </div>
        ))}
      </dl>
      <div class="cards">
        {value !== undefined && <LoadCard appId={appId} load={value.load} reload={reload} />}
        <Card title="Your own users and groups">
          <p>
            Import them in the API explorer, 50 at a time: <a href={toExplorer("import-users")}>users</a>,{" "}
            <a href={toExplorer("import-groups")}>groups</a>,{" "}
            <a href={toExplorer("import-members")}>members</a>.
          </p>
          <p>
            A YAML file can define the initial apps with users, groups, bots and webhooks. Start with{" "}
            <code>npm start -- --seed my-world.yaml</code>.
          </p>
        </Card>
      </div>
    </>
  );
}
