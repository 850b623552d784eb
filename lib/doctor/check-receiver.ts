import { probeBody } from "../webhook/probe.ts";
import type { SecretCredentials } from "./app-secret-state.ts";
import { webhookUrlOf } from "./check-webhooks.ts";
import type { DoctorServices } from "./doctor-services.ts";
import { type Found, ok, unknown, wrong } from "./finding.ts";
import { remediesFor } from "./remedies.ts";

/**
 * Knocks at the receiver with the credentials of an app's secret, as the platform does, and tells nothing: nobody acts on
 * it. What the platform itself sends cannot be told from here.
 */
export async function checkReceiver(
  { appId, webhookUsername, webhookPassword }: SecretCredentials,
  { fetch, httpUrl, commands, now }: DoctorServices,
): Promise<Found> {
  const remedies = remediesFor(commands);
  const startedAt = now();
  const credentials = Buffer.from(`${webhookUsername}:${webhookPassword}`, "utf8").toString("base64");
  const answer = await fetch(webhookUrlOf(httpUrl, appId), {
    method: "POST",
    headers: { authorization: `Basic ${credentials}`, "content-type": "application/json" },
    body: probeBody,
    redirect: "manual",
    signal: AbortSignal.timeout(limitMs),
  }).catch(() => undefined);
  if (answer === undefined) return unknown(`The receiver gave no answer within ${limitMs / 1000} s.`);
  await answer.text();
  const { status } = answer;
  if (status === 200)
    return ok(`The receiver takes the app's webhook credentials (${now() - startedAt} ms).`);
  if (status === 401) {
    return wrong(
      "The receiver refuses the webhook credentials of the app's own secret. What was changed counts after 3 minutes at the latest.",
      remedies.logs(appId),
    );
  }
  if (status === 404 || status === 403) {
    return wrong(`There is no receiver at ${httpUrl} (status ${status}).`, remedies.deploy);
  }
  return wrong(`The receiver cannot take deliveries (status ${status}).`, remedies.logs(appId));
}

/** As long as the platform waits, and a cold start more. */
const limitMs = 10_000;
