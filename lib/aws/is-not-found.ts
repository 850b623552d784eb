import { isError } from "../base/realm.ts";
import { AwsCallError } from "./aws-call.ts";

export function isNotFound(error: unknown): boolean {
  return codeOf(error) === "ResourceNotFoundException";
}

/** @returns undefined if AWS does not know what is read */
export async function unlessNotFound<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  return await reading.catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}

/** Also true if the role may not know whether it exists. */
export function isNotFoundOrDenied(error: unknown): boolean {
  return /^(ResourceNotFound|AccessDenied)Exception$/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  if (error instanceof AwsCallError) return error.code;
  return isError(error) ? error.name : "";
}
