import { describe, expect, it } from "vitest";
import { createVirtualClock, forgettingClock } from "../../local/platform/services/clock.ts";
import { askWithin } from "../../local/platform/webhooks/send.ts";

describe("work that began before a reset or a restore", () => {
  it("is dropped when it falls due", async () => {
    const clock = createVirtualClock(0);
    const seen: string[] = [];
    let era = 0;
    const forgetting = forgettingClock(clock, () => era);

    forgetting.schedule(10, () => void seen.push("old"));
    era += 1;
    forgetting.schedule(10, () => void seen.push("new"));
    await clock.advance(20);

    expect(seen).toEqual(["new"]);
  });

  it("is not continued after a late answer", async () => {
    const answered = { status: 200, error: undefined, isTimeout: false, text: "{}", json: {}, atMs: 0 };
    let answer = () => {};
    let era = 0;
    const ask = askWithin(
      () => new Promise((resolve) => (answer = () => resolve(answered))),
      () => era,
    );
    const question = {
      ...({ appId: "local-app", kind: "before_message", target: "hook", url: "http://127.0.0.1" } as const),
      credentials: undefined,
      body: {},
      timeoutMs: 1_000,
    };

    const inTime = ask(question);
    answer();
    const told = await inTime;
    const late = ask(question);
    era += 1;
    answer();

    expect(told).toEqual(answered);
    await expect(late).rejects.toThrow("restored meanwhile");
  });
});
