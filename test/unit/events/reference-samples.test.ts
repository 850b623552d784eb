import { describe, expect, it } from "vitest";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import { documentedSamples } from "../../contract/catalogue.ts";

const samples = Object.entries(documentedSamples());

describe("the platform's own samples", () => {
  it("are all found", () => {
    expect(samples.length).toBeGreaterThanOrEqual(69);
  });

  it.each(samples)("%s is understood, and its head is filled", (_, body) => {
    const result = parseEvent(body, { appId: "app-1" });

    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    const { kind, trigger, head } = result.event;
    expect({ kind, trigger }).toEqual({ kind: "known", trigger: body.trigger ?? "email-extension" });
    expect(head.key).not.toBe("");
    expect(head.lane).not.toBe("");
    expect(head.appId).toBe("app-1");
    expect(head.region).toBe(body.region);
    expect(head.occurredAt === undefined).toBe(head.occurredAtField === undefined);
    expect(head.occurredAt?.getUTCFullYear() ?? 2020).toBeGreaterThan(2019);
  });
});
