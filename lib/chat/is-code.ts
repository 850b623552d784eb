import { isChatApiError } from "./error-guards.ts";
import { ChatApiError } from "./errors.ts";
import type { ChatErrorCode } from "./types/error-codes.ts";

export function isCode(error: unknown, code: ChatErrorCode): error is ChatApiError {
  return error instanceof ChatApiError && error.code === code;
}

/**
 * True for an invalid key, another app's, or one of too small a scope
 * (docs/internals/platform/addressing-and-keys.md#scopes-of-keys). Another 403 is about the plan, or from a
 * proxy.
 */
export function refusesCredentials(error: unknown): error is ChatApiError & { readonly status: 401 | 403 } {
  if (!isChatApiError(error)) return false;
  return error.status === 401 || (error.status === 403 && error.code.startsWith("AUTH_"));
}

/**
 * @returns undefined if the platform answers with this code, or the AI Agents API with its status and no code
 */
export async function unlessMissing<T>(code: ChatErrorCode, request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isCode(error, code) || (/^ERR_(AGENT|TOOL|KB)/.test(code) && isCode(error, "ERR_NOT_FOUND")))
      return undefined;
    throw error;
  }
}
