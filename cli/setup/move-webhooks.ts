import { readStages } from "../../build/stages.ts";
import { domainOf } from "../../lib/aws/aws-call.ts";
import type { ManagementClient } from "../../lib/chat/management/management-client.ts";
import { checkReceiver } from "../../lib/operate/doctor/check-credentials.ts";
import { plainUrlOf } from "../../lib/receive/webhook-url.ts";
import { readAppSecret } from "../apps/app-secret.ts";
import { readDeployedApps, type StageApps } from "../apps/stage-apps.ts";
import { CliError } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { AddressList } from "../deploy/check-before.ts";
import { remediesOf } from "../doctor/doctor-of-target.ts";
import { openDeployedManagement, type Stack } from "../target/target.ts";

/** Whether webhooks may lead to an earlier address, or past the distribution. */
export async function isMoved({ target, edges }: WorkContext, addresses: AddressList): Promise<boolean> {
  const settings = (await readStages(edges.projectFolder)).get(target.stage);
  return addresses.length > 1 || settings?.edgeUrl !== undefined;
}

/**
 * To the current address, of all apps and both engines. May be repeated.
 * @throws CliError unless the receiver answers there: the webhooks of all apps would lead to nothing
 */
export async function moveAll(
  appId: string,
  apps: StageApps,
  management: ManagementClient,
  stack: Stack,
  { target, edges }: WorkContext,
): Promise<void> {
  const httpUrl = stack.output("HttpApiUrl").replace(/\/$/, "");
  const { webhookUsername, webhookPassword, webhookSecret } = (await readAppSecret(apps, appId)).fields;
  const credentials = {
    appId,
    webhookUsername: String(webhookUsername),
    webhookPassword: String(webhookPassword),
    webhookSecret: webhookSecret === undefined ? undefined : String(webhookSecret),
  };
  const services = { fetch, httpUrl, remedies: remediesOf(target), now: edges.now, sleep: edges.sleep };
  const { status, says } = await checkReceiver(credentials, services);
  if (status !== "ok")
    throw new CliError(
      "unreachable",
      "NO_RECEIVER_THERE",
      `${says} No webhook was changed.`,
      `Check what stands in front of the HTTP API at ${httpUrl} (\`edgeUrl\` in config/stages.yml), then run setup again.`,
    );
  const legacy = await openDeployedManagement(target, "legacy");
  const served = (await readDeployedApps(target)) ?? [appId];
  const api = `https://${stack.physicalId("HttpApi")}.execute-api.${target.region}.${domainOf(target.region)}`;
  await moveWebhooks([management, ...(legacy === undefined ? [] : [legacy])], served, httpUrl, api);
}

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
