import type { Hono } from "hono";
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
    operation: z.optional(z.string().check(z.regex(/^\w{1,60}$/))),
    nth: z.int().check(z.gte(1), z.lte(1000)),
    when: z.enum(["before", "after"]),
  }),
  chance,
});
const cloudSchema = z.strictObject({
  services: z.strictObject({
    sqs: serviceSchema,
    dynamodb: serviceSchema,
    secretsmanager: serviceSchema,
    lambda: serviceSchema,
  }),
  doubled: chance,
  kills: z.array(killSchema).check(z.maxLength(50)),
  concurrency: z.record(z.string(), z.int().check(z.gte(1), z.lte(1000))),
  callers: z.optional(z.literal("functions")),
  untilMs: z.optional(z.number()),
});

export function addWorldFaultsRoutes(app: Hono, { world }: ConsoleContext): void {
  const path = "/api/world/faults";
  const { cloud, platform } = world;
  const show = () => showFaults(world);
  app.get(path, (context) => context.json(show()));
  app.put(`${path}/cloud`, async (context) => {
    const settings = await readInput(context, cloudSchema);
    const named = [
      ...settings.kills.map(({ functionKey }) => functionKey),
      ...Object.keys(settings.concurrency),
    ];
    const unknown = named.find((key) => !cloud.functionKeys().includes(key));
    if (unknown !== undefined) throw new WrongInputError(`serverless.yml declares no function ${unknown}.`);
    cloud.faults.set({
      ...settings,
      kills: settings.kills.map(({ point: { operation, ...point }, ...rule }) => ({
        ...rule,
        point: { ...point, ...(operation !== undefined && { operation }) },
      })),
    });
    return context.json(show());
  });
  app.put(`${path}/platform`, async (context) => {
    const given = await readInput(context, z.unknown());
    platform.faults.set(readOrRefuse(given));
    return context.json(show());
  });
  app.delete(path, (context) => {
    cloud.faults.set({});
    platform.faults.set(noFaults);
    return context.json(show());
  });
}

function showFaults({ cloud, platform }: ConsoleContext["world"]): FaultsAnswer {
  const settings = cloud.faults.settings();
  const rules = platform.faults.settings();
  const isIll = Object.values(settings.services).some(
    ({ isDown, throttled, slowMs }) => isDown || throttled > 0 || slowMs > 0,
  );
  const isCloudOn =
    isIll ||
    settings.doubled > 0 ||
    settings.kills.length > 0 ||
    Object.keys(settings.concurrency).length > 0;
  const inForce = rules.rules.filter((rule) => !isOver(rule, platform.clock.now()));
  const never = Number.POSITIVE_INFINITY;
  const ends = [
    ...inForce.map(({ untilMs = never }) => untilMs),
    ...(isCloudOn ? [settings.untilMs ?? never] : []),
    ...(rules.clockSkewMs === 0 ? [] : [never]),
  ];
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

function readOrRefuse(given: unknown) {
  try {
    return readFaultSettings(given);
  } catch (error) {
    if (error instanceof TypeError) throw new WrongInputError(error.message);
    throw error;
  }
}
