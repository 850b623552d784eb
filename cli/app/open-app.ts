import { readRegion } from "../../lib/chat/address.ts";
import { composeChatClient } from "../../lib/chat/compose.ts";
import { findSecrets } from "../../lib/operate/app-as-code/known-secrets.ts";
import { needsOf } from "../../lib/operate/doctor/doctor-services.ts";
import { webhookUrlOf } from "../../lib/receive/webhook-url.ts";
import type { WorkContext } from "../command.ts";
import { openDeployedManagement } from "../target/open-management.ts";
import type { Target } from "../target/target.ts";
import { askFacts, readAppFields } from "../trigger/who-acts.ts";

/** Undefined if the deployment does not serve the app. */
export type NeededTriggersOf = (appId: string) => readonly string[] | undefined;

/** @throws CliError, AwsCallError, UnknownFactsError */
export async function readNeededTriggers(target: Target): Promise<NeededTriggersOf> {
  const facts = await askFacts(target);
  return (appId) => {
    const ofApp = needsOf(facts, appId);
    return ofApp && Object.keys(ofApp.webhook).toSorted();
  };
}

export type OpenedApp = Awaited<ReturnType<Awaited<ReturnType<typeof createOpenApp>>>>;

/** Reads the management credentials, one secret for all apps, once. */
export async function createOpenApp({ target, edges }: WorkContext, neededTriggers: NeededTriggersOf) {
  const { output } = await target.stack();
  const baseUrlTemplate = output("ChatBaseUrlTemplate");
  const management = await openDeployedManagement(target);
  const { now, sleep, signal } = edges;
  return async (appId: string) => {
    const { all, text, optionalText } = await readAppFields(target.callAws, output("SecretPrefix"), appId);
    const apiKey = text("apiKey");
    const credentials = { appId, region: readRegion(text("region")), apiKey, baseUrlTemplate };
    const chat = composeChatClient({ ...credentials, now, sleep }, {});
    return {
      appId,
      apis: { appId, chat, management, request: { signal } },
      secretOf: async (name: string) => optionalText(name),
      facts: {
        appId,
        webhookUrl: webhookUrlOf(output("HttpApiUrl"), appId),
        neededTriggers: neededTriggers(appId),
        ...findSecrets(all),
      },
      /** The app's API key: digests of its state use it. */
      digestKey: apiKey,
    };
  };
}
