import { expect, onTestFinished } from "vitest";
import { nextStep } from "../../../../lib/operate/rotation/next-step.ts";
import type { StoredFields } from "../../../../lib/operate/rotation/rotated-credentials.ts";
import { runRotation } from "../../../../lib/operate/rotation/run-rotation.ts";
import { deleteApiKey, putApiKey } from "../../../../local/platform/store/apps.ts";
import {
  CrashError,
  createRotationWorld,
  type RotationWorld,
  secretIds,
} from "../../../helpers/rotation-world.ts";

export const foreignKey = "f".repeat(40);

/** Brings a world to each point of a rotation at which a key may die. */
export const points = {
  "before a rotation": async () => {},
  "with a pending key": (world: RotationWorld) => dieAt(world, "bring-in"),
  "with a key that was just promoted": (world: RotationWorld) => dieAt(world, "keep-replaced"),
  "with a pending label that is left over": (world: RotationWorld) => dieAt(world, "unlabel"),
  "inside the overlap": (world: RotationWorld) => rotate(world),
  "after the overlap": async (world: RotationWorld) => {
    await rotate(world);
    await world.clock.advance(3_700_000);
  },
  "with a pending version of nobody": async (world: RotationWorld) => {
    await rotate(world);
    stagePending(world, { ...(await fieldsOf(world)), ticketToken: "made by hand" });
  },
} as const;

export async function createWorld(): Promise<RotationWorld> {
  const world = await createRotationWorld({ receivers: 1, consumers: 1 });
  onTestFinished(() => world.close());
  putApiKey(
    { db: world.platform.services.db, appId: "another-app" },
    {
      apiKey: foreignKey,
      name: "of another app",
      scope: "fullAccess",
      createdAt: 0,
      createdBy: "somebody",
    },
  );
  return world;
}

export async function rotate(world: RotationWorld): Promise<void> {
  await world.rotate("api-key");
}

/** Stops a rotation before this step. */
async function dieAt(world: RotationWorld, step: "bring-in" | "keep-replaced" | "unlabel") {
  const tools = world.toolsFor("api-key");
  const read = async () => {
    const state = await tools.secret.read();
    if (nextStep(state, "api-key").step === step) throw new CrashError();
    return state;
  };
  const run = runRotation({ ...tools, secret: { ...tools.secret, read } }, { overlapMs: 3_600_000 });
  await expect(run).rejects.toThrow(CrashError);
}

export function stagePending(world: RotationWorld, fields: StoredFields): void {
  world.callSecrets("PutSecretValue", {
    SecretId: secretIds["api-key"],
    ClientRequestToken: crypto.randomUUID(),
    VersionStages: ["AWSPENDING"],
    SecretString: JSON.stringify(fields),
  });
}

/** The secret's newest key, and the key that it replaces. */
export async function keysIn(world: RotationWorld) {
  const { current, pending, previous } = await world.state("api-key");
  const keyOf = (fields: StoredFields | undefined) => String(fields?.apiKey ?? "");
  const isPending = pending !== undefined && String(pending.fields?.rotating).includes("api-key");
  const inUse = keyOf(current.fields);
  const replaced = String(current.fields.replacedApiKey ?? "").split(" ")[0] ?? "";
  const hasPromoted = String(current.fields.rotating ?? "").includes("api-key");
  return {
    current: inUse,
    latest: isPending ? keyOf(pending.fields) : inUse,
    old:
      isPending && !hasPromoted && pending.id !== current.id
        ? inUse
        : hasPromoted
          ? keyOf(previous?.fields)
          : replaced,
  };
}

export async function apiKeysOf(world: RotationWorld): Promise<readonly string[]> {
  return (await world.keys()).map(({ apiKey }) => apiKey);
}

/** The current version's fields. */
export async function fieldsOf(world: RotationWorld): Promise<StoredFields> {
  return (await world.state("api-key")).current.fields;
}

export function kill({ platform, appId }: RotationWorld, apiKey: string): void {
  deleteApiKey({ db: platform.services.db, appId }, apiKey);
}

/** Replaces the newest key, as an operator can. */
export async function putLatest(world: RotationWorld, apiKey: string): Promise<void> {
  const { current, pending } = await world.state("api-key");
  const isPending = pending?.id !== current.id && String(pending?.fields?.rotating).includes("api-key");
  if (isPending) stagePending(world, { ...pending?.fields, apiKey });
  else world.put("api-key", { ...current.fields, apiKey });
}

export async function dashboardKey({ strangers }: RotationWorld): Promise<string> {
  return (await strangers.apiKeys.create({ name: "from the dashboard", scope: "fullAccess" })).apiKey;
}

export async function hasWorking(world: RotationWorld): Promise<boolean> {
  const { current, pending, previous } = await world.state("api-key");
  const stored = [current, pending, previous].flatMap((version) => [
    version?.fields?.apiKey,
    ...String(version?.fields?.replacedApiKey ?? "").split(" "),
  ]);
  return (await world.keys()).some(({ apiKey, scope }) => scope === "fullAccess" && stored.includes(apiKey));
}

export async function isWorking(world: RotationWorld): Promise<boolean> {
  const { current } = await keysIn(world);
  return (await world.keys()).some(({ apiKey, scope }) => apiKey === current && scope === "fullAccess");
}

/** Withdraws a pending version, waits for the overlap's end, and runs the schedule. */
export async function endOverlap(world: RotationWorld): Promise<void> {
  const { pending } = await world.state("api-key");
  if (pending !== undefined) await world.toolsFor("api-key").secret.move("AWSPENDING", { from: pending.id });
  await world.clock.advance(3_700_000);
  await world.rotate("api-key", { beginsNew: false }).catch(() => {});
}

/** The platform's keys that are neither in use nor another server's. */
export async function keysLeft(world: RotationWorld): Promise<readonly unknown[]> {
  const { current } = await keysIn(world);
  const others = [current, world.strangersKey, world.platform.keys.authOnlyKey];
  return (await world.keys()).filter(({ apiKey }) => !others.includes(apiKey));
}
