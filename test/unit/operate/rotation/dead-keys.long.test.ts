import { describe, expect, it } from "vitest";
import { ChatApiError } from "../../../../lib/chat/errors.ts";
import { firstByDay } from "../../../helpers/by-day.ts";
import type { RotateOptions, RotationWorld } from "../../../helpers/rotation-world.ts";
import {
  createWorld,
  dashboardKey,
  endOverlap,
  foreignKey,
  hasWorking,
  isWorking,
  keysIn,
  keysLeft,
  kill,
  points,
  putLatest,
} from "./key-world.ts";

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

/** The commands, with a key from the dashboard if one is given. */
const commands = {
  "rotate api-key": async () => ({}),
  "rotate api-key --revoke-now": async () => ({ overlap: "end", isLeaked: true }) as const,
  "rotate api-key --api-key-stdin": async (world: RotationWorld) => ({ given: await dashboardKey(world) }),
  "rotate api-key --api-key-stdin --revoke-now": async (world: RotationWorld) =>
    ({ given: await dashboardKey(world), overlap: "end", isLeaked: true }) as const,
} as const satisfies Record<string, (world: RotationWorld) => Promise<RotateOptions>>;

type CommandLine = keyof typeof commands;
const allCommands = Object.keys(commands).filter((name): name is CommandLine => name in commands);

/** A key replaced by hand must be one to which the secret does not refer elsewhere. */
function canHappen(trouble: Trouble, point: Point) {
  return trouble.endsWith("dead") || /^(inside|after) the overlap$|^with a pending key$/.test(point);
}

/** Runs one command after the trouble, and waits for the end of its overlap. */
async function play(command: CommandLine, point: Point, trouble: Trouble) {
  const world = await createWorld();
  await points[point](world);
  await troubles[trouble](world);
  const options: RotateOptions = await commands[command](world);
  const before = await keysIn(world);
  const couldBeAlone = await hasWorking(world);
  const isUrgent = options.isLeaked === true || !(await isWorking(world));

  const state = await world.rotate("api-key", options).then(
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
  if (given === undefined && !isUrgent && point === "with a pending version of nobody")
    return { state: "unknown-pending", isUntouched: true, works: true, left: [] };
  const hasEnded = isLeaked || (given === undefined && !isUrgent && point === "after the overlap");
  const goesOn = given === undefined && !isUrgent && !/^(before|with a pending key)/.test(point);
  return { state: hasEnded ? "rotated" : "overlapping", isUntouched: goesOn, works: true, left: [] };
}

describe.each(allCommands)("%s", (command) => {
  it.each(allPoints)("ends with exactly one working key, %s", async (point) => {
    const plays = [];
    for (const trouble of allTroubles.filter((name) => canHappen(name, point)))
      plays.push(await play(command, point, trouble));

    expect(plays.map(({ outcome }) => outcome)).toEqual(plays.map(({ expected }) => expected));
  });
});

describe.each(allPoints)("an invalid key, %s", (point) => {
  it.each([
    ["another app's", async () => foreignKey],
    ["an Auth Key", async (world: RotationWorld) => world.platform.keys.authOnlyKey],
  ] as const)("is refused before anything changes: %s", async (_name, given) => {
    const world = await createWorld();
    await points[point](world);
    const before = { state: await world.state("api-key"), keys: await world.keys() };

    for (const isLeaked of [false, true]) {
      const run = world.rotate("api-key", { given: await given(world), isLeaked, overlap: "end" });
      await expect(run).rejects.toMatchObject({
        trouble: "given-refused",
        hint: expect.stringContaining(
          `npx cometchat-functions rotate api-key --api-key-stdin --app ${world.appId}`,
        ),
      });
    }

    expect({ state: await world.state("api-key"), keys: await world.keys() }).toEqual(before);
  });
});

const deaths = [
  ["rotate api-key", "inside the overlap"],
  ["rotate api-key --revoke-now", "inside the overlap"],
  ["rotate api-key --api-key-stdin", "inside the overlap"],
  ["rotate api-key --api-key-stdin", "with a pending key"],
  ["rotate api-key --api-key-stdin --revoke-now", "inside the overlap"],
] as const;
it.each(firstByDay(deaths))(
  "a crashed command ends with exactly one working key when it is repeated: %s, %s",
  async (command, point) => {
    const verdicts = [];
    for (let request = 0; verdicts.length === 0 || verdicts.at(-1)?.died; request += 1) {
      const world = await createWorld();
      await points[point](world);
      await troubles["the new key is dead"](world);
      const options = await commands[command](world);
      const crash = { when: "after", request } as const;
      const died = await world.rotate("api-key", { ...options, crash }).then(
        () => false,
        ({ name }) => name === "CrashError",
      );
      if (died) await world.rotate("api-key", options);
      const works = await isWorking(world);
      await endOverlap(world);
      verdicts.push({ died, works, left: await keysLeft(world) });
    }

    const [last, ...others] = verdicts.toReversed();
    expect(last).toEqual({ died: false, works: true, left: [] });
    expect(others.length).toBeGreaterThan(5);
    expect(others).toEqual(others.map(() => ({ died: true, works: true, left: [] })));
  },
);
