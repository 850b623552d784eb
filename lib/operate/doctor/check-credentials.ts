import { countOf } from "../../base/count-of.ts";
import { accepted, unavailable } from "../../base/http/respond.ts";
import { rememberSecret } from "../../base/known-secrets.ts";
import { regions } from "../../chat/address.ts";
import { ChatApiError } from "../../chat/errors.ts";
import { refusesCredentials } from "../../chat/is-code.ts";
import {
  declareNone,
  describeLack,
  lacksFeature,
  planHint,
  subscriptionHint,
} from "../../chat/lacks-feature.ts";
import { apiKeys } from "../../chat/resources/keys-and-tokens.ts";
import { reasons } from "../../chat/resources/moderation-rules.ts";
import type { ApiKey } from "../../chat/types/api-keys.ts";
import type { Webhook } from "../../chat/types/webhooks.ts";
import { probeBody, probeHeaders } from "../../receive/probe.ts";
import { webhookUrlOf } from "../../receive/webhook-url.ts";
import { chatOf, readReplaced, type SecretCredentials } from "./app-secret-state.ts";
import { changedAtMsOf } from "./check-deliveries.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { type Found, ok, unknown, wrong } from "./run-checks.ts";

/**
 * Makes one call that needs a key of scope fullAccess
 * (docs/internals/platform/addressing-and-keys.md#scopes-of-keys).
 * @throws ChatApiError, ChatUnreachableError if the answer says nothing about the key
 */
export async function checkApiKey(credentials: SecretCredentials, services: DoctorServices): Promise<Found> {
  const { appId, apiKey } = credentials;
  const { remedies } = services;
  try {
    const keys = await listKeys(credentials, services);
    const own = keys.find((key) => key.apiKey === apiKey);
    if (own?.scope === "authOnly") return wrong(tooSmall, remedies.replaceKey(appId));
    return ok(
      `The platform accepts the API key (fullAccess${ageOf(own, services.now())}${fullnessOf(keys)}).`,
    );
  } catch (error) {
    if (!(error instanceof ChatApiError)) throw error;
    if (error.code === "AUTH_ERR_INVALID_APPID") return await wrongRegion(credentials, services);
    if (error.code === "ERR_SUBSCRIPTION_EXPIRED")
      return wrong(`The app's subscription has ended (${error.code}).`, subscriptionHint);
    if (!refusesCredentials(error)) throw error;
    const says =
      error.code === "AUTH_ERR_APIKEY_NOT_FOUND"
        ? "The platform refuses the API key: it was revoked, or is another app's."
        : error.status === 403
          ? tooSmall
          : "The platform refuses the API key.";
    return wrong(says, remedies.replaceKey(appId));
  }
}

const tooSmall =
  "The API key's scope is too small: it must be fullAccess, which the dashboard calls a REST API key.";

async function wrongRegion(credentials: SecretCredentials, services: DoctorServices) {
  const { appId, region } = credentials;
  const { remedies } = services;
  const others = await Promise.all(
    regions
      .filter((other) => other !== region)
      .map(async (other) => ({ other, isThere: await isAppOf({ ...credentials, region: other }, services) })),
  );
  const there = others.find(({ isThere }) => isThere === true)?.other;
  if (there !== undefined) {
    return wrong(
      `The platform knows the app in region ${there}, and the secret says ${region}.`,
      remedies.setRegion(appId, there),
    );
  }
  const silent = others.flatMap(({ other, isThere }) => (isThere === undefined ? [other] : []));
  if (silent.length > 0) {
    return wrong(
      `The platform knows no app ${appId} in region ${region}; whether it is in ${silent.join(" or ")} is unknown, because there was no answer.`,
      remedies.setUpApp(appId),
    );
  }
  return wrong(
    `The platform knows no app ${appId}, in region ${region} or another: its id may be mistyped, or the app be gone.`,
    remedies.setUpApp(appId),
  );
}

/** An answer about the key means that the app exists there. */
async function isAppOf(credentials: SecretCredentials, services: DoctorServices) {
  return listKeys(credentials, services).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof ChatApiError) || !error.code.startsWith("AUTH_ERR_")) return undefined;
      return error.code !== "AUTH_ERR_INVALID_APPID";
    },
  );
}

async function listKeys(credentials: SecretCredentials, services: DoctorServices) {
  const { items } = await chatOf(credentials, services, { apiKeys }).apiKeys.list({}).page();
  for (const key of items) rememberSecret(key.apiKey);
  return items;
}

function ageOf(key: ApiKey | undefined, nowMs: number) {
  if (key?.createdAt === undefined) return "";
  const days = Math.floor((nowMs / 1000 - key.createdAt) / 86_400);
  return `, ${countOf(days, "day")} old${days > oldDays ? ": time to rotate it" : ""}`;
}

/** No documentation demands an earlier rotation. */
const oldDays = 365;

