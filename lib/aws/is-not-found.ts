import { AwsCallError } from "./aws-call.ts";

export function isNotFound(error: unknown): boolean {
  return codeOf(error) === "ResourceNotFoundException";
}

/** As `isNotFound`; also if the role may not know whether it exists. */
export function isAbsent(error: unknown): boolean {
  return /^(ResourceNotFound|AccessDenied)Exception$/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  if (error instanceof AwsCallError) return error.code;
  return error instanceof Error ? error.name : "";
}
