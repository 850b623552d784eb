import { describe, expect, it, onTestFinished } from "vitest";
import { createRotationWorld } from "../../helpers/rotation-world.ts";

describe("runRotation", () => {
  it("replaces the webhook's password, which the platform then uses", async () => {
    const world = await createWorld();
    const stop = world.startTraffic(5);

    const result = await world.rotate(["webhook-password"]);
    await world.clock.advance(10_000);
    stop();
    await world.clock.advance(60_000);

    const { current, pending } = await world.state();
    expect(result).toMatchObject({ state: "overlapping", hasBegun: true });
    expect(current.fields.webhookPassword).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(current.fields.replacedWebhookPassword).toBe("first");
    expect(pending).toBeUndefined();
    expect(world.refused).toEqual([]);
    expect(world.sent.length).toBeGreaterThan(200);
    expect([...world.answered].toSorted()).toEqual(world.sent.toSorted());
  });

  it("replaces the API key, deletes the old one and leaves those of others alone", async () => {
    const world = await createWorld();
    const stop = world.startTraffic(0.5);
    const before = (await world.state()).current.fields.apiKey;

    const result = await world.rotate(["api-key"], { overlap: "wait", overlapMs: 900_000 });
    stop();
    await world.clock.advance(60_000);

    const { current } = await world.state();
    const keys = (await world.keys()).map(({ apiKey }) => apiKey);
    expect(result).toMatchObject({ state: "rotated" });
    expect(keys).toContain(current.fields.apiKey);
    expect(keys).toContain(world.strangersKey);
    expect(keys).not.toContain(before);
    expect(Object.keys(current.fields).toSorted()).toEqual([
      "apiKey",
      "appId",
      "region",
      "webhookPassword",
      "webhookUsername",
    ]);
    expect(world.keyRefusals()).toBe(0);
    expect([...world.answered].toSorted()).toEqual(world.sent.toSorted());
  });
});

async function createWorld() {
  const world = await createRotationWorld();
  onTestFinished(() => world.close());
  return world;
}
