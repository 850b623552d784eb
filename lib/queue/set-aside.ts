import { causeNameOf } from "./cause-name.ts";

/** What is known of a message that waits for an operator: buried or in quarantine. */
export interface SetAside {
  /** The queue's name for it; another one when it is set aside again. */
  readonly id: string;
  readonly appId: string;
  /** Empty where it has none. */
  readonly trigger: string;
  /** One word. */
  readonly reason: string;
  readonly cause: string;
  /** Equal for two deliveries of one fact; undefined where it cannot be told. */
  readonly deliveryKey: string | undefined;
  /** When the receiver took it, in milliseconds since 1970; undefined for what was never received. */
  readonly receivedAt: number | undefined;
  /** When it was buried or put into quarantine, in milliseconds since 1970. */
  readonly setAsideAt: number;
}

/** Picks messages that were set aside; what is left out picks all. Times are milliseconds since 1970. */
export interface Selection {
  readonly id?: string | undefined;
  /** Those of an earlier look alone. */
  readonly ids?: ReadonlySet<string> | undefined;
  readonly deliveryKey?: string | undefined;
  readonly appId?: string | undefined;
  readonly trigger?: string | undefined;
  /** The name of a group of equal causes (cause-name.ts). */
  readonly cause?: string | undefined;
  /** Part of the reason or the cause; upper and lower case are the same. */
  readonly text?: string | undefined;
  /** From the first moment on, and before the second one. */
  readonly received?: TimeRange | undefined;
  readonly setAside?: TimeRange | undefined;
}

export interface TimeRange {
  readonly fromMs?: number | undefined;
  readonly beforeMs?: number | undefined;
}

/** Tells whether a message is picked. What was never received is in no range of receipt. */
export function isSelected(message: SetAside, selection: Selection): boolean {
  const { id, ids, deliveryKey, appId, trigger, cause, text, received, setAside } = selection;
  if (id !== undefined && message.id !== id) return false;
  if (ids !== undefined && !ids.has(message.id)) return false;
  if (deliveryKey !== undefined && message.deliveryKey !== deliveryKey) return false;
  if (appId !== undefined && message.appId !== appId) return false;
  if (trigger !== undefined && message.trigger !== trigger) return false;
  if (cause !== undefined && causeNameOf(message) !== cause) return false;
  if (text !== undefined && !isIn(`${message.reason} ${message.cause}`, text)) return false;
  return isWithin(message.receivedAt, received) && isWithin(message.setAsideAt, setAside);
}

function isIn(whole: string, part: string): boolean {
  return whole.toLowerCase().includes(part.toLowerCase());
}

function isWithin(timeMs: number | undefined, range: TimeRange | undefined): boolean {
  if (range === undefined) return true;
  const { fromMs = Number.NEGATIVE_INFINITY, beforeMs = Number.POSITIVE_INFINITY } = range;
  return timeMs !== undefined && timeMs >= fromMs && timeMs < beforeMs;
}
