import { describe, expect, it, onTestFinished } from "vitest";
import { ChatApiError } from "../../../../lib/chat/errors.ts";
import { nextStep } from "../../../../lib/operate/rotation/next-step.ts";
import type { StoredFields } from "../../../../lib/operate/rotation/rotated-things.ts";
import { runRotation } from "../../../../lib/operate/rotation/run-rotation.ts";
import { deleteApiKey, putApiKey } from "../../../../local/platform/store/apps.ts";
import {
  CrashError,
  createRotationWorld,
  type RotateOptions,
  type RotationWorld,
  secretId,
} from "../../../helpers/rotation-world.ts";

const keyOnly = ["api-key"] as const;
const foreignKey = "f".repeat(40);

/** Brings a world to each point of a rotation at which a key may die. */
const points = {
  "before a rotation": async () => {},
  "with a pending key": (world: RotationWorld) => dieAt(world, "bring-in"),
  "with a key that was just promoted": (world: RotationWorld) => dieAt(world, "keep-replaced"),
  "with a pending label that is left over": (world: RotationWorld) => dieAt(world, "unlabel"),
  "inside the overlap": (world: RotationWorld) => rotate(world),
  "after the overlap": async (world: RotationWorld) => {
    await rotate(world);
    await world.clock.advance(3_700_000);
  },
  "inside the overlap, with a pending password": async (world: RotationWorld) => {
    await rotate(world);
    await beginPassword(world);
  },
  "with a pending password": (world: RotationWorld) => beginPassword(world),
  "with a pending version of nobody": async (world: RotationWorld) => {
    await rotate(world);
    const { fields } = (await world.state()).current;
    stagePending(world, { ...fields, ticketToken: "made by hand" });
  },
} as const;

type Point = keyof typeof points;
const allPoints = Object.keys(points).filter((name): name is Point => name in points);

const troubles = {
  "the new key is dead": async (world: RotationWorld) => kill(world, (await keysIn(world)).latest),
  "the old key is dead": async (world: RotationWorld) => kill(world, (await keysIn(world)).old),
  "both are dead": async (world: RotationWorld) => {
    const { latest, old } = await keysIn(world);
    kill(world, latest);
    kill(world, old);
  },
  "the new key is another app's": (world: RotationWorld) => putLatest(world, foreignKey),
  "the new key is an Auth Key": (world: RotationWorld) => putLatest(world, world.platform.keys.authOnlyKey),
} as const;

type Trouble = keyof typeof troubles;
const allTroubles = Object.keys(troubles).filter((name): name is Trouble => name in troubles);

/** What is typed, with a key from the dashboard where one is given. */
const commands = {
  "rotate api-key": async () => ({}),
  "rotate api-key --revoke-now": async () => ({ overlap: "end", isLeaked: true }) as const,
  "rotate api-key --api-key-stdin": async (world: RotationWorld) => ({ given: await dashboardKey(world) }),
  "rotate api-key --api-key-stdin --revoke-now": async (world: RotationWorld) =>
    ({ given: await dashboardKey(world), overlap: "end", isLeaked: true }) as const,
} as const satisfies Record<string, (world: RotationWorld) => Promise<RotateOptions>>;

type CommandLine = keyof typeof commands;
const allCommands = Object.keys(commands).filter((name): name is CommandLine => name in commands);

/** A key that was put by hand in another one's place is followed where the secret names that one elsewhere. */
function canHappen(trouble: Trouble, point: Point): boolean {
  return trouble.endsWith("dead") || /^(inside|after) the overlap$|^with a pending key$/.test(point);
}

/** Runs one command after the trouble, and lets the overlap that it leaves pass. */
async function play(command: CommandLine, point: Point, trouble: Trouble) {
  const world = await createWorld();
  await points[point](world);
  await troubles[trouble](world);
  const options: RotateOptions = await commands[command](world);
  const before = await keysIn(world);
  const couldBeAlone = await hasWorking(world);
  const isUrgent = options.isLeaked === true || !(await isWorking(world));

  const state = await world.rotate(keyOnly, options).then(
    (result) => result.state,
    (error) => (error instanceof ChatApiError ? "refused" : error.trouble),
  );
  const isUntouched = (await keysIn(world)).current === before.current;
  const works = await isWorking(world);
  if (options.isLeaked !== true) await endOverlap(world);
  return {
    outcome: { trouble, state, isUntouched, works, left: works ? await keysLeft(world) : [] },
    expected: { trouble, ...expectedOf({ point, options, couldBeAlone, isUrgent }) },
  };
}

