import { readdirSync, readFileSync } from "node:fs";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import { identify } from "../../lib/events/identity.ts";
import { wrongUse } from "../cli-error.ts";

interface FreshOptions {
  readonly appId: string;
  readonly region: string;
  /** The sample's latest time moves here, all others with it. Milliseconds since 1970. */
  readonly nowMs: number;
  readonly newId: (old: string) => string;
}

/** Ids of users, groups and rules do not change. */
const idNames = new Set([
  ...["id", "messageId", "sessionId", "sessionid", "sessionID", "tid"],
  ...["campaignId", "notificationId", "pushNotificationId", "feedItemId"],
]);
const keptUnder = new Set(["rule", "context"]);

/** Names no webhook: another name would look like a second webhook. */
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

/** The year 2015: a smaller number is an amount. */
const firstSeconds = 1_420_000_000;
const lastSeconds = 2_500_000_000;

function momentOf(value: unknown) {
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

/**
 * Reads `data.message.data.text=Hello`: text fields stay text, other values are parsed if they are JSON.
 * @throws CliError if the syntax is wrong, or the path leads through a value that has no fields
 */
export function setFields(
  body: Readonly<Record<string, unknown>>,
  settings: readonly string[],
): Record<string, unknown> {
  let changed: Record<string, unknown> = { ...body };
  for (const setting of settings) {
    const [, path, typed] = /^([^=]+)=(.*)$/s.exec(setting) ?? [];
    if (path === undefined || typed === undefined) {
      throw wrongUse(
        `--set cannot be "${setting}".`,
        "It must be a path and a value, such as data.message.data.text=Hello.",
      );
    }
    const after = setIn(changed, path.split("."), typed, path);
    if (isRecord(after)) changed = after;
  }
  return changed;
}

function setIn(before: unknown, [name, ...rest]: readonly string[], typed: string, path: string): unknown {
  if (name === undefined) return readTypedValue(before, typed);
  if (Array.isArray(before)) {
    const place = Number(name);
    if (Number.isInteger(place) && place >= 0 && place <= before.length) {
      return before.toSpliced(place, 1, setIn(before[place], rest, typed, path));
    }
    throw wrongUse(`--set ${path}: the list has ${before.length} entries, from 0 on.`);
  }
  if (before !== undefined && !isRecord(before)) {
    throw wrongUse(`--set ${path} leads through a value that has no fields.`);
  }
  const record = before ?? {};
  const inner = Object.hasOwn(record, name) ? record[name] : undefined;
  const others = Object.entries(record).filter(([one]) => one !== name);
  // Treats `__proto__` as any field.
  return Object.fromEntries([...others, [name, setIn(inner, rest, typed, path)]]);
}

function readTypedValue(before: unknown, typed: string): unknown {
  if (typeof before === "string") return typed;
  const value = parseJson(typed);
  return value === undefined ? typed : value;
}

export type SampleEvent = ReturnType<typeof readSampleEvents>[number];

const folder = new URL("samples/", import.meta.url);

/** Lists those of the documentation first if one event has several. */
export function readSampleEvents() {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.slice(0, -".json".length))
    .toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))
    .flatMap((sample) => {
      const body: unknown = JSON.parse(readFileSync(new URL(`${sample}.json`, folder), "utf8"));
      const identity = identify(body);
      if (identity === undefined || !isRecord(body)) return [];
      return [{ sample, trigger: identity.trigger, family: identity.family, body }];
    });
}
