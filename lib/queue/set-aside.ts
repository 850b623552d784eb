import { causeNameOf } from "./cause-name.ts";

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
  /** Part of the reason or cause, case-insensitive. */
  readonly text?: string | undefined;
  /** Start inclusive, end exclusive. */
  readonly received?: TimeRange | undefined;
  readonly setAside?: TimeRange | undefined;
}

export interface TimeRange {
  readonly fromMs?: number | undefined;
  readonly beforeMs?: number | undefined;
}

/** A message that was never received matches no range of receipt. */
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
