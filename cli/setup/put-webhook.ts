import { randomInt } from "node:crypto";
import { join } from "node:path";
import { isMap, parseDocument, YAMLMap } from "yaml";
import { createSignedReadSecret } from "../../lib/aws/secrets/read-secret-value.ts";
import { pause } from "../../lib/base/timers.ts";
import { isCode } from "../../lib/chat/is-code.ts";
import type { ManagementClient } from "../../lib/chat/management/management-client.ts";
import type { Webhook } from "../../lib/chat/types/webhooks.ts";
import { openWebhookSecret } from "../../lib/operate/app-as-code/webhook-secret.ts";
import { countLosses, lossesFrom, sinceOf } from "../../lib/operate/doctor/check-deliveries.ts";
import { isOn, sortWebhooks } from "../../lib/operate/doctor/check-webhooks.ts";
import { needsOf } from "../../lib/operate/doctor/doctor-services.ts";
import { plainUrlOf, webhookUrlOf } from "../../lib/receive/webhook-url.ts";
import { readAppSecret } from "../apps/app-secret.ts";
import { editFile } from "../apps/edit-apps-file.ts";
import type { StageApps } from "../apps/stage-apps.ts";
import { partlyDone, refused } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { AddressList } from "../deploy/check-before.ts";
import { nameTrigger } from "../doctor/check-drift.ts";
import { openRecentLogs } from "../doctor/recent-logs.ts";
import { chooseServed } from "../target/served-apps.ts";
import type { Stack } from "../target/target.ts";

/** `isNew`: the app's secret was missing. */
type WantedWebhook = Awaited<ReturnType<typeof readWanted>>["wanted"] & { readonly isNew?: boolean };

export async function readWanted(
  appId: string,
  { target, edges, out, isDryRun }: WorkContext,
  stack: Stack,
  apps: StageApps,
) {
  out.progress("asking the deployment what its triggers need");
  const { facts } = await chooseServed(target, appId);
  const secret = openWebhookSecret(
    createSignedReadSecret(target.callAws, edges.now),
    apps.webhookSecretIdOf(appId),
  );
  if (!isDryRun) await secret.fields();
  const { webhookUsername = "", webhookPassword = "" } = (await readAppSecret(apps, appId)).fields;
  const wanted = {
    appId,
    stage: target.stage,
    httpUrl: stack.output("HttpApiUrl"),
    username: String(webhookUsername),
    password: String(webhookPassword),
    isRotating: secret.isRotating,
    triggers: Object.keys(needsOf(facts, appId)?.webhook ?? {}).toSorted(),
  };
  return { triggersOn: facts.triggers.map(nameTrigger), wanted };
}

async function findAppWebhook({ webhooks }: ManagementClient, wanted: WantedWebhook) {
  const { appId, httpUrl, triggers } = wanted;
  const all = await Array.fromAsync(webhooks.list(appId));
  const { own, misled, elsewhere } = sortWebhooks(appId, httpUrl, all);
  const present = own[0] ?? misled[0];
  const subscribed =
    present && (await Array.fromAsync(webhooks.listTriggers(appId, present.id))).map(({ id }) => id);
  const lacking = triggers.filter((trigger) => subscribed?.includes(trigger) !== true);
  const strays = misled.filter((stray) => stray.id !== present?.id && isOn(stray));
  /** The platform's answers include neither the password nor retries. */
  const changesWith = (added: readonly string[]) => [
    ...(present?.enabled === false ? ["switched on"] : []),
    ...(present !== undefined && !own.includes(present) ? ["address"] : []),
    ...(present !== undefined && added.length > 0 ? [`triggers ${added.join(", ")}`] : []),
    ...strays.map((stray) => `${stray.id} switched off`),
  ];
  const isStart = present === undefined || !isOn(present);
  const others = elsewhere
    .filter((other) => isStart && isOn(other))
    .map(({ id, webhookURL = "" }) => `${id} (${URL.parse(webhookURL)?.host})`);
  const warnings =
    others.length === 0
      ? []
      : [
          `Webhooks of the app ${appId} that lead to other hosts stay on: ${others.join(", ")}. If a deployment answers there, both answer each message.`,
        ];
  const question =
    present === undefined
      ? registerQuestion(appId)
      : `Set the webhook ${present.id} of the app ${appId} (${[...changesWith(lacking), "credentials", "retry on failure"].join("; ")})?`;
  const isOfApp = plainUrlOf(present?.webhookURL ?? "").endsWith(`/webhooks/${appId}`);
  const hasLost = present?.enabled === false || !isOfApp || lacking.includes("message_sent");
  return { all, present, lacking, strays, changesWith, warnings, question, hasLost };
}

