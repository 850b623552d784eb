import { readStages } from "../../build/stages.ts";
import { domainOf } from "../../lib/aws/aws-call.ts";
import { unauthorized } from "../../lib/base/http/respond.ts";
import type { ManagementClient } from "../../lib/chat/management/management-client.ts";
import { plainUrlOf, webhookUrlOf } from "../../lib/receive/webhook-url.ts";
import { readDeployedApps } from "../apps/stage-apps.ts";
import { CliError } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { AddressList } from "../deploy/check-before.ts";
import { openDeployedManagement, type Stack } from "../target/target.ts";

/** Whether webhooks may lead to an earlier address, or past the distribution. */
export async function isMoved({ target, edges }: WorkContext, addresses: AddressList): Promise<boolean> {
  const settings = (await readStages(edges.projectFolder)).get(target.stage);
  return addresses.length > 1 || settings?.edgeUrl !== undefined;
}

/**
 * To the current address, of all apps and both engines. May be repeated.
 * @throws CliError unless the receiver answers there
 */
export async function moveAll(
  appId: string,
  management: ManagementClient,
  httpUrl: string,
  stack: Stack,
  ground: WorkContext,
): Promise<void> {
  const { target } = ground;
  const legacy = await openDeployedManagement(target, "legacy");
  const served = (await readDeployedApps(target)) ?? [appId];
  await refuseDeadAddress(appId, httpUrl, ground);
  const api = `https://${stack.physicalId("HttpApi")}.execute-api.${target.region}.${domainOf(target.region)}`;
  await moveWebhooks([management, ...(legacy === undefined ? [] : [legacy])], served, httpUrl, api);
}

/** @throws CliError unless the receiver answers there: the webhooks of all apps would lead to nothing */
async function refuseDeadAddress(appId: string, httpUrl: string, { edges }: WorkContext): Promise<void> {
  const signal = AbortSignal.any([edges.signal, AbortSignal.timeout(longestAnswerMs)]);
  const answer = await fetch(webhookUrlOf(httpUrl, appId), { method: "POST", body: "{}", signal }).catch(
    () => undefined,
  );
  if ((await answer?.text()) === unauthorized.body) return;
  edges.signal.throwIfAborted();
  throw new CliError(
    "unreachable",
    "NO_RECEIVER_THERE",
    `The receiver does not answer at ${httpUrl} (${answer === undefined ? "no answer" : `status ${answer.status}`}). No webhook was changed.`,
    "Check `edgeUrl` in config/stages.yml and what stands in front of the HTTP API; then run setup again.",
  );
}

const longestAnswerMs = 10_000;

/** What leads to an earlier address or the HTTP API's own host, of either engine. May be repeated. */
async function moveWebhooks(
  clients: readonly Pick<ManagementClient, "webhooks">[],
  appIds: readonly string[],
  httpUrl: string,
  apiOrigin: string,
): Promise<void> {
  const origins = [new URL(httpUrl).origin, apiOrigin];
  for (const appId of appIds) {
    for (const { webhooks } of clients) {
      for (const { id, webhookURL = "" } of await Array.fromAsync(webhooks.list(appId))) {
        const plain = plainUrlOf(webhookURL);
        const origin = origins.find((one) => plain.startsWith(`${one}/`));
        const path = plain.slice(origin?.length);
        const isOurs = origin !== undefined && /^\/(webhooks|before-message)\/[^/]+$/.test(path);
        if (isOurs && webhookURL !== httpUrl + path) {
          await webhooks.update(appId, id, { webhookURL: httpUrl + path });
        }
      }
    }
  }
}
