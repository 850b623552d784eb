import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { LineCounter, parseDocument } from "yaml";
import * as z from "zod/mini";
import { configSchemas } from "./config-schemas.ts";
import { describeMisfits } from "./describe-misfits.ts";

/** Thrown for a file of config/ that cannot be taken; the message has a line for each mistake, with its place. */
export class ConfigFileError extends Error {
  override readonly name = "ConfigFileError";
}

/**
 * Turns a YAML file of config/ into the source of a module that exports its checked content.
 * @throws ConfigFileError
 */
export async function loadConfigFile(file: string): Promise<string> {
  const content = checkConfig(basename(file), await readFile(file, "utf8"));
  return `export default ${JSON.stringify(content)};`;
}

/**
 * Reads the text of a file of config/ and gives what it says, defaults filled in.
 * @param name The file's name, such as `replies.yml`: it decides what the file may hold.
 * @throws ConfigFileError
 */
export function checkConfig(name: string, text: string): unknown {
  const schema = configSchemas.get(name);
  if (schema === undefined) {
    throw new ConfigFileError(`config/${name} has no schema. Add one to scripts/config-schemas.ts.`);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const unreadable = [...document.errors, ...document.warnings].map(
    ({ message, pos }) => `config/${name}:${lines.linePos(pos[0]).line}: ${message}`,
  );
  if (unreadable.length > 0) throw new ConfigFileError(unreadable.join("\n"));

  // Messages are words only where an operator reads them: the functions do without the language's table.
  const result = schema.safeParse(document.toJS(), { error: z.locales.en().localeError });
  if (result.success) return result.data;
  const misfits = describeMisfits(result.error.issues, document, lines);
  throw new ConfigFileError(misfits.map(({ line, text }) => `config/${name}:${line}: ${text}`).join("\n"));
}
