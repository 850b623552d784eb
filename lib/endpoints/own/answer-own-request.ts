import type { ZodMiniType } from "zod/mini";
import { AwsCallError } from "../../aws/aws-call.ts";
import { InvalidSecretError } from "../../aws/secrets/parse-secret.ts";
import { SecretTimeoutError } from "../../aws/secrets/secret-reader.ts";
import { errorFields } from "../../base/describe-error.ts";
import { OwnError } from "../../base/errors.ts";
import { arrivalOf } from "../../base/http/lambda.ts";
import type { WholeRequest, WholeResponse } from "../../base/http/whole-request.ts";
import { parseJson } from "../../base/json.ts";
import { isError } from "../../base/realm.ts";
import { standInFor } from "../../base/stand-in.ts";
import { OutOfTimeError, startTimeLimit, type TimeLimit } from "../../base/time-limit.ts";
import { ChatApiError, ChatUnreachableError } from "../../chat/errors.ts";
import { EffectBusyError, EffectNotClearError, EventEndedError } from "../../effects/effect-errors.ts";
import { GuardKeyError } from "../../events/marks/loop-guard.ts";
import type { OwnServices } from "./build-own-services.ts";
import { answerPreflight, checkOrigin, corsHeaders } from "./cors.ts";
import { KeySetUnavailableError } from "./jwt/fetch-key-set.ts";
import {
  bodyTooLarge,
  internalError,
  invalidBody,
  RefusedRequestError,
  serviceUnavailable,
  tooManyRequests,
  unknownApp,
} from "./refusal.ts";
import type { Auth, RequestDefinition, RequestHandler } from "./request-definition.ts";
import { openContext, runToEnd } from "./run-to-end.ts";

const usualBodyBytes = 65_536;

/**
 * A function's response has at most 6 MB, including headers and with the body as a JSON string.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
 */
const mostAnswerBytes = 6 * 1024 ** 2 - 65_536;

/**
 * Always answers in time and in JSON, with one constant body per error code. An unknown app is checked like a
 * served one, and refused before the body.
 * @param limitMs maximum time in total
 */
export async function answerOwnRequest(
  request: WholeRequest,
  definition: RequestDefinition,
  handler: RequestHandler<unknown, unknown>,
  services: OwnServices,
  limitMs: number,
): Promise<WholeResponse> {
  const { access, now } = services;
  const served = appOf(request, access.appIds);
  const reportedAppId = served ?? "unknown";
  let cors: WholeResponse["headers"] = {};
  try {
    const appId = served ?? standInFor(request.pathParameters.appId ?? "", access.appIds);
    if (appId === undefined) throw unknownApp();
    const origins = definition.origins?.(appId) ?? [];
    cors = corsHeaders(request, origins);
    if (definition.origins !== undefined && request.method === "OPTIONS") {
      return withHeaders(answerPreflight(request, origins), cors);
    }
    // A browser may add the user's credentials to a refused request.
    checkOrigin(request, origins);
    using time = startTimeLimit(limitMs, now);
    const work = { request, definition, handler, services, appId, reportedAppId, time };
    const answer = await time.within(() => handle(work));
    time.check();
    return { status: 200, body: writeAnswer(answer), headers: cors };
  } catch (error) {
    return withHeaders(refuse(error, reportedAppId, services), cors);
  }
}

function appOf({ pathParameters }: WholeRequest, appIds: readonly string[]) {
  const [only] = appIds.length === 1 ? appIds : [];
  const named = "appId" in pathParameters ? pathParameters.appId : only;
  return appIds.find((appId) => appId === named);
}

interface Work {
  readonly request: WholeRequest;
  readonly definition: RequestDefinition;
  readonly handler: RequestHandler<unknown, unknown>;
  readonly services: OwnServices;
  readonly appId: string;
  /** Differs from the app's id for an unknown app. */
  readonly reportedAppId: string;
  readonly time: TimeLimit;
}

