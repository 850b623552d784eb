import { ChatApiError } from "./errors.ts";
import type { ChatErrorCode } from "./types/error-codes.ts";

export function isCode(error: unknown, code: ChatErrorCode): error is ChatApiError {
  return error instanceof ChatApiError && error.code === code;
}

/** Undefined if the platform answers with this code. */
export async function unlessMissing<T>(code: ChatErrorCode, request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isCode(error, code)) return undefined;
    throw error;
  }
}
