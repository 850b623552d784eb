import type { AwsCaller } from "../../lib/aws/aws-call.ts";
import { isNotFound } from "../../lib/aws/is-not-found.ts";
import { parseSecret, type SecretFields } from "../../lib/aws/secrets/parse-secret.ts";
import { readBothSecrets } from "../../lib/aws/secrets/read-secret-value.ts";
import { secretIdOf } from "../../lib/aws/secrets/secret-id.ts";
import type { DeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import { CliError, wrongUse } from "../cli-error.ts";

/** In alphabetical order: `auto-reply`, `flow remind`. */
export function whoActs({ needs }: DeployedFacts, appId: string, trigger: string): readonly string[] {
  const ofApp = needs.find(({ appIds }) => appIds.includes(appId));
  if (ofApp === undefined) return [];
  const { webhook, elsewhere, everything } = ofApp;
  const of = (actors: typeof webhook) => (Object.hasOwn(actors, trigger) ? (actors[trigger] ?? []) : []);
  const named = [...of(webhook), ...of(elsewhere), ...everything];
  return [...new Set(named)].toSorted();
}

/** @throws CliError if the deployment does not serve the app */
export function meantApp(app: string | undefined, { appIds }: Pick<DeployedFacts, "appIds">): string {
  const [only] = appIds;
  if (app === undefined && only !== undefined && appIds.length === 1) return only;
  if (app === undefined) {
    throw wrongUse(
      "The app is missing.",
      "Add --app <id>. They are named by: npx cometchat-functions apps list",
    );
  }
  if (appIds.includes(app)) return app;
  throw new CliError(
    "notThere",
    "NO_SUCH_APP",
    `The deployment does not serve the app ${app}.`,
    "See which apps are served: npx cometchat-functions apps list.",
  );
}

/**
 * Reads an app's secrets and hides its values in all output.
 * @throws CliError, AwsCallError, InvalidSecretError
 */
export async function readAppFields(
  callAws: AwsCaller,
  secretPrefix: string,
  appId: string,
): Promise<SecretFields> {
  const secretId = secretIdOf(secretPrefix, appId);
  try {
    return parseSecret(secretId, await readBothSecrets(callAws, secretPrefix, appId));
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new CliError(
      "notThere",
      "NO_SECRET",
      `There is no secret ${secretId}.`,
      `Make it: npx cometchat-functions setup --app ${appId}.`,
    );
  }
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
