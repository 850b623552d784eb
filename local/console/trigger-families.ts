import type { TriggerFamily } from "./api/world-webhooks.ts";

const families: readonly (readonly [title: string, pattern: RegExp])[] = [
  ["Messages", /^(message_|user_mentioned|before_message|after_message)/],
  ["Users", /^user_/],
  ["Groups", /^group_/],
  ["Calls", /^(call_|recording_|transcription_)/],
  ["Meetings", /^meeting_/],
  ["Moderation", /^moderation_/],
  ["Campaigns", /^after_/],
];

/** The last family has the remaining triggers. */
export function sortTriggers(table: Readonly<Record<string, string>>): TriggerFamily[] {
  const sorted = new Map<string, { id: string; says: string }[]>();
  for (const [id, says] of Object.entries(table)) {
    const title = families.find(([, pattern]) => pattern.test(id))?.[0] ?? "Others";
    sorted.set(title, [...(sorted.get(title) ?? []), { id, says }]);
  }
  return [...families.map(([title]) => title), "Others"].flatMap((title) => {
    const triggers = sorted.get(title);
    return triggers === undefined ? [] : [{ title, triggers }];
  });
}
