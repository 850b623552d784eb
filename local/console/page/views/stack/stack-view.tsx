import "./stack.css";
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

export function StackView() {
  const { rest, query } = useRoute();
  const appId = useAppId();
  const apps = appOptions(useFacts()?.apps ?? [], appId);
  const [part, title, Part] = stackParts.find(([name]) => name === rest[0]) ?? stackParts[0];
  const app = query.get("app") ?? undefined;
  return (
    <div class="local-stack">
      <aside class="local-stack-side">
        {appId !== undefined && apps.length > 1 && (
          <SelectField
            label="App"
            value={appId}
            options={apps}
            onInput={(chosen) => go(toHash("stack", [part], { app: chosen }))}
          />
        )}
        <nav aria-label="Parts of the local stack" class="local-stack-nav">
          {stackParts.map(([name, words]) => (
            <a
              key={name}
              class="entry"
              href={toHash("stack", [name], { app })}
              aria-current={name === part ? "page" : undefined}
            >
              {words}
            </a>
          ))}
        </nav>
        <Select
          class="local-stack-choice"
          label="Part of the local stack"
          value={part}
          options={stackParts.map(([name, words]) => [name, words])}
          onInput={(name) => go(toHash("stack", [name], { app }))}
        />
      </aside>
      <section class="page stack" aria-label={title}>
        <Part key={part} />
      </section>
    </div>
  );
}

type StackPart = readonly [name: string, title: string, Part: ComponentType];

/** In navigation order; the first one opens by default. */
export const stackParts: readonly [StackPart, ...StackPart[]] = [
  ["clock", "Clock", ClockPart],
  ["timers", "Timers", TimersPart],
  ["faults", "Faults", FaultsPart],
  ["switches", "Switches", SwitchesPart],
  ["fidelity", "Fidelity", FidelityPart],
  ["settings", "Settings", SettingsPart],
  ["moderation", "Moderation", ModerationPart],
  ["webhooks", "Webhooks", WebhooksPart],
  ["state", "State", StatePart],
  ["secrets", "Secrets", SecretsPart],
  ["snapshots", "Snapshots", SnapshotsPart],
  ["seed", "Seed & reset", SeedPart],
];
