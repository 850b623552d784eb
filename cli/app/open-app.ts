import { isNotFound } from "../../lib/aws/is-not-found.ts";
import { parseSecret } from "../../lib/aws/secrets/parse-secret.ts";
import { readBothSecrets } from "../../lib/aws/secrets/read-secret-value.ts";
import { secretIdOf } from "../../lib/aws/secrets/secret-id.ts";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import { composeChatClient } from "../../lib/chat/compose.ts";
import type { DeploymentFacts } from "../../lib/operate/app-as-code/define-subject.ts";
import { referencesIn, type SecretOf } from "../../lib/operate/app-as-code/secret-reference.ts";
import type { AppApis } from "../../lib/operate/app-as-code/thing.ts";
import { webhookUrlOf } from "../../lib/receive/webhook-url.ts";
import { CliError } from "../cli-error.ts";
import type { CliEdges } from "../edges.ts";
import { openDeployedManagement } from "../target/open-management.ts";
import type { Target } from "../target/target.ts";
import type { NeededTriggersOf } from "./needed-triggers.ts";

export interface OpenedApp {
  readonly appId: string;
  readonly apis: AppApis;
  readonly secretOf: SecretOf;
  readonly facts: DeploymentFacts;
  /** The app's API key: digests of its state use it. */
  readonly digestKey: string;
}

export interface OpenAppOptions {
  readonly target: Target;
  readonly edges: Pick<CliEdges, "signal" | "now" | "sleep">;
  readonly neededTriggers: NeededTriggersOf;
}

/** Reads the management credentials, one secret for all apps, once. */
export async function createOpenApp(options: OpenAppOptions): Promise<(appId: string) => Promise<OpenedApp>> {
  const { target, edges, neededTriggers } = options;
  const stack = await target.stack();
  const prefix = stack.output("SecretPrefix");
  const management = await openDeployedManagement(target);
  const transport = { now: edges.now, sleep: edges.sleep };
  return async (appId) => {
    const secretId = secretIdOf(prefix, appId);
    const value = await readAppSecret(target, prefix, appId);
    const { text, optionalText } = parseSecret(secretId, value);
    const apiKey = text("apiKey");
    const baseUrlTemplate = stack.output("ChatBaseUrlTemplate");
    const chat = composeChatClient(
      { ...transport, appId, region: text("region"), apiKey, baseUrlTemplate },
      {},
    );
    return {
      appId,
      apis: { appId, chat, management, request: { signal: edges.signal } },
      secretOf: async (name) => optionalText(name),
      facts: {
        appId,
        webhookUrl: webhookUrlOf(stack.output("HttpApiUrl"), appId),
        neededTriggers: neededTriggers(appId),
        secretNameOf: namesByText(value),
      },
      digestKey: apiKey,
    };
  };
}

/** Lists fields that the contents use and the app's secret lacks. */
export async function missingSecrets(
  contents: readonly unknown[],
  secretOf: SecretOf,
): Promise<readonly string[]> {
  const names = [...new Set(contents.flatMap(referencesIn))];
  const known = await Promise.all(
    names.map(async (name) => ((await secretOf(name)) === undefined ? [name] : [])),
  );
  return known.flat().toSorted();
}

async function readAppSecret({ callAws, title }: Target, prefix: string, appId: string): Promise<unknown> {
  try {
    return await readBothSecrets(callAws, prefix, appId);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new CliError(
      "notThere",
      "NO_SUCH_APP",
      `The app ${appId} has no secret in ${title}: there is no ${secretIdOf(prefix, appId)}.`,
      `Add the app: npx cometchat-functions setup --app ${appId}.`,
    );
  }
}

/** Files never use the API key as a placeholder. */
function namesByText(value: unknown): (text: string) => string | undefined {
  const parsed = typeof value === "string" ? parseJson(value) : undefined;
  const fields = Object.entries(isRecord(parsed) ? parsed : {}).filter(([name]) => name !== "apiKey");
  const names = new Map(fields.map(([name, text]) => [String(text), name]));
  return (text) => names.get(text);
}
