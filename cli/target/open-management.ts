import { parseSecret } from "../../lib/aws/secrets/parse-secret.ts";
import { readSecretValue } from "../../lib/aws/secrets/read-secret-value.ts";
import {
  createManagementClient,
  type ManagementClient,
} from "../../lib/chat/management/management-client.ts";
import { toFailure } from "../to-failure.ts";
import type { Target } from "./target.ts";

/**
 * Opens the platform's Management API with the deployment's credentials, an optional secret of its own;
 * undefined if it does not exist.
 * @throws AwsCallError, InvalidSecretError
 */
export async function openDeployedManagement({
  callAws,
  stack,
}: Target): Promise<ManagementClient | undefined> {
  const { output } = await stack();
  const secretId = `${output("SecretPrefix")}/management`;
  try {
    const { text } = parseSecret(secretId, await readSecretValue(callAws, secretId, "AWSCURRENT"));
    const credentials = { key: text("key"), secret: text("secret") };
    return createManagementClient({ credentials, baseUrl: output("ChatManagementUrl") });
  } catch (error) {
    if (toFailure(error).code === "NOT_THERE") return undefined;
    throw error;
  }
}
