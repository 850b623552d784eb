import type { Context } from "aws-lambda";
import { createAwsCaller } from "../../aws/aws-call.ts";
import { createNamedSecrets } from "../../aws/secrets/app-secret.ts";
import { createSignedReadSecret } from "../../aws/secrets/read-secret-value.ts";
import { servedAppIds } from "../../aws/served-app-ids.ts";
import { readAwsEnvironment, readSetting } from "../../base/config.ts";
import { fromEdge } from "../../base/http/from-edge.ts";
import { toHttpRequest, toLambdaResult } from "../../base/http/lambda.ts";
import { createHint, createProcessLog, forRequest, goOnAfterRejections } from "../../base/log.ts";
import { readSecretAges } from "../../base/secret-ages.ts";
import { createServedApps, startFetchingSecrets } from "../../receive/served-apps.ts";
import { answerQuestion, type QuestionKind, type QuestionServices } from "./answer-question.ts";

/** Once per cold start, and begins to read the apps' credentials. */
export function createQuestionHandler<Answer>(functionName: string, kind: QuestionKind<Answer>) {
  const services = buildServices(functionName);
  return fromEdge(async (event, { awsRequestId }: Context) =>
    toLambdaResult(await answerQuestion(toHttpRequest(event), kind, forRequest(services, awsRequestId))),
  );
}

function buildServices(functionName: string): QuestionServices {
  const now = Date.now;
  const callAws = createAwsCaller(readAwsEnvironment());
  const secretPrefix = readSetting("SECRET_PREFIX");
  const apps = createServedApps({ callAws, secretPrefix, appIds: servedAppIds(), now });
  startFetchingSecrets(apps);
  const secretOf = createNamedSecrets({
    readSecret: createSignedReadSecret(callAws, now),
    ages: readSecretAges(),
    secretPrefix,
    now,
    maxWaitMs: 600,
  });
  const { log, count } = createProcessLog(functionName);
  goOnAfterRejections(log);
  return { apps, secretOf, log, count, hint: createHint({ log, count, now }), now };
}
