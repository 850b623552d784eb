import { type AwsCallerEdges, createAwsCaller } from "../aws/aws-call.ts";
import { createNamedSecrets } from "../aws/secrets/app-secret.ts";
import { createSignedReadSecret } from "../aws/secrets/read-secret-value.ts";
import { countFailedReads, type ReadSecret, secretMaxWaitMs } from "../aws/secrets/secret-reader.ts";
import type { Table } from "../aws/table.ts";
import { readAwsEnvironment, readList, readNumberOr, readSetting } from "../base/config.ts";
import { lazyByKey } from "../base/lazy.ts";
import { createHint, createProcessLog, type LogFields, type ProcessLog } from "../base/log.ts";
import { readSecretAges } from "../base/secret-ages.ts";
import { pause } from "../base/timers.ts";
import { createAppCredentials } from "../chat/app-credentials.ts";
import { connectApps, keyOf } from "../chat/connect-apps.ts";
import { createLeanFetch, type Fetch } from "../chat/lean-fetch.ts";
import type { Settings } from "../chat/settings-from.ts";
import { createGuardKeys, createLoopGuard } from "../events/marks/loop-guard.ts";
import type { RequestRules } from "./http/allowed-hosts.ts";
import type { AttachmentsOptions } from "./http/attachments.ts";
import type { SendOutside } from "./http/outside.ts";
import { createIsOpenAddress } from "./http/public-address.ts";
import { createSendOutside, readPlaces } from "./http/send-outside.ts";
import { createClaimMark, createLedger, createOccurrenceMemory, leastEffectDays } from "./ledger.ts";
import { createRecentAnswers, mostAnswers } from "./recent-answers.ts";

const { AsyncLocalStorage } = process.getBuiltinModule("node:async_hooks");

/** What runs, for the log line of an error that nothing caught. */
export const runningWork = new AsyncLocalStorage<LogFields>();

export interface EffectEdges extends ProcessLog {
  readonly aws: AwsCallerEdges;
  readonly fetch: Fetch;
  /** Default: the global fetch, which streams. */
  readonly fetchFile?: AttachmentsOptions["fetch"];
  readonly sendOutside: SendOutside;
  readonly readSecret: ReadSecret;
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly token: () => string;
}

export function realEffectEdges(functionName: string): EffectEdges {
  const processLog = createProcessLog(functionName, () => runningWork.getStore());
  return {
    aws: {},
    fetch: createLeanFetch(Date.now),
    sendOutside: createSendOutside({
      isOpenAddress: createIsOpenAddress(readList("REQUEST_PRIVATE_NETWORKS")),
      placeOf: readPlaces(readList("REQUEST_CONNECT_TO")),
    }),
    readSecret: countFailedReads(
      createSignedReadSecret(createAwsCaller(readAwsEnvironment()), Date.now, secretMaxWaitMs),
      processLog.count,
    ),
    now: Date.now,
    sleep: pause,
    random: Math.random,
    token: () => crypto.randomUUID(),
    ...processLog,
  };
}

export type EffectServices = ReturnType<typeof createEffectServices>;

/** Events expire after 30 days, 14 of them without a consumer. */
const mostWaitHours = 13 * 24;

export function createEffectServices(
  requestRules: Settings<RequestRules>,
  { fetch, fetchFile, sendOutside, readSecret, now, sleep, random, token, log, count }: EffectEdges,
) {
  const secretPrefix = readSetting("SECRET_PREFIX");
  const baseUrlTemplate = readSetting("CHAT_BASE_URL_TEMPLATE");
  const maxWaitMs = readNumberOr("PATIENCE_HOURS", 24, mostWaitHours) * 60 * 60_000;
  const effectDays = readNumberOr("EFFECT_DAYS", leastEffectDays);
  const ages = readSecretAges();
  const limit = readNumberOr("ANSWER_LIMIT", 20, mostAnswers);
  const windowMs = readNumberOr("ANSWER_WINDOW_MINUTES", 10) * 60_000;
  const secretId = readSetting("LOOP_GUARD_SECRET_ID");
  const guardKeys = createGuardKeys({ readSecret, secretId, ages, now, random });
  const knownMarks = new Map<string, unknown>();
  const credentialsOf = lazyByKey((appId: string) =>
    createAppCredentials({ readSecret, secretPrefix, appId, ages, now, random }),
  );
  const hint = createHint({ log, count, now });
  const onKeyRefused = (appId: string) =>
    hint("ApiKeyRefused", appId, "the platform refuses the API key that the app's secret holds: events wait");
  const onUndocumentedAnswer = (appId: string, operation: string) =>
    hint("AnswerNotAsDocumented", appId, "the platform answered in a form that is not documented", {
      operation,
    });
  const hears = { onKeyRefused, onUndocumentedAnswer };
  const connect = connectApps(credentialsOf, baseUrlTemplate, { fetch, now, sleep, random, ...hears });
  return {
    maxWaitMs,
    connectionOf: async (appId: string) => connect(appId, (await credentialsOf(appId).get()).region),
    secretOf: createNamedSecrets({ readSecret, secretPrefix, ages, now }),
    filesOf: async (appId: string): Promise<AttachmentsOptions> => {
      const credentials = credentialsOf(appId);
      const { region } = await credentials.get();
      return { appId, region, apiKey: keyOf(credentials), baseUrlTemplate, fetch: fetchFile };
    },
    outsideOf: (appId: string) => ({ rules: requestRules.of(appId), send: sendOutside }),
    rememberOn: (table: Table) => {
      const ledger = createLedger({ table, now, sleep, effectDays });
      const answers = createRecentAnswers({ table, ledger, limit, windowMs, now, token });
      const claimMark = createClaimMark(table, knownMarks, now, effectDays);
      return {
        ledger,
        answers,
        occurrences: createOccurrenceMemory(table, effectDays),
        loopGuardOf: (appId: string) => createLoopGuard(guardKeys, appId, claimMark),
      };
    },
  };
}
