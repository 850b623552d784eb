import { createAwsCaller } from "../aws/aws-call.ts";
import { readAppIds, readAwsEnvironment, readSetting } from "../config.ts";
import { createHint } from "../hint.ts";
import { createProcessLog } from "../process-log.ts";
import { createServedApps, startFetchingSecrets } from "../webhook/served-apps.ts";
import type { QuestionServices } from "./answer-question.ts";

/** Builds what answering questions needs, once per cold start, and starts to fetch the apps' credentials. */
export function buildQuestionServices(functionName: string): QuestionServices {
  const now = Date.now;
  const callAws = createAwsCaller(readAwsEnvironment());
  const secretPrefix = readSetting("SECRET_PREFIX");
  const apps = createServedApps({ callAws, secretPrefix, appIds: readAppIds(), now });
  startFetchingSecrets(apps);
  const { log, count } = createProcessLog(functionName);
  return { apps, log, count, hint: createHint({ log, count, now }), now };
}
