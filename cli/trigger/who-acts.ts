import type { AwsCaller } from "../../lib/aws/aws-call.ts";
import { unlessNotFound } from "../../lib/aws/is-not-found.ts";
import { parseSecret, type SecretFields } from "../../lib/aws/secrets/parse-secret.ts";
import { readBothSecrets } from "../../lib/aws/secrets/read-secret-value.ts";
import { secretIdOf } from "../../lib/aws/secrets/secret-id.ts";
import { parseJson } from "../../lib/base/json.ts";
import {
  type DeployedFacts,
  readDeployedFacts,
  UnknownFactsError,
} from "../../lib/operate/doctor/deployed-facts.ts";
import { needsOf } from "../../lib/operate/doctor/doctor-services.ts";
import { CliError, wrongUse } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { type Configured, readConfigured } from "../doctor/check-drift.ts";
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

/** @throws CliError, AwsCallError, UnknownFactsError */
export async function askFacts({ callAws, stack }: Target): Promise<DeployedFacts> {
  return await readDeployedFacts(callAws, (await stack()).physicalId("DoctorLambdaFunction"));
}

/**
 * Asks what is deployed.
 * @param named default: the only app
 * @throws CliError if the deployment does not serve the app, AwsCallError, UnknownFactsError
 */
export async function chooseServed(
  target: Target,
  named: string | undefined,
): Promise<{ readonly facts: DeployedFacts; readonly app: string }> {
  const facts = await askFacts(target);
  return { facts, app: meantApp(named, facts) };
}

/** What is served, by name. `flows` is unknown while the function `doctor` does not say what is deployed. */
export interface Served extends Configured {
  readonly flows?: readonly string[];
}

/**
 * From config/ if the function `doctor` cannot say it: what helps in an outage needs no function.
 * @throws CliError, AwsCallError, ConfigFileError
 */
export async function readServed({ target, edges, out }: WorkContext): Promise<Served> {
  return await askFacts(target).catch(async (error: unknown) => {
    if (!(error instanceof UnknownFactsError)) throw error;
    out.note(`${error.message} The names are those of config/.`);
    return await readConfigured(edges.projectFolder, target.stage);
  });
}

/** @throws CliError if the deployment does not serve the app */
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

/**
 * Reads an app's secrets and hides its values in all output.
 * @throws CliError, AwsCallError, InvalidSecretError
 */
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

/** The family's own if the secret has them, else the webhook's. */
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
