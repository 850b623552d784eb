import { describe, expect, it } from "vitest";
import { ApiKeyRotation, keyNamePrefix } from "../../../../lib/operate/rotation/rotate-api-key.ts";
import { runRotation } from "../../../../lib/operate/rotation/run-rotation.ts";
import { createWorld } from "./open-world.ts";

const minuteMs = 60_000;

describe("a key that was made and not stored", () => {
  const openWorld = async () => {
    const world = await createWorld();
    await world.rotate("api-key", { overlap: "end" });
    const { apiKey } = (await world.state("api-key")).current.fields;
    const inUse = (await world.keys()).find((key) => key.apiKey === apiKey)?.name ?? "";
    const leave = (name: string) =>
      world.strangers.apiKeys.create({ name: inUse.replace(/\S+$/, name), scope: "fullAccess" });
    const left = async () =>
      (await world.keys()).flatMap(({ name = "" }) => /(?<= )(?:old|young)$/.exec(name)?.[0] ?? []);
    return { ...world, leave, left };
  };

  it("is deleted by a run that has nothing else to do, once it is old", async () => {
    const { rotate, leave, left, clock } = await openWorld();
    await leave("old");
    await clock.advance(10.5 * minuteMs);
    await leave("young");

    const { state } = await rotate("api-key", { beginsNew: false, bringsIn: false });

    expect([state, await left()]).toEqual(["idle", ["young"]]);
  });

  it.each([
    ["young", 4.5, true],
    ["so old that another run may delete it", 5.5, false],
  ])("is used only while it is young: %s", async (_, minutes, isTaken) => {
    const { rotate, leave, state, clock } = await openWorld();
    const { apiKey } = await leave("young");
    await clock.advance(minutes * minuteMs);

    await rotate("api-key", { overlap: "end" });

    expect((await state("api-key")).current.fields.apiKey === apiKey).toBe(isTaken);
  });

  it("is kept at the end of an overlap while it is young", async () => {
    const { rotate, leave, left } = await openWorld();
    await rotate("api-key");
    await leave("young");

    await rotate("api-key", { overlap: "end" });

    expect(await left()).toEqual(["young"]);
  });

  it("is not used after a leak", async () => {
    const { rotate, leave, left, state } = await openWorld();
    const { apiKey } = await leave("young");

    await rotate("api-key", { overlap: "end", isLeaked: true });

    expect((await state("api-key")).current.fields.apiKey).not.toBe(apiKey);
    expect(await left()).toEqual([]);
  });
});

interface Platform {
  readonly secretArn?: string;
  readonly refuses?: string;
  readonly keepsFor?: number;
}

function rotationOn(
  left: readonly { readonly apiKey: string }[],
  { secretArn = "arn", refuses, keepsFor = 0 }: Platform,
) {
  const asked: string[] = [];
  let lists = 0;
  const rotation = new ApiKeyRotation({
    appId: "app1",
    secretArn,
    now: () => 1_000_000_000,
    sleep: async () => {},
    client: {
      retry: { maxTries: 1 },
      fetch: async (url, { method }) => {
        if (method !== "DELETE") {
          lists += 1;
          const data = left.filter(({ apiKey }) => !asked.includes(apiKey) || lists <= keepsFor);
          const meta = { pagination: { current_page: 1, total_pages: 1 } };
          return Response.json({ data: [{ apiKey: "in-use" }, ...data], meta });
        }
        const apiKey = new URL(String(url)).pathname.split("/").at(-1) ?? "";
        if (apiKey === refuses)
          return Response.json({ error: { code: "ERR_INTERNAL", message: "" } }, { status: 500 });
        asked.push(apiKey);
        return Response.json({ data: { success: true, message: "Deleted." } });
      },
    },
  });
  return { rotation, asked };
}

