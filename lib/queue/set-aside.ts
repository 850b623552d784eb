import { parseJson } from "../base/json.ts";
import { causeNameOf } from "./cause-name.ts";
import { payloadOf } from "./read-queued-event.ts";

export interface SetAside {
  /** The queue's id; it changes if the message returns here. */
  readonly id: string;
  readonly appId: string;
  /** Empty if the event has none. */
  readonly trigger: string;
  readonly reason: string;
  readonly cause: string;
  /** Equal for all deliveries of one occurrence; undefined if not known. */
  readonly deliveryKey: string | undefined;
  /** Undefined if the event was never received. */
  readonly receivedAt: number | undefined;
  readonly setAsideAt: number;
  /** Steps that a replay skips; only of dead letters. */
  readonly finished?: readonly string[];
}

/** What to select. An absent field selects all. */
export interface Selection {
  readonly id?: string | undefined;
  readonly ids?: ReadonlySet<string> | undefined;
  readonly deliveryKey?: string | undefined;
  readonly appId?: string | undefined;
  /** The event's name, or one of `failedTriggersOf`. */
  readonly trigger?: string | undefined;
  /** Returns the trigger handlers that failed. Default: none are known. */
  readonly failedTriggersOf?: ((message: SetAside) => readonly string[]) | undefined;
  /** A group of causes (cause-name.ts). */
  readonly cause?: string | undefined;
  /** Part of the reason, the cause or the text, case-insensitive. */
  readonly text?: string | undefined;
  /** A uid that the payload names. */
  readonly user?: string | undefined;
  readonly conversation?: string | undefined;
  /** Start inclusive, end exclusive. */
  readonly received?: TimeRange | undefined;
  readonly setAside?: TimeRange | undefined;
}

export interface TimeRange {
  readonly fromMs?: number | undefined;
  readonly beforeMs?: number | undefined;
}

const equalFields = ["id", "deliveryKey", "appId"] as const;

/**
 * A message that was never received is in no range of receipt.
 * @param body without it, no user, conversation or message text is found
 */
export function isSelected(message: SetAside, selection: Selection, body = ""): boolean {
  const { ids, trigger, cause, received, setAside } = selection;
  const isOther = (name: (typeof equalFields)[number]) =>
    selection[name] !== undefined && selection[name] !== message[name];
  if (equalFields.some(isOther) || ids?.has(message.id) === false) return false;
  if (trigger !== undefined && trigger !== message.trigger && !failedOf(message, selection).includes(trigger))
    return false;
  if (cause !== undefined && causeNameOf(message) !== cause) return false;
  const isInTime = isWithin(message.receivedAt, received) && isWithin(message.setAsideAt, setAside);
  return isInTime && matchesContent(message, selection, body);
}

function matchesContent({ reason, cause }: SetAside, { text, user, conversation }: Selection, body: string) {
  const isInCause = text === undefined || isIn(`${reason} ${cause}`, text);
  if (isInCause && user === undefined && conversation === undefined) return true;
  const payload = parseJson(payloadOf(body) ?? "");
  const has = (wanted: string | undefined) =>
    wanted === undefined || someText(payload, (_, value) => value === wanted);
  const hasText = isInCause || someText(payload, (field, value) => field === "text" && isIn(value, text));
  return hasText && has(user) && has(conversation);
}

function someText(value: unknown, isMeant: (field: string, text: string) => boolean, field = ""): boolean {
  if (typeof value === "string") return isMeant(field, value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, inner]) => someText(inner, isMeant, name));
}

function isIn(whole: string, part: string) {
  return whole.toLowerCase().includes(part.toLowerCase());
}

function isWithin(timeMs: number | undefined, range: TimeRange | undefined) {
  if (range === undefined) return true;
  const { fromMs = Number.NEGATIVE_INFINITY, beforeMs = Number.POSITIVE_INFINITY } = range;
  return timeMs !== undefined && timeMs >= fromMs && timeMs < beforeMs;
}

function failedOf(message: SetAside, { failedTriggersOf }: Selection) {
  return failedTriggersOf?.(message) ?? [];
}

export type SelectionCounts = ReturnType<typeof countSelected>;

export type Counted = ReturnType<typeof toCounted>;

export function toCounted(message: SetAside, selection: Selection) {
  const { appId, trigger, reason } = message;
  return { appId, trigger, reason, failedTriggers: failedOf(message, selection) };
}

export function countSelected(messages: readonly Counted[]) {
  const by = (namesOf: (message: Counted) => string | readonly string[]) =>
    Object.fromEntries(
      Map.groupBy(messages.flatMap(namesOf), (name) => name)
        .entries()
        .map(([name, { length }]) => [name, length]),
    );
  return {
    selected: messages.length,
    byApp: by(({ appId }) => appId),
    byTrigger: by(({ trigger }) => trigger),
    byFailedTrigger: by(({ failedTriggers }) => failedTriggers),
    byReason: by(({ reason }) => reason),
  };
}
