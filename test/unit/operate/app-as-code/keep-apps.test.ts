import { describe, expect, it } from "vitest";
import { keepApps, SeedFailedError } from "../../../../lib/operate/app-as-code/keep-apps.ts";

const time = { deadlineMs: 60_000, now: () => 0 };
const blocked = { kind: "reason", id: "spam", outcome: "blocked", cause: "refused" } as const;
const keep = async () => ({ things: [blocked], unseen: [], drift: 1 });

describe("what the app refuses", () => {
  it("is told by a rehearsal, and fails a repair", async () => {
    expect(await keepApps(["a"], true, time, keep)).toMatchObject({ apps: [{ things: [blocked] }] });
    await expect(keepApps(["a"], false, time, keep)).rejects.toThrow(SeedFailedError);
  });

  it("fails a rehearsal if an app cannot be read", async () => {
    await expect(keepApps(["a"], true, time, () => Promise.reject(new Error("no")))).rejects.toThrow(
      SeedFailedError,
    );
  });
});
