import type { IncomingMessage } from "node:http";
import timers from "node:timers/promises";
import type { KillPoint } from "../lambda/function-definition.ts";
import type {
  CloudFaultSettings,
  CloudStrikes,
  FaultyService,
  ServiceFaultSetting,
} from "./fault-settings.ts";

/** What one service asks before it answers a call. */
export interface ServiceFaults {
  isDown(): boolean;
  /** Lets happen what is to happen to this call. After `down` nobody is there to be answered any more. */
  strike(request: IncomingMessage): Promise<"down" | "throttled" | undefined>;
}

/** Holds what goes wrong, and counts. */
export interface CloudFaults {
  settings(): CloudFaultSettings;
  strikes(): CloudStrikes;
  /** Takes new settings; what is another than before counts from nothing. What they leave out is as it should be. */
  set(settings: Partial<CloudFaultSettings>): void;
  /** Is called whenever settings were taken. */
  onChange(listener: () => void): void;
  of(service: FaultyService): ServiceFaults;
  /** Whether this batch is to be handed out twice; asking counts. */
  doubles(): boolean;
  /** Where the process of an invocation that begins is to be killed, and whom to tell once it was. */
  killPointFor(functionKey: string): { point: KillPoint; struck: () => void } | undefined;
  concurrencyOf(functionKey: string): number | undefined;
}

const healthy: ServiceFaultSetting = { isDown: false, throttled: 0, slowMs: 0 };

/** Nothing goes wrong. */
export const noCloudFaults: CloudFaultSettings = {
  services: { sqs: healthy, dynamodb: healthy, secretsmanager: healthy, lambda: healthy },
  doubled: 0,
  kills: [],
  concurrency: {},
};

/** Makes the faults of one cloud. @param random from 0 up to 1 */
export function createCloudFaults(random: () => number = Math.random): CloudFaults {
  let settings = noCloudFaults;
  let counts = countNothing(settings);
  const listeners: (() => void)[] = [];

  const of = (service: FaultyService): ServiceFaults => ({
    isDown: () => settings.services[service].isDown,
    async strike(request) {
      const counted = counts;
      const { isDown, throttled, slowMs } = settings.services[service];
      if (slowMs > 0) {
        counted.services[service].slow += 1;
        await timers.setTimeout(slowMs, undefined, { ref: false });
        // Whoever asked may have been ended meanwhile: nothing may come of the call any more.
        if (request.socket.destroyed) return "down";
      }
      if (isDown) {
        counted.services[service].down += 1;
        request.socket.destroy();
        return "down";
      }
      if (throttled === 0 || random() >= throttled) return undefined;
      counted.services[service].throttled += 1;
      return "throttled";
    },
  });

  return {
    settings: () => settings,
    strikes: () => structuredClone(counts),
    set(next) {
      const before = settings;
      settings = { ...noCloudFaults, ...next };
      counts = keepCounts(counts, before, settings);
      for (const listener of listeners) listener();
    },
    onChange(listener) {
      listeners.push(listener);
    },
    of,
    doubles() {
      if (settings.doubled === 0 || random() >= settings.doubled) return false;
      counts.doubled += 1;
      return true;
    },
    killPointFor(functionKey) {
      const index = settings.kills.findIndex(
        (rule) => rule.functionKey === functionKey && random() < rule.chance,
      );
      const rule = settings.kills[index];
      if (rule === undefined) return undefined;
      const struck = () => {
        const now = settings.kills.indexOf(rule);
        if (now >= 0) counts.kills[now] = (counts.kills[now] ?? 0) + 1;
      };
      return { point: rule.point, struck };
    },
    concurrencyOf: (functionKey) => settings.concurrency[functionKey],
  };
}

/** What is set as it was before goes on counting. */
function keepCounts(counts: Counts, before: CloudFaultSettings, settings: CloudFaultSettings): Counts {
  const next = countNothing(settings);
  for (const service of ["sqs", "dynamodb", "secretsmanager", "lambda"] as const) {
    if (isSame(before.services[service], settings.services[service])) {
      next.services[service] = counts.services[service];
    }
  }
  if (before.doubled === settings.doubled) next.doubled = counts.doubled;
  next.kills = settings.kills.map((rule) => {
    const index = before.kills.findIndex((other) => isSame(other, rule));
    return counts.kills[index] ?? 0;
  });
  return next;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

type Counts = ReturnType<typeof countNothing>;

function countNothing({ kills }: CloudFaultSettings) {
  const none = () => ({ down: 0, throttled: 0, slow: 0 });
  return {
    services: { sqs: none(), dynamodb: none(), secretsmanager: none(), lambda: none() },
    doubled: 0,
    kills: kills.map(() => 0),
  };
}
