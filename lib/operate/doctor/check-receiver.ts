import { accepted } from "../../base/http/respond.ts";
import type { Webhook } from "../../chat/types/webhooks.ts";
import { probeBody, probeHeaders } from "../../receive/probe.ts";
import { webhookUrlOf } from "../../receive/webhook-url.ts";
import { readReplaced, type SecretCredentials } from "./app-secret-state.ts";
import { changedAtMsOf } from "./check-deliveries.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { type Found, ok, unknown, wrong } from "./finding.ts";

type KnockServices = Pick<DoctorServices, "fetch" | "httpUrl" | "remedies" | "now" | "sleep">;

/** As the platform does, without an event. What the platform itself sends cannot be checked here. */
export async function checkReceiver(credentials: SecretCredentials, services: KnockServices): Promise<Found> {
  const { httpUrl, remedies, now, sleep } = services;
  const { appId } = credentials;
  const startedAt = now();
  let answer = await knock(credentials, services);
  if (answer?.status === 401) {
    // A process that just got wrong credentials reads the secret again after this time.
    await sleep(lookedAtAgainMs);
    answer = await knock(credentials, services);
  }
  // A lost connection, or a slow start, may end with the first.
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
      // Another site's page is no receiver.
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
      // Without a line in the log.
      if (/"message":\s*"Service Unavailable"/.test(body)) {
        const says = `The receiver's function did not run: it is throttled, or its time was up (status ${status}).`;
        return wrong(says, remedies.status);
      }
      return wrong(`The receiver cannot take deliveries (status ${status}).`, remedies.logs(appId));
  }
}

/**
 * Whether the platform, too, has the credentials that the last change of the secret brought.
 * @param webhooks the app's; undefined if they cannot be read
 * @returns undefined if nothing speaks against it
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
    return wrong(`Deliveries come with replaced credentials, not with the secret's. ${end}`, remedy);
  if (webhooks === undefined || names.length === 0 || changedAt >= replacedAt) return undefined;
  return (await recentLogs.hasHandled(appId, replacedAt))
    ? undefined
    : unknown(
        `Nothing was delivered since the secret's ${what} changed, and the webhook was not changed with it: the platform may send the previous. ${end}`,
        remedy,
      );
}

/** Undefined without a response in time. */
async function knock(
  { appId, webhookUsername, webhookPassword, webhookSecret }: SecretCredentials,
  { fetch, httpUrl }: KnockServices,
): Promise<{ readonly status: number; readonly body: string } | undefined> {
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
