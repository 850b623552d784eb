import { createAwsCaller } from "../../aws/aws-call.ts";
import { createSignedReadSecret } from "../../aws/secrets/read-secret-value.ts";
import { servedAppIds } from "../../aws/served-app-ids.ts";
import { readAwsEnvironment, readSetting, readSettingOr } from "../../base/config.ts";
import { lazy } from "../../base/lazy.ts";
import { createHint, createProcessLog, type Hint, type ProcessLog } from "../../base/log.ts";
import { readSecretAges } from "../../base/secret-ages.ts";
import { createLeanFetch } from "../../chat/lean-fetch.ts";
import { type AppAccess, createAppAccess } from "./app-access.ts";
import type { OwnActs } from "./own-acts.ts";
import { createSourceLimit, type TakeTurn } from "./source-limit.ts";

export interface OwnServices extends ProcessLog {
  readonly access: AppAccess;
  readonly takeTurn: TakeTurn;
  readonly hint: Hint;
  readonly now: () => number;
  /** Used by `effectsOf`. Default: from the environment. */
  readonly acts?: OwnActs | undefined;
}

export function onServices<Call extends object>(make: (services: () => OwnServices) => Call) {
  type Own = Call & { on(services: OwnServices): Own };
  const withServices = (services: () => OwnServices): Own =>
    Object.assign(make(services), {
      on: (other: OwnServices) => withServices(() => other),
    });
  return withServices(lazy(buildOwnServices));
}

/** @throws MissingSettingError */
export function buildOwnServices(): OwnServices {
  const now = Date.now;
  // https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
  const { log, count } = createProcessLog(readSettingOr("AWS_LAMBDA_FUNCTION_NAME", "own-function"));
  return {
    access: createAppAccess({
      appIds: servedAppIds(),
      readSecret: createSignedReadSecret(createAwsCaller(readAwsEnvironment()), now),
      secretPrefix: readSetting("SECRET_PREFIX"),
      baseUrlTemplate: readSetting("CHAT_BASE_URL_TEMPLATE"),
      ages: readSecretAges(),
      transport: { fetch: createLeanFetch(now) },
      now,
    }),
    takeTurn: createSourceLimit(now),
    hint: createHint({ log, count, now }),
    log,
    count,
    now,
  };
}
