import type { Context } from "aws-lambda";
import { createAwsCaller } from "../../aws/aws-call.ts";
import { createNamedSecrets } from "../../aws/secrets/app-secret.ts";
import { createSignedReadSecret } from "../../aws/secrets/read-secret-value.ts";
import { servedAppIds } from "../../aws/served-app-ids.ts";
import { readAwsEnvironment, readSetting } from "../../base/config.ts";
import { errorFields } from "../../base/describe-error.ts";
import { fromEdge } from "../../base/http/from-edge.ts";
import {
  arrivalOf,
  type HttpRequest,
  type HttpResponse,
  toHttpRequest,
  toLambdaResult,
} from "../../base/http/lambda.ts";
import { notFound, unauthorized } from "../../base/http/respond.ts";
import { parseJson, withoutDepths } from "../../base/json.ts";
import { createHint, createProcessLog, forRequest, goOnAfterRejections } from "../../base/log.ts";
import { readSecretAges } from "../../base/secret-ages.ts";
import { OutOfTimeError, startTimeLimit } from "../../base/time-limit.ts";
import { createServedApps, startFetchingSecrets } from "../../receive/served-apps.ts";
import { verifySender } from "../../receive/verify-sender.ts";
import {
  MisplacedDeliveryError,
  type Question,
  UnreadableQuestionError,
  WrongAddressError,
} from "./question.ts";

export interface QuestionKind<Answer> {
  readonly name: "before_message" | "moderation";
  readonly family: "legacy" | "moderation";
  readonly read: (body: unknown) => Question;
  readonly decide: Decide<Answer>;
  /** Also if credentials, parsing or writing fail. */
  readonly whenUndecided: (appId: string) => Answer;
  /** @throws if it is not a valid answer */
  readonly write: (answer: Answer) => string;
}

/** One that blocks the process cannot be interrupted, and counts as undecided if late. */
export type Decide<Answer> = (question: Question, help: DecisionHelp) => Answer | Promise<Answer>;

export interface DecisionHelp {
  readonly appId: string;
  /** Aborted when time is up: pass it to slow work. */
  readonly signal: AbortSignal;
  /**
   * Reads a field of the app's secret (docs/deploy.md). The first read takes some of the time.
   * @throws InvalidSecretError if there is no such field, AwsCallError
   */
  readonly secret: (name: string) => Promise<string>;
}

/** Once per cold start, and begins to read the apps' credentials. */
export function createQuestionHandler<Answer>(functionName: string, kind: QuestionKind<Answer>) {
  const services = buildServices(functionName);
  return fromEdge(async (event, { awsRequestId }: Context) =>
    toLambdaResult(await answerQuestion(toHttpRequest(event), kind, forRequest(services, awsRequestId))),
  );
}

function buildServices(functionName: string) {
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

/** From the request's arrival (docs/internals/platform/moderation.md#answering-the-custom-api). */
const platformWaitsMs = 2_000;
/** With a cold start; 500 are for the network. */
export const answerWithinMs = 1_500;
/** A late decision may still be in time, and clocks may differ. */
const atLeastMs = 300;

/**
 * A message has at most 65,536 characters, after ten texts of at most 10 kB
 * (docs/internals/platform/ids-and-limits.md#size-of-messages,
 * docs/internals/platform/moderation.md#custom-api): 1,010,000 bytes if all are written as \uXXXX.
 */
const maxQuestionBytes = 1_048_576;

/**
 * Always in time and with 200 unless the sender is known to be wrong or no message waits: the effect of other
 * answers is not documented for before_message.
 * @throws InvalidAnswerError only if the kind's `whenUndecided` is invalid, and then for every question
 */
export async function answerQuestion<Answer>(
  request: HttpRequest,
  kind: QuestionKind<Answer>,
  { apps, secretOf, log, count, hint, now }: ReturnType<typeof buildServices>,
): Promise<HttpResponse> {
  const startedAt = now();
  const waitedMs = startedAt - arrivalOf(request, startedAt);
  using time = startTimeLimit(Math.max(answerWithinMs - waitedMs, atLeastMs), now);
  // Invented ids must not fill the metrics.
  const pathAppId = request.pathParameters.appId ?? "";
  const appId = apps.has(pathAppId) ? pathAppId : "unknown";
  const undecided = { status: 200, body: kind.write(kind.whenUndecided(appId)) };
  let answer = undecided;

  try {
    const isTooLarge = request.body.length > maxQuestionBytes;
    const headers = { ...request.headers, ...(isTooLarge && { "x-cometchat-signature": undefined }) };
    const sender = await time.within(() => verifySender({ ...request, headers }, apps, time.endsAt));
    if (!sender?.families.includes(kind.family)) {
      const text = "refused questions: app, username, password or signature is wrong";
      hint("QuestionUnauthorized", appId, text, { question: kind.name });
      return unauthorized;
    }
    if (sender.isReplaced) {
      hint("ReplacedPasswordUsed", appId, "the platform still uses a password that was replaced");
    }
    if (isTooLarge)
      throw new UnreadableQuestionError(`The question has more than ${maxQuestionBytes} bytes.`);
    const question = kind.read(withoutDepths(parseJson(request.body.toString("utf8")), maxDepth));
    time.check();
    if (question.areUidsDoubtful) {
      hint(
        "QuestionUidsDoubtful",
        appId,
        "a moderation question names another user than the message's sender",
      );
    }
    const secret = (name: string) => secretOf(appId, name);
    const decide = async () => kind.decide(question, { appId, signal: time.signal, secret });
    answer = { status: 200, body: kind.write(await time.within(decide)) };
    time.check();
    if (waitedMs + (now() - startedAt) >= platformWaitsMs) throw new OutOfTimeError(platformWaitsMs);
    return answer;
  } catch (error) {
    const isMisplaced = error instanceof WrongAddressError;
    if (isMisplaced) hint("QuestionAtWrongAddress", appId, error.message, { question: kind.name });
    // A delivery holds no message back; a 200 would be taken for its receipt.
    if (error instanceof MisplacedDeliveryError) return notFound;
    count("MessageUndecided", { appId, question: kind.name });
    if (isMisplaced) return undecided;
    log.error("could not answer a question in time", {
      question: kind.name,
      appId,
      ...errorFields(error),
      tookMs: now() - startedAt,
      waitedMs,
    });
    return answer;
  }
}

/** The deepest documented field is at 11. A sender must not bypass moderation by deeply nested metadata. */
const maxDepth = 64;
