import { domainOf } from "../../lib/aws/aws-call.ts";
import type { ManagementClient } from "../../lib/chat/management/management-client.ts";
import { checkReceiver } from "../../lib/operate/doctor/check-credentials.ts";
import { onlyLegacy } from "../../lib/operate/doctor/doctor-services.ts";
import { wholeChange } from "../../lib/operate/rotation/rotate-webhook-password.ts";
import { plainUrlOf } from "../../lib/receive/webhook-url.ts";
import { readDeployedApps, type StageApps } from "../apps/stage-apps.ts";
import { CliError } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { AddressList } from "../deploy/check-before.ts";
import { remediesOf } from "../doctor/doctor-of-target.ts";
import { credentialsOf, readAppFields } from "../target/app-fields.ts";
import { openDeployedManagement, type Stack } from "../target/target.ts";

/** Whether webhooks may use an earlier address, or bypass the distribution. */
export function isMoved({ target: { settings } }: WorkContext, addresses: AddressList): boolean {
  return addresses.length > 1 || settings.edgeUrl !== undefined;
}

/**
 * Moves webhooks at an earlier address or the HTTP API's own host, of all apps and both engines. Asks if
 * there are any. May be repeated.
 * @throws CliError if the user declines, or no receiver answers there
 */
export async function moveAll(
  appId: string,
  apps: StageApps,
  management: ManagementClient,
  stack: Stack,
  { target, edges, confirm }: WorkContext,
): Promise<void> {
  const httpUrl = stack.output("HttpApiUrl");
  const { text, optionalText } = await readAppFields(target.callAws, apps.secretPrefix, appId);
  const credentials = {
    appId,
    webhookUsername: text("webhookUsername"),
    webhookPassword: text("webhookPassword"),
    webhookSecret: optionalText("webhookSecret"),
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
  const api = `https://${stack.physicalId("HttpApi")}.execute-api.${target.region}.${domainOf(target.region)}`;
  const origins = [new URL(httpUrl).origin, api];
  const moves = [];
  for (const served of (await readDeployedApps(target)) ?? [appId]) {
    const listed = await Array.fromAsync(management.webhooks.list(served));
    const engines = [{ listed, webhooks: management.webhooks, family: "webhook", note: "" }];
    if (legacy !== undefined) {
      const others = onlyLegacy(await Array.fromAsync(legacy.webhooks.list(served)), listed);
      const note = " (legacy engine)";
      engines.push({ listed: others, webhooks: legacy.webhooks, family: "legacy", note });
    }
    for (const { listed, webhooks, family, note } of engines) {
      for (const webhook of listed) {
        const { id, webhookURL = "" } = webhook;
        const plain = plainUrlOf(webhookURL);
        const origin = origins.find((one) => plain.startsWith(`${one}/`));
        const path = plain.slice(origin?.length);
        const isOurs = origin !== undefined && /^\/(webhooks|before-message)\/[^/]+$/.test(path);
        if (isOurs && webhookURL !== httpUrl + path) {
          const secret = await readAppFields(target.callAws, apps.secretPrefix, served);
          const accepted = { useBasicAuth: true as const, ...credentialsOf(secret, family) };
          const change = wholeChange({ ...webhook, webhookURL: httpUrl + path }, accepted);
          const move = () => webhooks.update(served, id, change);
          moves.push({ name: `${id} of ${served}${note}`, move });
        }
      }
    }
  }
  if (moves.length === 0) return;
  const names = moves.map(({ name }) => name).join(", ");
  await confirm(`Change webhooks to the address ${httpUrl}: ${names}?`);
  for (const { move } of moves) await move();
}
