import * as z from "zod/mini";
import { isOver, noFaults } from "../../platform/faults/control.ts";
import { readFaultSettings } from "../../platform/faults/rules.ts";
import type { FaultsAnswer } from "../api/world-faults.ts";
import type { ConsoleContext } from "../console-context.ts";
import { readInput, WrongInputError } from "../read-input.ts";

const chance = z.number().check(z.gte(0), z.lte(1));
const serviceSchema = z.strictObject({
  isDown: z.boolean(),
  throttled: chance,
  slowMs: z.number().check(z.gte(0), z.lte(60_000)),
});
const killSchema = z.strictObject({
  functionKey: z.string(),
  point: z.strictObject({
    service: z.enum(["sqs", "dynamodb", "secretsmanager", "eventbridge", "lambda", "chat", "other"]),
    operation: z.exactOptional(z.string().check(z.regex(/^\w{1,60}$/))),
    nth: z.int().check(z.gte(1), z.lte(1000)),
    when: z.enum(["before", "after"]),
  }),
  chance,
});
const cloudSchema = z.strictObject({
  services: z.record(z.enum(["sqs", "dynamodb", "secretsmanager", "lambda"]), serviceSchema),
  doubled: chance,
  kills: z.array(killSchema).check(z.maxLength(50)),
  concurrency: z.record(z.string(), z.int().check(z.gte(1), z.lte(1000))),
  callers: z.optional(z.literal("functions")),
  untilMs: z.optional(z.number()),
});

export function addWorldFaultsRoutes({ on, world }: ConsoleContext): void {
  const path = "/api/world/faults";
  const { cloud, platform } = world;
  const show = () => showFaults(world);
  on.get(path, show);
  on.put(`${path}/cloud`, async (context) => {
    const settings = await readInput(context, cloudSchema);
    const named = [
      ...settings.kills.map(({ functionKey }) => functionKey),
      ...Object.keys(settings.concurrency),
    ];
    const unknown = named.find((key) => !cloud.functionKeys().includes(key));
    if (unknown !== undefined) throw new WrongInputError(`serverless.yml declares no function ${unknown}.`);
    cloud.faults.set(settings);
    return show();
  });
  on.put(`${path}/platform`, async (context) => {
    const given = await readInput(context, z.unknown());
    try {
      platform.faults.set(readFaultSettings(given));
    } catch (error) {
      throw error instanceof TypeError ? new WrongInputError(error.message) : error;
    }
    return show();
  });
  on.delete(path, () => {
    cloud.faults.set({});
    platform.faults.set(noFaults);
    return show();
  });
}

function showFaults({ cloud, platform }: ConsoleContext["world"]): FaultsAnswer {
  const settings = cloud.faults.settings();
  const rules = platform.faults.settings();
  const { services, doubled, kills, concurrency, untilMs } = settings;
  const isCloudOn =
    Object.values(services).some((one) => one.isDown || one.throttled > 0 || one.slowMs > 0) ||
    doubled > 0 ||
    kills.length + Object.keys(concurrency).length > 0;
  const never = Number.POSITIVE_INFINITY;
  const ends = rules.rules.flatMap((rule) => {
    return isOver(rule, platform.clock.now()) ? [] : [rule.untilMs ?? never];
  });
  if (isCloudOn) ends.push(untilMs ?? never);
  if (rules.clockSkewMs !== 0) ends.push(never);
  const lastMs = Math.max(...ends);
  return {
    cloud: settings,
    cloudStrikes: cloud.faults.strikes(),
    platform: rules,
    platformStrikes: platform.faults.strikes(),
    functions: cloud.functionKeys(),
    isAnyOn: ends.length > 0,
    untilMs: Number.isFinite(lastMs) ? lastMs : undefined,
  };
}
