import { createHint } from "../../../lib/base/log.ts";
import type { EffectEdges } from "../../../lib/effects/effect-services.ts";
import { createAppAccess } from "../../../lib/endpoints/own/app-access.ts";
import type { OwnServices } from "../../../lib/endpoints/own/build-own-services.ts";
import { createSourceLimit } from "../../../lib/endpoints/own/source-limit.ts";
import { secretPrefix } from "./kit-settings.ts";

/** As `buildOwnServices`, without the process's environment and `acts`. */
export function createKitOwnServices(
  edges: Pick<EffectEdges, "readSecret" | "fetch" | "now" | "log" | "count">,
  appIds: readonly string[],
): OwnServices {
  const { readSecret, fetch, now, log, count } = edges;
  return {
    access: createAppAccess({
      baseUrlTemplate: "https://{appId}.{service}-{region}.cometchat.io/v3",
      transport: { fetch, now, sleep: async () => {} },
      appIds,
      readSecret,
      secretPrefix,
      now,
    }),
    takeTurn: createSourceLimit(now),
    hint: createHint({ log, count, now }),
    log,
    count,
    now,
  };
}
