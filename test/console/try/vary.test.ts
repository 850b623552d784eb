import { describe, expect, it } from "vitest";
import { readSampleEvents } from "../../../cli/trigger/fresh-delivery.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import { fitEvent } from "../../../local/console/flows/event-for-wait.ts";
import { variationsOf, vary } from "../../../local/console/try/list-entries.ts";

const samples = readSampleEvents();

describe("variations of a body", () => {
  it.each(["least", "nulls", "numbers-as-texts", "ids-as-numbers"])(
    "%s: every sample remains the same event",
    (variation) => {
      const others = samples.filter(({ body, trigger }) => {
        const parsed = parseEvent(vary(body, variation));
        return !parsed.ok || parsed.event.trigger !== trigger;
      });
      expect(others).toEqual([]);
    },
  );

  it("removes optional fields, and one required field for the quarantine", () => {
    const sent = samples.find(({ trigger }) => trigger === "message_sent")?.body;
    const least = vary(sent, "least");
    expect(least).toEqual({
      trigger: "message_sent",
      data: { message: expect.objectContaining({ receiver: "bela" }) },
    });
    expect(Object.keys(JSON.parse(JSON.stringify(least)).data.message)).toHaveLength(5);
    expect(parseEvent(vary(sent, "quarantine")).ok).toBe(false);
  });

  it("returns undefined for other names", () => {
    expect(vary({}, "__proto__")).toBeUndefined();
    expect(variationsOf("webhook").map(({ id }) => id)).toContain("least");
  });
});

describe("fitEvent", () => {
  it.each([
    ["message_sent", { sender: "alice", text: { words: ["stop"] } }],
    ["message_sent", { group: "support-*", sender: { not: "ann" } }],
    ["message_reaction_added", { messageId: "4711", sender: "chief", reaction: "👍" }],
    ["group_member_joined", { group: "lobby" }],
  ])("makes a sample of %s fit %o", (trigger, where) => {
    const sample = samples.find((one) => one.trigger === trigger)?.body ?? {};
    expect(fitEvent(sample, where).unmet).toEqual([]);
  });

  it("names what it could not fit", () => {
    const sample = samples.find(({ trigger }) => trigger === "message_sent")?.body ?? {};
    expect(fitEvent(sample, { moderation: "approved", sender: "x" }).unmet).toEqual(["moderation"]);
  });
});
