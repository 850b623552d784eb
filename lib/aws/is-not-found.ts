import { AwsCallError } from "./aws-call.ts";

export function isNotFound(error: unknown): boolean {
  const code = error instanceof AwsCallError ? error.code : error instanceof Error ? error.name : undefined;
  return code === "ResourceNotFoundException";
}
