import { randomInt } from "node:crypto";
import { freshDelivery } from "../../../cli/trigger/fresh-delivery.ts";
import { isRecord, parseJson } from "../../../lib/base/json.ts";

export interface RenewOptions {
  readonly appId: string;
  readonly region: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** A new event of the app, at the current time. */
export function renewBody(
  body: Readonly<Record<string, unknown>>,
  options: RenewOptions,
): Record<string, unknown> {
  return freshDelivery(body, { ...options, newId: newIdLike });
}

/** A text that is not a JSON object is unchanged. */
export function renewText(text: string, options: RenewOptions): string {
  const body = parseJson(text);
  return isRecord(body) ? JSON.stringify(renewBody(body, options), undefined, 2) : text;
}

/** Numbers stay small enough for the platform to count on from there. */
function newIdLike(old: string): string {
  const digits = randomInt(100_000_000, 1_000_000_000);
  return /^\d+$/.test(old)
    ? String(digits)
    : `${old.replace(/-[0-9a-z]{6}$/, "")}-${digits.toString(36).padStart(6, "0").slice(-6)}`;
}
