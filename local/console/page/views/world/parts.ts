import type { ComponentType } from "preact";
import { ClockPart } from "./clock-part.tsx";
import { FaultsPart } from "./faults-part.tsx";
import { FidelityPart } from "./fidelity-part.tsx";
import { ModerationPart } from "./moderation-part.tsx";
import { SecretsPart } from "./secrets-part.tsx";
import { SeedPart } from "./seed-part.tsx";
import { SettingsPart } from "./settings-part.tsx";
import { SnapshotsPart } from "./snapshots-part.tsx";
import { StatePart } from "./state-part.tsx";
import { SwitchesPart } from "./switches-part.tsx";
import { TimersPart } from "./timers-part.tsx";
import { WebhooksPart } from "./webhooks-part.tsx";

interface WorldPart {
  /** `#/world/<name>` */
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