/** @see docs/internals/platform/addressing-and-keys.md#api-keys */
const mostKeys = 25;

function fullnessOf({ length }: readonly ApiKey[]) {
  return length < mostKeys - 1 ? "" : `, ${length} of ${mostKeys} keys are used: a rotation needs a free one`;
}

type KnockServices = Pick<DoctorServices, "fetch" | "httpUrl" | "remedies" | "now" | "sleep">;

type KnockCredentials = Pick<
  SecretCredentials,
  "appId" | "webhookUsername" | "webhookPassword" | "webhookSecret"
>;

/** Calls as the platform does, without an event. */
export async function checkReceiver(credentials: KnockCredentials, services: KnockServices): Promise<Found> {
  const { httpUrl, remedies, now, sleep } = services;
  const { appId } = credentials;
  const startedAt = now();
  let answer = await knock(credentials, services);
  if (answer?.status === 401 || answer?.body === unavailable.body) {
    // A process without right credentials reads the secret after this time.
    await sleep(lookedAtAgainMs);
    answer = await knock(credentials, services);
  }
  // A lost connection, or a slow start, may affect only the first request.
  answer ??= await knock(credentials, services);
  if (answer === undefined) {
    return wrong(
      `The receiver gives no answer, twice (${limitMs / 1000} s each): deliveries are lost after 40 s.`,
      remedies.warningsOf("webhook"),
    );
  }
  const { status, body } = answer;
  switch (status) {
    case 200:
      if (body !== accepted.body)
        return wrong(`What answers at ${httpUrl} is no receiver (status 200).`, remedies.deploy);
      return ok(`The receiver accepts the app's webhook credentials (${now() - startedAt} ms).`);
    case 401:
      return wrong(
        "The receiver refuses the webhook credentials of the app's own secret.",
        remedies.logs(appId),
      );
    case 403:
    case 404:
      return wrong(`There is no receiver at ${httpUrl} (status ${status}).`, remedies.deploy);
    default:
      // The service writes no line in the log.
      if (/"message":\s*"Service Unavailable"/.test(body)) {
        const says = `The receiver's function did not run: it is throttled, or its time was up (status ${status}).`;
        return wrong(says, remedies.status);
      }
      return wrong(`The receiver cannot take deliveries (status ${status}).`, remedies.logs(appId));
  }
}

/**
 * @param webhooks undefined if they cannot be read
 * @returns undefined if nothing contradicts it
 */
export async function checkReplaced(
  appId: string,
  services: DoctorServices,
  webhooks: readonly Webhook[] | undefined,
): Promise<Found | undefined> {
  const { recentLogs, remedies, now } = services;
  const { names, replacedAt, accepted } = await readReplaced(appId, services);
  if (recentLogs === undefined || accepted.length === 0) return undefined;
  const changedAt = changedAtMsOf(webhooks ?? [], services);
  const [what, remedy] = [names.join(" and "), remedies.setUpApp(appId)];
  const end = `Still accepted: ${accepted.join("; ")}; then its deliveries are refused.`;
  if (await recentLogs.hasCounted(appId, "ReplacedPasswordUsed", Math.max(replacedAt, changedAt), now()))
    return wrong(`${replacedUsed} ${end}`, remedy);
  if (webhooks === undefined || names.length === 0 || changedAt >= replacedAt) return undefined;
  return (await recentLogs.hasHandled(appId, replacedAt))
    ? undefined
    : unknown(
        `Nothing was delivered since the secret's ${what} changed, and the webhook was not changed with it: the platform may send the previous. ${end}`,
        remedy,
      );
}

const replacedUsed =
  "Calls come with replaced credentials, not with the secret's. Besides the webhook, a moderation service, an extension, a notification provider or the legacy engine may still use them, where setup does not enter the current ones.";

async function knock(
  { appId, webhookUsername, webhookPassword, webhookSecret }: KnockCredentials,
  { fetch, httpUrl }: KnockServices,
) {
  return fetch(webhookUrlOf(httpUrl, appId), {
    method: "POST",
    headers: probeHeaders(webhookUsername, webhookPassword, webhookSecret),
    body: probeBody,
    redirect: "manual",
    signal: AbortSignal.timeout(limitMs),
  }).then(
    async (answer) => ({ status: answer.status, body: await answer.text() }),
    () => undefined,
  );
}

/** lib/receive/verify-sender.ts reads other credentials at most every 5 s. */
const lookedAtAgainMs = 5_500;

/** The platform's wait plus a cold start. */
const limitMs = 7_000;

/** Checks moderation alone: public tests saw plans without it. */
export async function checkPlan(
  credentials: SecretCredentials,
  services: DoctorServices,
): Promise<readonly Found[]> {
  try {
    await chatOf(credentials, services, { reasons }).reasons.list({}).page();
    return [];
  } catch (error) {
    return lacksFeature(error) ? [unknown(describeLack(error), `${planHint} If not, ${declareNone}`)] : [];
  }
}
