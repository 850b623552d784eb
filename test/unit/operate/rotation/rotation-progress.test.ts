import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import type { RotationProgress } from "../../../../lib/operate/rotation/secret-versions.ts";
import {
  CrashError,
  type RotateOptions,
  type RotationWorld,
  secretIds,
} from "../../../helpers/rotation-world.ts";
import { createWorld, dashboardKey, fieldsOf, keysIn, kill, points } from "./key-world.ts";

const hourMs = 3_600_000;
const bringIn = ["make", "prove", "switch", "promote", "keep"];

/** Rotates the API key, and returns the result and the steps that it reports. */
async function follow(world: RotationWorld, options: RotateOptions = {}) {
  const steps: string[] = [];
  const report = (progress: RotationProgress) => {
    steps.push(progress.doing);
    options.report?.(progress);
  };
  return { result: await world.rotate("api-key", { ...options, report }), steps };
}

async function endOf(world: RotationWorld) {
  return Date.parse(String((await fieldsOf(world)).replacedApiKeyUntil));
}

describe("a rotation", () => {
  it("reports its steps, and leaves the overlap to a later run", async () => {
    const world = await createWorld();
    const begun = await follow(world);
    const untilMs = await endOf(world);
    expect(begun).toEqual({ result: { state: "overlapping", untilMs, hasBegun: true }, steps: bringIn });

    const { now } = world.clock;
    await world.clock.advance(untilMs - now() - 1);
    const early = await follow(world, { beginsNew: false });
    expect(early).toEqual({ result: { state: "overlapping", untilMs, hasBegun: false }, steps: [] });

    await world.clock.advance(untilMs - now());
    const late = await follow(world, { beginsNew: false });
    expect(late).toEqual({ result: { state: "rotated", hasBegun: false }, steps: ["retire"] });
  });

  it("waits for the end of the overlap if asked to", async () => {
    const world = await createWorld();
    const waits: RotationProgress[] = [];
    const begunAt = world.clock.now();

    const report = (progress: RotationProgress) => void (progress.doing === "wait" && waits.push(progress));
    const { result, steps } = await follow(world, { overlap: "wait", overlapMs: 600_000, report });

    expect(result).toEqual({ state: "rotated", hasBegun: true });
    expect(steps).toEqual([...bringIn, "wait", "retire"]);
    expect(waits).toEqual([{ doing: "wait", untilMs: expect.any(Number) }]);
    expect(world.clock.now() - begunAt).toBe(600_000);
  });

  it("ends the overlap immediately if asked to", async () => {
    const { result, steps } = await follow(await createWorld(), { overlap: "end" });

    expect(result).toEqual({ state: "rotated", hasBegun: true });
    expect(steps).toEqual([...bringIn, "retire"]);
  });

  it("does not promote a pending value unless allowed to", async () => {
    const world = await createWorld();
    await points["with a pending key"](world);

    const { result, steps } = await follow(world, { beginsNew: false, bringsIn: false });

    expect(result).toEqual({ state: "pending", hasBegun: false });
    expect(steps).toEqual([]);
  });

  it("begins no rotation unless allowed to, but deletes keys that an earlier run did not store", async () => {
    const world = await createWorld();
    const crash = { when: "after", request: 3 } as const; // the answer with the key
    await expect(world.rotate("api-key", { crash })).rejects.toThrow(CrashError);
    const idle = { state: "idle", hasBegun: false };

    expect(await follow(world, { beginsNew: false })).toEqual({ result: idle, steps: [] });
    await world.clock.advance(700_000);
    expect(await follow(world, { beginsNew: false })).toEqual({ result: idle, steps: ["sweep"] });
    kill(world, (await keysIn(world)).current);
    expect(await follow(world, { beginsNew: false })).toEqual({ result: idle, steps: [] });
  });

  it("replaces the key of an overlap immediately by a given one", async () => {
    const world = await createWorld();
    await world.rotate("api-key");
    const { current } = await keysIn(world);
    const given = await dashboardKey(world);
    const begunAt = world.clock.now();

    const { result, steps } = await follow(world, { given });

    expect(steps).toEqual(["replace"]);
    expect(result).toMatchObject({ state: "overlapping", hasBegun: true });
    expect(await fieldsOf(world)).toMatchObject({
      apiKey: given,
      replacedApiKey: expect.stringContaining(current),
    });
    expect(await endOf(world)).toBe(begunAt + hourMs);
  });
});

