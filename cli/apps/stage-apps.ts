import { join } from "node:path";
import { readServedApps } from "../../build/served-apps.ts";
import { secretIdOf, webhookSecretIdOf } from "../../lib/aws/secrets/secret-id.ts";
import { createSecretVersions, type SecretVersions } from "../../lib/operate/rotation/secret-versions.ts";
import { CliError } from "../cli-error.ts";
import type { CliEdges } from "../edges.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Target } from "../target/target.ts";
import { openSecretStore, type SecretStore } from "./secret-store.ts";

export interface StageApps {
  readonly stage: string;
  readonly projectFolder: string;
  readonly isDeployed: boolean;
  readonly secretPrefix: string;
  readonly secretIdOf: (appId: string) => string;
  readonly webhookSecretIdOf: (appId: string) => string;
  readonly versionsOf: (secretId: string) => SecretVersions;
  readonly secrets: SecretStore;
  readonly token: () => string;
  /** Undefined for the platform's own addresses. */
  readonly baseUrlTemplate: string | undefined;
}

/** Before the first deploy, derives where the secrets are: an app's secret can exist before its functions. */
export async function openApps(
  target: Target,
  { env, projectFolder, token }: Pick<CliEdges, "env" | "projectFolder" | "token">,
): Promise<StageApps> {
  const stack = await target.stack().catch((error: unknown) => {
    if (error instanceof CliError && error.exitCode === exitCodes.notThere) return undefined;
    throw error;
  });
  // As SECRET_PREFIX in serverless.yml; test/functions/package.test.ts compares the two.
  const secretPrefix = stack?.outputs.SecretPrefix ?? prefixOfStack(target);
  return {
    ...{ stage: target.stage, projectFolder, token, secretPrefix, isDeployed: stack !== undefined },
    secretIdOf: (appId) => secretIdOf(secretPrefix, appId),
    webhookSecretIdOf: (appId) => webhookSecretIdOf(secretPrefix, appId),
    versionsOf: (secretId) => createSecretVersions(target.callAws, secretId),
    secrets: openSecretStore(target, token),
    baseUrlTemplate: stack?.outputs.ChatBaseUrlTemplate ?? env.CHAT_BASE_URL_TEMPLATE,
  };
}

/** For a stage that is not deployed yet. */
export function prefixOfStack({ stackName, stage }: Pick<Target, "stackName" | "stage">): string {
  return `${stackName.slice(0, -stage.length - 1)}/${stage}`;
}

type ListOfApps = Pick<StageApps, "projectFolder" | "stage">;

/** @throws ConfigFileError */
export async function listedApps({ projectFolder, stage }: ListOfApps): Promise<readonly string[]> {
  return (await readServedApps(projectFolder)).get(stage) ?? [];
}

export function appsFileOf({ projectFolder }: Pick<ListOfApps, "projectFolder">): string {
  return join(projectFolder, "config", "apps.yml");
}
