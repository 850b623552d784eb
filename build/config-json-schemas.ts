import * as z from "zod/mini";
import { eventNameSchema } from "../lib/behaviours/forwarding/forward-rules.ts";
import { listEventNames } from "../lib/events/app-event.ts";
import { triggersSchema } from "./check-trigger-names.ts";
import { configSchemas } from "./config-schemas.ts";
import { appsSchema } from "./served-apps.ts";
import { stagesSchema } from "./stages.ts";

/** Keyed by path. Requires no first-level key: a stage's or app's file has only some. */
export function configJsonSchemas(): ReadonlyMap<string, string> {
  const schemas = new Map<string, z.ZodMiniType>([
    ...configSchemas,
    ["apps.yml", appsSchema],
    ["stages.yml", stagesSchema],
    ["triggers.yml", triggersSchema],
  ]);
  return new Map(
    [...schemas].map(([name, schema]) => [
      schemaFileOf(name),
      `${JSON.stringify(toJson(schema), null, 2)}\n`,
    ]),
  );
}

export function schemaFileOf(name: string): string {
  return `config/schemas/${name.replace(/\.yml$/, ".json")}`;
}

function toJson(schema: z.ZodMiniType): object {
  const { required: _, ...json } = z.toJSONSchema(schema, {
    target: "draft-7",
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === eventNameSchema) jsonSchema.enum = [...listEventNames()];
    },
  });
  return json;
}
