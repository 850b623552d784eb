import { readIfThere } from "../../build/config-layers.ts";
import { readServedApps } from "../../build/served-apps.ts";
import type { AwsCaller } from "../../lib/aws/aws-call.ts";
import { awsTroubleIn } from "../../lib/aws/aws-trouble.ts";
import { unlessNotFound } from "../../lib/aws/is-not-found.ts";
import { parseSecret, type SecretFields } from "../../lib/aws/secrets/parse-secret.ts";
import { readBothSecrets } from "../../lib/aws/secrets/read-secret-value.ts";
import { secretIdOf } from "../../lib/aws/secrets/secret-id.ts";
import { describeError } from "../../lib/base/describe-error.ts";
import { basicAuthorization } from "../../lib/base/http/basic-authorization.ts";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import { type EnabledName, readEnabledNames } from "../../lib/handle/enabled-triggers.ts";
import {
  type DeployedFacts,
  readDeployedFacts,
  UnknownFactsError,
} from "../../lib/operate/doctor/deployed-facts.ts";
import { needsOf } from "../../lib/operate/doctor/doctor-services.ts";
import type { Remedies } from "../../lib/operate/doctor/remedies.ts";
import { type Found, ok, unknown, wrong } from "../../lib/operate/doctor/run-checks.ts";
import { webhookUrlOf } from "../../lib/receive/webhook-url.ts";
import { CliError, wrongUse } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { Target } from "../target/target.ts";

/** In alphabetical order: `auto-reply`, `flow remind`. */
export function whoActs(facts: DeployedFacts, appId: string, trigger: string): readonly string[] {
  const ofApp = needsOf(facts, appId);
  if (ofApp === undefined) return [];
  const named = [ofApp.webhook, ofApp.elsewhere].flatMap((actors) =>
    Object.hasOwn(actors, trigger) ? (actors[trigger] ?? []) : [],
  );
  return [...new Set([...named, ...ofApp.everything])].toSorted();
}

export async function askFacts({ callAws, stack }: Target): Promise<DeployedFacts> {
  return await readDeployedFacts(callAws, (await stack()).physicalId("DoctorLambdaFunction"));
}

/** @param named default: the only app @throws CliError if the deployment does not serve the app */
export async function chooseServed(
  target: Target,
  named: string | undefined,
): Promise<{ readonly facts: DeployedFacts; readonly app: string }> {
  const facts = await askFacts(target);
  return { facts, app: meantApp(named, facts) };
}

/** `flows` is unknown while the function `doctor` does not say what is deployed. */
export interface Served extends Configured {
  readonly flows?: readonly string[];
}

/** From config/ if the function `doctor` cannot say it: what helps in an outage needs no function. */
export async function readServed({ target, edges, out }: WorkContext): Promise<Served> {
  return await askFacts(target).catch(async (error: unknown) => {
    const isThrottled = ["busy", "no answer"].includes(awsTroubleIn(error) ?? "");
    if (!(error instanceof UnknownFactsError) && !isThrottled) throw error;
    const why = isThrottled ? "The function doctor is throttled or gives no answer." : describeError(error);
    out.note(`${why} The names are those of config/, and names of flows are not checked.`);
    return await readConfigured(edges.projectFolder, target.stage);
  });
}

export function meantApp(
  app: string | undefined,
  { appIds }: { readonly appIds: readonly string[] },
): string {
  const [only] = appIds;
  if (app === undefined && only !== undefined && appIds.length === 1) return only;
  const served = appIds.length === 0 ? "It serves no app." : `It serves ${appIds.slice(0, 10).join(", ")}.`;
  if (app === undefined) throw wrongUse("The app is missing: add --app <id>.", served);
  if (appIds.includes(app)) return app;
  throw new CliError("notThere", "NO_SUCH_APP", `The deployment does not serve the app ${app}.`, served);
}

/** Reads an app's secrets and hides its values in all output. */
export async function readAppFields(
  callAws: AwsCaller,
  secretPrefix: string,
  appId: string,
): Promise<SecretFields & { readonly all: Readonly<Record<string, unknown>> }> {
  const secretId = secretIdOf(secretPrefix, appId);
  const value = await unlessNotFound(readBothSecrets(callAws, secretPrefix, appId));
  if (value !== undefined) return { ...parseSecret(secretId, value), all: Object(parseJson(String(value))) };
  throw new CliError(
    "notThere",
    "NO_SECRET",
    `There is no secret ${secretId}.`,
    `Make it: npx cometchat-functions setup --app ${appId}.`,
  );
}

