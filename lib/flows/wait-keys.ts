import { sha256Hex } from "../base/digest.ts";
import { isRecord } from "../base/json.ts";
import type { Seen } from "../events/conditions/seen.ts";

export type WaitKeyKind = (typeof waitKeyKinds)[number];

/** A question is stored under its first key, which few others share. */
export const waitKeyKinds = ["message", "sender", "conversation", "place"] as const;

export interface WaitKey {
  readonly kind: WaitKeyKind;
  readonly value: string;
}

/** Each costs a write: with more, a question is stored without a key. */
const mostValues = 10;

/** None if no condition is selective. */
export function keysOf(where: unknown): readonly WaitKey[] {
  if (!isRecord(where)) return [];
  const { messageId, parentId, sender, conversation, receiver, group } = where;
  return (
    toKeys("message", messageId) ??
    toKeys("message", parentId) ??
    toKeys("sender", sender) ??
    toKeys("conversation", conversation) ??
    toKeys("place", receiver) ??
    toKeys("place", hasGlob(group) ? undefined : group) ??
    []
  );
}

export function keysIn(seen: Seen): readonly WaitKey[] {
  return [
    ...toKey("message", seen.messageId),
    ...toKey("message", seen.parentId),
    ...toKey("sender", seen.sender),
    ...toKey("conversation", seen.conversation),
    ...toKey("place", seen.receiver),
    ...(sameValue(seen.group) === sameValue(seen.receiver) ? [] : toKey("place", seen.group)),
  ];
}

/** Hashed: values may be long. */
export function keyPartition(appId: string, { kind, value }: WaitKey): { readonly waits: string } {
  return { waits: `${appId} by ${kind} ${sha256Hex(value).slice(0, 32)}` };
}

function toKeys(kind: WaitKeyKind, wanted: unknown): readonly WaitKey[] | undefined {
  const values: unknown = typeof wanted === "string" ? [wanted] : wanted;
  if (!Array.isArray(values) || values.length === 0 || values.length > mostValues) return undefined;
  if (!values.every((value) => typeof value === "string")) return undefined;
  return [...new Set(values.map(sameValue))].flatMap((value) => toKey(kind, value));
}

function toKey(kind: WaitKeyKind, value: string | undefined): readonly WaitKey[] {
  const same = sameValue(value);
  return same === undefined ? [] : [{ kind, value: same }];
}

/** Case-insensitive, as lib/events/conditions/where.ts compares ids. */
function sameValue(value: string | undefined) {
  return value?.toLowerCase();
}

function hasGlob(group: unknown) {
  return JSON.stringify(group ?? "").includes("*");
}
