import "./world.css";
import type { ComponentType } from "preact";
import { appOptions, useAppId, useFacts } from "../../parts/facts.tsx";
import { Select, SelectField } from "../../parts/field.tsx";
import { go, toHash, useRoute } from "../../parts/route.ts";
import { ClockPart, TimersPart } from "./clock-part.tsx";
import { FaultsPart } from "./faults-part.tsx";
import { FidelityPart, StatePart } from "./fidelity-part.tsx";
import { SecretsPart } from "./secrets-part.tsx";
import { SettingsPart } from "./settings-part.tsx";
import { SeedPart, SnapshotsPart } from "./snapshots-part.tsx";
import { ModerationPart, SwitchesPart, WebhooksPart } from "./switches-part.tsx";

export function WorldView() {
  const { rest, query } = useRoute();
  const appId = useAppId();
  const apps = appOptions(useFacts()?.apps ?? [], appId);
  const part = worldParts.find(({ name }) => name === rest[0]) ?? worldParts[0];
  const app = query.get("app") ?? undefined;
  const { Part } = part;
  return (
    <div class="world">
      <aside class="world-side">
        {appId !== undefined && apps.length > 1 && (
          <SelectField
            label="App"
            value={appId}
            options={apps}
            onInput={(chosen) => go(toHash("world", [part.name], { app: chosen }))}
          />
        )}
        <nav aria-label="Parts of the world" class="world-nav">
          {worldParts.map(({ name, title }) => (
            <a
              key={name}
              class="entry"
              href={toHash("world", [name], { app })}
              aria-current={name === part.name ? "page" : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <Select
          class="world-choice"
          label="Part of the world"
          value={part.name}
          options={worldParts.map(({ name, title }) => [name, title])}
          onInput={(name) => go(toHash("world", [name], { app }))}
        />
      </aside>
      <section class="page stack" aria-label={part.title}>
        <Part key={part.name} />
      </section>
    </div>
  );
}

interface WorldPart {
  readonly name: string;
  readonly title: string;
  readonly Part: ComponentType;
}

/** In navigation order; the first one opens by default. */
export const worldParts: readonly [WorldPart, ...WorldPart[]] = [
  { name: "clock", title: "Clock", Part: ClockPart },
  { name: "timers", title: "Timers", Part: TimersPart },
  { name: "faults", title: "Faults", Part: FaultsPart },
  { name: "switches", title: "Switches", Part: SwitchesPart },
  { name: "fidelity", title: "Fidelity", Part: FidelityPart },
  { name: "settings", title: "Settings", Part: SettingsPart },
  { name: "moderation", title: "Moderation", Part: ModerationPart },
  { name: "webhooks", title: "Webhooks", Part: WebhooksPart },
  { name: "state", title: "State", Part: StatePart },
  { name: "secrets", title: "Secrets", Part: SecretsPart },
  { name: "snapshots", title: "Snapshots", Part: SnapshotsPart },
  { name: "seed", title: "Seed & reset", Part: SeedPart },
];
