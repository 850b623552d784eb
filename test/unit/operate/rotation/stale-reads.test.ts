import { describe, expect, it } from "vitest";
import type { RotationTools } from "../../../../lib/operate/rotation/secret-versions.ts";
import { createWorld } from "./open-world.ts";

function readsLate(times: number) {
  return (secret: RotationTools["secret"]): RotationTools["secret"] => {
    let before = secret.read();
    let left = 0;
    return {
      ...secret,
      move: async (...move) => {
        await secret.move(...move);
        left = times;
      },
      read: () => {
        left -= 1;
        if (left < 0) before = secret.read();
        return before;
      },
    };
  };
}

const leaked = { isLeaked: true, overlap: "end" } as const;

describe("a rotation whose reads are late", () => {
  it("replaces a leaked password", async () => {
    const world = await createWorld();

    const end = await world.rotate("webhook-password", { ...leaked, wrapSecret: readsLate(1) });

    expect(end).toMatchObject({ state: "rotated", hasBegun: true });
    expect(world.passwordOnPlatform()).not.toBe("first");
    await world.clock.advance(200_000);
    expect(await world.accepts("first")).toBe(false);
  });

  it.each(["begins", "is inside an overlap"])(
    "ends a leaked key and keeps the new one if it %s",
    async (when) => {
      const world = await createWorld();
      if (when !== "begins") await world.rotate("api-key");

      await world.rotate("api-key", { ...leaked, wrapSecret: readsLate(1) });

      const { apiKey, replacedApiKey } = (await world.state("api-key")).current.fields;
      const keys = (await world.keys()).filter(({ scope }) => scope === "fullAccess");
      expect(keys.map((key) => key.apiKey).toSorted()).toEqual([apiKey, world.strangersKey].toSorted());
      expect(replacedApiKey).toBeUndefined();
    },
  );

  it("reports that the new value is not there if no read shows it", async () => {
    const world = await createWorld();

    const rotating = world.rotate("webhook-password", { ...leaked, wrapSecret: readsLate(100) });

    await expect(rotating).rejects.toMatchObject({ trouble: "somebody-else" });
  });
});
