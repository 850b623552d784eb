import type { CloudFormationClientConfig } from "@aws-sdk/client-cloudformation";
import { fromIni, fromNodeProviderChain } from "@aws-sdk/credential-providers";
import { countOf } from "../../lib/base/count-of.ts";
import { OwnError } from "../../lib/base/errors.ts";
import { isRecord } from "../../lib/base/json.ts";
import { noRights, refused } from "../cli-error.ts";
import type { CliEdges } from "../edges.ts";

/** Equals the time at which the SDK's clients renew. */
const renewalMs = 5 * 60_000;

/** Renews credentials before they end, of one account throughout. */
export async function openIdentity(
  resolve: () => Promise<ResolvedCredentials>,
  askCaller: (credentials: AwsCredentials) => Promise<{ readonly accountId: string; readonly arn: string }>,
  now: () => number,
) {
  const resolved = await resolve();
  const { source, isRenewable } = resolved;
  let current = resolved.credentials;
  const caller = await askCaller(current);
  const compare = async (credentials: AwsCredentials) => {
    const { accountId } = await askCaller(credentials);
    if (accountId === caller.accountId) return;
    throw refused(
      "OTHER_ACCOUNT",
      `The credentials (${source}) belonged to account ${caller.accountId} at the start, and belong to ${accountId} now. Stopped here.`,
      "Check which account this shell must act in, and run this again.",
    );
  };
  const renew = async () => {
    const { credentials } = await resolve();
    if (credentials.accessKeyId !== current.accessKeyId) await compare(credentials);
    current = credentials;
  };
  const leftMs = () => (current.expiration?.getTime() ?? Number.POSITIVE_INFINITY) - now();
  let renewal: Promise<void> | undefined;
  const renewIfLess = async (minimumMs: number) => {
    if (leftMs() >= minimumMs) return;
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    await renewal;
  };
  return {
    ...caller,
    source,
    credentials: async (): Promise<AwsCredentials> => {
      await renewIfLess(renewalMs);
      return current;
    },
    /**
     * Lets AWS confirm the account again.
     * @throws CliError if they end within `minimumMs` and are not renewed, or belong to another account
     */
    prove: async (minimumMs: number) => {
      await renewIfLess(minimumMs);
      // Many sources keep their credentials until a renewal is due.
      const neededMs = isRenewable ? Math.min(minimumMs, renewalMs) : minimumMs;
      if (leftMs() < neededMs) throw endsSoon(resolved, leftMs(), minimumMs);
      await compare(current);
    },
  };
}

function endsSoon({ source, isRenewable }: ResolvedCredentials, leftMs: number, minimumMs: number) {
  const minutes = Math.max(0, Math.floor(leftMs / 60_000));
  return refused(
    "CREDENTIALS_END",
    `The credentials (${source}) end in ${countOf(minutes, "minute")}, and this may take ${minimumMs / 60_000}. Stopped before the next change.`,
    isRenewable
      ? "Their source did not renew them. Log in again (`aws sso login`, `aws login`) or repair it, and run this again."
      : "Set new ones, or unset them and set AWS_PROFILE: a profile's credentials are renewed (`aws sso login`, `aws login`). Then run this again.",
  );
}

export interface ResolvedCredentials {
  readonly credentials: AwsCredentials;
  /** In the user's terms: `AWS_PROFILE=prod`. */
  readonly source: string;
  /** False for keys in the environment. */
  readonly isRenewable: boolean;
}

