import { createHint } from "../../../lib/base/hint.ts";
import type { ProcessLog } from "../../../lib/base/process-log.ts";
import { createAppAccess } from "../../../lib/endpoints/own/app-access.ts";
import type { OwnServices } from "../../../lib/endpoints/own/build-own-services.ts";
import { createSourceLimit } from "../../../lib/endpoints/own/source-limit.ts";
import {
  type AppAddition,
  createMemoryPlatform,
  type MemoryPlatform,
} from "../../platform/create-memory-platform.ts";
import { createVirtualClock } from "../../platform/services/clock.ts";
import type { Exchange } from "./kit-world.ts";
import { takeAnswer } from "./take-answer.ts";

export interface FunctionWorldOptions extends ProcessLog {
  /** The apps that are served. */
  readonly apps: readonly AppAddition[];
  /** What each app's secret has besides its key. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Where the platform's clock stands, in milliseconds since 1970. */
  readonly startMs: number;
  /** The function's clock. */
  readonly now: () => number;
  /** Answers a request to the platform in its place; undefined: the platform does. */
  readonly answer: (request: Request) => Response | undefined | Promise<Response | undefined>;
}

/** What a function of an app's own stands on, without AWS. */
export interface FunctionWorld {
  readonly platform: MemoryPlatform;
  /** What a function stands on here: `handler.on(world.services)`. */
  readonly services: OwnServices;
  /** The secret of each app; what is changed here is read anew when the function does so. */
  readonly secrets: Map<string, Record<string, string>>;
  /** How often a secret was read. */
  readonly readings: () => number;
  /** What was asked of the platform, and answered. */
  readonly exchanges: readonly Exchange[];
}

const secretPrefix = "stage";

/**
 * Makes the platform and the secrets in memory, and on them what `buildOwnServices` makes of AWS: no setting of the process is
 * read or changed. Close the platform at the end.
 */
export function createFunctionWorld(options: FunctionWorldOptions): FunctionWorld {
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
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const body = await request.clone().text();
    const response = (await options.answer(request.clone())) ?? (await platform.fetch(request));
    const taken = await takeAnswer(response);
    exchanges.push({ request, body, status: response.status, answer: taken.text });
    return taken.response;
  };
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
