import { fromIni, fromNodeProviderChain } from "@aws-sdk/credential-providers";
import { isRecord } from "../../lib/base/json.ts";
import type { CliEdges } from "../edges.ts";
import type { AwsCredentials, limitsOf } from "./clients.ts";

export interface ResolvedCredentials {
  readonly credentials: AwsCredentials;
  /** In the user's terms: `AWS_PROFILE=prod`. */
  readonly source: string;
}

/**
 * In the AWS SDK's order: a named profile, the environment's keys, then the profile default, a web identity
 * and the machine's role. A named profile without credentials is an error; the SDK would go on searching.
 * @see https://docs.aws.amazon.com/sdk-for-javascript/v3/developer-guide/setting-credentials-node.html
 * @throws Error of the SDK if there are none
 */
export async function resolveCredentials(
  env: CliEdges["env"],
  region: string,
  limits: ReturnType<typeof limitsOf>,
): Promise<ResolvedCredentials> {
  const profile = env.AWS_PROFILE ?? "";
  const keys = readKeys(env);
  if (profile === "" && keys !== undefined) return { credentials: keys, source: "AWS_ACCESS_KEY_ID" };
  const settings = {
    ignoreCache: true,
    // A role of another partition (China, GovCloud) needs one of its regions.
    parentClientConfig: { region, ...limits },
    ...(env.AWS_SHARED_CREDENTIALS_FILE && { filepath: env.AWS_SHARED_CREDENTIALS_FILE }),
    ...(env.AWS_CONFIG_FILE && { configFilepath: env.AWS_CONFIG_FILE }),
  };
  if (profile !== "") {
    return { credentials: await fromIni({ ...settings, profile })(), source: `AWS_PROFILE=${profile}` };
  }
  const credentials = await fromNodeProviderChain(settings)();
  return { credentials, source: sourceOf(credentials) };
}

function readKeys(env: CliEdges["env"]): AwsCredentials | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId = "", AWS_SECRET_ACCESS_KEY: secretAccessKey = "" } = env;
  if (accessKeyId === "" || secretAccessKey === "") return undefined;
  const endsMs = Date.parse(env.AWS_CREDENTIAL_EXPIRATION ?? "");
  return {
    accessKeyId,
    secretAccessKey,
    ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
    ...(!Number.isNaN(endsMs) && { expiration: new Date(endsMs) }),
  };
}

/** The SDK records which provider returned the credentials. */
function sourceOf(credentials: object): string {
  const noted = "$source" in credentials && isRecord(credentials.$source) ? credentials.$source : {};
  const providers = Object.keys(noted).join();
  // First: a profile may have a web identity, too.
  if (/PROFILE|PROCESS/.test(providers)) return "the profile default";
  if (providers.includes("WEB_ID_TOKEN")) return "AWS_WEB_IDENTITY_TOKEN_FILE";
  return "the role of this machine";
}

/** Set and ignored here, though the AWS CLI or the framework would follow them. */
export function unusedVariables(env: CliEdges["env"], stage: string): readonly string[] {
  const ofStage = `AWS_${stage.toUpperCase()}`;
  const others = ["AWS_DEFAULT_PROFILE", `${ofStage}_PROFILE`, `${ofStage}_ACCESS_KEY_ID`];
  if (env.AWS_PROFILE) others.unshift("AWS_ACCESS_KEY_ID");
  return others.filter((name) => env[name]);
}
