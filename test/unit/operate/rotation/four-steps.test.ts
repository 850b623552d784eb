import { describe, expect, it } from "vitest";
import type { RotatedCredential } from "../../../../lib/operate/rotation/rotated-credentials.ts";
import { type RotationWorld, secretIds } from "../../../helpers/rotation-world.ts";
import { createWorld, settle } from "./open-world.ts";

const token = "4f1c0d5e-1c9e-4b8e-9a55-000000000001";
const password = "webhook-password";
const schedule = { beginsNew: false, bringsIn: false };

const putOwnFieldIn = (credential: RotatedCredential) => async (world: RotationWorld) => {
  const { fields } = (await world.state(credential)).current;
  world.put(credential, { ...fields, ticketToken: { made: "by hand" } });
};

describe("Secrets Manager's own rotation", () => {
  it.each([
    ["the secret stays as it is", async () => {}],
    ["an operator changes the secret", putOwnFieldIn(password)],
  ])("accepts the old password for its overlap, even if the rotation ends late and %s", async (_, change) => {
    const world = await createWorld();
    const failing = world.takeFourSteps(password, token, { webhooks: "by-hand" });
    await expect(world.passUntil(failing)).rejects.toMatchObject({ trouble: "no-management" });
    await change(world);
    await world.clock.advance(7_200_000);
    await world.passUntil(world.takeFourSteps(password, token));
    await world.clock.advance(200_000);
    expect(await world.accepts("first")).toBe(true);

    await world.rotate(password, schedule);
    await world.clock.advance(3_500_000);

    expect(await world.accepts("first")).toBe(true);
    await world.clock.advance(200_000);
    expect(await world.accepts("first")).toBe(false);
    expect(await world.accepts(world.passwordOnPlatform() ?? "")).toBe(true);
  });

  it("keeps the old password on the platform if an operator withdraws the new one", async () => {
    const world = await createWorld();
    const steps = settle(world.takeFourSteps(password, token));
    await world.clock.advance(2_000);
    await world.passUntil(world.abandon());

    expect(await world.passUntil(steps)).toMatchObject({ reason: { trouble: "somebody-else" } });
    expect(world.passwordOnPlatform()).toBe("first");
  });

  it("keeps a change by hand and the old key, and leaves no pending version", async () => {
    const world = await createWorld();
    await world.takeFourSteps("api-key", token, { beforeFinish: () => putOwnFieldIn("api-key")(world) });
    const { current, pending } = await world.state("api-key");
    await world.rotate("api-key", schedule);

    expect(pending).toBeUndefined();
    expect(current.fields).toMatchObject({ ticketToken: { made: "by hand" } });
    expect((await world.state("api-key")).current.fields).toMatchObject({
      apiKey: current.fields.apiKey,
      replacedApiKey: world.platform.keys.fullAccessKey,
      replacedApiKeyUntil: expect.any(String),
    });
  });

  it("rotates once if a custom field is not a text", async () => {
    const world = await createWorld();
    await putOwnFieldIn("api-key")(world);
    await world.takeFourSteps("api-key", token);

    expect((await world.state("api-key")).current.id).toBe(token);
  });

  it("ends if an operator made the pending value current", async () => {
    const world = await createWorld();
    const beforeFinish = async () =>
      world.put("api-key", (await world.state("api-key")).pending?.fields ?? {});
    await world.takeFourSteps("api-key", token, { beforeFinish });
    const { current, pending } = await world.state("api-key");

    expect(pending).toBeUndefined();
    expect(current.fields.replacedApiKey).toBe(world.platform.keys.fullAccessKey);
  });

  it("begins after the overlap in which it was refused", async () => {
    const world = await createWorld();
    await world.rotate("api-key");
    const refused = world.takeFourSteps("api-key", token);
    await expect(refused).rejects.toMatchObject({ trouble: "previous-needed" });
    expect(await world.rotate("api-key", schedule)).toMatchObject({ state: "overlapping" });

    await world.clock.advance(3_700_000);
    await world.rotate("api-key", schedule).catch(() => {});
    await world.takeFourSteps("api-key", token);

    expect((await world.state("api-key")).current.id).toBe(token);
  });

  it("suggests `rotate finish --now` for a key that an earlier rotation replaced", async () => {
    const world = await createWorld();
    await world.takeFourSteps("api-key", token);

    const refused = world.takeFourSteps("api-key", token.replace(/1$/, "2"));

    await expect(refused).rejects.toMatchObject({ hint: expect.stringContaining("rotate finish --now") });
  });

  it.each(["no overlap", "an overlap"])("can be withdrawn if it made no value, with %s", async (overlap) => {
    const world = await createWorld();
    if (overlap === "an overlap") await world.rotate(password);
    const { current } = await world.state(password);
    world.callSecrets("RotateSecret", {
      SecretId: secretIds[password],
      ClientRequestToken: token,
      RotationLambdaARN: "arn:of:nobody",
    });
    const leaked = { isLeaked: true, overlap: "end" } as const;
    await expect(world.rotate(password, leaked)).rejects.toMatchObject({
      hint: expect.stringContaining(": npx cometchat-functions rotate finish --abandon --app "),
    });

    expect(await world.passUntil(world.abandon({ webhooks: "by-hand" }))).toBe(true);

    expect(await world.state(password)).toMatchObject({ pending: undefined });
    expect(world.passwordOnPlatform()).toBe(current.fields.webhookPassword);
    expect(await world.rotate(password, leaked)).toMatchObject({ state: "rotated", hasBegun: true });
    expect(world.passwordOnPlatform()).not.toBe(current.fields.webhookPassword);
  });

  it("repeats each step safely after a finish whose answer was lost", async () => {
    const world = await createWorld();
    await world.takeFourSteps("api-key", token, { beforeFinish: () => putOwnFieldIn("api-key")(world) });
    const before = await world.state("api-key");

    await world.takeFourSteps("api-key", token, { isRepeated: true });

    expect(before.current.id).not.toBe(token);
    expect(await world.state("api-key")).toEqual(before);
  });
});