/**
 * Follows the AWS SDK's order. A named profile without credentials is an error, unlike in the SDK.
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
  if (profile === "" && keys !== undefined) {
    return { credentials: keys, source: "AWS_ACCESS_KEY_ID", isRenewable: false };
  }
  const settings = {
    ignoreCache: true,
    // A role of another partition (China, GovCloud) needs one of its regions.
    parentClientConfig: { region, ...limits },
    ...(env.AWS_SHARED_CREDENTIALS_FILE && { filepath: env.AWS_SHARED_CREDENTIALS_FILE }),
    ...(env.AWS_CONFIG_FILE && { configFilepath: env.AWS_CONFIG_FILE }),
  };
  if (profile !== "") {
    const credentials = await fromIni({ ...settings, profile })();
    return { credentials, source: `AWS_PROFILE=${profile}`, isRenewable: true };
  }
  const credentials = await fromNodeProviderChain(settings)();
  return { credentials, source: sourceOf(credentials), isRenewable: true };
}

export function nameLack(error: unknown, where: string, profile = ""): unknown {
  if (!(error instanceof Error) || !/^(Credentials|Token)ProviderError$/.test(error.name)) return error;
  const [first, ending] =
    profile === "" ? ["Set AWS_PROFILE", ""] : ["Check this profile", ` --profile ${profile}`];
  return noRights(
    "NO_RIGHTS",
    `There are no AWS credentials to act on ${where}: ${error.message}`,
    `${first}, or log in: aws sso login${ending} (without SSO: aws login${ending})`,
    error,
  );
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
function sourceOf(credentials: object) {
  const noted = "$source" in credentials && isRecord(credentials.$source) ? credentials.$source : {};
  const providers = Object.keys(noted).join();
  // Checked first: a profile may have a web identity, too.
  if (/PROFILE|PROCESS/.test(providers)) return "the profile default";
  if (providers.includes("WEB_ID_TOKEN")) return "AWS_WEB_IDENTITY_TOKEN_FILE";
  return "the role of this machine";
}

export function unusedVariables(env: CliEdges["env"], stage: string): readonly string[] {
  const ofStage = `AWS_${stage.toUpperCase()}`;
  const others = ["AWS_DEFAULT_PROFILE", `${ofStage}_PROFILE`, `${ofStage}_ACCESS_KEY_ID`];
  if (env.AWS_PROFILE) others.unshift("AWS_ACCESS_KEY_ID");
  return others.filter((name) => env[name]);
}

/**
 * All calls of a command go there.
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
 */
export function addressesIn(env: CliEdges["env"]) {
  if (env.AWS_IGNORE_CONFIGURED_ENDPOINT_URLS === "true") return {};
  const addresses = Object.entries(env).flatMap(([name, value = ""]) =>
    name.startsWith("AWS_ENDPOINT_URL") && value !== "" ? [[name, value] as const] : [],
  );
  return Object.fromEntries(addresses);
}

export type MakeClient = <Client extends SdkClient>(
  ClientClass: new (settings: ClientSettings) => Client,
  endpointName: string,
) => Client;

type ClientSettings = Pick<
  CloudFormationClientConfig,
  "region" | "credentials" | "endpoint" | "ignoreConfiguredEndpointUrls" | "maxAttempts" | "requestHandler"
>;

/** The limit of a try, of three: the SDK itself waits forever. */
export const awsTryMs = 15_000;
export const awsTries = 3;
/** The limit of calls that prove the caller's identity: every command begins with them. */
export const identityTryMs = 5_000;

/** @param usualMs the limit of a try */
export function limitsOf({ awsTryMs: tryMs }: Pick<CliEdges, "awsTryMs">, usualMs = awsTryMs) {
  const timeout = tryMs ?? usualMs;
  return {
    maxAttempts: awsTries,
    requestHandler: { connectionTimeout: timeout, socketTimeout: timeout },
  } as const;
}

interface SdkClient {
  readonly middlewareStack: {
    add(middleware: typeof nameSilence, options: { readonly step: "initialize" }): void;
  };
}

/** The SDK does not name the call without an answer. */
export function nameSilence<Args, Result>(
  next: (args: Args) => Promise<Result>,
  { clientName = "", commandName = "" }: { readonly clientName?: string; readonly commandName?: string },
): (args: Args) => Promise<Result> {
  return async (args) =>
    next(args).catch((error: unknown) => {
      if (!(error instanceof Error) || error.name !== "TimeoutError") throw error;
      const what = [clientName, commandName].map((one) => one.replace(/(Client|Command)$/, "")).join(" ");
      throw new SilenceError(`AWS gave no answer to ${what}.`, { cause: error });
    });
}

class SilenceError extends OwnError {
  override readonly name = "TimeoutError";
}

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  readonly expiration?: Date;
}
