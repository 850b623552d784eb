import { join } from "node:path";
import { type AppsByStage, readServedApps } from "../../build/served-apps.ts";
import { secretIdOf } from "../../lib/aws/secrets/secret-id.ts";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Target } from "../target/target.ts";

/** What is known of a stage's apps before any app is read. */
export interface AppGround {
  readonly isDeployed: boolean;
  /** Prefix of the names of the apps' secrets. */
  readonly secretPrefix: string;
  readonly secretIdOf: (appId: string) => string;
  /** Address of the platform's REST API; undefined for the platform's own addresses. */
  readonly baseUrlTemplate: string | undefined;
}

/**
 * Reads where a stage keeps its apps' secrets. Before the first deploy, derives it, so that an app's secret
 * can exist before its functions.
 */
export async function readAppGround(
  target: Target,
  env: Readonly<Record<string, string | undefined>>,
): Promise<AppGround> {
  const stack = await target.stack().catch((error: unknown) => {
    if (error instanceof CliError && error.exitCode === exitCodes.notThere) return undefined;
    throw error;
  });
  // Same rule as SECRET_PREFIX in serverless.yml; test/functions/package.test.ts compares the two.
  const prefix = stack?.outputs.SecretPrefix ?? prefixOfStack(target);
  return {
    isDeployed: stack !== undefined,
    secretPrefix: prefix,
    secretIdOf: (appId) => secretIdOf(prefix, appId),
    baseUrlTemplate: stack?.outputs.ChatBaseUrlTemplate ?? env.CHAT_BASE_URL_TEMPLATE,
  };
}

/** Returns the prefix of the secrets' names of a stage that is not deployed yet. */
export function prefixOfStack({ stackName, stage }: Pick<Target, "stackName" | "stage">): string {
  return `${stackName.slice(0, -stage.length - 1)}/${stage}`;
}

/** Reads the app ids that config/apps.yml lists for a stage. @throws ConfigFileError */
export async function listedApps(projectFolder: string, stage: string): Promise<readonly string[]> {
  const apps: AppsByStage = await readServedApps(projectFolder);
  return apps.get(stage) ?? [];
}

export function appsFileOf(projectFolder: string): string {
  return join(projectFolder, "config", "apps.yml");
}
