import { useEffect } from "preact/hooks";
import type { SeedAnswer } from "../../../api/world-seed.ts";
import { ask } from "../../parts/ask.ts";
import { useResource } from "../../parts/use-resource.ts";
import { ConfirmButton } from "./confirm.tsx";
import { Card, PartHead, PartTrouble } from "./part-head.tsx";
import { LoadCard } from "./seed/load-card.tsx";
import { PasteCard } from "./seed/paste-card.tsx";
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
      <PartHead title="Seed & reset" says="What this app holds, how to fill it, and how to begin anew.">
        <ConfirmButton
          label="Reset the world"
          title="Reset the world?"
          says="Every app goes back to its seed: users, groups, messages, settings, rules and webhooks that were made are gone; queues, tables, flows, faults and what waits are emptied. Secrets stay. A snapshot can bring it back, nothing else."
          done="The world is as it began."
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
            <dd class="number">{value?.contents[name].toLocaleString() ?? "…"}</dd>
          </div>
        ))}
      </dl>
      <div class="world-cards">
        {value !== undefined && <LoadCard appId={appId} load={value.load} reload={reload} />}
        <PasteCard appId={appId} reload={reload} />
        <Card title="A seed of your own">
          <p>
            A YAML file says what a fresh world begins with: apps with users, groups, bots and webhooks. Start
            with <code>npm start -- --seed my-world.yaml</code>.
          </p>
        </Card>
      </div>
    </>
  );
}
