import { editDistance } from "../base/names.ts";
import { triggerNames } from "./identity-rules.ts";

/** A suggestion for a trigger that is not in the catalogue. */
export interface TriggerSuggestion {
  /** Empty if the platform has no such event. */
  readonly names: readonly string[];
  /** For a log line. */
  readonly reason: string;
}

/**
 * @returns undefined if no name is similar: perhaps a new event
 * @see docs/internals/platform/events.md#names-that-do-not-exist
 */
export function suggestTrigger(name: string): TriggerSuggestion | undefined {
  if (name.length > maxNameLength || triggerNames().has(name)) return undefined;
  const plain = name
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/[.\-\s]+/g, "_")
    .toLowerCase();
  const known = mistakes.get(plain);
  if (known !== undefined) return known;

  const [nearest] = [...triggerNames()]
    .map((trigger) => ({ trigger, distance: editDistance(plain, trigger.replaceAll("-", "_")) }))
    .sort((left, right) => left.distance - right.distance);
  if (nearest === undefined || nearest.distance > maxDistance) return undefined;
  const reason = `There is no event "${name}"; the nearest name is "${nearest.trigger}".`;
  return { names: [nearest.trigger], reason };
}

/** The longest has 37. */
const maxNameLength = 60;
/** Enough for `message_send` and `group_member_join`, but not for another event. */
const maxDistance = 3;

const mistakes: ReadonlyMap<string, TriggerSuggestion> = new Map([
  ...mistake("message_new on_message_sent after_message_sent", "message_sent", "A stored message"),
  ...mistake("message_delivered", "message_delivery_receipt", "A delivery"),
  ...mistake("message_read", "message_read_receipt", "A read message"),
  ...mistake(
    "after_message_moderated",
    "moderation_engine_approved moderation_engine_blocked",
    "A decision of the moderation",
  ),
  ...mistake("message_flagged message_blocked", "moderation_engine_blocked", "A blocked message"),
  ...mistake("user_banned", "group_member_banned", "A ban, always from one group,"),
  ...mistake("user_online user_offline", "user_connection_status_changed", "A change of presence"),
  ...mistake(
    "user_connection_status_change",
    "user_connection_status_changed after_connection_status_changed",
    "A change of presence",
  ),
  ...mistake("call_accepted call_ongoing", "call_started", "An accepted call"),
  ...mistake("group_member_removed", "group_member_kicked", "A removed member"),
  ...missing("user_created user_updated user_deleted", "users being created, updated or deleted"),
  ...missing("friend_added friend_removed", "friends"),
  ...missing("message_reported user_reported", "reports"),
  ...missing("typing_started typing_ended", "typing"),
]);

function mistake(wrong: string, right: string, fact: string): [string, TriggerSuggestion][] {
  const names = right.split(" ");
  const reason = `${fact} is reported as ${names.map((name) => `"${name}"`).join(" or ")}.`;
  return wrong.split(" ").map((name) => [name, { names, reason }]);
}

function missing(wrong: string, what: string): [string, TriggerSuggestion][] {
  return wrong
    .split(" ")
    .map((name) => [name, { names: [], reason: `The platform sends no events about ${what}.` }]);
}
