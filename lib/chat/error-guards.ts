import { isRecord } from "../base/json.ts";
import {
  type ChatApiError,
  type ChatUnreachableError,
  errorBrand,
  type InvalidInputError,
} from "./errors.ts";

/** Returns true for a ChatApiError, even of another copy of this package or realm. Never throws. */
export function isChatApiError(value: unknown): value is ChatApiError {
  return brandOf(value) === "ChatApiError";
}

/** Returns true for a ChatUnreachableError of any copy of this package. Never throws. */
export function isChatUnreachableError(value: unknown): value is ChatUnreachableError {
  return brandOf(value) === "ChatUnreachableError";
}

/** Returns true for an InvalidInputError of any copy of this package. Never throws. */
export function isInvalidInputError(value: unknown): value is InvalidInputError {
  return brandOf(value) === "InvalidInputError";
}

function brandOf(value: unknown): unknown {
  try {
    return isRecord(value) && errorBrand in value ? value[errorBrand] : undefined;
  } catch {
    return undefined; // a value that throws when read is not one of ours
  }
}
