import { countOf } from "../../base/count-of.ts";
import type { Webhook } from "../../chat/types/webhooks.ts";
import { isSameReceiver, plainUrlOf, webhookUrlOf } from "../../receive/webhook-url.ts";
import type { SecretCredentials } from "./app-secret-state.ts";
import type { AppNeeds, DoctorServices } from "./doctor-services.ts";
import { type Found, ok, unknown, wrong } from "./run-checks.ts";

export const withoutWebhook = unknown("It cannot be checked without a webhook.");

export function isOn({ enabled }: Webhook): boolean {
  return enabled !== false;
}

export type AppWebhooks = ReturnType<typeof sortWebhooks>;

export function sortWebhooks(appId: string, httpUrl: string, webhooks: readonly Webhook[]) {
  const url = webhookUrlOf(httpUrl, appId);
  const origin = URL.parse(httpUrl)?.origin;
  const pathOf = ({ webhookURL = "" }: Webhook) => URL.parse(plainUrlOf(webhookURL))?.pathname;
  const isHere = ({ webhookURL = "" }: Webhook) => URL.parse(webhookURL)?.origin === origin;
  const isOfApp = (webhook: Webhook) => pathOf(webhook) === `/webhooks/${appId}`;
  const isOwn = ({ webhookURL = "" }: Webhook) => isSameReceiver(webhookURL, url);
  return {
    /** To this receiver; enabled ones first. */
    own: webhooks.filter(isOwn).toSorted((one, other) => Number(isOn(other)) - Number(isOn(one))),
    /** To this deployment, for another app or at a former address; this app's first. */
    misled: webhooks
      .filter((webhook) => isHere(webhook) && !isOwn(webhook) && pathOf(webhook)?.startsWith("/webhooks/"))
      .toSorted((one, other) => Number(isOfApp(other)) - Number(isOfApp(one))),
    /** To another host with this app's receiver path: an earlier deployment or another stage. */
    elsewhere: webhooks.filter((webhook) => !isHere(webhook) && isOfApp(webhook)),
    count: webhooks.length,
  };
}

export function checkWebhook(
  appId: string,
  { own, misled, elsewhere, count }: AppWebhooks,
  secret: SecretCredentials | undefined,
  { remedies, httpUrl }: DoctorServices,
): readonly Found[] {
  const setUp = remedies.setUpApp(appId);
  const url = webhookUrlOf(httpUrl, appId);
  const on = own.filter(isOn);
  const [first, second] = on;
  const found = (own.length === 0 ? misled : misled.filter(isOn)).map(({ id, webhookURL = "" }) => {
    const isEarlier = plainUrlOf(webhookURL) === plainUrlOf(url);
    const says = isEarlier
      ? "leads to an earlier address of this deployment"
      : "has another app's id in its address";
    return wrong(`The webhook ${id} ${says}: it must be ${url}.`, setUp);
  });
  if (second !== undefined) {
    found.push(
      wrong(
        `${on.length} webhooks deliver the same here: ${idsOf(on)}.`,
        `In the dashboard, Webhooks, switch off all but ${first?.id}`,
      ),
    );
  }
  if (first === undefined) {
    const [other] = elsewhere;
    if (own.length > 0) found.push(wrong(`The webhook ${idsOf(own)} is switched off.`, setUp));
    else if (misled.length === 0) {
      const says =
        other === undefined
          ? `No webhook of the app leads here (webhooks that lead elsewhere: ${count}).`
          : `The webhook ${other.id} leads to another address than this deployment's, ${url}.`;
      found.push(wrong(says, setUp));
    }
    return found;
  }
  found.push(...checkCredentials(first, secret, setUp));
  const apart = elsewhere
    .filter(isOn)
    .map(({ id }) =>
      unknown(
        `The webhook ${id} leads to another address, as if it were a receiver of this app: if a deployment answers there, both handle its events.`,
        `In the dashboard, Webhooks, switch ${id} off, unless both must handle events`,
      ),
    );
  if (found.length > 0) return [...found, ...apart];
  const state =
    first.enabled === undefined
      ? unknown(`The platform does not say whether the webhook ${first.id} is switched on.`, setUp)
      : ok(`The webhook ${first.id} leads here and is switched on.`);
  return [state, ...apart];
}