export function credentialsOf(
  { text, optionalText }: SecretFields,
  family: string,
): { readonly username: string; readonly password: string } {
  const hasOwn =
    family !== "webhook" &&
    (optionalText(`${family}Username`) ?? optionalText(`${family}Password`)) !== undefined;
  const prefix = hasOwn ? family : "webhook";
  return { username: text(`${prefix}Username`), password: text(`${prefix}Password`) };
}

interface Configured {
  readonly appIds: readonly string[];
  readonly triggers: readonly EnabledName[];
}

export async function readConfigured(projectFolder: string, stage: string): Promise<Configured> {
  const apps = await readServedApps(projectFolder);
  const content = (await readIfThere(projectFolder, "config/triggers.yml"))?.content;
  const triggers = isRecord(content) ? content[stage] : undefined;
  return {
    appIds: apps.get(stage) ?? [],
    triggers: readEnabledNames(typeof triggers === "string" ? triggers : ""),
  };
}

export function checkDrift(
  configured: Configured | Found,
  deployed: DeployedFacts | undefined,
  { deploy }: Remedies,
): Found | readonly Found[] {
  if (!("appIds" in configured)) return configured;
  if (deployed === undefined) return unknown("The deployed version does not report what it serves.");
  const found = [
    ...differ("apps", configured.appIds, deployed.appIds),
    ...differ("triggers", configured.triggers.map(nameTrigger), deployed.triggers.map(nameTrigger)),
  ].map((says) => wrong(says, deploy));
  return found.length > 0 ? found : [ok("The deployment has the apps and triggers of config/.")];
}

export function nameTrigger({ name, isShadowed }: EnabledName): string {
  return isShadowed ? `${name} (shadow)` : name;
}

function differ(what: string, configured: readonly string[], deployed: readonly string[]): readonly string[] {
  const undeployed = new Set(configured).difference(new Set(deployed));
  const dropped = new Set(deployed).difference(new Set(configured));
  return [
    ...(undeployed.size > 0 ? [`config/ names ${what} that are not deployed: ${some(undeployed)}.`] : []),
    ...(dropped.size > 0 ? [`config/ does not name these deployed ${what}: ${some(dropped)}.`] : []),
  ];
}

function some(names: ReadonlySet<string>): string {
  const shown = [...names].slice(0, 10).join(", ");
  return names.size <= 10 ? shown : `${shown} and ${names.size - 10} more`;
}

/** A cold start takes a second; the machine may be far away. */
const timeoutMs = 10_000;

/** Sends deliveries to the receiver, signed with the credentials of the app's secret. */
export async function openReceiver({ callAws, stack }: Target, appId: string) {
  const { output } = await stack();
  const secret = await readAppFields(callAws, output("SecretPrefix"), appId);
  const webhookUrl = webhookUrlOf(output("HttpApiUrl"), appId);
  return {
    region: secret.text("region"),
    send: (body: unknown, family: string, url = webhookUrl) =>
      postDelivery(url, body, credentialsOf(secret, family)),
    questionUrl: `${output("HttpApiUrl")}/before-message/${encodeURIComponent(appId)}`,
  };
}

/**
 * @see docs/internals/platform/webhooks.md#transport
 * @throws CliError without an answer, or if the credentials are refused
 */
async function postDelivery(
  url: string,
  body: unknown,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<{ readonly status: number; readonly answer: string }> {
  const authorization = basicAuthorization(username, password);
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((cause: unknown) => {
    throw new CliError(
      "unreachable",
      "NO_ANSWER",
      `The receiver at ${url} gave no answer.`,
      "Check that it is deployed and reachable: npx cometchat-functions doctor.",
      cause,
    );
  });
  if (answer.status === 401) {
    throw new CliError(
      "noRights",
      "DELIVERY_REFUSED",
      `The receiver at ${url} refuses the credentials of the app's secret.`,
      "A warm receiver may use older ones for some minutes; see npx cometchat-functions doctor.",
    );
  }
  return { status: answer.status, answer: (await answer.text()).slice(0, 2_000) };
}
