import { readFile } from "node:fs/promises";
import { devNull } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { wrongUse } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { CliEdges } from "../edges.ts";

/** The framework's process cannot renew credentials. */
export const deploymentMs = 30 * 60_000;

/**
 * Only the command's credentials.
 * @param minimumMs How long they must last.
 * @throws CliError if they end sooner, belong to another account now, or a .env file would replace them
 */
export async function frameworkEnvironment(
  { target, edges }: WorkContext,
  minimumMs: number,
): Promise<CliEdges["env"]> {
  await refuseDotenv(edges.projectFolder, target.stage);
  const { variables } = await target.proveIdentity(minimumMs);
  return toFrameworkEnvironment(edges.env, variables);
}

/** Removes every variable that could choose other credentials. */
export function toFrameworkEnvironment(
  env: CliEdges["env"],
  variables: Readonly<Record<string, string>>,
): CliEdges["env"] {
  const kept = Object.entries(env).filter(([name]) => !/^AWS_/i.test(name) || connectionVariables.test(name));
  return {
    ...Object.fromEntries(kept),
    ...variables,
    // The default profile in these files may name another address (`endpoint_url`).
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
  };
}

/** How to reach AWS, not with which identity. */
const connectionVariables =
  /^AWS_(ENDPOINT_URL\w*|IGNORE_CONFIGURED_ENDPOINT_URLS|CA_BUNDLE|USE_FIPS_ENDPOINT|USE_DUALSTACK_ENDPOINT|STS_REGIONAL_ENDPOINTS|MAX_ATTEMPTS|RETRY_MODE|CLIENT_TIMEOUT)$/i;

/**
 * The framework reads the file with `useDotenv`: AWS variables in it would replace even empty ones.
 * @throws CliError if there are any
 */
export async function refuseDotenv(projectFolder: string, stage: string): Promise<void> {
  const service = await readFile(join(projectFolder, "serverless.yml"), "utf8");
  if (!/^useDotenv:/m.test(service)) return;
  for (const file of [`.env.${stage}`, ".env"]) {
    const text = await readFile(join(projectFolder, file), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const names = Object.keys(parseEnv(text)).filter((name) => name.startsWith("AWS_"));
    if (names.length === 0) return;
    throw wrongUse(
      `${file} sets ${names.join(", ")}, which the framework reads and this command does not. Nothing was changed.`,
      `Set it in the shell instead, and remove it from ${file}.`,
    );
  }
}