function idsOf(webhooks: readonly Webhook[]) {
  return webhooks.map(({ id }) => id).join(", ");
}

/** It is not documented whether credentials are returned (docs/internals/platform/management.md#webhooks). */
function checkCredentials(webhook: Webhook, secret: SecretCredentials | undefined, remedy: string) {
  const { username, useBasicAuth } = webhook;
  if (useBasicAuth === false) {
    return [wrong(`The webhook ${webhook.id} sends no credentials (Basic authentication is off).`, remedy)];
  }
  const isOther = typeof username === "string" && secret && username !== secret.webhookUsername;
  return isOther
    ? [wrong(`The webhook ${webhook.id} has another user name than the app's secret.`, remedy)]
    : [];
}

export function checkRetries(appId: string, { own }: AppWebhooks, { remedies }: DoctorServices): Found {
  const { setUpApp } = remedies;
  const [webhook] = own;
  if (webhook === undefined) return withoutWebhook;
  const { retryOnFailure } = webhook;
  if (retryOnFailure === true) return ok("Deliveries that fail are tried again.");
  if (retryOnFailure === false) {
    return wrong(
      `The webhook ${webhook.id} does not try again what failed ("retry on failure" is off): a moment's outage loses events.`,
      setUpApp(appId),
    );
  }
  return unknown(
    `The platform does not return whether the webhook ${webhook.id} has "retry on failure" on: each setup switches it on, and only the dashboard shows it.`,
  );
}

export function checkTriggers(
  appId: string,
  subscribed: readonly string[],
  needs: AppNeeds,
  { remedies }: DoctorServices,
): Found {
  if (needs === undefined) return unknown("What is deployed does not say which triggers it needs.");
  const missing = Object.entries(needs.webhook).filter(([trigger]) => !subscribed.includes(trigger));
  if (missing.length > 0) {
    const list = missing.map(([trigger, who]) => `${trigger} (${who.join(", ")})`).join("; ");
    return wrong(`The webhook lacks triggers that are needed: ${list}.`, remedies.setUpApp(appId));
  }
  const needed = Object.keys(needs.webhook).length;
  const more = subscribed.filter((trigger) => !Object.hasOwn(needs.webhook, trigger)).toSorted();
  const isForAll = needs.everything.length > 0;
  const note =
    more.length === 0
      ? ""
      : isForAll
        ? ` ${more.length} more are for ${needs.everything.join(", ")}.`
        : ` ${more.length} more are not needed by anything: ${more.slice(0, 5).join(", ")}${more.length > 5 ? ", …" : ""}.`;
  const elsewhere = Object.keys(needs.elsewhere);
  const apart = elsewhere.length === 0 ? "" : ` No webhook reports ${elsewhere.join(", ")}.`;
  return ok(`The webhook is subscribed to all needed triggers (${needed}).${note}${apart}`);
}

export function checkLegacyWebhooks(webhooks: readonly Webhook[], { httpUrl }: DoctorServices): Found {
  const on = webhooks.filter(isOn);
  const origin = URL.parse(httpUrl)?.origin;
  const here = on.filter(({ webhookURL = "" }) => URL.parse(webhookURL)?.origin === origin);
  if (here.length > 0) {
    return wrong(
      `Webhooks of the legacy engine lead here: ${idsOf(here)}. While that engine is on, the current one sends no events.`,
      "In the dashboard, Webhooks, switch to the current engine and the legacy webhooks off",
    );
  }
  return ok(
    on.length === 0
      ? "No webhook of the legacy engine is switched on."
      : `${countOf(on.length, "webhook of the legacy engine leads", "webhooks of the legacy engine lead")} elsewhere; if that engine is on, the current one sends no events.`,
  );
}
