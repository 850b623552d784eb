import * as z from "zod/mini";
import { isRecord } from "../lib/base/json.ts";
import { readNeeded } from "./config-layers.ts";
import { type ConfigText, placeOf, refuseMistakes } from "./config-text.ts";
import { hintAt } from "./nearest-name.ts";
import { parseBy } from "./parse-by.ts";

/**
 * API Gateway's limit for an account.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const perSecondSchema = z.int().check(z.gte(1), z.lte(10_000));

const matching = (rule: RegExp, message?: string) => z.string().check(z.regex(rule, message));

const kmsKeySchema = matching(
  /^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/,
  "must be the ARN of a KMS key",
);

/** CloudWatch's periods, in days. */
const logPeriods = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400] as const;
const auditPeriods = [30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 3653] as const;

/**
 * SQS's limit; a parked lane's ticket gets 5.2 days old (lib/queue/lanes/consume-batch.ts), and some days
 * may pass without a consumer.
 */
const queueRule =
  "must be from 604800 (7 days: a parked conversation's ticket gets 5.2 days old, and events must outlast a weekend without the consumer) to 1209600";

/** How long stores keep what may name a user (docs/operate.md#personal-data). */
const retentionSchema = z.partial(
  z.strictObject({
    logDays: z.literal(logPeriods, `must be one of CloudWatch's periods: ${logPeriods.join(", ")}`),
    auditDays: z.literal(
      auditPeriods,
      `must be one of CloudWatch's periods from 30 on, because events are acted on for 30 days: ${auditPeriods.join(", ")}`,
    ),
    queueSeconds: z.int().check(z.gte(604_800, queueRule), z.lte(1_209_600, queueRule)),
    setAsideSeconds: z
      .int()
      .check(
        z.gte(3_600, "must be at least 3600: after that, nothing can be replayed"),
        z.lte(1_209_600, "must be at most 1209600, the limit of SQS"),
      ),
    flowDays: z.int().check(z.gte(1), z.lte(90, "must be at most 90, the limit of Lambda")),
    effectDays: z
      .int()
      .check(
        z.gte(35, "must be at least 35: events are acted on for 30 days, and none may have its effect twice"),
        z.lte(400),
      ),
    backupDays: z.int().check(z.gte(1), z.lte(35, "must be at most 35, the limit of DynamoDB")),
  }),
);

export type Retention = z.infer<typeof retentionSchema>;

const stageSchema = z.partial(
  z.strictObject({
    region: matching(/^[a-z]{2}(-[a-z]+)+-\d+$/, "must be a region of AWS, like eu-central-1"),
    /** Makes commands refuse disturbing actions, or ask twice. */
    production: z.boolean(),
    /** Counts missing messages or hands them over (docs/maintain.md#reconcile). */
    reconcile: z.enum(["off", "rehearse", "hand-over"]),
    /** Handles differences from config/app/ (docs/configuration.md#app-as-code). */
    drift: z.enum(["repair", "report", "off"]),
    /**
     * The jobs may read the management credentials: seed then also checks webhooks, extensions and the app's
     * settings, the doctor the webhooks, and rotate changes their password.
     */
    management: z.boolean(),
    /**
     * The HTTP API's paths, the current one first, "" for plain paths (docs/operate.md#the-address). `setup`
     * writes it.
     */
    addresses: z
      .array(matching(/^([a-z0-9]{24})?$/, "must be 24 of a-z and 0-9, or empty"))
      .check(z.minLength(1), z.maxLength(4)),
    /** The address of a distribution in front of the HTTP API (docs/operate.md#a-waf-in-front). */
    edgeUrl: matching(/^https:\/\/[^/]+$/, "must be like https://d111111abcdef8.cloudfront.net"),
    /** Hashes of its header's values, in hex, separated by commas: other requests are answered 404. */
    originKeySha256: matching(/^[0-9a-f]{64}(,[0-9a-f]{64})*$/, "must be SHA-256 in hexadecimal"),
    /** Deploys the function of flows unless off (docs/flows.md#stages-without-flows). */
    flows: z.enum(["on", "off"]),
    /** The ARN of a policy that limits functions' roles (docs/deploy.md#boundary-and-tags). */
    permissionsBoundary: matching(
      /^arn:aws[a-z-]*:iam::(?:\d{12}|aws):policy\/[\w+=,.@/-]+$/,
      "must be the ARN of a managed policy",
    ),
    /**
     * Set on every resource that takes tags.
     * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-resource-tags.html
     */
    tags: z.record(
      matching(/^(?!aws:|stage$)[\w .:/=+@-]{1,128}$/i), // STAGE is the framework's
      matching(
        /^[\w .:/=+@-]{0,256}$/,
        'a tag\'s value has at most 256 letters, digits, spaces and ".:/=+-@_"',
      ),
    ),
    retention: retentionSchema,
    /** The ARN of a KMS key of your own for every store (docs/operate.md#a-key-of-your-own). */
    kmsKey: kmsKeySchema,
    /** Earlier ones, which functions may still use. */
    formerKmsKeys: z.array(kmsKeySchema),
    /** Concurrent batches from each of the consumer's three queues (docs/operate.md#limits). */
    consumerConcurrency: z.int().check(z.gte(2), z.lte(1000)),
    /** Limits a route: /webhooks, each of the two questions, and any other. */
    webhooksPerSecond: perSecondSchema,
    questionsPerSecond: perSecondSchema,
    requestsPerSecond: perSecondSchema,
  }),
);

