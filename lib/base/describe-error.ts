import { readSettingOr } from "./config.ts";
import { causesOf, OwnError, readField } from "./errors.ts";
import { placeOf, teamPlaceOf } from "./fault-place.ts";
import { harmlessMessage } from "./harmless-message.ts";
import { hideAndCut, hideSecrets } from "./known-secrets.ts";
import { isError } from "./realm.ts";

const longestMessage = 600;
const mostParts = 5;

/**
 * Returns name, code and operation of the error and its causes; then the message of this project's errors,
 * and of any other the place in the source: its message may quote a user's text. Never secrets. Never throws.
 */
export function describeError(error: unknown): string {
  const causes = causesOf(error);
  const innermost = causes.length === 0 ? error : readField(causes.at(-1), "cause");
  const parts = causes.map(describeOne);
  if (!isError(innermost) && (innermost !== undefined || causes.length === 0)) {
    parts.push(`a thrown ${innermost === null ? "null" : typeof innermost}`);
  }
  return hideSecrets(parts.join("; caused by "));
}

let showsForeignMessages = "false";

/**
 * Shows messages of other libraries' errors, for commands and for a developer's tests, whose output nothing
 * keeps.
 */
export function showForeignMessages(): void {
  showsForeignMessages = "true";
}

const namedFields = ["code", "errcode", "syscall", "operation", "status", "requestId"] as const;

function describeOne(error: Error): string {
  const name = readName(error, "name") ?? "Error";
  const whole = messageOf(error, name);
  const message = whole && hideAndCut(whole, longestMessage);
  const facts = namedFields.flatMap((field) => {
    // AWS SDK errors have the request's id in an object of their own.
    const value = readName(error, field) ?? readName(readField(error, "$metadata"), field);
    if (value === undefined || message?.includes(value)) return [];
    return field === "code" || field === "syscall" ? value : `${field} ${value}`;
  });
  if (facts[0] === "ERR_SQLITE_ERROR") facts.push(String(readField(error, "errstr")));
  if (message === undefined) facts.push(...issuesOf(error));
  const title = facts.length > 0 ? `${name} (${facts.join(", ")})` : name;
  const place = message === undefined && teamPlaceOf(error);
  return [
    message === undefined ? title : `${title}: ${message}`,
    place && `at ${place}`,
    error instanceof OwnError && error.said && `It said: ${error.said}`,
    ...partsOf(error),
  ]
    .filter(Boolean)
    .join(" ");
}

/** @returns undefined if the message may quote a user's text */
function messageOf(error: Error, name: string): string | undefined {
  const message = String(readField(error, "message") ?? "");
  if (readSettingOr("LOG_FOREIGN_MESSAGES", showsForeignMessages) === "true") return message;
  if (error instanceof OwnError) return error.logged;
  return readField(error, "$metadata") ? harmlessMessage(name, { message }) : undefined;
}

/** Returns what zod found. Its messages quote unknown fields. */
function issuesOf(error: Error): readonly string[] {
  const issues = readField(error, "issues");
  if (!Array.isArray(issues)) return [];
  return issues.slice(0, mostParts).map((issue) => {
    const path = [readField(issue, "path")].flat().map((part) => toName(String(part)) ?? "…");
    return [readName(issue, "code"), path.join(".")].filter(Boolean).join(" at ");
  });
}

function partsOf(error: Error): readonly string[] {
  const parts = readField(error, "errors");
  if (!Array.isArray(parts)) return [];
  return parts
    .slice(0, mostParts)
    .map((part) => `[${isError(part) ? describeOne(part) : describeError(part)}]`);
}

/** A name or a code has no spaces, and a user's text mostly has some. */
function toName(text: string): string | undefined {
  return /^[\w$.:-]{1,80}$/.test(text) ? text : undefined;
}

function readName(error: unknown, field: string): string | undefined {
  const value = readField(error, field);
  return typeof value === "string" || typeof value === "number" ? toName(String(value)) : undefined;
}

export interface ErrorFields {
  readonly cause: string;
  readonly stack?: string | undefined;
}

export function errorFields(error: unknown): ErrorFields {
  const stack = causesOf(error).every((one) => one instanceof OwnError) ? undefined : placeOf(error);
  return { cause: describeError(error), stack };
}
