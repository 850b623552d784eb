import { describe, expect, it } from "vitest";
import { readSampleEvents } from "../../../cli/trigger/sample-events.ts";
import { fitEvent } from "../../../local/console/flows/event-for-wait.ts";

const samples = readSampleEvents();

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

  it("names what it could not make so", () => {
    const sample = samples.find(({ trigger }) => trigger === "message_sent")?.body ?? {};
    expect(fitEvent(sample, { moderation: "approved", sender: "x" }).unmet).toEqual(["moderation"]);
  });
});
