import type { JsonObject } from "../json.ts";
import { type ErrorCode, errorTable } from "./error-table.ts";

/** Signals a refusal that the platform answers with its error envelope. */
export class PlatformError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly devMessage: string | undefined;
  readonly details: JsonObject | undefined;
  readonly headers: Record<string, string>;
  readonly source: string;

  constructor(code: ErrorCode, message: string, extra: PlatformErrorExtra = {}) {
    super(message);
    this.name = "PlatformError";
    this.code = code;
    this.status = extra.status ?? errorTable[code].status;
    this.devMessage = extra.devMessage;
    this.details = extra.details;
    this.headers = extra.headers ?? {};
    this.source = extra.source ?? "chat-api";
  }
}

/** Optional parts of a refusal. `status` overrides the table's, for switches. */
export type PlatformErrorExtra = {
  devMessage?: string;
  details?: JsonObject;
  status?: number;
  headers?: Record<string, string>;
  /** Names the part of the platform that refuses; `chat-api` unless given. */
  source?: string;
};

/**
 * Gives the wire form of a refusal, fields in the order seen live.
 * @see docs/platform/answers-and-errors.md#error-envelope
 */
export function toErrorEnvelope(error: PlatformError): JsonObject {
  return {
    error: {
      message: error.message,
      ...(error.devMessage === undefined ? {} : { devMessage: error.devMessage }),
      ...(error.details === undefined ? {} : { details: error.details }),
      source: error.source,
      code: error.code,
    },
  };
}