function expectedOf({
  point,
  options,
  couldBeAlone,
  isUrgent,
}: {
  readonly point: Point;
  readonly options: RotateOptions;
  readonly couldBeAlone: boolean;
  readonly isUrgent: boolean;
}) {
  const { given, isLeaked = false } = options;
  if (given === undefined && !couldBeAlone)
    return { state: "refused", isUntouched: true, works: false, left: [] };
  const waiting = {
    "with a pending version of nobody": "unknown-pending",
    "with a pending password": "somebody-else",
  };
  const [, trouble] =
    Object.entries(waiting).find(([name]) => point.endsWith(name.replace("with ", ""))) ?? [];
  if (given === undefined && !isUrgent && trouble !== undefined)
    return { state: trouble, isUntouched: true, works: true, left: [] };
  const hasEnded = isLeaked || (given === undefined && !isUrgent && point === "after the overlap");
  const goesOn = given === undefined && !isUrgent && !/^(before|with a pending key)/.test(point);
  return { state: hasEnded ? "rotated" : "overlapping", isUntouched: goesOn, works: true, left: [] };
}

describe.each(allCommands)("%s", (command) => {
  it.each(allPoints)("ends with one key, which works, %s", async (point) => {
    const plays = [];
    for (const trouble of allTroubles.filter((name) => canHappen(name, point)))
      plays.push(await play(command, point, trouble));

    expect(plays.map(({ outcome }) => outcome)).toEqual(plays.map(({ expected }) => expected));
  });
});

describe.each(allPoints)("a key that does not fit, %s", (point) => {
  it.each([
    ["another app's", async () => foreignKey],
    ["an Auth Key", async (world: RotationWorld) => world.platform.keys.authOnlyKey],
  ] as const)("is refused before anything changes: %s", async (_name, given) => {
    const world = await createWorld();
    await points[point](world);
    const before = { state: await world.state(), keys: await world.keys() };

    for (const isLeaked of [false, true]) {
      const run = world.rotate(keyOnly, { given: await given(world), isLeaked, overlap: "end" });
      await expect(run).rejects.toMatchObject({
        trouble: "given-refused",
        hint: expect.stringContaining(
          `npx cometchat-functions rotate api-key --api-key-stdin --app ${world.appId}`,
        ),
      });
    }

    expect({ state: await world.state(), keys: await world.keys() }).toEqual(before);
  });
});

describe("a command whose process dies", () => {
  it.each([
    ["rotate api-key", "inside the overlap"],
    ["rotate api-key --revoke-now", "inside the overlap"],
    ["rotate api-key --api-key-stdin", "inside the overlap"],
    ["rotate api-key --api-key-stdin", "with a pending key"],
    ["rotate api-key --api-key-stdin --revoke-now", "inside the overlap, with a pending password"],
  ] as const)("ends with one key, which works, when it is typed again: %s, %s", async (command, point) => {
    const verdicts = [];
    for (let request = 0; verdicts.length === 0 || verdicts.at(-1)?.died; request += 1) {
      const world = await createWorld();
      await points[point](world);
      await troubles["the new key is dead"](world);
      const options = await commands[command](world);
      const crash = { when: "after", request } as const;
      const died = await world.rotate(keyOnly, { ...options, crash }).then(
        () => false,
        ({ name }) => name === "CrashError",
      );
      if (died) await world.rotate(keyOnly, options);
      const works = await isWorking(world);
      await endOverlap(world);
      verdicts.push({ died, works, left: await keysLeft(world) });
    }

    const [last, ...others] = verdicts.toReversed();
    expect(last).toEqual({ died: false, works: true, left: [] });
    expect(others.length).toBeGreaterThan(5);
    expect(others).toEqual(others.map(() => ({ died: true, works: true, left: [] })));
  });
});

