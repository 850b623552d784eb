import { isRecord } from "../../lib/base/json.ts";

export interface FreshOptions {
  readonly appId: string;
  readonly region: string;
  /** Milliseconds since 1970: the sample's latest time moves there, all others with it. */
  readonly nowMs: number;
  /** The same for the same id in one delivery. */
  readonly newId: (old: string) => string;
}

/** Ids of users, groups and rules stay. */
const idNames = new Set([
  ...["id", "messageId", "sessionId", "sessionid", "sessionID", "tid"],
  ...["campaignId", "notificationId", "pushNotificationId", "feedItemId"],
]);
const keptUnder = new Set(["rule", "context"]);

/** With new ids and the current time, and of no webhook: a second name would look like a second webhook. */
export function freshDelivery(
  sample: Readonly<Record<string, unknown>>,
  { appId, region, nowMs, newId }: FreshOptions,
): Record<string, unknown> {
  let latestMs = 0;
  mapLeaves(sample, (leaf) => {
    latestMs = Math.max(latestMs, momentOf(leaf)?.ms ?? 0);
  });
  const shiftMs = latestMs === 0 ? 0 : nowMs - latestMs;
  const ids = new Map<string, string>();
  const idFor = (old: string) => {
    const known = ids.get(old) ?? newId(old);
    ids.set(old, known);
    return known;
  };
  const { webhook: _, ...ofNoWebhook } = sample;
  const fresh = mapLeaves("bot" in sample ? sample : ofNoWebhook, (leaf, name, isKept) => {
    if (name === "appId" && typeof leaf === "string") return appId;
    return !isKept && idNames.has(name) && typeof leaf === "string" ? idFor(leaf) : shifted(leaf, shiftMs);
  });
  return { ...(isRecord(fresh) && fresh), ...("region" in sample && { region }) };
}

/** @param change gets the name of the field, and whether it is under a kept one */
function mapLeaves(
  value: unknown,
  change: (leaf: unknown, name: string, isKept: boolean) => unknown,
  name = "",
  isKept = false,
): unknown {
  if (Array.isArray(value)) return value.map((one) => mapLeaves(one, change, name, isKept));
  if (!isRecord(value)) return change(value, name, isKept);
  const fields = Object.entries(value).map(([inner, one]) => [
    inner,
    mapLeaves(one, change, inner, isKept || keptUnder.has(inner)),
  ]);
  return Object.fromEntries(fields);
}

/** From 2015 on: a smaller number is an amount. */
const firstSeconds = 1_420_000_000;
const lastSeconds = 2_500_000_000;

function momentOf(value: unknown): { readonly ms: number; readonly unitMs: number } | undefined {
  const isText = typeof value === "string" && /^\d{10}(\d{3})?$/.test(value);
  if (typeof value !== "number" && !isText) return undefined;
  const number = Number(value);
  for (const unitMs of [1_000, 1]) {
    const seconds = (number * unitMs) / 1_000;
    if (seconds > firstSeconds && seconds < lastSeconds) return { ms: number * unitMs, unitMs };
  }
  return undefined;
}

function shifted(value: unknown, shiftMs: number): unknown {
  const moment = momentOf(value);
  if (moment === undefined) return value;
  const number = Math.floor((moment.ms + shiftMs) / moment.unitMs);
  return typeof value === "string" ? String(number) : number;
}