async function handle({ request, definition, handler, services, appId, reportedAppId, time }: Work) {
  const { access, takeTurn, count, now } = services;
  const receivedAt = arrivalOf(request, now());
  const { auth, perSource, mostBodyBytes = usualBodyBytes } = definition;
  const waitMs = perSource && takeTurn(`${appId} ${request.sourceIp}`, perSource(appId));
  if (waitMs !== undefined) throw tooManyRequests(waitMs);
  if (request.body.length > mostBodyBytes) throw bodyTooLarge();

  const { endsAt: deadlineMs } = time;
  const secrets = access.secretOf(appId);
  const note = (reason: string) => count("CallerRefused", { appId: reportedAppId, reason });
  const caller =
    auth === "none" ? undefined : await auth.identify(request, { appId, secrets, deadlineMs, now, note });
  if (reportedAppId !== appId) throw unknownApp();
  const body = readBody(request, definition.body);
  // https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/
  const key = request.headers["idempotency-key"] || crypto.randomUUID();
  const run = { source: sourceOf(auth, caller), key, receivedAt, acts: services.acts };
  const own = await openContext(services, appId, time, run);
  const { query, pathParameters } = request;
  return runToEnd({ ...own, body, caller, query, path: pathParameters }, handler);
}

/** @throws OwnError if it is too large: the gateway would answer 502 in its own form */
function writeAnswer(answer: unknown) {
  const text = JSON.stringify(answer ?? {});
  if (text.length > mostAnswerBytes / 6 && Buffer.byteLength(JSON.stringify(text)) > mostAnswerBytes) {
    throw new OwnError("The handler's answer has more than 6 MB.");
  }
  return text;
}

function sourceOf(auth: Auth<unknown> | "none", caller: unknown) {
  const name = auth === "none" ? undefined : auth.nameOf?.(caller);
  return name === undefined ? "request" : `request by ${name}`;
}

function readBody({ body }: WholeRequest, schema: ZodMiniType | undefined): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(parseJson(body.toString("utf8")));
  if (result.success) return result.data;
  throw invalidBody();
}

/** Only the log has the cause. */
function refuse(error: unknown, appId: string, { log, count, hint, now }: OwnServices): WholeResponse {
  if (error instanceof RefusedRequestError && error.status < 500) {
    hint("RequestRefused", appId, "refused requests to a custom function", { code: error.code });
    return toResponse(error);
  }
  const failure =
    error instanceof RefusedRequestError
      ? error
      : isOutage(error)
        ? serviceUnavailable(waitMsOf(error, now()))
        : internalError();
  log.error("could not answer a request", { appId, code: failure.code, ...errorFields(error) });
  count("RequestFailed", { appId, code: failure.code });
  return toResponse(failure);
}

/** Returns the wait until an effect that may be done can be checked. */
function waitMsOf(error: unknown, nowMs: number) {
  const isEffects = error instanceof EffectBusyError || error instanceof EffectNotClearError;
  return isEffects ? error.retryAtMs - nowMs : undefined;
}

/** True for errors that are answered with 503. */
export function isOutage(error: unknown): boolean {
  const classes = [
    AwsCallError,
    ChatUnreachableError,
    EffectBusyError,
    EffectNotClearError,
    EventEndedError,
    GuardKeyError,
    InvalidSecretError,
    KeySetUnavailableError,
    OutOfTimeError,
    SecretTimeoutError,
  ];
  if (classes.some((one) => error instanceof one)) return true;
  if (error instanceof RefusedRequestError) return error.status === 503;
  if (error instanceof ChatApiError) {
    const isRefusal = error.status >= 400 && error.status < 500;
    return error.retryable || (error.maybeExecuted && !isRefusal) || error.code.startsWith("AUTH_ERR_");
  }
  return isError(error) && "$metadata" in error;
}

function toResponse({ status, code, message, headers }: RefusedRequestError): WholeResponse {
  return { status, body: JSON.stringify({ error: { code, message } }), headers };
}

function withHeaders(response: WholeResponse, headers: WholeResponse["headers"]): WholeResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}
