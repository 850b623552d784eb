import { describe, expect, it } from "vitest";
import { ownMoment } from "../../../lib/events/own-moment.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import samples from "../../../local/platform/catalogue/webhook-samples.json" with { type: "json" };
import { events } from "../../../local/testing/events/events.ts";

const momentOf = (body: unknown) => {
  const parsed = parseEvent(body);
  return parsed.ok ? parsed.event.head.occurredAt?.getTime() : undefined;
};
const bodies: readonly (readonly [string, unknown])[] = [
  ...Object.entries(samples),
  ...Object.entries(events).map(([name, make]): [string, unknown] => [name, make({})]),
];
/** Without a time of their own, or with one that is in no key. */
const without =
  /group|[oO]wner|moderation|lock|recording|transcription|email|sms|pinned|mention|removed|before/i;

describe("ownMoment", () => {
  it.each(bodies)("is the parsed event's, if it has one: %s", (name, body) => {
    const moment = ownMoment(body);

    expect(Number.isNaN(moment) ? without.test(name) : moment === momentOf(body)).toBe(true);
  });

  it.each([
    [
      "a message that was sent long ago",
      { trigger: "message_edited", data: { message: { id: "1", sentAt: 1_600_000_000 } } },
    ],
    ["an old group", { trigger: "group_deleted", data: { group: { guid: "g", createdAt: 1_600_000_000 } } }],
    ["nothing known", { trigger: "tomorrow", data: { sentAt: 1_600_000_000 } }],
    ["no JSON", undefined],
    ["no time", { trigger: "message_sent", data: { message: { sentAt: "soon" } } }],
  ])("is not guessed for %s", (_case, body) => {
    expect(ownMoment(body)).toBeNaN();
  });
});