export function registerQuestion(appId: string): string {
  return `Register a webhook for the app ${appId}, with its triggers?`;
}

/**
 * Creates the webhook switched off, subscribes it, switches it on. Leaves others unchanged. May be repeated.
 * @returns undefined in a rehearsal; `refusal`, to be thrown at the end, if the platform refused triggers
 * @throws CliError if the user declines
 */
export async function putAppWebhook(
  management: ManagementClient,
  wanted: WantedWebhook,
  context: WorkContext,
) {
  const { webhooks } = management;
  const { appId } = wanted;
  const { confirm, out, isDryRun } = context;
  const found = await findAppWebhook(management, wanted);
  const { all, present, lacking, strays, changesWith, warnings, question } = found;
  const lostFromMs = await findLost(wanted, found, context);
  await confirm([...warnings, question].join(" "));
  if (isDryRun) return undefined;
  if (await wanted.isRotating()) throw rotationBegan(appId);
  // Webhooks show whole seconds: refusals until now were before the change.
  if (lostFromMs !== undefined) await pause(1_000 - (Date.now() % 1_000));
  const id = present?.id ?? (await create(webhooks, wanted, all));
  const unsubscribed = lacking.length === 0 ? [] : await subscribe(webhooks, appId, id, lacking);
  // Events of other triggers must not wait for one that the platform lacks.
  await webhooks.update(appId, id, { ...settingsOf(wanted), enabled: true });
  // One suffices of those that lead here under another app's id.
  for (const stray of strays) await webhooks.update(appId, stray.id, { enabled: false });
  const outcome = present === undefined ? ("created" as const) : ("brought up to date" as const);
  const changed = changesWith(lacking.filter((trigger) => !unsubscribed.includes(trigger)));
  const isSame = present !== undefined && changed.length === 0;
  const done = isSame ? ["nothing differed; credentials set again"] : [outcome, ...changed];
  out.note(`✓ webhook ${id}: ${done.join("; ")}`);
  for (const warning of warnings) out.note(warning);
  if (lostFromMs !== undefined) {
    const since = sinceOf(lostFromMs, context.edges.now());
    out.note(
      present === undefined
        ? "If a webhook led here before, messages since then were lost."
        : `Messages that ${present.id} could not deliver may be lost.`,
    );
    out.note(`Have them handled: npx cometchat-functions reconcile --app ${appId} --since ${since}`);
  }
  const refusal = unsubscribed.length === 0 ? undefined : notSubscribed(appId, id, unsubscribed);
  return { id, outcome, changed, refusal };
}

/**
 * Arrived messages show when a webhook stopped delivering here; counted failures are losses until they end.
 * @returns undefined if no messages were lost
 */
async function findLost(
  { appId, isNew = false }: WantedWebhook,
  { present, hasLost }: FoundWebhook,
  { target, edges }: WorkContext,
) {
  const { now } = edges;
  const recentLogs = openRecentLogs(target, await target.stack(), edges);
  const failed = await countLosses(appId, { callAws: target.callAws, recentLogs, now });
  if (failed !== undefined && !(await failed.areOver())) return failed.sinceMs;
  if (!hasLost) return undefined;
  const lastMs = await recentLogs.lastDelivered(appId, now());
  const isFirst = isNew && present === undefined && failed === undefined && lastMs === undefined;
  return isFirst ? undefined : lossesFrom(lastMs ?? 0, now());
}

type FoundWebhook = Awaited<ReturnType<typeof findAppWebhook>>;

const ownId = "functions";

type Webhooks = ManagementClient["webhooks"];

async function create(webhooks: Webhooks, wanted: WantedWebhook, all: readonly Webhook[]) {
  const { appId, stage } = wanted;
  const isFree = (id: string) => all.every((webhook) => webhook.id !== id);
  // Up to 50 letters and digits (docs/internals/platform/management.md#webhooks).
  const stageId = `${ownId}${stage.replaceAll(/[^A-Za-z0-9]/g, "")}`.slice(0, 49);
  const id = [ownId, stageId, `${stageId}2`].find(isFree) ?? `${ownId}${Date.now()}`;
  // A creation without an answer may have succeeded; a refused one may be another operator's.
  const alreadyDone = async () =>
    (await Array.fromAsync(webhooks.list(appId))).find((webhook) => webhook.id === id);
  const settings = { id, name: "CometChat Functions", ...settingsOf(wanted), enabled: false };
  await webhooks.create(appId, settings, { alreadyDone }).catch(async (error: unknown) => {
    if ((await alreadyDone()) === undefined) throw error;
  });
  return id;
}

