import { AwsCallError } from "./aws-call.ts";

/**
 * Returns whether an AWS service, by the signed call or by the SDK, says that the resource does not exist.
 */
export function isNotFound(error: unknown): boolean {
  const code = error instanceof AwsCallError ? error.code : error instanceof Error ? error.name : undefined;
  return code === "ResourceNotFoundException";
}
