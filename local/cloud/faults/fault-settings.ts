import * as z from "zod/mini";
import { killPointSchema } from "../lambda/function-definition.ts";

/** 0 to 1. */
const chance = z.number().check(z.gte(0), z.lte(1));

export const faultyServices = ["sqs", "dynamodb", "secretsmanager", "lambda"] as const;

export type FaultyService = (typeof faultyServices)[number];

const serviceSchema = z.strictObject({
  /** Closes every connection without an answer. */
  isDown: z.boolean(),
  throttled: chance,
  slowMs: z.number().check(z.gte(0), z.lte(60_000)),
});

export const cloudFaultsSchema = z.strictObject({
  services: z.record(z.enum(faultyServices), serviceSchema),
  doubled: chance,
  kills: z
    .array(z.strictObject({ functionKey: z.string(), point: killPointSchema, chance }))
    .check(z.maxLength(50)),
  /** Concurrency by function key. Default: as started. */
  concurrency: z.record(z.string(), z.int().check(z.gte(1), z.lte(1000))),
  /** Default: all except the console. */
  callers: z.optional(z.literal("functions")),
  /** End, by the local stack's clock. Default: never. */
  untilMs: z.optional(z.number()),
});

export type CloudFaultSettings = Readonly<z.infer<typeof cloudFaultsSchema>>;

export interface CloudStrikes {
  readonly services: Readonly<Record<FaultyService, { down: number; throttled: number; slow: number }>>;
  readonly doubled: number;
  readonly kills: readonly number[];
}
