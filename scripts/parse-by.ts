import type * as z from "zod/mini";
import words from "zod/v4/locales/en.js";
import { isRecord } from "../lib/json.ts";
import { ConfigFileError, type ConfigText, placeIn } from "./config-text.ts";
import { describeMisfits } from "./describe-misfits.ts";

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
  // Not Object.assign, to which the key __proto__ is more than a key.
  const content: unknown = isWhole ? Object.fromEntries(contents.flatMap(Object.entries)) : base.content;
  // Messages are words only where an operator reads them: the functions do without the language's table.
  const result = schema.safeParse(content, { error: words().localeError });
  if (result.success) return result.data;
  const misfits = describeMisfits(result.error.issues, schema, texts);
  throw new ConfigFileError(
    misfits.map(({ text, offset, words }) => `${placeIn(text, offset)}: ${words}`).join("\n"),
  );
}
