import type { ManagementClient } from "../../lib/chat/management/management-client.ts";
import type { Webhook } from "../../lib/chat/management/webhooks.ts";
import { sortWebhooks } from "../../lib/operate/doctor/check-webhooks.ts";
import { webhookUrlOf } from "../../lib/receive/webhook-url.ts";
import { CliError } from "../cli-error.ts";

export interface WantedWebhook {
  readonly appId: string;
  readonly stage: string;
  /** Of the deployment's HTTP API. */
  readonly httpUrl: string;
  readonly username: string;
  readonly password: string;
  readonly triggers: readonly string[];
}

export interface PutWebhook {
  readonly id: string;
  readonly outcome: "created" | "brought up to date";
}

/**
 * Creates the webhook switched off, subscribes it, switches it on. Updates one that leads here, even with a
 * wrong app id in its address. Does not touch others. May be repeated after any failure.
 * @throws CliError if the platform has no such trigger; the client's errors
 */
export async function putAppWebhook(
  { webhooks }: Pick<ManagementClient, "webhooks">,
  wanted: WantedWebhook,
): Promise<PutWebhook> {
  const { appId, httpUrl, triggers } = wanted;
  const all = await Array.fromAsync(webhooks.list(appId));
  const { own, misled } = sortWebhooks(appId, httpUrl, all);
  const present = own.find(({ enabled }) => enabled !== false) ?? own[0] ?? misled[0];
  const id = present?.id ?? (await create(webhooks, wanted, all));
  const known = new Set(
    (await Array.fromAsync(webhooks.listTriggers(appId, id))).map((trigger) => trigger.id),
  );
  const lacking = triggers.filter((trigger) => !known.has(trigger));
  if (lacking.length > 0) await subscribe(webhooks, appId, id, lacking);
  await webhooks.update(appId, id, { ...settingsOf(wanted), enabled: true });
  // Of those that lead here under another app's id, one is enough.
  for (const stray of misled) {
    if (stray.id !== id && stray.enabled !== false)
      await webhooks.update(appId, stray.id, { enabled: false });
  }
  return { id, outcome: present === undefined ? "created" : "brought up to date" };
}

type Webhooks = ManagementClient["webhooks"];

async function create(webhooks: Webhooks, wanted: WantedWebhook, all: readonly Webhook[]): Promise<string> {
  const { appId, stage } = wanted;
  const isFree = (id: string) => all.every((webhook) => webhook.id !== id);
  const id =
    ["functions", `functions-${stage}`, `functions-${stage}-2`].find(isFree) ?? `functions-${Date.now()}`;
  await webhooks.create(
    appId,
    { id, name: "CometChat Functions", ...settingsOf(wanted), enabled: false },
    { alreadyDone: () => findOne(webhooks, appId, id) },
  );
  return id;
}

/** A creation without an answer may have succeeded. */
async function findOne(webhooks: Webhooks, appId: string, id: string): Promise<Webhook | undefined> {
  return (await Array.fromAsync(webhooks.list(appId))).find((webhook) => webhook.id === id);
}

function settingsOf({ appId, httpUrl, username, password }: WantedWebhook) {
  return {
    webhookURL: webhookUrlOf(httpUrl, appId),
    ...{ useBasicAuth: true, username, password },
    retryOnFailure: true,
  };
}

async function subscribe(
  webhooks: Webhooks,
  appId: string,
  id: string,
  triggerIds: readonly string[],
): Promise<void> {
  const results = await webhooks.addTriggers(appId, id, { triggerIds: [...triggerIds] });
  const refused = Object.entries(results).flatMap(([trigger, { success }]) =>
    success === false ? [trigger] : [],
  );
  if (refused.length === 0) return;
  throw new CliError(
    "partlyDone",
    "NOT_SUBSCRIBED",
    `The platform did not subscribe the webhook ${id} of ${appId} to ${refused.join(", ")}.`,
    "Subscribe it in the dashboard, Webhooks, and run this again.",
  );
}
