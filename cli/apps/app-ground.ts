import { join } from "node:path";
import { type AppsByStage, readServedApps } from "../../build/served-apps.ts";
import { secretIdOf } from "../../lib/aws/secrets/secret-id.ts";
import { CliError } from "../cli-error.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Target } from "../target/target.ts";

/** What is known of a stage's apps before any of them is looked at. */
export interface AppGround {
  readonly isDeployed: boolean;
  /** What the names of the apps' secrets begin with. */
  readonly secretPrefix: string;
  /** The name of an app's secret. */
  readonly secretIdOf: (appId: string) => string;
  /** Where the platform's REST API is; undefined for its own addresses. */
  readonly baseUrlTemplate: string | undefined;
}

/**
 * Reads where a stage keeps its apps' secrets: of what is deployed, and of what would be where nothing is yet, so that an
 * app's secret can be there before its functions are.
 */
export async function readAppGround(
  target: Target,
  env: Readonly<Record<string, string | undefined>>,
): Promise<AppGround> {
  const stack = await target.stack().catch((error: unknown) => {
    if (error instanceof CliError && error.exitCode === exitCodes.notThere) return undefined;
    throw error;
  });
  // As SECRET_PREFIX of serverless.yml is made; test/functions/package.test.ts compares the two.
  const prefix = stack?.outputs.SecretPrefix ?? prefixOfStack(target);
  return {
    isDeployed: stack !== undefined,
    secretPrefix: prefix,
    secretIdOf: (appId) => secretIdOf(prefix, appId),
    baseUrlTemplate: stack?.outputs.ChatBaseUrlTemplate ?? env.CHAT_BASE_URL_TEMPLATE,
  };
}

/** Gives what the names of a stage's secrets begin with before it is deployed. */
export function prefixOfStack({ stackName, stage }: Pick<Target, "stackName" | "stage">): string {
  return `${stackName.slice(0, -stage.length - 1)}/${stage}`;
}

/** Reads the ids that config/apps.yml lists for a stage. @throws ConfigFileError */
export async function listedApps(projectFolder: string, stage: string): Promise<readonly string[]> {
  const apps: AppsByStage = await readServedApps(projectFolder);
  return apps.get(stage) ?? [];
}

/** The file that lists the apps. */
export function appsFileOf(projectFolder: string): string {
  return join(projectFolder, "config", "apps.yml");
}
