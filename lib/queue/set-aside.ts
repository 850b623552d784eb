import { isRecord, parseJson } from "../base/json.ts";
import { causeNameOf } from "./cause-name.ts";
import { bytesOf } from "./read-queued-event.ts";

export interface SetAside {
  /** The queue's; changes if the message returns here. */
  readonly id: string;
  readonly appId: string;
  /** Empty if it has none. */
  readonly trigger: string;
  readonly reason: string;
  readonly cause: string;
  /** Equal for all deliveries of one fact; undefined if unknown. */
  readonly deliveryKey: string | undefined;
  /** Milliseconds since 1970; undefined if never received. */
  readonly receivedAt: number | undefined;
  /** Milliseconds since 1970. */
  readonly setAsideAt: number;
}

/** An absent field selects all. Milliseconds since 1970. */
export interface Selection {
  readonly id?: string | undefined;
  readonly ids?: ReadonlySet<string> | undefined;
  readonly deliveryKey?: string | undefined;
  readonly appId?: string | undefined;
  readonly trigger?: string | undefined;
  /** A group's name (cause-name.ts). */
  readonly cause?: string | undefined;
  /** Part of the reason, the cause or a message's text, case-insensitive. */
  readonly text?: string | undefined;
  /** A uid that the payload names. */
  readonly user?: string | undefined;
  /** The platform's id of it. */
  readonly conversation?: string | undefined;
  /** Start inclusive, end exclusive. */
  readonly received?: TimeRange | undefined;
  readonly setAside?: TimeRange | undefined;
}

export interface TimeRange {
  readonly fromMs?: number | undefined;
  readonly beforeMs?: number | undefined;
}

/**
 * A message that was never received matches no range of receipt.
 * @param body the message's; without it, no user, conversation or message text is found
 */
export function isSelected(message: SetAside, selection: Selection, body = ""): boolean {
  const { id, ids, deliveryKey, appId, trigger, cause, received, setAside } = selection;
  if (id !== undefined && message.id !== id) return false;
  if (ids !== undefined && !ids.has(message.id)) return false;
  if (deliveryKey !== undefined && message.deliveryKey !== deliveryKey) return false;
  if (appId !== undefined && message.appId !== appId) return false;
  if (trigger !== undefined && message.trigger !== trigger) return false;
  if (cause !== undefined && causeNameOf(message) !== cause) return false;
  const isInTime = isWithin(message.receivedAt, received) && isWithin(message.setAsideAt, setAside);
  return isInTime && matchesContent(message, selection, body);
}

function matchesContent(
  { reason, cause }: SetAside,
  { text, user, conversation }: Selection,
  body: string,
): boolean {
  const isTold = text === undefined || isIn(`${reason} ${cause}`, text);
  if (isTold && user === undefined && conversation === undefined) return true;
  const payload = payloadOf(body);
  const has = (wanted: string | undefined) =>
    wanted === undefined || someText(payload, (_, value) => value === wanted);
  const hasText = isTold || someText(payload, (field, value) => field === "text" && isIn(value, text));
  return hasText && has(user) && has(conversation);
}

/** Undefined for a message without one. */
function payloadOf(body: string): unknown {
  const message = parseJson(body);
  if (!isRecord(message) || typeof message.body !== "string") return undefined;
  const gzip = message.gzip === true && { gzip: true as const };
  try {
    return parseJson(
      bytesOf({ body: message.body, base64: message.base64 === true, ...gzip }).toString("utf8"),
    );
  } catch {
    return undefined; // of another system
  }
}

function someText(value: unknown, isMeant: (field: string, text: string) => boolean, field = ""): boolean {
  if (typeof value === "string") return isMeant(field, value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, inner]) => someText(inner, isMeant, name));
}

function isIn(whole: string, part: string): boolean {
  return whole.toLowerCase().includes(part.toLowerCase());
}

function isWithin(timeMs: number | undefined, range: TimeRange | undefined): boolean {
  if (range === undefined) return true;
  const { fromMs = Number.NEGATIVE_INFINITY, beforeMs = Number.POSITIVE_INFINITY } = range;
  return timeMs !== undefined && timeMs >= fromMs && timeMs < beforeMs;
}

export interface SelectionCounts {
  readonly selected: number;
  readonly byApp: ReadonlyMap<string, number>;
  readonly byTrigger: ReadonlyMap<string, number>;
  readonly byReason: ReadonlyMap<string, number>;
}

export interface SelectionTally {
  count(message: SetAside): void;
  counts(): SelectionCounts;
}

export function createSelectionTally(): SelectionTally {
  let selected = 0;
  const byApp = new Map<string, number>();
  const byTrigger = new Map<string, number>();
  const byReason = new Map<string, number>();
  return {
    count: ({ appId, trigger, reason }) => {
      selected += 1;
      increase(byApp, appId);
      increase(byTrigger, trigger);
      increase(byReason, reason);
    },
    counts: () => ({ selected, byApp, byTrigger, byReason }),
  };
}

function increase(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
