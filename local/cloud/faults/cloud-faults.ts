import type { IncomingMessage } from "node:http";
import timers from "node:timers/promises";
import type { KillPoint } from "../lambda/function-definition.ts";

/** The services that can be made ill. */
export const faultyServices = ["sqs", "dynamodb", "secretsmanager", "lambda"] as const;
export type FaultyService = (typeof faultyServices)[number];

/** What goes wrong with the calls of one service. */
export interface ServiceFaultSetting {
  /** Every call's connection is closed, without an answer. */
  readonly isDown: boolean;
  /** The chance of a call to be refused as one too many, 0 to 1. */
  readonly throttled: number;
  /** So many milliseconds pass before each call is looked at. */
  readonly slowMs: number;
}

/** Everything that goes wrong in the local cloud on purpose. */
export interface CloudFaultSettings {
  readonly services: Readonly<Record<FaultyService, ServiceFaultSetting>>;
  /** The chance of a queue's batch to be handed to its function twice, 0 to 1. */
  readonly doubled: number;
  /** Which processes are killed at which of their requests; `chance` counts per invocation, 0 to 1. */
  readonly kills: readonly KillRule[];
  /** Processes of one function at the same time, by its key; what is absent is as the world was started. */
  readonly concurrency: Readonly<Record<string, number>>;
}

/** Kills processes of a function at a point. */
export interface KillRule {
  readonly functionKey: string;
  readonly point: KillPoint;
  readonly chance: number;
}

/** How often each thing happened since the settings were set. */
export interface CloudStrikes {
  readonly services: Readonly<Record<FaultyService, { down: number; throttled: number; slow: number }>>;
  readonly doubled: number;
  /** In the order of the rules. */
  readonly kills: readonly number[];
}

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
  /** Takes new settings and counts from nothing. What they leave out is as it should be. */
  set(settings: Partial<CloudFaultSettings>): void;
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
      settings = { ...noCloudFaults, ...next };
      counts = countNothing(settings);
    },
    of,
    doubles() {
      if (settings.doubled === 0 || random() >= settings.doubled) return false;
      counts.doubled += 1;
      return true;
    },
    killPointFor(functionKey) {
      const counted = counts;
      const index = settings.kills.findIndex(
        (rule) => rule.functionKey === functionKey && random() < rule.chance,
      );
      const rule = settings.kills[index];
      if (rule === undefined) return undefined;
      const struck = () => {
        counted.kills[index] = (counted.kills[index] ?? 0) + 1;
      };
      return { point: rule.point, struck };
    },
    concurrencyOf: (functionKey) => settings.concurrency[functionKey],
  };
}

function countNothing({ kills }: CloudFaultSettings) {
  const none = () => ({ down: 0, throttled: 0, slow: 0 });
  return {
    services: { sqs: none(), dynamodb: none(), secretsmanager: none(), lambda: none() },
    doubled: 0,
    kills: kills.map(() => 0),
  };
}
