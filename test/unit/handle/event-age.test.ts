import { describe, expect, it } from "vitest";
import { ageOfEvent } from "../../../lib/handle/trigger-context.ts";

const at = (ms: number) => ({ occurredAt: new Date(ms), occurredAtField: "data.message.sentAt" });

describe("ageOfEvent", () => {
  it("counts from when it happened, however late it was received", () => {
    expect(ageOfEvent(at(1_000), 5_000, 9_000)).toBe(8_000);
  });

  it.each([
    ["that nobody knows", { occurredAt: undefined, occurredAtField: undefined }],
    ["after its receipt, which cannot be", at(58_645_000_000)],
    ["of the group, which its members do not move", { ...at(1), occurredAtField: "data.group.updatedAt" }],
  ])("counts from the receipt for a time %s", (_case, head) => {
    expect(ageOfEvent(head, 5_000, 9_000)).toBe(4_000);
  });

  it("is never below zero, whatever the clocks say", () => {
    expect(ageOfEvent(at(5_000), 5_000, 4_000)).toBe(0);
  });
});