describe("an overlap that the operator chose", () => {
  const days = 30 * 24 * hourMs;
  const stopAt =
    (step: RotationProgress["doing"]) =>
    ({ doing }: RotationProgress) => {
      if (doing === step) throw new CrashError();
    };

  it.each(["keep", "promote", "prove"] as const)(
    "is kept by the run that continues after a crash before `%s`",
    async (step) => {
      const world = await createWorld();
      const wish = { overlapMs: days, isGiven: true };
      await expect(follow(world, { ...wish, report: stopAt(step) })).rejects.toThrow(CrashError);
      await world.clock.advance(60_000);
      const continuedAt = world.clock.now();

      await follow(world, { bringsIn: step !== "keep", beginsNew: false });

      expect(await endOf(world)).toBe(continuedAt + days);
      expect(await fieldsOf(world)).not.toHaveProperty("rotating");
    },
  );

  it("ends immediately after a leak, also if the run crashes before it ends the old value", async () => {
    const world = await createWorld();
    const leaked = { isLeaked: true, overlap: "end", report: stopAt("keep") } as const;
    await expect(world.rotate("webhook-password", leaked)).rejects.toThrow(CrashError);

    await world.rotate("webhook-password", { beginsNew: false, bringsIn: false });
    await world.clock.advance(200_000);

    expect(await world.accepts("first")).toBe(false);
    expect(await world.accepts(world.passwordOnPlatform() ?? "")).toBe(true);
  });

  it.each([
    ["another one is chosen", { overlapMs: 2 * hourMs, isGiven: true }, 2 * hourMs],
    ["all old values end now", { overlapMs: 0, isGiven: true, overlap: "end" }, undefined],
  ] as const)("is not kept if %s", async (_, wish, expected) => {
    const world = await createWorld();
    const run = follow(world, { overlapMs: days, isGiven: true, report: stopAt("promote") });
    await expect(run).rejects.toThrow(CrashError);

    const ends: number[] = [];
    const wrapSecret: RotateOptions["wrapSecret"] = (secret) => ({
      ...secret,
      stage: async (id, fields) => {
        if (fields.replacedApiKeyUntil !== undefined)
          ends.push(Date.parse(String(fields.replacedApiKeyUntil)) - world.clock.now());
        await secret.stage(id, fields);
      },
    });
    await follow(world, { ...wish, wrapSecret });

    expect(ends).toEqual([expected ?? 0]);
  });
});

it("a rotation stops if its new version is reverted", async () => {
  const world = await createWorld();
  const { current: before } = await world.state("api-key");
  const ids = { SecretId: secretIds["api-key"] };
  const move = (VersionStage: string, RemoveFromVersionId: string, MoveToVersionId?: string) =>
    world.callSecrets("UpdateSecretVersionStage", {
      ...ids,
      VersionStage,
      RemoveFromVersionId,
      MoveToVersionId,
    });
  const described = z.object({ VersionIdsToStages: z.record(z.string(), z.array(z.string())) });

  const reverted = follow(world, {
    report: ({ doing }) => {
      if (doing !== "keep") return;
      const { VersionIdsToStages } = described.parse(world.callSecrets("DescribeSecret", ids));
      for (const [id, labels] of Object.entries(VersionIdsToStages)) {
        if (labels.includes("AWSPENDING")) move("AWSPENDING", id);
        if (labels.includes("AWSCURRENT")) move("AWSCURRENT", id, before.id);
      }
    },
  });

  await expect(reverted).rejects.toMatchObject({
    trouble: "somebody-else",
    message: expect.stringMatching(/^The new version of \S+ was reverted, or cannot be read yet\.$/),
    hint: expect.stringMatching(
      /^Look at npx cometchat-functions rotate finish --dry-run --app \S+, then run/,
    ),
  });
});
