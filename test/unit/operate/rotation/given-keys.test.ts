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
  it("says that a key is in use only after the platform took it", async () => {
    const world = await createWorld();
    await rotate(world);
    expect(await world.rotate("api-key")).toMatchObject({ state: "overlapping", hasBegun: false });

    kill(world, (await keysIn(world)).current);

    expect(await world.rotate("api-key")).toMatchObject({ state: "overlapping", hasBegun: true });
  });

  it("keeps a key that works good for the overlap when another is given inside one", async () => {
    const world = await createWorld();
    const { current: first } = await keysIn(world);
    await rotate(world);
    const { current: second } = await keysIn(world);

    await world.rotate("api-key", { given: await dashboardKey(world) });

    const there = await apiKeysOf(world);
    expect(there).toEqual(expect.arrayContaining([first, second]));
    expect((await fieldsOf(world)).replacedApiKey).toBe(`${second} ${first}`);
  });

  it("leaves a key of another name alone that the secret never held, and ends its own that was just made, when one leaked", async () => {
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

  it("deletes no old key with one that the platform refuses", async () => {
    const world = await createWorld();
    await rotate(world);
    const { current, old } = await keysIn(world);
    kill(world, current);

    const run = world.rotate("api-key", { beginsNew: false, overlap: "end" });

    await expect(run).rejects.toThrow(ChatApiError);
    expect(await apiKeysOf(world)).toContain(old);
  });
});

it.each([" ", "\n"])("ends a key that was stored with %j behind it", async (blank) => {
  const world = await createWorld();
  const fields = await fieldsOf(world);
  world.put("api-key", { ...fields, apiKey: `${fields.apiKey}${blank}` });

  await world.rotate("api-key", { given: await dashboardKey(world) });
  const { replacedApiKey } = await fieldsOf(world);
  await endOverlap(world);

  expect(replacedApiKey).toBe(fields.apiKey);
  expect(await apiKeysOf(world)).not.toContain(fields.apiKey);
});

it("takes a dead key's place before what Secrets Manager's rotation replaced has an end", async () => {
  const world = await createWorld();
  await world.takeFourSteps("api-key", randomUUID());
  stagePending(world, { made: "by hand" });
  kill(world, (await keysIn(world)).current);

  const given = await dashboardKey(world);
  const result = await world.rotate("api-key", { given });

  expect(result).toMatchObject({ state: "overlapping" });
  expect((await keysIn(world)).current).toBe(given);
});

describe("the key in use, given once more", () => {
  it("is proof that it replaced the ones that leaked, which end: --revoke-now", async () => {
    const world = await createWorld();
    const { current: leaked } = await keysIn(world);
    const given = await dashboardKey(world);
    world.put("api-key", { ...(await fieldsOf(world)), apiKey: given });

    const result = await world.rotate("api-key", { given, overlap: "end", isLeaked: true });

    expect(result).toMatchObject({ state: "rotated" });
    expect((await keysIn(world)).current).toBe(given);
    expect(await apiKeysOf(world)).not.toContain(leaked);
  });

  it("ends the own key that was made and never stored: --revoke-now", async () => {
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

  it.each(["dead", "alive"])("withdraws a pending one that is %s", async (how) => {
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

it("rotate webhook-password --revoke-now replaces the password in use also inside an overlap", async () => {
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
