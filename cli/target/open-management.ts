import { readManagementCredentials } from "../../lib/aws/secrets/management-credentials.ts";
import { readSecretValue } from "../../lib/aws/secrets/read-secret-value.ts";
import {
  createManagementClient,
  type ManagementClient,
} from "../../lib/chat/management/management-client.ts";
import type { Target } from "./target.ts";

/**
 * With the deployment's credentials, an optional secret; undefined if it does not exist.
 * @throws AwsCallError, InvalidSecretError
 */
export async function openDeployedManagement(
  { callAws, stack }: Target,
  engine?: "legacy",
): Promise<ManagementClient | undefined> {
  const { output } = await stack();
  const credentials = await readManagementCredentials(`${output("SecretPrefix")}/management`, (secretId) =>
    readSecretValue(callAws, secretId, "AWSCURRENT"),
  );
  return credentials && createManagementClient({ credentials, engine, baseUrl: output("ChatManagementUrl") });
}
