import { isRecord } from "../base/json.ts";
import {
  type ChatApiError,
  type ChatUnreachableError,
  errorBrand,
  type InvalidInputError,
} from "./errors.ts";

/**
 * Tells whether a value is a ChatApiError: the platform said no. Unlike `instanceof` it also knows those of another copy of
 * this package and of another realm; it never throws.
 */
export function isChatApiError(value: unknown): value is ChatApiError {
  return brandOf(value) === "ChatApiError";
}

/** Tells whether a value is a ChatUnreachableError, of whichever copy of this package: no usable answer reached us. Never throws. */
export function isChatUnreachableError(value: unknown): value is ChatUnreachableError {
  return brandOf(value) === "ChatUnreachableError";
}

/** Tells whether a value is an InvalidInputError, of whichever copy of this package: nothing was sent. Never throws. */
export function isInvalidInputError(value: unknown): value is InvalidInputError {
  return brandOf(value) === "InvalidInputError";
}

function brandOf(value: unknown): unknown {
  try {
    return isRecord(value) && errorBrand in value ? value[errorBrand] : undefined;
  } catch {
    return undefined; // whatever throws when it is looked at is none of ours
  }
}
