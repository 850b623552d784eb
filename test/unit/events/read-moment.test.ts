import { describe, expect, it } from "vitest";
import { ownMoment } from "../../../lib/events/own-moment.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import { readMoment } from "../../../lib/events/scalars.ts";
import samples from "../../../local/platform/catalogue/webhook-samples.json" with { type: "json" };
import { events } from "../../../local/testing/events/events.ts";

const moment = new Date("2026-11-20T12:00:00.000Z");

describe("readMoment", () => {
  it.each([
    ["seconds", 1_795_176_000],
    ["digits of seconds", "1795176000"],
    ["seconds with a fraction", "1795176000.000"],
    ["milliseconds", 1_795_176_000_000],
    ["digits of milliseconds", "1795176000000"],
    ["microseconds", 1_795_176_000_000_000],
    ["ISO 8601 in UTC", "2026-11-20T12:00:00Z"],
    ["ISO 8601 with a fraction", "2026-11-20T12:00:00.000000Z"],
    ["ISO 8601 with another zone", "2026-11-20T17:30:00+05:30"],
    ["ISO 8601 without seconds", "2026-11-20T12:00Z"],
    ["ISO 8601 with a zone without a colon", "2026-11-20T13:00:00+0100"],
    ["ISO 8601 with a short fraction", "2026-11-20T12:00:00.0Z"],
  ])("reads %s as the same moment", (_, written) => {
    expect(readMoment(written)).toEqual(moment);
  });

  it("accepts times from the year 2000 on", () => {
    expect(readMoment("2000-01-01T00:00:00Z")).toEqual(new Date(946_684_800_000));
  });

  it.each([
    ["the empty text", ""],
    ["zero, which stands for never", 0],
    ["a negative number", -1_795_176_000],
    ["seconds of 1999", 946_684_799],
    ["seconds of 2100", 4_102_444_800],
    ["milliseconds of 1999", 946_684_799_999],
    ["nanoseconds", 1_795_176_000_000_000_000],
    ["ISO 8601 without a zone", "2026-11-20T12:00:00"],
    ["a date alone", "2026-11-20"],
    ["an impossible date", "2026-13-40T12:00:00Z"],
    ["ISO 8601 of 1999", "1999-12-31T23:59:59.999Z"],
    ["ISO 8601 after other text", "on 2026-11-20T12:00:00Z"],
    ["ISO 8601 before other text", "2026-11-20T12:00:00Z or so"],
    ["ISO 8601 of an hour", "2026-11-20T12Z"],
    ["a word", "soon"],
    ["a truth value", true],
    ["a list", [1_795_176_000]],
    ["an object", { seconds: 1_795_176_000 }],
    ["undefined", undefined],
  ])("returns undefined for %s", (_, written) => {
    expect(readMoment(written)).toBeUndefined();
  });
});

const momentOf = (body: unknown) => {
  const parsed = parseEvent(body);
  return parsed.ok ? parsed.event.head.occurredAt?.getTime() : undefined;
};
const bodies: readonly (readonly [string, unknown])[] = [
  ...Object.entries(samples),
  ...Object.entries(events).map(([name, make]): [string, unknown] => [name, make({})]),
];
/** Without an own time, or with one outside the key. */
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
    ["an unknown trigger", { trigger: "tomorrow", data: { sentAt: 1_600_000_000 } }],
    ["no JSON", undefined],
    ["no time", { trigger: "message_sent", data: { message: { sentAt: "soon" } } }],
    ["zero", { trigger: "message_sent", data: { message: { sentAt: 0 } } }],
    [
      "a long connection that changed at an unknown time",
      {
        trigger: "user_connection_status_changed",
        data: { user: { uid: "ann" }, currentConnection: { connectedAt: 1_600_000_000 } },
      },
    ],
    [
      "a long call that was left at an unknown time",
      {
        trigger: "call_participant_left",
        data: { sessionId: "s", occupant: { uid: "ann", joined_at: 1_600_000_000 } },
      },
    ],
  ])("is not guessed for %s", (_case, body) => {
    expect(ownMoment(body)).toBeNaN();
  });

  it.each([
    ["seconds", 1_795_176_000],
    ["seconds with a fraction", 1_795_176_000.25],
    ["digits with a fraction", "1795176000.25"],
    ["milliseconds", 1_795_176_000_000],
    ["microseconds", 1_795_176_000_000_000],
    ["ISO 8601", "2026-11-20T12:00:00Z"],
  ])("reads %s as the parser does", (_unit, sentAt) => {
    const body = { trigger: "message_sent", data: { message: { id: "1", sentAt } } };

    expect(ownMoment(body)).toBe(readMoment(sentAt)?.getTime());
    expect(Math.floor(ownMoment(body) / 1_000)).toBe(1_795_176_000);
  });
});
