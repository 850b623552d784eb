import { describe, expect, it } from "vitest";
import { createCached } from "../../lib/base/cached.ts";

describe("createCached", () => {
  it("loads when it is refreshed before anything was asked for", async () => {
    const cached = createCached({
      load: async () => "value",
      ages: { refreshAfterMs: 1000, maxAgeMs: 2000 },
      now: () => 0,
    });

    expect(await cached.refresh(10_000)).toBe("value");
  });
});
