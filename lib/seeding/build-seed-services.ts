import { composeOn } from "../chat/compose.ts";
import { connectApp } from "../chat/connect-app.ts";
import { reasons } from "../chat/resources/reasons.ts";
import { readSetting } from "../config.ts";
import type { Log } from "../log.ts";
import { createProcessLog } from "../process-log.ts";
import { createAppCredentials } from "../secrets/app-credentials.ts";
import { readSecretAges } from "../secrets/secret-ages.ts";
import { createReadSecret } from "../secrets/secret-reader.ts";
import { servedAppIds } from "../served-app-ids.ts";
import type { ReasonsApi } from "./seed-reasons.ts";

export interface SeedServices {
  readonly appIds: readonly string[];
  /** Connects to an app anew, with the key that its secret holds now: a run is rare, and often follows a change. */
  readonly reasonsOf: (appId: string) => Promise<ReasonsApi>;
  readonly log: Log;
  readonly now: () => number;
}

/** Builds what seeding needs, once per cold start. */
export function buildSeedServices(): SeedServices {
  const now = Date.now;
  const readSecret = createReadSecret();
  const secretPrefix = readSetting("SECRET_PREFIX");
  const ages = readSecretAges();
  const baseUrlTemplate = readSetting("CHAT_BASE_URL_TEMPLATE");
  return {
    appIds: servedAppIds(),
    reasonsOf: async (appId) => {
      const credentials = createAppCredentials({ readSecret, secretPrefix, appId, ages, now });
      return composeOn(await connectApp(credentials, baseUrlTemplate), { reasons }).reasons;
    },
    log: createProcessLog("seed").log,
    now,
  };
}