function settingsOf({ appId, httpUrl, username, password }: WantedWebhook) {
  return {
    webhookURL: webhookUrlOf(httpUrl, appId),
    useBasicAuth: true,
    username,
    password,
    retryOnFailure: true,
  };
}

/** Returns the refused triggers. If the platform refuses the whole call, adds each by itself. */
async function subscribe(
  webhooks: Webhooks,
  appId: string,
  id: string,
  triggerIds: readonly string[],
): Promise<readonly string[]> {
  try {
    const results = await webhooks.addTriggers(appId, id, { triggerIds: [...triggerIds] });
    return Object.entries(results).flatMap(([trigger, { success }]) => (success === false ? [trigger] : []));
  } catch (error) {
    if (!isCode(error, "ERR_TRIGGER_NOT_FOUND") && !isCode(error, "ERR_BAD_REQUEST")) throw error;
    if (triggerIds.length === 1) return triggerIds;
    const refused: string[] = [];
    for (const trigger of triggerIds) refused.push(...(await subscribe(webhooks, appId, id, [trigger])));
    return refused;
  }
}

function rotationBegan(appId: string) {
  return partlyDone(
    "ROTATION_UNDER_WAY",
    `A rotation has begun to change the webhook's credentials of the app ${appId}. The webhook was not changed.`,
    `See how to end it, and run this again afterwards: npx cometchat-functions rotate finish --dry-run --app ${appId}`,
  );
}

function notSubscribed(appId: string, id: string, triggers: readonly string[]) {
  return partlyDone(
    "NOT_SUBSCRIBED",
    `The platform did not subscribe the webhook ${id} of ${appId} to ${triggers.join(", ")}: such events do not arrive. The webhook is on.`,
    `Subscribe it in the dashboard, Webhooks. If the dashboard lacks a trigger too, turn off what needs it, as shown by: npx cometchat-functions doctor --app ${appId}`,
  );
}

/**
 * Writes a new address before the deployed one if the stage has none or the user wants one; first finishes a
 * begun change. May be repeated. `takeBack` restores the file if only this edited it.
 * @throws CliError if the file cannot be edited
 */
export async function putAddress(context: WorkContext, deployed: AddressList | undefined, wantsNew: boolean) {
  const { target, confirm, isDryRun } = context;
  const { addresses: listed = [""] } = target.settings;
  const isSettled = listed.length === 1 && (deployed ?? listed).join() === listed.join();
  const [current = ""] = deployed ?? [];
  // Also if a colleague's setup deployed another one first.
  const isForgotten = current !== "" && !listed.includes(current);
  if (!isForgotten && listed[0] !== "" && !(wantsNew && isSettled)) return { list: listed };
  const list = isForgotten ? (deployed ?? []) : [newAddress(), ...(deployed ?? [])];
  if (!isDryRun) return { list, takeBack: await writeAddresses(context, list) };
  await confirm("List a new address in config/stages.yml.");
  return { list };
}

function newAddress() {
  return Array.from({ length: 24 }, () => randomInt(36).toString(36)).join("");
}

export type TakeBack = Awaited<ReturnType<typeof writeAddresses>>;

/** Returns a function that restores the file. @throws CliError if it cannot be edited */
export async function writeAddresses({ edges, target: { stage } }: WorkContext, list: AddressList) {
  const file = join(edges.projectFolder, "config", "stages.yml");
  let before = "";
  let after = "";
  await editFile(file, (text) => {
    before = text;
    const document = parseDocument(text);
    if (document.get(stage) == null) document.set(stage, new YAMLMap());
    if (!isMap(document.get(stage))) {
      throw refused(
        "STAGES_FILE_NOT_EDITED",
        "config/stages.yml has a form that commands cannot edit. Nothing was changed in it.",
        `Edit the file: the stage ${stage} must have addresses: ${JSON.stringify(list)}, and run the command again.`,
      );
    }
    document.setIn([stage, "addresses"], document.createNode(list, { flow: true }));
    after = document.toString({ lineWidth: 0, flowCollectionPadding: false, nullStr: "" });
    return after;
  });
  return async () => void (await editFile(file, (text) => (text === after ? before : text)));
}
