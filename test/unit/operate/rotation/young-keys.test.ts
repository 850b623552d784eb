import { expect, it, onTestFinished } from "vitest";
import { createRotationWorld } from "../../../helpers/rotation-world.ts";

const minuteMs = 60_000;

it("deletes what earlier runs left behind after ten minutes, and no key that another run made a short while ago", async () => {
  const world = await createRotationWorld();
  onTestFinished(() => world.close());
  const overlapMs = 30 * minuteMs;
  const rotation = world.start(["api-key"], { overlap: "wait", overlapMs });
  await world.clock.advance(minuteMs);
  const { fields } = (await world.state()).current;
  const inUse = (await world.keys()).find(({ apiKey }) => apiKey === fields.apiKey)?.name ?? "";
  const leave = async (name: string, ageMs: number) => {
    const endsAt = Date.parse(String(fields.replacedApiKeyUntil));
    await world.clock.advance(endsAt - ageMs - world.clock.now());
    const ofThisSecret = inUse.slice(0, inUse.lastIndexOf(" ") + 1);
    await world.strangers.apiKeys.create({ name: `${ofThisSecret}${name}`, scope: "fullAccess" });
  };

  await leave("old", 10.5 * minuteMs);
  await leave("young", 9 * minuteMs);
  await leave("new", 0.5 * minuteMs);
  const { state } = await world.passUntil(rotation);

  const names = (await world.keys()).map(({ name = "" }) => name.slice(name.lastIndexOf(" ") + 1));
  expect(state).toBe("rotated");
  expect(names).toEqual(expect.arrayContaining(["young", "new"]));
  expect(names).not.toContain("old");
});
