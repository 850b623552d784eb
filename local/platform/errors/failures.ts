import type { JsonObject } from "../json.ts";
import { PlatformError } from "./platform-error.ts";

// The texts below are ours (assumed) unless a source is named: the pages give codes and meanings, few texts.

/** Refuses a body or query that does not validate; `details` names each field. */
export function badRequest(details: Record<string, string>): PlatformError {
  return new PlatformError("ERR_BAD_REQUEST", "Failed to validate the data sent with the request.", {
    details: Object.fromEntries(Object.entries(details).map(([field, text]) => [field, [text]])),
  });
}

/** Refuses a uid that does not exist or is deactivated. */
export function userNotFound(uid: string): PlatformError {
  return new PlatformError(
    "ERR_UID_NOT_FOUND",
    `The UID ${uid} does not exist, please make sure you have created a user with this UID.`,
  );
}

/** Refuses a guid that does not exist. */
export function groupNotFound(guid: string): PlatformError {
  return new PlatformError(
    "ERR_GUID_NOT_FOUND",
    `The GUID ${guid} does not exist, please make sure you have created a group with this GUID.`,
  );
}

/**
 * Refuses a message id that does not exist.
 * @see docs/platform/answers-and-errors.md#error-codes (text documented)
 */
export function messageNotFound(): PlatformError {
  return new PlatformError("ERR_MESSAGE_ID_NOT_FOUND", "Message with the provided info doesn't exist.");
}

/** Refuses a path, or a method on a path, that is not part of the interface. */
export function apiNotFound(): PlatformError {
  return new PlatformError(
    "ERR_API_NOT_FOUND",
    "The requested API endpoint does not exist. Please check the path and the method.",
  );
}

/** Refuses one more of something that has a fixed limit. The code is assumed. */
export function limitReached(what: string, limit: number): PlatformError {
  return new PlatformError("ERR_PLAN_QUOTA_RESTRICTION", `The limit of ${limit} ${what} is reached.`);
}

/** Gives the per-item form of a refusal, for calls in which one failing item does not fail the rest. */
export function toItemFailure(error: PlatformError): JsonObject {
  return { success: false, error: { code: error.code, message: error.message } };
}