describe("rotate api-key", () => {
  it("says that a key is in use only after the platform took it", async () => {
    const world = await createWorld();
    await rotate(world);
    expect(await world.rotate(keyOnly)).toMatchObject({ state: "overlapping", hasBegun: false });

    kill(world, (await keysIn(world)).current);

    expect(await world.rotate(keyOnly)).toMatchObject({ state: "overlapping", hasBegun: true });
  });

  it("keeps a key that works good for the overlap when another is given inside one", async () => {
    const world = await createWorld();
    const { current: first } = await keysIn(world);
    await rotate(world);
    const { current: second } = await keysIn(world);

    await world.rotate(keyOnly, { given: await dashboardKey(world) });

    const there = (await world.keys()).map(({ apiKey }) => apiKey);
    expect(there).toEqual(expect.arrayContaining([first, second]));
    expect((await world.state()).current.fields.replacedApiKey).toBe(`${second} ${first}`);
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

    await world.rotate(keyOnly, { given: await dashboardKey(world), overlap: "end", isLeaked: true });

    const there = (await world.keys()).map(({ apiKey }) => apiKey);
    expect(there).not.toContain(young.apiKey);
    expect(there).toContain(world.strangersKey);
  });

  it("leaves the pending password of another rotation pending, which then comes in", async () => {
    const world = await createWorld();
    await points["inside the overlap, with a pending password"](world);
    await troubles["the new key is dead"](world);
    const given = await dashboardKey(world);

    await world.rotate(keyOnly, { given });
    await world.rotate(["webhook-password"]);

    expect((await world.state()).current.fields).toMatchObject({
      ...{ apiKey: given, webhookPassword: world.passwordOnPlatform(), replacedWebhookPassword: "first" },
    });
  });

  it("deletes no old key with one that the platform refuses", async () => {
    const world = await createWorld();
    await rotate(world);
    const { current, old } = await keysIn(world);
    kill(world, current);

    const run = world.rotate(keyOnly, { beginsNew: false, overlap: "end" });

    await expect(run).rejects.toThrow(ChatApiError);
    expect((await world.keys()).map(({ apiKey }) => apiKey)).toContain(old);
  });
});

it.each([" ", "\n"])("ends a key that was stored with %j behind it", async (blank) => {
  const world = await createWorld();
  const { fields } = (await world.state()).current;
  world.put({ ...fields, apiKey: `${fields.apiKey}${blank}` });

  await world.rotate(keyOnly, { given: await dashboardKey(world) });
  const { replacedApiKey } = (await world.state()).current.fields;
  await endOverlap(world);

  expect(replacedApiKey).toBe(fields.apiKey);
  expect((await world.keys()).map(({ apiKey }) => apiKey)).not.toContain(fields.apiKey);
});

describe("the key in use, given once more", () => {
  it("is proof that it replaced the ones that leaked, which end: --revoke-now", async () => {
    const world = await createWorld();
    const { current: leaked } = await keysIn(world);
    const given = await dashboardKey(world);
    world.put({ ...(await world.state()).current.fields, apiKey: given });

    const result = await world.rotate(keyOnly, { given, overlap: "end", isLeaked: true });

    expect(result).toMatchObject({ state: "rotated" });
    expect((await keysIn(world)).current).toBe(given);
    expect((await world.keys()).map(({ apiKey }) => apiKey)).not.toContain(leaked);
  });

  it("ends the own key that was made and never stored: --revoke-now", async () => {
    const world = await createWorld();
    await rotate(world);
    const { current: leaked } = await keysIn(world);
    const given = await dashboardKey(world);
    const { replacedApiKey: _1, replacedApiKeyUntil: _2, ...fields } = (await world.state()).current.fields;
    world.put({ ...fields, apiKey: given });
    world.put({ ...fields, apiKey: given, note: "changed twice by hand" });

    await world.rotate(keyOnly, { given, overlap: "end", isLeaked: true });

    expect((await world.keys()).map(({ apiKey }) => apiKey)).not.toContain(leaked);
  });

  it.each(["dead", "alive"])("withdraws a pending one that is %s", async (how) => {
    const world = await createWorld();
    await points["with a pending key"](world);
    const { current: given, latest } = await keysIn(world);
    if (how === "dead") kill(world, latest);

    const result = await world.rotate(keyOnly, { given });

    expect(result).toMatchObject({ state: "overlapping" });
    expect((await keysIn(world)).current).toBe(given);
    await endOverlap(world);
    expect(await keysLeft(world)).toEqual([]);
    expect(await isWorking(world)).toBe(true);
  });
});