it.each([
  ["a key whose age the platform does not show", {}, false, []],
  ["a young key", { createdAt: 999_900 }, false, []],
  ["an old key", { createdAt: 999_000 }, false, ["key-left-over"]],
  ["a young key of a secret that leaked", { createdAt: 999_900 }, true, ["key-left-over"]],
  ["an old key of another deployment", { createdAt: 999_000, name: "somebody else's" }, false, []],
])("deletes only old or leaked keys of this deployment: %s", async (_, shown, isLeaked, deleted) => {
  const secretArn = "arn:aws:secretsmanager:eu-central-1:123456789012:secret:prod/app1-AbCdEf";
  const name = `${keyNamePrefix(secretArn)}1`;
  const key = { apiKey: "key-left-over", name, scope: "fullAccess", ...shown };
  const { rotation, asked } = rotationOn([key], { secretArn });

  await rotation.retire("old", { region: "us", apiKey: "in-use" }, isLeaked);

  expect(asked).toEqual(deleted);
});

const ofLeak = { region: "us", apiKey: "in-use", replacedApiKey: "older leaked" };
const oldKeys = ["older", "leaked"].map((apiKey) => ({ apiKey, scope: "fullAccess" }));

it("deletes a leaked key although the platform refuses to delete another one", async () => {
  const { rotation, asked } = rotationOn(oldKeys, { refuses: "older" });

  await expect(rotation.retire("", ofLeak, true)).rejects.toMatchObject({ status: 500 });

  expect(asked).toContain("leaked");
});

it("sweeps a key although the platform refuses to delete another one", async () => {
  const secretArn = "arn";
  const left = oldKeys.map((key) => ({ ...key, name: `${keyNamePrefix(secretArn)}1`, createdAt: 0 }));
  const { rotation, asked } = rotationOn(left, { secretArn, refuses: "older" });
  const current = { id: "1", createdAtMs: 0, fields: { region: "us", apiKey: "in-use" } };

  const sweep = rotation.sweep({ arn: secretArn, current, pending: undefined, previous: undefined });

  await expect(sweep).rejects.toMatchObject({ status: 500 });
  expect(asked).toContain("leaked");
});

it("deletes a key again that the platform still lists", async () => {
  const { rotation, asked } = rotationOn(oldKeys, { keepsFor: 3 });

  await rotation.retire("", ofLeak, true);

  expect(asked).toHaveLength(6);
});

it("fails if the platform lists a deleted key for long", async () => {
  const { rotation } = rotationOn(oldKeys, { keepsFor: 100 });

  await expect(rotation.retire("", ofLeak, true)).rejects.toMatchObject({ trouble: "keys-unlisted" });
});

it("keeps the replaced key while the platform's list lacks the key in use", async () => {
  const world = await createWorld();
  await world.rotate("api-key");
  const before = (await world.state("api-key")).current.fields;
  const { rotation, ...tools } = world.toolsFor("api-key");
  const blind = new ApiKeyRotation({
    appId: world.appId,
    secretArn: "arn",
    now: tools.now,
    sleep: tools.sleep,
    client: { fetch: async () => Response.json({ data: [] }) },
  });

  const run = runRotation({ ...tools, rotation: blind }, { beginsNew: false, overlapMs: 0, overlap: "end" });

  await expect(run).rejects.toMatchObject({ trouble: "keys-unlisted" });
  expect((await world.state("api-key")).current.fields).toEqual(before);
});

it.each([
  ["ERR_SUBSCRIPTION_EXPIRED", "ChatApiError"],
  ["AUTH_ERR_NO_ACCESS", "RotationError"],
])("is refused only if the platform refuses the key itself: 403 %s", async (code, name) => {
  const client = { fetch: async () => Response.json({ error: { code, message: "no" } }, { status: 403 }) };
  const rotation = new ApiKeyRotation({
    appId: "a",
    secretArn: "arn",
    client,
    given: "given",
    now: () => 0,
    sleep: async () => {},
  });

  await expect(rotation.proveGiven?.({ region: "us" })).rejects.toMatchObject({ name });
});
