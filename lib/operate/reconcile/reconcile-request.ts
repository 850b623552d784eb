import * as z from "zod/mini";
import { OwnError } from "../../base/errors.ts";
import type { Span } from "./list-messages.ts";

export type ReconcileRequest =
  | { readonly kind: "schedule" }
  | {
      readonly kind: "by hand";
      readonly appIds: readonly string[];
      readonly span: Span;
      readonly rehearsal: boolean;
    };

export class ReconcileRequestError extends OwnError {
  override readonly name = "ReconcileRequestError";

  constructor(problem: string) {
    super(
      `${problem} Write {"since": "2026-11-21T10:00:00Z"}, and optionally "until", "appIds": ["…"], "rehearsal": true.`,
    );
  }
}

/** ISO 8601 with a zone. */
const zonedTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * 5 days: a message may be handled for 30 days (lib/queue/read-queued-event.ts), and effects are
 * remembered for 35 since the first receipt (lib/effects/ledger.ts): an older one could be answered twice.
 */
export const oldestSeconds = 5 * 24 * 60 * 60;

/**
 * The webhook's retries end about 40 s after the first try (docs/internals/platform/webhooks.md#retries), and
 * the list may lag.
 */
export const settlingSeconds = 120;

/** @param served the default for apps @throws ReconcileRequestError */
export function readReconcileRequest(
  event: unknown,
  served: readonly string[],
  nowMs: number,
): ReconcileRequest {
  if (z.safeParse(scheduledSchema, event).success) return { kind: "schedule" };
  const parsed = z.safeParse(requestSchema, event);
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path }) => path.join(".")).filter((path) => path !== "");
    throw new ReconcileRequestError(
      fields.length > 0
        ? `These fields are not as they must be: ${fields.join(", ")}.`
        : "The event does not say what to do, or has unknown fields.",
    );
  }

  const { appIds = served, rehearsal = false } = parsed.data;
  const unserved = appIds.filter((appId) => !served.includes(appId));
  if (unserved.length > 0 || appIds.length === 0) {
    throw new ReconcileRequestError(
      `"appIds" must name apps that this deployment serves: ${served.join(", ")}.`,
    );
  }
  const nowSeconds = Math.floor(nowMs / 1000);
  const since = readTime("since", parsed.data.since);
  const until =
    parsed.data.until === undefined ? nowSeconds - settlingSeconds : readTime("until", parsed.data.until);
  if (since > nowSeconds) throw new ReconcileRequestError('"since" lies in the future.');
  if (until > nowSeconds) throw new ReconcileRequestError('"until" lies in the future.');
  if (since > until) {
    throw new ReconcileRequestError(
      `"since" must be before "until", which is ${settlingSeconds / 60} minutes ago unless it is given.`,
    );
  }
  if (since < nowSeconds - oldestSeconds) {
    throw new ReconcileRequestError(
      `"since" may be ${oldestSeconds / 86_400} days ago at most: what was done is not remembered long enough for more.`,
    );
  }
  return { kind: "by hand", appIds: [...new Set(appIds)], span: { since, until }, rehearsal };
}

const scheduledSchema = z.strictObject({ scheduled: z.literal(true) });

const requestSchema = z.strictObject({
  appIds: z.optional(z.array(z.string())),
  since: z.union([z.string(), z.number()]),
  until: z.optional(z.union([z.string(), z.number()])),
  rehearsal: z.optional(z.boolean()),
});

/** The year 5138; larger values are milliseconds. */
const largestSeconds = 100_000_000_000;

function readTime(field: string, value: string | number): number {
  if (typeof value === "string") {
    const ms = zonedTime.test(value) ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(ms)) {
      throw new ReconcileRequestError(`"${field}" must be a time with its zone, or unix seconds.`);
    }
    return Math.floor(ms / 1000);
  }
  if (!Number.isFinite(value) || value < 0 || value >= largestSeconds) {
    throw new ReconcileRequestError(`"${field}" must be in unix seconds, not in milliseconds.`);
  }
  return Math.floor(value);
}
