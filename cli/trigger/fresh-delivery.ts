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
  const latest = Math.max(0, ...momentsIn(sample).map(({ ms }) => ms));
  const shiftMs = latest === 0 ? 0 : nowMs - latest;
  const ids = new Map<string, string>();
  const idFor = (old: string) => {
    const known = ids.get(old) ?? newId(old);
    ids.set(old, known);
    return known;
  };
  const copy = (value: unknown, name: string, isKept: boolean): unknown => {
    if (Array.isArray(value)) return value.map((one) => copy(one, name, isKept));
    if (isRecord(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([inner, one]) => [
          inner,
          copy(one, inner, isKept || keptUnder.has(inner)),
        ]),
      );
    }
    if (name === "appId" && typeof value === "string") return appId;
    if (!isKept && idNames.has(name) && typeof value === "string") return idFor(value);
    return shifted(value, shiftMs);
  };
  const { webhook: _, ...ofNoWebhook } = sample;
  const fresh = copy("bot" in sample ? sample : ofNoWebhook, "", false);
  return { ...(isRecord(fresh) && fresh), ...("region" in sample && { region }) };
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

function momentsIn(value: unknown): readonly { readonly ms: number }[] {
  if (Array.isArray(value)) return value.flatMap(momentsIn);
  if (isRecord(value)) return Object.values(value).flatMap(momentsIn);
  const moment = momentOf(value);
  return moment === undefined ? [] : [moment];
}

function shifted(value: unknown, shiftMs: number): unknown {
  const moment = momentOf(value);
  if (moment === undefined) return value;
  const number = Math.floor((moment.ms + shiftMs) / moment.unitMs);
  return typeof value === "string" ? String(number) : number;
}
