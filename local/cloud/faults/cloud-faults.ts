import type { IncomingMessage } from "node:http";
import timers from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { recordOf } from "../../../lib/base/record-of.ts";
import { createBus } from "../bus.ts";
import { callerOfAuthorization } from "../local-aws.ts";
import {
  type CloudFaultSettings,
  type CloudStrikes,
  type FaultyService,
  faultyServices,
} from "./fault-settings.ts";

export type ServiceFaults = ReturnType<CloudFaults["of"]>;

export type CloudFaults = ReturnType<typeof createCloudFaults>;

const healthy = { isDown: false, throttled: 0, slowMs: 0 };

export const noCloudFaults: CloudFaultSettings = {
  services: recordOf(faultyServices, () => healthy),
  doubled: 0,
  kills: [],
  concurrency: {},
};

export function createCloudFaults(random: () => number = Math.random, now: () => number = Date.now) {
  let given = noCloudFaults;
  let counts = countNothing(given);
  const changes = createBus();
  const activeFaults = () => ((given.untilMs ?? Number.POSITIVE_INFINITY) > now() ? given : noCloudFaults);
  return {
    settings: activeFaults,
    strikes: (): CloudStrikes => structuredClone(counts),
    /** Replaces the faults; missing settings are healthy. Counts continue. */
    set(next: Partial<CloudFaultSettings>) {
      const before = given;
      given = { ...noCloudFaults, ...next };
      counts = keepCounts(counts, before, given);
      changes.publish();
    },
    onChange: changes.subscribe,
    of: (service: FaultyService) => ({
      isDown: () => activeFaults().services[service].isDown,
      async strike(request: IncomingMessage): Promise<"down" | "throttled" | undefined> {
        const caller = callerOfAuthorization(request.headers.authorization);
        const { services, callers } = activeFaults();
        if (caller === "console" || (callers === "functions" && caller !== "function")) return undefined;
        const counted = counts.services[service];
        const { isDown, throttled, slowMs } = services[service];
        if (slowMs > 0) {
          counted.slow += 1;
          await timers.setTimeout(slowMs, undefined, { ref: false });
          if (request.socket.destroyed) return "down";
        }
        if (isDown) {
          counted.down += 1;
          request.socket.destroy();
          return "down";
        }
        if (random() >= throttled) return undefined;
        counted.throttled += 1;
        return "throttled";
      },
    }),
    doubles() {
      const isStruck = random() < activeFaults().doubled;
      if (isStruck) counts.doubled += 1;
      return isStruck;
    },
    /** Returns where to kill an invocation; call `struck` afterwards. */
    killPointFor(functionKey: string) {
      const rule = activeFaults().kills.find(
        (one) => one.functionKey === functionKey && random() < one.chance,
      );
      if (rule === undefined) return undefined;
      const struck = () => {
        const index = given.kills.indexOf(rule);
        if (index >= 0) counts.kills[index] = (counts.kills[index] ?? 0) + 1;
      };
      return { point: rule.point, struck };
    },
    concurrencyOf: (functionKey: string) => activeFaults().concurrency[functionKey],
  };
}

function keepCounts(counts: Counts, before: CloudFaultSettings, settings: CloudFaultSettings): Counts {
  const next = countNothing(settings);
  for (const service of faultyServices) {
    if (isDeepStrictEqual(before.services[service], settings.services[service])) {
      next.services[service] = counts.services[service];
    }
  }
  if (before.doubled === settings.doubled) next.doubled = counts.doubled;
  next.kills = settings.kills.map((rule) => {
    const index = before.kills.findIndex((other) => isDeepStrictEqual(other, rule));
    return counts.kills[index] ?? 0;
  });
  return next;
}

type Counts = ReturnType<typeof countNothing>;

function countNothing({ kills }: CloudFaultSettings) {
  return {
    services: { ...recordOf(faultyServices, () => ({ down: 0, throttled: 0, slow: 0 })) },
    doubled: 0,
    kills: kills.map(() => 0),
  };
}
