import { describe, expect, it } from "vitest";
import { createWorld, settle } from "./open-world.ts";

describe("runRotation", () => {
  it("refuses the second of two simultaneous rotations", async () => {
    const world = await createWorld();

    const ends = await world.passUntil(
      Promise.allSettled([world.start("webhook-password"), world.start("webhook-password")]),
    );

    expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(ends.find((end) => end.status === "rejected")?.reason).toMatchObject({
      trouble: "somebody-else",
      hint: expect.stringMatching(
        /^Another rotation began .*: look at npx cometchat-functions rotate finish --dry-run --app \S+, or run this again\.$/,
      ),
    });
    expect(world.passwordOnPlatform()).toBe(
      (await world.state("webhook-password")).current.fields.webhookPassword,
    );
  });

  it("keeps a change by hand that is made during the rotation", async () => {
    const world = await createWorld();
    const rotation = world.start("webhook-password");
    await world.clock.advance(20_000);
    const { current } = await world.state("webhook-password");
    world.put("webhook-password", { ...current.fields, ticketToken: "made-by-hand" });

    await world.passUntil(rotation);

    expect((await world.state("webhook-password")).current.fields).toMatchObject({
      ticketToken: "made-by-hand",
      replacedWebhookPassword: "first",
      webhookPassword: world.passwordOnPlatform(),
    });
  });

  it("refuses to replace a password that was changed by hand a short while ago", async () => {
    const world = await createWorld();
    const { current } = await world.state("webhook-password");
    world.put("webhook-password", { ...current.fields, webhookPassword: "second" });

    await expect(world.rotate("webhook-password")).rejects.toMatchObject({ trouble: "previous-needed" });

    expect(await world.accepts("first")).toBe(true);
    expect(await world.accepts("second")).toBe(true);
    await world.clock.advance(3_700_000);
    expect(await world.accepts("first")).toBe(false);
    expect(await world.accepts("second")).toBe(true);
  });

  it("withdraws a pending password, also on the platform", async () => {
    const world = await createWorld();
    const crash = { when: "after", request: 16 } as const;
    await expect(world.rotate("webhook-password", { crash })).rejects.toThrow("");
    expect(world.passwordOnPlatform()).not.toBe("first");

    const hasTaken = await world.passUntil(world.abandon());

    expect(hasTaken).toBe(true);
    expect(world.passwordOnPlatform()).toBe("first");
    expect((await world.state("webhook-password")).pending).toBeUndefined();
    expect(world.refused).toEqual([]);
  });

  it("refuses to promote a password during its withdrawal, which then succeeds", async () => {
    const world = await createWorld();
    const stopped = world.rotate("webhook-password", { webhooks: "by-hand" });
    await expect(stopped).rejects.toMatchObject({ trouble: "no-management" });
    const takenBack = settle(world.abandon());
    await world.clock.advance(5_000);

    await expect(world.rotate("webhook-password")).rejects.toMatchObject({ trouble: "somebody-else" });

    expect(await world.passUntil(takenBack)).toMatchObject({ status: "fulfilled" });
    expect(world.passwordOnPlatform()).toBe("first");
    expect(world.refused).toEqual([]);
  });

  it("refuses to begin if the app has no room for another key", async () => {
    const world = await createWorld();
    for (let count = (await world.keys()).length; count < 25; count += 1) {
      await world.strangers.apiKeys.create({ name: `key ${count}`, scope: "authOnly" });
    }

    await expect(world.rotate("api-key")).rejects.toMatchObject({
      trouble: "too-many-keys",
      hint: expect.stringContaining(": npx cometchat-functions rotate finish --app "),
    });
    expect((await world.state("api-key")).pending).toBeUndefined();
  });

  it("does not switch the platform to a password that the receiver refuses", async () => {
    const world = await createWorld();
    world.breakReceivers();

    await expect(world.rotate("webhook-password")).rejects.toMatchObject({ trouble: "not-proven" });
    expect(world.passwordOnPlatform()).toBe("first");
  });

  it("does not accept a page at the receiver's address as proof of the password", async () => {
    const world = await createWorld();
    world.putPageBeforeReceivers();

    await expect(world.rotate("webhook-password")).rejects.toMatchObject({ trouble: "not-proven" });
    expect(world.passwordOnPlatform()).toBe("first");
  });
});