describe("rotate webhook-password --revoke-now", () => {
  it("replaces the password in use also inside an overlap", async () => {
    const world = await createWorld();
    await world.rotate(["webhook-password"]);
    const leaked = world.passwordOnPlatform() ?? "";

    const result = await world.rotate(["webhook-password"], { overlap: "end", isLeaked: true });
    await world.clock.advance(200_000);

    expect(result).toEqual({ state: "rotated", hasBegun: true });
    expect(await world.accepts(world.passwordOnPlatform() ?? "")).toBe(true);
    expect(await world.accepts(leaked)).toBe(false);
    expect(await world.accepts("first")).toBe(false);
  });
});

async function createWorld(): Promise<RotationWorld> {
  const world = await createRotationWorld({ receivers: 1, consumers: 1 });
  onTestFinished(() => world.close());
  putApiKey(
    { db: world.platform.services.db, appId: "another-app" },
    {
      ...{
        apiKey: foreignKey,
        name: "of another app",
        scope: "fullAccess",
        createdAt: 0,
        createdBy: "somebody",
      },
    },
  );
  return world;
}

async function rotate(world: RotationWorld): Promise<void> {
  await world.rotate(keyOnly);
}

/** Lets a rotation die where this step is next. */
async function dieAt(world: RotationWorld, step: "bring-in" | "keep-replaced" | "unlabel"): Promise<void> {
  const tools = world.toolsFor({});
  const read = async () => {
    const state = await tools.secret.read();
    if (nextStep(state).step === step) throw new CrashError();
    return state;
  };
  const run = runRotation(
    { ...tools, secret: { ...tools.secret, read } },
    { things: keyOnly, overlapMs: 3_600_000 },
  );
  await expect(run).rejects.toThrow(CrashError);
}

async function beginPassword(world: RotationWorld): Promise<void> {
  await world.rotate(["webhook-password"], { webhooks: "by-hand" }).catch(() => {});
}

function stagePending(world: RotationWorld, fields: StoredFields): void {
  world.callSecrets("PutSecretValue", {
    ...{ SecretId: secretId, ClientRequestToken: crypto.randomUUID(), VersionStages: ["AWSPENDING"] },
    SecretString: JSON.stringify(fields),
  });
}

/** The newest key of the secret, and the one that it takes the place of. */
async function keysIn(world: RotationWorld) {
  const { current, pending, previous } = await world.state();
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

function kill({ platform, appId }: RotationWorld, apiKey: string): void {
  deleteApiKey({ db: platform.services.db, appId }, apiKey);
}

/** Puts a key by hand in the place of the newest one. */
async function putLatest(world: RotationWorld, apiKey: string): Promise<void> {
  const { current, pending } = await world.state();
  const isPending = pending?.id !== current.id && String(pending?.fields?.rotating).includes("api-key");
  if (isPending) stagePending(world, { ...pending?.fields, apiKey });
  else world.put({ ...current.fields, apiKey });
}

async function dashboardKey({ strangers }: RotationWorld): Promise<string> {
  return (await strangers.apiKeys.create({ name: "from the dashboard", scope: "fullAccess" })).apiKey;
}

async function hasWorking(world: RotationWorld): Promise<boolean> {
  const { current, pending, previous } = await world.state();
  const stored = [current, pending, previous].flatMap((version) => [
    version?.fields?.apiKey,
    ...String(version?.fields?.replacedApiKey ?? "").split(" "),
  ]);
  return (await world.keys()).some(({ apiKey, scope }) => scope === "fullAccess" && stored.includes(apiKey));
}

async function isWorking(world: RotationWorld): Promise<boolean> {
  const { current } = await keysIn(world);
  return (await world.keys()).some(({ apiKey, scope }) => apiKey === current && scope === "fullAccess");
}

/** Takes back what others left pending, lets the overlap pass, and the schedule end it. */
async function endOverlap(world: RotationWorld): Promise<void> {
  const { pending } = await world.state();
  if (pending !== undefined) await world.toolsFor({}).secret.move("AWSPENDING", { from: pending.id });
  await world.clock.advance(3_700_000);
  await world.rotate(keyOnly, { beginsNew: false }).catch(() => {});
}

/** The keys on the platform that are neither in use nor another server's. */
async function keysLeft(world: RotationWorld): Promise<readonly unknown[]> {
  const { current } = await keysIn(world);
  const others = [current, world.strangersKey, world.platform.keys.authOnlyKey];
  return (await world.keys()).filter(({ apiKey }) => !others.includes(apiKey));
}
