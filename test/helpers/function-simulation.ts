import { createHint } from "../../lib/base/hint.ts";
import type { ProcessLog } from "../../lib/base/process-log.ts";
import { createAppAccess } from "../../lib/endpoints/own/app-access.ts";
import type { OwnServices } from "../../lib/endpoints/own/build-own-services.ts";
import { createSourceLimit } from "../../lib/endpoints/own/source-limit.ts";
import {
  type AppAddition,
  createMemoryPlatform,
  type MemoryPlatform,
} from "../../local/platform/create-memory-platform.ts";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import { type Exchange, exchange } from "../../local/testing/kit/exchanges.ts";

export interface FunctionSimulationOptions extends ProcessLog {
  readonly apps: readonly AppAddition[];
  /** Fields of each app's secret besides its key. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly now: () => number;
  /** Undefined leaves a request to the platform. */
  readonly answer: (request: Request) => Response | undefined | Promise<Response | undefined>;
}

/** What a custom function needs, without AWS. */
export interface FunctionSimulation {
  readonly platform: MemoryPlatform;
  readonly services: OwnServices;
  readonly secrets: Map<string, Record<string, string>>;
  /** How often a secret was read. */
  readonly readings: () => number;
  readonly exchanges: readonly Exchange[];
}

const secretPrefix = "stage";

/**
 * In memory, with the same services as `buildOwnServices`, without the process's environment. Close the
 * platform at the end.
 */
export function createFunctionSimulation(options: FunctionSimulationOptions): FunctionSimulation {
  const { apps, startMs, now, log, count } = options;
  const platform = createMemoryPlatform({ clock: createVirtualClock(startMs) });
  const exchanges: Exchange[] = [];
  let readings = 0;
  for (const app of apps) platform.add(app);
  const secrets = new Map(
    apps.map(({ appId, region = "us", fullAccessKey: apiKey = platform.keys.fullAccessKey }) => [
      `${secretPrefix}/${appId}`,
      { appId, region, apiKey, ...options.secrets },
    ]),
  );
  const fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
    exchange(
      new Request(input, init),
      exchanges,
      async (request) => (await options.answer(request.clone())) ?? platform.fetch(request),
      now,
    );
  const services: OwnServices = {
    access: createAppAccess({
      appIds: apps.map(({ appId }) => appId),
      readSecret: async (id) => {
        readings += 1;
        return JSON.stringify(secrets.get(id));
      },
      baseUrlTemplate: "https://{appId}.{service}-{region}.cometchat.io/v3",
      transport: { fetch, now, sleep: async () => {} },
      ...{ secretPrefix, now },
    }),
    takeTurn: createSourceLimit(now),
    hint: createHint({ log, count, now }),
    ...{ log, count, now },
  };
  return { platform, services, secrets, exchanges, readings: () => readings };
}
