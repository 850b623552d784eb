import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { parse } from "yaml";
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

  const result = schema.safeParse(parse(await readFile(file, "utf8")));
  if (!result.success) {
    const problems = result.error.issues.map(
      ({ path, message }) => `  ${path.join(".") || "(file)"}: ${message}`,
    );
    throw new Error(`config/${name} does not fit:\n${problems.join("\n")}`);
  }
  return `export default ${JSON.stringify(result.data)};`;
}