export const stagesSchema = z.catchall(
  z.object({
    default: z.optional(z.string()),
  }),
  z.nullable(stageSchema),
);

export type Stage = z.infer<typeof stageSchema>;

export type Stages = ReadonlyMap<string, Stage>;

export async function readStages(projectFolder: string): Promise<Stages> {
  return (await readStagesFile(projectFolder)).stages;
}

export async function readStageNames(projectFolder: string): Promise<readonly string[] | undefined> {
  const text = await readNeeded(projectFolder, "config/stages.yml");
  return isRecord(text.content) ? keysOf(text).filter((name) => name !== "default") : undefined;
}

export async function readDefaultStage(projectFolder: string) {
  return (await readStagesFile(projectFolder)).defaultStage;
}

async function readStagesFile(projectFolder: string) {
  const text = await readNeeded(projectFolder, "config/stages.yml");
  const { default: defaultStage, ...named } = parseBy(stagesSchema, [text]);
  const stages = new Map(Object.entries(named).map(([name, stage]) => [name, stage ?? {}]));
  const mistakes = keysOf(text)
    .filter((name) => !/^[a-z][a-z0-9-]*$/i.test(name))
    .map(
      (name) =>
        `${placeOf(text, [name])}: ${JSON.stringify(name)}: a stage's name has letters, digits and dashes, and begins with a letter`,
    );
  const problem = defaultStage === undefined ? undefined : problemOfDefault(defaultStage, stages);
  if (problem !== undefined) mistakes.push(`${placeOf(text, ["default"])}: default: ${problem}`);
  refuseMistakes(mistakes);
  return { stages, defaultStage };
}

function problemOfDefault(name: string, stages: Stages) {
  const stage = stages.get(name);
  if (name === "local") return "the local stack is named by --local, not by a default stage";
  if (stage === undefined) return `there is no stage "${name}"${hintAt(name, [...stages.keys()])}`;
  return stage.production === true ? "a production stage must be named by --stage" : undefined;
}

export function unknownStages(text: ConfigText, stages: readonly string[] | undefined): readonly string[] {
  return keysOf(text)
    .filter((stage) => stages?.includes(stage) === false)
    .map(
      (stage) =>
        `${placeOf(text, [stage])}: there is no stage "${stage}"${hintAt(stage, stages ?? [])} (config/stages.yml names the stages)`,
    );
}

function keysOf({ content }: ConfigText) {
  return Object.keys(Object(content));
}
