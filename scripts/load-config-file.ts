import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parse } from "yaml";
import * as z from "zod/mini";
import { configSchemas } from "./config-schemas.ts";

/**
 * Turns a YAML file of config/ into the source of a module that exports its checked content.
 * @throws Error that names the file and each field that does not fit
 */
export async function loadConfigFile(file: string): Promise<string> {
  const name = basename(file);
  const schema = configSchemas.get(name);
  if (schema === undefined)
    throw new Error(`config/${name} has no schema. Add one to scripts/config-schemas.ts.`);

  // Messages are words only where an operator reads them: the functions do without the language's table.
  const result = schema.safeParse(parse(await readFile(file, "utf8")), { error: z.locales.en().localeError });
  if (!result.success)
    throw new Error(`config/${name} does not fit:\n${describe(result.error.issues).join("\n")}`);
  return `export default ${JSON.stringify(result.data)};`;
}

/** Describes each problem in a line; of alternatives, those of the one that fits best. */
function describe(issues: readonly z.core.$ZodIssue[], within: readonly PropertyKey[] = []): string[] {
  return issues.flatMap((issue) => {
    const path = [...within, ...issue.path];
    const alternatives =
      issue.code === "invalid_union" ? issue.errors.map((errors) => describe(errors, path)) : [];
    const [closest] = alternatives.toSorted((one, other) => one.length - other.length);
    return closest ?? [`  ${path.map(String).join(".") || "(file)"}: ${issue.message}`];
  });
}
