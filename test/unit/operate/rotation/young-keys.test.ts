import { expect, it, onTestFinished } from "vitest";
import { ApiKeyRotation, keyNamePrefix } from "../../../../lib/operate/rotation/rotate-api-key.ts";
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

it.each([
  ["a key whose age the platform does not show", {}, false, []],
  ["a young key", { createdAt: 999_900 }, false, []],
  ["an old key", { createdAt: 999_000 }, false, ["key-left-over"]],
  ["a young key of a secret that leaked", { createdAt: 999_900 }, true, ["key-left-over"]],
  ["an old key of another deployment", { createdAt: 999_000, name: "somebody else's" }, false, []],
])("leaves or deletes what an earlier run left behind: %s", async (_, shown, isLeaked, deleted) => {
  const secretArn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:prod/app1-AbCdEf";
  const name = `${keyNamePrefix(secretArn)}1`;
  const asked: string[] = [];
  const rotation = new ApiKeyRotation({
    appId: "app1",
    secretArn,
    now: () => 1_000_000_000,
    sleep: async () => {},
    client: {
      fetch: async (url, { method }) => {
        if (method !== "DELETE")
          return Response.json({ data: [{ apiKey: "key-left-over", name, scope: "fullAccess", ...shown }] });
        asked.push(new URL(String(url)).pathname.split("/").at(-1) ?? "");
        return Response.json({ data: { success: true, message: "Deleted." } });
      },
    },
  });

  await rotation.retire("old", { region: "us", apiKey: "in-use" }, isLeaked);

  expect(asked).toEqual(deleted);
});
