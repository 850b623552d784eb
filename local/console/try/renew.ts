import { randomInt } from "node:crypto";
import { freshDelivery } from "../../../cli/trigger/fresh-delivery.ts";
import { isRecord, parseJson } from "../../../lib/base/json.ts";

/** What a body is made new for. */
export interface RenewOptions {
  readonly appId: string;
  readonly region: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** Gives a body that tells of something new, which happened now, in an app. */
export function renewBody(
  body: Readonly<Record<string, unknown>>,
  options: RenewOptions,
): Record<string, unknown> {
  return freshDelivery(body, { ...options, newId: newIdLike });
}

/** The same for a text; one that is no JSON object stays as it is. */
export function renewText(text: string, options: RenewOptions): string {
  const body = parseJson(text);
  return isRecord(body) ? JSON.stringify(renewBody(body, options), undefined, 2) : text;
}

/** Numbers stay numbers, and small enough for the platform to count on from there. */
function newIdLike(old: string): string {
  const digits = randomInt(100_000_000, 1_000_000_000);
  return /^\d+$/.test(old)
    ? String(digits)
    : `${old.replace(/-[0-9a-z]{6}$/, "")}-${digits.toString(36).padStart(6, "0").slice(-6)}`;
}
