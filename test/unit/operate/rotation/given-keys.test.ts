import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ChatApiError } from "../../../../lib/chat/errors.ts";
import {
  apiKeysOf,
  createWorld,
  dashboardKey,
  endOverlap,
  fieldsOf,
  isWorking,
  keysIn,
  keysLeft,
  kill,
  points,
  rotate,
  stagePending,
} from "./key-world.ts";

describe("rotate api-key", () => {
  it("reports a new rotation only after the platform accepted the key", async () => {
    const world = await createWorld();
    await rotate(world);
    expect(await world.rotate("api-key")).toMatchObject({ state: "overlapping", hasBegun: false });

    kill(world, (await keysIn(world)).current);

    expect(await world.rotate("api-key")).toMatchObject({ state: "overlapping", hasBegun: true });
  });

  it("keeps a working key valid for the overlap if another is given during one", async () => {
    const world = await createWorld();
    const { current: first } = await keysIn(world);
    await rotate(world);
    const { current: second } = await keysIn(world);

    await world.rotate("api-key", { given: await dashboardKey(world) });

    const there = await apiKeysOf(world);
    expect(there).toEqual(expect.arrayContaining([first, second]));
    expect((await fieldsOf(world)).replacedApiKey).toBe(`${second} ${first}`);
  });

  it("after a leak, deletes its own new key, and keeps a key with another name", async () => {
    const world = await createWorld();
    await rotate(world);
    const name =
      (await world.keys()).find(({ name }) => name?.startsWith("cometchat-functions "))?.name ?? "";
    const young = await world.strangers.apiKeys.create({
      name: `${name.slice(0, 33)}young`,
      scope: "fullAccess",
    });

    await world.rotate("api-key", { given: await dashboardKey(world), overlap: "end", isLeaked: true });

    const there = await apiKeysOf(world);
    expect(there).not.toContain(young.apiKey);
    expect(there).toContain(world.strangersKey);
  });

  it("deletes no old key if the platform refuses the current one", async () => {
    const world = await createWorld();
    await rotate(world);
    const { current, old } = await keysIn(world);
    kill(world, current);

    const run = world.rotate("api-key", { beginsNew: false, overlap: "end" });

    await expect(run).rejects.toThrow(ChatApiError);
    expect(await apiKeysOf(world)).toContain(old);
  });
});

it.each([" ", "\n"])("deletes a replaced key that was stored with a trailing %j", async (blank) => {
  const world = await createWorld();
  const fields = await fieldsOf(world);
  world.put("api-key", { ...fields, apiKey: `${fields.apiKey}${blank}` });

  await world.rotate("api-key", { given: await dashboardKey(world) });
  const { replacedApiKey } = await fieldsOf(world);
  await endOverlap(world);

  expect(replacedApiKey).toBe(fields.apiKey);
  expect(await apiKeysOf(world)).not.toContain(fields.apiKey);
});

it("replaces a dead key while a key that Secrets Manager's rotation replaced has no end", async () => {
  const world = await createWorld();
  await world.takeFourSteps("api-key", randomUUID());
  stagePending(world, { made: "by hand" });
  kill(world, (await keysIn(world)).current);

  const given = await dashboardKey(world);
  const result = await world.rotate("api-key", { given });

  expect(result).toMatchObject({ state: "overlapping" });
  expect((await keysIn(world)).current).toBe(given);
});

describe("giving the key in use again", () => {
  it("ends the leaked keys that it replaced: --revoke-now", async () => {
    const world = await createWorld();
    const { current: leaked } = await keysIn(world);
    const given = await dashboardKey(world);
    world.put("api-key", { ...(await fieldsOf(world)), apiKey: given });

    const result = await world.rotate("api-key", { given, overlap: "end", isLeaked: true });

    expect(result).toMatchObject({ state: "rotated" });
    expect((await keysIn(world)).current).toBe(given);
    expect(await apiKeysOf(world)).not.toContain(leaked);
  });

  it("ends its own key that is no longer stored: --revoke-now", async () => {
    const world = await createWorld();
    await rotate(world);
    const { current: leaked } = await keysIn(world);
    const given = await dashboardKey(world);
    const { replacedApiKey: _1, replacedApiKeyUntil: _2, ...fields } = await fieldsOf(world);
    world.put("api-key", { ...fields, apiKey: given });
    world.put("api-key", { ...fields, apiKey: given, note: "changed twice by hand" });

    await world.rotate("api-key", { given, overlap: "end", isLeaked: true });

    expect(await apiKeysOf(world)).not.toContain(leaked);
  });

  it.each(["dead", "alive"])("withdraws a pending key that is %s", async (how) => {
    const world = await createWorld();
    await points["with a pending key"](world);
    const { current: given, latest } = await keysIn(world);
    if (how === "dead") kill(world, latest);

    const result = await world.rotate("api-key", { given });

    expect(result).toMatchObject({ state: "overlapping" });
    expect((await keysIn(world)).current).toBe(given);
    await endOverlap(world);
    expect(await keysLeft(world)).toEqual([]);
    expect(await isWorking(world)).toBe(true);
  });
});

it("rotate webhook-password --revoke-now replaces the password in use even during an overlap", async () => {
  const world = await createWorld();
  await world.rotate("webhook-password");
  const leaked = world.passwordOnPlatform() ?? "";

  const result = await world.rotate("webhook-password", { overlap: "end", isLeaked: true });
  await world.clock.advance(200_000);

  expect(result).toEqual({ state: "rotated", hasBegun: true });
  expect(await world.accepts(world.passwordOnPlatform() ?? "")).toBe(true);
  expect(await world.accepts(leaked)).toBe(false);
  expect(await world.accepts("first")).toBe(false);
});
