import { expect, it, onTestFinished } from "vitest";
import { readStepEvent, takeRotationStep } from "../../../../lib/operate/rotation/four-steps.ts";
import type { RotatedThing } from "../../../../lib/operate/rotation/rotated-things.ts";
import { createRotationWorld } from "../../../helpers/rotation-world.ts";

const token = "4f1c0d5e-1c9e-4b8e-9a55-000000000001";
const overlapMs = 600_000;

async function createWorld() {
  const world = await createRotationWorld({ receivers: 1, consumers: 1 });
  onTestFinished(() => world.close());
  const takeSteps = (things: readonly RotatedThing[], ofToken = token) =>
    world.passUntil(world.takeFourSteps(things, ofToken, { overlapMs }));
  return { ...world, takeSteps };
}

it.each([[["webhook-password", "api-key"]], [["api-key"]]] as const)(
  "brings in the version that Secrets Manager began, also when its steps are repeated: %j",
  async (things) => {
    const world = await createWorld();
    const before = (await world.state()).current.fields;

    await world.takeSteps(things);
    await world.takeSteps(things);

    const { id, fields } = (await world.state()).current;
    expect(id).toBe(token);
    expect(fields.rotating).toBe(things.join(" "));
    expect(fields.apiKey).not.toBe(before.apiKey);
    expect(fields.webhookPassword).toBe(world.passwordOnPlatform());
    expect(fields.webhookPassword === before.webhookPassword).toBe(things.length === 1);
  },
);

it("keeps a change by hand that was made after the pending version", async () => {
  const world = await createWorld();
  const rotation = world.takeFourSteps(["webhook-password"], token, { overlapMs });
  await world.clock.advance(20_000);
  world.put({ ...(await world.state()).current.fields, ticketToken: "by-hand" });

  await world.passUntil(rotation);

  const { fields } = (await world.state()).current;
  expect(fields).toMatchObject({ ticketToken: "by-hand", webhookPassword: world.passwordOnPlatform() });
});

it("refuses a second rotation while what the first replaced is still good", async () => {
  const world = await createWorld();
  await world.takeSteps(["api-key"]);
  await world.rotate(["api-key"], { overlapMs, beginsNew: false });

  await expect(world.takeSteps(["api-key"], token.replace(/1$/, "2"))).rejects.toMatchObject({
    trouble: "previous-needed",
  });
});

it("takes no step of a version that is not pending", async () => {
  const world = await createWorld();
  const step = { Step: "createSecret", SecretId: "stage", ClientRequestToken: token } as const;

  await expect(
    takeRotationStep(step, world.toolsFor({}), { things: ["api-key"], overlapMs }),
  ).rejects.toMatchObject({ trouble: "somebody-else" });
});

it("reads no other event for a step", () => {
  const step = { Step: "setSecret", SecretId: "stage/shop", ClientRequestToken: token };

  expect(readStepEvent(step)).toEqual(step);
  expect(readStepEvent({ ...step, Step: "deleteSecret" })).toBeUndefined();
});
