import { basename, dirname } from "node:path";
import * as z from "zod/mini";
import { isRecord } from "../lib/json.ts";
import { type ConfigLayers, readConfigLayers } from "./config-layers.ts";
import { configSchemas } from "./config-schemas.ts";
import { ConfigFileError, type ConfigText, placeIn, readConfigText } from "./config-text.ts";
import { describeMisfits } from "./describe-misfits.ts";

/**
 * Turns a file of config/ into the source of a module that exports its checked content for a stage, and for each app that
 * has a file of its own (`SettingsFile` in lib/settings/settings-from.ts).
 * @throws ConfigFileError
 */
export async function loadConfigFile(file: string, stage: string): Promise<string> {
  const name = basename(file);
  const layers = await readConfigLayers(dirname(dirname(file)), name, stage);
  return `export default ${JSON.stringify(settingsOf(name, layers))};`;
}

/**
 * Gives what a file of config/ says in one stage, defaults filled in: to every app, and to those with a file of their own.
 * @throws ConfigFileError
 */
export function settingsOf(
  name: string,
  { base, stage, apps }: ConfigLayers,
): { readonly default: unknown; readonly apps: Readonly<Record<string, unknown>> } {
  const shared: readonly [ConfigText, ...ConfigText[]] = stage === undefined ? [base] : [base, stage];
  const mistakes: string[] = [];
  const check = (texts: readonly [ConfigText, ...ConfigText[]]) => {
    try {
      return checkContent(name, texts);
    } catch (error) {
      if (!(error instanceof ConfigFileError)) throw error;
      mistakes.push(...error.message.split("\n"));
      return undefined;
    }
  };
  const settings = {
    default: check(shared),
    apps: Object.fromEntries([...apps].map(([appId, own]) => [appId, check([...shared, own])])),
  };
  if (mistakes.length > 0) throw new ConfigFileError([...new Set(mistakes)].join("\n"));
  return settings;
}

/**
 * Reads the text of a file of config/ and gives what it says, defaults filled in.
 * @param name The file's name, such as `replies.yml`: it decides what the file may hold.
 * @throws ConfigFileError
 */
export function checkConfig(name: string, text: string): unknown {
  return checkContent(name, [readConfigText(`config/${name}`, text)]);
}

/** The first text says everything, each further one says some keys anew. */
function checkContent(name: string, texts: readonly [ConfigText, ...ConfigText[]]): unknown {
  const schema = configSchemas.get(name);
  if (schema === undefined) {
    throw new ConfigFileError(`config/${name} has no schema. Add one to functions/own/config-schemas.ts.`);
  }
  return parseBy(schema, texts);
}

/**
 * Reads what YAML texts say together by a schema.
 * @throws ConfigFileError with the place of each mistake
 */
export function parseBy<T>(schema: z.ZodMiniType<T>, texts: readonly [ConfigText, ...ConfigText[]]): T {
  const [base, ...others] = texts;
  for (const { file, content } of others) {
    if (content === null || isRecord(content)) continue;
    throw new ConfigFileError(`${file}:1:1: (the file): expected keys with values`);
  }
  // An empty file says nothing; one that must say something is complained of as what it is.
  const contents = texts.map(({ content }) => content).filter(isRecord);
  const isWhole = (base.content === null && others.length > 0) || isRecord(base.content);
  const content: unknown = isWhole ? Object.assign({}, ...contents) : base.content;
  // Messages are words only where an operator reads them: the functions do without the language's table.
  const result = schema.safeParse(content, { error: z.locales.en().localeError });
  if (result.success) return result.data;
  const misfits = describeMisfits(result.error.issues, schema, texts);
  throw new ConfigFileError(
    misfits.map(({ text, offset, words }) => `${placeIn(text, offset)}: ${words}`).join("\n"),
  );
}
