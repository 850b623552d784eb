import * as z from "zod/mini";
import { isRecord } from "../lib/json.ts";
import { readIfThere } from "./config-layers.ts";
import { ConfigFileError, type ConfigText, placeIn } from "./config-text.ts";
import { parseBy } from "./parse-by.ts";
import { offsetOf } from "./place-of.ts";

/** At most what API Gateway takes of an account. https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const perSecondSchema = z.optional(z.int().check(z.gte(1), z.lte(10_000)));

/** What config/stages.yml may hold: the stages of this deployment, and what differs between them. */
export const stagesSchema = z.record(
  z.string(),
  z.nullable(
    z.strictObject({
      /** AWS's region, such as eu-central-1, where the stage is deployed unless a command names another. */
      region: z.optional(
        z.string().check(z.regex(/^[a-z]{2}(-[a-z]+)+-\d+$/, "must be a region of AWS, like eu-central-1")),
      ),
      /** Real users talk here: what disturbs them is refused, or asked twice. */
      production: z.optional(z.boolean()),
      /** Whether missing messages are counted or handed over (docs/reconcile.md). */
      reconcile: z.optional(z.enum(["off", "rehearse", "hand-over"])),
      /** What becomes of what is not as config/app/ says (docs/app-as-code.md). */
      drift: z.optional(z.enum(["repair", "report", "off"])),
      /** That job may read the management credentials, and looks at webhooks, extensions and the app's settings, too. */
      management: z.optional(z.boolean()),
      /** Batches that the consumer may handle at once from each of its three queues (docs/operate.md#limits). */
      consumerConcurrency: z.optional(z.int().check(z.gte(2), z.lte(1000))),
      /** How many requests a route may get: /webhooks, each of the two that ask, and any other. */
      webhooksPerSecond: perSecondSchema,
      questionsPerSecond: perSecondSchema,
      requestsPerSecond: perSecondSchema,
    }),
  ),
);

/** What config/stages.yml says of one stage. */
export type Stage = NonNullable<z.infer<typeof stagesSchema>[string]>;

/** The stages by name. */
export type Stages = ReadonlyMap<string, Stage>;

/**
 * Reads config/stages.yml of a project.
 * @throws ConfigFileError
 */
export async function readStages(projectFolder: string): Promise<Stages> {
  const text = await readIfThere(projectFolder, "config/stages.yml");
  if (text === undefined) throw new ConfigFileError("config/stages.yml: cannot be read. It must be there.");
  const misplaced = misplacedApps(text);
  if (misplaced.length > 0) throw new ConfigFileError(misplaced.join("\n"));
  const stages = parseBy(stagesSchema, [text]);
  const mistakes = Object.keys(Object(text.content)).flatMap((name) => mistakesIn(name, text));
  if (mistakes.length > 0) throw new ConfigFileError(mistakes.join("\n"));
  return new Map(Object.entries(stages).map(([name, stage]) => [name, stage ?? {}]));
}

/** Names become names of folders, resources and addresses, where odd ones mean something else. */
function mistakesIn(name: string, text: ConfigText): readonly string[] {
  if (/^[a-z][a-z0-9-]*$/i.test(name)) return [];
  const place = placeIn(text, offsetOf(text.document, [name]));
  return [
    `${place}: ${JSON.stringify(name)}: a stage's name has letters, digits and dashes, and begins with a letter`,
  ];
}

/** Says what to write into config/apps.yml instead of a stage's `apps`. */
function misplacedApps(text: ConfigText): readonly string[] {
  return Object.entries(isRecord(text.content) ? text.content : {}).flatMap(([name, stage]) => {
    if (!isRecord(stage) || stage.apps === undefined) return [];
    const appIds = String(stage.apps).split(/[\s,]+/);
    const list = appIds.filter((appId) => appId !== "").map((appId) => JSON.stringify(appId));
    const place = placeIn(text, offsetOf(text.document, [name, "apps"]));
    return [
      `${place}: ${name}.apps: apps stand in config/apps.yml: write there \`${name}: [${list.join(", ")}]\` and take this line away`,
    ];
  });
}
