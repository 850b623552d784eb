import { STATUS_CODES } from "node:http";
import { defined, type JsonObject, mapValues } from "../json.ts";
import { type ErrorCode, errorTable } from "./error-table.ts";

/** The server answers it with the platform's error envelope. */
export class PlatformError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly extra: PlatformErrorExtra;

  constructor(code: ErrorCode, message: string, extra: PlatformErrorExtra = {}) {
    super(message);
    this.name = "PlatformError";
    this.code = code;
    this.status = extra.status ?? errorTable[code];
    this.extra = extra;
  }
}

/** `status` overrides the table's, for switches. */
type PlatformErrorExtra = {
  devMessage?: string;
  details?: JsonObject;
  status?: number;
  headers?: Record<string, string>;
  /** Default: `chat-api`. */
  source?: string;
};

/** Orders fields as seen live. @see docs/internals/platform/answers-and-errors.md#error-envelope */
export function toErrorEnvelope({ message, code, extra }: PlatformError): JsonObject {
  const { devMessage, details, source = "chat-api" } = extra;
  return { error: { message, ...defined({ devMessage, details }), source, code } };
}

/** @see docs/internals/platform/ai-agents.md#errors */
export function toPlainEnvelope({ status, message }: PlatformError): JsonObject {
  return { statusCode: status, message, error: STATUS_CODES[status] ?? "Error" };
}

// Texts are assumed unless a source is named: the pages have few.

export type Refuse = (details: Record<string, string>) => PlatformError;

export function badRequest(details: Record<string, string>): PlatformError {
  return new PlatformError("ERR_BAD_REQUEST", "Failed to validate the data sent with the request.", {
    details: mapValues(details, (text) => [text]),
  });
}

export function ensure(
  condition: boolean,
  ...refusal: ConstructorParameters<typeof PlatformError>
): asserts condition {
  if (!condition) throw new PlatformError(...refusal);
}

export function ensureField(condition: boolean, field: string, says: string): asserts condition {
  if (!condition) throw badRequest({ [field]: says });
}

export function missing(field: string): PlatformError {
  return badRequest({ [field]: `The ${field} field is required.` });
}

export function required<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw missing(field);
  return value;
}

export function found<T>(value: T | undefined, ...refusal: ConstructorParameters<typeof PlatformError>): T {
  if (value === undefined) throw new PlatformError(...refusal);
  return value;
}

export function userNotFound(uid: string): PlatformError {
  return new PlatformError(
    "ERR_UID_NOT_FOUND",
    `The UID ${uid} does not exist, please make sure you have created a user with this UID.`,
  );
}

export function groupNotFound(guid: string): PlatformError {
  return new PlatformError(
    "ERR_GUID_NOT_FOUND",
    `The GUID ${guid} does not exist, please make sure you have created a group with this GUID.`,
  );
}

export function notJoined(uid: string, guid: string): PlatformError {
  return new PlatformError("ERR_GROUP_NOT_JOINED", `The user ${uid} has not joined the group ${guid}.`);
}

export function bannedFrom(uid: string, guid: string): PlatformError {
  return new PlatformError("ERR_BANNED_GROUPMEMBER", `The user ${uid} is banned from the group ${guid}.`);
}

/** @see docs/internals/platform/answers-and-errors.md#error-codes (text documented) */
export function messageNotFound(): PlatformError {
  return new PlatformError("ERR_MESSAGE_ID_NOT_FOUND", "Message with the provided info doesn't exist.");
}

export function apiNotFound(): PlatformError {
  return new PlatformError(
    "ERR_API_NOT_FOUND",
    "The requested API endpoint does not exist. Please check the path and the method.",
  );
}

/** The code is assumed. */
export function requireRoom(count: number, what: string, limit: number): void {
  ensure(count < limit, "ERR_PLAN_QUOTA_RESTRICTION", `The limit of ${limit} ${what} is reached.`);
}

/** Does not affect other items. @throws errors other than refusals */
export function itemFailure(error: unknown): JsonObject {
  if (!(error instanceof PlatformError)) throw error;
  return { success: false, error: { code: error.code, message: error.message } };
}

export function itemResults(items: readonly string[], run: (item: string) => JsonObject): JsonObject {
  const resultOf = (item: string) => {
    try {
      return { success: true, ...run(item) };
    } catch (error) {
      return itemFailure(error);
    }
  };
  return Object.fromEntries(items.map((item) => [item, resultOf(item)]));
}
