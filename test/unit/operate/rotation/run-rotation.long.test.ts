import { describe, expect, it } from "vitest";
import { isNight } from "../../../helpers/by-day.ts";
import { createWorld, settle } from "./open-world.ts";

describe("runRotation", () => {
  it("replaces the webhook's password on the platform, also for bots", async () => {
    const world = await createWorld();
    const stop = world.startTraffic(5);

    const result = await world.rotate("webhook-password");
    await world.clock.advance(10_000);
    stop();
    await world.clock.advance(60_000);

    const { current, pending } = await world.state("webhook-password");
    expect(result).toMatchObject({ state: "overlapping", hasBegun: true });
    expect(current.fields.webhookPassword).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(current.fields.replacedWebhookPassword).toBe("first");
    expect(pending).toBeUndefined();
    expect(world.passwordsOfBots()).toEqual([current.fields.webhookPassword, "first"]);
    expect(world.refused).toEqual([]);
    expect(world.sent.length).toBeGreaterThan(200);
    expect([...world.answered].toSorted()).toEqual(world.sent.toSorted());
  });

  it.runIf(isNight).each([7_000, 1_000, 20_000, 50_000])(
    "refuses no delivery if a rotation is withdrawn %i ms after it began",
    async (laterMs) => {
      const world = await createWorld();
      const stop = world.startTraffic(0.2);
      const brought = settle(world.start("webhook-password"));
      await world.clock.advance(laterMs);

      const takenBack = settle(world.abandon());
      const ends = await world.passUntil(Promise.all([brought, takenBack]));
      await world.clock.advance(7_200_000);
      stop();

      const { current, pending } = await world.state("webhook-password");
      expect(world.refused).toEqual([]);
      expect(world.passwordOnPlatform()).toBe(current.fields.webhookPassword);
      expect(pending).toBeUndefined();
      expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    },
  );

  it("withdraws a pending password after a withdrawal that crashed at any step", async () => {
    for (let request = 4; request < 14; request += 1) {
      const world = await createWorld();
      await expect(world.rotate("webhook-password", { webhooks: "by-hand" })).rejects.toThrow();
      const died = settle(world.abandon({ crash: { when: "after", request } }));
      await world.passUntil(died);

      await world.passUntil(world.abandon());
      await world.write();
      await world.clock.advance(60_000);

      expect((await world.state("webhook-password")).pending).toBeUndefined();
      expect(world.passwordOnPlatform()).toBe("first");
      expect(world.refused).toEqual([]);
    }
  });

  it("replaces the API key, deletes the old one and keeps keys of other servers", async () => {
    const world = await createWorld();
    const stop = world.startTraffic(0.5);
    const before = (await world.state("api-key")).current.fields.apiKey;

    const result = await world.rotate("api-key", { overlap: "wait", overlapMs: 900_000 });
    stop();
    await world.clock.advance(60_000);

    const { current } = await world.state("api-key");
    const keys = (await world.keys()).map(({ apiKey }) => apiKey);
    expect(result).toMatchObject({ state: "rotated" });
    expect(keys).toContain(current.fields.apiKey);
    expect(keys).toContain(world.strangersKey);
    expect(keys).not.toContain(before);
    expect(Object.keys(current.fields).toSorted()).toEqual(["apiKey", "appId", "region"]);
    expect(world.keyRefusals()).toBe(0);
    expect([...world.answered].toSorted()).toEqual(world.sent.toSorted());
  });
});
